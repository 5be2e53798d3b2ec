#include "linalg/Lapack.h"

#include <algorithm>
#include <cstddef>

#include "linalg/SingleThread.h"

// Fortran passes all arguments by address, and the lengths of strings after the others.
#define LAPACK_ROUTINES(T, P)                                                                                          \
  void P##potrf_(const char*, const int*, T*, const int*, int*, size_t);                                               \
  void P##potrs_(const char*, const int*, const int*, const T*, const int*, T*, const int*, int*, size_t);             \
  void P##getrf_(const int*, const int*, T*, const int*, int*, int*);                                                  \
  void P##getrs_(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*, size_t); \
  void P##getri_(const int*, T*, const int*, const int*, T*, const int*, int*);                                        \
  void P##geqrf_(const int*, const int*, T*, const int*, T*, T*, const int*, int*);                                    \
  void P##orgqr_(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);                  \
  void P##gesdd_(const char*, const int*, const int*, T*, const int*, T*, T*, const int*, T*, const int*, T*,          \
                 const int*, int*, int*, size_t);                                                                      \
  void P##gelsy_(const int*, const int*, const int*, T*, const int*, T*, const int*, int*, const T*, int*, T*,         \
                 const int*, int*);                                                                                    \
  void P##geev_(const char*, const char*, const int*, T*, const int*, T*, T*, T*, const int*, T*, const int*, T*,      \
                const int*, int*, size_t, size_t);                                                                     \
  void P##syevd_(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*, const int*, int*,     \
                 size_t, size_t);
extern "C" {
LAPACK_ROUTINES(float, s)
LAPACK_ROUTINES(double, d)
using Complex = std::complex<double>;
void zgees_(const char*, const char*, int (*)(const Complex*), const int*, Complex*, const int*, int*, Complex*,
            Complex*, const int*, Complex*, const int*, double*, int*, int*, size_t, size_t);
}
#undef LAPACK_ROUTINES

namespace sd::lapack {
namespace {

/// Runs a routine with the working memory that it asks for: call(memory, size) is a query when size is -1.
template <typename T, typename Call>
int withWork(std::vector<T>& work, Call&& call) {
  T wanted = 1;
  if (const int info = call(&wanted, -1)) return info;
  const auto size = std::max<size_t>(1, static_cast<size_t>(wanted));
  if (work.size() < size) work.resize(size);
  return call(work.data(), static_cast<int>(std::min<size_t>(work.size(), 1 << 30)));
}

/// OpenBLAS takes the threads of OpenMP. These factorisations of smaller matrices take longer with several.
constexpr int LEAST_FOR_THREADS = 384;

}  // namespace

#define LAPACK_CALLS(T, P)                                                                                        \
  template <>                                                                                                     \
  int potrf(bool upper, int n, T* a, int lda) {                                                                   \
    int info = 0;                                                                                                 \
    P##potrf_(upper ? "U" : "L", &n, a, &lda, &info, 1);                                                          \
    return info;                                                                                                  \
  }                                                                                                               \
  template <>                                                                                                     \
  int potrs(bool upper, int n, int columns, const T* a, int lda, T* b, int ldb) {                                 \
    int info = 0;                                                                                                 \
    P##potrs_(upper ? "U" : "L", &n, &columns, a, &lda, b, &ldb, &info, 1);                                       \
    return info;                                                                                                  \
  }                                                                                                               \
  template <>                                                                                                     \
  int getrf(int n, T* a, int lda, int* pivots) {                                                                  \
    int info = 0;                                                                                                 \
    P##getrf_(&n, &n, a, &lda, pivots, &info);                                                                    \
    return info;                                                                                                  \
  }                                                                                                               \
  template <>                                                                                                     \
  int getrs(bool transposed, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb) {         \
    int info = 0;                                                                                                 \
    P##getrs_(transposed ? "T" : "N", &n, &columns, a, &lda, pivots, b, &ldb, &info, 1);                          \
    return info;                                                                                                  \
  }                                                                                                               \
  template <>                                                                                                     \
  int getri(int n, T* a, int lda, const int* pivots, std::vector<T>& work) {                                      \
    return withWork(work, [&](T* memory, int size) {                                                              \
      int info = 0;                                                                                               \
      P##getri_(&n, a, &lda, pivots, memory, &size, &info);                                                       \
      return info;                                                                                                \
    });                                                                                                           \
  }                                                                                                               \
  template <>                                                                                                     \
  int geqrf(int m, int n, T* a, int lda, T* tau, std::vector<T>& work) {                                          \
    const blas::SingleThread single(std::max(m, n) < LEAST_FOR_THREADS);                                          \
    return withWork(work, [&](T* memory, int size) {                                                              \
      int info = 0;                                                                                               \
      P##geqrf_(&m, &n, a, &lda, tau, memory, &size, &info);                                                      \
      return info;                                                                                                \
    });                                                                                                           \
  }                                                                                                               \
  template <>                                                                                                     \
  int orgqr(int m, int n, int k, T* a, int lda, const T* tau, std::vector<T>& work) {                             \
    const blas::SingleThread single(std::max(m, n) < LEAST_FOR_THREADS);                                          \
    return withWork(work, [&](T* memory, int size) {                                                              \
      int info = 0;                                                                                               \
      P##orgqr_(&m, &n, &k, a, &lda, tau, memory, &size, &info);                                                  \
      return info;                                                                                                \
    });                                                                                                           \
  }                                                                                                               \
  template <>                                                                                                     \
  int gesdd(char job, int m, int n, T* a, int lda, T* s, T* u, int ldu, T* vt, int ldvt, std::vector<T>& work) {  \
    const blas::SingleThread single(std::max(m, n) < LEAST_FOR_THREADS);                                          \
    std::vector<int> integers(8 * static_cast<size_t>(std::min(m, n)) + 1);                                       \
    return withWork(work, [&](T* memory, int size) {                                                              \
      int info = 0;                                                                                               \
      P##gesdd_(&job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, memory, &size, integers.data(), &info, 1);          \
      return info;                                                                                                \
    });                                                                                                           \
  }                                                                                                               \
  template <>                                                                                                     \
  int gelsy(int m, int n, int columns, T* a, int lda, T* b, int ldb, T rcond, std::vector<T>& work) {             \
    const blas::SingleThread single(std::max(m, n) < LEAST_FOR_THREADS);                                          \
    std::vector<int> order(static_cast<size_t>(n), 0);                                                            \
    int rank = 0;                                                                                                 \
    return withWork(work, [&](T* memory, int size) {                                                              \
      int info = 0;                                                                                               \
      P##gelsy_(&m, &n, &columns, a, &lda, b, &ldb, order.data(), &rcond, &rank, memory, &size, &info);           \
      return info;                                                                                                \
    });                                                                                                           \
  }                                                                                                               \
  template <>                                                                                                     \
  int geev(int n, T* a, int lda, T* real, T* imaginary, T* vectors, int ldv, std::vector<T>& work) {              \
    const blas::SingleThread single(n < LEAST_FOR_THREADS);                                                       \
    const int one = 1;                                                                                            \
    return withWork(work, [&](T* memory, int size) {                                                              \
      int info = 0;                                                                                               \
      P##geev_("N", "V", &n, a, &lda, real, imaginary, nullptr, &one, vectors, &ldv, memory, &size, &info, 1, 1); \
      return info;                                                                                                \
    });                                                                                                           \
  }                                                                                                               \
  template <>                                                                                                     \
  int syevd(bool upper, int n, T* a, int lda, T* values, std::vector<T>& work) {                                  \
    std::vector<int> more(5 * static_cast<size_t>(n) + 3);                                                        \
    const int count = static_cast<int>(more.size());                                                              \
    return withWork(work, [&](T* memory, int size) {                                                              \
      int info = 0;                                                                                               \
      P##syevd_("V", upper ? "U" : "L", &n, a, &lda, values, memory, &size, more.data(), &count, &info, 1, 1);    \
      return info;                                                                                                \
    });                                                                                                           \
  }
LAPACK_CALLS(float, s)
LAPACK_CALLS(double, d)
#undef LAPACK_CALLS

int schur(int n, std::complex<double>* a, std::complex<double>* z) {
  const auto size = static_cast<size_t>(n);
  std::vector<Complex> values(size), work(2 * size * size + 1);
  std::vector<double> reals(size);
  const int length = static_cast<int>(std::min<size_t>(work.size(), 1 << 30));
  int info = 0, sorted = 0;
  zgees_("V", "N", nullptr, &n, a, &n, &sorted, values.data(), z, &n, work.data(), &length, reals.data(), nullptr,
         &info, 1, 1);
  return info;
}

}  // namespace sd::lapack
