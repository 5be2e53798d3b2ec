// An array of a call before it is placed in memory: what the caller says about it, true or false.
#ifndef NDFORGE_FUZZ_ARRAY_H
#define NDFORGE_FUZZ_ARRAY_H

#include <array/DataType.h>
#include <system/common.h>

#include <cstdint>
#include <string>
#include <vector>

#include "Random.h"

namespace fuzz {

using sd::DataType;
using sd::LongType;
using Dims = std::vector<LongType>;
using Bytes = std::vector<uint8_t>;

/// A slot of the shapeInfo with a value that does not describe the array.
struct Lie {
  enum Slot { Rank, Dim, Stride, Flags, Ews, Order } slot;
  int index = 0;  ///< for Dim and Stride
  LongType value = 0;
};

struct Array {
  bool given = true;  ///< false: null pointers are passed
  DataType type = sd::FLOAT32;
  Dims dims;
  Dims strides;  ///< in elements; any sign, also 0
  char order = 'c';
  Bytes values;  ///< elements in c order, repeated when there are too few. Strings: the whole buffer
  std::vector<Lie> lies;
  bool nullInfo = false, nullBuffer = false;
  int alias = -1;      ///< an output: it overlaps input `alias`,
  LongType shift = 0;  ///< starting this number of elements after it

  static Array of(DataType type, const Dims& dims);

  bool isString() const { return type >= sd::UTF8 && type <= sd::UTF32; }
  bool isEmpty() const;
  /// Number of elements; -1 when it does not fit into 62 bits.
  LongType length() const;
  /// Bytes per element.
  LongType unit() const;
  void makeContiguous(char newOrder = 'c');
  /// The shapeInfo that is passed.
  std::vector<LongType> info() const;
  std::string describe() const;
};

/// Offsets of the first and the last element relative to element 0, in elements.
struct Extent {
  LongType low, high;
};
/// False when it does not fit into 40 bits.
bool extentOf(const Array& array, Extent& extent);

/// All types that arrays can have, except strings.
const std::vector<DataType>& numericTypes();
bool isFloat(DataType type);
std::string typeName(DataType type);

/// Writes a random element: ordinary, extreme, NaN, infinite, denormal, or any bit pattern.
void writeRandom(Random& random, DataType type, uint8_t* at);
/// Writes a small number as an element of the type.
void writeNumber(DataType type, double value, uint8_t* at);
/// The elements converted to another type, as far as they are numeric.
Bytes convertedValues(const Bytes& values, DataType from, DataType to);

}  // namespace fuzz

#endif
