// Extra parameters of numbered operations.
#ifndef NDFORGE_ARRAY_EXTRAARGUMENTS_H
#define NDFORGE_ARRAY_EXTRAARGUMENTS_H

#include <array/DataType.h>
#include <array/DataTypeUtils.h>
#include <system/common.h>

#include <initializer_list>
#include <memory>
#include <vector>

namespace sd {

/// A list of real or of integer numbers. An operation gets it as an array of the type that it reads.
class SD_LIB_EXPORT ExtraArguments {
 public:
  ExtraArguments();
  explicit ExtraArguments(std::initializer_list<double> arguments);
  explicit ExtraArguments(std::initializer_list<LongType> arguments);
  explicit ExtraArguments(const std::vector<double>& arguments);
  explicit ExtraArguments(const std::vector<int>& arguments);
  explicit ExtraArguments(const std::vector<LongType>& arguments);
  ExtraArguments(const ExtraArguments& other);
  ExtraArguments& operator=(const ExtraArguments& other);
  ~ExtraArguments();

  /// The arguments from `offset` on, converted to T; nullptr when there are none. The buffer belongs to this object and
  /// is valid until it is destroyed. @throws std::runtime_error for a negative offset
  template <typename T>
  void* argumentsAsT(LongType offset = 0) const {
    return argumentsAsT(DataTypeUtils::fromT<T>(), offset);
  }
  /// @throws sd::datatype_exception for types that are not numbers
  void* argumentsAsT(DataType dataType, LongType offset = 0) const;

  /// Number of arguments.
  size_t length() const;

 private:
  std::vector<double> _reals;
  std::vector<LongType> _integers;
  // Each conversion is kept, so that buffers handed out before stay valid.
  struct Converted {
    DataType dataType;
    LongType offset;
    std::unique_ptr<char[]> buffer;
  };
  mutable std::vector<Converted> _converted;
};

}  // namespace sd

#endif
