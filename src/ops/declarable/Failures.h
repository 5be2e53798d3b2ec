// What a call of an operation throws, with the name of the operation in front.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_FAILURES_H
#define NDFORGE_SRC_OPS_DECLARABLE_FAILURES_H

#include <graph/Context.h>

#include <string>
#include <string_view>

namespace sd::ops {

/// Whether the message begins with "[name]".
bool isNamed(std::string_view message, const std::string& name);

/// "[name] message"; "[place] text" of something that the operation called becomes "[name] place: text".
std::string named(std::string_view message, const std::string& name);

/// Throws the exception that is being handled again, of the same type, with a message that names the operation. Memory
/// that the standard library could not get becomes sd::allocation_exception, which says for which arrays; what is no
/// std::exception becomes std::runtime_error. Call it inside of a catch block.
[[noreturn]] SD_LIB_EXPORT void rethrowNamed(const std::string& name, const graph::Context& block);

}  // namespace sd::ops

#endif
