#include "cli/docs/Calls.h"

#include "cli/docs/CallParts.h"

namespace sd::cli::docs {

std::string cppCall(const Item& item) { return item.numbered != nullptr ? numberedCall(item) : customCall(item); }

std::string commandLine(const Item& item) {
  return item.numbered != nullptr ? numberedCommand(item) : customCommand(item);
}

}  // namespace sd::cli::docs
