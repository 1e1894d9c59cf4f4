// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the rules, the applied rules, and the nodes that they changed.
#include "Commands.h"
#include "Report.h"
#include "invar/Pipelines/Inspect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace invar;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

void invar::listRules(const RuleOptions &options, RuleChoice choice,
                      bool asJson) {
  std::vector<const Rule *> rules;
  for (const Rule &rule : getRules())
    if (choice == RuleChoice::All ||
        options.isOn(rule) == (choice == RuleChoice::On))
      rules.push_back(&rule);
  if (asJson) {
    Array list;
    for (const Rule *rule : rules)
      list.push_back(Object{{"name", rule->name},
                            {"group", getName(rule->group)},
                            {"on", options.isOn(*rule)},
                            {"pattern", rule->pattern}});
    llvm::outs() << llvm::json::Value(std::move(list)) << "\n";
    return;
  }
  size_t width = 0;
  for (const Rule *rule : rules)
    width = std::max(width, rule->name.size());
  for (const Rule *rule : rules)
    llvm::outs() << llvm::left_justify(rule->name, unsigned(width) + 2)
                 << llvm::left_justify(getName(rule->group), 11)
                 << (options.isOn(*rule) ? "on   " : "off  ") << rule->pattern
                 << "\n";
}

/// The rules that were applied, the slowest first.
static std::vector<std::pair<StringRef, RuleStatistics>>
getApplied(const SimplifyResult &result) {
  std::vector<std::pair<StringRef, RuleStatistics>> applied;
  for (auto &[name, rule] : result.rules)
    if (rule.applied)
      applied.push_back({name, rule});
  llvm::sort(applied, [](auto &a, auto &b) {
    return std::pair(-a.second.microseconds, a.first) <
           std::pair(-b.second.microseconds, b.first);
  });
  return applied;
}

void invar::printExplanation(const SimplifyResult &result) {
  for (auto &[name, rule] : getApplied(result))
    llvm::outs() << llvm::formatv(
        "rule {0}: applied {1} times of {2}, {3:F1} us\n", name, rule.applied,
        rule.tried, rule.microseconds);
  for (const FoldDecision &decision : result.decisions) {
    llvm::outs() << llvm::left_justify(getName(decision.outcome), 9)
                 << inOneLine(decision.type) << " '" << inOneLine(decision.node)
                 << "': " << formatBytes(decision.bytesIn) << " -> "
                 << formatBytes(decision.bytesOut) << ", "
                 << llvm::formatv("{0:F1}", decision.microseconds) << " us";
    if (!decision.reason.empty())
      llvm::outs() << "; " << inOneLine(decision.reason);
    llvm::outs() << "\n";
  }
}

Object invar::explainAsJson(const SimplifyResult &result) {
  Object rules, times;
  for (auto &[name, rule] : getApplied(result))
    rules[name] = rule.applied;
  for (auto &[name, rule] : result.rules)
    times[name] = Object{{"tried", rule.tried},
                         {"applied", rule.applied},
                         {"microseconds", rule.microseconds}};
  Array decisions;
  for (const FoldDecision &decision : result.decisions)
    decisions.push_back(
        Object{{"outcome", getName(decision.outcome)},
               {"node", llvm::json::fixUTF8(decision.node)},
               {"operator", llvm::json::fixUTF8(decision.type)},
               {"bytes_in", int64_t(decision.bytesIn)},
               {"bytes_out", int64_t(decision.bytesOut)},
               {"microseconds", decision.microseconds},
               {"reason", llvm::json::fixUTF8(decision.reason)}});
  return Object{{"rules", std::move(rules)},
                {"rule_times", std::move(times)},
                {"constants", std::move(decisions)}};
}

/// The cause of a change. It is not recorded for a node that one rule created and
/// another changed.
static StringRef getCause(const NodeChange &change) {
  return change.cause.empty() ? StringRef("simplify") : change.cause;
}

void invar::printChanges(const SimplifyResult &result, bool showAll) {
  llvm::MapVector<StringRef, std::vector<const NodeChange *>> groups;
  for (const NodeChange &change : result.changes)
    groups[getCause(change)].push_back(&change);
  for (auto &[cause, changes] : groups) {
    size_t made = llvm::count_if(
        changes, [](const NodeChange *change) { return change->isNew; });
    llvm::outs() << cause << ": " << changes.size() - made << " nodes removed, "
                 << made << " added\n";
    constexpr size_t most = 10;
    size_t shown = showAll ? changes.size() : std::min(most, changes.size());
    for (const NodeChange *change : llvm::ArrayRef(changes).take_front(shown))
      llvm::outs() << (change->isNew ? "  + " : "  - ")
                   << inOneLine(change->type) << " '" << inOneLine(change->node)
                   << "'\n";
    if (shown < changes.size())
      llvm::outs() << "    " << changes.size() - shown
                   << " more; --verbose lists all\n";
  }
  if (groups.empty())
    llvm::outs() << "no node was removed or added\n";
}

Object invar::changesAsJson(const SimplifyResult &result) {
  Array went, came;
  for (const NodeChange &change : result.changes)
    (change.isNew ? came : went)
        .push_back(Object{{"node", llvm::json::fixUTF8(change.node)},
                          {"operator", llvm::json::fixUTF8(change.type)},
                          {"cause", getCause(change)}});
  return Object{{"removed", std::move(went)}, {"added", std::move(came)}};
}
