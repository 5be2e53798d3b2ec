#include "Context.h"

#include <graph/Context.h>
#include <legacy/NativeOps.h>

#include <algorithm>
#include <memory>

namespace fuzz {
namespace {

class ContextCall {
 public:
  ContextCall(const Call& call, bool mayTrust) : _call(call), _context(createGraphContext(1)) {
    setRandomGeneratorStates(getGraphContextRandomGenerator(_context), 11, 12);
    std::unique_ptr<bool[]> flags(new bool[call.b.size() + 1]);
    std::copy(call.b.begin(), call.b.end(), flags.get());
    setGraphContextTArguments(_context, const_cast<double*>(call.t.data()), static_cast<int>(call.t.size()));
    setGraphContextIArguments(_context, const_cast<LongType*>(call.i.data()), static_cast<int>(call.i.size()));
    setGraphContextBArguments(_context, flags.get(), static_cast<int>(call.b.size()));
    setGraphContextDArguments(_context, const_cast<int*>(call.d.data()), static_cast<int>(call.d.size()));
    ctxAllowHelpers(_context, call.helpers);
    ctxSetExecutionMode(_context, call.mode);
    ctxShapeFunctionOverride(_context, call.trustShapes && mayTrust);
    if (call.inPlace) markGraphContextInplace(_context, true);
  }
  ~ContextCall() {
    deleteGraphContext(_context);
    for (OpaqueDataBuffer* buffer : _buffers) deleteDataBuffer(buffer);
  }
  ContextCall(const ContextCall&) = delete;
  ContextCall& operator=(const ContextCall&) = delete;

  ContextAnswer run(LongType hash, const std::vector<Placed>& inputs, const std::vector<Placed>& outputs) {
    for (size_t k = 0; k < inputs.size(); k++) give(static_cast<int>(k), inputs[k], true);
    takeError();  // an array that the context rejects is missing in the call
    for (size_t k = 0; k < outputs.size(); k++) give(static_cast<int>(k), outputs[k], false);
    const bool tookOutputs = takeError().empty();
    return {execCustomOp2(nullptr, hash, _context), tookOutputs};
  }

 private:
  const Call& _call;
  OpaqueContext* _context;
  std::vector<OpaqueDataBuffer*> _buffers;

  void give(int index, const Placed& placed, bool input) {
    const Array& array = placed.array();
    if (!array.given) return;
    if (_call.entry == Entry::Context) {
      const auto set = input ? setGraphContextInputArray : setGraphContextOutputArray;
      return set(_context, index, placed.data(), placed.info(), nullptr, nullptr);
    }
    const auto set = input ? setGraphContextInputBuffer : setGraphContextOutputBuffer;
    set(_context, index, array.nullBuffer ? nullptr : bufferOf(placed), placed.info(), nullptr);
  }

  OpaqueDataBuffer* bufferOf(const Placed& placed) {
    const Array& array = placed.array();
    const auto bytes = static_cast<LongType>(placed.regionSize()), offset = static_cast<LongType>(placed.offset());
    const DataType type = array.isString() ? sd::UINT8 : array.lies.empty() ? array.type : sd::INT64;
    _buffers.push_back(dbCreateExternalDataBuffer(bytes / array.unit(), type, placed.region(), nullptr));
    if (offset > 0) _buffers.push_back(dbCreateView(_buffers.back(), bytes - offset, offset));
    return _buffers.back();
  }
};

}  // namespace

ContextAnswer callThroughContext(const Call& call, LongType hash, const std::vector<Placed>& inputs,
                                 const std::vector<Placed>& outputs, bool mayTrust) {
  return ContextCall(call, mayTrust).run(hash, inputs, outputs);
}

}  // namespace fuzz
