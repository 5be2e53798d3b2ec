// How refused calls end where programs may rely on it: which exception, or that there is a status instead of one. One
// row for each failure.
#include <climits>
#include <cmath>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

using refusal::Argument;
using refusal::OutOfRange;
using refusal::Runtime;
using refusal::Type;
using refusal::Validation;

In f(Dims dims, std::vector<double> values = {}) { return In(FLOAT32, std::move(dims), std::move(values)); }
In d(Dims dims, std::vector<double> values = {}) { return In(DOUBLE, std::move(dims), std::move(values)); }
In i(Dims dims, std::vector<double> values = {}) { return In(INT32, std::move(dims), std::move(values)); }
In l(Dims dims, std::vector<double> values = {}) { return In(INT64, std::move(dims), std::move(values)); }

const In X = f({2, 3}, {1, 2, 3, 4, 5, 6}), V = f({3}, {1, 2, 3}), IMAGE = f({1, 2, 4, 4});

/// One refused call.
struct Failure {
  const char* op;
  Rejection row;
};

void check(const std::vector<Failure>& table) {
  for (const auto& [op, row] : table) checkRejections(op, {row});
}

}  // namespace

TEST(OpsFailureKinds, AxesOutsideOfTheRank) {
  check({
      {"reverse", {"above", {X}, {.i = {2}}, Runtime, "2 is outside"}},
      {"reverse", {"below", {X}, {.i = {-3}}, Runtime, "-3 is outside"}},
      {"reverse", {"by an input", {X, i({1}, {5})}, {}, Runtime, "5 is outside"}},
      {"reverse_bp", {"above", {X, X}, {.i = {2}}, Runtime, "2 is outside"}},
      {"standardize", {"above", {X}, {.i = {2}}, Runtime, "2 is outside"}},
      {"standardize", {"below", {X}, {.i = {-3}}, Runtime, "-3 is outside"}},
      {"standardize", {"none", {X}, {}, Argument, "'axis' is missing"}},
      {"standardize_bp", {"above", {X, X}, {.i = {2}}, Runtime, "2 is outside"}},
      {"size_at", {"above", {X}, {.i = {2}}, Argument, "2 is outside"}},
      {"size_at", {"below", {X}, {.i = {-3}}, Runtime, "-3 is outside"}},
      {"percentile", {"above", {X}, {.t = {50}, .i = {2}}, Argument, "2 is outside"}},
      {"percentile", {"below", {X}, {.t = {50}, .i = {-3}}, Runtime, "-3 is outside"}},
      {"percentile", {"too many", {X}, {.t = {50}, .i = {0, 1, 0}}, Argument, "3 axes"}},
      {"evaluate_reduction_shape", {"above", {i({2}, {2, 3}), i({1}, {5})}, {}, Runtime, "5 is outside"}},
      {"evaluate_reduction_shape", {"below", {i({2}, {2, 3}), i({1}, {-3})}, {}, Runtime, "-3 is outside"}},
      {"evaluate_reduction_shape",
       {"above, kept", {i({2}, {2, 3}), i({1}, {5})}, {.b = {true}}, Runtime, "5 is outside"}},
      {"layer_norm", {"no axis 1 for the channels", {V, V}, {.i = {0}}, Runtime, ""}},
      {"tensormmul", {"different numbers", {X, X}, {.i = {1, 0, 2, 0, 1}}, Runtime, ""}},
      {"tensormmul", {"twice", {X, X}, {.i = {2, 0, 0, 2, 0, 0}}, Runtime, "twice"}},
      {"tensormmul", {"other sizes", {X, X}, {.i = {1, 0, 1, 1}}, Runtime, ""}},
      {"tensormmul", {"more than the rank", {X, X}, {.i = {3, 0, 1, 0, 3, 0, 1, 0}}, Runtime, "the rank is 2"}},
      {"tensormmul", {"above", {X, X}, {.i = {1, 2, 1, 0}}, Argument, "2 is outside"}},
      {"reduce_sum", {"above", {X}, {.i = {2}}, Argument, "2 is outside"}},
      {"reduce_mean", {"below", {X}, {.i = {-3}}, Argument, "-3 is outside"}},
      {"argmax", {"above", {X}, {.i = {2}}, Argument, "2 is outside"}},
      {"softmax", {"above", {X}, {.i = {2}}, Argument, "2 is outside"}},
      {"unstack", {"above", {X}, {.i = {2}}, Argument, "2 is outside"}},
      {"concat", {"above", {X, X}, {.i = {2}}, Argument, "2 is outside"}},
      {"stack", {"above", {X, X}, {.i = {3}}, Argument, "3 is outside"}},
      {"gather", {"above", {X, i({1})}, {.i = {2}}, Argument, "2 is outside"}},
      {"expand_dims", {"above", {X}, {.i = {3}}, Argument, "3 is outside"}},
      {"repeat", {"above", {X}, {.i = {2, 2}}, Argument, "2 is outside"}},
  });
}

TEST(OpsFailureKinds, ShapesThatDoNotFit) {
  check({
      {"reshape", {"no order", {X}, {.i = {-98, 6}}, Runtime, "-98"}},
      {"reshape", {"another length", {X}, {.i = {5}}, Argument, "[5]"}},
      {"reshape", {"two unknown sizes", {X}, {.i = {-1, -1}}, Argument, "more than one"}},
      {"reshapeas", {"another length", {X, V}, {}, Runtime, "[3]"}},
      {"tile_to_shape", {"other sizes", {V}, {.i = {2, 4}}, Runtime, "[2, 4]"}},
      {"tile_to_shape", {"fewer dimensions", {X}, {.i = {3}}, Runtime, "[3]"}},
      {"broadcast_to", {"other sizes", {V, i({2}, {2, 4})}, {}, Argument, "[2, 4]"}},
      {"create_view", {"an end outside", {X, l({7}, {1, 2, 1, 0, 5, 1, 1})}, {}, Runtime, "0..5"}},
      {"create_view", {"a position outside", {X, l({5}, {0, 1, 1, 2, 1})}, {}, Runtime, "2 is outside"}},
      {"bitcast", {"no element for the sizes", {V}, {.i = {6}}, Argument, "dimension"}},
      {"multiply", {"no broadcast", {X, f({2})}, {}, Argument, "do not broadcast"}},
      {"multiply_bp", {"no broadcast", {X, f({2}), X}, {}, Argument, ""}},
      {"Pow_bp", {"no broadcast", {X, f({2}), X}, {}, Argument, ""}},
      {"matmul", {"inner sizes", {X, X}, {}, Argument, ""}},
      {"tanh_bp", {"another length", {X, V}, {}, Runtime, "input 1 'gradZ'"}},
      {"relu_bp", {"another length", {X, V}, {}, Runtime, "input 1 'gradZ'"}},
      {"hardsigmoid_bp", {"another length", {X, V}, {}, Runtime, "input 1 'gradZ'"}},
      {"elu_bp", {"another length", {X, V}, {}, Runtime, "input 1 'gradZ'"}},
      {"apply_sgd", {"another shape", {X, V}, {.t = {0.1}}, Argument, ""}},
      {"mergeadd", {"two shapes", {X, V}, {}, Validation, ""}},
      {"mergeavg", {"two shapes", {X, V}, {}, Validation, ""}},
      {"mergemax", {"two shapes", {X, V}, {}, Validation, ""}},
      {"mergemaxindex", {"two shapes", {X, V}, {}, Validation, ""}},
      {"mergeadd_bp", {"two shapes", {X, V, X}, {}, Validation, ""}},
      {"cbow",
       {"a context of rank 3",
        {i({}), i({}), i({1, 1, 1}), i({1}), In(INT8, {1}), f({2, 2}), f({2, 2}), f({2, 2}), f({8}), f({4}), f({}),
         l({}), i({}), i({1, 1, 1}), In::empty(FLOAT32)},
        {},
        Runtime,
        "'context'",
        true}},
      {"skipgram",
       {"targets of rank 2",
        {i({2, 2}), i({2, 2}), i({1, 1}), In(INT8, {1, 1}), f({2, 2}), f({2, 2}), f({2, 2}), f({8}), f({4}), f({}),
         l({}), In::empty(FLOAT32)},
        {},
        Runtime,
        "'target'",
        true}},
  });
  const std::vector<In> wrong = {f({5, 5})};
  check({
      {"add", {"an output of another shape", {X, X}, {}, Runtime, "output 0", false, wrong}},
      {"softmax", {"an output of another shape", {X}, {}, Runtime, "output 0", false, wrong}},
      {"concat", {"an output of another shape", {X, X}, {.i = {0}}, Runtime, "output 0", false, wrong}},
      {"reduce_sum", {"an output of another shape", {X}, {.i = {0}}, Runtime, "output 0", false, wrong}},
  });
}

TEST(OpsFailureKinds, ValuesThatDoNotFit) {
  check({
      {"invert_permutation", {"a value twice", {i({2}, {0, 0})}, {}, Runtime, "already at"}},
      {"invert_permutation", {"a value outside", {i({2}, {0, 2})}, {}, Runtime, "2 at [1] is outside"}},
      {"invert_permutation", {"a negative value", {i({2}, {0, -1})}, {}, Runtime, "-1 at [1] is outside"}},
      {"invert_permutation", {"a matrix", {i({2, 2})}, {}, Argument, "not a vector"}},
      {"lu", {"a singular matrix", {f({2, 2}, {0, 1, 0, 2})}, {}, Runtime, "matrix 0 is singular"}},
      {"lu", {"another type", {f({2, 2}, {1, 0, 0, 1})}, {.i = {5}}, Argument, "neither INT32"}},
      {"solve", {"a singular matrix", {f({2, 2}, {0, 1, 0, 2}), f({2, 1})}, {}, Runtime, "matrix 0 is singular"}},
      {"matrix_inverse", {"a singular matrix", {f({2, 2}, {1, 2, 2, 4})}, {}, Validation, "matrix 0 is singular"}},
      {"matrix_inverse",
       {"the second of two", {d({2, 2, 2}, {1, 0, 0, 1, 0, 0, 0, 0})}, {}, Validation, "matrix 1 is singular"}},
      {"matrix_inverse",
       {"a singular matrix in place", {f({2, 2}, {1, 2, 2, 4})}, {}, Validation, "matrix 0 is singular", true}},
      {"matrix_inverse", {"not square", {X}, {}, Argument, ""}},
      {"sqrtm", {"a negative eigenvalue", {f({2, 2}, {-1, 0, 0, -4})}, {}, Runtime, ""}},
      {"eig", {"no finite eigenvalue", {f({2, 2}, {NAN, 0, 0, 1})}, {}, Runtime, ""}},
      {"cholesky", {"not symmetric", {f({2, 2}, {1, 2, 3, 4})}, {}, Argument, ""}},
      {"dynamic_stitch", {"a negative index", {i({2}, {-1, 0}), f({2})}, {}, Validation, "negative"}},
      {"firas_sparse", {"no such column", {f({1, 2}, {9, 1})}, {.i = {1, 2}}, OutOfRange, "9"}},
      {"barnes_symmetrized", {"no entries", {i({3}), i({0}), f({0})}, {.i = {2}}, Runtime, "no entries"}},
      {"percentile", {"a share above 100", {X}, {.t = {101}}, Argument, "101"}},
      {"fill", {"no value", {i({1}, {3})}, {}, Argument, "missing"}},
      {"clipbyvalue", {"equal bounds", {X}, {.t = {1, 1}}, Argument, "ascending"}},
      {"dropout", {"a probability above 1", {X}, {.t = {1.5}, .i = {1}}, Argument, ""}},
      {"onehot", {"no depth", {i({2})}, {.i = {-1, 0}}, Argument, ""}},
      {"Assert", {"false", {In(BOOL, {})}, {}, Argument, ""}},
  });
}

TEST(OpsFailureKinds, Types) {
  const In texts(UTF8, {2});
  check({
      {"bitcast", {"no code", {X}, {.i = {99}}, Runtime, "99"}},
      {"bitcast", {"the code of strings", {X}, {.i = {50}}, Runtime, "50"}},
      {"min_max_datatype", {"no code", {}, {.i = {99, 0}}, Runtime, "99"}},
      {"min_max_datatype", {"the code of strings", {}, {.i = {50, 1}}, Runtime, "50"}},
      {"tanh_bp", {"another type of the gradient", {X, d({2, 3})}, {}, Runtime, "input 1 'gradZ'"}},
      {"apply_sgd", {"two types", {X, d({2, 3})}, {.t = {0.1}}, Runtime, ""}},
      {"add", {"strings", {texts, texts}, {}, Runtime, ""}},
      {"equals", {"strings", {texts, texts}, {}, Runtime, ""}},
      {"bitwise_and", {"two types", {i({2}), l({2})}, {}, Type, ""}},
      {"matmul", {"two types", {X, d({3, 2})}, {}, Type, ""}},
      {"tensormmul", {"two types", {X, d({2, 3})}, {.i = {1, 0, 1, 0}}, Argument, ""}},
      {"greater", {"two types", {i({2}), f({2})}, {}, Argument, ""}},
      {"divide", {"a divisor of BOOL", {X, In(BOOL, {3})}, {}, Argument, ""}},
      {"reversedivide", {"a divisor of BOOL", {In(BOOL, {3}), V}, {}, Argument, ""}},
      {"crelu", {"integers", {i({2})}, {}, Argument, "INT32"}},
      {"softmax", {"integers", {i({2})}, {}, Validation, "input 0"}},
      {"mergeavg", {"integers", {i({2}), i({2})}, {}, Validation, "input 0"}},
      {"boolean_not", {"numbers", {X}, {}, Validation, "input 0"}},
      {"sgd_updater", {"integers", {i({2})}, {.t = {0.1}}, Validation, "input 0"}},
      {"l2_loss", {"integers", {i({2})}, {}, Validation, "input 0"}},
      {"equals", {"an output of numbers", {X, X}, {}, Validation, "output 0", false, {{i({2, 3})}}}},
      {"tanh", {"an output of integers", {X}, {}, Validation, "output 0", false, {{i({2, 3})}}}},
      {"add", {"an output of another type", {X, X}, {}, Validation, "output 0", false, {{d({2, 3})}}}},
  });
}

// An argument that the list has no place for is a status when the operation declares that it needs so many, else
// std::out_of_range. One that may also be an input is refused as a wrong call.
TEST(OpsFailureKinds, MissingArguments) {
  const In weights = f({2, 2, 2, 3});
  check({
      {"cast", {"no type", {X}, {}, OutOfRange, "argument 'dtype' is missing"}},
      {"create", {"no type", {i({1}, {3})}, {.i = {99}}, OutOfRange, "argument 'dtype' is missing"}},
      {"flatten_2d", {"no axis", {X}, {}, OutOfRange, "argument 'axis' is missing"}},
      {"concat", {"no axis", {X, X}, {}, OutOfRange, "argument 'axis' is missing"}},
      {"clipbyvalue", {"one bound", {X}, {.t = {1}}, OutOfRange, "argument 'max' is missing"}},
      {"scatter_update", {"none", {X, X}, {}, OutOfRange, "is missing"}},
      {"tensormmul", {"no axes of y", {X, X}, {.i = {1, 0}}, OutOfRange, "is missing"}},
      {"relu", {"no cutoff", {X}, {}, Validation, "1 floating arguments are needed, 0 given"}},
      {"relu6", {"no cutoff", {X}, {}, Validation, "1 floating"}},
      {"clipbynorm", {"no norm", {X}, {}, Validation, "1 floating"}},
      {"cumsum", {"no flags", {X}, {}, Validation, "2 integer"}},
      {"lrn", {"two of three", {IMAGE}, {.t = {1, 1}, .i = {2}}, Validation, "3 floating"}},
      {"layer_norm", {"no axes", {X, V}, {}, Validation, "1 integer"}},
      {"top_k", {"no count", {X}, {}, Validation, "1 integer"}},
      {"percentile", {"no share", {X}, {}, Validation, "1 floating"}},
      {"svd", {"two of three", {X}, {.i = {1, 1}}, Validation, "3 integer"}},
      {"size_at", {"no axis", {X}, {}, Validation, "1 integer"}},
      {"unstack", {"no axis", {X}, {}, Validation, "1 integer"}},
      {"tile_to_shape", {"no sizes", {V}, {}, Validation, "1 integer"}},
      {"conv2d", {"four of nine", {IMAGE, weights}, {.i = {2, 2, 1, 1}}, Validation, "9 integer"}},
      {"absolute_difference_loss", {"no reduction", {X, V, X}, {}, Validation, "1 integer"}},
      {"testreduction", {"no axes", {X}, {}, Validation, "1 integer"}},
      {"gather", {"no indices", {X}, {.i = {0}}, Argument, "argument 'indices' is missing"}},
      {"strided_slice", {"no lists", {V}, {.i = {0, 0, 0, 0, 0}}, Argument, "argument 'begin' is missing"}},
      {"lin_space", {"nothing", {}, {}, Argument, "argument 'start' is missing"}},
      {"sgd_updater", {"no rate", {X}, {}, Argument, "is missing"}},
      {"apply_sgd", {"no rate", {X, X}, {}, Argument, "is missing"}},
      {"matrix_band_part", {"no bounds", {X}, {}, Argument, "is missing"}},
      {"non_max_suppression", {"no count", {f({2, 4}), f({2})}, {}, Argument, "is missing"}},
      {"fake_quant_with_min_max_vars", {"no range", {X}, {}, Argument, "is missing"}},
      {"roll", {"no shift", {X}, {}, Argument, "is missing"}},
      {"set_seed", {"no seed", {}, {}, Argument, "is missing"}},
  });
}

// What reads an input that the call does not have gets std::runtime_error.
TEST(OpsFailureKinds, MissingInputs) {
  check({
      {"add", {"one of two", {X}, {}, Runtime, "input 1 is missing"}},
      {"matmul", {"one of two", {X}, {}, Runtime, "input 1 'y' is missing"}},
      {"gather_nd", {"one of two", {X}, {}, Runtime, "input 1 'indices' is missing"}},
      {"solve", {"one of two", {f({2, 2})}, {}, Runtime, "input 1 'b' is missing"}},
      {"conv2d", {"no weights", {IMAGE}, {.i = {2, 2, 1, 1, 0, 0, 1, 1, 0}}, Runtime, "is missing"}},
      {"Where", {"two of three", {X, X}, {}, Argument, ""}},
      {"where_np", {"two of three", {In(BOOL, {2, 3}), X}, {}, Argument, ""}},
  });
}
