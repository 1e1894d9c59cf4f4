// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM's IR to object files in memory.
//
//   ObjectWriter writer(target);
//   SmallString<0> first = writer.write(module), second = writer.write(other);
//
// To put LLVM's list of passes together takes as long as to run it on a small kernel, so a
// writer does it once. What it writes does not depend on what it wrote before.
#ifndef INVAR_LIB_CODEGEN_EMITOBJECT_H
#define INVAR_LIB_CODEGEN_EMITOBJECT_H

#include "invar/Codegen/Target.h"
#include "llvm/ADT/SmallString.h"
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace invar {

/// Writes objects for one processor; one thread at a time may use it.
class ObjectWriter {
public:
  explicit ObjectWriter(const CpuTarget &target);
  ~ObjectWriter();

  /// Optimizes a module and writes it as position-independent code.
  llvm::SmallString<0> write(llvm::Module &module);

private:
  class Passes;
  std::unique_ptr<Passes> passes;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_EMITOBJECT_H
