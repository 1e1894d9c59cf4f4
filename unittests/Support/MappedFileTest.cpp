// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/MappedFile.h"

#include "TempFolder.h"
#include "invar/Support/Error.h"
#include "invar/Support/OutputFile.h"
#include "invar/Support/TruncationGuard.h"
#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar;

static std::string openError(const std::string &path) {
  auto file = MappedFile::open(path);
  EXPECT_FALSE(bool(file));
  return file ? "" : describe(file.takeError()).second;
}

TEST(MappedFile, ReadsInPlaceAndOutlivesItsName) {
  TempFolder folder;
  std::string path = folder.write("a", "hello, world");
  auto file = llvm::cantFail(MappedFile::open(path));
  ASSERT_EQ(unlink(path.c_str()), 0);
  folder.write("a", "another file");
  EXPECT_EQ(file->getBytes(), "hello, world");
  EXPECT_EQ(file->getBytes({7, 5}), "world");
  EXPECT_EQ(file->getRange(file->getBytes().substr(7)), (ByteRange{7, 5}));
  EXPECT_FALSE(file->contains("world"));
  EXPECT_NE(file->getIdentity(),
            llvm::cantFail(MappedFile::open(path))->getIdentity());
}

TEST(MappedFile, TakesAnEmptyFile) {
  TempFolder folder;
  auto file = llvm::cantFail(MappedFile::open(folder.write("a", "")));
  EXPECT_EQ(file->getSize(), 0u);
  file->dropPages({0, 0});
}

TEST(MappedFile, RefusesWhatIsNoRegularFile) {
  TempFolder folder;
  EXPECT_EQ(openError(folder / "none"),
            folder / "none" + ": cannot open: No such file or directory");
  EXPECT_EQ(openError(folder.str()),
            folder.str() + ": cannot open: Is a directory");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(openError(folder / "pipe"),
            folder / "pipe" + ": expected a regular file, but got a pipe, a "
                              "socket or a device");
  EXPECT_EQ(openError("/dev/null"),
            "/dev/null: expected a regular file, but got a pipe, a socket or a "
            "device");
}

TEST(MappedFile, RefusesWhatMayNotBeRead) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  TempFolder folder;
  std::string path = folder.write("a", "x");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  EXPECT_EQ(openError(path), path + ": cannot open: Permission denied");
}

TEST(MappedFile, DroppedPagesComeBack) {
  TempFolder folder;
  std::string content(100000, 'x');
  auto file = llvm::cantFail(MappedFile::open(folder.write("a", content)));
  for (ByteRange range : {ByteRange{0, 100000}, ByteRange{5, 10},
                          ByteRange{5000, 90000}, ByteRange{100000, 0}}) {
    file->willNeed(range);
    file->dropPages(range);
    EXPECT_EQ(file->getBytes(), content);
  }
}

/// Truncates a mapped file and reads past its end.
static void readCutFile(const std::string &path) {
  TruncationGuard guard;
  auto file = llvm::cantFail(MappedFile::open(path));
  OutputOptions options;
  options.namedTemporary = options.removeOnSignal = true;
  auto out = llvm::cantFail(OutputFile::create(path + ".out", options));
  if (truncate(path.c_str(), 0) != 0)
    _exit(7);
  const volatile char *bytes = file->getBytes().data();
  _exit(bytes[8000]);
}

TEST(TruncationGuard, EndsWithOneLineAndRemovesTemporaries) {
  TempFolder folder;
  std::string path = folder.write("a", std::string(8192, 'x'));
  EXPECT_EXIT(readCutFile(path), testing::ExitedWithCode(1),
              "a: expected 8192 bytes, but the file shrank while it was read");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"a"});
}

TEST(TruncationGuard, FindsAFileAmongMany) {
  TempFolder folder;
  std::string path = folder.write("a", std::string(8192, 'x'));
  std::string other = folder.write("b", "y");
  auto manyFiles = [&] {
    std::vector<std::shared_ptr<const MappedFile>> files;
    for (int i = 0; i != 200; ++i)
      files.push_back(llvm::cantFail(MappedFile::open(other)));
    files.erase(files.begin(), files.begin() + 100);
    readCutFile(path);
  };
  EXPECT_EXIT(manyFiles(), testing::ExitedWithCode(1), "a: expected 8192");
}

TEST(TruncationGuard, LeavesOtherBusErrorsAlone) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer has a handler of its own";
#else
  auto sendBusError = [] {
    TruncationGuard guard;
    raise(SIGBUS);
  };
  EXPECT_EXIT(sendBusError(), testing::KilledBySignal(SIGBUS), "");
#endif
}
