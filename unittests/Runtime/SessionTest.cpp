// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests sessions as users see them: inputs and outputs, and concurrent and consecutive
// runs.
#include "Testing.h"

#include <thread>

using namespace invar;
using namespace invar::testing;

namespace {
/// z = 2 * x, where y must be as long as x; and y unchanged.
ProgramBuilder makeTwoInputs() {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t x = b.input("x", type);
  uint32_t y = b.input("y", b.tensor(INVAR_INT64, {2, "N"}));
  uint32_t z = b.object(), n = b.number();
  b.output("z", type);
  b.output("y_out", b.tensor(INVAR_INT64, {2, "N"}));
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.emit(INVAR_OP_ALLOCATE, z, INVAR_FLOAT32, List{n});
  b.emit(INVAR_OP_KERNEL, addTwiceKernel(b), List{x, z}, List{n});
  b.emit(INVAR_OP_RETURN, List{z, y});
  return b;
}

std::string runNamed(const rt::Session &session,
                     std::vector<const char *> names,
                     std::vector<rt::Value> values,
                     std::vector<rt::Value> *outputs = nullptr) {
  std::vector<InvarValue *> inputs;
  for (const rt::Value &value : values)
    inputs.push_back(value.get());
  std::vector<InvarValue *> results(session.numOutputs());
  rt::Error error{invar_session_run(session.get(), names.data(), inputs.data(),
                                    inputs.size(), results.data(),
                                    results.size())};
  for (InvarValue *result : results)
    if (outputs)
      outputs->push_back(rt::Value(result));
    else
      invar_value_release(result);
  return error.text();
}
} // namespace

TEST(Session, VersionsAgree) { EXPECT_STREQ(invar_version(), TEST_VERSION); }

TEST(Session, TheFirstModuleThatRunsHereIsUsed) {
  Model good(makeTwoInputs()), other(makeTwoInputs());
  other.module.features = "avx10.9";
  other.module.next = &good.module;
  EXPECT_EQ(other.whyNot(), "");
  Model last(makeTwoInputs());
  last.module.features = "avx10.8";
  other.module.next = &last.module;
  EXPECT_EQ(other.whyNot(),
            "model: expected features of processors that this runtime knows, "
            "but got 'avx10.8'");
}

TEST(Session, InputsThatAreNotBroughtHaveTheirDefault) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t own = b.constant<float>(b.tensor(INVAR_FLOAT32, {2}), {5, 6});
  uint32_t x = b.input("x", type), y = b.input("y", type, own);
  b.output("x_out", type);
  b.output("y_out", type);
  b.emit(INVAR_OP_RETURN, List{x, y});
  Model model(b);
  rt::Session session = model.mustLoad();
  EXPECT_EQ(session.numInputs(), 2u);
  EXPECT_EQ(session.numRequired(), 1u);
  EXPECT_FALSE(session.hasDefault(0));
  EXPECT_TRUE(session.hasDefault(1));
  rt::Value two = tensor<float>({2}, {1, 2}),
            three = tensor<float>({3}, {0, 1, 2});
  using Inputs = std::vector<rt::Value>;
  for (const Inputs &inputs : {Inputs{two}, Inputs{two, rt::Value()}})
    EXPECT_EQ(elementsOf<float>(mustRun(session, inputs)[1]),
              (std::vector<float>{5, 6}));
  EXPECT_EQ(mustRun(session, {two, two})[1].get(), two.get());
  std::vector<rt::Value> outputs;
  EXPECT_EQ(runNamed(session, {"x"}, {two}, &outputs), "");
  EXPECT_EQ(elementsOf<float>(outputs[1]), (std::vector<float>{5, 6}));
  EXPECT_EQ(runNamed(session, {"y", "x"}, {three, three}), "");
  // A default must fit the other inputs, like any input.
  EXPECT_EQ(runNamed(session, {"x"}, {three}),
            "model: expected 'N' to be one size, but got 3 in input 'x' and 2 "
            "in input 'y'");
  EXPECT_EQ(runNamed(session, {"y"}, {two}),
            "model: expected input 'x' to be tensor(float)[N], but got "
            "nothing");
  EXPECT_EQ(whyNot(session, {}), "model: expected 2 inputs, but got 0");
  EXPECT_EQ(whyNot(session, {two, two, two}),
            "model: expected 2 inputs, but got 3");
}

TEST(Session, InputsComeByNameOrByPlace) {
  Model model(makeTwoInputs());
  rt::Session session = model.mustLoad();
  rt::Value x = tensor<float>({2}, {1, 2});
  rt::Value y = tensor<int64_t>({2, 2}, {1, 2, 3, 4});
  std::vector<rt::Value> outputs;
  EXPECT_EQ(runNamed(session, {"y", "x"}, {y, x}, &outputs), "");
  EXPECT_EQ(elementsOf<float>(outputs[0]), (std::vector<float>{2, 4}));
  EXPECT_EQ(outputs[1].get(), y.get());
  EXPECT_EQ(runNamed(session, {"x", "q"}, {x, y}),
            "model: expected the name of an input, 'x', 'y', but got 'q'");
  EXPECT_EQ(runNamed(session, {"x", "x"}, {x, y}),
            "model: expected input 'x' once, but got it twice");
  EXPECT_EQ(runNamed(session, {"x"}, {x}),
            "model: expected input 'y' to be tensor(int64)[2,N], but got "
            "nothing");
  EXPECT_EQ(whyNot(session, {x}), "model: expected 2 inputs, but got 1");
}

TEST(Session, InputsAreChecked) {
  Model model(makeTwoInputs());
  rt::Session session = model.mustLoad();
  rt::Value x = tensor<float>({2}, {1, 2});
  rt::Value y = tensor<int64_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(whyNot(session, {y, y}),
            "model: expected input 'x' to be tensor(float)[N], but got "
            "tensor(int64)[2,2]");
  EXPECT_EQ(whyNot(session, {tensor<float>({1, 2}, {1, 2}), y}),
            "model: expected input 'x' to be tensor(float)[N], but got "
            "tensor(float)[1,2]");
  EXPECT_EQ(whyNot(session, {x, tensor<int64_t>({1, 2}, {1, 2})}),
            "model: expected input 'y' to be tensor(int64)[2,N], but got "
            "tensor(int64)[1,2]");
  EXPECT_EQ(whyNot(session, {tensor<float>({3}, {1, 2, 3}), y}),
            "model: expected 'N' to be one size, but got 3 in input 'x' and 2 "
            "in input 'y'");
  rt::Value list;
  ASSERT_FALSE(rt::Value::sequence({x}).moveInto(list));
  EXPECT_EQ(whyNot(session, {list, y}),
            "model: expected input 'x' to be tensor(float)[N], but got "
            "sequence(tensor(float)[2])");
  auto error = session.run({x, list});
  EXPECT_EQ(error.error().code(), INVAR_BAD_ARGUMENT);
}

TEST(Session, OutputsMayBeTheCallers) {
  Model model(makeTwoInputs());
  rt::Session session = model.mustLoad();
  rt::Value x = tensor<float>({2}, {1, 2});
  rt::Value y = tensor<int64_t>({2, 2}, {1, 2, 3, 4});
  std::vector<float> memory(2);
  std::vector<rt::Value> outputs = {rt::Value::borrow(memory.data(), {2}), {}};
  rt::Error error = session.runInto({x, y}, outputs);
  EXPECT_STREQ(error.text(), "");
  EXPECT_EQ(memory, (std::vector<float>{2, 4}));
  EXPECT_EQ(outputs[1].get(), y.get());

  outputs = {tensor<float>({3}, {0, 0, 0}), {}};
  error = session.runInto({x, y}, outputs);
  EXPECT_STREQ(error.text(),
               "model: expected tensor(float)[2] that can be "
               "written for output 'z', but got tensor(float)[3]");
  EXPECT_FALSE(outputs[1]);
  outputs.resize(1);
  error = session.runInto({x, y}, outputs);
  EXPECT_STREQ(error.text(), "model: expected room for 2 outputs, but got 1");
}

TEST(Session, OutputsOfTheCallersAreMadeInPlace) {
  // The kernel records where it writes.
  struct Kernel {
    static void run(void *const *tensors, const int64_t *, int64_t from,
                    int64_t to, void *) {
      static_cast<void **>(tensors[1])[0] = tensors[2];
      auto *x = static_cast<const float *>(tensors[0]);
      for (int64_t i = from; i < to; ++i)
        static_cast<float *>(tensors[2])[i] = x[i] + 1;
    }
    static void plan(const int64_t *numbers, InvarKernelPlan *plan) {
      *plan = {numbers[0], numbers[0], 0};
    }
  };
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t x = b.input("x", type), where = b.object(), y = b.object();
  uint32_t n = b.number(), one = b.immediate(int64_t(1));
  b.output("where", b.tensor(INVAR_UINT64, {1}));
  b.output("y", type);
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.emit(INVAR_OP_ALLOCATE, where, INVAR_UINT64, List{one});
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{n});
  b.emit(INVAR_OP_KERNEL, b.kernel({&Kernel::run, &Kernel::plan, "add one"}),
         List{x, where, y}, List{n});
  // The program itself also writes an element of the output.
  uint32_t zero = b.immediate(int64_t(0)), seven = b.immediate(7.0);
  b.emit(INVAR_OP_STORE, y, zero, seven);
  b.emit(INVAR_OP_RETURN, List{where, y});
  Model model(b);
  rt::Session session = model.mustLoad();

  auto runInto = [&](rt::Value in, rt::Value out) {
    std::vector<rt::Value> outputs = {{}, out};
    rt::Error error = session.runInto({in}, outputs);
    EXPECT_STREQ(error.text(), "");
    return elementsOf<uint64_t>(outputs[0])[0];
  };
  std::vector<float> memory = {1, 2, 3, 4, 5};
  rt::Value in = tensor<float>({3}, {1, 2, 3});
  rt::Value out = rt::Value::borrow(memory.data(), {3});
  EXPECT_EQ(runInto(in, out), reinterpret_cast<uint64_t>(memory.data()));
  EXPECT_EQ(memory, (std::vector<float>{7, 3, 4, 4, 5}));
  // Memory that an input uses is written only at the end.
  rt::Value over = rt::Value::borrow(memory.data() + 2, {3});
  EXPECT_NE(runInto(out, over), reinterpret_cast<uint64_t>(memory.data() + 2));
  EXPECT_EQ(memory, (std::vector<float>{7, 3, 7, 4, 5}));
}

TEST(Session, OutputsThatCallsMakeAreMadeInPlace) {
  // The kernel records where the result of the call is.
  struct Kernel {
    static void run(void *const *tensors, const int64_t *, int64_t, int64_t,
                    void *) {
      static_cast<void **>(tensors[1])[0] = tensors[0];
    }
    static void plan(const int64_t *, InvarKernelPlan *plan) {
      *plan = {1, 1, 0};
    }
  };
  ProgramBuilder b;
  uint32_t x = b.input("x", b.tensor(INVAR_FLOAT32, {"N"}));
  uint32_t type = b.tensor(INVAR_INT32, {"N"});
  uint32_t where = b.object(), y = b.object();
  b.output("where", b.tensor(INVAR_UINT64, {1}));
  b.output("y", type);
  b.call("Cast", {x}, {y}, {type});
  b.emit(INVAR_OP_ALLOCATE, where, INVAR_UINT64, List{b.immediate(int64_t(1))});
  b.emit(INVAR_OP_KERNEL, b.kernel({&Kernel::run, &Kernel::plan, "note"}),
         List{y, where}, List{});
  b.emit(INVAR_OP_RETURN, List{where, y});
  Model model(b);
  rt::Session session = model.mustLoad();

  rt::Value in = tensor<float>({3}, {1, 2, 3});
  std::vector<int32_t> memory(4, 9);
  std::vector<rt::Value> outputs = {{}, rt::Value::borrow(memory.data(), {3})};
  rt::Error error = session.runInto({in}, outputs);
  EXPECT_STREQ(error.text(), "");
  EXPECT_EQ(elementsOf<uint64_t>(outputs[0])[0],
            reinterpret_cast<uint64_t>(memory.data()));
  EXPECT_EQ(memory, (std::vector<int32_t>{1, 2, 3, 9}));
  // Without an output of the caller, the result is elsewhere.
  outputs = mustRun(session, {in});
  EXPECT_EQ(elementsOf<int32_t>(outputs[1]), (std::vector<int32_t>{1, 2, 3}));
}

TEST(Session, OutputsThatGoThroughRegistersAreMadeInPlace) {
  // The kernel writes the address of its result into it.
  struct Kernel {
    static void run(void *const *tensors, const int64_t *, int64_t, int64_t,
                    void *) {
      static_cast<void **>(tensors[0])[0] = tensors[0];
    }
    static void plan(const int64_t *, InvarKernelPlan *plan) {
      *plan = {1, 1, 0};
    }
  };
  // As in compiled models: the kernel's result is returned through other registers.
  auto makeModel = [](size_t numOutputs) {
    ProgramBuilder b;
    uint32_t made = b.object(), through = b.object(), last = b.object();
    for (size_t i = 0; i < numOutputs; ++i)
      b.output("where", b.tensor(INVAR_UINT64, {1}));
    b.emit(INVAR_OP_ALLOCATE, made, INVAR_UINT64,
           List{b.immediate(int64_t(1))});
    b.emit(INVAR_OP_KERNEL, b.kernel({&Kernel::run, &Kernel::plan, "note"}),
           List{made}, List{});
    b.emit(INVAR_OP_COPY_OBJECT, through, made);
    b.emit(INVAR_OP_DROP, made);
    b.emit(INVAR_OP_COPY_OBJECT, last, through);
    b.emit(INVAR_OP_RETURN, numOutputs == 1 ? List{last} : List{last, through});
    return Model(b);
  };
  uint64_t memory = 0;
  auto place = reinterpret_cast<uint64_t>(&memory);
  std::vector<rt::Value> outputs = {rt::Value::borrow(&memory, {1})};
  Model one = makeModel(1);
  rt::Error error = one.mustLoad().runInto({}, outputs);
  EXPECT_STREQ(error.text(), "");
  EXPECT_EQ(memory, place);
  // Another output with the same value must not share this one's memory.
  outputs = {rt::Value::borrow(&memory, {1}), {}};
  Model two = makeModel(2);
  error = two.mustLoad().runInto({}, outputs);
  EXPECT_STREQ(error.text(), "");
  EXPECT_NE(memory, place);
  EXPECT_EQ(elementsOf<uint64_t>(outputs[1])[0],
            reinterpret_cast<uint64_t>(outputs[1].data<uint64_t>()));
}

TEST(Session, OutputsThatOthersArePartsOfAreCopied) {
  for (bool isMadeByKernel : {true, false}) {
    ProgramBuilder b;
    uint32_t type = b.tensor(INVAR_FLOAT32, {2});
    uint32_t x = b.input("x", type), y = b.object(), z = b.object();
    uint32_t one = b.immediate(int64_t(1)), two = b.immediate(int64_t(2));
    b.output("y", type);
    b.output("z", b.tensor(INVAR_FLOAT32, {1}));
    if (isMadeByKernel) {
      uint32_t made = b.object();
      b.emit(INVAR_OP_ALLOCATE, made, INVAR_FLOAT32, List{two});
      b.emit(INVAR_OP_KERNEL, addTwiceKernel(b), List{x, made}, List{two});
      b.emit(INVAR_OP_COPY_OBJECT, y, made);
    } else {
      b.call("Concat", {x}, {y}, {type},
             b.attributes({{"axis", std::vector<int64_t>{0}}}));
    }
    b.emit(INVAR_OP_PART, z, y, one, List{one});
    b.emit(INVAR_OP_RETURN, List{y, z});
    Model model(b);
    std::vector<float> memory(2);
    std::vector<rt::Value> outputs = {rt::Value::borrow(memory.data(), {2}),
                                      {}};
    rt::Error error =
        model.mustLoad().runInto({tensor<float>({2}, {1, 2})}, outputs);
    EXPECT_STREQ(error.text(), "");
    float last = isMadeByKernel ? 4 : 2;
    EXPECT_EQ(memory[1], last);
    memory = {8, 9};
    EXPECT_EQ(elementsOf<float>(outputs[1])[0], last);
  }
}

TEST(Session, RegistersThatGoInCirclesAreRead) {
  ProgramBuilder b;
  uint32_t first = b.object(), second = b.object();
  b.output("y", b.tensor(INVAR_UINT64, {1}));
  b.emit(INVAR_OP_COPY_OBJECT, first, second);
  b.emit(INVAR_OP_COPY_OBJECT, second, first);
  b.emit(INVAR_OP_RETURN, List{first});
  Model model(b);
  EXPECT_EQ(whyNot(model.mustLoad(), {}),
            "model: expected output 'y' to be tensor(uint64)[1], but got "
            "nothing");
}

TEST(Session, OutputsThatAreConstantsAreNotWritten) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {2}), y = b.object();
  b.output("y", type);
  b.emit(INVAR_OP_CONSTANT, y, b.constant<float>(type, {1, 2}));
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  rt::Session session = model.mustLoad();
  std::vector<rt::Value> outputs = mustRun(session, {});
  rt::Error error = session.runInto({}, outputs);
  EXPECT_STREQ(error.text(),
               "model: expected tensor(float)[2] that can be "
               "written for output 'y', but got tensor(float)[2]");
}

TEST(Session, OutputsAreChecked) {
  ProgramBuilder b;
  uint32_t x = b.input("x", b.anyTensor(INVAR_FLOAT32));
  b.output("y", b.tensor(INVAR_FLOAT32, {"N", 3}));
  b.emit(INVAR_OP_RETURN, List{x});
  Model model(b);
  EXPECT_EQ(whyNot(model.mustLoad(), {tensor<float>({2}, {1, 2})}),
            "model: expected output 'y' to be tensor(float)[N,3], but got "
            "tensor(float)[2]");
}

TEST(Session, OutputsOutliveIt) {
  ProgramBuilder b = makeTwice();
  uint32_t type = b.tensor(INVAR_FLOAT32, {2}), c = b.object();
  uint32_t list = b.object(), listType = b.sequence(b.anyTensor(INVAR_FLOAT32));
  b.code.resize(b.code.size() - 3);
  b.emit(INVAR_OP_CONSTANT, c, b.constant<float>(type, {5, 6}));
  b.call("SequenceConstruct", {1, c}, {list}, {listType});
  b.output("list", listType);
  b.emit(INVAR_OP_RETURN, List{1, list});
  Model model(b);
  rt::Session session = model.mustLoad();
  auto outputs = mustRun(session, {tensor<float>({2}, {1, 2})});
  auto later = mustRun(session, {tensor<float>({2}, {3, 4})});
  session = rt::Session();
  EXPECT_EQ(elementsOf<float>(outputs[0]), (std::vector<float>{2, 4}));
  EXPECT_EQ(elementsOf<float>(later[0]), (std::vector<float>{6, 8}));
  EXPECT_EQ(elementsOf<float>(outputs[1][1]), (std::vector<float>{5, 6}));
  EXPECT_EQ(outputs[1][0].get(), outputs[0].get());
}

TEST(Session, SequencesAndOptionalsAreInputs) {
  ProgramBuilder b;
  uint32_t type = b.optional(b.sequence(b.tensor(INVAR_FLOAT32, {"N"})));
  uint32_t x = b.input("x", type);
  b.output("y", type);
  b.emit(INVAR_OP_RETURN, List{x});
  Model model(b);
  rt::Session session = model.mustLoad();
  const InvarType *inner =
      invar_type_element(invar_type_element(session.inputType(0)));
  EXPECT_EQ(invar_type_kind(inner), INVAR_TYPE_TENSOR);
  rt::Value list, some, none;
  ASSERT_FALSE(rt::Value::sequence({tensor<float>({1}, {1})}).moveInto(list));
  ASSERT_FALSE(rt::Value::optional(list).moveInto(some));
  ASSERT_FALSE(rt::Value::optional({}).moveInto(none));
  EXPECT_EQ(mustRun(session, {some})[0].get(), some.get());
  EXPECT_EQ(mustRun(session, {none})[0].get(), none.get());
  EXPECT_EQ(whyNot(session, {list}),
            "model: expected input 'x' to be "
            "optional(sequence(tensor(float)[N])), but got "
            "sequence(tensor(float)[1])");
}

TEST(Session, RunsAHundredThousandTimesWithoutGrowth) {
  Model model(makeTwoInputs());
  rt::Session session = model.mustLoad(2);
  rt::Value x = tensor<float>({100}, std::vector<float>(100, 1));
  rt::Value y = tensor<int64_t>({2, 100}, std::vector<int64_t>(200, 1));
  InvarValue *inputs[] = {x.get(), y.get()};
  size_t before = 0;
  for (int i = 0; i < 100'000; ++i) {
    InvarValue *outputs[] = {nullptr, nullptr};
    ASSERT_EQ(invar_session_run(session.get(), nullptr, inputs, 2, outputs, 2),
              nullptr);
    ASSERT_EQ(static_cast<float *>(invar_tensor_data(outputs[0]))[99], 2);
    for (InvarValue *output : outputs)
      invar_value_release(output);
    if (i == 1000)
      before = residentBytes();
  }
  // Leaking one tensor per run would be 50 MB.
  if (canMeasureMemory)
    EXPECT_LT(residentBytes(), before + (size_t(5) << 20));
}

TEST(Session, ManyThreadsRunIt) {
  Model model(makeTwoInputs());
  rt::Session session = model.mustLoad(2);
  auto work = [&](int number) {
    std::vector<rt::Value> kept;
    for (int round = 0; round < 300; ++round) {
      // Sizes differ, so the pool's work varies.
      int64_t n = 1 + (number * 37 + round * 11) % 500;
      rt::Value x = tensor<float>({n}, std::vector<float>(n, float(number)));
      rt::Value y = tensor<int64_t>({2, n}, std::vector<int64_t>(2 * n, 1));
      auto outputs = mustRun(session, {x, y});
      for (float z : elementsOf<float>(outputs[0]))
        ASSERT_EQ(z, float(2 * number));
      // Some outputs stay alive during other runs.
      if (round % 3 == 0)
        kept.push_back(outputs[0]);
      if (kept.size() > 20)
        kept.clear();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Session, SessionsShareThreads) {
  InvarThreads *threads = nullptr;
  ASSERT_EQ(invar_threads_create(2, 10, &threads), nullptr);
  Model model(makeTwice());
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  options.threads = threads;
  rt::Session first, second;
  ASSERT_FALSE(model.load(&options).moveInto(first));
  ASSERT_FALSE(model.load(&options).moveInto(second));
  invar_threads_release(threads);
  auto work = [](const rt::Session &session) {
    rt::Value x = tensor<float>({1000}, std::vector<float>(1000, 1));
    for (int round = 0; round < 200; ++round)
      ASSERT_EQ(mustRun(session, {x})[0].data<float>()[999], 2);
  };
  std::thread other([&] { work(second); });
  work(first);
  other.join();
}

TEST(Session, OptionsAreChecked) {
  Model model(makeTwice());
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  options.num_threads = -1;
  auto session = model.load(&options);
  EXPECT_STREQ(session.error().text(),
               "expected 0 to 4096 threads, but got -1");
  // Fields that an older caller does not know keep their defaults.
  options = {sizeof(size_t), nullptr, -1, 0, 0};
  EXPECT_TRUE(model.load(&options));
}
