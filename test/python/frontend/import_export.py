#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that no part of a model is lost between import and export.

Each model of model_parts.py goes through `invar optimize --passes=none` twice:
  - as it is: the result must have the same bytes (or the same message if nodes had to be sorted);
  - with --forget-source, where every node is encoded anew: the result must have the same names of inputs, outputs,
    nodes and initializers, onnx.checker must accept it, and it must compute the same bits.
Models that run are also written in an older and in a newer opset. There they must compute the same, or be rejected
with a reason that is counted.

  import_export.py --invar build/dev/bin/invar [--only NAME]
"""
import argparse
import os
import re
import sys
import tempfile
import warnings
from typing import Iterator

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import TensorProto

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
import model_parts
from models import is_sorted
from roundtrip import checker_complaint, message_of


def feeds_of(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Makes small integers for every input without a default."""
    given = {t.name for t in model.graph.initializer} | {t.values.name for t in model.graph.sparse_initializer}
    feeds = {}
    for number, info in enumerate(i for i in model.graph.input if i.name not in given):
        shape = [d.dim_value or 2 for d in info.type.tensor_type.shape.dim] or [2, 3]
        feeds[info.name] = (np.arange(np.prod(shape)) % 5 - 2 + number).reshape(shape).astype(np.float32)
    return feeds


def describe_graph(graph: onnx.GraphProto) -> dict[str, list]:
    """Returns the named parts of a graph."""
    def describe_node(node: onnx.NodeProto) -> tuple:
        inner = [(a.name, describe_graph(g)) for a in node.attribute for g in ([a.g] if a.HasField("g") else a.graphs)]
        outputs = list(node.output)
        while outputs and not outputs[-1]:
            outputs.pop()
        domain = "" if node.domain == "ai.onnx" else node.domain
        kinds = sorted((a.name, a.type) for a in node.attribute)
        if node.op_type == "Constant":
            kinds = len(kinds)  # The short forms of Constant become `value`.
        return node.name, domain, node.op_type, node.overload, outputs, kinds, inner

    return {
        "inputs": [i.name for i in graph.input], "outputs": [o.name for o in graph.output],
        "initializers": [t.name for t in graph.initializer], "sparse": [t.values.name for t in graph.sparse_initializer],
        "nodes": [describe_node(n) for n in graph.node],
    }


def compare_structure(before: onnx.ModelProto, after: onnx.ModelProto) -> Iterator[str]:
    want, got = describe_graph(before.graph), describe_graph(after.graph)
    for what in want:
        if want[what] != got[what]:
            yield f"expected {what} {want[what]}, but got {got[what]}"
    describe = lambda f: (f.domain, f.name, f.overload, list(f.input), list(f.output), list(f.attribute), len(f.node))
    if list(map(describe, before.functions)) != list(map(describe, after.functions)):
        yield f"functions differ: {list(map(describe, after.functions))}"


def compare_results(before: str, after: str, model: onnx.ModelProto) -> Iterator[str]:
    if why := checker_complaint(before):
        yield f"onnx.checker does not take the original: {why}"
    elif why := checker_complaint(after):
        yield f"onnx.checker takes the original, but not the result: {why}"
    reasons = []
    for engine in (engines.OnnxRuntime, engines.Reference):
        try:
            if difference := engines.compare(engine, before, after, feeds_of(model)):
                yield difference
            return
        except engines.CannotRun as error:
            reasons.append(str(error))
    yield f"no engine runs the original: {'; '.join(reasons)}"


def judge(invar: str, part: model_parts.Part, folder: str) -> Iterator[str]:
    data = part.model if isinstance(part.model, bytes) else part.model.SerializeToString()
    before, after, anew = (os.path.join(folder, n) for n in ("in.onnx", "out.onnx", "anew.onnx"))
    with open(before, "wb") as sink:
        sink.write(data)
    model = onnx.load_from_string(data)

    ended = harness.run(invar, "optimize", before, "-o", after, "--passes=none", "--quiet")
    if ended.code:
        yield ended.ending()
    elif part.sorted:
        with open(after, "rb") as source:
            same_bytes = source.read() == data
        if message_of(before) != message_of(after):
            yield "the result is another message"
        elif not same_bytes and data == model.SerializeToString():
            yield "the result has other bytes"
    else:
        if not is_sorted(onnx.load(after).graph):
            yield "the result is not in order"
        if why := checker_complaint(after):
            yield f"onnx.checker does not take the result: {why}"

    ended = harness.run(invar, "optimize", before, "-o", anew, "--passes=none", "--forget-source", "--quiet")
    if ended.code:
        yield f"with --forget-source: {ended.ending()}"
        return
    if part.sorted and part.same_nodes:
        yield from (f"with --forget-source: {why}" for why in compare_structure(model, onnx.load(anew)))
    if part.runs:
        yield from compare_results(before, anew, model)


def judge_opset(invar: str, part: model_parts.Part, opset: int, folder: str, report: harness.Report) -> None:
    name = f"{part.name}, in opset {opset}"
    before, after = os.path.join(folder, "in.onnx"), os.path.join(folder, f"opset{opset}.onnx")
    ended = harness.run(invar, "optimize", before, "-o", after, "--passes=none", f"--opset={opset}", "--quiet")
    if ended.code == 1 and (refusal := re.search(r": (cannot write .*)", ended.stderr)):
        report.skip(name, refusal[1])
    elif ended.code:
        report.check(name, [ended.ending()])
    else:
        versions = {i.domain: i.version for i in onnx.load(after).opset_import}
        wrong = [] if opset in (versions.get(""), versions.get("ai.onnx")) else [f"expected opset {opset}, but got {versions}"]
        report.check(name, [*wrong, *compare_results(before, after, onnx.load(before))])


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--invar", required=True, type=harness.existing_program)
    options.add_argument("--only", default="", help="only models with this in their name")
    options.add_argument("--verbose", action="store_true")
    arguments = options.parse_args()
    report = harness.Report(arguments.verbose)
    for part in model_parts.all_parts():
        if arguments.only in part.name:
            with tempfile.TemporaryDirectory(prefix="parts") as folder:
                report.check(part.name, judge(arguments.invar, part, folder))
                # Models of newer opsets test types that older opsets lack.
                for opset in (13, 22) if part.runs and part.model.opset_import[0].version <= 17 else ():
                    judge_opset(arguments.invar, part, opset, folder, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
