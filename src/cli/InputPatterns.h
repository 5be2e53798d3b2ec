// Several input files by patterns: -i 'images/*.npy' means one call for each file.
#ifndef NDFORGE_SRC_CLI_INPUTPATTERNS_H
#define NDFORGE_SRC_CLI_INPUTPATTERNS_H

#include <string>
#include <utility>
#include <vector>

namespace sd::cli {

/// "x=a.npy" means the file a.npy for the input x: the name, or "", and the file.
std::pair<std::string, std::string> namedFile(const std::string& input);

/// Whether -i names files by a pattern: it has '*', '?' or '[', and is not itself the name of a file.
bool isPattern(const std::string& input);

/// One call of an operation.
struct FileCall {
  std::string file;                 ///< what the first pattern stands for here
  std::vector<std::string> inputs;  ///< the values of -i with files in place of patterns
};

/// One call for each file that matches, ordered by name. Inputs without patterns are the same in all calls; several
/// patterns go together, the first file of one with the first file of the other.
/// @throws DataError when a pattern matches nothing; UsageError when patterns match different numbers of files
std::vector<FileCall> callsOf(const std::vector<std::string>& inputs);

/// The files in a folder to write to, one for each call: the name of its input with the ending .npy, or .npz when there
/// are several results. @throws UsageError for names that are equal, and for files that are inputs themselves
std::vector<std::string> targetsIn(const std::string& folder, const std::vector<FileCall>& calls, bool isArchive);

}  // namespace sd::cli

#endif
