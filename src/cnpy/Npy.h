// Reads and writes NumPy files: .npy (format versions 1 to 3) and .npz (stored or deflated).
//
// Every error is a std::runtime_error that names the file and the defect. Sizes in a header are checked against the
// size of the file before memory is allocated.
//
// NumPy has no BFLOAT16 type. It is written as '<V2', as NumPy does for the bfloat16 of the ml_dtypes package, and read
// from 'V2' and from '?2', which numpyHeaderForNd4j writes.
#ifndef NDFORGE_SRC_CNPY_NPY_H
#define NDFORGE_SRC_CNPY_NPY_H

#include <array/DataType.h>
#include <system/common.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sd::npy {

/// An array as stored in a file: contiguous in `order`, in the byte order of this machine.
struct Array {
  DataType dtype = DataType::INHERIT;
  char order = 'c';            ///< 'c' or 'f'
  std::vector<LongType> dims;  ///< empty for a scalar
  std::vector<char> bytes;
};

/// An array to be written. `data` may be nullptr when there are no elements.
struct View {
  DataType dtype = DataType::INHERIT;
  char order = 'c';
  std::vector<LongType> dims;
  const void* data = nullptr;
};

/// Reads a .npy file. Types: b1, i1 to i8, u1 to u8, f2, f4, f8 and BFLOAT16 as above, in either byte order.
/// Ignores bytes after the array, as NumPy does.
SD_LIB_EXPORT Array load(const std::string& file);

/// Writes a .npy file of version 1.0 as numpy.save does.
SD_LIB_EXPORT void save(const std::string& file, DataType dtype, char order, const std::vector<LongType>& dims,
                        const void* data);

/// The names of the arrays in a .npz file (without ".npy"), in the order of the archive.
SD_LIB_EXPORT std::vector<std::string> namesInNpz(const std::string& file);

/// Reads every array of a .npz file. Members that are not .npy files are skipped.
SD_LIB_EXPORT std::map<std::string, Array> loadNpz(const std::string& file);

/// Reads one array of a .npz file.
SD_LIB_EXPORT Array loadNpz(const std::string& file, const std::string& name);

/// Writes an uncompressed .npz file as numpy.savez does. Names must be distinct and not empty.
SD_LIB_EXPORT void saveNpz(const std::string& file, const std::vector<std::pair<std::string, View>>& arrays);

}  // namespace sd::npy

#endif
