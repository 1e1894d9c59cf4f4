// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Compile.h"

#include "CheckKernels.h"
#include "Commands.h"
#include "Interrupt.h"
#include "MlirOptions.h"
#include "Options.h"
#include "Sandbox.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "invar/Support/OutputFile.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

/// Prints a summary of the result, as text or as JSON.
static void tell(const llvm::opt::ArgList &list, StringRef output,
                 const CompileResult &result, const CheckedKernels &kernels) {
  if (list.hasArg(OPT_json)) {
    llvm::outs()
        << llvm::json::Value(llvm::json::Object{
               {"output", output.str()},
               {"seconds", result.seconds},
               {"kernels", int64_t(result.kernels)},
               {"checked_kernels", int64_t(kernels.checked)},
               {"input_bytes", int64_t(result.inputBytes)},
               {"output_bytes", int64_t(result.outputBytes)},
               {"constant_bytes", int64_t(result.constantBytes)},
               {"folded_bytes", int64_t(result.foldedBytes)},
               {"folds", int64_t(result.folds)},
               {"parameters", int64_t(result.parameters)},
               {"missing_parameters", int64_t(result.missingParameters)},
               {"compressed_bytes", int64_t(result.compressedBytes)},
               {"compressed_from_bytes", int64_t(result.compressedFromBytes)},
               {"memory", result.memory.toJson()},
           })
        << "\n";
    return;
  }
  llvm::outs() << inOneLine(output) << ": " << result.kernels << " kernels, "
               << llvm::format("%.2f MB, %.2f MB of them constants, in %.2f s",
                               double(result.outputBytes) / 1e6,
                               double(result.constantBytes) / 1e6,
                               result.seconds)
               << "\n";
  if (kernels.count)
    llvm::outs() << "  " << kernels.checked << " of " << kernels.count
                 << " kernels agree with plain loops"
                 << (kernels.checked < kernels.count
                         ? "; no run reached the others\n"
                         : "\n");
  if (result.compressedBytes)
    llvm::outs() << llvm::format("  %.2f MB of constants are compressed to "
                                 "%.2f MB",
                                 double(result.compressedFromBytes) / 1e6,
                                 double(result.compressedBytes) / 1e6)
                 << "\n";
  if (result.missingParameters)
    llvm::outs() << "  without " << result.missingParameters
                 << (result.missingParameters == 1 ? " weight" : " weights")
                 << ", read from the model when it is loaded\n";
  else if (result.parameters)
    llvm::outs() << "  " << result.parameters
                 << (result.parameters == 1 ? " weight" : " weights")
                 << " can be replaced when it runs\n";
  if (result.folds)
    llvm::outs() << "  the first run computes "
                 << llvm::format("%.2f MB", double(result.foldedBytes) / 1e6)
                 << " of constants in " << result.folds << " parts\n";
}

/// Writes a stage to a file, or prints it if no file is named.
static llvm::Error show(StringRef text, StringRef output) {
  if (output.empty()) {
    llvm::outs() << text;
    return llvm::Error::success();
  }
  auto file = OutputFile::create(output, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  if (llvm::Error error = (*file)->write(text))
    return error;
  return (*file)->commit();
}

llvm::Error invar::runCompile(llvm::ArrayRef<const char *> arguments) {
  llvm::BumpPtrAllocator storage;
  llvm::StringSaver strings(storage);
  auto list = parse(CompileOption, arguments, strings);
  if (!list)
    return list.takeError();
  if (list->hasArg(OPT_help)) {
    printHelp(CompileOption, "invar compile IN -o OUT [options]",
              "Compiles the model IN to the library OUT, which 'invar run' and "
              "the runtime's C and Python interfaces run");
    return llvm::Error::success();
  }
  std::vector<std::string> inputs = list->getAllArgValues(OPT_INPUT);
  if (inputs.size() != 1)
    return badUsage("expected one model, but got " +
                    llvm::Twine(inputs.size()) +
                    "; 'invar compile --help' shows how");
  CompileModelOptions options;
  if (llvm::Error error = getFacts(*list).moveInto(options.facts))
    return error;
  llvm::Expected<int64_t> threads = getInt(*list, OPT_threads, 0);
  if (!threads)
    return threads.takeError();
  options.threads = unsigned(std::clamp<int64_t>(*threads, 0, 1024));
  options.cpu = list->getLastArgValue(OPT_target_cpu, "host").str();
  options.strict = list->hasArg(OPT_strict);
  options.compressesWeights = list->hasArg(OPT_compress_weights);
  options.plansMemory = !list->hasArg(OPT_no_memory_plan);
  if (llvm::Error error =
          parseWinogradUse(list->getLastArgValue(OPT_winograd, "auto"))
              .moveInto(options.winograd))
    return error;
  if (llvm::Error error =
          parseFoldTime(list->getLastArgValue(OPT_fold_at, "auto"))
              .moveInto(options.foldTime))
    return error;
  if (list->hasArg(OPT_no_fold_constants))
    options.foldTime = FoldTime::Never;
  if (llvm::Error error =
          parseWeightPlace(list->getLastArgValue(OPT_link_params, "embed"))
              .moveInto(options.weightPlace))
    return error;
  if (list->hasArg(OPT_strip_weights))
    options.weightPlace = WeightPlace::None;
  options.refits = list->hasArg(OPT_refittable);
  options.fixesDefaults = list->hasArg(OPT_fix_defaults);
  options.leavesIndicesUnchecked = list->hasArg(OPT_unchecked_indices);
  StringRef stage = list->getLastArgValue(OPT_emit, "library");
  auto known = llvm::StringSwitch<std::optional<CompileStage>>(stage)
                   .Case("onnx", CompileStage::ONNX)
                   .Case("linalg", CompileStage::Linalg)
                   .Case("kernels", CompileStage::Kernels)
                   .Case("library", CompileStage::Library)
                   .Default(std::nullopt);
  if (!known)
    return badUsage("expected 'onnx', 'linalg', 'kernels' or 'library' for "
                    "'--emit', but got '" +
                    stage + "'");
  options.stage = *known;
  std::string output = list->getLastArgValue(OPT_output).str();
  if (output.empty() && options.stage == CompileStage::Library)
    return badUsage("expected the library to write, '-o OUT'; 'invar compile "
                    "--help' shows how");
  if (llvm::Error error =
          getPassConfiguration(*list).moveInto(options.configurePasses))
    return error;
  StringRef picture = list->getLastArgValue(OPT_memory_plan_svg);
  SandboxRules sandbox;
  sandbox.addInput(inputs[0]);
  for (StringRef path : {StringRef(output), picture})
    if (!path.empty())
      sandbox.addOutput(path);
  if (llvm::Error error = enterSandbox(*list, sandbox))
    return error;
  auto timeout = getTimeout(*list);
  if (!timeout)
    return timeout.takeError();
  Stop stop({.cancel = interrupt::getToken(), .timeout = *timeout});
  StopScope scope(&stop);
  CheckedKernels kernels;
  if (list->hasArg(OPT_check_kernels))
    if (llvm::Error error = checkKernels(inputs[0], options).moveInto(kernels))
      return error;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::Expected<CompileResult> result = [&] {
    Progress progress;
    return compile(inputs[0], output, options, progress, stream);
  }();
  if (!result)
    return result.takeError();
  if (options.stage != CompileStage::Library)
    if (llvm::Error error = show(text, output))
      return error;
  for (const std::string &warning : result->warnings)
    llvm::errs() << "warning: " << inOneLine(warning) << "\n";
  if (options.stage != CompileStage::Library)
    return llvm::Error::success();
  if (!picture.empty()) {
    result->memory.printPicture(stream);
    if (llvm::Error error = show(text, picture))
      return error;
  }
  if (list->hasArg(OPT_print_memory_plan) && !list->hasArg(OPT_json))
    result->memory.print(llvm::outs());
  if (!list->hasArg(OPT_quiet))
    tell(*list, output, *result, kernels);
  return llvm::Error::success();
}
