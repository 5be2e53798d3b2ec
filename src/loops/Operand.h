// A validated view of a buffer and its shapeInfo, as the executor uses it.
#ifndef NDFORGE_SRC_LOOPS_OPERAND_H
#define NDFORGE_SRC_LOOPS_OPERAND_H

#include <array/DataType.h>
#include <loops/Executor.h>

#include <memory>
#include <string>
#include <string_view>

#include "loops/kernels/KernelTable.h"

namespace sd::loops {

using Storage = simd::StorageType;

struct Operand {
  char* data;
  const LongType* info;
  const LongType* sizes;
  const LongType* strides;
  LongType length;
  int rank;
  DataType type;
  Storage storage;
  int elementSize;

  bool empty() const { return length == 0; }
  bool isScalar() const { return length == 1; }
};

/// Checks rank, sizes, type and buffer. `argument` names the operand in messages, for example "x".
/// @throws std::invalid_argument, sd::datatype_exception (strings and unknown types)
Operand operand(std::string_view op, const char* argument, const void* data, const LongType* info);

/// The storage type of an element type that kernels handle.
/// @throws sd::datatype_exception
Storage storageOf(std::string_view op, const char* argument, DataType type);

int sizeOf(Storage storage);
/// The type in which elements are computed: F32 for 16-bit floats, I8 for BOOLEAN, else the type itself.
Storage arithmeticType(Storage storage);
/// The type in which numbers of a compute type are computed when a function has no integer form.
Storage floatFor(Storage storage);
bool isFloating(DataType type);
bool isIntegral(DataType type);

/// Whether the elements are contiguous in c order (or in f order).
bool isDense(const Operand& x, char order);

/// The stride in elements when all elements form one run in c order, else 0. It is 1 for length 1.
LongType linearStride(const Operand& x);

bool sameSizes(const Operand& x, const Operand& y);

/// "[2, 3]"
std::string shapeText(const Operand& x);
std::string shapeText(const LongType* info);
std::string typeText(DataType type);

/// Axes made non-negative, ascending; empty stays empty.
/// @throws std::invalid_argument when one is out of range or repeated
Axes normalizedAxes(std::string_view op, const Axes& axes, const Operand& x);

/// @throws sd::datatype_exception unless y has type `type`
void requireType(std::string_view op, const char* argument, const Operand& x, DataType type);
/// @throws sd::datatype_exception unless x has a floating-point type
void requireFloating(std::string_view op, const char* argument, const Operand& x);

/// Refuses an integer divisor x that contains 0. It is searched before anything is written.
/// @throws std::invalid_argument
void requireNonZero(std::string_view op, const char* argument, const Operand& x);

/// Whether an output overlaps an input other than element for element, so that writing the one changes the other.
bool overlapsPartly(const Operand& z, const Operand& x);
/// Refuses such an output.
void requireNoOverlap(std::string_view op, const Operand& z, const char* argument, const Operand& x);
void requireDistinctElements(std::string_view op, const Operand& z);
bool overlapsItself(const Operand& z);
/// As requireNoOverlap, but also refuses an input with the same layout as the output.
void requireDisjoint(std::string_view op, const Operand& z, const char* argument, const Operand& x);

/// A contiguous copy, in c order, of a valid operand that an output overlaps: it keeps the values from before the call.
class OperandCopy {
 public:
  explicit OperandCopy(In x);
  In in() const { return {_elements.get(), _info}; }
  Operand operand(std::string_view op, const char* argument) const;

 private:
  LongType _info[2 * SD_MAX_RANK + 4];
  std::unique_ptr<double[]> _elements;
};

}  // namespace sd::loops

#endif
