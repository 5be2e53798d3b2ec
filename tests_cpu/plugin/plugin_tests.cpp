// Libraries of operations with faults, and files that are not libraries: loading them is an error and leaves the
// registry unchanged, and calling their operations is an error as well. The first argument is the folder of the
// modules.
#include <array/NDArray.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <legacy/NativeOps.h>
#include <link.h>
#include <ops/declarable/CustomOperations.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace sd;
namespace fs = std::filesystem;

fs::path modules;  // folder of the libraries made from faults.cpp

fs::path moduleOf(const std::string& fault) { return modules / ("libfault_" + fault + ".so"); }

template <typename F>
std::string refusal(F call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "no std::exception";
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

ops::OpRegistrator& registry() { return ops::OpRegistrator::getInstance(); }

/// All registered names, aliases and hashes.
std::string registered() {
  return registry().getAllCustomOperations() + std::to_string(registry().getAllHashes().size());
}

TEST(PluginTests, LibrariesWithFaultsAreRefusedAsAWhole) {
  const struct {
    const char* fault;
    std::vector<const char*> message;
  } cases[] = {
      {"numbered_name", {"'Tanh'", "libfault_numbered_name.so", "libndforge.so", "transform.Tanh"}},
      {"qualified_name", {"'transform.Tanh'", "libfault_qualified_name.so", "libndforge.so"}},
      {"custom_name", {"'softmax'", "libfault_custom_name.so", "libndforge.so"}},
      {"alias_name", {"'mMul'", "libfault_alias_name.so", "libndforge.so", "'matmul'"}},
      {"alias_of_taken_name", {"'softmax'", "libfault_alias_of_taken_name.so", "libndforge.so"}},
      {"name_twice", {"'witness_of_name_twice' twice", "libfault_name_twice.so"}},
      {"initialiser_throws", {"libfault_initialiser_throws.so", "an initialiser threw: no licence file"}},
      {"initialiser_throws_int", {"an initialiser threw: an object that is not a std::exception"}},
      {"initialiser_aborts", {"libfault_initialiser_aborts.so", "signal 6"}},
      {"initialiser_exits", {"libfault_initialiser_exits.so", "status 3"}},
      {"loads_a_missing_one", {"libfault_loads_a_missing_one.so", "'no/such/library.so' cannot be read"}},
  };
  const std::string before = registered();
  const ops::DeclarableOp* tanh = registry().find("Tanh");
  for (const auto& [fault, parts] : cases) {
    // Tried twice: a file that stays in memory must not count as a loaded library.
    for (int attempt = 0; attempt < 2; attempt++) {
      const std::string why = refusal([&, f = fault] { ops::loadOpLibrary(moduleOf(f)); });
      for (const char* part : parts) EXPECT_TRUE(has(why, part)) << fault << ": " << why;
      EXPECT_EQ(why.rfind("[loadOpLibrary] ", 0), 0u) << why;
    }
    EXPECT_EQ(::loadOpLibrary(moduleOf(fault).c_str()), 1) << fault;
    EXPECT_TRUE(has(lastErrorMessage(), parts[0])) << lastErrorMessage();
    EXPECT_EQ(registry().find("witness_of_" + std::string(fault)), nullptr);
    EXPECT_EQ(registered(), before) << fault;
  }
  EXPECT_EQ(registry().find("Tanh"), tanh);
}

TEST(PluginTests, AnInitialiserMayLoadAnotherLibrary) {
  // The other library is rejected, and its initialiser does not catch that; afterwards it is set to one without faults.
  setenv("NDFORGE_TEST_OTHER_LIBRARY", moduleOf("custom_name").c_str(), 1);
  const std::string why = refusal([] { ops::loadOpLibrary(moduleOf("loads_another")); });
  EXPECT_TRUE(has(why, "libfault_loads_another.so") && has(why, "'softmax'")) << why;
  EXPECT_EQ(registry().find("witness_of_loads_another"), nullptr);

  setenv("NDFORGE_TEST_OTHER_LIBRARY", moduleOf("bad_calls").c_str(), 1);
  const auto loaded = ops::loadOpLibrary(moduleOf("loads_another"));
  EXPECT_EQ(loaded.operations, std::vector<std::string>{"witness_of_loads_another"});
  EXPECT_NE(registry().find("witness_of_loads_another"), nullptr);
  EXPECT_NE(registry().find("witness_of_bad_calls"), nullptr);
  EXPECT_TRUE(ops::loadOpLibrary(moduleOf("bad_calls")).operations.empty());
}

TEST(PluginTests, CallsOfFaultyOperationsAreErrors) {
  ops::loadOpLibrary(moduleOf("bad_calls"));
  const struct {
    const char *name, *message;
    bool inShapes;
  } cases[] = {
      {"null_shapes", "[null_shapes] its shape function returned null instead of a list of shapes", true},
      {"null_shape_in_list", "[null_shape_in_list] its shape function returned null for output 1 of 2", true},
      {"throws_int", "[throws_int] threw an object that is not a std::exception", false},
      {"shapes_throw_int", "[shapes_throw_int] threw an object that is not a std::exception", true},
  };
  for (const auto& [name, message, inShapes] : cases) {
    ops::DeclarableOp* op = registry().find(name);
    ASSERT_NE(op, nullptr) << name;
    NDArray x('c', {3}, {1, 2, 3}, FLOAT32), z('c', {3}, {7, 7, 7}, FLOAT32);
    EXPECT_EQ(refusal([&] { op->evaluate({&x}); }), message);
    EXPECT_EQ(refusal([&] { op->execute({&x}, {&z}); }), message);
    for (int i = 0; i < 3; i++) EXPECT_EQ(z.e<float>(i), 7) << name;

    Pointer inputs[] = {x.buffer()}, shapes[] = {const_cast<LongType*>(x.shapeInfo())}, outputs[] = {z.buffer()},
            outputShapes[] = {const_cast<LongType*>(z.shapeInfo())};
    EXPECT_NE(execCustomOp(nullptr, op->getOpHash(), inputs, shapes, 1, outputs, outputShapes, 1, nullptr, 0, nullptr,
                           0, nullptr, 0, false),
              Status::OK);
    EXPECT_STREQ(lastErrorMessage(), message);
    graph::Context context(1);
    context.setInputArray(0, &x);
    EXPECT_NE(execCustomOp2(nullptr, op->getOpHash(), &context), Status::OK);
    EXPECT_STREQ(lastErrorMessage(), message);
    if (!inShapes) continue;
    EXPECT_EQ(calculateOutputShapes2(nullptr, op->getOpHash(), inputs, shapes, 1, nullptr, 0, nullptr, 0, nullptr, 0,
                                     nullptr, 0),
              nullptr);
    EXPECT_STREQ(lastErrorMessage(), message);
    EXPECT_EQ(calculateOutputShapes(nullptr, op->getOpHash(), shapes, 1, nullptr, 0, nullptr, 0), nullptr);
    EXPECT_STREQ(lastErrorMessage(), message);
  }
  auto* list = dynamic_cast<ops::DeclarableListOp*>(registry().find("list_throws_int"));
  ASSERT_NE(list, nullptr);
  NDArray x('c', {1}, {1}, FLOAT32);
  EXPECT_EQ(refusal([&] { list->execute(nullptr, {&x}, {}, {}); }),
            "[list_throws_int] threw an object that is not a std::exception");
}

/// A folder that is deleted at the end of the test.
class BrokenFiles : public testing::Test {
 protected:
  void SetUp() override {
    _folder = fs::temp_directory_path() / ("ndforge-plugins-" + std::to_string(getpid()));
    fs::create_directory(_folder);
    std::ifstream stream(moduleOf("bad_calls"), std::ios::binary);
    _library.assign(std::istreambuf_iterator<char>(stream), {});
    ASSERT_GT(_library.size(), sizeof(ElfW(Ehdr)));
  }
  void TearDown() override { fs::remove_all(_folder); }

  void expectRefused(const std::string& content, const std::string& message) {
    // A new name each time, because the loader recognises files that it has seen.
    const fs::path file = _folder / (std::to_string(_count++) + ".so");
    std::ofstream(file, std::ios::binary).write(content.data(), std::streamsize(content.size()));
    const std::string before = registered();
    const std::string why = refusal([&] { ops::loadOpLibrary(file); });
    EXPECT_TRUE(has(why, file.filename()) && has(why, message)) << why << "  expected: " << message;
    EXPECT_EQ(registered(), before);
  }

  /// The library with a field of its header overwritten.
  template <typename T>
  std::string with(T ElfW(Ehdr)::*field, T value) const {
    ElfW(Ehdr) header;
    std::memcpy(&header, _library.data(), sizeof(header));
    header.*field = value;
    std::string changed = _library;
    std::memcpy(changed.data(), &header, sizeof(header));
    return changed;
  }

  fs::path _folder;
  std::string _library;
  int _count = 0;
};

TEST_F(BrokenFiles, AreRefused) {
  expectRefused("", "it is empty");
  expectRefused("this is no library", "it is not a library");
  expectRefused(std::string(1 << 16, '\0'), "it is not a library");
  expectRefused(_library.substr(0, 3), "it is not a library");
  expectRefused(_library.substr(0, 20), "it is truncated or damaged");
  expectRefused(_library.substr(0, sizeof(ElfW(Ehdr))), "it is truncated or damaged");
  // Cut at every page, and at offsets a little beyond.
  for (size_t size = 4096; size < _library.size(); size += 4096 + 511)
    expectRefused(_library.substr(0, size), "it is truncated or damaged");
  expectRefused(_library.substr(0, _library.size() - 1), "it is truncated or damaged");
  // Tools may remove the section table; the segments must still be present.
  std::string stripped = with(&ElfW(Ehdr)::e_shnum, ElfW(Half){0});
  expectRefused(stripped.substr(0, stripped.size() / 2), "a segment lies outside");

  expectRefused(with(&ElfW(Ehdr)::e_machine, ElfW(Half){EM_S390}), "it is for another kind of machine (ELF machine 22");
  expectRefused(with(&ElfW(Ehdr)::e_type, ElfW(Half){ET_EXEC}), "it is not a shared library");
  expectRefused(with(&ElfW(Ehdr)::e_type, ElfW(Half){ET_CORE}), "it is not a shared library");
  expectRefused(with(&ElfW(Ehdr)::e_phnum, ElfW(Half){0}), "its program headers are damaged");
  expectRefused(with(&ElfW(Ehdr)::e_phentsize, ElfW(Half){1}), "its program headers are damaged");
  expectRefused(with(&ElfW(Ehdr)::e_phnum, ElfW(Half){65535}), "it is truncated or damaged");
  expectRefused(with(&ElfW(Ehdr)::e_phoff, ~ElfW(Off){0}), "it is truncated or damaged");
  expectRefused(with(&ElfW(Ehdr)::e_shoff, ~ElfW(Off){0} - 5), "it is truncated or damaged");
  std::string otherOrder = _library;
  otherOrder[EI_DATA] = otherOrder[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB;
  expectRefused(otherOrder, "it is for another kind of machine");
}

TEST_F(BrokenFiles, DamageInsideDoesNotEndTheProgram) {
  // Everything after the program headers is noise, which would crash the loader itself.
  std::string noise = _library;
  for (size_t i = 2048; i < noise.size() * 3 / 4; i++) noise[i] = char(i * 2654435761u >> 13);
  expectRefused(noise, "cannot be loaded");
}

TEST_F(BrokenFiles, OtherThingsThanFilesAreRefused) {
  const auto why = [](const fs::path& path) { return refusal([&] { ops::loadOpLibrary(path); }); };
  EXPECT_TRUE(has(why(_folder), "it is a folder")) << why(_folder);
  const fs::path pipe = _folder / "pipe.so";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(has(why(pipe), "it is not a regular file")) << why(pipe);
  EXPECT_TRUE(has(why("/dev/null"), "it is not a regular file")) << why("/dev/null");
  EXPECT_TRUE(has(why(_folder / "none.so"), "cannot be read")) << why(_folder / "none.so");
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  modules = argv[1];
  return RUN_ALL_TESTS();
}
