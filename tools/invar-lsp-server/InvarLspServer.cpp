// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// invar-lsp-server: lets editors understand .mlir files with Invar's dialects.
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<invar::onnx::ONNXDialect, invar::elements::ElementsDialect,
                  mlir::func::FuncDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
