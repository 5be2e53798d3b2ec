// The definition of an operation: inputs, arguments, outputs, traits, inference, gradient, documentation.
#ifndef NDFORGE_OPS_DECLARABLE_SCHEMA_H
#define NDFORGE_OPS_DECLARABLE_SCHEMA_H

#include <array/DataType.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/OpDescriptor.h>
#include <ops/declarable/PartialShape.h>
#include <system/common.h>

#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sd::ops {

class Gradient;
class Inference;
using InferenceFunction = void (*)(Inference& in);
using GradientFunction = void (*)(Gradient& g);

/// One input. The texts are literals: fragments in lower case that give the shape first, then the meaning.
class SD_LIB_EXPORT InputRow {
 public:
  InputRow(OpDescriptor& descriptor, int index, const char* name, const char* text)
      : _descriptor(&descriptor), _index(index), _name(name), _text(text) {}

  const char* name() const { return _name; }
  const char* text() const { return _text; }
  bool isOptional() const { return _optional; }
  bool isAny() const { return _any; }
  int leastRank() const { return _leastRank; }
  int mostRank() const { return _mostRank; }
  bool limitsRank() const { return _leastRank > 0 || _mostRank < SD_MAX_RANK; }
  bool acceptsRank(int rank) const { return rank >= _leastRank && rank <= _mostRank; }
  /// @throws std::invalid_argument, which says that the rank of `shape` is not accepted
  [[noreturn]] void rejectRank(const PartialShape& shape) const;
  /// Whether the shapes of the outputs depend on the values of this input.
  bool givesShapes() const { return _givesShapes; }
  bool isMoved() const { return _isMoved; }

  InputRow& types(std::initializer_list<DataType> types);
  InputRow& rank(int exactly) { return rank(exactly, exactly); }
  InputRow& rank(int least, int most) {
    _leastRank = least;
    _mostRank = most;
    return *this;
  }
  InputRow& rankAtLeast(int least) { return rank(least, SD_MAX_RANK); }
  /// The input may be absent: null, or missing at the end of the list.
  InputRow& optional();
  /// This row stands for any number of further inputs.
  InputRow& any();
  InputRow& shapesNeedValues() {
    _givesShapes = true;
    return *this;
  }
  /// The outputs consist of elements of such inputs, unchanged, and of zeros. The operation then moves strings too: it
  /// runs on their numbers, of which 0 is that of the empty string.
  InputRow& moved() {
    _isMoved = true;
    return *this;
  }

 private:
  OpDescriptor* _descriptor;
  int _index;
  const char *_name, *_text;
  bool _optional = false, _any = false, _givesShapes = false, _isMoved = false;
  int _leastRank = 0, _mostRank = SD_MAX_RANK;
};

struct OutputRow {
  const char *name, *text;
  /// When the output exists, as a fragment; empty: always.
  const char* condition = "";
  bool isAny = false;  ///< stands for any number of outputs

  OutputRow& any() {
    isAny = true;
    return *this;
  }
  OutputRow& when(const char* text_) {
    condition = text_;
    return *this;
  }
};

/// What the operation is called elsewhere; empty where there is nothing like it.
struct NamesElsewhere {
  const char *numpy = "", *torch = "", *tensorflow = "", *onnx = "";
};

/// Filled by DECLARE_SCHEMA(operation) { … } with statements such as
///   schema.summary("Maximum pooling.");
///   schema.input("x", "[N, C, iH, iW] or [N, iH, iW, C]").types({ALL_FLOATS}).rank(4);
///   schema.argument(&Pooling2d::kernel, "kernel", "window sizes [height, width]").atInteger(0).atLeast(1).require();
///   schema.output("y", "the layout and type of x");
/// Texts are literals, which are not copied.
class SD_LIB_EXPORT Schema {
 public:
  explicit Schema(OpDescriptor& descriptor) : _descriptor(&descriptor) {}

  // ---- writing

  InputRow& input(const char* name, const char* text);
  OutputRow& output(const char* name, const char* text);
  template <typename S, typename M>
  ArgumentRow& argument(M S::*member, const char* name, const char* text) {
    static const S example{};
    const auto offset = reinterpret_cast<const char*>(&(example.*member)) - reinterpret_cast<const char*>(&example);
    return argument(argumentStruct<S>, memberAccess<M>, static_cast<size_t>(offset), name, text);
  }
  Schema& infer(InferenceFunction function) {
    _inference = function;
    return *this;
  }
  /// The operation that computes the gradient. Its inputs and arguments are found by their names: those of this
  /// operation, and grad<Output> for the gradient of an output; its outputs are called grad<Input>.
  Schema& gradient(const char* operation) {
    _gradientOperation = operation;
    return *this;
  }
  /// A rule that computes the gradient with other operations.
  Schema& gradient(GradientFunction rule) {
    _gradientRule = rule;
    return *this;
  }
  Schema& notDifferentiable(const char* reason) {
    _notDifferentiable = reason;
    return *this;
  }

  Schema& summary(const char* text) { return set(_summary, text); }
  Schema& formula(const char* text) { return set(_formula, text); }
  Schema& note(const char* text) { return set(_note, text); }
  /// Where the formula is from.
  Schema& source(const char* text) { return set(_source, text); }
  /// Inputs and arguments of a worked example by their names, as a JSON object: {"x": [[1.0, 2.0]], "axis": [0]}.
  /// Numbers with a point are floats. {"type": "INT32", "values": […]} gives another type.
  Schema& example(const char* json) { return set(_example, json); }
  Schema& elsewhere(const NamesElsewhere& names) {
    _elsewhere = names;
    return *this;
  }
  /// Words that a search should find the operation by, separated by commas.
  Schema& words(const char* text) { return set(_words, text); }
  /// Related operations, separated by spaces.
  Schema& see(const char* operations) { return set(_see, operations); }

  // ---- types and traits

  /// The types of every input that has none of its own.
  Schema& inputTypes(std::initializer_list<DataType> types);
  Schema& outputTypes(std::initializer_list<DataType> types);
  Schema& outputTypes(int output, std::initializer_list<DataType> types);
  /// Output i has the type of input i, or of input 0 when there is no input i.
  Schema& sameTypes();
  /// The results depend on the context's random generator.
  Schema& random();
  /// Outputs that the caller does not give are zero-filled, since the operation reads them.
  Schema& readsOutputs();
  /// In place the results are others than in arrays of their own.
  Schema& differsInPlace() {
    _differsInPlace = true;
    return *this;
  }
  /// The body does not compute outputs that nobody reads (helpers::isUnread).
  Schema& skipsUnreadOutputs() {
    _skipsUnreadOutputs = true;
    return *this;
  }
  /// The integer argument of this name seeds a mask, which differs from one run of a plan to the next.
  Schema& maskSeed(const char* argument) { return set(_maskSeed, argument); }
  /// The operation writes outputs of any allowed type; otherwise they are converted.
  Schema& convertsOutputs();
  /// Output `output` shares the memory of input `input`.
  Schema& view(int output, int input);
  /// The operation does more than compute its outputs.
  Schema& sideEffect(const char* text) { return set(_sideEffect, text); }
  /// The numbered operation that computes each element, as "transform.Tanh".
  Schema& elementwise(const char* numbered) { return set(_elementwise, numbered); }
  /// The numbered operation that computes it along axes, as "reduce.Sum".
  Schema& reduction(const char* numbered) { return set(_reduction, numbered); }
  /// Exchanging inputs 0 and 1 does not change the result.
  Schema& commutative() {
    _commutative = true;
    return *this;
  }

  // ---- reading

  OpDescriptor& descriptor() const { return *_descriptor; }
  const std::vector<InputRow>& inputs() const { return _inputs; }
  const std::vector<OutputRow>& outputs() const { return _outputs; }
  const std::vector<ArgumentRow>& arguments() const { return _arguments; }
  const ArgumentRow* argument(std::string_view name) const;
  /// nullptr when the operation has no arguments.
  const ArgumentStruct* structure() const { return _structure; }
  InferenceFunction inference() const { return _inference; }
  const char* gradientOperation() const { return _gradientOperation; }
  GradientFunction gradientRule() const { return _gradientRule; }
  const char* notDifferentiable() const { return _notDifferentiable; }
  const char* summary() const { return _summary; }
  const char* formula() const { return _formula; }
  const char* note() const { return _note; }
  const char* source() const { return _source; }
  const char* example() const { return _example; }
  const NamesElsewhere& elsewhere() const { return _elsewhere; }
  const char* words() const { return _words; }
  const char* see() const { return _see; }
  const char* sideEffect() const { return _sideEffect; }
  const char* elementwise() const { return _elementwise; }
  const char* reduction() const { return _reduction; }
  bool isCommutative() const { return _commutative; }
  bool isDifferentInPlace() const { return _differsInPlace; }
  bool isSkippingUnreadOutputs() const { return _skipsUnreadOutputs; }
  /// The row of the argument that seeds a mask; nullptr when there is none.
  const ArgumentRow* maskSeed() const { return _maskSeed[0] == 0 ? nullptr : argument(_maskSeed); }
  bool limitsRanks() const { return _limitsRanks; }
  /// Whether the outputs consist of elements of inputs: see InputRow::moved().
  bool movesElements() const { return _movesElements; }
  /// Whether no argument has a reader, which may look at inputs.
  bool readsOnlyLists() const { return _readsOnlyLists; }
  /// The row of input `index`; nullptr when nothing is known about it.
  const InputRow* inputRow(int index) const;
  /// Whether there are inputs, arguments or outputs: false for operations that have a summary at most.
  bool isStated() const { return !_inputs.empty() || !_arguments.empty() || !_outputs.empty(); }

  /// Called once, after the last statement.
  void finish();

 private:
  OpDescriptor* _descriptor;
  std::vector<InputRow> _inputs;
  std::vector<OutputRow> _outputs;
  std::vector<ArgumentRow> _arguments;
  const ArgumentStruct* _structure = nullptr;
  InferenceFunction _inference = nullptr;
  const char* _gradientOperation = nullptr;
  GradientFunction _gradientRule = nullptr;
  const char *_notDifferentiable = nullptr, *_summary = "", *_formula = "", *_note = "", *_source = "", *_example = "",
             *_words = "", *_see = "", *_sideEffect = "", *_elementwise = "", *_reduction = "", *_maskSeed = "";
  NamesElsewhere _elsewhere;
  bool _commutative = false, _limitsRanks = false, _readsOnlyLists = true, _differsInPlace = false,
       _skipsUnreadOutputs = false, _movesElements = false;

  ArgumentRow& argument(const ArgumentStruct& structure, const MemberAccess& access, size_t offset, const char* name,
                        const char* text);
  Schema& set(const char*& member, const char* text) {
    member = text;
    return *this;
  }
};

}  // namespace sd::ops

#endif
