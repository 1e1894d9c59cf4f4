# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and measures its time and memory; anonymous memory is separate from mapped files.

The pages of a mapped model belong to the system's cache, which can drop them at any time. It cannot drop memory that
a program allocates (RssAnon), so the two peaks are measured separately. Both are read from /proc while the program
runs: the kernel has no high-water mark for RssAnon, and the mark of wait4 (ru_maxrss) starts with the memory of the
parent process.
"""
import os
import subprocess
import threading
import time
from typing import NamedTuple, Sequence

SAMPLE_SECONDS = 0.002


class Usage(NamedTuple):
    code: int
    wall: float
    user: float
    system: float
    peak_anonymous: int
    peak_total: int
    stderr: str


def resident(pid: int) -> tuple[int, int]:
    """Returns the current anonymous bytes, and the maximum of all resident bytes so far."""
    found = {"RssAnon": 0, "VmHWM": 0}
    try:
        with open(f"/proc/{pid}/status") as status:
            for line in status:
                key, _, rest = line.partition(":")
                if key in found:
                    found[key] = int(rest.split()[0]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found["RssAnon"], found["VmHWM"]


def measure(command: Sequence[str]) -> Usage:
    """Runs `command` in a separate process. Its child processes are not sampled."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peaks, over = (0, 0), threading.Event()

    def sample() -> None:
        nonlocal peaks
        while not over.is_set():
            peaks = tuple(map(max, peaks, resident(process.pid)))
            over.wait(SAMPLE_SECONDS)

    sampler = threading.Thread(target=sample)
    sampler.start()
    stderr = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - started
    over.set()
    sampler.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Usage(process.returncode, wall, used.ru_utime, used.ru_stime, *peaks,
                 stderr.decode(errors="replace"))
