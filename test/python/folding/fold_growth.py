#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests models that other tools make bigger by folding: they must stay small and compute the same.

The weights go through Tile, Expand, ConstantOfShape, Range, OneHot, DequantizeLinear, a Cast to a wider type and a
tied Transpose, each alone and all together. The onnx package's `light` models, whose weights are made by
ConstantOfShape, are tested too. The output may exceed the input by 64 KiB.

  fold_growth.py --invar build/dev/bin/invar
"""
import argparse
import glob
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import feeding
import harness

GROWTH = 64 << 10
N = 512  # Rows and columns of the expanded tensors: 1 MiB of floats.


class Parts:
    """Nodes and weights that each yield a tensor of shape N x N, which is multiplied with the input."""

    def __init__(self):
        self.nodes, self.weights, self.outputs = [], [], []
        self.random = np.random.default_rng(7)

    def weight(self, name: str, array: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op: str, inputs: list[str], name: str, **attributes) -> str:
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def use(self, matrix: str, op: str = "MatMul") -> None:
        self.outputs.append(self.node(op, ["x", matrix], f"y_{matrix}"))

    def floats(self, *shape: int) -> np.ndarray:
        return self.random.standard_normal(shape).astype(np.float32)

    def model(self) -> onnx.ModelProto:
        infos = [helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in self.outputs]
        graph = helper.make_graph(self.nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, N])], infos,
                                  self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def tile(p: Parts) -> None:
    p.use(p.node("Tile", [p.weight("row", p.floats(1, N)), p.weight("times", np.array([N, 1]))], "tiled"))


def expand(p: Parts) -> None:
    p.use(p.node("Expand", [p.weight("column", p.floats(N, 1)), p.weight("square", np.array([N, N]))], "expanded"))


def fill(p: Parts) -> None:
    value = numpy_helper.from_array(np.array([0.25], np.float32))
    p.use(p.node("ConstantOfShape", [p.weight("size", np.array([N, N]))], "filled", value=value))


def count(p: Parts) -> None:
    ends = [p.weight(name, np.array(number, np.float32)) for name, number in (("from", 0), ("to", N * N), ("by", 1))]
    flat = p.node("Range", ends, "counted")
    p.use(p.node("Reshape", [flat, p.weight("as", np.array([N, N]))], "counts"))


def one_hot(p: Parts) -> None:
    indices = p.weight("indices", p.random.integers(0, N, N))
    operands = [indices, p.weight("depth", np.array(N)), p.weight("offon", np.array([0, 1], np.float32))]
    p.use(p.node("OneHot", operands, "hot"))


def dequantize(p: Parts) -> None:
    small = p.weight("small", p.random.integers(-128, 128, (N, N)).astype(np.int8))
    scale = p.weight("scale", p.floats(N))
    p.use(p.node("DequantizeLinear", [small, scale], "dequantized", axis=1))


def widen(p: Parts) -> None:
    p.use(p.node("Cast", [p.weight("half", p.floats(N, N).astype(np.float16))], "whole", to=TensorProto.FLOAT))


def tie(p: Parts) -> None:
    matrix = p.weight("tied", p.floats(N, N))
    p.use(matrix)
    p.use(p.node("Transpose", [matrix], "turned", perm=[1, 0]))
    p.use(p.node("Transpose", [matrix], "turned_again", perm=[1, 0]))


def chain(p: Parts) -> None:
    """An expansion and operators after it: all of it stays a recipe, or the operators are applied to the small side."""
    wide = p.node("Expand", [p.weight("seed", p.floats(N, 1)), p.weight("area", np.array([N, N]))], "wide")
    p.use(p.node("Exp", [p.node("Mul", [wide, p.weight("half_", np.array(0.5, np.float32))], "halved")], "grown"))


KINDS = (tile, expand, fill, count, one_hot, dequantize, widen, tie, chain)


def judge(invar: str, path: str, folder: str, tolerance: float) -> list[str]:
    target = os.path.join(folder, "out.onnx")
    ended = harness.run(invar, "optimize", path, "-o", target, "--quiet")
    if ended.code:
        return [ended.ending()]
    complaints = []
    grown = os.path.getsize(target) - os.path.getsize(path)
    if grown > GROWTH:
        complaints.append(f"grew by {grown:,} bytes")
    feeds = feeding.random_feeds(path)
    for want, got in zip(engines.OnnxRuntime(path).run(feeds), engines.OnnxRuntime(target).run(feeds), strict=True):
        scale = np.abs(want).max() + 1e-12
        if want.shape != got.shape or not np.abs(want - got).max() <= tolerance * scale:
            complaints.append("other outputs")
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    options = parser.parse_args()
    report = harness.Report()
    with tempfile.TemporaryDirectory(prefix="growth") as folder:
        for name, kinds in (*((kind.__name__, (kind,)) for kind in KINDS), ("all", KINDS)):
            parts, path = Parts(), os.path.join(folder, f"{name}.onnx")
            for kind in kinds:
                kind(parts)
            onnx.save(parts.model(), path)
            report.check(name, judge(options.invar, path, folder, 1e-5))
        light = os.path.join(os.path.dirname(onnx.__file__), "backend/test/data/light/*.onnx")
        for path in sorted(glob.glob(light)):
            report.check(os.path.basename(path), judge(options.invar, path, folder, 1e-5))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
