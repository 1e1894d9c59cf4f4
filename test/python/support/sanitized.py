# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets a driver use a library of a sanitized build: Python itself is not sanitized.

The address sanitizer must be the first library of a process, so `prepare` starts the driver again with it. A report
of the sanitizer ends the process, which the driver sees as a crash. The sanitizer reserves terabytes of addresses, so
it limits memory itself, instead of the system.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys

MARK = "INVAR_SANITIZED"
# As in fuzz/SanitizerOptions.cpp. Python and numpy keep memory until the process ends, so leaks are not reported.
OPTIONS = ("allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0:allocator_may_return_null=1:"
           "max_allocation_size_mb=2048:hard_rss_limit_mb=8192:handle_abort=1:abort_on_error=1")


def is_sanitized(build: str | os.PathLike) -> bool:
    cache = pathlib.Path(build, "CMakeCache.txt")
    return bool(cache.exists() and re.search(r"^INVAR_SANITIZE:\w+=.*address", cache.read_text(), re.MULTILINE))


def is_active() -> bool:
    """Whether this process has the sanitizer."""
    return MARK in os.environ


def prepare(build: str | os.PathLike) -> None:
    """Starts the driver again with the sanitizer if the build needs it."""
    if is_active() or not is_sanitized(build):
        return
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", pathlib.Path(build, "CMakeCache.txt").read_text(), re.MULTILINE)
    library = subprocess.run([compiler[1] if compiler else "clang++", "-print-file-name=libclang_rt.asan-x86_64.so"],
                             capture_output=True, text=True, check=True).stdout.strip()
    environment = {**os.environ, MARK: "1", "LD_PRELOAD": library, "ASAN_OPTIONS": OPTIONS}
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.argv], environment)


def limit_memory(more: int) -> None:
    """Limits this process to `more` bytes in addition to its size. In a sanitized process, OPTIONS do that."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if is_active():
        return
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
