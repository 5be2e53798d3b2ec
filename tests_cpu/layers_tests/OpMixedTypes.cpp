// Calls whose inputs differ in type: each must fail, or give the values of the call with equal types. Also calls with
// true values other than 1.
#include <gtest/gtest.h>

#include "NumberedHarness.h"
#include "OpCalls.h"
#include "OpHarness.h"

namespace sd::optest {
namespace {

bool fitsInt32(const NDArray& x) {
  for (LongType i = 0; x.dataType() == INT64 && i < x.lengthOf(); i++)
    if (x.e<LongType>(i) != static_cast<int32_t>(x.e<LongType>(i))) return false;
  return true;
}

// For gradients computed in float, whose sums cancel.
constexpr double ROUNDING = 1e-4;

/// A type of another size that holds the values of an input, exactly or rounded; INHERIT when there is none.
DataType otherType(const NDArray& x) {
  switch (x.dataType()) {
    case DOUBLE:
    case HALF:
    case BFLOAT16:
      return FLOAT32;
    case FLOAT32:
      return DOUBLE;
    case INT32:
    case UINT8:
      return INT64;
    case INT64:
      return fitsInt32(x) ? INT32 : INHERIT;
    default:
      return INHERIT;
  }
}

std::vector<Array> results(ops::DeclarableOp& op, const std::vector<Array>& arrays, const Arguments& arguments) {
  const Placing inputs = placed(arrays, Layout::C);
  const Placing outputs = placed(shapesOf(op, pointers(inputs), arguments), Layout::C);
  if (execute(op, pointers(inputs), pointers(outputs), arguments) != Status::OK)
    throw std::invalid_argument(ops::DeclarableOp::lastValidationMessage());
  std::vector<Array> values;
  for (size_t k = 0; k < outputs.size(); k++) {
    EXPECT_TRUE(outputs[k]->gapsUntouched()) << "wrote outside the elements of output " << k;
    values.push_back(std::make_shared<NDArray>(*outputs[k]->get()));
  }
  for (size_t k = 0; k < inputs.size(); k++) {
    EXPECT_TRUE(inputs[k] == nullptr || inputs[k]->unchanged()) << "input " << k << " was changed";
  }
  return values;
}

}  // namespace

void checkMixedTypes(ops::DeclarableOp& op, const std::vector<Array>& inputs, const Arguments& arguments,
                     double tolerance) {
  if (inputs.size() < 2 || op.getOpDescriptor()->isRandom()) return;
  for (size_t k = 0; k < inputs.size(); k++) {
    if (inputs[k] == nullptr) continue;
    const DataType own = inputs[k]->dataType(), another = otherType(*inputs[k]);
    if (another == INHERIT || !numbered::isBuilt(own) || !numbered::isBuilt(another) ||
        !op.describedDescriptor()->checkInputMatch(static_cast<int>(k), another))
      continue;
    SCOPED_TRACE(op.getOpDescriptor()->name() + ": input " + std::to_string(k) + " is " +
                 DataTypeUtils::asString(another));
    std::vector<Array> mixed = inputs, alike = inputs, actual;
    mixed[k] = std::make_shared<NDArray>(converted(*inputs[k], another));
    alike[k] = std::make_shared<NDArray>(converted(*mixed[k], own));
    try {
      actual = results(op, mixed, arguments);
    } catch (const std::exception&) {
      continue;
    }
    const std::vector<Array> expected = results(op, alike, arguments);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t z = 0; z < expected.size(); z++) {
      // Compares in the narrower type: integers wrap earlier in it, and a value that is infinite in it may be finite in
      // the wider one.
      const NDArray &one = *expected[z], &other = *actual[z];
      if (one.isS()) {
        EXPECT_FALSE(difference(other, one, one.dataType(), 0)) << "output " << z;
        continue;
      }
      const DataType type = one.isR() ? FLOAT32 : one.sizeOfT() < other.sizeOfT() ? one.dataType() : other.dataType();
      const NDArray a = converted(one, type), b = converted(other, type);
      auto found = difference(b, a, type, std::max(tolerance, ROUNDING));
      if (found && !difference(a, b, type, std::max(tolerance, ROUNDING))) found.reset();
      EXPECT_FALSE(found) << "output " << z << ": " << found.value_or("");
    }
  }
}

void checkOtherTruths(ops::DeclarableOp& op, const std::vector<Array>& inputs, const Arguments& arguments) {
  std::vector<Array> others = inputs;
  bool any = false;
  for (Array& x : others) {
    if (x == nullptr || x->dataType() != BOOL || x->isEmpty()) continue;
    auto copy = std::make_shared<NDArray>(x->dup('c'));
    auto* bytes = copy->bufferAsT<uint8_t>();
    for (LongType i = 0; i < copy->lengthOf(); i++)
      if (bytes[i] != 0) bytes[i] = static_cast<uint8_t>(i % 3 == 0 ? 2 : i % 3 == 1 ? 0x80 : 0xFF);
    x = copy;
    any = true;
  }
  // bitcast depends on the bytes of its input.
  const std::string& name = op.getOpDescriptor()->name();
  if (!any || op.getOpDescriptor()->isRandom() || name == "bitcast") return;
  SCOPED_TRACE(name + ": truths are other bytes than 1");
  try {
    const std::vector<Array> expected = results(op, inputs, arguments), actual = results(op, others, arguments);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t z = 0; z < expected.size(); z++) {
      const auto found = difference(*actual[z], *expected[z], expected[z]->dataType(), 0);
      EXPECT_FALSE(found) << "output " << z << ": " << found.value_or("");
    }
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

}  // namespace sd::optest
