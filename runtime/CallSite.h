// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program calls a function of the runtime: which one, its attributes, and the types
// of its results. What a function sees of it is in CallContext.h.
#ifndef INVAR_RUNTIME_CALLSITE_H
#define INVAR_RUNTIME_CALLSITE_H

#include "Type.h"
#include "invar-c/Program.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace invar::runtime {

class CallContext;

/// What operands or results a function has, a letter each: a tensor T, sequence S,
/// optional O, map M, or any value V; small where it may be left out. Any number of the last where
/// a * follows it: "VV*" are one or more values.
struct Signature {
  std::string_view text;

  constexpr bool isRepeated() const { return text.ends_with('*'); }
  constexpr size_t numLetters() const { return text.size() - isRepeated(); }
  constexpr char letter(size_t i) const {
    return text[i < numLetters() ? i : numLetters() - 1];
  }
  static constexpr bool isOptional(char letter) { return letter >= 'a'; }

  /// Whether there may be so many. What may be left out need not be there at the end.
  constexpr bool fits(size_t count) const {
    size_t least = numLetters() - isRepeated();
    while (least > 0 && isOptional(text[least - 1]))
      --least;
    return count >= least && (isRepeated() || count <= numLetters());
  }
  /// Whether the value, null where it is left out, may be the i-th.
  bool accepts(size_t i, const Value *value) const;
};

struct CallFunction {
  std::string_view name;
  Signature operands, results;
  Status (*run)(CallContext &call);
};

/// The function of a name; null where there is none.
const CallFunction *findCall(std::string_view name);

struct Attribute {
  const std::string *name;
  InvarAttributeKind kind;
  std::vector<int64_t> ints;
  std::vector<double> floats;
  std::vector<std::string_view> strings;
};
using Attributes = std::vector<Attribute>;

/// What a function computes from its attributes once, for all runs of a call site.
struct Prepared {
  virtual ~Prepared() = default;
};

struct CallSite {
  const CallFunction *function;
  const std::string *name;
  const Attributes *attributes;
  std::vector<const Type *> resultTypes;
  /// For each operand, whether its register is free after the call.
  std::vector<bool> isLastUse;
  /// For each result, whether its register holds where it is wanted; empty for none.
  std::vector<bool> hasPlace;
  /// For each result, which output it is, if it can be made where the caller wants that, or
  /// INVAR_NONE; empty for none.
  std::vector<uint32_t> outputs;

  /// Set once, by whichever run comes first.
  mutable std::atomic<Prepared *> prepared = nullptr;
  ~CallSite() { delete prepared.load(std::memory_order_relaxed); }
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLSITE_H
