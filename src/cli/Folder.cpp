#include "cli/Folder.h"

#include <fmt/format.h>

#include <system_error>

#include "cli/Errors.h"

namespace sd::cli {

namespace fs = std::filesystem;

void makeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::is_directory(folder)) return;
  if (fs::exists(folder)) throw DataError(fmt::format("'{}' is a file, not a folder", folder.string()));
  throw DataError(fmt::format("the folder '{}' cannot be created: {}", folder.string(), error.message()));
}

}  // namespace sd::cli
