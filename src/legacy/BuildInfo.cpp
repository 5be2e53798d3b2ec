#include <build_info.h>
#include <loops/Executor.h>

#include <string>

extern "C" const char* buildInfo() {
  static const std::string text = "NDForge " NDFORGE_VERSION "\ncompiler: " __VERSION__ "\ninstruction set: " +
                                  std::string(sd::loops::instructionSet()) + "\n";
  return text.c_str();
}
