// The header of the .npy format: strict reading, and writing as NumPy does.
#ifndef NDFORGE_SRC_CNPY_NPYHEADER_H
#define NDFORGE_SRC_CNPY_NPYHEADER_H

#include <array/DataType.h>
#include <system/common.h>

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace sd::npy {

/// This machine's byte order in NumPy's type notation.
inline constexpr char HOST_MARK = std::endian::native == std::endian::little ? '<' : '>';

/// Magic, version and the 4-byte length of versions 2 and 3: the bytes that determine the length of a header.
inline constexpr size_t PREFIX_SIZE = 12;

/// The longest header text that is accepted. Real ones have about 100 characters.
inline constexpr size_t MAX_HEADER_TEXT = size_t{1} << 20;

struct Header {
  DataType dtype = DataType::INHERIT;
  unsigned itemSize = 0;
  bool swapped = false;  ///< the elements are not in this machine's byte order
  bool fortranOrder = false;
  std::vector<LongType> dims;
  size_t dataOffset = 0;  ///< length of the whole header
  size_t dataBytes = 0;

  char order() const { return fortranOrder ? 'f' : 'c'; }
};

/// Number of bytes of the whole header. `data` must hold at least PREFIX_SIZE bytes of it, or the whole file if that is
/// shorter. `where` names the file in errors.
size_t headerSize(const char* data, size_t size, std::string_view where);

/// Parses a header from the first `size` bytes of a file, which must contain the whole header.
Header parseHeader(const char* data, size_t size, std::string_view where);

/// As above, for bytes in memory of unknown size; reads no further than the header's own length.
Header parseHeader(const void* data, std::string_view where);

/// A header of version 1.0, padded so that the data starts at a multiple of 64. `descr` is the type in NumPy's
/// notation.
std::string makeHeader(std::string_view descr, bool fortranOrder, const std::vector<LongType>& dims);

/// NumPy's notation for a type ("<f4", "|b1"). Throws for types that .npy files cannot hold.
std::string descrOf(DataType dtype);

/// The kind character of a type as the C interface writes it: BFLOAT16 is '?'.
char kindOf(DataType dtype);

/// The bytes per element. Throws for types that .npy files cannot hold.
unsigned itemSizeOf(DataType dtype);

/// Number of bytes of an array. Throws when a dimension is negative, when there are too many, or on overflow.
size_t checkedBytes(const std::vector<LongType>& dims, unsigned itemSize, std::string_view where);

/// Converts data from a file in place: to this machine's byte order, and BOOL to 0 and 1.
void normalise(const Header& header, char* data);

}  // namespace sd::npy

#endif
