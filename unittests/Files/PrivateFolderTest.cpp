// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Files/PrivateFolder.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar;
namespace fs = std::filesystem;

namespace {
constexpr const char *refused =
    " that is the user's and that nobody else can write, but ";
constexpr uid_t somebody = 12345;

class PrivateFolders : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "invar-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    top = name;
    before = umask(022);
  }
  void TearDown() override {
    umask(before);
    fs::remove_all(top);
  }

  /// Returns why a folder is not opened, without its name.
  std::string whyNot(const fs::path &path, bool makes = false) {
    PrivateFolder folder(path.string());
    if (makes ? folder.make(why) : folder.open(why))
      return "opened";
    return behind(path);
  }
  /// The same for a file in the folder.
  std::string whyNotFile(const char *name) {
    PrivateFolder folder(top.string());
    EXPECT_TRUE(folder.open(why)) << why.text;
    int file = folder.open(name, why);
    if (file < 0)
      return behind(top / name);
    close(file);
    return "opened";
  }

  std::string behind(const fs::path &path) {
    std::string prefix = path.string() + ": ";
    EXPECT_TRUE(why.text.empty() || why.text.starts_with(prefix)) << why.text;
    return why.text.empty() ? "" : why.text.substr(prefix.size());
  }
  static mode_t modeOf(const fs::path &path) {
    struct stat facts = {};
    EXPECT_EQ(lstat(path.c_str(), &facts), 0);
    return facts.st_mode & 07777;
  }
  void write(const char *name) { std::ofstream(top / name) << "x"; }

  fs::path top;
  Reason why;
  mode_t before = 0;
};
} // namespace

TEST_F(PrivateFolders, AreMadeForTheUserAlone) {
  umask(0);
  EXPECT_EQ(whyNot(top / "a"), "");
  EXPECT_EQ(why.error, ENOENT);
  EXPECT_EQ(whyNot(top / "a/b/c/", true), "opened");
  for (const char *name : {"a", "a/b", "a/b/c"})
    EXPECT_EQ(modeOf(top / name), 0700u);
  EXPECT_EQ(whyNot(top / "a/b/c", true), "opened");
  EXPECT_EQ(whyNot(top / "a/b/c"), "opened");
}

TEST_F(PrivateFolders, ThatOthersCanWriteAreRefused) {
  fs::path path = top / "a";
  mkdir(path.c_str(), 0700);
  for (mode_t mode : {0700, 0755, 0500, 0711}) {
    chmod(path.c_str(), mode);
    EXPECT_EQ(whyNot(path, true), "opened") << mode;
  }
  for (auto [mode, text] : {std::pair(0770, "0770"),
                            {0702, "0702"},
                            {0777, "0777"},
                            {01777, "1777"}}) {
    chmod(path.c_str(), mode_t(mode));
    for (bool makes : {false, true})
      EXPECT_EQ(whyNot(path, makes), std::string("expected a folder") +
                                         refused + "its mode is " + text);
    EXPECT_EQ(why.error, 0);
  }
}

TEST_F(PrivateFolders, AreNoLinksAndNoFiles) {
  mkdir((top / "a").c_str(), 0700);
  fs::create_symlink("a", top / "link");
  std::string link = "expected a folder, but got a link: name what it leads to";
  EXPECT_EQ(whyNot(top / "link", true), link);
  PrivateFolder slashed((top / "link/").string());
  EXPECT_FALSE(slashed.open(why));
  EXPECT_EQ(whyNot(top / "link/b", true), "opened");
  write("file");
  EXPECT_EQ(whyNot(top / "file", true),
            "expected a folder, but got something else");
  mkfifo((top / "pipe").c_str(), 0600);
  EXPECT_EQ(whyNot(top / "pipe", true),
            "expected a folder, but got something else");
  EXPECT_EQ(whyNot(top / "file/a", true),
            "cannot open the folder: Not a directory");
  EXPECT_EQ(why.error, ENOTDIR);
}

TEST_F(PrivateFolders, OfOthersAreRefused) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  write("file");
  mkdir((top / "a").c_str(), 0700);
  for (const char *name : {"file", "a"})
    ASSERT_EQ(chown((top / name).c_str(), somebody, somebody), 0);
  EXPECT_EQ(whyNot(top / "a", true), std::string("expected a folder") +
                                         refused + "it belongs to user 12345");
  EXPECT_EQ(whyNotFile("file"), std::string("expected a file") + refused +
                                    "it belongs to user 12345");
}

TEST_F(PrivateFolders, OpenFilesThatAreTheUsersOwn) {
  write("file");
  EXPECT_EQ(whyNotFile("file"), "opened");
  EXPECT_EQ(whyNotFile("none"), "");
  EXPECT_EQ(why.error, ENOENT);
  chmod((top / "file").c_str(), 0660);
  EXPECT_EQ(whyNotFile("file"),
            std::string("expected a file") + refused + "its mode is 0660");
  chmod((top / "file").c_str(), 0644);
  fs::create_symlink("file", top / "link");
  EXPECT_EQ(whyNotFile("link"), "expected a file, but got a link");
  mkfifo((top / "pipe").c_str(), 0600);
  EXPECT_EQ(whyNotFile("pipe"), "expected a file, but got something else");
  mkdir((top / "folder").c_str(), 0700);
  EXPECT_EQ(whyNotFile("folder"), "expected a file, but got something else");
}

TEST_F(PrivateFolders, FilesAppearWholeAndForTheUserAlone) {
  for (mode_t mask : {0, 077, 0777}) {
    PrivateFolder folder(top.string());
    ASSERT_TRUE(folder.open(why));
    umask(mask);
    PrivateFile file;
    ASSERT_TRUE(file.create(folder, why)) << why.text;
    umask(022);
    EXPECT_EQ(whyNotFile("made"), mask ? "opened" : "");
    ASSERT_EQ(::write(file.getDescriptor(), "x", 1), 1);
    EXPECT_TRUE(file.commit("made"));
    EXPECT_EQ(modeOf(top / "made"), 0600u);
  }
  // Replaces any file of that name.
  fs::remove(top / "made");
  mkfifo((top / "made").c_str(), 0666);
  PrivateFolder folder(top.string());
  ASSERT_TRUE(folder.open(why));
  {
    PrivateFile file;
    ASSERT_TRUE(file.create(folder, why));
    EXPECT_TRUE(file.commit("made"));
  }
  EXPECT_EQ(whyNotFile("made"), "opened");
  // An uncommitted file is removed.
  {
    EXPECT_TRUE(PrivateFile().create(folder, why));
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(top), {}), 1);
}

TEST_F(PrivateFolders, WhatWasAbandonedGoes) {
  PrivateFolder folder(top.string());
  ASSERT_TRUE(folder.open(why));
  write(".left.tmp");
  mkfifo((top / ".pipe.tmp").c_str(), 0600);
  write("other.tmp");
  PrivateFile first, second;
  ASSERT_TRUE(first.create(folder, why));
  ASSERT_TRUE(second.create(folder, why));
  EXPECT_FALSE(fs::exists(top / ".left.tmp"));
  EXPECT_TRUE(fs::exists(top / ".pipe.tmp"));
  EXPECT_TRUE(fs::exists(top / "other.tmp"));
  EXPECT_TRUE(first.commit("a"));
  EXPECT_TRUE(second.commit("b"));
}
