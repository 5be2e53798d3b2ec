// A list of arrays that can be written in any order ("tensor array").
#ifndef NDFORGE_ARRAY_NDARRAYLIST_H
#define NDFORGE_ARRAY_NDARRAYLIST_H

#include <array/DataType.h>
#include <array/NDArray.h>
#include <execution/LaunchContext.h>
#include <system/common.h>

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd {

/// The number of an entry may be any int. The first write fixes the element type and the reference shape, which is {1}
/// followed by the shape of that entry unless shape() was set before. Later entries must have the same type. Either
/// they have the rank of the reference shape and agree with it in every dimension but 0, or they have its shape without
/// dimension 0.
///
/// The list owns its entries. Several threads must not use one list at once when one of them changes it; counter()
/// changes it.
class SD_LIB_EXPORT NDArrayList {
 public:
  /// The arguments have no effect: lists grow as they are written.
  NDArrayList(int height, bool expandable = false);
  NDArrayList(const NDArrayList&) = delete;
  NDArrayList& operator=(const NDArrayList&) = delete;
  ~NDArrayList();

  /// INHERIT before the first write.
  DataType dataType() const { return _dataType; }
  /// The reference shape; {} before the first write.
  std::vector<LongType>& shape() { return _shape; }
  const std::vector<LongType>& shape() const { return _shape; }

  /// Stores the array and takes ownership of it; deletes an entry that was there before. BAD_INPUT for a null pointer,
  /// another type or a shape that does not fit: then the list is unchanged and the caller still owns the array.
  Status write(int idx, NDArray* array);

  bool isWritten(int index) const { return _chunks.count(index) != 0; }
  /// A copy that the caller deletes. @throws std::invalid_argument when there is no such entry
  NDArray* read(int idx) const;
  /// The entry itself, which the list still owns. @throws std::invalid_argument when there is no such entry
  NDArray* readRaw(int idx) const;
  /// Takes the entry out; the caller deletes it. @throws std::invalid_argument when there is no such entry
  NDArray* remove(int idx);

  /// A new array of the reference shape in which dimension axis() has one slice for each index: slice k is entry
  /// indices[k]. Order 'c'; the caller deletes it. @throws std::invalid_argument when an entry is missing,
  /// std::runtime_error when the list is empty or an entry does not have the shape of a slice
  NDArray* pick(std::initializer_list<int> indices) const;
  NDArray* pick(const std::vector<int>& indices) const;

  /// A new array of shape {elements, shape of entry 0} and the order of entry 0, made of the entries 0 to elements - 1;
  /// the caller deletes it. Empty entries of rank 0 give {0} (one entry) or {elements, 0}.
  /// @throws std::runtime_error when the list is empty, an entry is missing or has another shape
  NDArray* stack() const;
  /// Splits `array` along `axis` and writes a copy of slice k, without that axis, to entry k; sets axis(). @throws
  /// std::runtime_error when there is no such axis, or the slices do not fit into this list
  void unstack(const NDArray* array, int axis);

  /// The dimension along which pick() places entries: 0, or the axis of the last unstack().
  int axis() const { return _axis; }
  std::pair<int, int>& id() { return _id; }
  std::string& name() { return _name; }
  LaunchContext* context() const { return LaunchContext::defaultContext(); }

  /// A deep copy, including id, name, axis, type, reference shape and counter; the caller deletes it.
  NDArrayList* clone() const;
  /// Equal axes, equal indices, equal arrays (NDArray::equalsTo).
  bool equals(const NDArrayList& other) const;

  /// The number of entries.
  int elements() const { return static_cast<int>(_chunks.size()); }
  int height() const { return elements(); }
  /// Returns 0 at the first call and one more at each further call.
  int counter() { return _counter++; }

 private:
  bool fits(DataType type, int rank, const LongType* dims) const;
  NDArray& entry(const char* method, int idx) const;

  std::map<int, std::unique_ptr<NDArray>> _chunks;
  std::vector<LongType> _shape;
  DataType _dataType = INHERIT;
  std::pair<int, int> _id{0, 0};
  std::string _name;
  int _axis = 0;
  int _counter = 0;
  int _height;
  bool _expandable;
};

}  // namespace sd

#endif
