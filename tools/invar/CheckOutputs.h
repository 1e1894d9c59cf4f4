// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the outputs of two models on random inputs in onnxruntime: a Python program
// that is part of this one (check_outputs.py) is run by $INVAR_PYTHON or python3.
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
  /// On how many inputs; 0 is not to compare.
  int64_t runs = 0;
  /// Shapes of inputs by name; the one without a name is of the only input.
  std::map<std::string, std::vector<int64_t>> shapes;
  /// Files with the content of inputs by name.
  std::map<std::string, std::string> data;
  /// "random", "ones", "zeros" or "arange".
  std::string fill = "random";
  /// How far apart outputs may be; if not given, what suits their type.
  std::optional<double> relative, absolute;
  /// Operators that onnxruntime does not have itself.
  std::string library;
};

/// How far apart an output of both models was at most.
struct OutputDifference {
  std::string name;
  double absolute = 0, relative = 0;
  /// The original differs from itself by more: nothing can be said.
  bool isRandom = false;
};

/// Fails if outputs differ, or (OutOfResources) if there is nothing to run models with.
llvm::Expected<std::vector<OutputDifference>>
checkOutputs(llvm::StringRef original, llvm::StringRef written,
             const CheckRequest &request);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_CHECKOUTPUTS_H
