// The arrays that the command reads from files, casts, computes and writes.
#ifndef NDFORGE_SRC_CLI_ARRAY_H
#define NDFORGE_SRC_CLI_ARRAY_H

#include <array/DataType.h>
#include <loops/Executor.h>
#include <system/common.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd {
class NDArray;
}

namespace sd::cli {

/// A contiguous array. Copies share its elements.
class Array {
 public:
  Array() = default;

  /// An array with uninitialised elements.
  static Array allocate(DataType dtype, char order, const std::vector<LongType>& dims);
  static Array allocate(const LongType* info);

  /// A copy in c order.
  static Array of(const NDArray& array);

  /// Reads "x.npy", "x.npz:name", the only array of "x.npz", or "-", a .npy file on standard input.
  static Array read(const std::string& source);

  /// Writes several arrays to one .npz file.
  static void writeArchive(const std::string& target, const std::vector<std::pair<std::string, Array>>& arrays);

  /// Writes "x.npy", "x.npz" with one array "z", or "-", a .npy file on standard output. The array must be in c order.
  void write(const std::string& target) const;

  /// @throws UsageError when write() does not support the name
  static void checkTarget(const std::string& target);

  /// The same values in another type; the array itself when it already has that type.
  Array cast(DataType dtype) const;

  explicit operator bool() const { return _info != nullptr; }
  const LongType* info() const { return _info; }
  void* data() const { return _data.get(); }
  int rank() const { return int(_info[0]); }
  std::vector<LongType> dims() const { return {_info + 1, _info + 1 + _info[0]}; }
  DataType dtype() const;
  LongType length() const;
  size_t bytes() const;
  std::string shapeText() const;

  loops::In in() const { return {_data.get(), _info}; }
  loops::Out out() const { return {_data.get(), _info}; }

 private:
  const LongType* _info = nullptr;
  std::shared_ptr<void> _data;
};

}  // namespace sd::cli

#endif
