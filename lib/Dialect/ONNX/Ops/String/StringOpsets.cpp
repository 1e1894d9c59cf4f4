// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void invar::onnx::addStringAdapters(AdapterTable &table) {
  table.exist({{"ImageDecoder", 20},
               {"RegexFullMatch", 20},
               {"StringConcat", 20},
               {"StringNormalizer", 10},
               {"StringSplit", 20},
               {"TfIdfVectorizer", 9}});
}
