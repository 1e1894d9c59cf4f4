// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrigonometryFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Trigonometry.h"

using namespace invar;
using namespace invar::onnx;

void invar::onnx::addTrigonometryLowerings(LoweringTable &table) {
  table.add<AcosOp>(formula::Acos());
  table.add<AcoshOp>(formula::Acosh());
  table.add<AsinOp>(formula::Asin());
  table.add<AsinhOp>(formula::Asinh());
  table.add<AtanOp>(formula::Atan());
  table.add<AtanhOp>(formula::Atanh());
  table.add<CosOp>(formula::Cos());
  table.add<CoshOp>(formula::Cosh());
  table.add<SinOp>(formula::Sin());
  table.add<SinhOp>(formula::Sinh());
  table.add<TanOp>(formula::Tan());
  table.add<TanhOp>(formula::Tanh());
}
