// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/OutputFile.h"

#include "TempFolder.h"
#include "invar/Support/Error.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar;

using Names = std::vector<std::string>;

static unsigned modeOf(const std::string &path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

namespace {
/// All tests run with an unnamed and with a named temporary file.
class OutputFileTest : public testing::TestWithParam<bool> {
protected:
  OutputOptions getOptions() const {
    OutputOptions options;
    options.namedTemporary = GetParam();
    return options;
  }
  std::unique_ptr<OutputFile> create(const std::string &path) const {
    return llvm::cantFail(OutputFile::create(path, getOptions()));
  }
  std::string createError(const std::string &path) const {
    auto file = OutputFile::create(path, getOptions());
    EXPECT_FALSE(bool(file));
    return file ? "" : describe(file.takeError()).second;
  }
  void writeWhole(const std::string &path, llvm::StringRef content) const {
    auto file = create(path);
    llvm::cantFail(file->write(content));
    llvm::cantFail(file->commit());
  }

  TempFolder folder;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Temporaries, OutputFileTest, testing::Bool(),
                         [](const auto &info) {
                           return info.param ? "Named" : "Nameless";
                         });

TEST_P(OutputFileTest, AppearsOnlyByCommit) {
  auto file = create(folder / "out");
  llvm::cantFail(file->write("some "));
  llvm::cantFail(file->write(std::string(1 << 20, 'x')));
  llvm::cantFail(file->write(" bytes"));
  EXPECT_EQ(file->getPosition(), (1u << 20) + 11);
  EXPECT_FALSE(llvm::sys::fs::exists(folder / "out"));
  llvm::cantFail(file->commit());
  EXPECT_EQ(folder.read("out"), "some " + std::string(1 << 20, 'x') + " bytes");
  EXPECT_EQ(folder.list(), Names{"out"});
}

TEST_P(OutputFileTest, CanBeReadBeforeItAppears) {
  auto file = create(folder / "out");
  llvm::cantFail(file->write("bytes"));
  std::string preview = llvm::cantFail(file->getPreview()).str();
  EXPECT_EQ(preview.empty(), !GetParam());
  if (!preview.empty())
    EXPECT_EQ(folder.read(llvm::sys::path::filename(preview).str()), "bytes");
  EXPECT_FALSE(llvm::sys::fs::exists(folder / "out"));
  llvm::cantFail(file->write(" and more"));
  llvm::cantFail(file->commit());
  EXPECT_EQ(folder.read("out"), "bytes and more");
  EXPECT_EQ(folder.list(), Names{"out"});
}

TEST_P(OutputFileTest, ReplacesAtOnceOrNotAtAll) {
  folder.write("out", "old");
  {
    auto file = create(folder / "out");
    llvm::cantFail(file->write("new"));
    EXPECT_EQ(folder.read("out"), "old");
  }
  EXPECT_EQ(folder.read("out"), "old");
  EXPECT_EQ(folder.list(), Names{"out"});
  writeWhole(folder / "out", "new");
  EXPECT_EQ(folder.read("out"), "new");
  EXPECT_EQ(folder.list(), Names{"out"});
}

TEST_P(OutputFileTest, DurableWritesTheSame) {
  OutputOptions options = getOptions();
  options.durable = true;
  auto file = llvm::cantFail(OutputFile::create(folder / "out", options));
  llvm::cantFail(file->write("new"));
  llvm::cantFail(file->commit());
  EXPECT_EQ(folder.read("out"), "new");
}

TEST_P(OutputFileTest, PermissionsAreTheUmasksOrTheOldOnes) {
  mode_t mask = umask(027);
  writeWhole(folder / "fresh", "x");
  umask(mask);
  EXPECT_EQ(modeOf(folder / "fresh"), 0640u);
  ASSERT_EQ(chmod((folder / "fresh").c_str(), 0604), 0);
  writeWhole(folder / "fresh", "y");
  EXPECT_EQ(modeOf(folder / "fresh"), 0604u);
}

TEST_P(OutputFileTest, WritesThroughLinks) {
  folder.write("target", "old");
  ASSERT_EQ(symlink("target", (folder / "link").c_str()), 0);
  ASSERT_EQ(symlink((folder / "made").c_str(), (folder / "dangling").c_str()),
            0);
  ASSERT_EQ(symlink("loop", (folder / "loop").c_str()), 0);
  writeWhole(folder / "link", "new");
  writeWhole(folder / "dangling", "made");
  EXPECT_EQ(folder.read("target"), "new");
  EXPECT_EQ(folder.read("made"), "made");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(folder / "link"));
  EXPECT_EQ(createError(folder / "loop"),
            folder / "loop" +
                ": cannot write: Too many levels of symbolic links");
}

TEST_P(OutputFileTest, RefusesWhatCannotBeWritten) {
  EXPECT_EQ(createError(folder.str()),
            folder.str() + ": cannot write: Is a directory");
  EXPECT_EQ(createError(folder / "none/out"),
            folder / "none/out" + ": cannot write: No such file or directory");
  if (geteuid() == 0)
    return; // root may write everything
  folder.write("protected", "x");
  ASSERT_EQ(chmod((folder / "protected").c_str(), 0444), 0);
  EXPECT_EQ(createError(folder / "protected"),
            folder / "protected" + ": cannot write: Permission denied");
}

TEST_P(OutputFileTest, WritesPipesAndDevicesDirectly) {
  writeWhole("/dev/null", "x");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  std::string content(40000, 'y');
  auto source =
      llvm::cantFail(MappedFile::open(folder.write("source", content)));
  auto file = create(folder / "pipe");
  llvm::cantFail(file->write("x"));
  llvm::cantFail(file->copyRange(*source, {0, content.size()}));
  llvm::cantFail(file->commit());
  std::string got(50000, ' ');
  got.resize(read(reader, got.data(), got.size()));
  close(reader);
  EXPECT_EQ(got, "x" + content);
}

TEST_P(OutputFileTest, WritesToADescriptorByItsName) {
  int descriptor =
      open((folder / "redirected").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(write(descriptor, "before ", 7), 7);
  writeWhole("/dev/fd/" + std::to_string(descriptor), "after");
  close(descriptor);
  EXPECT_EQ(folder.read("redirected"), "before after");
}

TEST_P(OutputFileTest, AFullDeviceIsOutOfResources) {
  auto file = create("/dev/full");
  llvm::cantFail(file->write("x"));
  auto [kind, text] = describe(file->commit());
  EXPECT_EQ(kind, ErrorKind::OutOfResources);
  EXPECT_EQ(text, "/dev/full: cannot write: No space left on device");
}

TEST_P(OutputFileTest, AlignsWithZeros) {
  auto file = create(folder / "out");
  llvm::cantFail(file->alignTo(4096));
  EXPECT_EQ(file->getPosition(), 0u);
  llvm::cantFail(file->write("x"));
  llvm::cantFail(file->alignTo(8));
  llvm::cantFail(file->write("y"));
  llvm::cantFail(file->alignTo(10000));
  llvm::cantFail(file->commit());
  std::string expected("x\0\0\0\0\0\0\0y", 9);
  expected.resize(10000);
  EXPECT_EQ(folder.read("out"), expected);
}

/// Bytes without a period, so that misplaced copies are detected.
static std::string makeContent(size_t size) {
  std::string content(size, ' ');
  uint32_t state = 1;
  for (char &byte : content)
    byte = char((state = state * 1664525 + 1013904223) >> 24);
  return content;
}

TEST_P(OutputFileTest, CopiesRangesOfAnySizeAcrossFileSystems) {
  std::string content = makeContent(3 << 20);
  TempFolder memory("/dev/shm");
  for (const TempFolder *place : {&folder, &memory}) {
    auto source =
        llvm::cantFail(MappedFile::open(place->write("source", content)));
    auto file = create(folder / "out");
    std::string expected;
    for (ByteRange range :
         {ByteRange{1, 10}, ByteRange{5, 1 << 20}, ByteRange{0, 0},
          ByteRange{(3 << 20) - 40000, 40000}, ByteRange{0, 3 << 20}}) {
      llvm::cantFail(file->write("|"));
      llvm::cantFail(file->copyRange(*source, range));
      expected += "|" + content.substr(range.offset, range.size);
      EXPECT_EQ(file->getPosition(), expected.size());
    }
    llvm::cantFail(file->commit());
    EXPECT_TRUE(folder.read("out") == expected);
  }
}

TEST_P(OutputFileTest, TheSourceMayBeTheTarget) {
  std::string content = makeContent(100000);
  auto source =
      llvm::cantFail(MappedFile::open(folder.write("model", content)));
  auto file = create(folder / "model");
  llvm::cantFail(file->copyRange(*source, {50000, 50000}));
  llvm::cantFail(file->copyRange(*source, {0, 50000}));
  llvm::cantFail(file->commit());
  EXPECT_TRUE(folder.read("model") ==
              content.substr(50000) + content.substr(0, 50000));
  EXPECT_TRUE(source->getBytes() == content);
}

TEST_P(OutputFileTest, AShrunkenSourceIsNamed) {
  std::string path = folder.write("model", makeContent(100000));
  auto source = llvm::cantFail(MappedFile::open(path));
  ASSERT_EQ(truncate(path.c_str(), 70000), 0);
  auto file = create(folder / "out");
  auto [kind, text] = describe(file->copyRange(*source, {0, 100000}));
  EXPECT_EQ(kind, ErrorKind::BadInput);
  EXPECT_EQ(text, path + ": expected 100000 bytes, but the file shrank while "
                         "it was read");
  file.reset();
  EXPECT_EQ(folder.list(), Names{"model"});
}

TEST_P(OutputFileTest, AFullDiskLeavesNothingBehind) {
  // A limit on file sizes simulates a full disk, in a child process.
  folder.write("old", "old");
  auto source = llvm::cantFail(
      MappedFile::open(folder.write("source", makeContent(1 << 20))));
  auto fill = [&](bool copy) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {1 << 19, 1 << 19};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto file = create(folder / "old");
    llvm::Error error = copy ? file->copyRange(*source, {0, 1 << 20})
                             : file->write(std::string(1 << 20, 'x'));
    auto [kind, text] = describe(std::move(error));
    file.reset();
    fprintf(stderr, "%s\n", text.c_str());
    _exit(int(kind));
  };
  for (bool copy : {false, true}) {
    EXPECT_EXIT(fill(copy), testing::ExitedWithCode(3),
                "old: cannot write: File too large");
    EXPECT_EQ(folder.list(), (Names{"old", "source"}));
    EXPECT_EQ(folder.read("old"), "old");
  }
}

TEST_P(OutputFileTest, SignalsLeaveNothingBehind) {
  auto die = [&](int signal) {
    OutputOptions options = getOptions();
    options.removeOnSignal = true;
    auto file = llvm::cantFail(OutputFile::create(folder / "out", options));
    llvm::cantFail(file->write(std::string(1 << 20, 'x')));
    raise(signal);
  };
  EXPECT_EXIT(die(SIGTERM), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(die(SIGINT), testing::KilledBySignal(SIGINT), "");
  EXPECT_EQ(folder.list(), Names{});
  if (GetParam())
    return; // after SIGKILL, a name cannot be removed
  EXPECT_EXIT(die(SIGKILL), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(folder.list(), Names{});
}
