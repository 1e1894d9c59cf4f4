// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `invar optimize` tells when it is done.
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

/// A table of before and after for people: at most a screen, unless all is wanted.
void printTable(const Report &report, bool showAll);

llvm::json::Object toJson(const Report &report);

// Explain.cpp

/// All rules, or those that are on or off.
enum class RuleChoice { All, On, Off };
void listRules(const RuleOptions &options, RuleChoice choice, bool asJson);

/// Which rules were applied, and what became of operators of constants.
void printExplanation(const SimplifyResult &result);
llvm::json::Object explainAsJson(const SimplifyResult &result);

/// Which nodes went and came, by what did it.
void printChanges(const SimplifyResult &result, bool showAll);
llvm::json::Object changesAsJson(const SimplifyResult &result);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_REPORT_H
