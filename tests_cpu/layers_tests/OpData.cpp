// Reads tests_cpu/data/ops/*.npz.
#include "OpData.h"

#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "TestData.h"
#include "cnpy/Npy.h"
#include "ops/declarable/Example.h"

namespace sd::optest {
namespace {

using Members = std::map<std::string, npy::Array>;

std::filesystem::path folder() { return test::dataFolder() / "ops"; }

template <typename T>
std::vector<T> valuesOf(const npy::Array& array) {
  std::vector<T> values(array.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), values.size() * sizeof(T));
  return values;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The arrays of a file: the bytes of `data`, described by the lines of `index`.
Members unpacked(const npy::Array& index, const npy::Array& data) {
  Members members;
  size_t at = 0;
  for (const std::string& line : split(std::string(index.bytes.begin(), index.bytes.end()), '\n')) {
    const std::vector<std::string> cells = split(line, ' ');
    npy::Array array;
    array.dtype = static_cast<DataType>(std::stoi(cells.at(1)));
    size_t size = DataTypeUtils::sizeOf(array.dtype);
    for (const std::string& dim : cells.size() > 2 ? split(cells[2], ',') : std::vector<std::string>()) {
      array.dims.push_back(std::stoll(dim));
      size *= static_cast<size_t>(array.dims.back());
    }
    if (size > data.bytes.size() - at) throw std::runtime_error("the data end inside of " + line);
    const auto start = data.bytes.begin() + static_cast<std::ptrdiff_t>(at);
    array.bytes.assign(start, start + static_cast<std::ptrdiff_t>(size));
    at += size;
    members.emplace(cells[0], std::move(array));
  }
  if (at != data.bytes.size()) throw std::runtime_error("there are data behind the last array");
  return members;
}

/// The arrays of a file, which is read only once.
const Members& membersOf(const std::string& family) {
  static std::map<std::string, Members> read;
  auto at = read.find(family);
  if (at == read.end()) {
    const Members members = npy::loadNpz((folder() / (family + ".npz")).string());
    at = read.emplace(family, unpacked(members.at("index"), members.at("data"))).first;
  }
  return at->second;
}

Array arrayOf(const npy::Array& stored) {
  NDArray raw('c', stored.dims, stored.dtype);
  if (stored.dims.empty()) raw = NDArray(stored.dtype);
  if (raw.lengthOf() == 0) return std::make_shared<NDArray>(std::move(raw));
  if (stored.order == 'f') raw = NDArray('f', stored.dims, stored.dtype);
  std::memcpy(raw.buffer(), stored.bytes.data(), stored.bytes.size());
  return std::make_shared<NDArray>(raw.dup('c'));
}

Array stringsOf(const npy::Array& bytes, const npy::Array& shape) {
  std::vector<std::string> texts = split(std::string(bytes.bytes.begin(), bytes.bytes.end()), '\0');
  const auto dims = valuesOf<LongType>(shape);
  if (dims.empty()) return std::make_shared<NDArray>(texts.at(0), UTF8);
  return std::make_shared<NDArray>(dims, texts, UTF8);
}

/// The members of one case, by the part of their names after the prefix.
class CaseReader {
 public:
  CaseReader(const std::string& family, const std::string& name) : _members(membersOf(family)), _prefix(name + "/") {
    if (const npy::Array* text = find("options"))
      for (const std::string& line : split(std::string(text->bytes.begin(), text->bytes.end()), '\n'))
        _options[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
  }

  OpCase read(const std::string& op) const {
    OpCase c;
    c.op = op;
    c.inputs = arrays("in");
    c.outputs = arrays("out");
    for (const Array& z : c.outputs) c.outputTypes.push_back(z == nullptr ? INHERIT : z->dataType());
    if (const auto* t = find("t")) c.arguments.t = valuesOf<double>(*t);
    if (const auto* i = find("i")) c.arguments.i = valuesOf<LongType>(*i);
    if (const auto* b = find("b"))
      for (char flag : b->bytes) c.arguments.b.push_back(flag != 0);
    if (const auto* d = find("d"))
      for (LongType type : valuesOf<LongType>(*d)) c.arguments.d.push_back(static_cast<DataType>(type));
    for (const auto& [key, value] : _options) apply(c, key, value);
    return c;
  }

 private:
  const Members& _members;
  std::string _prefix;
  std::map<std::string, std::string> _options;

  const npy::Array* find(const std::string& part) const {
    const auto at = _members.find(_prefix + part);
    return at == _members.end() ? nullptr : &at->second;
  }

  std::vector<Array> arrays(const std::string& kind) const {
    std::vector<Array> found;
    const auto counted = _options.find(kind == "in" ? "inputs" : "outputs");
    const int count = counted == _options.end() ? -1 : std::stoi(counted->second);
    for (int k = 0; count < 0 || k < count; k++) {
      Array array = one(kind + std::to_string(k));
      if (array == nullptr && count < 0) break;
      found.push_back(array);
    }
    return found;
  }

  Array one(const std::string& part) const {
    if (const auto* stored = find(part)) return arrayOf(*stored);
    if (const auto* strings = find(part + ".strings")) return stringsOf(*strings, *find(part + ".shape"));
    if (const auto* empty = find(part + ".empty"))
      return std::make_shared<NDArray>(static_cast<DataType>(valuesOf<LongType>(*empty).at(0)),
                                       LaunchContext::defaultContext(), false);
    return nullptr;
  }

  static DataType typeNamed(const std::string& name) {
    static const std::map<std::string, DataType> TYPES{
        {"HALF", HALF}, {"BFLOAT16", BFLOAT16}, {"FLOAT32", FLOAT32}, {"DOUBLE", DOUBLE}};
    const auto at = TYPES.find(name);
    if (at != TYPES.end()) return at->second;
    throw std::runtime_error("test data: no float type " + name);
  }

  static void apply(OpCase& c, const std::string& key, const std::string& value) {
    const std::vector<std::string> parts = split(value, ',');
    if (key == "inputs" || key == "outputs") return;
    if (key == "label") {
      c.label = value;
    } else if (key == "tol") {
      c.tolerances[INHERIT] = std::stod(value);
    } else if (key.rfind("tol.", 0) == 0) {
      c.tolerances[typeNamed(key.substr(4))] = std::stod(value);
    } else if (key == "types") {
      c.extraTypes.emplace();
      for (const auto& name : parts) c.extraTypes->push_back(typeNamed(name));
    } else if (key == "skip") {
      c.skipped.insert(parts.begin(), parts.end());
    } else if (key == "grad") {
      for (const auto& part : parts) c.gradient.outputOf[std::stoi(part)] = std::stoi(part.substr(part.find(':') + 1));
    } else if (key == "named") {
      ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(c.op);
      if (op != nullptr) c.arguments.named = ops::readExample(op->schema(), value.c_str()).arguments;
    } else if (key == "step") {
      c.gradient.step = std::stod(value);
    } else if (key == "bp.op") {
      c.gradient.op = value;
    } else if (key == "bp.inputs") {
      c.gradient.inputs = parts;
    } else if (key == "bp.t") {
      c.gradient.t.emplace();
      for (const auto& part : parts) c.gradient.t->push_back(std::stod(part));
    } else if (key == "bp.i") {
      c.gradient.i.emplace();
      for (const auto& part : parts) c.gradient.i->push_back(std::stoll(part));
    } else if (key == "bp.b") {
      c.gradient.b.emplace();
      for (const auto& part : parts) c.gradient.b->push_back(part == "1");
    } else {
      throw std::runtime_error("test data: unknown option " + key);
    }
  }
};

}  // namespace

std::vector<std::filesystem::path> dataFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".npz") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> caseNames(const std::filesystem::path& file) {
  std::set<std::string> names;
  const std::vector<char> index = npy::loadNpz(file.string(), "index").bytes;
  for (const std::string& line : split(std::string(index.begin(), index.end()), '\n'))
    names.insert(line.substr(0, line.find('/')));
  return {names.begin(), names.end()};
}

OpCase readCase(const std::string& family, const std::string& name) {
  return CaseReader(family, name).read(name.substr(name.find('.') + 1));
}

void forEachOpCase(const std::function<void(const OpCase&)>& f) {
  for (const auto& file : dataFiles())
    for (const std::string& name : caseNames(file)) f(readCase(file.stem().string(), name));
}

}  // namespace sd::optest
