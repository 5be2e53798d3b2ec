#include "system/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "system/Error.h"

namespace sd {
namespace {

namespace fs = std::filesystem;

constexpr int MOST_LINKS = 40;
constexpr unsigned NEW_FILE = 0666;  // before the umask is applied
constexpr size_t BLOCK = 1 << 20;
constexpr const char *NOT_OPENED = "cannot be opened for writing", *NOT_WRITTEN = "cannot be written";

/// The path after resolving symbolic links, even if no file exists there. Empty when it is not possible to write next
/// to the path: links of /proc to open files of this process (/dev/stdout), folders that do not exist.
std::optional<std::string> pathBehindLinks(const std::string& target) {
  fs::path path = target;
  for (int links = 0; links < MOST_LINKS; links++) {
    std::error_code error;
    const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), error);
    path = folder / path.filename();
    if (error || path.string().rfind("/proc/", 0) == 0) return std::nullopt;
    const fs::path next = fs::read_symlink(path, error);
    if (error) return path.string();  // it is not a link
    path = folder / next;
  }
  return std::nullopt;
}

}  // namespace

bool isSameTarget(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  const bool both = stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0;
  if (!both) return pathBehindLinks(a).value_or(a) == pathBehindLinks(b).value_or(b);
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino && !S_ISCHR(first.st_mode);
}

OutputFile::OutputFile(std::string tag, const std::string& target) : _tag(std::move(tag)), _target(target) {
  const std::optional<std::string> path = pathBehindLinks(target);
  struct stat status {};
  _existed = path && stat(path->c_str(), &status) == 0;
  if (!path || (_existed && !S_ISREG(status.st_mode))) {
    _descriptor = open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, NEW_FILE);
    if (_descriptor < 0) failed(NOT_OPENED, errno);
    return;
  }
  _resolved = *path;
  if (_existed && faccessat(AT_FDCWD, _resolved.c_str(), W_OK, AT_EACCESS) != 0) failed(NOT_OPENED, errno);
  _copies = _existed && status.st_nlink > 1;
  const unsigned mode = _existed ? status.st_mode & 07777 : NEW_FILE;
  openBeside(fs::path(_resolved).parent_path().string(), mode);
  if (_descriptor < 0 && _existed && (errno == EACCES || errno == EPERM || errno == EROFS)) {
    _copies = true;
    openBeside(fs::temp_directory_path().string(), 0600);
  }
  if (_descriptor < 0) failed(NOT_OPENED, errno);
  if (!_existed || _copies) return;
  // Sets the owner and the exact permissions; where that is not allowed, the existing file is overwritten instead.
  struct stat made {};
  const bool sameOwner = fstat(_descriptor, &made) == 0 && made.st_uid == status.st_uid && made.st_gid == status.st_gid;
  if (!sameOwner && fchown(_descriptor, status.st_uid, status.st_gid) != 0) _copies = true;
  if (fchmod(_descriptor, mode) != 0) _copies = true;
}

void OutputFile::openBeside(const std::string& folder, unsigned mode) {
  static std::atomic<unsigned> count{0};
  for (int attempt = 0; attempt < 1000; attempt++) {
    _temporary = (fs::path(folder) / fmt::format(".ndforge-{}-{}.tmp", getpid(), count++)).string();
    _descriptor = open(_temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
    if (_descriptor >= 0 || errno != EEXIST) return;
  }
}

OutputFile::~OutputFile() {
  if (_descriptor >= 0) close(_descriptor);
  if (!_temporary.empty()) unlink(_temporary.c_str());
}

void OutputFile::failed(const char* what, int error) const {
  fail<std::runtime_error>("[{}] '{}': {}: {}", _tag, _target, what, std::strerror(error));
}

void OutputFile::writeAll(int descriptor, const char* data, uint64_t size) const {
  while (size > 0) {
    const ssize_t count = ::write(descriptor, data, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) failed(NOT_WRITTEN, errno);
    data += count;
    size -= static_cast<uint64_t>(count);
  }
}

void OutputFile::write(const void* data, uint64_t size) { writeAll(_descriptor, static_cast<const char*>(data), size); }

void OutputFile::commit() {
  if (_temporary.empty() || !_copies) {
    const int descriptor = std::exchange(_descriptor, -1);
    if (close(descriptor) != 0 && errno != EINTR) failed(NOT_WRITTEN, errno);
    if (_temporary.empty()) return;
    if (std::rename(_temporary.c_str(), _resolved.c_str()) == 0) {
      _temporary.clear();
      return;
    }
    const int error = errno;
    if (!_existed || (error != EBUSY && error != EXDEV && error != EACCES && error != EPERM))
      failed(NOT_WRITTEN, error);
    _descriptor = open(_temporary.c_str(), O_RDONLY | O_CLOEXEC);
    if (_descriptor < 0) failed(NOT_WRITTEN, errno);
  }
  copyIntoTarget();
}

void OutputFile::copyIntoTarget() {
  const int target = open(_resolved.c_str(), O_WRONLY | O_CLOEXEC);
  if (target < 0) failed(NOT_OPENED, errno);
  struct Close {
    int descriptor;
    ~Close() { close(descriptor); }
  } const closing{target};
  struct stat content {
  }, old{};
  if (fstat(_descriptor, &content) != 0 || fstat(target, &old) != 0) failed(NOT_WRITTEN, errno);
  // Space is reserved before any byte is overwritten.
  if (content.st_size > old.st_size) {
    const int error = posix_fallocate(target, 0, content.st_size);
    if (error != 0) {
      [[maybe_unused]] const int restored = ftruncate(target, old.st_size);
      failed(NOT_WRITTEN, error);
    }
  }
  std::string block(BLOCK, '\0');
  for (off_t at = 0; at < content.st_size;) {
    const ssize_t count = pread(_descriptor, block.data(), block.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) failed(NOT_WRITTEN, count == 0 ? EIO : errno);
    writeAll(target, block.data(), static_cast<uint64_t>(count));
    at += count;
  }
  if (ftruncate(target, content.st_size) != 0) failed(NOT_WRITTEN, errno);
}

}  // namespace sd
