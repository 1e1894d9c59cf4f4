// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the summary of a model as JSON and as a table.
#include "invar/Pipelines/Inspect.h"

#include "invar/Files/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace invar;
using llvm::StringRef;

std::string invar::formatBytes(uint64_t bytes) {
  constexpr const char *units[] = {"B", "kB", "MB", "GB", "TB"};
  double amount = double(bytes);
  size_t unit = 0;
  for (; amount >= 999.5 && unit + 1 < std::size(units); ++unit)
    amount /= 1000;
  if (unit == 0)
    return llvm::formatv("{0} B", bytes);
  return llvm::formatv(amount < 10 ? "{0:F1} {1}" : "{0:F0} {1}", amount,
                       units[unit]);
}

/// Text that is valid in JSON: names in a model may contain any bytes.
static std::string text(StringRef bytes) { return llvm::json::fixUTF8(bytes); }

llvm::json::Value invar::toJson(const ModelSummary &summary) {
  using llvm::json::Array;
  using llvm::json::Object;
  Object opsets;
  for (auto &[domain, version] : summary.opsets)
    opsets[text(domain)] = version;
  auto values = [](const std::vector<ValueSummary> &list) {
    Array array;
    for (const ValueSummary &value : list)
      array.push_back(
          Object{{"name", text(value.name)}, {"type", text(value.type)}});
    return array;
  };
  auto texts = [](const std::vector<std::string> &list) {
    Array array;
    for (const std::string &line : list)
      array.push_back(text(line));
    return array;
  };
  Array operators, constants, listing;
  for (const NodeSummary &node : summary.listing)
    listing.push_back(Object{{"name", text(node.name)},
                             {"type", text(node.type)},
                             {"depth", int64_t(node.depth)},
                             {"outputs", values(node.outputs)}});
  for (const OperatorSummary &op : summary.operators) {
    Object entry{{"domain", text(op.domain)},
                 {"name", text(op.name)},
                 {"count", int64_t(op.count)}};
    if (op.opaque) {
      entry["opaque"] = int64_t(op.opaque);
      entry["reason"] = text(op.reason);
    }
    operators.push_back(std::move(entry));
  }
  for (const ConstantSummary &constant : summary.constants) {
    Object entry{{"name", text(constant.name)},
                 {"type", constant.type},
                 {"bytes", int64_t(constant.bytes)},
                 {"kind", constant.kind}};
    if (!constant.file.empty())
      entry["file"] = text(constant.file);
    constants.push_back(std::move(entry));
  }
  return Object{
      {"path", text(summary.path)},
      {"file_bytes", int64_t(summary.fileBytes)},
      {"ir_version", summary.irVersion},
      {"producer", text(summary.producer)},
      {"graph", text(summary.graphName)},
      {"opsets", std::move(opsets)},
      {"inputs", values(summary.inputs)},
      {"outputs", values(summary.outputs)},
      {"nodes", int64_t(summary.nodes)},
      {"subgraphs", int64_t(summary.subgraphs)},
      {"functions", int64_t(summary.functions)},
      {"shapes", Object{{"known", int64_t(summary.shapes.known)},
                        {"symbolic", int64_t(summary.shapes.symbolic)},
                        {"unknown", int64_t(summary.shapes.unknown)}}},
      {"shape_error", text(summary.shapeError)},
      {"shape_warnings", texts(summary.shapeWarnings)},
      {"listing", std::move(listing)},
      {"constant_bytes", int64_t(summary.constantBytes)},
      {"operators", std::move(operators)},
      {"constants", std::move(constants)}};
}

void invar::print(const ModelSummary &summary, size_t mostConstants,
                  llvm::raw_ostream &os) {
  os << makePrintable(summary.path) << "  " << formatBytes(summary.fileBytes);
  if (!summary.producer.empty())
    os << ", by " << makePrintable(summary.producer, 40);
  os << "\n  IR version " << summary.irVersion << ", opset";
  for (auto &[domain, version] : summary.opsets)
    os << " " << makePrintable(domain, 40) << " " << version;
  os << "\n\n";
  auto printValues = [&](StringRef title,
                         const std::vector<ValueSummary> &list) {
    for (auto [i, value] : llvm::enumerate(list))
      os << llvm::format("%-8s", i == 0 ? title.data() : "")
         << makePrintable(value.name, 48) << " : "
         << makePrintable(value.type, 60) << "\n";
  };
  printValues("inputs", summary.inputs);
  printValues("outputs", summary.outputs);

  for (const std::string &warning : summary.shapeWarnings)
    os << "  note: " << makePrintable(warning, 150) << "\n";
  if (!summary.shapeError.empty())
    os << "\nshapes cannot be inferred: "
       << makePrintable(summary.shapeError, 400) << "\n";
  else
    os << "\nshapes of values: " << summary.shapes.known << " known, "
       << summary.shapes.symbolic << " symbolic, " << summary.shapes.unknown
       << " unknown; --shapes lists them\n";

  os << "\n" << summary.nodes << " nodes";
  if (summary.subgraphs)
    os << " in " << summary.subgraphs + 1 << " graphs";
  if (summary.functions)
    os << ", " << summary.functions << " functions";
  os << "\n";
  for (const OperatorSummary &op : summary.operators) {
    os << llvm::format("%7zu  ", op.count)
       << (op.domain.empty() ? "" : makePrintable(op.domain, 30) + ".")
       << makePrintable(op.name, 40);
    if (op.opaque)
      os << "   (" << op.opaque
         << " passed through: " << makePrintable(op.reason, 60) << ")";
    os << "\n";
  }
  os << "\n"
     << summary.constants.size() << " constants, "
     << formatBytes(summary.constantBytes) << "\n";
  for (const ConstantSummary &constant :
       llvm::ArrayRef(summary.constants).take_front(mostConstants)) {
    double share = summary.constantBytes ? 100.0 * double(constant.bytes) /
                                               double(summary.constantBytes)
                                         : 0;
    os << llvm::formatv("{0,9}  {1,5:F1} %  ", formatBytes(constant.bytes),
                        share)
       << makePrintable(constant.name, 40) << " : "
       << makePrintable(constant.type, 60);
    if (constant.kind != "initializer")
      os << "  (" << constant.kind << ")";
    os << "\n";
  }
  if (summary.constants.size() > mostConstants)
    os << "          " << summary.constants.size() - mostConstants
       << " more; --constants=N lists more\n";
}

void invar::printListing(const ModelSummary &summary, llvm::raw_ostream &os) {
  for (const ValueSummary &input : summary.inputs)
    os << llvm::format("%-20s ", "input") << makePrintable(input.name, 60)
       << " : " << makePrintable(input.type, 200) << "\n";
  for (const NodeSummary &node : summary.listing) {
    std::string type(2 * node.depth, ' ');
    type += makePrintable(node.type, 40);
    for (const ValueSummary &output : node.outputs) {
      os << llvm::format("%-20s ", type.c_str())
         << makePrintable(output.name, 60) << " : "
         << makePrintable(output.type, 200) << "\n";
      type.clear();
    }
  }
}
