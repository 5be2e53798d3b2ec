#include "legacy/LendingContext.h"

#include <new>

#include "system/Error.h"

namespace sd::legacy {
namespace {

/// Arrays do not let others replace their buffers: their shapes must fit. Here it is the same buffer that goes and
/// comes back.
struct BufferOf : NDArray {
  static std::shared_ptr<DataBuffer>& of(NDArray& array) { return array.*(&BufferOf::_buffer); }
};

/// Without counting references, which takes longer than small operations.
bool isSame(const std::weak_ptr<DataBuffer>& memory, const std::shared_ptr<DataBuffer>& buffer) {
  return !memory.owner_before(buffer) && !buffer.owner_before(memory);
}

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
  loans[slot] = Loan{arrays[slot], BufferOf::of(*arrays[slot]), nullptr, nullptr};
}

void LendingContext::take(Loan& loan, NDArray* array, const char* kind, size_t index) {
  if (loan.reference == nullptr || array == nullptr || BufferOf::of(*array) != loan.reference) return;
  std::shared_ptr<DataBuffer> memory = loan.memory.lock();
  if (memory == nullptr || (memory->primary() == nullptr && array->hasElements()))
    fail("{} {}: its buffer was closed after the last call; set another one", kind, index);
  loan.parked = std::move(BufferOf::of(*array));
  BufferOf::of(*array) = std::move(memory);
}

void LendingContext::takeAll() {
  for (size_t i = 0; i < _inputLoans.size(); i++) take(_inputLoans[i], at(fastpath_in(), i), "input", i);
  for (size_t i = 0; i < _outputLoans.size(); i++) take(_outputLoans[i], at(fastpath_out(), i), "output", i);
}

void LendingContext::giveBack(Loans& loans, const std::vector<NDArray*>& arrays, Use::Kind kind) {
  for (size_t i = 0; i < loans.size(); i++) {
    Loan& loan = loans[i];
    NDArray* array = at(arrays, i);
    std::shared_ptr<DataBuffer> parked = std::move(loan.parked);
    // Another array may have taken the place, even at the same address: its buffer is another one.
    if (array == nullptr || array != loan.array || (kind == Use::LOOK && loan.reference == nullptr)) continue;
    std::shared_ptr<DataBuffer>& buffer = BufferOf::of(*array);
    if (buffer == nullptr || !isSame(loan.memory, buffer)) continue;
    if (parked != nullptr && parked->primary() == buffer->primary() &&
        parked->getLenInBytes() == buffer->getLenInBytes() && parked->getDataType() == buffer->getDataType()) {
      buffer = std::move(parked);
      continue;
    }
    loan.reference = std::make_shared<DataBuffer>(buffer->primary(), buffer->getLenInBytes(), buffer->getDataType());
    buffer = loan.reference;
  }
}

void LendingContext::giveAllBack(Use::Kind kind) {
  giveBack(_inputLoans, fastpath_in(), kind);
  giveBack(_outputLoans, fastpath_out(), kind);
}

LendingContext::Use::Use(Context& context, Kind kind, int onlyOutput)
    : _context(dynamic_cast<LendingContext*>(&context)), _kind(kind) {
  if (_context == nullptr) return;
  try {
    const auto output = static_cast<size_t>(onlyOutput);
    if (onlyOutput < 0)
      _context->takeAll();
    else if (output < _context->_outputLoans.size())
      take(_context->_outputLoans[output], at(_context->fastpath_out(), output), "output", output);
  } catch (...) {
    _context->giveAllBack(kind);
    throw;
  }
}

LendingContext::Use::~Use() {
  if (_context == nullptr) return;
  try {
    _context->giveAllBack(_kind);
  } catch (const std::bad_alloc&) {
    // The context keeps the memory until it is deleted.
  }
}

}  // namespace sd::legacy
