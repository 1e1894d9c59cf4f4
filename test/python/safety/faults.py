#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests failing allocations and system calls, one at a time: the program must end with an error or continue correctly.

The script runs each scenario once and counts its calls (inject_faults.c, which is preloaded). Then it runs the
scenario again for every call, or for --points of them if there are more, and makes that call fail; once more with
all calls from some call on failing; and with short or interrupted transfers, which must do no harm. After each run:

  - the program must have ended by itself, with exit code 0, 1 or 3; unless it is 0, with an error message;
  - an output must be the complete new one or the previous one; with exit code 0 it must be the new one;
  - inputs must be unchanged, and there must be no other file. A cache may contain an incomplete file, which the next
    run must remove.

  faults.py --invar build/dev/bin/invar [--points N] [--only TEXT] [--jobs N]
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from typing import Callable, Iterator, NamedTuple

import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import small_libraries as small
from models import value

# Smaller allocations are numerous and fail in the same way.
LEAST_ALLOCATION = 512
EXIT_CODES = (0, 1, 3)
TRANSFERS = ("read", "pread", "write", "pwrite", "copy_file_range")
ROW = struct.Struct("<24sQQ")
ROWS = 32
# For these functions, all calls from some call on fail too, as on a full disk or in a small container.
LASTING = ("allocate", "open", "write", "pwrite", "mmap", "mkostemps", "memfd_create", "pthread_create", "fallocate", "mkdir")


class Scenario(NamedTuple):
    name: str
    prepare: Callable[["Tools", pathlib.Path], None]
    command: tuple[str, ...]
    outputs: tuple[str, ...] = ()  # Files and folders that the command writes.
    kept: tuple[str, ...] = ()  # Files for later runs: absent, old or new, however the program ends.
    shows: bool = False  # Whether standard output is the same in every run.


class Tools(NamedTuple):
    invar: str
    library: str

    def make(self, folder: pathlib.Path, *arguments: str) -> None:
        ended = harness.run(self.invar, *arguments, cwd=os.fspath(folder))
        if ended.code:
            sys.exit(f"{' '.join(arguments)}: {ended.ending()}")


# ---- Initial states of scenarios.

def products(tools: Tools, folder: pathlib.Path) -> None:
    small.write_products(folder / "m.onnx")
    np.save(folder / "x.npy", small.inputs(small.ROWS, 320))


def products_npz(tools: Tools, folder: pathlib.Path) -> None:
    products(tools, folder)
    np.savez_compressed(folder / "x.npz", x=small.inputs(small.ROWS, 320))
    tools.make(folder, "compile", "m.onnx", "-o", "m.so", "--quiet")


def products_with_output(tools: Tools, folder: pathlib.Path) -> None:
    products(tools, folder)
    (folder / "out.onnx").write_bytes(b"the old output")


def products_outside(tools: Tools, folder: pathlib.Path) -> None:
    products(tools, folder)
    tools.make(folder, "optimize", "m.onnx", "-o", "e.onnx", "--external-data", "--quiet")


def folded(tools: Tools, folder: pathlib.Path) -> None:
    """Constants that are computed by optimize."""
    w = np.random.default_rng(4).random((128, 128), np.float32)
    small.save(folder / "m.onnx", [helper.make_node("MatMul", ["w", "w"], ["p"]), helper.make_node("Transpose", ["p"], ["t"]),
                                   helper.make_node("MatMul", ["x", "t"], ["y"])],
               [value("x", 4, 128)], [value("y", 4, 128)], [numpy_helper.from_array(w, "w")])


def convolutions(tools: Tools, folder: pathlib.Path) -> None:
    small.write_convolutions(folder / "m.onnx")
    np.save(folder / "x.npy", small.inputs(1, 3, 8, 8))


def structured(tools: Tools, folder: pathlib.Path) -> None:
    small.write_structured(folder / "m.onnx")


def compiled(*options: str) -> Callable[[Tools, pathlib.Path], None]:
    def prepare(tools: Tools, folder: pathlib.Path) -> None:
        products(tools, folder)
        tools.make(folder, "compile", "m.onnx", "-o", "m.so", "--quiet", *options)
    return prepare


def warm(model: str, *options: str) -> Callable[[Tools, pathlib.Path], None]:
    def prepare(tools: Tools, folder: pathlib.Path) -> None:
        compiled(*options)(tools, folder)
        tools.make(folder, "run", model, "--input", "x=x.npy", "--cache-dir", "cache")
    return prepare


RUN = ("--input", "x=x.npy", "--output-dir", "out")

SCENARIOS = (
    Scenario("optimize", products, ("optimize", "m.onnx", "-o", "out.onnx"), ("out.onnx",)),
    Scenario("optimize over an old output", products_with_output, ("optimize", "m.onnx", "-o", "out.onnx"), ("out.onnx",)),
    Scenario("optimize in place", folded, ("optimize", "m.onnx", "-o", "m.onnx"), ("m.onnx",)),
    Scenario("optimize durably", products, ("optimize", "m.onnx", "-o", "out.onnx", "--durable"), ("out.onnx",)),
    Scenario("optimize, weights go outside", products, ("optimize", "m.onnx", "-o", "out.onnx", "--external-data"),
             ("out.onnx", "out.onnx.data")),
    Scenario("optimize, weights come from outside", products_outside, ("optimize", "e.onnx", "-o", "out.onnx"), ("out.onnx",)),
    Scenario("optimize, constants lie on disk", folded, ("optimize", "m.onnx", "-o", "out.onnx", "--memory-limit=1k"),
             ("out.onnx",)),
    Scenario("compile", convolutions, ("compile", "m.onnx", "-o", "out.so"), ("out.so",)),
    Scenario("compile, weights in a file", products, ("compile", "m.onnx", "-o", "out.so", "--link-params=file"),
             ("out.so", "out.safetensors")),
    Scenario("compile, no weights", products, ("compile", "m.onnx", "-o", "out.so", "--link-params=none"), ("out.so",)),
    Scenario("compile, compressed", structured, ("compile", "m.onnx", "-o", "out.so", "--compress-weights"), ("out.so",)),
    Scenario("compile, constants computed", products, ("compile", "m.onnx", "-o", "out.so", "--fold-at=compile"), ("out.so",)),
    Scenario("run a library", compiled(), ("run", "m.so", *RUN, "--no-cache"), ("out",)),
    Scenario("run a library, archive of inputs", products_npz, ("run", "m.so", "--input", "x.npz", "--output-dir", "out", "--no-cache"),
             ("out",)),
    Scenario("run a library, weights in a file", compiled("--link-params=file"), ("run", "m.so", *RUN, "--no-cache"), ("out",)),
    Scenario("run a library, weights of the model", compiled("--link-params=none"), ("run", "m.so", *RUN, "--no-cache"), ("out",)),
    Scenario("run a library, cold cache", compiled("--fold-at=run"), ("run", "m.so", *RUN, "--cache-dir", "cache"), ("out",),
             ("cache",)),
    Scenario("run a library, warm cache", warm("m.so", "--fold-at=run"), ("run", "m.so", *RUN, "--cache-dir", "cache"), ("out",),
             ("cache",)),
    Scenario("run a model", products, ("run", "m.onnx", *RUN, "--no-cache"), ("out",)),
    Scenario("run a model, cold cache", products, ("run", "m.onnx", *RUN, "--cache-dir", "cache"), ("out",), ("cache",)),
    Scenario("run a model, warm cache", warm("m.onnx"), ("run", "m.onnx", *RUN, "--cache-dir", "cache"), ("out",), ("cache",)),
    Scenario("verify", convolutions, ("verify", "m.onnx")),
    Scenario("inspect a model", convolutions, ("inspect", "m.onnx", "--json"), shows=True),
    Scenario("inspect a library", compiled(), ("inspect", "m.so", "--json"), shows=True),
    Scenario("list the cache", warm("m.onnx"), ("cache", "ls", "--cache-dir", "cache")),
    Scenario("verify the cache", warm("m.onnx"), ("cache", "verify", "--cache-dir", "cache")),
    Scenario("clean the cache", warm("m.onnx"), ("cache", "gc", "--cache-dir", "cache"), (), ("cache",)),
)


class Fault(NamedTuple):
    function: str
    at: int
    times: int = 1
    how: str = "error"

    def __str__(self) -> str:
        what = {"error": "fails", "short": "is short", "interrupted": "is interrupted"}[self.how]
        return f"{self.function} {self.at} {what}{' and all after it' if self.times > 1 else ''}"


def snapshot(folder: pathlib.Path) -> dict[str, bytes]:
    return {os.fspath(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def is_within(path: str, places: tuple[str, ...]) -> bool:
    return path.split("/")[0] in places


class Subject:
    """A scenario, its initial state, and its result if nothing fails."""

    def __init__(self, tools: Tools, scenario: Scenario, folder: pathlib.Path):
        self.tools, self.scenario, self.folder = tools, scenario, folder
        self.start = folder / "start"
        self.start.mkdir(parents=True)
        scenario.prepare(tools, self.start)
        self.before = self.after = snapshot(self.start)
        ended, self.after, self.calls, _ = self.run("whole", None)
        if ended.code:
            sys.exit(f"{scenario.name}: {ended.ending()}")
        self.shown = ended.stdout

    def run(self, name: str, fault: Fault | None) -> tuple[harness.Run, dict[str, bytes], dict[str, int], int]:
        """Returns the exit state, the files afterwards, the calls of each function, and the number of failed calls."""
        folder, table = self.folder / name, self.folder / f"{name}.table"
        shutil.copytree(self.start, folder)
        table.write_bytes(bytes(ROW.size * ROWS))
        environment = {**os.environ, "LD_PRELOAD": self.tools.library, "FAULT_TABLE": os.fspath(table),
                       "FAULT_LEAST": str(LEAST_ALLOCATION), "TMPDIR": os.fspath(folder)}
        if fault:
            environment |= {"FAULT_CALL": fault.function, "FAULT_AT": str(fault.at), "FAULT_TIMES": str(fault.times),
                            "FAULT_HOW": fault.how}
        done = subprocess.run([self.tools.invar, *self.scenario.command], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, env=environment)
        ended = harness.Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        files = snapshot(folder)
        # The next run must remove incomplete files from a cache.
        if any(is_within(path, self.scenario.kept) for path in files.keys() - self.after.keys()):
            again = harness.run(self.tools.invar, *self.scenario.command, cwd=os.fspath(folder))
            files = snapshot(folder) if again.code == 0 else {**files, "the next run": again.ending().encode()}
        rows = [(name.rstrip(b"\0").decode(), calls, failed) for name, calls, failed in ROW.iter_unpack(table.read_bytes())]
        shutil.rmtree(folder)
        table.unlink()
        return ended, files, {name: calls for name, calls, _ in rows if calls}, sum(failed for *_, failed in rows)

    def complaints(self, ended: harness.Run, files: dict[str, bytes], fault: Fault) -> Iterator[str]:
        if ended.code not in EXIT_CODES or (ended.code and fault.how != "error"):
            yield ended.ending()
        elif ended.code and not any(word in ended.stderr for word in ("cannot", "expected", "failure")):
            yield f"expected a line that says why, but got {ended.stderr!r}"
        scenario = self.scenario
        if not ended.code and scenario.shows and ended.stdout != self.shown:
            yield "expected the usual text, but got another"
        for path in sorted(files.keys() | self.before.keys() | self.after.keys()):
            now, old, new = files.get(path), self.before.get(path), self.after.get(path)
            if now == new and (not ended.code or now == old or is_within(path, scenario.outputs + scenario.kept)):
                continue
            if now == old and (ended.code or is_within(path, scenario.kept)):
                continue
            if now is None and is_within(path, scenario.kept):
                continue
            what = "is not there" if now is None else "is neither old nor new" if path in self.after else "stayed"
            yield f"'{path}' {what}, exit {ended.code}: {ended.stderr.strip()[-200:]}"


def choose(count: int, points: int, generator: random.Random) -> list[int]:
    return list(range(count)) if count <= points else sorted(generator.sample(range(count), points))


def draw(calls: dict[str, int], points: int, generator: random.Random) -> Iterator[Fault]:
    for function, count in calls.items():
        for at in choose(count, points, generator):
            yield Fault(function, at)
        if function in LASTING:
            yield Fault(function, generator.randrange(count), sys.maxsize)
        if function in TRANSFERS:
            for how in ("short", "interrupted"):
                yield Fault(function, generator.randrange(count), how=how)
                yield Fault(function, 0, sys.maxsize if how == "short" else 1, how)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--points", type=int, default=10 ** 9, help="the most calls of a function that fail in a scenario")
    parser.add_argument("--only", default="", help="scenarios whose names have this")
    parser.add_argument("--compiler", default="clang-22")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    report, generator = harness.Report(options.verbose), random.Random(options.seed)
    tried: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="faults") as top, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        library = os.path.join(top, "inject_faults.so")
        source = pathlib.Path(__file__).with_name("inject_faults.c")
        subprocess.run([options.compiler, "-O1", "-Wall", "-shared", "-fPIC", source, "-o", library], check=True)
        tools = Tools(options.invar, library)
        for number, scenario in enumerate(SCENARIOS):
            if options.only not in scenario.name:
                continue
            subject = Subject(tools, scenario, pathlib.Path(top, str(number)))
            faults = list(draw(subject.calls, options.points, generator))
            ends: collections.Counter[int] = collections.Counter()
            for fault, (ended, files, _, failed) in zip(faults, pool.map(lambda i: subject.run(str(i), faults[i]), range(len(faults)))):
                # The number of calls by threads varies between runs, so the chosen call may not have occurred.
                ends[ended.code if failed else -1] += 1
                tried[fault.function] += failed > 0
                report.check(f"{scenario.name}: {fault}", subject.complaints(ended, files, fault))
            print(f"{scenario.name}: {len(faults)} of {sum(subject.calls.values())} calls: {ends[0]} did no harm, "
                  f"{ends[1] + ends[3]} ended in an error, {ends[-1]} did not come", flush=True)
    print("calls that failed: " + ", ".join(f"{count} {function}" for function, count in tried.most_common()))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
