// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as it is run. Reading it checks all that can be known before: that tables and
// code are whole, that every number of a register, type, string, constant, kernel or
// function is that of one, that jumps go to instructions, and that the code does not run
// out. So the interpreter reads the code's words as they are and asks nothing twice.
//
// The words are those of invar-c/Program.h, but for two: the string of a CALL is here the
// number of a call site, where what it calls and with what has been looked up; and an
// ALLOCATE that makes an output has an opcode of its own.
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

/// ALLOCATE of what is returned, and nothing else: it may lie where the caller says.
inline constexpr uint32_t opAllocateOutput = INVAR_NUM_OPCODES;

/// A weight that goes by a name.
struct Parameter {
  const std::string *name;
  const Type *type;
  std::optional<uint64_t> offset; ///< in the store, if that has it
  uint64_t size;
};

struct Constant {
  const Type *type;
  InvarConstantKind kind;
  /// In the store, or among what is folded; of a parameter, its number.
  uint64_t offset;
  uint64_t size;
};

struct Port {
  const std::string *name;
  const Type *type;
  /// Of an input, the constant that it is where a run does not bring it, or INVAR_NONE.
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
  // Its tables point to each other.
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
  /// For each object register, the output that opAllocateOutput or a CALL makes in it, or
  /// INVAR_NONE; empty where there is no such instruction.
  std::vector<uint32_t> outputIn;
  /// What the greatest KERNEL has.
  uint32_t mostTensors = 0, mostNumbers = 0;

  /// What computes constants at the first run, the bytes that these take, and a name for
  /// what they are.
  std::deque<Fold> folds;
  uint64_t foldedSize = 0;
  std::array<uint32_t, 4> recipe = {};
  /// The file that parameters came from which the store does not have; null where it has
  /// all.
  const std::string *source = nullptr;

  /// The node that a word of the code belongs to; null where none does.
  const Node *findNode(uint32_t word) const;
};

/// A program that computes constants, and where each of its outputs is to lie. Inputs are
/// those of the model of the same names, and parameters are the model's.
struct Fold {
  Program program;
  std::vector<uint64_t> offsets;
};

/// Reads a program whose module has so many kernels and whose store so many bytes.
Status readProgram(std::span<const uint32_t> words, uint32_t numKernels,
                   uint64_t storeSize, Program &program);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_PROGRAM_H
