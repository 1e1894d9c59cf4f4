// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runs that end early: cancelled, out of time, out of memory. The models here run
// forever, or nearly, unless they are stopped.
#include "FoldTesting.h"

#include "invar/Kernels/Fourier.h"
#include "invar/Kernels/Unique.h"
#include "invar/Stop/Pieces.h"
#include "invar/Stop/Sort.h"

#include <atomic>
#include <filesystem>
#include <numeric>
#include <random>
#include <thread>

using namespace invar;
using namespace invar::testing;

namespace {
constexpr int64_t millisecond = 1'000'000;
constexpr int64_t hour = int64_t(3600) * 1000 * millisecond;

InvarRunOptions with(const rt::Cancel &cancel) {
  InvarRunOptions options = INVAR_RUN_OPTIONS;
  options.cancel = cancel.get();
  return options;
}
InvarRunOptions within(int64_t nanoseconds) {
  InvarRunOptions options = INVAR_RUN_OPTIONS;
  options.timeout_ns = nanoseconds;
  return options;
}
InvarRunOptions atMost(uint64_t bytes) {
  InvarRunOptions options = INVAR_RUN_OPTIONS;
  options.memory_limit = bytes;
  return options;
}

/// Runs a model that must be stopped; the outputs must stay empty.
InvarStatusCode stop(const rt::Session &session,
                     const std::vector<rt::Value> &inputs,
                     const InvarRunOptions &options) {
  std::vector<rt::Value> outputs(session.numOutputs());
  rt::Error error = session.runInto(inputs, outputs, &options);
  for (const rt::Value &output : outputs)
    EXPECT_FALSE(output);
  return error.code();
}

/// Counts up to x and returns it; the loop ends by a jump of this kind.
Model makeLoop(InvarOpcode jump) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_INT64, {});
  uint32_t x = b.input("x", type), y = b.object();
  b.output("y", type);
  b.node("loop");
  uint32_t zero = b.immediate(int64_t(0)), one = b.immediate(int64_t(1));
  uint32_t i = b.number(), n = b.number(), more = b.number();
  b.emit(INVAR_OP_LOAD, n, x, zero);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_INT64, List{});
  Label again = b.label(), end = b.label();
  b.place(again);
  b.emit(INVAR_OP_ADD, i, i, one);
  if (jump == INVAR_OP_JUMP) {
    b.emit(INVAR_OP_LESS, more, i, n);
    b.emit(INVAR_OP_JUMP_UNLESS, more, end);
    b.emit(INVAR_OP_JUMP, again);
  } else if (jump == INVAR_OP_JUMP_IF) {
    b.emit(INVAR_OP_LESS, more, i, n);
    b.emit(INVAR_OP_JUMP_IF, more, again);
  } else {
    b.emit(INVAR_OP_LESS_EQUAL, more, n, i);
    b.emit(INVAR_OP_JUMP_UNLESS, more, again);
  }
  b.place(end);
  b.emit(INVAR_OP_STORE, y, zero, i);
  b.emit(INVAR_OP_RETURN, List{y});
  return Model(b);
}
constexpr InvarOpcode jumps[] = {INVAR_OP_JUMP, INVAR_OP_JUMP_IF,
                                 INVAR_OP_JUMP_UNLESS};

int64_t countTo(const rt::Session &session, int64_t n,
                const InvarRunOptions *options = nullptr) {
  rt::Value x = tensor<int64_t>({}, {n});
  auto outputs = session.run({x}, options);
  EXPECT_STREQ(outputs.error().text(), "");
  return outputs ? elementsOf<int64_t>((*outputs)[0])[0] : -1;
}
rt::Value forever() { return tensor<int64_t>({}, {int64_t(1) << 60}); }

/// The token that kernels trigger at the unit `triggerAt`, and the work that they have
/// done.
std::atomic<InvarCancel *> toTrigger = nullptr;
std::atomic<int64_t> triggerAt = 0, unitsDone = 0, laterKernels = 0;

void prepareTrigger(InvarCancel *cancel, int64_t unit) {
  toTrigger = cancel;
  triggerAt = unit;
  unitsDone = laterKernels = 0;
}

/// Two consecutive kernels, the first of n units.
Model makeKernels(int64_t units) {
  auto runLong = [](void *const *tensors, const int64_t *, int64_t from,
                    int64_t to, void *) {
    auto *sums = static_cast<std::atomic<int64_t> *>(tensors[0]);
    for (int64_t i = from; i < to; ++i) {
      sums->fetch_add(i, std::memory_order_relaxed);
      if (unitsDone.fetch_add(1, std::memory_order_relaxed) == triggerAt)
        if (InvarCancel *cancel = toTrigger)
          invar_cancel_trigger(cancel);
    }
  };
  auto runShort = [](void *const *, const int64_t *, int64_t, int64_t, void *) {
    ++laterKernels;
  };
  auto planLong = [](const int64_t *numbers, InvarKernelPlan *plan) {
    *plan = {numbers[0], 100, 0};
  };
  auto planShort = [](const int64_t *, InvarKernelPlan *plan) {
    *plan = {1, 1, 0};
  };
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_INT64, {});
  uint32_t y = b.object();
  b.output("y", type);
  uint32_t zero = b.immediate(int64_t(0)), n = b.immediate(units);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_INT64, List{});
  b.emit(INVAR_OP_STORE, y, zero, zero);
  uint32_t first = b.kernel({runLong, planLong, "long"});
  uint32_t second = b.kernel({runShort, planShort, "short"});
  b.emit(INVAR_OP_KERNEL, first, List{y}, List{n});
  b.emit(INVAR_OP_KERNEL, second, List{y}, List{n});
  b.emit(INVAR_OP_RETURN, List{y});
  return Model(b);
}
} // namespace

TEST(Stop, TokensAreCounted) {
  InvarCancel *token = invar_cancel_create();
  invar_cancel_retain(token);
  invar_cancel_release(token);
  EXPECT_EQ(invar_cancel_is_triggered(token), 0);
  invar_cancel_trigger(token);
  EXPECT_EQ(invar_cancel_is_triggered(token), 1);
  invar_cancel_reset(token);
  EXPECT_EQ(invar_cancel_is_triggered(token), 0);
  invar_cancel_release(token);
  invar_cancel_release(nullptr);
}

TEST(Stop, BeforeTheRun) {
  Model model = makeLoop(INVAR_OP_JUMP);
  rt::Session session = model.mustLoad();
  rt::Cancel cancel;
  cancel.trigger();
  InvarRunOptions options = with(cancel);
  EXPECT_EQ(stop(session, {forever()}, options), INVAR_CANCELLED);
  cancel.reset();
  EXPECT_EQ(countTo(session, 1000, &options), 1000);
  EXPECT_EQ(stop(session, {forever()}, within(-1)), INVAR_DEADLINE_EXCEEDED);
}

TEST(Stop, OldCallersKnowFewerOptions) {
  Model model = makeLoop(INVAR_OP_JUMP);
  rt::Session session = model.mustLoad();
  rt::Cancel cancel;
  cancel.trigger();
  InvarRunOptions options = with(cancel);
  options.size = offsetof(InvarRunOptions, cancel);
  EXPECT_EQ(countTo(session, 10, &options), 10);
  options.size = offsetof(InvarRunOptions, timeout_ns);
  EXPECT_EQ(stop(session, {forever()}, options), INVAR_CANCELLED);
}

TEST(Stop, LoopsByAnotherThread) {
  for (InvarOpcode jump : jumps) {
    Model model = makeLoop(jump);
    rt::Session session = model.mustLoad();
    rt::Cancel cancel;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      cancel.trigger();
    });
    EXPECT_EQ(stop(session, {forever()}, with(cancel)), INVAR_CANCELLED);
    other.join();
    EXPECT_EQ(countTo(session, 100), 100);
  }
}

TEST(Stop, LoopsByADeadline) {
  for (InvarOpcode jump : jumps) {
    Model model = makeLoop(jump);
    rt::Session session = model.mustLoad();
    InvarRunOptions soon = within(2 * millisecond), late = within(hour);
    EXPECT_EQ(stop(session, {forever()}, soon), INVAR_DEADLINE_EXCEEDED);
    EXPECT_EQ(countTo(session, 100, &late), 100);
  }
  Model model = makeLoop(INVAR_OP_JUMP);
  rt::Session session = model.mustLoad();
  InvarRunOptions soon = within(2 * millisecond);
  auto outputs = session.run({forever()}, &soon);
  EXPECT_STREQ(outputs.error().text(),
               "model: node 'loop': expected to end within 2.000 ms, but there "
               "was more to do");
  // A time beyond the clock's range is not a deadline.
  InvarRunOptions never = within(INT64_MAX);
  EXPECT_EQ(countTo(session, 100, &never), 100);
}

TEST(Stop, ByAQuestion) {
  Model model = makeLoop(INVAR_OP_JUMP);
  rt::Session session = model.mustLoad();
  struct Asked {
    std::thread::id caller = std::this_thread::get_id();
    int times = 0;
  } asked;
  InvarRunOptions options = INVAR_RUN_OPTIONS;
  options.poll = [](void *context) -> int32_t {
    auto &own = *static_cast<Asked *>(context);
    EXPECT_EQ(std::this_thread::get_id(), own.caller);
    return ++own.times == 3;
  };
  options.poll_context = &asked;
  EXPECT_EQ(stop(session, {forever()}, options), INVAR_CANCELLED);
  EXPECT_EQ(asked.times, 3);
}

TEST(Stop, AmongTheUnitsOfAKernel) {
  for (int threads : {1, 2, 3}) {
    Model model = makeKernels(int64_t(1) << 50);
    rt::Session session = model.mustLoad(threads);
    rt::Cancel cancel;
    prepareTrigger(cancel.get(), 1000);
    EXPECT_EQ(stop(session, {}, with(cancel)), INVAR_CANCELLED);
    EXPECT_EQ(laterKernels, 0);
    prepareTrigger(nullptr, 0);
    EXPECT_EQ(stop(session, {}, within(2 * millisecond)),
              INVAR_DEADLINE_EXCEEDED);
    EXPECT_EQ(laterKernels, 0);
  }
}

TEST(Stop, EveryUnitIsDoneOnceUnlessStopped) {
  for (int threads : {1, 2, 3})
    for (int64_t units : {1, 99, 100, 101, 12345, 1'000'000}) {
      Model model = makeKernels(units);
      rt::Session session = model.mustLoad(threads);
      prepareTrigger(nullptr, 0);
      InvarRunOptions options = within(hour);
      auto outputs = session.run({}, &options);
      ASSERT_STREQ(outputs.error().text(), "");
      EXPECT_EQ(elementsOf<int64_t>((*outputs)[0])[0], units * (units - 1) / 2);
      EXPECT_EQ(unitsDone, units);
      EXPECT_EQ(laterKernels, 1);
    }
}

TEST(Stop, BetweenKernels) {
  // With a single range, within which cancellation is not checked.
  Model model = makeKernels(50);
  rt::Session session = model.mustLoad();
  rt::Cancel cancel;
  prepareTrigger(cancel.get(), 0);
  EXPECT_EQ(stop(session, {}, with(cancel)), INVAR_CANCELLED);
  EXPECT_EQ(unitsDone, 50);
  EXPECT_EQ(laterKernels, 0);
}

TEST(Stop, InsideOfACall) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"}),
           scalar = b.tensor(INVAR_INT64, {});
  uint32_t x = b.input("x", type), axis = b.input("axis", scalar);
  uint32_t y = b.object();
  b.output("y", type);
  b.node("sums");
  b.call("CumSum", {x, axis}, {y}, {type});
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  std::vector<rt::Value> inputs;
  inputs.push_back(
      tensor<float>({1 << 22}, std::vector<float>(size_t(1) << 22, 1)));
  inputs.push_back(tensor<int64_t>({}, {0}));
  for (int threads : {1, 2}) {
    rt::Session session = model.mustLoad(threads);
    EXPECT_EQ(stop(session, inputs, within(1000)), INVAR_DEADLINE_EXCEEDED);
    EXPECT_EQ(mustRun(session, inputs)[0].data<float>()[99], 100);
  }
}

TEST(Stop, InsideOfOneLongLine) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {1, "N", 1}),
           result = b.tensor(INVAR_FLOAT32, {1, "N", 2});
  uint32_t x = b.input("x", type), y = b.object();
  b.output("y", result);
  b.node("spectrum");
  b.call("DFT", {x}, {y}, {result});
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  // Lengths that are products of small primes, and others.
  for (int64_t length : {int64_t(1) << 18, (int64_t(1) << 18) - 5}) {
    std::vector<rt::Value> inputs;
    inputs.push_back(
        tensor<float>({1, length, 1}, std::vector<float>(size_t(length), 1)));
    rt::Session session = model.mustLoad(1);
    for (int64_t nanoseconds : {1000 * 1000, 5000 * 1000})
      EXPECT_EQ(stop(session, inputs, within(nanoseconds)),
                INVAR_DEADLINE_EXCEEDED);
    EXPECT_NEAR(mustRun(session, inputs)[0].data<float>()[0], length, 1);
  }
}

TEST(StopSort, SelectsWhatComesFirst) {
  Stop never({.timeout = std::chrono::hours(1)});
  std::mt19937 random(1);
  for (size_t size : {size_t(1), size_t(100), size_t(5000), size_t(20000)})
    for (size_t count : {size_t(0), size_t(1), size / 3, size - 1, size}) {
      std::vector<size_t> items(size);
      std::iota(items.begin(), items.end(), size_t(0));
      std::shuffle(items.begin(), items.end(), random);
      EXPECT_TRUE(
          selectUnlessStopped(std::span(items), count, std::less(), &never));
      std::sort(items.begin(), items.begin() + std::ptrdiff_t(count));
      for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(items[i], i) << count << " of " << size;
    }
}

// An order that is decided while it is asked for, so that every pivot is nearly the last
// item: quadratic time for a selection by pivots alone.
TEST(StopSort, SelectsFromAHostileOrder) {
  Stop never({.timeout = std::chrono::hours(1)});
  constexpr size_t size = 30000, open = size;
  std::vector<size_t> ranks(size, open), items(size);
  std::iota(items.begin(), items.end(), size_t(0));
  size_t decided = 0, candidate = 0, asked = 0;
  auto isBefore = [&](size_t a, size_t b) {
    ++asked;
    // Of two open items, the one that was compared last is probably the pivot.
    if (ranks[a] == open && ranks[b] == open)
      ranks[a == candidate ? a : b] = decided++;
    if (ranks[a] == open)
      candidate = a;
    else if (ranks[b] == open)
      candidate = b;
    return ranks[a] < ranks[b];
  };
  EXPECT_TRUE(
      selectUnlessStopped(std::span(items), size - 1, isBefore, &never));
  EXPECT_LT(asked, 200 * size);
}

TEST(StopSort, MergesAndCopies) {
  Stop never({.timeout = std::chrono::hours(1)});
  std::mt19937 random(1);
  // One, two, three and eight pieces; some of the merges end with a long rest.
  for (size_t size : {size_t(4096), size_t(8192), size_t(9000), size_t(70000)})
    for (bool isSorted : {false, true}) {
      std::vector<size_t> items(size);
      std::iota(items.begin(), items.end(), size_t(0));
      if (!isSorted)
        std::shuffle(items.begin(), items.end(), random);
      EXPECT_TRUE(sortUnlessStopped(std::span(items), std::less(), &never));
      for (size_t i = 0; i < size; ++i)
        ASSERT_EQ(items[i], i) << size;
    }
}

TEST(StopPieces, EndBetweenPieces) {
  InvarCancel token;
  Stop stop({.cancel = &token});
  StopScope scope(&stop);
  std::vector<int> items = {1, 2, 3};
  EXPECT_TRUE(resizeUnlessStopped(items, 2));
  EXPECT_EQ(items, (std::vector<int>{1, 2}));
  EXPECT_TRUE(resizeUnlessStopped(items, 3 * pieceSize));
  EXPECT_EQ(items.size(), 3 * pieceSize);
  EXPECT_EQ(std::accumulate(items.begin(), items.end(), 0), 3);
  size_t done = 0;
  EXPECT_FALSE(forPieces(items.size(), [&](size_t first, size_t last) {
    EXPECT_EQ(first, done);
    done = last;
    token.isTriggered = last == 2 * pieceSize;
  }));
  EXPECT_EQ(done, 2 * pieceSize);
  EXPECT_FALSE(resizeUnlessStopped(items, 4 * pieceSize));
  EXPECT_EQ(items.size(), 3 * pieceSize);
}

TEST(StopPieces, EndUniqueAndFourier) {
  InvarCancel token;
  token.isTriggered = true;
  Stop stop({.cancel = &token});
  StopScope scope(&stop);
  std::vector<float> numbers(3, 1);
  std::vector<int64_t> firsts(3), counts(3), inverses(3), scratch(3);
  EXPECT_EQ(kernels::findDistinct(numbers.data(), 1, true,
                                  {firsts, counts, inverses, scratch}),
            0);
  for (int64_t length : {4, 7}) {
    using Line = kernels::LargeVector<std::complex<float>>;
    Line line(7, 1), work;
    kernels::Fourier<float>(length, false).transform(line.data(), work);
    EXPECT_EQ(line, Line(7, 1)) << length;
  }
}

TEST(Stop, ManyRunsByOneToken) {
  Model model = makeLoop(INVAR_OP_JUMP);
  rt::Session session = model.mustLoad(2);
  rt::Cancel cancel;
  std::atomic<int> begun = 0, cancelled = 0;
  std::vector<std::thread> running;
  for (int i = 0; i < 8; ++i)
    running.emplace_back([&] {
      ++begun;
      cancelled += stop(session, {forever()}, with(cancel)) == INVAR_CANCELLED;
    });
  while (begun < 8)
    std::this_thread::yield();
  std::atomic<int64_t> right = 0;
  std::thread other([&] {
    // This run has no token, so it is not affected.
    for (int i = 1; i <= 200; ++i)
      right += countTo(session, i) == i;
  });
  cancel.trigger();
  for (std::thread &thread : running)
    thread.join();
  other.join();
  EXPECT_EQ(cancelled, 8);
  EXPECT_EQ(right, 200);
}

TEST(Stop, IsForGoodThoughTheTokenIsReset) {
  // Another thread triggers and resets the token all the time: a run completes or is
  // cancelled.
  Model model = makeKernels(100'000);
  rt::Session session = model.mustLoad(2);
  prepareTrigger(nullptr, 0);
  rt::Cancel cancel;
  std::atomic<bool> isEnough = false;
  std::thread other([&] {
    while (!isEnough) {
      cancel.trigger();
      cancel.reset();
    }
  });
  InvarRunOptions options = with(cancel);
  for (int i = 0; i < 50; ++i) {
    auto outputs = session.run({}, &options);
    if (outputs)
      EXPECT_EQ(elementsOf<int64_t>((*outputs)[0])[0],
                int64_t(100'000) * 99'999 / 2);
    else
      EXPECT_EQ(outputs.error().code(), INVAR_CANCELLED);
  }
  isEnough = true;
  other.join();
}

// Folds

namespace {
/// While this is true, folds wait.
std::atomic<bool> isClosed = false;
std::atomic<int> foldsBegun = 0, foldsEnded = 0;
std::atomic<InvarCancel *> foldTriggers = nullptr;

/// y = x + 2 w + 2 w, with two folds of this number of units.
Model makeFolding(int64_t units) {
  auto fold = [](void *const *tensors, const int64_t *numbers, int64_t from,
                 int64_t to, void *) {
    if (from == 0) {
      ++foldsBegun;
      if (InvarCancel *cancel = foldTriggers)
        invar_cancel_trigger(cancel);
    }
    while (isClosed)
      std::this_thread::yield();
    if (to == numbers[0]) {
      ++foldsEnded;
      doubleAll(tensors, numbers, 0, 2, nullptr);
    }
  };
  auto planFold = [](const int64_t *numbers, InvarKernelPlan *plan) {
    *plan = {numbers[0], 1, 0};
  };
  auto makeOne = [&](const char *result) {
    ProgramBuilder b;
    uint32_t type = b.tensor(INVAR_FLOAT32, {2});
    uint32_t w = b.object(), y = b.object();
    b.output(result, type);
    b.emit(INVAR_OP_CONSTANT, w, b.addConstant(type, 0, 8));
    uint32_t two = b.immediate(int64_t(2)), n = b.immediate(units);
    b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{two});
    b.emit(INVAR_OP_KERNEL, uint32_t(0), List{w, y}, List{n});
    b.emit(INVAR_OP_RETURN, List{y});
    return b.words();
  };
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {2});
  uint32_t sum = b.input("x", type);
  b.output("y", type);
  b.kernel({fold, planFold, "fold"});
  b.kernel({addAll, planAll, "add"});
  float weights[] = {1, 2};
  b.store.resize(64);
  std::memcpy(b.store.data(), weights, sizeof(weights));
  b.foldedSize = 128;
  uint32_t two = b.immediate(int64_t(2));
  for (uint64_t offset : {0, 64}) {
    uint32_t w = b.object(), next = b.object();
    b.emit(INVAR_OP_CONSTANT, w,
           b.addConstant(type, offset, 8, INVAR_CONSTANT_FOLDED));
    b.emit(INVAR_OP_ALLOCATE, next, INVAR_FLOAT32, List{two});
    b.emit(INVAR_OP_KERNEL, uint32_t(1), List{sum, w, next}, List{two});
    sum = next;
  }
  b.emit(INVAR_OP_RETURN, List{sum});
  b.fold(makeOne("#0"), {0});
  b.fold(makeOne("#1"), {64});
  foldsBegun = foldsEnded = 0;
  foldTriggers = nullptr;
  isClosed = false;
  return Model(b);
}
std::vector<rt::Value> some() { return {tensor<float>({2}, {100, 200})}; }
const std::vector<float> sums = {104, 208};
} // namespace

TEST(StopFolds, AreRunAgain) {
  for (int threads : {1, 3}) {
    Model model = makeFolding(int64_t(1) << 50);
    rt::Session session = model.mustLoad(threads);
    rt::Cancel cancel;
    foldTriggers = cancel.get();
    EXPECT_EQ(stop(session, some(), with(cancel)), INVAR_CANCELLED);
    EXPECT_EQ(session.foldsRun(), 0u);
    foldTriggers = nullptr;
    EXPECT_EQ(stop(session, some(), within(millisecond)),
              INVAR_DEADLINE_EXCEEDED);
    EXPECT_EQ(session.foldsRun(), 0u);
  }
  Model model = makeFolding(100);
  rt::Session session = model.mustLoad();
  rt::Cancel cancel;
  foldTriggers = cancel.get();
  EXPECT_EQ(stop(session, some(), with(cancel)), INVAR_CANCELLED);
  EXPECT_EQ(elementsOf<float>(mustRun(session, some())[0]), sums);
  EXPECT_EQ(session.foldsRun(), 2u);
}

TEST(StopFolds, KeepWhatIsDone) {
  // Each attempt completes one more fold.
  Model model = makeFolding(1);
  rt::Session session = model.mustLoad();
  rt::Cancel cancel;
  foldTriggers = cancel.get();
  EXPECT_EQ(stop(session, some(), with(cancel)), INVAR_CANCELLED);
  EXPECT_EQ(foldsEnded, 1);
  cancel.reset();
  EXPECT_EQ(stop(session, some(), with(cancel)), INVAR_CANCELLED);
  EXPECT_EQ(foldsEnded, 2);
  EXPECT_EQ(elementsOf<float>(mustRun(session, some())[0]), sums);
  EXPECT_EQ(foldsEnded, 2);
}

TEST(StopFolds, WhoWaitsGoesOn) {
  Model model = makeFolding(2);
  rt::Session session = model.mustLoad(2);
  isClosed = true;
  rt::Cancel cancel;
  std::thread first(
      [&] { EXPECT_EQ(stop(session, some(), with(cancel)), INVAR_CANCELLED); });
  while (foldsBegun == 0)
    std::this_thread::yield();
  std::vector<std::thread> waiting;
  std::atomic<int> right = 0;
  for (int i = 0; i < 4; ++i)
    waiting.emplace_back([&, i] {
      InvarRunOptions late = within(hour);
      auto outputs = session.run(some(), i % 2 ? &late : nullptr);
      right += outputs && elementsOf<float>((*outputs)[0]) == sums;
    });
  // A run with a short deadline does not wait.
  EXPECT_EQ(stop(session, some(), within(millisecond)),
            INVAR_DEADLINE_EXCEEDED);
  cancel.trigger();
  isClosed = false;
  first.join();
  for (std::thread &thread : waiting)
    thread.join();
  EXPECT_EQ(right, 4);
}

using StopKeptFolds = InFolder;
TEST_F(StopKeptFolds, LeaveOneFile) {
  Model model = makeFolding(2);
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  std::string cache = folder / "folds";
  options.fold_cache = cache.c_str();
  options.num_threads = 1;
  rt::Cancel cancel;
  foldTriggers = cancel.get();
  {
    rt::Session session;
    ASSERT_FALSE(model.load(&options).moveInto(session));
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(stop(session, some(), with(cancel)), INVAR_CANCELLED);
  }
  EXPECT_TRUE(std::filesystem::is_empty(cache));
  {
    rt::Session session;
    ASSERT_FALSE(model.load(&options).moveInto(session));
    EXPECT_EQ(stop(session, some(), with(cancel)), INVAR_CANCELLED);
    foldTriggers = nullptr;
    EXPECT_EQ(elementsOf<float>(mustRun(session, some())[0]), sums);
  }
  std::filesystem::directory_iterator files(cache);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  rt::Session session;
  ASSERT_FALSE(model.load(&options).moveInto(session));
  EXPECT_EQ(elementsOf<float>(mustRun(session, some())[0]), sums);
  EXPECT_EQ(session.foldsRun(), 0u);
}

TEST(StopFolds, RefitChangesAllOrNothing) {
  ProgramBuilder b;
  b.kernels = foldKernels();
  uint32_t type = b.tensor(INVAR_FLOAT32, {2});
  uint32_t w = b.object();
  b.output("y", type);
  b.store.resize(64);
  b.parameter("w", type, 0);
  b.foldedSize = 64;
  b.emit(INVAR_OP_CONSTANT, w,
         b.addConstant(type, 0, 8, INVAR_CONSTANT_FOLDED));
  b.emit(INVAR_OP_RETURN, List{w});
  b.fold(makeFold(0, "#0", INVAR_CONSTANT_PARAMETER), {0});
  Model model(b);
  rt::Session session = model.mustLoad();
  auto get = [&] { return elementsOf<float>(mustRun(session, {})[0]); };
  EXPECT_EQ(get(), (std::vector<float>{0, 0}));
  rt::Cancel cancel;
  cancel.trigger();
  InvarRunOptions options = with(cancel);
  std::vector<std::pair<std::string, rt::Value>> weights = {
      {"w", tensor<float>({2}, {3, 4})}};
  EXPECT_EQ(session.refit(weights, &options).code(), INVAR_CANCELLED);
  EXPECT_EQ(get(), (std::vector<float>{0, 0}));
  cancel.reset();
  EXPECT_EQ(session.refit(weights, &options).code(), INVAR_OK);
  EXPECT_EQ(get(), (std::vector<float>{6, 8}));
}

// Memory

TEST(StopMemory, IsLimited) {
  ProgramBuilder twice = makeTwice();
  Model model(twice);
  rt::Session session = model.mustLoad();
  auto input = [](int64_t n) -> std::vector<rt::Value> {
    return {tensor<float>({n}, std::vector<float>(size_t(n), 1))};
  };
  InvarRunOptions little = atMost(1000), enough = atMost(100'000);
  auto outputs = session.run(input(10'000), &little);
  EXPECT_EQ(outputs.error().code(), INVAR_OUT_OF_MEMORY);
  EXPECT_STREQ(outputs.error().text(),
               "model: node 'double it': expected 40000 bytes of memory for "
               "tensor(float)[10000], but there are not as many; the run is "
               "limited to 1000 bytes");
  EXPECT_TRUE(session.run(input(10'000), &enough));
  // Memory of previous runs, and memory that the caller still holds, does not count.
  std::vector<rt::Value> kept = mustRun(session, input(1'000'000));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(session.run(input(10), &little));
    EXPECT_FALSE(session.run(input(10'000), &little));
    EXPECT_TRUE(session.run(input(10'000), &enough));
  }
  // The caller's own memory does not count.
  std::vector<rt::Value> own = input(10'000);
  EXPECT_STREQ(session.runInto(input(10'000), own, &little).text(), "");
  EXPECT_TRUE(session.run(input(1'000'000)));
}

TEST(StopMemory, CountsBlocksAndScratch) {
  auto run = [](void *const *, const int64_t *, int64_t, int64_t, void *) {};
  auto plan = [](const int64_t *, InvarKernelPlan *plan) {
    *plan = {1, 1, 50'000};
  };
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_UINT8, {"N"});
  uint32_t y = b.object(), block = b.block();
  b.output("y", type);
  uint32_t zero = b.immediate(int64_t(0)), one = b.immediate(int64_t(1));
  uint32_t n = b.immediate(int64_t(50'000));
  b.emit(INVAR_OP_RESERVE, block, int64_t(50'000), one);
  b.emit(INVAR_OP_ALLOCATE_AT, y, INVAR_UINT8, block, int64_t(0), zero,
         List{n});
  b.emit(INVAR_OP_KERNEL, b.kernel({run, plan, "scratch"}), List{y}, List{});
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  rt::Session session = model.mustLoad();
  InvarRunOptions block1 = atMost(40'000), scratch1 = atMost(90'000),
                  enough = atMost(110'000);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(session.run({}, &block1).error().code(), INVAR_OUT_OF_MEMORY);
    EXPECT_EQ(session.run({}, &scratch1).error().code(), INVAR_OUT_OF_MEMORY);
    EXPECT_STREQ(session.run({}, &enough).error().text(), "");
    EXPECT_STREQ(session.run({}).error().text(), "");
  }
}
