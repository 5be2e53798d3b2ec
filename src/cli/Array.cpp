#include "cli/Array.h"

#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <array/NDArray.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <helpers/ConstantShapeHelper.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

#include "cli/Errors.h"
#include "cnpy/Npy.h"

namespace sd::cli {
namespace {

constexpr std::align_val_t ALIGNMENT{SD_DESIRED_ALIGNMENT};
constexpr std::string_view ARCHIVE = ".npz";

const LongType* intern(DataType dtype, char order, const std::vector<LongType>& dims) {
  return ConstantShapeHelper::getInstance().createShapeInfo(dtype, order, dims);
}

void requireNoTerminal(int stream, const char* option) {
  if (isatty(stream) != 0) throw UsageError(fmt::format("{}: '-' is a terminal, not a file or a pipe", option));
}

/// The .npy file on standard input, which may be a pipe: files are read at any place.
npy::Array readStandardInput() {
  requireNoTerminal(STDIN_FILENO, "-i");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> copy(std::tmpfile(), std::fclose);
  if (copy == nullptr) throw DataError(fmt::format("standard input: no temporary file: {}", std::strerror(errno)));
  char bytes[65536];
  for (size_t count; (count = std::fread(bytes, 1, sizeof bytes, stdin)) > 0;)
    if (std::fwrite(bytes, 1, count, copy.get()) != count) break;
  if (std::ferror(stdin) != 0 || std::fflush(copy.get()) != 0 || std::ferror(copy.get()) != 0)
    throw DataError(fmt::format("standard input cannot be read: {}", std::strerror(errno)));
  try {
    return npy::load(fmt::format("/dev/fd/{}", fileno(copy.get())));
  } catch (const std::exception& error) {
    throw DataError(fmt::format("standard input is no .npy file: {}", error.what()));
  }
}

npy::Array readFile(const std::string& source) {
  if (source == "-") return readStandardInput();
  const size_t colon = source.rfind(std::string(ARCHIVE) + ":");
  if (colon != std::string::npos)
    return npy::loadNpz(source.substr(0, colon + ARCHIVE.size()), source.substr(colon + ARCHIVE.size() + 1));
  if (!source.ends_with(ARCHIVE)) return npy::load(source);
  const auto names = npy::namesInNpz(source);
  if (names.size() == 1) return npy::loadNpz(source, names[0]);
  if (names.empty()) throw DataError(fmt::format("'{}' contains no arrays", source));
  throw DataError(
      fmt::format("'{0}' has several arrays ({1}); choose one with {0}:{2}", source, fmt::join(names, ", "), names[0]));
}

}  // namespace

Array Array::allocate(const LongType* info) {
  Array array;
  array._info = info;
  array._data = std::shared_ptr<void>(::operator new(std::max<size_t>(array.bytes(), 1), ALIGNMENT),
                                      [](void* data) { ::operator delete(data, ALIGNMENT); });
  return array;
}

Array Array::allocate(DataType dtype, char order, const std::vector<LongType>& dims) {
  return allocate(intern(dtype, order, dims));
}

Array Array::of(const NDArray& array) {
  const Array result = allocate(array.dataType(), 'c', array.getShapeAsVector());
  if (!array.isEmpty()) NDArray(result.data(), result.info()).assign(array);
  return result;
}

Array Array::read(const std::string& source) {
  const auto loaded =
      withMemory(fmt::format("'{}'", source), [&] { return std::make_shared<npy::Array>(readFile(source)); });
  Array array;
  array._info = intern(loaded->dtype, loaded->order, loaded->dims);
  array._data = std::shared_ptr<void>(loaded, loaded->bytes.data());
  // Kernels need a valid address even for an array without elements.
  return loaded->bytes.empty() ? allocate(array._info) : array;
}

void Array::checkTarget(const std::string& target) {
  if (target != "-" && !target.ends_with(".npy") && !target.ends_with(ARCHIVE))
    throw UsageError(fmt::format("-o: '{}' is neither a .npy nor a .npz file", target));
}

void Array::writeArchive(const std::string& target, const std::vector<std::pair<std::string, Array>>& arrays) {
  std::vector<std::pair<std::string, npy::View>> views;
  for (const auto& [name, array] : arrays) views.push_back({name, {array.dtype(), 'c', array.dims(), array.data()}});
  npy::saveNpz(target, views);
}

void Array::write(const std::string& target) const {
  checkTarget(target);
  if (target == "-") requireNoTerminal(STDOUT_FILENO, "-o");
  if (target.ends_with(ARCHIVE))
    writeArchive(target, {{"z", *this}});
  else
    npy::save(target == "-" ? "/dev/stdout" : target, dtype(), 'c', dims(), data());
}

Array Array::cast(DataType to) const {
  if (to == dtype()) return *this;
  const Array result = allocate(to, 'c', dims());
  loops::assign(in(), result.out());
  return result;
}

DataType Array::dtype() const { return ArrayOptions::dataType(_info); }

LongType Array::length() const {
  LongType length = 1;
  for (LongType i = 1; i <= _info[0]; ++i) length *= _info[i];
  return length;
}

size_t Array::bytes() const { return size_t(length()) * DataTypeUtils::sizeOf(dtype()); }

std::string Array::shapeText() const { return fmt::format("[{}]", fmt::join(dims(), ", ")); }

}  // namespace sd::cli
