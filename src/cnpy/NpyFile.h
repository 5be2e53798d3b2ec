// A .npy file that is open for reading.
#ifndef NDFORGE_SRC_CNPY_NPYFILE_H
#define NDFORGE_SRC_CNPY_NPYFILE_H

#include <fstream>
#include <string>

#include "cnpy/NpyHeader.h"

namespace sd::npy {

class NpyFile {
 public:
  /// Opens a file, reads its header and checks that all the data is present.
  explicit NpyFile(const std::string& file);

  const Header& header() const { return _header; }

  /// Reads the data, header().dataBytes bytes, in the byte order of this machine.
  void read(char* to);

 private:
  std::string _where;
  std::ifstream _stream;
  Header _header;
};

/// Throws when fewer bytes are present than the array needs.
void checkPresent(const Header& header, size_t present, std::string_view where);

}  // namespace sd::npy

#endif
