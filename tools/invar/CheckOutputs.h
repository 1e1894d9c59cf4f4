// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the outputs of two models on random inputs in onnxruntime. $INVAR_PYTHON or
// python3 runs a Python program that is embedded in this one (check_outputs.py).
#ifndef INVAR_TOOLS_INVAR_CHECKOUTPUTS_H
#define INVAR_TOOLS_INVAR_CHECKOUTPUTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace invar {

struct CheckRequest {
  /// The number of inputs to compare on; 0 disables the comparison.
  int64_t runs = 0;
  /// Shapes of inputs by name. The entry without a name is for the only input.
  std::map<std::string, std::vector<int64_t>> shapes;
  /// Files with the content of inputs by name.
  std::map<std::string, std::string> data;
  /// "random", "ones", "zeros" or "arange".
  std::string fill = "random";
  /// The allowed differences; if not given, defaults that depend on the type.
  std::optional<double> relative, absolute;
  /// A library with operators that onnxruntime lacks.
  std::string library;
};

/// The maximum difference of an output between both models.
struct OutputDifference {
  std::string name;
  double absolute = 0, relative = 0;
  /// Two runs of the original model differ by more than the tolerance, so no verdict is
  /// possible.
  bool isRandom = false;
};

/// Fails if outputs differ, or with OutOfResources if onnxruntime is missing.
llvm::Expected<std::vector<OutputDifference>>
checkOutputs(llvm::StringRef original, llvm::StringRef written,
             const CheckRequest &request);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_CHECKOUTPUTS_H
