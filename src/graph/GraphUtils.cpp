#include <graph/GraphUtils.h>

#include <unordered_set>

namespace sd::graph {

bool GraphUtils::filterOperations(std::vector<ops::OpDescriptor>& ops) {
  std::unordered_set<std::string> names;
  std::vector<ops::OpDescriptor> kept;
  for (ops::OpDescriptor& op : ops)
    if (names.insert(*op.getOpName()).second) kept.push_back(op);
  const bool removed = kept.size() < ops.size();
  if (removed) ops.swap(kept);
  return removed;
}

std::string GraphUtils::makeCommandLine(std::vector<ops::OpDescriptor>& ops) {
  if (ops.empty()) return "";
  std::string text = " -g \"-DSD_OPS_LIST='";
  for (ops::OpDescriptor& op : ops) text += "-DOP_" + *op.getOpName() + "=true ";
  return text + "'\"";
}

}  // namespace sd::graph
