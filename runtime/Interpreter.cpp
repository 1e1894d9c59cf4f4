// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "Arithmetic.h"
#include "CallContext.h"
#include "IndexCheck.h"

#include <algorithm>
#include <cmath>

using namespace invar::runtime;

namespace {
class Interpreter {
public:
  Interpreter(const Machine &machine, Frame &frame, bool profile)
      : machine(machine), program(machine.program), frame(frame),
        arena(frame.arena.get()), stop(frame.stop), profile(profile) {}

  Status run(std::span<const uint32_t> &returned);

private:
  Tensor *tensorIn(uint32_t r) const {
    return asTensor(frame.objects[r].get());
  }
  Status expectTensor(uint32_t r) const {
    return fail(INVAR_RUN_FAILED, "expected a tensor in register ", r,
                ", but got ", describe(frame.objects[r].get()));
  }
  /// Reads a list of sizes from registers; valid until the next call.
  Sizes readSizes(const uint32_t *list) {
    for (uint32_t i = 0; i < list[0]; ++i)
      sizes[i] = frame.numbers[list[1 + i]];
    return {sizes, list[0]};
  }

  Status allocate(const uint32_t *code);
  Status allocateOutput(const uint32_t *code);
  void reserve(const uint32_t *code);
  Status allocateAt(const uint32_t *code);
  Status reshape(const uint32_t *code);
  Status takePart(const uint32_t *code);
  Status readSize(const uint32_t *code);
  Status readRank(const uint32_t *code);
  Status load(const uint32_t *code);
  Status store(const uint32_t *code);
  Status callKernel(const uint32_t *code);
  Status checkKernel(const uint32_t *code);
  Status runKernel(const InvarKernel &kernel, const uint32_t *code);
  Status callFunction(const uint32_t *code);
  Status checkType(const uint32_t *code);
  Status checkIndices(const uint32_t *code);

  void record(const uint32_t *code, Clock::time_point begin, int64_t units);

  const Machine &machine;
  const Program &program;
  Frame &frame;
  Arena *arena;
  /// Null if nothing can stop the run.
  Stop *stop;
  uint32_t steps = 0;
  bool profile;
  int64_t sizes[maxRank];
};
} // namespace

Status Interpreter::allocate(const uint32_t *code) {
  auto type = InvarDataType(code[2]);
  Sizes wanted = readSizes(code + 3);
  Tensor *tensor = Tensor::create(arena, type, wanted);
  if (!tensor)
    return explainNoTensor(type, wanted);
  frame.objects[code[1]].own(tensor, arena);
  return Status::success();
}

Status Interpreter::allocateOutput(const uint32_t *code) {
  if (!frame.places.empty()) {
    Tensor *place = frame.places[program.outputIn[code[1]]];
    if (place && place->dataType == code[2] &&
        std::ranges::equal(place->getSizes(), readSizes(code + 3))) {
      frame.objects[code[1]].borrow(place, arena);
      return Status::success();
    }
  }
  return allocate(code);
}

/// The product of an integer of the code and a number; none if it is negative or
/// overflows.
static std::optional<uint64_t> multiplyBytes(const uint32_t *integer,
                                             int64_t number) {
  uint64_t bytes;
  if (number < 0 ||
      __builtin_mul_overflow(integer[0] | uint64_t(integer[1]) << 32,
                             uint64_t(number), &bytes))
    return std::nullopt;
  return bytes;
}

void Interpreter::reserve(const uint32_t *code) {
  if (auto bytes = multiplyBytes(code + 2, frame.numbers[code[4]]))
    frame.reserve(code[1], *bytes);
}

Status Interpreter::allocateAt(const uint32_t *code) {
  auto type = InvarDataType(code[2]);
  Sizes wanted = readSizes(code + 7);
  Tensor *block = frame.blocks[code[3]], *tensor = nullptr;
  auto offset = multiplyBytes(code + 4, frame.numbers[code[6]]);
  if (block && offset)
    tensor = Tensor::createWithin(arena, block, type, wanted, *offset);
  if (!tensor)
    tensor = Tensor::create(arena, type, wanted);
  if (!tensor)
    return explainNoTensor(type, wanted);
  frame.objects[code[1]].own(tensor, arena);
  return Status::success();
}

Status Interpreter::reshape(const uint32_t *code) {
  Tensor *tensor = tensorIn(code[2]);
  if (!tensor)
    return expectTensor(code[2]);
  Sizes wanted = readSizes(code + 3);
  std::optional<int64_t> count = countElements(wanted.data(), wanted.size());
  if (count != tensor->getCount())
    return fail(INVAR_RUN_FAILED, "expected ", tensor->getCount(),
                " elements, but got ",
                describeTensor(tensor->getType(), wanted));
  Tensor *view = Tensor::createView(arena, tensor, wanted, *count, 0);
  if (!view)
    return explainNoTensor(tensor->getType(), wanted);
  frame.objects[code[1]].own(view, arena);
  return Status::success();
}

Status Interpreter::takePart(const uint32_t *code) {
  Tensor *tensor = tensorIn(code[2]);
  if (!tensor)
    return expectTensor(code[2]);
  int64_t offset = frame.numbers[code[3]];
  Sizes wanted = readSizes(code + 4);
  std::optional<int64_t> count = countElements(wanted.data(), wanted.size());
  if (!count || offset < 0 || offset > tensor->getCount() ||
      *count > tensor->getCount() - offset)
    return fail(INVAR_RUN_FAILED, "expected a part of ",
                describe(frame.objects[code[2]].get()), ", but got ",
                describeTensor(tensor->getType(), wanted), " from element ",
                offset);
  Tensor *view = Tensor::createView(arena, tensor, wanted, *count, offset);
  if (!view)
    return explainNoTensor(tensor->getType(), wanted);
  frame.objects[code[1]].own(view, arena);
  return Status::success();
}

Status Interpreter::readSize(const uint32_t *code) {
  Tensor *tensor = tensorIn(code[2]);
  if (!tensor)
    return expectTensor(code[2]);
  if (code[3] >= tensor->rank)
    return fail(INVAR_RUN_FAILED, "expected an axis ", code[3], ", but got ",
                describe(tensor));
  frame.numbers[code[1]] = tensor->getSize(code[3]);
  return Status::success();
}

Status Interpreter::readRank(const uint32_t *code) {
  Tensor *tensor = tensorIn(code[2]);
  if (!tensor)
    return expectTensor(code[2]);
  frame.numbers[code[1]] = tensor->rank;
  return Status::success();
}

Status Interpreter::load(const uint32_t *code) {
  Tensor *tensor = tensorIn(code[2]);
  if (!tensor)
    return expectTensor(code[2]);
  int64_t index = frame.numbers[code[3]];
  if (index < 0 || index >= tensor->getCount())
    return fail(INVAR_RUN_FAILED, "expected an element of ", describe(tensor),
                ", but got number ", index);
  std::optional<int64_t> number =
      loadNumber(tensor->getType(), tensor->getData(), index);
  if (!number)
    return fail(INVAR_RUN_FAILED, "expected a tensor of numbers, but got ",
                describe(tensor));
  frame.numbers[code[1]] = *number;
  return Status::success();
}

Status Interpreter::store(const uint32_t *code) {
  Tensor *tensor = tensorIn(code[1]);
  if (!tensor)
    return expectTensor(code[1]);
  int64_t index = frame.numbers[code[2]];
  if (index < 0 || index >= tensor->getCount())
    return fail(INVAR_RUN_FAILED, "expected an element of ", describe(tensor),
                ", but got number ", index);
  // Constants are read-only, and inputs belong to the caller.
  const Value *owner = tensor->getOwner();
  if (owner->arena != arena &&
      std::ranges::find(frame.places, owner) == frame.places.end())
    return fail(INVAR_RUN_FAILED,
                "expected a tensor of the run's own, but got an input or "
                "constant ",
                describe(tensor));
  if (!storeNumber(tensor->getType(), tensor->getData(), index,
                   frame.numbers[code[3]]))
    return fail(INVAR_RUN_FAILED, "expected a tensor of numbers, but got ",
                describe(tensor));
  return Status::success();
}

// Kernels

namespace {
struct KernelJob {
  InvarKernelFunction run;
  void *const *tensors;
  const int64_t *numbers;
  Pieces pieces;
  char *scratch;
  size_t scratchEach;
  /// Null if nothing can stop the kernel between its units.
  Stop *stop;
  int64_t grain;

  void runUnits(int64_t from, int64_t to, unsigned thread) const {
    char *own = scratch + thread * scratchEach;
    if (!stop)
      return run(tensors, numbers, from, to, own);
    stop->forRanges(from, to, grain, [&](int64_t first, int64_t last) {
      run(tensors, numbers, first, last, own);
    });
  }
  static void work(void *context, int64_t piece, unsigned thread) {
    auto &job = *static_cast<KernelJob *>(context);
    job.runUnits(job.pieces.begin(piece), job.pieces.begin(piece + 1), thread);
  }
};
} // namespace

Status Interpreter::callKernel(const uint32_t *code) {
  if (stop && stop->isDueOften(steps)) [[unlikely]]
    return explainStop(*stop);
  const InvarKernel &kernel = machine.kernels[code[1]];
  uint32_t numTensors = code[2];
  for (uint32_t i = 0; i < numTensors; ++i) {
    Tensor *tensor = tensorIn(code[3 + i]);
    if (!tensor)
      return expectTensor(code[3 + i]);
    frame.addresses[i] = tensor->getAddress();
  }
  const uint32_t *list = code + 3 + numTensors;
  for (uint32_t i = 0; i < list[0]; ++i)
    frame.kernelNumbers[i] = frame.numbers[list[1 + i]];
  if (machine.checks) [[unlikely]]
    return checkKernel(code);
  return runKernel(kernel, code);
}

Status Interpreter::checkKernel(const uint32_t *code) {
  const InvarKernel &kernel = machine.kernels[code[1]];
  std::vector<Tensor *> tensors;
  for (uint32_t i = 0; i < code[2]; ++i)
    tensors.push_back(tensorIn(code[3 + i]));
  const InvarKernelCheck &meaning = machine.checks->get(code[1]);
  if (meaning.num_results > tensors.size())
    return fail(INVAR_BAD_MODEL, "expected ", meaning.num_results,
                " results of kernel '", kernel.name, "', but got ",
                tensors.size(), " tensors");
  KernelCheck check(kernel, meaning, tensors, frame.kernelNumbers.data());
  if (Status status = check.runApart())
    return status;
  if (Status status = runKernel(kernel, code))
    return status;
  if (Status status = check.compareResults())
    return status;
  machine.checks->setDone(code[1]);
  return Status::success();
}

/// Runs a kernel with the addresses and numbers in the frame.
Status Interpreter::runKernel(const InvarKernel &kernel, const uint32_t *code) {
  void *const *tensors = frame.addresses.data();
  const int64_t *numbers = frame.kernelNumbers.data();
  InvarKernelPlan plan = {};
  kernel.plan(numbers, &plan);
  if (plan.units <= 0)
    return Status::success();

  Clock::time_point begin;
  if (profile)
    begin = Clock::now();
  Pieces pieces(plan.units, plan.grain, machine.threads.getSize(),
                stop != nullptr);
  size_t threads = pieces.count > 1 ? machine.threads.getSize() : 1;
  constexpr int64_t mostScratch = int64_t(1) << 40;
  if (plan.scratch < 0 || plan.scratch > mostScratch)
    return fail(INVAR_RUN_FAILED, "expected 0 to ", mostScratch,
                " bytes of scratch for kernel '", kernel.name, "', but got ",
                plan.scratch);
  size_t scratchEach = (size_t(plan.scratch) + Arena::alignment - 1) /
                       Arena::alignment * Arena::alignment;
  char *scratch = nullptr;
  if (scratchEach &&
      !(scratch = frame.scratch.get(scratchEach * threads, *arena)))
    return fail(INVAR_OUT_OF_MEMORY, "expected ", scratchEach * threads,
                " bytes of scratch for kernel '", kernel.name,
                "', but there are not as many");

  // A kernel that is too small to divide is also too short to read the clock.
  Stop *within = plan.units > plan.grain ? stop : nullptr;
  KernelJob job{kernel.run, tensors,     numbers, pieces,
                scratch,    scratchEach, within,  plan.grain};
  if (pieces.count < 2 ||
      !machine.threads.tryRun(pieces.count, &KernelJob::work, &job))
    job.runUnits(0, plan.units, 0);
  if (profile)
    record(code, begin, plan.units);
  return within && within->isStopped() ? explainStop(*within)
                                       : Status::success();
}

Status Interpreter::callFunction(const uint32_t *code) {
  const CallSite &site = program.calls[code[1]];
  const uint32_t *operands = code + 4;
  const uint32_t *results = operands + operands[-1] + 1;
  Clock::time_point begin;
  if (profile)
    begin = Clock::now();
  CallContext call(site, frame, machine.threads, {operands, operands[-1]},
                   {results, results[-1]});
  invar::StopScope scope(stop);
  Status status = checkStop(stop);
  if (!status)
    status = call.run();
  if (profile)
    record(code, begin, 1);
  return status;
}

void Interpreter::record(const uint32_t *code, Clock::time_point begin,
                         int64_t units) {
  frame.events.push_back({uint32_t(code - program.code.data()), units, begin,
                          Clock::now() - begin});
}

Status Interpreter::checkType(const uint32_t *code) {
  const Value *value = frame.objects[code[1]].get();
  const Type &type = program.types[code[2]];
  if (matches(value, type))
    return Status::success();
  return fail(INVAR_RUN_FAILED, "expected ", describe(type), ", but got ",
              describe(value));
}

Status Interpreter::checkIndices(const uint32_t *code) {
  Tensor *tensor = tensorIn(code[1]);
  if (!tensor)
    return expectTensor(code[1]);
  IndexCheck check{readSizes(code + 4), code[2] != 0, program.strings[code[3]]};
  return check.run(*tensor, machine.threads);
}

Status Interpreter::run(std::span<const uint32_t> &returned) {
  int64_t *numbers = frame.numbers.data();
  Register *objects = frame.objects.data();
  const uint32_t *begin = program.code.data();
  const uint32_t *code = begin;

  auto failIn = [&](Status status) {
    const Node *node = program.findNode(uint32_t(code - begin));
    return node ? std::move(status).in("node '" + *node->name + "'")
                : std::move(status);
  };

  for (;;) {
    // Operands of instructions on numbers: the result, the first and the second
    // operand.
    auto to = [&](int64_t number) { numbers[code[1]] = number; };
    auto a = [&] { return numbers[code[2]]; };
    auto b = [&] { return numbers[code[3]]; };
    auto ua = [&] { return uint64_t(a()); };
    auto ub = [&] { return uint64_t(b()); };
    auto fa = [&] { return toDouble(a()); };
    auto fb = [&] { return toDouble(b()); };

    switch (code[0]) {
    case INVAR_OP_NUMBER:
      to(int64_t(code[2] | uint64_t(code[3]) << 32));
      code += 4;
      break;
    case INVAR_OP_COPY_NUMBER:
      to(a());
      code += 3;
      break;

#define BINARY(NAME, EXPRESSION)                                               \
  case INVAR_OP_##NAME:                                                        \
    to(EXPRESSION);                                                            \
    code += 4;                                                                 \
    break;
      BINARY(ADD, int64_t(ua() + ub()))
      BINARY(SUB, int64_t(ua() - ub()))
      BINARY(MUL, int64_t(ua() * ub()))
      BINARY(ADD_SATURATED, addSaturated(a(), b()))
      BINARY(SUB_SATURATED, subtractSaturated(a(), b()))
      BINARY(MUL_SATURATED, multiplySaturated(a(), b()))
      BINARY(DIV, divide(a(), b()))
      BINARY(DIV_UNSIGNED, divideUnsigned(ua(), ub()))
      BINARY(FLOOR_DIV, floorDivide(a(), b()))
      BINARY(CEIL_DIV, ceilDivide(a(), b()))
      BINARY(REM, remainder(a(), b()))
      BINARY(REM_UNSIGNED, remainderUnsigned(ua(), ub()))
      BINARY(AND, a() & b())
      BINARY(OR, a() | b())
      BINARY(XOR, a() ^ b())
      BINARY(SHIFT_LEFT, shiftLeft(ua(), ub()))
      BINARY(SHIFT_RIGHT, shiftRight(a(), ub()))
      BINARY(SHIFT_RIGHT_UNSIGNED, shiftRightUnsigned(ua(), ub()))
      BINARY(MIN, std::min(a(), b()))
      BINARY(MAX, std::max(a(), b()))
      BINARY(MIN_UNSIGNED, int64_t(std::min(ua(), ub())))
      BINARY(MAX_UNSIGNED, int64_t(std::max(ua(), ub())))
      BINARY(EQUAL, a() == b())
      BINARY(NOT_EQUAL, a() != b())
      BINARY(LESS, a() < b())
      BINARY(LESS_EQUAL, a() <= b())
      BINARY(LESS_UNSIGNED, ua() < ub())
      BINARY(LESS_EQUAL_UNSIGNED, ua() <= ub())
      BINARY(SIGN_EXTEND, signExtend(a(), code[3]))
      BINARY(ZERO_EXTEND, zeroExtend(a(), code[3]))
      BINARY(FLOAT_ADD, fromDouble(fa() + fb()))
      BINARY(FLOAT_SUB, fromDouble(fa() - fb()))
      BINARY(FLOAT_MUL, fromDouble(fa() * fb()))
      BINARY(FLOAT_DIV, fromDouble(fa() / fb()))
      BINARY(FLOAT_EQUAL, fa() == fb())
      BINARY(FLOAT_LESS, fa() < fb())
      BINARY(FLOAT_LESS_EQUAL, fa() <= fb())
#undef BINARY
    case INVAR_OP_SELECT:
      to(a() ? b() : numbers[code[4]]);
      code += 5;
      break;

#define UNARY(NAME, EXPRESSION)                                                \
  case INVAR_OP_##NAME:                                                        \
    to(EXPRESSION);                                                            \
    code += 3;                                                                 \
    break;
      UNARY(FLOAT_FLOOR, fromDouble(std::floor(fa())))
      UNARY(FLOAT_CEIL, fromDouble(std::ceil(fa())))
      UNARY(FLOAT_ROUND_TO_SINGLE, fromDouble(double(float(fa()))))
      UNARY(INT_TO_FLOAT, fromDouble(double(a())))
      UNARY(FLOAT_TO_INT, truncate(fa()))
#undef UNARY

    case INVAR_OP_CONSTANT:
      if (!machine.constants.isVerified(code[2])) [[unlikely]]
        if (Status status =
                machine.constants.verify(code[2], &machine.threads, stop))
          return failIn(std::move(status));
      objects[code[1]].borrow(machine.constants.get(code[2]), arena);
      code += 3;
      break;
    case INVAR_OP_RESERVE:
      reserve(code);
      code += 5;
      break;
    case INVAR_OP_COPY_OBJECT:
      objects[code[1]].share(objects[code[2]], arena);
      code += 3;
      break;
    case INVAR_OP_DROP:
      objects[code[1]].drop(arena);
      code += 2;
      break;

#define CHECKED(OPCODE, FUNCTION, WORDS)                                       \
  case OPCODE:                                                                 \
    if (Status status = FUNCTION(code)) [[unlikely]]                           \
      return failIn(std::move(status));                                        \
    code += WORDS;                                                             \
    break;
      CHECKED(INVAR_OP_ALLOCATE, allocate, 4 + code[3])
      CHECKED(opAllocateOutput, allocateOutput, 4 + code[3])
      CHECKED(INVAR_OP_ALLOCATE_AT, allocateAt, 8 + code[7])
      CHECKED(INVAR_OP_RESHAPE, reshape, 4 + code[3])
      CHECKED(INVAR_OP_PART, takePart, 5 + code[4])
      CHECKED(INVAR_OP_SIZE, readSize, 4)
      CHECKED(INVAR_OP_RANK, readRank, 3)
      CHECKED(INVAR_OP_LOAD, load, 4)
      CHECKED(INVAR_OP_STORE, store, 4)
      CHECKED(INVAR_OP_KERNEL, callKernel, 4 + code[2] + code[3 + code[2]])
      CHECKED(INVAR_OP_CHECK_TYPE, checkType, 3)
      CHECKED(INVAR_OP_CHECK_INDICES, checkIndices, 5 + code[4])
    case INVAR_OP_CALL: {
      if (Status status = callFunction(code)) [[unlikely]]
        return failIn(std::move(status));
      const uint32_t *results = code + 4 + code[3];
      code = results + 1 + results[0] + 1 + results[0];
      break;
    }
#undef CHECKED

    case INVAR_OP_CHECK:
      if (numbers[code[1]] == 0) [[unlikely]]
        return failIn(
            Status(INVAR_RUN_FAILED, std::string(program.strings[code[2]])));
      code += 3;
      break;

      // Jumps poll for a stop, because they make up loops.
#define JUMP(OPCODE, TARGET)                                                   \
  case OPCODE:                                                                 \
    if (stop && stop->isDueOften(steps)) [[unlikely]]                          \
      return failIn(explainStop(*stop));                                       \
    code = TARGET;                                                             \
    break;
      JUMP(INVAR_OP_JUMP, begin + code[1])
      JUMP(INVAR_OP_JUMP_IF, numbers[code[1]] ? begin + code[2] : code + 3)
      JUMP(INVAR_OP_JUMP_UNLESS, numbers[code[1]] ? code + 3 : begin + code[2])
#undef JUMP
    case INVAR_OP_RETURN:
      returned = {code + 2, code[1]};
      return Status::success();
    default:
      __builtin_unreachable(); // readProgram has checked the opcodes.
    }
  }
}

Status invar::runtime::interpret(const Machine &machine, Frame &frame,
                                 bool profile,
                                 std::span<const uint32_t> &returned) {
  Status status = Interpreter(machine, frame, profile).run(returned);
  if (status.getCode() == INVAR_OUT_OF_MEMORY && frame.arena->hasRefused())
    return std::move(status).with(frame.arena->describeLimit());
  return status;
}
