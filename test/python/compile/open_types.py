#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs node tests of the onnx package with inputs whose types state less, or have other elements.

  unranked   no input has a shape
  data       only the first input has no shape
  lists      the lengths of all lists are open
  strings    the elements that the operator moves become strings
  complex    they become complex numbers
  both       strings, and no input has a shape

The outputs must be those that the test expects, with the elements replaced in the same way.

  open_types.py --build build/dev [--only NAME] [--all]

Without --all, one test of each operator is used for each set of inputs and attributes.
"""
import argparse
import os
import sys
import tempfile
import warnings
from typing import Any, Callable, Iterator

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine
import isolate
from closeness import difference
from engines import as_array
from toolchain import Refused, Toolchain, Variant

# Operators that only move elements, and the numbers of the inputs with these elements.
MOVED = {"CenterCropPad": [0], "Compress": [0], "Concat": None, "DepthToSpace": [0], "Expand": [0], "Flatten": [0], "Gather": [0],
         "GatherElements": [0], "GatherND": [0], "Identity": [0], "OneHot": [2], "Pad": [0, 2], "Reshape": [0],
         "ReverseSequence": [0], "Slice": [0], "SpaceToDepth": [0], "Split": [0], "Squeeze": [0], "TensorScatter": [0, 1],
         "Tile": [0], "Transpose": [0], "Trilu": [0], "Unsqueeze": [0], "Where": [1, 2]}
# Other operators whose lowering depends on ranks.
RANKED = {"ArgMax", "ArgMin", "ConstantOfShape", "Equal", "MatMul", "Range", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
          "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Shape", "Size"}
FORMS = ("unranked", "data", "lists", "strings", "complex", "both")
CASES: list = []  # inherited by child processes


def to_strings(x: np.ndarray) -> np.ndarray:
    """Zeros become empty: operators fill with either."""
    texts = ["" if not v else f"s{v!r}" for v in x.ravel().tolist()]
    return np.array(texts, dtype=object).reshape(x.shape)


def to_complex(x: np.ndarray) -> np.ndarray:
    return (x.astype(np.float64) * (1 + 2j)).astype(np.complex64)


def moved_inputs(node: onnx.NodeProto) -> set[str]:
    places = MOVED[node.op_type]
    return {name for i, name in enumerate(node.input) if places is None or i in places}


def change(case, form: str) -> tuple[onnx.ModelProto, list[Any], list[Any]] | None:
    """Returns the model, inputs and expected outputs in a form; None if it is the same as the case."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    node = model.graph.node[0]
    inputs, outputs = ([as_array(value) for value in values] for values in case.data_sets[0])
    changed = False
    if form in ("strings", "complex", "both"):
        if node.op_type not in MOVED:
            return None
        convert, element = (to_complex, TensorProto.COMPLEX64) if form == "complex" else (to_strings, TensorProto.STRING)
        moved = moved_inputs(node)
        for i, info in enumerate(model.graph.input):
            if info.name in moved:
                if not info.type.HasField("tensor_type") or info.type.tensor_type.elem_type == TensorProto.STRING:
                    return None
                inputs[i], info.type.tensor_type.elem_type, changed = convert(np.asarray(inputs[i])), element, True
        for i, info in enumerate(model.graph.output):
            outputs[i], info.type.tensor_type.elem_type = convert(np.asarray(outputs[i])), element
    for i, info in enumerate(model.graph.input):
        if not info.type.HasField("tensor_type"):
            return None
        tensor = info.type.tensor_type
        if form in ("unranked", "both") or (form == "data" and i == 0):
            tensor.ClearField("shape")
            changed = True
        elif form == "lists" and len(tensor.shape.dim) == 1 and tensor.elem_type in (TensorProto.INT64, TensorProto.INT32):
            tensor.shape.dim[0].ClearField("value")
            changed = True
    for info in model.graph.output:
        info.type.tensor_type.ClearField("shape")
    return (model, inputs, outputs) if changed else None


class Judge:
    """Runs a changed case in a separate process."""

    def __init__(self, toolchain: Toolchain, folder: str):
        self.toolchain, self.folder = toolchain, folder

    def __call__(self, item: tuple[int, str], stage: Callable[[str], None]) -> list[str] | None:
        """Returns what is wrong; None if there is nothing to test."""
        number, form = item
        case = CASES[number]
        changed = change(case, form)
        if not changed:
            return None
        model, inputs, expected = changed
        out = os.path.join(self.folder, f"{os.getpid()}.so")
        try:
            stage("compile")
            self.toolchain.compile(model.SerializeToString(), out, Variant(), {})
            stage("run")
            session = self.toolchain.load(out, 1)
            try:
                got = session.run({info.name: value for info, value in zip(model.graph.input, inputs)})
            finally:
                session.close()
        except (Refused, invar_engine.RunFailed) as error:
            return [str(error)]
        return [wrong for i, (x, y) in enumerate(zip(got, expected, strict=True))
                if (wrong := compare(i, np.asarray(x), np.asarray(y), case))]


def compare(output: int, x: np.ndarray, y: np.ndarray, case) -> str:
    if y.dtype == object or np.iscomplexobj(y):
        same = x.shape == y.shape and np.array_equal(x, y)
        return "" if same else f"output {output}: expected {y.shape} {y.ravel()[:4]}, but got {x.shape} {x.ravel()[:4]}"
    why = difference(x, y, case.rtol, case.atol)
    return f"output {output}: {why}" if why else ""


def choose_cases(only: str, takes_all: bool) -> Iterator[Any]:
    seen = set()
    for case in collect_testcases(None):
        nodes = case.model.graph.node
        if only not in case.name or len(nodes) != 1 or nodes[0].op_type not in {*MOVED, *RANKED} or not case.model.graph.input:
            continue
        key = (nodes[0].op_type, tuple(map(bool, nodes[0].input)), tuple(sorted(a.name for a in nodes[0].attribute)))
        if takes_all or key not in seen:
            seen.add(key)
            yield case


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--all", action="store_true", help="all tests")
    options = parser.parse_args()
    CASES.extend(choose_cases(options.only, options.all))
    report = harness.Report()
    tests = [(number, form) for number in range(len(CASES)) for form in FORMS]
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(Toolchain(options.build), folder)
        for (number, form), result in isolate.run_all(judge, tests, jobs=os.cpu_count(), batch=100):
            if isinstance(result, isolate.Died):
                result = [f"{result.stage}: {result.ending}: {result.words}"]
            if result is not None:
                report.check(f"{CASES[number].name}, {form}", result)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
