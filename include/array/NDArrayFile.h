// Reads and writes arrays in NumPy's file formats.
#ifndef NDFORGE_ARRAY_NDARRAYFILE_H
#define NDFORGE_ARRAY_NDARRAYFILE_H

#include <array/NDArray.h>

#include <map>
#include <string>

namespace sd {

// Supports the types and byte orders of cnpy/Npy.h. Every error is a std::runtime_error that names the file.

/// Writes a .npy file. A view that is not dense is written in its own order; string arrays are refused.
SD_LIB_EXPORT void saveNpy(const NDArray& array, const std::string& file);
SD_LIB_EXPORT NDArray loadNpy(const std::string& file);

/// Writes a .npz file, not compressed.
SD_LIB_EXPORT void saveNpz(const std::map<std::string, NDArray>& arrays, const std::string& file);
/// All arrays of a .npz file by name, or only one of them.
SD_LIB_EXPORT std::map<std::string, NDArray> loadNpz(const std::string& file);
SD_LIB_EXPORT NDArray loadNpz(const std::string& file, const std::string& name);

}  // namespace sd

#endif
