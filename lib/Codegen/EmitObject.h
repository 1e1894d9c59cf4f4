// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes object files in memory from LLVM IR.
//
//   ObjectWriter writer(target);
//   std::optional<SmallString<0>> first = writer.write(module);
//   std::optional<SmallString<0>> second = writer.write(other);
//
// Building LLVM's pass pipeline takes as long as running it on a small kernel, so a
// writer builds it once. The output for a module does not depend on the modules written
// before.
#ifndef INVAR_LIB_CODEGEN_EMITOBJECT_H
#define INVAR_LIB_CODEGEN_EMITOBJECT_H

#include "invar/Codegen/Target.h"
#include "llvm/ADT/SmallString.h"
#include <memory>
#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace invar {

/// Writes objects for one processor. Only one thread at a time may use it.
class ObjectWriter {
public:
  explicit ObjectWriter(const CpuTarget &target);
  ~ObjectWriter();

  /// Optimizes a module and writes it as position-independent code. Returns none if the
  /// work of the thread is stopped (Stop/Scope.h).
  std::optional<llvm::SmallString<0>> write(llvm::Module &module);

private:
  class Passes;
  std::unique_ptr<Passes> passes;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_EMITOBJECT_H
