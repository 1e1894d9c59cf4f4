# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models and their libraries, with the expected output bytes of invar-sessions."""
import os
import pathlib

import numpy as np
import onnx
from onnx import helper, numpy_helper

import harness
from models import value

ROWS, WIDTH = 4, 8


def inputs(*shape: int) -> np.ndarray:
    """The inputs of invar-sessions: multiples of 1/8."""
    return ((np.arange(np.prod(shape)) % 17 - 8) / 8).astype(np.float32).reshape(shape)


def save(path: os.PathLike, nodes, ins, outs, weights) -> None:
    graph = helper.make_graph(nodes, "g", ins, outs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), os.fspath(path))


def write_one_of_many(path: pathlib.Path, number: int) -> bytes:
    """Makes LeakyRelu(x W), where the slope, which is in the code, and W depend on the number. Everything is exact in
    floats, so the result is known without running anything."""
    slope = np.float32((number + 1) / 64)
    w = (np.arange(WIDTH * WIDTH, dtype=np.int64) * (number + 3) % 11 - 5).astype(np.float32).reshape(WIDTH, WIDTH)
    save(path, [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("LeakyRelu", ["p"], ["y"], alpha=float(slope))],
         [value("x", ROWS, WIDTH)], [value("y", ROWS, WIDTH)], [numpy_helper.from_array(w, "w")])
    product = inputs(ROWS, WIDTH) @ w
    return np.where(product < 0, product * slope, product).astype(np.float32).tobytes()


def write_convolutions(path: pathlib.Path) -> None:
    generator = np.random.default_rng(1)
    weights = [numpy_helper.from_array((generator.random(shape, np.float32) - 0.5) / 4, name)
               for name, shape in (("w", (16, 3, 3, 3)), ("b", (16,)), ("v", (16, 16, 1, 1)))]
    save(path, [helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=[1, 1, 1, 1]), helper.make_node("Sigmoid", ["c"], ["s"]),
                helper.make_node("Conv", ["s", "v"], ["d"]), helper.make_node("GlobalAveragePool", ["d"], ["y"])],
         [value("x", 1, 3, 8, 8)], [value("y", 1, 16, 1, 1)], weights)


def write_products(path: pathlib.Path, width: int = 320) -> None:
    """Makes a model whose constants take more than two checksum blocks."""
    generator = np.random.default_rng(2)
    weights = [numpy_helper.from_array((generator.random((width, width), np.float32) - 0.5) / 8, name) for name in ("v", "w")]
    save(path, [helper.make_node("MatMul", ["x", "v"], ["p"]), helper.make_node("Tanh", ["p"], ["t"]),
                helper.make_node("MatMul", ["t", "w"], ["y"])], [value("x", ROWS, width)], [value("y", ROWS, width)], weights)


def write_structured(path: pathlib.Path, width: int = 256) -> None:
    """Makes a model whose weights have few different values, so that they can be encoded."""
    w = (np.random.default_rng(3).integers(0, 4, (width, width)) - 1.5).astype(np.float32)
    save(path, [helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", ROWS, width)], [value("y", ROWS, width)],
         [numpy_helper.from_array(w, "w")])


def compile_model(invar: str, model: pathlib.Path, library: pathlib.Path, *options: str) -> None:
    ended = harness.run(invar, "compile", model, "-o", library, "--quiet", *options)
    if ended.code:
        raise SystemExit(f"{model}: cannot compile: {ended.ending()}")
