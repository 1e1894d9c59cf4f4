// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests named weights: replaced while a model runs, and read from files.
#include "FoldTesting.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace invar;
using namespace invar::testing;
namespace fs = std::filesystem;

namespace {
/// z = x + 2 a + 2 b + c, where a = {1, 2}, b = {10, 20} and c = {0, 0} are parameters,
/// in the store or not stored.
Model makeModel(bool isStored = true) {
  ProgramBuilder b;
  b.kernels = foldKernels();
  uint32_t type = b.tensor(INVAR_FLOAT32, {2});
  b.input("x", type);
  b.output("z", type);
  b.store.resize(192);
  float first[] = {1, 2}, second[] = {10, 20};
  std::memcpy(b.store.data(), first, sizeof(first));
  std::memcpy(b.store.data() + 64, second, sizeof(second));
  const char *names[] = {"a", "b", "c"};
  for (uint64_t i = 0; i < 3; ++i)
    b.parameter(names[i], type, isStored ? 64 * i : ~uint64_t(0));
  b.foldedSize = 128;
  uint32_t constants[] = {b.addConstant(type, 0, 8, INVAR_CONSTANT_FOLDED),
                          b.addConstant(type, 64, 8, INVAR_CONSTANT_FOLDED),
                          b.addConstant(type, 2, 8, INVAR_CONSTANT_PARAMETER)};
  uint32_t two = b.immediate(int64_t(2)), sum = 0;
  for (uint32_t constant : constants) {
    uint32_t w = b.object(), next = b.object();
    b.emit(INVAR_OP_CONSTANT, w, constant);
    b.emit(INVAR_OP_ALLOCATE, next, INVAR_FLOAT32, List{two});
    b.emit(INVAR_OP_KERNEL, uint32_t(Add), List{sum, w, next}, List{two});
    sum = next;
  }
  b.emit(INVAR_OP_RETURN, List{sum});
  b.fold(makeFold(0, "#0", INVAR_CONSTANT_PARAMETER), {0});
  b.fold(makeFold(1, "#1", INVAR_CONSTANT_PARAMETER), {64});
  return Model(b);
}

using Numbers = std::vector<float>;

Numbers runOnce(const rt::Session &session) {
  return elementsOf<float>(
      mustRun(session, {tensor<float>({2}, {100, 200})})[0]);
}

std::string refit(const rt::Session &session,
                  const std::vector<std::pair<std::string, Numbers>> &weights) {
  std::vector<std::pair<std::string, rt::Value>> values;
  for (const auto &[name, numbers] : weights)
    values.emplace_back(name,
                        tensor<float>({int64_t(numbers.size())}, numbers));
  return session.refit(values).text();
}

/// Has a folder for files of weights.
class WeightFiles : public InFolder {
protected:
  std::string write(const std::string &bytes, const char *name = "weights") {
    fs::path path = folder / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  rt::Result<rt::Session> load(const std::string &weights) {
    InvarSessionOptions options = INVAR_SESSION_OPTIONS;
    options.num_threads = 1;
    options.weights = weights.c_str();
    return model.load(&options);
  }
  Numbers runWith(const std::string &weights) {
    rt::Session session;
    rt::Error error = load(weights).moveInto(session);
    EXPECT_STREQ(error.text(), "");
    return error ? Numbers() : runOnce(session);
  }
  std::string whyNot(const std::string &weights) {
    auto session = load(weights);
    std::string text = session ? "" : session.error().text();
    size_t path = text.find(weights);
    return path == std::string::npos ? text
                                     : text.substr(path + weights.size() + 2);
  }

  Model model = makeModel(/*isStored=*/false);
};

std::string toBytes(const Numbers &numbers) {
  return {reinterpret_cast<const char *>(numbers.data()),
          numbers.size() * sizeof(float)};
}

std::string makeSafetensors(const std::string &header,
                            const std::string &data) {
  uint64_t length = header.size();
  return std::string(reinterpret_cast<char *>(&length), 8) + header + data;
}

/// a = {3, 4}, b = {5, 6}, c = {7, 8}, not aligned.
std::string goodSafetensors() {
  return makeSafetensors(
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},)"
      R"("c":{"dtype":"F32","shape":[2],"data_offsets":[16,24]}, )"
      R"("__metadata__":{"format":"np"}})",
      toBytes({3, 4, 5, 6, 7, 8}));
}

// Functions that encode a model, message by message.
std::string field(char number, const std::string &bytes) {
  EXPECT_LT(bytes.size(), 128u);
  return std::string{char(number << 3 | 2), char(bytes.size())} + bytes;
}
std::string numberField(char number, char value) {
  return {char(number << 3), value};
}
std::string makeTensor(const std::string &name, const std::string &rest) {
  return numberField(1, 2) + numberField(2, INVAR_FLOAT32) + field(8, name) +
         rest;
}
/// The same numbers: as raw data, as typed values, and in a Constant.
std::string goodModel() {
  std::string node =
      field(2, "c") + field(4, "Constant") +
      field(5, field(1, "value") +
                   field(5, makeTensor("", field(9, toBytes({7, 8})))));
  std::string graph = field(1, node) +
                      field(5, makeTensor("a", field(9, toBytes({3, 4})))) +
                      field(5, makeTensor("b", field(4, toBytes({5, 6}))));
  // The length takes two bytes.
  return std::string{char(7 << 3 | 2), char(graph.size() % 128 + 128),
                     char(graph.size() / 128)} +
         graph;
}
const Numbers fromFile = {100 + 6 + 10 + 7, 200 + 8 + 12 + 8};
} // namespace

TEST(Parameters, AreReplacedByTheirNames) {
  Model model = makeModel();
  rt::Session session = model.mustLoad();
  ASSERT_EQ(session.numParameters(), 3u);
  EXPECT_STREQ(session.parameterName(1), "b");
  EXPECT_EQ(runOnce(session), (Numbers{122, 244}));
  EXPECT_EQ(session.foldsRun(), 2u);
  // Only the fold that reads it runs again.
  EXPECT_EQ(refit(session, {{"a", {3, 4}}}), "");
  EXPECT_EQ(session.foldsRun(), 3u);
  EXPECT_EQ(runOnce(session), (Numbers{126, 248}));
  // No fold runs if none reads it.
  EXPECT_EQ(refit(session, {{"c", {1000, 2000}}}), "");
  EXPECT_EQ(session.foldsRun(), 3u);
  EXPECT_EQ(runOnce(session), (Numbers{1126, 2248}));
  EXPECT_EQ(refit(session, {{"b", {0, 0}}, {"a", {0, 0}}, {"c", {0, 0}}}), "");
  EXPECT_EQ(session.foldsRun(), 5u);
  EXPECT_EQ(runOnce(session), (Numbers{100, 200}));
  EXPECT_EQ(refit(session, {}), "");
  EXPECT_EQ(session.foldsRun(), 5u);
}

TEST(Parameters, AreReplacedBeforeTheFirstRun) {
  Model model = makeModel();
  rt::Session session = model.mustLoad();
  EXPECT_EQ(refit(session, {{"a", {3, 4}}}), "");
  EXPECT_EQ(session.foldsRun(), 0u);
  EXPECT_EQ(runOnce(session), (Numbers{126, 248}));
  EXPECT_EQ(session.foldsRun(), 2u);
}

TEST(Parameters, AreAllReplacedOrNone) {
  Model model = makeModel();
  rt::Session session = model.mustLoad();
  EXPECT_EQ(refit(session, {{"a", {3, 4}}, {"d", {0, 0}}}),
            "model: expected the name of one of the 3 weights that can be "
            "replaced, but got 'd'");
  EXPECT_EQ(refit(session, {{"a", {3, 4}}, {"b", {0, 0, 0}}}),
            "model: expected weight 'b' to be tensor(float)[2], but got "
            "tensor(float)[3]");
  EXPECT_EQ(refit(session, {{"a", {3, 4}}, {"a", {0, 0}}}),
            "model: expected weight 'a' once, but got it twice");
  EXPECT_EQ(runOnce(session), (Numbers{122, 244}));
}

TEST(Parameters, AreReplacedAtOnceForRunningThreads) {
  Model model = makeModel();
  rt::Session session = model.mustLoad(2);
  EXPECT_EQ(refit(session, {{"a", {0, 0}}, {"b", {0, 0}}}), "");
  std::atomic<bool> isOver = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> running;
  for (int i = 0; i < 8; ++i)
    running.emplace_back([&] {
      while (!isOver) {
        // 2 a + 2 b + c is 0 in each generation; otherwise a run has mixed two of them.
        Numbers z = runOnce(session);
        wrong += z != Numbers{100, 200};
      }
    });
  for (float k = 1; k <= 200; ++k)
    EXPECT_EQ(
        refit(session,
              {{"a", {k, k}}, {"b", {2 * k, 2 * k}}, {"c", {-6 * k, -6 * k}}}),
        "");
  isOver = true;
  for (std::thread &thread : running)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(WeightFiles, AreNeededWhereTheStoreHasNone) {
  EXPECT_EQ(model.whyNot(),
            "model: expected a file with the weights of the model, which the "
            "library is without, as 'a'; that is the ONNX model it was "
            "compiled from, or one of safetensors");
  EXPECT_EQ(whyNot(folder / "none"), "cannot open: No such file or directory");
  EXPECT_EQ(whyNot(folder), "expected a file, but got something else");
  EXPECT_EQ(whyNot(write("")),
            "expected an ONNX model or a file of safetensors, but got neither");
}

TEST_F(WeightFiles, OfSafetensors) {
  EXPECT_EQ(runWith(write(goodSafetensors())), fromFile);
  auto why = [&](const std::string &entry, const std::string &data) {
    return whyNot(write(makeSafetensors("{\"a\":" + entry + "}", data)));
  };
  EXPECT_EQ(whyNot(write(makeSafetensors("{", ""))),
            "expected a header of JSON, but it cannot be read");
  EXPECT_EQ(whyNot(write(makeSafetensors("{}", ""))),
            "expected the weight 'a', but there is none of that name");
  EXPECT_EQ(why(R"({"dtype":"I32","shape":[2],"data_offsets":[0,8]})",
                toBytes({1, 2})),
            "expected the weight 'a' to be tensor(float)[2], but got "
            "tensor(int32)[2]");
  EXPECT_EQ(
      why(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", toBytes({1})),
      "expected 8 bytes of tensors, but got 4: the file was cut short");
  EXPECT_EQ(
      why(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", toBytes({1})),
      "'a': expected tensor(float)[2] in 4 bytes, but got those from 0 "
      "to 4");
  for (const char *entry :
       {"3", "{}", R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})",
        R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})",
        R"({"dtype":"F33","shape":[2],"data_offsets":[0,8]})",
        R"({"dtype":"F32","shape":[2],"data_offsets":[8]})"})
    EXPECT_EQ(why(entry, toBytes({1, 2})),
              "'a': expected a type, a shape and two offsets, but the header "
              "has something else");
  EXPECT_NE(why(R"({"dtype":"F32","shape":[4611686018427387904,4],)"
                R"("data_offsets":[0,0]})",
                ""),
            "");
}

TEST_F(WeightFiles, OfAModel) {
  EXPECT_EQ(runWith(write(goodModel())), fromFile);
  auto why = [&](const std::string &tensor) {
    return whyNot(write(field(7, field(5, tensor))));
  };
  EXPECT_EQ(why(makeTensor("a", field(9, toBytes({1})))),
            "'a': expected 8 bytes, but got 4");
  EXPECT_EQ(why(makeTensor("a", field(4, toBytes({1, 2, 3})))),
            "'a': expected 8 bytes of numbers, but got others");
  EXPECT_EQ(why(numberField(2, 8) + field(8, "a")),
            "'a': expected a tensor of numbers, but got type 8 and 0 axes");
  // Numbers have at most 64 bits; lengths must end within the enclosing message.
  std::string most(9, char(0xff));
  std::string damaged = "'a': expected a tensor, but got one that is damaged";
  EXPECT_EQ(why(field(8, "a") + numberField(2, 1) + "\x08" + most + "\x01"),
            "'a': expected a tensor of numbers, but got type 1 and 1 axes");
  EXPECT_EQ(why(field(8, "a") + numberField(2, 1) + "\x08" + most + "\x02"),
            damaged);
  EXPECT_EQ(why(field(8, "a") + field(1, most + "\x03")), damaged);
  EXPECT_EQ(why(field(8, "a") + field(1, std::string(65, 1))), damaged);
  EXPECT_EQ(why(field(8, "a") + "\x4a\x09"
                                "12345678"),
            damaged);
  EXPECT_EQ(why(field(8, "a") + "\x4a" + most + "\x01"), damaged);
  EXPECT_EQ(whyNot(write(goodModel() + "\x0b")),
            "expected a whole ONNX model, but got one that is cut short or "
            "damaged");
}

TEST_F(WeightFiles, BesideAModel) {
  auto makeModel = [&](const std::string &location, const char *offset) {
    auto entry = [](const char *key, const std::string &value) {
      return field(13, field(1, key) + field(2, value));
    };
    auto external = [&](const char *name, const char *from) {
      return field(5, makeTensor(name, entry("location", location) +
                                           entry("offset", from) +
                                           numberField(14, 1)));
    };
    std::string graph =
        external("a", offset) + external("b", "8") + external("c", "16");
    return std::string{char(7 << 3 | 2), char(graph.size() % 128 + 128),
                       char(graph.size() / 128)} +
           graph;
  };
  write(toBytes({3, 4, 5, 6, 7, 8}), "data.bin");
  EXPECT_EQ(runWith(write(makeModel("data.bin", "0"))), fromFile);
  EXPECT_EQ(whyNot(write(makeModel("data.bin", "17"))),
            "'a': expected 8 bytes from 17 in 'data.bin', but it has 24");
  for (auto [location, problem] : {std::pair("", "an empty one"),
                                   {"/etc/hostname", "an absolute one"},
                                   {"../data.bin", "one with '..'"},
                                   {"x/../../y", "one with '..'"}})
    EXPECT_EQ(whyNot(write(makeModel(location, "0"))),
              std::string("'a': '") + location +
                  "': expected a relative path inside the model's folder, "
                  "but got " +
                  problem);
  // Links must not lead out either.
  fs::path outside = folder.string() + "-outside";
  fs::create_directory(outside);
  std::ofstream(outside / "data.bin") << toBytes({3, 4, 5, 6, 7, 8});
  fs::create_symlink(outside, folder / "linked");
  fs::create_symlink(outside / "data.bin", folder / "link.bin");
  for (const char *location : {"linked/data.bin", "link.bin"})
    EXPECT_EQ(whyNot(write(makeModel(location, "0"))),
              std::string("'a': '") + location +
                  "': expected a file inside the model's folder, but got a "
                  "link that leads out of it");
  fs::remove_all(outside);
}

TEST_F(WeightFiles, ThatAreCutOrDamagedAreNeverReadOutside) {
  for (const std::string &good : {goodSafetensors(), goodModel()})
    for (size_t size = 0; size < good.size(); ++size) {
      std::string path = write(good.substr(0, size));
      EXPECT_NE(whyNot(path), "") << size;
      for (int flip : {1, 64, 128}) {
        std::string damaged = good;
        damaged[size] = char(damaged[size] ^ flip);
        // It is read correctly or rejected.
        (void)whyNot(write(damaged));
      }
    }
}
