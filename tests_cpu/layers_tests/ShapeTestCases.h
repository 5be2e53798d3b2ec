// Shapes and strides that the tests of shapes share, and their meaning, computed by enumerating coordinates.
#ifndef NDFORGE_TESTS_SHAPETESTCASES_H
#define NDFORGE_TESTS_SHAPETESTCASES_H

#include <array/ArrayOptions.h>
#include <helpers/shape.h>

#include <ostream>
#include <string>
#include <vector>

namespace shape_tests {

using sd::LongType;
using Longs = std::vector<LongType>;

struct Layout {
  std::string name;
  Longs dims, strides;
  char order;
};

inline std::ostream& operator<<(std::ostream& out, const Layout& layout) { return out << layout.name; }

/// Layouts of arrays with elements.
inline std::vector<Layout> layouts() {
  return {
      {"scalar", {}, {}, 'c'},
      {"one", {1}, {1}, 'c'},
      {"ones", {1, 1, 1}, {1, 1, 1}, 'f'},
      {"vector", {7}, {1}, 'c'},
      {"everySecond", {5}, {2}, 'c'},
      {"repeated", {5}, {0}, 'c'},
      {"reversed", {5}, {-1}, 'c'},
      {"matrix", {3, 4}, {4, 1}, 'c'},
      {"matrixF", {3, 4}, {1, 3}, 'f'},
      {"row", {1, 6}, {6, 1}, 'c'},
      {"column", {6, 1}, {1, 1}, 'c'},
      {"columnOfMatrix", {6, 1}, {4, 1}, 'c'},
      {"cut", {3, 2}, {4, 1}, 'c'},
      {"everySecondAll", {3, 2}, {4, 2}, 'c'},
      {"cube", {2, 3, 4}, {12, 4, 1}, 'c'},
      {"cubeF", {2, 3, 4}, {1, 2, 6}, 'f'},
      {"permuted", {4, 2, 3}, {1, 12, 4}, 'c'},
      {"transposed", {4, 3, 2}, {1, 4, 12}, 'c'},
      {"unitsInside", {2, 1, 3, 1}, {3, 3, 1, 1}, 'c'},
      {"unitsWithOddStrides", {1, 2, 1, 3}, {77, 3, 5, 1}, 'f'},
      {"broadcastRows", {3, 4}, {0, 1}, 'c'},
      {"reversedRows", {3, 4}, {-4, 1}, 'c'},
      {"five", {2, 3, 2, 1, 2}, {12, 4, 2, 2, 1}, 'c'},
      {"fiveMixed", {2, 3, 2, 2, 2}, {1, 16, 2, 8, 4}, 'f'},
  };
}

inline LongType product(const Longs& values) {
  LongType result = 1;
  for (const LongType value : values) result *= value;
  return result;
}

/// The coordinates of all elements, enumerated with the last dimension fastest in c order, the first in f order.
inline std::vector<Longs> allCoordinates(const Longs& dims, char order = 'c') {
  std::vector<Longs> result;
  Longs clock(dims.size(), 0);
  for (LongType i = 0; i < product(dims); i++) {
    result.push_back(clock);
    for (size_t k = 0; k < dims.size(); k++) {
      const size_t axis = order == 'c' ? dims.size() - 1 - k : k;
      if (++clock[axis] < dims[axis]) break;
      clock[axis] = 0;
    }
  }
  return result;
}

inline LongType offsetOf(const Longs& coordinates, const Longs& strides) {
  LongType offset = 0;
  for (size_t i = 0; i < strides.size(); i++) offset += coordinates[i] * strides[i];
  return offset;
}

/// The offsets of all elements in an order.
inline Longs allOffsets(const Longs& dims, const Longs& strides, char order = 'c') {
  Longs result;
  for (const Longs& coordinates : allCoordinates(dims, order)) result.push_back(offsetOf(coordinates, strides));
  return result;
}

/// The step between neighbours in a list of offsets if it is constant and positive, else 0; 1 for a single element.
inline LongType commonStep(const Longs& offsets) {
  if (offsets.size() < 2) return 1;
  const LongType step = offsets[1] - offsets[0];
  for (size_t i = 1; i < offsets.size(); i++)
    if (offsets[i] - offsets[i - 1] != step) return 0;
  return step > 0 ? step : 0;
}

/// The given slots, with type FLOAT32.
inline Longs slotsOf(const Longs& dims, const Longs& strides, char order, LongType ews, LongType flags = ARRAY_FLOAT) {
  Longs slots{static_cast<LongType>(dims.size())};
  slots.insert(slots.end(), dims.begin(), dims.end());
  slots.insert(slots.end(), strides.begin(), strides.end());
  slots.insert(slots.end(), {flags, ews, order});
  return slots;
}

/// The slots with the element-wise stride found by walking.
inline Longs slotsOf(const Layout& layout) {
  return slotsOf(layout.dims, layout.strides, layout.order,
                 commonStep(allOffsets(layout.dims, layout.strides, layout.order)));
}

inline Longs slotsAt(const LongType* info) { return Longs(info, info + shape::shapeInfoLength(info)); }
inline Longs dimsAt(const LongType* info) { return Longs(info + 1, info + 1 + info[0]); }
inline Longs stridesAt(const LongType* info) { return Longs(info + 1 + info[0], info + 1 + 2 * info[0]); }

}  // namespace shape_tests

#endif
