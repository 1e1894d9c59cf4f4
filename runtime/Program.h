// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program in the form in which it runs. The reader checks everything that is known
// before a run: that tables and code are complete, that every number of a register,
// type, string, constant, kernel or function is valid, that jumps lead to instructions,
// and that the code cannot run past its end. So the interpreter uses the words without
// further checks.
//
// The words are those of invar-c/Program.h, with two exceptions. The string of a CALL
// is replaced by the number of a call site, which has the function, attributes and
// result types already looked up. And an ALLOCATE that makes an output has its own
// opcode.
#ifndef INVAR_RUNTIME_PROGRAM_H
#define INVAR_RUNTIME_PROGRAM_H

#include "CallSite.h"
#include "Type.h"
#include "invar-c/Abi.h"
#include "invar-c/Program.h"

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace invar::runtime {

/// ALLOCATE of a tensor that is only returned: it may use memory that the caller
/// provides.
inline constexpr uint32_t opAllocateOutput = INVAR_NUM_OPCODES;

/// A weight that has a name.
struct Parameter {
  const std::string *name;
  const Type *type;
  std::optional<uint64_t> offset; ///< in the store; none if not stored
  uint64_t size;
};

struct Constant {
  const Type *type;
  InvarConstantKind kind;
  /// The offset in the store or in the folded constants; for a parameter, its number.
  uint64_t offset;
  uint64_t size;
};

struct Port {
  const std::string *name;
  const Type *type;
  /// For an input, the constant to use if the caller does not pass it, or INVAR_NONE.
  uint32_t defaultConstant = INVAR_NONE;

  bool hasDefault() const { return defaultConstant != INVAR_NONE; }
};

struct Node {
  uint32_t firstWord; ///< of the code
  const std::string *name;
};

struct Fold;

struct Program {
  Program();
  ~Program();
  // The tables point to each other.
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  std::vector<std::string> strings;
  std::deque<Type> types;
  std::vector<Parameter> parameters;
  std::vector<Constant> constants;
  std::deque<Attributes> attributes;
  std::vector<Port> inputs, outputs;
  std::vector<Node> nodes;
  std::vector<uint32_t> code;
  std::deque<CallSite> calls;

  uint32_t numNumbers = 0, numObjects = 0, numBlocks = 0;
  /// For each object register, the output that opAllocateOutput or a CALL writes into
  /// it, or INVAR_NONE. Empty if there is no such instruction.
  std::vector<uint32_t> outputIn;
  /// The largest operand counts of any KERNEL.
  uint32_t mostTensors = 0, mostNumbers = 0;

  /// The programs that compute constants at the first run, the bytes of these
  /// constants, and a key that identifies them.
  std::deque<Fold> folds;
  uint64_t foldedSize = 0;
  std::array<uint32_t, 4> recipe = {};
  /// The file of the parameters that the store does not have; null if the store has
  /// all.
  const std::string *source = nullptr;

  /// The node that a word of the code belongs to, or null.
  const Node *findNode(uint32_t word) const;
};

/// A program that computes constants, and the offset of each of its outputs. Its inputs
/// are the model's inputs of the same names, and its parameters are the model's.
struct Fold {
  Program program;
  std::vector<uint64_t> offsets;
};

/// Reads a program. `numKernels` are the kernels of its module, `storeSize` the bytes
/// of its store.
Status readProgram(std::span<const uint32_t> words, uint32_t numKernels,
                   uint64_t storeSize, Program &program);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_PROGRAM_H
