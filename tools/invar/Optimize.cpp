// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Optimize.h"

#include "Commands.h"
#include "Compatibility.h"
#include "Interrupt.h"
#include "Options.h"
#include "Report.h"
#include "Sandbox.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

/// Whether an option has the second of two values; false if it is not given.
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

/// Reads the rules that an option names, and checks that they exist.
static llvm::Error readRules(const llvm::opt::InputArgList &arguments,
                             ID option, llvm::StringSet<> &names) {
  for (const std::string &name : getNames(arguments, option)) {
    if (llvm::none_of(getRules(),
                      [&](const Rule &rule) { return rule.name == name; }))
      return badUsage("expected a rule, but got '" + name +
                      "'; 'invar optimize --list-rules' shows which there are");
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

/// Reads the options of constant folding.
static llvm::Error readFolding(const llvm::opt::InputArgList &arguments,
                               OptimizeOptions &options) {
  SimplifyOptions &simplify = options.simplify;
  RuleOptions &rules = simplify.rules;
  simplify.fold->exactOnly = arguments.hasArg(OPT_exact_only);
  rules.decompose = arguments.hasArg(OPT_decompose);
  if (llvm::Error error = isSecond(arguments, OPT_numerics, "exact", "wide")
                              .moveInto(rules.wide))
    return error;
  // With --exact-only, nothing is fused into weights unless requested.
  StringRef usual = simplify.fold->exactOnly ? "off" : "on";
  StringRef other = simplify.fold->exactOnly ? "on" : "off";
  for (auto [option, isOn] : {std::pair(OPT_fuse, &rules.fuse),
                              std::pair(OPT_recompose, &rules.recompose)}) {
    bool isOther = false;
    if (llvm::Error error =
            isSecond(arguments, option, usual, other).moveInto(isOther))
      return error;
    *isOn = isOther == simplify.fold->exactOnly;
  }
  simplify.fold->numerics =
      rules.wide ? onnx::Numerics::Wide : onnx::Numerics::Exact;
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

/// Reads the passes. Facts about shapes need a pass that infers shapes.
static llvm::Error readPasses(const llvm::opt::InputArgList &arguments,
                              OptimizeOptions &options) {
  StringRef passes = arguments.getLastArgValue(OPT_passes, "simplify");
  for (StringRef pass : llvm::split(passes, ','))
    options.passes.push_back(pass.str());
  if (options.isAboutShapes() &&
      options.passes == std::vector<std::string>{"none"})
    return badUsage("expected '--passes' to have 'infer-shapes' or 'simplify', "
                    "which facts about shapes are for, but got '" +
                    passes + "'");
  for (const std::string &pass : options.passes)
    if (!llvm::is_contained(getPassNames(), pass))
      return badUsage("expected passes among '" +
                      llvm::join(getPassNames(), "', '") + "', but got '" +
                      pass + "'");
  return llvm::Error::success();
}

/// Reads the options of the output.
static llvm::Error readOutput(const llvm::opt::InputArgList &arguments,
                              ExportOptions &output) {
  if (const llvm::opt::Arg *data =
          arguments.getLastArg(OPT_external_data, OPT_external_data_eq)) {
    output.placement = DataPlacement::External;
    StringRef where = data->getNumValues() ? data->getValue() : "";
    if (where == "reference")
      output.placement = DataPlacement::Reference;
    else
      output.dataFile = where.str();
  }
  if (const llvm::opt::Arg *opset =
          arguments.getLastArg(OPT_opset, OPT_target_opset)) {
    if (StringRef(opset->getValue()) == "latest") {
      output.opset = onnx::newestOpset;
      return llvm::Error::success();
    }
    llvm::Expected<int64_t> number =
        parseInt(opset->getValue(), opset->getSpelling().rtrim('='));
    if (!number)
      return number.takeError();
    output.opset = *number;
  }
  return llvm::Error::success();
}

static llvm::Error readOptions(const llvm::opt::InputArgList &arguments,
                               OptimizeOptions &options, CheckRequest &check,
                               std::vector<std::string> &notes) {
  llvm::Expected<onnx::ShapeFacts> facts = getFacts(arguments);
  if (!facts)
    return facts.takeError();
  options.facts = std::move(*facts);
  options.strict = arguments.hasArg(OPT_strict);
  options.requireStatic = arguments.hasArg(OPT_require_static);
  if (llvm::Error error = readFolding(arguments, options))
    return error;
  if (llvm::Error error = readOutput(arguments, options.output))
    return error;
  options.output.durable = arguments.hasArg(OPT_durable);
  options.forgetSource = arguments.hasArg(OPT_forget_source);
  options.cut.inputs = getNames(arguments, OPT_inputs);
  options.cut.outputs = getNames(arguments, OPT_outputs);
  options.cut.unusedOutputs = getNames(arguments, OPT_unused_output);
  options.cut.fixDefaults = arguments.hasArg(OPT_fix_defaults);
  options.simplify.record =
      arguments.hasArg(OPT_diff, OPT_diff_eq, OPT_explain, OPT_explain_eq);
  if (llvm::Error error = readCompatibility(arguments, options, check, notes))
    return error;
  return readPasses(arguments, options);
}

/// Reads the paths of the models, and the number of checks.
static llvm::Error readModels(const llvm::opt::InputArgList &arguments,
                              std::string &input, std::string &output,
                              CheckRequest &check) {
  std::vector<std::string> given = arguments.getAllArgValues(OPT_INPUT);
  output = arguments.getLastArgValue(OPT_output);
  // IN OUT N, as in onnxsim.
  std::string count;
  if (given.size() == 3 && output.empty() &&
      llvm::all_of(given[2], llvm::isDigit)) {
    count = given.back();
    given.pop_back();
  }
  if (const llvm::opt::Arg *argument =
          arguments.getLastArg(OPT_check, OPT_check_eq))
    count = argument->getNumValues() ? argument->getValue() : "1";
  if (!count.empty())
    if (llvm::Error error = parseInt(count, "--check").moveInto(check.runs))
      return error;
  if (check.runs < 0)
    return badUsage("expected a number from 0 for '--check', but got " +
                    llvm::Twine(check.runs));
  if (given.size() == 2 && output.empty()) {
    output = given[1];
    given.pop_back();
  }
  if (given.size() != 1) {
    std::string hint = "; 'invar optimize --help' shows how";
    for (const llvm::opt::Arg *argument : arguments)
      if (given.empty() && argument->getOption().hasFlag(llvm::opt::HelpHidden))
        hint = "; models stand before options that take several values";
    return badUsage("expected one model, but got " + llvm::Twine(given.size()) +
                    hint);
  }
  input = given[0];
  if (check.runs && (output.empty() || output == "/dev/stdout"))
    return badUsage("expected an output that can be looked at before it "
                    "appears for '--check', but got " +
                    (output.empty() ? "none" : "'" + output + "'"));
  return llvm::Error::success();
}

/// Handles help, version and --inspect. Returns none if none of them is given.
static std::optional<llvm::Error>
runOther(const llvm::opt::InputArgList &arguments) {
  if (arguments.hasArg(OPT_help, OPT_help_all)) {
    printHelp(OptimizeOption,
              "invar optimize IN OUT [options]     (IN alone: report, and "
              "write nothing)",
              "Simplifies the model IN and writes it to OUT, which appears "
              "whole or not at all.",
              arguments.hasArg(OPT_help_all));
    return llvm::Error::success();
  }
  if (arguments.hasArg(OPT_version)) {
    llvm::outs() << "invar " INVAR_VERSION "\n";
    return llvm::Error::success();
  }
  if (arguments.hasArg(OPT_inspect)) {
    for (const std::string &input : arguments.getAllArgValues(OPT_INPUT))
      if (llvm::Error error = runInspect(input.c_str()))
        return error;
    return llvm::Error::success();
  }
  return std::nullopt;
}

/// Prints the requested reports. --explain=json and --diff=json print only their own
/// JSON value, because two values would not be valid JSON.
static void tell(const llvm::opt::InputArgList &arguments,
                 const Report &report) {
  static const SimplifyResult none;
  const SimplifyResult &simplified =
      report.result.simplified ? *report.result.simplified : none;
  auto print = [](llvm::json::Object object) {
    llvm::outs() << llvm::json::Value(std::move(object)) << "\n";
  };
  if (arguments.hasArg(OPT_explain_eq))
    return print(explainAsJson(simplified));
  if (arguments.hasArg(OPT_diff_eq))
    return print(changesAsJson(simplified));
  if (arguments.hasArg(OPT_json)) {
    llvm::json::Object object = toJson(report);
    if (arguments.hasArg(OPT_diff))
      object["changes"] = changesAsJson(simplified);
    if (arguments.hasArg(OPT_explain))
      object["explanation"] = explainAsJson(simplified);
    return print(std::move(object));
  }
  if (arguments.hasArg(OPT_explain))
    printExplanation(simplified);
  if (arguments.hasArg(OPT_diff))
    printChanges(simplified, arguments.hasArg(OPT_verbose));
  if (!arguments.hasArg(OPT_quiet))
    printTable(report, arguments.hasArg(OPT_verbose));
}

static llvm::Error confine(const llvm::opt::InputArgList &arguments,
                           StringRef input, StringRef output,
                           const CheckRequest &check,
                           OptimizeOptions &options) {
  if (check.runs) {
    if (arguments.hasArg(OPT_sandbox))
      return badUsage("expected '--sandbox' without '--check', which starts "
                      "Python");
    return llvm::Error::success();
  }
  // Create the spill file first: its folder is not accessible in the sandbox.
  llvm::Expected<std::shared_ptr<SpillFile>> spill = SpillFile::create();
  if (spill)
    options.spill = std::move(*spill);
  else if (options.memoryLimit != MemoryBudget::noLimit)
    return spill.takeError();
  else
    llvm::consumeError(spill.takeError());
  SandboxRules rules;
  rules.addInput(input);
  if (!output.empty())
    rules.addOutput(output);
  return enterSandbox(arguments, rules);
}

llvm::Error invar::runOptimize(llvm::ArrayRef<const char *> arguments) {
  llvm::BumpPtrAllocator storage;
  llvm::StringSaver strings(storage);
  auto list = parse(OptimizeOption, arguments, strings);
  if (!list)
    return list.takeError();
  if (std::optional<llvm::Error> done = runOther(*list))
    return std::move(*done);
  OptimizeOptions options;
  CheckRequest check;
  std::vector<std::string> notes = getNotes(*list);
  if (llvm::Error error = readOptions(*list, options, check, notes))
    return error;
  if (const llvm::opt::Arg *lists = list->getLastArg(
          OPT_list_rules, OPT_list_rules_eq, OPT_list_default_optimizers,
          OPT_list_other_optimizers)) {
    listRules(options.simplify.rules,
              lists->getOption().matches(OPT_list_default_optimizers)
                  ? RuleChoice::On
              : lists->getOption().matches(OPT_list_other_optimizers)
                  ? RuleChoice::Off
                  : RuleChoice::All,
              lists->getNumValues() != 0);
    return llvm::Error::success();
  }
  std::string input, output;
  if (llvm::Error error = readModels(*list, input, output, check))
    return error;
  if (!list->hasArg(OPT_quiet))
    for (const std::string &note : notes)
      llvm::errs() << "note: " << inOneLine(note) << "\n";
  if (llvm::Error error = confine(*list, input, output, check, options))
    return error;
  auto timeout = getTimeout(*list);
  if (!timeout)
    return timeout.takeError();
  Stop stop({.cancel = interrupt::getToken(), .timeout = *timeout});
  StopScope scope(&stop);
  std::vector<OutputDifference> differences;
  if (check.runs)
    options.check = [&](StringRef original, StringRef written) {
      return checkOutputs(original, written, check).moveInto(differences);
    };
  llvm::Expected<OptimizeResult> result = [&] {
    Progress progress;
    return optimize(input, output, options, progress);
  }();
  if (!result)
    return result.takeError();
  for (const std::string &warning : result->warnings)
    llvm::errs() << "warning: " << inOneLine(warning) << "\n";
  // In that case the model itself goes to standard output.
  if (output != "/dev/stdout")
    tell(*list, {input, output, *result, check.runs, std::move(differences)});
  return llvm::Error::success();
}
