// Where `ndforge` writes: old files, links, pipes, devices, and streams that are closed or full.
#ifdef NDFORGE_CLI

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "CliTestTools.h"

namespace {

using namespace sd;
using namespace test;

TEST_F(Cli, AFailedWriteLeavesTheOldFile) {
  const std::vector<char> zeros(4096, 0);
  save("large.npy", DataType::FLOAT32, {1024}, zeros);
  fs::create_directory(_folder.path + "/site");
  for (const char* file : {"z.npy", "z.npz"}) write(_folder.path + "/" + file, "old");
  const std::string page = "<!-- ndforge docs -->";
  write(_folder.path + "/site/index.html", page);
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(_folder.path)) names.insert(entry.path());
    return names;
  };
  // Files are limited to one block, and the signal that would end the command is ignored.
  const std::string limit = "trap '' XFSZ; ulimit -f 1; ";
  const auto before = files();
  for (const char* target : {"z.npy", "z.npz"}) {
    const Result done = run(std::string("run Neg -i large.npy -o ") + target, "err.txt", limit);
    EXPECT_EQ(done.code, 1) << target;
    EXPECT_NE(done.err.find(std::string("'") + target + "': cannot be written: "), std::string::npos) << done.err;
    EXPECT_EQ(contentOf(_folder.path + "/" + target), "old");
  }
  EXPECT_EQ(run("run Neg -i large.npy -o new.npy", "err.txt", limit).code, 1);
  const Result docs = run("docs --out site", "err.txt", limit);
  EXPECT_EQ(docs.code, 1);
  EXPECT_NE(docs.err.find("'site/index.html': cannot be written: "), std::string::npos) << docs.err;
  EXPECT_EQ(contentOf(_folder.path + "/site/index.html"), page);
  auto after = files();
  for (const char* own : {"/out.txt", "/err.txt"}) after.erase(_folder.path + own);
  EXPECT_EQ(after, before);
}

TEST_F(Cli, WritesThroughLinksAndKeepsPermissions) {
  const std::string folder = _folder.path + "/";
  const std::vector<char> negated = bytesOf<float>({-100, -200, -300});
  const auto negate = [&](const std::string& target) {
    const Result done = run("run Neg -i row.npy -o " + target);
    EXPECT_EQ(done.code, 0) << done.err;
  };
  // An existing file keeps its permissions; those of a new file follow the umask.
  write(folder + "z.npy", "old");
  chmod((folder + "z.npy").c_str(), 0640);
  negate("z.npy");
  EXPECT_EQ(result().bytes, negated);
  EXPECT_EQ(fs::status(folder + "z.npy").permissions(), fs::perms(0640));
  EXPECT_EQ(run("run Neg -i row.npy -o masked.npy", "err.txt", "umask 027; ").code, 0);
  EXPECT_EQ(fs::status(folder + "masked.npy").permissions(), fs::perms(0640));

  // A chain of two links, and a link to a file that does not exist yet.
  fs::create_directory(folder + "inner");
  write(folder + "inner/real.npy", "old");
  fs::create_symlink("inner/real.npy", folder + "link.npy");
  fs::create_symlink("link.npy", folder + "link2.npy");
  fs::create_symlink("inner/later.npy", folder + "dangling.npy");
  negate("link2.npy");
  negate("dangling.npy");
  EXPECT_TRUE(fs::is_symlink(folder + "link.npy") && fs::is_symlink(folder + "link2.npy"));
  EXPECT_EQ(result("inner/real.npy").bytes, negated);
  EXPECT_EQ(result("inner/later.npy").bytes, negated);

  // A hard link is preserved, also when the content becomes shorter.
  write(folder + "one.npy", std::string(10000, 'x'));
  fs::create_hard_link(folder + "one.npy", folder + "other.npy");
  negate("one.npy");
  EXPECT_EQ(fs::hard_link_count(folder + "one.npy"), 2u);
  EXPECT_EQ(result("other.npy").bytes, negated);
  EXPECT_EQ(contentOf(folder + "other.npy"), contentOf(folder + "z.npy"));

  // The output file is also the input, which is read before it is overwritten.
  negate("row.npy");
  EXPECT_EQ(result("row.npy").bytes, negated);
}

TEST_F(Cli, WritesToPipesAndDevices) {
  const std::string folder = _folder.path + "/";
  fs::create_symlink("/dev/stdout", folder + "out.npy");
  EXPECT_EQ(run("run Neg -i row.npy -o out.npy").code, 0);  // the output goes to out.txt
  EXPECT_EQ(result("out.txt").bytes, bytesOf<float>({-100, -200, -300}));
  EXPECT_EQ(run("run Neg -i row.npy -o out.npy | cat > copy.txt; true; echo").code, 0);
  EXPECT_EQ(result("copy.txt").bytes, bytesOf<float>({-100, -200, -300}));
  EXPECT_TRUE(fs::is_symlink(folder + "out.npy"));
  ASSERT_EQ(mkfifo((folder + "pipe.npy").c_str(), 0600), 0);
  EXPECT_EQ(run("run Neg -i row.npy -o pipe.npy", "err.txt", "cat pipe.npy > piped.npy & ").code, 0);
  for (int i = 0; i < 100 && contentOf(folder + "piped.npy").size() < 140; i++) usleep(20'000);
  EXPECT_EQ(result("piped.npy").bytes, bytesOf<float>({-100, -200, -300}));
  fs::create_symlink("/dev/null", folder + "null.npy");
  EXPECT_EQ(run("run multiply_bp -i x.npy -i y.npy -i x.npy -o null.npy -o null.npy").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder + "null.npy"));
  for (const char* target : {"full.npy", "full.npz"}) {
    fs::create_symlink("/dev/full", folder + target);
    const Result full = run(std::string("run Neg -i row.npy -o ") + target);
    EXPECT_EQ(full.code, 1);
    EXPECT_NE(full.err.find("cannot be written: No space left"), std::string::npos) << full.err;
  }
}

TEST_F(Cli, TwoOutputsAreTwoFiles) {
  const std::string folder = _folder.path + "/";
  fs::create_directory(folder + "inner");
  fs::create_directory_symlink("inner", folder + "alias");
  write(folder + "old.npy", "old");
  fs::create_symlink("old.npy", folder + "link.npy");
  fs::create_hard_link(folder + "old.npy", folder + "hard.npy");
  fs::create_symlink("new.npy", folder + "dangling.npy");
  for (const char* targets : {"-o z.npy -o z.npy", "-o z.npy -o ./z.npy", "-o inner/z.npy -o inner/../inner/z.npy",
                              "-o inner/z.npy -o alias/z.npy", "-o old.npy -o link.npy", "-o old.npy -o hard.npy",
                              "-o hard.npy -o link.npy", "-o new.npy -o dangling.npy", "-o z.npy -o \"$PWD/z.npy\""}) {
    const Result done = run(std::string("run multiply_bp -i x.npy -i y.npy -i x.npy ") + targets);
    EXPECT_EQ(done.code, 2) << targets;
    EXPECT_NE(done.err.find("are the same file"), std::string::npos) << done.err;
  }
  EXPECT_EQ(contentOf(folder + "old.npy"), "old");
  EXPECT_FALSE(fs::exists(folder + "z.npy"));
}

TEST_F(Cli, ClosedStreamsAreNoCrash) {
  const auto code = [&](const std::string& arguments) {
    const int status = std::system(("cd '" + _folder.path + "' && '" NDFORGE_CLI "' " + arguments).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(code("info Nothing 2>&-"), 2);
  EXPECT_EQ(code("info Nothing >&- 2>&-"), 2);
  EXPECT_EQ(code("info Nothing <&- >&- 2>&-"), 2);
  EXPECT_EQ(code("info add >&- 2>&-"), 1);
  EXPECT_EQ(code("--help >&- 2>&-"), 1);
  // Messages must not be written into data files, nor data into message files.
  EXPECT_EQ(code("run Neg -i row.npy -o z.npy <&- >&- 2>&-"), 0);
  EXPECT_EQ(result().bytes, bytesOf<float>({-100, -200, -300}));
  const Result closed = run("info add >&-");
  EXPECT_EQ(closed.code, 1);
  EXPECT_NE(closed.err.find("standard output cannot be written"), std::string::npos) << closed.err;
  // When the reader closes the pipe, nothing is reported, whether the signal is delivered or not.
  for (const char* trap : {"", "trap '' PIPE; "}) {
    const Result piped = run("ops --json | head -c 1", "err.txt", trap);
    EXPECT_EQ(piped.out, "[");
    EXPECT_EQ(piped.err, "");
  }
}

TEST_F(Cli, OutputThatCannotBeWrittenIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  const std::string command = "'" NDFORGE_CLI "' env > /dev/full 2> /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
}

}  // namespace

#endif
