// Renders the guides for the command: ndforge_guides ROOT OUTPUT FILE... The files are Markdown; links between them
// become links between pages. OUTPUT is a list of initialisers for cli/docs/Guides.cpp. With OUTPUT "--check" it only
// says which links have no target, and ends with 1 when there are some.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/guides/Markdown.h"

namespace {

namespace fs = std::filesystem;
using sd::cli::guides::Guide;

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::runtime_error("it cannot be read");
  return text.str();
}

/// A string literal. Compilers accept long ones; the delimiter occurs in no page.
std::string literal(const std::string& text) { return "R\"PAGE(" + text + ")PAGE\""; }

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fputs("usage: ndforge_guides ROOT OUTPUT|--check FILE...\n", stderr);
    return 2;
  }
  const fs::path root = fs::weakly_canonical(words[1]);
  const bool checks = std::string(words[2]) == "--check";
  std::map<fs::path, std::string> pages;
  for (int i = 3; i < count; ++i) {
    const fs::path file = fs::weakly_canonical(words[i]);
    if (!pages.emplace(file, file.stem().string()).second) return 2;
  }
  std::string output;
  int missing = 0;
  for (int i = 3; i < count; ++i) {
    const fs::path file = fs::weakly_canonical(words[i]);
    const auto target = [&](const std::string& address) -> std::string {
      if (address.starts_with('#')) return address;
      if (address.find("://") != std::string::npos || address.starts_with("mailto:")) return "";
      const size_t mark = std::min(address.find('#'), address.size());
      const fs::path other = fs::weakly_canonical(file.parent_path() / address.substr(0, mark));
      if (const auto page = pages.find(other); page != pages.end())
        return page->second + ".html" + address.substr(mark);
      if (!fs::exists(other)) {
        std::fprintf(stderr, "%s: the link %s has no target\n", fs::relative(file, root).c_str(), address.c_str());
        ++missing;
      }
      return "";
    };
    try {
      const Guide guide = sd::cli::guides::render(read(file), target);
      std::string headings;
      for (const auto& heading : guide.headings)
        headings += fmt::format("{} {} {}\n", heading.level, heading.id, heading.text);
      output += fmt::format("{{{}, {}, {}, {}, {}}},\n", literal(file.stem().string()), literal(guide.title),
                            literal(guide.summary), literal(headings), literal(guide.html));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", words[i], error.what());
      return 1;
    }
  }
  if (checks) return missing > 0 ? 1 : 0;
  std::ofstream stream(words[2], std::ios::binary);
  stream << output;
  return stream.flush() ? 0 : 1;
}
