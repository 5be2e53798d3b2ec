// Folders that commands write into.
#ifndef NDFORGE_SRC_CLI_FOLDER_H
#define NDFORGE_SRC_CLI_FOLDER_H

#include <filesystem>

namespace sd::cli {

/// Creates a folder and its parents. @throws DataError when a file is in the way
void makeFolder(const std::filesystem::path& folder);

}  // namespace sd::cli

#endif
