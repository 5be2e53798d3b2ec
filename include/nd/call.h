// What the functions of namespace sd::nd share. The headers beside this one in a build or an installation are made from
// the schemas of the operations: nd/FAMILY.h has one function for each operation of a family, nd/nd.h includes them
// all.
#ifndef NDFORGE_ND_CALL_H
#define NDFORGE_ND_CALL_H

#include <array/NDArray.h>
#include <graph/Context.h>
#include <helpers/RandomGenerator.h>
#include <ops/declarable/DeclarableOp.h>

#include <functional>
#include <initializer_list>
#include <vector>

namespace sd::nd {

/// Any number of inputs, as in nd::concat({x, y}).
class Arrays {
 public:
  Arrays(std::initializer_list<std::reference_wrapper<const NDArray>> arrays) {
    for (const NDArray& array : arrays) _list.push_back(const_cast<NDArray*>(&array));
  }
  Arrays(const std::vector<NDArray>& arrays) {
    for (const NDArray& array : arrays) _list.push_back(const_cast<NDArray*>(&array));
  }
  Arrays(const std::vector<NDArray*>& arrays) : _list(arrays) {}
  const std::vector<NDArray*>& list() const { return _list; }

 private:
  std::vector<NDArray*> _list;
};

/// An input that may be left out: {} or an array.
class Optional {
 public:
  Optional() = default;
  Optional(const NDArray& array) : _array(const_cast<NDArray*>(&array)) {}
  NDArray* array() const { return _array; }

 private:
  NDArray* _array = nullptr;
};

/// The generator of this thread, from which random functions draw. Seeded by the clock; nd::generator().setStates(7)
/// makes results repeatable.
SD_LIB_EXPORT graph::RandomGenerator& generator();

namespace detail {

/// The operation of this name. @throws std::invalid_argument when there is none, as in a build without it
SD_LIB_EXPORT ops::DeclarableOp& operation(const char* name);

/// One call: inputs are added in their order.
class SD_LIB_EXPORT Call {
 public:
  explicit Call(ops::DeclarableOp& op) : _op(op), _block(1) {}

  Call& operator<<(const NDArray& input) {
    _block.fastpath_in().push_back(const_cast<NDArray*>(&input));
    return *this;
  }
  Call& operator<<(const Optional& input) {
    _block.fastpath_in().push_back(input.array());
    return *this;
  }
  Call& operator<<(const Arrays& inputs) {
    auto& all = _block.fastpath_in();
    all.insert(all.end(), inputs.list().begin(), inputs.list().end());
    return *this;
  }
  template <typename S>
  Call& with(const S& arguments) {
    _block.setArguments(arguments);
    return *this;
  }

  /// Runs the operation; its outputs. Outputs that it did not make have no shape.
  /// @throws std::invalid_argument or std::runtime_error, whose message names the operation and what is wrong
  std::vector<NDArray> all(size_t least = 0);
  NDArray one();

 private:
  ops::DeclarableOp& _op;
  graph::Context _block;

  void run();
};

}  // namespace detail
}  // namespace sd::nd

#endif
