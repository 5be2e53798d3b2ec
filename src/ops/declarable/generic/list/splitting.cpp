// Splitting arrays into list entries.
// operations: unstack_list split_list scatter_list
// aliases: TensorArraySplitV3 tensorarraysplitv3 TensorArrayScatterV3 tensorarrayscatterv3
#include "ops/declarable/generic/list/ListArguments.h"

namespace sd::ops {
namespace {

/// The list to fill: the given one, or a new one that becomes the operation's result.
class Target {
 public:
  explicit Target(NDArrayList* given) : _list(given) {
    if (given != nullptr) return;
    _own = std::make_unique<NDArrayList>(0, true);
    _list = _own.get();
  }
  NDArrayList& operator*() const { return *_list; }
  NDArrayList* operator->() const { return _list; }
  /// Returns null when the list was given.
  NDArrayList* release() { return _own.release(); }

 private:
  NDArrayList* _list;
  std::unique_ptr<NDArrayList> _own;
};

/// Rows start..stop-1; `single` drops dimension 0.
NDArray rows(const NDArray& array, LongType start, LongType stop, bool single) {
  std::vector<LongType> bounds(static_cast<size_t>(2 * array.rankOf()), 0);
  bounds[0] = start;
  bounds[1] = stop;
  return array(bounds, !single);
}

/// What the operations of this file share.
void describeFilling(Schema& schema) {
  schema.input("list", "the list to fill; when it is left out, the other inputs move up and a new list is made");
  schema.output("list", "the new list").when("no list is given");
}

}  // namespace

LIST_OP_IMPL(unstack_list, 1, 1, 0, 0) {
  Target list(givenList(block));
  const std::optional<int>& given = arguments<UnstackList>(block).axis;
  if (!given) fail<std::out_of_range>("[{}] argument 'axis' is missing", RunningOp::name());
  const NDArray& array = requiredArray(block, givenList(block) == nullptr ? 0 : 1, "array");
  const int axis = checkedAxis(*given, array.rankOf());
  list->unstack(&array, axis);
  if (NDArrayList* made = list.release()) setupResultList(made, block);
  return Status::OK;
}

DECLARE_SCHEMA(unstack_list) {
  schema.summary("Writes slice i of an array along an axis to entry i of a list.")
      .formula("list[i] = array[.., i, ..]");
  describeFilling(schema);
  schema.input("array", "rank 1 or more");
  schema
      .argument(&UnstackList::axis, "axis",
                "the dimension that the slices lose; negative ones count from the end; needed")
      .atInteger(0);
  describeList(schema, WRITES_LIST);
  schema.elsewhere({.tensorflow = "tf.TensorArray.unstack", .onnx = "SplitToSequence"})
      .words("split, slices")
      .see("stack_list unstack");
}

LIST_OP_IMPL(split_list, 2, 1, 0, -2) {
  Target list(givenList(block));
  const int first = givenList(block) == nullptr ? 0 : 1;
  const NDArray &array = requiredArray(block, first, "array"), &given = requiredArray(block, first + 1, "sizes");
  if (!given.isZ() || given.rankOf() != 1)
    reject("input {} 'sizes': a vector of integers is needed, but it is {} of shape {}", first + 1,
           DataTypeUtils::describe(given.dataType()), text(given));
  if (array.rankOf() < 1) reject("input {} 'array': a scalar cannot be split", first);
  if (list->dataType() != INHERIT && list->dataType() != array.dataType())
    reject("input {} 'array': its type is {}, but the list has type {}", first,
           DataTypeUtils::describe(array.dataType()), DataTypeUtils::describe(list->dataType()));
  const Dims sizes = integersOf(given, first + 1, "sizes");
  LongType rest = array.sizeAt(0);
  for (size_t e = 0; e < sizes.size(); e++) {
    if (sizes[e] <= 0) reject("input {} 'sizes': value {} at [{}] is not positive", first + 1, sizes[e], e);
    if (sizes[e] > rest)
      reject("input {} 'sizes': value {} at [{}] exceeds the {} rows that are left (shape {})", first + 1, sizes[e], e,
             rest, text(array));
    rest -= sizes[e];
  }
  list->shape() = array.getShapeAsVector();
  LongType start = 0;
  for (size_t e = 0; e < sizes.size(); start += sizes[e++])
    REQUIRE_OK(writeCopy(*list, static_cast<int>(e), rows(array, start, start + sizes[e], sizes[e] == 1)));
  if (NDArrayList* made = list.release()) setupResultList(made, block);
  return Status::OK;
}
DECLARE_SCHEMA(split_list) {
  schema.summary("Writes pieces of an array along dimension 0 to entries 0, 1, ... of a list.")
      .note("A piece of one row loses dimension 0. Rows may be left over.");
  describeFilling(schema);
  schema.input("array", "rank 1 or more");
  schema.input("sizes", "[n], integers, the rows of each piece");
  describeList(schema, WRITES_LIST);
  schema.elsewhere({.tensorflow = "tf.TensorArray.split", .onnx = "SplitToSequence"})
      .words("pieces")
      .see("unstack_list split_v");
}
DECLARE_SYN(TensorArraySplitV3, split_list);
DECLARE_SYN(tensorarraysplitv3, split_list);

LIST_OP_IMPL(scatter_list, 1, 1, 0, -2) {
  Target list(givenList(block));
  const bool isNew = givenList(block) == nullptr;
  const int indicesAt = 1, arrayAt = isNew ? 0 : 2;
  const NDArray &array = requiredArray(block, arrayAt, "array"), &given = requiredArray(block, indicesAt, "indices");
  const Dims indices = vectorFrom(given, indicesAt, "indices");
  if (array.rankOf() < 1) reject("input {} 'array': a scalar has no slices", arrayAt);
  const LongType count = array.sizeAt(0);
  if (static_cast<LongType>(indices.size()) != count)
    reject("input {} 'indices': {} are given, but the array has {} slices (shape {})", indicesAt, indices.size(), count,
           text(array));
  for (LongType e = 0; e < count; e++)
    if (const LongType index = indices[static_cast<size_t>(e)]; index < 0 || index >= count)
      return invalid(Status::BAD_ARGUMENTS,
                     fmt::format("input {} 'indices': value {} at {} is outside 0..{} (shape {})", indicesAt, index,
                                 text(placeOf(given, e)), count - 1, text(given)));
  // All slices have the same type and shape, so if one is rejected, it is the first and nothing has changed.
  for (LongType e = 0; e < count; e++) {
    const Status status =
        writeCopy(*list, static_cast<int>(indices[static_cast<size_t>(e)]), rows(array, e, e + 1, true));
    if (status != Status::OK) return status;
  }
  if (NDArrayList* made = list.release()) setupResultList(made, block);
  return Status::OK;
}
DECLARE_SCHEMA(scatter_list) {
  schema.summary("Writes the slices of an array along dimension 0 to chosen entries of a list.")
      .formula("list[indices[e]] = array[e]");
  schema.input("list",
               "the list to fill; when it is left out, a new list is made and the inputs are array and indices");
  schema.input("indices", "[n], integers in 0..n-1");
  schema.input("array", "[n, ...]");
  schema.output("list", "the new list").when("no list is given");
  describeList(schema, WRITES_LIST);
  schema.elsewhere({.tensorflow = "tf.TensorArray.scatter"}).words("distribute, rows").see("gather_list");
}
DECLARE_SYN(TensorArrayScatterV3, scatter_list);
DECLARE_SYN(tensorarrayscatterv3, scatter_list);

}  // namespace sd::ops
