// Processors that OpenBLAS does not know.
//
// OpenBLAS chooses its kernels by the model number of the processor. For numbers that are newer than the release
// (0.3.21 on Emerald Rapids, say) it falls back to those of Prescott, with vectors of two doubles: products and
// decompositions take five to ten times as long. When the library is loaded, it asks OpenBLAS to choose again, by the
// instructions that the processor has. OPENBLAS_CORETYPE in the environment keeps its meaning.
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#if defined(__GLIBC__) && defined(__x86_64__)
#include <dirent.h>
#include <link.h>
#include <unistd.h>

// Weak: other libraries, and some builds of OpenBLAS, do not have them.
extern "C" {
[[gnu::weak]] char* openblas_get_corename();
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace sd::blas {
namespace {

/// The best of OpenBLAS's kernels that the processor can run, or nullptr.
const char* coreByInstructions() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? "OPENBLAS_CORETYPE=SkylakeX" : "OPENBLAS_CORETYPE=Haswell";
}

bool hasOneThread() {
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return false;
  int count = 0;
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count == 1;
}

/// Whether `library` depends on a library for linear algebra: then its calls may be running.
bool callsBlas(const link_map& library) {
  const char* names = nullptr;
  for (const ElfW(Dyn)* d = library.l_ld; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(d->d_un.d_ptr);
  if (names == nullptr) return false;
  for (const ElfW(Dyn)* d = library.l_ld; d->d_tag != DT_NULL; d++) {
    if (d->d_tag != DT_NEEDED) continue;
    const std::string_view needed = names + d->d_un.d_val;
    for (const char* kind : {"libopenblas", "libblas", "libcblas", "liblapack"})
      if (needed.substr(0, std::strlen(kind)) == kind) return true;
  }
  return false;
}

/// Whether another library or the program may call OpenBLAS while the kernels are exchanged.
bool mayBeInUse() {
  if (hasOneThread()) return false;
  int users = 0;
  for (const link_map* library = _r_debug.r_map; library != nullptr; library = library->l_next) {
    const char* const file = std::strrchr(library->l_name, '/');
    const std::string_view name = file != nullptr ? file + 1 : library->l_name;
    if (name.find("vdso") != name.npos || name.find("libndforge") == 0 || name.find("libnd4jcpu") == 0) continue;
    users += callsBlas(*library);
  }
  return users > 0;
}

[[gnu::constructor]] void chooseCore() {
  if (openblas_get_corename == nullptr || gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) return;
  if (std::string_view(openblas_get_corename()) != "Prescott") return;
  const char* const core = coreByInstructions();
  if (core == nullptr || mayBeInUse()) return;
  // OpenBLAS reads the name from the environment. Another one takes its place for that moment: setenv would free memory
  // that other threads may be reading.
  static std::vector<char*> variables;
  char** const before = environ;
  for (char** variable = before; variable != nullptr && *variable != nullptr; variable++)
    variables.push_back(*variable);
  variables.push_back(const_cast<char*>(core));
  variables.push_back(nullptr);
  environ = variables.data();
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  environ = before;
}

}  // namespace
}  // namespace sd::blas
#endif
