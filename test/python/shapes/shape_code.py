#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the sizes computed by emitted code at run time equal those of inference, and the true ones.

The script takes every node of every node test of the onnx package as a separate model, and other nodes with numbers
that those tests lack: limits, empty axes, random windows. From each, the program test-shape-code makes functions
that compute the shapes of the results from operands of dynamic types, with more and more knowledge about them.
MLIR's own tools compile and run them, and the numbers are compared with the shapes of the expected outputs and with
inference on static operands. The expressions that inference finds for named sizes are evaluated and compared, too.

Sizes that depend on data are unknown to the code; nodes without any known size are counted with that reason.

  shape_code.py --build build/dev [--only NAME] [--self-test]
"""
import argparse
import collections
import concurrent.futures
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any, Iterator, NamedTuple

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from shape_nodes import Node, Shape, collect, make_own_nodes

WAYS = ("ranks", "lengths", "axes", "contents")
LOWERING = (
    "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
    "--lower-affine", "--arith-expand", "--convert-arith-to-llvm", "--finalize-memref-to-llvm",
    "--convert-func-to-llvm", "--reconcile-unrealized-casts")


# Running code

class Tools(NamedTuple):
    generator: str
    mlir: pathlib.Path

    def lower(self, code: pathlib.Path) -> pathlib.Path:
        lowered = code.with_suffix(".llvm.mlir")
        subprocess.run([self.mlir / "mlir-opt", code, "-o", lowered, *LOWERING], check=True, capture_output=True, text=True)
        return lowered

    def run(self, lowered: pathlib.Path, entry: str) -> harness.Run:
        library = self.mlir.parent / "lib/libmlir_c_runner_utils.so"
        return harness.run(self.mlir / "mlir-runner", lowered, "-O0", "-e", entry, "--entry-point-result=void",
                           f"--shared-libs={library}")


def read_line(line: str) -> tuple[tuple[int, int], list[Shape | None]]:
    """Returns (model, way), and the shape of each result."""
    model, way, *rest = (int(n) for n in line.replace(",", " ").split())
    results: list[Shape | None] = []
    while rest:
        rank = rest.pop(0)
        results.append(None if rank < 0 else tuple(rest[:rank]))
        del rest[:max(rank, 0)]
    return (model, way), results


class Outcome(NamedTuple):
    reports: list[dict[str, Any]]
    computed: dict[tuple[int, int], list[Shape | None]]
    crashes: dict[int, str]


def run_nodes(tools: Tools, nodes: list[Node]) -> Outcome:
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        paths = [folder / f"{i}.onnx" for i in range(len(nodes))]
        for path, node in zip(paths, nodes):
            path.write_bytes(node.model.SerializeToString())
        (folder / "models").write_text("".join(f"{p}\n" for p in paths))
        code, report = folder / "code.mlir", folder / "report"
        made = harness.run(tools.generator, folder / "models", code, report)
        reports = [json.loads(line) for line in report.read_text().splitlines()]
        if made.code:
            return Outcome(reports, {}, {len(reports): f"test-shape-code: {made.ending()}"})
        lowered = tools.lower(code)
        done = tools.run(lowered, "main")
        computed = dict(map(read_line, done.stdout.splitlines())) if done.code == 0 else {}
        crashes = {}
        if done.code:  # Find the failing one.
            for entry in re.findall(r"func\.func @(run_sizes_\d+_\d+)\(", code.read_text()):
                done = tools.run(lowered, entry)
                model = int(entry.split("_")[2])
                if done.code:
                    crashes[model] = f"{entry}: {done.ending()[:200]}"
                else:
                    computed |= dict(map(read_line, done.stdout.splitlines()))
        return Outcome(reports, computed, crashes)


# Judging

def differ(left: Shape | None, right: Shape | None) -> bool:
    """Whether both cannot be right; -1 and None mean unknown."""
    if left is None or right is None:
        return False
    return len(left) != len(right) or any(a != b and a >= 0 and b >= 0 for a, b in zip(left, right))


def is_known(shape: Shape | None) -> bool:
    return shape is not None and all(size >= 0 for size in shape)


def complaints(node: Node, inferred: list[Shape | None], named: list[Shape | None],
               computed: dict[int, list[Shape | None]]) -> Iterator[str]:
    for source, shapes in (("inference", inferred), ("inference by names", named),
                           *((f"code knowing {WAYS[w]}", s) for w, s in computed.items())):
        if len(shapes) != len(node.results):
            yield f"{source}: {len(shapes)} results for {len(node.results)}"
        for i, (shape, true) in enumerate(zip(shapes, node.results)):
            if differ(shape, true):
                yield f"{source}: result {i} is {shape}, but should be {true}"
    for way, shapes in computed.items():
        for i, (shape, static) in enumerate(zip(shapes, inferred)):
            if differ(shape, static):
                yield f"code knowing {WAYS[way]}: result {i} is {shape}, but inference found {static}"
            # The code must find all sizes that inference finds from types, because it has the same knowledge.
            if way == len(WAYS) - 1 and is_known(static) and not is_known(shape):
                yield f"code knowing {WAYS[way]}: result {i} is {shape}, while inference found {static}"


COLUMNS = ("nodes", *WAYS, "not all", "by name")


class Tally:
    """By operator: the number of nodes, and how many of them have all sizes known in each way, and by names."""

    def __init__(self) -> None:
        self.known: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)

    def add(self, op: str, named: list[Shape | None], computed: dict[int, list[Shape | None]]) -> None:
        self.known[op]["nodes"] += 1
        self.known[op]["by name"] += all(map(is_known, named))
        best = max((i for i, w in enumerate(reversed(range(len(WAYS)))) if w in computed and all(map(is_known, computed[w]))),
                   default=None)
        self.known[op]["not all" if best is None else WAYS[len(WAYS) - 1 - best]] += 1

    def print(self) -> None:
        print(f"{'all sizes known to code, or by name':35}{''.join(f'{k:>9}' for k in COLUMNS)}")
        for op, counts in sorted(self.known.items()):
            print(f"{op:35}{''.join(f'{counts[k] or chr(45):>9}' for k in COLUMNS)}")


def judge(report: harness.Report, tally: Tally, nodes: list[Node], outcome: Outcome) -> None:
    for i, node in enumerate(nodes):
        if i in outcome.crashes:
            report.check(node.name, [outcome.crashes[i]])
            continue
        if i >= len(outcome.reports):
            report.check(node.name, ["not run, because one before it crashed test-shape-code"])
            continue
        said = outcome.reports[i]
        if "error" in said:
            report.check(node.name, [said["error"]])
            continue
        if "skipped" in said:
            report.skip(node.name, said["skipped"])
            continue
        inferred, named = ([None if s is None else tuple(s) for s in said[k]] for k in ("inferred", "named"))
        computed = {w: outcome.computed[i, w] for w in range(len(WAYS)) if (i, w) in outcome.computed}
        tally.add(node.op, named, computed)
        wrong = list(complaints(node, inferred, named, computed))
        if not computed:
            wrong.append("no code ran")
        if not wrong and not any(s is not None for shapes in computed.values() for s in shapes):
            report.skip(node.name, "rank and sizes depend on data")
        else:
            report.check(node.name, wrong)


def run_all(report: harness.Report, tally: Tally, tools: Tools, nodes: list[Node]) -> None:
    size = 250
    chunks = [nodes[i:i + size] for i in range(0, len(nodes), size)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for chunk, outcome in zip(chunks, pool.map(lambda c: run_nodes(tools, c), chunks)):
            judge(report, tally, chunk, outcome)


def self_test(tools: Tools) -> int:
    """With false expected shapes, every node must fail."""
    nodes = collect(harness.Report(), "test_transpose_")
    false = [n._replace(results=[(s[0] + 1, *s[1:]) for s in n.results]) for n in nodes]
    inner, report = harness.Report(), harness.Report()
    with contextlib.redirect_stdout(io.StringIO()):
        run_all(inner, Tally(), tools, false)
    report.check("false shapes are found", [] if nodes and inner.counts[harness.FAILED] == len(nodes) else [str(inner.counts)])
    return report.finish()


def find_mlir_tools(build: pathlib.Path) -> pathlib.Path:
    """Returns the folder where lit finds them, too."""
    return pathlib.Path(re.search(r'llvm_tools_dir = "(.*)"', (build / "test/lit.site.cfg.py").read_text())[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder of the build, for example build/dev")
    parser.add_argument("--only", default="", help="tests with this in their names")
    parser.add_argument("--self-test", action="store_true", help="show that the test can fail")
    parser.add_argument("--verbose", action="store_true", help="a line for each node")
    arguments = parser.parse_args()
    tools = Tools(harness.existing_program(str(arguments.build / "bin/test-shape-code")), find_mlir_tools(arguments.build))
    if arguments.self_test:
        return self_test(tools)
    report, tally = harness.Report(arguments.verbose), Tally()
    nodes = collect(report, arguments.only) + [n for n in make_own_nodes() if arguments.only in n.name]
    run_all(report, tally, tools, nodes)
    tally.print()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
