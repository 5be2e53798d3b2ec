// Checks operations against the cases of tests_cpu/data/ops/*.npz (written by the generate_<family>.py next to them).
#ifndef NDFORGE_TESTS_OPHARNESS_H
#define NDFORGE_TESTS_OPHARNESS_H

#include <array/NDArray.h>
#include <ops/declarable/Arguments.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sd::ops {
class DeclarableOp;
}

namespace sd::optest {

using Array = std::shared_ptr<const NDArray>;
using Dims = std::vector<LongType>;

struct Arguments {
  std::vector<double> t = {};
  std::vector<LongType> i = {};
  std::vector<bool> b = {};
  std::vector<DataType> d = {};
  std::vector<std::pair<std::string, ops::ArgumentValue>> named = {};  ///< in place of the others
};

/// How the gradient operation is called.
struct Gradient {
  std::map<int, int> outputOf;      ///< checked input -> output of the gradient operation
  std::string op;                   ///< its name
  std::vector<std::string> inputs;  ///< "in0", "eps0", "out0"; empty: the inputs, then the gradients of float outputs
  std::optional<std::vector<double>> t;
  std::optional<std::vector<LongType>> i;
  std::optional<std::vector<bool>> b;
  double step = 1e-5;
};

struct OpCase {
  std::string op, label;
  std::vector<Array> inputs;   ///< contiguous in c order; null: the input is omitted
  std::vector<Array> outputs;  ///< the expected values in the precision of their source; null: not compared
  std::vector<DataType> outputTypes;
  Arguments arguments;
  Gradient gradient;
  std::map<DataType, double> tolerances;            ///< by float type; INHERIT applies to all of them
  std::optional<std::vector<DataType>> extraTypes;  ///< float types to run besides the case's own
  std::set<std::string> skipped;

  std::string describe() const;
  bool checks(const std::string& part) const { return skipped.count(part) == 0; }
  double tolerance(DataType type) const;
  /// The type of all float inputs; INHERIT when they differ or there are none.
  DataType floatType() const;
  /// The same case with its float inputs, and the outputs of the same type, converted to another type.
  OpCase in(DataType type) const;
};

/// A converted copy in c order.
NDArray converted(const NDArray& array, DataType type);

/// Compares shape, type and values; returns a description of the first difference.
std::optional<std::string> difference(const NDArray& actual, const NDArray& expected, DataType expectedType,
                                      double tolerance);

/// Appends a line to the file that the environment variable NDFORGE_TEST_LOG names, for tools/test_gaps.py.
void noteTested(const std::string& what);

/// The operation, or null when the build leaves it out. Does not return a numbered operation with the same name.
ops::DeclarableOp* findBuilt(const std::string& name);

/// Makes all checks of one case; errors are failures of the running test.
void checkCase(const OpCase& c);

/// Checks the calls of one operation, in the types of the case: a part of checkCase.
void checkCalls(const OpCase& c, ops::DeclarableOp& op);

/// Runs the case with floating-point arrays in place of inputs that hold integers, such as axes. Called by checkCase.
void checkIntegerInputs(const OpCase& c, ops::DeclarableOp& op);
/// Makes calls in which one input has another type than in the case: each must fail or give the same values. Called by
/// checkCase.
void checkMixedTypes(ops::DeclarableOp& op, const std::vector<Array>& inputs, const Arguments& arguments,
                     double tolerance);

/// Runs the case with true values other than 1, which callers' arrays may contain. Called by checkCase.
void checkOtherTruths(ops::DeclarableOp& op, const std::vector<Array>& inputs, const Arguments& arguments);

/// Compares the gradients of op_bp with central differences, in double. Called by checkCase.
void checkGradients(const OpCase& c);

/// Adds a test Ops.<family>_<number>_<operation> for each case of each file. Called before the tests run.
void registerOpCases();

}  // namespace sd::optest

#endif
