# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws types, shapes and values from a seed, with a preference for those where folding is difficult."""
from typing import Any, NamedTuple, Sequence

import ml_dtypes
import numpy as np
from onnx import TensorProto, defs, helper
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

OPSET = 28
ML_OPSET = 5
MICROSOFT = "com.microsoft"

Shape = tuple[int, ...]

# Keys as in schemas, e.g. "tensor(float8e4m3fn)".
ELEMENT_TYPES: dict[str, np.dtype] = {
    f"tensor({name.lower()})": np.dtype(object) if name == "STRING" else np.dtype(helper.tensor_dtype_to_np_dtype(number))
    for name, number in TensorProto.DataType.items() if name != "UNDEFINED"}

WORDS = ("", "a", "A", "b", "hello", "Hello World", "ÄÖÜ ß", "naïve", "日本語", "1", "-1.5", "a,b,,c", " x  y ", "the", "The")

FLOAT32, FLOAT64, INT32, INT64, BOOL = (np.dtype(t) for t in ("float32", "float64", "int32", "int64", "bool"))


def is_float(dtype: np.dtype) -> bool:
    """Whether the type is a binary float, including narrow ones; complex types are not."""
    return dtype.kind == "f" or (dtype.type.__module__ == ml_dtypes.__name__ and "float" in dtype.name)


def is_integer(dtype: np.dtype) -> bool:
    return dtype.kind in "iu" or (dtype.type.__module__ == ml_dtypes.__name__ and "int" in dtype.name)


def element_type(dtype: np.dtype) -> int:
    return TensorProto.STRING if dtype == object else helper.np_dtype_to_tensor_dtype(dtype)


class Formal(NamedTuple):
    type_str: str


class Schema(NamedTuple):
    """The required fields of an onnxruntime schema, in the form of onnx.OpSchema."""
    type_constraints: list[Any]
    inputs: list[Formal]
    outputs: list[Formal]


MICROSOFT_SCHEMAS = {s.name: Schema(s.type_constraints, *([Formal(f.typeStr) for f in formals] for formals in (s.inputs, s.outputs)))
                     for s in get_all_operator_schema() if s.domain == MICROSOFT}


def schema_of(op: str) -> defs.OpSchema | Schema:
    """`op` is for example 'Add', 'ai.onnx.ml.Scaler' or 'com.microsoft.CDist'."""
    domain, _, name = op.rpartition(".")
    if domain == MICROSOFT:
        return MICROSOFT_SCHEMAS[name]
    return defs.get_schema(name, ML_OPSET if domain else OPSET, domain)


class Draw:
    def __init__(self, *seed: int):
        self.random = np.random.default_rng(seed)

    def chance(self, probability: float = 0.5) -> bool:
        return bool(self.random.random() < probability)

    def integer(self, low: int, high: int) -> int:
        """Both ends included."""
        return int(self.random.integers(low, high, endpoint=True))

    def integers(self, count: int, low: int, high: int) -> list[int]:
        return [self.integer(low, high) for _ in range(count)]

    def choose(self, options: Sequence[Any]) -> Any:
        return options[self.integer(0, len(options) - 1)]

    def sample(self, options: Sequence[Any], count: int) -> list[Any]:
        return [options[i] for i in self.random.permutation(len(options))[:count]]

    def flag(self) -> int:
        return self.integer(0, 1)

    def attributes(self, **options: Sequence[Any]) -> dict[str, Any]:
        """Draws some of the attributes, each with one of its values."""
        return {name: self.choose(values) for name, values in options.items() if self.chance(0.6)}

    # Types

    def type(self, op: str, parameter: str = "T", among: Sequence[np.dtype] = ()) -> np.dtype:
        """Draws one of the element types that the operator's type parameter allows."""
        constraint = next(c for c in schema_of(op).type_constraints if c.type_param_str == parameter)
        allowed = [ELEMENT_TYPES[t] for t in constraint.allowed_type_strs if t in ELEMENT_TYPES]
        return self.choose([t for t in allowed if not among or t in among])

    # Shapes

    def size(self) -> int:
        return self.choose((0, 1, 1, 2, 2, 3, 3, 4, 5, 7))

    def shape(self, least: int = 0, most: int = 5, empty: bool = True) -> Shape:
        sizes = [self.size() for _ in range(self.integer(least, most))]
        return tuple(sizes) if empty and self.chance(0.2) else tuple(max(s, 1) for s in sizes)

    def full_shape(self, least: int, most: int) -> Shape:
        return self.shape(least, most, empty=False)

    def broadcast(self, shape: Shape) -> Shape:
        """Draws a shape that can be broadcast to `shape`."""
        part = tuple(s if self.chance(0.6) else 1 for s in shape)
        return part[self.integer(0, len(part)):] if self.chance(0.4) else part

    def broadcastable(self, count: int) -> list[Shape]:
        whole = self.shape(0, 4)
        shapes = [whole, *(self.broadcast(whole) for _ in range(count - 1))]
        return self.sample(shapes, count)

    def axis(self, rank: int) -> int:
        return self.integer(-rank, rank - 1)

    def axes(self, rank: int, least: int = 0) -> list[int]:
        """Draws distinct axes in any order, some of them counted from the end."""
        chosen = self.sample(range(rank), self.integer(min(least, rank), rank))
        return [axis - rank if self.chance(0.3) else axis for axis in chosen]

    # Values

    def values(self, dtype: np.dtype, shape: Shape) -> np.ndarray:
        """Draws values of all kinds: limits, zeros of both signs, infinities, NaN, denormals, halves."""
        if dtype == object:
            return self.words(shape)
        if dtype == BOOL:
            return self.random.integers(0, 2, shape).astype(bool)
        if dtype.kind == "c":
            half = FLOAT32 if dtype == np.complex64 else FLOAT64
            parts = np.stack([self.values(half, shape), self.values(half, shape)], -1)
            return np.ascontiguousarray(parts).view(dtype).reshape(shape)
        how = self.integer(0, 3)
        if how == 0:
            return self.random.choice(specials(dtype), shape).reshape(shape)
        if how == 1 and dtype.itemsize in (1, 2, 4, 8) and bits_of(dtype) == 8 * dtype.itemsize:
            raw = self.random.integers(0, 256, (*shape, dtype.itemsize), np.uint8)
            return raw.view(dtype).reshape(shape)
        return self.mild(dtype, shape)

    def mild(self, dtype: np.dtype, shape: Shape, scale: float = 3.0) -> np.ndarray:
        """Draws numbers near zero, so that a few operations stay within the type's range."""
        if dtype == object:
            return self.words(shape)
        if dtype == BOOL:
            return self.values(dtype, shape)
        if dtype.kind == "c":
            return (self.random.normal(0, scale, shape) + 1j * self.random.normal(0, scale, shape)).astype(dtype).reshape(shape)
        if is_float(dtype):
            drawn = self.random.normal(0, scale, shape)
            if self.chance(0.3):
                drawn = np.round(drawn * 2) / 2  # Sums of these are exact, and halves are ties.
            return narrow(drawn, dtype).reshape(shape)
        limits = ml_dtypes.iinfo(dtype)
        return self.random.integers(max(int(limits.min), -9), min(int(limits.max), 9), shape, endpoint=True).astype(dtype).reshape(shape)

    def positive(self, dtype: np.dtype, shape: Shape, low: float = 0.1, high: float = 4.0) -> np.ndarray:
        return narrow(self.random.uniform(low, high, shape), dtype).reshape(shape)

    def words(self, shape: Shape, among: Sequence[str] = WORDS) -> np.ndarray:
        return self.random.choice(np.array(among, object), shape).reshape(shape)

    def indices(self, size: int, shape: Shape, dtype: np.dtype = INT64, negative: bool = True) -> np.ndarray:
        """Draws indices into an axis of that size."""
        return self.random.integers(-size if negative else 0, max(size, 1), shape).astype(dtype).reshape(shape)


def narrow(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(np.float32).astype(dtype) if dtype.type.__module__ == ml_dtypes.__name__ else \
            np.asarray(values).astype(dtype)


def bits_of(dtype: np.dtype) -> int:
    if dtype == BOOL:
        return 1
    if dtype.kind == "c" or not (is_float(dtype) or is_integer(dtype)):
        return 8 * dtype.itemsize
    return int(ml_dtypes.finfo(dtype).bits if is_float(dtype) else ml_dtypes.iinfo(dtype).bits)


def specials(dtype: np.dtype) -> np.ndarray:
    """Returns special values of a number type: limits, infinities and the like."""
    if is_integer(dtype):
        limits = ml_dtypes.iinfo(dtype)
        low, high = int(limits.min), int(limits.max)
        wanted = (low, low + 1, -2, -1, 0, 1, 2, 3, high - 1, high, high // 2)
        return np.array([w for w in wanted if low <= w <= high], object).astype(dtype)
    limits = ml_dtypes.finfo(dtype)
    wide = np.float64
    least = [wide(limits.smallest_subnormal), wide(limits.smallest_normal)]
    numbers = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 6, 7.25, 100, 127.5, 128, 255.5, 256, wide(limits.max), wide(limits.max) / 2,
               1 + wide(limits.eps), *least, 2.0**31, 2.0**63, np.inf, np.nan]
    with np.errstate(all="ignore"):
        return np.array([*numbers, *(-n for n in numbers)]).astype(dtype)
