# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rounds numbers once to any float type, using only exact comparisons.

numpy and ml_dtypes convert double to narrow types via float32, which rounds twice. This module lists the values of a
narrow type and looks up the nearest one; for wider types it finds the nearest with integers.
"""
import bisect
import functools
import math
from fractions import Fraction

import ml_dtypes
import numpy as np

Number = int | float | Fraction


@functools.cache
def magnitudes(dtype: np.dtype) -> list[float]:
    """Returns all nonnegative finite numbers of a narrow type, ascending, and then the number that would follow."""
    codes = np.arange(1 << (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}")
    bits = ml_dtypes.finfo(dtype).bits
    values = codes[:1 << bits].view(dtype).astype(np.float64)
    ascending = sorted({abs(float(v)) for v in values if math.isfinite(v)})
    return [*ascending, 2 * ascending[-1] - ascending[-2]]


def round_fraction(x: Number, digits: int, least_exponent: int) -> Fraction:
    """Rounds to the nearest number with `digits` binary digits, ties to even; `least_exponent` is that of the last
    digit."""
    exact = Fraction(x)
    if not exact:
        return exact
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - digits + 1, least_exponent)
    return round(exact / unit) * unit  # Python rounds halves of fractions to even.


def nearest(x: Number, dtype: np.dtype) -> float:
    """Rounds a finite x. A number beyond the type's range becomes an infinity."""
    sign = -1.0 if x < 0 or (x == 0 and math.copysign(1, x) < 0) else 1.0
    if dtype.itemsize > 2:
        digits, least, most = {4: (24, -149, float(np.finfo(np.float32).max)), 8: (53, -1074, math.inf)}[dtype.itemsize]
        if isinstance(x, float) and dtype.itemsize == 8:
            return x
        rounded = round_fraction(x, digits, least)
        try:
            result = float(rounded)
        except OverflowError:
            result = math.inf
        return sign * (math.inf if abs(result) > most else abs(result))
    ascending = magnitudes(dtype)
    size = abs(x)
    above = bisect.bisect_left(ascending, size)
    if above == len(ascending):
        return sign * math.inf
    if ascending[above] == size or above == 0:
        place = above
    else:
        below, twice = above - 1, 2 * Fraction(size)
        middle = Fraction(ascending[below]) + Fraction(ascending[above])
        # The first number is zero, so indices are even where mantissas are.
        place = below if twice < middle or (twice == middle and below % 2 == 0) else above
    return sign * (math.inf if place == len(ascending) - 1 else ascending[place])


def ordered(values: np.ndarray) -> np.ndarray:
    """Returns integers in the order of the numbers: adjacent floats differ by one, both zeros are 0."""
    bits = values.view(f"i{values.dtype.itemsize}").astype(np.int64)
    least = np.int64(-1) << (8 * values.dtype.itemsize - 1)
    return np.where(bits < 0, least - bits, bits)


def ulps_apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the number of steps between a and b; 0 between NaNs, a very large number between a NaN and a number."""
    apart = np.abs(ordered(a) - ordered(b))
    nans = np.isnan(a.astype(np.float64)), np.isnan(b.astype(np.float64))
    return np.where(nans[0] & nans[1], 0, np.where(nans[0] | nans[1], 1 << 40, apart))
