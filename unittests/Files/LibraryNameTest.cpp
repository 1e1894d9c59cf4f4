// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Files/LibraryName.h"
#include "gtest/gtest.h"

using namespace invar;

TEST(LibraryName, DecidesByTheEndAlone) {
  for (const char *path : {"a.so", ".so", "/x/y.so", "a.onnx.so"})
    EXPECT_TRUE(isLibraryName(path)) << path;
  for (const char *path :
       {"", "so", "a.onnx", "a.so.onnx", "a.so.1", "a.SO", "a.so/", "x.so/b"})
    EXPECT_FALSE(isLibraryName(path)) << path;
}

TEST(LibraryName, SeesLibrariesByTheirBeginning) {
  EXPECT_TRUE(beginsAsLibrary("/proc/self/exe"));
  EXPECT_FALSE(beginsAsLibrary("/dev/null"));
  EXPECT_FALSE(beginsAsLibrary("/none"));
  EXPECT_FALSE(beginsAsLibrary("/"));
}
