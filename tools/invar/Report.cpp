// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.h"

#include "Commands.h"
#include "invar/Pipelines/Inspect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace invar;
using llvm::StringRef;

namespace {
/// A row for operators of one type.
struct Row {
  std::string name;
  size_t before = 0, after = 0;

  size_t change() const {
    return before > after ? before - after : after - before;
  }
};

class Table {
public:
  explicit Table(const Report &report)
      : report(report), result(report.result), os(llvm::outs()),
        colors(os.is_displayed() && os.has_colors() &&
               !llvm::sys::Process::GetEnv("NO_COLOR")) {
    for (auto &[name, count] : result.before.operators)
      rows.push_back({name, count, 0});
    for (auto &[name, count] : result.written.contents.operators) {
      auto *row =
          llvm::find_if(rows, [&](const Row &row) { return row.name == name; });
      if (row == rows.end())
        rows.push_back({name, 0, count});
      else
        row->after = count;
    }
    llvm::stable_sort(rows, [](const Row &a, const Row &b) {
      return std::pair(a.change(), a.before) > std::pair(b.change(), b.before);
    });
  }

  void print(bool showAll) {
    os << inOneLine(report.input)
       << (report.output.empty() ? "" : " -> " + inOneLine(report.output))
       << "\n";
    width = 12;
    for (const Row &row : rows)
      width = std::max(width, std::min<size_t>(row.name.size(), 40));
    printLine("", "before", "after");
    printOperators(showAll);
    const ModelContents &before = result.before,
                        &after = result.written.contents;
    printCounts("nodes", before.nodes, after.nodes);
    printCounts("constants", before.constants, after.constants);
    printBytes("  bytes", before.constantBytes, after.constantBytes);
    printBytes("file", result.inputBytes, result.written.modelBytes);
    printRest();
  }

private:
  void printLine(StringRef name, StringRef before, StringRef after,
                 int direction = 0) {
    os << "  " << llvm::left_justify(name, unsigned(width))
       << llvm::right_justify(before, 12);
    if (colors && direction)
      os.changeColor(direction < 0 ? llvm::raw_ostream::GREEN
                                   : llvm::raw_ostream::RED);
    os << llvm::right_justify(after, 12);
    if (colors && direction)
      os.resetColor();
    os << "\n";
  }

  static int compare(uint64_t before, uint64_t after) {
    return after < before ? -1 : after > before;
  }

  void printCounts(StringRef name, size_t before, size_t after) {
    printLine(name, std::to_string(before), std::to_string(after),
              compare(before, after));
  }

  void printBytes(StringRef name, uint64_t before, uint64_t after) {
    printLine(name, formatBytes(before), formatBytes(after),
              compare(before, after));
  }

  /// Prints as many operators as fit on a screen. Changed ones come first; most
  /// unchanged ones are summed up in one line.
  void printOperators(bool showAll) {
    constexpr size_t most = 24, mostUnchanged = 6;
    size_t changed =
        llvm::count_if(rows, [](const Row &row) { return row.change() != 0; });
    size_t shown =
        showAll
            ? rows.size()
            : std::min(most, std::min(changed + mostUnchanged, rows.size()));
    for (const Row &row : llvm::ArrayRef(rows).take_front(shown))
      printCounts(StringRef(inOneLine(row.name)).take_front(width), row.before,
                  row.after);
    Row rest;
    for (const Row &row : llvm::ArrayRef(rows).drop_front(shown)) {
      rest.before += row.before;
      rest.after += row.after;
    }
    if (size_t count = rows.size() - shown)
      printCounts(llvm::formatv("{0} others", count).str(), rest.before,
                  rest.after);
  }

  void printRest() {
    if (!result.written.dataFile.empty())
      printLine("data beside it", "", formatBytes(result.written.dataBytes));
    os << llvm::formatv("{0:F2} s, {1} of memory (anonymous)", result.seconds,
                        formatBytes(result.memory));
    if (result.simplified) {
      size_t folded = 0, kept = 0, applied = 0;
      for (const FoldDecision &decision : result.simplified->decisions)
        ++(decision.outcome <= FoldDecision::Absorbed ? folded : kept);
      for (auto &[name, rule] : result.simplified->rules)
        applied += rule.applied;
      os << "; rules applied: " << applied
         << "; operators of constants: " << folded << " folded, " << kept
         << " left" << (kept ? " (--explain says why)" : "");
    }
    os << "\n";
    if (result.shapes)
      os << "shapes of values: " << result.shapes->known << " known, "
         << result.shapes->symbolic << " symbolic, " << result.shapes->unknown
         << " unknown\n";
    if (!result.written.dataFile.empty() && !report.output.empty())
      os << "weights in " << inOneLine(result.written.dataFile) << "\n";
    printDifferences();
    if (report.output.empty())
      os << "nothing was written: no output was given\n";
  }

  /// Prints the outputs with the greatest differences.
  void printDifferences() {
    if (!report.checkRuns)
      return;
    os << "outputs agree on " << report.checkRuns
       << (report.checkRuns == 1 ? " input" : " inputs");
    std::vector<OutputDifference> apart = report.differences;
    llvm::erase_if(apart, [](const OutputDifference &difference) {
      return difference.absolute == 0 && !difference.isRandom;
    });
    llvm::stable_sort(apart,
                      [](auto &a, auto &b) { return a.relative > b.relative; });
    constexpr size_t most = 4;
    StringRef separator = apart.empty() ? ": no bit differs" : ": ";
    for (const OutputDifference &difference :
         llvm::ArrayRef(apart).take_front(most)) {
      os << std::exchange(separator, ", ") << "'" << inOneLine(difference.name)
         << "'";
      if (difference.isRandom)
        os << " is random";
      else
        os << llvm::formatv(" by {0:E1} at most ({1:E1} relatively)",
                            difference.absolute, difference.relative);
    }
    os << (apart.empty() ? separator : "")
       << (apart.size() > most ? ", others by less\n" : "\n");
  }

  const Report &report;
  const OptimizeResult &result;
  llvm::raw_ostream &os;
  bool colors;
  llvm::SmallVector<Row> rows;
  size_t width = 0;
};
} // namespace

void invar::printTable(const Report &report, bool showAll) {
  Table(report).print(showAll);
}

static std::string text(StringRef bytes) { return llvm::json::fixUTF8(bytes); }

static llvm::json::Object toJson(const ModelContents &contents) {
  llvm::json::Object operators;
  for (auto &[name, count] : contents.operators)
    operators[text(name)] = int64_t(count);
  return llvm::json::Object{
      {"nodes", int64_t(contents.nodes)},
      {"operators", std::move(operators)},
      {"constants", int64_t(contents.constants)},
      {"constant_bytes", int64_t(contents.constantBytes)}};
}

llvm::json::Object invar::toJson(const Report &report) {
  using llvm::json::Object;
  const OptimizeResult &result = report.result;
  Object object{{"input", text(report.input)},
                {"input_bytes", int64_t(result.inputBytes)},
                {"model_bytes", int64_t(result.written.modelBytes)},
                {"data_bytes", int64_t(result.written.dataBytes)},
                {"nodes_before", int64_t(result.before.nodes)},
                {"nodes_after", int64_t(result.written.contents.nodes)},
                {"before", ::toJson(result.before)},
                {"after", ::toJson(result.written.contents)},
                {"seconds", result.seconds},
                {"anonymous_memory_bytes", int64_t(result.memory)}};
  if (!report.output.empty())
    object["output"] = text(report.output);
  if (result.shapes)
    object["shapes"] = Object{{"known", int64_t(result.shapes->known)},
                              {"symbolic", int64_t(result.shapes->symbolic)},
                              {"unknown", int64_t(result.shapes->unknown)},
                              {"visits", int64_t(result.shapes->visits)}};
  if (result.simplified) {
    std::map<StringRef, int64_t> outcomes;
    for (const FoldDecision &decision : result.simplified->decisions)
      ++outcomes[getName(decision.outcome)];
    Object constants, rules;
    for (auto [name, count] : outcomes)
      constants[name] = count;
    int64_t tries = 0;
    for (auto &[name, rule] : result.simplified->rules) {
      tries += rule.tried;
      if (rule.applied)
        rules[name] = rule.applied;
    }
    object["rule_tries"] = tries;
    object["constants"] = std::move(constants);
    object["rules"] = std::move(rules);
  }
  if (report.checkRuns) {
    llvm::json::Array outputs;
    for (const OutputDifference &difference : report.differences)
      outputs.push_back(Object{{"name", text(difference.name)},
                               {"absolute", difference.absolute},
                               {"relative", difference.relative},
                               {"random", difference.isRandom}});
    object["check"] =
        Object{{"runs", report.checkRuns}, {"outputs", std::move(outputs)}};
  }
  return object;
}
