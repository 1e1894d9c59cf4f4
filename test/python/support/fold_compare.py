# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares folded values with the expected ones."""
from typing import Sequence

import ml_dtypes
import numpy as np

from fold_cases import BITS, EXACT, STEP, SUM, VALUE
from fold_cases.draw import bits_of, is_float, is_integer

# Relative to the number, or for sums to the greatest element of the tensor. Narrower floats have steps of 1/16 and
# more.
TOLERANCES = {"float64": 1e-9, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2}


def difference(got: np.ndarray, want: np.ndarray, check: str, operands: Sequence[np.dtype] = ()) -> str:
    """Returns an empty text if both are equal as far as `check` requires, otherwise the first difference.

    If the operands have several types, the engines compute in the narrowest one, so the tolerance is that type's.
    """
    if got.dtype != want.dtype:
        return f"expected {want.dtype}, but got {got.dtype}"
    if got.shape != want.shape:
        return f"expected shape {list(want.shape)}, but got {list(got.shape)}"
    same = same_elements(*(np.ascontiguousarray(a).reshape(-1) for a in (got, want)), check, operands)
    if same.all():
        return ""
    at = int(np.argmin(same))
    return f"element {at} of {list(got.shape)}: expected {want.flat[at]!r}, but got {got.flat[at]!r} ({int((~same).sum())} differ)"


def same_elements(got: np.ndarray, want: np.ndarray, check: str, operands: Sequence[np.dtype]) -> np.ndarray:
    dtype = got.dtype
    if dtype == object:
        texts = [[t.decode() if isinstance(t, bytes) else str(t) for t in a] for a in (got, want)]
        return np.array([g == w for g, w in zip(*texts)], bool)
    if dtype.kind == "c":
        half = np.float32 if dtype == np.complex64 else np.float64
        return same_elements(got.view(half), want.view(half), check, operands).reshape(-1, 2).all(-1)
    if check == BITS:
        if bits_of(dtype) < 8:  # numpy leaves the unused bits of a byte undefined.
            return got.astype(np.float32) == want.astype(np.float32)
        raw = [a.view(np.uint8).reshape(a.size, dtype.itemsize) for a in (got, want)]
        return (raw[0] == raw[1]).all(-1)
    if not is_float(dtype):
        if check == STEP and is_integer(dtype):
            return np.abs(got.astype(np.int64) - want.astype(np.int64)) <= 1
        return got == want
    return same_floats(got, want, check, operands)


def same_floats(got: np.ndarray, want: np.ndarray, check: str, operands: Sequence[np.dtype]) -> np.ndarray:
    g, w = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(all="ignore"):
        equal = (g == w) | (np.isnan(g) & np.isnan(w))
        if check == VALUE:
            return equal
        if check == EXACT:
            return equal & ((np.signbit(g) == np.signbit(w)) | np.isnan(g))
        limits = ml_dtypes.finfo(got.dtype)
        tolerance = max([TOLERANCES.get(got.dtype.name, 2 * float(limits.eps)),
                         *(TOLERANCES[t.name] for t in operands if t.name in TOLERANCES)])
        finite = np.abs(w[np.isfinite(w)])
        # Operands of sums are drawn near 1: much smaller results are the rest of a cancellation.
        scale = np.maximum(np.abs(w), finite.max(initial=0.1)) if check in (SUM, STEP) else np.abs(w)
        least = 4 * max(float(ml_dtypes.finfo(t).smallest_subnormal) for t in (got.dtype, *operands) if is_float(t))
        return equal | (np.isfinite(g) & np.isfinite(w) & (np.abs(g - w) <= tolerance * scale + least))
