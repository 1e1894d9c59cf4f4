// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Inspect.h"

#include "Commands.h"
#include "InspectLibrary.h"
#include "Options.h"
#include "Sandbox.h"
#include "invar/Files/LibraryName.h"
#include "invar/Support/Error.h"

using namespace invar;
using namespace invar::options;

/// The number of constants to list.
static llvm::Expected<size_t> getMostConstants(const llvm::opt::ArgList &list) {
  llvm::Expected<int64_t> most = getInt(list, OPT_constants, 10);
  if (!most)
    return most.takeError();
  if (*most < 0)
    return badUsage("expected a number from 0 for '--constants', but got " +
                    llvm::Twine(*most));
  return size_t(*most);
}

static llvm::Error showLibrary(llvm::StringRef path,
                               const llvm::opt::ArgList &list) {
  for (auto option :
       {OPT_ir, OPT_ir_eq, OPT_shapes, OPT_shape, OPT_dim, OPT_dim_range})
    if (const llvm::opt::Arg *arg = list.getLastArg(option))
      return badUsage("expected a model for '" + arg->getSpelling() +
                      "', but got a library");
  llvm::Expected<size_t> most = getMostConstants(list);
  if (!most)
    return most.takeError();
  llvm::Expected<LibrarySummary> summary = inspectLibrary(path);
  if (!summary)
    return summary.takeError();
  if (list.hasArg(OPT_json))
    llvm::outs() << toJson(*summary) << "\n";
  else
    print(*summary, *most, llvm::outs());
  return llvm::Error::success();
}

llvm::Error invar::runInspect(llvm::ArrayRef<const char *> arguments) {
  llvm::BumpPtrAllocator storage;
  llvm::StringSaver strings(storage);
  auto list = parse(InspectOption, arguments, strings);
  if (!list)
    return list.takeError();
  if (list->hasArg(OPT_help)) {
    printHelp(InspectOption, "invar inspect IN [options]",
              "Shows what is in the model or library IN: inputs and outputs, "
              "operators or kernels, and constants by size");
    return llvm::Error::success();
  }
  std::vector<std::string> inputs = list->getAllArgValues(OPT_INPUT);
  if (inputs.size() != 1)
    return badUsage("expected one model, but got " +
                    llvm::Twine(inputs.size()) +
                    "; 'invar inspect --help' shows how");
  SandboxRules sandbox;
  sandbox.addInput(inputs[0]);
  if (llvm::Error error = enterSandbox(*list, sandbox))
    return error;
  // No code runs here, so it suffices that the bytes are those of a library.
  if (isLibraryName(inputs[0]) || beginsAsLibrary(inputs[0]))
    return showLibrary(inputs[0], *list);
  llvm::Expected<onnx::ShapeFacts> facts = getFacts(*list);
  if (!facts)
    return facts.takeError();
  bool stated = !facts->shapes.empty() || !facts->ranges.empty();
  InspectOptions options{std::move(*facts), stated || list->hasArg(OPT_shapes)};
  if (const llvm::opt::Arg *form = list->getLastArg(OPT_ir_eq)) {
    if (form->getValue() != llvm::StringRef("full"))
      return badUsage("expected '--ir' or '--ir=full', but got '--ir=" +
                      llvm::Twine(form->getValue()) + "'");
    options.wholeConstants = true;
  }
  if (list->hasArg(OPT_ir, OPT_ir_eq))
    return printIR(inputs[0], options, llvm::outs());
  llvm::Expected<size_t> most = getMostConstants(*list);
  if (!most)
    return most.takeError();
  llvm::Expected<ModelSummary> summary = inspect(inputs[0], options);
  if (!summary)
    return summary.takeError();
  if (list->hasArg(OPT_json))
    llvm::outs() << toJson(*summary) << "\n";
  else if (list->hasArg(OPT_shapes))
    printListing(*summary, llvm::outs());
  else
    print(*summary, *most, llvm::outs());
  return llvm::Error::success();
}
