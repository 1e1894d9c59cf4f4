#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests random small graphs of operators that move, cut, join and convert elements, before and after `invar optimize`.

Graphs are drawn from a seed. Many are full of patterns that rules look for: adjacent transposes, slices and splits
that are joined again, quantized values that are moved. Some have named sizes. All operators are exact, so the
outputs must be the same bits in onnxruntime, for several choices of the named sizes, including empty ones; and
optimizing again must change nothing. Rules that are right only up to rounding (--fuse) are tried if floats are small
integers: there they may change only the sign of a zero.

  rules_random.py --invar build/dev/bin/invar [--seed 1] [--count 2000] [--number N] [--keep FOLDER]

A graph that fails is printed, and written to FOLDER if it is given. --number draws only that graph.
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile
import warnings
from typing import Any, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
from models import same_but_for_names
from rules_graphs import Graph, draw, model_of, same_bits

PER_MODEL = 25  # Graphs in one model, to save starts of the program.


class Spec(NamedTuple):
    seed: int
    number: int

    def __str__(self) -> str:
        return f"--seed {self.seed} --number {self.number}"

    def graph(self) -> Graph:
        return draw(random.Random(f"{self.seed}/{self.number}"), f"g{self.number}_")


class Wanted(NamedTuple):
    """The outputs of a graph as it was drawn, for each choice of sizes that fits."""
    graph: Graph
    outputs: dict[int, list[Any]]

    def choice(self, turn: int) -> int:
        return list(self.outputs)[turn % len(self.outputs)]


def joins_what_fits(graph: Graph, feeds: dict[str, np.ndarray]) -> bool:
    """Whether concatenated tensors have the same shape except along the axis. onnxruntime does not check this for empty
    ones."""
    joined = [node for node in graph.nodes if node.op_type == "Concat"]
    model = model_of([graph])
    del model.graph.output[:]
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for node in joined for name in node.input)
    parts = iter(engines.OnnxRuntime(model.SerializeToString()).run(feeds)) if joined else iter(())
    for node in joined:
        axis = helper.get_attribute_value(node.attribute[0])
        shapes = [list(next(parts).shape) for _ in node.input]
        for shape in shapes:
            shape[axis] = 0
        if shapes.count(shapes[0]) != len(shapes):
            return False
    return True


def wanted(graph: Graph) -> Wanted:
    """Fails if onnxruntime cannot run the graph at all."""
    engine = engines.OnnxRuntime(model_of([graph]).SerializeToString())
    outputs = {0: engine.run(graph.feeds(0))}
    for choice in range(1, graph.choices):
        feeds = graph.feeds(choice)
        try:
            values = engine.run(feeds)
        except engines.CannotRun:
            continue  # These sizes do not fit.
        if joins_what_fits(graph, feeds):
            outputs[choice] = values
    return Wanted(graph, outputs)


def complaints_about(invar: str, all_wanted: list[Wanted], folder: str) -> list[str]:
    """Returns what is wrong with these graphs after optimizing."""
    source, once, twice = (os.path.join(folder, f"{name}.onnx") for name in ("source", "once", "twice"))
    onnx.save(model_of([w.graph for w in all_wanted]), source)
    is_exact = all_wanted[0].graph.has_specials
    for before, after in ((source, once), (once, twice)):
        ended = harness.run(invar, "optimize", before, "-o", after, "--quiet", *(["--fuse=off"] if is_exact else []))
        if ended.code:
            return [f"optimize: {ended.ending()}"]
    complaints = [] if same_but_for_names(once, twice) else ["it changes when it is optimized again"]
    try:
        engine = engines.OnnxRuntime(once)
        for turn in range(max(len(w.outputs) for w in all_wanted)):
            got = iter(engine.run({name: value for w in all_wanted for name, value in w.graph.feeds(w.choice(turn)).items()}))
            for w in all_wanted:
                for output, want in zip(w.graph.outputs, w.outputs[w.choice(turn)]):
                    if not same_bits(np.asarray(want), np.asarray(next(got)), is_exact):
                        complaints.append(f"{output.name} differs for choice {w.choice(turn)} of sizes")
    except engines.CannotRun as error:
        complaints.append(f"it does not run any more: {error}")
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--number", type=int, help="this graph alone")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="where graphs go that fail")
    options = parser.parse_args()
    numbers = range(options.count) if options.number is None else [options.number]
    report = harness.Report()

    def judge(specs: list[Spec], drawn: list[Wanted]) -> None:
        with tempfile.TemporaryDirectory(prefix="rules") as folder:
            complaints = complaints_about(options.invar, drawn, folder)
        if len(specs) > 1 and complaints:
            for spec, graph in zip(specs, drawn):  # Find the failing graph.
                judge([spec], [graph])
            return
        for spec in specs:
            report.check(str(spec), complaints)
        if complaints:
            print(drawn[0].graph.text(), flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                onnx.save(model_of([drawn[0].graph]), options.keep / f"{options.seed}_{specs[0].number}.onnx")

    waiting: dict[tuple[int, bool], tuple[list[Spec], list[Wanted]]] = {}
    for number in numbers:
        spec = Spec(options.seed, number)
        graph = spec.graph()
        try:
            drawn = wanted(graph)
        except engines.CannotRun as error:
            report.skip(str(spec), str(error))
            continue
        kind = (graph.opset, graph.has_specials)
        specs, group = waiting.setdefault(kind, ([], []))
        specs.append(spec)
        group.append(drawn)
        if len(group) == PER_MODEL:
            judge(*waiting.pop(kind))
    for specs, group in waiting.values():
        judge(specs, group)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
