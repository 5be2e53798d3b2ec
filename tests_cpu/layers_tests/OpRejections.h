// Tables of calls that operations must refuse.
//
//   checkRejections("gather", {
//       {"an index outside", {In(FLOAT32, {3, 5}), In(INT32, {2}, {1, 7})}, {.i = {0}}, refusal::Argument, "value 7 at
//       [1]"},
//       {"a type that is not allowed", {In(UTF8, {}), In(INT32, {2})}, {}, refusal::Validation, "input 0"},
//   });
#ifndef NDFORGE_TESTS_OPREJECTIONS_H
#define NDFORGE_TESTS_OPREJECTIONS_H

#include <exceptions/datatype_exception.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "OpCalls.h"

namespace sd::optest {

/// An array of a rejected call. Missing values are 0.
struct In {
  DataType type = INHERIT;
  Dims dims;
  std::vector<double> values;
  bool isEmptyScalar = false;

  In() = default;  // an input that is not given
  In(DataType t, Dims d, std::vector<double> v = {}) : type(t), dims(std::move(d)), values(std::move(v)) {}
  static In empty(DataType type) {
    In in(type, {});
    in.isEmptyScalar = true;
    return in;
  }

  Array make() const {
    if (type == INHERIT) return nullptr;
    if (isEmptyScalar) return std::make_shared<NDArray>(type, LaunchContext::defaultContext(), false);
    if (DataTypeUtils::isS(type)) {
      const std::vector<std::string> texts(static_cast<size_t>(numbered::lengthOf(dims)), "text");
      return dims.empty() ? std::make_shared<NDArray>(texts[0], type) : std::make_shared<NDArray>(dims, texts, type);
    }
    auto array = dims.empty() ? std::make_shared<NDArray>(type) : std::make_shared<NDArray>('c', dims, type);
    for (size_t k = 0; k < values.size(); k++) array->p(static_cast<LongType>(k), values[k]);
    return array;
  }
};

namespace refusal {
/// How a call fails.
enum Kind {
  Argument,    ///< std::invalid_argument
  Runtime,     ///< std::runtime_error
  OutOfRange,  ///< std::out_of_range: a missing argument
  Type,        ///< sd::datatype_exception
  Validation,  ///< Status::VALIDATION, the message is lastValidationMessage()
};
}  // namespace refusal

struct Rejection {
  const char* what;
  std::vector<In> inputs = {};
  Arguments arguments = {};
  refusal::Kind kind = refusal::Argument;
  const char* message = "";  ///< a part of the message; it must also contain the name of the operation in brackets
  bool inPlace = false;
  /// Given outputs; the default is the result of the shape function, if it accepts the call.
  std::optional<std::vector<In>> outputs = {};
  /// The name in brackets when a kernel with another name reports the error.
  const char* named = nullptr;
};

namespace detail {

template <typename E>
bool isExactly(const std::exception& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}

inline bool matches(refusal::Kind kind, const std::exception& error) {
  switch (kind) {
    case refusal::Argument:
      return isExactly<std::invalid_argument>(error);
    case refusal::Runtime:
      return isExactly<std::runtime_error>(error);
    case refusal::OutOfRange:
      return isExactly<std::out_of_range>(error);
    case refusal::Type:
      return isExactly<datatype_exception>(error);
    default:
      return false;
  }
}

/// Whether the message contains "[name]". A kernel writes the name of the numbered operation: "[Divide]".
inline bool isNamed(const std::string& message, const std::string& name) {
  const std::string wanted = "[" + name + "]";
  return std::search(message.begin(), message.end(), wanted.begin(), wanted.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         }) != message.end();
}

/// Runs `call`, which returns a status, and checks how it ends.
template <typename Call>
void expectRefusal(const std::string& name, const Rejection& row, const char* how, Call&& call) {
  std::string message;
  try {
    const Status status = call();
    if (row.kind != refusal::Validation || status != Status::VALIDATION) {
      ADD_FAILURE() << how << ": ended with status " << static_cast<int>(status);
      return;
    }
    message = ops::DeclarableOp::lastValidationMessage();
  } catch (const std::exception& error) {
    message = error.what();
    if (!matches(row.kind, error)) {
      ADD_FAILURE() << how << ": another kind of error: " << message;
      return;
    }
  }
  EXPECT_TRUE(isNamed(message, row.named != nullptr ? row.named : name))
      << how << ": the message does not name it: " << message;
  EXPECT_NE(message.find(row.message), std::string::npos) << how << ": the message is: " << message;
}

inline void checkRejection(ops::DeclarableOp& op, const Rejection& row) {
  const std::string& name = op.getOpDescriptor()->name();
  std::vector<Array> arrays;
  bool hasNulls = false;
  for (const In& in : row.inputs) {
    arrays.push_back(in.make());
    hasNulls = hasNulls || arrays.back() == nullptr;
  }
  const Placing inputs = placed(arrays, Layout::C);
  const Arguments& a = row.arguments;
  if (!hasNulls && !row.outputs && a.named.empty())
    expectRefusal(name, row, "evaluate",
                  [&] { return op.evaluate(pointers(inputs), a.t, a.i, a.b, a.d, row.inPlace).status(); });

  Placing outputs;
  if (row.outputs) {
    std::vector<Array> given;
    for (const In& out : *row.outputs) given.push_back(out.make());
    outputs = placed(given, Layout::C);
  } else {
    try {
      outputs = placed(shapesOf(op, pointers(inputs), a), Layout::C);
    } catch (const std::exception&) {
      // The shape function rejects the call, so there are no outputs to pass.
    }
  }
  if (!row.inPlace)
    expectRefusal(name, row, "execute", [&] { return execute(op, pointers(inputs), pointers(outputs), a); });
  for (size_t k = 0; k < inputs.size(); k++)
    if (inputs[k] != nullptr && !inputs[k]->unchanged()) ADD_FAILURE() << "input " << k << " was changed";
  for (size_t k = 0; k < outputs.size(); k++)
    if (outputs[k] != nullptr && !outputs[k]->unchanged()) ADD_FAILURE() << "output " << k << " was written";
}

}  // namespace detail

/// Every call of the table must fail in the given way and leave inputs and outputs unchanged.
inline void checkRejections(const char* name, const std::vector<Rejection>& table) {
  ops::DeclarableOp* op = findBuilt(name);
  if (op == nullptr) {
#if defined(SD_ALL_OPS)
    FAIL() << "there is no operation " << name;
#else
    GTEST_SKIP() << name << " is not in this build";
#endif
  }
  if (!table.empty()) noteTested("refusals " + op->getOpDescriptor()->name());
  for (const Rejection& row : table) {
    SCOPED_TRACE(std::string(name) + ": " + row.what);
    detail::checkRejection(*op, row);
  }
}

}  // namespace sd::optest

#endif
