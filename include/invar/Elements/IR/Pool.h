// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool knows every lazy constant of a context; the collector asks it to free those
// that no operation reaches. That is all the garbage collection there is:
//
//   pool.collect(module)       after a pass: dispose what `module` does not mention
//   pool.dispose(attribute)    at once, by a driver that has erased the last user
//
// Invariant: an attribute that some live operation of `module` holds, however deep in
// arrays and dictionaries, is never disposed by collect(). An attribute held only by C++
// code across a pass is: hold its Elements instead.
//
// A collector can see a whole module only between passes on modules, since MLIR runs
// function passes in parallel: so passes on ONNX are ModuleOp passes.
#ifndef INVAR_ELEMENTS_IR_POOL_H
#define INVAR_ELEMENTS_IR_POOL_H

#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/DenseSet.h"
#include <mutex>

namespace invar::elements {

class Pool : public mlir::DialectInterface::Base<Pool> {
public:
  explicit Pool(mlir::Dialect *dialect) : Base(dialect) {}

  static Pool &get(mlir::MLIRContext *context);

  /// Constants that have content now.
  size_t size() const;

  /// Disposes every constant that `root` does not reach; returns how many.
  size_t collect(mlir::Operation *root);

  /// Disposes one constant that the caller knows to be unused.
  void dispose(LazyElementsAttr attribute);

private:
  friend class LazyElementsAttr;
  /// A number for a new constant: its identity.
  size_t nextId();
  void add(LazyElementsAttr attribute);

  mutable std::mutex mutex;
  llvm::DenseSet<mlir::Attribute> live;
  size_t lastId = 0;
};

/// Collects after every pass on a module: pm.addInstrumentation(…<Collector>()).
class Collector : public mlir::PassInstrumentation {
public:
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
};

/// Replaces every lazy constant below `root` by a dense one, for tools that know no
/// others.
void scrub(mlir::Operation *root);

/// Replaces every lazy constant of more than `most` elements below `root`, but no splat, by
/// one without content: `dense_resource<__elided__>`. For printing in a process that has no
/// MLIR options; with them, --mlir-elide-elementsattrs-if-larger does the same.
void elide(mlir::Operation *root, int64_t most);

} // namespace invar::elements

MLIR_DECLARE_EXPLICIT_TYPE_ID(invar::elements::Pool)

#endif // INVAR_ELEMENTS_IR_POOL_H
