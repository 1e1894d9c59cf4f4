// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes one function as a program: assigns registers to its values, and emits the
// instructions of each operation. A register can hold numbers of any width: integers are
// sign-extended to 64 bits, truth values are 0 or 1, and floats are doubles.
#ifndef INVAR_LIB_PROGRAM_ENCODER_H
#define INVAR_LIB_PROGRAM_ENCODER_H

#include "Assembler.h"
#include "MemoryLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace invar {

/// The number of each kernel, by its name.
using KernelNumbers = llvm::StringMap<std::pair<uint32_t, mlir::func::FuncOp>>;
KernelNumbers numberKernels(mlir::ModuleOp module);

class Encoder {
public:
  /// Both are shared by all functions of a model, and must outlive the encoder.
  Encoder(const KernelNumbers &kernels, ConstantPlaces &places);

  /// `layout` defines the places of tensors, if it is not null.
  llvm::LogicalResult encode(mlir::func::FuncOp main,
                             const MemoryLayout *layout = nullptr);
  /// Returns the program, without folds. `parameters` are those of the model, and
  /// `source` is the file with the parameters that are not stored.
  Assembler::Words finish(llvm::ArrayRef<ParameterPlace> parameters = {},
                          llvm::StringRef source = {});

private:
  friend class KernelBounds;

  // Registers.
  uint32_t get(mlir::Value value);
  uint32_t define(mlir::Value value);
  uint32_t makeRegister(mlir::Type type);
  /// A number register that holds this number.
  uint32_t getLiteral(int64_t number);
  uint32_t getNumber(mlir::OpFoldResult number);
  uint32_t getSize(mlir::Value tensor, int64_t axis);
  llvm::SmallVector<uint32_t> getNumbers(mlir::ValueRange values);
  void copy(uint32_t to, mlir::Value from);
  void copy(uint32_t to, uint32_t from, mlir::Type type);

  // Blocks (Encode.cpp).
  llvm::LogicalResult encodeBlock(mlir::Block &block,
                                  llvm::function_ref<void()> end);
  llvm::LogicalResult encode(mlir::Operation *op);
  /// Drops the objects of the block whose last user is `op`.
  void dropUnused(mlir::Operation *op);
  void takeLater(mlir::Value constant, uint32_t number);
  void takeConstants(mlir::Operation *op);
  llvm::LogicalResult encodeIf(mlir::Operation *op);
  llvm::LogicalResult encodeChoice(mlir::Operation *op);
  llvm::LogicalResult encodeFor(mlir::Operation *op);
  llvm::LogicalResult encodeWhile(mlir::Operation *op);
  /// Writes the results of a block to registers that other values of the block may read.
  void yield(mlir::ValueRange values, llvm::ArrayRef<uint32_t> to);

  // Numbers (EncodeNumbers.cpp): nullopt for an operation of another kind.
  std::optional<llvm::LogicalResult> encodeNumbers(mlir::Operation *op);
  uint32_t extend(mlir::Value value, InvarOpcode opcode);
  void emitBinary(mlir::Operation *op, InvarOpcode opcode, bool isUnsigned);

  // Tensors and calls (EncodeTensors.cpp).
  std::optional<llvm::LogicalResult> encodeTensors(mlir::Operation *op);
  llvm::LogicalResult encodeKernel(mlir::Operation *op);
  llvm::LogicalResult encodeCall(mlir::Operation *op);
  void encodeCheckIndices(mlir::Operation *op);
  llvm::LogicalResult encodeConcat(mlir::Operation *op);
  llvm::LogicalResult encodeDecode(mlir::Operation *op);
  void reshape(mlir::Value from, mlir::Value to,
               llvm::ArrayRef<uint32_t> sizes);
  uint32_t getPlace(mlir::Value tensor, mlir::ValueRange indices);

  // Memory (EncodeMemory.cpp).
  void beginMemory(const MemoryLayout *given);
  void reserve(uint32_t block, uint32_t unit);
  void allocate(mlir::Value tensor, uint32_t type,
                llvm::ArrayRef<uint32_t> sizes);
  /// Emits the places of the results of the next call. The results must have registers.
  void allocateResults(mlir::Operation *call);
  uint32_t getUnit(mlir::Value tensor, uint32_t block);
  uint32_t multiplyOpenSizes(mlir::tensor::EmptyOp tensor);

  const KernelNumbers &kernels;
  Assembler assembler;
  const MemoryLayout *layout = nullptr;
  /// The register with the unit of each block that has been reserved.
  llvm::SmallVector<std::optional<uint32_t>> units;
  llvm::DenseMap<mlir::Value, uint32_t> registers;
  /// Literals and sizes that have a register in this block or those around it. A literal
  /// is a pair, since the greatest single number is not a valid key.
  llvm::ScopedHashTable<std::pair<int64_t, int>, uint32_t> literals;
  llvm::ScopedHashTable<std::pair<mlir::Value, int64_t>, uint32_t> sizes;
  /// Registers that have been checked to be equal.
  llvm::ScopedHashTable<std::pair<uint32_t, uint32_t>, bool> equalSizes;
  /// The objects that an operation is the last to use, in the block that defines them.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> lastUses;
  /// Registers and numbers of the constants that an operation is the first to use.
  llvm::DenseMap<mlir::Operation *,
                 llvm::SmallVector<std::pair<uint32_t, uint32_t>>>
      firstUses;
};

/// Whether a value is a number in the runtime, and not an object.
bool isNumber(mlir::Type type);
/// The tensor that a kernel writes and returns as this result.
mlir::Value getWritten(mlir::func::CallOp call, unsigned result);
/// Whether a list of sizes is only used as the target shape of a reshape.
bool isOnlyTarget(mlir::Value list);
/// Appends the length of the list, followed by its words.
void appendList(llvm::SmallVectorImpl<uint32_t> &operands,
                llvm::ArrayRef<uint32_t> list);
/// The number of an element type; index is int64.
std::optional<uint32_t> getDataType(mlir::Type element);

} // namespace invar

#endif // INVAR_LIB_PROGRAM_ENCODER_H
