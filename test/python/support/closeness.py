# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how far outputs are from expected ones."""
import numpy as np

import engines

TOLERANCE = 1e-5  # Relative to the greatest output, for models in which rules may have rounded.
NOISE = 1e-6  # The error of onnxruntime's sigmoid and similar functions if outputs are almost zero.


def distance(want: list, got: list) -> float:
    """Returns the greatest difference, relative to the greatest output; zero if it is only noise."""
    worst = 0.0
    for a, b in zip(want, got, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            return float("inf")
        if a.dtype.kind not in "fc" or a.size == 0:
            worst = max(worst, 0.0 if engines.same_bits(a, b) else float("inf"))
            continue
        finite = np.isfinite(a)
        if not np.array_equal(np.where(finite, 0, a), np.where(np.isfinite(b), 0, b), equal_nan=True):
            return float("inf")
        if finite.any():
            off = np.abs(a[finite].astype(np.float64) - b[finite]).max()
            worst = max(worst, float(off / np.abs(a[finite]).max()) if off > NOISE else 0.0)
    return worst


def difference(got: np.ndarray, want: np.ndarray, rtol: float, atol: float) -> str:
    """Returns an empty text if the values are as the test expects."""
    if got.shape != want.shape:
        return f"expected shape {list(want.shape)}, but got {list(got.shape)}"
    if got.dtype.kind in "OSU":
        texts = [[t.decode() if isinstance(t, bytes) else str(t) for t in a.flat] for a in (got, want)]
        same = np.array([g == w for g, w in zip(*texts)], bool)
    else:
        # numpy supports no tolerance for narrow types.
        wide = np.complex128 if got.dtype.kind == "c" else np.float64
        same = np.isclose(got.astype(wide), want.astype(wide), rtol, atol, equal_nan=True)
    if same.all():
        return ""
    at = int(np.argmin(same))
    return f"element {at}: expected {want.flat[at]}, but got {got.flat[at]}"
