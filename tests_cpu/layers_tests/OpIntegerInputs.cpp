// Floating-point arrays as inputs that hold integers (shapes, axes, indices, lengths): they are truncated and give the
// same results; values that do not convert to an integer are errors.
#include <ops/declarable/DeclarableOp.h>

#include <cmath>
#include <limits>

#include "NumberedHarness.h"
#include "OpCalls.h"
#include "OpHarness.h"

namespace sd::optest {
namespace {

struct IntegerInputs {
  const char* op;
  std::vector<int> inputs;       ///< -1: the last input
  std::vector<int> copies = {};  ///< outputs that have the type of such an input
  size_t mostArguments = 99;     ///< with more integer arguments than this, the inputs from 1 on are not read
};

// For each operation, the inputs that hold integers. Inputs that accept only INT32 or INT64 are in the tables of
// rejections.
const std::vector<IntegerInputs> TABLE = {
    {"argamax", {1}},
    {"argamin", {1}},
    {"argmax", {1}},
    {"argmin", {1}},
    {"barnes_edge_forces", {0, 1}},
    {"barnes_symmetrized", {0, 1}},
    {"batch_to_space", {1}},
    {"batch_to_space_nd", {1, 2}},
    {"bincount", {2, 3}},
    {"broadcast_to", {1}},
    {"compat_sparse_to_dense", {0, 1}},
    {"confusion_matrix", {0, 1}},
    {"conv2d_input_bp", {0}},
    {"create", {0}},
    {"create_view", {1, 2, 3}},
    {"crop_and_resize", {2, 3}},
    {"cumprod", {1}},
    {"cumsum", {1}},
    {"deconv2d_tf", {0}},
    {"dilation2d", {2, 3}},
    {"dropout", {1}},
    {"dropout_bp", {2}},
    {"dynamic_bidirectional_rnn", {7, 9}},
    {"dynamic_partition", {1}},
    {"dynamic_partition_bp", {1}, {1}},
    {"dynamic_rnn", {4, 5}},
    {"embedding_lookup", {-1}},
    {"evaluate_reduction_shape", {0, 1}},
    {"expand_dims", {1}, {}, 0},
    {"eye", {0, 1, 2}},
    {"fill", {0}},
    {"gather", {1, 2}},
    {"gather_nd", {1}},
    {"histogram_fixed_width", {2}},
    {"image_resize", {1}},
    {"in_top_k", {1}},
    {"lin_space", {2}},
    {"lstmLayer", {3, 4}},
    {"matrix_band_part", {1, 2}},
    {"moments", {1}},
    {"non_max_suppression", {2}},
    {"non_max_suppression_overlaps", {2}},
    {"non_max_suppression_v3", {2}},
    {"norm", {1}},
    {"nth_element", {1}},
    {"onehot", {0, 1}, {}, 1},
    {"permute", {1}},
    {"random_crop", {1}},
    {"reduce_dot_bp", {3}},
    {"reduce_logsumexp", {1}},
    {"reduce_max", {1}},
    {"reduce_max_bp", {2}},
    {"reduce_mean", {1}},
    {"reduce_mean_bp", {2}},
    {"reduce_min", {1}},
    {"reduce_min_bp", {2}},
    {"reduce_norm1", {1}},
    {"reduce_norm1_bp", {2}},
    {"reduce_norm2", {1}},
    {"reduce_norm2_bp", {2}},
    {"reduce_norm_max", {1}},
    {"reduce_norm_max_bp", {2}},
    {"reduce_prod", {1}},
    {"reduce_prod_bp", {2}},
    {"reduce_sqnorm", {1}},
    {"reduce_sqnorm_bp", {2}},
    {"reduce_stdev", {1}},
    {"reduce_stdev_bp", {2}},
    {"reduce_sum", {1}},
    {"reduce_sum_bp", {2}},
    {"reduce_variance", {1}},
    {"reduce_variance_bp", {2}},
    {"reshape", {1}},
    {"resize_area", {1}},
    {"resize_bicubic", {1}},
    {"resize_bilinear", {1}},
    {"resize_images", {1, 2}},
    {"resize_nearest_neighbor", {1}},
    {"roll", {1, 2}},
    {"scatter_add", {1}},
    {"scatter_div", {1}},
    {"scatter_max", {1}},
    {"scatter_min", {1}},
    {"scatter_mul", {1}},
    {"scatter_nd", {0, 2}},
    {"scatter_nd_add", {1}},
    {"scatter_nd_sub", {1}},
    {"scatter_nd_update", {1}},
    {"scatter_sub", {1}},
    {"scatter_upd", {1}},
    {"segment_max", {1}},
    {"segment_max_bp", {1}, {1}},
    {"segment_mean", {1}},
    {"segment_mean_bp", {1}, {1}},
    {"segment_min", {1}},
    {"segment_min_bp", {1}, {1}},
    {"segment_prod", {1}},
    {"segment_prod_bp", {1}, {1}},
    {"segment_sum", {1}},
    {"segment_sum_bp", {1}, {1}},
    {"sequence_mask", {0, 1}},
    {"set_shape", {1}},
    {"slice", {1, 2}},
    {"space_to_batch", {1}},
    {"space_to_batch_nd", {1, 2}},
    {"sparse_softmax_cross_entropy_loss_with_logits", {0}},
    {"sparse_softmax_cross_entropy_loss_with_logits_grad", {0}},
    {"split_v", {1, 2}},
    {"squeeze", {1}, {}, 0},
    {"static_bidirectional_rnn", {7, 9}},
    {"static_rnn", {4, 5}},
    {"strided_slice", {1, 2, 3}},
    {"strided_slice_bp", {2, 3, 4}},
    {"tile", {1}, {}, 0},
    {"top_k", {1}},
    {"transpose", {1}},
    {"unsorted_segment_max", {1, 2}},
    {"unsorted_segment_max_bp", {1}, {1}},
    {"unsorted_segment_mean", {1, 2}},
    {"unsorted_segment_mean_bp", {1}, {1}},
    {"unsorted_segment_min", {1, 2}},
    {"unsorted_segment_min_bp", {1}, {1}},
    {"unsorted_segment_prod", {1, 2}},
    {"unsorted_segment_prod_bp", {1}, {1}},
    {"unsorted_segment_sqrt_n", {1, 2}},
    {"unsorted_segment_sqrt_n_bp", {1}, {1}},
    {"unsorted_segment_sum", {1, 2}},
    {"unsorted_segment_sum_bp", {1}, {1}},
};

const IntegerInputs* find(const std::string& op) {
  for (const IntegerInputs& row : TABLE)
    if (row.op == op) return &row;
  return nullptr;
}

/// The values with a fraction added, which truncation removes.
Array fractional(const NDArray& integers) {
  NDArray result = converted(integers, DOUBLE);
  for (LongType k = 0; k < result.lengthOf(); k++) {
    const auto value = result.e<double>(k);
    result.p(k, value < 0 ? value - 0.5 : value + 0.5);
  }
  return std::make_shared<NDArray>(std::move(result));
}

bool holdsExactly(const NDArray& integers) {
  for (LongType k = 0; k < integers.lengthOf(); k++)
    if (std::fabs(integers.e<double>(k)) > 1e15) return false;
  return true;
}

void expectRefusal(const OpCase& c, ops::DeclarableOp& op, size_t input, double value) {
  OpCase wrong = c;
  NDArray values = converted(*c.inputs[input], DOUBLE);
  values.p(values.lengthOf() - 1, value);
  wrong.inputs[input] = std::make_shared<NDArray>(std::move(values));
  std::vector<NDArray*> arrays;
  for (const Array& array : wrong.inputs) arrays.push_back(const_cast<NDArray*>(array.get()));
  try {
    graph::Context block(1);
    setInputs(block, arrays);
    setArguments(block, wrong.arguments);
    if (op.execute(&block) != Status::OK) throw std::invalid_argument(ops::DeclarableOp::lastValidationMessage());
    ADD_FAILURE() << c.op << " took " << value << " as an integer of input " << input;
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what(), place = "input " + std::to_string(input);
    EXPECT_NE(message.find(place), std::string::npos) << message;
    EXPECT_NE(message.find("is not an integer of"), std::string::npos) << message;
  }
}

}  // namespace

void checkIntegerInputs(const OpCase& c, ops::DeclarableOp& op) {
  const IntegerInputs* row = find(op.getOpDescriptor()->name());
  if (row == nullptr || !numbered::isBuilt(DOUBLE)) return;
  OpCase real = c;
  bool any = false;
  for (const int index : row->inputs) {
    const size_t k = index < 0 ? c.inputs.size() - 1 : static_cast<size_t>(index);
    if (k >= c.inputs.size() || c.inputs[k] == nullptr || !c.inputs[k]->isZ() || c.inputs[k]->isEmpty()) continue;
    if (!holdsExactly(*c.inputs[k])) continue;
    real.inputs[k] = fractional(*c.inputs[k]);
    any = true;
    if (k > 0 && c.arguments.i.size() > row->mostArguments) continue;
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e30})
      expectRefusal(c, op, k, value);
  }
  if (!any) return;
  for (const int output : row->copies) {
    real.outputs[static_cast<size_t>(output)] = nullptr;
    real.outputTypes[static_cast<size_t>(output)] = INHERIT;
  }
  SCOPED_TRACE("integers given as DOUBLE");
  checkCalls(real, op);
}

}  // namespace sd::optest
