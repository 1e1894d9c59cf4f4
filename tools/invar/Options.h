// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parsed command line of one command. Options.td defines the options.
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

/// Flags of Options.td in addition to LLVM's own, which use the lower bits.
inline constexpr unsigned TakesList = 1 << 4, TakesNumber = 1 << 5,
                          NeedsValue = 1 << 6, Noted = 1 << 7, Refused = 1 << 8;

/// Parses the arguments of `command`. An unknown option is BadUsage, with the nearest
/// known option as a hint, and so is a refused option. If an option takes several
/// values, each value becomes a separate option, stored in `strings`.
llvm::Expected<llvm::opt::InputArgList>
parse(Command command, llvm::ArrayRef<const char *> arguments,
      llvm::StringSaver &strings);

/// For each accepted option that has no effect, a line that explains why.
std::vector<std::string> getNotes(const llvm::opt::ArgList &arguments);

/// Prints `usage`, a paragraph about the command, and its options by group.
void printHelp(Command command, llvm::StringRef usage, llvm::StringRef about,
               bool showAll = false);

/// The value of a numeric option, or `otherwise` if it is not given.
llvm::Expected<int64_t> getInt(const llvm::opt::ArgList &arguments, ID option,
                               int64_t otherwise);
llvm::Expected<int64_t> parseInt(llvm::StringRef text, llvm::StringRef option);

/// All values of an option that may be given several times and with commas.
std::vector<std::string> getNames(const llvm::opt::ArgList &arguments,
                                  ID option);

/// Parses "512M", "1.5G" or "4096" as bytes. `option` is the option's name for errors.
llvm::Expected<uint64_t> parseSize(llvm::StringRef text,
                                   llvm::StringRef option);

/// The value of --timeout.
llvm::Expected<std::optional<std::chrono::nanoseconds>>
getTimeout(const llvm::opt::ArgList &arguments);

/// The facts of --shape, --dim and --dim-range.
llvm::Expected<onnx::ShapeFacts> getFacts(const llvm::opt::ArgList &arguments);

} // namespace invar::options

#endif // INVAR_TOOLS_INVAR_OPTIONS_H
