#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the operators of models that still read shapes after `invar optimize`: whose sizes, for what, and why.

  shape_left.py --invar build/release/bin/invar [--list] FOLDER|FILE…

There is a row for each model: the number of Shape and Size nodes before and after, and the uses of the sizes that
are still read. With --list there is a line for each node, too. Computations with sizes (Gather, Concat, arithmetic…)
are followed to the operators that need the result.
"""
import argparse
import collections
import os
import pathlib
import sys
import tempfile
from typing import Iterator, NamedTuple

import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import harness

READERS = {"Shape", "Size"}
# Operators that only pass lists on.
LISTS = {"Add", "Cast", "Concat", "Div", "Equal", "Gather", "Identity", "Max", "Min", "Mod", "Mul", "Neg", "ReduceProd", "Reshape",
         "ScatterND", "Slice", "Squeeze", "Sub", "Unsqueeze", "Where"}
# The meaning of an operand, and why it cannot be a constant.
REASONS = {
    ("Reshape", 1): "two or more sizes at other places than in the operand",
    ("Expand", 1): "a size that the operand does not have",
    ("ConstantOfShape", 0): "the result has that size and is used as it is",
    ("Range", 0): "it counts from or to a size", ("Range", 1): "it counts to a size",
    ("Slice", 1): "a place in a tensor of another size", ("Slice", 2): "a part as long as another tensor",
    ("Pad", 1): "as much as is missing", ("Resize", 3): "the size of another tensor",
    ("Tile", 1): "as often as another tensor is long", ("TopK", 1): "as many as there are",
    ("OneHot", 1): "as wide as another tensor", ("Split", 1): "parts as long as another tensor",
    ("Cast", 0): "the size is calculated with as a float",
    ("If", 0): "a choice by a size", ("Loop", 0): "as often as there are elements", ("Loop", 1): "whether there is anything",
}


class Use(NamedTuple):
    kind: str
    operand: int

    def __str__(self) -> str:
        why = REASONS.get((self.kind, self.operand), "a size is data here")
        return f"{self.kind}: {why}" if self.kind else "an output of a graph"


def graphs_of(graph: onnx.GraphProto) -> Iterator[onnx.GraphProto]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs:
                yield from graphs_of(inner)


def is_list(name: str, types: dict[str, onnx.TypeProto.Tensor]) -> bool:
    """Whether the value is a scalar or vector of integers or booleans, or unknown."""
    tensor = types.get(name)
    if tensor is None or not tensor.HasField("shape"):
        return True
    integers = (onnx.TensorProto.INT64, onnx.TensorProto.INT32, onnx.TensorProto.BOOL)
    return tensor.elem_type in integers and len(tensor.shape.dim) < 2


class Left:
    """The remaining operators of one model."""

    def __init__(self, model: onnx.ModelProto, typed: onnx.ModelProto):
        self.users: dict[str, list[tuple[onnx.NodeProto, int]]] = collections.defaultdict(list)
        self.types: dict[str, onnx.TypeProto.Tensor] = {}
        self.ends: set[str] = set()
        self.readers: list[onnx.NodeProto] = []
        for graph in graphs_of(typed.graph):
            for value in (*graph.input, *graph.value_info, *graph.output):
                if value.type.HasField("tensor_type"):
                    self.types[value.name] = value.type.tensor_type
        for graph in graphs_of(model.graph):
            self.ends.update(value.name for value in graph.output)
            for node in graph.node:
                for number, name in enumerate(node.input):
                    self.users[name].append((node, number))
                if node.op_type in READERS:
                    self.readers.append(node)

    def uses(self, name: str) -> collections.Counter[Use]:
        """Returns the operators that need values computed from a list."""
        found: dict[tuple[str, int], Use] = {}
        pending, seen = [name], set()
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            if value in self.ends:
                found[value, -1] = Use("", 0)
            for node, number in self.users[value]:
                if node.op_type in LISTS and is_list(node.output[0], self.types):
                    pending.append(node.output[0])
                else:
                    found[node.output[0], number] = Use(node.op_type, number)
        return collections.Counter(found.values())

    def shape_of(self, node: onnx.NodeProto) -> str:
        tensor = self.types.get(node.input[0])
        if tensor is None:
            return "?"
        return "[" + ", ".join(d.dim_param or str(d.dim_value) for d in tensor.shape.dim) + "]"


def count_readers(model: onnx.ModelProto) -> int:
    return sum(node.op_type in READERS for graph in graphs_of(model.graph) for node in graph.node)


def look(invar: str, path: pathlib.Path, lists: bool, report: harness.Report) -> None:
    before = count_readers(onnx.load(path, load_external_data=False))
    with tempfile.TemporaryDirectory(prefix="left") as folder:
        # Only inference writes types, which show whose sizes are read.
        once, typed = (os.path.join(folder, name) for name in ("once.onnx", "typed.onnx"))
        for source, target, options in ((path, once, ()), (once, typed, ("--passes=infer-shapes",))):
            ended = harness.run(invar, "optimize", source, "-o", target, "--quiet", *options)
            if ended.code:
                return report.check(path.name, [ended.ending()])
        left = Left(*(onnx.load(path, load_external_data=False) for path in (once, typed)))
    complaints, total = [], collections.Counter()
    for node in left.readers:
        uses = left.uses(node.output[0])
        total += uses
        if not uses:
            complaints.append(f"nothing uses '{node.output[0]}'")
        if lists:
            print(f"  {node.op_type} of {left.shape_of(node)}: " + "; ".join(f"{n} {use}" for use, n in uses.items()))
    why = "; ".join(f"{n} {use}" for use, n in sorted(total.items(), key=lambda item: str(item[0])))
    if before:
        print(f"| {path.stem.split('__')[-1]} | {before} | {len(left.readers)} | {why} |", flush=True)
    report.check(path.name, complaints)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--list", action="store_true", help="a line for each node")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    report = harness.Report()
    print("| model | before | after | what sizes are read for |\n| --- | ---: | ---: | --- |")
    for path in options.paths:
        for model in [path] if path.is_file() else sorted(path.rglob("*.onnx")):
            look(options.invar, model, options.list, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
