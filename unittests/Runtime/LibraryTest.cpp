// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiled models as files: TestModel.c with constants and a trailer, and files
// that are not models.
#include "Testing.h"
#include "runtime/Checksum.h"

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
    // A new file each time, as a compiler writes it.
    fs::remove(path);
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), std::streamsize(bytes.size()));
    return path;
  }

  /// Returns why it does not load, without the file's name.
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

InvarTrailer *trailerOf(Bytes &bytes) {
  return reinterpret_cast<InvarTrailer *>(bytes.data() + bytes.size() -
                                          sizeof(InvarTrailer));
}

/// Computes the checksums of head and tail of a library that contains its constants.
void seal(Bytes &bytes) {
  InvarTrailer *trailer = trailerOf(bytes);
  trailer->head_checksum =
      runtime::computeChecksum(bytes.data(), trailer->head_size);
  const char *tail =
      bytes.data() + trailer->head_size + trailer->constants_size;
  trailer->tail_checksum = runtime::computeChecksum(
      tail,
      size_t(reinterpret_cast<const char *>(&trailer->tail_checksum) - tail));
}

Bytes compose(const char *name, const std::vector<float> &constants) {
  Bytes bytes =
      readFile(fs::path(TEST_LIBRARIES) / (std::string(name) + ".so"));
  EXPECT_FALSE(bytes.empty());
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  bytes.resize((bytes.size() + page - 1) / page * page);
  InvarTrailer trailer = {};
  trailer.head_size = trailer.constants_offset = bytes.size();
  trailer.constants_size = constants.size() * sizeof(float);
  std::memcpy(trailer.magic, INVAR_TRAILER_MAGIC, sizeof(trailer.magic));
  auto add = [&](const void *data, size_t size) {
    bytes.insert(bytes.end(), static_cast<const char *>(data),
                 static_cast<const char *>(data) + size);
  };
  add(constants.data(), constants.size() * sizeof(float));
  runtime::BlockChecksums blocks;
  blocks.add(reinterpret_cast<const char *>(constants.data()),
             constants.size() * sizeof(float));
  std::vector<uint64_t> checksums = blocks.finish();
  add(checksums.data(), checksums.size() * sizeof(uint64_t));
  add(&trailer, sizeof(trailer));
  seal(bytes);
  return bytes;
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
  // An open model does not change, even if a new model takes its name.
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
  // Two models in one process, whatever their descriptor numbers.
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
  // A file name in an error must not contain control characters for the terminal.
  EXPECT_STREQ(rt::Session::load("\x1b[2J\xc2\x9b.so").error().text(),
               "\\x1b[2J\\xc2\\x9b.so: cannot open: No such file or directory");
  EXPECT_EQ(whyNot(folder), "expected a file, but got something else");
  EXPECT_EQ(whyNot(write({})),
            "expected a compiled model, but got a file of 0 bytes");
  EXPECT_EQ(whyNot(write(Bytes(1000, 'x'))),
            "expected a compiled model, but got a file that is no library; "
            "a model that is to be compiled is not named '.so'");
  EXPECT_EQ(whyNot(fs::path(TEST_LIBRARIES) / "Good.so"),
            "expected 'INVARSO4' at the file's end, but it is not there: the "
            "file was cut short, or is a library that Invar has not made");
  // The format of libraries before version 4 of the interface.
  Bytes old = readFile(fs::path(TEST_LIBRARIES) / "Good.so");
  const char trailer[48] = "INVARSO2";
  old.insert(old.end(), trailer, trailer + sizeof(trailer));
  EXPECT_EQ(whyNot(write(old)),
            "expected a library of format 'INVARSO4', but got one of "
            "'INVARSO2': compile the model again");
  old = compose("Good", {1, 2, 3, 4});
  old.back() = '3';
  EXPECT_EQ(whyNot(write(old)),
            "expected a library of format 'INVARSO4', but got one of "
            "'INVARSO3': compile the model again");
  EXPECT_EQ(whyNot(write(compose("Foreign", {1, 2, 3, 4}))),
            "expected a symbol 'invar_module', but there is none");
}

TEST_F(Library, WhatWasCutShortIsRefused) {
  Bytes bytes = compose("Good", {1, 2, 3, 4});
  for (size_t size = 0; size < bytes.size(); size += 97)
    EXPECT_NE(whyNot(write(Bytes(bytes.begin(), bytes.begin() + size))), "")
        << size;
  // Also if the end is valid.
  Bytes cut = bytes;
  cut.erase(cut.begin() + 4096, cut.end() - sizeof(InvarTrailer));
  EXPECT_EQ(whyNot(write(cut)).find("expected the parts of a library in "), 0u);
  trailerOf(cut)->head_size = trailerOf(cut)->constants_offset = 4096;
  trailerOf(cut)->constants_size = 0;
  EXPECT_EQ(whyNot(write(cut)).find("expected checksum "), 0u);
  seal(cut);
  EXPECT_EQ(whyNot(write(cut)).find("library: expected a segment in 4096"), 0u);
}

TEST_F(Library, ATrailerThatLiesIsRefused) {
  Bytes bytes = compose("Good", {1, 2, 3, 4});
  auto whyNotWith = [&](uint64_t InvarTrailer::*field, uint64_t value) {
    Bytes changed = bytes;
    trailerOf(changed)->*field = value;
    return whyNot(write(changed));
  };
  for (auto field :
       {&InvarTrailer::head_size, &InvarTrailer::constants_offset,
        &InvarTrailer::constants_size, &InvarTrailer::file_name_size})
    for (uint64_t value : {uint64_t(1), uint64_t(4096), uint64_t(1) << 40,
                           uint64_t(INT64_MAX), UINT64_MAX - 4095, UINT64_MAX})
      EXPECT_EQ(whyNotWith(field, value)
                    .find("expected the parts of a library in " +
                          std::to_string(bytes.size()) + " bytes, but got "),
                0u)
          << whyNotWith(field, value);
  std::string text = whyNotWith(&InvarTrailer::head_checksum, 5);
  EXPECT_EQ(text.find("expected checksum "), 0u) << text;
  EXPECT_NE(text.find(" for what follows the constants, but got "),
            std::string::npos)
      << text;
  // Constants that are not in the file.
  EXPECT_EQ(whyNot(write(compose("Good", {1, 2}))),
            "program word 37: expected a constant in 8 bytes, but "
            "got 16 from 0");
}

TEST_F(Library, EveryBitIsChecked) {
  Bytes good = compose("Good", {10, 20, 30, 40});
  size_t constants = trailerOf(good)->constants_offset;
  for (size_t at = 0; at < good.size(); at += at % 2 ? 37 : 1) {
    Bytes bad = good;
    bad[at] ^= char(1 << at % 8);
    fs::path path = write(bad);
    if (at < constants || at >= constants + 16) {
      EXPECT_NE(whyNot(path), "") << at;
      continue;
    }
    rt::Session session;
    rt::Error error = rt::Session::load(path.c_str()).moveInto(session);
    ASSERT_STREQ(error.text(), "");
    std::string text =
        invar::testing::whyNot(session, {tensor<float>({4}, {1, 2, 3, 4})});
    EXPECT_EQ(text.find(path.string() + ": constant 0 (tensor(float)[4]): "
                                        "expected checksum "),
              0u)
        << text;
    EXPECT_NE(text.find(" for the constants from byte 0 on, but got "),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with(": the file is damaged")) << text;
    // The error persists.
    EXPECT_EQ(
        invar::testing::whyNot(session, {tensor<float>({4}, {1, 2, 3, 4})}),
        text);
  }
}

TEST_F(Library, SessionsNeverShareCode) {
  // A new session may reuse the descriptor, the name and the memory of a closed one.
  fs::path paths[] = {folder / "a.so", folder / "b.so"};
  std::vector<float> expected[] = {{1, 2, 3, 4}, {3, 6, 9, 12}};
  for (int i : {0, 1}) {
    Bytes bytes = compose(i ? "Thrice" : "Good", {1, 2, 3, 4});
    std::ofstream(paths[i], std::ios::binary)
        .write(bytes.data(), std::streamsize(bytes.size()));
  }
  rt::Session kept[3];
  for (int round = 0; round < 200; ++round) {
    int which = round % 5 % 2;
    rt::Session &session = kept[round % 3];
    rt::Error error = rt::Session::load(paths[which].c_str()).moveInto(session);
    ASSERT_STREQ(error.text(), "");
    EXPECT_EQ(runOn(session, {0, 0, 0, 0}), expected[which]);
  }
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
  seal(bytes);
  EXPECT_EQ(whyNot(write(bytes)),
            "expected a library for machine 62, but got one for 40");
}
