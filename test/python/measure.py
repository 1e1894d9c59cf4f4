# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and says what it took: time, and memory of its own besides mapped files.

Pages of a mapped model are the system's cache: it can drop them at any time. What a program
allocates (RssAnon) it cannot, so the two peaks are told apart. Both are read from /proc while
it runs: RssAnon has no high-water mark in the kernel, and the mark that wait4 gives (ru_maxrss)
begins with the memory of the process that started it.
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
    """Anonymous bytes now, and the highest number of all resident bytes so far."""
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
    """Runs `command` in a process of its own. Children of that process are not sampled."""
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
