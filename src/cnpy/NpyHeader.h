// The header of the .npy format: reading it strictly, writing it as NumPy does.
#ifndef NDFORGE_SRC_CNPY_NPYHEADER_H
#define NDFORGE_SRC_CNPY_NPYHEADER_H

#include <array/DataType.h>
#include <system/common.h>

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace sd::npy {

/// The mark of this machine's byte order in NumPy's notation of types.
inline constexpr char HOST_MARK = std::endian::native == std::endian::little ? '<' : '>';

/// Magic, version and the 4-byte length of versions 2 and 3: what must be at hand to know the length of a header.
inline constexpr size_t PREFIX_SIZE = 12;

/// Longest header text that is read. Real ones have about 100 characters.
inline constexpr size_t MAX_HEADER_TEXT = size_t{1} << 20;

struct Header {
  DataType dtype = DataType::INHERIT;
  unsigned itemSize = 0;
  bool swapped = false;  ///< the elements are in the other byte order than this machine's
  bool fortranOrder = false;
  std::vector<LongType> dims;
  size_t dataOffset = 0;  ///< length of the whole header
  size_t dataBytes = 0;

  char order() const { return fortranOrder ? 'f' : 'c'; }
};

/// Number of bytes of the whole header, from its first bytes: at least PREFIX_SIZE of them, or all that there are.
/// `where` names the file in errors.
size_t headerSize(const char* data, size_t size, std::string_view where);

/// Reads a header from its first `size` bytes, which must hold all of it.
Header parseHeader(const char* data, size_t size, std::string_view where);

/// As above for bytes in memory whose number is not known; reads no further than the header says it goes.
Header parseHeader(const void* data, std::string_view where);

/// A header of version 1.0, padded so that the data start at a multiple of 64. `descr` is the type in NumPy's notation.
std::string makeHeader(std::string_view descr, bool fortranOrder, const std::vector<LongType>& dims);

/// NumPy's notation for a type ("<f4", "|b1"), or an error for types that .npy files cannot hold.
std::string descrOf(DataType dtype);

/// The kind character of a type as the C interface writes it: BFLOAT16 is '?'.
char kindOf(DataType dtype);

/// The bytes of one element, or an error for types that .npy files cannot hold.
unsigned itemSizeOf(DataType dtype);

/// Number of bytes of an array. Throws when a dimension is negative, there are too many of them, or on overflow.
size_t checkedBytes(const std::vector<LongType>& dims, unsigned itemSize, std::string_view where);

/// Brings data as they were read into the form of this machine: its byte order, and nothing but 0 and 1 in BOOL.
void normalise(const Header& header, char* data);

}  // namespace sd::npy

#endif
