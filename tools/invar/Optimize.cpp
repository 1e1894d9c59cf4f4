// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Optimize.h"

#include "Commands.h"
#include "Options.h"
#include "invar/Pipelines/Inspect.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

/// One of two values of an option; the first if it is not given.
static llvm::Expected<bool> isSecond(const llvm::opt::InputArgList &arguments,
                                     ID option, StringRef first,
                                     StringRef second) {
  StringRef value = arguments.getLastArgValue(option, first);
  if (value != first && value != second)
    return badUsage("expected '" + first + "' or '" + second + "' for '" +
                    arguments.getLastArg(option)->getSpelling() +
                    "', but got '" + value + "'");
  return value == second;
}

/// The rules that an option names, each of which there is.
static llvm::Error readRules(const llvm::opt::InputArgList &arguments,
                             ID option, llvm::StringSet<> &names) {
  for (const std::string &list : arguments.getAllArgValues(option))
    for (StringRef name : llvm::split(list, ',')) {
      if (llvm::none_of(getRules(),
                        [&](const Rule &rule) { return rule.name == name; }))
        return badUsage("expected a rule, but got '" + name +
                        "'; 'invar optimize --list-rules' shows which there "
                        "are");
      names.insert(name);
    }
  return llvm::Error::success();
}

static llvm::Error readGrowth(const llvm::opt::InputArgList &arguments,
                              SimplifyOptions &simplify) {
  StringRef text = arguments.getLastArgValue(OPT_max_growth);
  if (text.empty())
    return llvm::Error::success();
  if (text.consume_back("%")) {
    double percent = 0;
    if (text.getAsDouble(percent) || !(percent >= 0))
      return badUsage("expected a part such as '10%' for '--max-growth', but "
                      "got '" +
                      text + "%'");
    simplify.growth.part = percent / 100;
    return llvm::Error::success();
  }
  return parseSize(text, "--max-growth").moveInto(simplify.growth.bytes);
}

/// How constants are propagated.
static llvm::Error readFolding(const llvm::opt::InputArgList &arguments,
                               OptimizeOptions &options) {
  SimplifyOptions &simplify = options.simplify;
  RuleOptions &rules = simplify.rules;
  bool isOff = false;
  if (llvm::Error error = isSecond(arguments, OPT_numerics, "exact", "wide")
                              .moveInto(rules.wide))
    return error;
  if (llvm::Error error =
          isSecond(arguments, OPT_fuse, "on", "off").moveInto(isOff))
    return error;
  rules.fuse = !isOff;
  simplify.fold->numerics =
      rules.wide ? onnx::Numerics::Wide : onnx::Numerics::Exact;
  simplify.fold->exactOnly = arguments.hasArg(OPT_exact_only);
  if (llvm::Error error = readRules(arguments, OPT_disable, rules.disabled))
    return error;
  if (llvm::Error error = readRules(arguments, OPT_enable, rules.enabled))
    return error;
  if (arguments.hasArg(OPT_decompose_batchnorm))
    rules.enabled.insert("decompose-batchnorm");
  if (llvm::Error error = readGrowth(arguments, simplify))
    return error;
  if (arguments.hasArg(OPT_memory_limit))
    if (llvm::Error error =
            parseSize(arguments.getLastArgValue(OPT_memory_limit),
                      "--memory-limit")
                .moveInto(options.memoryLimit))
      return error;
  llvm::Expected<int64_t> threads = getInt(arguments, OPT_threads, 0);
  if (!threads)
    return threads.takeError();
  if (*threads < 0 || *threads > 1024)
    return badUsage("expected up to 1024 threads, but got " +
                    llvm::Twine(*threads));
  options.threads = unsigned(*threads);
  return llvm::Error::success();
}

static void listRules(const RuleOptions &options) {
  size_t width = 0;
  for (const Rule &rule : getRules())
    width = std::max(width, rule.name.size());
  for (const Rule &rule : getRules())
    llvm::outs() << llvm::left_justify(rule.name, unsigned(width) + 2)
                 << (options.isOn(rule) ? "on   " : "off  ") << rule.pattern
                 << "\n";
}

static llvm::json::Object toJson(const FoldDecision &decision) {
  return llvm::json::Object{{"outcome", getName(decision.outcome)},
                            {"node", llvm::json::fixUTF8(decision.node)},
                            {"operator", llvm::json::fixUTF8(decision.type)},
                            {"bytes_in", int64_t(decision.bytesIn)},
                            {"bytes_out", int64_t(decision.bytesOut)},
                            {"microseconds", decision.microseconds},
                            {"reason", llvm::json::fixUTF8(decision.reason)}};
}

/// What became of the operators of constants, and which rules were applied.
static void explain(const SimplifyResult &result, bool asJson) {
  std::vector<StringRef> applied;
  for (auto &[name, rule] : result.rules)
    if (rule.applied)
      applied.push_back(name);
  llvm::sort(applied);
  if (asJson) {
    llvm::json::Object rules;
    for (StringRef rule : applied)
      rules[rule] = result.rules.lookup(rule).applied;
    llvm::json::Array decisions;
    for (const FoldDecision &decision : result.decisions)
      decisions.push_back(toJson(decision));
    llvm::outs() << llvm::json::Value(
                        llvm::json::Object{{"rules", std::move(rules)},
                                           {"constants", std::move(decisions)}})
                 << "\n";
    return;
  }
  for (StringRef rule : applied)
    llvm::outs() << "rule " << rule << ": applied "
                 << result.rules.lookup(rule).applied << " times\n";
  for (const FoldDecision &decision : result.decisions) {
    llvm::outs() << llvm::left_justify(getName(decision.outcome), 9)
                 << inOneLine(decision.type) << " '" << inOneLine(decision.node)
                 << "': " << formatBytes(decision.bytesIn) << " -> "
                 << formatBytes(decision.bytesOut) << ", "
                 << llvm::format("%.1f", decision.microseconds) << " us";
    if (!decision.reason.empty())
      llvm::outs() << "; " << inOneLine(decision.reason);
    llvm::outs() << "\n";
  }
}

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
      OPT_passes, aboutShapes ? "infer-shapes,simplify" : "simplify");
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
  if (llvm::Error error = readFolding(arguments, options))
    return error;
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
        {"nodes_before", int64_t(result.before.nodes)},
        {"nodes_after", int64_t(result.written.contents.nodes)}};
    if (result.shapes)
      object["shapes"] =
          llvm::json::Object{{"known", int64_t(result.shapes->known)},
                             {"symbolic", int64_t(result.shapes->symbolic)},
                             {"unknown", int64_t(result.shapes->unknown)},
                             {"visits", int64_t(result.shapes->visits)}};
    if (result.simplified) {
      llvm::json::Object constants;
      for (const FoldDecision &decision : result.simplified->decisions)
        constants.try_emplace(getName(decision.outcome), int64_t(0));
      for (const FoldDecision &decision : result.simplified->decisions) {
        llvm::json::Value &count = constants[getName(decision.outcome)];
        count = *count.getAsInteger() + 1;
      }
      object["constants"] = std::move(constants);
      llvm::json::Object rules;
      for (auto &[name, rule] : result.simplified->rules)
        if (rule.applied)
          rules[name] = rule.applied;
      object["rules"] = std::move(rules);
    }
    if (!result.written.dataFile.empty())
      object["data_file"] = llvm::json::fixUTF8(result.written.dataFile);
    llvm::outs() << llvm::json::Value(std::move(object)) << "\n";
    return;
  }
  llvm::outs() << output << ": " << formatBytes(bytes) << ", "
               << result.written.contents.nodes << " nodes (" << input << ": "
               << formatBytes(result.inputBytes) << ", " << result.before.nodes
               << " nodes)\n";
  if (result.shapes)
    llvm::outs() << "  shapes of values: " << result.shapes->known << " known, "
                 << result.shapes->symbolic << " symbolic, "
                 << result.shapes->unknown << " unknown\n";
  if (result.simplified) {
    size_t folded = 0, kept = 0, applied = 0;
    for (const FoldDecision &decision : result.simplified->decisions)
      ++(decision.outcome <= FoldDecision::Absorbed ? folded : kept);
    for (auto &[name, rule] : result.simplified->rules)
      applied += rule.applied;
    llvm::outs() << "  operators of constants: " << folded << " folded, "
                 << kept
                 << " left (--explain says why); rules applied: " << applied
                 << "\n";
  }
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
  llvm::Expected<OptimizeOptions> options = readOptions(*list);
  if (!options)
    return options.takeError();
  if (list->hasArg(OPT_list_rules)) {
    listRules(options->simplify.rules);
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
  llvm::Expected<OptimizeResult> result = [&] {
    Progress progress;
    return optimize(inputs[0], output, *options, progress);
  }();
  if (!result)
    return result.takeError();
  for (const std::string &warning : result->warnings)
    llvm::errs() << "warning: " << inOneLine(warning) << "\n";
  // What goes to standard output is the model then.
  if (output == "/dev/stdout")
    return llvm::Error::success();
  if (result->simplified && list->hasArg(OPT_explain, OPT_explain_eq))
    explain(*result->simplified, list->hasArg(OPT_explain_eq));
  if (!list->hasArg(OPT_quiet) && !list->hasArg(OPT_explain_eq))
    report(*result, inputs[0], output, list->hasArg(OPT_json));
  return llvm::Error::success();
}
