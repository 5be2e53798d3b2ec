#include "cli/InputPatterns.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "cli/Errors.h"
#include "cli/Folder.h"
#include "cli/Text.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

namespace fs = std::filesystem;

/// The parts of "name=files*.npz:array".
struct Source {
  std::string before, file, after;

  Source(const std::string& input, const InputSplit& split) {
    const auto [name, rest] = split(input);
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

bool isArchive(const std::string& file) { return file.ends_with(".npz"); }

/// The message, with the name of the file unless it has that.
std::string namedError(const std::string& file, const std::string& message) {
  return message.find(file) == std::string::npos ? fmt::format("'{}': {}", file, message) : message;
}

/// The files in the folder, one for each call.
std::vector<std::string> targetsIn(const std::string& folder, const std::vector<FileCall>& calls, bool areArchives) {
  std::map<std::string, std::string> inputOf;
  std::vector<std::string> targets;
  for (const FileCall& call : calls) {
    const std::string name = fs::path(call.file).stem().string() + (areArchives ? ".npz" : ".npy");
    const std::string target = (fs::path(folder) / name).string();
    if (const auto [other, isNew] = inputOf.emplace(target, call.file); !isNew)
      throw UsageError(fmt::format("-o: the results of '{}' and '{}' would both be '{}'", shortened(other->second),
                                   shortened(call.file), shortened(target)));
    targets.push_back(target);
  }
  for (const std::string& target : targets)
    for (const FileCall& call : calls)
      for (const std::string& file : call.files)
        if (fs::exists(target) && isSameTarget(target, file))
          throw UsageError(fmt::format("-o: '{}' is an input; choose another folder", shortened(target)));
  return targets;
}

}  // namespace

std::pair<std::string, std::string> namedFile(const std::string& input) {
  const size_t equals = input.find('=');
  const bool named = equals != std::string::npos && equals > 0 &&
                     std::all_of(input.begin(), input.begin() + std::ptrdiff_t(equals),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return named ? std::pair(input.substr(0, equals), input.substr(equals + 1)) : std::pair(std::string(), input);
}

bool isPattern(const std::string& input, const InputSplit& split) {
  const std::string file = Source(input, split).file;
  std::error_code ignored;  // a name that is too long names no file
  return file.find_first_of("*?[") != std::string::npos && !fs::exists(file, ignored) && !fs::exists(input, ignored);
}

std::vector<FileCall> callsOf(const std::vector<std::string>& inputs, const InputSplit& split) {
  // The files of each input, none for an input without a pattern. Listed once: folders may change meanwhile.
  std::vector<std::vector<std::string>> files;
  std::vector<FileCall> calls;
  std::string first;
  for (const std::string& input : inputs) {
    files.emplace_back();
    if (!isPattern(input, split)) continue;
    const Source source(input, split);
    files.back() = matches(source.file);
    if (calls.empty()) {
      first = source.file;
      for (const std::string& file : files.back()) calls.push_back({file, {}, {}});
    } else if (files.back().size() != calls.size()) {
      throw UsageError(fmt::format("-i: '{}' matches {} files, but '{}' matches {}", shortened(first), calls.size(),
                                   shortened(source.file), files.back().size()));
    }
  }
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Source source(inputs[k], split);
    if (source.file == "-" && calls.size() > 1)
      throw UsageError(fmt::format("-i: standard input can be read once, but '{}' matches {} files", shortened(first),
                                   calls.size()));
    for (size_t i = 0; i < calls.size(); ++i) {
      calls[i].files.push_back(files[k].empty() ? source.file : files[k][i]);
      calls[i].inputs.push_back(source.before + calls[i].files.back() + source.after);
    }
  }
  return calls;
}

void forEachCall(const std::vector<FileCall>& calls, const std::function<void(size_t)>& call) {
  for (size_t i = 0; i < calls.size(); ++i) {
    try {
      call(i);
    } catch (const UsageError& error) {
      throw UsageError(namedError(calls[i].file, error.what()));
    } catch (const std::exception& error) {
      throw DataError(namedError(calls[i].file, error.what()));
    }
  }
}

void refuseLooseFiles(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (std::error_code ignored; (word.ends_with(".npy") || isArchive(word)) && fs::exists(word, ignored))
      throw UsageError(
          fmt::format("the file '{}' does not belong to an option: each -i takes one file, or a pattern in quotation "
                      "marks, -i '*.npy'",
                      shortened(word)));
}

ResultFolder::ResultFolder(std::string folder, const std::vector<FileCall>& calls, const std::string& example)
    : _folder(std::move(folder)), _calls(calls) {
  if (!_folder.ends_with('/') && !fs::is_directory(_folder))
    throw UsageError(
        fmt::format("-o: '{}' is not a folder: the results for the files of a pattern go into one, for example {}/",
                    shortened(_folder), example));
}

const std::string& ResultFolder::target(size_t index, size_t results) {
  if (_targets.empty()) {
    _targets = targetsIn(_folder, _calls, results > 1);
    makeFolder(_folder);
  }
  if (isArchive(_targets[index]) != (results > 1))
    throw DataError("its number of results differs from that of the first file");
  return _targets[index];
}

}  // namespace sd::cli
