#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests formulas as exporters write them, and the operators that Invar recognizes in them.

Each form is a separate small model. `invar optimize` must leave exactly the stated operators, or leave a near miss
as long as it was. The outputs must be within 1e-5 of the greatest output of the original in onnxruntime (1e-3 for
halves), and optimizing again must change nothing.

  recompose.py --invar build/dev/bin/invar [--only TEXT]
"""
import argparse
import collections
import filecmp
import math
import os
import sys
import tempfile
from typing import Callable, Iterator, NamedTuple

import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import closeness
import engines
import harness

TOLERANCES = {np.dtype(np.float32): 1e-5, np.dtype(np.float16): 1e-3}
ROOT_2, ROOT_2_PI = math.sqrt(2), math.sqrt(2 / math.pi)


class Value:
    """A value of a graph, with Python operators to write formulas. Numbers become scalars of its type."""

    def __init__(self, graph: "Graph", name: str):
        self.graph, self.name = graph, name

    def __getattr__(self, kind: str) -> Callable[..., "Value"]:
        return lambda *others, **attributes: self.graph.node(kind, self, *others, **attributes)

    def __add__(self, other): return self.Add(other)
    def __sub__(self, other): return self.Sub(other)
    def __mul__(self, other): return self.Mul(other)
    def __truediv__(self, other): return self.Div(other)
    def __pow__(self, other): return self.Pow(other)
    def __matmul__(self, other): return self.MatMul(other)
    def __neg__(self): return self.Neg()
    def __radd__(self, other): return self.graph.node("Add", other, self)
    def __rsub__(self, other): return self.graph.node("Sub", other, self)
    def __rmul__(self, other): return self.graph.node("Mul", other, self)
    def __rtruediv__(self, other): return self.graph.node("Div", other, self)


class Graph:
    def __init__(self, opset: int, kind=np.float32, seed: int = 0):
        self.opset, self.kind = opset, np.dtype(kind)
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.inputs: list[onnx.ValueInfoProto] = []
        self.weights: list[onnx.TensorProto] = []

    def input(self, *dims, kind=None) -> Value:
        name = f"x{len(self.inputs)}"
        element = helper.np_dtype_to_tensor_dtype(np.dtype(kind) if kind else self.kind)
        self.inputs.append(helper.make_tensor_value_info(name, element, dims))
        return Value(self, name)

    def constant(self, content, kind=None) -> Value:
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(content, kind or self.kind), name))
        return Value(self, name)

    def weight(self, *dims) -> Value:
        return self.constant(self.random.standard_normal(dims))

    def ints(self, *numbers: int) -> Value:
        return self.constant(numbers, np.int64)

    def node(self, kind: str, *operands, **attributes) -> Value:
        names = [o.name if isinstance(o, Value) else "" if o is None else self.constant(o).name for o in operands]
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [name], **attributes))
        return Value(self, name)

    def mean(self, x: Value, *axes: int) -> Value:
        """Axes were an attribute before version 18."""
        if self.opset < 18:
            return x.ReduceMean(axes=axes, keepdims=1)
        return x.ReduceMean(self.ints(*axes), keepdims=1)

    def draw(self) -> dict[str, np.ndarray]:
        """Draws values of both signs, also outside of the range where activations bend."""
        feeds = {}
        for value in self.inputs:
            shape = [dim.dim_value or 2 for dim in value.type.tensor_type.shape.dim]
            kind = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            feeds[value.name] = (3 * self.random.standard_normal(shape)).astype(kind) if kind != bool else self.random.random(shape) < 0.3
        return feeds

    def model(self, *outputs: Value) -> onnx.ModelProto:
        ends = []
        for output in outputs:
            value = onnx.ValueInfoProto(name=output.name)
            value.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(self.kind)
            ends.append(value)
        graph = helper.make_graph(self.nodes, "form", self.inputs, ends, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)


class Form(NamedTuple):
    name: str
    opset: int
    build: Callable[[Graph], Value | tuple[Value, ...]]
    # The operators that are left; None for a near miss, which stays as it is.
    left: tuple[str, ...] | None
    kind: type = np.float32


# Activations.

def gelu_forms() -> Iterator[Form]:
    def form(write):
        return lambda g: write(g.input("n", 8))
    erf = lambda x: (x / ROOT_2).Erf()
    tanh = lambda x: ((x + 0.044715 * x ** 3.0) * ROOT_2_PI).Tanh()
    ways = {
        "(x * (1 + e)) * 0.5": lambda x, e: x * (e + 1.0) * 0.5,
        "(x * (1 + e)) / 2": lambda x, e: x * (e + 1.0) / 2.0,
        "(0.5 * x) * (1 + e)": lambda x, e: 0.5 * x * (1.0 + e),
        "x * (0.5 * (1 + e))": lambda x, e: x * (0.5 * (1.0 + e)),
        "x * (0.5 + 0.5 * e)": lambda x, e: x * (0.5 + 0.5 * e),
        "(1 + e) * (x * 0.5)": lambda x, e: (1.0 + e) * (x * 0.5),
    }
    for name, way in ways.items():
        for function in (erf, tanh):
            title = "Erf" if function is erf else "Tanh"
            yield Form(f"Gelu by {title}: {name}", 20, form(lambda x, w=way, f=function: w(x, f(x))), ("Gelu",))
    yield Form("Gelu by Erf of a product", 20, form(lambda x: x * 0.5 * (1.0 + (x * (1 / ROOT_2)).Erf())), ("Gelu",))
    yield Form("Gelu by Tanh of x*x*x", 20,
               form(lambda x: 0.5 * x * (1.0 + ((x + x * x * x * 0.044715) * ROOT_2_PI).Tanh())), ("Gelu",))
    yield Form("Gelu by Tanh of x*(1 + x*x)", 20,
               form(lambda x: x * 0.5 * (1.0 + (x * ROOT_2_PI * (1.0 + x * x * 0.044715)).Tanh())), ("Gelu",))
    yield Form("Gelu of halves", 20, form(lambda x: x * (erf(x) + 1.0) * 0.5), ("Gelu",), np.float16)
    yield Form("Gelu without its half", 20, form(lambda x: x * (erf(x) + 1.0)), ("Gelu", "Mul"))
    yield Form("Gelu before a product", 20,
               lambda g: (lambda x: (x * (erf(x) + 1.0) * 0.5) @ g.weight(8, 4))(g.input("n", 8)), ("Gelu", "MatMul"))
    yield Form("Gelu in opset 19", 19, form(lambda x: x * (erf(x) + 1.0) * 0.5), None)
    yield Form("Gelu of another root", 20, form(lambda x: x * ((x / 1.4).Erf() + 1.0) * 0.5), None)
    yield Form("Gelu of another cube", 20,
               form(lambda x: x * 0.5 * (1.0 + ((x + 0.0447 * x ** 3.0) * ROOT_2_PI).Tanh())), None)
    yield Form("Gelu with 2 + Erf", 20, form(lambda x: x * (erf(x) + 2.0) * 0.5), None)

    def used(g):
        x = g.input("n", 8)
        e = erf(x)
        return x * (e + 1.0) * 0.5, e
    yield Form("Gelu whose Erf is used", 20, used, None)

    def two(g):
        x, y = g.input("n", 8), g.input("n", 8)
        return x * (erf(y) + 1.0) * 0.5
    yield Form("Gelu of two values", 20, two, None)


def activation_forms() -> Iterator[Form]:
    def form(write):
        return lambda g: write(g.input("n", 8), g)
    clip = lambda x, g, low=0.0, high=6.0: x.Clip(low, high)
    yield Form("HardSwish by Clip", 14, form(lambda x, g: x * clip(x + 3.0, g) / 6.0), ("HardSwish",))
    yield Form("HardSwish by Clip, divided first", 14, form(lambda x, g: x * (clip(x + 3.0, g) / 6.0)), ("HardSwish",))
    yield Form("HardSwish by Clip, multiplied", 14, form(lambda x, g: (1 / 6) * clip(3.0 + x, g) * x), ("HardSwish",))
    yield Form("HardSwish by HardSigmoid", 14, form(lambda x, g: x * x.HardSigmoid(alpha=1 / 6, beta=0.5)), ("HardSwish",))
    yield Form("HardSwish by Clip of x/6", 14, form(lambda x, g: x * clip(x / 6.0 + 0.5, g, 0.0, 1.0)), ("HardSwish",))
    yield Form("HardSwish in opset 13", 13, form(lambda x, g: x * clip(x + 3.0, g) / 6.0), ("HardSigmoid", "Mul"))
    yield Form("HardSwish before a product in opset 13", 13,
               form(lambda x, g: (x * clip(x + 3.0, g) / 6.0) @ g.weight(8, 4)), ("HardSigmoid", "Mul", "MatMul"))
    yield Form("HardSwish of another slope", 14, form(lambda x, g: x * x.HardSigmoid(alpha=0.2, beta=0.5)), None)
    yield Form("HardSigmoid", 11, form(lambda x, g: clip(x + 3.0, g) / 6.0), ("HardSigmoid",))
    yield Form("HardSigmoid of a line", 11, form(lambda x, g: clip(x * 0.2 + 0.5, g, 0.0, 1.0)), ("HardSigmoid",))
    yield Form("HardSigmoid by Min and Max", 13,
               form(lambda x, g: ((x * 0.2 + 0.5).Max(0.0)).Min(1.0)), ("HardSigmoid",))
    yield Form("HardSigmoid up to 5", 11, form(lambda x, g: clip(x + 3.0, g, 0.0, 5.0) / 6.0), None)
    yield Form("Clip by Max of Min", 13, form(lambda x, g: x.Min(2.0).Max(-2.0)), ("Clip",))
    yield Form("Clip of an empty range", 13, form(lambda x, g: x.Min(-2.0).Max(2.0)), None)
    yield Form("Swish", 24, form(lambda x, g: x * x.Sigmoid()), ("Swish",))
    yield Form("Swish of a multiple", 24, form(lambda x, g: (x * 1.702).Sigmoid() * x), ("Swish",))
    yield Form("Swish in opset 23", 23, form(lambda x, g: x * x.Sigmoid()), None)
    yield Form("Swish of a sum", 24, form(lambda x, g: x * (x + 1.0).Sigmoid()), None)
    yield Form("Mish", 18, form(lambda x, g: x * x.Softplus().Tanh()), ("Mish",))
    yield Form("Mish by exponentials", 18, form(lambda x, g: x * (1.0 + x.Exp()).Log().Tanh()), ("Mish",))
    yield Form("Mish in opset 17", 17, form(lambda x, g: x * x.Softplus().Tanh()), None)
    yield Form("Softplus", 11, form(lambda x, g: (x.Exp() + 1.0).Log()), ("Softplus",))
    yield Form("Softplus of 2 + Exp", 11, form(lambda x, g: (x.Exp() + 2.0).Log()), None)
    yield Form("Sigmoid by Reciprocal", 11, form(lambda x, g: (1.0 + (-x).Exp()).Reciprocal()), ("Sigmoid",))
    yield Form("Sigmoid by Div", 11, form(lambda x, g: 1.0 / ((-x).Exp() + 1.0)), ("Sigmoid",))
    yield Form("Sigmoid by 2/(1 + Exp)", 11, form(lambda x, g: 2.0 / ((-x).Exp() + 1.0)), None)
    yield Form("LeakyRelu", 11, form(lambda x, g: x.Max(x * 0.1)), ("LeakyRelu",))
    yield Form("LeakyRelu steeper than x", 11, form(lambda x, g: x.Max(x * 1.5)), None)


def softmax_forms() -> Iterator[Form]:
    def softmax(g, x, axis):
        e = x.Exp()
        return e / e.ReduceSum(g.ints(axis), keepdims=1)

    def shifted(g, x, axis):
        top = x.ReduceMax(g.ints(axis), keepdims=1) if g.opset >= 18 else x.ReduceMax(axes=[axis], keepdims=1)
        return x - top
    for axis in (-1, 1):
        yield Form(f"Softmax along {axis}", 13, lambda g, a=axis: softmax(g, g.input("n", 4, 6), a), ("Softmax",))
        yield Form(f"Softmax along {axis}, shifted", 18,
                   lambda g, a=axis: softmax(g, shifted(g, g.input("n", 4, 6), a), a), ("Softmax",))
    yield Form("Softmax, shifted twice", 13, lambda g: shifted(g, g.input("n", 4, 6), -1).Softmax(axis=-1), ("Softmax",))
    yield Form("Softmax, shifted along another axis", 13,
               lambda g: shifted(g, g.input("n", 4, 6), 1).Softmax(axis=-1), None)
    yield Form("LogSoftmax", 13, lambda g: g.input("n", 6).Softmax(axis=1).Log(), ("LogSoftmax",))

    def difference(g):
        x = shifted(g, g.input("n", 6), 1)
        return x - x.Exp().ReduceSum(g.ints(1), keepdims=1).Log()
    yield Form("LogSoftmax by a difference", 18, difference, ("LogSoftmax",))

    def used(g):
        x = g.input("n", 6)
        e = x.Exp()
        return e / e.ReduceSum(g.ints(1), keepdims=1), e
    yield Form("Softmax whose Exp is used", 13, used, None)


# Normalizations.

def centered(g: Graph, x: Value, axes=(-1,), square="pow", root="div", epsilon=1e-5) -> Value:
    d = x - g.mean(x, *axes)
    variance = g.mean(d ** 2.0 if square == "pow" else d * d, *axes) + epsilon
    if root == "div":
        return d / variance.Sqrt()
    if root == "power":
        return d * variance ** -0.5
    return d * variance.Sqrt().Reciprocal()


def normalization_forms() -> Iterator[Form]:
    for opset in (17, 18, 21):
        for square in ("pow", "mul"):
            for root in ("div", "power", "reciprocal"):
                yield Form(f"LayerNormalization {opset} {square} {root}", opset,
                           lambda g, s=square, r=root: centered(g, g.input("n", 4, 6), square=s, root=r)
                           * g.weight(6) + g.weight(6), ("LayerNormalization",))
    layer = ("LayerNormalization",)
    yield Form("LayerNormalization, operands exchanged", 17,
               lambda g: g.weight(6) + g.weight(6) * centered(g, g.input("n", 4, 6)), layer)
    yield Form("LayerNormalization of two axes", 17,
               lambda g: centered(g, g.input("n", 4, 6), (1, 2)) * g.weight(4, 6) + g.weight(4, 6), layer)
    yield Form("LayerNormalization without a shift", 17, lambda g: centered(g, g.input("n", 4, 6)) * g.weight(6), layer)
    yield Form("LayerNormalization without a scale", 17, lambda g: centered(g, g.input("n", 4, 6)) + g.weight(6), layer)
    yield Form("LayerNormalization of neither", 17, lambda g: centered(g, g.input("n", 4, 6)), layer)
    yield Form("LayerNormalization with scales of leading ones", 17,
               lambda g: centered(g, g.input("n", 4, 6)) * g.weight(1, 1, 6) + g.weight(1, 1, 6), layer)
    yield Form("LayerNormalization of a scaled one", 17,
               lambda g: g.input("n", 6).LayerNormalization(g.weight(6), g.weight(6)) * g.weight(6) + 2.0, layer)

    def halves(g):
        x = g.input("n", 4, 64)
        wide = x.Cast(to=onnx.TensorProto.FLOAT)
        g.kind = np.dtype(np.float32)
        normal = centered(g, wide)
        g.kind = np.dtype(np.float16)
        return normal.Cast(to=onnx.TensorProto.FLOAT16) * g.weight(64) + g.weight(64)
    yield Form("LayerNormalization of halves, in floats", 17, halves, layer, np.float16)

    def parts(g):
        x = g.input("n", 4, 6)
        mean = g.mean(x, -1)
        d = x - mean
        scaled = (g.mean(d * d, -1) + 1e-3).Sqrt().Reciprocal() * g.weight(6)
        return x * scaled + (g.weight(6) - mean * scaled)
    yield Form("LayerNormalization as a batch normalization", 17, parts, layer)
    yield Form("LayerNormalization in opset 16", 16,
               lambda g: centered(g, g.input("n", 4, 6)) * g.weight(6) + g.weight(6), None)
    yield Form("LayerNormalization of the first axis", 17, lambda g: centered(g, g.input(3, 4, 6), (0,)), None)

    def used(g):
        x = g.input("n", 6)
        d = x - g.mean(x, -1)
        return d / (g.mean(d ** 2.0, -1) + 1e-5).Sqrt(), d
    yield Form("LayerNormalization whose difference is used", 17, used, None)

    def other(g):
        x, y = g.input("n", 6), g.input("n", 6)
        d = x - g.mean(y, -1)
        return d / (g.mean(d ** 2.0, -1) + 1e-5).Sqrt()
    yield Form("LayerNormalization by another's mean", 17, other, None)

    rms = ("RMSNormalization",)

    def root_mean(g, x, way="div"):
        square = g.mean(x ** 2.0, -1) + 1e-6
        return x / square.Sqrt() if way == "div" else x * square.Sqrt().Reciprocal()
    for way in ("div", "reciprocal"):
        yield Form(f"RMSNormalization {way}", 23,
                   lambda g, w=way: g.weight(6) * root_mean(g, g.input("n", 4, 6), w), rms)
    yield Form("RMSNormalization in opset 22", 22, lambda g: root_mean(g, g.input("n", 6)) * g.weight(6), None)

    def rms_halves(g):
        x = g.input("n", 64)
        wide = x.Cast(to=onnx.TensorProto.FLOAT)
        g.kind = np.dtype(np.float32)
        normal = root_mean(g, wide)
        g.kind = np.dtype(np.float16)
        return g.weight(64) * normal.Cast(to=onnx.TensorProto.FLOAT16)
    yield Form("RMSNormalization of halves, in floats", 23, rms_halves, rms, np.float16)

    yield Form("InstanceNormalization", 13,
               lambda g: centered(g, g.input("n", 4, 6, 5), (2, 3)) * g.weight(1, 4, 1, 1) + g.weight(4, 1, 1),
               ("InstanceNormalization",))
    yield Form("InstanceNormalization with a scale along the last axis", 13,
               lambda g: centered(g, g.input("n", 4, 6, 5), (2, 3)) * g.weight(5), ("InstanceNormalization", "Mul"))

    def groups(g, scale=1.0):
        x = g.input(2, 6, 4, 5)
        split = x.Reshape(g.ints(0, 3, -1))
        normal = split.InstanceNormalization(g.constant([scale] * 3), g.constant([0.0] * 3), epsilon=1e-4)
        return normal.Reshape(x.Shape()) * g.weight(6, 1, 1) + g.weight(6, 1, 1)
    yield Form("GroupNormalization", 21, groups, ("GroupNormalization",))
    yield Form("GroupNormalization in opset 20", 20, groups,
               ("Reshape", "InstanceNormalization", "Reshape", "Mul", "Add"))


# Attention.

def attention_forms() -> Iterator[Form]:
    def parts(g, keys=5):
        return g.input("b", 3, 4, 8), g.input("b", 3, keys, 8), g.input("b", 3, keys, 6)
    turned = lambda k: k.Transpose(perm=[0, 1, 3, 2])

    def form(scores, mask=None):
        def build(g):
            q, k, v = parts(g)
            s = scores(q, k, g)
            return (mask(s, g) if mask else s).Softmax(axis=-1) @ v
        return build
    found = ("Attention",)
    plain = lambda q, k, g: (q @ turned(k)) * 0.25
    yield Form("Attention, scores multiplied", 23, form(plain), found)
    yield Form("Attention, scores divided", 23, form(lambda q, k, g: q @ turned(k) / 3.0), found)
    yield Form("Attention, queries scaled", 23, form(lambda q, k, g: (q * 0.3) @ turned(k)), found)
    yield Form("Attention, both scaled", 23, form(lambda q, k, g: (q * 0.5) @ turned(k * 0.5)), found)
    yield Form("Attention, transposed keys scaled", 23, form(lambda q, k, g: (q * 0.7) @ (turned(k) * 0.7)), found)
    yield Form("Attention without a scale", 23, form(lambda q, k, g: q @ turned(k)), found)
    yield Form("Attention of halves", 23, form(plain), found, np.float16)
    yield Form("Attention with a mask", 23, form(plain, lambda s, g: s + g.input("b", 1, 4, 5)), found)
    yield Form("Attention with a mask for all", 23, form(plain, lambda s, g: g.weight(4, 5) + s), found)
    yield Form("Attention with truths", 23,
               form(plain, lambda s, g: g.constant(np.tri(4, 5), bool).Where(s, -np.inf)), found)
    yield Form("Attention with truths that exclude", 23,
               form(plain, lambda s, g: g.input("b", 1, 4, 5, kind=bool).Where(-np.inf, s)), ("Not", "Attention"))

    def from_tokens(g):
        q, k, v = g.input("b", 4, 3, 8), g.input("b", 5, 3, 8), g.input("b", 5, 3, 8)
        heads = lambda x: x.Transpose(perm=[0, 2, 1, 3])
        return ((heads(q) @ k.Transpose(perm=[0, 2, 3, 1])) * 0.35).Softmax(axis=3) @ heads(v)
    yield Form("Attention of heads in the middle", 23, from_tokens, ("Transpose",) * 3 + found)
    yield Form("Attention in opset 22", 22, form(plain), None)
    yield Form("Attention along queries", 23,
               lambda g: (lambda q, k, v: ((q @ turned(k)) * 0.25).Softmax(axis=2) @ v)(*parts(g)), None)
    yield Form("Attention with a mask of keys alone", 23, form(plain, lambda s, g: s + g.input("b", 1, 1, 5)), None)
    yield Form("Attention with a small number for -inf", 23,
               form(plain, lambda s, g: g.constant(np.tri(4, 5), bool).Where(s, -1e4)), None)

    def used(g):
        q, k, v = parts(g)
        weights = plain(q, k, g).Softmax(axis=-1)
        return weights @ v, weights
    yield Form("Attention whose weights are used", 23, used, None)

    def broadcast(g):
        q, k, v = g.input("b", 3, 4, 8), g.input(1, 3, 5, 8), g.input("b", 3, 5, 6)
        return plain(q, k, g).Softmax(axis=-1) @ v
    yield Form("Attention of keys for all", 23, broadcast, None)


# Products.

def product_forms() -> Iterator[Form]:
    yield Form("Gemm", 11, lambda g: g.input("n", 6) @ g.weight(6, 4) + g.weight(4), ("Gemm",))
    yield Form("Gemm of a variable summand", 11,
               lambda g: g.input("n", 4) + g.input("n", 6) @ g.weight(6, 4), ("Gemm",))
    yield Form("Gemm of a shared weight, transposed", 11, lambda g: (lambda w: (
        g.input("n", 6) @ w.Transpose(perm=[1, 0]) + g.weight(4), g.input("m", 4) @ w))(g.weight(4, 6)), ("Gemm", "MatMul"))
    yield Form("Gemm of transposed variables", 11,
               lambda g: g.input(6, "n").Transpose(perm=[1, 0]).Gemm(g.input(4, 6), g.weight(4), transB=1), ("Gemm",))
    yield Form("a product between Reshapes", 11,
               lambda g: (g.input("n", 3, 6).Reshape(g.ints(-1, 6)) @ g.weight(6, 4)).Reshape(g.ints(-1, 3, 4))
               + g.weight(4), ("MatMul", "Add"))
    yield Form("Gemm of rank 3", 11, lambda g: g.input("n", 3, 6) @ g.weight(6, 4) + g.weight(4), None)
    yield Form("Gemm that a summand broadcasts", 11,
               lambda g: g.input(1, 6) @ g.weight(6, 4) + g.input("m", 4), None)
    yield Form("a scale after a product and its summand", 13,
               lambda g: (g.input("n", 3, 6) @ g.weight(6, 4) + g.weight(4)) * 0.3, ("MatMul", "Add"))
    yield Form("a scale by channel after a product and its summand", 13,
               lambda g: (g.input("n", 3, 6) @ g.weight(6, 4) + g.weight(4)) / g.constant([1., 2., 3., 5.]), ("MatMul", "Add"))
    conv = lambda g, x, *dims, **more: x.Conv(g.weight(*dims), pads=[1, 1, 1, 1], **more)
    yield Form("a scale before a convolution", 13,
               lambda g: conv(g, g.input("n", 4, 5, 5) * g.weight(4, 1, 1), 6, 4, 3, 3), ("Conv",))
    bare = lambda g, x, *dims, **more: x.Conv(g.weight(*dims), g.weight(dims[0]), **more)
    yield Form("a shift before a convolution", 13,
               lambda g: bare(g, g.input("n", 4, 5, 5) + g.weight(4, 1, 1), 6, 4, 3, 3), ("Conv",))
    yield Form("a shift and a scale before groups", 13,
               lambda g: bare(g, g.input("n", 4, 5, 5) * 3.0 + g.weight(4, 1, 1), 6, 2, 3, 3, group=2), ("Conv",))
    yield Form("a shift before a padded convolution", 13,
               lambda g: conv(g, g.input("n", 4, 5, 5) + g.weight(4, 1, 1), 6, 4, 3, 3), None)
    yield Form("a shift before a Gemm", 13,
               lambda g: (g.input("n", 6) + g.weight(6)).Gemm(g.weight(4, 6), g.weight(4), transB=1), ("Gemm",))
    yield Form("a batch normalization before a convolution", 13,
               lambda g: bare(g, g.input("n", 4, 5, 5).BatchNormalization(
                   g.weight(4), g.weight(4), g.weight(4), g.constant([1., 2., 3., 4.])), 4, 1, 3, 3, group=4), ("Conv",))
    yield Form("a scale before groups", 13,
               lambda g: conv(g, g.input("n", 4, 5, 5) * g.weight(1, 4, 1, 1), 6, 2, 3, 3, group=2), ("Conv",))
    yield Form("a scale before a transposed convolution in groups", 13,
               lambda g: (g.input("n", 4, 5, 5) / 3.0).ConvTranspose(g.weight(4, 3, 3, 3), group=2), ("ConvTranspose",))
    yield Form("a scale before a product", 13,
               lambda g: (g.input("n", 3, 6) * g.weight(6)) @ g.weight(6, 4), ("MatMul",))
    yield Form("a scale before a transposed Gemm", 13,
               lambda g: (g.input(6, "n") * g.weight(6, 1)).Gemm(g.weight(4, 6), g.weight(4), transA=1, transB=1), ("Gemm",))
    yield Form("a scale along rows before a product", 13,
               lambda g: (g.input("n", 3, 6) * g.weight(3, 1)) @ g.weight(6, 4), None)
    yield Form("a batch normalization after a product", 13,
               lambda g: (g.input("n", 6) @ g.weight(6, 4)).BatchNormalization(
                   g.weight(4), g.weight(4), g.weight(4), g.constant([1., 2., 3., 4.])), ("Gemm",))


FORMS = (gelu_forms, activation_forms, softmax_forms, normalization_forms, attention_forms, product_forms)


def check(form: Form, invar: str, folder: str) -> list[str]:
    graph = Graph(form.opset, form.kind)
    outputs = form.build(graph)
    model = graph.model(*(outputs if isinstance(outputs, tuple) else (outputs,)))
    path, once, twice = (os.path.join(folder, f"{name}.onnx") for name in ("form", "once", "twice"))
    onnx.save(model, path)
    for source, target in ((path, once), (once, twice)):
        ended = harness.run(invar, "optimize", source, "-o", target, "--quiet")
        if ended.code:
            return [ended.ending()]
    complaints = []
    if not filecmp.cmp(once, twice, shallow=False):
        complaints.append("changes when it is optimized again")
    count = lambda path: collections.Counter(node.op_type for node in onnx.load(path).graph.node)
    left = count(once)
    if form.left is None and left.total() < count(path).total():
        complaints.append(f"expected a refusal, but got {' '.join(sorted(left.elements()))}")
    if form.left is not None and left != collections.Counter(form.left):
        complaints.append(f"expected {' '.join(form.left)}, but got {' '.join(sorted(left.elements()))}")
    feeds = graph.draw()
    off = closeness.distance(engines.OnnxRuntime(path).run(feeds), engines.OnnxRuntime(once).run(feeds))
    if not off <= TOLERANCES[np.dtype(form.kind)]:
        complaints.append(f"outputs are {off:.1e} off")
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="only forms whose name has this")
    options = parser.parse_args()
    report = harness.Report()
    for forms in FORMS:
        for form in forms():
            if options.only not in form.name:
                continue
            with tempfile.TemporaryDirectory(prefix="recompose") as folder:
                report.check(form.name, check(form, options.invar, folder))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
