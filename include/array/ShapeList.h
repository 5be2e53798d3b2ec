// A list of shapes: what shape functions take and return.
#ifndef NDFORGE_ARRAY_SHAPELIST_H
#define NDFORGE_ARRAY_SHAPELIST_H

#include <system/common.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sd {

/// A shape that a list does not have.
class SD_LIB_EXPORT missing_shape : public std::runtime_error {
 public:
  missing_shape(const std::string& message, int index) : std::runtime_error(message), _index(index) {}
  int index() const { return _index; }

 private:
  int _index;
};

class SD_LIB_EXPORT ShapeList {
 public:
  /// The most shapes of a list, which is the most inputs or outputs that an operation may have.
  static constexpr int MOST = 1 << 20;

  ShapeList(const LongType* shape = nullptr);
  /// isWorkspace: the buffers lie in a workspace and are never freed here.
  ShapeList(const std::vector<const LongType*>& shapes, bool isWorkspace);
  ShapeList(const std::vector<const LongType*>& shapes);

  /// @throws missing_shape, a std::runtime_error, when out of range
  const LongType* at(int index) const {
    if (index < 0 || index >= _size) missing(index);
    return shapes()[index];
  }
  int size() const { return _size; }
  /// @throws std::runtime_error when there are MOST shapes
  void push_back(const LongType* shape) {
    if (_size < FEW)
      _few[_size++] = shape;
    else
      pushFurther(shape);
  }

  /// Frees the buffers (of new[] or ALLOCATE) and empties the list; interned shapes and those of a workspace are left
  /// alone.
  void destroy();
  /// Replaces every buffer by a private copy, so that the list outlives workspaces.
  void detach();

 private:
  // Nearly all lists are short, and made once or twice in a call: those need no memory of their own.
  static constexpr int FEW = 4;
  const LongType* _few[FEW];
  std::vector<const LongType*> _many;  // all of them when they are more than FEW
  int _size = 0;
  bool _workspace = false;

  const LongType* const* shapes() const { return _size <= FEW ? _few : _many.data(); }
  const LongType** shapes() { return _size <= FEW ? _few : _many.data(); }
  void pushFurther(const LongType* shape);
  [[noreturn]] void missing(int index) const;
};

}  // namespace sd

#endif
