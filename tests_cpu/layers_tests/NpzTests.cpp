// .npz files: NumPy's stored and deflated files can be read, NumPy can read written files, damaged files are errors.
#include <gtest/gtest.h>

#include <cstdlib>

#include <cnpy/cnpy.h>

#include "NpyTestTools.h"
#include "cnpy/Npy.h"

namespace {

using namespace sd;
using namespace test;

const float INF = std::numeric_limits<float>::infinity();
const std::vector<char> FIRST = bytesOf<float>({-INF, -1.5f, -0.f, 0.25f, 65504.f, INF});
const std::vector<char> SECOND = bytesOf<int64_t>({INT64_MIN, 1, INT64_MAX, 2, 0, 100});

std::string file(const char* name) { return (NPY_DATA / name).string(); }

TEST(Npz, ReadsStoredAndDeflatedArrays) {
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(npy::namesInNpz(file(name)), (std::vector<std::string>{"first", "second", "empty"}));
    const auto arrays = npy::loadNpz(file(name));
    ASSERT_EQ(arrays.size(), 3u);
    EXPECT_EQ(arrays.at("first").dtype, DataType::FLOAT32);
    EXPECT_EQ(arrays.at("first").bytes, FIRST);
    EXPECT_EQ(arrays.at("second").dtype, DataType::INT64);
    EXPECT_EQ(arrays.at("second").order, 'f');
    EXPECT_EQ(arrays.at("second").dims, (std::vector<LongType>{2, 3}));
    EXPECT_EQ(arrays.at("second").bytes, SECOND);
    EXPECT_EQ(arrays.at("empty").dims, (std::vector<LongType>{0, 2}));
    EXPECT_EQ(npy::loadNpz(file(name), "first").bytes, FIRST);
  }
}

TEST(Npz, ReadsZip64AndLeavesOtherMembersOut) {
  const auto zip64 = npy::loadNpz(file("zip64.npz"));
  ASSERT_EQ(zip64.size(), 1u);
  EXPECT_EQ(zip64.at("a").bytes, npy::load(file("c_i4.npy")).bytes);
  EXPECT_EQ(npy::namesInNpz(file("other_members.npz")), (std::vector<std::string>{"sub/a"}));
  EXPECT_EQ(npy::loadNpz(file("other_members.npz")).size(), 1u);
}

std::string errorOf(const std::string& path, const std::string& name = "") {
  try {
    name.empty() ? void(npy::loadNpz(path)) : void(npy::loadNpz(path, name));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Npz, WhatCannotBeReadIsAnErrorThatSaysWhy) {
  const struct {
    std::string path, name;
    const char* message;
  } cases[] = {
      {"no/such.npz", "", "'no/such.npz': there is no such file"},
      {NPY_DATA.string(), "", "not a regular file"},
      {file("c_i4.npy"), "", "not a .npz file"},
      {file("stored.npz"), "third", "it has no array 'third' (it has first, second, empty)"},
      {file("bzip2.npz"), "", "compressed with method 12"},
  };
  for (const auto& [path, name, message] : cases) {
    const std::string error = errorOf(path, name);
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

TEST(Npz, DamagedArchivesAreErrors) {
  TemporaryFile in(".npz");
  const std::string stored = contentOf(file("stored.npz")), deflated = contentOf(file("deflated.npz"));
  const size_t entry = stored.find("PK\x01\x02"), packed = deflated.find("PK\x01\x02");
  const auto changed = [](std::string content, size_t at, std::string_view bytes) {
    return content.replace(at, bytes.size(), bytes);
  };
  const std::string huge("\xf0\xff\xff\x7f", 4);
  const struct {
    std::string content;
    const char* message;
  } cases[] = {
      {changed(stored, stored.find("PK\x03\x04") + 200, "\x55"), "damaged (its checksum differs)"},
      {changed(stored, entry, "XX"), "entry 0 of the directory is damaged"},
      {changed(stored, 0, "XX"), "header of member 'first.npy' is damaged"},
      {changed(stored, entry + 8, "\x01"), "is encrypted"},
      {changed(stored, entry + 20, huge), "its two sizes differ"},
      {changed(stored, entry + 20, huge + huge), "the file is truncated or damaged"},
      {changed(stored, entry + 42, huge), "the file is truncated or damaged"},
      {changed(deflated, packed + 24, huge), "claims 2147483632 bytes, which is more than"},
      {changed(deflated, packed + 24, std::string("\x10\x00\x00\x00", 4)), "cannot be decompressed"},
      {changed(stored, stored.size() - 6, huge), "the file is truncated or damaged"},
      {changed(stored, stored.size() - 14, std::string("\x77\x00\x77\x00", 4)), "too short for its number of entries"},
      {changed(stored, stored.size() - 18, "\x01"), "archives in several parts"},
      {changed(stored, stored.size() - 12, "\xff\xff"), "zip64 record is missing"},
  };
  for (const auto& [content, message] : cases) {
    write(in.path, content);
    const std::string error = errorOf(in.path);
    EXPECT_NE(error.find(message), std::string::npos) << error << "\n  expected: " << message;
    EXPECT_NE(error.find(in.path), std::string::npos) << error;
  }
}

TEST(Npz, EveryTruncationIsAnError) {
  TemporaryFile in(".npz");
  for (const char* name : {"deflated.npz", "zip64.npz"}) {
    const std::string whole = contentOf(file(name));
    write(in.path, whole);
    for (size_t size = whole.size(); size-- > 0;) {
      fs::resize_file(in.path, size);
      EXPECT_THROW(npy::loadNpz(in.path), std::runtime_error) << name << " " << size;
    }
  }
}

TEST(Npz, EveryDamagedByteIsAnErrorOrHarmless) {
  TemporaryFile in(".npz");
  for (const char* name : {"deflated.npz", "zip64.npz"}) {
    const std::string whole = contentOf(file(name));
    write(in.path, whole);
    int errors = 0;
    for (size_t at = 0; at < whole.size(); ++at) {
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        overwrite(in.path, at, char(whole[at] ^ flip));
        try {
          for (const auto& [key, array] : npy::loadNpz(in.path)) EXPECT_LE(array.bytes.size(), 48u) << at;
        } catch (const std::runtime_error&) {
          ++errors;
        }
      }
      overwrite(in.path, at, whole[at]);
    }
    EXPECT_GT(errors, int(whole.size())) << name;
  }
}

TEST(Npz, WritesWhatItReads) {
  TemporaryFile out(".npz");
  const int value = 7;
  npy::saveNpz(out.path, {{"first", {DataType::FLOAT32, 'c', {2, 3}, FIRST.data()}},
                          {"second", {DataType::INT64, 'f', {2, 3}, SECOND.data()}},
                          {"none", {DataType::BOOL, 'c', {0}, nullptr}}});
  EXPECT_EQ(npy::namesInNpz(out.path), (std::vector<std::string>{"first", "second", "none"}));
  EXPECT_EQ(npy::loadNpz(out.path, "first").bytes, FIRST);
  EXPECT_EQ(npy::loadNpz(out.path, "second").order, 'f');
  EXPECT_EQ(npy::loadNpz(out.path, "second").bytes, SECOND);
  EXPECT_EQ(npy::loadNpz(out.path, "none").bytes.size(), 0u);
  npy::saveNpz(out.path, {});
  EXPECT_TRUE(npy::loadNpz(out.path).empty());

  const npy::View view{DataType::INT32, 'c', {}, &value};
  EXPECT_THROW(npy::saveNpz(out.path, {{"a", view}, {"a", view}}), std::runtime_error);
  EXPECT_THROW(npy::saveNpz(out.path, {{"", view}}), std::runtime_error);
  EXPECT_THROW(npy::saveNpz(out.path, {{"a", {DataType::INT32, 'c', {2}, nullptr}}}), std::runtime_error);
  EXPECT_TRUE(npy::loadNpz(out.path).empty());  // nothing was written
  EXPECT_THROW(npy::saveNpz("no/such/folder.npz", {{"a", view}}), std::runtime_error);
}

TEST(Npz, CnpyReadsWritesAndAppends) {
  TemporaryFile out(".npz");
  const unsigned int shape[] = {2, 3};
  const float* first = reinterpret_cast<const float*>(FIRST.data());
  const short other[] = {1, 2, 3, 4, 5, 6};
  cnpy::npz_save<float>(out.path, "x", first, shape, 2);
  cnpy::npz_save<short>(out.path, "y", other, shape, 2, "a");
  cnpy::npz_t both = cnpy::npzLoad(out.path);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(0, std::memcmp(both["x"].data, first, 24));
  EXPECT_EQ(both["y"].wordSize, 2u);
  EXPECT_EQ(both["y"].shape, (std::vector<unsigned int>{2, 3}));
  both.destruct();
  cnpy::npz_save<float>(out.path, "y", first, shape, 1, "a");  // replaces the previous file
  cnpy::NpyArray y = cnpy::npzLoad(out.path, "y");
  EXPECT_EQ(y.shape, (std::vector<unsigned int>{2}));
  EXPECT_EQ(y.wordSize, 4u);
  y.destruct();
  cnpy::npz_save<float>(out.path, "z", first, shape, 2, "w");
  EXPECT_EQ(npy::namesInNpz(out.path), (std::vector<std::string>{"z"}));
}

TEST(Npz, NumPyReadsWhatIsWritten) {
  if (std::system("python3 -c 'import numpy' > /dev/null 2>&1") != 0) GTEST_SKIP() << "no python3 with NumPy here";
  TemporaryFile folder("-written");
  fs::create_directory(folder.path);
  for (const char* name : {"b1", "i1", "u1", "i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8"}) {
    const npy::Array c = npy::load(file(std::string("c_").append(name).append(".npy").c_str()));
    npy::save(folder.path + "/c_" + name + ".npy", c.dtype, 'c', c.dims, c.bytes.data());
    std::vector<char> f(c.bytes.size());
    const size_t item = f.size() / 6;
    for (size_t k = 0; k < 6; ++k) std::memcpy(&f[(k % 3 * 2 + k / 3) * item], &c.bytes[k * item], item);
    npy::save(folder.path + "/f_" + name + ".npy", c.dtype, 'f', c.dims, f.data());
  }
  const int seven = 7;
  npy::save(folder.path + "/scalar.npy", DataType::INT32, 'c', {}, &seven);
  npy::save(folder.path + "/empty.npy", DataType::FLOAT32, 'c', {2, 0, 3}, nullptr);
  npy::saveNpz(folder.path + "/several.npz", {{"first", {DataType::FLOAT32, 'c', {2, 3}, FIRST.data()}},
                                              {"second", {DataType::INT64, 'f', {2, 3}, SECOND.data()}},
                                              {"gr\xc3\xb6\xc3\x9f"
                                               "e",
                                               {DataType::INT32, 'c', {}, &seven}}});
  // More members than a directory without zip64 can record.
  std::vector<int> numbers(70000);
  std::vector<std::pair<std::string, npy::View>> many;
  for (int i = 0; i < 70000; ++i) {
    numbers[i] = i;
    many.push_back({std::string("a").append(std::to_string(i)), {DataType::INT32, 'c', {}, &numbers[i]}});
  }
  npy::saveNpz(folder.path + "/many.npz", many);
  EXPECT_EQ(npy::loadNpz(folder.path + "/many.npz", "a69999").bytes, bytesOf<int>({69999}));

  const std::string script = file("check.py"), command = "python3 -B '" + script + "' '" + folder.path + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  fs::remove_all(folder.path);
}

}  // namespace
