#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs slices of slices, of all small sizes, with places that only a run knows, and compares with numpy.

Kernels read through both slices at once, so a slice of a slice must stay within the tensor that the first one reads.

  slices.py --build build/dev [--most 4]
"""
import argparse
import itertools
import os
import sys
import tempfile
from typing import Iterator, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from invar_engine import RunFailed
from toolchain import Refused, Toolchain, Variant

STEPS = (1, 2, 3, -1, -2)


class Part(NamedTuple):
    start: int
    end: int
    step: int

    def of(self, x: np.ndarray) -> np.ndarray:
        """As the standard defines it: places are clamped to the axis; for a negative step, an end of -1 - size stays before it."""
        size = len(x)
        start, end = (place + size if place < 0 else place for place in (self.start, self.end))
        if self.step > 0:
            start, end = min(max(start, 0), size), min(max(end, 0), size)
        else:
            start, end = min(max(start, 0), size - 1), min(max(end, -1), size - 1)
        return x[list(range(start, end, self.step))]


def make_model(first: Part | int, second_step: int, size: int | None) -> onnx.ModelProto:
    """The places of the second slice are inputs, and those of the first one if only its step is given."""
    constants = {"axes": np.array([0]), "step2": np.array([second_step])}
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [size or "n", 2])]
    open_places = ["start2", "end2"]
    if isinstance(first, Part):
        constants |= {"start1": np.array([first.start]), "end1": np.array([first.end]), "step1": np.array([first.step])}
    else:
        constants["step1"] = np.array([first])
        open_places += ["start1", "end1"]
    inputs += [helper.make_tensor_value_info(name, TensorProto.INT64, [1]) for name in open_places]
    nodes = [helper.make_node("Slice", ["x", "start1", "end1", "axes", "step1"], ["part"]),
             helper.make_node("Slice", ["part", "start2", "end2", "axes", "step2"], ["taken"]),
             helper.make_node("Relu", ["taken"], ["y"])]
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(value, name) for name, value in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


class Judge:
    def __init__(self, toolchain: Toolchain, folder: str, most: int):
        self.toolchain, self.library, self.most = toolchain, os.path.join(folder, "model.so"), most

    def places(self, size: int) -> Iterator[tuple[int, int]]:
        return itertools.product(range(-size - 1, size + 2), repeat=2)

    def run(self, model: onnx.ModelProto, cases: Iterator[tuple[int, Part, Part]], is_open: bool) -> tuple[int, list[str]]:
        """Returns the number of runs, and what is wrong."""
        try:
            self.toolchain.compile(model.SerializeToString(), self.library, Variant(is_open=True), {})
        except Refused as error:
            return 0, [str(error)]
        session, runs = self.toolchain.load(self.library, 1), 0
        for size, first, second in cases:
            x = np.arange(1, 2 * size + 1, dtype=np.float32).reshape(size, 2)
            feeds = {"x": x, "start2": np.array([second.start]), "end2": np.array([second.end])}
            if is_open:
                feeds |= {"start1": np.array([first.start]), "end1": np.array([first.end])}
            want = second.of(first.of(x))
            try:
                got = session.run(feeds)[0]
            except RunFailed as error:
                return runs, [f"{first} {second} of {size}: {error}"]
            if got.shape != want.shape or not np.array_equal(got, want):
                return runs, [f"{first} {second} of {size}: expected {want[:, 0].tolist()}, but got {got.shape} {got.reshape(-1)[::2].tolist()}"]
            runs += 1
        session.close()
        return runs, []

    def judge_open(self, step: int, second: int) -> tuple[int, list[str]]:
        """All places are open, and so is the size."""
        cases = ((size, Part(*one, step), Part(*two, second)) for size in range(self.most)
                 for one in self.places(size) for two in self.places(size))
        return self.run(make_model(step, second, None), cases, is_open=True)

    def judge_known(self, first: Part, second: int, size: int) -> tuple[int, list[str]]:
        """The first slice is known, and so is the size."""
        cases = ((size, first, Part(*two, second)) for two in self.places(size))
        return self.run(make_model(first, second, size), cases, is_open=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--most", type=int, default=4, help="the greatest size")
    options = parser.parse_args()
    report, total = harness.Report(), 0
    with tempfile.TemporaryDirectory(prefix="slices") as folder:
        judge = Judge(Toolchain(options.build), folder, options.most)
        for step, second in itertools.product(STEPS, STEPS):
            runs, complaints = judge.judge_open(step, second)
            report.check(f"all places open, steps {step} and {second}", complaints)
            total += runs
        for size, step, second in itertools.product(range(1, options.most + 1), (2, 3, -1), (1, 2)):
            for start, end in itertools.product((0, 1, -1), (1, size, -size - 1)):
                runs, complaints = judge.judge_known(Part(start, end, step), second, size)
                report.check(f"size {size}, {Part(start, end, step)}, then step {second}", complaints)
                total += runs
    print(f"{total} runs")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
