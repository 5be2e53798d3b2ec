// x[…] and x[…] = y: integers, slices, "...", None, masks and arrays of indices, as in NumPy.
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "core.h"
#include "elements.h"
#include "parts.h"

namespace ndforge {

namespace {

/// An index array, and the dimension of the view that it selects from.
struct Selection {
  size_t dimension;
  NDArray indices;  // INT64
};

[[noreturn]] void fail(const std::string& text) { throw nb::index_error(("[index] " + text).c_str()); }

bool isMask(const NDArray& array) { return array.dataType() == sd::BOOL; }

/// The parts of an index that select without looking at values, as a view, and the index arrays.
class Selector {
 public:
  Selector(const NDArray& array, nb::handle index) : _old(shapeOf(array)) {
    for (size_t d = 0; d < _old.size(); d++) _oldStrides.push_back(array.isEmpty() ? 1 : array.stridesOf()[d]);
    std::vector<nb::object> parts;
    if (PyTuple_Check(index.ptr()) != 0)
      for (nb::handle part : index) parts.push_back(nb::borrow(part));
    else
      parts.push_back(nb::borrow(index));
    size_t used = 0, ellipses = 0;
    std::vector<std::optional<NDArray>> arrays;
    for (const nb::object& part : parts) {
      arrays.push_back(arrayOf(part));
      if (part.is(Py_Ellipsis))
        ellipses++;
      else if (arrays.back() && isMask(*arrays.back()))
        used += shapeOf(*arrays.back()).size();
      else if (!part.is_none())
        used++;
    }
    if (ellipses > 1) fail("\"...\" stands twice");
    if (used > _old.size())
      fail(std::to_string(used) + " indices for " + std::to_string(_old.size()) + " dimensions");
    for (size_t i = 0; i < parts.size(); i++) {
      if (parts[i].is(Py_Ellipsis))
        for (size_t rest = _old.size() - used; rest > 0; rest--) keep();
      else if (parts[i].is_none())
        insert();
      else if (PySlice_Check(parts[i].ptr()) != 0)
        slice(parts[i]);
      else if (arrays[i])
        select(std::move(*arrays[i]), i);
      else
        pick(parts[i], i);
    }
    while (_next < _old.size()) keep();
    _view.emplace(strided(array, _shape, _strides, _offset));
  }

  NDArray& view() { return *_view; }
  std::vector<Selection>& selections() { return _selections; }
  /// How many dimensions of the view stand before those of the index arrays in the result: integers and index arrays
  /// that follow each other leave theirs in place, otherwise they come first.
  size_t leading() const { return _adjacent ? _leading : 0; }

 private:
  std::vector<LongType> _old, _oldStrides, _shape, _strides;
  size_t _next = 0;
  LongType _offset = 0;
  std::optional<NDArray> _view;
  std::vector<Selection> _selections;
  bool _adjacent = true, _anyAdvanced = false;
  size_t _leading = 0, _lastPart = 0;

  /// The part as an array, when it is one: a list, an array of any library, True or False.
  static std::optional<NDArray> arrayOf(const nb::object& part) {
    PyObject* object = part.ptr();
    if (PyBool_Check(object) != 0) return toArray(part, std::nullopt, Sharing::ForReading);
    if (PyLong_Check(object) != 0 || part.is_none() || part.is(Py_Ellipsis) || PySlice_Check(object) != 0)
      return std::nullopt;
    if (PyList_Check(object) == 0 && PyTuple_Check(object) == 0 && !isArrayLike(part)) return std::nullopt;
    NDArray array = toArray(part, std::nullopt, Sharing::ForReading);
    if (array.isEmpty() && arrayIn(object) == nullptr && PyList_Check(object) != 0) array = converted(array, sd::INT64);
    if (array.dataType() != sd::BOOL && !sd::DataTypeUtils::isZ(array.dataType()))
      fail(std::string("arrays of indices have integers or bool, not ") + nameOf(array.dataType()));
    // An integer without dimensions selects as a number does.
    if (array.dataType() != sd::BOOL && shapeOf(array).empty()) return std::nullopt;
    return array;
  }

  void keep() {
    _shape.push_back(_old[_next]);
    _strides.push_back(_oldStrides[_next]);
    _next++;
  }
  void insert() {
    _shape.push_back(1);
    _strides.push_back(1);
  }
  void pick(const nb::object& part, size_t position) {
    isAdvanced(position);
    const LongType index = integerOf(part.ptr(), "index"), size = _old[_next];
    if (index < -size || index >= size)
      fail("index " + std::to_string(index) + " is outside dimension " + std::to_string(_next) + " of size " +
           std::to_string(size));
    _offset += (index < 0 ? index + size : index) * _oldStrides[_next];
    _next++;
  }
  void slice(const nb::object& part) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(part.ptr(), &start, &stop, &step) != 0) throw nb::python_error();
    const Py_ssize_t count = PySlice_AdjustIndices(_old[_next], &start, &stop, step);
    if (count > 0) _offset += start * _oldStrides[_next];
    _shape.push_back(count);
    _strides.push_back(count > 1 ? _oldStrides[_next] * step : _oldStrides[_next]);
    _next++;
  }
  void isAdvanced(size_t part) {
    if (!_anyAdvanced) _leading = _shape.size();
    if (_anyAdvanced && part > _lastPart + 1) _adjacent = false;
    _anyAdvanced = true;
    _lastPart = part;
  }
  void addSelection(NDArray indices, size_t part) {
    isAdvanced(part);
    _selections.push_back({_shape.size(), std::move(indices)});
    keep();
  }
  void select(NDArray array, size_t part) {
    if (!isMask(array)) return addSelection(converted(array, sd::INT64), part);
    const std::vector<LongType> shape = shapeOf(array);
    if (shape.empty()) {  // True or False: a dimension of size 1 or 0 of its own
      isAdvanced(part);
      insert();
      _selections.push_back({_shape.size() - 1, emptyArray({array.e<bool>(0) ? 1 : 0}, sd::INT64)});
      return;
    }
    for (size_t d = 0; d < shape.size(); d++)
      if (shape[d] != _old[_next + d])
        fail("the mask has size " + std::to_string(shape[d]) + " in dimension " + std::to_string(d) +
             ", the array has " + std::to_string(_old[_next + d]));
    const auto count = array.isEmpty() ? 0 : callOne("reduce_sum", {addressOf(converted(array, sd::INT64))}).e<LongType>(0);
    std::optional<NDArray> places;
    if (count > 0) places.emplace(converted(callOne("Where", {&array}), sd::INT64));
    for (size_t d = 0; d < shape.size(); d++) {
      if (count == 0) {
        addSelection(emptyArray({0}, sd::INT64), part);
        continue;
      }
      addSelection(strided(*places, {count}, {places->stridesOf()[0]}, static_cast<LongType>(d) * places->stridesOf()[1]), part);
    }
  }
  static NDArray* addressOf(NDArray&& array) {
    static thread_local std::optional<NDArray> place;
    place.emplace(std::move(array));
    return &*place;
  }
};

std::vector<LongType> broadcastShape(const std::vector<LongType>& a, const std::vector<LongType>& b) {
  std::vector<LongType> shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < shape.size(); i++) {
    const LongType x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      fail("index arrays of " + std::to_string(x) + " and of " + std::to_string(y) + " elements do not broadcast");
    shape[shape.size() - 1 - i] = x == 1 ? y : x;
  }
  return shape;
}

/// The index arrays of a selection as coordinates [..., k], and what they select from: the view with the k indexed
/// dimensions first.
struct Gathering {
  NDArray source, coordinates;
  std::vector<LongType> shape;  // of the result
  std::vector<int> order;       // of the dimensions of what gather_nd gives, to make it the result
  std::vector<LongType> gathered;
  bool isEmpty = false;
};

Gathering gathering(Selector& selector) {
  NDArray& view = selector.view();
  auto& selections = selector.selections();
  const std::vector<LongType> shape = shapeOf(view);
  std::vector<LongType> common;
  for (const Selection& selection : selections) common = broadcastShape(common, shapeOf(selection.indices));
  std::vector<bool> indexed(shape.size(), false);
  for (const Selection& selection : selections) indexed[selection.dimension] = true;
  std::vector<LongType> newShape, strides, rest, sizes;
  for (int pass = 0; pass < 2; pass++)
    for (size_t d = 0; d < shape.size(); d++) {
      if (indexed[d] != (pass == 0)) continue;
      newShape.push_back(shape[d]);
      strides.push_back(view.isEmpty() ? 1 : view.stridesOf()[d]);
      (pass == 0 ? sizes : rest).push_back(shape[d]);
    }
  Gathering result;
  result.gathered = common;
  result.gathered.insert(result.gathered.end(), rest.begin(), rest.end());
  const size_t first = selector.leading();
  // gather_nd gives [common..., rest...]; the common dimensions stand where the first index array stood.
  const auto commonRank = static_cast<int>(common.size());
  for (size_t i = 0; i < first; i++) result.order.push_back(commonRank + static_cast<int>(i));
  for (int i = 0; i < commonRank; i++) result.order.push_back(i);
  for (size_t i = first; i < rest.size(); i++) result.order.push_back(commonRank + static_cast<int>(i));
  for (const int axis : result.order) result.shape.push_back(result.gathered[static_cast<size_t>(axis)]);
  result.isEmpty = std::find(result.shape.begin(), result.shape.end(), 0) != result.shape.end();

  std::vector<LongType> coordinateShape = common;
  coordinateShape.push_back(static_cast<LongType>(selections.size()));
  result.coordinates = emptyArray(coordinateShape, sd::INT64);
  LongType count = 1;
  for (const LongType size : common) count *= size;
  const auto k = static_cast<LongType>(selections.size());
  auto* coordinates = static_cast<int64_t*>(result.coordinates.buffer());
  for (LongType s = 0; s < k && count > 0; s++) {
    const NDArray indices = copyOf(broadcast(selections[static_cast<size_t>(s)].indices, common));
    const auto* values = static_cast<const int64_t*>(indices.buffer());
    const LongType size = sizes[static_cast<size_t>(s)];
    for (LongType i = 0; i < count; i++) {
      if (values[i] < -size || values[i] >= size)
        fail("index " + std::to_string(values[i]) + " is outside dimension " +
             std::to_string(selections[static_cast<size_t>(s)].dimension) + " of size " + std::to_string(size));
      coordinates[i * k + s] = values[i] < 0 ? values[i] + size : values[i];
    }
  }
  if (!view.isEmpty()) result.source = strided(view, newShape, strides, 0);
  return result;
}

NDArray permuted(const NDArray& array, const std::vector<int>& order) {
  const std::vector<LongType> shape = shapeOf(array);
  std::vector<LongType> newShape, strides;
  for (const int axis : order) {
    newShape.push_back(shape[static_cast<size_t>(axis)]);
    strides.push_back(array.stridesOf()[axis]);
  }
  return strided(array, newShape, strides, 0);
}

}  // namespace

NDArray broadcast(const NDArray& array, const std::vector<LongType>& shape) {
  const std::vector<LongType> old = shapeOf(array);
  std::vector<LongType> strides(shape.size(), 0);
  bool fits = old.size() <= shape.size();
  for (size_t i = 0; fits && i < old.size(); i++) {
    const size_t d = shape.size() - old.size() + i;
    fits = old[i] == shape[d] || old[i] == 1;
    if (old[i] == shape[d] && !array.isEmpty()) strides[d] = array.stridesOf()[i];
  }
  if (!fits) {
    const auto text = [](const std::vector<LongType>& sizes) {
      std::string result = "[";
      for (size_t i = 0; i < sizes.size(); i++) result += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
      return result + "]";
    };
    throw nb::value_error(("shape " + text(old) + " does not broadcast to " + text(shape)).c_str());
  }
  return strided(array, shape, strides, 0);
}

bool quickLayout(const NDArray& array, PyObject* index, Layout& layout) {
  if (!array.hasElements() || array.isS()) return false;
  const bool isTuple = PyTuple_Check(index) != 0;
  const Py_ssize_t count = isTuple ? PyTuple_Size(index) : 1;
  const auto part = [&](Py_ssize_t i) { return isTuple ? PyTuple_GetItem(index, i) : index; };
  const int rank = array.rankOf();
  int used = 0, added = 0, ellipses = 0;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* one = part(i);
    if (PyLong_CheckExact(one) != 0 || PySlice_Check(one) != 0)
      used++;
    else if (one == Py_None)
      added++;
    else if (one == Py_Ellipsis)
      ellipses++;
    else
      return false;
  }
  if (used > rank || ellipses > 1 || rank + added > SD_MAX_RANK) return false;
  int next = 0;
  const auto keep = [&](int dimensions) {
    for (; dimensions > 0; dimensions--, next++) layout.add(array.shapeOf()[next], array.stridesOf()[next]);
  };
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* one = part(i);
    if (one == Py_None) {
      layout.add(1, 1);
    } else if (one == Py_Ellipsis) {
      keep(rank - used);
    } else {
      const LongType size = array.shapeOf()[next], stride = array.stridesOf()[next];
      if (PyLong_CheckExact(one) != 0) {
        int overflow = 0;
        const LongType position = PyLong_AsLongLongAndOverflow(one, &overflow);
        if (overflow != 0 || position < -size || position >= size) return false;
        layout.offset += (position < 0 ? position + size : position) * stride;
      } else {
        Py_ssize_t start, stop, step;
        if (PySlice_Unpack(one, &start, &stop, &step) != 0) throw nb::python_error();
        const Py_ssize_t steps = PySlice_AdjustIndices(size, &start, &stop, step);
        if (steps == 0) return false;
        layout.offset += start * stride;
        layout.add(steps, steps == 1 ? stride : stride * step);
      }
      next++;
    }
  }
  keep(rank - next);
  return true;
}

namespace {

/// What one array of indices selects where its dimensions stand in place of the indexed one. Nothing for other
/// selections, and where an index is outside: then the general way says which.
std::optional<NDArray> gatherAlong(Selector& selector) {
  NDArray& view = selector.view();
  if (selector.selections().size() != 1 || view.isEmpty() || view.isS() || view.isC()) return std::nullopt;
  Selection& selection = selector.selections()[0];
  if (selection.indices.isEmpty() || selector.leading() != selection.dimension) return std::nullopt;
  sd::ops::args::Gather arguments;
  arguments.axis = static_cast<int>(selection.dimension);
  const Unlocked unlocked(selection.indices.lengthOf() > LOCKED_ELEMENTS);
  try {
    return callOne("gather", {&view, &selection.indices}, &sd::ops::argumentStruct<sd::ops::args::Gather>, &arguments);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

NDArray getItem(const NDArray& array, nb::handle index) {
  Layout layout;
  if (quickLayout(array, index.ptr(), layout)) return knownView(array, layout);
  Selector selector(array, index);
  if (selector.selections().empty()) return std::move(selector.view());
  if (std::optional<NDArray> found = gatherAlong(selector)) return std::move(*found);
  Gathering parts = gathering(selector);
  if (parts.isEmpty) return emptyArray(parts.shape, array.dataType());
  NDArray found = [&] {
    const Unlocked unlocked(parts.coordinates.lengthOf() > LOCKED_ELEMENTS);
    return callOne("gather_nd", {&parts.source, &parts.coordinates});
  }();
  NDArray result = reshaped(found, parts.gathered);
  return std::is_sorted(parts.order.begin(), parts.order.end()) ? std::move(result)
                                                                : copyOf(permuted(result, parts.order));
}

namespace {

/// Arrays of texts have no views: the array gets a buffer with other texts at the selected positions.
void setTexts(NDArray& array, nb::handle index, nb::handle value) {
  const NDArray given = toArray(value, std::nullopt, Sharing::ForReading);
  if (!given.isS())
    throw nb::type_error((std::string("texts cannot be replaced by ") + nameOf(given.dataType())).c_str());
  NDArray positions = emptyArray(shapeOf(array), sd::INT64);
  auto* position = static_cast<int64_t*>(positions.buffer());
  for (LongType i = 0; i < positions.lengthOf(); i++) position[i] = i;
  const NDArray chosen = copyOf(getItem(positions, index));
  if (chosen.isEmpty()) return;
  const LongType count = chosen.lengthOf();
  NDArray old = reshaped(array, {array.lengthOf()}), places = reshaped(chosen, {count}),
          texts = reshaped(broadcast(given, shapeOf(chosen)), {count});
  array = reshaped(callOne("put_along_axis", {&old, &places, &texts}), shapeOf(array));
}

/// Gives all elements of a view of real numbers or of INT64 the value of a Python number. false for other values.
bool fillQuickly(NDArray& view, PyObject* value) {
  const bool isInteger = PyLong_CheckExact(value) != 0, isReal = PyFloat_CheckExact(value) != 0;
  if (!(view.isR() && (isInteger || isReal)) && !(isInteger && view.dataType() == sd::INT64)) return false;
  int overflow = 0;
  const LongType integer = isInteger ? PyLong_AsLongLongAndOverflow(value, &overflow) : 0;
  if (overflow != 0) return false;
  const double real = isReal ? PyFloat_AsDouble(value) : 0;
  const Unlocked unlocked(view.lengthOf() > LOCKED_ELEMENTS);
  if (isInteger)
    view.assign(integer);
  else
    view.assign(real);
  return true;
}

}  // namespace

void setItem(NDArray& array, nb::handle index, nb::handle value) {
  if (array.isS()) return setTexts(array, index, value);
  std::optional<NDArray> quick;
  Layout layout;
  if (quickLayout(array, index.ptr(), layout)) quick.emplace(knownView(array, layout));
  if (quick && fillQuickly(*quick, value.ptr())) return;
  std::optional<Selector> selector;
  if (!quick) selector.emplace(array, index);
  Value given(value.ptr());
  if (given.kind() == Value::Kind::Unknown)
    throw nb::type_error((std::string("no element can be made of ") + shown(value)).c_str());
  if (given.isNumber()) {
    if (given.kind() == Value::Kind::Real && sd::DataTypeUtils::isZ(array.dataType()))
      given.become(sd::DOUBLE);
    else
      given.become(array.dataType());
  }
  given.convert(array.dataType());
  if (quick || selector->selections().empty()) {
    NDArray& view = quick ? *quick : selector->view();
    if (view.hasElements() && given.array().isSameShape(view)) {
      const Unlocked unlocked(view.lengthOf() > LOCKED_ELEMENTS);
      view.assign(given.array());
      return;
    }
    std::vector<LongType> shape = shapeOf(given.array());
    const size_t rank = shapeOf(view).size();
    while (shape.size() > rank && shape[0] == 1) shape.erase(shape.begin());
    NDArray values = broadcast(reshaped(given.array(), shape), shapeOf(view));
    if (view.isEmpty()) return;
    const Unlocked unlocked(view.lengthOf() > LOCKED_ELEMENTS);
    view.assign(values);
    return;
  }
  if (array.isC()) {  // the operation below computes with real numbers
    for (const LongType first : {0, 1}) {
      NDArray part = partOf(array, first);
      setItem(part, index, arrayObject(partOf(given.array(), first)));
    }
    return;
  }
  Gathering parts = gathering(*selector);
  const NDArray wanted = broadcast(given.array(), parts.shape);
  if (parts.isEmpty) return;
  std::vector<int> back(parts.order.size());
  for (size_t i = 0; i < back.size(); i++) back[static_cast<size_t>(parts.order[i])] = static_cast<int>(i);
  NDArray updates = copyOf(permuted(wanted, back));
  const Unlocked unlocked(updates.lengthOf() > LOCKED_ELEMENTS);
  // The operation computes with numbers.
  const bool isBool = array.dataType() == sd::BOOL;
  NDArray source = isBool ? converted(parts.source, sd::UINT8) : parts.source;
  if (isBool) updates = converted(updates, sd::UINT8);
  parts.source.assign(callOne("scatter_nd_update", {&source, &parts.coordinates, &updates}));
}

}  // namespace ndforge
