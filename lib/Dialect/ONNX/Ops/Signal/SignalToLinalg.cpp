// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplify decomposes the windows (decompose-blackman-window, decompose-hamming-window,
// decompose-hann-window).
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Signal.h"

using namespace invar::onnx;

void invar::onnx::addSignalLowerings(LoweringTable &table) {
  table.addCall<DFTOp>();
  table.addCall<MelWeightMatrixOp>();
  table.addCall<STFTOp>();
}
