// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/LimitedBroadcast.h"
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void invar::onnx::addLogicAdapters(AdapterTable &table) {
  table.exist({{"BitShift", 11},
               {"BitwiseAnd", 18},
               {"BitwiseNot", 18},
               {"BitwiseOr", 18},
               {"BitwiseXor", 18}});
  for (StringRef op : {"And", "Or", "Xor"})
    table.add({op, 7, limitedBroadcastUp, limitedBroadcastDown});
}
