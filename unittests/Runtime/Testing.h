// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models made with a ProgramBuilder, and helpers to run and inspect them.
#ifndef INVAR_UNITTESTS_RUNTIME_TESTING_H
#define INVAR_UNITTESTS_RUNTIME_TESTING_H

#include "ProgramBuilder.h"
#include "invar-c/Invar.hpp"
#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace invar::testing {

/// A program, its kernels and constants, as in a compiled model.
class Model {
public:
  explicit Model(const ProgramBuilder &builder)
      : Model(builder, builder.words()) {}
  Model(const ProgramBuilder &builder, List programWords)
      : words(std::move(programWords)), kernels(builder.kernels),
        storeSize(builder.store.size()),
        store(static_cast<char *>(
            std::aligned_alloc(64, (storeSize + 64) / 64 * 64))) {
    std::copy(builder.store.begin(), builder.store.end(), store.get());
    module = {INVAR_ABI_VERSION,
              uint32_t(kernels.size()),
              kernels.data(),
              words.data(),
              uint64_t(words.size()),
              "test",
              "",
              nullptr,
              nullptr};
  }

  rt::Result<rt::Session>
  load(const InvarSessionOptions *options = nullptr) const {
    InvarSession *session = nullptr;
    if (rt::Error error{invar_session_create(&module, store.get(), storeSize,
                                             "model", options, &session)})
      return error;
    return rt::Session(session);
  }
  /// Loads the model with a number of threads; it must not fail.
  rt::Session mustLoad(int threads = 1) const {
    InvarSessionOptions options = INVAR_SESSION_OPTIONS;
    options.num_threads = threads;
    rt::Session session;
    rt::Error error = load(&options).moveInto(session);
    EXPECT_STREQ(error.text(), "");
    return session;
  }
  /// Returns why it does not load.
  std::string whyNot() const {
    auto session = load();
    return session ? "" : session.error().text();
  }

  InvarModule module;

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  List words;
  std::vector<InvarKernel> kernels;
  size_t storeSize;
  std::unique_ptr<char, Free> store;
};

/// A test with a folder that is removed at the end.
class InFolder : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "invar-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
};

/// A tensor that owns its elements.
template <typename T>
rt::Value tensor(const std::vector<int64_t> &sizes,
                 const std::vector<T> &elements) {
  rt::Value value;
  rt::Error error =
      rt::Value::create(rt::DataTypeOf<T>::value, sizes).moveInto(value);
  EXPECT_STREQ(error.text(), "");
  EXPECT_EQ(size_t(value.count()), elements.size());
  std::copy(elements.begin(), elements.end(), value.data<T>());
  return value;
}

inline rt::Value strings(const std::vector<int64_t> &sizes,
                         const std::vector<std::string> &elements) {
  rt::Value value;
  rt::Error error = rt::Value::create(INVAR_STRING, sizes).moveInto(value);
  EXPECT_STREQ(error.text(), "");
  for (size_t i = 0; i < elements.size(); ++i)
    EXPECT_EQ(invar_tensor_set_string(value.get(), int64_t(i),
                                      elements[i].data(), elements[i].size()),
              nullptr);
  return value;
}

template <typename T> std::vector<T> elementsOf(const rt::Value &tensor) {
  EXPECT_EQ(tensor.dataType(), rt::DataTypeOf<T>::value);
  return std::vector<T>(tensor.data<T>(), tensor.data<T>() + tensor.count());
}

inline std::vector<std::string> stringsOf(const rt::Value &tensor) {
  std::vector<std::string> result;
  for (int64_t i = 0; i < tensor.count(); ++i) {
    const InvarString &string = tensor.data<InvarString>()[i];
    result.emplace_back(string.data, string.size);
  }
  return result;
}

/// Returns the outputs of a run that must not fail.
inline std::vector<rt::Value> mustRun(const rt::Session &session,
                                      const std::vector<rt::Value> &inputs) {
  auto outputs = session.run(inputs);
  EXPECT_STREQ(outputs.error().text(), "");
  return outputs ? *outputs : std::vector<rt::Value>();
}

/// Returns why a run fails.
inline std::string whyNot(const rt::Session &session,
                          const std::vector<rt::Value> &inputs) {
  auto outputs = session.run(inputs);
  return outputs ? "" : outputs.error().text();
}

/// y[i] = 2 * x[i], for tensors (x, y) and the number of elements.
inline uint32_t addTwiceKernel(ProgramBuilder &builder) {
  auto run = [](void *const *tensors, const int64_t *, int64_t from, int64_t to,
                void *) {
    auto *x = static_cast<const float *>(tensors[0]);
    auto *y = static_cast<float *>(tensors[1]);
    for (int64_t i = from; i < to; ++i)
      y[i] = 2 * x[i];
  };
  auto plan = [](const int64_t *numbers, InvarKernelPlan *plan) {
    *plan = {numbers[0], 16, 0};
  };
  return builder.kernel({run, plan, "twice"});
}

/// y = 2 * x, of any length N.
inline ProgramBuilder makeTwice() {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t x = b.input("x", type), y = b.object(), n = b.number();
  b.output("y", type);
  b.node("double it");
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{n});
  b.emit(INVAR_OP_KERNEL, addTwiceKernel(b), List{x, y}, List{n});
  b.emit(INVAR_OP_RETURN, List{y});
  return b;
}

/// The address sanitizer keeps freed memory, so the process grows; but it detects leaks.
#if defined(__has_feature) && __has_feature(address_sanitizer)
inline constexpr bool canMeasureMemory = false;
#else
inline constexpr bool canMeasureMemory = true;
#endif

/// Returns the resident memory of this process.
inline size_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * size_t(sysconf(_SC_PAGESIZE));
}

} // namespace invar::testing

#endif // INVAR_UNITTESTS_RUNTIME_TESTING_H
