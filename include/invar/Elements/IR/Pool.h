// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool knows every lazy constant of a context. The collector uses it to free the
// constants that no operation reaches. There is no other garbage collection:
//
//   pool.collect(module)       after a pass: disposes constants that `module` does not use
//   pool.dispose(attribute)    immediately, by a driver that has erased the last user
//
// Invariant: collect() never disposes an attribute that a live operation of `module`
// holds, however deep in arrays and dictionaries. It does dispose an attribute that
// only C++ code holds across a pass: hold its Elements instead.
//
// A collector can see a whole module only between passes on modules, because MLIR runs
// function passes in parallel. Therefore passes on ONNX are ModuleOp passes.
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

  /// The number of constants that have content now.
  size_t size() const;

  /// Disposes every constant that `root` does not reach. Returns their number.
  size_t collect(mlir::Operation *root);

  /// Disposes one constant. The caller must know that it is unused.
  void dispose(LazyElementsAttr attribute);

private:
  friend class LazyElementsAttr;
  /// The identity of a new constant.
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

/// Replaces every lazy constant below `root` by a dense one, for tools that support
/// only dense attributes.
void scrub(mlir::Operation *root);

/// Replaces every lazy constant below `root` that has more than `most` elements and is
/// not a splat by one without content: `dense_resource<__elided__>`. For printing in a
/// process without MLIR options; with them, --mlir-elide-elementsattrs-if-larger does
/// the same.
void elide(mlir::Operation *root, int64_t most);

} // namespace invar::elements

MLIR_DECLARE_EXPLICIT_TYPE_ID(invar::elements::Pool)

#endif // INVAR_ELEMENTS_IR_POOL_H
