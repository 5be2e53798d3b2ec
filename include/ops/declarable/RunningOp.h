// The operation that a thread runs.
#ifndef NDFORGE_OPS_DECLARABLE_RUNNINGOP_H
#define NDFORGE_OPS_DECLARABLE_RUNNINGOP_H

#include <system/common.h>

#include <string>

namespace sd {
namespace ops {

/// Names the operation that runs in this thread; messages use it.
class SD_LIB_EXPORT RunningOp {
 public:
  explicit RunningOp(const std::string& name) noexcept;
  explicit RunningOp(std::string&&) = delete;  // the name must outlive this object
  ~RunningOp();
  RunningOp(const RunningOp&) = delete;
  RunningOp& operator=(const RunningOp&) = delete;
  /// The name of the innermost operation; nullptr outside of calls.
  static const std::string* current() noexcept;
  /// The same name; "operation" outside of calls.
  static const std::string& name() noexcept;

 private:
  const std::string* _outer;
};

}  // namespace ops
}  // namespace sd

#endif
