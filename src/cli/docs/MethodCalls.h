// Calls of numbered operations through methods of arrays.
#ifndef NDFORGE_SRC_CLI_DOCS_METHODCALLS_H
#define NDFORGE_SRC_CLI_DOCS_METHODCALLS_H

#include <string>

#include "cli/docs/Worked.h"

namespace sd::cli::docs {

std::string methodCall(const WorkedExample& example);

}  // namespace sd::cli::docs

#endif
