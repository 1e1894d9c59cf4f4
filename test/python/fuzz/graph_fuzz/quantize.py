# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized values: QDQ around convolutions and products, and the operators over integers."""
import math

import numpy as np

from .builder import BYTE, FLOAT, INT, MOST_PRODUCTS, SIGNED, Graph, Unfit, Value
from .elementwise import activation
from .move import transpose
from .normalize import fixed
from .windows import border, check_fits, group, image, kernel, steps

# Not powers of two, so that few values are in the middle between two steps.
SCALES = (0.0173, 0.031, 0.0457, 0.0913, 0.127)


def scale(g: Graph, size: int | None = None) -> Value:
    if size is None:
        return g.constant(np.array(g.choose(*SCALES), np.float32))
    return g.constant(g.numbers.choice(np.array(SCALES, np.float32), size))


def zero(g: Graph, dtype, size: int | None = None, at_zero: bool = False) -> Value:
    shape = () if size is None else (size,)
    if at_zero or g.chance(0.3):
        return g.constant(np.zeros(shape, dtype))
    low, high = (100, 150) if dtype == BYTE else (-20, 20)
    return g.constant(g.numbers.integers(low, high, shape).astype(dtype))


def quantized(g: Graph, x: Value, dtype=None) -> tuple[Value, Value, Value]:
    dtype = dtype or g.choose(BYTE, SIGNED)
    step, middle = scale(g), zero(g, dtype)
    return g.node("QuantizeLinear", [x, step, middle], is_operand=g.chance(0.3)), step, middle


def qdq(g: Graph, x: Value | None = None) -> Value:
    x = x or g.pick(lambda v: v.type == FLOAT)
    return g.node("DequantizeLinear", list(quantized(g, x)))


def qdq_per_axis(g: Graph) -> Value:
    x = g.pick(lambda v: v.type == FLOAT and v.rank >= 1)
    axis, dtype = g.axis(x), g.choose(BYTE, SIGNED)
    size = fixed(x, axis)
    step, middle = scale(g, size), zero(g, dtype, size)
    q = g.node("QuantizeLinear", [x, step, middle], axis=axis)
    return g.node("DequantizeLinear", [q, step, middle], axis=axis)


def stored(g: Graph, shape, per_axis: bool, axis: int = 0) -> Value:
    """Makes a weight that is stored as int8."""
    codes = g.constant(g.numbers.integers(-127, 128, shape).astype(SIGNED))
    size = shape[axis] if per_axis else None
    spread = 0.02 / math.sqrt(max(math.prod(shape) / max(shape[axis], 1), 1))
    numbers = (g.numbers.random(() if size is None else size) + 0.3) * spread
    step = g.constant(np.asarray(numbers, np.float32))
    middle = None if g.chance(0.3) else g.constant(np.zeros(() if size is None else size, SIGNED))
    return g.node("DequantizeLinear", [codes, step, middle], **({"axis": axis} if per_axis else {}))


def qdq_conv(g: Graph) -> Value:
    x = image(g)
    if x.type != FLOAT:
        raise Unfit
    channels, axes = fixed(x, 1), x.rank - 2
    groups, size = group(g, channels), kernel(g, axes)
    results = groups * (1 if groups == channels and groups > 1 else max(1, g.choose(8, 16, 17, 33, 65, 97) // groups))
    if x.count * results // groups * math.prod(size) > MOST_PRODUCTS:
        raise Unfit
    operands = [qdq(g, x), stored(g, [results, channels // groups, *size], g.chance(0.5))]
    if g.chance(0.5):
        operands.append(g.constant(g.content(FLOAT, [results])))
    attributes = {**border(g, axes), **steps(g, axes)}
    check_fits(x, size, attributes)
    y = g.node("Conv", operands, group=groups, **attributes)
    if g.chance(0.5):
        y = activation(g, y)
    return qdq(g, y) if g.chance(0.8) else y


def qdq_mat_mul(g: Graph) -> Value:
    x = g.pick(lambda v: v.type == FLOAT and v.rank >= 2)
    inner, columns = fixed(x, -1), g.size()
    if x.count * columns > MOST_PRODUCTS:
        raise Unfit
    y = g.node("MatMul", [qdq(g, x), stored(g, [inner, columns], g.chance(0.4), 1)])
    if g.chance(0.5):
        y = g.node("Add", [y, g.weight(FLOAT, [columns])])
    if g.chance(0.3):
        y = activation(g, y)
    return qdq(g, y) if g.chance(0.7) else y


def qlinear_mat_mul(g: Graph) -> Value:
    x = g.pick(lambda v: v.type == FLOAT and v.rank >= 2)
    inner, columns = fixed(x, -1), g.size()
    if x.count * columns > MOST_PRODUCTS:
        raise Unfit
    dtype = g.choose(BYTE, SIGNED)
    codes = g.constant(g.numbers.integers(-100, 100, [inner, columns]).astype(SIGNED))
    q, step, middle = quantized(g, x, dtype)
    out, last = scale(g), zero(g, dtype)
    weights = g.constant(np.array(0.013, np.float32))
    y = g.node("QLinearMatMul", [q, step, middle, codes, weights, g.constant(np.zeros((), SIGNED)), out, last])
    return g.node("DequantizeLinear", [y, out, last]) if g.chance(0.8) else y


def qlinear_conv(g: Graph) -> Value:
    x = image(g)
    if x.type != FLOAT or x.rank != 4:
        raise Unfit
    channels, size = fixed(x, 1), kernel(g, 2)
    groups, dtype = group(g, channels), g.choose(BYTE, SIGNED)
    results = groups * max(1, g.choose(8, 16, 33, 65) // groups)
    if x.count * results // groups * math.prod(size) > MOST_PRODUCTS:
        raise Unfit
    q, step, middle = quantized(g, x, dtype)
    per = results if g.chance(0.4) else None
    codes = g.constant(g.numbers.integers(-100, 100, [results, channels // groups, *size]).astype(SIGNED))
    weights = g.constant((g.numbers.random(() if per is None else per) * 0.01 + 0.003).astype(np.float32))
    out, last = scale(g), zero(g, dtype)
    operands = [q, step, middle, codes, weights, g.constant(np.zeros(() if per is None else per, SIGNED)), out, last]
    if g.chance(0.4):
        operands.append(g.constant(g.numbers.integers(-500, 500, results).astype(INT)))
    attributes = {**border(g, 2), **steps(g, 2)}
    check_fits(x, size, attributes)
    y = g.node("QLinearConv", operands, group=groups, **attributes)
    return g.node("DequantizeLinear", [y, out, last]) if g.chance(0.8) else y


def integer_product(g: Graph) -> Value:
    """MatMulInteger and ConvInteger, as dynamic quantization uses them."""
    x = g.pick(lambda v: v.type == FLOAT and v.rank >= 2)
    q, step, middle = g.node("DynamicQuantizeLinear", [x], results=3, is_operand=False)
    if x.rank == 4 and g.chance(0.5):
        channels, size = fixed(x, 1), kernel(g, 2)
        results = g.choose(3, 8, 16, 33)
        if x.count * results * math.prod(size) > MOST_PRODUCTS:
            raise Unfit
        codes = g.constant(g.numbers.integers(0, 256, [results, channels, *size]).astype(BYTE))
        attributes = {**border(g, 2), **steps(g, 2)}
        check_fits(x, size, attributes)
        y = g.node("ConvInteger", [q, codes, middle, zero(g, BYTE)], **attributes)
    else:
        inner, columns = fixed(x, -1), g.size()
        if x.count * columns > MOST_PRODUCTS:
            raise Unfit
        dtype = g.choose(BYTE, SIGNED)
        low, high = (0, 256) if dtype == BYTE else (-127, 128)
        codes = g.constant(g.numbers.integers(low, high, [inner, columns]).astype(dtype))
        y = g.node("MatMulInteger", [q, codes, middle, zero(g, dtype)])
    factor = g.node("Mul", [step, g.scalar(0.0007, FLOAT)], is_operand=False)
    # int32 sums are large: scale them to floats of moderate size.
    return scaled_sum(g, y, factor)


def scaled_sum(g: Graph, y: Value, factor: Value) -> Value:
    shift = g.node("Div", [y, g.scalar(64, INT)], is_operand=False) if y.most() > 5000 or y.least() < -5000 else y
    return g.node("Mul", [g.node("Cast", [shift], to=1, is_operand=False), factor])


def qdq_moved(g: Graph) -> Value:
    """Moves a quantized value before it is dequantized."""
    x = g.pick(lambda v: v.type == FLOAT and v.rank >= 2)
    q, step, middle = quantized(g, x)
    y = transpose(g, q)
    return g.node("DequantizeLinear", [y, step, middle])


STEPS = {qdq: 2, qdq_per_axis: 1, qdq_conv: 4, qdq_mat_mul: 3, qlinear_mat_mul: 1.5, qlinear_conv: 1.5, integer_product: 1.5,
         qdq_moved: 1}
