// What a context remembers of its last call, so that repeating it costs less.
#ifndef NDFORGE_GRAPH_REPEATEDCALL_H
#define NDFORGE_GRAPH_REPEATEDCALL_H

#include <array/DataType.h>
#include <array/ShapeList.h>
#include <ops/declarable/Arguments.h>
#include <system/common.h>

#include <cstddef>
#include <typeinfo>
#include <vector>

namespace sd::ops {
class OpDescriptor;
class Schema;
}  // namespace sd::ops

namespace sd::graph {

class Context;

/// The class and the name of an operation. Its address would not do: objects on the stack may follow each other there.
struct OperationKey {
  const std::type_info* type = nullptr;
  LongType hash = 0;

  bool operator==(const OperationKey& other) const { return hash == other.hash && type == other.type; }
};

/// A call whose arguments and output shapes follow from its positional and named arguments and from the shapes of its
/// inputs alone. When the next call of the operation is equal in these, the argument struct, what inference kept for
/// the body, and the shapes of the outputs are still right.
class SD_LIB_EXPORT RepeatedCall {
 public:
  void remember(Context& block, const OperationKey& op, const ops::OpDescriptor& descriptor, const ShapeList& inputs,
                const ShapeList& outputs);
  void forget() { _op = {}; }
  bool matches(Context& block, const OperationKey& op) const;
  const ShapeList& outputs() const { return _outputs; }

 private:
  OperationKey _op;
  std::vector<const LongType*> _inputs;  // interned shapes
  ShapeList _outputs;
  std::vector<int> _integers, _axes;
  std::vector<LongType> _longIntegers;
  std::vector<double> _floats;
  std::vector<bool> _flags;
  std::vector<DataType> _types;
  const ops::Schema* _schema = nullptr;
  ops::ArgumentBlock _given;  // the struct that the caller gave
  bool _byName = false;
  size_t _namedVersion = 0;
  // Settings of the process on which types of results depend.
  DataType _defaultFloat = FLOAT32;
  bool _precisionBoost = false;

  bool hasSameStruct(const ops::ArgumentBlock& given) const;
};

}  // namespace sd::graph

#endif
