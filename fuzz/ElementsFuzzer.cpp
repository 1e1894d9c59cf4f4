// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interprets bytes as a program that makes tensors out of tensors, with arbitrary shapes,
// axes and steps. A tensor that the builder accepts must be readable from any position,
// and must read the same at once, element by element, as raw bytes, and after it was
// materialized.
#include "invar/Elements/ElementsBuilder.h"
#include <cstdlib>
#include <cstring>
#include <fuzzer/FuzzedDataProvider.h>

using namespace invar;
using llvm::ArrayRef;
using llvm::Expected;

namespace {
class Program {
public:
  Program(const uint8_t *data, size_t size) : input(data, size) {}

  void run() {
    constexpr size_t mostValues = 32;
    while (input.remaining_bytes() && values.size() < mostValues) {
      Expected<Elements> result = step();
      if (!result) {
        llvm::consumeError(result.takeError());
        continue;
      }
      check(*result);
      values.push_back(std::move(*result));
    }
  }

private:
  /// A size, axis or step, usually a small one.
  int64_t number() {
    constexpr uint8_t anything = 250;
    uint8_t first = input.ConsumeIntegral<uint8_t>();
    if (first >= anything)
      return input.ConsumeIntegral<int64_t>();
    return int64_t(first % 16) - 2;
  }

  Shape numbers() {
    Shape list(input.ConsumeIntegralInRange<size_t>(0, 5));
    for (int64_t &item : list)
      item = number();
    return list;
  }

  DataType type() { return input.PickValueInArray(allDataTypes); }

  const Elements &value() {
    return values[input.ConsumeIntegralInRange<size_t>(0, values.size() - 1)];
  }

  Expected<Elements> leaf() {
    DataType kind = type();
    Shape shape = numbers();
    if (kind == DataType::String) {
      std::string text = input.ConsumeRandomLengthString(64);
      llvm::SmallVector<llvm::StringRef> parts;
      llvm::StringRef(text).split(parts, ' ');
      return builder.fromStrings(shape, parts);
    }
    // Consume as many bytes as the shape needs, up to a limit.
    std::optional<int64_t> count = countElements(shape);
    std::optional<uint64_t> size =
        count ? getPackedSize(kind, *count) : std::nullopt;
    std::vector<uint8_t> bytes =
        input.ConsumeBytes<uint8_t>(std::min<uint64_t>(size.value_or(8), 256));
    if (size && *size <= 4096)
      bytes.resize(*size, 0x5a);
    return builder.fromRaw(kind, shape, bytes);
  }

  Expected<Elements> compute() {
    Elements x = value(), y = value();
    DataType kind = x.getType();
    ElementwiseFunction mix(
        "Mix", kind, {kind, y.getType()},
        [kind](ArrayRef<const void *> operands, void *result, size_t n) {
          std::memcpy(result, operands[0], n * getLaneSize(kind));
        });
    return builder.combine(mix, {x, y});
  }

  Expected<Elements> step() {
    if (values.empty() || input.ConsumeIntegralInRange(0, 7) == 0)
      return leaf();
    switch (input.ConsumeIntegralInRange(0, 9)) {
    case 0:
      return builder.transpose(value(), numbers());
    case 1:
      return builder.slice(value(), numbers(), numbers(), numbers());
    case 2:
      return builder.reverse(value(), numbers());
    case 3:
      return builder.expand(value(), numbers());
    case 4:
      return builder.reshape(value(), numbers());
    case 5: {
      llvm::SmallVector<Elements> parts;
      for (size_t i = input.ConsumeIntegralInRange<size_t>(0, 4); i > 0; --i)
        parts.push_back(value());
      return builder.concat(parts, number());
    }
    case 6:
      return builder.cast(value(), type());
    case 7:
      return compute();
    case 8:
      return builder.intern(value());
    default:
      // Reversing the axes is valid for any tensor.
      Elements x = value();
      Shape order(size_t(x.getRank()));
      for (size_t i = 0; i < order.size(); ++i)
        order[i] = int64_t(order.size() - 1 - i);
      return builder.transpose(x, order);
    }
  }

  static bool isSame(DataType type, const uint8_t *a, const uint8_t *b,
                     size_t count) {
    if (type == DataType::String)
      return std::equal(reinterpret_cast<const llvm::StringRef *>(a),
                        reinterpret_cast<const llvm::StringRef *>(a) + count,
                        reinterpret_cast<const llvm::StringRef *>(b));
    return std::memcmp(a, b, count * getLaneSize(type)) == 0;
  }

  void check(const Elements &x) {
    if (x.numElements() != countElements(x.getShape()))
      abort();
    constexpr int64_t most = 64;
    int64_t count = std::min(x.numElements(), most);
    int64_t begin =
        input.ConsumeIntegralInRange<int64_t>(0, x.numElements() - count);
    size_t lane = getLaneSize(x.getType());
    alignas(16) uint8_t whole[most * 16], single[most * 16], kept[most * 16];
    x.read(begin, count, whole, options);
    for (int64_t i = 0; i < count; ++i)
      x.read(begin + i, 1, single + size_t(i) * lane, options);
    if (!isSame(x.getType(), whole, single, size_t(count)))
      abort();

    constexpr int64_t little = 4096;
    if (x.numElements() > little)
      return;
    Expected<Elements> stored = x.materialize(options);
    if (!stored)
      return llvm::consumeError(stored.takeError());
    stored->read(begin, count, kept, options);
    if (!isSame(x.getType(), whole, kept, size_t(count)))
      abort();
    if (x.detectSplat() != stored->detectSplat() ||
        (x.isSplat() && !x.detectSplat()))
      abort();
    if (x.getType() == DataType::String)
      return;
    std::vector<uint8_t> raw(x.sizeInBytes()), streamed;
    x.readBytes(0, raw, options);
    llvm::cantFail(x.streamBytes(
        [&](ArrayRef<uint8_t> bytes) {
          streamed.insert(streamed.end(), bytes.begin(), bytes.end());
          return llvm::Error::success();
        },
        options));
    if (raw != streamed)
      abort();
  }

  FuzzedDataProvider input;
  /// One thread, so that crashes are reproducible, and a small limit for kept values.
  EvalOptions options{.threads = 1, .keepLimit = 1 << 16};
  ElementsBuilder builder{options};
  std::vector<Elements> values;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Program(data, size).run();
  return 0;
}
