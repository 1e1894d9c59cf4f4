#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the time of simplification is linear in the model, by counting work.

Models of several kinds are simplified in sizes from 6,000 to 100,000 nodes. The script counts the visits of
inference and the tries of rules; per node, there may be at most a tenth more of them in a big model than in a small
one. Seconds of processor time are only printed, and so is the number of remaining nodes, which shows that rules were
applied.

  simplify_scaling.py --invar build/release/bin/invar [--sizes 6000 25000 100000] [--only KIND]
"""
import argparse
import json
import os
import resource
import sys
import tempfile
from typing import Callable, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from growing_models import Graph, attention_layers

GROWTH = 1.10


def elementwise(size: int) -> onnx.ModelProto:
    """A chain of sums and products, each with a different constant."""
    g, x = Graph(), "x"
    for i in range(size // 2):
        x = g.add("Mul", g.add("Add", g.constant(np.full(8, 1 + i, np.float32)), x), g.constant(np.float32(1 + i % 7)))
    return g.model(x)


def integers(size: int) -> onnx.ModelProto:
    """A chain in which all constants can be combined: one sum is left."""
    g, x = Graph(), "x"
    for i in range(size):
        x = g.add("Add", x, g.constant(np.int32(i)))
    return g.model(x, inputs=(("x", TensorProto.INT32, ["n"]),))


def outward(size: int) -> onnx.ModelProto:
    """Sums of variables, each with a constant, which moves outward to the end."""
    g, x = Graph(), "x"
    for i in range(size // 2):
        x = g.add("Add", g.add("Add", x, g.constant(np.int32(i))), "x")
    return g.model(x, inputs=(("x", TensorProto.INT32, ["n"]),))


def layers(size: int) -> onnx.ModelProto:
    """Reshape -> Einsum -> Shape -> Reshape, as in XLNet: no Shape is left."""
    return attention_layers(size // 9)[0]


def equal(size: int) -> onnx.ModelProto:
    """Equal subgraphs with equal constants: one of them is left."""
    g, x = Graph(), "x"
    parts = []
    for _ in range(size // 4):
        part = g.add("Exp", "x")
        for j in range(2):
            part = g.add("Mul", part, g.constant(np.arange(8, dtype=np.float32) + j))
        parts.append(part)
    for part in parts:
        x = g.add("Sub", x, part)
    return g.model(x)


def dead(size: int) -> onnx.ModelProto:
    """A long chain without users."""
    g, x = Graph(), "x"
    for _ in range(size):
        x = g.add("Exp", x)
    return g.model("x")


def popular(size: int) -> onnx.ModelProto:
    """One constant and one variable with users everywhere."""
    g, x = Graph(), "x"
    c = g.constant(np.arange(8, dtype=np.float32))
    for _ in range(size // 2):
        x = g.add("Sub", g.add("Mul", x, c), "x")
    return g.model(x)


def freed(size: int) -> onnx.ModelProto:
    """Each value has a second user, which is removed after the one below it."""
    g, x = Graph(), "x"
    others = []
    zero = g.constant(np.int32(0))
    for i in range(size // 3):
        x = g.add("Add", x, g.constant(np.int32(i)))
        others.append(x)
    y = "x"
    for other in reversed(others):
        y = g.add("Add", y, g.add("Mul", other, zero))
    return g.model(x, y, inputs=(("x", TensorProto.INT32, [4]),))


def transposes(size: int) -> onnx.ModelProto:
    """A chain of transposes, with a few other operators between them."""
    g, x = Graph(), "x"
    for i in range(size):
        x = g.add("Relu", x) if i % 10 == 9 else g.add("Transpose", x, perm=[(0, 2, 1), (1, 0, 2), (2, 1, 0)][i % 3])
    return g.model(x, inputs=(("x", TensorProto.FLOAT, ["a", "b", "c"]),))


def branches(size: int) -> onnx.ModelProto:
    """Many Ifs that are nested eight deep."""
    g, x = Graph(), "x"
    c = g.constant(np.float32(1))

    def graph(depth: int, outer: str, label: str) -> onnx.GraphProto:
        inner, out = f"{label}_{depth}", f"{label}_{depth}_out"
        nodes = [helper.make_node("Mul", [outer, c], [f"{inner}_a"]), helper.make_node("Identity", [f"{inner}_a"], [inner])]
        if depth:
            nodes.append(helper.make_node("If", ["flag"], [out], then_branch=graph(depth - 1, inner, label),
                                          else_branch=leaf(inner, f"{label}_{depth}_else")))
        else:
            nodes.append(helper.make_node("Exp", [inner], [out]))
        return helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info(out, TensorProto.FLOAT, None)])

    def leaf(outer: str, out: str) -> onnx.GraphProto:
        return helper.make_graph([helper.make_node("Neg", [outer], [out])], "e", [],
                                 [helper.make_tensor_value_info(out, TensorProto.FLOAT, None)])

    for i in range(size // 36):
        x = g.add("If", "flag", then_branch=graph(8, x, f"b{i}"), else_branch=leaf(x, f"b{i}_else"))
    return g.model(x, inputs=(("x", TensorProto.FLOAT, ["n", 8]), ("flag", TensorProto.BOOL, [])))


def extremes(size: int) -> onnx.ModelProto:
    """A chain of maxima, each with one more value: several of them are left, because the lists of operands stay
    short."""
    g, x = Graph(), "x"
    values = ["x"]
    for i in range(size // 2):
        values.append(g.add("Sin", values[-1]))
    for value in values:
        x = g.add("Max", x, value)
    return g.model(x)


def concats(size: int) -> onnx.ModelProto:
    """The same with concatenations."""
    g, x = Graph(), "x"
    for _ in range(size):
        x = g.add("Concat", x, "x", axis=0)
    return g.model(x)


def gathers(size: int) -> onnx.ModelProto:
    """A long list of sizes that is concatenated and taken apart."""
    g, x = Graph(), "x"
    for i in range(size // 5):
        shape = g.add("Shape", x)
        first = g.add("Gather", shape, g.constant(np.asarray([0], np.int64)), axis=0)
        target = g.add("Concat", first, g.constant(np.asarray([2, 4] if i % 2 else [4, 2], np.int64)), axis=0)
        x = g.add("Relu", g.add("Reshape", x, target))
    return g.model(x)


KINDS: tuple[Callable[[int], onnx.ModelProto], ...] = (
    elementwise, integers, outward, layers, equal, dead, popular, freed, transposes, branches, extremes, concats, gathers)


def count_nodes(graph: onnx.GraphProto) -> int:
    return sum(1 + sum(count_nodes(a.g) for a in node.attribute if a.HasField("g")) for node in graph.node)


class Work(NamedTuple):
    nodes: int
    left: int
    visits: float
    tries: float
    seconds: float


def measure(invar: str, model: onnx.ModelProto, folder: str) -> Work:
    before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
    onnx.save(model, before)
    started = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ended = harness.run(invar, "optimize", before, "-o", after, "--json")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - started
    if ended.code:
        sys.exit(ended.ending())
    result = json.loads(ended.stdout)
    nodes = count_nodes(model.graph)
    # An initializer is an operator, too.
    operators = nodes + len(model.graph.initializer)
    return Work(nodes, result["nodes_after"], result["shapes"]["visits"] / operators, result["rule_tries"] / operators, seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--sizes", type=int, nargs="+", default=[6000, 25000, 100000])
    parser.add_argument("--only", default="", help="only kinds with this in their name")
    options = parser.parse_args()
    report = harness.Report()
    print(f"{'model':>12} {'nodes':>8} {'left':>8} {'visits':>8} {'tries':>8} {'seconds':>8} {'µs/node':>8}")
    with tempfile.TemporaryDirectory(prefix="scaling") as folder:
        for kind in KINDS:
            if options.only not in kind.__name__:
                continue
            works = []
            for size in options.sizes:
                work = measure(options.invar, kind(size), folder)
                works.append(work)
                print(f"{kind.__name__:>12} {work.nodes:>8} {work.left:>8} {work.visits:>8.2f} {work.tries:>8.2f} "
                      f"{work.seconds:>8.2f} {work.seconds / work.nodes * 1e6:>8.1f}", flush=True)
            for what in ("visits", "tries"):
                small, big = getattr(works[0], what), getattr(works[-1], what)
                report.check(f"{kind.__name__}: {what}",
                             [f"expected {small:.2f} a node, but got {big:.2f}"] if big > small * GROWTH else [])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
