#include <ops/declarable/OpTuple.h>

namespace sd::ops {

OpTuple::OpTuple(const char* opName) : _opName(opName) {}

OpTuple::OpTuple(const char* opName, std::initializer_list<NDArray*>&& inputs, std::initializer_list<double>&& tArgs,
                 std::initializer_list<LongType>&& iArgs)
    : _opName(opName), _inputs(inputs), _tArgs(tArgs), _iArgs(iArgs) {}

OpTuple::~OpTuple() {
  for (NDArray* array : _inputs) delete array;
}

OpTuple* OpTuple::addInput(NDArray* array) {
  _inputs.push_back(array);
  return this;
}

OpTuple* OpTuple::addOutput(NDArray* array) {
  _outputs.push_back(array);
  return this;
}

OpTuple* OpTuple::setTArgs(std::initializer_list<double> tArgs) {
  _tArgs = tArgs;
  return this;
}

OpTuple* OpTuple::setIArgs(std::initializer_list<LongType> iArgs) {
  _iArgs = iArgs;
  return this;
}

}  // namespace sd::ops
