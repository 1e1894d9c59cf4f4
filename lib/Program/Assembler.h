// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the tables and the code of a program. Equal strings, types, constants and lists
// of attributes share one entry.
#ifndef INVAR_LIB_PROGRAM_ASSEMBLER_H
#define INVAR_LIB_PROGRAM_ASSEMBLER_H

#include "ConstantPlaces.h"
#include "invar-c/Program.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace invar {

class Assembler {
public:
  using Words = std::vector<uint32_t>;

  explicit Assembler(ConstantPlaces &places) : places(places) {}

  uint32_t getString(llvm::StringRef text);
  /// The number of a type, with names of axes if there are any; ~0 if the runtime has no
  /// such type.
  uint32_t getType(mlir::Type type, mlir::ArrayAttr dimNames = {});
  /// Fails if a constant cannot be stored.
  llvm::FailureOr<uint32_t> getConstant(mlir::Value constant);
  llvm::FailureOr<uint32_t> getConstant(mlir::ElementsAttr content);
  /// The number of a folded constant. Must be called only once for each.
  llvm::FailureOr<uint32_t> getFolded(int64_t id, mlir::Type type);
  /// Fails if the runtime has no attribute of that kind, and stores its name in `failed`.
  llvm::FailureOr<uint32_t> getAttributes(mlir::DictionaryAttr attributes,
                                          std::string &failed);

  /// Parameters must be added in the order of their numbers.
  void addParameter(const ParameterPlace &parameter);
  /// `constant` is the value of the input if a run does not provide one, or INVAR_NONE.
  void addInput(llvm::StringRef name, uint32_t type,
                uint32_t constant = INVAR_NONE) {
    inputs.insert(inputs.end(), {getString(name), type, constant});
  }
  void addOutput(llvm::StringRef name, uint32_t type) {
    outputs.insert(outputs.end(), {getString(name), type});
  }
  /// The code that follows belongs to this node.
  void beginNode(llvm::StringRef name);

  uint32_t makeNumber() { return numNumbers++; }
  uint32_t makeObject() { return numObjects++; }
  void setNumBlocks(uint32_t count) { numBlocks = count; }
  void setSource(llvm::StringRef file) { source = getString(file); }

  uint32_t getPosition() const { return uint32_t(code.size()); }
  void emit(InvarOpcode opcode, llvm::ArrayRef<uint32_t> operands = {});
  void emitNumber(uint32_t to, uint64_t bits);
  /// Emits a jump whose target is not known yet; returns the argument for place().
  uint32_t emitJump(InvarOpcode opcode, std::optional<uint32_t> condition = {});
  void emitJumpTo(uint32_t position) { emit(INVAR_OP_JUMP, position); }
  /// Makes a jump go to the next instruction.
  void place(uint32_t jump) { code[jump] = getPosition(); }

  /// Returns the program, without folds.
  Words finish();

private:
  uint32_t addConstant(uint32_t type, InvarConstantKind kind,
                       ConstantPlace place);
  uint32_t findConstant(uint32_t type, InvarConstantKind kind,
                        ConstantPlace place);
  llvm::FailureOr<ConstantPlace> findPlace(mlir::Value constant,
                                           bool isParameter);

  ConstantPlaces &places;
  llvm::StringMap<uint32_t> stringNumbers;
  std::vector<std::string> strings;
  std::map<Words, uint32_t> types, attributeLists;
  /// By type, kind, and offset or number.
  std::map<std::tuple<uint32_t, InvarConstantKind, uint64_t>, uint32_t>
      constantNumbers;
  uint32_t numConstants = 0, numParameters = 0;
  Words typeWords, parameterWords, constantWords, attributeWords, inputs,
      outputs, nodes, code;
  uint32_t numNumbers = 0, numObjects = 0, numBlocks = 0;
  uint32_t source = INVAR_NONE;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_ASSEMBLER_H
