# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operators with every kind of broadcast, and casts."""
import numpy as np

from .builder import BFLOAT, BOOL, DOUBLE, FLOAT, FLOATS, HALF, INT, INTEGERS, LONG, Graph, Unfit, Value, number_of

ACTIVATIONS = ("Relu", "Relu", "LeakyRelu", "Elu", "Selu", "Celu", "Sigmoid", "Sigmoid", "HardSigmoid", "HardSwish", "Softplus",
               "Softsign", "Tanh", "Tanh", "Gelu", "Mish", "Erf", "ThresholdedRelu", "Shrink", "Clip", "PRelu")
SINCE = {"HardSwish": 14, "Gelu": 20, "Mish": 18}
UNARY = ("Abs", "Neg", "Floor", "Ceil", "Round", "Sign", "Sin", "Cos", "Atan", "Asinh", "Identity", "Dropout", "Exp", "Log", "Sqrt",
         "Reciprocal", "Sinh", "Cosh", "Asin", "Acos", "Atanh", "Acosh", "Tan", "IsNaN", "IsInf")


def bounded(g: Graph, x: Value, low: float, high: float) -> Value:
    """Bounds the values between two numbers, for any inputs."""
    if low <= x.least() and x.most() <= high and x.is_constant:
        return x
    return clip(g, x, low, high)


def clip(g: Graph, x: Value, low: float | None, high: float | None) -> Value:
    if g.opset < 11:
        return g.node("Clip", [x], **{name: bound for name, bound in (("min", low), ("max", high)) if bound is not None})
    return g.node("Clip", [x, *(None if bound is None else g.scalar(bound, x.type) for bound in (low, high))])


def away_from_zero(g: Graph, x: Value) -> Value:
    kind = g.rng.random()
    one = g.scalar(0.75, x.type)
    if kind < 0.4:
        return g.node("Add", [g.node("Abs", [x]), one])
    if kind < 0.7:
        return g.node("Add", [g.node("Mul", [x, x]), one])
    return g.node("Add", [g.node("Sigmoid", [x]), one])


def activation(g: Graph, x: Value | None = None) -> Value:
    x = x or g.pick_float(range(0, 7))
    op = g.choose(*ACTIVATIONS)
    if SINCE.get(op, 0) > g.opset:
        raise Unfit
    if op == "Clip":
        low, high = sorted(g.rng.sample((-2.0, -1.0, 0.0, 0.5, 1.0, 3.0, 6.0), 2))
        return clip(g, x, low if g.chance(0.8) else None, high if g.chance(0.8) else None)
    if op == "PRelu":
        shape = [1 if g.chance(0.4) else size for size in x.shape[g.rng.randrange(x.rank + 1):]]
        return g.node(op, [x, g.weight(x.type, shape if x.has_one_shape() else [])])
    attributes = {}
    if op in ("LeakyRelu", "Elu", "ThresholdedRelu", "HardSigmoid", "Celu") and g.chance(0.5):
        attributes["alpha"] = g.choose(0.1, 0.25, 0.7)
    if op == "Gelu" and g.chance(0.5):
        attributes["approximate"] = g.choose("none", "tanh")
    return g.node(op, [x], **attributes)


def gelu_by_hand(g: Graph) -> Value:
    x = g.pick_float()
    inner = g.node("Erf", [g.node("Div", [x, g.scalar(1.4142135, x.type)])])
    y = g.node("Mul", [x, g.node("Add", [inner, g.scalar(1, x.type)])])
    return g.node("Mul", [y, g.scalar(0.5, x.type)])


def swish(g: Graph) -> Value:
    x = g.pick_float()
    return g.node("Mul", g.rng.sample([x, g.node("Sigmoid", [x])], 2))


def unary(g: Graph) -> Value:
    x = g.pick_float(range(0, 7))
    op = g.choose(*UNARY)
    if op in ("Exp", "Sinh", "Cosh"):
        x = bounded(g, x, -4, 4)
    elif op in ("Log", "Sqrt", "Reciprocal"):
        x = away_from_zero(g, x)
    elif op in ("Asin", "Acos", "Atanh"):
        x = bounded(g, x, -0.9, 0.9)
    elif op == "Acosh":
        x = bounded(g, x, 1.1, 6)
    elif op == "Tan":
        x = bounded(g, x, -1.2, 1.2)
    return g.node(op, [x])


def integer_unary(g: Graph) -> Value:
    x = g.pick(lambda v: v.type in INTEGERS or v.type == BOOL)
    if x.type == BOOL:
        return g.node("Not", [x])
    return g.node(g.choose("Abs", "Neg", "Sign", "Relu", "BitwiseNot", "Identity"), [x])


def partner(g: Graph, x: Value, dtype=None) -> Value:
    """Returns a value that can be broadcast with x: of lower, equal or higher rank."""
    dtype = dtype or x.type
    if g.chance(0.5):
        found = [y for y in g.values if y.type == dtype and
                 all(a == b or 1 in (a, b) for a, b in zip(x.shape[::-1], y.shape[::-1]))]
        if found:
            return g.rng.choice(found)
    begin = g.choose(0, 0, x.rank, g.rng.randrange(x.rank + 1))
    shape = [size if g.chance(0.6) and all(a.shape[i] == size for a in x.arrays) else 1 for i, size in enumerate(x.shape)][begin:]
    if g.chance(0.08) and x.rank < 5 and begin == 0:
        shape = [g.choose(1, 2, 3), *shape]
    return g.weight(dtype, shape)


def binary(g: Graph) -> Value:
    x = g.pick(lambda v: v.is_float)
    op = g.choose("Add", "Add", "Add", "Sub", "Mul", "Mul", "Div", "Max", "Min", "Pow", "Sum", "Mean", "Mod")
    y = partner(g, x)
    if op in ("Div", "Pow", "Mod"):
        if op == "Pow":
            if g.chance(0.6):
                return g.node(op, [x, g.scalar(g.choose(1, 2, 3, 0), x.type)])
            x, y = away_from_zero(g, x), bounded(g, y, -2, 2)
            return g.node(op, [x, y])
        y = away_from_zero(g, y)
        return g.node(op, [x, y], **({"fmod": 1} if op == "Mod" else {}))
    operands = g.rng.sample([x, y], 2)
    if op in ("Sum", "Mean", "Max", "Min") and g.chance(0.4):
        operands.append(partner(g, x))
    return g.node(op, operands)


def integer_binary(g: Graph) -> Value:
    x = g.pick(lambda v: v.type in INTEGERS)
    op = g.choose("Add", "Add", "Sub", "Mul", "Div", "Max", "Min", "Mod", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitShift")
    if op in ("Div", "Mod"):
        return g.node(op, [x, g.scalar(g.choose(1, 2, 3, 7), x.type)])
    if op == "BitShift":
        return g.node(op, [x, g.scalar(g.choose(0, 1, 3), x.type)], direction=g.choose("LEFT", "RIGHT"))
    return g.node(op, g.rng.sample([x, partner(g, x)], 2))


def logical(g: Graph) -> Value:
    x = g.pick(lambda v: v.type == BOOL)
    return g.node(g.choose("And", "Or", "Xor"), [x, partner(g, x)])


def comparison(g: Graph) -> Value:
    x = g.pick(lambda v: v.type != BOOL)
    op = g.choose("Less", "Greater", "Equal", "LessOrEqual", "GreaterOrEqual")
    operands = g.rng.sample([x, partner(g, x)], 2)
    if op == "Equal" and x.is_float:  # Whether float sums are equal depends on their last digits.
        operands = [g.node("Floor", [operand]) for operand in operands]
    return g.node(op, operands)


def where(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank <= 5)
    condition = partner(g, x, BOOL)
    return g.node("Where", [condition, *g.rng.sample([x, partner(g, x)], 2)])


def exceptional(g: Graph) -> Value:
    """Makes infinities, as in masks, or NaN, and an operator whose result is finite again."""
    x = g.pick(lambda v: v.type == FLOAT and 1 <= v.rank <= 4 and v.is_whole())
    number = g.choose(-np.inf, -np.inf, np.inf, np.nan)
    operands = g.rng.sample([x, g.scalar(number, x.type)], 2)
    y = g.node("Where", [partner(g, x, BOOL), *operands], is_operand=False, is_bounded=False)
    if np.isnan(number):
        return g.node("Where", [g.node("IsNaN", [y]), g.scalar(0.5, x.type), y])
    ops = ["Sigmoid", "Tanh", "Erf", "HardSigmoid", "Atan", "IsInf", "Clip", "Min", "Max", "Less", "Greater"]
    op = g.choose(*ops, *("Softmax", "Softmax", "ReduceMax", "ReduceLogSumExp", "Exp", "Relu") * (number < 0))
    if op == "Clip":
        return clip(g, y, -3.0, 3.0)
    if op in ("Min", "Max", "Less", "Greater"):
        return g.node(op, g.rng.sample([y, partner(g, x)], 2))
    if op == "Softmax":
        return g.node(op, [y], axis=g.axis(y))
    if op.startswith("Reduce"):
        return g.axes_node(op, y, [g.axis(y)], 18, keepdims=g.choose(0, 1))
    return g.node(op, [y])


def cast(g: Graph, x: Value | None = None, target=None) -> Value:
    x = x or g.pick(lambda v: True)
    target = target or g.choose(FLOAT, FLOAT, FLOAT, HALF, BFLOAT, DOUBLE, BOOL, INT, LONG, *INTEGERS)
    if x.type in FLOATS and target in INTEGERS:
        low = 0 if target.kind == "u" else -100
        x = bounded(g, x, low, 100)
    elif x.type in FLOATS and target == BOOL:
        x = g.node("Floor", [x])  # If a sum may cancel, its last digit decides whether it is 0.
    elif x.type in INTEGERS and target in INTEGERS and target.itemsize < x.type.itemsize:
        if x.least() < np.iinfo(target).min or x.most() > np.iinfo(target).max:
            raise Unfit
    return g.node("Cast", [x], to=number_of(target))


def cast_chain(g: Graph) -> Value:
    x = g.pick(lambda v: True)
    for _ in range(g.rng.randrange(2, 4)):
        x = cast(g, x)
    return x


def narrow_section(g: Graph) -> Value:
    """Makes a part of the graph use another float type."""
    x = g.pick(lambda v: v.type == FLOAT)
    y = cast(g, x, g.choose(HALF, HALF, BFLOAT, DOUBLE))
    for _ in range(g.rng.randrange(1, 4)):
        y = g.choose(activation, activation, lambda g, v: g.node("Add", [v, partner(g, v)]))(g, y)
    return cast(g, y, FLOAT)


STEPS = {activation: 6, gelu_by_hand: 0.5, swish: 1, unary: 3, integer_unary: 0.7, binary: 8, integer_binary: 2, logical: 0.5,
         comparison: 1, where: 1.5, cast: 2, cast_chain: 0.5, narrow_section: 0.7, exceptional: 1}
