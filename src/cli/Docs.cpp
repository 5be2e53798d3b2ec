#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/Commands.h"
#include "cli/Errors.h"
#include "cli/Folder.h"
#include "cli/Json.h"
#include "cli/Progress.h"
#include "cli/Text.h"
#include "cli/docs/Html.h"
#include "cli/docs/Pages.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

namespace fs = std::filesystem;

/// Whether this command wrote the file: such files contain docs::MARK near their beginning.
bool isOurs(const fs::path& file) {
  std::array<char, 512> head{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), head.size());
  return std::string_view(head.data(), size_t(stream.gcount())).find(docs::MARK) != std::string_view::npos;
}

void write(const fs::path& target, const std::string& content) {
  OutputFile file("docs", target.string());
  file.write(content.data(), content.size());
  file.commit();
}

void writeDocs(const std::string& out, const std::string& headers, bool json) {
  if (out.empty()) throw UsageError("--out: the name of the folder is empty");
  const fs::path folder(out);
  size_t pages = 0;
  {
    Progress progress("describing operations");
    const std::vector<docs::File> files = headers.empty() ? docs::site() : docs::site(docs::HeaderPages(headers));
    makeFolder(folder);
    // Nothing is written when the place of a page is taken by a file that this command did not write.
    for (const docs::File& file : files)
      if (const fs::path target = folder / file.path;
          fs::exists(target) && !(fs::is_regular_file(target) && isOurs(target)))
        throw DataError(
            fmt::format("'{}' exists and was not written by this command; nothing was changed", target.string()));
    progress.next("writing");
    for (const docs::File& file : files) {
      makeFolder((folder / file.path).parent_path());
      write(folder / file.path, file.content);
      pages += file.path.ends_with(".html") ? 1 : 0;
    }
  }
  if (json)
    return printJson({{"folder", folder.string()}, {"pages", pages}, {"index", (folder / "index.html").string()}});
  print(fmt::format("{} pages in {}: open {}\n", pages, folder.string(), (folder / "index.html").string()));
}

}  // namespace

void addDocs(CLI::App& app) {
  CLI::App* command = app.add_subcommand("docs", "Write HTML reference pages, one for each operation");
  const auto out = std::make_shared<std::string>();
  command->add_option("--out", *out, "The folder to write to; created if it does not exist, other files in it are kept")
      ->required();
  const auto headers = std::make_shared<std::string>();
  command->add_option("--headers", *headers, "A file of tools/header_pages.py: adds pages of the public headers");
  const auto json = addJsonFlag(*command);
  command->footer(
      "Examples:\n"
      "  ndforge docs --out site\n"
      "  ndforge --load libmyops.so docs --out site\n"
      "The pages work without a server and without a network; open index.html.");
  command->callback([=] { writeDocs(*out, *headers, *json); });
}

}  // namespace sd::cli
