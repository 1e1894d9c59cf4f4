// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interrupt.h"

#include "invar/Stop/Stop.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <sys/time.h>
#include <unistd.h>

using namespace invar;

// Global, because a signal handler has no context argument.
static constinit InvarCancel token; // NOLINT

InvarCancel *interrupt::getToken() { return &token; }

InvarRunOptions interrupt::getRunOptions() {
  InvarRunOptions options = INVAR_RUN_OPTIONS;
  options.cancel = getToken();
  return options;
}

void interrupt::end() {
  // Prevents a second exit if the timer expires now.
  signal(SIGALRM, SIG_IGN);
  constexpr char message[] = "invar: interrupted\n";
  (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
  _exit(130);
}

static void endWithout(int) {
  llvm::sys::RunInterruptHandlers();
  interrupt::end();
}

static void stop(int) {
  invar_cancel_trigger(&token);
  constexpr itimerval patience = {{0, 0}, {0, 70'000}};
  setitimer(ITIMER_REAL, &patience, nullptr);
}

void interrupt::install() {
  // Install LLVM's handlers first; they remove files for other signals and must not
  // replace these.
  llvm::sys::SetInterruptFunction(nullptr);
  struct sigaction action = {};
  action.sa_handler = endWithout;
  sigaction(SIGALRM, &action, nullptr);
  action.sa_handler = stop;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  // In the background, the shell has set Ctrl-C to be ignored; keep that.
  struct sigaction given = {};
  if (sigaction(SIGINT, &action, &given) == 0 && given.sa_handler == SIG_IGN)
    sigaction(SIGINT, &given, nullptr);
}
