#include "GraphGenerator.h"

#include <algorithm>
#include <cmath>

#include "GraphGeneratorBuilder.h"
#include "call/argument_values.h"

namespace sd::graphtest {
namespace {

using Value = GraphBuilder::Value;
using Values = GraphBuilder::Values;
using Shape = std::vector<LongType>;

Shape shapeOf(const Value& value) { return value.array->getShapeAsVector(); }
DataType typeOf(const Value& value) { return value.array->dataType(); }

/// The steps that a graph is made of. Each adds some nodes; steps whose nodes do not fit add fewer or none.
class Steps {
 public:
  explicit Steps(GraphBuilder& builder) : _g(builder) {}

  void one() {
    if (_g.areSpecialValuesAllowed()) {
      switch (_g.below(6)) {
        case 0:
          return dense();
        case 1:
          return reduction();
        case 2:
          return movement();
        default:
          return chain();
      }
    }
    const int choice = _g.below(100);
    if (choice < 30) return example();
    if (choice < 55) return chain();
    if (choice < 64) return reduction();
    if (choice < 74) return movement();
    if (choice < 80) return dense();
    if (choice < 84) return convolution();
    if (choice < 87) return products();
    if (choice < 90) return attention();
    if (choice < 93) return casts();
    if (choice < 96) return several();
    if (choice < 98) return rows();
    repeated();
  }

 private:
  GraphBuilder& _g;

  Value firstOr(const Values& results, const Value& other) { return results.empty() ? other : results[0]; }

  /// Existing values as an array of this type and shape: reshaped, cut and repeated.
  Values adapted(const Value& value, DataType type, const Shape& shape) {
    LongType length = 1;
    for (const LongType size : shape) length *= size;
    if (length == 0 || value.array->lengthOf() == 0) return {};
    Value x = value;
    if (typeOf(x) != type) {
      const Values cast = _g.add("cast", {x}, {{"dtype", ops::typeArgument(type)}});
      if (cast.empty()) return {};
      x = cast[0];
    }
    if (shapeOf(x) == shape) return {x};
    const auto apply = [&](const char* op, const GraphBuilder::Arguments& arguments) {
      const Values results = _g.add(op, {x}, arguments);
      if (results.empty()) return false;
      x = results[0];
      return true;
    };
    if (x.array->lengthOf() != length) {
      if (x.array->rankOf() != 1 && !apply("reshape", {{"shape", ops::integersArgument({-1})}})) return {};
      if (x.array->lengthOf() < length &&
          !apply("tile", {{"repeats", ops::integersArgument({(length - 1) / x.array->lengthOf() + 1})}}))
        return {};
      if (x.array->lengthOf() > length &&
          !apply("slice", {{"begin", ops::integersArgument({0})}, {"size", ops::integersArgument({length})}}))
        return {};
    }
    if (shapeOf(x) != shape && !apply("reshape", {{"shape", ops::integersArgument(shape)}})) return {};
    return {x};
  }

  /// An operation with the arrays of its example, some of them computed by the graph.
  void example() {
    const KnownCall& known = _g.oneOf(knownCalls());
    for (int attempt = 0; attempt < 2; attempt++) {
      Values inputs;
      const bool plain = attempt == 1;
      for (size_t i = 0; i < known.inputs.size(); i++) {
        const ArrayPtr& array = known.inputs[i];
        if (array == nullptr) {
          inputs.push_back({ABSENT, nullptr});
          continue;
        }
        Values made;
        if (!plain && known.isData[i] && _g.chance(50))
          made = adapted(_g.anyValue(), array->dataType(), array->getShapeAsVector());
        if (made.empty()) made = {_g.variable(std::make_shared<NDArray>(array->dup()))};
        inputs.push_back(made[0]);
      }
      if (!_g.add(varied(known), inputs).empty()) return;
    }
  }

  /// The arguments of a numbered operation in one of the forms in which a node has them.
  GeneratedCall varied(const KnownCall& known) {
    GeneratedCall call = known.call;
    if (call.type == graph::OpType_CUSTOM) return call;
    const auto take = [&call](std::string_view name) {
      ops::ArgumentValue value;
      const auto found = std::find_if(call.named.begin(), call.named.end(),
                                      [name](const auto& argument) { return argument.first == name; });
      if (found == call.named.end()) return value;
      value = found->second;
      call.named.erase(found);
      return value;
    };
    if (_g.chance(50)) {
      const ops::ArgumentValue axis = take("axis");
      call.axes.assign(axis.integers.begin(), axis.integers.end());
    }
    if (_g.chance(50)) {
      const auto numbers = [](const ops::ArgumentValue& value) {
        return value.numbers.empty() ? std::vector<double>(value.integers.begin(), value.integers.end())
                                     : value.numbers;
      };
      const std::vector<double> scalar = numbers(take("scalar"));
      if (!scalar.empty()) call.scalar = scalar[0];
      call.floats = numbers(take("parameters"));
      if (call.type == graph::OpType_SCALAR || call.type == graph::OpType_SCALAR_BOOL)
        if (!call.scalar) call.scalar = 0.;
    }
    return call;
  }

  // ---- element by element

  Value unary(const Value& x) {
    if (_g.chance(40)) {
      const Values results = _g.add(varied(*_g.oneOf(activationCalls())), {x});
      if (!results.empty()) return results[0];
    }
    return firstOr(_g.add(varied(*_g.oneOf(callsOf(loops::OpFamily::Transform))), {x}), x);
  }

  Value withScalar(const Value& x) {
    GeneratedCall call = varied(*_g.oneOf(callsOf(loops::OpFamily::Scalar)));
    if (_g.chance(25)) {
      const Value scalar = _g.variable(typeOf(x), {}, 0.5, 2);
      call.scalar.reset();
      return firstOr(_g.add(call, {x, scalar}), x);
    }
    if (call.scalar) call.scalar = _g.uniform(0.25, 2);
    return firstOr(_g.add(call, {x}), x);
  }

  /// A shape that broadcasts with `shape`.
  Shape partner(Shape shape) {
    for (LongType& size : shape)
      if (_g.chance(25)) size = 1;
    if (!shape.empty() && _g.chance(25))
      shape.erase(shape.begin(), shape.begin() + 1 + _g.below(static_cast<int>(shape.size())));
    return shape;
  }

  Value binary(const Value& x) {
    if (_g.chance(25)) {
      // The numbered form: the same shape, or one sub-array along axes.
      GeneratedCall call = varied(*_g.oneOf(callsOf(loops::OpFamily::Pairwise)));
      return firstOr(_g.add(call, {x, _g.variable(typeOf(x), shapeOf(x), 0.25, 2)}), x);
    }
    if (x.array->rankOf() > 1 && _g.chance(15)) {
      GeneratedCall call = varied(*_g.oneOf(callsOf(loops::OpFamily::Broadcast)));
      const int axis = _g.below(x.array->rankOf());
      std::erase_if(call.named, [](const auto& argument) { return argument.first == "axis"; });
      call.axes = {axis};
      if (call.type == graph::OpType_CUSTOM) call.named.emplace_back("axis", ops::integersArgument({axis}));
      return firstOr(_g.add(call, {x, _g.variable(typeOf(x), {x.array->sizeAt(axis)}, 0.25, 2)}), x);
    }
    const GeneratedCall& call = _g.oneOf(broadcastingCalls())->call;
    for (int attempt = 0; attempt < 4; attempt++) {
      const Value y = _g.anyValue();
      if (typeOf(y) != typeOf(x) || !ShapeUtils::areShapesBroadcastable(*x.array, *y.array)) continue;
      const Values results = _g.chance(70) ? _g.add(call, {x, y}) : _g.add(call, {y, x});
      if (!results.empty()) return results[0];
      break;
    }
    const Value y = _g.variable(typeOf(x), partner(shapeOf(x)), 0.25, 2);
    return firstOr(_g.add(call, {x, y}), x);
  }

  /// Several in a row, with a reduction at the end now and then.
  void chain() {
    Value x = _g.anyValue(_g.chance(85));
    for (int left = 1 + _g.below(5); left > 0; left--) {
      const int choice = _g.below(10);
      x = choice < 4 ? unary(x) : choice < 7 ? binary(x) : withScalar(x);
      if (!x.array->isR() && _g.chance(50))
        x = firstOr(_g.add("cast", {x}, {{"dtype", ops::typeArgument(FLOAT32)}}), x);
    }
    if (_g.chance(30)) reduced(x);
  }

  // ---- others

  Value reduced(const Value& x) {
    const int rank = x.array->rankOf();
    GeneratedCall call;
    std::vector<LongType> axes;
    for (int axis = 0; axis < rank; axis++)
      if (_g.chance(50)) axes.push_back(_g.chance(30) ? axis - rank : axis);
    if (_g.chance(60)) {
      call = _g.oneOf(reductionCalls())->call;
    } else {
      static const loops::OpFamily FAMILIES[] = {loops::OpFamily::Reduce, loops::OpFamily::Reduce,
                                                 loops::OpFamily::Variance, loops::OpFamily::IndexReduce};
      call = varied(*_g.oneOf(callsOf(FAMILIES[_g.below(4)])));
    }
    call.axes.clear();
    std::erase_if(call.named, [](const auto& argument) { return argument.first == "axis"; });
    if (!axes.empty()) call.named.emplace_back("axis", ops::integersArgument(axes));
    if (call.op->schema().argument("keep_dims") != nullptr && _g.chance(50)) {
      std::erase_if(call.named, [](const auto& argument) { return argument.first == "keep_dims"; });
      call.named.emplace_back("keep_dims", ops::flagArgument(true));
    }
    return firstOr(_g.add(call, {x}), x);
  }

  void reduction() {
    const Value x = _g.anyValue();
    const Value y = reduced(x);
    // Normalised by the result, as softmax and layer normalisation are.
    if (_g.chance(40) && typeOf(x) == typeOf(y) && ShapeUtils::areShapesBroadcastable(*x.array, *y.array))
      _g.add(_g.chance(50) ? "subtract" : "divide", {x, y});
  }

  void movement() {
    const Value x = _g.anyValue(_g.chance(80));
    const int rank = x.array->rankOf();
    const Shape shape = shapeOf(x);
    switch (_g.below(11)) {
      case 0: {
        _g.add("reshape", {x}, {{"shape", ops::integersArgument({-1})}});
        return;
      }
      case 1: {
        Shape other(shape);
        std::reverse(other.begin(), other.end());
        _g.add("reshape", {x}, {{"shape", ops::integersArgument(other)}});
        return;
      }
      case 2:
      case 3: {
        Shape permutation(shape.size());
        for (size_t i = 0; i < permutation.size(); i++) permutation[i] = static_cast<LongType>(i);
        for (size_t i = permutation.size(); i > 1; i--)
          std::swap(permutation[i - 1], permutation[static_cast<size_t>(_g.below(static_cast<int>(i)))]);
        const Values results =
            _g.add(_g.chance(50) ? "permute" : "transpose", {x}, {{"permutation", ops::integersArgument(permutation)}});
        // Back again, which passes remove.
        if (results.empty() || !_g.chance(30)) return;
        Shape back(permutation.size());
        for (size_t i = 0; i < back.size(); i++) back[static_cast<size_t>(permutation[i])] = static_cast<LongType>(i);
        _g.add("permute", results, {{"permutation", ops::integersArgument(back)}});
        return;
      }
      case 4:
      case 5: {
        Shape begin, size;
        for (const LongType n : shape) {
          begin.push_back(_g.below(static_cast<int>(n)));
          size.push_back(1 + _g.below(static_cast<int>(n - begin.back())));
        }
        _g.add("slice", {x}, {{"begin", ops::integersArgument(begin)}, {"size", ops::integersArgument(size)}});
        return;
      }
      case 6: {
        if (rank == 0) return;
        Shape begin(shape.size(), 0), stride(shape.size());
        for (LongType& step : stride) step = 1 + _g.below(2);
        _g.add("strided_slice", {x},
               {{"begin", ops::integersArgument(begin)},
                {"end", ops::integersArgument(shape)},
                {"stride", ops::integersArgument(stride)}});
        return;
      }
      case 7: {
        const Values results = _g.add("expand_dims", {x}, {{"axis", ops::integersArgument({_g.below(rank + 1)})}});
        if (!results.empty() && _g.chance(50)) _g.add("squeeze", results);
        return;
      }
      case 8: {
        if (rank == 0) return;
        _g.add("concat", {x, _g.chance(50) ? x : _g.variable(typeOf(x), shape)},
               {{"axis", ops::integersArgument({_g.below(rank)})}});
        return;
      }
      case 9: {
        if (rank == 0) return;
        const Value indices = _g.plainVariable(_g.randomArray(INT32, {3}));
        for (LongType i = 0; i < 3; i++) indices.array->p<LongType>(i, _g.below(static_cast<int>(shape[0])));
        _g.add("gather", {x, indices}, {{"axis", ops::integersArgument({0})}});
        return;
      }
      default: {
        Value y = x;
        for (int left = 1 + _g.below(3); left > 0; left--) y = firstOr(_g.add("identity", {y}), y);
      }
    }
  }

  /// A value with rows: [m, n].
  Value matrix(LongType n) {
    const Values made = adapted(_g.anyValue(), _g.chance(80) ? FLOAT32 : DOUBLE, {2 + _g.below(4), n});
    return made.empty() ? _g.variable(FLOAT32, {3, n}) : made[0];
  }

  Value activated(const Value& x) {
    static const std::vector<const char*> NAMES{"relu", "tanh", "sigmoid", "softplus", "elu", "swish", "relu6"};
    return firstOr(_g.add(_g.oneOf(NAMES), {x}), x);
  }

  void dense() {
    Value x = matrix(2 + _g.below(6));
    for (int left = 1 + _g.below(3); left > 0; left--) {
      const LongType n = x.array->sizeAt(1), k = 1 + _g.below(8);
      const bool transposed = _g.chance(25);
      const Value w = _g.variable(typeOf(x), transposed ? Shape{k, n} : Shape{n, k});
      const Value b = _g.variable(typeOf(x), {k});
      if (!transposed && _g.chance(30)) {
        x = firstOr(_g.add("xw_plus_b", {x, w, b}), x);
      } else {
        GraphBuilder::Arguments arguments;
        if (transposed) arguments.emplace_back("transpose_b", ops::flagArgument(true));
        const Values product = _g.add("matmul", {x, w}, arguments);
        if (product.empty()) return;
        x = firstOr(_g.add(_g.chance(60) ? "biasadd" : "add", {product[0], b}), product[0]);
      }
      if (_g.chance(80)) x = activated(x);
    }
    if (_g.chance(25)) _g.add(_g.chance(50) ? "softmax" : "log_softmax", {x});
  }

  /// Several products of one value.
  Values productsOf(const Value& x, int count, LongType width) {
    Values results;
    for (int i = 0; i < count; i++) {
      const Values product = _g.add("matmul", {x, _g.variable(typeOf(x), {x.array->sizeAt(1), width})});
      if (product.empty()) return {};
      results.push_back(product[0]);
    }
    return results;
  }

  void products() {
    const Values results = productsOf(matrix(3), 2 + _g.below(3), 1 + _g.below(4));
    for (size_t i = 1; i < results.size(); i++)
      _g.add(_g.chance(50) ? "add" : "multiply", {results[i - 1], results[i]});
  }

  /// softmax(q·kᵀ / sqrt(d))·v
  void attention() {
    const LongType width = 2 + _g.below(4);
    const Values qkv = productsOf(matrix(4), 3, width);
    if (qkv.empty()) return;
    const Values scores = _g.add("matmul", {qkv[0], qkv[1]}, {{"transpose_b", ops::flagArgument(true)}});
    if (scores.empty()) return;
    Value x = scores[0];
    const double d = std::sqrt(static_cast<double>(width));
    if (_g.chance(50)) {
      const auto divisor = std::make_shared<NDArray>(typeOf(x));
      divisor->p<double>(0, d);
      x = firstOr(_g.add("divide", {x, _g.variable(divisor)}), x);
    } else {
      for (const KnownCall* known : callsOf(loops::OpFamily::Scalar))
        if (known->call.name() == "scalar.Multiply") {
          GeneratedCall call = known->call;
          call.named.clear();
          call.scalar = 1 / d;
          x = firstOr(_g.add(call, {x}), x);
          break;
        }
    }
    if (_g.chance(30)) x = firstOr(_g.add("add", {x, _g.variable(typeOf(x), shapeOf(x), -3, 0)}), x);
    const Values weights = _g.add("softmax", {x});
    if (!weights.empty()) _g.add("matmul", {weights[0], qkv[2]});
  }

  void convolution() {
    const LongType channels = 1 + _g.below(3), filters = 1 + _g.below(4), side = 4 + _g.below(3);
    const Values made = adapted(_g.anyValue(), FLOAT32, {1, channels, side, side});
    if (made.empty()) return;
    const LongType kernel = 1 + _g.below(3);
    Values inputs{made[0], _g.variable(FLOAT32, {kernel, kernel, channels, filters})};
    const Value bias = _g.variable(FLOAT32, {filters});
    const bool inside = _g.chance(30);
    if (inside) inputs.push_back(bias);
    GraphBuilder::Arguments arguments{{"kernel", ops::integersArgument({kernel, kernel})}};
    if (_g.chance(50)) arguments.emplace_back("padding_mode", ops::choiceArgument("same"));
    const Values convolved = _g.add("conv2d", inputs, arguments);
    if (convolved.empty()) return;
    Value x = convolved[0];
    if (!inside) x = firstOr(_g.add("biasadd", {x, bias}, {{"channels_first", ops::flagArgument(true)}}), x);
    if (_g.chance(80)) x = activated(x);
    if (_g.chance(40))
      _g.add(_g.chance(50) ? "maxpool2d" : "avgpool2d", {x},
             {{"kernel", ops::integersArgument({2, 2})}, {"stride", ops::integersArgument({2, 2})}});
  }

  void casts() {
    const Value x = _g.anyValue(false);
    static const std::vector<DataType> TYPES{FLOAT32, DOUBLE, HALF, BFLOAT16, INT32, INT64, BOOL};
    const DataType type = _g.oneOf(TYPES);
    const Values results = _g.add("cast", {x}, {{"dtype", ops::typeArgument(type)}});
    if (results.empty() || !_g.chance(50)) return;
    const Value y = unary(results[0]);
    _g.add("cast", {y}, {{"dtype", ops::typeArgument(typeOf(x))}});
  }

  /// Operations with several results, which other nodes read.
  void several() {
    const Value x = _g.anyValue();
    const int rank = x.array->rankOf();
    if (rank == 0) return;
    const int axis = _g.below(rank);
    const LongType size = x.array->sizeAt(axis);
    Values parts;
    switch (_g.below(3)) {
      case 0:
        parts = _g.add("unstack", {x}, {{"axis", ops::integersArgument({axis})}});
        break;
      case 1:
        parts = _g.add("split", {x},
                       {{"num_splits", ops::integersArgument({size})}, {"axis", ops::integersArgument({axis})}});
        break;
      default:
        parts = _g.add("moments", {x}, {{"axis", ops::integersArgument({axis})}});
    }
    if (parts.size() < 2) return;
    const Value sum = firstOr(_g.add("add", {parts.front(), parts.back()}), x);
    if (_g.chance(40)) _g.add("stack", {sum, parts.front()}, {{"axis", ops::integersArgument({0})}});
  }

  /// Rows first..end of a value, cut out in different ways.
  Value someRows(const Value& x, LongType first, LongType end) {
    const LongType count = x.array->sizeAt(0);
    if (_g.chance(30) && first > 0 && end == count) {
      const Value sizes = _g.plainVariable(_g.randomArray(INT64, {2}));
      sizes.array->p<LongType>(0, first);
      sizes.array->p<LongType>(1, count - first);
      const Values parts = _g.add("split_v", {x, sizes}, {{"axis", ops::integersArgument({0})}});
      return parts.size() == 2 ? parts[1] : x;
    }
    Shape begin(shapeOf(x).size(), 0), size(shapeOf(x));
    begin[0] = first;
    size[0] = end - first;
    if (_g.chance(50))
      return firstOr(
          _g.add("slice", {x}, {{"begin", ops::integersArgument(begin)}, {"size", ops::integersArgument(size)}}), x);
    const bool isOne = end == first + 1 && _g.chance(50);  // and its dimension is removed
    return firstOr(_g.add("strided_slice", {x},
                          {{"begin", ops::integersArgument({first - (_g.chance(50) ? count : 0)})},
                           {"end", ops::integersArgument({end})},
                           {"stride", ops::integersArgument({1})},
                           {"shrink_axis_mask", ops::integersArgument({isOne ? 1 : 0})}}),
                   x);
  }

  /// Rows of a value, computed apart and joined, and readers of all that is on the way: parts of the same memory.
  void rows() {
    const Value x = _g.anyValue();
    if (x.array->rankOf() == 0 || x.array->lengthOf() == 0) return;
    const LongType count = x.array->sizeAt(0);
    Values parts;
    for (int left = 2 + _g.below(2); left > 0; left--) {
      const LongType first = _g.below(static_cast<int>(count));
      const LongType end = _g.chance(60) ? count : first + 1 + _g.below(static_cast<int>(count - first));
      Value part = someRows(x, first, end);
      for (int steps = _g.below(3); steps > 0; steps--) part = activated(part);
      parts.push_back(part);
    }
    const Values all = _g.add(_g.chance(80) ? "concat" : "stack", parts, {{"axis", ops::integersArgument({0})}});
    if (all.empty()) return;
    const Value result = activated(all[0]);
    if (_g.chance(50)) activated(parts[0]);
    if (_g.chance(30)) _g.add("concat", {result, all[0]}, {{"axis", ops::integersArgument({0})}});
  }

  /// A node that computes what an earlier one computes, and a reader of both.
  void repeated() {
    const Value x = _g.anyValue();
    const auto& known = *_g.oneOf(activationCalls());
    const Values first = _g.add(known.call, {x}), second = _g.add(known.call, {x});
    if (!first.empty() && !second.empty()) _g.add("multiply", {first[0], second[0]});
  }
};

}  // namespace

GeneratedGraph generateGraph(uint64_t seed) {
  GraphBuilder builder(seed);
  const bool special = builder.chance(8);
  if (special) builder.allowSpecialValues();
  Steps steps(builder);
  for (int left = 1 + builder.below(3); left > 0; left--)
    builder.variable(builder.randomFloatType(), builder.randomShape());
  const int size = 1 + builder.below(builder.chance(50) ? 10 : 36);
  for (int attempt = 0; builder.size() < size && attempt < 200; attempt++) steps.one();
  return builder.finish(special ? "special" : "plain");
}

}  // namespace sd::graphtest
