// The list of all numbered operations as one text.
#include <legacy/NativeOps.h>

#include <string>

#include "legacy/Guard.h"
#include "loops/ListedGroups.h"

namespace {

std::string listOperations() {
  std::string text;
  for (const sd::loops::ListedGroup& listed : sd::loops::LISTED_GROUPS) {
    text += std::to_string(listed.type) + " ";
    for (const sd::loops::NumberedOp& op : sd::loops::numberedOps())
      if (op.group == listed.group) text += fmt::format("-1:{}:{}<<", op.number, op.name);
    text += ">>";
  }
  return text;
}

}  // namespace

const char* getAllOperations() {
  return sd::legacy::guarded(__func__, [] {
    static const std::string text = listOperations();
    return text.c_str();
  });
}
