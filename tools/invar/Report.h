// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `invar optimize`.
#ifndef INVAR_TOOLS_INVAR_REPORT_H
#define INVAR_TOOLS_INVAR_REPORT_H

#include "CheckOutputs.h"
#include "invar/Pipelines/Optimize.h"
#include "llvm/Support/JSON.h"

namespace invar {

struct Report {
  llvm::StringRef input;
  /// Empty if nothing was written.
  llvm::StringRef output;
  const OptimizeResult &result;
  int64_t checkRuns = 0;
  std::vector<OutputDifference> differences;
};

/// Prints a table of before and after: at most a screen, unless `showAll` is set.
void printTable(const Report &report, bool showAll);

llvm::json::Object toJson(const Report &report);

// Explain.cpp

/// All rules, or only the enabled or disabled ones.
enum class RuleChoice { All, On, Off };
void listRules(const RuleOptions &options, RuleChoice choice, bool asJson);

/// The rules that were applied, and the fate of operators with constant operands.
void printExplanation(const SimplifyResult &result);
llvm::json::Object explainAsJson(const SimplifyResult &result);

/// The nodes that were removed and added, grouped by cause.
void printChanges(const SimplifyResult &result, bool showAll);
llvm::json::Object changesAsJson(const SimplifyResult &result);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_REPORT_H
