// Several input files by patterns: -i 'images/*.npy' means one call for each file.
#ifndef NDFORGE_SRC_CLI_INPUTPATTERNS_H
#define NDFORGE_SRC_CLI_INPUTPATTERNS_H

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sd::cli {

/// Splits a value of -i into the name of an input, or "", and the file.
using InputSplit = std::function<std::pair<std::string, std::string>(const std::string& input)>;

/// "x=a.npy" means the file a.npy for the input x.
std::pair<std::string, std::string> namedFile(const std::string& input);

/// Whether -i names files by a pattern: it has '*', '?' or '[', and is not itself the name of a file.
bool isPattern(const std::string& input, const InputSplit& split = namedFile);

/// One call of an operation or run of a graph.
struct FileCall {
  std::string file;                 ///< what the first pattern stands for here
  std::vector<std::string> inputs;  ///< the values of -i with files in place of patterns
  std::vector<std::string> files;   ///< the files of these
};

/// One call for each file that matches, ordered by name. Inputs without patterns are the same in all calls; several
/// patterns go together, the first file of one with the first file of the other.
/// @throws DataError when a pattern matches nothing; UsageError when patterns match different numbers of files, and for
/// standard input, which can be read once
std::vector<FileCall> callsOf(const std::vector<std::string>& inputs, const InputSplit& split = namedFile);

/// Makes the calls one after another; they get their number. Errors name the file.
void forEachCall(const std::vector<FileCall>& calls, const std::function<void(size_t)>& call);

/// Shells replace a pattern without quotation marks by several names, of which -i takes one. @throws UsageError when
/// one of the words is a file
void refuseLooseFiles(const std::vector<std::string>& words);

/// The folder that gets the results for the files of a pattern. They have the names of these files.
class ResultFolder {
 public:
  /// @throws UsageError when the name neither ends with '/' nor is that of a folder; `example` is a name for one
  ResultFolder(std::string folder, const std::vector<FileCall>& calls, const std::string& example);

  /// The file for call `index`: .npy, or .npz when there are several results. The first question makes the folder.
  /// @throws UsageError for equal names, and for files that are inputs themselves
  const std::string& target(size_t index, size_t results);
  const std::string& name() const { return _folder; }

 private:
  std::string _folder;
  const std::vector<FileCall>& _calls;
  std::vector<std::string> _targets;
};

}  // namespace sd::cli

#endif
