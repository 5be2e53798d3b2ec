#include "legacy/LendingContext.h"

#include "system/Error.h"

namespace sd::legacy {
namespace {

/// Arrays do not let others replace their buffers: their shapes must fit. Here it is the same buffer that goes and
/// comes back.
struct BufferOf : NDArray {
  static std::shared_ptr<DataBuffer>& of(NDArray& array) { return array.*(&BufferOf::_buffer); }
};

NDArray* at(const std::vector<NDArray*>& arrays, size_t index) {
  return index < arrays.size() ? arrays[index] : nullptr;
}

}  // namespace

void LendingContext::lendInput(int index, InteropDataBuffer* buffer, const void* shapeInfo) {
  setInputArray(index, buffer, shapeInfo, nullptr);
  note(_inputLoans, index, fastpath_in());
}

void LendingContext::lendOutput(int index, InteropDataBuffer* buffer, const void* shapeInfo) {
  setOutputArray(index, buffer, shapeInfo, nullptr);
  note(_outputLoans, index, fastpath_out());
}

void LendingContext::note(Loans& loans, int index, const std::vector<NDArray*>& arrays) {
  const auto slot = static_cast<size_t>(index);
  if (slot >= loans.size()) loans.resize(slot + 1);
  loans[slot] = Loan{arrays[slot], {}, false};
}

void LendingContext::take(Loans& loans, const std::vector<NDArray*>& arrays, const char* kind) {
  for (size_t i = 0; i < loans.size(); i++) {
    Loan& loan = loans[i];
    NDArray* array = at(arrays, i);
    if (!loan.returned || array == nullptr || array != loan.array || BufferOf::of(*array) != _nothing) continue;
    std::shared_ptr<DataBuffer> memory = loan.memory.lock();
    if (memory == nullptr || (memory->primary() == nullptr && array->hasElements()))
      fail("{} {}: its buffer was closed after the last call; set another one", kind, i);
    BufferOf::of(*array) = std::move(memory);
    loan.returned = false;
  }
}

void LendingContext::giveBack(Loans& loans, const std::vector<NDArray*>& arrays) noexcept {
  for (size_t i = 0; i < loans.size(); i++) {
    Loan& loan = loans[i];
    NDArray* array = at(arrays, i);
    if (loan.returned || array == nullptr || array != loan.array || BufferOf::of(*array) == nullptr) continue;
    loan.memory = BufferOf::of(*array);
    BufferOf::of(*array) = _nothing;
    loan.returned = true;
  }
}

void LendingContext::giveAllBack() noexcept {
  giveBack(_inputLoans, fastpath_in());
  giveBack(_outputLoans, fastpath_out());
}

LendingContext::Call::Call(Context& context) : _context(dynamic_cast<LendingContext*>(&context)) {
  if (_context == nullptr) return;
  if (_context->_nothing == nullptr) _context->_nothing = std::make_shared<DataBuffer>();
  try {
    _context->take(_context->_inputLoans, _context->fastpath_in(), "input");
    _context->take(_context->_outputLoans, _context->fastpath_out(), "output");
  } catch (...) {
    _context->giveAllBack();
    throw;
  }
}

LendingContext::Call::~Call() {
  if (_context != nullptr) _context->giveAllBack();
}

}  // namespace sd::legacy
