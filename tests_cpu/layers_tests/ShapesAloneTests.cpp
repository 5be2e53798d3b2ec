// Output shapes from input shapes alone, through the C interface, for every case of the operations' test data.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <helpers/helper_hash.h>

#include <algorithm>

#include "NativeOpsSupport.h"
#include "NumberedHarness.h"
#include "OpCalls.h"
#include "OpData.h"

using namespace sd;
using namespace sd::optest;

namespace {

/// For each operation, the inputs whose values determine the shapes of outputs.
const std::map<std::string, std::set<int>> READ = {
    {"Where", {0}},
    {"argamax", {1}},
    {"argamin", {1}},
    {"argmax", {1}},
    {"argmin", {1}},
    {"barnes_symmetrized", {0, 1, 2}},
    {"batch_to_space", {1}},
    {"batch_to_space_nd", {1, 2}},
    {"bincount", {0, 1, 2, 3}},
    {"broadcast_to", {1}},
    {"broadcastgradientargs", {0, 1}},
    {"choose", {0, 1}},
    {"compat_sparse_to_dense", {1}},
    {"compat_string_split", {0, 1}},
    {"concat", {2, 3}},
    {"confusion_matrix", {0, 1}},
    {"conv2d_input_bp", {0}},
    {"create", {0}},
    {"create_view", {1, 2, 3, 4}},
    {"crop_and_resize", {3}},
    {"deconv2d_tf", {0}},
    {"dilation2d", {2, 3}},
    {"dynamic_partition", {1}},
    {"dynamic_stitch", {0, 1}},
    {"evaluate_reduction_shape", {0, 1}},
    {"expand_dims", {1}},
    {"eye", {0, 1}},
    {"einsum", {0}},
    {"fill", {0}},
    {"gather", {2}},
    {"histogram_fixed_width", {2}},
    {"image_resize", {1}},
    {"lin_space", {2}},
    {"listdiff", {0, 1}},
    {"mirror_pad", {1}},
    {"moments", {1}},
    {"non_max_suppression", {1, 2, 4}},
    {"non_max_suppression_overlaps", {0, 1, 2}},
    {"non_max_suppression_v3", {0, 1, 2, 3, 4}},
    {"onehot", {1}},
    {"pad", {1}},
    {"permute", {1}},
    {"random_bernoulli", {0}},
    {"random_crop", {1}},
    {"random_multinomial", {1}},
    {"random_normal", {0}},
    {"random_poisson", {0}},
    {"randomuniform", {0}},
    {"range", {0, 1, 2}},
    {"reduce_max", {1}},
    {"reduce_mean", {1}},
    {"reduce_min", {1}},
    {"reduce_norm1", {1}},
    {"reduce_norm2", {1}},
    {"reduce_norm_max", {1}},
    {"reduce_prod", {1}},
    {"reduce_sqnorm", {1}},
    {"reduce_stdev", {1}},
    {"reduce_sum", {1}},
    {"reduce_variance", {1}},
    {"reshape", {1}},
    {"resize_area", {1}},
    {"resize_bicubic", {1}},
    {"resize_bilinear", {1}},
    {"resize_images", {1}},
    {"resize_nearest_neighbor", {1}},
    {"scatter_nd", {2}},
    {"segment_max", {1}},
    {"segment_mean", {1}},
    {"segment_min", {1}},
    {"segment_prod", {1}},
    {"segment_sum", {1}},
    {"sequence_mask", {0, 1}},
    {"set_shape", {1}},
    {"slice", {1, 2}},
    {"space_to_batch", {1}},
    {"space_to_batch_nd", {1, 2}},
    {"split", {0, 1}},
    {"split_string", {0, 1}},
    {"split_v", {1, 2}},
    {"squeeze", {1}},
    {"strided_slice", {1, 2, 3}},
    {"sufficient_statistics", {1}},
    {"tile", {1}},
    {"top_k", {1}},
    {"transpose", {1}},
    {"unique", {0}},
    {"unique_with_counts", {0}},
    {"unsorted_segment_max", {2}},
    {"unsorted_segment_mean", {2}},
    {"unsorted_segment_min", {2}},
    {"unsorted_segment_prod", {2}},
    {"unsorted_segment_sqrt_n", {2}},
    {"unsorted_segment_sum", {2}},
    {"where_np", {0}},
};

struct Answer {
  std::vector<std::vector<LongType>> shapes;
  std::string error;

  explicit Answer(OpaqueShapeList* list) {
    if (list == nullptr) {
      error = native::takeError();
      return;
    }
    for (LongType k = 0; k < getShapeListSize(list); k++) {
      const LongType* info = getShape(list, k);
      shapes.emplace_back(info, info + shape::shapeInfoLength(info));
    }
    deleteShapeList(list);
  }

  /// The input whose values are missing according to the error; -1 when it says something else.
  int refused(const std::string& op) const {
    const std::string before = "[" + op + "] the output's shape depends on the values of input ";
    const std::string behind = ", which only has a shape here";
    if (error.size() < before.size() + behind.size() || error.compare(0, before.size(), before) != 0 ||
        error.compare(error.size() - behind.size(), behind.size(), behind) != 0)
      return -1;
    return std::stoi(error.substr(before.size()));
  }
};

/// One case, called through the C functions.
class Call {
 public:
  explicit Call(const OpCase& c)
      : _case(c),
        _hash(ops::HashHelper::hashOf(c.op)),
        _t(c.arguments.t),
        _i(c.arguments.i),
        _b(std::make_unique<bool[]>(c.arguments.b.size())),
        _d(c.arguments.d.begin(), c.arguments.d.end()) {
    std::copy(c.arguments.b.begin(), c.arguments.b.end(), _b.get());
    for (const Array& input : c.inputs) _infos.push_back(const_cast<LongType*>(input->shapeInfo()));
  }

  Answer fromShapes() {
    return Answer(calculateOutputShapes(nullptr, _hash, _infos.data(), count(_infos), _t.data(), count(_t), _i.data(),
                                        count(_i)));
  }

  /// Passes the buffers of these inputs, and null for the others.
  Answer withValuesOf(const std::set<int>& inputs) {
    std::vector<Pointer> buffers(_infos.size(), nullptr);
    for (const int k : inputs)
      if (static_cast<size_t>(k) < buffers.size())
        buffers[static_cast<size_t>(k)] = const_cast<void*>(_case.inputs[static_cast<size_t>(k)]->buffer());
    return Answer(calculateOutputShapes2(nullptr, _hash, buffers.data(), _infos.data(), count(_infos), _t.data(),
                                         count(_t), _i.data(), count(_i), _b.get(),
                                         static_cast<int>(_case.arguments.b.size()), _d.data(), count(_d)));
  }

 private:
  const OpCase& _case;
  LongType _hash;
  std::vector<Pointer> _infos;
  std::vector<double> _t;
  std::vector<LongType> _i;
  std::unique_ptr<bool[]> _b;
  std::vector<int> _d;

  template <typename T>
  static int count(const std::vector<T>& values) {
    return static_cast<int>(values.size());
  }
};

void compare(const Answer& answer, const OpCase& c) {
  ASSERT_EQ(answer.error, "");
  ASSERT_EQ(answer.shapes.size(), c.outputs.size());
  for (size_t k = 0; k < c.outputs.size(); k++) {
    if (c.outputs[k] == nullptr) continue;
    const LongType *info = answer.shapes[k].data(), *wanted = c.outputs[k]->shapeInfo();
    EXPECT_TRUE(shape::equalsSoft(info, wanted) && ArrayOptions::dataType(info) == c.outputTypes[k])
        << "output " << k << " is " << DataTypeUtils::asString(ArrayOptions::dataType(info))
        << ShapeUtils::shapeAsString(info) << ", expected " << DataTypeUtils::asString(c.outputTypes[k])
        << ShapeUtils::shapeAsString(wanted);
  }
}

/// Checks a case. Returns the inputs whose values it needs; all other inputs are passed as null.
std::set<int> check(const OpCase& c, const std::string& name) {
  Call call(c);
  Answer answer = call.withValuesOf({});
  if (c.arguments.b.empty() && c.arguments.d.empty()) {
    const Answer same = call.fromShapes();
    EXPECT_EQ(same.error, answer.error);
    EXPECT_EQ(same.shapes, answer.shapes);
  }
  std::set<int> needed;
  for (int input = answer.refused(name); input >= 0 && needed.insert(input).second; input = answer.refused(name))
    answer = call.withValuesOf(needed);
  compare(answer, c);
  return needed;
}

}  // namespace

TEST(ShapesAloneTests, EveryCase) {
  std::map<std::string, std::set<int>> read;
  forEachOpCase([&](const OpCase& c) {
    ops::DeclarableOp* op = findBuilt(c.op);
    if (op == nullptr) return;
    for (const auto* arrays : {&c.inputs, &c.outputs})
      for (const Array& array : *arrays)
        if (array != nullptr && !array->isS() && !numbered::isBuilt(array->dataType())) return;
    if (!c.arguments.named.empty()) return;  // the C functions take no names
    // The C functions do not accept null shapes.
    for (const Array& input : c.inputs)
      if (input == nullptr) return;
    SCOPED_TRACE(c.describe());
    const std::set<int> needed = check(c, *op->getOpName());
    if (!needed.empty()) read[*op->getOpName()].insert(needed.begin(), needed.end());
  });
  // A build without some operations or types leaves out cases.
#if defined(SD_ALL_OPS) && !defined(SD_SELECTIVE_TYPES)
  for (const auto& [op, inputs] : READ) EXPECT_EQ(read[op], inputs) << op;
  for (const auto& [op, inputs] : read) EXPECT_TRUE(READ.count(op) == 1) << op;
#else
  for (const auto& [op, inputs] : read) {
    const auto row = READ.find(op);
    EXPECT_TRUE(row != READ.end() &&
                std::includes(row->second.begin(), row->second.end(), inputs.begin(), inputs.end()))
        << op << " reads " << ::testing::PrintToString(inputs);
  }
#endif
}

TEST(ShapesAloneTests, SizesBeyondInt) {
  const LongType large = 3000000000;
  OpCase c;
  c.inputs = {std::make_shared<NDArray>(
      NDArray::shapeOnly(ConstantShapeHelper::getInstance().createShapeInfo(INT8, 'c', {1, large})))};
  struct Row {
    const char* op;
    Dims arguments, expected;
  };
  const Row rows[] = {{"squeeze", {0}, {large}},
                      {"flatten_2d", {1}, {1, large}},
                      {"tile", {1, 1}, {1, large}},
                      {"repeat", {1, 1}, {1, large}}};
  for (const auto& [op, arguments, dims] : rows) {
    if (findBuilt(op) == nullptr) continue;
    c.op = op;
    c.arguments.i = arguments;
    const Answer answer = Call(c).fromShapes();
    ASSERT_EQ(answer.error, "") << op;
    ASSERT_EQ(answer.shapes.size(), 1u) << op;
    const LongType* info = answer.shapes[0].data();
    EXPECT_EQ(Dims(info + 1, info + 1 + info[0]), dims) << op;
  }
}
