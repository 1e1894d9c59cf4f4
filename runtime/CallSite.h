// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place where a program calls a function of the runtime: the function, its
// attributes, and the types of its results. CallContext.h has the function's view of
// it.
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

/// The operands or results of a function, one letter each: a tensor T, sequence S,
/// optional O, map M, or any value V. A lower-case letter means that it may be left
/// out. A * means any number of the last letter: "VV*" is one or more values.
struct Signature {
  std::string_view text;

  constexpr bool isRepeated() const { return text.ends_with('*'); }
  constexpr size_t numLetters() const { return text.size() - isRepeated(); }
  constexpr char letter(size_t i) const {
    return text[i < numLetters() ? i : numLetters() - 1];
  }
  static constexpr bool isOptional(char letter) { return letter >= 'a'; }

  /// Whether this number of operands is allowed. Optional ones may be missing at the
  /// end.
  constexpr bool fits(size_t count) const {
    size_t least = numLetters() - isRepeated();
    while (least > 0 && isOptional(text[least - 1]))
      --least;
    return count >= least && (isRepeated() || count <= numLetters());
  }
  /// Whether the value may be the i-th operand. Null stands for one that is left out.
  bool accepts(size_t i, const Value *value) const;
};

struct CallFunction {
  std::string_view name;
  Signature operands, results;
  Status (*run)(CallContext &call);
};

/// Returns null if there is no function of this name.
const CallFunction *findCall(std::string_view name);

struct Attribute {
  const std::string *name;
  InvarAttributeKind kind;
  std::vector<int64_t> ints;
  std::vector<double> floats;
  std::vector<std::string_view> strings;
};
using Attributes = std::vector<Attribute>;

/// Data that a function computes from its attributes once, for all runs of a call
/// site.
struct Prepared {
  virtual ~Prepared() = default;
};

struct CallSite {
  const CallFunction *function;
  const std::string *name;
  const Attributes *attributes;
  std::vector<const Type *> resultTypes;
  /// For each operand, whether this call is its last use.
  std::vector<bool> isLastUse;
  /// For each result, whether its register holds the tensor to write the result into.
  /// Empty if none does.
  std::vector<bool> hasPlace;
  /// For each result that can be written into the caller's tensor for an output, the
  /// number of that output; otherwise INVAR_NONE. Empty if there are none.
  std::vector<uint32_t> outputs;

  /// Set once, by the first run.
  mutable std::atomic<Prepared *> prepared = nullptr;
  ~CallSite() { delete prepared.load(std::memory_order_relaxed); }
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLSITE_H
