// Runs calls of numbered operations through the exec functions of the C interface.
#include <helpers/shape.h>
#include <legacy/NativeOps.h>

#include <algorithm>

#include "Numbered.h"
#include "Run.h"

namespace fuzz {
namespace {

using sd::loops::OpGroup;

class NumberedCall {
 public:
  NumberedCall(const Call& call, Memory& memory) : _call(call), _memory(memory) { _memory.reset(); }
  ~NumberedCall() {
    for (OpaqueDataBuffer* buffer : _buffers) deleteDataBuffer(buffer);
  }

  Result run() {
    const size_t n = _call.inputs.size();
    _arrays.resize(n);
    _z.resize(1);
    for (size_t k = 0; k < n; k++) {
      const LongType length = _call.inputs[k].length();
      if (length < 0 || length > LongType{1} << 22 || !_arrays[k].place(_memory, _call.inputs[k], 0xA5, _call.atEnd))
        return _result;
    }
    const Array& z = _call.outputs.at(0);
    if (z.length() < 0 || z.length() > LongType{1} << 20) return _result;
    const Placed* other =
        z.alias >= 0 && static_cast<size_t>(z.alias) < n && _call.inputs[static_cast<size_t>(z.alias)].given
            ? &_arrays[static_cast<size_t>(z.alias)]
            : nullptr;
    Array output = z;
    if (other != nullptr && z.shift == 0 && z.dims == other->array().dims) output.strides = other->array().strides;
    if (!_z[0].place(_memory, output, 0xA5, _call.atEnd, other)) return _result;
    if (!prepare()) return _result;

    takeError();
    call();
    const std::string message = takeError();
    if (message.empty()) {
      _result.outcome = Outcome::Ok;
      if (other == nullptr) checkInputs(_result, _arrays);
      if (!_z[0].gapsUntouched()) _result.add("outside", "bytes beside the elements of z were written");
      if (other == nullptr && _result.findings.empty() && z.lies.empty()) compareRuns();
    } else {
      _result.outcome = Outcome::Refused;
      // Errors in the operation's number, and those found before the operation is known, name the function.
      const auto* op = sd::loops::findOp(_call.group, _call.number);
      const bool function = op == nullptr || message.rfind("[exec", 0) == 0;
      checkMessage(_result, function ? message.substr(1, message.find(']') - 1) : std::string(op->name), message);
      checkRefused(_result, _arrays, _z, message);
    }
    return _result;
  }

 private:
  const Call& _call;
  Memory& _memory;
  Result _result;
  std::vector<Placed> _arrays, _z;
  std::vector<OpaqueDataBuffer*> _buffers;
  struct Operand {
    OpaqueDataBuffer* buffer = nullptr;
    const LongType* info = nullptr;
  };
  Operand _x, _y, _axes, _out;
  uint8_t* _extra = nullptr;

  Operand operand(const Placed& placed) {
    const Array& array = placed.array();
    if (!array.given) return {};
    Operand result{nullptr, placed.info()};
    if (array.nullBuffer) return result;
    const LongType unit = array.unit(), bytes = static_cast<LongType>(placed.regionSize());
    const DataType type = array.isString() ? sd::UINT8 : array.lies.empty() ? array.type : sd::INT64;
    result.buffer = dbCreateExternalDataBuffer(bytes / unit, type, placed.region(), nullptr);
    _buffers.push_back(result.buffer);
    if (placed.offset() > 0) {
      const auto offset = static_cast<LongType>(placed.offset());
      result.buffer = dbCreateView(result.buffer, bytes - offset, offset);
      _buffers.push_back(result.buffer);
    }
    return result;
  }

  bool prepare() {
    const Form form = formOf(_call.group, _call.form);
    const auto at = [&](size_t k) { return k < _arrays.size() ? operand(_arrays[k]) : Operand{}; };
    _x = at(0);
    if (form.y) _y = at(1);
    if (form.axes) _axes = at(form.y ? 2 : 1);
    _out = operand(_z[0]);
    if (!_call.extraGiven) return true;
    // As many parameters as the operation reads at most; a whole reduction of two arrays reads three.
    const auto* op = sd::loops::findOp(_call.group, _call.number);
    const bool likeResult = sd::loops::paramsLikeResult(_call.group);
    const Array& like = likeResult ? _call.outputs[0] : _call.inputs.empty() ? _call.outputs[0] : _call.inputs[0];
    const size_t size = like.isString() || !like.lies.empty() ? 8 : static_cast<size_t>(like.unit());
    size_t count = op == nullptr ? 4 : static_cast<size_t>(op->maxParams);
    if (_call.group == OpGroup::Reduce3) count = _call.form < 2 ? 3 : 1;
    _extra = _memory.take(count * size, true);
    if (_extra == nullptr) return false;
    for (size_t k = 0; k < count; k++) {
      const double value = k < _call.extra.size() ? _call.extra[k] : 0;
      uint8_t bytes[8] = {};
      if (!like.isString()) writeNumber(like.type, value, bytes);
      std::copy(bytes, bytes + size, _extra + k * size);
    }
    return true;
  }

  void call();

  /// Whether z keeps elements: an assignment to more elements than x has, and any call on elements of which an input
  /// has none.
  bool leavesElements() const {
    const bool assigns = _call.group == OpGroup::TransformAny;
    if (assigns && _call.inputs.at(0).length() < _call.outputs.at(0).length()) return true;
    return sd::loops::traitsOf(_call.group).family <= sd::loops::OpFamily::Broadcast &&
           std::any_of(_arrays.begin(), _arrays.end(), [](const Placed& input) {
             return input.array().length() == 0 || (input.info() != nullptr && shape::isEmpty(input.info()));
           });
  }

  void compareRuns() {
    const Bytes first = _z[0].elements();
    _z[0].restore(0x5A);
    call();
    const std::string message = takeError();
    if (!message.empty()) return _result.add("unsteady", "the same call fails when it is repeated: " + message);
    const Bytes second = _z[0].elements();
    if (first == second) return;
    _z[0].restore(0xA5);
    call();
    takeError();
    const bool same = _z[0].elements() == first;
    if (same && leavesElements()) return;
    _result.add(same ? "unwritten" : "unsteady", same ? "elements of z keep what they held" : "two equal calls differ");
  }
};

#define OPERAND(o) o.buffer, o.info, nullptr

void NumberedCall::call() {
  const int n = _call.number, form = _call.form;
  const bool flag = _call.flag;
  void* e = _extra;
  switch (_call.group) {
    case OpGroup::TransformFloat:
      return execTransformFloat(nullptr, n, OPERAND(_x), OPERAND(_out), e);
    case OpGroup::TransformSame:
      return execTransformSame(nullptr, n, OPERAND(_x), OPERAND(_out), e);
    case OpGroup::TransformBool:
      return execTransformBool(nullptr, n, OPERAND(_x), OPERAND(_out), e);
    case OpGroup::TransformStrict:
      return execTransformStrict(nullptr, n, OPERAND(_x), OPERAND(_out), e);
    case OpGroup::TransformAny:
      return execTransformAny(nullptr, n, OPERAND(_x), OPERAND(_out), e);
    case OpGroup::Pairwise:
      return execPairwiseTransform(nullptr, n, OPERAND(_x), OPERAND(_y), OPERAND(_out), e);
    case OpGroup::PairwiseBool:
      return execPairwiseTransformBool(nullptr, n, OPERAND(_x), OPERAND(_y), OPERAND(_out), e);
    case OpGroup::Scalar:
      if (form != 1) return execScalar(nullptr, n, OPERAND(_x), OPERAND(_out), OPERAND(_y), e);
      return execScalarTad(nullptr, n, OPERAND(_x), OPERAND(_out), OPERAND(_y), e, OPERAND(_axes), nullptr, nullptr,
                           nullptr, nullptr);
    case OpGroup::ScalarBool:
      if (form != 1) return execScalarBool(nullptr, n, OPERAND(_x), OPERAND(_out), OPERAND(_y), e);
      return execScalarBoolTad(nullptr, n, OPERAND(_x), OPERAND(_out), OPERAND(_y), e, OPERAND(_axes), nullptr, nullptr,
                               nullptr, nullptr);
    case OpGroup::Broadcast:
      return execBroadcast(nullptr, n, OPERAND(_x), OPERAND(_y), OPERAND(_out), OPERAND(_axes));
    case OpGroup::BroadcastBool:
      return execBroadcastBool(nullptr, n, OPERAND(_x), OPERAND(_y), OPERAND(_out), e, OPERAND(_axes));
    case OpGroup::ReduceFloat:
      if (form % 2 == 0) return execReduceFloat(nullptr, n, OPERAND(_x), e, OPERAND(_out));
      return execReduceFloat2(nullptr, n, OPERAND(_x), e, OPERAND(_out), OPERAND(_axes));
    case OpGroup::ReduceSame:
      if (form % 2 == 0) return execReduceSame(nullptr, n, OPERAND(_x), e, OPERAND(_out));
      return execReduceSame2(nullptr, n, OPERAND(_x), e, OPERAND(_out), OPERAND(_axes));
    case OpGroup::ReduceBool:
      if (form % 2 == 0) return execReduceBool(nullptr, n, OPERAND(_x), e, OPERAND(_out));
      return execReduceBool2(nullptr, n, OPERAND(_x), e, OPERAND(_out), OPERAND(_axes));
    case OpGroup::ReduceLong:
      if (form % 2 == 0) return execReduceLong(nullptr, n, OPERAND(_x), e, OPERAND(_out));
      return execReduceLong2(nullptr, n, OPERAND(_x), e, OPERAND(_out), OPERAND(_axes));
    case OpGroup::IndexReduce:
      if (form % 2 == 0) return execIndexReduceScalar(nullptr, n, OPERAND(_x), e, OPERAND(_out));
      return execIndexReduce(nullptr, n, OPERAND(_x), e, OPERAND(_out), OPERAND(_axes));
    case OpGroup::SummaryStats:
      if (form == 0) return execSummaryStatsScalar(nullptr, n, OPERAND(_x), e, OPERAND(_out), flag);
      if (form == 2) return execSummaryStats(nullptr, n, OPERAND(_x), e, OPERAND(_out), flag);
      return execSummaryStatsTad(nullptr, n, OPERAND(_x), e, OPERAND(_out), OPERAND(_axes), flag, nullptr, nullptr);
    case OpGroup::Reduce3:
      if (form == 0) return execReduce3(nullptr, n, OPERAND(_x), e, OPERAND(_y), OPERAND(_out));
      if (form == 1) return execReduce3Scalar(nullptr, n, OPERAND(_x), e, OPERAND(_y), OPERAND(_out));
      if (form == 2)
        return execReduce3Tad(nullptr, n, OPERAND(_x), e, OPERAND(_y), OPERAND(_out), OPERAND(_axes), nullptr, nullptr,
                              nullptr, nullptr);
      return execReduce3All(nullptr, n, OPERAND(_x), e, OPERAND(_y), OPERAND(_out), OPERAND(_axes), nullptr, nullptr,
                            nullptr, nullptr);
    case OpGroup::Random: {
      OpaqueRandomGenerator* generator = createRandomGenerator(11, 12);
      void* state = flag && form == 3 ? nullptr : generator;
      if (form == 0) execRandom(nullptr, n, state, OPERAND(_out), e);
      if (form == 1 || form == 3) execRandom2(nullptr, n, state, OPERAND(_x), OPERAND(_out), e);
      if (form == 2) execRandom3(nullptr, n, state, OPERAND(_x), OPERAND(_y), OPERAND(_out), e);
      return deleteRandomGenerator(generator);
    }
    default:
      return;
  }
}

#undef OPERAND

}  // namespace

Result runNumbered(const Call& call, Memory& memory) { return NumberedCall(call, memory).run(); }

}  // namespace fuzz
