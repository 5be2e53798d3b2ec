// A named, numbered value of a graph: an array or a list of arrays.
#ifndef NDFORGE_GRAPH_VARIABLE_H
#define NDFORGE_GRAPH_VARIABLE_H

#include <array/NDArray.h>
#include <array/NDArrayList.h>
#include <graph/VariableType.h>
#include <graph/generated/forward.h>
#include <ops/declarable/PartialShape.h>
#include <system/common.h>
#include <types/bfloat16.h>
#include <types/float16.h>

// Programs expect CreateFlatVariable and GetFlatVariable here; the library's own sources compile faster without them.
#if !defined(SD_BUILDING_LIBRARY) && __has_include(<flatbuffers/flatbuffers.h>)
#include <graph/generated/variable_generated.h>
#endif

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// The hash of the (number, index) pairs that identify variables.
template <>
struct std::hash<std::pair<int, int>> {
  size_t operator()(const std::pair<int, int>& pair) const noexcept {
    const uint64_t key =
        static_cast<uint64_t>(static_cast<uint32_t>(pair.first)) << 32 | static_cast<uint32_t>(pair.second);
    // The multiplier of SplitMix64: neighbouring pairs get hashes that are far apart.
    const uint64_t mixed = key * 0xBF58476D1CE4E5B9ull;
    return static_cast<size_t>(mixed ^ mixed >> 32);
  }
};

namespace sd::graph {

/// A variable is identified by its number and index: a number < 0 comes from outside the graph, a number >= 0 means
/// output `index` of that node. The variable deletes its array when it is removable (the default) and not read-only. It
/// does not own its list, except for a list made by clone().
///
/// Several threads must not use one variable at once when one of them changes it.
class SD_LIB_EXPORT Variable {
 public:
  Variable(bool placeHolder);
  Variable(NDArray* array, const char* name, int id, int idx = 0);
  /// Number 0, index 0.
  Variable(NDArray* array = nullptr, const char* name = nullptr);
  /// Reads a variable of a file, which FlatBuffers' verifier must have accepted. It is external. A constant must have
  /// an array; a placeholder must have a shape or an array, and without an array its type is PLACEHOLDER.
  /// @throws std::runtime_error for a variable that is not complete, and for arrays that FlatUtils refuses
  Variable(const FlatVariable* flatVariable);
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable();

  /// Copies the array in its own order, the list, number, index, name, type, shape, and the external and placeholder
  /// marks. The copy is removable and not read-only; the caller deletes it.
  Variable* clone() const;
  /// As clone(), with the elements converted. @throws std::runtime_error when the variable holds a list
  template <typename N>
  Variable* asT() const {
    return cloneAs(DataTypeUtils::fromT<N>());
  }
  Variable* cloneAs(DataType type) const;
  /// Writes number, index, name, type, shape and array. @throws std::runtime_error when the variable holds a list
  flatbuffers::Offset<FlatVariable> asFlatVariable(flatbuffers::FlatBufferBuilder& builder) const;

  bool hasNDArray() const { return _array != nullptr; }
  /// @throws std::runtime_error when the variable has no array
  NDArray* getNDArray() const;
  /// Sets the type to NDARRAY. An earlier array is not deleted: the caller owns it from then on.
  void setNDArray(NDArray* array);

  bool hasNDArrayList() const { return _list != nullptr; }
  /// nullptr when there is none.
  NDArrayList* getNDArrayList() const { return _list; }
  /// Sets the type to ARRAY_LIST. The caller still owns the list (see VariableSpace::trackList).
  void setNDArrayList(NDArrayList* list);

  /// True when the variable holds neither a list nor an array with a shape.
  bool isEmpty() const;

  VariableType variableType() const { return _type; }
  void setVariableType(VariableType type) { _type = type; }
  bool isPlaceholder() const { return _placeholder; }
  /// For a placeholder: the shape that its array will have.
  std::vector<LongType>& shape() { return _shape; }
  const std::vector<LongType>& shape() const { return _shape; }
  /// The type of the elements; for a variable without an array the type that its array will have, INHERIT when any.
  DataType dataType() const { return _array == nullptr ? _dataType : _array->dataType(); }
  /// For a placeholder: the type that its array will have.
  void setDataType(DataType type) { _dataType = type; }
  /// What is known of the array: everything when it is there.
  ops::PartialShape expected() const;
  /// For a placeholder: other arrays are refused by sessions.
  void expect(const ops::PartialShape& shape);
  bool isStrict() const { return _strict; }

  /// Whether the variable comes from outside the graph and is not made by a node.
  bool isExternal() const { return _external; }
  void markExternal(bool external) { _external = external; }
  bool isReadOnly() const { return _readOnly; }
  void markReadOnly(bool readOnly) { _readOnly = readOnly; }
  bool isRemovable() const { return _removable; }
  void markRemovable(bool removable) { _removable = removable; }

  int id() const { return _id; }
  int index() const { return _index; }
  void setId(int id) { _id = id; }
  void setId(int id, int idx) {
    _id = id;
    _index = idx;
  }
  void setIndex(int index) { _index = index; }

  /// Never nullptr; an empty string when there is no name.
  std::string* getName() { return &_name; }
  const std::string* getName() const { return &_name; }
  /// Copies the text. A variable space finds the variable by the name that it had when it was put there.
  void setName(const std::string* name) { _name = name == nullptr ? std::string() : *name; }

 private:
  std::unique_ptr<Variable> cloneWithout() const;
  void readFlat(const FlatVariable& flat);

  NDArray* _array = nullptr;
  NDArrayList* _list = nullptr;
  std::string _name;
  std::vector<LongType> _shape;
  int _id = 0;
  int _index = 0;
  VariableType _type = NDARRAY;
  DataType _dataType = INHERIT;
  bool _placeholder = false;
  bool _external = false;
  bool _readOnly = false;
  bool _removable = true;
  bool _ownsList = false;
  bool _strict = false;
  bool _scalar = false;  // the shape [] is known, not unknown
};

}  // namespace sd::graph

#endif
