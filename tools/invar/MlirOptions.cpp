// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MlirOptions.h"

#include "Options.h"
#include "invar/Support/Error.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"

using namespace invar;
using namespace invar::options;

llvm::Expected<ConfigurePasses>
invar::getPassConfiguration(const llvm::opt::ArgList &arguments) {
  std::vector<std::string> given = arguments.getAllArgValues(OPT_mlir);
  if (given.empty())
    return ConfigurePasses();
  registerPasses(); // So that options can name them.
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  constexpr llvm::StringLiteral elide = "elide-elementsattrs-if-larger";
  if (llvm::none_of(given, [&](llvm::StringRef option) {
        return option.starts_with(elide);
      }))
    given.push_back((elide + "=16").str());
  std::vector<std::string> words = {"invar"};
  for (const std::string &option : given)
    words.push_back("--mlir-" + option);
  std::vector<const char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  std::string message;
  llvm::raw_string_ostream errors(message);
  if (!llvm::cl::ParseCommandLineOptions(int(pointers.size()), pointers.data(),
                                         "", &errors))
    return badUsage(llvm::StringRef(message).trim());
  return ConfigurePasses([](mlir::PassManager &manager) {
    mlir::applyDefaultTimingPassManagerCLOptions(manager);
    return mlir::applyPassManagerCLOptions(manager);
  });
}
