# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models in other engines, to check that two models compute the same bits.

onnxruntime, with its optimizations disabled, is the first choice. Models that it cannot run (newer opsets and types)
run in the onnx package's reference evaluator.
"""
import ctypes
import os
import re
from typing import Any

# Let onnxruntime try newer opsets than it supports: it reports what it lacks.
os.environ.setdefault("ALLOW_RELEASED_ONNX_OPSET_ONLY", "0")

import ml_dtypes
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, numpy_helper
from onnx.reference import ReferenceEvaluator


NUMPY_TYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_} | {
    f"{sign}int{bits}": np.dtype(f"{sign}int{bits}").type for sign in ("", "u") for bits in (8, 16, 32, 64)}


class CannotRun(Exception):
    """The engine rejects this model or these inputs. The text is a reason to count by."""


def reason(error: Exception) -> str:
    """Returns the part of a message that is equal for failures of the same kind."""
    text = str(error).strip().split("\n")[0]
    text = re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", text)
    text = re.sub(r"Load model from .*? failed:", "", text)
    text = re.sub(r"(Exception during initialization: )?/\S+:\d+ .*?\) (?=[A-Z\[])", "", text)  # C++ file and function
    text = re.sub(r"\(node:.*?\)| node with name '.*?'|[Nn]ode:? ?\(.*?\)|Name:'.*?'", "", text)
    return f"{type(error).__name__}: {text[:120].strip()}"


def as_array(value: Any) -> Any:
    """Converts a test's value to numpy: protos become arrays, scalars 0-d arrays."""
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    if isinstance(value, (list, tuple)):
        return [as_array(v) for v in value]
    return value if value is None else np.asarray(value)


class OnnxRuntime:
    name = "onnxruntime"

    def __init__(self, model: bytes | str, packs: bool = True, reuses: bool = True):
        """If `packs` is true, constant weights are packed when the session is created, and another kernel multiplies
        them. If `reuses` is true, tensors of sizes that it infers to be equal share memory."""
        options = ort.SessionOptions()
        options.log_severity_level = 4
        options.add_session_config_entry("session.disable_prepacking", "0" if packs else "1")
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_reuse = reuses
        try:
            self.session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise CannotRun(reason(error)) from None

    def run(self, feeds: dict[str, Any]) -> list[Any]:
        try:
            if any(is_foreign_to_numpy(v.type) for v in (*self.session.get_inputs(), *self.session.get_outputs())):
                values = {name: to_ort(value) for name, value in feeds.items()}
                return [from_ort(v) for v in self.session.run_with_ort_values(None, values)]
            return self.session.run(None, feeds)
        except CannotRun:
            raise
        except Exception as error:
            raise CannotRun(reason(error)) from None


def optimized(model: str, feeds: dict[str, Any]) -> list[Any]:
    """Returns the outputs of onnxruntime with its default optimizations."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, feeds)


def is_foreign_to_numpy(kind: str) -> bool:
    """Whether onnxruntime passes such tensors (bfloat16, float8…) to Python only as OrtValue."""
    return kind.startswith("tensor(") and kind[7:-1] not in NUMPY_TYPES and kind != "tensor(string)"


def to_ort(array: np.ndarray) -> ort.OrtValue:
    array = np.ascontiguousarray(array).reshape(array.shape)  # Which a scalar would lose.
    if array.dtype.kind in "OSU" or array.dtype.type.__module__ != ml_dtypes.__name__:
        return ort.OrtValue.ortvalue_from_numpy(array)
    element = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    if element in (TensorProto.INT4, TensorProto.UINT4, TensorProto.FLOAT4E2M1, TensorProto.INT2, TensorProto.UINT2):
        raise CannotRun("onnxruntime takes no sub-byte inputs from Python")
    return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(f"u{array.itemsize}"), element)


def from_ort(value: ort.OrtValue) -> Any:
    if not value.has_value():
        return None
    if not value.is_tensor():
        raise CannotRun(f"onnxruntime gives no {value.data_type().split('(')[0]} to Python as an OrtValue")
    try:
        return value.numpy()
    except Exception:
        # The type has no numpy type: compare the bytes.
        size = value.tensor_size_in_bytes()
        raw = ctypes.string_at(value.data_ptr(), size) if size else b""
        return np.frombuffer(raw, np.uint8), tuple(value.shape()), value.data_type()


class Reference:
    name = "the reference evaluator"

    def __init__(self, model: bytes | str):
        try:
            loaded = onnx.load_from_string(model) if isinstance(model, bytes) else onnx.load(model)
            self.evaluator = ReferenceEvaluator(loaded)
        except Exception as error:
            raise CannotRun(reason(error)) from None

    def run(self, feeds: dict[str, Any]) -> list[Any]:
        try:
            with np.errstate(all="ignore"):
                return list(self.evaluator.run(None, feeds))
        except Exception as error:
            raise CannotRun(reason(error)) from None


def same_bits(a: Any, b: Any) -> bool:
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same_bits, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same_bits(a[k], b[k]) for k in a)
    if isinstance(a, (np.ndarray, np.generic)):
        if not isinstance(b, (np.ndarray, np.generic)) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        return a.tolist() == b.tolist() if a.dtype.kind in "OSU" else a.tobytes() == b.tobytes()
    return type(a) is type(b) and a == b


def is_close(a: Any, b: Any, tolerance: float) -> bool:
    """Whether floats differ by at most `tolerance`, or a few units of their type, relative to the greatest element.
    Other values must be equal."""
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(is_close(x, y, tolerance) for x, y in zip(a, b))
    if not isinstance(a, (np.ndarray, np.generic)) or not isinstance(b, (np.ndarray, np.generic)):
        return same_bits(a, b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    try:
        unit = float(ml_dtypes.finfo(a.dtype).eps)
    except ValueError:
        return same_bits(a, b)
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(x)
    if not np.array_equal(x[~finite], y[~finite], equal_nan=True):
        return False
    greatest = np.max(np.abs(x[finite]), initial=0)
    return bool(np.all(np.abs(x[finite] - y[finite]) <= max(tolerance, 4 * unit) * greatest))


def compare(engine: type[OnnxRuntime] | type[Reference], before: bytes | str, after: bytes | str,
            feeds: dict[str, Any], tolerance: float | None = None) -> str:
    """Returns an empty text if both compute the same, otherwise the difference. Raises CannotRun if `before` does not
    run."""
    original = engine(before)
    want = original.run(feeds)
    if not same_bits(want, original.run(feeds)):
        raise CannotRun("the original gives other outputs at each run")
    try:
        got = engine(after).run(feeds)
    except CannotRun as error:
        return f"the original runs in {engine.name}, the result does not: {error}"
    if same_bits(want, got) or (tolerance is not None and is_close(want, got, tolerance)):
        return ""
    # A few random bits may be equal by chance.
    if not all(same_bits(want, original.run(feeds)) for _ in range(20)):
        raise CannotRun("the original gives other outputs at each run")
    return f"outputs differ in {engine.name}"
