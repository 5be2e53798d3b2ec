// The arrays of one call under test: in any layout and in guarded memory, with checks that nothing was changed.
#ifndef NDFORGE_TESTS_OPCALLS_H
#define NDFORGE_TESTS_OPCALLS_H

#include <graph/Context.h>
#include <ops/declarable/DeclarableOp.h>

#include <cstring>
#include <memory>
#include <vector>

#include "NumberedArrays.h"
#include "OpHarness.h"

namespace sd::optest {

using numbered::Layout;

/// An array in a layout, inside guarded memory. Strings and empty arrays of rank 0 have only one layout.
class Placed {
 public:
  /// If `values` is null the elements hold a pattern.
  Placed(const LongType* shapeInfo, Layout layout, const NDArray* values) {
    const DataType type = ArrayOptions::dataType(shapeInfo);
    const bool special = DataTypeUtils::isS(type) || (shape::isEmpty(shapeInfo) && shape::rank(shapeInfo) == 0);
    if (special) {
      _array = values != nullptr ? std::make_unique<NDArray>(*values)
                                 : std::make_unique<NDArray>(shapeInfo, false, LaunchContext::defaultContext());
    } else {
      Dims dims(shape::shapeOf(shapeInfo), shape::shapeOf(shapeInfo) + shape::rank(shapeInfo));
      _memory = std::make_unique<numbered::TestArray>(type, dims, layout);
      if (values != nullptr && !values->isEmpty())
        _memory->fill({type, static_cast<const uint8_t*>(values->buffer()), values->lengthOf()});
      // A view of the whole guarded memory, because a wrapped buffer cannot have negative strides.
      const std::vector<uint8_t>& bytes = _memory->bytes();
      const auto size = static_cast<LongType>(DataTypeUtils::sizeOf(type));
      const NDArray whole(const_cast<uint8_t*>(bytes.data()), 'c', {static_cast<LongType>(bytes.size()) / size}, type);
      const loops::Out place = _memory->out();
      _array = std::make_unique<NDArray>(
          whole.viewOf(place.info, (static_cast<uint8_t*>(place.data) - bytes.data()) / size));
    }
    remember();
  }

  NDArray* get() const { return _array.get(); }
  void remember() { _before = content(); }
  bool unchanged() const { return content() == _before; }
  bool gapsUntouched() const { return _memory == nullptr || _memory->gapsUntouched(); }

 private:
  std::unique_ptr<numbered::TestArray> _memory;
  std::unique_ptr<NDArray> _array;
  std::vector<uint8_t> _before;

  std::vector<uint8_t> content() const {
    if (_memory != nullptr) return _memory->bytes();
    if (_array->isEmpty()) return {};
    const std::vector<int8_t> raw = _array->asByteVector();
    return {raw.begin(), raw.end()};
  }
};

using Placing = std::vector<std::unique_ptr<Placed>>;

/// The inputs of a case in a layout; null inputs stay null.
inline Placing placed(const std::vector<Array>& arrays, Layout layout) {
  Placing result;
  for (const Array& array : arrays)
    result.push_back(array == nullptr ? nullptr : std::make_unique<Placed>(array->shapeInfo(), layout, array.get()));
  return result;
}

/// Arrays for outputs of these shapes, filled with a pattern.
inline Placing placed(const std::vector<const LongType*>& shapes, Layout layout) {
  Placing result;
  for (const LongType* info : shapes) result.push_back(std::make_unique<Placed>(info, layout, nullptr));
  return result;
}

inline std::vector<NDArray*> pointers(const Placing& arrays) {
  std::vector<NDArray*> result;
  for (const auto& array : arrays) result.push_back(array == nullptr ? nullptr : array->get());
  return result;
}

inline void setArguments(graph::Context& block, const Arguments& arguments) {
  block.setTArguments(arguments.t);
  block.setIArguments(arguments.i);
  block.setBArguments(arguments.b);
  block.setDArguments(arguments.d);
  for (const auto& [name, value] : arguments.named) block.setArgument(name, value);
}

inline void setInputs(graph::Context& block, const std::vector<NDArray*>& inputs) {
  for (size_t k = 0; k < inputs.size(); k++) block.setInputArray(static_cast<int>(k), inputs[k]);
}

/// The results of the shape function, as interned shapes.
inline std::vector<const LongType*> shapesOf(ops::DeclarableOp& op, const std::vector<NDArray*>& inputs,
                                             const Arguments& arguments) {
  graph::Context block(1);
  setInputs(block, inputs);
  setArguments(block, arguments);
  ShapeList given;
  for (const NDArray* input : inputs) given.push_back(input == nullptr ? nullptr : input->shapeInfo());
  const std::unique_ptr<ShapeList> list(op.calculateOutputShape(&given, block));
  std::vector<const LongType*> shapes;
  for (int k = 0; k < list->size(); k++)
    shapes.push_back(
        ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(list->at(k)), list->at(k)));
  list->destroy();
  return shapes;
}

/// Runs the operation on the caller's arrays.
inline Status execute(ops::DeclarableOp& op, const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& outputs,
                      const Arguments& a) {
  if (a.named.empty()) return op.execute(inputs, outputs, a.t, a.i, a.b, a.d);
  graph::Context block(1);
  setInputs(block, inputs);
  for (size_t k = 0; k < outputs.size(); k++) block.setOutputArray(static_cast<int>(k), outputs[k]);
  setArguments(block, a);
  return op.execute(&block);
}

}  // namespace sd::optest

#endif
