// The types of results: the tables of docs/semantics.md against the functions, NumPy, the operators of arrays, and
// calls and inferences of operations.
#include <array/NDArray.h>
#include <array/TypePromotion.h>
#include <exceptions/datatype_exception.h>
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "NDArrayHelpers.h"
#include "NumberedHarness.h"
#include "TestData.h"

using namespace sd;
using nd_test::expectArray;
using numbered::isBuilt;

namespace {

const DataType NUMBERS[] = {BOOL,  INT8,   UINT8, INT16,    UINT16,  INT32, UINT32,
                            INT64, UINT64, HALF,  BFLOAT16, FLOAT32, DOUBLE};

/// Types by the names in the page's tables and in promotion.csv.
DataType typeNamed(const std::string& name) {
  static const std::map<std::string, DataType> SHORT = {
      {"F16", HALF}, {"B16", BFLOAT16}, {"F32", FLOAT32}, {"F64", DOUBLE}};
  if (const auto found = SHORT.find(name); found != SHORT.end()) return found->second;
  for (const DataType type : NUMBERS) {
    const std::string whole = DataTypeUtils::describe(type);
    if (name == whole) return type;
    if (DataTypeUtils::isZ(type) && name == (whole[0] == 'U' ? "U" + whole.substr(4) : "I" + whole.substr(3)))
      return type;
  }
  ADD_FAILURE() << "no type is called '" << name << "'";
  return INHERIT;
}

std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> parts;
  for (size_t at = text.find_first_not_of(separators); at != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return parts;
}

/// The rows of the table of docs/semantics.md whose first row begins with `head`.
std::vector<std::vector<std::string>> tableOf(const std::string& head) {
  std::ifstream page(test::dataFolder() / ".." / ".." / "docs" / "semantics.md");
  EXPECT_TRUE(page.is_open());
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(page, line) && line.rfind(head, 0) != 0) {
  }
  for (; !line.empty() && line[0] == '|'; std::getline(page, line)) {
    auto cells = split(line, "|");
    for (std::string& cell : cells) {
      cell.erase(0, cell.find_first_not_of(" *"));
      cell.erase(cell.find_last_not_of(" *") + 1);
    }
    rows.push_back(std::move(cells));
    if (page.eof()) break;
  }
  EXPECT_GT(rows.size(), 2u) << "no table begins with " << head;
  return rows;
}

NDArray filled(DataType type, const std::vector<LongType>& shape, double value) {
  NDArray array('c', shape, type);
  array.assign(value);
  return array;
}

template <typename F>
void forPairs(F&& f) {
  for (const DataType x : NUMBERS)
    for (const DataType y : NUMBERS) {
      if (!isBuilt(x) || !isBuilt(y) || !isBuilt(promotedType(x, y))) continue;
      SCOPED_TRACE(DataTypeUtils::describe(x) + " and " + DataTypeUtils::describe(y));
      f(x, y);
    }
}

}  // namespace

TEST(TypePromotion, theTable) {
  const auto rows = tableOf("| | BOOL |");
  ASSERT_EQ(rows.size(), 2 + std::size(NUMBERS));
  ASSERT_EQ(rows[0].size(), 1 + std::size(NUMBERS));
  for (size_t i = 2; i < rows.size(); i++) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    EXPECT_EQ(typeNamed(rows[i][0]), NUMBERS[i - 2]);
    for (size_t k = 1; k < rows[i].size(); k++)
      EXPECT_EQ(promotedType(typeNamed(rows[i][0]), typeNamed(rows[0][k])), typeNamed(rows[i][k]))
          << rows[i][0] << " and " << rows[0][k];
  }
}

TEST(TypePromotion, otherTypes) {
  static_assert(promotedType(FLOAT32, DOUBLE) == DOUBLE);
  EXPECT_EQ(promotedType(UTF8, UTF8), UTF8);
  for (const DataType text : {UTF8, UTF16, UTF32, QINT8, INHERIT}) {
    EXPECT_EQ(promotedType(text, FLOAT32), INHERIT);
    EXPECT_EQ(promotedType(BOOL, text), INHERIT);
  }
  EXPECT_EQ(promotedType(UTF8, UTF16), INHERIT);
}

// All values of two integer types are values of the common one, and no smaller type has them.
TEST(TypePromotion, integersKeepTheirValues) {
  const auto bits = [](DataType type) { return static_cast<int>(DataTypeUtils::sizeOf(type)) * 8; };
  const auto holds = [&](DataType z, DataType x) {
    if (DataTypeUtils::isU(x) == DataTypeUtils::isU(z)) return bits(z) >= bits(x);
    return DataTypeUtils::isU(x) && bits(z) > bits(x);
  };
  for (const DataType x : NUMBERS)
    for (const DataType y : NUMBERS) {
      if (!DataTypeUtils::isZ(x) || !DataTypeUtils::isZ(y)) continue;
      DataType best = DOUBLE;
      for (const DataType z : NUMBERS)
        if (DataTypeUtils::isZ(z) && holds(z, x) && holds(z, y) && (best == DOUBLE || bits(z) < bits(best))) best = z;
      EXPECT_EQ(promotedType(x, y), best) << DataTypeUtils::describe(x) << " and " << DataTypeUtils::describe(y);
    }
}

// tests_cpu/data/promotion.py writes what NumPy does; the page lists the differences.
TEST(TypePromotion, differencesFromNumpy) {
  using Difference = std::tuple<DataType, DataType, DataType, DataType>;
  std::set<Difference> actual, listed;
  std::ifstream file(test::dataFolder() / "promotion.csv");
  ASSERT_TRUE(file.is_open());
  std::string line;
  std::getline(file, line);
  int pairs = 0;
  for (; std::getline(file, line); pairs++) {
    const auto row = split(line, ",");
    const DataType x = typeNamed(row[0]), y = typeNamed(row[1]), numpy = typeNamed(row[2]), own = promotedType(x, y);
    if (own != numpy) actual.insert({x, y, own, numpy});
  }
  EXPECT_EQ(pairs, 78);
  const auto rows = tableOf("| types | with | NDForge | NumPy |");
  for (size_t i = 2; i < rows.size(); i++)
    for (const std::string& name : split(rows[i][0], ", "))
      listed.insert({typeNamed(name), typeNamed(rows[i][1]), typeNamed(rows[i][2]), typeNamed(rows[i][3])});
  EXPECT_EQ(actual, listed);
}

TEST(TypePromotion, operators) {
  forPairs([](DataType x, DataType y) {
    const DataType type = promotedType(x, y);
    const bool truth = type == BOOL;
    const NDArray a = filled(x, {2, 3}, 6), b = filled(y, {2, 3}, 2), row = filled(y, {3}, 2), one = filled(y, {1}, 2);
    // A BOOL operand counts as 1.
    const double m = x == BOOL ? 1 : 6, n = y == BOOL ? 1 : 2;
    const auto expect = [&](const NDArray& z, double value) {
      EXPECT_EQ(z.dataType(), type);
      expectArray(z, {2, 3}, std::vector<double>(6, truth ? value != 0 : value), 0);
    };
    expect(a + b, m + n);
    expect(b + a, m + n);
    expect(a * row, m * n);
    expect(row * a, m * n);
    expect(a * one, m * n);
    expect(one + a, m + n);
    expect(filled(x, {2, 3}, 6) + filled(y, {2, 3}, 2), m + n);
    expect(a.permute({1, 0}).permute({1, 0}) + b, m + n);
    expect(a.applyTrueBroadcast(BroadcastOpsTuple::Multiply(), row), m * n);
    if (!DataTypeUtils::isU(type) && !truth) expect(a - b, m - n);
    if (y == BOOL) {
      EXPECT_THROW(a / b, std::runtime_error);
    } else if (!truth) {
      expect(a / row, DataTypeUtils::isR(type) ? m / n : std::trunc(m / n));
    }
    // The operands stay as they are.
    EXPECT_EQ(a.dataType(), x);
    expectArray(a, {2, 3}, std::vector<double>(6, m));
    expectArray(b, {2, 3}, std::vector<double>(6, n));
  });
}

TEST(TypePromotion, shapesOfOneElementAndNone) {
  NDArray a = filled(INT8, {1}, 1), b = filled(UINT8, {1, 1}, 200);
  expectArray(a + b, {1, 1}, {201});
  expectArray(a + filled(UINT8, {1}, 200), {1}, {201});
  expectArray(filled(INT8, {}, 1), {}, {});  // NDArray('c', {}) is empty
  NDArray scalar(FLOAT32);
  scalar.assign(0.5);
  EXPECT_EQ((scalar + filled(DOUBLE, {}, 0)).dataType(), DOUBLE);
  expectArray(filled(DOUBLE, {2}, 1) + scalar, {2}, {1.5, 1.5});
  const NDArray none('c', {0, 3}, FLOAT32), row = filled(DOUBLE, {3}, 1);
  EXPECT_EQ((none + row).dataType(), DOUBLE);
  EXPECT_EQ((none + row).getShapeAsVector(), (std::vector<LongType>{0, 3}));
  EXPECT_EQ((filled(INT8, {0}, 0) * filled(UINT8, {0}, 0)).dataType(), INT16);
}

TEST(TypePromotion, valuesOfTheWiderType) {
  const NDArray f('c', {2}, {0.1, 1e30}, FLOAT32), d('c', {2}, {0.1, 1e300}, DOUBLE);
  const NDArray sum = f + d;
  EXPECT_EQ(sum.e<double>(0), static_cast<double>(0.1f) + 0.1);
  EXPECT_EQ(sum.e<double>(1), 1e300);
  expectArray(filled(INT8, {2}, -100) - filled(UINT8, {2}, 250), {2}, {-350, -350}, 0);
  expectArray(filled(INT32, {1}, -2147483648.0) * filled(UINT32, {1}, 2), {1}, {-4294967296.0}, 0);
  EXPECT_EQ((filled(HALF, {1}, 60000) + filled(BFLOAT16, {1}, 60000)).e<float>(0), 60000.f + 59904.f);
}

TEST(TypePromotion, inPlaceKeepsTheType) {
  forPairs([](DataType x, DataType y) {
    NDArray a = filled(x, {2, 3}, 6);
    const NDArray b = filled(y, {2, 3}, 2), row = filled(y, {3}, 2);
    const double m = x == BOOL ? 1 : 6, n = y == BOOL ? 1 : 2;
    if (!storesInPlace(promotedType(x, y), x)) {
      EXPECT_THROW(a += b, datatype_exception);
      EXPECT_THROW(a *= row, datatype_exception);
      expectArray(a, {2, 3}, std::vector<double>(6, m));
      return;
    }
    const void* buffer = a.buffer();
    a += b;
    EXPECT_EQ(a.dataType(), x);
    expectArray(a, {2, 3}, std::vector<double>(6, x == BOOL ? 1 : m + n), 0);
    a *= row;
    EXPECT_EQ(a.dataType(), x);
    expectArray(a, {2, 3}, std::vector<double>(6, x == BOOL ? 1 : (m + n) * n), 0);
    EXPECT_EQ(a.buffer(), buffer);
    // An array that grows has a new buffer.
    NDArray grown = filled(x, {3}, 6);
    grown += b;
    EXPECT_EQ(grown.dataType(), x);
    expectArray(grown, {2, 3}, std::vector<double>(6, x == BOOL ? 1 : m + n), 0);
  });
  EXPECT_FALSE(storesInPlace(FLOAT32, INT64));
  EXPECT_FALSE(storesInPlace(INT8, BOOL));
  EXPECT_TRUE(storesInPlace(DOUBLE, HALF));
}

TEST(TypePromotion, inPlaceThroughAView) {
  NDArray x = filled(FLOAT32, {2, 3}, 1);
  x({1, 2, 0, 0}) += filled(DOUBLE, {3}, 0.5);
  expectArray(x, {2, 3}, {1, 1, 1, 1.5, 1.5, 1.5}, 0);
  // Computed in DOUBLE and rounded once: in FLOAT32, 2^24 + 1 would become 2^24.
  NDArray y = filled(FLOAT32, {1}, 16777216);
  y += filled(DOUBLE, {1}, 1.0000001);
  EXPECT_EQ(y.e<float>(0), 16777218.f);
}

TEST(TypePromotion, numbersOfCppAreWeak) {
  for (const DataType type : NUMBERS) {
    if (!isBuilt(type)) continue;
    const NDArray x = filled(type, {2}, 1);
    const bool real = DataTypeUtils::isR(type);
    EXPECT_EQ((x + 1).dataType(), type);
    EXPECT_EQ((x * LongType{2}).dataType(), type);
    EXPECT_EQ((x + 1.5).dataType(), real ? type : DOUBLE);
    EXPECT_EQ((1.5f * x).dataType(), real ? type : FLOAT32);
    // The number is converted to the type of the array first.
    expectArray(x + 1.5, {2}, std::vector<double>(2, real ? 2.5 : 2));
    NDArray y = filled(type, {2}, 1);
    y += 1.5;
    EXPECT_EQ(y.dataType(), type);
  }
}

TEST(TypePromotion, messages) {
  NDArray i = filled(INT32, {2}, 1);
  const NDArray f = filled(FLOAT32, {2}, 1), text("text");
  EXPECT_EQ(
      nd_test::messageOf<datatype_exception>([&] { i *= f; }),
      "[multiply] the result of INT32 and FLOAT32 has type FLOAT32, which does not go into the array of type INT32");
  EXPECT_THROW(f + text, std::runtime_error);
  EXPECT_THROW(text + f, std::runtime_error);
  EXPECT_THROW(i += text, std::runtime_error);
}

namespace {

/// The operation of this name; null if the build leaves it out.
ops::DeclarableOp* operation(const std::string& name) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
#ifdef SD_ALL_OPS
  EXPECT_NE(op, nullptr) << name;
#endif
  return op;
}

/// The type of the first output when input i has type[i]; INHERIT when the operation refuses them.
DataType calledWith(ops::DeclarableOp& op, const std::vector<DataType>& types, const std::vector<LongType>& integers) {
  std::vector<NDArray> arrays;
  for (const DataType type : types) arrays.push_back(filled(type, {2, 3}, 1));
  std::vector<NDArray*> inputs;
  for (NDArray& array : arrays) inputs.push_back(&array);
  try {
    const auto result = op.evaluate(inputs, {}, integers);
    return result.status() == Status::OK ? result.at(0)->dataType() : INHERIT;
  } catch (const std::exception&) {
    return INHERIT;
  }
}

DataType inferredFrom(ops::DeclarableOp& op, const std::vector<DataType>& types,
                      const std::vector<LongType>& integers) {
  graph::Context block(1);
  for (const LongType value : integers) block.getIArguments()->push_back(value);
  std::vector<ops::PartialShape> shapes;
  for (const DataType type : types) shapes.emplace_back(type, std::vector<LongType>{2, 3});
  try {
    return op.infer(shapes, block).at(0).type();
  } catch (const std::invalid_argument&) {
    return INHERIT;
  }
}

enum class Rule { TypeOfX, Common, Boolean, Default, Int64 };

/// The rule of a row of the page.
Rule ruleOf(const std::string& text) {
  if (text.rfind("the type of x if", 0) == 0) return Rule::Default;
  if (text.rfind("the type of", 0) == 0) return Rule::TypeOfX;
  if (text.rfind("the common type", 0) == 0) return Rule::Common;
  if (text.rfind("BOOL", 0) == 0) return Rule::Boolean;
  EXPECT_EQ(text.rfind("INT64", 0), 0u) << text;
  return Rule::Int64;
}

DataType expectedType(Rule rule, DataType x) {
  switch (rule) {
    case Rule::Boolean:
      return BOOL;
    case Rule::Int64:
      return INT64;
    case Rule::Default:
      return DataTypeUtils::isR(x) ? x : FLOAT32;
    default:
      return x;
  }
}

}  // namespace

// Every row of the page, with all pairs of types: calls and inference agree with it.
TEST(TypePromotion, operations) {
  const auto rows = tableOf("| rule | operations |");
  for (size_t i = 2; i < rows.size(); i++) {
    const Rule rule = ruleOf(rows[i][0]);
    const bool equal = rows[i][0].find("different types are an error") != std::string::npos;
    for (const std::string& name : split(rows[i][1], " ")) {
      ops::DeclarableOp* op = operation(name);
      if (op == nullptr) continue;
      const bool unary = rule == Rule::Default || rule == Rule::Int64;
      const bool chooses = name == "select" || name == "Where" || name == "where_np";
      const std::vector<LongType> integers(name == "concat" ? 1 : 0, 0);
      int accepted = 0, mixed = 0;
      forPairs([&](DataType x, DataType y) {
        if (unary && x != y) return;
        SCOPED_TRACE(name);
        std::vector<DataType> types = unary ? std::vector<DataType>{x} : std::vector<DataType>{x, y};
        if (chooses) types.insert(types.begin(), BOOL);
        const DataType called = calledWith(*op, types, integers);
        if (called == INHERIT) return;
        accepted++;
        mixed += x != y;
        EXPECT_EQ(DataTypeUtils::describe(called), DataTypeUtils::describe(expectedType(rule, x)));
        EXPECT_EQ(DataTypeUtils::describe(inferredFrom(*op, types, integers)), DataTypeUtils::describe(called));
      });
      EXPECT_GT(accepted, 0) << name;
      if (!unary) {
        EXPECT_EQ(mixed == 0, equal) << name << " accepted " << mixed << " pairs of different types";
      }
    }
  }
}

// What a call refuses because of its types, inference refuses too.
TEST(TypePromotion, inferenceRefusesWhatCallsRefuse) {
  for (const char* name : {"add", "multiply", "less", "equals", "concat", "stack", "select", "Where", "mergeadd"}) {
    ops::DeclarableOp* op = operation(name);
    if (op == nullptr) continue;
    const std::string text = name;
    const std::vector<LongType> integers(text == "concat" ? 1 : 0, 0);
    forPairs([&](DataType x, DataType y) {
      SCOPED_TRACE(text);
      std::vector<DataType> types{x, y};
      if (text == "select" || text == "Where") types.insert(types.begin(), BOOL);
      EXPECT_EQ(inferredFrom(*op, types, integers), calledWith(*op, types, integers));
    });
  }
}
