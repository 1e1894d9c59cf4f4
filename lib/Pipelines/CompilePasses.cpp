// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompilePasses.h"

#include "invar/Codegen/Passes.h"
#include "invar/Conversion/ONNXToLinalg/Passes.h"
#include "invar/Layout/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace invar;

void invar::addLinalgPasses(OpPassManager &manager) {
  manager.addPass(createONNXToLinalgPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void invar::addKernelPasses(OpPassManager &manager) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createChannelsLastPass());
  functions.addPass(createCSEPass());
  functions.addPass(createFoldTransposesPass());
  functions.addPass(createPackWeightsPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createOutlineKernelsPass());
}
