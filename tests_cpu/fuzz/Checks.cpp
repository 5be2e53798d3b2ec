// The checks after every call.
#include <legacy/NativeOps.h>

#include "Run.h"

namespace fuzz {

std::string takeError() {
  if (lastErrorCode() == 0) return "";
  const char* text = lastErrorMessage();
  return text == nullptr || *text == '\0' ? "(no text)" : text;
}

void checkMessage(Result& result, const std::string& op, const std::string& message) {
  if (message.empty() || message == "(no text)") return result.add("silent", "the call fails without a message");
  if (message.find("[" + op + "]") == std::string::npos)
    return result.add("nameless", "the message does not name the operation: " + message);
  for (const char* words :
       {"unknown error", "std::", "vector::", "basic_string", "bad_alloc", "cannot create", "map::"})
    if (message.find(words) != std::string::npos)
      return result.add("vague", "the message says nothing to a caller: " + message);
  if (message.size() > 4000) result.add("long", "a message of " + std::to_string(message.size()) + " characters");
}

void checkInputs(Result& result, const std::vector<Placed>& inputs) {
  for (size_t k = 0; k < inputs.size(); k++)
    if (!inputs[k].unchanged()) result.add("changed", "input " + std::to_string(k) + " was written");
}

void checkRefused(Result& result, const std::vector<Placed>& inputs, const std::vector<Placed>& outputs,
                  const std::string& message) {
  checkInputs(result, inputs);
  for (size_t k = 0; k < outputs.size(); k++)
    if (outputs[k].array().alias < 0 && !outputs[k].unchanged())
      result.add("written", "output " + std::to_string(k) + " was written by a call that fails: " + message);
}

Result run(const Call& call, Memory& memory) {
  switch (call.entry) {
    case Entry::Numbered:
      return runNumbered(call, memory);
    case Entry::List:
      return runList(call, memory);
    default:
      return runCustom(call, memory);
  }
}

}  // namespace fuzz
