#include "ops/declarable/helpers/word2vec.h"

#include "ops/declarable/helpers/real.h"

namespace sd::ops::word2vec {

Shared::Shared(NDArray& array, DataType type) : _array(&array) {
  if (array.isEmpty() || (array.dataType() == type && arrays::isLinear(array))) return;
  _copy = std::make_unique<NDArray>(unset(type, dimsOf(array.shapeInfo())));
  _copy->assign(array);
}

void Shared::commit() {
  if (_copy != nullptr) _array->assign(*_copy);
}

Tables::Tables(NDArray& s0, NDArray& s1, NDArray& s1n, const NDArray& exp, const NDArray& neg)
    : syn0(s0), syn1(s1), syn1neg(s1n), expTable(exp), negTable(neg) {
  if (syn0.isEmpty() || syn0.rankOf() != 2)
    reject("input 'syn0': its shape is {}, but a matrix with one row for each word is needed", text(syn0));
  words = syn0.sizeAt(0);
  width = syn0.sizeAt(1);
  const auto check = [&](const NDArray& table, const char* name, bool rows) {
    if (table.isEmpty()) return;
    if (table.dataType() != syn0.dataType())
      reject("input '{}': its type is {}, but 'syn0' has type {}", name, DataTypeUtils::describe(table.dataType()),
             DataTypeUtils::describe(syn0.dataType()));
    if (rows && (table.rankOf() != 2 || table.sizeAt(1) != width))
      reject("input '{}': its shape is {}, but 'syn0' has shape {}", name, text(table), text(syn0));
  };
  check(syn1, "syn1", true);
  check(syn1neg, "syn1neg", true);
  check(expTable, "exp_table", false);
  if (expTable.isEmpty()) reject("input 'exp_table': it is empty");
}

namespace {

constexpr int MAX_EXP = 6;

template <typename T>
class Trainer {
 public:
  Trainer(const Tables& tables, NDArray* inference)
      : _type(computeType(tables.syn0)),
        _syn0(tables.syn0, _type),
        _syn1(tables.syn1, _type),
        _syn1neg(tables.syn1neg, _type),
        _exp(tables.expTable, _type),
        _neg(tables.negTable, DOUBLE),
        _width(tables.width),
        _nodes(tables.syn1.isEmpty() ? 0 : std::min(tables.words, tables.syn1.sizeAt(0))),
        _words(tables.syn1neg.isEmpty() ? 0 : std::min(tables.words, tables.syn1neg.sizeAt(0))),
        _expLength(tables.expTable.lengthOf()),
        _negLength(tables.negTable.lengthOf()),
        _sum(static_cast<size_t>(_width)),
        _change(static_cast<size_t>(_width)) {
    if (inference != nullptr) _inference = std::make_unique<Shared>(*inference, _type);
  }

  void run(const Step& step, const Input& input, int rounds, Outside outside) {
    std::fill(_sum.begin(), _sum.end(), T(0));
    std::fill(_change.begin(), _change.end(), T(0));
    for (const LongType row : input.rows) add(_sum.data(), T(1), _syn0.as<T>() + row * _width);
    if (input.inference) add(_sum.data(), T(1), _inference->as<T>());
    if (input.divisor > 1)
      for (T& value : _sum) value /= static_cast<T>(input.divisor);
    const bool trained = !input.inference;
    for (size_t r = 0; r < step.indices.size(); r++) {
      const LongType node = step.indices[r];
      if (node < 0 || node >= _nodes) {
        if (outside == Outside::Stops) break;
        continue;
      }
      descend(_syn1.as<T>() + node * _width, step.codes[r], static_cast<T>(step.alpha), trained);
    }
    if (rounds > 0 && step.starter >= 0) sample(step, rounds, trained);
    if (input.inference) add(_inference->as<T>(), T(1), _change.data());
    for (const LongType row : input.updated) add(_syn0.as<T>() + row * _width, T(1), _change.data());
  }

  void commit() {
    _syn0.commit();
    _syn1.commit();
    _syn1neg.commit();
    if (_inference != nullptr) _inference->commit();
  }

 private:
  DataType _type;
  Shared _syn0, _syn1, _syn1neg;
  std::unique_ptr<Shared> _inference;
  Dense _exp, _neg;
  LongType _width, _nodes, _words, _expLength, _negLength;
  std::vector<T> _sum, _change;

  void add(T* to, T factor, const T* from) const {
    for (LongType d = 0; d < _width; d++) to[d] += factor * from[d];
  }
  T dot(const T* row) const {
    T sum = 0;
    for (LongType d = 0; d < _width; d++) sum += _sum[static_cast<size_t>(d)] * row[d];
    return sum;
  }
  /// The index in the table of the entry for a value, or -1.
  LongType entryOf(T value) const {
    const auto k =
        static_cast<LongType>((static_cast<double>(value) + MAX_EXP) * (static_cast<double>(_expLength) / MAX_EXP / 2));
    return k >= 0 && k < _expLength ? k : -1;
  }
  void follow(T* row, T gradient, bool trained) {
    add(_change.data(), gradient, row);
    if (trained) add(row, gradient, _sum.data());
  }

  void descend(T* row, int code, T alpha, bool trained) {
    const T product = dot(row);
    if (!(product >= -MAX_EXP && product < MAX_EXP)) return;
    const LongType k = entryOf(product);
    if (k >= 0) follow(row, (T(1) - static_cast<T>(code) - _exp.as<T>()[k]) * alpha, trained);
  }

  void contrast(T* row, int label, T alpha, bool trained) {
    const T product = dot(row);
    if (product > MAX_EXP) return follow(row, static_cast<T>(label - 1) * alpha, trained);
    if (product < -MAX_EXP) return follow(row, static_cast<T>(label) * alpha, trained);
    if (product != product) return;
    const LongType k = entryOf(product);
    if (k >= 0) follow(row, (static_cast<T>(label) - _exp.as<T>()[k]) * alpha, trained);
  }

  /// Trains on the word itself, then on words drawn by frequency.
  void sample(const Step& step, int rounds, bool trained) {
    const auto alpha = static_cast<T>(step.alpha);
    contrast(_syn1neg.as<T>() + step.starter * _width, 1, alpha, trained);
    UnsignedLong random = step.random;
    for (int r = 1; r <= rounds; r++) {
      random = random * 25214903917ULL + 11;
      const double entry = _neg.as<double>()[(random >> 16) % static_cast<UnsignedLong>(_negLength)];
      LongType word = entry > -1 && entry < static_cast<double>(_words) ? static_cast<LongType>(entry) : -1;
      if (word < 0) word = _words > 1 ? static_cast<LongType>(random % static_cast<UnsignedLong>(_words - 1)) + 1 : 0;
      if (word != step.starter) contrast(_syn1neg.as<T>() + word * _width, 0, alpha, trained);
    }
  }
};

}  // namespace

void train(const Tables& tables, NDArray* inference, const std::vector<Step>& steps, const std::vector<Input>& inputs,
           int rounds, Outside outside) {
  withReal(tables.syn0.dataType(), [&]<typename T>() {
    Trainer<T> trainer(tables, inference);
    for (size_t k = 0; k < steps.size(); k++) trainer.run(steps[k], inputs[k], rounds, outside);
    trainer.commit();
  });
}

}  // namespace sd::ops::word2vec
