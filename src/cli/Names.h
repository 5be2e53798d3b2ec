// Finds numbered operations by the names that users give.
#ifndef NDFORGE_SRC_CLI_NAMES_H
#define NDFORGE_SRC_CLI_NAMES_H

#include <loops/OpGroup.h>

#include <string>
#include <string_view>
#include <vector>

namespace sd::cli {

/// The operations with a name: "Add", "pairwise.Add", "PAIRWISE_TRANSFORM.Add" or "PAIRWISE_TRANSFORM:0". Case matters
/// when two names differ only in case. @throws UsageError that lists the nearest names when there is none
std::vector<const loops::NumberedOp*> findOps(const std::string& name);

/// The groups with the name of a group or of a family. @throws UsageError that lists the names when there is none
std::vector<loops::OpGroup> findGroups(const std::string& name);

std::vector<std::string_view> groupNames();

/// Whether findGroups() finds a group.
bool isGroup(const std::string& name);

}  // namespace sd::cli

#endif
