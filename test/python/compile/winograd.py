#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that convolutions with transformed filters are as close to the same sums in doubles as F(4x4, 3x3) can be:
within 2e-5 of the greatest output. Each is compiled with sizes stated and open, and with filters transformed in each
run, in the first run, and at compile time; following operators are fused with it, and operators before it prepare its
image.

  winograd.py --build build/dev
"""
import argparse
import itertools
import os
import sys
import tempfile
from typing import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine

TOLERANCE = 2e-5
# Images, height, width, channels, results; the last two take tiles of 2 x 2.
SIZES = ((1, 24, 24, 16, 32), (2, 13, 7, 20, 40), (1, 5, 33, 3, 8), (3, 1, 1, 8, 72), (1, 10, 10, 160, 128),
         (1, 7, 7, 256, 96))
PADS = ((1, 1, 1, 1), (0, 0, 0, 0), (2, 0, 1, 2))
# Operators before the convolution that only select, move or surround elements: name, operator, constants, what it does.
PREPARATIONS = (
    ("pads of images and channels", "Pad", ([1, 1, 2, 0, 0, 2, 1, 1],), lambda x: np.pad(x, ((1, 0), (1, 2), (2, 1), (0, 1)))),
    ("channels at the end alone", "Pad", ([0, 0, 0, 0, 0, 3, 0, 0],), lambda x: np.pad(x, ((0, 0), (0, 3), (0, 0), (0, 0)))),
    ("every second channel", "Slice", ([0], [99], [1], [2]), lambda x: x[:, ::2]),
    ("some channels", "Slice", ([3], [11], [1]), lambda x: x[:, 3:11]),
    ("channels backwards", "Slice", ([-1], [-99], [1], [-1]), lambda x: x[:, ::-1]),
    ("every second column", "Slice", ([1], [99], [3], [2]), lambda x: x[..., 1::2]),
    ("the last image", "Slice", ([1], [99], [0]), lambda x: x[1:]),
    ("a part of each axis", "Slice", ([1, 2, 3, 1], [2, 10, 9, 8]), lambda x: x[1:2, 2:10, 3:9, 1:8]),
)
FOLDS = ("--no-fold-constants", "--fold-at=run", "--fold-at=compile")
MARK = "invar.restored_filter"


def convolve(x: np.ndarray, w: np.ndarray, pads: tuple[int, ...]) -> np.ndarray:
    """Computes in doubles."""
    wide = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    height, width = wide.shape[2] - 2, wide.shape[3] - 2
    return sum(np.einsum("oc,nchw->nohw", w[:, :, i, j].astype(np.float64), wide[:, :, i:i + height, j:j + width])
               for i in range(3) for j in range(3))


def make(path: str, w: np.ndarray, bias: np.ndarray, scale: np.ndarray, pads: tuple[int, ...], shape: list) -> None:
    """Makes Relu(convolution + bias) * scale + convolution: two steps of one kernel, and one with its own axes."""
    nodes = [helper.make_node("Conv", ["x", "w", "bias"], ["sums"], pads=list(pads)),
             helper.make_node("Relu", ["sums"], ["positive"]), helper.make_node("Mul", ["positive", "scale"], ["scaled"]),
             helper.make_node("Add", ["scaled", "sums"], ["y"])]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(array, name) for name, array in
                               (("w", w), ("bias", bias), ("scale", scale))])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def judge(engine: invar_engine.Engine, folder: str, sizes: tuple[int, ...], pads: tuple[int, ...], is_open: bool,
          fold: str) -> list[str]:
    count, height, width, channels, results = sizes
    draw = np.random.default_rng(sum(sizes)).standard_normal
    x, w, bias, scale = (draw(shape).astype(np.float32) for shape in (
        (count, channels, height, width), (results, channels, 3, 3), (results,), (results, 1, 1)))
    path, library = os.path.join(folder, "model.onnx"), os.path.join(folder, "model.so")
    make(path, w, bias, scale, pads, ["n", channels, "h", "w"] if is_open else list(x.shape))
    options = ("--winograd=on", fold)
    kernels = harness.run(engine.invar, "compile", path, "--emit=kernels", *options).stdout
    # Without padding, the image is read in the model's layout: channels are not last.
    complaints = ["the filter is not transformed"] if any(pads) and MARK not in kernels else []
    engine.compile(path, library, *options)
    session = engine.load(library)
    sums = convolve(x, w, pads) + bias[:, None, None]
    want = np.maximum(sums, 0) * scale + sums
    for _ in range(2):
        got = session.run({"x": x})[0]
        off = np.abs(got - want).max() / np.abs(want).max()
        if not off <= TOLERANCE:
            complaints.append(f"{off:.1e} off")
    session.close()
    return complaints


def judge_prepared(engine: invar_engine.Engine, folder: str, operator: str, constants: tuple, meaning: Callable, is_open: bool,
                   fold: str) -> list[str]:
    draw = np.random.default_rng(1).standard_normal
    x = draw((2, 12, 11, 16)).astype(np.float32)
    image = meaning(x)
    w = draw((11, image.shape[1], 3, 3)).astype(np.float32)
    names = [f"c{i}" for i in range(len(constants))]
    nodes = [helper.make_node(operator, ["x", *names], ["image"]),
             helper.make_node("Conv", ["image", "w"], ["y"], pads=[1, 0, 1, 2])]
    shape = ["n", 12, "h", "w"] if is_open else list(x.shape)
    initializers = [numpy_helper.from_array(np.array(list_, np.int64), name) for name, list_ in zip(names, constants)]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [*initializers, numpy_helper.from_array(w, "w")])
    path, library = os.path.join(folder, "model.onnx"), os.path.join(folder, "model.so")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    engine.compile(path, library, "--winograd=on", fold)
    session = engine.load(library)
    want, got = convolve(image, w, (1, 0, 1, 2)), session.run({"x": x})[0]
    session.close()
    off = np.abs(got - want).max() / np.abs(want).max()
    return [] if off <= TOLERANCE else [f"{off:.1e} off"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    engine = invar_engine.Engine(options.build)
    report = harness.Report()
    for number, (sizes, pads, is_open) in enumerate(itertools.product(SIZES, PADS, (False, True))):
        if min(sizes[1] + pads[0] + pads[2], sizes[2] + pads[1] + pads[3]) < 3:
            continue
        fold = FOLDS[number % len(FOLDS)]
        with tempfile.TemporaryDirectory(prefix="winograd") as folder:
            report.check(f"{sizes} {pads} {'open' if is_open else 'stated'} {fold}",
                         judge(engine, folder, sizes, pads, is_open, fold))
    for number, ((name, *preparation), is_open) in enumerate(itertools.product(PREPARATIONS, (False, True))):
        with tempfile.TemporaryDirectory(prefix="winograd") as folder:
            fold = FOLDS[number % len(FOLDS)]
            report.check(f"{name}, {'open' if is_open else 'stated'} {fold}",
                         judge_prepared(engine, folder, *preparation, is_open, fold))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
