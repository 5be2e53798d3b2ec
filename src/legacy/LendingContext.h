// The contexts of the C interface, which hold the memory of buffers for one call only.
#ifndef NDFORGE_SRC_LEGACY_LENDINGCONTEXT_H
#define NDFORGE_SRC_LEGACY_LENDINGCONTEXT_H

#include <array/InteropDataBuffer.h>
#include <graph/Context.h>

#include <memory>
#include <vector>

namespace sd::legacy {

/// Callers such as the JVM delete contexts long after their only call. Memory that such a context held would stay
/// although its buffer was closed, so a context has the memory from the time when an array is set until the end of the
/// next call. After that it remembers where the memory is, and a further call uses it again if it still exists.
class LendingContext : public graph::Context {
 public:
  using Context::Context;

  /// As setInputArray and setOutputArray with a buffer.
  void lendInput(int index, InteropDataBuffer* buffer, const void* shapeInfo);
  void lendOutput(int index, InteropDataBuffer* buffer, const void* shapeInfo);

  /// The time of a call.
  class Call {
   public:
    /// Takes the memory of all arrays again. @throws std::invalid_argument when a buffer was closed in the meantime
    explicit Call(Context& context);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    LendingContext* _context;
  };

 private:
  struct Loan {
    const NDArray* array = nullptr;  ///< the array that was set; another one may have taken its place
    std::weak_ptr<DataBuffer> memory;
    bool returned = false;
  };
  using Loans = std::vector<Loan>;  // by index

  Loans _inputLoans, _outputLoans;
  std::shared_ptr<DataBuffer> _nothing;

  static void note(Loans& loans, int index, const std::vector<NDArray*>& arrays);
  void take(Loans& loans, const std::vector<NDArray*>& arrays, const char* kind);
  void giveBack(Loans& loans, const std::vector<NDArray*>& arrays) noexcept;
  void giveAllBack() noexcept;
};

}  // namespace sd::legacy

#endif
