// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests programs on tensors: kernels, memory, loops and branches, and errors.
#include "Testing.h"

using namespace invar;
using namespace invar::testing;

TEST(Run, CallsAKernel) {
  ProgramBuilder b = makeTwice();
  Model model(b);
  rt::Session session = model.mustLoad();
  EXPECT_EQ(session.numInputs(), 1u);
  EXPECT_STREQ(session.inputName(0), "x");
  EXPECT_STREQ(session.outputName(0), "y");
  const InvarType *type = session.inputType(0);
  EXPECT_EQ(invar_type_kind(type), INVAR_TYPE_TENSOR);
  EXPECT_EQ(invar_type_data_type(type), INVAR_FLOAT32);
  EXPECT_EQ(invar_type_rank(type), 1);
  EXPECT_EQ(invar_type_size(type, 0), -1);
  EXPECT_STREQ(invar_type_size_name(type, 0), "N");
  auto outputs = mustRun(session, {tensor<float>({3}, {1, 2, 3})});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(elementsOf<float>(outputs[0]), (std::vector<float>{2, 4, 6}));
}

TEST(Run, GivesEachThreadScratchOfItsOwn) {
  struct Kernel {
    static void run(void *const *tensors, const int64_t *numbers, int64_t from,
                    int64_t to, void *scratch) {
      ASSERT_EQ(size_t(scratch) % 64, 0u);
      auto *memory = static_cast<volatile int64_t *>(scratch);
      auto *y = static_cast<int64_t *>(tensors[0]);
      for (int64_t i = from; i < to; ++i) {
        for (int64_t k = 0; k < numbers[1]; ++k)
          memory[k] = i;
        int64_t sum = 0;
        for (int64_t k = 0; k < numbers[1]; ++k)
          sum += memory[k];
        y[i] = sum;
      }
    }
    static void plan(const int64_t *numbers, InvarKernelPlan *plan) {
      *plan = {numbers[0], 1, numbers[1] * 8};
    }
  };
  ProgramBuilder b;
  uint32_t y = b.object();
  b.output("y", b.tensor(INVAR_INT64, {1000}));
  uint32_t units = b.immediate(int64_t(1000)), size = b.immediate(int64_t(33));
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_INT64, List{units});
  b.emit(INVAR_OP_KERNEL, b.kernel({&Kernel::run, &Kernel::plan, "sums"}),
         List{y}, List{units, size});
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  for (int threads : {1, 2, 4}) {
    rt::Session session = model.mustLoad(threads);
    for (int round = 0; round < 50; ++round) {
      auto sums = elementsOf<int64_t>(mustRun(session, {})[0]);
      for (int64_t i = 0; i < 1000; ++i)
        ASSERT_EQ(sums[size_t(i)], 33 * i);
    }
  }
}

TEST(Run, LoopsUntilTheConditionFails) {
  // y = x doubled n times, through a register that a loop overwrites.
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t x = b.input("x", type),
           times = b.input("n", b.tensor(INVAR_INT64, {}));
  uint32_t y = b.object(), next = b.object();
  b.output("y", type);
  uint32_t zero = b.immediate(int64_t(0)), one = b.immediate(int64_t(1));
  uint32_t size = b.number(), left = b.number();
  Label again = b.label(), end = b.label();
  b.emit(INVAR_OP_SIZE, size, x, 0);
  b.emit(INVAR_OP_LOAD, left, times, zero);
  b.emit(INVAR_OP_COPY_OBJECT, y, x);
  b.place(again);
  b.emit(INVAR_OP_JUMP_UNLESS, left, end);
  b.emit(INVAR_OP_ALLOCATE, next, INVAR_FLOAT32, List{size});
  b.emit(INVAR_OP_KERNEL, addTwiceKernel(b), List{y, next}, List{size});
  b.emit(INVAR_OP_COPY_OBJECT, y, next);
  b.emit(INVAR_OP_DROP, next);
  b.emit(INVAR_OP_SUB, left, left, one);
  b.emit(INVAR_OP_JUMP, again);
  b.place(end);
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  rt::Session session = model.mustLoad();
  rt::Value input = tensor<float>({2}, {1, 3});
  EXPECT_EQ(elementsOf<float>(
                mustRun(session, {input, tensor<int64_t>({}, {10})})[0]),
            (std::vector<float>{1024, 3072}));
  // An input that is returned unchanged is the same value.
  auto same = mustRun(session, {input, tensor<int64_t>({}, {0})});
  EXPECT_EQ(same[0].get(), input.get());
}

TEST(Run, BranchesEitherWay) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_INT32, {1});
  uint32_t condition = b.input("c", b.tensor(INVAR_BOOL, {}));
  uint32_t y = b.object();
  b.output("y", type);
  uint32_t n = b.number();
  Label otherwise = b.label(), end = b.label();
  b.emit(INVAR_OP_LOAD, n, condition, b.immediate(int64_t(0)));
  b.emit(INVAR_OP_JUMP_IF, n, otherwise);
  b.emit(INVAR_OP_CONSTANT, y, b.constant<int32_t>(type, {10}));
  b.emit(INVAR_OP_JUMP, end);
  b.place(otherwise);
  b.emit(INVAR_OP_CONSTANT, y, b.constant<int32_t>(type, {20}));
  b.place(end);
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  rt::Session session = model.mustLoad();
  for (bool flag : {false, true})
    EXPECT_EQ(
        elementsOf<int32_t>(mustRun(session, {tensor<bool>({}, {flag})})[0])[0],
        flag ? 20 : 10);
}

TEST(Run, ViewsShareTheirElements) {
  ProgramBuilder b;
  uint32_t x = b.input("x", b.tensor(INVAR_INT32, {6}));
  uint32_t matrix = b.object(), row = b.object(), again = b.object();
  b.output("matrix", b.tensor(INVAR_INT32, {2, 3}));
  b.output("row", b.tensor(INVAR_INT32, {3}));
  b.output("again", b.tensor(INVAR_INT32, {3, 1}));
  uint32_t one = b.immediate(int64_t(1)), two = b.immediate(int64_t(2)),
           three = b.immediate(int64_t(3));
  b.emit(INVAR_OP_RESHAPE, matrix, x, List{two, three});
  b.emit(INVAR_OP_PART, row, matrix, three, List{three});
  b.emit(INVAR_OP_RESHAPE, again, row, List{three, one});
  b.emit(INVAR_OP_RETURN, List{matrix, row, again});
  Model model(b);
  std::vector<int32_t> numbers = {1, 2, 3, 4, 5, 6};
  rt::Value input = rt::Value::borrow(numbers.data(), {6});
  auto outputs = mustRun(model.mustLoad(), {input});
  EXPECT_EQ(outputs[0].data<int32_t>(), numbers.data());
  EXPECT_EQ(outputs[0].sizes(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(outputs[1].data<int32_t>(), numbers.data() + 3);
  EXPECT_EQ(outputs[2].sizes(), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(outputs[2].data<int32_t>(), numbers.data() + 3);
}

namespace {
/// Returns why a program with one float input x[N] fails, whose code `emit` makes from x.
template <typename Emit>
std::string whyFails(Emit emit,
                     rt::Value x = tensor<float>({4}, {1, 2, 3, 4})) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t input = b.input("x", type);
  b.output("y", type);
  b.node("before");
  b.immediate(int64_t(0));
  b.node("layer/3");
  emit(b, input);
  b.emit(INVAR_OP_RETURN, List{input});
  Model model(b);
  return whyNot(model.mustLoad(), {x});
}
} // namespace

TEST(Run, FailuresNameTheNode) {
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              b.emit(INVAR_OP_CHECK, b.immediate(int64_t(0)),
                     b.string("expected more, but got less"));
            }),
            "model: node 'layer/3': expected more, but got less");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              b.emit(INVAR_OP_RESHAPE, b.object(), x,
                     List{b.immediate(int64_t(3))});
            }),
            "model: node 'layer/3': expected 4 elements, but got "
            "tensor(float)[3]");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              uint32_t three = b.immediate(int64_t(3));
              b.emit(INVAR_OP_PART, b.object(), x, three, List{three});
            }),
            "model: node 'layer/3': expected a part of tensor(float)[4], but "
            "got tensor(float)[3] from element 3");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              uint32_t minus = b.immediate(int64_t(-1)),
                       one = b.immediate(int64_t(1));
              b.emit(INVAR_OP_PART, b.object(), x, minus, List{one});
            }),
            "model: node 'layer/3': expected a part of tensor(float)[4], but "
            "got tensor(float)[1] from element -1");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              b.emit(INVAR_OP_SIZE, b.number(), x, 1);
            }),
            "model: node 'layer/3': expected an axis 1, but got "
            "tensor(float)[4]");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              b.emit(INVAR_OP_LOAD, b.number(), x, b.immediate(int64_t(4)));
            }),
            "model: node 'layer/3': expected an element of tensor(float)[4], "
            "but got number 4");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              uint32_t zero = b.immediate(int64_t(0));
              b.emit(INVAR_OP_STORE, x, zero, zero);
            }),
            "model: node 'layer/3': expected a tensor of the run's own, but "
            "got an input or constant tensor(float)[4]");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              b.emit(INVAR_OP_CHECK_TYPE, x, b.tensor(INVAR_FLOAT32, {"K", 2}));
            }),
            "model: node 'layer/3': expected tensor(float)[K,2], but got "
            "tensor(float)[4]");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              b.emit(INVAR_OP_SIZE, b.number(), b.object(), 0);
            }),
            "model: node 'layer/3': expected a tensor in register 1, but got "
            "nothing");
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t x) {
              uint32_t nothing = b.object();
              b.emit(INVAR_OP_KERNEL, addTwiceKernel(b), List{x, nothing},
                     List{b.immediate(int64_t(1))});
            }),
            "model: node 'layer/3': expected a tensor in register 1, but got "
            "nothing");
}

TEST(Run, SizesThatCannotBeAreFailures) {
  auto whyNotAllocated = [](std::vector<int64_t> sizes) {
    return whyFails([&](ProgramBuilder &b, uint32_t) {
      List registers;
      for (int64_t size : sizes)
        registers.push_back(b.immediate(size));
      b.emit(INVAR_OP_ALLOCATE, b.object(), INVAR_FLOAT32, registers);
    });
  };
  EXPECT_EQ(whyNotAllocated({-1}),
            "model: node 'layer/3': expected sizes of at least 0, but got "
            "tensor(float)[-1]");
  EXPECT_EQ(whyNotAllocated({INT64_MAX, 4}),
            "model: node 'layer/3': expected less than 2^63 bytes, but got "
            "tensor(float)[9223372036854775807,4]");
  EXPECT_EQ(whyNotAllocated({int64_t(1) << 50}),
            "model: node 'layer/3': expected 4503599627370496 bytes of memory "
            "for tensor(float)[1125899906842624], but there are not as many");
  EXPECT_EQ(whyNotAllocated({INT64_MAX, 0, INT64_MAX}), "");
}

TEST(Run, AViewOfAConstantCannotBeWritten) {
  EXPECT_EQ(
      whyFails([](ProgramBuilder &b, uint32_t) {
        uint32_t type = b.tensor(INVAR_FLOAT32, {2});
        uint32_t constant = b.object(), view = b.object();
        uint32_t zero = b.immediate(int64_t(0)), two = b.immediate(int64_t(2));
        b.emit(INVAR_OP_CONSTANT, constant, b.constant<float>(type, {1, 2}));
        b.emit(INVAR_OP_RESHAPE, view, constant, List{two});
        b.emit(INVAR_OP_STORE, view, zero, zero);
      }),
      "model: node 'layer/3': expected a tensor of the run's own, but "
      "got an input or constant tensor(float)[2]");
}

TEST(Run, ElementsThatAreNoNumbersAreNotLoaded) {
  EXPECT_EQ(whyFails([](ProgramBuilder &b, uint32_t) {
              uint32_t t = b.object(), zero = b.immediate(int64_t(0));
              b.emit(INVAR_OP_ALLOCATE, t, INVAR_COMPLEX64, List{});
              b.emit(INVAR_OP_LOAD, b.number(), t, zero);
            }),
            "model: node 'layer/3': expected a tensor of numbers, but got "
            "tensor(complex64)[]");
}

TEST(Run, MemoryIsUsedAgain) {
  // A chain of 1000 kernels over 1 MB needs two tensors at a time.
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t from = b.input("x", type), first = b.object(), second = b.object();
  b.output("y", type);
  uint32_t n = b.number(), kernel = addTwiceKernel(b);
  b.emit(INVAR_OP_SIZE, n, from, 0);
  uint32_t last = from;
  List addresses;
  for (int i = 0; i < 1000; ++i) {
    uint32_t to = i % 2 ? second : first;
    b.emit(INVAR_OP_ALLOCATE, to, INVAR_FLOAT32, List{n});
    b.emit(INVAR_OP_KERNEL, kernel, List{last, to}, List{n});
    b.emit(INVAR_OP_DROP, last);
    last = to;
  }
  b.emit(INVAR_OP_RETURN, List{last});
  Model model(b);
  rt::Session session = model.mustLoad();
  auto before = residentBytes();
  rt::Value x = tensor<float>({250'000}, std::vector<float>(250'000, 0));
  auto outputs = mustRun(session, {x});
  EXPECT_EQ(outputs[0].count(), 250'000);
  // The arena grows in steps, and a sanitizer needs memory, too.
  if (canMeasureMemory)
    EXPECT_LT(residentBytes() - before, size_t(100) << 20);
}
