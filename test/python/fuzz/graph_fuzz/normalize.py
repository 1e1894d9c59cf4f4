# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normalizations and softmax."""
from .builder import BFLOAT, FLOAT, Graph, Unfit, Value


def has_rank(*ranks: int):
    return lambda v: v.is_float and v.rank in ranks and v.is_whole()


def fixed(x: Value, axis: int) -> int:
    """Returns the size of an axis, which must be the same for all choices."""
    if any(array.shape[axis] != x.shape[axis] for array in x.arrays):
        raise Unfit
    return x.shape[axis]


def positive(g: Graph, dtype, shape) -> Value:
    return g.constant((g.numbers.random(shape) + 0.25).astype(dtype))


def batch(g: Graph, x: Value | None = None) -> Value:
    x = x or g.pick(has_rank(2, 3, 4, 5))
    size = [fixed(x, 1)]
    operands = [g.weight(x.type, size) for _ in range(3)]
    return g.node("BatchNormalization", [x, *operands, positive(g, x.type, size)], epsilon=g.choose(1e-5, 1e-3))


def instance(g: Graph) -> Value:
    x = g.pick(has_rank(3, 4, 5))
    size = [fixed(x, 1)]
    return g.node("InstanceNormalization", [x, g.weight(x.type, size), g.weight(x.type, size)], epsilon=1e-3)


def grouped(g: Graph) -> Value:
    x = g.pick(has_rank(3, 4, 5))
    channels = fixed(x, 1)
    if g.opset < 21:
        raise Unfit
    groups = g.rng.choice([d for d in range(1, channels + 1) if channels % d == 0])
    return g.node("GroupNormalization", [x, g.weight(x.type, [channels]), g.weight(x.type, [channels])],
                  num_groups=groups, epsilon=1e-3)


def layer(g: Graph, x: Value | None = None) -> Value:
    x = x or g.pick(has_rank(2, 3, 4, 5))
    axis = g.rng.randrange(-x.rank, 0)
    sizes = [fixed(x, i) for i in range(axis, 0)]
    if g.opset < 17:
        raise Unfit
    operands = [x, g.weight(x.type, sizes)] + ([g.weight(x.type, sizes)] if g.chance(0.6) else [])
    axis = axis if g.chance(0.6) else axis + x.rank
    if g.chance(0.1):
        return g.node("LayerNormalization", operands, results=3, axis=axis, epsilon=1e-3)[0]
    return g.node("LayerNormalization", operands, axis=axis, epsilon=1e-3)


def layer_by_hand(g: Graph) -> Value:
    """Layer normalization as exporters of older opsets write it."""
    x = g.pick(has_rank(2, 3, 4))
    def mean(v: Value) -> Value:
        return g.axes_node("ReduceMean", v, [-1], 18, keepdims=1)
    centered = g.node("Sub", [x, mean(x)])
    square = g.node("Pow", [centered, g.scalar(2, x.type)]) if g.chance(0.6) else g.node("Mul", [centered, centered])
    root = g.node("Sqrt", [g.node("Add", [mean(square), g.scalar(1e-2, x.type)])])
    y = g.node("Div", [centered, root])
    size = fixed(x, -1)
    return g.node("Add", [g.node("Mul", [y, g.weight(x.type, [size])]), g.weight(x.type, [size])])


def rms(g: Graph) -> Value:
    x = g.pick(has_rank(2, 3, 4))
    axis = g.rng.randrange(-x.rank, 0)
    if g.opset < 23:
        raise Unfit
    return g.node("RMSNormalization", [x, g.weight(x.type, [fixed(x, i) for i in range(axis, 0)])], axis=axis, epsilon=1e-3)


def local_response(g: Graph) -> Value:
    x = g.pick(lambda v: has_rank(3, 4, 5)(v) and v.type == FLOAT)
    return g.node("LRN", [x], size=g.choose(1, 3, 5), alpha=0.3, beta=g.choose(0.5, 0.75), bias=1.0)


def lp(g: Graph) -> Value:
    x = g.pick(lambda v: v.is_float and v.rank >= 1 and v.is_whole())
    # onnxruntime has no bfloat16 here, and the reference evaluator ignores signs if p is 1.
    return g.node("LpNormalization", [x], axis=g.axis(x), p=2 if x.type == BFLOAT else g.choose(1, 2))


def mean_variance(g: Graph) -> Value:
    x = g.pick(has_rank(2, 3, 4))
    axes = g.rng.sample(range(x.rank), g.rng.randrange(1, x.rank + 1))
    if min(x.shape) < 2:
        raise Unfit
    return g.node("MeanVarianceNormalization", [x], axes=sorted(axes))


def softmax(g: Graph, x: Value | None = None) -> Value:
    x = x or g.pick(lambda v: v.is_float and v.rank >= 1)
    return g.node(g.choose("Softmax", "Softmax", "Softmax", "LogSoftmax", "Hardmax"), [x], axis=g.axis(x))


STEPS = {batch: 2, instance: 2, grouped: 2, layer: 3, layer_by_hand: 1, rms: 1, local_response: 1, lp: 1, mean_variance: 0.5,
         softmax: 4}
