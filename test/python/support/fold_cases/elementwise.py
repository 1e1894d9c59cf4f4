# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that compute each element from one element of each operand."""
import ml_dtypes
import numpy as np

from . import EXACT, NEAR, ONNXRUNTIME, REFERENCE, STEP, SUM, VALUE, Case, cases_of, make
from .draw import BOOL, ELEMENT_TYPES, FLOAT32, FLOAT64, Draw, bits_of, element_type, is_float, is_integer, specials

EXPONENTS = ELEMENT_TYPES["tensor(float8e8m0)"]


@cases_of("Abs", "Neg", "Ceil", "Floor", "Round", "Sign", "Sqrt", "Reciprocal", "Relu", "IsNaN", "Not", "BitwiseNot")
def unary(draw: Draw, op: str) -> Case:
    parameter = {"IsNaN": "T1"}.get(op, "T")
    dtype = draw.type(op, parameter)
    zeros_alike = op == "Relu" or (op == "Sign" and dtype == ml_dtypes.bfloat16)
    return make(op, [draw.values(dtype, draw.shape())], check=VALUE if zeros_alike else EXACT)


@cases_of("Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Sin", "Sinh", "Tan", "Tanh", "Exp", "Log",
          "Erf", "Sigmoid", "Softplus", "Softsign", "Mish")
def transcendental(draw: Draw, op: str) -> Case:
    return make(op, [draw.values(draw.type(op), draw.shape())], check=NEAR,
                no_better_than=FLOAT32 if op == "Erf" else None)


@cases_of("HardSwish")
def hard_swish(draw: Draw, op: str) -> Case:
    # Near -3 the result cancels almost completely, and engines use 1/6 as float32.
    dtype = draw.type(op)
    return make(op, [draw.mild(dtype, draw.shape(), 1.0) if dtype == FLOAT64 else draw.values(dtype, draw.shape())],
                check=SUM if dtype == FLOAT64 else NEAR, no_better_than=FLOAT32)


ACTIVATIONS = {"Celu": ("alpha",), "Elu": ("alpha",), "HardSigmoid": ("alpha", "beta"), "LeakyRelu": ("alpha",),
               "Selu": ("alpha", "gamma"), "Shrink": ("lambd", "bias"), "Swish": ("alpha",), "ThresholdedRelu": ("alpha",)}


@cases_of(*ACTIVATIONS)
def activation(draw: Draw, op: str) -> Case:
    attributes = {name: draw.integer(1, 40) / 16 for name in ACTIVATIONS[op] if draw.chance(0.7)}
    return make(op, [draw.values(draw.type(op), draw.shape())], attributes, NEAR)


@cases_of("Gelu")
def gelu(draw: Draw, op: str) -> Case:
    # Far below zero, the engines' results consist only of the error of 1 + erf(x).
    dtype = draw.type(op)
    values = np.maximum(draw.mild(dtype, draw.shape()), np.array(-2, dtype))
    return make(op, [values], draw.attributes(approximate=("none", "tanh")), SUM, no_better_than=FLOAT32)


@cases_of("SwiGLU")
def swiglu(draw: Draw, op: str) -> Case:
    shape, dtype = draw.shape(), draw.type(op)
    attributes = {"alpha": draw.integer(1, 40) / 16} if draw.chance() else {}
    return make(op, [draw.values(dtype, shape), draw.values(dtype, shape)], attributes, NEAR)


@cases_of("IsInf")
def isinf(draw: Draw, op: str) -> Case:
    attributes = draw.attributes(detect_negative=(0, 1), detect_positive=(0, 1))
    return make(op, [draw.values(draw.type(op, "T1"), draw.shape())], attributes)


@cases_of("Add", "Sub", "Mul", "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Equal", "Greater",
          "GreaterOrEqual", "Less", "LessOrEqual")
def binary(draw: Draw, op: str) -> Case:
    dtype, shapes = draw.type(op), draw.broadcastable(2)
    return make(op, [draw.values(dtype, shape) for shape in shapes])


@cases_of("PRelu")
def prelu(draw: Draw, op: str) -> Case:
    dtype, shape = draw.type(op), draw.shape()
    return make(op, [draw.values(dtype, shape), draw.values(dtype, draw.broadcast(shape))],
                not_in={REFERENCE: "it multiplies zeros by the slope"} if is_float(dtype) else {})


def without_zeros(divisors: np.ndarray) -> np.ndarray:
    return np.where(divisors == 0, np.ones((), divisors.dtype), divisors)


@cases_of("Div")
def divide(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    a, b = (draw.values(dtype, shape) for shape in draw.broadcastable(2))
    if is_float(dtype):
        return make(op, [a, b])
    least = dtype.kind == "i" and (a == np.iinfo(dtype).min).any() and (b.astype(int) == -1).any()
    if (b == 0).any() and draw.chance(0.8):
        b = without_zeros(b)
    why = "an integer divided by zero" if (b == 0).any() else "the least integer divided by -1" if least else ""
    return make(op, [a, b], not_in={ONNXRUNTIME: why} if why else {})


@cases_of("Mod")
def modulo(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    a, b = (draw.values(dtype, shape) for shape in draw.broadcastable(2))
    if is_float(dtype):
        return make(op, [a, b], {"fmod": 1})
    b = without_zeros(b)
    least = dtype.kind == "i" and (a == np.iinfo(dtype).min).any() and (b.astype(int) == -1).any()
    why = "the least integer divided by -1" if least else ""
    return make(op, [a, b], draw.attributes(fmod=(0, 1)), not_in={ONNXRUNTIME: why} if why else {})


@cases_of("Pow")
def power(draw: Draw, op: str) -> Case:
    base, exponent = draw.type(op), draw.type(op, "T1")
    shapes = draw.broadcastable(2)
    if is_integer(base):
        # Engines differ on overflow, and on fractional exponents of integers.
        return make(op, [draw.mild(base, shapes[0]), np.abs(draw.mild(exponent, shapes[1])).clip(0, 9).astype(np.int64).astype(exponent)])
    return make(op, [draw.values(base, shapes[0]), draw.mild(exponent, shapes[1]) if draw.chance() else draw.values(exponent, shapes[1])],
                check=NEAR)


@cases_of("BitShift")
def shift(draw: Draw, op: str) -> Case:
    dtype, shapes = draw.type(op), draw.broadcastable(2)
    amounts = draw.random.integers(0, bits_of(dtype), shapes[1]).astype(dtype).reshape(shapes[1])
    return make(op, [draw.values(dtype, shapes[0]), amounts], {"direction": draw.choose(("LEFT", "RIGHT"))})


@cases_of("Max", "Min", "Sum", "Mean")
def variadic(draw: Draw, op: str) -> Case:
    dtype, count = draw.type(op), draw.integer(1, 4)
    shapes = draw.broadcastable(count)
    if op in ("Sum", "Mean"):  # Order and rounding are unspecified; sums of small integers are exact.
        return make(op, [draw.random.integers(-9, 9, shape).astype(dtype).reshape(shape) for shape in shapes], check=NEAR)
    return make(op, [draw.values(dtype, shape) for shape in shapes], check=VALUE)


@cases_of("Clip")
def clip(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    low, high = (draw.values(dtype, ()) if draw.chance(0.7) else None for _ in range(2))
    return make(op, [draw.values(dtype, draw.shape()), low, high], check=VALUE)


@cases_of("Where")
def where(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    shapes = draw.broadcastable(3)
    return make(op, [draw.values(t, shape) for t, shape in zip((BOOL, dtype, dtype), shapes)])


def castable(draw: Draw, source: np.dtype, target: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """Draws texts that are numbers, and floats that fit into an integer: engines differ on other floats."""
    if source == object:
        return draw.words(shape, ("0", "1", "-1", "3.5", "1e3", "inf", "-0.0") if is_float(target) else ("0", "1", "7", "12"))
    values = draw.values(source, shape)
    has_no_nan = is_float(target) and not np.isnan(specials(target).astype(np.float32)).any()
    if is_float(source) and (has_no_nan or source == target):
        # The standard does not define the cast of NaN to a type without NaN, nor whether a cast to the same type
        # saturates.
        return np.where(np.isfinite(values.astype(np.float32)), values, np.ones((), source))
    if is_float(source) and is_integer(target):
        wide = values.astype(np.float64)
        limits = np.sort(specials(target).astype(np.float64))
        fits = (wide > limits[0] - 1) & (wide < limits[-1])
        values = np.where(fits, values, np.ones((), source))
    return values


def not_in_casts(target: np.dtype) -> dict[str, str]:
    if target == EXPONENTS:
        return {REFERENCE: "it does not follow the table of special values"}
    return {REFERENCE: "it writes numbers as Python does"} if target == object else {}


@cases_of("Cast")
def cast(draw: Draw, op: str) -> Case:
    source, target = draw.type(op, "T1"), draw.type(op, "T2")
    attributes = draw.attributes(saturate=(0, 1))
    return make(op, [castable(draw, source, target, draw.shape())], {"to": element_type(target), **attributes},
                not_in=not_in_casts(target))


@cases_of("CastLike")
def castlike(draw: Draw, op: str) -> Case:
    source, target = draw.type(op, "T1"), draw.type(op, "T2")
    return make(op, [castable(draw, source, target, draw.shape()), draw.mild(target, draw.shape())], not_in=not_in_casts(target))


@cases_of("BitCast")
def bitcast(draw: Draw, op: str) -> Case:
    source = draw.type(op, "T1")
    targets = [t for t in ELEMENT_TYPES.values() if t != object and t != BOOL and bits_of(t) == bits_of(source)]
    return make(op, [draw.values(source, draw.shape())], {"to": element_type(draw.choose(targets or [source]))})


def per_axis(draw: Draw, shape: tuple[int, ...]) -> tuple[tuple[int, ...], dict[str, int]]:
    """Draws the shape of a scale: for the whole tensor, for an axis, or for blocks along one."""
    how = draw.integer(0, 2)
    if how == 0 or not shape:
        return (), {}
    axis = draw.integer(0, len(shape) - 1)
    if how == 1:
        return (shape[axis],), {"axis": axis - len(shape) * draw.flag()}
    block = draw.integer(1, max(shape[axis], 1))
    return (*shape[:axis], -(-shape[axis] // block), *shape[axis + 1:]), {"axis": axis, "block_size": block}


@cases_of("QuantizeLinear")
def quantize(draw: Draw, op: str) -> Case:
    source, target = draw.type(op, "T1"), draw.type(op, "T3")
    shape = draw.full_shape(0, 4)
    scales, attributes = per_axis(draw, shape)
    if is_float(source):
        scale_type = source if draw.chance(0.8) else FLOAT32
        scale = draw.choose((0.25, 0.5, 1.0, 2.0)) * np.ones(scales) if draw.chance() else draw.positive(FLOAT32, scales)
        scale = scale.astype(scale_type)
    else:
        scale = draw.random.integers(1, 9, scales).astype(source).reshape(scales)
    zero = (draw.mild(target, scales) if is_integer(target) else np.zeros(scales, target)) if draw.chance(0.7) else None
    if zero is None:
        attributes["output_dtype"] = element_type(target)
    return make(op, [draw.mild(source, shape, draw.choose((2.0, 100.0))), scale, zero], attributes | draw.attributes(saturate=(0, 1)), STEP)


@cases_of("DequantizeLinear")
def dequantize(draw: Draw, op: str) -> Case:
    source, target = draw.type(op, "T1"), draw.type(op, "T2")
    shape = draw.full_shape(0, 4)
    scales, attributes = per_axis(draw, shape)
    if target == EXPONENTS or draw.chance(0.2):
        attributes["output_dtype"] = element_type(draw.type(op, "T3"))
    zero = None
    if draw.chance(0.7):
        zero = draw.mild(source, scales) if is_integer(source) and source != np.int32 else np.zeros(scales, source)
    return make(op, [draw.values(source, shape), draw.positive(target, scales), zero], attributes, NEAR)


@cases_of("DynamicQuantizeLinear")
def dynamic_quantize(draw: Draw, op: str) -> Case:
    return make(op, [draw.mild(FLOAT32, draw.full_shape(0, 4), draw.choose((0.01, 3.0, 1000.0)))], check=STEP, outputs=3)


@cases_of("Dropout")
def dropout(draw: Draw, op: str) -> Case:
    training = np.array(False) if draw.chance(0.6) else None
    return make(op, [draw.values(draw.type(op), draw.shape()), np.array(0.25, np.float32), training], outputs=draw.integer(1, 2))


@cases_of("StringConcat")
def string_concat(draw: Draw, op: str) -> Case:
    return make(op, [draw.words(shape) for shape in draw.broadcastable(2)])
