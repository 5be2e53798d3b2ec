#include "Files.h"

#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <legacy/NativeOps.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../layers_tests/TestData.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

struct Seed {
  std::string name;
  Bytes bytes;
};

/// The small files of the test data.
const std::vector<Seed>& seeds() {
  static const std::vector<Seed> found = [] {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(test::dataFolder()))
      if (entry.is_regular_file() && entry.file_size() < 40000 &&
          (entry.path().extension() == ".npy" || entry.path().extension() == ".npz"))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Seed> files;
    for (const auto& path : paths) {
      std::ifstream in(path, std::ios::binary);
      files.push_back({path.filename().string(), Bytes(std::istreambuf_iterator<char>(in), {})});
    }
    if (files.empty()) throw std::runtime_error("there are no files in " + test::dataFolder().string());
    return files;
  }();
  return found;
}

/// Replaces a place in a header by random digits, another word, or random bytes.
void mutate(Bytes& file, Random& random) {
  const size_t n = file.size();
  if (n == 0) return;
  const auto at = [&](size_t limit) { return static_cast<std::ptrdiff_t>(random.below(std::min(n, limit))); };
  switch (random.below(9)) {
    case 0:
      file.resize(random.below(n));
      return;
    case 1:
      file.resize(std::min(n, static_cast<size_t>(random.below(200))));
      return;
    case 2:
      file[static_cast<size_t>(at(128))] = static_cast<uint8_t>(random.next());
      return;
    case 3:
      file[static_cast<size_t>(at(n))] ^= static_cast<uint8_t>(1u << random.below(8));
      return;
    case 4: {
      static const std::vector<std::string> WORDS{"99999999999",
                                                  "9223372036854775807",
                                                  "18446744073709551616",
                                                  "-1",
                                                  "0",
                                                  "(",
                                                  ")",
                                                  ",,,",
                                                  "'<f8'",
                                                  "'>f4'",
                                                  "'|O'",
                                                  "'<U4'",
                                                  "'V2'",
                                                  "True",
                                                  "False",
                                                  "{",
                                                  "}",
                                                  "'",
                                                  "'descr'",
                                                  "'shape'",
                                                  "\n",
                                                  "4294967296, 4294967296",
                                                  "1L"};
      const std::string& word = random.pick(WORDS);
      const auto place = at(128);
      if (random.once(2))
        file.erase(file.begin() + place,
                   file.begin() + std::min<std::ptrdiff_t>(place + 3, static_cast<std::ptrdiff_t>(n)));
      file.insert(file.begin() + std::min<std::ptrdiff_t>(place, static_cast<std::ptrdiff_t>(file.size())),
                  word.begin(), word.end());
      return;
    }
    case 5: {
      // Archives have lengths and offsets everywhere, but mostly at the end.
      const size_t place = random.once(2) ? n - 1 - random.below(std::min<size_t>(n, 120)) : random.below(n);
      for (size_t k = place; k < std::min(n, place + 4); k++) file[k] = random.pick<uint8_t>({0xFF, 0x7F, 0x80, 0});
      return;
    }
    case 6: {
      const auto from = at(n);
      const Bytes part(file.begin() + from,
                       file.begin() + std::min<std::ptrdiff_t>(from + 64, static_cast<std::ptrdiff_t>(n)));
      file.insert(file.begin() + at(n), part.begin(), part.end());
      return;
    }
    case 7: {
      const auto from = at(n);
      file.erase(file.begin() + from,
                 file.begin() + std::min<std::ptrdiff_t>(from + static_cast<std::ptrdiff_t>(random.below(16)),
                                                         static_cast<std::ptrdiff_t>(n)));
      return;
    }
    default:
      file.insert(file.end(), random.below(100), static_cast<uint8_t>(random.next()));
  }
}

struct File {
  std::string name;
  Bytes bytes;
};

File makeFile(uint64_t seed, uint64_t index) {
  Random random(seed, index);
  const Seed& source = random.pick(seeds());
  File file{source.name, source.bytes};
  for (uint64_t k = random.below(4); k > 0; k--) mutate(file.bytes, random);
  return file;
}

/// Runs a loader; if it throws, the message must name the file or the function.
template <typename F>
void load(Result& result, const std::string& path, F&& f) {
  try {
    f();
    result.outcome = Outcome::Ok;
  } catch (const std::exception& error) {
    const std::string message = error.what();
    if (message.find(path) == std::string::npos)
      result.add("nameless", "the message does not name the file: " + message);
  }
}

void loadThroughC(Result& result, const std::string& path, bool archive) {
  takeError();
  if (archive) {
    if (void* map = mapFromNpzFile(path)) {
      char name[256];
      for (int k = 0, n = getNumNpyArraysInMap(map); k < n; k++) {
        getNpyArrayNameFromMap(map, k, name);
        void* array = getNpyArrayFromMap(map, k);
        deleteLongArray(getNpyArrayShape(array));
        deleteNPArrayStruct(array);
      }
      deleteNPArrayMap(map);
      result.outcome = Outcome::Ok;
      return;
    }
  } else if (sd::Pointer file = numpyFromFile(path)) {
    shapeBufferForNumpy(file);
    deleteLongArray(shapeBufferForNumpyHeader(file));
    dataPointForNumpy(file);
    elementSizeForNpyArray(file);
    if (void* array = loadNpyFromHeader(file)) deleteNPArrayStruct(array);
    releaseNumpy(file);
    result.outcome = Outcome::Ok;
    takeError();
    return;
  }
  const std::string message = takeError();
  if (message.empty()) return result.add("silent", "the file is refused without a message");
  if (message.find(path) == std::string::npos) result.add("nameless", "the message does not name the file: " + message);
}

Result runFile(uint64_t seed, uint64_t index) {
  const File file = makeFile(seed, index);
  const bool archive = fs::path(file.name).extension() == ".npz";
  static const std::string folder = fs::temp_directory_path().string();
  const std::string path = folder + "/ndforge_fuzz_" + std::to_string(getpid()) + (archive ? ".npz" : ".npy");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.bytes.data()), static_cast<std::streamsize>(file.bytes.size()));
  Result result;
  result.outcome = Outcome::Refused;
  loadThroughC(result, path, archive);
  load(result, path, [&] {
    if (archive)
      sd::loadNpz(path);
    else
      sd::NDArrayFactory::fromNpyFile(path.c_str());
  });
  std::remove(path.c_str());
  return result;
}

}  // namespace

Work fileWork(uint64_t seed) {
  seeds();
  return {[seed](uint64_t index) { return runFile(seed, index); },
          [seed](uint64_t index) { return makeFile(seed, index).name; }};
}

std::string describeFile(uint64_t seed, uint64_t index) {
  const File file = makeFile(seed, index);
  std::string text = file.name + ", " + std::to_string(file.bytes.size()) + " bytes: ";
  for (size_t k = 0; k < std::min<size_t>(file.bytes.size(), 200); k++) {
    const uint8_t c = file.bytes[k];
    char escaped[8];
    std::snprintf(escaped, sizeof(escaped), c >= ' ' && c < 127 ? "%c" : "\\x%02x", c);
    text += escaped;
  }
  return text;
}

}  // namespace fuzz
