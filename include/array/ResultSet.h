// The arrays that an operation or a split returns.
#ifndef NDFORGE_ARRAY_RESULTSET_H
#define NDFORGE_ARRAY_RESULTSET_H

#include <system/common.h>
#include <types/boxed.h>

#include <memory>
#include <string>
#include <vector>

namespace sd {

class NDArray;

namespace graph {
struct FlatResult;
}

/// A list of arrays with a status. The destructor deletes the arrays, unless setNonRemovable() was called or this is a
/// copy: a copy refers to the arrays of the original. Views pushed by a caller are not deleted; views made by the
/// library (the sub-arrays of NDArray::allTensorsAlongDimension) are.
class SD_LIB_EXPORT ResultSet {
 public:
  ResultSet();
  /// The arrays of a result, which FlatBuffers' verifier must have accepted. @throws std::runtime_error for nullptr, and
  /// for variables that Variable refuses
  explicit ResultSet(const graph::FlatResult* result);
  ResultSet(const ResultSet& other);
  ResultSet(ResultSet&& other) noexcept;
  ResultSet& operator=(const ResultSet& other);
  ResultSet& operator=(ResultSet&& other) noexcept;
  ~ResultSet();

  int size() const { return static_cast<int>(_content.size()); }
  /// @throws std::out_of_range; if the call failed, with the text of message()
  NDArray* at(unsigned long index) const {
    if (index >= _content.size()) missing(index);
    return _content[index];
  }
  /// Not checked.
  NDArray* operator[](unsigned long index) const { return _content[index]; }
  NDArray** begin() { return _content.data(); }
  NDArray** end() { return _content.data() + _content.size(); }

  void push_back(NDArray* array);
  /// Adds an array that this set deletes even if it is a view.
  void pushOwned(std::unique_ptr<NDArray> array);

  Status status() const { return _rest.get().status; }
  void setStatus(Status status) {
    if (status != this->status()) _rest.edit().status = status;
  }
  /// Why the call that should have made these results failed; empty when it succeeded.
  const std::string& message() const { return _rest.get().message; }
  void setFailure(Status status, const std::string& message) {
    _rest.edit().status = status;
    _rest.edit().message = message;
  }

  /// Deletes the arrays that this set owns and empties it.
  void purge();
  /// The destructor will not delete the arrays.
  void setNonRemovable() { _rest.edit().removable = false; }

 private:
  struct Rest {
    std::vector<NDArray*> ownedViews;
    Status status = Status::OK;
    std::string message;
    bool removable = true;
  };

  std::vector<NDArray*> _content;
  detail::Boxed<Rest> _rest;

  [[noreturn]] void missing(unsigned long index) const;
};

}  // namespace sd

#endif
