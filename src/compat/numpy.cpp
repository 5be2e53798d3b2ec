// Reading and writing .npy files.
#include <cnpy/cnpy.h>

#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "export.h"

namespace sd::compat {

namespace {

/// The bytes of a file and a 0 after them, which the caller frees with delete[].
char* loadFile(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  if (!file || size < 0) throw std::runtime_error(std::string("[loadFile] cannot read '") + path + "'");
  std::unique_ptr<char[]> bytes(new char[static_cast<size_t>(size) + 1]);
  file.seekg(0);
  if (!file.read(bytes.get(), size)) throw std::runtime_error(std::string("[loadFile] cannot read '") + path + "'");
  bytes[static_cast<size_t>(size)] = 0;
  return bytes.release();
}

}  // namespace

SD_EXPORT(_ZN4cnpy15createNpyHeaderI7float16EESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<float16>(static_cast<const float16*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderI8bfloat16EESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<bfloat16>(static_cast<const bfloat16*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIaEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<int8_t>(static_cast<const int8_t*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIbEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<bool>(static_cast<const bool*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIdEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<double>(static_cast<const double*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIfEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<float>(static_cast<const float*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIiEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<int>(static_cast<const int*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIjEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<uint32_t>(static_cast<const uint32_t*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderImEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<uint64_t>(static_cast<const uint64_t*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIsEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<short>(static_cast<const short*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderItEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<uint16_t>(static_cast<const uint16_t*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIxEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<LongType>(static_cast<const LongType*>(a), b, c, d))
SD_EXPORT(_ZN4cnpy7npzLoadENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, (std::string a), cnpy::npzLoad(a))
SD_EXPORT(_ZN4cnpy15createNpyHeaderIhEESt6vectorIcSaIcEEPKvPKjjj,
          (const void* a, const uint32_t* b, uint32_t c, uint32_t d),
          cnpy::createNpyHeader<uint8_t>(static_cast<const uint8_t*>(a), b, c, d))

SD_EXPORT(_ZN4cnpy8loadFileEPKc, (const char* path), loadFile(path))

}  // namespace sd::compat
