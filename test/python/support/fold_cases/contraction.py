# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that multiply matrices: products, attention, recurrent networks. Also transforms of signals."""
import numpy as np

from . import REFERENCE, STEP, SUM, Case, cases_of, make
from .draw import FLOAT32, Draw, is_float, is_integer


def matrices(draw: Draw) -> tuple[tuple[int, ...], tuple[int, ...]]:
    m, k, n = (0 if draw.chance(0.05) else draw.integer(1, 6) for _ in range(3))
    batch = draw.shape(0, 2)
    first, second = (*draw.broadcast(batch), m, k), (*batch, k, n)
    if draw.chance(0.1):
        first = (k,)
    elif draw.chance(0.1):
        second = (k,)
    return first, second


@cases_of("MatMul")
def matmul(draw: Draw, op: str) -> Case:
    dtype, shapes = draw.type(op), matrices(draw)
    values = draw.mild if is_float(dtype) or draw.chance(0.8) else draw.values
    return make(op, [values(dtype, shape) for shape in shapes], check=SUM)


@cases_of("MatMulInteger")
def matmul_integer(draw: Draw, op: str) -> Case:
    first, second = draw.type(op, "T1"), draw.type(op, "T2")
    a, b = matrices(draw)
    per_column = (b[-1],) if len(b) == 2 and draw.chance(0.3) else ()
    zeros = [draw.mild(dtype, shape) if draw.chance() else None for dtype, shape in ((first, ()), (second, per_column))]
    return make(op, [draw.values(first, a), draw.values(second, b), *zeros])


@cases_of("QLinearMatMul")
def qlinear_matmul(draw: Draw, op: str) -> Case:
    first, second, third = (draw.type(op, t) for t in ("T1", "T2", "T3"))
    scale = draw.type(op, "TS")
    m, k, n = draw.integers(3, 1, 5)
    a, b = (draw.values(t, s) if is_integer(t) else draw.mild(t, s) for t, s in ((first, (m, k)), (second, (k, n))))
    return make(op, [a, draw.positive(scale, (), 0.01, 0.1), draw.mild(first, ()), b,
                     draw.positive(scale, (), 0.01, 0.1), draw.mild(second, ()), draw.positive(scale, (), 1, 9),
                     draw.mild(third, ())], check=STEP)


@cases_of("Gemm")
def gemm(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    m, k, n = draw.integers(3, 1, 6)
    attributes = draw.attributes(transA=(0, 1), transB=(0, 1))
    if is_float(dtype):
        attributes |= draw.attributes(alpha=(0.5, 1.0, 2.0), beta=(0.0, 0.25, 1.0))
    a = (k, m) if attributes.get("transA") else (m, k)
    b = (n, k) if attributes.get("transB") else (k, n)
    c = draw.mild(dtype, draw.broadcast((m, n))) if draw.chance(0.7) else None
    return make(op, [draw.mild(dtype, a), draw.mild(dtype, b), c], attributes, SUM)


@cases_of("Einsum")
def einsum(draw: Draw, op: str) -> Case:
    equation, *shapes = draw.choose((
        ("ij,jk->ik", "ij", "jk"), ("ij->ji", "ij"), ("ii->i", "ii"), ("ij->", "ij"), ("bij,bjk->bik", "bij", "bjk"),
        ("i,j->ij", "i", "j"), ("...ij->...ji", "bij"), ("ij,ij->j", "ij", "ij"), ("i,i", "i", "i"),
        ("ijk,kl,l->ij", "ijk", "kl", "l"), ("ij,jk", "ij", "jk"), ("b...,b...->...", "bij", "bij")))
    sizes = {letter: draw.integer(1, 4) for letter in "bijkl"}
    dtype = draw.type(op)
    return make(op, [draw.mild(dtype, tuple(sizes[s] for s in shape)) for shape in shapes], {"equation": equation}, SUM)


@cases_of("Det")
def det(draw: Draw, op: str) -> Case:
    size = draw.integer(1, 4)
    return make(op, [draw.mild(draw.type(op), (*draw.full_shape(0, 2), size, size))], check=SUM)


@cases_of("Attention")
def attention(draw: Draw, op: str) -> Case:
    dtype, batch, groups, per_group, size, queries, keys = draw.type(op, "T1"), *draw.integers(3, 1, 2), *draw.integers(3, 1, 4)
    heads = groups * per_group
    attributes = draw.attributes(is_causal=(0, 1), softcap=(0.0, 2.0), scale=(0.5, 1.0))
    mask = draw.mild(dtype, (queries, keys)) if draw.chance(0.4) else None
    shapes = [(batch, heads, queries, size), (batch, groups, keys, size), (batch, groups, keys, size)]
    if draw.chance(0.4):
        attributes |= {"q_num_heads": heads, "kv_num_heads": groups}
        shapes = [(b, s, h * d) for b, h, s, d in shapes]
    query, key, value = (draw.mild(dtype, shape, 1.0) for shape in shapes)
    value += np.array(4, dtype)  # All of one sign: after a cancellation, the result would mainly show rounding errors.
    return make(op, [query, key, value, mask], attributes, SUM, no_better_than=FLOAT32)


@cases_of("LinearAttention")
def linear_attention(draw: Draw, op: str) -> Case:
    dtype, batch, length, groups, per_group, size, width = draw.type(op), draw.integer(1, 2), *draw.integers(5, 1, 3)
    heads, rule = groups * per_group, draw.choose(("linear", "gated", "delta", "gated_delta"))
    past = draw.mild(dtype, (batch, groups, size, width), 0.5) if draw.chance() else None
    decay = draw.mild(dtype, (batch, length, groups * size), 0.3) if "gated" in rule else None
    beta = draw.positive(dtype, (batch, length, groups), 0.1, 0.9) if "delta" in rule else None
    return make(op, [draw.mild(dtype, (batch, length, heads * size), 0.5), draw.mild(dtype, (batch, length, groups * size), 0.5),
                     draw.mild(dtype, (batch, length, groups * width), 0.5), past, decay, beta],
                {"q_num_heads": heads, "kv_num_heads": groups, "update_rule": rule}, SUM, outputs=2)


@cases_of("RotaryEmbedding")
def rotary_embedding(draw: Draw, op: str) -> Case:
    dtype, batch, heads, length, half = draw.type(op), *draw.integers(4, 1, 3)
    part = draw.integer(1, half)
    attributes = draw.attributes(interleaved=(0, 1))
    if part != half:
        attributes["rotary_embedding_dim"] = 2 * part
    shape = (batch, heads, length, 2 * half)
    if draw.chance(0.4):
        attributes["num_heads"] = heads
        shape = (batch, length, heads * 2 * half)
    if draw.chance():
        cache, positions = (7, part), draw.indices(7, (batch, length), negative=False)
    else:
        cache, positions = (batch, length, part), None
    return make(op, [draw.mild(dtype, shape), draw.mild(dtype, cache, 1.0), draw.mild(dtype, cache, 1.0), positions], attributes, SUM)


@cases_of("RNN", "GRU", "LSTM")
def recurrent(draw: Draw, op: str) -> Case:
    dtype, gates = draw.type(op), {"RNN": 1, "GRU": 3, "LSTM": 4}[op]
    length, batch, size, hidden = draw.integers(4, 1, 3)
    direction = draw.choose(("forward", "reverse", "bidirectional"))
    ways = 2 if direction == "bidirectional" else 1
    attributes = {"hidden_size": hidden, **({"direction": direction} if direction != "forward" or draw.chance() else {})}
    if op == "GRU":
        attributes |= draw.attributes(linear_before_reset=(0, 1))
    bias = draw.mild(dtype, (ways, 2 * gates * hidden), 0.5) if draw.chance(0.6) else None
    lengths = np.array([draw.integer(1, length) for _ in range(batch)], np.int32) if draw.chance(0.3) else None
    states = [draw.mild(dtype, (ways, batch, hidden), 0.5) if draw.chance() else None for _ in range(2 if op == "LSTM" else 1)]
    peepholes = [draw.mild(dtype, (ways, 3 * hidden), 0.5)] if op == "LSTM" and draw.chance(0.4) else []
    return make(op, [draw.mild(dtype, (length, batch, size), 0.7), draw.mild(dtype, (ways, gates * hidden, size), 0.7),
                     draw.mild(dtype, (ways, gates * hidden, hidden), 0.7), bias, lengths, *states, *peepholes],
                attributes, SUM, outputs=3 if op == "LSTM" else 2,
                not_in={REFERENCE: "it does not look at lengths"} if lengths is not None else {})


@cases_of("DFT")
def dft(draw: Draw, op: str) -> Case:
    dtype, parts = draw.type(op, "T1"), draw.integer(1, 2)
    shape = (*draw.full_shape(2, 3), parts)
    axis = draw.integer(1, len(shape) - 2)
    length = np.array(draw.integer(1, 9), draw.type(op, "T2")) if draw.chance(0.4) else None
    one_sided = {"onesided": 1} if parts == 1 and draw.chance(0.4) else {}
    inverse = {"inverse": 1} if not one_sided and draw.chance(0.4) else {}
    return make(op, [draw.mild(dtype, shape), length, np.array(axis, np.int64)], {**one_sided, **inverse}, SUM)


@cases_of("STFT")
def stft(draw: Draw, op: str) -> Case:
    dtype, index, length, step = draw.type(op, "T1"), draw.type(op, "T2"), draw.integer(2, 8), draw.integer(1, 4)
    window = draw.mild(dtype, (length,)) if draw.chance() else None
    return make(op, [draw.mild(dtype, (draw.integer(1, 2), draw.integer(8, 20), 1)), np.array(step, index), window,
                     np.array(length, index) if window is None or draw.chance() else None], draw.attributes(onesided=(0, 1)), SUM)
