// What calls cost in C++: arrays of 10 floats.
//
//   small            the nanoseconds of each row
//   small --serve    for compare/ (see serve.h)
#include <array/NDArray.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "serve.h"

namespace {

using namespace sd;

constexpr LongType LENGTH = 10;

template <typename T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

struct Operands {
  NDArray x{'c', {LENGTH}, FLOAT32}, y{'c', {LENGTH}, FLOAT32};
};

const std::vector<std::pair<std::string, std::function<void(Operands&)>>> ROWS = {
    {"x + y", [](Operands& o) { keep(o.x + o.y); }},
    {"x += y", [](Operands& o) { o.x += o.y; }},
    {"tanh(x)", [](Operands& o) { keep(o.x.transform(transform::Tanh)); }},
    {"sum of x", [](Operands& o) { keep(o.x.reduceNumber(reduce::Sum)); }},
    {"operation add by name",
     [](Operands& o) {
       static auto* const add = ops::OpRegistrator::getInstance().find("add");
       keep(add->evaluate({&o.x, &o.y}));
     }},
    {"new array",
     [](Operands&) {
       static const std::vector<LongType> shape = {LENGTH};
       keep(NDArray('c', shape, FLOAT32));
     }},
    {"view of x",
     [](Operands& o) {
       static const std::vector<LongType> range = {2, 7};
       keep(o.x(range));
     }},
};

class Small : public benchmarks::Row {
 public:
  explicit Small(const std::function<void(Operands&)>& call) : _call(call) {}
  void run(long calls) override {
    for (long i = 0; i < calls; i++) _call(_operands);
  }

 private:
  const std::function<void(Operands&)>& _call;
  Operands _operands;
};

std::unique_ptr<benchmarks::Row> make(const std::string& name) {
  for (const auto& [known, call] : ROWS)
    if (known == name) return std::make_unique<Small>(call);
  return nullptr;
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) return benchmarks::serve(make);
  constexpr long CALLS = 100000;
  for (const auto& [name, call] : ROWS) {
    Small row(call);
    double least = 1e9;
    for (int round = 0; round < 20; round++) {
      const auto start = std::chrono::steady_clock::now();
      row.run(CALLS);
      least =
          std::min(least, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("%-24s %5.0f ns\n", name.c_str(), least / CALLS);
  }
}
