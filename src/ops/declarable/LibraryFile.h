// What is known of a file before it is loaded into this process as a library of operations.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_LIBRARYFILE_H
#define NDFORGE_SRC_OPS_DECLARABLE_LIBRARYFILE_H

#include <string>

namespace sd::ops {

/// Reads the headers of a file: the dynamic loader maps what they say, and a program that touches a page behind the end
/// of a file is killed. @throws std::runtime_error when the file is no shared library for this machine, or is cut off
void requireLibraryFile(const std::string& path);

/// Loads the file in a child process, which ends at once. An initialiser that throws, aborts or crashes cannot be
/// stopped in the process it runs in. @throws std::runtime_error when the child did not survive it
void rehearseLoading(const std::string& path);

}  // namespace sd::ops

#endif
