#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares folded values bit by bit with references that are rounded once.

  + − × ÷ √ of floats    computed with fractions, or in double where rounding that again is harmless, and rounded
  integers               computed by Python, wrapped to the type
  casts                  between all pairs of number types, looked up in the list of the target's values
  compares               of all pairs of special values
  transcendentals        computed in long double: at most one step of the type from the nearest value

Operands are all pairs of a type's special values, random values, and all values of 16-bit floats.

  fold_exact.py --invar build/dev/bin/invar [--seed 1] [--only NAME]
"""
import argparse
import math
import operator
import os
import sys
import tempfile
import warnings
from fractions import Fraction
from typing import Any, Callable, NamedTuple

warnings.filterwarnings("ignore")

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import fold_cases
import harness
from fold_cases.draw import BOOL, ELEMENT_TYPES, Draw, bits_of, element_type, is_float, is_integer, specials
from folded_constants import constants_of
from rounding import magnitudes, nearest, ulps_apart

FLOAT16, BFLOAT16, FLOAT32, FLOAT64 = (np.dtype(t) for t in ("float16", ml_dtypes.bfloat16, "float32", "float64"))
FLOATS = (FLOAT16, BFLOAT16, FLOAT32, FLOAT64)
INTEGERS = tuple(np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64))
NUMBERS = tuple(t for t in ELEMENT_TYPES.values() if is_float(t) or is_integer(t))
EXPONENTS = ELEMENT_TYPES["tensor(float8e8m0)"]
RANDOM = 400  # Random operands of each test, in addition to the special ones.


class Test(NamedTuple):
    name: str
    op: str
    operands: list[np.ndarray]
    attributes: dict[str, Any]
    want: np.ndarray
    ulps: int = 0  # The maximum error, in steps of the type.


def pairs(draw: Draw, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Returns all pairs of special values, and random pairs."""
    special = specials(dtype)
    a, b = (m.reshape(-1) for m in np.meshgrid(special, special))
    return tuple(np.concatenate([side, draw.values(dtype, (RANDOM,)), draw.mild(dtype, (RANDOM,))]) for side in (a, b))


def singles(draw: Draw, dtype: np.dtype) -> np.ndarray:
    """Returns all values of the type, or many of them."""
    if dtype.itemsize == 2:
        return np.arange(1 << 16, dtype=np.uint16).view(dtype)
    raw = draw.random.integers(0, 256, (20000, dtype.itemsize), np.uint8).view(dtype).reshape(-1)
    return np.concatenate([specials(dtype), raw, draw.mild(dtype, (20000,), 4.0)])


def rounded(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Rounds wider floats once."""
    if dtype != BFLOAT16:
        return values.astype(dtype)
    # Converting via float32 would round twice. Therefore the dropped bits are merged into the last bit of the float32
    # value.
    single = values.astype(np.float32)
    bits = single.view(np.uint32)
    away = np.abs(single.astype(values.dtype)) > np.abs(values)
    inexact = (single.astype(values.dtype) != values) & np.isfinite(values) & np.isfinite(single)
    odd = np.where(inexact, (bits - (away & inexact)) | 1, bits).astype(np.uint32)
    return odd.view(np.float32).astype(dtype)


# + - * / sqrt, and operators that need no rounding

def exactly(compute: Callable[[Fraction, Fraction], Fraction], in_double: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Computes in doubles with fractions if both operands are finite and the result is not zero; otherwise uses
    `in_double`."""
    want = in_double.copy()
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist())):
        if math.isfinite(x) and math.isfinite(y) and not (y == 0 and compute is operator.truediv):
            if exact := compute(Fraction(x), Fraction(y)):
                want[i] = nearest(exact, FLOAT64)
    return want


def arithmetic(draw: Draw) -> list[Test]:
    tests = []
    for dtype in FLOATS:
        a, b = pairs(draw, dtype)
        for op, compute in (("Add", operator.add), ("Sub", operator.sub), ("Mul", operator.mul), ("Div", operator.truediv)):
            wide = compute(a.astype(np.float64), b.astype(np.float64))
            # Double has more than twice the digits of the other types, so that rounding its results again is harmless.
            want = exactly(compute, wide, a, b) if dtype == FLOAT64 else rounded(wide, dtype)
            tests.append(Test(f"{op} {dtype.name}", op, [a, b], {}, want))
        x = singles(draw, dtype)
        wide = x.astype(np.float64)
        for op, function in (("Sqrt", np.sqrt), ("Reciprocal", np.reciprocal), ("Abs", np.abs), ("Neg", np.negative), ("Floor", np.floor),
                             ("Ceil", np.ceil), ("Round", np.rint)):
            tests.append(Test(f"{op} {dtype.name}", op, [x], {}, rounded(function(wide), dtype)))
        tests.append(Test(f"IsNaN {dtype.name}", "IsNaN", [x], {}, np.isnan(wide)))
        tests.append(Test(f"IsInf {dtype.name}", "IsInf", [x], {}, np.isinf(wide)))
    return tests


# Integers

def divide(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


INTEGER_OPS: dict[str, tuple[str, dict[str, Any], Callable[[int, int], int]]] = {
    "Add": ("Add", {}, operator.add), "Sub": ("Sub", {}, operator.sub), "Mul": ("Mul", {}, operator.mul), "Div": ("Div", {}, divide),
    "Mod": ("Mod", {}, operator.mod), "Fmod": ("Mod", {"fmod": 1}, lambda x, y: x - divide(x, y) * y),
    "BitwiseAnd": ("BitwiseAnd", {}, operator.and_), "BitwiseOr": ("BitwiseOr", {}, operator.or_),
    "BitwiseXor": ("BitwiseXor", {}, operator.xor), "Max": ("Max", {}, max), "Min": ("Min", {}, min),
}


def wrapped(values: list[int], dtype: np.dtype) -> np.ndarray:
    bits = bits_of(dtype)
    low = int(ml_dtypes.iinfo(dtype).min)
    return np.array([(v - low) % (1 << bits) + low for v in values], object).astype(dtype)


def allowed(op: str, parameter: str = "T") -> set[np.dtype]:
    constraint = next(c for c in fold_cases.draw.schema_of(op).type_constraints if c.type_param_str == parameter)
    return {ELEMENT_TYPES[t] for t in constraint.allowed_type_strs if t in ELEMENT_TYPES}


def integers(draw: Draw) -> list[Test]:
    tests = []
    for dtype in INTEGERS:
        a, b = pairs(draw, dtype)
        for name, (op, attributes, compute) in INTEGER_OPS.items():
            if dtype not in allowed(op):
                continue
            x, y = a, b
            if op in ("Div", "Mod"):  # The standard does not define division by zero, nor of the least number by -1.
                fine = (b != 0) & ~((a == np.iinfo(dtype).min) & (b.astype(np.int64) == -1))
                x, y = a[fine], b[fine]
            want = wrapped([compute(p, q) for p, q in zip(x.tolist(), y.tolist())], dtype)
            tests.append(Test(f"{name} {dtype.name}", op, [x, y], attributes, want))
        for op, single in (("Neg", operator.neg), ("Abs", abs), ("BitwiseNot", operator.invert), ("Sign", lambda v: (v > 0) - (v < 0))):
            if dtype in allowed(op):
                tests.append(Test(f"{op} {dtype.name}", op, [a], {}, wrapped([single(v) for v in a.tolist()], dtype)))
        if dtype in allowed("BitShift"):
            amounts = draw.random.integers(0, bits_of(dtype), a.size).astype(dtype)
            for direction, move in (("LEFT", operator.lshift), ("RIGHT", operator.rshift)):
                want = wrapped([move(v, n) for v, n in zip(a.tolist(), amounts.tolist())], dtype)
                tests.append(Test(f"BitShift {direction} {dtype.name}", "BitShift", [a, amounts], {"direction": direction}, want))
    return tests


def compares(draw: Draw) -> list[Test]:
    tests = []
    for dtype in (*FLOATS, *INTEGERS):
        a, b = pairs(draw, dtype)
        x, y = (side.astype(np.float64) if is_float(dtype) else side for side in (a, b))
        for op, compare in (("Less", np.less), ("LessOrEqual", np.less_equal), ("Greater", np.greater),
                            ("GreaterOrEqual", np.greater_equal), ("Equal", np.equal)):
            if dtype in allowed(op):
                tests.append(Test(f"{op} {dtype.name}", op, [a, b], {}, compare(x, y)))
    return tests


# Casts

def numbers_of(values: np.ndarray) -> list[int | float]:
    return [int(v) for v in values] if is_integer(values.dtype) else [float(v) for v in values]


def cast_to_float(x: int | float, dtype: np.dtype, saturate: bool) -> float:
    """Follows the standard's tables: types without infinities use NaN, or their greatest number."""
    is_narrow = dtype not in FLOATS
    if x != x:
        return math.nan
    y = nearest(x, dtype) if not isinstance(x, float) or math.isfinite(x) else x
    if not math.isinf(y) or not is_narrow:
        return y
    has_nan = np.isnan(specials(dtype).astype(np.float32)).any()
    if saturate or not has_nan:
        return math.copysign(float(ml_dtypes.finfo(dtype).max), y)
    return y if dtype == ml_dtypes.float8_e5m2 else math.nan


def cast_sources(draw: Draw, source: np.dtype, target: np.dtype) -> np.ndarray:
    """Returns values whose cast is defined by the standard."""
    values = np.concatenate([specials(source), draw.values(source, (RANDOM // 4,)), draw.mild(source, (RANDOM // 4,), 30.0)])
    if is_float(source) and is_float(target) and target.itemsize <= 2:
        values = np.concatenate([values, midpoints(source, target)])
    wide = values.astype(np.float64)
    if is_integer(target) and is_float(source):
        limits = ml_dtypes.iinfo(target)
        return values[(wide > int(limits.min) - 1) & (wide < float(int(limits.max) + 1)) & np.isfinite(wide)]
    if is_integer(target):  # Integers wrap, but the standard does not define this below 8 bits.
        if bits_of(target) < 8:
            limits = ml_dtypes.iinfo(target)
            return np.array([v for v in numbers_of(values) if int(limits.min) <= v <= int(limits.max)], object).astype(source)
        return values
    if not np.isnan(specials(target).astype(np.float32)).any():
        values = values[~np.isnan(wide)]
    return values


def midpoints(source: np.dtype, target: np.dtype) -> np.ndarray:
    """Returns the midpoints between two values of the target, and their neighbours: rounding errors occur there."""
    known = np.array(magnitudes(target))
    places = np.linspace(0, len(known) - 2, min(len(known) - 1, 60)).astype(int)
    middle = (known[places] + known[places + 1]) / 2
    near = np.concatenate([middle, np.nextafter(middle, 0), np.nextafter(middle, np.inf)])
    with np.errstate(all="ignore"):
        return np.concatenate([near, -near]).astype(source)


def casts(draw: Draw) -> list[Test]:
    tests = []
    sources, targets = allowed("Cast", "T1"), allowed("Cast", "T2")
    for source in (t for t in NUMBERS if t in sources):
        for target in (t for t in NUMBERS if t in targets and t != EXPONENTS and t != source):
            x = cast_sources(draw, source, target)
            numbers = numbers_of(x)
            if is_integer(target):
                integers = [int(v) for v in numbers]
                tests.append(Test(f"Cast {source.name} {target.name}", "Cast", [x], {"to": element_type(target)},
                                  wrapped(integers, target)))
                continue
            for saturate in (0, 1):
                want = np.array([cast_to_float(v, target, bool(saturate)) for v in numbers]).astype(target)
                tests.append(Test(f"Cast {source.name} {target.name} saturate={saturate}", "Cast", [x],
                                  {"to": element_type(target), "saturate": saturate}, want))
        x = specials(source)
        tests.append(Test(f"Cast {source.name} bool", "Cast", [x], {"to": element_type(BOOL)}, np.array([v != 0 for v in numbers_of(x)])))
    for target in (t for t in NUMBERS if t in targets and t != EXPONENTS):
        tests.append(Test(f"Cast bool {target.name}", "Cast", [np.array([False, True])], {"to": element_type(target)},
                          np.array([0, 1]).astype(target)))
    return tests


# Transcendentals

def sigmoid(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


def softplus(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def erf(x: np.ndarray) -> np.ndarray:
    return np.array([math.erf(v) for v in x.astype(np.float64).tolist()], np.longdouble)


def power(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    # Some libraries compute infinite long doubles wrongly; these need no rounding.
    wide = np.power(x.astype(np.longdouble), y.astype(np.longdouble))
    return np.where(np.isinf(x.astype(np.float64)), np.power(x.astype(np.float64), y.astype(np.float64)), wide)


TRANSCENDENTALS = {
    "Exp": np.exp, "Log": np.log, "Sin": np.sin, "Cos": np.cos, "Tan": np.tan, "Asin": np.arcsin, "Acos": np.arccos, "Atan": np.arctan,
    "Sinh": np.sinh, "Cosh": np.cosh, "Tanh": np.tanh, "Asinh": np.arcsinh, "Acosh": np.arccosh, "Atanh": np.arctanh, "Erf": erf,
    "Sigmoid": sigmoid, "Softplus": softplus, "Softsign": lambda x: np.where(np.isinf(x), np.sign(x), x / (1 + np.abs(x))),
    "Elu": lambda x: np.where(x < 0, np.expm1(x), x), "Mish": lambda x: x * np.tanh(softplus(x)), "Swish": lambda x: x * sigmoid(x),
}


def transcendentals(draw: Draw) -> list[Test]:
    tests = []
    for dtype in (FLOAT16, BFLOAT16, FLOAT32):
        x = singles(draw, dtype)
        wide = x.astype(np.longdouble)
        for op, function in TRANSCENDENTALS.items():
            if dtype in allowed(op):
                kept = np.isfinite(wide) if op in ("Mish", "Swish", "Softsign") else np.ones(wide.shape, bool)
                tests.append(Test(f"{op} {dtype.name}", op, [x[kept]], {}, rounded(function(wide[kept]), dtype), 1))
        a, b = pairs(draw, dtype)
        tests.append(Test(f"Pow {dtype.name}", "Pow", [a, b], {}, rounded(power(a, b), dtype), 1))
    return tests


# Folding all tests

def fold(invar: str, tests: list[Test]) -> dict[str, onnx.TensorProto]:
    nodes, tensors = [], {}
    for i, test in enumerate(tests):
        names = [f"x{i}_{k}" for k in range(len(test.operands))]
        tensors |= dict(zip(names, test.operands))
        nodes.append(helper.make_node(test.op, names, [f"y{i}"], **test.attributes))
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(fold_cases.make_model(fold_cases.make_graph(nodes, tensors)), before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--quiet", "--max-growth=1G")
        if ended.code:
            sys.exit(f"expected the model to be folded, but got {ended.ending()}")
        return constants_of(onnx.load(after).graph)[0]


def check(test: Test, got: np.ndarray, off: dict[str, int]) -> list[str]:
    """Returns complaints. Adds the number of values that are not the nearest ones to `off`."""
    want = test.want
    if got.dtype != want.dtype or got.shape != want.shape:
        return [f"expected {want.dtype}{list(want.shape)}, but got {got.dtype}{list(got.shape)}"]
    if test.ulps:
        apart = ulps_apart(got, want)
        wrong = apart > test.ulps
        off[test.op] = off.get(test.op, 0) + int((apart > 0).sum())
    elif is_float(want.dtype):
        g, w = got.astype(np.float64), want.astype(np.float64)
        wrong = ~(((g == w) & (np.signbit(g) == np.signbit(w))) | (np.isnan(g) & np.isnan(w)))
    else:
        wrong = got != want
    if not wrong.any():
        return []
    at = int(np.argmax(wrong))
    operands = ", ".join(repr(o[at]) for o in test.operands)
    return [f"{int(wrong.sum())} of {wrong.size} differ: of {operands} expected {want[at]!r}, but got {got[at]!r}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only tests whose name begins with this")
    arguments = parser.parse_args()
    np.seterr(all="ignore")
    tests = [test for kind, make in enumerate((arithmetic, integers, compares, casts, transcendentals))
             for test in make(Draw(arguments.seed, kind)) if test.name.startswith(arguments.only)]
    constants = fold(arguments.invar, tests)
    report, off = harness.Report(), {}
    for i, test in enumerate(tests):
        if f"y{i}" not in constants:
            report.check(test.name, ["expected a constant, but it is not folded"])
        else:
            report.check(test.name, check(test, numpy_helper.to_array(constants[f"y{i}"]), off))
    total = {op: sum(t.want.size for t in tests if t.op == op and t.ulps) for op in off}
    if off:
        print("not the nearest, but beside it:", ", ".join(f"{op} {n} of {total[op]}" for op, n in off.items() if n) or "none")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
