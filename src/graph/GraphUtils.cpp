#include <graph/GraphUtils.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <unordered_set>

extern char** environ;

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

int GraphUtils::runPreprocessor(const char* input, const char* output) {
  if (input == nullptr || output == nullptr) return -1;
  std::string from = *input == '-' ? std::string("./") + input : input, to = output;
  // No shell is in between, so names of files may have any characters. Without -P, the result would have line marks.
  std::string program = "c++", preprocess = "-E", plain = "-P", kind = "-xc++", into = "-o";
  char* arguments[] = {program.data(), preprocess.data(), plain.data(), kind.data(),
                       into.data(),    to.data(),         from.data(),  nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments, environ) != 0) return -1;
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace sd::graph
