// The contexts of the C interface, which hold the memory of buffers for one call only.
#ifndef NDFORGE_SRC_LEGACY_LENDINGCONTEXT_H
#define NDFORGE_SRC_LEGACY_LENDINGCONTEXT_H

#include <array/InteropDataBuffer.h>
#include <graph/Context.h>

#include <memory>
#include <vector>

namespace sd::legacy {

/// Callers such as the JVM delete contexts long after their only call. Memory that such a context held would stay
/// although its buffer was closed, so a context owns the memory from the time when an array is set until the end of the
/// next call. After that its arrays refer to the memory without owning it, and a further call uses it again if it still
/// exists.
class LendingContext : public graph::Context {
 public:
  using Context::Context;

  /// As setInputArray and setOutputArray with a buffer.
  void lendInput(int index, InteropDataBuffer* buffer, const void* shapeInfo);
  void lendOutput(int index, InteropDataBuffer* buffer, const void* shapeInfo);

  /// While it lives, the context owns the memory of its arrays again, or of one output. A call ends the time in which
  /// it owns what was set; a look does not.
  class Use {
   public:
    enum Kind { CALL, LOOK };
    /// @throws std::invalid_argument when a buffer was closed in the meantime
    explicit Use(Context& context, Kind kind, int onlyOutput = -1);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    LendingContext* _context;
    Kind _kind;
  };

 private:
  struct Loan {
    const NDArray* array = nullptr;         ///< the array that was set; another one may have taken its place
    std::weak_ptr<DataBuffer> memory;       ///< its buffer
    std::shared_ptr<DataBuffer> reference;  ///< what the array has between calls: the memory, without owning it
    std::shared_ptr<DataBuffer> parked;     ///< the array's own pointer to `reference`, while it has the memory
  };
  using Loans = std::vector<Loan>;  // by index

  Loans _inputLoans, _outputLoans;

  static void note(Loans& loans, int index, const std::vector<NDArray*>& arrays);
  static void take(Loan& loan, NDArray* array, const char* kind, size_t index);
  static void giveBack(Loans& loans, const std::vector<NDArray*>& arrays, Use::Kind kind);
  void takeAll();
  void giveAllBack(Use::Kind kind);
};

}  // namespace sd::legacy

#endif
