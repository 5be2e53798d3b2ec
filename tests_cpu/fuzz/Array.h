// An array of a call before it lies in memory: what the caller says about it, true or not.
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

/// A slot of the shapeInfo that does not say what the array is.
struct Lie {
  enum Slot { Rank, Dim, Stride, Flags, Ews, Order } slot;
  int index = 0;  ///< of Dim and Stride
  LongType value = 0;
};

struct Array {
  bool given = true;  ///< false: null pointers
  DataType type = sd::FLOAT32;
  Dims dims;
  Dims strides;  ///< in elements; any sign, also 0
  char order = 'c';
  Bytes values;  ///< elements in c order; repeated when there are too few. Strings: the whole buffer
  std::vector<Lie> lies;
  bool nullInfo = false, nullBuffer = false;
  int alias = -1;      ///< an output: it lies where input `alias` lies,
  LongType shift = 0;  ///< this number of elements further

  static Array of(DataType type, const Dims& dims);

  bool isString() const { return type >= sd::UTF8 && type <= sd::UTF32; }
  bool isEmpty() const;
  /// Number of elements; -1 when it does not fit into 62 bits.
  LongType length() const;
  /// Bytes of an element.
  LongType unit() const;
  void makeContiguous(char newOrder = 'c');
  /// What is handed over as its shapeInfo.
  std::vector<LongType> info() const;
  std::string describe() const;
};

/// Offsets of the first and the last byte that elements take, relative to element 0, in elements.
struct Extent {
  LongType low, high;
};
/// False when it does not fit into 40 bits.
bool extentOf(const Array& array, Extent& extent);

/// All types that arrays can have, without strings.
const std::vector<DataType>& numericTypes();
bool isFloat(DataType type);
std::string typeName(DataType type);

/// Writes a random element: ordinary, extreme, NaN, infinite, denormal, or bits of any kind.
void writeRandom(Random& random, DataType type, uint8_t* at);
/// Writes a small number as an element of the type.
void writeNumber(DataType type, double value, uint8_t* at);
/// The elements converted, as far as they are numbers.
Bytes convertedValues(const Bytes& values, DataType from, DataType to);

}  // namespace fuzz

#endif
