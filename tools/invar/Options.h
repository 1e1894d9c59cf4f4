// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parsed command line of one command; Options.td has what there is.
#ifndef INVAR_TOOLS_INVAR_OPTIONS_H
#define INVAR_TOOLS_INVAR_OPTIONS_H

#include "invar/Simplify/ShapeFacts.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/StringSaver.h"
#include <chrono>
#include <optional>

namespace invar::options {

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

enum Command : unsigned {
  OptimizeOption = 1 << 1,
  InspectOption = 1 << 2,
  CompileOption = 1 << 3,
  RunOption = 1 << 4,
  VerifyOption = 1 << 5,
  CacheOption = 1 << 6,
};

/// What the flags of Options.td say beyond LLVM's own, which take the bits below.
inline constexpr unsigned TakesList = 1 << 4, TakesNumber = 1 << 5,
                          NeedsValue = 1 << 6, Noted = 1 << 7, Refused = 1 << 8;

/// The arguments of `command`. An option that it does not have is BadUsage, with the
/// nearest one that it has, and so is one that it refuses. Values that follow an option
/// which takes several become one option each, kept in `strings`.
llvm::Expected<llvm::opt::InputArgList>
parse(Command command, llvm::ArrayRef<const char *> arguments,
      llvm::StringSaver &strings);

/// Why nothing is done about options that are accepted all the same, a line for each.
std::vector<std::string> getNotes(const llvm::opt::ArgList &arguments);

/// `usage` and a paragraph about the command, then its options by group.
void printHelp(Command command, llvm::StringRef usage, llvm::StringRef about,
               bool showAll = false);

/// The value of a numeric option, or `otherwise` if it is not given.
llvm::Expected<int64_t> getInt(const llvm::opt::ArgList &arguments, ID option,
                               int64_t otherwise);
llvm::Expected<int64_t> parseInt(llvm::StringRef text, llvm::StringRef option);

/// All values of an option that may be given several times, and with commas.
std::vector<std::string> getNames(const llvm::opt::ArgList &arguments,
                                  ID option);

/// "512M", "1.5G" or "4096" as bytes, for the option that is called `option`.
llvm::Expected<uint64_t> parseSize(llvm::StringRef text,
                                   llvm::StringRef option);

/// What --timeout says.
llvm::Expected<std::optional<std::chrono::nanoseconds>>
getTimeout(const llvm::opt::ArgList &arguments);

/// What --shape, --dim and --dim-range state.
llvm::Expected<onnx::ShapeFacts> getFacts(const llvm::opt::ArgList &arguments);

} // namespace invar::options

#endif // INVAR_TOOLS_INVAR_OPTIONS_H
