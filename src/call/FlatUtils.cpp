#include <graph/FlatUtils.h>
#include <graph/generated/array_generated.h>
#include <graph/generated/utils_generated.h>
#include <helpers/BitwiseUtils.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include "array/NDArrayCommon.h"
#include "call/FlatTypes.h"

namespace sd::graph {

namespace {

// Arrays with these flags do not store one element after the other.
constexpr LongType UNREADABLE = ARRAY_SPARSE | ARRAY_COMPRESSED | ARRAY_RAGGED | ARRAY_QUANTIZED;

// What a FlatArray says about its elements.
struct Layout {
  DataType type;
  int rank;
  bool empty;
  LongType length, bytes;  // of the elements without gaps; of strings without their texts
  LongType dims[SD_MAX_RANK], strides[SD_MAX_RANK];
  const LongType* contiguous;  // the interned shapeInfo of the array that is made

  std::string dimsText() const { return arrays::shapeText(rank, dims); }
};

[[nodiscard]] DataType readType(const FlatArray& flat, LongType flags) {
  const DataType type = storableType(flat.dtype(), "[FlatUtils::fromFlatArray] ");
  // In the old format there are no flags.
  if ((flags & ArrayOptions::DATA_TYPE_BITS) != 0 &&
      (flags & ArrayOptions::DATA_TYPE_BITS) != ArrayOptions::flagsOfDataType(type))
    fail("[FlatUtils::fromFlatArray] the type is {}, but the shape has the flags {}", arrays::typeText(type), flags);
  if ((flags & UNREADABLE) != 0)
    fail("[FlatUtils::fromFlatArray] only dense arrays can be read; the shape has the flags {}", flags);
  return type;
}

Layout readLayout(const FlatArray& flat) {
  const std::vector<int64_t> slots = valuesOf(flat.shape());
  if (slots.empty()) fail("[FlatUtils::fromFlatArray] the array has no shape");
  const LongType rank = slots[0];
  if (rank < 0 || rank > SD_MAX_RANK) fail("[FlatUtils::fromFlatArray] rank {} is outside 0..{}", rank, SD_MAX_RANK);
  const auto count = static_cast<size_t>(shape::shapeInfoLength(static_cast<int>(rank)));
  if (slots.size() != count)
    fail("[FlatUtils::fromFlatArray] the shape has {} values; rank {} needs {}", slots.size(), rank, count);
  const LongType flags = slots[count - 3], order = slots[count - 1];
  if (order != 'c' && order != 'f')
    fail("[FlatUtils::fromFlatArray] order {} is neither 'c' (99) nor 'f' (102)", order);

  Layout layout{};
  layout.type = readType(flat, flags);
  layout.rank = static_cast<int>(rank);
  const bool strings = DataTypeUtils::isS(layout.type);
  bool overflow = false;
  layout.length = 1;
  for (int d = 0; d < layout.rank; d++) {
    layout.dims[d] = slots[static_cast<size_t>(1 + d)];
    layout.strides[d] = slots[static_cast<size_t>(1 + layout.rank + d)];
  }
  for (int d = 0; d < layout.rank; d++) {
    if (layout.dims[d] < 0)
      fail("[FlatUtils::fromFlatArray] dimension {} of shape {} is negative", d, layout.dimsText());
    overflow |= __builtin_mul_overflow(layout.length, layout.dims[d], &layout.length);
  }
  // A 0 after large dimensions.
  const bool zero = std::count(layout.dims, layout.dims + layout.rank, 0) > 0;
  if (zero) layout.length = 0, overflow = false;
  layout.empty = layout.length == 0 || (flags & ARRAY_EMPTY) != 0;
  const auto size =
      strings ? static_cast<LongType>(sizeof(LongType)) : static_cast<LongType>(DataTypeUtils::sizeOf(layout.type));
  overflow |= __builtin_mul_overflow(layout.length, size, &layout.bytes);
  if (strings) overflow |= __builtin_add_overflow(layout.bytes, size, &layout.bytes);
  if (overflow) fail("[FlatUtils::fromFlatArray] shape {} is too large", layout.dimsText());

  layout.contiguous = layout.empty && !zero
                          ? ConstantShapeHelper::getInstance().emptyShapeInfo(layout.type)
                          : arrays::interned(layout.type, static_cast<char>(order), layout.rank, layout.dims);
  return layout;
}

bool isDense(const Layout& layout) {
  const LongType* expected = shape::stride(layout.contiguous);
  for (int d = 0; d < layout.rank; d++)
    if (layout.dims[d] != 1 && layout.strides[d] != expected[d]) return false;
  return true;
}

// Elements from the first one to the last one. @throws std::runtime_error when one of them is outside the buffer
LongType extentOf(const Layout& layout, LongType available) {
  LongType last = 0, span;
  bool outside = false;
  for (int d = 0; d < layout.rank; d++) {
    if (layout.dims[d] == 1) continue;
    outside |= layout.strides[d] < 0 || __builtin_mul_overflow(layout.dims[d] - 1, layout.strides[d], &span) ||
               __builtin_add_overflow(last, span, &last);
    if (outside) break;
  }
  if (outside || last >= available)
    fail("[FlatUtils::fromFlatArray] strides {} of shape {} leave the buffer of {} elements",
         arrays::shapeText(layout.rank, layout.strides), layout.dimsText(), available);
  return last + 1;
}

void swapBytes(void* data, size_t bytes, size_t unit) {
  auto* at = static_cast<unsigned char*>(data);
  if (unit > 1)
    for (auto* end = at + bytes; at < end; at += unit) std::reverse(at, at + unit);
}

// In the elements of a BOOL array, every byte that is not 0 is true.
void normalise(DataType type, void* data, LongType length) {
  auto* bytes = static_cast<unsigned char*>(data);
  if (type == BOOL) std::transform(bytes, bytes + length, bytes, [](unsigned char byte) { return byte != 0; });
}

NDArray readNumbers(const Layout& layout, std::span<const int8_t> buffer, bool swapped) {
  LaunchContext* context = LaunchContext::defaultContext();
  const size_t size = DataTypeUtils::sizeOf(layout.type);
  const auto copy = [&](void* to, LongType elements) {
    const size_t bytes = static_cast<size_t>(elements) * size;
    std::memcpy(to, buffer.data(), bytes);
    if (swapped) swapBytes(to, bytes, size);
    normalise(layout.type, to, elements);
  };
  if (isDense(layout)) {
    NDArray array = NDArray::uninitialized(layout.contiguous, context);
    copy(array.buffer(), layout.length);
    return array;
  }
  const LongType extent = extentOf(layout, static_cast<LongType>(buffer.size() / size));
  auto memory = DataBuffer::make(static_cast<size_t>(extent) * size, layout.type, nullptr, DataBuffer::Fill::Nothing);
  copy(memory->primary(), extent);
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  std::copy_n(layout.contiguous, shape::shapeInfoLength(layout.rank), info);
  std::copy_n(layout.strides, layout.rank, shape::stride(info));
  shape::checkStridesEwsAndOrder(info);
  return NDArray(memory, ShapeDescriptor(info), context).dup(shape::order(layout.contiguous));
}

// The index of the first offset that is wrong, -1 when there is none. `offsets` are the length + 1 offsets.
LongType wrongOffset(const std::vector<LongType>& offsets, LongType textBytes, LongType unit) {
  for (size_t i = 0; i < offsets.size(); i++)
    if (offsets[i] < (i == 0 ? 0 : offsets[i - 1]) || offsets[i] > (i == 0 ? 0 : textBytes) || offsets[i] % unit != 0)
      return static_cast<LongType>(i);
  return -1;
}

NDArray readStrings(const Layout& layout, std::span<const int8_t> buffer, bool swapped) {
  const LongType unit = layout.type == UTF8 ? 1 : layout.type == UTF16 ? 2 : 4;
  const LongType textBytes = static_cast<LongType>(buffer.size()) - layout.bytes;
  std::vector<LongType> stored(static_cast<size_t>(layout.length) + 1);
  std::memcpy(stored.data(), buffer.data(), static_cast<size_t>(layout.bytes));
  std::vector<LongType> offsets = stored;
  if (swapped) swapBytes(offsets.data(), static_cast<size_t>(layout.bytes), sizeof(LongType));
  const LongType wrong = wrongOffset(offsets, textBytes, unit);
  if (wrong >= 0) {
    // libnd4j does not swap strings: there are tables that name the other byte order and have offsets in this one.
    if (wrongOffset(stored, textBytes, unit) >= 0)
      fail("[FlatUtils::fromFlatArray] offset {} of strings of shape {} is {}; there are {} bytes of text", wrong,
           layout.dimsText(), offsets[static_cast<size_t>(wrong)], textBytes);
    offsets = stored;
    swapped = false;
  }
  const auto header = static_cast<size_t>(layout.bytes), text = static_cast<size_t>(offsets.back());
  auto memory = DataBuffer::make(header + text, layout.type, nullptr, DataBuffer::Fill::Nothing);
  auto* to = static_cast<char*>(memory->primary());
  std::memcpy(to, offsets.data(), header);
  if (text > 0) std::memcpy(to + header, buffer.data() + header, text);
  if (swapped) swapBytes(to + header, text, static_cast<size_t>(unit));
  return NDArray(memory, ShapeDescriptor(layout.contiguous));
}

}  // namespace

std::pair<int, int> FlatUtils::fromIntPair(const IntPair* pair) {
  if (pair == nullptr) fail("[FlatUtils::fromIntPair] the pair is null");
  return {pair->first(), pair->second()};
}

std::pair<LongType, LongType> FlatUtils::fromLongPair(const LongPair* pair) {
  if (pair == nullptr) fail("[FlatUtils::fromLongPair] the pair is null");
  return {pair->first(), pair->second()};
}

NDArray* FlatUtils::fromFlatArray(const FlatArray* flatArray) {
  if (flatArray == nullptr) fail("[FlatUtils::fromFlatArray] the array is null");
  const Layout layout = readLayout(*flatArray);
  if (layout.empty) return new NDArray(NDArray::uninitialized(layout.contiguous, LaunchContext::defaultContext()));

  std::span<const int8_t> buffer;
  if (flatArray->buffer() != nullptr) buffer = {flatArray->buffer()->data(), flatArray->buffer()->size()};
  if (static_cast<LongType>(buffer.size()) < layout.bytes)
    fail("[FlatUtils::fromFlatArray] shape {} of type {} needs {} bytes; the buffer has {}", layout.dimsText(),
         arrays::typeText(layout.type), layout.bytes, buffer.size());
  const int order = static_cast<int>(flatArray->byteOrder());
  if (order != graph::ByteOrder_LE && order != graph::ByteOrder_BE)
    fail("[FlatUtils::fromFlatArray] byte order {} is neither LE (0) nor BE (1)", order);
  const bool swapped = (order == graph::ByteOrder_BE) != BitwiseUtils::isBE();
  return new NDArray(DataTypeUtils::isS(layout.type) ? readStrings(layout, buffer, swapped)
                                                     : readNumbers(layout, buffer, swapped));
}

flatbuffers::Offset<FlatArray> FlatUtils::toFlatArray(flatbuffers::FlatBufferBuilder& builder, const NDArray& array) {
  if (!array.nonNull()) fail("[FlatUtils::toFlatArray] the array has no shape");
  if ((shape::extra(array.shapeInfo()) & UNREADABLE) != 0)
    fail("[FlatUtils::toFlatArray] only dense arrays can be written; the shape has the flags {}",
         shape::extra(array.shapeInfo()));
  const LongType* info = arrays::contiguous(array.shapeInfo(), array.dataType(), array.ordering());
  const std::vector<int64_t> slots(info, info + shape::shapeInfoLength(info));

  // Elements without gaps are copied once, into the builder.
  const bool direct = array.hasElements() && !array.isS() && arrays::isCanonical(array.shapeInfo());
  std::vector<int8_t> bytes;
  if (!direct) bytes = array.asByteVector();
  const size_t size = direct ? static_cast<size_t>(array.lengthOf()) * array.sizeOfT() : bytes.size();
  // What the builder adds for the vectors and the table.
  const size_t others = slots.size() * sizeof(int64_t) + 64;
  if (size + others + builder.GetSize() > FLATBUFFERS_MAX_BUFFER_SIZE)
    fail("[FlatUtils::toFlatArray] an array of {} bytes does not fit into a buffer of FlatBuffers, whose limit is {}",
         size, FLATBUFFERS_MAX_BUFFER_SIZE);

  const auto shapeOffset = builder.CreateVector(slots);
  const auto bufferOffset = builder.CreateVector(direct ? array.bufferAsT<int8_t>() : bytes.data(), size);
  return CreateFlatArray(builder, shapeOffset, bufferOffset, static_cast<DType>(array.dataType()),
                         BitwiseUtils::isBE() ? graph::ByteOrder_BE : graph::ByteOrder_LE);
}

}  // namespace sd::graph
