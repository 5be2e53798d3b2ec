// Calls of operations with a shape function: through the C interface and through the class.
#include <array/ArrayOptions.h>
#include <array/ResultSet.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "Context.h"
#include "Run.h"

namespace fuzz {
namespace {

using sd::Status;
using sd::ops::DeclarableOp;

constexpr size_t MOST_OUTPUTS = 48;
constexpr LongType MOST_BYTES = LongType{4} << 20;
constexpr uint8_t PATTERN = 0xA5, OTHER_PATTERN = 0x5A;

bool succeeded(Status status) {
  return status == Status::OK || status == Status::EQ_TRUE || status == Status::EQ_FALSE || status == Status::MAYBE;
}

/// Whether the operation may leave outputs unwritten: create without initialisation.
bool leavesOutputs(const Call& call) { return call.op == "create" && !call.b.empty() && !call.b[0]; }

/// Whether the operation is documented to change an input.
bool changesInputs(const std::string& op) {
  static const std::set<std::string> names{"encode_threshold", "encode_bitmap", "decode_threshold",
                                           "decode_bitmap",    "skipgram",      "cbow"};
  return names.count(op) != 0;
}

/// The array that a shapeInfo of the library describes.
Array arrayOf(const LongType* info) {
  const DataType type = sd::ArrayOptions::dataType(info);
  Array array = Array::of(type, Dims(shape::shapeOf(info), shape::shapeOf(info) + shape::rank(info)));
  array.makeContiguous(shape::order(info) == 'f' ? 'f' : 'c');
  if (shape::isEmpty(info) && !array.isEmpty())
    array.lies.push_back({Lie::Flags, 0, sd::ArrayOptions::flagsOfDataType(type) | ARRAY_EMPTY});
  if (array.isString())
    array.values.assign(static_cast<size_t>(8 * (std::clamp<LongType>(array.length(), 0, 4096) + 1)), 0);
  return array;
}

bool sameShape(const Array& a, const sd::NDArray& b) {
  return a.type == b.dataType() && ((a.isEmpty() || !a.lies.empty()) == b.isEmpty()) &&
         (b.isEmpty() || a.dims == b.getShapeAsVector());
}

class CustomCall {
 public:
  CustomCall(const Call& call, Memory& memory)
      : _call(call),
        _memory(memory),
        _op(*sd::ops::OpRegistrator::getInstance().find(call.op)),
        _flags(new bool[call.b.size() + 1]) {
    std::copy(call.b.begin(), call.b.end(), _flags.get());
    _memory.reset();
  }

  Result run() {
    takeError();
    _inputs.resize(_call.inputs.size());
    for (size_t k = 0; k < _inputs.size(); k++) {
      if (!_inputs[k].place(_memory, _call.inputs[k], PATTERN, _call.atEnd)) return _result;
      _buffers.push_back(_inputs[k].data());
      _infos.push_back(_inputs[k].info());
      if (!_call.inputs[k].given) _buffers.back() = _infos.back() = nullptr;
    }
    askForShapes();
    if (!_result.findings.empty() || _call.entry == Entry::Shapes || _call.entry == Entry::ShapesAlone) return _result;
    if (!readable() || !placeOutputs()) {
      _result.outcome = Outcome::Skipped;
      return _result;
    }
    execute();
    return _result;
  }

 private:
  const Call& _call;
  Memory& _memory;
  DeclarableOp& _op;
  std::unique_ptr<bool[]> _flags;
  Result _result;
  std::vector<Placed> _inputs, _outputs;
  std::vector<void*> _buffers, _infos;
  std::optional<std::vector<Array>> _shapes;  ///< shapes from the shape function
  bool _spoiled = false, _aliased = false, _tookOutputs = true;

  /// Whether a call can read all elements of the inputs in a short time.
  bool readable() const {
    return std::all_of(_call.inputs.begin(), _call.inputs.end(),
                       [](const Array& a) { return a.length() < LongType{1} << 22; });
  }

  int counted(size_t n) const { return static_cast<int>(n); }

  void askForShapes() {
    auto* t = const_cast<double*>(_call.t.data());
    auto* i = const_cast<LongType*>(_call.i.data());
    auto* d = const_cast<int*>(_call.d.data());
    const int n = counted(_inputs.size()), nt = counted(_call.t.size()), ni = counted(_call.i.size());
    OpaqueShapeList* list =
        _call.entry == Entry::ShapesAlone
            ? calculateOutputShapes(nullptr, _op.getOpHash(), _infos.data(), n, t, nt, i, ni)
            : calculateOutputShapes2(nullptr, _op.getOpHash(), _buffers.data(), _infos.data(), n, t, nt, i, ni,
                                     _flags.get(), counted(_call.b.size()), d, counted(_call.d.size()));
    const std::string message = takeError();
    if (list == nullptr) {
      _result.outcome = Outcome::Refused;
      checkMessage(_result, _call.op, message);
    } else {
      _result.outcome = Outcome::Ok;
      if (!message.empty()) _result.add("status", "shapes are returned and an error is stored: " + message);
      _shapes.emplace();
      for (LongType k = 0; k < getShapeListSize(list) && k <= static_cast<LongType>(MOST_OUTPUTS); k++) {
        const LongType* info = getShape(list, k);
        if (info == nullptr)
          _result.add("shapes", "the shape of output " + std::to_string(k) + " is null");
        else
          _shapes->push_back(arrayOf(info));
      }
      deleteShapeList(list);
    }
    checkInputs(_result, _inputs);
  }

  bool placeOutputs() {
    std::vector<Array> wanted = _shapes.has_value() ? *_shapes : _call.outputs;
    if (wanted.size() > MOST_OUTPUTS) return false;
    LongType bytes = 0;
    for (const Array& array : wanted) {
      if (array.length() < 0 || array.length() > MOST_BYTES) return false;
      bytes += array.length() * std::max<LongType>(array.unit(), 1);
    }
    if (bytes > MOST_BYTES) return false;
    if (_call.entry == Entry::Evaluate || !_call.outputsGiven || _call.inPlace) return true;
    if (!_call.trustShapes)
      for (const OutputChange& change : _call.outputChanges) {
        const auto k = static_cast<size_t>(change.index);
        if (k > wanted.size()) continue;
        if (k == wanted.size()) wanted.push_back(Array::of(sd::FLOAT32, {2}));
        spoilOutput(wanted[k], _call.inputs, Random(change.seed));
        _spoiled = true;
      }
    _outputs.resize(wanted.size());
    for (size_t k = 0; k < wanted.size(); k++) {
      const Placed* other = nullptr;
      if (const int alias = wanted[k].alias; alias >= 0 && _call.inputs[static_cast<size_t>(alias)].given &&
                                             !_call.inputs[static_cast<size_t>(alias)].isString()) {
        other = &_inputs[static_cast<size_t>(alias)];
        if (wanted[k].shift == 0 && wanted[k].dims == other->array().dims) wanted[k].strides = other->array().strides;
        _aliased = true;
      }
      if (!_outputs[k].place(_memory, wanted[k], PATTERN, _call.atEnd, other)) return false;
    }
    return true;
  }

  struct Answer {
    bool ok;
    std::string message;
  };

  Answer answerOf(Status status) {
    Answer answer{succeeded(status), takeError()};
    if (answer.ok && !answer.message.empty()) _result.add("status", "OK, and an error is stored: " + answer.message);
    return answer;
  }

  Answer throughContext() {
    const auto [status, tookOutputs] =
        callThroughContext(_call, _op.getOpHash(), _inputs, _outputs, _shapes.has_value());
    _tookOutputs = tookOutputs;
    return answerOf(status);
  }

  Answer direct() {
    std::vector<void*> outputs, infos;
    for (const Placed& output : _outputs) {
      outputs.push_back(output.array().given ? output.data() : nullptr);
      infos.push_back(output.array().given ? output.info() : nullptr);
    }
    return answerOf(execCustomOp(nullptr, _op.getOpHash(), _buffers.data(), _infos.data(), counted(_buffers.size()),
                                 outputs.data(), infos.data(), counted(outputs.size()),
                                 const_cast<double*>(_call.t.data()), counted(_call.t.size()),
                                 const_cast<LongType*>(_call.i.data()), counted(_call.i.size()), _flags.get(),
                                 counted(_call.b.size()), _call.inPlace));
  }

  static std::unique_ptr<sd::NDArray> arrayOn(const Placed& placed) {
    if (!placed.array().given) return nullptr;
    return std::make_unique<sd::NDArray>(placed.data(), static_cast<const LongType*>(placed.info()));
  }

  Answer byClass() {
    std::vector<std::unique_ptr<sd::NDArray>> arrays;
    std::vector<sd::NDArray*> inputs, outputs;
    try {
      for (const Placed& input : _inputs) inputs.push_back(arrays.emplace_back(arrayOn(input)).get());
      for (const Placed& output : _outputs) outputs.push_back(arrays.emplace_back(arrayOn(output)).get());
    } catch (const std::exception&) {
      return {false, "[" + _call.op + "] the caller could not make an array"};
    }
    const std::vector<bool> flags(_call.b.begin(), _call.b.end());
    std::vector<DataType> types;
    for (int type : _call.d) types.push_back(static_cast<DataType>(type));
    try {
      if (_call.entry == Entry::Class) {
        const Status status = _op.execute(inputs, outputs, _call.t, _call.i, flags, types, _call.inPlace);
        return {succeeded(status), succeeded(status) ? "" : messageOf(status)};
      }
      const sd::ResultSet results = _op.evaluate(inputs, _call.t, _call.i, flags, types, _call.inPlace);
      if (results.status() == Status::OK && !_call.inPlace) compareShapes(results);
      return {succeeded(results.status()), succeeded(results.status()) ? "" : messageOf(results.status())};
    } catch (const std::exception& error) {
      return {false, error.what()};
    }
  }

  std::string messageOf(Status status) const {
    return status == Status::VALIDATION ? DeclarableOp::lastValidationMessage()
                                        : "[" + _call.op + "] status " + std::to_string(static_cast<int>(status));
  }

  void compareShapes(const sd::ResultSet& results) {
    const bool skipped = std::any_of(_call.inputs.begin(), _call.inputs.end(), [](const Array& a) { return !a.given; });
    // evaluate skips missing inputs; test_output_reshape exists to replace its output.
    if (skipped || _call.op == "test_output_reshape") return;
    if (!_shapes.has_value()) {
      _result.add("shapes", "evaluate works, calculateOutputShapes2 does not");
      return;
    }
    bool same = static_cast<size_t>(results.size()) == _shapes->size();
    for (size_t k = 0; same && k < _shapes->size(); k++) same = sameShape((*_shapes)[k], *results.at(k));
    if (!same) _result.add("shapes", "evaluate makes other outputs than calculateOutputShapes2 says");
  }

  /// Whether the entry accepts the same arguments as calculateOutputShapes2: not all accept inputs without memory or
  /// type arguments.
  bool takesAll() const {
    const bool memory =
        std::none_of(_call.inputs.begin(), _call.inputs.end(), [](const Array& a) { return a.nullBuffer; });
    return memory && (_call.entry != Entry::Direct || _call.d.empty());
  }

  Answer once() {
    if (_call.entry == Entry::Context || _call.entry == Entry::Buffers) return throughContext();
    return _call.entry == Entry::Direct ? direct() : byClass();
  }

  void execute() {
    const Answer answer = once();
    if (!answer.ok) {
      _result.outcome = Outcome::Refused;
      checkMessage(_result, _call.op, answer.message);
      checkRefused(_result, _inputs, _outputs, answer.message);
      if (_shapes.has_value() && !_spoiled && takesAll() &&
          answer.message.find("but the operation returns") != std::string::npos)
        _result.add("shapes", "the outputs have the shapes of calculateOutputShapes2, yet: " + answer.message);
      return;
    }
    _result.outcome = Outcome::Ok;
    const bool inputsMayChange = _aliased || _call.inPlace || changesInputs(_call.op);
    if (!inputsMayChange) checkInputs(_result, _inputs);
    for (size_t k = 0; k < _outputs.size(); k++)
      if (!_outputs[k].gapsUntouched())
        _result.add("outside", "bytes beside the elements of output " + std::to_string(k) + " were written");
    const auto& descriptor = *_op.describedDescriptor();
    if (inputsMayChange || descriptor.isRandom() || descriptor.readsOutputs() || descriptor.isDivergent() ||
        !_tookOutputs || leavesOutputs(_call) || !_result.findings.empty())
      return;
    compareRuns();
  }

  /// The results, without outputs that the operation does not have. Without shapes these are unknown.
  std::vector<Bytes> results() const {
    std::vector<Bytes> found;
    for (size_t k = 0; k < std::min(_outputs.size(), _shapes.has_value() && takesAll() ? _shapes->size() : 0); k++)
      if (_outputs[k].array().given && _outputs[k].array().lies.empty()) found.push_back(_outputs[k].elements());
    return found;
  }

  /// Runs the call twice more, on other patterns: results that change with the pattern were not written.
  void compareRuns() {
    const auto again = [&](uint8_t pattern) {
      for (Placed& output : _outputs) output.restore(pattern);
      return once().ok ? results() : std::vector<Bytes>();
    };
    const std::vector<Bytes> first = results();
    const std::vector<Bytes> second = again(OTHER_PATTERN);
    if (second == first) return;
    if (second.empty()) {
      _result.add("unsteady", "the same call fails when it is repeated");
      return;
    }
    const bool same = again(PATTERN) == first;
    size_t k = 0;
    while (second[k] == first[k]) k++;
    _result.add(
        same ? "unwritten" : "unsteady",
        (same ? "elements keep what they held: output " : "two equal calls differ: output ") + std::to_string(k));
  }
};

}  // namespace

Result runCustom(const Call& call, Memory& memory) { return CustomCall(call, memory).run(); }

}  // namespace fuzz
