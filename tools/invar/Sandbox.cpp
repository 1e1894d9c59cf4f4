// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sandbox.h"

#include "Options.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

static llvm::Error cannot(StringRef what) {
  return systemError("sandbox", what, errno);
}

// Rules

static std::string folderOf(StringRef path) {
  StringRef folder = llvm::sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

/// The folder of the file that a path leads to after resolving links; empty if there is
/// none.
static std::string getResolvedFolder(StringRef path) {
  char resolved[PATH_MAX];
  return realpath(path.str().c_str(), resolved) ? folderOf(resolved) : "";
}

void SandboxRules::addInput(StringRef path) {
  // The path may be a link to a descriptor of a file elsewhere.
  readable.push_back(path.str());
  readable.push_back(folderOf(path));
  readable.push_back(getResolvedFolder(path));
}

void SandboxRules::addOutput(StringRef path) {
  struct stat status;
  bool exists = stat(path.str().c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    writable.push_back(path.str());
    return;
  }
  writable.push_back(folderOf(path));
  // A link to a missing file is not resolved, so writing such an output fails.
  if (exists)
    writable.push_back(getResolvedFolder(path));
}

// Files

namespace {
/// The kernel's struct landlock_ruleset_attr. System headers may have an older version.
struct RulesetAttributes {
  uint64_t files, network, scopes;
};
} // namespace

static constexpr uint64_t readFile = LANDLOCK_ACCESS_FS_READ_FILE,
                          readFolder = LANDLOCK_ACCESS_FS_READ_DIR,
                          writeFile = LANDLOCK_ACCESS_FS_WRITE_FILE,
                          makeFile = LANDLOCK_ACCESS_FS_MAKE_REG,
                          removeFile = LANDLOCK_ACCESS_FS_REMOVE_FILE,
                          moveFile = LANDLOCK_ACCESS_FS_REFER,
                          truncateFile = 1 << 14, controlDevice = 1 << 15;

/// All rights that a version of Landlock can restrict; none without Landlock.
static RulesetAttributes getAttributes(long version) {
  RulesetAttributes all = {};
  if (version >= 1)
    all.files = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1;
  if (version >= 2)
    all.files |= moveFile;
  if (version >= 3)
    all.files |= truncateFile;
  if (version >= 4)
    all.network = 3; // Bind and connect with TCP.
  if (version >= 5)
    all.files |= controlDevice;
  if (version >= 6)
    all.scopes = 3; // Abstract sockets and signals to other processes.
  return all;
}

static long getLandlockVersion() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0,
                 LANDLOCK_CREATE_RULESET_VERSION);
}

/// Allows access to a path and everything below it; does nothing if the path does not
/// exist.
static llvm::Error allow(int ruleset, const std::string &path,
                         uint64_t rights) {
  int place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (path.empty() || place < 0)
    return llvm::Error::success();
  llvm::scope_exit closePlace([&] { close(place); });
  struct stat status;
  if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode))
    rights &= readFile | writeFile | truncateFile | controlDevice;
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = rights;
  rule.parent_fd = place;
  // Pipes and memory files have no folder and need no rule.
  if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
              0) != 0 &&
      errno != EBADFD)
    return cannot("allow '" + path + "'");
  return llvm::Error::success();
}

static llvm::Error limitFiles(const SandboxRules &rules) {
  RulesetAttributes attributes = getAttributes(getLandlockVersion());
  // Older kernels accept a longer struct if the rest is zero.
  long ruleset =
      syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
  if (ruleset < 0)
    return cannot("limit files");
  llvm::scope_exit closeRuleset([&] { close(int(ruleset)); });
  auto allowAll = [&](llvm::ArrayRef<std::string> paths,
                      uint64_t rights) -> llvm::Error {
    for (const std::string &path : paths)
      if (llvm::Error error =
              allow(int(ruleset), path, rights & attributes.files))
        return error;
    return llvm::Error::success();
  };
  uint64_t read = readFile | readFolder;
  uint64_t write = read | writeFile | makeFile | removeFile | moveFile |
                   truncateFile | controlDevice;
  if (llvm::Error error = allowAll(rules.readable, read))
    return error;
  if (llvm::Error error = allowAll(rules.writable, write))
    return error;
  // Needed to read the memory use of the process.
  if (llvm::Error error = allowAll({"/proc/self"}, read))
    return error;
  return syscall(SYS_landlock_restrict_self, ruleset, 0) == 0
             ? llvm::Error::success()
             : cannot("limit files");
}

// System calls

/// Calls that no command needs: processes, sockets, and ways around the limits on
/// files.
static constexpr int forbiddenCalls[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kill),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(chroot),
    SCMP_SYS(pivot_root),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(add_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(request_key),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
};

static llvm::Error limitCalls() {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter)
    return cannot("limit system calls");
  llvm::scope_exit release([&] { seccomp_release(filter); });
  int failure = 0;
  auto add = [&](int result) { failure = failure ? failure : result; };
  for (int call : forbiddenCalls)
    add(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0));
  // Threads may be started. A filter cannot inspect the arguments of clone3; if it is
  // missing, the C library calls clone.
  add(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
  add(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                       SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)));
  add(seccomp_load(filter));
  errno = -failure;
  return failure ? cannot("limit system calls") : llvm::Error::success();
}

/// Fails with the reason if the system cannot confine a process.
static llvm::Error checkSystem() {
  if (getLandlockVersion() < 1)
    return cannot("limit files, for which the kernel needs Landlock");
  if (prctl(PR_GET_SECCOMP) < 0)
    return cannot("limit system calls, for which the kernel needs seccomp");
  return llvm::Error::success();
}

static llvm::Error enter(const SandboxRules &rules) {
  if (llvm::Error error = checkSystem())
    return error;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return cannot("give up privileges");
  if (llvm::Error error = limitFiles(rules))
    return error;
  return limitCalls();
}

llvm::Error invar::enterSandbox(const llvm::opt::ArgList &arguments,
                                const SandboxRules &rules) {
  const llvm::opt::Arg *given =
      arguments.getLastArg(OPT_sandbox, OPT_no_sandbox);
  if (given && given->getOption().matches(OPT_no_sandbox))
    return llvm::Error::success();
  llvm::Error error = enter(rules);
  if (given)
    return error;
  llvm::consumeError(std::move(error));
  return llvm::Error::success();
}
