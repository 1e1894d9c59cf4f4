// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/ExternalData.h"

#include "../../Support/TempFolder.h"
#include "Rebuild.h"
#include "invar/Frontend/Wire/Fields.h"
#include "invar/Frontend/Wire/TensorData.h"
#include "invar/Support/Error.h"
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace invar;

using Entries = std::vector<std::pair<std::string, std::string>>;

namespace {
/// A folder with a model file whose only tensor, float[2], is external.
class ExternalDataTest : public testing::Test {
protected:
  ExternalDataTest() {
    EXPECT_EQ(mkdir(path("model").c_str(), 0700), 0);
    outer.write("secret", "12345678");
    outer.write("model/weights", "abcdefghijklmnop");
  }
  std::string path(llvm::StringRef name) const { return outer / name; }

  llvm::Expected<TensorData> read(const Entries &entries) {
    WireWriter writer;
    WireMessage tensor(writer), graph(writer), whole(writer);
    tensor.addInts(field::tensor::Dims, {2});
    tensor.addInt(field::tensor::DataType, 1);
    tensor.addString(field::tensor::Name, "t");
    tensor.addInt(field::tensor::DataLocation, 1);
    for (const auto &[key, value] : entries) {
      WireMessage entry(writer);
      entry.addString(field::entry::Key, key);
      entry.addString(field::entry::Value, value);
      tensor.addMessage(field::tensor::ExternalData, std::move(entry));
    }
    graph.addMessage(field::graph::Initializer, std::move(tensor));
    whole.addMessage(field::model::Graph, std::move(graph));
    outer.write("model/m.onnx", serialize(std::move(whole)));
    model = llvm::cantFail(WireModel::open(path("model/m.onnx")));
    files.emplace(model->getPath());
    return readTensor(model->getModel().graph->initializers[0], *model, *files);
  }
  std::string error(const Entries &entries) {
    auto data = read(entries);
    EXPECT_FALSE(bool(data));
    if (data)
      return "";
    std::string text = describe(data.takeError()).second;
    llvm::StringRef rest = text;
    EXPECT_TRUE(rest.consume_front("tensor 't': ")) << text;
    return rest.str();
  }
  std::string locationError(const std::string &location) {
    return error({{"location", location}});
  }

  TempFolder outer;
  std::unique_ptr<WireModel> model;
  std::optional<ExternalFiles> files;
};
} // namespace

TEST_F(ExternalDataTest, IsARangeOfItsFile) {
  TensorData data = llvm::cantFail(
      read({{"location", "weights"}, {"offset", "4"}, {"length", "8"}}));
  EXPECT_EQ(data.bytes, "efghijkl");
  EXPECT_TRUE(data.isExternal);
  EXPECT_EQ(data.file->getRange(data.bytes), (ByteRange{4, 8}));
  EXPECT_EQ(data.file->getPath(), path("model/weights"));
}

TEST_F(ExternalDataTest, OffsetAndLengthHaveDefaults) {
  EXPECT_EQ(
      llvm::cantFail(read({{"location", "weights"}, {"length", "8"}})).bytes,
      "abcdefgh");
  EXPECT_EQ(
      llvm::cantFail(read({{"location", "./weights"}, {"offset", "8"}})).bytes,
      "ijklmnop");
  EXPECT_EQ(error({{"location", "weights"}, {"offset", "4"}}),
            "expected 8 bytes of external data 'weights' for float[2], but got "
            "12");
}

TEST_F(ExternalDataTest, OtherToolsKeysAreIgnored) {
  EXPECT_EQ(llvm::cantFail(read({{"location", "weights"},
                                 {"length", "8"},
                                 {"prepacked_0", "x|1|2"},
                                 {"checksum", "00"}}))
                .bytes,
            "abcdefgh");
}

TEST_F(ExternalDataTest, RangesStayInsideTheFile) {
  auto rangeError = [&](const std::string &offset) {
    return error(
        {{"location", "weights"}, {"offset", offset}, {"length", "8"}});
  };
  EXPECT_EQ(rangeError("9"), "expected 8 bytes from byte 9 of external data "
                             "'weights', but got a file of 16");
  EXPECT_EQ(rangeError("17"), "expected 8 bytes from byte 17 of external data "
                              "'weights', but got a file of 16");
  EXPECT_EQ(rangeError("18446744073709551615"),
            "expected 8 bytes from byte 18446744073709551615 of external data "
            "'weights', but got a file of 16");
  EXPECT_EQ(error({{"location", "weights"}, {"length", "16"}}),
            "expected 8 bytes of external data 'weights' for float[2], but got "
            "16");
}

TEST_F(ExternalDataTest, NumbersArePlainDigits) {
  for (std::string bad :
       {"", "-1", "+4", " 4", "4 ", "0x4", "4k", "4.0", "18446744073709551616"})
    EXPECT_EQ(error({{"location", "weights"}, {"offset", bad}}),
              "external_data 'offset': expected a decimal number of at most 64 "
              "bits, but got '" +
                  bad + "'");
}

TEST_F(ExternalDataTest, KeysOccurOnce) {
  EXPECT_EQ(error({{"location", "weights"}, {"location", "other"}}),
            "external_data 'location': expected one value, but got 'weights' "
            "and 'other'");
  EXPECT_EQ(error({{"offset", "4"}}),
            "external_data: expected a key 'location', but got none");
}

TEST_F(ExternalDataTest, LocationsAreInsideTheFolder) {
  auto expectFault = [&](const std::string &location, const char *fault) {
    EXPECT_EQ(locationError(location),
              "external data '" + location +
                  "': expected a relative path inside the model's folder, but "
                  "got " +
                  fault);
  };
  expectFault("", "an empty one");
  expectFault(path("secret"), "an absolute one");
  expectFault("../secret", "one with '..'");
  expectFault("sub/../../secret", "one with '..'");
  expectFault("..", "one with '..'");
  expectFault("..\\secret", "one with a backslash");
  expectFault(std::string("weights\0.bin", 12), "one with a zero byte");
}

TEST_F(ExternalDataTest, LinksDoNotLeadOut) {
  ASSERT_EQ(symlink("../secret", path("model/relative").c_str()), 0);
  ASSERT_EQ(symlink(path("secret").c_str(), path("model/absolute").c_str()), 0);
  ASSERT_EQ(symlink("..", path("model/up").c_str()), 0);
  ASSERT_EQ(symlink("loop", path("model/loop").c_str()), 0);
  for (std::string location : {"relative", "absolute", "up/secret", "loop"})
    EXPECT_EQ(locationError(location),
              "external data '" + location +
                  "': expected a file inside the model's folder, but got a "
                  "link that leads out of it");
  ASSERT_EQ(symlink("weights", path("model/inside").c_str()), 0);
  EXPECT_EQ(
      llvm::cantFail(read({{"location", "inside"}, {"length", "8"}})).bytes,
      "abcdefgh");
}

// Download caches store content in one folder, and links to it in another.
TEST_F(ExternalDataTest, LinkedModelsHaveLinkedData) {
  auto make = [&](const char *name, const char *target) {
    ASSERT_EQ(symlink(target, path(name).c_str()), 0);
  };
  for (const char *folder : {"names", "model/deep"})
    ASSERT_EQ(mkdir(path(folder).c_str(), 0700), 0);
  outer.write("model/blob", "model");
  outer.write("model/deep/data", "deep");
  make("names/m.onnx", "../model/blob");
  make("names/data", "../model/weights");
  make("names/deep", "../model/deep/data");
  make("names/folder", "../model");
  make("names/secret", "../secret");
  make("names/up", "..");
  ExternalFiles linked(path("names/m.onnx"));
  for (auto [location, size] : {std::pair("data", 16), std::pair("deep", 4),
                                std::pair("folder/blob", 5)})
    EXPECT_EQ(int(llvm::cantFail(linked.open(location))->getSize()), size);
  for (const char *location : {"secret", "up/secret"}) {
    auto file = linked.open(location);
    ASSERT_FALSE(file);
    EXPECT_EQ(describe(file.takeError()).second,
              std::string("'") + location +
                  "': expected a file inside the model's folder, but got a "
                  "link that leads out of it");
  }
  // A model that is not a link may only access its own folder.
  outer.write("names/plain.onnx", "model");
  ExternalFiles plain(path("names/plain.onnx"));
  auto file = plain.open("data");
  ASSERT_FALSE(file);
  llvm::consumeError(file.takeError());
}

/// Makes the kernel look older than 5.6 to this process.
static void forbidOpenat2() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog filter = {std::size(program), program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    _exit(7);
}

TEST_F(ExternalDataTest, LinksDoNotLeadOutOnOldKernelsEither) {
  ASSERT_EQ(symlink("../secret", path("model/out").c_str()), 0);
  ASSERT_EQ(symlink("weights", path("model/inside").c_str()), 0);
  auto tryBoth = [&] {
    forbidOpenat2();
    ExternalFiles files(path("model/m.onnx"));
    if (llvm::cantFail(files.open("inside"))->getSize() != 16)
      _exit(8);
    auto file = files.open("out");
    if (file)
      _exit(9);
    fprintf(stderr, "%s\n", describe(file.takeError()).second.c_str());
    _exit(1);
  };
  EXPECT_EXIT(tryBoth(), testing::ExitedWithCode(1),
              "'out': expected a file inside the model's folder");
}

TEST_F(ExternalDataTest, OnlyRegularFiles) {
  ASSERT_EQ(mkdir(path("model/folder").c_str(), 0700), 0);
  ASSERT_EQ(mkfifo(path("model/pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("nowhere", path("model/dangling").c_str()), 0);
  EXPECT_EQ(locationError("folder"),
            "external data " + path("model/folder: cannot open: Is a "
                                    "directory"));
  EXPECT_EQ(locationError("pipe"),
            "external data " + path("model/pipe: expected a regular file, but "
                                    "got a pipe, a socket or a device"));
  for (std::string location : {"missing", "dangling"})
    EXPECT_EQ(locationError(location),
              "external data '" + location +
                  "': cannot open: No such file or directory");
}

TEST_F(ExternalDataTest, EachFileIsMappedOnce) {
  ASSERT_EQ(link(path("model/weights").c_str(), path("model/hard").c_str()), 0);
  ExternalFiles files(path("model/m.onnx"));
  auto first = llvm::cantFail(files.open("weights"));
  EXPECT_EQ(llvm::cantFail(files.open("weights")), first);
  EXPECT_EQ(llvm::cantFail(files.open("./weights")), first);
  EXPECT_EQ(llvm::cantFail(files.open("hard")), first);
}
