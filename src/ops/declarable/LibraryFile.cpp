#include "ops/declarable/LibraryFile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <vector>

#include "system/Error.h"

namespace sd::ops {
namespace {

#if defined(__x86_64__)
constexpr int MACHINE = EM_X86_64;
#elif defined(__aarch64__)
constexpr int MACHINE = EM_AARCH64;
#else
constexpr int MACHINE = EM_NONE;  // any machine
#endif
constexpr unsigned char CLASS = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char BYTE_ORDER_MARK = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

constexpr int PATIENCE = 20'000;  // milliseconds

class File {
 public:
  explicit File(const std::string& path)
      : _path(path), _descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    if (_descriptor < 0 || fstat(_descriptor, &status) != 0) {
      const int error = errno;
      if (_descriptor >= 0) close(_descriptor);
      fail<std::runtime_error>("[loadOpLibrary] '{}' cannot be read: {}", path, std::strerror(error));
    }
    _isRegular = S_ISREG(status.st_mode);
    _isFolder = S_ISDIR(status.st_mode);
    _size = static_cast<uint64_t>(status.st_size);
  }
  ~File() { close(_descriptor); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool isRegular() const { return _isRegular; }
  bool isFolder() const { return _isFolder; }
  uint64_t size() const { return _size; }

  bool holds(uint64_t offset, uint64_t bytes) const { return offset <= _size && bytes <= _size - offset; }

  /// False when the range is not inside the file.
  bool read(uint64_t offset, void* to, uint64_t bytes) const {
    return holds(offset, bytes) &&
           pread(_descriptor, to, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    fail<std::runtime_error>("[loadOpLibrary] '{}' cannot be loaded: {}", _path, why);
  }

 private:
  std::string _path;
  int _descriptor;
  bool _isRegular = false, _isFolder = false;
  uint64_t _size = 0;
};

/// In the child: the pipe on which it reports to the parent why it ended. Otherwise -1.
int reportTo = -1;

[[noreturn]] void reportException() noexcept {
  std::string why = "an exception";
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    why = error.what();
  } catch (...) {
    why = "an object that is not a std::exception";
  }
  [[maybe_unused]] const ssize_t written = write(reportTo, why.data(), why.size());
  _exit(1);
}

[[noreturn]] void rehearse(const std::string& path, int report) {
  reportTo = report;
  const rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  // The initialisers' output is discarded here, because the parent's load prints it.
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  std::set_terminate(reportException);
  // An initialiser may throw through dlopen, which is declared noexcept; volatile hides that from the compiler.
  void* (*volatile load)(const char*, int) = dlopen;
  try {
    load(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // if this returns an error, the parent's own load reports it
  } catch (...) {
    reportException();
  }
  const char done = '\0';
  [[maybe_unused]] const ssize_t written = write(report, &done, 1);
  _exit(0);
}

}  // namespace

void requireLibraryFile(const std::string& path) {
  const File file(path);
  if (file.isFolder()) file.refuse("it is a folder");
  if (!file.isRegular()) file.refuse("it is not a regular file");
  if (file.size() == 0) file.refuse("it is empty");
  ElfW(Ehdr) header{};
  if (!file.read(0, &header, std::min<uint64_t>(file.size(), sizeof(header))) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    file.refuse("it is not a library (not an ELF file)");
  const auto cut = [&](const char* what) {
    file.refuse(fmt::format("it is truncated or damaged: {} lies outside the file's {} bytes", what, file.size()));
  };
  if (file.size() < sizeof(header)) cut("its header");
  if (header.e_ident[EI_CLASS] != CLASS || header.e_ident[EI_DATA] != BYTE_ORDER_MARK ||
      (MACHINE != EM_NONE && header.e_machine != MACHINE))
    file.refuse(fmt::format("it is for another kind of machine (ELF machine {}, this one is {})",
                            static_cast<int>(header.e_machine), MACHINE));
  if (header.e_type != ET_DYN) file.refuse("it is not a shared library");
  if (header.e_phnum == 0 || header.e_phentsize != sizeof(ElfW(Phdr))) file.refuse("its program headers are damaged");
  if (header.e_shnum > 0 && !file.holds(header.e_shoff, uint64_t{header.e_shnum} * header.e_shentsize))
    cut("its section table");

  std::vector<ElfW(Phdr)> segments(header.e_phnum);
  if (!file.read(header.e_phoff, segments.data(), segments.size() * sizeof(segments[0])))
    cut("its table of program headers");
  bool isDynamic = false;
  for (const auto& segment : segments) {
    if (segment.p_type == PT_NULL) continue;
    if (segment.p_filesz > 0 && !file.holds(segment.p_offset, segment.p_filesz)) cut("a segment");
    isDynamic = isDynamic || segment.p_type == PT_DYNAMIC;
  }
  if (!isDynamic) file.refuse("it is not a shared library (it has no dynamic section)");
}

void rehearseLoading(const std::string& path) {
  int ends[2];
  if (reportTo >= 0) return;  // already inside such a child
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t child = fork();
  if (child == 0) rehearse(path, ends[1]);
  close(ends[1]);
  if (child < 0) {  // no child could be made: the load itself will show whether it works
    close(ends[0]);
    return;
  }

  std::string told;
  pollfd wait{ends[0], POLLIN, 0};
  bool ended = false;
  while (!ended) {
    const int ready = poll(&wait, 1, PATIENCE);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    char buffer[1024];
    const ssize_t count = read(ends[0], buffer, sizeof(buffer));
    if (count > 0) told.append(buffer, static_cast<size_t>(count));
    ended = count == 0 || (count < 0 && errno != EINTR);
  }
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended || told == std::string(1, '\0')) return;
  const auto refuse = [&](const std::string& why) {
    fail<std::runtime_error>("[loadOpLibrary] '{}' cannot be loaded: {}", path, why);
  };
  if (!told.empty()) refuse(fmt::format("an initialiser threw: {}", told));
  if (WIFSIGNALED(status))
    refuse(
        fmt::format("a trial load of it was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
  refuse(fmt::format("a trial load of it exited with status {}", WEXITSTATUS(status)));
}

}  // namespace sd::ops
