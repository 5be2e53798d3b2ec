// Operations in words, for `ndforge info` and for the help of `ndforge run NAME` and `ndforge bench NAME`.
#ifndef NDFORGE_SRC_CLI_OPERATIONTEXT_H
#define NDFORGE_SRC_CLI_OPERATIONTEXT_H

#include <loops/OpGroup.h>
#include <ops/declarable/Schema.h>

#include <string>

namespace sd::ops {
class DeclarableOp;
}

namespace sd::cli {

/// A line for each input: "bias?: [oC]"; "x…" stands for any number of them.
std::string inputsText(const ops::Schema& schema);

/// How the lines of arguments begin: "axis: …" or "--axis: …".
enum class ArgumentStyle { Name, Option };

/// A line for each argument, with its choices below it.
std::string argumentsText(const ops::Schema& schema, ArgumentStyle style = ArgumentStyle::Name);

/// A line for each output.
std::string outputsText(const ops::Schema& schema);

/// The example of a schema: what it is given, the call as a command line, and what that gives. Empty without example.
struct ExampleText {
  std::string given, command, result;
};

/// `numbered`: nullptr for custom operations.
ExampleText exampleText(ops::DeclarableOp* op, const loops::NumberedOp* numbered, const std::string& family);

/// How to call an operation from the command line; `verb` is "run" or "bench".
/// @throws UsageError that lists the nearest names when there is none of this name
std::string operationHelp(const std::string& name, const std::string& verb);

}  // namespace sd::cli

#endif
