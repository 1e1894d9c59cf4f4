// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelCheck.h"

#include "Arithmetic.h"
#include "Type.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace invar::runtime;

KernelCheck::KernelCheck(const InvarKernel &kernel,
                         const InvarKernelCheck &check,
                         std::span<Tensor *const> tensors,
                         const int64_t *numbers)
    : kernel(kernel), check(check), tensors(tensors), numbers(numbers),
      numOperands(tensors.size() - check.num_results) {}

// Messages

/// Integers are exact up to 2^53, which suffices for messages.
static double toDouble(InvarDataType type, int64_t number) {
  bool isFloat = type == INVAR_FLOAT32 || type == INVAR_FLOAT64 ||
                 type == INVAR_FLOAT16 || type == INVAR_BFLOAT16;
  return isFloat ? toDouble(number) : double(number);
}

/// An element as a number. For types that are not numbers, its first byte.
static double getElement(InvarDataType type, const void *elements,
                         int64_t index) {
  std::optional<int64_t> number = loadNumber(type, elements, index);
  return number ? toDouble(type, *number)
                : double(static_cast<const uint8_t *>(
                      elements)[size_t(index) * getElementSize(type)]);
}

static std::string toText(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", number);
  return text;
}

static Status failOf(const InvarKernel &kernel, const InvarKernelCheck &check,
                     const std::string &text) {
  return fail(INVAR_CHECK_FAILED, "kernel '", kernel.name, "' (", check.emitter,
              "): ", text);
}

Status KernelCheck::noMemory() const {
  return fail(INVAR_OUT_OF_MEMORY, "expected memory to check kernel '",
              kernel.name, "', but there is not as much");
}

Status KernelCheck::differs(size_t result, int64_t element, const void *wanted,
                            const void *got, std::string_view why) const {
  const Tensor &tensor = getResult(result);
  return failOf(kernel, check,
                "expected " +
                    toText(getElement(tensor.getType(), wanted, element)) +
                    " for element " + std::to_string(element) + " of " +
                    describe(&tensor) + ", but got " +
                    toText(getElement(tensor.getType(), got, element)) +
                    std::string(why));
}

// Running

/// Copies the operands, and allocates the results filled with `fill`.
Status KernelCheck::copyTensors(bool isAtEnd, char fill,
                                Contents &contents) const {
  for (size_t i = 0; i < tensors.size(); ++i) {
    size_t bytes = tensors[i]->getBytes();
    char *copy = contents.emplace_back(bytes, isAtEnd).getData();
    if (!copy)
      return noMemory();
    if (i >= numOperands)
      std::memset(copy, fill, bytes);
    else if (bytes)
      std::memcpy(copy, tensors[i]->getData(), bytes);
  }
  return Status::success();
}

/// Runs a kernel in `ranges` parts, the last part first.
Status KernelCheck::run(const InvarKernel &code, int64_t ranges,
                        Contents &contents) const {
  InvarKernelPlan plan = {};
  code.plan(numbers, &plan);
  if (plan.units <= 0)
    return Status::success();
  std::vector<void *> addresses;
  for (size_t i = 0; i < tensors.size(); ++i)
    addresses.push_back(tensors[i]->getAddress(contents[i].getData()));
  size_t scratchBytes =
      (size_t(std::max<int64_t>(plan.scratch, 0)) + Arena::alignment - 1) /
      Arena::alignment * Arena::alignment;
  GuardedBytes scratch(scratchBytes, /*isAtEnd=*/true);
  if (!scratch.getData())
    return noMemory();
  bool isFine = runCatchingFaults([&] {
    for (int64_t range = ranges; range-- > 0;)
      code.run(addresses.data(), numbers, plan.units * range / ranges,
               plan.units * (range + 1) / ranges, scratch.getData());
  });
  if (isFine)
    return Status::success();
  return failOf(kernel, check,
                "expected it to stay within its tensors, but it went beyond "
                "them");
}

Status KernelCheck::runApart() {
  if (Status status = copyTensors(/*isAtEnd=*/false, 0x5a, expected))
    return status;
  if (Status status = run(check.meaning, 1, expected))
    return status;
  if (Status status = copyTensors(/*isAtEnd=*/true, char(0xa5), computed))
    return status;
  if (Status status = run(kernel, 3, computed))
    return status;
  for (size_t i = 0; i < check.num_results; ++i)
    if (Status status = compareWithMeaning(i))
      return status;
  return Status::success();
}

// Comparing

static bool isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// The first element whose bytes differ, or -1.
static int64_t findDifference(const Tensor &type, const char *a,
                              const char *b) {
  size_t size = getElementSize(type.dataType);
  if (!type.getBytes() || std::memcmp(a, b, type.getBytes()) == 0)
    return -1;
  for (int64_t i = 0; i < type.getCount(); ++i)
    if (std::memcmp(a + size_t(i) * size, b + size_t(i) * size, size) != 0 &&
        !isSame(getElement(type.getType(), a, i),
                getElement(type.getType(), b, i)))
      return i;
  return -1;
}

/// The distance from 1 to the next number of the type; 0 for integers.
static double getPrecision(InvarDataType type) {
  switch (type) {
  case INVAR_FLOAT16:
    return 0x1p-10;
  case INVAR_BFLOAT16:
    return 0x1p-7;
  case INVAR_FLOAT32:
    return 0x1p-23;
  case INVAR_FLOAT64:
    return 0x1p-52;
  default:
    return 0;
  }
}

/// The smallest normal number; smaller ones have fewer digits. 0 for integers.
static double getLeast(InvarDataType type) {
  switch (type) {
  case INVAR_FLOAT16:
    return 0x1p-14;
  case INVAR_BFLOAT16:
  case INVAR_FLOAT32:
    return 0x1p-126;
  case INVAR_FLOAT64:
    return 0x1p-1022;
  default:
    return 0;
  }
}

namespace {
/// Lets this thread treat subnormal numbers as zero, if the processor can.
class FlushSubnormals {
public:
  FlushSubnormals() : before(getControl()) {
    setControl(before | flushResults | flushOperands);
  }
  ~FlushSubnormals() { setControl(before); }

private:
#if defined(__x86_64__)
  static constexpr uint32_t flushResults = 1U << 15, flushOperands = 1U << 6;
  static uint32_t getControl() { return __builtin_ia32_stmxcsr(); }
  static void setControl(uint32_t control) { __builtin_ia32_ldmxcsr(control); }
#else
  static constexpr uint32_t flushResults = 0, flushOperands = 0;
  static uint32_t getControl() { return 0; }
  static void setControl(uint32_t) {}
#endif

  uint32_t before;
};
} // namespace

/// Computes the meaning's results with operands changed in their last digits, up or
/// down at random. Each attempt uses other directions.
Status KernelCheck::runMoved(uint64_t attempt, Contents &moved) const {
  constexpr double digits = 64;
  if (Status status = copyTensors(/*isAtEnd=*/false, 0x5a, moved))
    return status;
  uint64_t random = 0x9e3779b97f4a7c15 * (attempt + 1);
  for (size_t i = 0; i < numOperands; ++i) {
    InvarDataType type = tensors[i]->getType();
    double part = digits * getPrecision(type);
    if (part == 0)
      continue;
    char *content = moved[i].getData();
    for (int64_t k = 0; k < tensors[i]->getCount(); ++k) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      double element = getElement(type, content, k);
      element *= 1 + (random & 1 ? part : -part);
      storeNumber(type, content, k, fromDouble(element));
    }
  }
  return run(check.meaning, 1, moved);
}

/// Computes the meaning's results with all subnormal numbers as zero. A long product
/// that passes through them keeps or loses its sign by the order of its factors.
Status KernelCheck::runWithoutSubnormals(Contents &flushed) const {
  if (Status status = copyTensors(/*isAtEnd=*/false, 0x5a, flushed))
    return status;
  FlushSubnormals scope;
  return run(check.meaning, 1, flushed);
}

/// Infinite if only one of the two is a finite number.
static double getDistance(double a, double b) {
  if (isSame(a, b))
    return 0;
  double distance = std::abs(a - b);
  return std::isfinite(distance) ? distance : INFINITY;
}

double KernelCheck::getDistance(size_t result, int64_t element,
                                const Contents &a, const Contents &b) const {
  InvarDataType type = getResult(result).getType();
  return ::getDistance(getElement(type, getContent(a, result), element),
                       getElement(type, getContent(b, result), element));
}

/// Drops elements that are next to a jump: if the last digits of the operands decide on
/// which side they are, they are not wrong.
Status KernelCheck::dropJumps(size_t result,
                              std::vector<int64_t> &elements) const {
  constexpr uint64_t maxAttempts = 24;
  for (uint64_t attempt = 0; attempt <= maxAttempts && !elements.empty();
       ++attempt) {
    Contents moved;
    if (Status status =
            attempt ? runMoved(attempt, moved) : runWithoutSubnormals(moved))
      return status;
    std::erase_if(elements, [&](int64_t i) {
      return 4 * getDistance(result, i, expected, moved) >=
             getDistance(result, i, expected, computed);
    });
  }
  return Status::success();
}

Status KernelCheck::compareWithMeaning(size_t result) const {
  const Tensor &tensor = getResult(result);
  const char *wanted = getContent(expected, result);
  const char *got = getContent(computed, result);
  int64_t first = findDifference(tensor, wanted, got);
  if (first < 0)
    return Status::success();
  if (check.is_exact)
    return differs(result, first, wanted, got, "");
  Contents moved;
  if (Status status = runMoved(0, moved))
    return status;
  double motion = 0, largest = 0;
  for (int64_t i = 0; i < tensor.getCount(); ++i) {
    motion = std::max(motion, getDistance(result, i, expected, moved));
    double element = std::abs(getElement(tensor.getType(), wanted, i));
    if (std::isfinite(element))
      largest = std::max(largest, element);
  }
  // Sums of numbers that are not operands, such as decoded integers, do not move. Long
  // sums lose more digits in the order of the meaning than operands that move; doubles
  // have digits to spare. Products may pass through subnormal numbers, which have fewer
  // digits.
  double units = tensor.getType() == INVAR_FLOAT64 ? 4096 : 256;
  double allowed = 4 * motion + 4 * getLeast(tensor.getType()) +
                   units * getPrecision(tensor.getType()) * largest;
  std::vector<int64_t> wrong;
  for (int64_t i = first; i < tensor.getCount(); ++i)
    if (getDistance(result, i, expected, computed) > allowed)
      wrong.push_back(i);
  if (Status status = dropJumps(result, wrong))
    return status;
  if (wrong.empty())
    return Status::success();
  return differs(result, wrong.front(), wanted, got,
                 ", of which rounding explains " + toText(allowed));
}

Status KernelCheck::compareResults() {
  for (size_t i = 0; i < check.num_results; ++i) {
    const Tensor &tensor = getResult(i);
    const char *apart = getContent(computed, i);
    int64_t element =
        findDifference(tensor, apart, tensor.getData<const char>());
    if (element >= 0)
      return differs(i, element, apart, tensor.getData(),
                     " when work was divided and placed as in the run");
  }
  return Status::success();
}
