// Training steps of word vectors against the update rules in data/word2vec/generate.py, and calls that they must
// reject.
#include <cstring>
#include <map>
#include <set>

#include "OpRejections.h"
#include "TestData.h"
#include "cnpy/Npy.h"

namespace sd::optest {
namespace {

using Members = std::map<std::string, npy::Array>;

template <typename T>
std::vector<T> valuesOf(const Members& members, const std::string& name) {
  const auto at = members.find(name);
  if (at == members.end()) return {};
  std::vector<T> values(at->second.bytes.size() / sizeof(T));
  std::memcpy(values.data(), at->second.bytes.data(), values.size() * sizeof(T));
  return values;
}

NDArray arrayOf(const npy::Array& stored) {
  if (stored.bytes.empty() && stored.dims == Dims{0})
    return NDArray(stored.dtype, LaunchContext::defaultContext(), false);
  NDArray array = stored.dims.empty() ? NDArray(stored.dtype) : NDArray('c', stored.dims, stored.dtype);
  if (!array.isEmpty()) std::memcpy(array.buffer(), stored.bytes.data(), stored.bytes.size());
  return array;
}

struct Call {
  ops::DeclarableOp* op;
  Arguments arguments;
  std::vector<NDArray> inputs, outputs;

  Call(const Members& members, const std::string& name) {
    const std::vector<char> text = valuesOf<char>(members, name + "/op");
    op = ops::OpRegistrator::getInstance().find(std::string(text.begin(), text.end()));
    arguments.t = valuesOf<double>(members, name + "/t");
    arguments.i = valuesOf<LongType>(members, name + "/i");
    for (const uint8_t flag : valuesOf<uint8_t>(members, name + "/b")) arguments.b.push_back(flag != 0);
    for (int k = 0; members.count(name + "/in" + std::to_string(k)) != 0; k++) {
      inputs.push_back(arrayOf(members.at(name + "/in" + std::to_string(k))));
      const auto changed = members.find(name + "/out" + std::to_string(k));
      outputs.push_back(changed == members.end() ? inputs.back() : arrayOf(changed->second));
    }
  }

  Status run(bool inPlace = true) {
    std::vector<NDArray*> pointers;
    for (NDArray& input : inputs) pointers.push_back(&input);
    return op->evaluate(pointers, arguments.t, arguments.i, arguments.b, arguments.d, inPlace).status();
  }
};

std::set<std::string> namesOf(const Members& members) {
  std::set<std::string> names;
  for (const auto& [name, array] : members) names.insert(name.substr(0, name.find('/')));
  return names;
}

Members cases() { return npy::loadNpz((test::dataFolder() / "word2vec" / "cases.npz").string()); }

void expectTables(const Call& call, double tolerance) {
  for (size_t k = 0; k < call.inputs.size(); k++)
    EXPECT_EQ(difference(call.inputs[k], call.outputs[k], call.outputs[k].dataType(), tolerance), std::nullopt)
        << "input " << k;
}

TEST(OpsWordVectors, TablesAfterSteps) {
  const Members members = cases();
  const std::set<std::string> names = namesOf(members);
  ASSERT_EQ(names.size(), 17u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    Call call(members, name);
    if (call.op == nullptr) GTEST_SKIP() << name << " is not in this build";
    ASSERT_EQ(call.run(), Status::OK);
    expectTables(call, 1e-12);
    noteTested("values " + call.op->getOpDescriptor()->name() + " DOUBLE");
  }
}

TEST(OpsWordVectors, TablesOfOtherOrders) {
  const Members members = cases();
  for (const std::string& name : namesOf(members)) {
    SCOPED_TRACE(name);
    Call call(members, name);
    if (call.op == nullptr) GTEST_SKIP() << name << " is not in this build";
    for (NDArray& input : call.inputs)
      if (input.rankOf() == 2) input = input.dup('f');
    ASSERT_EQ(call.run(), Status::OK);
    expectTables(call, 1e-5);
  }
}

TEST(OpsWordVectors, OtherTypes) {
  const Members members = cases();
  for (const auto& [type, tolerance] : std::map<DataType, double>{{FLOAT32, 1e-5}, {HALF, 2e-2}}) {
    for (const std::string& name : namesOf(members)) {
      SCOPED_TRACE(name + " " + DataTypeUtils::asString(type));
      // A rounded product selects another entry of the table, and large vectors multiply the difference.
      if (type == HALF && name.find("large") != std::string::npos) continue;
      Call call(members, name);
      if (call.op == nullptr) GTEST_SKIP() << name << " is not in this build";
      for (size_t k = 0; k < call.inputs.size(); k++) {
        if (!call.inputs[k].isR()) continue;
        call.inputs[k] = call.inputs[k].cast(type);
        call.outputs[k] = call.outputs[k].cast(type);
      }
      ASSERT_EQ(call.run(), Status::OK);
      expectTables(call, tolerance);
      noteTested("values " + call.op->getOpDescriptor()->name() + " " + DataTypeUtils::asString(type));
    }
  }
}

TEST(OpsWordVectors, InPlaceOnly) {
  const Members members = cases();
  for (const std::string& name : namesOf(members)) {
    SCOPED_TRACE(name);
    Call call(members, name);
    if (call.op == nullptr) GTEST_SKIP() << name << " is not in this build";
    const std::vector<NDArray> before = call.inputs;
    EXPECT_THROW(call.run(false), std::invalid_argument);
    for (size_t k = 0; k < before.size(); k++)
      EXPECT_EQ(difference(call.inputs[k], before[k], before[k].dataType(), 0), std::nullopt) << "input " << k;
  }
}

// ---- rejected calls

const In NONE = In::empty(INT32), TABLE(FLOAT32, {6, 3}), EXP(FLOAT32, {10}),
         NEG(FLOAT32, {5}), NO_VECTOR = In::empty(FLOAT32);

Rejection refused(const char* what, std::vector<In> inputs, Arguments arguments, const char* message,
                  refusal::Kind kind = refusal::Argument) {
  Rejection row{what, std::move(inputs), std::move(arguments), kind, message};
  row.inPlace = true;
  return row;
}

TEST(OpsWordVectors, SkipgramRefuses) {
  const auto inputs = [](In target, In starter, In indices, In codes) {
    return std::vector<In>{target, starter, indices, codes,           TABLE,         TABLE,
                           TABLE,  EXP,     NEG,     In(FLOAT32, {}), In(INT64, {}), NO_VECTOR};
  };
  const In word(INT32, {}, {1}), path(INT32, {2}, {1, 2}), turns(INT8, {2});
  const auto with = [&](size_t index, const In& array) {
    std::vector<In> all = inputs(word, NONE, path, turns);
    all[index] = array;
    return all;
  };
  checkRejections(
      "skipgram",
      {refused("a target outside", with(0, In(INT32, {}, {6})), {}, "'target': value 6 is outside 0..5"),
       refused("no target", with(0, NONE), {}, "input 0 'target'", refusal::Runtime),
       refused("targets of rank 2", with(0, In(INT32, {2, 2})), {}, "input 0 'target'", refusal::Runtime),
       refused("codes of another length", with(3, In(INT8, {3})), {}, "input 3 'codes': its shape is [3]"),
       refused("a starter outside", with(1, In(INT32, {}, {-1})), {.i = {1, 2}},
               "'ng_starter': value -1 is outside 0..5"),
       refused("negative rounds", with(1, word), {.i = {1, -2}}, "'negative_rounds': -2"),
       refused("a table of another type", with(5, In(DOUBLE, {6, 3})), {}, "'syn1': its type is DOUBLE"),
       refused("an exponential table of another type", with(7, In(DOUBLE, {10})), {},
               "'exp_table': its type is DOUBLE"),
       refused("vectors of another length", with(6, In(FLOAT32, {6, 4})), {}, "'syn1neg': its shape is [6, 4]"),
       refused("no table for codes", with(5, NO_VECTOR), {}, "'syn1': it is empty"),
       refused("no exponential table", with(7, NO_VECTOR), {}, "'exp_table': it is empty"),
       refused("no words", with(4, NO_VECTOR), {}, "'syn0'"),
       refused("another inference vector", with(11, In(FLOAT32, {4})), {}, "'inference_vector': its shape is [4]")});
  std::vector<In> sampled = inputs(word, word, NONE, In::empty(INT8));
  sampled[8] = NO_VECTOR;
  std::vector<In> batch = inputs(In(INT32, {2}), NONE, In(INT32, {3}), In(INT8, {3}));
  std::vector<In> rates = inputs(In(INT32, {2}), NONE, In(INT32, {2, 3}), In(INT8, {2, 3}));
  rates[9] = In(FLOAT32, {3});
  checkRejections("skipgram", {refused("no words by frequency", sampled, {.i = {1, 2}}, "'neg_table': it is empty"),
                               refused("indices that are no rows", batch, {},
                                       "input 2 'indices': its shape [3] does not have 2 rows"),
                               refused("learning rates", rates, {}, "'learning_rate': 3 values are given for 2 rows")});
}

TEST(OpsWordVectors, CbowRefuses) {
  const In word(INT32, {}, {1}), around(INT32, {2}, {1, 2}), turns(INT8, {2});
  const auto with = [&](size_t index, const In& array) {
    std::vector<In> all{word, NONE, around,          around,        turns, TABLE, TABLE,    TABLE,
                        EXP,  NEG,  In(FLOAT32, {}), In(INT64, {}), NONE,  NONE,  NO_VECTOR};
    all[index] = array;
    return all;
  };
  checkRejections(
      "cbow",
      {refused("a word outside", with(2, In(INT32, {2}, {1, 6})), {}, "'context': value 6 is outside 0..5"),
       refused("a negative word", with(2, In(INT32, {2}, {1, -1})), {}, "'context': value -1 is outside 0..5"),
       refused("a node outside", with(3, In(INT32, {2}, {1, 6})), {}, "'indices': value 6", refusal::Runtime),
       refused("context of rank 3", with(2, In(INT32, {1, 1, 2})), {}, "input 2 'context'", refusal::Runtime),
       refused("a batch of context alone", with(2, In(INT32, {1, 2})), {}, "input 2 'context'", refusal::Runtime),
       refused("codes", with(4, In(INT8, {1})), {}, "input 4 'codes'"),
       refused("locks", with(13, In(INT32, {3})), {}, "input 13 'locked_words'"),
       refused("too many labels", with(12, In(INT32, {}, {3})), {}, "'num_labels': 3 is outside 0..2"),
       refused("a starter outside", with(1, In(INT32, {}, {7})), {.i = {1, 2}}, "'ng_starter': value 7"),
       refused("a table of another type", with(6, In(DOUBLE, {6, 3})), {}, "'syn1': its type is DOUBLE")});
}

TEST(OpsWordVectors, CbowWithMoreCountsOfLabelsThanRows) {
  ops::DeclarableOp* op = findBuilt("cbow");
  if (op == nullptr) GTEST_SKIP() << "cbow is not in this build";
  const auto words = [&](const In& counts) {
    In table(FLOAT32, {6, 3});
    for (int k = 0; k < 18; k++) table.values.push_back(k % 5 - 2);
    const In around(INT32, {2, 2}, {1, 2, 3, 4});
    std::vector<In> all{In(INT32, {2}), NONE,  around,   around, In(INT8, {2, 2}, {0, 1, 1, 0}), table,
                        table,          table, EXP,      NEG,    In(FLOAT32, {}, {0.5}),         In(INT64, {}),
                        counts,         NONE,  NO_VECTOR};
    std::vector<Array> arrays;
    std::vector<NDArray*> pointers;
    for (const In& in : all) {
      arrays.push_back(in.make());
      pointers.push_back(const_cast<NDArray*>(arrays.back().get()));
    }
    EXPECT_EQ(op->execute(pointers, pointers, {}, {}, {false}, {}, true), Status::OK);
    return pointers[5]->getBufferAsVector<float>();
  };
  EXPECT_EQ(words(In(INT32, {4}, {1, 2, 7, 7})), words(In(INT32, {2}, {1, 2})));
  EXPECT_NE(words(In(INT32, {2}, {1, 2})), words(In(INT32, {2}, {1, 1})));
}

TEST(OpsWordVectors, InferenceRefuses) {
  const std::vector<In> model{TABLE, TABLE, TABLE, EXP, NEG, In(FLOAT32, {3})};
  checkRejections(
      "skipgram_inference",
      {refused("no arguments", model, {.t = {0.1}}, "is missing", refusal::OutOfRange),
       refused("too few arguments", model, {.t = {0.1}, .i = {2, 2, 0, 1, 3}},
               "'indices': 2 values are needed, but 1 integers are left", refusal::OutOfRange),
       refused("counts", model, {.t = {0.1}, .i = {1, 2, 0, 1, 3, 1, 1, 1}},
               "'indices': 2 indices are given for 1 codes"),
       refused("a negative count", model, {.t = {0.1}, .i = {-1, -1, 1, 1, 1}}, "a count of -1 is negative"),
       refused("a starter outside", model, {.t = {0.1}, .i = {0, 0, 1, 9, 1, 1, 2}}, "'ng_starter': value 9"),
       refused("no rate", model, {.i = {0, 0, 1, 1, 1}}, "", refusal::OutOfRange)});
  checkRejections("cbow_inference", {refused("no arguments", model, {.t = {0.1}}, "is missing", refusal::OutOfRange),
                                     refused("locks", model, {.t = {0.1}, .i = {0, 0, 2, 1, 1, 1, 0, 0, 0, 0, 0}},
                                             "'locked_words': 1 locks are given for 2 context words"),
                                     refused("a word outside", model, {.t = {0.1}, .i = {0, 0, 1, 0, 6, 0, 0, 0, 0}},
                                             "'context': value 6"),
                                     refused("a node outside", model, {.t = {0.1}, .i = {1, 1, 0, 0, 0, 6, 0, 0, 0, 0}},
                                             "'indices': value 6", refusal::Runtime)});
}

}  // namespace
}  // namespace sd::optest
