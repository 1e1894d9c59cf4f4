// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test's own folder, which is removed when the test ends.
#ifndef INVAR_UNITTESTS_SUPPORT_TEMPFOLDER_H
#define INVAR_UNITTESTS_SUPPORT_TEMPFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace invar {

class TempFolder {
public:
  /// Creates the folder among the other temporary files, or in `parent`.
  explicit TempFolder(llvm::StringRef parent = "") {
    llvm::SmallString<128> made;
    std::string prefix =
        parent.empty() ? "invar-test" : (parent + "/invar-test").str();
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory(prefix, made));
    path = made.str().str();
  }
  ~TempFolder() { llvm::sys::fs::remove_directories(path); }
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;

  const std::string &str() const { return path; }
  std::string operator/(llvm::StringRef name) const {
    return path + "/" + name.str();
  }

  std::string write(llvm::StringRef name, llvm::StringRef content) const {
    std::ofstream(*this / name, std::ios::binary) << content.str();
    return *this / name;
  }

  std::string read(llvm::StringRef name) const {
    std::ifstream in(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Returns the names in the folder, including hidden ones, in order.
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator i(path, error), end;
         i != end && !error; i.increment(error))
      names.push_back(llvm::StringRef(i->path()).rsplit('/').second.str());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  std::string path;
};

} // namespace invar

#endif // INVAR_UNITTESTS_SUPPORT_TEMPFOLDER_H
