#include "ops/declarable/helpers/rules.h"

#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/headers/tensor.h>

#include <algorithm>

namespace sd::ops {

Symbol conjugate(Gradient& g, Symbol x) { return DataTypeUtils::isC(g.shape(x).type()) ? g.call("conj", {x}) : x; }

void copyRule(Gradient& g) {
  for (int i = 0; i < g.inputs() && i < g.outputs(); i++) g.set(i, g.of(i));
}

void reshapeRule(Gradient& g) { g.set(0, g.reshapeLike(g.of(), g.input(0))); }

void symmetricRule(Gradient& g) {
  std::vector<Symbol> inputs{g.of()};
  for (int i = 1; i < g.inputs(); i++) inputs.push_back(g.input(i));
  g.set(0, g.call(g.op().getOpDescriptor()->name(), inputs, g.ownArguments()));
}

void moves(Gradient& g, std::initializer_list<int> inputs, DataType type) {
  const auto contains = [&](int index) { return std::find(inputs.begin(), inputs.end(), index) != inputs.end(); };
  for (const int moved : inputs) {
    const Symbol x = g.input(moved);
    if (!x) continue;
    std::vector<Symbol> given;
    for (int i = 0; i < g.inputs(); i++) {
      const Symbol input = g.input(i);
      if (i == moved)
        given.push_back(g.positions(x, type));
      else
        given.push_back(input && contains(i) ? g.call("zeros_as", {input}, ConstantLike{type}) : input);
    }
    const auto sources = g.callAll(g.op().getOpDescriptor()->name(), given, g.ownArguments());
    Symbol sum;
    for (int k = 0; k < g.outputs(); k++) {
      if (!g.of(k)) continue;
      const Symbol part = g.collect(x, sources[static_cast<size_t>(k)], g.of(k));
      sum = sum ? sum + part : part;
    }
    g.set(moved, sum);
  }
}

}  // namespace sd::ops
