#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares Scan of opset 8, which has a batch, with onnxruntime: optimized, converted, folded, compiled and run.

The cases cover states, several sequences in both directions, slices, captured values, bodies that rules change,
known and open sizes, batches of 0, 1 and more, and lengths for each sequence. In opset 8 a model must keep its
single Scan, however its body changes, and a second `optimize` must change nothing. Converted to another opset, and
compiled, it must have the same outputs. Scans of opset 11 are written in opset 8 with a batch of one. Scans of
constants without lengths must be folded completely.

  batched_scan.py --build build/dev [--only NAME]
"""
import argparse
import filecmp
import os
import sys
import tempfile
from typing import Any, Iterator, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
import invar_engine
from folded_constants import constants_of

INT, FLOAT = TensorProto.INT64, TensorProto.FLOAT
node = helper.make_node
Shape = list[int | str] | None


def info(name: str, shape: Shape, element: int = FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def numbers(*shape: int) -> np.ndarray:
    return (np.arange(np.prod(shape, dtype=int)) % 7 - 2.5).reshape(shape).astype(np.float32)


class Case(NamedTuple):
    """`states` and `sequences` are inputs, by name; `captured` are outer values that the body uses."""
    name: str
    body: list[onnx.NodeProto]
    states: dict[str, np.ndarray]
    sequences: dict[str, np.ndarray]
    slices: int = 1
    directions: list[int] | None = None
    lengths: np.ndarray | None = None
    captured: dict[str, np.ndarray] = {}
    weights: dict[str, np.ndarray] = {}


def add(**more) -> Case:
    """Makes a running sum and its steps. A body takes 's', 'x' and so on, and yields 's_out' and 'y0'."""
    given = dict(name="a sum", body=[node("Add", ["s", "x"], ["s_out"]), node("Identity", ["s_out"], ["y0"])],
                 states={"s": numbers(2, 3)}, sequences={"x": numbers(2, 4, 3)})
    return Case(**given | more)


def cases() -> Iterator[Case]:
    yield add()
    yield add(name="a batch of one", states={"s": numbers(1, 3)}, sequences={"x": numbers(1, 4, 3)})
    yield add(name="sequences of one", sequences={"x": numbers(2, 1, 3)})
    yield add(name="one of one", states={"s": numbers(1, 3)}, sequences={"x": numbers(1, 1, 3)})
    yield add(name="no batch", states={"s": numbers(0, 3)}, sequences={"x": numbers(0, 4, 3)})
    yield add(name="backwards", directions=[1])
    yield add(name="no state", states={}, body=[node("Neg", ["x"], ["y0"])])
    yield add(name="no slices", slices=0, body=[node("Add", ["s", "x"], ["s_out"])])
    yield add(name="two sequences in two directions", sequences={"x": numbers(2, 4, 3), "w": numbers(2, 4, 3) * 2}, directions=[0, 1], slices=2,
              body=[node("Add", ["s", "x"], ["s_out"]), node("Mul", ["s_out", "w"], ["y0"]), node("Sub", ["x", "w"], ["y1"])])
    yield add(name="two states of other shapes", states={"s": numbers(2, 3), "t": numbers(2)},
              body=[node("Add", ["s", "x"], ["s_out"]), node("ReduceMax", ["s_out"], ["m"], keepdims=0), node("Add", ["t", "m"], ["t_out"]),
                    node("Mul", ["s_out", "t_out"], ["y0"])])
    yield add(name="captured values", captured={"c": numbers(3)}, weights={"k": numbers(3) * 3},
              body=[node("Mul", ["c", "k"], ["ck"]), node("Add", ["s", "x"], ["a"]), node("Mul", ["a", "ck"], ["s_out"]), node("Neg", ["s_out"], ["y0"])])
    # Bodies that rules change, inside or around a loop.
    yield add(name="a state that stays", states={"s": numbers(2, 3), "t": numbers(2, 3)},
              body=[node("Identity", ["t"], ["t_out"]), node("Exp", ["t"], ["e"]), node("Add", ["s", "e"], ["a"]), node("Add", ["a", "x"], ["s_out"]),
                    node("Identity", ["s_out"], ["y0"])])
    yield add(name="what is alike in each run", captured={"c": numbers(3, 3)}, weights={"k": numbers(3, 3)},
              body=[node("MatMul", ["c", "c"], ["cc"]), node("MatMul", ["x", "cc"], ["m"]), node("Add", ["s", "m"], ["s_out"]), node("Identity", ["s_out"], ["y0"])])
    yield add(name="constants", body=[node("Constant", [], ["one"], value=numpy_helper.from_array(np.ones(3, np.float32))), node("Add", ["one", "one"], ["two"]),
                                      node("Mul", ["x", "two"], ["z"]), node("Add", ["s", "z"], ["s_out"]), node("Identity", ["two"], ["y0"])])
    yield add(name="slices that are constants alone", states={}, body=[
        node("Constant", [], ["y0"], value=numpy_helper.from_array(np.ones(3, np.float32)))])
    yield add(name="nothing to do", body=[node("Transpose", ["x"], ["a"], perm=[0]), node("Transpose", ["a"], ["b"], perm=[0]), node("Add", ["s", "b"], ["s_out"]),
                                          node("Identity", ["s_out"], ["y0"])])
    inner = helper.make_graph([node("Add", ["p", "q"], ["p_out"]), node("Identity", ["p_out"], ["r"])], "inner",
                              [info("p", None), info("q", None)], [info("p_out", None), info("r", None)])
    yield add(name="a scan in a scan", states={"s": numbers(2, 2, 3)}, sequences={"x": numbers(2, 4, 2, 5, 3)}, slices=2,
              body=[node("Scan", ["", "s", "x"], ["s_out", "y1"], body=inner, num_scan_inputs=1), node("Neg", ["s_out"], ["y0"])])
    choice = [helper.make_graph([node(kind, ["s", "x"], [kind])], kind, [], [info(kind, None)]) for kind in ("Add", "Sub")]
    yield add(name="a choice", body=[node("ReduceSum", ["x"], ["r"], keepdims=0), node("Greater", ["r", "zero"], ["on"]),
                                     node("If", ["on"], ["s_out"], then_branch=choice[0], else_branch=choice[1]), node("Neg", ["s_out"], ["y0"])],
              weights={"zero": np.float32(0)})
    for lengths in ([4, 4], [2, 4], [1, 3]):
        yield add(name=f"lengths {lengths}", lengths=np.array(lengths, np.int64))
        yield add(name=f"lengths {lengths} backwards", lengths=np.array(lengths, np.int64), directions=[1])
    yield add(name="lengths of two sequences", lengths=np.array([3, 1], np.int64), sequences={"x": numbers(2, 4, 3), "w": numbers(2, 4, 3) * 2}, directions=[0, 1],
              slices=2, body=[node("Add", ["s", "x"], ["s_out"]), node("Mul", ["s_out", "w"], ["y0"]), node("Sub", ["x", "w"], ["y1"])])


def graph_of(case: Case) -> onnx.GraphProto:
    """Makes the body. Its values have unknown shapes."""
    inputs = [info(name, None) for name in (*case.states, *case.sequences)]
    outputs = [info(name + "_out", None) for name in case.states] + [info(f"y{i}", None) for i in range(case.slices)]
    return helper.make_graph(case.body, "body", inputs, outputs)


def make(case: Case, is_open: bool) -> onnx.ModelProto:
    feeds = feeds_of(case)
    attributes = {"directions": case.directions} if case.directions else {}
    scan = node("Scan", ["lengths" if case.lengths is not None else "", *case.states, *case.sequences],
                [f"{name}_end" for name in case.states] + [f"out{i}" for i in range(case.slices)],
                body=graph_of(case), num_scan_inputs=len(case.sequences), **attributes)

    def shape_of(name: str) -> Shape:
        shape = list(feeds[name].shape)
        if not is_open or name in case.captured:
            return shape
        return ["batch", *([] if name not in case.sequences else ["length"]), *shape[2 if name in case.sequences else 1:]]
    inputs = [info(name, shape_of(name), helper.np_dtype_to_tensor_dtype(value.dtype)) for name, value in feeds.items()]
    graph = helper.make_graph([scan], "g", inputs, [info(name, None) for name in scan.output],
                              [numpy_helper.from_array(np.asarray(value), name) for name, value in case.weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 8)], ir_version=4)


def feeds_of(case: Case) -> dict[str, np.ndarray]:
    lengths = {} if case.lengths is None else {"lengths": case.lengths}
    return lengths | case.states | case.sequences | case.captured


def operators(path: str) -> list[str]:
    return sorted(n.op_type for n in onnx.load(path).graph.node)


class Judge:
    def __init__(self, engine: invar_engine.Engine, folder: str):
        self.engine = engine
        self.paths = {name: os.path.join(folder, name) for name in ("in.onnx", "out.onnx", "again.onnx", "new.onnx", "anew.onnx", "old.onnx", "out.so")}

    def optimize(self, before: str, after: str, *options: str) -> str:
        ended = harness.run(self.engine.invar, "optimize", self.paths[before], "-o", self.paths[after], "--quiet", *options)
        return ended.ending() if ended.code else ""

    def differ(self, model: str, feeds: dict[str, Any], want: list[np.ndarray]) -> list[str]:
        try:
            got = engines.OnnxRuntime(self.paths[model]).run(feeds)
        except engines.CannotRun as error:
            return [f"{model} does not run: {error}"]
        return self.compare(model, want, got)

    @staticmethod
    def compare(what: str, want: list[np.ndarray], got: list[np.ndarray]) -> list[str]:
        return [f"{what}: expected {w.tolist()}, but got {np.asarray(g).tolist()}" for w, g in zip(want, got, strict=True)
                if not engines.same_bits(w, np.asarray(g))][:1]

    def __call__(self, case: Case, is_open: bool) -> Iterator[str]:
        made, feeds = make(case, is_open), feeds_of(case)
        onnx.save(made, self.paths["in.onnx"])
        want = engines.OnnxRuntime(self.paths["in.onnx"]).run(feeds)
        yield from self.in_its_opset(feeds, want)
        yield from self.in_another(case, feeds, want)
        yield from self.compiled(feeds, want)
        if case.lengths is None:
            yield from self.folded(made, feeds, want)

    def in_its_opset(self, feeds: dict[str, Any], want: list[np.ndarray]) -> Iterator[str]:
        for before, after, options in (("in.onnx", "out.onnx", []), ("out.onnx", "again.onnx", []), ("in.onnx", "anew.onnx", ["--forget-source"])):
            if said := self.optimize(before, after, *options):
                yield f"optimize {' '.join(options)}: {said}"
                return
        if not filecmp.cmp(self.paths["out.onnx"], self.paths["again.onnx"], shallow=False):
            yield "optimizing again changes something"
        for model in ("out.onnx", "anew.onnx"):
            written = onnx.load(self.paths[model])
            if [opset.version for opset in written.opset_import] != [8]:
                yield f"{model}: another opset"
            if set(operators(self.paths[model])) - {"Constant", "Identity"} not in ({"Scan"}, set(), {"Mul", "Scan"}, {"MatMul", "Scan"}) \
                    or operators(self.paths[model]).count("Scan") > 1:
                yield f"{model}: expected one Scan, but got {operators(self.paths[model])}"
            yield from self.differ(model, feeds, want)

    def in_another(self, case: Case, feeds: dict[str, Any], want: list[np.ndarray]) -> Iterator[str]:
        for opset in (9, 13, 18) if case.lengths is None else (18,):
            if said := self.optimize("in.onnx", "new.onnx", f"--opset={opset}"):
                yield f"--opset={opset}: {said}"
                continue
            yield from (f"--opset={opset}: {why}" for why in self.differ("new.onnx", feeds, want))
            if case.lengths is None and opset == 9:
                # Convert back: a Scan without a batch gets a batch of one.
                if said := self.optimize("new.onnx", "old.onnx", "--opset=8"):
                    yield f"back: {said}"
                else:
                    yield from (f"back: {why}" for why in self.differ("old.onnx", feeds, want))
        if case.lengths is not None:
            ended = self.optimize("in.onnx", "new.onnx", "--opset=9")
            if "lengths of sequences exist only in version 8" not in ended:
                yield f"--opset=9: expected a reason, but got {ended}"

    def compiled(self, feeds: dict[str, Any], want: list[np.ndarray]) -> Iterator[str]:
        try:
            self.engine.compile(self.paths["in.onnx"], self.paths["out.so"])
            session = self.engine.load(self.paths["out.so"])
            yield from self.compare("compiled", want, session.run(feeds))
            session.close()
        except (invar_engine.CompilerCrashed, invar_engine.NotCompiled, invar_engine.RunFailed) as error:
            yield f"compiled: {error}"

    def folded(self, made: onnx.ModelProto, feeds: dict[str, Any], want: list[np.ndarray]) -> Iterator[str]:
        del made.graph.input[:]
        made.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in feeds.items())
        onnx.save(made, self.paths["in.onnx"])
        if said := self.optimize("in.onnx", "out.onnx"):
            yield f"folded: {said}"
            return
        constants, left = constants_of(onnx.load(self.paths["out.onnx"]).graph)
        if left:
            yield f"expected constants, but got {left}"
        else:
            yield from self.compare("folded", want, [engines.as_array(constants[output.name]) for output in made.graph.output])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    engine = invar_engine.Engine(options.build)
    for case in cases():
        for is_open in (False, True):
            name = f"{case.name}, {'open' if is_open else 'stated'} sizes"
            if options.only not in name:
                continue
            with tempfile.TemporaryDirectory(prefix="scan") as folder:
                try:
                    report.check(name, list(Judge(engine, folder)(case, is_open)))
                except engines.CannotRun as error:
                    report.skip(name, f"onnxruntime does not run it: {error}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
