#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the onnx package's test runner on `invar.backend`. Needs a Python that has the package invar.

  backend.py                             all of it, a few minutes: node tests, simple, pytorch-*, light
  backend.py --include '^test_conv_'     only cases whose name matches one of these patterns
  backend.py --list-failed               at the end, what does not pass, a line each

Cases run in separate processes. If a process dies, another one continues after the case that crashed.
node_tests.py lists the known failures.
"""
import argparse
import collections
import multiprocessing
import multiprocessing.connection
import os
import re
import sys
import tempfile
import unittest
import warnings
from typing import Iterator, NamedTuple

warnings.filterwarnings("ignore")

from onnx.backend.test import BackendTest

import invar.backend

sys.path.insert(1, sys.path[0] + "/../support")
from harness import FAILED, PASSED
from node_tests import NOT_COMPILED

# Known failures: cases that the engine does not support, and cases that the runner cannot judge.
REASONS = {**NOT_COMPILED, "test_loop16_seq_none": "the runner takes the length of scalars in sequences"}
# The runner knows only one random outcome of these; compile_conformance.py checks their statistics instead.
DRAWN = re.compile(r"^test_(bernoulli|training_dropout)(?!.*zero_ratio)")
CRASHED = "crashed"
OUTCOMES = (PASSED, FAILED, CRASHED)


class Outcome(NamedTuple):
    kind: str
    name: str
    verdict: str
    why: str = ""


def all_cases() -> list[unittest.TestCase]:
    """Returns the cases sorted by name, without those for other devices."""
    classes = BackendTest(invar.backend, __name__).test_cases.values()
    cases = [case(name) for case in classes for name in dir(case) if name.startswith("test_") and name.endswith("_cpu")]
    return sorted(cases, key=lambda case: case._testMethodName)


def name_of(case: unittest.TestCase) -> str:
    return case._testMethodName.removesuffix("_cpu")


def kind_of(case: unittest.TestCase) -> str:
    return type(case).__name__.removeprefix("OnnxBackend").removesuffix("ModelTest")


class Result(unittest.TestResult):
    """Stores why a case did not pass."""
    why = ""

    def addError(self, case, error) -> None:
        self.why = " ".join(f"{error[0].__name__}: {error[1]}".split())[:300]

    addFailure = addError

    def addSkip(self, case, reason) -> None:
        self.why = f"skipped: {reason}"


def judge(case: unittest.TestCase) -> Outcome:
    result = Result()
    case.run(result)
    return Outcome(kind_of(case), name_of(case), FAILED if result.why else PASSED, result.why)


class Worker:
    """A process that judges a part of the cases, starting at the first unjudged one."""

    def __init__(self, cases: list[unittest.TestCase]):
        self.left = collections.deque(cases)
        self.start()

    def start(self) -> None:
        self.pipe, other = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork").Process(target=self.work, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def work(self, pipe: multiprocessing.connection.Connection) -> None:
        for case in self.left:
            pipe.send(judge(case))

    def next(self) -> Outcome:
        try:
            outcome = self.pipe.recv()
            self.left.popleft()
        except EOFError:
            self.process.join()
            case = self.left.popleft()
            outcome = Outcome(kind_of(case), name_of(case), CRASHED, f"exit {self.process.exitcode}")
            self.start()
        return outcome


def judge_all(cases: list[unittest.TestCase], jobs: int) -> Iterator[Outcome]:
    workers = [Worker(part) for i in range(jobs) if (part := cases[i::jobs])]
    while workers := [worker for worker in workers if worker.left]:
        ready = multiprocessing.connection.wait([worker.pipe for worker in workers])
        for worker in workers:
            if worker.pipe in ready:
                yield worker.next()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", nargs="+", default=[""], help="patterns, one of which a case's name must match")
    parser.add_argument("--list-failed", action="store_true", help="name what does not pass at the end")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    cases = [case for case in all_cases() if any(re.search(pattern, name_of(case)) for pattern in options.include)]
    with tempfile.TemporaryDirectory(prefix="backend") as folder:
        # The folder where the runner stores the data that it makes for models without data.
        os.environ["ONNX_MODELS"] = folder
        outcomes = list(judge_all(cases, options.jobs))

    counts = collections.Counter((outcome.kind, outcome.verdict) for outcome in outcomes)
    for kind in sorted({outcome.kind for outcome in outcomes}):
        print(f"{kind:20}" + ", ".join(f"{counts[kind, verdict]} {verdict}" for verdict in OUTCOMES))
    listed = [o for o in outcomes if o.verdict == FAILED and (o.name in REASONS or DRAWN.match(o.name))]
    surprises = [o for o in outcomes if o.verdict == CRASHED or
                 (o.verdict != PASSED) != (o.name in REASONS) and not DRAWN.match(o.name)]
    for outcome in surprises + (listed if options.list_failed else []):
        print(f"{outcome.verdict}: {outcome.kind} {outcome.name}: {outcome.why or 'it is listed as not passing'}")
    passed = sum(outcome.verdict == PASSED for outcome in outcomes)
    print(f"{passed} passed, {len(surprises)} failed, {len(listed)} skipped")
    return 1 if surprises or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
