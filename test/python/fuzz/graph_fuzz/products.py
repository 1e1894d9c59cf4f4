# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products of all ranks, Gemm, Einsum and attention."""
import math

import numpy as np

from .builder import (BFLOAT, BOOL, BYTE, FLOAT, HALF, INT, LARGE, LONG, MIDDLE, MOST_PRODUCTS, SHORT, SIGNED, Graph, Unfit, Value)
from .elementwise import activation, cast
from .normalize import fixed


def is_matrix(v: Value) -> bool:
    return v.rank >= 2 and (v.is_float or v.type in (INT, LONG))


def matrix(g: Graph, fits=is_matrix) -> Value:
    if g.chance(0.8):
        try:
            return g.pick(fits)
        except Unfit:
            pass
    return g.add_input(FLOAT, [*([g.choose(1, 2, 3, 5)] if g.chance(0.3) else []), g.size(), g.size()])


def mat_mul(g: Graph, x: Value | None = None, columns: int | None = None) -> Value:
    if x is None:
        x = matrix(g) if g.chance(0.9) else g.pick(lambda v: v.is_float and v.rank >= 1)
    inner = fixed(x, -1)
    columns = columns or g.size()
    if x.count * columns > MOST_PRODUCTS:
        raise Unfit
    scale = 1.5 / math.sqrt(max(inner, 1))
    kind = g.rng.random()
    if kind < 0.08:
        return g.node("MatMul", [x, g.weight(x.type, [inner], scale)])
    if kind < 0.3 and x.rank >= 3:
        batch = [g.choose(1, fixed(x, i)) for i in range(x.rank - 2)][g.rng.randrange(x.rank - 1):]
        return g.node("MatMul", [x, g.weight(x.type, [*batch, inner, columns], scale)])
    if kind < 0.4:
        rows = fixed(x, -2) if x.rank >= 2 else inner
        return g.node("MatMul", [g.weight(x.type, [columns, rows], scale), x])
    y = g.node("MatMul", [x, g.weight(x.type, [inner, columns], scale)])
    return g.node("Add", g.rng.sample([y, g.weight(x.type, [columns])], 2)) if g.chance(0.4) else y


def squared(g: Graph) -> Value:
    """A value times its own transpose."""
    x = g.pick(lambda v: v.is_float and v.rank >= 2 and v.count * max(v.shape) < MOST_PRODUCTS)
    order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    y = g.node("MatMul", g.rng.sample([x, g.node("Transpose", [x], perm=order)], 2))
    return g.node("Mul", [y, g.scalar(1 / max(x.shape[-1], 1), x.type)])


def gemm(g: Graph) -> Value:
    x = matrix(g, lambda v: v.rank == 2 and v.is_float)
    x = x if x.rank == 2 else g.node("Flatten", [x])
    turns, turned = g.choose(0, 0, 1), g.choose(0, 1)
    inner, columns = fixed(x, 0 if turns else 1), g.size()
    if x.count * columns > MOST_PRODUCTS:
        raise Unfit
    weight = g.weight(x.type, [columns, inner] if turned else [inner, columns], 1.5 / math.sqrt(max(inner, 1)))
    rows = x.shape[1 if turns else 0]
    shapes = [[columns], [1, columns], [], [1]] + ([[rows, columns], [rows, 1]] if x.has_one_shape() else [])
    addend = g.weight(x.type, g.rng.choice(shapes)) if g.chance(0.7) else None
    scales = {} if g.chance(0.6) else {"alpha": g.choose(0.5, 1.0, 2.0), "beta": g.choose(0.0, 0.5, 1.0)}
    return g.node("Gemm", [x, weight, addend], transA=turns, transB=turned, **scales)


def einsum(g: Graph) -> Value:
    """Multiplies two tensors whose axes have random letters."""
    x = g.pick(lambda v: v.is_float and 1 <= v.rank <= 4 and v.count)
    letters = "abcdefgh"
    left = letters[:x.rank]
    shared = g.rng.sample(left, g.rng.randrange(0, min(x.rank, 3) + 1))
    fresh = letters[x.rank:x.rank + g.rng.randrange(0, 3)]
    right = g.rng.sample([*shared, *fresh], len(shared) + len(fresh))
    sizes = {c: fixed(x, i) if c in shared else x.shape[i] for i, c in enumerate(left)}
    sizes |= {c: g.choose(1, 2, 3, 5, 8, 16, 17) for c in fresh}
    if math.prod(sizes.values()) > MOST_PRODUCTS // 16:
        raise Unfit
    summed = [c for c in shared if g.chance(0.6)]
    kept = [c for c in sizes if c not in summed and not (c in left and c not in shared and g.chance(0.15))]
    if g.chance(0.5):
        g.rng.shuffle(kept)
    inner = math.prod(sizes[c] for c in sizes if c not in kept)
    operand = g.weight(x.type, [sizes[c] for c in right], 1 / math.sqrt(max(inner, 1)))
    equation = f"{left},{''.join(right)}->{''.join(kept)}"
    return g.node("Einsum", [x, operand], equation=equation)


def attention(g: Graph) -> Value:
    x = g.pick(lambda v: v.is_float and v.rank == 3 and v.count < 1 << 13) if g.chance(0.5) else g.add_input(
        FLOAT, [g.choose(1, 2, 3), g.choose(1, 5, 8, 16, 17, 33), g.choose(8, 16, 32, 48, 64)])
    heads, width = g.choose(1, 2, 4), g.choose(4, 8, 15, 16)
    inner = fixed(x, 2)

    def project(order: list[int]) -> Value:
        y = mat_product(g, x, inner, heads * width)
        y = g.node("Reshape", [y, g.ints(0, 0, heads, width)])
        return g.node("Transpose", [y], perm=order)
    query, key, value = project([0, 2, 1, 3]), project([0, 2, 3, 1]), project([0, 2, 1, 3])
    scores = g.node("MatMul", [query, key])
    scores = g.node(g.choose("Mul", "Div"), [scores, g.scalar(0.5, x.type)])
    if g.chance(0.4) and scores.has_one_shape():
        mask = np.where(g.numbers.random(scores.shape[-2:]) < 0.3, -1e4, 0).astype(x.type)
        scores = g.node("Add", [scores, g.constant(mask)])
    y = g.node("MatMul", [g.node("Softmax", [scores], axis=-1), value])
    y = g.node("Reshape", [g.node("Transpose", [y], perm=[0, 2, 1, 3]), g.ints(0, 0, heads * width)])
    y = mat_product(g, y, heads * width, inner)
    return g.node("Add", g.rng.sample([y, x], 2)) if g.chance(0.7) else y


def attention_operator(g: Graph) -> Value:
    """The operator of opset 23, sometimes with grouped heads."""
    if g.opset < 23:
        raise Unfit
    batch, heads, length, width = g.choose(1, 2, 3), g.choose(1, 2, 4), g.choose(1, 4, 7, 16, 17), g.choose(1, 4, 8, 16, 17)
    others = g.choose(length, g.choose(1, 5, 8, 33))
    key_heads = g.rng.choice([h for h in (1, 2, 4) if heads % h == 0])
    query = g.weight(FLOAT, [batch, heads, length, width])
    key, value = g.weight(FLOAT, [batch, key_heads, others, width]), g.weight(FLOAT, [batch, key_heads, others, g.choose(width, 8)])
    mask = g.weight(FLOAT, [length, others]) if g.chance(0.4) else None
    attributes = {} if g.chance(0.6) else {"is_causal": 1}
    if g.chance(0.2):
        attributes["scale"] = 0.5
    return g.node("Attention", [query, key, value, mask], **attributes)


def mat_product(g: Graph, x: Value, inner: int, columns: int) -> Value:
    y = g.node("MatMul", [x, g.weight(x.type, [inner, columns], 1 / math.sqrt(inner))])
    return g.node("Add", g.rng.sample([g.weight(x.type, [columns]), y], 2)) if g.chance(0.5) else y


def perceptron(g: Graph) -> Value:
    x = matrix(g, lambda v: v.is_float and v.rank in (2, 3))
    width = fixed(x, -1)
    y = mat_mul(g, activation(g, mat_product(g, x, width, g.size())), width)
    return g.node("Add", [x, y]) if g.chance(0.6) else y


def narrowed(g: Graph) -> Value:
    """A product whose result is stored in few bits: at the ends of its rows, a store may be too wide."""
    x = matrix(g, lambda v: v.type == FLOAT and v.rank in (2, 3))
    y = mat_mul(g, x, g.choose(*MIDDLE, *LARGE))
    if g.chance(0.3):
        y = activation(g, y)
    return cast(g, y, g.choose(SIGNED, SIGNED, BYTE, BYTE, BOOL, HALF, BFLOAT, SHORT))


STEPS = {narrowed: 1.5, mat_mul: 5, squared: 1, gemm: 3, einsum: 2, attention: 0.7, attention_operator: 0.5, perceptron: 1}
