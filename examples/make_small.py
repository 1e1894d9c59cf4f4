#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes small.onnx: a small image classifier with patterns that exporters typically leave in a graph.

  examples/make_small.py [OUT]      needs the packages onnx and numpy

It has an example of each kind of simplification: a BatchNormalization after a Conv, a Reshape
whose target is computed from the input's own shape, a scale computed from constants in every
run, a Dropout that does nothing, and an If whose branch is known at compile time.
The weights come from a fixed seed, so the file is always the same.
"""
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CHANNELS, CLASSES = 8, 10


class Weights:
    """Named initializers, drawn from one seeded generator."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(36)  # Invar has 36 % nickel.
        self.tensors: list[TensorProto] = []

    def draw(self, name: str, *shape: int, mean: float = 0.0, spread: float = 0.1) -> str:
        return self.keep(name, (self.random.standard_normal(shape) * spread + mean).astype(np.float32))

    def keep(self, name: str, array: np.ndarray) -> str:
        self.tensors.append(numpy_helper.from_array(array, name))
        return name


def block(weights: Weights, index: int, source: str, channels_in: int) -> list[onnx.NodeProto]:
    """Conv, BatchNormalization, Relu."""
    name = f"block{index}"
    conv = helper.make_node(
        "Conv", [source, weights.draw(f"{name}.weight", CHANNELS, channels_in, 3, 3)],
        [f"{name}.conv"], name=f"{name}/conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])
    norm = helper.make_node(
        "BatchNormalization",
        [f"{name}.conv",
         weights.draw(f"{name}.scale", CHANNELS, mean=1.0), weights.draw(f"{name}.bias", CHANNELS),
         weights.draw(f"{name}.mean", CHANNELS), weights.keep(f"{name}.var", np.full(CHANNELS, 0.75, np.float32))],
        [f"{name}.norm"], name=f"{name}/norm", epsilon=1e-5)
    relu = helper.make_node("Relu", [f"{name}.norm"], [f"{name}.out"], name=f"{name}/relu")
    return [conv, norm, relu]


def constant(name: str, values) -> onnx.NodeProto:
    return helper.make_node("Constant", [], [name], name=f"/{name}", value=numpy_helper.from_array(np.asarray(values)))


def scaffolding(source: str) -> list[onnx.NodeProto]:
    """x.reshape(x.shape[0], -1), as a tracer exports it."""
    return [
        helper.make_node("Shape", [source], ["shape"], name="flatten/shape"),
        constant("zero", np.int64(0)),
        helper.make_node("Gather", ["shape", "zero"], ["batch"], name="flatten/gather", axis=0),
        constant("axis", np.array([0], np.int64)),
        helper.make_node("Unsqueeze", ["batch", "axis"], ["batch1"], name="flatten/unsqueeze"),
        constant("rest", np.array([-1], np.int64)),
        helper.make_node("Concat", ["batch1", "rest"], ["target"], name="flatten/concat", axis=0),
        helper.make_node("Reshape", [source, "target"], ["flat"], name="flatten/reshape"),
    ]


def temperature() -> list[onnx.NodeProto]:
    """1 / sqrt(4 × 16), computed in every run from constants."""
    return [
        constant("four", np.float32(4)),
        constant("sixteen", np.float32(16)),
        helper.make_node("Mul", ["four", "sixteen"], ["product"], name="temperature/mul"),
        helper.make_node("Sqrt", ["product"], ["root"], name="temperature/sqrt"),
        helper.make_node("Reciprocal", ["root"], ["temperature"], name="temperature/reciprocal"),
    ]


def choice(source: str, result: str) -> list[onnx.NodeProto]:
    """softmax(x) if True else x."""
    def branch(op: str, **attributes) -> onnx.GraphProto:
        out = f"{op.lower()}.out"
        value = helper.make_tensor_value_info(out, TensorProto.FLOAT, ["batch", CLASSES])
        return helper.make_graph([helper.make_node(op, [source], [out], **attributes)], op.lower(), [], [value])

    return [
        constant("training", np.bool_(False)),
        helper.make_node("Not", ["training"], ["inference"], name="choice/not"),
        helper.make_node("If", ["inference"], [result], name="choice/if",
                         then_branch=branch("Softmax", axis=1), else_branch=branch("Identity")),
    ]


def make() -> onnx.ModelProto:
    weights = Weights()
    nodes = [
        *block(weights, 1, "image", 3),
        *block(weights, 2, "block1.out", CHANNELS),
        helper.make_node("Dropout", ["block2.out"], ["dropped"], name="dropout"),
        helper.make_node("GlobalAveragePool", ["dropped"], ["pooled"], name="pool"),
        *scaffolding("pooled"),
        helper.make_node("Gemm", ["flat", weights.draw("head.weight", CLASSES, CHANNELS), weights.draw("head.bias", CLASSES)],
                         ["scores"], name="head", transB=1),
        *temperature(),
        helper.make_node("Mul", ["scores", "temperature"], ["scaled"], name="scale"),
        *choice("scaled", "probabilities"),
    ]
    graph = helper.make_graph(
        nodes, "small",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 3, 32, 32])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["batch", CLASSES])],
        weights.tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8,
                              producer_name="examples/make_small.py")
    onnx.checker.check_model(model, full_check=True)
    return model


if __name__ == "__main__":
    out = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("small.onnx")
    onnx.save(make(), out)
