#include "cli/InputPatterns.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "cli/Errors.h"
#include "cli/Text.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

namespace fs = std::filesystem;

/// The parts of "name=files*.npz:array".
struct Source {
  std::string before, file, after;

  explicit Source(const std::string& input) {
    const auto [name, rest] = namedFile(input);
    if (!name.empty()) before = name + "=";
    const size_t colon = rest.rfind(".npz:");
    file = colon == std::string::npos ? rest : rest.substr(0, colon + 4);
    after = rest.substr(file.size());
  }
};

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found{};
  const int code = glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (code == 0 ? found.gl_pathc : 0));
  globfree(&found);
  if (code != 0 && code != GLOB_NOMATCH)
    throw DataError(fmt::format("-i: the files for '{}' cannot be listed", shortened(pattern)));
  if (files.empty()) throw DataError(fmt::format("-i: no file matches '{}'", shortened(pattern)));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::pair<std::string, std::string> namedFile(const std::string& input) {
  const size_t equals = input.find('=');
  const bool named = equals != std::string::npos && equals > 0 &&
                     std::all_of(input.begin(), input.begin() + std::ptrdiff_t(equals),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return named ? std::pair(input.substr(0, equals), input.substr(equals + 1)) : std::pair(std::string(), input);
}

bool isPattern(const std::string& input) {
  const std::string file = Source(input).file;
  std::error_code ignored;  // a name that is too long names no file
  return file.find_first_of("*?[") != std::string::npos && !fs::exists(file, ignored) && !fs::exists(input, ignored);
}

std::vector<FileCall> callsOf(const std::vector<std::string>& inputs) {
  // The files of each input, none for an input without a pattern. Listed once: folders may change meanwhile.
  std::vector<std::vector<std::string>> files;
  std::vector<FileCall> calls;
  std::string first;
  for (const std::string& input : inputs) {
    files.emplace_back();
    if (!isPattern(input)) continue;
    const Source source(input);
    files.back() = matches(source.file);
    if (calls.empty()) {
      first = source.file;
      for (const std::string& file : files.back()) calls.push_back({file, {}});
    } else if (files.back().size() != calls.size()) {
      throw UsageError(fmt::format("-i: '{}' matches {} files, but '{}' matches {}", shortened(first), calls.size(),
                                   shortened(source.file), files.back().size()));
    }
  }
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Source source(inputs[k]);
    for (size_t i = 0; i < calls.size(); ++i)
      calls[i].inputs.push_back(files[k].empty() ? inputs[k] : source.before + files[k][i] + source.after);
  }
  return calls;
}

std::vector<std::string> targetsIn(const std::string& folder, const std::vector<FileCall>& calls, bool isArchive) {
  std::map<std::string, std::string> inputOf;
  std::vector<std::string> targets;
  for (const FileCall& call : calls) {
    const std::string name = fs::path(call.file).stem().string() + (isArchive ? ".npz" : ".npy");
    const std::string target = (fs::path(folder) / name).string();
    if (const auto [other, isNew] = inputOf.emplace(target, call.file); !isNew)
      throw UsageError(fmt::format("-o: the results of '{}' and '{}' would both be '{}'", shortened(other->second),
                                   shortened(call.file), shortened(target)));
    targets.push_back(target);
  }
  for (const std::string& target : targets)
    for (const FileCall& call : calls)
      for (const std::string& input : call.inputs)
        if (fs::exists(target) && isSameTarget(target, Source(input).file))
          throw UsageError(fmt::format("-o: '{}' is an input; choose another folder", shortened(target)));
  return targets;
}

}  // namespace sd::cli
