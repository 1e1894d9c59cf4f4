// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Optimize.h"

#include "Commands.h"
#include "Options.h"
#include "invar/Pipelines/Inspect.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

static llvm::Expected<OptimizeOptions>
readOptions(const llvm::opt::InputArgList &arguments) {
  OptimizeOptions options;
  llvm::Expected<onnx::ShapeFacts> facts = getFacts(arguments);
  if (!facts)
    return facts.takeError();
  options.facts = std::move(*facts);
  options.requireStatic = arguments.hasArg(OPT_require_static);
  bool aboutShapes = options.requireStatic || !options.facts.shapes.empty() ||
                     !options.facts.ranges.empty();
  StringRef passes = arguments.getLastArgValue(
      OPT_passes, aboutShapes ? "infer-shapes,constprop" : "constprop");
  for (StringRef pass : llvm::split(passes, ','))
    options.passes.push_back(pass.str());
  if (aboutShapes && options.passes == std::vector<std::string>{"none"})
    return badUsage(
        "expected '--passes' to have 'infer-shapes' or 'constprop', "
        "which facts about shapes are for, but got '" +
        passes + "'");
  for (const std::string &pass : options.passes)
    if (!llvm::is_contained(getPassNames(), pass))
      return badUsage("expected passes among '" +
                      llvm::join(getPassNames(), "', '") + "', but got '" +
                      pass + "'");
  if (const llvm::opt::Arg *data =
          arguments.getLastArg(OPT_external_data, OPT_external_data_eq)) {
    options.output.placement = DataPlacement::External;
    StringRef where = data->getNumValues() ? data->getValue() : "";
    if (where == "reference")
      options.output.placement = DataPlacement::Reference;
    else
      options.output.dataFile = where.str();
  }
  if (arguments.hasArg(OPT_opset)) {
    llvm::Expected<int64_t> opset = getInt(arguments, OPT_opset, 0);
    if (!opset)
      return opset.takeError();
    options.output.opset = *opset;
  }
  options.output.durable = arguments.hasArg(OPT_durable);
  options.forgetSource = arguments.hasArg(OPT_forget_source);
  return options;
}

static void report(const OptimizeResult &result, StringRef input,
                   StringRef output, bool asJson) {
  uint64_t bytes = result.written.modelBytes + result.written.dataBytes;
  if (asJson) {
    llvm::json::Object object{
        {"input", llvm::json::fixUTF8(input)},
        {"output", llvm::json::fixUTF8(output)},
        {"input_bytes", int64_t(result.inputBytes)},
        {"model_bytes", int64_t(result.written.modelBytes)},
        {"data_bytes", int64_t(result.written.dataBytes)},
        {"nodes_before", int64_t(result.nodesBefore)},
        {"nodes_after", int64_t(result.nodesAfter)}};
    if (result.shapes)
      object["shapes"] =
          llvm::json::Object{{"known", int64_t(result.shapes->known)},
                             {"symbolic", int64_t(result.shapes->symbolic)},
                             {"unknown", int64_t(result.shapes->unknown)},
                             {"visits", int64_t(result.shapes->visits)}};
    if (!result.written.dataFile.empty())
      object["data_file"] = llvm::json::fixUTF8(result.written.dataFile);
    llvm::outs() << llvm::json::Value(std::move(object)) << "\n";
    return;
  }
  llvm::outs() << output << ": " << formatBytes(bytes) << ", "
               << result.nodesAfter << " nodes (" << input << ": "
               << formatBytes(result.inputBytes) << ", " << result.nodesBefore
               << " nodes)\n";
  if (result.shapes)
    llvm::outs() << "  shapes of values: " << result.shapes->known << " known, "
                 << result.shapes->symbolic << " symbolic, "
                 << result.shapes->unknown << " unknown\n";
  if (!result.written.dataFile.empty())
    llvm::outs() << "  weights in " << result.written.dataFile << ", "
                 << formatBytes(result.written.dataBytes) << "\n";
}

llvm::Error invar::runOptimize(llvm::ArrayRef<const char *> arguments) {
  auto list = parse(OptimizeOption, arguments);
  if (!list)
    return list.takeError();
  if (list->hasArg(OPT_help)) {
    printHelp(
        OptimizeOption, "invar optimize IN -o OUT [options]",
        "Reads the model IN, runs passes over it, and writes it to OUT. OUT "
        "appears whole or not at all");
    return llvm::Error::success();
  }
  std::vector<std::string> inputs = list->getAllArgValues(OPT_INPUT);
  StringRef output = list->getLastArgValue(OPT_output);
  if (inputs.size() == 2 && output.empty()) {
    output = inputs[1];
  } else if (inputs.size() != 1) {
    return badUsage("expected one model, but got " +
                    llvm::Twine(inputs.size()) +
                    "; 'invar optimize --help' shows how");
  }
  if (output.empty())
    return badUsage("expected '-o OUT', but got no output");
  llvm::Expected<OptimizeOptions> options = readOptions(*list);
  if (!options)
    return options.takeError();
  llvm::Expected<OptimizeResult> result = [&] {
    Progress progress;
    return optimize(inputs[0], output, *options, progress);
  }();
  if (!result)
    return result.takeError();
  for (const std::string &warning : result->warnings)
    llvm::errs() << "warning: " << inOneLine(warning) << "\n";
  // What goes to standard output is the model then.
  if (!list->hasArg(OPT_quiet) && output != "/dev/stdout")
    report(*result, inputs[0], output, list->hasArg(OPT_json));
  return llvm::Error::success();
}
