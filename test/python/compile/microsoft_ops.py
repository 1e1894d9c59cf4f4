#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles operators of com.microsoft with all sizes open, runs them, and compares with onnxruntime.

The operators and their operands are those of fold_random.py (see fold_cases/contrib.py), but here the operands are
inputs. Operators in functions and branches follow, and operands that must be rejected, as onnxruntime does.

  microsoft_ops.py --build build/dev [--seed 1] [--cases 600] [--only com.microsoft.CDist]
"""
import argparse
import os
import sys
import tempfile
import warnings
from typing import Any, Iterator

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(1, sys.path[0] + "/../support")
import fold_cases
import harness
import invar_engine
from engines import OnnxRuntime, as_array
from fold_cases import Case
from fold_cases.draw import MICROSOFT
from fold_cases.graphs import add_prefix, describe
from fold_expected import Unknown, difference_of, expect

PER_LIBRARY = 25


class Asked:
    """A case with onnxruntime's results, as a part of a larger model."""

    def __init__(self, name: str, case: Case, index: int):
        self.name, self.case, self.prefix = name, case, f"c{index}_"
        self.expected = expect(case).values
        self.graph = onnx.GraphProto()
        self.graph.CopyFrom(case.graph)
        add_prefix(self.graph, self.prefix)
        self.feeds = {t.name: as_array(t) for t in self.graph.initializer}
        self.inputs = [helper.make_tensor_value_info(t.name, t.data_type, [None] * len(t.dims)) for t in self.graph.initializer]

    def complaints(self, got: dict[str, Any]) -> list[str]:
        values = []
        for output, want in zip(self.graph.output, self.expected[0]):
            value = got[output.name]
            # If there are no texts, Invar's result has an axis that onnxruntime omits.
            if self.case.op.endswith(".Tokenizer") and want.size == 0 and value.shape == (*self.feeds[f"{self.prefix}x0"].shape, 0):
                value = value.reshape(want.shape)
            values.append(value)
        why = difference_of(self.case, values, self.expected)
        return [f"{why}\n    {describe(self.case)}"] if why else []


def run_together(engine: invar_engine.Engine, parts: list[Asked], folder: str) -> dict[str, Any]:
    whole = onnx.GraphProto(name="cases")
    for part in parts:
        whole.node.extend(part.graph.node)
        whole.input.extend(part.inputs)
        whole.output.extend(part.graph.output)
    path = os.path.join(folder, "cases.onnx")
    onnx.save(fold_cases.make_model(whole, opset=21), path)
    engine.compile(path, f"{path}.so")
    session = engine.load(f"{path}.so")
    try:
        return dict(zip(session.outputs, session.run({name: value for part in parts for name, value in part.feeds.items()})))
    finally:
        session.close()


def judge(engine: invar_engine.Engine, parts: list[Asked], folder: str) -> Iterator[tuple[str, list[str]]]:
    """Judges all parts together; if that is rejected, the halves."""
    try:
        got = run_together(engine, parts, folder)
    except (invar_engine.NotCompiled, invar_engine.CompilerCrashed, invar_engine.RunFailed) as why:
        if len(parts) == 1:
            yield parts[0].name, [f"{str(why)[-300:]}\n    {describe(parts[0].case)}"]
            return
        for half in (parts[:len(parts) // 2], parts[len(parts) // 2:]):
            yield from judge(engine, half, folder)
        return
    for part in parts:
        yield part.name, part.complaints(got)


# In functions and branches

def judge_nested(engine: invar_engine.Engine, folder: str) -> Iterator[tuple[str, list[str]]]:
    """Tests operators in a function that imports the domain, in a model that does not, and in a branch."""
    imports = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
    distance = helper.make_function("own", "Near", ["a", "b"], ["d"], [
        helper.make_node("CDist", ["a", "b"], ["d"], domain=MICROSOFT, metric="euclidean")], imports)
    values = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in (
        ("a", ["n", 3]), ("b", ["m", 3]), ("y", ["n", "m"]))}
    branches = {f"{name}_branch": helper.make_graph([helper.make_node("CDist", operands, [name], domain=MICROSOFT)], name, [],
                                                    [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)])
                for name, operands in (("then", ["a", "b"]), ("else", ["b", "a"]))}
    condition = [helper.make_node("ReduceSum", ["a"], ["s"], keepdims=0), helper.make_node("Cast", ["s"], ["c"], to=TensorProto.BOOL)]
    feeds = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.arange(12, dtype=np.float32).reshape(4, 3) ** 2}
    for name, nodes, functions, used in (
            ("in a function", [helper.make_node("Near", ["a", "b"], ["y"], domain="own")], [distance], [imports[0], helper.make_opsetid("own", 1)]),
            ("in a branch", [*condition, helper.make_node("If", ["c"], ["y"], **branches)], [], imports)):
        graph = helper.make_graph(nodes, "g", [values["a"], values["b"]], [values["y"]])
        path = os.path.join(folder, "nested.onnx")
        onnx.save(helper.make_model(graph, functions=functions, opset_imports=used, ir_version=10), path)
        wanted = OnnxRuntime(path).run(feeds)
        engine.compile(path, f"{path}.so")
        session = engine.load(f"{path}.so")
        got = session.run(feeds)
        yield name, [] if np.allclose(got[0], wanted[0], 1e-5) else [f"expected {wanted}, but got {got}"]
        session.close()


# Rejected operands

def tokenizer_of(texts: list[bytes], **attributes: Any) -> tuple[onnx.ModelProto, dict[str, Any]]:
    attributes = {"mark": 0, "mincharnum": 1, "pad_value": ""} | attributes
    graph = helper.make_graph([helper.make_node("Tokenizer", ["x"], ["y"], domain=MICROSOFT, **attributes)], "g",
                              [helper.make_tensor_value_info("x", TensorProto.STRING, ["n"])],
                              [helper.make_tensor_value_info("y", TensorProto.STRING, ["n", "m"])])
    return fold_cases.make_model(graph, opset=21), {"x": np.array(texts, object)}


def judge_refused(engine: invar_engine.Engine, folder: str) -> Iterator[tuple[str, list[str]]]:
    not_text = "expected texts of UTF-8 that are cut between characters, but element 1 is none"
    distances = helper.make_graph(
        [helper.make_node("CDist", ["a", "b"], ["y"], domain=MICROSOFT)], "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, None]) for name in "ab"],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    for name, (model, feeds), said in (
            ("bytes that are not UTF-8", tokenizer_of([b"a", b"\xff"], separators=[" "]), not_text),
            ("a character cut short", tokenizer_of([b"a", b"b\xe2\x82"], separators=[""]), not_text),
            ("a pattern within characters", tokenizer_of([b"a", "aä".encode()], separators=[r"\B"]), not_text),
            ("a pattern that is none", tokenizer_of([b"a"], tokenexp="a("), "'Tokenizer' of the domain 'com.microsoft' cannot be compiled: expected a pattern of RE2, but got 'a('"),
            ("matrices of different columns", (fold_cases.make_model(distances, opset=21), {
                "a": np.zeros((2, 3), np.float32), "b": np.zeros((2, 4), np.float32)}), "to be one size, but got 3 in input 'a' and 4 in input 'b'")):
        path = os.path.join(folder, "refused.onnx")
        onnx.save(model, path)
        try:
            engine.compile(path, f"{path}.so")
            session = engine.load(f"{path}.so")
            got = session.run(feeds)
            yield name, [f"expected '{said}', but got {got}"]
        except (invar_engine.NotCompiled, invar_engine.RunFailed) as why:
            yield name, [] if said in str(why) else [f"expected '{said}', but got '{why}'"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=600, help="of all operators together")
    parser.add_argument("--only", default="", help="only this operator")
    arguments = parser.parse_args()
    engine, report = invar_engine.Engine(arguments.build), harness.Report()
    operators = [op for op in fold_cases.operators() if op.startswith(f"{MICROSOFT}.") and arguments.only in ("", op)]
    parts = []
    for number in range(-(-arguments.cases // max(len(operators), 1))):
        for op in operators:
            try:
                parts.append(Asked(f"{op} #{number}", fold_cases.make_case(op, arguments.seed, number), len(parts)))
            except Unknown as why:
                report.skip(f"{op} #{number}", str(why))
    with tempfile.TemporaryDirectory(prefix="microsoft") as folder:
        for begin in range(0, len(parts), PER_LIBRARY):
            for name, complaints in judge(engine, parts[begin:begin + PER_LIBRARY], folder):
                report.check(name, complaints)
        for judge_more in (judge_nested, judge_refused):
            for name, complaints in judge_more(engine, folder):
                report.check(name, complaints)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
