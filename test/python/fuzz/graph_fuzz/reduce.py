# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, alone and in chains, and operators that search, sort or sum along an axis."""
import ml_dtypes
import numpy as np

from .builder import BOOL, FLOAT, INT, LONG, Graph, Unfit, Value
from .elementwise import activation, away_from_zero, bounded

KINDS = ("ReduceSum", "ReduceSum", "ReduceMean", "ReduceMean", "ReduceMax", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2",
         "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ReduceProd")


def stays_normal(array: np.ndarray, axes: list[int] | None) -> bool:
    """Whether products are normal numbers in any order of their factors: at the ends of the range, engines differ.
    onnxruntime computes products of integers in doubles for some shapes, and then they do not wrap around."""
    over = None if axes is None else tuple(axis % array.ndim for axis in axes)
    with np.errstate(divide="ignore"):
        sizes = np.log2(np.abs(array.astype(np.float64)))
    most = np.maximum(sizes, 0).sum(over)
    if array.dtype.kind == "i":
        return bool(np.all(most < (31 if array.dtype == np.int32 else 53)))
    limit = -np.log2(float(ml_dtypes.finfo(array.dtype).tiny)) - 2
    return bool(np.all(most < limit) and np.all(np.minimum(sizes, 0).sum(over) > -limit))


def reduction(g: Graph, x: Value | None = None) -> Value:
    x = x or g.pick(lambda v: v.rank >= 1 and (v.is_float or v.type in (INT, LONG)))
    op = g.choose(*KINDS) if x.is_float else g.choose("ReduceSum", "ReduceMax", "ReduceMin", "ReduceMean", "ReduceProd")
    if op == "ReduceLogSum":
        x = away_from_zero(g, x)
    elif op == "ReduceProd" and x.is_float:
        x = bounded(g, x, 0.6, 1.4)
    if not x.is_whole() and op not in ("ReduceSum", "ReduceL1", "ReduceL2", "ReduceSumSquare"):
        raise Unfit  # Engines differ on the maximum of no elements.
    if op == "ReduceMean" and not x.is_float and any(np.abs(array.astype(np.float64)).sum() >= 2**53 for array in x.arrays):
        raise Unfit  # onnxruntime computes it in doubles, which do not overflow but have 53 bits.
    axes = g.rng.sample(range(x.rank), g.choose(1, 1, 1, g.rng.randrange(1, x.rank + 1)))
    axes = [axis - x.rank if g.chance(0.3) else axis for axis in axes]
    chosen = None if g.chance(0.08) else axes
    if op == "ReduceProd" and not all(stays_normal(array, chosen) for array in x.arrays):
        raise Unfit
    return g.axes_node(op, x, chosen, 13 if op == "ReduceSum" else 18, keepdims=g.choose(0, 1))


def chain(g: Graph) -> Value:
    """Makes reductions of reductions, with an operator between them."""
    x = g.pick(lambda v: v.is_float and v.rank >= 2) if g.chance(0.6) else g.add_input(
        FLOAT, [g.size(), *(g.choose(1, 2, 2, 3, 4, 7, 9) for _ in range(g.rng.randrange(1, 4)))])
    for _ in range(g.rng.randrange(2, 4)):
        x = reduction(g, x)
        if g.chance(0.25):
            x = activation(g, x)
        elif g.chance(0.15):
            x = g.node("Add", [x, g.weight(x.type, [])])
        if not x.rank:
            break
    return x


def standardized(g: Graph) -> Value:
    x = g.pick(lambda v: v.is_float and v.rank >= 1 and v.is_whole())
    axes = sorted(g.rng.sample(range(x.rank), g.rng.randrange(1, x.rank + 1)))
    top = g.axes_node("ReduceMax", x, axes, 18, keepdims=1)
    shifted = g.node("Exp", [bounded(g, g.node("Sub", [x, top]), -20, 0)])
    return g.node("Div", [shifted, g.axes_node("ReduceSum", shifted, axes, 13, keepdims=1)])


def arg(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank >= 1 and v.is_whole() and (v.is_float or v.type == INT))
    return g.node(g.choose("ArgMax", "ArgMin"), [x], axis=g.axis(x), keepdims=g.choose(0, 1),
                  select_last_index=g.choose(0, 0, 1))


def top_k(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank >= 1 and v.is_whole() and v.type in (FLOAT, INT, LONG))
    axis = g.axis(x)
    least = min(array.shape[axis] for array in x.arrays)
    k = g.ints(g.rng.randrange(0, least + 1) if g.chance(0.1) else g.rng.randrange(1, least + 1))
    values, places = g.node("TopK", [x, k], results=2, axis=axis, largest=g.choose(0, 1), is_operand=False)
    if g.chance(0.6):
        return g.keep(values)
    g.keep(values)
    return g.keep(places)


def cumulative(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank >= 1 and v.type in (FLOAT, INT, LONG))
    axis = g.scalar(g.axis(x), g.choose(INT, LONG))
    return g.node("CumSum", [x, axis], exclusive=g.choose(0, 0, 1), reverse=g.choose(0, 0, 1))


def count_true(g: Graph) -> Value:
    x = g.pick(lambda v: v.type == BOOL and v.rank >= 1)
    return reduction(g, g.node("Cast", [x], to=g.choose(1, 6, 7)))


STEPS = {reduction: 4, chain: 3, standardized: 1, arg: 1, top_k: 1, cumulative: 1, count_true: 0.3}
