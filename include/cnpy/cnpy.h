// NumPy files with the names of the cnpy interface. sd::npy (cnpy/Npy.h) does the same with 64-bit shapes.
//
// Errors are std::runtime_error; the message names the file and the defect.
#ifndef NDFORGE_CNPY_CNPY_H
#define NDFORGE_CNPY_CNPY_H

#include <array/DataType.h>
#include <system/common.h>

#include <map>
#include <string>
#include <type_traits>
#include <vector>

struct float16;
struct bfloat16;

namespace cnpy {

/// An array read from a file. The data are in the byte order of this machine.
struct SD_LIB_EXPORT NpyArray {
  char* data = nullptr;
  std::vector<unsigned int> shape;  ///< empty for a scalar
  unsigned int wordSize = 0;        ///< bytes of an element
  bool fortranOrder = false;

  /// Frees the data if npyLoad or npzLoad allocated them. Not for arrays over memory of the caller.
  void destruct();
};

/// The arrays of a .npz file by name.
struct SD_LIB_EXPORT npz_t : public std::map<std::string, NpyArray> {
  void destruct();
};

namespace detail {

template <typename T>
constexpr sd::DataType typeOf() {
  if (std::is_same<T, bool>::value) return sd::DataType::BOOL;
  if (std::is_same<T, float>::value) return sd::DataType::FLOAT32;
  if (std::is_same<T, double>::value) return sd::DataType::DOUBLE;
  if (std::is_same<T, float16>::value) return sd::DataType::HALF;
  if (std::is_same<T, bfloat16>::value) return sd::DataType::BFLOAT16;
  if (!std::is_integral<T>::value) return sd::DataType::INHERIT;
  if (std::is_signed<T>::value)
    return sizeof(T) == 1   ? sd::DataType::INT8
           : sizeof(T) == 2 ? sd::DataType::INT16
           : sizeof(T) == 4 ? sd::DataType::INT32
                            : sd::DataType::INT64;
  return sizeof(T) == 1   ? sd::DataType::UINT8
         : sizeof(T) == 2 ? sd::DataType::UINT16
         : sizeof(T) == 4 ? sd::DataType::UINT32
                          : sd::DataType::UINT64;
}

SD_LIB_EXPORT void saveNpy(const std::string& file, sd::DataType dtype, const void* data, const unsigned int* shape,
                           unsigned int rank, const std::string& mode);
SD_LIB_EXPORT void saveNpz(const std::string& file, const std::string& name, sd::DataType dtype, const void* data,
                           const unsigned int* shape, unsigned int rank, const std::string& mode);
SD_LIB_EXPORT std::vector<char> header(char kind, unsigned int wordSize, const unsigned int* shape, unsigned int rank);

}  // namespace detail

/// NumPy's kind character: 'f', 'i', 'u', 'b', '?' for bfloat16, and 'V' for any other type.
template <typename T>
constexpr char mapType() {
  return std::is_same<T, bool>::value                                          ? 'b'
         : std::is_floating_point<T>::value || std::is_same<T, float16>::value ? 'f'
         : std::is_same<T, bfloat16>::value                                    ? '?'
         : !std::is_integral<T>::value                                         ? 'V'
         : std::is_signed<T>::value                                            ? 'i'
                                                                               : 'u';
}

/// Reads a .npy file. The caller calls destruct() on the result.
SD_LIB_EXPORT NpyArray npyLoad(const std::string& file);

/// Reads every array of a .npz file, or a single one. The caller calls destruct() on the result.
SD_LIB_EXPORT npz_t npzLoad(const std::string& file);
SD_LIB_EXPORT NpyArray npzLoad(const std::string& file, const std::string& name);

/// An array over a complete .npy file in memory; its data pointer refers to that memory. Other byte orders are errors.
SD_LIB_EXPORT NpyArray loadNpyFromPointer(char* data);
SD_LIB_EXPORT NpyArray loadNpyFromHeader(char* data);

/// The sd::DataType of a .npy header in memory.
SD_LIB_EXPORT int dataTypeFromHeader(char* data);

/// Reads a .npy header in memory. `shape` is set to a new array of `ndims` numbers, to be freed with delete[].
SD_LIB_EXPORT void parseNpyHeaderPointer(const char* header, unsigned int& wordSize, unsigned int*& shape,
                                         unsigned int& ndims, bool& fortranOrder);

/// As parseNpyHeaderPointer for a header in a string.
SD_LIB_EXPORT void parseNpyHeaderStr(const std::string& header, unsigned int& wordSize, unsigned int*& shape,
                                     unsigned int& ndims, bool& fortranOrder);

/// A header for an array in c order.
template <typename T>
std::vector<char> createNpyHeader(const T*, const unsigned int* shape, unsigned int ndims,
                                  unsigned int wordSize = sizeof(T)) {
  return detail::header(mapType<T>(), wordSize, shape, ndims);
}

/// Writes an array in c order. Mode "w": makes a new file; "a": if the file exists, appends along the first dimension
/// to an array of the same type, whose other dimensions must be equal.
template <typename T>
void npy_save(const std::string& file, const T* data, const unsigned int* shape, unsigned int ndims,
              const std::string& mode = "w") {
  static_assert(detail::typeOf<T>() != sd::DataType::INHERIT, "a .npy file cannot hold this type");
  detail::saveNpy(file, detail::typeOf<T>(), data, shape, ndims, mode);
}

/// Writes an array in c order into a .npz file. Mode "w": makes a new file with this array alone; "a": adds it to an
/// existing file, where it replaces an array of the same name.
template <typename T>
void npz_save(const std::string& file, const std::string& name, const T* data, const unsigned int* shape,
              unsigned int ndims, const std::string& mode = "w") {
  static_assert(detail::typeOf<T>() != sd::DataType::INHERIT, "a .npy file cannot hold this type");
  detail::saveNpz(file, name, detail::typeOf<T>(), data, shape, ndims, mode);
}

}  // namespace cnpy

#endif
