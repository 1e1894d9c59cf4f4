// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// invar: the command line. Exit codes: 0 ok, 1 bad input, 2 bad usage, 3 out of resources,
// 130 interrupted.
#include "Commands.h"
#include "Interrupt.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "invar/Support/TruncationGuard.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <new>
#include <unistd.h>

using namespace invar;
using llvm::StringRef;

static constexpr StringRef usage = R"(usage: invar COMMAND [arguments]

  invar optimize IN OUT      simplify a model
  invar compile IN -o OUT    make a library of a model
  invar run MODEL            run a library or a model
  invar verify A [B]         compare two models, or one with its meaning, on random inputs
  invar inspect IN           show what is in a model
  invar cache ls|gc|verify   look after what earlier runs have kept
  invar COMMAND --help       what a command takes
  invar --version            the version of Invar

Exit codes: 0 ok, 1 bad input, 2 bad usage, 3 out of resources, 130 interrupted.
)";

static llvm::Error run(llvm::ArrayRef<const char *> arguments) {
  StringRef command = arguments.empty() ? StringRef() : arguments[0];
  if (command == "--help" || command == "-h" || command == "help") {
    llvm::outs() << usage;
    return llvm::Error::success();
  }
  if (command == "--version") {
    llvm::outs() << "invar " INVAR_VERSION "\n";
    return llvm::Error::success();
  }
  if (command.empty())
    return badUsage("expected a command: optimize, compile or inspect; 'invar "
                    "--help' shows "
                    "more");
  using Command = llvm::Error (*)(llvm::ArrayRef<const char *>);
  Command function = llvm::StringSwitch<Command>(command)
                         .Case("optimize", runOptimize)
                         .Case("compile", runCompile)
                         .Case("run", runRun)
                         .Case("verify", runVerify)
                         .Case("inspect", runInspect)
                         .Case("cache", runCache)
                         .Default(nullptr);
  if (!function)
    return badUsage("expected a command among 'optimize', 'compile', 'run', "
                    "'verify', 'inspect' and 'cache', but got '" +
                    command + "'");
  return function(arguments.drop_front());
}

/// Exits if no cleanup by returning is possible, with the exit code for a lack of
/// resources. Must not allocate.
[[noreturn]] static void stop(const char *reason) {
  llvm::sys::RunInterruptHandlers(); // removes unfinished files
  for (StringRef part : {"invar: cannot ", reason, "\n"})
    (void)!write(STDERR_FILENO, part.data(), part.size());
  _exit(int(ErrorKind::OutOfResources));
}

/// Exits properly if memory or threads run out. LLVM would abort.
static void stopInOrder() {
  std::set_new_handler([] { stop("allocate memory"); });
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { stop("allocate memory"); });
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    std::string text = "go on: ";
    stop((text + reason).c_str());
  });
}

int main(int argc, char **argv) {
  stopInOrder();
  TruncationGuard guard;
  interrupt::install();
  Stop stop({.cancel = interrupt::getToken()});
  StopScope scope(&stop);
  llvm::Error error =
      run(llvm::ArrayRef<const char *>(argv, argc).drop_front());
  llvm::outs().flush();
  if (invar_cancel_is_triggered(interrupt::getToken())) {
    llvm::consumeError(std::move(error));
    interrupt::end();
  }
  if (!error)
    return 0;
  auto [kind, text] = describe(std::move(error));
  // The text of a usage error does not begin with a file name.
  llvm::errs() << (kind == ErrorKind::BadUsage ? "invar: " : "")
               << inOneLine(text) << "\n";
  return int(kind);
}
