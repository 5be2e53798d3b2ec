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
  ShapeList(const LongType* shape = nullptr);
  /// isWorkspace: the buffers lie in a workspace and are never freed here.
  ShapeList(const std::vector<const LongType*>& shapes, bool isWorkspace);
  ShapeList(const std::vector<const LongType*>& shapes);

  /// @throws missing_shape, a std::runtime_error, when out of range
  const LongType* at(int index) const;
  int size() const { return static_cast<int>(_shapes.size()); }
  void push_back(const LongType* shape) { _shapes.push_back(shape); }

  /// Frees the buffers (delete[]) and empties the list; interned shapes and those of a workspace are left alone.
  void destroy();
  /// Replaces every buffer by a private copy, so that the list outlives workspaces.
  void detach();

 private:
  std::vector<const LongType*> _shapes;
  bool _workspace = false;
};

}  // namespace sd

#endif
