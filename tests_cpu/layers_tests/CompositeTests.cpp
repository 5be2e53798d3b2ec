// Composites compute what separate calls compute, bit for bit.
#include <gtest/gtest.h>
#include <system/Environment.h>

#include <functional>

#include "AllocationCount.h"
#include "CompositeCases.h"
#include "loops/OpInfo.h"

using namespace sd;
using namespace sd::composites;
using numbered::facts;
using numbered::isBuilt;
using numbered::LAYOUTS;

namespace {

constexpr DataType TYPES[] = {FLOAT32, DOUBLE, HALF,   BFLOAT16, INT8,   INT16, INT32,
                              INT64,   UINT8,  UINT16, UINT32,   UINT64, BOOL};
constexpr DataType FLOATS[] = {FLOAT32, DOUBLE, HALF, BFLOAT16};

/// Chains over one type: x * 2 + y, tanh, times z.
Program chain(DataType type) {
  return {{type, type, type, type},
          {{OpGroup::Scalar, number(OpGroup::Scalar, "Multiply"), 0, 3, type},
           {OpGroup::Pairwise, number(OpGroup::Pairwise, "Add"), 4, 1, type},
           {OpGroup::TransformStrict, number(OpGroup::TransformStrict, "Tanh"), 5, -1, type},
           {OpGroup::Broadcast, number(OpGroup::Broadcast, "Multiply"), 6, 2, type}},
          {},
          std::nullopt};
}

CompositeReduction sumOf(int value, DataType type, loops::Axes axes = {}) {
  return {OpGroup::ReduceSame, number(OpGroup::ReduceSame, "Sum"), value, std::move(axes), false, type};
}

std::vector<TestArray> inputsOf(const std::vector<DataType>& types, const std::vector<Dims>& dims, Layout layout,
                                unsigned seed, bool special = false) {
  std::mt19937 random(seed);
  std::vector<TestArray> inputs;
  for (size_t i = 0; i < types.size(); ++i) inputs.push_back(randomArray(types[i], dims[i], layout, random, special));
  return inputs;
}

/// Random programs whose outputs have the shape of the first input.
class Generator {
 public:
  explicit Generator(unsigned seed) : _random(seed) {}

  bool make(Program& program, std::vector<TestArray>& inputs, const Dims& space) {
    std::vector<Dims> dims;
    const DataType base = anyType();
    const size_t count = 1 + _random() % 5;
    for (size_t i = 0; i < count; ++i) {
      program.types.push_back(_random() % 4 == 0 ? anyType() : base);
      dims.push_back(i == 0 ? space : part(space));
    }
    const bool special = _random() % 2 == 0;  // NaN would hide differences between sums
    for (size_t i = 0; i < count; ++i)
      inputs.push_back(
          randomArray(program.types[i], dims[i], LAYOUTS[_random() % std::size(LAYOUTS)], _random, special));
    std::vector<DataType> types = program.types;  // of all values
    const size_t steps = 1 + _random() % 9;
    for (int tries = 0; program.steps.size() < steps && tries < 400; ++tries) {
      const CompositeStep step = anyStep(types);
      if (Composite::whyNot(step, types, static_cast<int>(count)) != nullptr) continue;
      const auto& op = loops::opInfo(step.group, step.number);
      if (op.divisor != simdOps::Divisor::None && types[static_cast<size_t>(step.x)] == BOOL) continue;
      program.steps.push_back(step);
      types.push_back(step.result);
      const Dims& x = dims[static_cast<size_t>(step.x)];
      dims.push_back(step.y < 0 ? x : broadcastOf(x, dims[static_cast<size_t>(step.y)]));
    }
    std::vector<int> full;
    for (size_t v = count; v < types.size(); ++v)
      if (dims[v] == space) full.push_back(static_cast<int>(v));
    if (full.empty()) return false;
    const bool reduces = _random() % 2 == 0;
    if (!reduces || _random() % 3 == 0) program.outputs.push_back(full.back());
    while (_random() % 3 == 0) program.outputs.push_back(full[_random() % full.size()]);
    if (reduces) {
      const int value = full[_random() % full.size()];
      for (int tries = 0; tries < 400 && !program.reduction; ++tries) {
        CompositeReduction r = anyReduction(value, types, space);
        if (Composite::whyNot(r, types) == nullptr) program.reduction = r;
      }
    }
    return !program.outputs.empty() || program.reduction;
  }

  std::mt19937& random() { return _random; }

 private:
  DataType anyType() {
    for (;;)
      if (const DataType type = TYPES[_random() % std::size(TYPES)]; isBuilt(type)) return type;
  }
  DataType anyFloat() {
    for (;;)
      if (const DataType type = FLOATS[_random() % std::size(FLOATS)]; isBuilt(type)) return type;
  }
  DataType resultOf(OpGroup group, DataType x) {
    switch (loops::traitsOf(group).result) {
      case loops::ResultTypes::Truth:
        return BOOL;
      case loops::ResultTypes::Counts:
        return INT64;
      case loops::ResultTypes::Real:
        return anyFloat();
      case loops::ResultTypes::Any:
        return anyType();
      default:
        return x;
    }
  }

  Dims part(const Dims& space) {
    Dims dims = space;
    if (_random() % 2) return dims;
    for (LongType& d : dims)
      if (_random() % 2) d = 1;
    const size_t drop = dims.empty() ? 0 : _random() % (dims.size() + 1);
    for (size_t i = 0; i < drop && (dims[0] == 1 || _random() % 2); ++i) dims.erase(dims.begin());
    return dims;
  }

  CompositeStep anyStep(const std::vector<DataType>& types) {
    const auto& ops = loops::numberedOps();
    const auto& op = ops[_random() % ops.size()];
    const bool binary = loops::traitsOf(op.group).family != loops::OpFamily::Transform;
    const auto value = [&] {
      // mostly recent values, so that chains become long
      const size_t back = _random() % 2 ? _random() % types.size() : _random() % std::min<size_t>(2, types.size());
      return static_cast<int>(types.size() - 1 - back);
    };
    CompositeStep step{op.group, op.number, value(), binary ? value() : -1, FLOAT32};
    step.result = resultOf(op.group, types[static_cast<size_t>(step.x)]);
    for (int i = 0; i < op.maxParams; ++i) step.params.push_back(static_cast<double>(1 + _random() % 3));
    return step;
  }

  CompositeReduction anyReduction(int value, const std::vector<DataType>& types, const Dims& space) {
    const auto& ops = loops::numberedOps();
    const auto& op = ops[_random() % ops.size()];
    CompositeReduction r{op.group, op.number, value, {}, _random() % 2 == 0, FLOAT32};
    r.result = resultOf(op.group, types[static_cast<size_t>(value)]);
    for (int i = 0; i < op.maxParams; ++i) r.params.push_back(static_cast<double>(1 + _random() % 3));
    for (int axis = 0; axis < static_cast<int>(space.size()); ++axis)
      if (_random() % 2) r.axes.push_back(_random() % 2 ? axis : axis - static_cast<int>(space.size()));
    return r;
  }

  std::mt19937 _random;
};

TEST(Composite, randomProgramsHaveTheBitsOfSeparateCalls) {
  const std::vector<Dims> spaces = {{1000},    {7, 33},    {3, 5, 129}, {40, 300},   {6, 2, 10}, {},
                                    {1},       {513, 3},   {2, 1025},   {17, 1, 19}, {2049},     {3, 2, 1, 4, 5},
                                    {130, 31}, {5, 2, 600}};
  int made = 0;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    Generator generator(seed);
    Program program;
    std::vector<TestArray> inputs;
    if (!generator.make(program, inputs, spaces[seed % spaces.size()])) continue;
    ++made;
    expectSameBits(program, inputs, LAYOUTS[generator.random()() % std::size(LAYOUTS)], {1, 2});
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GE(made, 1000);
}

TEST(Composite, largeRandomProgramsOnSeveralThreads) {
  const std::vector<Dims> spaces = {{300000}, {600, 500}, {100000, 3}, {3, 100000}, {40, 75, 100}};
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Generator generator(seed + 5000);
    Program program;
    std::vector<TestArray> inputs;
    if (!generator.make(program, inputs, spaces[seed % spaces.size()])) continue;
    expectSameBits(program, inputs, Layout::C, {1, 2, 7});
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(Composite, lengthsAroundTheBordersOfTiles) {
  for (DataType type : FLOATS) {
    if (!isBuilt(type)) continue;
    for (LongType n : {1,   2,   7,   8,    9,    63,   64,   65,   127,  128,   255,   256,   257,
                       511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 65535, 65536, 65537, 131073}) {
      auto inputs = inputsOf(chain(type).types, {{n}, {n}, {n}, {}}, Layout::C, 3, true);
      Program program = chain(type);
      expectSameBits(program, inputs, Layout::C);
      inputs = inputsOf(chain(type).types, {{n}, {n}, {n}, {}}, Layout::C, 3);
      program.reduction = sumOf(7, type);
      expectSameBits(program, inputs, Layout::C, {1, 2});
      program.outputs = {7, 5};
      expectSameBits(program, inputs, Layout::EverySecond);
      ASSERT_FALSE(HasFailure()) << n;
    }
  }
}

TEST(Composite, reductionsOverAllAxes) {
  const struct {
    OpGroup group;
    const char* name;
    DataType x, z;
  } rows[] = {{OpGroup::ReduceSame, "Sum", FLOAT32, FLOAT32},     {OpGroup::ReduceSame, "Max", FLOAT32, FLOAT32},
              {OpGroup::ReduceSame, "Sum", HALF, HALF},           {OpGroup::ReduceSame, "Prod", DOUBLE, DOUBLE},
              {OpGroup::ReduceSame, "Sum", INT32, INT32},         {OpGroup::ReduceFloat, "Mean", FLOAT32, FLOAT32},
              {OpGroup::ReduceFloat, "Mean", FLOAT32, DOUBLE},    {OpGroup::ReduceFloat, "Norm2", BFLOAT16, FLOAT32},
              {OpGroup::ReduceFloat, "Mean", INT64, FLOAT32},     {OpGroup::ReduceBool, "Any", FLOAT32, BOOL},
              {OpGroup::ReduceLong, "CountNonZero", HALF, INT64}, {OpGroup::ReduceSame, "AMax", DOUBLE, DOUBLE}};
  const std::vector<Dims> spaces = {{7, 33, 65}, {2100, 3},   {3, 2100},    {130, 700},   {140000},
                                    {2, 70000},  {5, 700, 5}, {3000, 4, 9}, {9, 1, 40, 3}};
  for (const auto& row : rows) {
    const int op = number(row.group, row.name);
    if (!isBuilt(row.x) || !isBuilt(row.z) || op < 0) continue;
    for (const Dims& space : spaces) {
      const auto rank = static_cast<unsigned>(space.size());
      Dims line(1, space.back()), column = space;
      column.back() = 1;
      for (const Dims& other : {space, line, column}) {
        auto inputs = inputsOf({row.x, row.x}, {space, other}, Layout::C, rank);
        for (unsigned chosen = 0; chosen < 1u << rank; ++chosen) {
          Program program{{row.x, row.x},
                          {{OpGroup::Pairwise, number(OpGroup::Pairwise, "Multiply"), 0, 1, row.x}},
                          {},
                          CompositeReduction{row.group, op, 2, {}, false, row.z}};
          for (unsigned axis = 0; axis < rank; ++axis)
            if (chosen >> axis & 1u) program.reduction->axes.push_back(static_cast<int>(axis));
          expectSameBits(program, inputs, Layout::C, {1, 2});
          ASSERT_FALSE(HasFailure()) << row.name << " " << facts(row.x).name << " " << numbered::textOf(space);
        }
      }
    }
  }
}

TEST(Composite, largeOutputsGoPastTheCaches) {
  // offsets of one element: the first tile ends at a cache line
  constexpr LongType N = 6000001;
  std::vector<float> x(N), expected(N), a(N + 16), b(N + 16);
  std::mt19937 random(1);
  for (float& value : x) value = static_cast<float>(random() >> 8) / 8388608.0f - 1.0f;
  const auto info = numbered::shapeInfoOf(FLOAT32, {N}, {1}, 'c');
  const int neg = number(OpGroup::TransformSame, "Neg"), square = number(OpGroup::TransformSame, "Square");
  const Composite composite(
      {FLOAT32}, {{OpGroup::TransformSame, neg, 0, -1, FLOAT32}, {OpGroup::TransformSame, square, 1, -1, FLOAT32}},
      {1, 2});
  auto prepared = composite.prepare({info.data()}, {info.data(), info.data()});
  for (int shift : {0, 1, 5}) {
    for (int threads : {1, 2}) {
      const ThreadCount scope(threads);
      std::fill(a.begin(), a.end(), 7.0f);
      std::fill(b.begin(), b.end(), 7.0f);
      const void* in[] = {x.data()};
      void* out[] = {a.data() + shift, b.data() + 1};
      prepared.run(in, out);
      LongType wrong = 0;
      for (size_t i = 0; i < x.size(); ++i)
        wrong += a[i + static_cast<size_t>(shift)] != -x[i] || b[i + 1] != x[i] * x[i];
      EXPECT_EQ(wrong, 0) << shift;
      EXPECT_EQ(a[static_cast<size_t>(N + shift)], 7.0f);
      EXPECT_EQ(b[0], 7.0f);
    }
  }
  // in place, it may not
  std::vector<float> copy = x;
  const void* in[] = {copy.data()};
  void* out[] = {copy.data(), b.data()};
  prepared.run(in, out);
  LongType wrong = 0;
  for (size_t i = 0; i < x.size(); ++i) wrong += copy[i] != -x[i] || b[i] != x[i] * x[i];
  EXPECT_EQ(wrong, 0);
}

TEST(Composite, outputsMayBeInputs) {
  // the first output replaces an input that later steps read
  for (DataType type : {FLOAT32, HALF, INT32}) {
    if (!isBuilt(type)) continue;
    for (Layout layout : LAYOUTS) {
      const int add = number(OpGroup::Pairwise, "Add"), multiply = number(OpGroup::Pairwise, "Multiply");
      const Program program{{type, type},
                            {{OpGroup::Pairwise, add, 0, 1, type},
                             {OpGroup::Pairwise, multiply, 2, 0, type},
                             {OpGroup::Pairwise, add, 3, 1, type}},
                            {2, 3, 4},
                            std::nullopt};
      auto inputs = inputsOf(program.types, {{37, 50}, {37, 50}}, layout, 4);
      const auto values = separately(program, inputs);
      TestArray last(type, {37, 50}, Layout::C);
      const Composite composite(program.types, program.steps, program.outputs);
      const LongType *x = inputs[0].info().data(), *y = inputs[1].info().data();
      auto prepared = composite.prepare({x, y}, {x, y, last.info().data()});
      const void* in[] = {inputs[0].in().data, inputs[1].in().data};
      void* out[] = {inputs[0].out().data, inputs[1].out().data, last.out().data};
      prepared.run(in, out);
      EXPECT_EQ(difference(inputs[0], values[2]), "") << numbered::nameOf(layout);
      EXPECT_EQ(difference(inputs[1], values[3]), "") << numbered::nameOf(layout);
      EXPECT_EQ(difference(last, values[4]), "") << numbered::nameOf(layout);
    }
  }
}

TEST(Composite, emptyArrays) {
  Program program = chain(FLOAT32);
  for (const Dims& dims : {Dims{0}, Dims{3, 0}, Dims{0, 4}}) {
    auto inputs = inputsOf(program.types, {dims, dims, dims, {}}, Layout::C, 1);
    program.outputs = {7};
    program.reduction.reset();
    expectSameBits(program, inputs, Layout::C);
    for (const char* name : {"Sum", "Max", "Prod"}) {
      for (const loops::Axes& axes : {loops::Axes{}, loops::Axes{0}}) {
        program.reduction = sumOf(7, FLOAT32, axes);
        program.reduction->number = number(OpGroup::ReduceSame, name);
        expectSameBits(program, inputs, Layout::C);
      }
    }
  }
}

TEST(Composite, runsDoNotAllocate) {
  for (const Dims& dims : {Dims{10}, Dims{300000}, Dims{3, 100000}, Dims{100000, 3}}) {
    Program program = chain(FLOAT32);
    for (int form = 0; form < 4; ++form) {
      if (form > 0) program.reduction = sumOf(7, FLOAT32, form == 1 ? loops::Axes{} : loops::Axes{form == 2 ? 0 : -1});
      if (form > 0) program.outputs.clear();
      const Composite composite(program.types, program.steps, program.outputs, program.reduction);
      auto inputs = inputsOf(program.types, {dims, dims, Dims{dims.back()}, {}}, Layout::C, 1);
      std::vector<const LongType*> infos;
      std::vector<const void*> in;
      std::vector<loops::CompositeShape> shapes;
      for (TestArray& x : inputs) {
        infos.push_back(x.info().data());
        in.push_back(x.in().data);
        shapes.push_back(x.dims());
      }
      TestArray z(FLOAT32, composite.outputShape(0, shapes), Layout::C);
      auto prepared = composite.prepare(infos, {z.info().data()});
      void* out[] = {z.out().data};
      for (int threads : {1, 2}) {
        const ThreadCount scope(threads);
        prepared.run(in.data(), out);
        const long long before = sd_test::allocationCount();
        for (int i = 0; i < 3; ++i) prepared.run(in.data(), out);
        EXPECT_EQ(sd_test::allocationCount(), before) << numbered::textOf(dims) << " form " << form;
      }
    }
  }
  const long long before = sd_test::allocationCount();
  ::operator delete(::operator new(1));  // the counter counts
  EXPECT_GT(sd_test::allocationCount(), before);
}

template <typename E>
void expectError(const std::function<void()>& call, const std::string& text) {
  try {
    call();
    ADD_FAILURE() << "accepted: " << text;
  } catch (const E& e) {
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
    EXPECT_EQ(std::string(e.what()).front(), '[') << e.what();
  }
}

TEST(Composite, badPrograms) {
  const int add = number(OpGroup::Pairwise, "Add"), tanh = number(OpGroup::TransformStrict, "Tanh");
  const int divide = number(OpGroup::Pairwise, "Divide");
  const struct {
    std::vector<DataType> types;
    std::vector<CompositeStep> steps;
    const char* text;
  } rows[] = {
      {{FLOAT32}, {}, "there are no steps"},
      {{}, {{OpGroup::Pairwise, add, 0, 0, FLOAT32}}, "there are no inputs"},
      {{UTF8}, {{OpGroup::Pairwise, add, 0, 0, UTF8}}, "input 0: it has no numeric type"},
      {{FLOAT32}, {{OpGroup::Pairwise, 63, 0, 0, FLOAT32}}, "there is no operation with this number"},
      {{FLOAT32}, {{OpGroup::Pairwise, -1, 0, 0, FLOAT32}}, "there is no operation with this number"},
      {{FLOAT32}, {{static_cast<OpGroup>(77), 0, 0, 0, FLOAT32}}, "the group is not element-wise"},
      {{FLOAT32}, {{OpGroup::Random, 0, 0, 0, FLOAT32}}, "the group is not element-wise"},
      {{FLOAT32}, {{OpGroup::Pairwise, add, 0, 1, FLOAT32}}, "y is not a value that comes before it"},
      {{FLOAT32}, {{OpGroup::Pairwise, add, -1, 0, FLOAT32}}, "x is not a value that comes before it"},
      {{FLOAT32}, {{OpGroup::TransformStrict, tanh, 0, 0, FLOAT32}}, "there is no y"},
      {{FLOAT32, DOUBLE}, {{OpGroup::Pairwise, add, 0, 1, FLOAT32}}, "x and y have different types"},
      {{FLOAT32}, {{OpGroup::Pairwise, add, 0, 0, DOUBLE}}, "the result has the type of x"},
      {{INT32}, {{OpGroup::TransformStrict, tanh, 0, -1, INT32}}, "x needs a floating-point type"},
      {{FLOAT32}, {{OpGroup::PairwiseInt, 0, 0, 0, FLOAT32}}, "x needs an integer type"},
      {{FLOAT32}, {{OpGroup::PairwiseBool, 0, 0, 0, FLOAT32}}, "the result has type BOOL"},
      {{FLOAT32}, {{OpGroup::TransformFloat, 1, 0, -1, INT32}}, "the result needs a floating-point type"},
      {{FLOAT32}, {{OpGroup::TransformAny, 0, 0, -1, UTF8}}, "the result has no numeric type"},
      {{INT32},
       {{OpGroup::Pairwise, add, 0, 0, INT32}, {OpGroup::Pairwise, divide, 0, 1, INT32}},
       "an integer divisor is computed"},
      {{FLOAT32},
       {{OpGroup::TransformSame, number(OpGroup::TransformSame, "ClipByValue"), 0, -1, FLOAT32}},
       "a parameter is missing"},
  };
  for (const auto& row : rows) expectError<std::invalid_argument>([&] { Composite(row.types, row.steps); }, row.text);
  const std::vector<CompositeStep> sum = {{OpGroup::Pairwise, add, 0, 0, FLOAT32}};
  expectError<std::invalid_argument>([&] { Composite({FLOAT32}, sum, {0}); }, "output 0: 0 is not the value of a step");
  expectError<std::invalid_argument>([&] { Composite({FLOAT32}, sum, {2}); }, "output 0: 2 is not the value of a step");
  expectError<std::invalid_argument>([&] { Composite({FLOAT32}, sum, {}, sumOf(5, FLOAT32)); }, "unknown value");
  expectError<std::invalid_argument>([&] { Composite({FLOAT32}, sum, {}, sumOf(1, DOUBLE)); }, "the type of the value");
  expectError<std::invalid_argument>([&] { Composite({FLOAT32}, std::vector<CompositeStep>(65, sum[0])); },
                                     "65 steps, more than 64");
  expectError<std::invalid_argument>([&] { Composite(std::vector<DataType>(32, FLOAT32), sum); },
                                     "33 inputs and outputs");
  const int compare = number(OpGroup::TransformSame, "CompareAndSetTransform");
  expectError<std::invalid_argument>(
      [&] {
        Composite({FLOAT32}, {{OpGroup::TransformSame, compare, 0, -1, FLOAT32, {0, 0, 0, 99}}});
      },
      "mode 99");
}

TEST(Composite, badShapesAndBuffers) {
  const Program program = chain(FLOAT32);
  const Composite composite(program.types, program.steps);
  auto inputs = inputsOf(program.types, {{4, 5}, {4, 5}, {5}, {}}, Layout::C, 1);
  auto odd = inputsOf({FLOAT32, DOUBLE}, {{4, 6}, {4, 5}}, Layout::C, 1);
  TestArray z(FLOAT32, {4, 5}, Layout::C), wrong(FLOAT32, {5, 4}, Layout::C), wide(DOUBLE, {4, 5}, Layout::C);
  const LongType *x = inputs[0].info().data(), *y = inputs[1].info().data(), *w = inputs[2].info().data(),
                 *s = inputs[3].info().data();
  const LongType* out = z.info().data();
  expectError<std::invalid_argument>([&] { composite.prepare({x, y, w}, {out}); }, "3 inputs where 4 are needed");
  expectError<std::invalid_argument>([&] { composite.prepare({x, y, w, s}, {}); }, "0 outputs where 1 are needed");
  expectError<std::invalid_argument>(
      [&] {
        composite.prepare({x, odd[0].info().data(), w, s}, {out});
      },
      "does not broadcast");
  expectError<std::invalid_argument>(
      [&] {
        composite.prepare({x, odd[1].info().data(), w, s}, {out});
      },
      "input 1: type");
  expectError<std::invalid_argument>(
      [&] {
        composite.prepare({x, y, w, s}, {wrong.info().data()});
      },
      "shape [5, 4] where [4, 5] is needed");
  expectError<std::invalid_argument>([&] { composite.prepare({x, y, w, s}, {wide.info().data()}); }, "output 0: type");
  expectError<std::invalid_argument>([&] { composite.prepare({x, y, nullptr, s}, {out}); }, "shapeInfo is null");
  expectError<std::invalid_argument>(
      [&] {
        Composite(program.types, program.steps, {}, sumOf(7, FLOAT32, {2})).outputShape(0, {{4, 5}, {4, 5}, {5}, {}});
      },
      "axis 2 is outside");
  expectError<std::invalid_argument>(
      [&] {
        Composite(program.types, program.steps, {}, sumOf(7, FLOAT32, {1, -1}))
            .outputShape(0, {{4, 5}, {4, 5}, {5}, {}});
      },
      "is repeated");

  auto prepared = composite.prepare({x, y, w, s}, {out});
  const std::vector<uint8_t> before = z.bytes();
  const void* in[] = {inputs[0].in().data, inputs[1].in().data, inputs[2].in().data, inputs[3].in().data};
  void* none[] = {nullptr};
  expectError<std::runtime_error>([&] { prepared.run(in, none); }, "output 0: the buffer is null");
  void* results[] = {z.out().data};
  const void* missing[] = {in[0], nullptr, in[2], in[3]};
  expectError<std::runtime_error>([&] { prepared.run(missing, results); }, "input 1: the buffer is null");
  void* shifted[] = {static_cast<float*>(const_cast<void*>(in[0])) + 1};
  expectError<std::runtime_error>([&] { prepared.run(in, shifted); }, "overlaps");
  void* other[] = {const_cast<void*>(in[2])};  // an input that is repeated
  expectError<std::runtime_error>([&] { prepared.run(in, other); }, "overlaps");
  EXPECT_TRUE(before == z.bytes());
}

TEST(Composite, integerDivisorsAreSearchedForZero) {
  const int divide = number(OpGroup::Pairwise, "Divide"), add = number(OpGroup::Pairwise, "Add");
  const Composite composite({INT32, INT32},
                            {{OpGroup::Pairwise, add, 0, 0, INT32}, {OpGroup::Pairwise, divide, 2, 1, INT32}}, {2, 3});
  std::mt19937 random(1);
  TestArray x = randomArray(INT32, {5000}, Layout::C, random), y = randomArray(INT32, {5000}, Layout::C, random);
  TestArray a(INT32, {5000}, Layout::C), b(INT32, {5000}, Layout::C);
  auto prepared = composite.prepare({x.info().data(), y.info().data()}, {a.info().data(), b.info().data()});
  const void* in[] = {x.in().data, y.in().data};
  void* out[] = {a.out().data, b.out().data};
  EXPECT_NO_THROW(prepared.run(in, out));
  numbered::writeNumber(INT32, 0, y.element(4999));
  const auto before = a.bytes();
  numbered::writeNumber(INT32, 5, x.element(0));
  expectError<std::runtime_error>([&] { prepared.run(in, out); }, "[Divide] argument 'y': division of");
  EXPECT_TRUE(before == a.bytes());
}

TEST(Composite, preparedObjectsOutliveTheComposite) {
  const Program program = chain(FLOAT32);
  auto inputs = inputsOf(program.types, {{10}, {10}, {10}, {}}, Layout::C, 1);
  const auto values = separately(program, inputs);
  TestArray z(FLOAT32, {10}, Layout::C);
  auto prepared = [&] {
    const Composite composite(program.types, program.steps);
    std::vector<std::vector<LongType>> infos;
    for (auto& x : inputs) infos.push_back(x.info());
    return composite.prepare({infos[0].data(), infos[1].data(), infos[2].data(), infos[3].data()}, {z.info().data()});
  }();
  const void* in[] = {inputs[0].in().data, inputs[1].in().data, inputs[2].in().data, inputs[3].in().data};
  void* out[] = {z.out().data};
  prepared.run(in, out);
  EXPECT_EQ(difference(z, values.back()), "");
}

}  // namespace
