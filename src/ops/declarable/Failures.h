// Exceptions that leave a call of an operation: their messages start with the operation's name.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_FAILURES_H
#define NDFORGE_SRC_OPS_DECLARABLE_FAILURES_H

#include <graph/Context.h>

#include <string>
#include <string_view>

namespace sd::ops {

class DeclarableOp;

/// Whether the message begins with "[name]".
bool isNamed(std::string_view message, const std::string& name);

/// Returns "[name] message". If the message is "[place] text", from something that the operation called, it becomes
/// "[name] place: text".
std::string named(std::string_view message, const std::string& name);

/// Rethrows the exception being handled, with the same type and a message that names the operation. When the standard
/// library could not get memory, it throws sd::allocation_exception, which names the arrays of the call. An object that
/// is not a std::exception becomes std::runtime_error. Call it inside a catch block.
[[noreturn]] SD_LIB_EXPORT void rethrowNamed(const std::string& name, const graph::Context& block);

/// " 'shape'", the name of an input in quotes; empty when the schema has no row for it.
std::string quotedInputName(DeclarableOp& op, int index);

}  // namespace sd::ops

#endif
