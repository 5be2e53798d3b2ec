// Reads the inputs and expected values of tests_cpu/data/numbered (see generate.py there) and compares results.
#ifndef NDFORGE_TESTS_NUMBEREDDATA_H
#define NDFORGE_TESTS_NUMBEREDDATA_H

#include <array/DataType.h>
#include <loops/OpGroup.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "TestData.h"

namespace sd::numbered {

using loops::OpGroup;

struct TypeFacts {
  const char* name;
  DataType type;
  int bytes;
  LongType flags;  ///< type bits in the shapeInfo
  int precision;   ///< bits of the significand; 0: not a float type
  int minExponent;
  bool isSigned;
};

inline constexpr LongType UNSIGNED_FLAG = 8388608;
inline constexpr TypeFacts TYPES[] = {
    {"bool", BOOL, 1, 524288, 0, 0, false},
    {"float16", HALF, 2, 4096, 11, -14, true},
    {"bfloat16", BFLOAT16, 2, 2048, 8, -126, true},
    {"float32", FLOAT32, 4, 8192, 24, -126, true},
    {"float64", DOUBLE, 8, 16384, 53, -1022, true},
    {"int8", INT8, 1, 32768, 0, 0, true},
    {"int16", INT16, 2, 65536, 0, 0, true},
    {"int32", INT32, 4, 131072, 0, 0, true},
    {"int64", INT64, 8, 262144, 0, 0, true},
    {"uint8", UINT8, 1, UNSIGNED_FLAG + 32768, 0, 0, false},
    {"uint16", UINT16, 2, UNSIGNED_FLAG + 65536, 0, 0, false},
    {"uint32", UINT32, 4, UNSIGNED_FLAG + 131072, 0, 0, false},
    {"uint64", UINT64, 8, UNSIGNED_FLAG + 262144, 0, 0, false},
};

inline const TypeFacts& facts(DataType type) {
  for (const TypeFacts& f : TYPES)
    if (f.type == type) return f;
  throw std::runtime_error("no facts about this element type");
}

inline DataType typeNamed(const std::string& name) {
  for (const TypeFacts& f : TYPES)
    if (name == f.name) return f.type;
  throw std::runtime_error("unknown element type " + name);
}

/// Elements as raw bytes, with their type.
struct Values {
  DataType type;
  const uint8_t* data;
  LongType count;

  const uint8_t* at(LongType i) const { return data + i * facts(type).bytes; }
};

enum class Check { Bits, Value, Ulp, Bound };

struct Case {
  std::string family, name;
  DataType x, z;
  std::vector<double> params;
  LongType xAt, yAt, zAt, count;
  Check check;
  int ulps = 0;
  LongType boundAt = 0;

  std::string describe() const {
    std::ostringstream text;
    text << name << " " << facts(x).name << " -> " << facts(z).name;
    for (size_t i = 0; i < params.size(); ++i) text << (i ? ", " : " (") << params[i];
    if (!params.empty()) text << ")";
    return text.str();
  }
};

/// A row of operations.csv.
struct Operation {
  std::string group;
  int number;
  std::string name;

  friend std::ostream& operator<<(std::ostream& out, const Operation& op) {
    return out << op.group << " " << op.number << " " << op.name;
  }
};

template <typename T>
T read(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

/// The value of a float element. It is decoded here, so that the test does not depend on the library's conversions.
inline long double floatAt(DataType type, const uint8_t* p) {
  switch (type) {
    case FLOAT32:
      return read<float>(p);
    case DOUBLE:
      return read<double>(p);
    case BFLOAT16: {
      const uint32_t bits = static_cast<uint32_t>(read<uint16_t>(p)) << 16;
      return read<float>(reinterpret_cast<const uint8_t*>(&bits));
    }
    default: {
      const uint16_t bits = read<uint16_t>(p);
      const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
      long double value = exponent == 31  ? (fraction ? NAN : INFINITY)
                          : exponent == 0 ? std::ldexp(static_cast<long double>(fraction), -24)
                                          : std::ldexp(static_cast<long double>(fraction + 1024), exponent - 25);
      return bits >> 15 ? -value : value;
    }
  }
}

inline uint64_t bitsAt(DataType type, const uint8_t* p) {
  uint64_t bits = 0;
  std::memcpy(&bits, p, static_cast<size_t>(facts(type).bytes));  // little-endian, as all supported machines are
  return bits;
}

/// The integer value of an integer or BOOL element, sign-extended.
inline long long integerAt(DataType type, const uint8_t* p) {
  const int bits = 8 * facts(type).bytes;
  const uint64_t raw = bitsAt(type, p);
  if (!facts(type).isSigned || bits == 64) return static_cast<long long>(raw);
  return static_cast<long long>(raw << (64 - bits)) >> (64 - bits);
}

inline std::string textAt(DataType type, const uint8_t* p) {
  std::ostringstream text;
  if (facts(type).precision)
    text << std::hexfloat << static_cast<double>(floatAt(type, p)) << std::defaultfloat << " (" << floatAt(type, p)
         << ")";
  else if (type == UINT64)
    text << bitsAt(type, p);
  else
    text << integerAt(type, p);
  return text.str();
}

/// Rounds to nearest even with `precision` bits; ignores overflow, because parameters are small.
inline uint16_t halfBits(DataType type, double value) {
  if (type == BFLOAT16) {
    const auto f = static_cast<float>(value);
    const auto bits = read<uint32_t>(reinterpret_cast<const uint8_t*>(&f));
    return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
  }
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  const int shift = std::max(exponent - 1, -14);
  const auto scaled = static_cast<int>(std::nearbyint(std::ldexp(fraction, exponent - shift + 10)));
  const int sign = value < 0 ? 0x8000 : 0;
  return static_cast<uint16_t>(sign | (scaled + (scaled >= 1024 ? (shift + 14) * 1024 : 0)));
}

/// Writes a small number as an element of the type.
inline void writeNumber(DataType type, double value, uint8_t* p) {
  const auto put = [p](auto v) { std::memcpy(p, &v, sizeof(v)); };
  switch (type) {
    case FLOAT32:
      return put(static_cast<float>(value));
    case DOUBLE:
      return put(value);
    case HALF:
    case BFLOAT16:
      return put(halfBits(type, value));
    case BOOL:
      return put(static_cast<uint8_t>(value != 0));
    default: {
      const auto bits = static_cast<uint64_t>(static_cast<long long>(value));
      std::memcpy(p, &bits, static_cast<size_t>(facts(type).bytes));
    }
  }
}

/// Numbers as a buffer of elements.
inline std::vector<uint8_t> encode(DataType type, const std::vector<double>& numbers) {
  const auto size = static_cast<size_t>(facts(type).bytes);
  std::vector<uint8_t> bytes(numbers.size() * size);
  for (size_t i = 0; i < numbers.size(); ++i) writeNumber(type, numbers[i], bytes.data() + i * size);
  return bytes;
}

inline long double ulpOf(DataType type, long double value) {
  const TypeFacts& f = facts(type);
  int exponent = f.minExponent;
  if (value != 0 && std::isfinite(value)) {
    std::frexp(value, &exponent);
    exponent = std::max(exponent - 1, f.minExponent);
  }
  return std::ldexp(1.0L, exponent - (f.precision - 1));
}

/// All data of the folder.
class Data {
 public:
  static const Data& get() {
    static const Data data;
    return data;
  }

  const std::vector<Case>& cases() const { return _cases; }

  /// The rows of operations.csv. They are read separately, because the list of tests depends on them. Empty when the
  /// file does not exist.
  static const std::vector<Operation>& operations() {
    static const std::vector<Operation> rows = [] {
      std::vector<Operation> found;
      if (std::filesystem::exists(folder() / "operations.csv"))
        for (const auto& row : readCsv("operations.csv")) found.push_back({row.at(0), std::stoi(row.at(1)), row.at(2)});
      return found;
    }();
    return rows;
  }

  Values values(DataType type, LongType from, LongType count) const {
    const std::vector<uint8_t>& pool = _pools.at(type);
    const LongType size = facts(type).bytes;
    if (from < 0 || (from + count) * size > static_cast<LongType>(pool.size()))
      throw std::runtime_error("test data: a case points outside its file");
    return {type, pool.data() + from * size, count};
  }

  /// The accepted absolute error of element i of a case with Check::Bound.
  double bound(const Case& c, LongType i) const {
    return c.z == DOUBLE ? read<double>(values(DOUBLE, c.boundAt + i, 1).data)
                         : _bounds.at(static_cast<size_t>(c.boundAt + i));
  }

  static std::filesystem::path folder() { return test::dataFolder() / "numbered"; }

 private:
  Data() {
    for (const TypeFacts& f : TYPES) _pools[f.type] = readNpy(std::string(f.name) + ".npy");
    const std::vector<uint8_t> bounds = readNpy("bounds.npy");
    _bounds.resize(bounds.size() / sizeof(float));
    std::memcpy(_bounds.data(), bounds.data(), _bounds.size() * sizeof(float));
    for (const auto& row : readCsv("cases.csv")) _cases.push_back(parse(row));
  }

  static Case parse(const std::vector<std::string>& row) {
    Case c{row.at(0),
           row.at(1),
           typeNamed(row.at(2)),
           typeNamed(row.at(3)),
           {},
           std::stoll(row.at(5)),
           std::stoll(row.at(6)),
           std::stoll(row.at(7)),
           std::stoll(row.at(8)),
           Check::Value};
    std::istringstream params(row.at(4));
    for (std::string p; std::getline(params, p, ';');) c.params.push_back(std::stod(p));
    std::istringstream check(row.at(9));
    std::string kind;
    check >> kind;
    if (kind == "bits") c.check = Check::Bits;
    if (kind == "ulp") c.check = Check::Ulp, check >> c.ulps;
    if (kind == "bound") c.check = Check::Bound, check >> c.boundAt;
    return c;
  }

  static std::string readFile(const std::string& name) {
    std::ifstream in(folder() / name, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + (folder() / name).string());
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// The elements of a one-dimensional .npy file of version 1.
  static std::vector<uint8_t> readNpy(const std::string& name) {
    const std::string file = readFile(name);
    if (file.size() < 10 || file.compare(0, 6, "\x93NUMPY") != 0)
      throw std::runtime_error(name + " is not a .npy file");
    const size_t start = 10 + static_cast<uint8_t>(file[8]) + 256u * static_cast<uint8_t>(file[9]);
    return {file.begin() + static_cast<std::ptrdiff_t>(start), file.end()};
  }

  static std::vector<std::vector<std::string>> readCsv(const std::string& name) {
    std::istringstream file(readFile(name));
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream cells(line);
      std::vector<std::string> row;
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
      rows.push_back(row);
    }
    return rows;
  }

  std::map<DataType, std::vector<uint8_t>> _pools;
  std::vector<float> _bounds;
  std::vector<Case> _cases;
};

inline bool floatsAgree(const Case& c, LongType i, const uint8_t* expected, const uint8_t* got) {
  const long double e = floatAt(c.z, expected), g = floatAt(c.z, got);
  if (c.check == Check::Bound && std::isinf(Data::get().bound(c, i))) return true;
  if (std::isnan(e)) return std::isnan(g);
  if (c.check == Check::Bits) return bitsAt(c.z, expected) == bitsAt(c.z, got);
  if (e == g) return true;
  if (c.check == Check::Value || std::isinf(e) || !std::isfinite(g)) return false;
  const long double error = std::fabs(e - g);
  if (c.check == Check::Ulp) return error <= c.ulps * ulpOf(c.z, std::max(std::fabs(e), std::fabs(g)));
  return error <= Data::get().bound(c, i);
}

/// Describes what is wrong with result i of the case; empty if it is right. `expected` is held in `heldAs` (see
/// generate.py).
inline std::optional<std::string> mismatch(const Case& c, LongType i, DataType heldAs, const uint8_t* expected,
                                           const uint8_t* got) {
  bool agree = false;
  if (facts(c.z).precision) {
    agree = floatsAgree(c, i, expected, got);
  } else if (c.check == Check::Bound) {
    const int shift = 64 - (c.z == BOOL ? 1 : 8 * facts(c.z).bytes);
    const uint64_t up = (bitsAt(c.z, expected) - bitsAt(c.z, got)) << shift >> shift;
    const uint64_t down = (bitsAt(c.z, got) - bitsAt(c.z, expected)) << shift >> shift;
    agree = static_cast<double>(std::min(up, down)) <= Data::get().bound(c, i);
  } else {
    agree = integerAt(heldAs, expected) == integerAt(c.z, got);
  }
  if (agree) return std::nullopt;
  return "expected " + textAt(heldAs, expected) + ", got " + textAt(c.z, got);
}

/// The type that holds the expected values of a case.
inline DataType heldAs(const Case& c) { return c.family == "long" || c.family == "index" ? INT32 : c.z; }

/// The family of cases that belongs to a group.
inline std::string familyOf(OpGroup group) {
  switch (group) {
    case OpGroup::TransformSame:
    case OpGroup::TransformStrict:
      return "unary";
    case OpGroup::TransformFloat:
      return "root";
    case OpGroup::TransformBool:
      return "test";
    case OpGroup::TransformAny:
      return "cast";
    case OpGroup::Pairwise:
    case OpGroup::Scalar:
    case OpGroup::Broadcast:
      return "binary";
    case OpGroup::PairwiseBool:
    case OpGroup::ScalarBool:
    case OpGroup::BroadcastBool:
      return "compare";
    case OpGroup::PairwiseInt:
    case OpGroup::ScalarInt:
    case OpGroup::BroadcastInt:
      return "bits";
    case OpGroup::ReduceFloat:
      return "float";
    case OpGroup::ReduceSame:
      return "same";
    case OpGroup::ReduceBool:
      return "boolean";
    case OpGroup::ReduceLong:
      return "long";
    case OpGroup::Reduce3:
      return "pairs";
    case OpGroup::IndexReduce:
      return "index";
    case OpGroup::SummaryStats:
      return "stats";
    case OpGroup::Random:
      return "";
  }
  return "";
}

/// The groups by the names that operations.csv uses. They are listed here so that groupName() is tested.
inline OpGroup groupNamed(const std::string& name) {
  static const std::map<std::string, OpGroup> GROUPS = {{"TRANSFORM_FLOAT", OpGroup::TransformFloat},
                                                        {"TRANSFORM_SAME", OpGroup::TransformSame},
                                                        {"TRANSFORM_BOOL", OpGroup::TransformBool},
                                                        {"TRANSFORM_STRICT", OpGroup::TransformStrict},
                                                        {"TRANSFORM_ANY", OpGroup::TransformAny},
                                                        {"PAIRWISE_TRANSFORM", OpGroup::Pairwise},
                                                        {"PAIRWISE_BOOL", OpGroup::PairwiseBool},
                                                        {"PAIRWISE_INT", OpGroup::PairwiseInt},
                                                        {"SCALAR", OpGroup::Scalar},
                                                        {"SCALAR_BOOL", OpGroup::ScalarBool},
                                                        {"SCALAR_INT", OpGroup::ScalarInt},
                                                        {"BROADCAST", OpGroup::Broadcast},
                                                        {"BROADCAST_BOOL", OpGroup::BroadcastBool},
                                                        {"BROADCAST_INT", OpGroup::BroadcastInt},
                                                        {"REDUCE_FLOAT", OpGroup::ReduceFloat},
                                                        {"REDUCE_SAME", OpGroup::ReduceSame},
                                                        {"REDUCE_BOOL", OpGroup::ReduceBool},
                                                        {"REDUCE_LONG", OpGroup::ReduceLong},
                                                        {"REDUCE3", OpGroup::Reduce3},
                                                        {"INDEX_REDUCE", OpGroup::IndexReduce},
                                                        {"SUMMARY_STATS", OpGroup::SummaryStats},
                                                        {"RANDOM", OpGroup::Random}};
  return GROUPS.at(name);
}

/// The cases of one numbered operation.
inline std::vector<Case> casesOf(const Operation& op) {
  const std::string family = familyOf(groupNamed(op.group));
  std::vector<Case> found;
  for (const Case& c : Data::get().cases())
    if (c.family == family && c.name == op.name) found.push_back(c);
  return found;
}

/// The operations of some groups, for INSTANTIATE_TEST_SUITE_P.
inline std::vector<Operation> operationsOf(const std::vector<OpGroup>& groups) {
  std::vector<Operation> found;
  for (const Operation& op : Data::operations())
    if (std::find(groups.begin(), groups.end(), groupNamed(op.group)) != groups.end()) found.push_back(op);
  return found;
}

}  // namespace sd::numbered

#endif
