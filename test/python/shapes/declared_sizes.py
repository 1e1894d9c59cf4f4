#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests which declared sizes of a model's outputs are written if inference finds less, and that they are stable.

Each operator whose result has sizes that are known only at run time is optimized with outputs that are declared with
numbers, with names, with both, with open sizes, and without a shape. An inferred number, or the name of an input's
size, must be kept; a size that depends on data must be written as declared. Optimizing again must change no byte. If
a declared number or rank contradicts inference, there must be a warning, and the inferred one must be written.
onnxruntime must run the results.

  declared_sizes.py --invar build/dev/bin/invar [--only NAME]
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

INT, FLOAT, BOOL = TensorProto.INT64, TensorProto.FLOAT, TensorProto.BOOL
node = helper.make_node
OPSET = 18
# Declared sizes; a size that is neither a name nor a number is open.
Size = int | str
OPEN = ""


def info(name: str, shape: list[Size] | None, element: int = FLOAT) -> onnx.ValueInfoProto:
    made = helper.make_tensor_value_info(name, element, shape)
    for dim in made.type.tensor_type.shape.dim:
        if dim.HasField("dim_param") and not dim.dim_param:
            dim.ClearField("dim_param")
    return made


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def one(number: int) -> np.ndarray:
    return np.array(number, np.int64)


X = np.arange(1, 13, dtype=np.float32).reshape(3, 4)


class Case(NamedTuple):
    """`feeds` are the inputs, `open` the shapes that some are declared with; the others are declared with their own
    shapes."""
    name: str
    nodes: list[onnx.NodeProto]
    feeds: dict[str, np.ndarray]
    outputs: tuple[str, ...] = ("y",)
    open: dict[str, list[Size]] = {"x": ["n", 4]}
    weights: dict[str, np.ndarray] = {}
    elements: tuple[int, ...] = (FLOAT, FLOAT)
    # Whether sizes depend on those of the inputs, so that no number is right for all inputs.
    follows: bool = False


def of_x(name: str, nodes: list | onnx.NodeProto, feeds: dict[str, Any] = {}, **more) -> Case:
    return Case(name, nodes if isinstance(nodes, list) else [nodes], {"x": X} | feeds, **more)


def branch(name: str, *nodes: onnx.NodeProto) -> onnx.GraphProto:
    return helper.make_graph(list(nodes), name, [], [info(name, None)])


def loop_body() -> onnx.GraphProto:
    return helper.make_graph([node("Identity", ["on"], ["go"]), node("Relu", ["x"], ["s"])], "b",
                             [info("i", [], INT), info("on", [], BOOL)], [info("go", [], BOOL), info("s", None)])


def cases() -> Iterator[Case]:
    yield of_x("Pad", node("Pad", ["x", "p"], ["y"]), {"p": ints(0, 1, 1, 1)})
    yield of_x("Pad by pads of any number", node("Pad", ["x", "p"], ["y"]), {"p": ints(0, 1, 1, 1)}, open={"x": ["n", 4], "p": ["k"]})
    yield of_x("Pad, then Split", [node("Pad", ["x", "p"], ["q"]), node("Split", ["q", "s"], ["y", "z"], axis=1)], {"p": ints(0, 1, 1, 1)},
               outputs=("y", "z"), weights={"s": ints(2, 4)})
    # Only a Split that is dropped shows that there are 6 columns.
    yield of_x("Pad, and a Split that nothing uses", [node("Pad", ["x", "p"], ["y"]), node("Split", ["y", "s"], ["a", "b"], axis=1)],
               {"p": ints(0, 1, 1, 1)}, weights={"s": ints(2, 4)})
    yield of_x("Reshape", node("Reshape", ["x", "t"], ["y"]), {"t": ints(2, 6)})
    yield of_x("Reshape to any rank", node("Reshape", ["x", "t"], ["y"]), {"t": ints(2, 6)}, open={"x": ["n", 4], "t": ["r"]})
    yield of_x("Reshape, then Transpose", [node("Reshape", ["x", "t"], ["r"]), node("Transpose", ["r"], ["y"])], {"t": ints(2, 6)})
    yield of_x("Expand", node("Expand", ["x", "t"], ["y"]), {"t": ints(2, 1, 4)})
    yield of_x("Expand of one", node("Expand", ["x", "t"], ["y"]), {"x": np.ones((1, 1), np.float32), "t": ints(2, 5)}, open={"x": [1, 1]})
    yield of_x("Tile", node("Tile", ["x", "t"], ["y"]), {"t": ints(2, 3)})
    yield of_x("Slice", node("Slice", ["x", "s", "e", "a"], ["y"]), {"s": ints(1), "e": ints(3)}, weights={"a": ints(1)})
    yield of_x("Slice by steps", node("Slice", ["x", "s", "e", "a", "t"], ["y"]), {"s": ints(0), "e": ints(3), "t": ints(2)}, weights={"a": ints(0)})
    yield of_x("Split", node("Split", ["x", "s"], ["y", "z"], axis=1), {"s": ints(1, 3)}, outputs=("y", "z"))
    yield of_x("NonZero", node("NonZero", ["x"], ["y"]), elements=(INT,))
    yield Case("Range", [node("Range", ["a", "b", "c"], ["y"])], {"a": one(0), "b": one(9), "c": one(2)}, open={}, elements=(INT,))
    yield of_x("Resize by sizes", node("Resize", ["x", "", "", "s"], ["y"]), {"s": ints(6, 8)})
    yield of_x("Resize by scales", node("Resize", ["x", "", "s"], ["y"]), {"s": np.array([2, 2], np.float32)})
    yield Case("ConstantOfShape", [node("ConstantOfShape", ["t"], ["y"])], {"t": ints(2, 3)}, open={})
    yield Case("OneHot", [node("OneHot", ["i", "d", "v"], ["y"])], {"i": ints(0, 2), "d": one(3), "v": np.array([0, 1], np.float32)}, open={})
    yield of_x("Compress", node("Compress", ["x", "c"], ["y"], axis=0), {"c": np.array([True, False, True])})
    yield of_x("TopK", node("TopK", ["x", "k"], ["y", "z"]), {"k": ints(2)}, outputs=("y", "z"), elements=(FLOAT, INT))
    yield of_x("Unique", node("Unique", ["x"], ["y"]))
    yield Case("NonMaxSuppression", [node("NonMaxSuppression", ["b", "s", "m"], ["y"])],
               {"b": np.array([[[0, 0, 1, 1], [2, 2, 3, 3]]], np.float32), "s": np.array([[[0.9, 0.8]]], np.float32), "m": ints(2)}, open={}, elements=(INT,))
    yield Case("HannWindow", [node("HannWindow", ["s"], ["y"])], {"s": one(5)}, open={})
    yield of_x("If", node("If", ["c"], ["y"], then_branch=branch("t", node("NonZero", ["x"], ["t0"]), node("Cast", ["t0"], ["t"], to=1)),
                          else_branch=branch("e", node("Relu", ["x"], ["e"]))), {"c": np.array(True)})
    yield of_x("Loop", node("Loop", ["m", ""], ["y"], body=loop_body()), {"m": one(2)})
    yield of_x("a sequence", [node("SplitToSequence", ["x", "l"], ["q"], axis=1), node("SequenceAt", ["q", "i"], ["y"])],
               {"l": one(2), "i": one(1)})
    yield of_x("two in a row", [node("NonZero", ["x"], ["i"]), node("Cast", ["i"], ["f"], to=1), node("Pad", ["f", "p"], ["y"])], {"p": ints(0, 1, 0, 1)})
    yield of_x("an input's size", node("Relu", ["x"], ["y"]), follows=True)
    yield of_x("an expression of an input's size", node("Concat", ["x", "x"], ["y"], axis=0), follows=True)
    yield of_x("an expression of a size without a name", node("Concat", ["x", "x"], ["y"], axis=0), open={"x": [OPEN, 4]}, follows=True)


def make(case: Case, declared: list[list[Size] | None], elements: list[int]) -> onnx.ModelProto:
    inputs = [info(name, case.open.get(name, list(np.shape(value))), helper.np_dtype_to_tensor_dtype(np.asarray(value).dtype))
              for name, value in case.feeds.items()]
    graph = helper.make_graph(case.nodes, "g", inputs, [info(*of) for of in zip(case.outputs, declared, elements)],
                              [numpy_helper.from_array(value, name) for name, value in case.weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def sizes_of(value: onnx.ValueInfoProto) -> list[Size] | None:
    kind = value.type.tensor_type
    if not kind.HasField("shape"):
        return None
    return [dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in kind.shape.dim]


class Optimizer:
    def __init__(self, invar: str, folder: str, passes: str):
        self.invar, self.passes = invar, passes
        self.paths = [os.path.join(folder, name) for name in ("in.onnx", "once.onnx", "twice.onnx")]

    def __call__(self, made: onnx.ModelProto) -> tuple[list[list[Size] | None], list[str], str]:
        """Returns the sizes of the outputs, complaints, and the program's messages."""
        onnx.save(made, self.paths[0])
        said = ""
        for before, after in zip(self.paths, self.paths[1:]):
            ended = harness.run(self.invar, "optimize", before, "-o", after, "--quiet", f"--passes={self.passes}")
            if ended.code:
                return [], [ended.ending()], ended.stderr
            said = said or ended.stderr
        complaints = [] if filecmp.cmp(*self.paths[1:], shallow=False) else ["optimizing again changes something"]
        return [sizes_of(output) for output in onnx.load(self.paths[1]).graph.output], complaints, said


def merge(found: list[Size] | None, declared: list[Size] | None, follows: bool) -> list[Size] | None:
    """Returns the expected sizes: an inferred number, otherwise a declared name, otherwise the inferred name,
    otherwise, if the size depends on data, the declared one."""
    if found is None or declared is None:
        return found if declared is None else declared
    return [f if isinstance(f, int) else d if isinstance(d, str) and d else f if f or follows else d
            for f, d in zip(found, declared, strict=True)]


def judge(invar: str, case: Case, passes: str, folder: str) -> Iterator[str]:
    optimize = Optimizer(invar, folder, passes)
    plain = make(case, [None] * len(case.outputs), list(case.elements))
    elements = list(case.elements)
    want = engines.OnnxRuntime(plain.SerializeToString()).run(case.feeds)
    found, complaints, _ = optimize(plain)
    yield from complaints
    if complaints:
        return
    true = [list(value.shape) for value in want]
    numbers = [list(shape) for shape in true]
    names = [[f"k{i}{axis}" for axis in range(len(shape))] for i, shape in enumerate(true)]
    both = [[name if axis % 2 else number for axis, (name, number) in enumerate(zip(*pair))] for pair in zip(names, numbers)]
    other = [[number if axis % 2 else name for axis, (name, number) in enumerate(zip(*pair))] for pair in zip(names, numbers)]
    is_open = [[OPEN] * len(shape) for shape in true]
    for what, declared in {"numbers": numbers, "names": names, "both": both, "the other both": other, "open": is_open}.items():
        model = make(case, declared, elements)
        got, complaints, said = optimize(model)
        yield from (f"{what}: {complaint}" for complaint in complaints)
        if complaints:
            continue
        expected = [merge(*pair, case.follows) for pair in zip(found, declared)]
        if got != expected:
            yield f"{what}: expected {expected}, but got {got}"
        if said:
            yield f"{what}: expected no warning, but got {said.strip()}"
        if difference := engines.compare(engines.OnnxRuntime, optimize.paths[0], optimize.paths[1], case.feeds):
            yield f"{what}: {difference}"
    yield from judge_contradictions(case, optimize, found, numbers, elements)


def judge_contradictions(case: Case, optimize: Optimizer, found: list, numbers: list, elements: list[int]) -> Iterator[str]:
    """Declares a number that contradicts inference, and another rank."""
    wrong = {}
    if any(isinstance(size, int) for shape in found for size in shape or ()):
        wrong["another number"] = [[n + 1 if f is not None and isinstance(f[axis], int) else n for axis, n in enumerate(shape)]
                                   for f, shape in zip(found, numbers)]
    if all(f is not None for f in found):
        wrong["another rank"] = [[1, *shape] for shape in numbers]
    for what, declared in wrong.items():
        got, complaints, said = optimize(make(case, declared, elements))
        yield from (f"{what}: {complaint}" for complaint in complaints)
        # If inference found nothing, nothing contradicts it.
        wanted = [f if any(isinstance(size, int) for size in f or ()) or what == "another rank" else merge(f, d, case.follows)
                  for f, d in zip(found, declared)]
        if not complaints and got != wanted:
            yield f"{what}: expected {wanted}, but got {got}"
        if not complaints and "is declared" not in said:
            yield f"{what}: expected a warning, but got '{said.strip()}'"


def judge_overwritten(invar: str, folder: str) -> Iterator[str]:
    """Tests that declarations for other shapes of the inputs are ignored."""
    path, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
    for open_target in (False, True):
        case = of_x("Pad", node("Pad", ["x", "p"], ["y"]), {"p": ints(0, 1, 1, 1)}, open={"x": [3, 4]} | ({"p": ["k"]} if open_target else {}))
        onnx.save(make(case, [[4, 6]], [FLOAT]), path)
        ended = harness.run(invar, "optimize", path, "-o", after, "--quiet", "--overwrite-input-shape", "x:7,4")
        got = [] if ended.code else sizes_of(onnx.load(after).graph.output[0])
        if ended.code or got not in (None, [OPEN, OPEN]):
            yield f"expected open sizes, but got {got} {ended.ending()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)

    def check(name: str, complain, *arguments) -> None:
        if options.only in name:
            with tempfile.TemporaryDirectory(prefix="declared") as folder:
                report.check(name, list(complain(options.invar, *arguments, folder)))

    for case in cases():
        for passes in ("simplify", "infer-shapes"):
            check(f"{case.name}, {passes}", judge, case, passes)
    check("inputs of other shapes", judge_overwritten)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
