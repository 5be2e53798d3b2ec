// Programs of numbered operations for the tests of composites, and the separate calls that they are compared with.
#ifndef NDFORGE_TESTS_COMPOSITECASES_H
#define NDFORGE_TESTS_COMPOSITECASES_H

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "NumberedHarness.h"
#include "ThreadCount.h"
#include "loops/Composite.h"

namespace sd::composites {

using loops::Composite;
using loops::CompositeReduction;
using loops::CompositeStep;
using loops::OpGroup;
using numbered::Dims;
using numbered::Layout;
using numbered::TestArray;

inline int number(OpGroup group, const char* name) {
  const loops::NumberedOp* op = loops::findOp(group, name);
  return op ? op->number : -1;
}

inline bool isFloat(DataType type) { return numbered::facts(type).precision != 0; }

/// Random elements: small integers other than 0, or numbers around 1 of both signs.
inline TestArray randomArray(DataType type, const Dims& dims, Layout layout, std::mt19937& random,
                             bool special = false) {
  TestArray x(type, dims, layout);
  for (LongType i = 0; i < x.length(); ++i) {
    double value = static_cast<double>(random() >> 8) / 4194304.0 - 2.0;
    if (!isFloat(type)) {
      value = 1 + static_cast<double>(random() % 9);
      if (numbered::facts(type).name[0] == 'i' && random() % 2) value = -value;
    } else if (special && random() % 16 == 0) {
      const double values[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e30, 1e-40};
      value = values[random() % 7];
    }
    if (type == BOOL) value = static_cast<double>(random() % 2);
    numbered::writeNumber(type, value, x.element(i));
  }
  return x;
}

/// A composite with its inputs.
struct Program {
  std::vector<DataType> types;
  std::vector<CompositeStep> steps;
  std::vector<int> outputs;
  std::optional<CompositeReduction> reduction;

  std::string text() const {
    std::string s;
    for (size_t i = 0; i < types.size(); ++i)
      s += "x" + std::to_string(i) + " " + numbered::facts(types[i]).name + "; ";
    for (size_t i = 0; i < steps.size(); ++i)
      s += std::to_string(types.size() + i) + " = " + std::string(loops::groupName(steps[i].group)) + " " +
           loops::findOp(steps[i].group, steps[i].number)->name.data() + "(" + std::to_string(steps[i].x) + ", " +
           std::to_string(steps[i].y) + ") " + numbered::facts(steps[i].result).name + "; ";
    for (int o : outputs) s += "out " + std::to_string(o) + "; ";
    if (reduction) {
      s += "reduce " + std::string(loops::findOp(reduction->group, reduction->number)->name) + " " +
           std::to_string(reduction->value) + " axes";
      for (int axis : reduction->axes) s += " " + std::to_string(axis);
    }
    return s;
  }
};

/// The NumPy broadcast shape of two shapes.
inline Dims broadcastOf(const Dims& a, const Dims& b) {
  Dims common(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < common.size(); ++i) {
    const auto at = [&](const Dims& d) {
      const size_t lead = common.size() - d.size();
      return i < lead ? LongType(1) : d[i - lead];
    };
    common[i] = at(a) == 1 ? at(b) : at(a);
  }
  return common;
}

/// The values of all inputs and steps, by separate calls on arrays in c order.
inline std::vector<TestArray> separately(const Program& program, const std::vector<TestArray>& inputs) {
  std::vector<TestArray> values(inputs.begin(), inputs.end());
  for (const CompositeStep& step : program.steps) {
    const TestArray& x = values[static_cast<size_t>(step.x)];
    const DataType paramType = step.group == OpGroup::TransformFloat ? step.result : x.type();
    const std::vector<uint8_t> params = numbered::encode(paramType, step.params);
    const void* p = params.empty() ? nullptr : params.data();
    if (step.y < 0) {
      TestArray z(step.result, x.dims(), Layout::C);
      loops::transform(step.group, step.number, x.in(), z.out(), p);
      values.push_back(std::move(z));
    } else {
      const TestArray& y = values[static_cast<size_t>(step.y)];
      TestArray z(step.result, broadcastOf(x.dims(), y.dims()), Layout::C);
      loops::trueBroadcast(step.group, step.number, x.in(), y.in(), z.out(), p);
      values.push_back(std::move(z));
    }
  }
  return values;
}

inline TestArray reducedSeparately(const CompositeReduction& r, const TestArray& value, const Dims& dims) {
  const DataType paramType = r.group == OpGroup::ReduceFloat ? r.result : value.type();
  const std::vector<uint8_t> params = numbered::encode(paramType, r.params);
  TestArray z(r.result, dims, Layout::C);
  loops::reduce(r.group, r.number, value.in(), z.out(), params.empty() ? nullptr : params.data(), r.axes);
  return z;
}

/// The first element that differs, or a write outside of the elements; empty when there is none. All NaN are equal.
inline std::string difference(const TestArray& got, const TestArray& expected) {
  if (got.length() != expected.length()) return "other length";
  const auto size = static_cast<size_t>(numbered::facts(got.type()).bytes);
  for (LongType i = 0; i < got.length(); ++i) {
    if (std::memcmp(got.element(i), expected.element(i), size) == 0) continue;
    if (isFloat(got.type()) && std::isnan(numbered::floatAt(got.type(), got.element(i))) &&
        std::isnan(numbered::floatAt(got.type(), expected.element(i))))
      continue;
    return "element " + std::to_string(i) + " is " + numbered::textAt(got.type(), got.element(i)) + ", not " +
           numbered::textAt(got.type(), expected.element(i));
  }
  return got.gapsUntouched() ? "" : "wrote outside of the elements";
}

/// Runs a composite and compares it with separate calls.
inline void expectSameBits(const Program& program, std::vector<TestArray>& inputs, Layout layout,
                           std::initializer_list<int> threads = {1}) {
  SCOPED_TRACE(program.text());
  const Composite composite(program.types, program.steps, program.outputs, program.reduction);
  std::vector<const LongType*> inInfos;
  std::vector<loops::CompositeShape> shapes;
  std::vector<const void*> in;
  for (TestArray& x : inputs) {
    inInfos.push_back(x.info().data());
    shapes.push_back(x.dims());
    in.push_back(x.in().data);
  }
  const std::vector<TestArray> values = separately(program, inputs);
  std::vector<TestArray> expected;
  std::vector<int> outputs = program.outputs;
  if (outputs.empty() && !program.reduction) outputs.push_back(static_cast<int>(values.size()) - 1);
  for (int value : outputs) expected.push_back(values[static_cast<size_t>(value)]);
  if (program.reduction) {
    const Dims dims = composite.outputShape(composite.outputCount() - 1, shapes);
    expected.push_back(
        reducedSeparately(*program.reduction, values[static_cast<size_t>(program.reduction->value)], dims));
  }
  ASSERT_EQ(composite.outputCount(), static_cast<int>(expected.size()));
  for (int count : threads) {
    const ThreadCount scope(count);
    std::vector<TestArray> z;
    std::vector<const LongType*> outInfos;
    std::vector<void*> out;
    for (size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(composite.outputType(static_cast<int>(k)), expected[k].type());
      ASSERT_EQ(composite.outputShape(static_cast<int>(k), shapes), expected[k].dims());
      z.emplace_back(expected[k].type(), expected[k].dims(), layout);
    }
    for (TestArray& array : z) {
      outInfos.push_back(array.info().data());
      out.push_back(array.out().data);
    }
    auto prepared = composite.prepare(inInfos, outInfos);
    for (int run = 0; run < 2; ++run) {
      ASSERT_NO_THROW(prepared.run(in.data(), out.data()));
      for (size_t k = 0; k < z.size(); ++k)
        ASSERT_EQ(difference(z[k], expected[k]), "") << "output " << k << ", " << count << " threads, run " << run;
    }
  }
}

}  // namespace sd::composites

#endif
