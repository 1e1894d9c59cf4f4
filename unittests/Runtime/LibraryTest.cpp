// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled models as files: TestModel.c with constants and a trailer behind it, and what
// happens to files that are not such.
#include "Testing.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>

using namespace invar;
using namespace invar::testing;
namespace fs = std::filesystem;

namespace {
using Bytes = std::vector<char>;

Bytes readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

class Library : public InFolder {
protected:
  fs::path write(const Bytes &bytes) {
    fs::path path = folder / "model.so";
    // A new file each time, as a compiler would write it.
    fs::remove(path);
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), std::streamsize(bytes.size()));
    return path;
  }

  /// Why it does not load, behind the file's name.
  std::string whyNot(const fs::path &path) {
    auto session = rt::Session::load(path.c_str());
    if (session)
      return "";
    std::string text = session.error().text();
    EXPECT_EQ(text.find(path.string() + ": "), 0u) << text;
    code = session.error().code();
    return text.substr(path.string().size() + 2);
  }

  InvarStatusCode code = INVAR_OK;
};

/// The hash that the program of TestModel.c has.
uint64_t hashOf(const fs::path &library) {
  Bytes bytes = readFile(library);
  uint32_t magic = INVAR_PROGRAM_MAGIC;
  auto found =
      std::search(bytes.begin(), bytes.end(), reinterpret_cast<char *>(&magic),
                  reinterpret_cast<char *>(&magic) + 4);
  constexpr size_t numWords = 21 + 4 + 6 + 6 + 3 + 2 + 23;
  EXPECT_GE(size_t(bytes.end() - found), numWords * 4);
  uint32_t words[numWords];
  std::memcpy(words, &*found, sizeof(words));
  return invar_program_hash(words, numWords);
}

Bytes compose(const char *name, const std::vector<float> &constants) {
  fs::path library = fs::path(TEST_LIBRARIES) / (std::string(name) + ".so");
  Bytes bytes = readFile(library);
  EXPECT_FALSE(bytes.empty());
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  bytes.resize((bytes.size() + page - 1) / page * page);
  InvarTrailer trailer = {{'I', 'N', 'V', 'A', 'R', 'S', 'O', '2'},
                          bytes.size(),
                          constants.size() * sizeof(float),
                          hashOf(library),
                          0,
                          0};
  auto add = [&](const void *data, size_t size) {
    bytes.insert(bytes.end(), static_cast<const char *>(data),
                 static_cast<const char *>(data) + size);
  };
  add(constants.data(), constants.size() * sizeof(float));
  add(&trailer, sizeof(trailer));
  return bytes;
}

InvarTrailer *trailerOf(Bytes &bytes) {
  return reinterpret_cast<InvarTrailer *>(bytes.data() + bytes.size() -
                                          sizeof(InvarTrailer));
}

std::vector<float> runOn(const rt::Session &session, std::vector<float> x) {
  return elementsOf<float>(mustRun(session, {tensor<float>({4}, x)})[0]);
}
} // namespace

TEST_F(Library, RunsAModelFromAFile) {
  fs::path path = write(compose("Good", {10, 20, 30, 40}));
  rt::Session session;
  rt::Error error = rt::Session::load(path.c_str()).moveInto(session);
  ASSERT_STREQ(error.text(), "");
  EXPECT_EQ(runOn(session, {1, 2, 3, 4}), (std::vector<float>{11, 22, 33, 44}));
  // What is open stays as it is, also when a new model takes its name.
  fs::path same = write(compose("Good", {1, 1, 1, 1}));
  ASSERT_EQ(same, path);
  rt::Session other;
  error = rt::Session::load(path.c_str()).moveInto(other);
  ASSERT_STREQ(error.text(), "");
  EXPECT_EQ(runOn(other, {1, 2, 3, 4}), (std::vector<float>{2, 3, 4, 5}));
  EXPECT_EQ(runOn(session, {0, 0, 0, 0}), (std::vector<float>{10, 20, 30, 40}));
}

TEST_F(Library, RunsAModelFromMemory) {
  Bytes bytes = compose("Good", {10, 20, 30, 40});
  InvarSession *made = nullptr;
  rt::Error error{invar_session_load_bytes(bytes.data(), bytes.size(), "jit",
                                           nullptr, &made)};
  ASSERT_STREQ(error.text(), "");
  rt::Session session(made);
  bytes.clear();
  EXPECT_EQ(runOn(session, {0, 0, 0, 1}), (std::vector<float>{10, 20, 30, 41}));
  // Two models of one process, whatever numbers their descriptors have.
  bytes = compose("Good", {5, 5, 5, 5});
  error = rt::Error(invar_session_load_bytes(bytes.data(), bytes.size(), "jit",
                                             nullptr, &made));
  ASSERT_STREQ(error.text(), "");
  rt::Session other(made);
  EXPECT_EQ(runOn(other, {0, 0, 0, 1}), (std::vector<float>{5, 5, 5, 6}));
  EXPECT_EQ(runOn(session, {0, 0, 0, 0}), (std::vector<float>{10, 20, 30, 40}));
}

TEST_F(Library, LoadingDoesNotTouchConstants) {
  // 64 MB of constants, of which the program reads 16 bytes.
  std::vector<float> constants(size_t(16) << 20, 1);
  fs::path path = write(compose("Good", constants));
  size_t before = residentBytes();
  rt::Session session;
  rt::Error error = rt::Session::load(path.c_str()).moveInto(session);
  ASSERT_STREQ(error.text(), "");
  EXPECT_LT(residentBytes(), before + (size_t(16) << 20));
  EXPECT_EQ(runOn(session, {0, 1, 2, 3}), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_LT(residentBytes(), before + (size_t(16) << 20));
}

TEST_F(Library, WhatIsNoModelIsRefused) {
  EXPECT_EQ(whyNot(folder / "missing.so"),
            "cannot open: No such file or directory");
  EXPECT_EQ(code, INVAR_BAD_MODEL);
  EXPECT_EQ(whyNot(folder), "expected a file, but got something else");
  EXPECT_EQ(whyNot(write({})),
            "expected a compiled model, but got a file of 0 bytes");
  EXPECT_EQ(whyNot(write(Bytes(1000, 'x'))),
            "expected a compiled model, but got a file that is no library");
  EXPECT_EQ(whyNot(fs::path(TEST_LIBRARIES) / "Good.so"),
            "expected 'INVARSO2' near the file's end, but it is not there: the "
            "file was cut short, or is a library that Invar has not made");
  EXPECT_EQ(whyNot(write(compose("Foreign", {1, 2, 3, 4}))),
            "expected a symbol 'invar_module', but there is none");
}

TEST_F(Library, WhatWasCutShortIsRefused) {
  Bytes bytes = compose("Good", {1, 2, 3, 4});
  for (size_t size = 0; size < bytes.size(); size += 97)
    EXPECT_NE(whyNot(write(Bytes(bytes.begin(), bytes.begin() + size))), "")
        << size;
  // Also where the end looks as it should.
  Bytes cut = bytes;
  cut.erase(cut.begin() + 4096, cut.end() - sizeof(InvarTrailer));
  EXPECT_NE(whyNot(write(cut)), "");
  trailerOf(cut)->constants_offset = 4096;
  trailerOf(cut)->constants_size = 0;
  std::string text = whyNot(write(cut));
  EXPECT_NE(text.find("bytes of library, but got 4"), std::string::npos)
      << text;
}

TEST_F(Library, ATrailerThatLiesIsRefused) {
  Bytes bytes = compose("Good", {1, 2, 3, 4});
  size_t end = bytes.size() - sizeof(InvarTrailer);
  std::string place = "expected constants on whole pages before " +
                      std::to_string(end) + ", but got ";
  uint64_t offset = trailerOf(bytes)->constants_offset;
  trailerOf(bytes)->constants_size = 17;
  EXPECT_EQ(whyNot(write(bytes)),
            place + "17 bytes from " + std::to_string(offset));
  trailerOf(bytes)->constants_offset = offset + 8;
  trailerOf(bytes)->constants_size = 8;
  EXPECT_EQ(whyNot(write(bytes)),
            place + "8 bytes from " + std::to_string(offset + 8));
  trailerOf(bytes)->constants_offset = UINT64_MAX;
  EXPECT_EQ(whyNot(write(bytes)), place + "8 bytes from 18446744073709551615");

  Bytes other = compose("Good", {1, 2, 3, 4});
  uint64_t hash = trailerOf(other)->program_hash;
  trailerOf(other)->program_hash = 5;
  EXPECT_EQ(whyNot(write(other)),
            "expected the program of hash 5, but got " + std::to_string(hash) +
                ": the file was changed while it was in use, or is damaged");
  // Constants that the program does not find.
  EXPECT_EQ(whyNot(write(compose("Good", {1, 2}))),
            "program word 37: expected a constant in 8 bytes, but "
            "got 16 from 0");
}

TEST_F(Library, OtherVersionsAndProcessorsAreRefused) {
  EXPECT_EQ(whyNot(write(compose("OtherAbi", {1, 2, 3, 4}))),
            "expected a model compiled for version 5 of the runtime's "
            "interface, but got version 77");
  EXPECT_EQ(code, INVAR_BAD_MODEL);
  EXPECT_EQ(whyNot(write(compose("OtherCpu", {1, 2, 3, 4}))),
            "expected features of processors that this runtime knows, but got "
            "'avx10.9'");
  EXPECT_EQ(code, INVAR_BAD_PROCESSOR);
  if (!__builtin_cpu_supports("xop")) {
    EXPECT_EQ(whyNot(write(compose("OldCpu", {1, 2, 3, 4}))),
              "expected a processor with 'xop,fma4', but this one has not");
    EXPECT_EQ(code, INVAR_BAD_PROCESSOR);
  }
  Bytes bytes = compose("Good", {1, 2, 3, 4});
  bytes[18] = 40; // e_machine: ARM
  EXPECT_EQ(whyNot(write(bytes)),
            "expected a library for machine 62, but got one for 40");
}
