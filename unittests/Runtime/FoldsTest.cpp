// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests run-once constants.
#include "FoldTesting.h"

#include <atomic>
#include <filesystem>
#include <thread>

using namespace invar;
using namespace invar::testing;
namespace fs = std::filesystem;

namespace {
/// z = x + a + b, where a and b are folded.
Model makeModel() {
  ProgramBuilder b;
  b.kernels = foldKernels();
  uint32_t type = b.tensor(INVAR_FLOAT32, {2});
  uint32_t x = b.object(), w = b.object(), y = b.object(), z = b.object();
  b.input("x", type);
  b.output("z", type);
  b.store.resize(128);
  float values[] = {1, 2}, others[] = {10, 20};
  std::memcpy(b.store.data(), values, sizeof(values));
  std::memcpy(b.store.data() + 64, others, sizeof(others));
  b.foldedSize = 128;
  uint32_t first = b.addConstant(type, 0, 8, INVAR_CONSTANT_FOLDED);
  uint32_t second = b.addConstant(type, 64, 8, INVAR_CONSTANT_FOLDED);
  uint32_t two = b.immediate(int64_t(2));
  b.emit(INVAR_OP_CONSTANT, w, first);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{two});
  b.emit(INVAR_OP_KERNEL, uint32_t(Add), List{x, w, y}, List{two});
  b.emit(INVAR_OP_CONSTANT, w, second);
  b.emit(INVAR_OP_ALLOCATE, z, INVAR_FLOAT32, List{two});
  b.emit(INVAR_OP_KERNEL, uint32_t(Add), List{y, w, z}, List{two});
  b.emit(INVAR_OP_RETURN, List{z});
  b.fold(makeFold(0, "#0"), {0});
  b.fold(makeFold(64, "#1"), {64});
  return Model(b);
}

std::vector<float> runOnce(const rt::Session &session) {
  std::vector<rt::Value> inputs;
  inputs.push_back(tensor<float>({2}, {100, 200}));
  std::vector<rt::Value> outputs;
  rt::Error error = session.run(inputs).moveInto(outputs);
  EXPECT_STREQ(error.text(), "");
  return elementsOf<float>(outputs.front());
}

/// Runs the sessions a thousand times in total from eight threads; all results must be
/// right.
void runOften(const std::vector<rt::Session> &sessions) {
  std::vector<std::thread> racing;
  std::atomic<int> wrong = 0;
  for (size_t i = 0; i < 8; ++i)
    racing.emplace_back([&, i] {
      for (int run = 0; run < 125; ++run)
        wrong += runOnce(sessions[i % sessions.size()]) !=
                 std::vector<float>{122, 244};
    });
  for (std::thread &thread : racing)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

/// Has a folder to store constants in.
class KeptFolds : public InFolder {
protected:
  rt::Session load(const Model &model, const fs::path &cache) {
    InvarSessionOptions options = INVAR_SESSION_OPTIONS;
    options.num_threads = 3;
    options.fold_cache = cache.c_str();
    options.warn = [](void *context, const char *text) {
      static_cast<KeptFolds *>(context)->warnings.emplace_back(text);
    };
    options.warn_context = this;
    rt::Session session;
    rt::Error error = model.load(&options).moveInto(session);
    EXPECT_STREQ(error.text(), "");
    return session;
  }

  /// Returns the files in the cache, by their extensions.
  std::vector<std::string> list(const fs::path &cache) {
    std::vector<std::string> kinds;
    for (const fs::directory_entry &entry : fs::directory_iterator(cache))
      kinds.push_back(entry.path().extension());
    return kinds;
  }

  std::vector<std::string> warnings;
};
} // namespace

TEST(Folds, RunOnceForAThousandRunsOfEightThreads) {
  for (int threads : {1, 3}) {
    Model model = makeModel();
    std::vector<rt::Session> sessions;
    sessions.push_back(model.mustLoad(threads));
    EXPECT_EQ(sessions[0].foldsRun(), 0u);
    int before = numDoubled;
    runOften(sessions);
    EXPECT_EQ(sessions[0].foldsRun(), 2u);
    EXPECT_EQ(numDoubled - before, 2);
  }
}

TEST_F(KeptFolds, RunOnceForAllSessions) {
  Model model = makeModel();
  fs::path cache = folder / "deep" / "cache";
  for (uint64_t folds : {2, 0, 0}) {
    std::vector<rt::Session> sessions;
    sessions.push_back(load(model, cache));
    int before = numDoubled;
    runOften(sessions);
    EXPECT_EQ(sessions[0].foldsRun(), folds);
    EXPECT_EQ(uint64_t(numDoubled - before), folds);
    // The file exists when the session that wrote it is gone.
    sessions.clear();
    EXPECT_EQ(list(cache), std::vector<std::string>{".fold"});
  }
  EXPECT_EQ(warnings, std::vector<std::string>());
}

TEST_F(KeptFolds, AreWrittenByManyAtOnce) {
  Model model = makeModel();
  std::vector<rt::Session> sessions;
  for (int i = 0; i < 4; ++i)
    sessions.push_back(load(model, folder));
  runOften(sessions);
  for (const rt::Session &session : sessions)
    EXPECT_EQ(session.foldsRun(), 2u);
  sessions.clear();
  EXPECT_EQ(list(folder), std::vector<std::string>{".fold"});
  EXPECT_EQ(warnings, std::vector<std::string>());
}

TEST_F(KeptFolds, AreComputedAgainWhereTheyAreDamaged) {
  Model model = makeModel();
  EXPECT_EQ(runOnce(load(model, folder)), (std::vector<float>{122, 244}));
  fs::path path = fs::directory_iterator(folder)->path();
  auto size = fs::file_size(path);
  // The header, its padding, the constants, and the list of their checksums.
  for (uint64_t at : {uint64_t(0), uint64_t(20), uint64_t(4000), uint64_t(4096),
                      size - 60, size - 3}) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(std::streamoff(at));
    char byte = char(file.get() ^ 4);
    file.seekp(std::streamoff(at));
    file.put(byte);
    file.close();
    for (uint64_t folds : {2, 0}) {
      std::vector<rt::Session> sessions;
      sessions.push_back(load(model, folder));
      runOften(sessions);
      EXPECT_EQ(sessions[0].foldsRun(), folds) << at;
      sessions.clear();
      ASSERT_EQ(warnings.size(), folds / 2) << at;
      for (const std::string &text : warnings)
        EXPECT_TRUE(text.ends_with("; constants are computed again")) << text;
      warnings.clear();
      EXPECT_EQ(list(folder), std::vector<std::string>{".fold"});
    }
  }
}

TEST_F(KeptFolds, AreNotNeeded) {
  Model model = makeModel();
  std::ofstream(folder / "file") << "in the way";
  std::vector<rt::Session> sessions;
  sessions.push_back(load(model, folder / "file" / "cache"));
  runOften(sessions);
  EXPECT_EQ(sessions[0].foldsRun(), 2u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("cannot open the folder"), std::string::npos);
}

TEST(Folds, FailuresSayWhatWasComputed) {
  ProgramBuilder inner;
  uint32_t type = inner.tensor(INVAR_FLOAT32, {2});
  uint32_t y = inner.object();
  inner.output("#0", type);
  inner.emit(INVAR_OP_CHECK, inner.immediate(int64_t(0)),
             inner.string("no such weight"));
  inner.emit(INVAR_OP_RETURN, List{y});
  ProgramBuilder b;
  b.foldedSize = 64;
  b.fold(inner.words(), {0});
  b.emit(INVAR_OP_RETURN, List{});
  Model model(b);
  rt::Session session = model.mustLoad();
  std::vector<rt::Value> outputs;
  rt::Error error = session.run(std::vector<rt::Value>()).moveInto(outputs);
  EXPECT_STREQ(error.text(), "model: computing constants: no such weight");
  EXPECT_EQ(session.foldsRun(), 0u);
}

TEST(Folds, MayComputeNothing) {
  // A constant without elements takes no bytes, but is still a constant.
  ProgramBuilder fold;
  uint32_t made = fold.object(), none = fold.immediate(int64_t(0));
  fold.output("#0", fold.tensor(INVAR_FLOAT32, {0}));
  fold.emit(INVAR_OP_ALLOCATE, made, INVAR_FLOAT32, List{none});
  fold.emit(INVAR_OP_RETURN, List{made});
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {0}), w = b.object();
  b.output("w", type);
  b.foldedSize = 0;
  b.emit(INVAR_OP_CONSTANT, w,
         b.addConstant(type, 0, 0, INVAR_CONSTANT_FOLDED));
  b.emit(INVAR_OP_RETURN, List{w});
  b.fold(fold.words(), {0});
  Model model(b);
  rt::Session session = model.mustLoad();
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(elementsOf<float>(mustRun(session, {}).front()),
              std::vector<float>());
  EXPECT_EQ(session.foldsRun(), 1u);
}

TEST(Folds, PlacesAreChecked) {
  auto whyNot = [](uint64_t size, const List &program,
                   const std::vector<uint64_t> &offsets) {
    ProgramBuilder b;
    b.kernels = {{doubleAll, planAll, "double"}};
    b.store.resize(64);
    b.foldedSize = size;
    b.fold(program, offsets);
    b.emit(INVAR_OP_RETURN, List{});
    std::string text = Model(b).whyNot();
    return text.substr(text.find("expected") == std::string::npos
                           ? text.size()
                           : text.find("expected"));
  };
  EXPECT_EQ(whyNot(64, makeFold(0), {0}), "");
  EXPECT_EQ(whyNot(64, makeFold(0), {64}),
            "expected a place for tensor(float)[2] in 64 bytes, but got 64");
  EXPECT_EQ(whyNot(128, makeFold(0), {8}),
            "expected a place for tensor(float)[2] in 128 bytes, but got 8");
  EXPECT_EQ(whyNot(64, makeFold(64), {0}),
            "expected a constant in 64 bytes, but got 8 from 64");

  // Folds must not have folds, so parsing is not recursive.
  ProgramBuilder nested;
  nested.foldedSize = 64;
  nested.kernels = {{doubleAll, planAll, "double"}};
  nested.fold(makeFold(0), {0});
  nested.emit(INVAR_OP_RETURN, List{});
  EXPECT_EQ(whyNot(64, nested.words(), {}),
            "expected a fold that needs no other");

  // Only the model has inputs.
  ProgramBuilder asking;
  uint32_t type = asking.tensor(INVAR_FLOAT32, {2});
  asking.object();
  asking.input("w", type);
  asking.emit(INVAR_OP_RETURN, List{});
  EXPECT_EQ(whyNot(64, asking.words(), {}),
            "expected an input of the model, but got 'w'");
}
