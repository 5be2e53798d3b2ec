/* Joins two strings as Fortran does: cuts the result to its length, or fills it with spaces. This is the one function of
   the Fortran runtime that LAPACK's routines call, and with it the wheel does without that runtime (3 MB). */
#include <string.h>

void _gfortran_concat_string(size_t size, char* joined, size_t first_size, const char* first, size_t second_size,
                             const char* second) {
  const size_t of_first = first_size < size ? first_size : size;
  const size_t of_second = second_size < size - of_first ? second_size : size - of_first;
  memcpy(joined, first, of_first);
  memcpy(joined + of_first, second, of_second);
  memset(joined + of_first + of_second, ' ', size - of_first - of_second);
}
