// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// invar-opt: runs passes over IR in text or bytecode, as mlir-opt does.
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Simplify/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<invar::onnx::ONNXDialect, invar::elements::ElementsDialect,
                  mlir::func::FuncDialect>();
  mlir::registerTransformsPasses();
  invar::registerInvarSimplifyPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Invar's optimizer driver\n", registry));
}
