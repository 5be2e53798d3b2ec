// Checks of a file before it is loaded into this process as a library of operations.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_LIBRARYFILE_H
#define NDFORGE_SRC_OPS_DECLARABLE_LIBRARYFILE_H

#include <string>

namespace sd::ops {

/// Checks the headers of a file. The dynamic loader maps the file as they say, and a program that touches a page behind
/// the end of the file is killed. @throws std::runtime_error when the file is not a shared library for this machine, or
/// is truncated
void requireLibraryFile(const std::string& path);

/// Loads the file in a child process, which then ends, because an initialiser that throws, aborts or crashes would take
/// its process down with it. @throws std::runtime_error when the child did not survive the load
void rehearseLoading(const std::string& path);

}  // namespace sd::ops

#endif
