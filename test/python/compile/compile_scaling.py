#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that compile time is linear in the size of the model, by counting work.

Models of several kinds (growing_models.py) are compiled in three sizes, n, 2n and 4n. All layers are alike, so the
number of kernels must not depend on the size, except for one or two more if a tree grows by a level. The written file
must grow linearly: names of nested functions must not become as long as the calls are deep. With `--instructions`,
callgrind counts the executed instructions: the increase from 2n to 4n may be at most twice the
increase from n to 2n, plus a tolerance. So the program's start does not count, and the load of the machine has no
influence.

  compile_scaling.py --invar build/release/bin/invar [--size 1000] [--only KIND] [--instructions]
"""
import argparse
import json
import os
import re
import resource
import shutil
import sys
import tempfile
from typing import NamedTuple

import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import growing_models
import harness

GROWTH = 1.15
MORE_KERNELS = 2
COMMANDS = ("compile", "optimize")


class Work(NamedTuple):
    kernels: int
    written: int
    seconds: float
    instructions: int


def execute(*command: str) -> tuple[harness.Run, float]:
    started = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ended = harness.run(*command)
    if ended.code:
        sys.exit(f"{' '.join(command)}: {ended.ending()}")
    return ended, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - started


def measure(invar: str, command: str, model: str, counts: bool) -> Work:
    output = f"{model}.{'so' if command == 'compile' else 'out.onnx'}"
    arguments = [invar, command, model, "-o", output, "--json", "--threads=1"]
    ended, seconds = execute(*arguments)
    instructions = 0
    if counts:
        counted, _ = execute("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *arguments)
        instructions = int(re.search(r"Collected : (\d+)", counted.stderr)[1])
    return Work(json.loads(ended.stdout).get("kernels", 0), os.path.getsize(output), seconds, instructions)


def growth_of(numbers: list[int]) -> float:
    """Returns how much faster than linearly these numbers of three sizes grow. A start that all have does not count."""
    small, middle, big = numbers
    return (big - middle) / (2 * max(middle - small, 1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--size", type=int, default=1000, help="of the smallest models, in nodes or functions")
    parser.add_argument("--only", default="", help="only kinds with this in their name")
    parser.add_argument("--instructions", action="store_true", help="count instructions, too; that takes long")
    options = parser.parse_args()
    report = harness.Report()
    counts = options.instructions
    if counts and not shutil.which("valgrind"):
        report.skip("instructions", "valgrind is not there to count them")
        counts = False
    print(f"{'command':>9} {'model':>26} {'size':>7} {'kernels':>8} {'seconds':>8} {'µs each':>8} {'instructions':>13}")
    with tempfile.TemporaryDirectory(prefix="scaling") as folder:
        path = os.path.join(folder, "in.onnx")
        for kind in growing_models.KINDS:
            name = kind.__name__
            if options.only not in name:
                continue
            works: dict[str, list[Work]] = {command: [] for command in COMMANDS}
            for size in (options.size, 2 * options.size, 4 * options.size):
                onnx.save(kind(size), path)
                for command in COMMANDS:
                    work = measure(options.invar, command, path, counts)
                    works[command].append(work)
                    print(f"{command:>9} {name:>26} {size:>7} {work.kernels:>8} {work.seconds:>8.2f} "
                          f"{work.seconds / size * 1e6:>8.1f} {work.instructions:>13}", flush=True)
            _, middle, big = works["compile"]
            most = middle.kernels + MORE_KERNELS
            report.check(f"{name}: kernels", [f"expected at most {most} kernels, but got {big.kernels}"] if big.kernels > most else [])
            for command in COMMANDS:
                growth = growth_of([work.written for work in works[command]])
                report.check(f"{command} {name}: bytes",
                             [f"expected at most {GROWTH} times the bytes per node, but got {growth:.2f} times"]
                             if growth > GROWTH else [])
            for command in COMMANDS if counts else ():
                growth = growth_of([work.instructions for work in works[command]])
                report.check(f"{command} {name}: instructions",
                             [f"expected at most {GROWTH} times the instructions per node, but got {growth:.2f} times"]
                             if growth > GROWTH else [])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
