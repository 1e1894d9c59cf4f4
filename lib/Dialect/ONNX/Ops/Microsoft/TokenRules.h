// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_DIALECT_ONNX_OPS_MICROSOFT_TOKENRULES_H
#define INVAR_DIALECT_ONNX_OPS_MICROSOFT_TOKENRULES_H

#include "invar/Dialect/ONNX/Ops/Microsoft.h"
#include "invar/Kernels/Tokens.h"

namespace invar::onnx {

/// Converts a Tokenizer's attributes to the form that the kernel takes.
inline kernels::TokenRules getTokenRules(MSTokenizerOp op) {
  kernels::TokenRules rules;
  if (auto separators = op.getSeparators())
    for (mlir::Attribute separator : *separators)
      rules.separators.push_back(
          llvm::cast<mlir::StringAttr>(separator).getValue());
  rules.token = op.getTokenexp().value_or("");
  rules.minCharacters = op.getMincharnum();
  return rules;
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_OPS_MICROSOFT_TOKENRULES_H
