#include "ops/declarable/helpers/reduction_call.h"

#include <ops/declarable/OpRegistrator.h>

#include <string_view>

#include "ops/declarable/ReadArguments.h"

namespace sd::ops {
namespace {

/// A custom operation that reduces along axes.
bool takesAxes(DeclarableOp& op) {
  const Schema& schema = op.schema();
  return schema.argument("axis") != nullptr && schema.argument("keep_dims") != nullptr && schema.reduction()[0] != '\0';
}

DeclarableOp* find(const std::string& name) {
  OpRegistrator& registry = OpRegistrator::getInstance();
  DeclarableOp* op = registry.find(name);
  if (op == nullptr || takesAxes(*op)) return op;
  if (std::string_view(op->getOpDescriptor()->kind()) == "numbered")
    for (DeclarableOp* other : registry.operations())
      if (op->getOpDescriptor()->name() == other->schema().reduction() && takesAxes(*other)) return other;
  return nullptr;
}

}  // namespace

ReductionCall::ReductionCall(const std::string& name, const std::vector<int>& axes, bool keepDims) : _op(find(name)) {
  if (_op == nullptr) return;
  const Schema& schema = _op->schema();
  void* place = _arguments.prepare(*schema.structure());
  ArgumentValue axis, keep;
  axis.integers.assign(axes.begin(), axes.end());
  keep.form = ArgumentValue::Form::Flags;
  keep.integers = {keepDims ? 1 : 0};
  assignArgument(schema, place, "axis", axis);
  assignArgument(schema, place, "keep_dims", keep);
}

}  // namespace sd::ops
