// A list of shapes: the type that shape functions take and return.
#ifndef NDFORGE_ARRAY_SHAPELIST_H
#define NDFORGE_ARRAY_SHAPELIST_H

#include <system/common.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sd {

/// Thrown for the index of a shape that the list does not have.
class SD_LIB_EXPORT missing_shape : public std::runtime_error {
 public:
  missing_shape(const std::string& message, int index) : std::runtime_error(message), _index(index) {}
  int index() const { return _index; }

 private:
  int _index;
};

class SD_LIB_EXPORT ShapeList {
 public:
  /// The maximum number of shapes in a list, and so of inputs or outputs of an operation.
  static constexpr int MOST = 1 << 20;

  ShapeList(const LongType* shape = nullptr);
  /// isWorkspace: the buffers are in a workspace and are never freed here.
  ShapeList(const std::vector<const LongType*>& shapes, bool isWorkspace);
  ShapeList(const std::vector<const LongType*>& shapes);
  ShapeList(const ShapeList& other);
  ShapeList(ShapeList&& other) noexcept { swap(other); }
  ShapeList& operator=(ShapeList other) noexcept {
    swap(other);
    return *this;
  }
  /// Does not free the buffers.
  ~ShapeList() {
    if (_size > FEW) delete _many;
  }

  /// @throws missing_shape, a std::runtime_error, when out of range
  const LongType* at(int index) const {
    if (index < 0 || index >= _size) missing(index);
    return shapes()[index];
  }
  int size() const { return _size; }
  /// @throws std::runtime_error when there already are MOST shapes
  void push_back(const LongType* shape) {
    if (_size < FEW)
      _few[_size++] = shape;
    else
      pushFurther(shape);
  }

  /// Empties the list and frees its buffers (from new[] or ALLOCATE), except interned shapes and those in a workspace.
  void destroy();
  /// Replaces every buffer by a private copy, so that the list may outlive workspaces.
  void detach();

 private:
  // Nearly all lists are short, and one or two are made in every call: short lists need no memory from the heap.
  static constexpr int FEW = 3;
  union {
    const LongType* _few[FEW] = {};
    std::vector<const LongType*>* _many;  // holds all shapes when there are more than FEW
  };
  int _size = 0;
  bool _workspace = false;

  const LongType* const* shapes() const { return _size <= FEW ? _few : _many->data(); }
  const LongType** shapes() { return _size <= FEW ? _few : _many->data(); }
  void swap(ShapeList& other) noexcept {
    std::swap(_few, other._few);  // and with them _many
    std::swap(_size, other._size);
    std::swap(_workspace, other._workspace);
  }
  void pushFurther(const LongType* shape);
  [[noreturn]] void missing(int index) const;
};

}  // namespace sd

#endif
