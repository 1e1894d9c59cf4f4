# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that the test drivers share: verdicts, their summary, and running the program under test."""
import collections
import os
import signal
import subprocess
import sys
from typing import Iterable, NamedTuple

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class Verdict(NamedTuple):
    name: str
    outcome: str
    why: str = ""


class Report:
    """Collects verdicts. Prints failures as they occur, and at the end the reasons with their counts."""

    def __init__(self, verbose: bool = False):
        self.verbose = verbose
        self.counts: collections.Counter[str] = collections.Counter()
        self.skips: collections.Counter[str] = collections.Counter()

    def add(self, verdict: Verdict) -> None:
        self.counts[verdict.outcome] += 1
        if verdict.outcome == SKIPPED:
            self.skips[verdict.why] += 1
        if verdict.outcome == FAILED or self.verbose:
            print(f"{verdict.outcome}: {verdict.name}{': ' if verdict.why else ''}{verdict.why}", flush=True)

    def check(self, name: str, complaints: Iterable[str]) -> None:
        """The test passes if there are no complaints."""
        why = "; ".join(complaints)
        self.add(Verdict(name, FAILED if why else PASSED, why))

    def skip(self, name: str, why: str) -> None:
        self.add(Verdict(name, SKIPPED, why))

    def finish(self) -> int:
        for why, count in self.skips.most_common():
            print(f"skipped {count}: {why}")
        print(f"{self.counts[PASSED]} passed, {self.counts[FAILED]} failed, {self.counts[SKIPPED]} skipped")
        return 1 if self.counts[FAILED] or not self.counts[PASSED] else 0


def print_reasons(title: str, reasons: collections.Counter[str]) -> None:
    for why, count in reasons.most_common():
        print(f"{title} {count}: {why}")


class Run(NamedTuple):
    """How a program ended. A negative code is the signal that killed it."""
    code: int
    stdout: str
    stderr: str

    def ending(self) -> str:
        if self.code < 0:
            return f"killed by {signal.Signals(-self.code).name}"
        return f"exit {self.code}: {self.stderr.strip()[-300:]}"


def run(*command: str | os.PathLike, cwd: str | None = None, preexec=None) -> Run:
    done = subprocess.run([os.fspath(c) for c in command], cwd=cwd, stdin=subprocess.DEVNULL,
                          capture_output=True, preexec_fn=preexec)
    return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def heed_ctrl_c() -> None:
    """For preexec_fn: a shell makes background processes ignore Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def existing_program(path: str) -> str:
    """For argparse: returns an absolute path, because tests run in other folders."""
    if not os.access(path, os.X_OK):
        sys.exit(f"expected a program, but got '{path}'")
    return os.path.abspath(path)
