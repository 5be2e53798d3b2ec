// Calls that operations which gather, scatter, count or search elements must reject.
#include <cmath>

#include "OpRejections.h"

namespace sd::optest {
namespace {

using refusal::Argument;
using refusal::OutOfRange;
using refusal::Runtime;
using refusal::Validation;

const In MATRIX(FLOAT32, {3, 5});
const In WORDS(UTF8, {2});

struct Table {
  const char* op;
  std::vector<Rejection> rows;
};

class OpsIndexingReject : public ::testing::TestWithParam<Table> {};

TEST_P(OpsIndexingReject, Rejects) { checkRejections(GetParam().op, GetParam().rows); }

std::vector<Rejection> scatterRows() {
  return {
      {"an index too large",
       {MATRIX, In(INT32, {2}, {0, 3}), In(FLOAT32, {2, 5})},
       {},
       Argument,
       "input 1 'indices': value 3 at [1] is outside 0..2"},
      {"a negative index",
       {MATRIX, In(INT32, {1, 2}, {0, -1}), In(FLOAT32, {2, 5})},
       {},
       Argument,
       "value -1 at [0, 1] is outside 0..2"},
      {"updates too short",
       {MATRIX, In(INT32, {2}), In(FLOAT32, {2, 4})},
       {},
       Argument,
       "input 2 'updates': its shape is [2, 4], but indices of shape [2] for x of shape [3, 5] need [2, 5]"},
      {"too few updates", {MATRIX, In(INT32, {2}), In(FLOAT32, {1, 5})}, {}, Argument, "need [2, 5]"},
      {"a vector with other updates", {In(FLOAT32, {3}), In(INT32, {2}), In(FLOAT32, {3})}, {}, Argument, "need [2]"},
      {"a scalar", {In(FLOAT32, {}), In(INT32, {}), In(FLOAT32, {})}, {}, Argument, "input 0 'x': a scalar"},
      {"indices that are no integers",
       {MATRIX, In(FLOAT32, {2}, {0, INFINITY}), In(FLOAT32, {2, 5})},
       {},
       Argument,
       "input 1 'indices': value inf at [1] is not an integer of 64 bits (shape [2])"},
      {"an index beyond 64 bits",
       {MATRIX, In(UINT64, {1}, {1e19}), In(FLOAT32, {1, 5})},
       {},
       Argument,
       "value 10000000000000000000 at [0] is not an integer of 64 bits"},
      {"strings", {WORDS, In(INT32, {2}), In(FLOAT32, {2})}, {}, Validation, "input 0"},
  };
}

std::vector<Rejection> scatterNdRows() {
  return {
      {"a coordinate too large",
       {MATRIX, In(INT32, {2, 2}, {0, 4, 2, 5}), In(FLOAT32, {2})},
       {},
       Argument,
       "value 5 in row 1 of coordinates is outside 0..4 (dimension 1 of shape [3, 5])"},
      {"a negative coordinate", {MATRIX, In(INT32, {1, 1}, {-1}), In(FLOAT32, {1, 5})}, {}, Argument, "value -1"},
      {"too many coordinates",
       {MATRIX, In(INT32, {2, 3}), In(FLOAT32, {2})},
       {},
       Argument,
       "3 coordinates for an array of rank 2"},
      {"updates of another shape", {MATRIX, In(INT32, {2, 1}), In(FLOAT32, {2, 4})}, {}, Argument, "need [2, 5]"},
      {"scalar indices", {MATRIX, In(INT32, {}), In(FLOAT32, {5})}, {}, Argument, "it is a scalar"},
      {"strings", {WORDS, In(INT32, {1, 1}), In(FLOAT32, {1})}, {}, Validation, "input 0"},
  };
}

std::vector<Rejection> sortedRows() {
  return {
      {"ids that decrease", {MATRIX, In(INT32, {3}, {0, 2, 1})}, {}, Argument, "1 at [2] follows 2"},
      {"a negative id", {MATRIX, In(INT32, {3}, {-1, 0, 0})}, {}, Argument, "-1 at [0] is negative"},
      {"too few ids", {MATRIX, In(INT32, {2})}, {}, Argument, "2 ids are given for 3 rows"},
      {"a matrix of ids", {MATRIX, In(INT32, {3, 3})}, {}, Argument, "a vector is needed"},
      {"a scalar", {In(FLOAT32, {}), In(INT32, {1})}, {}, Argument, "a scalar has no rows"},
      {"ids that are no integers",
       {MATRIX, In(FLOAT32, {3}, {0, NAN, 1})},
       {},
       Argument,
       "input 1 'ids': value nan at [1]"},
      {"the largest id", {MATRIX, In(UINT64, {3}, {0, 0, 9223372036854775807.0})}, {}, Argument, "at [2]"},
  };
}

std::vector<Rejection> unsortedRows() {
  return {
      {"an id too large", {MATRIX, In(INT32, {3}, {0, 4, 1})}, {.i = {4}}, Argument, "value 4 at [1] is outside 0..3"},
      {"too few ids", {MATRIX, In(INT32, {2})}, {.i = {4}}, Argument, "2 ids are given for 3 rows"},
      {"no number of segments", {MATRIX, In(INT32, {3})}, {}, Argument, "argument 'num_segments' is missing"},
      {"a negative number of segments",
       {MATRIX, In(INT32, {3})},
       {.i = {-1}},
       Argument,
       "'num_segments': -1 is outside 0"},
      {"numbers of segments",
       {MATRIX, In(INT32, {3}), In(INT32, {2})},
       {.i = {4}},
       Argument,
       "it has 2 elements, not 1"},
      {"ids that are no integers",
       {MATRIX, In(FLOAT32, {3}, {NAN, 0, 1})},
       {.i = {4}},
       Argument,
       "input 1 'ids': value nan"},
  };
}

std::vector<Rejection> sortedGradientRows() {
  return {
      {"another gradient",
       {MATRIX, In(INT32, {3}, {0, 0, 1}), In(FLOAT32, {3, 5})},
       {},
       Argument,
       "input 2 'gradZ': its shape is [3, 5], but the result has shape [2, 5]"},
      {"ids that decrease", {MATRIX, In(INT32, {3}, {0, 2, 1}), In(FLOAT32, {3, 5})}, {}, Argument, "follows"},
  };
}

std::vector<Rejection> unsortedGradientRows() {
  return {
      {"another gradient",
       {MATRIX, In(INT32, {3}), In(FLOAT32, {2, 4})},
       {.i = {2}},
       Argument,
       "the result has shape [2, 5]"},
      {"an id too large", {MATRIX, In(INT32, {3}, {0, 2, 1}), In(FLOAT32, {2, 5})}, {.i = {2}}, Argument, "value 2"},
      {"no number of segments", {MATRIX, In(INT32, {3}), In(FLOAT32, {2, 5})}, {}, Validation, "integer arguments"},
  };
}

std::vector<Rejection> extremeRows() {
  return {
      {"an axis too large", {MATRIX}, {.i = {2}}, Argument, "2 is outside -2..1"},
      {"an axis too small", {MATRIX}, {.i = {-3}}, Argument, "-3 is outside -2..1"},
      {"a dimension without elements", {In(FLOAT32, {3, 0})}, {.i = {1}}, Argument, "dimension 1 has no elements"},
      {"an empty array", {In(FLOAT32, {3, 0})}, {}, Argument, "an empty array has no largest or smallest element"},
      {"another type", {MATRIX}, {.i = {1}, .d = {FLOAT32}}, Argument, "positions are INT32 or INT64"},
      {"strings", {WORDS}, {}, Validation, "input 0"},
  };
}

std::vector<Rejection> boxRows() {
  return {
      {"boxes of five numbers",
       {In(FLOAT32, {2, 5}), In(FLOAT32, {2})},
       {.i = {1}},
       Argument,
       "are not [N, 4] and [N]"},
      {"too many scores", {In(FLOAT32, {2, 4}), In(FLOAT32, {3})}, {.i = {1}}, Argument, "are not [N, 4] and [N]"},
      {"a vector of boxes", {In(FLOAT32, {4}), In(FLOAT32, {1})}, {.i = {1}}, Argument, "its rank is 1, not 2"},
      {"no number of boxes",
       {In(FLOAT32, {2, 4}), In(FLOAT32, {2})},
       {},
       Argument,
       "argument 'max_output_size' is missing"},
      {"a negative number",
       {In(FLOAT32, {2, 4}), In(FLOAT32, {2})},
       {.i = {-1}},
       Argument,
       "'max_output_size': -1 is outside 0"},
      {"NaN as a threshold",
       {In(FLOAT32, {2, 4}), In(FLOAT32, {2})},
       {.t = {NAN}, .i = {1}},
       Argument,
       "nan is outside 0..1"},
  };
}

std::vector<Rejection> choiceRows() {
  return {
      {"other shapes",
       {In(BOOL, {3, 5}), MATRIX, In(FLOAT32, {5, 3})},
       {},
       Argument,
       "input 2 'y': its shape is [5, 3], but input 1 'x' has shape [3, 5]"},
      {"a condition for columns", {In(BOOL, {5}), MATRIX, MATRIX}, {}, Argument, "nor one element for each slice"},
      {"a condition for a scalar", {In(BOOL, {2}), In(FLOAT32, {}), In(FLOAT32, {})}, {}, Argument, "input 0"},
  };
}

std::vector<Table> tables() {
  std::vector<Table> all = {
      {"gather",
       {{"an index too large",
         {MATRIX, In(INT32, {2}, {1, 5})},
         {.i = {1}},
         Argument,
         "input 1 'indices': value 5 at [1] is outside -5..4 (shape [2])"},
        {"a negative index",
         {MATRIX, In(INT64, {2, 2}, {0, 1, -4, 0})},
         {},
         Argument,
         "value -4 at [1, 0] is outside -3..2"},
        {"an argument too large", {MATRIX}, {.i = {0, 1, 3}}, Argument, "value 3 at [1] is outside -3..2"},
        {"an argument too small", {MATRIX}, {.i = {0, -4}}, Argument, "value -4 at [0] is outside -3..2"},
        {"an axis too large", {MATRIX, In(INT32, {2})}, {.i = {2}}, Argument, "2 is outside -2..1"},
        {"no indices", {MATRIX}, {.i = {0}}, Argument, "argument 'indices' is missing"},
        {"an empty array of rank 0", {In(FLOAT32, {4, 3}), In::empty(INT32)}, {}, Argument, "contains no index"},
        {"nothing to gather from", {In(FLOAT32, {0, 3}), In(INT32, {1})}, {}, Argument, "outside 0..-1"},
        {"a scalar", {In(FLOAT32, {}), In(INT32, {1})}, {}, Argument, "a scalar has nothing"},
        {"two axes", {MATRIX, In(INT32, {1}), In(INT32, {2})}, {}, Argument, "input 2 'axis'"}}},
      {"gather_nd",
       {{"a coordinate too large",
         {MATRIX, In(INT32, {2, 2}, {0, 4, 3, 0})},
         {},
         Argument,
         "value 3 in row 1 of coordinates is outside 0..2 (dimension 0 of shape [3, 5])"},
        {"a negative coordinate", {MATRIX, In(INT32, {1}, {-2})}, {}, Argument, "value -2"},
        {"too many coordinates", {MATRIX, In(INT32, {3})}, {}, Argument, "3 coordinates for an array of rank 2"},
        {"a scalar", {MATRIX, In(INT32, {})}, {}, Argument, "it is a scalar"},
        {"no integers", {MATRIX, In(DOUBLE, {1}, {1e30})}, {}, Argument, "input 1 'indices': value 1e+30 at [0]"}}},
      {"embedding_lookup",
       {{"an index too large",
         {MATRIX, In(INT32, {2}, {0, 3})},
         {.i = {0}},
         Argument,
         "value 3 at [1] is outside 0..2"},
        {"a scalar index", {MATRIX, In(INT32, {})}, {.i = {0}}, Argument, "input 1 'indices': it is a scalar"},
        {"a scalar table", {In(FLOAT32, {}), In(INT32, {1})}, {.i = {0}}, Argument, "input 0 'table': it is a scalar"},
        {"tables of other shapes",
         {MATRIX, In(FLOAT32, {5, 3}), In(INT32, {1})},
         {.i = {0}},
         Argument,
         "input 1 'table'"},
        {"a table too few",
         {MATRIX, MATRIX, In(INT32, {1}, {2})},
         {.i = {0}},
         Argument,
         "value 2 at [0] is outside 0..1"},
        {"no indices", {MATRIX}, {.i = {0}}, Argument, "a table and indices are needed"},
        {"no mode", {MATRIX, In(INT32, {1})}, {}, Validation, "1 integer arguments are needed"}}},
      {"scatter_nd",
       {{"a coordinate too large",
         {In(INT32, {1, 1}, {4}), In(FLOAT32, {1}), In(INT32, {1}, {4})},
         {},
         Argument,
         "value 4 in row 0 of coordinates is outside 0..3"},
        {"a negative size",
         {In(INT32, {1, 1}), In(FLOAT32, {1}), In(INT32, {1}, {-4})},
         {},
         Argument,
         "dimension -4 is negative"},
        {"a matrix as shape",
         {In(INT32, {1, 1}), In(FLOAT32, {1}), In(INT32, {1, 1}, {4})},
         {},
         Argument,
         "input 2 'shape'"},
        {"other updates", {In(INT32, {1, 1}), In(FLOAT32, {2}), In(INT32, {1}, {4})}, {}, Argument, "need [1]"},
        {"too many coordinates",
         {In(INT32, {1, 2}), In(FLOAT32, {1}), In(INT32, {1}, {4})},
         {},
         Argument,
         "2 coordinates"}}},
      {"scatter_update",
       {{"an index too large", {MATRIX, In(FLOAT32, {1, 5})}, {.i = {0, 1, 1, 1, 3}}, Argument, "value 3 at"},
        {"an unknown operation",
         {MATRIX, In(FLOAT32, {1, 5})},
         {.i = {7, 1, 1, 1, 0}},
         Argument,
         "argument 'operation': 7"},
        {"too many dimensions", {MATRIX, In(FLOAT32, {1, 5})}, {.i = {0, 3, 1, 1, 0}}, Argument, "3 dimensions"},
        {"a dimension too large", {MATRIX, In(FLOAT32, {1, 5})}, {.i = {0, 1, 2, 1, 0}}, Argument, "2 is outside"},
        {"no arguments", {MATRIX, In(FLOAT32, {1, 5})}, {}, OutOfRange, "is missing"},
        {"too few updates", {MATRIX, In(FLOAT32, {1, 5})}, {.i = {0, 1, 1, 2, 0, 1}}, Argument, "input 1 'updates'"},
        {"updates of another rank", {MATRIX, In(FLOAT32, {5})}, {.i = {0, 1, 1, 1, 0}}, Argument, "its rank is 1"},
        {"division by 0", {In(INT32, {3, 5}), In(INT32, {1, 5})}, {.i = {3, 1, 1, 1, 0}}, Argument, "divided by 0"}}},
      {"scatter_div",
       {{"division by 0",
         {In(INT32, {3}), In(INT32, {2}, {0, 1}), In(INT32, {2}, {1, 0})},
         {},
         Argument,
         "input 2 'updates': integers cannot be divided by 0"}}},
      {"select", choiceRows()},
      {"Where", choiceRows()},
      {"Where", {{"two inputs", {In(BOOL, {3, 5}), MATRIX}, {}, Argument, "2 inputs are given"}}},
      {"select", {{"numbers as condition", {MATRIX, MATRIX, MATRIX}, {}, Validation, "input 0"}}},
      {"where_np",
       {{"two inputs", {In(BOOL, {3, 5}), MATRIX}, {}, Argument, "2 inputs are given"},
        {"too few values",
         {In(BOOL, {3}, {1, 1, 1}), In(FLOAT32, {3}), In(FLOAT32, {2})},
         {},
         Argument,
         "2 elements are given for 3 places"},
        {"a condition for columns", {In(BOOL, {5}), MATRIX, MATRIX}, {}, Argument, "nor one element for each slice"},
        {"numbers as condition", {MATRIX}, {}, Validation, "input 0"}}},
      {"choose",
       {{"an unknown condition", {MATRIX}, {.t = {0}, .i = {16}}, Argument, "argument 'condition': 16 is none of"},
        {"no condition", {MATRIX}, {.t = {0}}, Validation, "integer arguments"},
        {"nothing to compare with", {MATRIX}, {.i = {0}}, Argument, "argument 'value' is missing"},
        {"other shapes", {MATRIX, In(FLOAT32, {5, 3})}, {.i = {0}}, Argument, "input 1 'value'"},
        {"integers", {In(INT32, {3})}, {.t = {0}, .i = {0}}, Validation, "input 0"}}},
      {"top_k",
       {{"k too large", {MATRIX}, {.i = {6}}, Argument, "'k': 6 is outside 1..5"},
        {"k of 0", {MATRIX, In(INT32, {}, {0})}, {.i = {1}}, Argument, "'k': value 0 at [0] is outside 1"},
        {"no argument", {MATRIX}, {}, Validation, "integer arguments"},
        {"a scalar", {In(FLOAT32, {})}, {.i = {1}}, Argument, "a scalar has no rows"}}},
      {"in_top_k",
       {{"a vector", {In(FLOAT32, {5}), In(INT32, {1})}, {.i = {1}}, Argument, "input 0 'predictions': its rank is 1"},
        {"a matrix of targets", {MATRIX, In(INT32, {3, 1})}, {.i = {1}}, Argument, "input 1 'targets': its rank is 2"},
        {"too few targets", {MATRIX, In(INT32, {2})}, {.i = {1}}, Argument, "2 targets are given for 3 rows"},
        {"k of 0", {MATRIX, In(INT32, {3})}, {.i = {0}}, Argument, "'k': 0 is outside 1"},
        {"no k", {MATRIX, In(INT32, {3})}, {}, Validation, "integer arguments"}}},
      {"nth_element",
       {{"n too large", {MATRIX, In(INT32, {}, {5})}, {}, Argument, "input 1 'n': 5 is outside 0..4"},
        {"a negative n", {MATRIX, In(INT32, {}, {-1})}, {}, Argument, "-1 is outside 0..4"},
        {"a scalar", {In(FLOAT32, {}), In(INT32, {})}, {}, Argument, "a scalar has no rows"}}},
      {"unique", {{"nothing", {}, {}, Validation, "no inputs"}}},
      {"unique_with_counts", {{"nothing", {}, {}, Validation, "no inputs"}}},
      {"listdiff",
       {{"a matrix", {MATRIX, In(FLOAT32, {2})}, {}, Argument, "input 0 'x': its rank is 2"},
        {"a matrix to leave out", {In(FLOAT32, {2}), MATRIX}, {}, Argument, "input 1 'y': its rank is 2"},
        {"other types", {In(FLOAT32, {2}), In(DOUBLE, {2})}, {}, Argument, "its type is"},
        {"nothing left",
         {In(FLOAT32, {2}), In(FLOAT32, {1})},
         {},
         Argument,
         "the result is empty: each of the 2 values"}}},
      {"ismax", {{"a dimension too large", {In(FLOAT32, {3, 5})}, {.i = {2}}, Argument, "2 is outside -2..1"}}},
      {"dynamic_partition",
       {{"other dimensions", {MATRIX, In(INT32, {2})}, {.i = {2}}, Argument, "input 1 'indices': its shape [2]"},
        {"too many dimensions", {MATRIX, In(INT32, {3, 5, 1})}, {.i = {2}}, Argument, "input 1 'indices'"},
        {"no partitions", {MATRIX, In(INT32, {3})}, {.i = {0}}, Argument, "'num_partitions': 0 is outside 1"},
        {"no argument", {MATRIX, In(INT32, {3})}, {}, Validation, "integer arguments"}}},
      {"dynamic_partition_bp",
       {{"another gradient",
         {MATRIX, In(INT32, {3}, {0, 1, 0}), In(FLOAT32, {1, 5}), In(FLOAT32, {1, 5})},
         {.i = {2}},
         Argument,
         "input 2 'gradZ': its shape is [1, 5], but partition 0 has shape [2, 5]"},
        {"a gradient too few", {MATRIX, In(INT32, {3}), In(FLOAT32, {3, 5})}, {.i = {2}}, Runtime, ""}}},
      {"dynamic_stitch",
       {{"an odd number", {In(INT32, {1}), In(INT32, {1}), In(FLOAT32, {1})}, {}, Argument, "3 inputs are given"},
        {"other data", {In(INT32, {2}), In(FLOAT32, {3})}, {}, Argument, "indices of shape [2] need [2]"},
        {"other types",
         {In(INT32, {1}), In(INT32, {1}), In(FLOAT32, {1}), In(DOUBLE, {1})},
         {},
         Argument,
         "input 3 'data'"},
        {"no integers", {In(FLOAT32, {1}), In(FLOAT32, {1})}, {}, Argument, "integers are needed"}}},
      {"non_max_suppression", boxRows()},
      {"non_max_suppression_v3", boxRows()},
      {"non_max_suppression_overlaps",
       {{"no square", {In(FLOAT32, {2, 3}), In(FLOAT32, {2})}, {.i = {1}}, Argument, "are not [N, 2] and [N]"},
        {"no number", {In(FLOAT32, {2, 2}), In(FLOAT32, {2})}, {}, Argument, "argument 'max_output_size' is missing"}}},
      {"split_string",
       {{"two delimiters", {WORDS, In(UTF8, {2})}, {}, Argument, "input 1 'delimiter': one element is needed"},
        {"numbers", {In(FLOAT32, {2}), In(UTF8, {})}, {}, Validation, "input 0"}}},
      {"bincount",
       {{"a negative value", {In(INT32, {2}, {1, -1})}, {}, Argument, "-1 is negative"},
        {"other weights", {In(INT32, {3}), In(FLOAT32, {2})}, {}, Argument, "input 1 'weights'"},
        {"no type", {In(INT32, {3})}, {.i = {0, 9, 50}}, Argument, "numeric type"},
        {"another type", {In(INT64, {3})}, {}, Validation, "input 0"}}},
      {"histogram",
       {{"no bins", {MATRIX}, {.i = {0}}, Argument, "'num_bins': 0 is outside 1"},
        {"an infinity", {In(FLOAT32, {2}, {0, INFINITY})}, {.i = {2}}, Argument, "the value at [1] is infinite"},
        {"no argument", {MATRIX}, {}, Validation, "integer arguments"}}},
      {"histogram_fixed_width",
       {{"no bins", {MATRIX, In(FLOAT32, {2}, {0, 1})}, {.i = {0}}, Argument, "'num_bins': 0 is outside 1"},
        {"a range of nothing", {MATRIX, In(FLOAT32, {2}, {1, 1})}, {}, Argument, "1 to 1 is not a finite range"},
        {"a range of one",
         {MATRIX, In(FLOAT32, {1})},
         {},
         Argument,
         "input 1 'range': its shape is [1], but two elements"}}},
      {"confusion_matrix",
       {{"too many classes",
         {In(INT32, {2}), In(INT32, {2})},
         {.i = {LongType{1} << 40}},
         Argument,
         "'num_classes': 1099511627776 is outside 0..2147483647"},
        {"a negative label",
         {In(INT32, {2}, {0, -1}), In(INT32, {2})},
         {},
         Argument,
         "input 0 'labels': value -1 at [1]"},
        {"a prediction too large",
         {In(INT32, {2}), In(INT32, {2}, {0, 3})},
         {.i = {3}},
         Argument,
         "input 1 'predictions': value 3 at [1] is outside 0..2"},
        {"matrices", {In(INT32, {2, 2}), In(INT32, {2, 2})}, {}, Argument, "a vector is needed, its shape is [2, 2]"},
        {"scalars", {In(INT32, {}), In(INT32, {})}, {}, Argument, "a vector is needed"},
        {"labels that are no integers",
         {In(FLOAT32, {2}, {0, -INFINITY}), In(INT32, {2})},
         {},
         Argument,
         "value -inf at [1]"},
        {"other shapes", {In(INT32, {2}), In(INT32, {3})}, {}, Argument, "input 1 'predictions'"},
        {"other weights", {In(INT32, {2}), In(INT32, {2}), In(FLOAT32, {3})}, {}, Argument, "input 2 'weights'"},
        {"a type of no numbers", {In(INT32, {2}), In(INT32, {2})}, {.d = {UTF8}}, Argument, "numeric type"}}},
      {"hashcode", {{"two arrays", {MATRIX, MATRIX}, {}, Argument, "2 are given"}}},
      {"compare_and_bitpack",
       {{"a scalar", {In(FLOAT32, {1, 1}), In(FLOAT32, {})}, {}, Argument, "it is a scalar"},
        {"no full bytes", {MATRIX, In(FLOAT32, {})}, {}, Argument, "its last dimension 5 is not divisible by 8"},
        {"two thresholds", {In(FLOAT32, {8}), In(FLOAT32, {2})}, {}, Argument, "input 1 'threshold'"}}},
      {"encode_threshold",
       {{"a negative boundary", {MATRIX}, {.t = {0.5}, .i = {-1}}, Argument, "'boundary': -1 is outside 0"},
        {"no threshold", {MATRIX}, {}, Validation, "floating arguments"},
        {"a threshold of 0", {MATRIX}, {.t = {0}}, Argument, "0 is not positive"},
        {"integers", {In(INT32, {3})}, {.t = {0.5}}, Validation, "input 0"}}},
      {"decode_threshold",
       {{"no header", {In(FLOAT32, {3}), In(INT32, {3})}, {}, Argument, "are too few for a header"},
        {"another length", {In(FLOAT32, {3}), In(INT32, {4}, {0, 4, 0, 0})}, {}, Argument, "it encodes 4 elements"},
        {"another code", {In(FLOAT32, {3}), In(INT32, {4}, {0, 3, 0, 1})}, {}, Argument, "code 1 is not 0"},
        {"too many entries",
         {In(FLOAT32, {3}), In(INT32, {5}, {2, 3, 0, 0, 1})},
         {},
         Argument,
         "2 entries do not fit into 5"},
        {"entry 0", {In(FLOAT32, {3}), In(INT32, {5}, {1, 3, 0, 0, 0})}, {}, Argument, "entry 0 at [4]"},
        {"an entry too large", {In(FLOAT32, {3}), In(INT32, {5}, {1, 3, 0, 0, -4})}, {}, Argument, "entry 4 at [4]"}}},
      {"encode_bitmap",
       {{"no threshold", {MATRIX}, {}, Validation, "floating arguments"},
        {"integers", {In(INT32, {3})}, {.t = {0.5}}, Validation, "input 0"}}},
      {"decode_bitmap",
       {{"no header", {In(FLOAT32, {3}), In(INT32, {3})}, {}, Argument, "are too few for a header"},
        {"another length", {In(FLOAT32, {3}), In(INT32, {5}, {4, 4, 0, 1, 0})}, {}, Argument, "it encodes 4 elements"},
        {"another code", {In(FLOAT32, {3}), In(INT32, {5}, {3, 3, 0, 0, 0})}, {}, Argument, "code 0 is not 1"},
        {"too few words", {In(FLOAT32, {17}), In(INT32, {5}, {17, 17, 0, 1, 0})}, {}, Argument, "too few"}}},
  };
  for (const char* op :
       {"scatter_add", "scatter_sub", "scatter_mul", "scatter_div", "scatter_max", "scatter_min", "scatter_upd"})
    all.push_back({op, scatterRows()});
  for (const char* op : {"scatter_nd_add", "scatter_nd_sub", "scatter_nd_update"}) all.push_back({op, scatterNdRows()});
  for (const char* op : {"segment_sum", "segment_mean", "segment_prod", "segment_max", "segment_min"})
    all.push_back({op, sortedRows()});
  for (const char* op : {"segment_sum_bp", "segment_mean_bp", "segment_prod_bp", "segment_max_bp", "segment_min_bp"})
    all.push_back({op, sortedGradientRows()});
  for (const char* op : {"unsorted_segment_sum", "unsorted_segment_mean", "unsorted_segment_prod",
                         "unsorted_segment_max", "unsorted_segment_min", "unsorted_segment_sqrt_n"})
    all.push_back({op, unsortedRows()});
  for (const char* op : {"unsorted_segment_sum_bp", "unsorted_segment_mean_bp", "unsorted_segment_prod_bp",
                         "unsorted_segment_max_bp", "unsorted_segment_min_bp", "unsorted_segment_sqrt_n_bp"})
    all.push_back({op, unsortedGradientRows()});
  for (const char* op : {"argmax", "argmin", "argamax", "argamin"}) all.push_back({op, extremeRows()});
  return all;
}

INSTANTIATE_TEST_SUITE_P(, OpsIndexingReject, ::testing::ValuesIn(tables()),
                         [](const auto& table) { return std::to_string(table.index) + "_" + table.param.op; });

}  // namespace
}  // namespace sd::optest
