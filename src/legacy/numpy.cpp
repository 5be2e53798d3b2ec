#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>

#include <array/ArrayOptions.h>
#include <execution/LaunchContext.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <legacy/NativeOpsNumpy.h>

#include "cnpy/Npy.h"
#include "cnpy/NpyFile.h"
#include "cnpy/Printable.h"
#include "legacy/Guard.h"
#include "system/Error.h"

namespace sd::detail::npy {

using namespace sd::npy;
namespace {

constexpr std::string_view IN_MEMORY = "the file in memory";
constexpr size_t LONGEST_NAME = 255;

// The struct behind the handles of the C functions. The arrays of a map share its data.
struct Handle {
  cnpy::NpyArray array;
  std::shared_ptr<const Array> owner;
};

using ArrayMap = std::map<std::string, Handle>;

/// Puts the function's name before the messages of the file reader, which name no function.
template <typename F>
auto guarded(const char* function, F body) noexcept {
  return legacy::guarded(function, [&] {
    try {
      return body();
    } catch (const std::runtime_error& error) {
      fail<std::runtime_error>("[{}] {}", function, error.what());
    }
  });
}

Header headerInMemory(Pointer file) {
  Header header = parseHeader(static_cast<const void*>(file), IN_MEMORY);
  if (header.swapped) fail<std::runtime_error>("{}: it is in the other byte order", IN_MEMORY);
  return header;
}

const LongType* shapeInfoOf(Pointer file) {
  const Header header = headerInMemory(file);
  return ConstantShapeHelper::getInstance().createShapeInfo(header.dtype, header.order(), header.dims);
}

struct Layout {
  DataType dtype;
  std::vector<LongType> dims;
  bool fortranOrder;
  size_t length;
};

bool isContiguous(const Layout& layout, const LongType* strides, bool fortran) {
  LongType expected = 1;
  const int rank = int(layout.dims.size());
  for (int i = 0; i < rank; ++i) {
    const int d = fortran ? i : rank - 1 - i;
    if (layout.dims[d] != 1 && strides[d] != expected) return false;
    expected *= layout.dims[d];
  }
  return true;
}

Layout layoutOf(Pointer shapeInfo) {
  if (shapeInfo == nullptr) fail<std::runtime_error>("argument 'shapeBuffer' is null");
  const LongType* info = static_cast<const LongType*>(shapeInfo);
  if (info[0] < 0 || info[0] > SD_MAX_RANK)
    fail<std::runtime_error>("argument 'shapeBuffer': rank {} is outside 0..{}", info[0], SD_MAX_RANK);
  Layout layout{ArrayOptions::dataType(info), {info + 1, info + 1 + info[0]}, false, 0};
  layout.length = checkedBytes(layout.dims, 1, "argument 'shapeBuffer'");
  if (layout.length == 0 || isContiguous(layout, info + 1 + info[0], false)) return layout;
  if (!isContiguous(layout, info + 1 + info[0], true))
    fail<std::runtime_error>("argument 'shapeBuffer': the array (shape [{}]) is not contiguous; copy it first",
                             fmt::join(layout.dims, ", "));
  layout.fortranOrder = true;
  return layout;
}

char* newCopy(std::string_view head, const void* tail, size_t tailSize) {
  char* result = new char[head.size() + tailSize];
  std::copy(head.begin(), head.end(), result);
  if (tailSize > 0) std::memcpy(result + head.size(), tail, tailSize);
  return result;
}

const Handle& handle(void* array) {
  if (array == nullptr) fail<std::runtime_error>("argument 'npArray' is null");
  return *static_cast<const Handle*>(array);
}

const ArrayMap& mapIn(void* map) {
  if (map == nullptr) fail<std::runtime_error>("argument 'map' is null");
  return *static_cast<const ArrayMap*>(map);
}

ArrayMap::const_iterator entryAt(const char* function, void* map, int index) {
  const ArrayMap& arrays = mapIn(map);
  if (index < 0 || size_t(index) >= arrays.size())
    fail<std::runtime_error>("[{}] argument 'index': {} is outside 0..{}", function, index, int(arrays.size()) - 1);
  return std::next(arrays.begin(), index);
}

}  // namespace

Pointer dataPoint(Pointer file) {
  return guarded("dataPointForNumpy",
                 [&] { return Pointer(static_cast<char*>(file) + headerInMemory(file).dataOffset); });
}

Pointer dataPointOfStruct(Pointer array) {
  return guarded("dataPointForNumpyStruct", [&] { return Pointer(handle(array).array.data); });
}

LongType* copyOfShapeInfo(Pointer file) {
  return guarded("shapeBufferForNumpyHeader", [&] {
    const LongType* info = shapeInfoOf(file);
    const size_t slots = 2 * size_t(info[0]) + 4;
    LongType* copy = new LongType[slots];
    std::copy(info, info + slots, copy);
    return copy;
  });
}

int elementSize(Pointer file) {
  return guarded("elementSizeForNpyArray", [&] { return int(headerInMemory(file).itemSize); });
}

Pointer fromFile(const std::string& path) {
  return guarded("numpyFromFile", [&] {
    NpyFile file(path);
    const Header& header = file.header();
    const std::string head = makeHeader(descrOf(header.dtype), header.fortranOrder, header.dims);
    std::unique_ptr<char, decltype(&std::free)> block(
        static_cast<char*>(std::malloc(head.size() + header.dataBytes + 1)), &std::free);
    if (!block) throw std::bad_alloc();
    std::copy(head.begin(), head.end(), block.get());
    file.read(block.get() + head.size());
    block.get()[head.size() + header.dataBytes] = 0;
    return Pointer(block.release());
  });
}

void release(Pointer file) { std::free(file); }

Pointer headerOf(Pointer shapeInfo, LongType wordSize, LongType* headerSize, char kind) {
  return guarded("numpyHeaderForNd4j", [&] {
    const Layout layout = layoutOf(shapeInfo);
    if (wordSize < 1 || wordSize > 16)
      fail<std::runtime_error>("argument 'wordSize': {} is not the size of an element", wordSize);
    const std::string descr =
        fmt::format("{}{}{}", wordSize == 1 ? '|' : HOST_MARK, kind == 0 ? kindOf(layout.dtype) : kind, wordSize);
    const std::string head = makeHeader(descr, layout.fortranOrder, layout.dims);
    if (headerSize != nullptr) *headerSize = LongType(head.size()) + 1;
    return Pointer(newCopy(head, "", 1));
  });
}

Pointer fileOf(Pointer data, Pointer shapeInfo, LongType wordSize) {
  return guarded("numpyFromNd4j", [&] {
    const Layout layout = layoutOf(shapeInfo);
    const unsigned itemSize = itemSizeOf(layout.dtype);
    if (wordSize != LongType(itemSize))
      fail<std::runtime_error>("argument 'wordSize' is {}, but elements of this type have {} bytes", wordSize,
                               itemSize);
    if (layout.length > std::numeric_limits<size_t>::max() / 2 / itemSize)
      fail<std::runtime_error>("argument 'shapeBuffer': the number of bytes overflows");
    if (data == nullptr && layout.length > 0) fail<std::runtime_error>("argument 'data' is null");
    const std::string head = makeHeader(descrOf(layout.dtype), layout.fortranOrder, layout.dims);
    return Pointer(newCopy(head, data, layout.length * itemSize));
  });
}

Pointer structOf(Pointer file) {
  return guarded("loadNpyFromHeader", [&] {
    return Pointer(new Handle{cnpy::loadNpyFromPointer(static_cast<char*>(file)), nullptr});
  });
}

void deleteStruct(void* array) { delete static_cast<Handle*>(array); }

void* mapOf(const std::string& path) {
  return guarded("mapFromNpzFile", [&]() -> void* {
    auto result = std::make_unique<ArrayMap>();
    for (auto& [name, loaded] : loadNpz(path)) {
      if (name.size() > LONGEST_NAME || name.find('\0') != std::string::npos)
        fail<std::runtime_error>("'{}': the name '{}...' is longer than {} bytes or has a zero byte in it", path,
                                 printable(name, 40), LONGEST_NAME);
      const auto owner = std::make_shared<Array>(std::move(loaded));
      Handle made{{}, owner};
      for (const LongType dim : owner->dims) {
        if (dim > std::numeric_limits<unsigned int>::max())
          fail<std::runtime_error>("'{}', array '{}': dimension {} does not fit 32 bits", path, printable(name), dim);
        made.array.shape.push_back(static_cast<unsigned int>(dim));
      }
      made.array.data = owner->bytes.data();
      made.array.wordSize = itemSizeOf(owner->dtype);
      made.array.fortranOrder = owner->order == 'f';
      result->emplace(name, std::move(made));
    }
    return result.release();
  });
}

void deleteMap(void* map) { delete static_cast<ArrayMap*>(map); }

int mapSize(void* map) {
  return guarded("getNumNpyArraysInMap", [&] { return int(mapIn(map).size()); });
}

void* arrayAt(void* map, int index) { return new Handle(entryAt("getNpyArrayFromMap", map, index)->second); }

const char* nameAt(void* map, int index, char* buffer) {
  const auto entry = entryAt("getNpyArrayNameFromMap", map, index);
  if (buffer == nullptr) fail<std::runtime_error>("[getNpyArrayNameFromMap] argument 'nameBuffer' is null");
  std::memcpy(buffer, entry->first.c_str(), entry->first.size() + 1);
  return buffer;
}

void* arrayData(void* array) {
  return guarded("getNpyArrayData", [&]() -> void* { return handle(array).array.data; });
}

int arrayRank(void* array) {
  return guarded("getNpyArrayRank", [&] { return int(handle(array).array.shape.size()); });
}

LongType* arrayShape(void* array) {
  return guarded("getNpyArrayShape", [&] {
    const auto& shape = handle(array).array.shape;
    LongType* copy = new LongType[shape.size()];
    std::copy(shape.begin(), shape.end(), copy);
    return copy;
  });
}

char arrayOrder(void* array) {
  return guarded("getNpyArrayOrder", [&] { return handle(array).array.fortranOrder ? 'f' : 'c'; });
}

int arrayElementSize(void* array) {
  return guarded("getNpyArrayElemSize", [&] { return int(handle(array).array.wordSize); });
}

}  // namespace sd::detail::npy

int dataTypeFromNpyHeader(void* header) {
  return sd::detail::npy::guarded("dataTypeFromNpyHeader",
                                  [&] { return int(sd::detail::npy::headerInMemory(header).dtype); });
}

sd::Pointer shapeBufferForNumpy(sd::Pointer npyArray) {
  return sd::detail::npy::guarded("shapeBufferForNumpy", [&] {
    return sd::Pointer(const_cast<sd::LongType*>(sd::detail::npy::shapeInfoOf(npyArray)));
  });
}

sd::LongType* shape::shapeBufferOfNpy(int rank, unsigned int* shape, bool fortranOrder) {
  return sd::detail::npy::guarded("shapeBufferOfNpy", [&] {
    if (rank < 0 || rank > SD_MAX_RANK)
      sd::fail<std::runtime_error>("argument 'rank': {} is outside 0..{}", rank, SD_MAX_RANK);
    if (rank > 0 && shape == nullptr) sd::fail<std::runtime_error>("argument 'shape' is null");
    sd::LongType dims[SD_MAX_RANK];
    std::copy(shape, shape + rank, dims);
    return fortranOrder ? shapeBufferFortran(rank, sd::FLOAT32, dims) : shapeBuffer(rank, sd::FLOAT32, dims);
  });
}
