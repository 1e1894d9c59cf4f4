/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tries the actions of an attacker who controls a process. sandbox.py preloads it. The
 * attempts run when the process ends, and each prints a line: its name, and 0 or the errno.
 *
 * $ESCAPE_FILE and $ESCAPE_FOLDER are a file and a folder that the process does not need.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *what, long result) {
  dprintf(STDERR_FILENO, "escape: %s %d\n", what, result < 0 ? errno : 0);
}

static const char *inFolder(const char *name) {
  static char path[4096];
  snprintf(path, sizeof(path), "%s/%s", getenv("ESCAPE_FOLDER"), name);
  return path;
}

__attribute__((destructor)) static void tryAll(void) {
  const char *file = getenv("ESCAPE_FILE");
  if (!file)
    return;
  int folder = open(getenv("ESCAPE_FOLDER"), O_PATH | O_DIRECTORY);
  tell("read-file", open(file, O_RDONLY));
  tell("read-passwords", open("/etc/passwd", O_RDONLY));
  tell("write-file", open(file, O_WRONLY));
  tell("truncate-file", truncate(file, 1));
  tell("list-folder", open(getenv("ESCAPE_FOLDER"), O_RDONLY | O_DIRECTORY));
  tell("make-file", open(inFolder("made"), O_WRONLY | O_CREAT, 0600));
  tell("make-file-at", openat(folder, "made-at", O_WRONLY | O_CREAT, 0600));
  tell("make-folder", mkdir(inFolder("made-folder"), 0700));
  tell("link-file", link(file, inFolder("linked")));
  tell("rename-file", rename(file, inFolder("renamed")));
  tell("remove-file", unlink(inFolder("second")));
  tell("socket", socket(AF_INET, SOCK_STREAM, 0));
  tell("local-socket", socket(AF_UNIX, SOCK_DGRAM, 0));
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)environ, 1};
  tell("read-itself", process_vm_readv(getpid(), &here, 1, &there, 1, 0));
  tell("signal-parent", kill(getppid(), 0));
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  tell("fork", child);
  child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0)
    _exit(0);
  tell("clone", child);
  char *arguments[] = {(char *)"true", NULL};
  errno =
      posix_spawn(&child, "/bin/true", NULL, NULL, arguments, arguments + 1);
  tell("spawn", errno ? -1 : 0);
  while (wait(NULL) > 0)
    ;
  /* Last, because it does not return if it succeeds. */
  dprintf(STDERR_FILENO, "escape: execute ");
  unsetenv("ESCAPE_FILE");
  char *echo[] = {(char *)"echo", (char *)"0", NULL};
  dup2(STDERR_FILENO, STDOUT_FILENO);
  execv("/bin/echo", echo);
  dprintf(STDERR_FILENO, "%d\n", errno);
}
