# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that move elements."""
import math
from typing import Any

import numpy as np

from . import BITS, REFERENCE, SUM, VALUE, Case, cases_of, make
from .draw import BOOL, ELEMENT_TYPES, Draw, element_type, is_float

EXPONENTS = ELEMENT_TYPES["tensor(float8e8m0)"]


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


@cases_of("Identity")
def identity(draw: Draw, op: str) -> Case:
    return make(op, [draw.values(draw.type(op, "V"), draw.shape())], check=BITS)


@cases_of("Reshape")
def reshape(draw: Draw, op: str) -> Case:
    shape = draw.shape()
    target, left = [], list(shape)
    while left:  # Merge adjacent axes, and insert axes of size 1.
        take = draw.integer(1, len(left))
        target.append(math.prod(left[:take]))
        left = left[take:]
        if draw.chance(0.2):
            target.append(1)
    attributes = {}
    if 0 in target:
        attributes["allowzero"] = 1
    elif target and draw.chance(0.4):
        target[draw.integer(0, len(target) - 1)] = -1
    return make(op, [draw.values(draw.type(op), shape), ints(*target)], attributes, BITS)


@cases_of("Flatten")
def flatten(draw: Draw, op: str) -> Case:
    shape = draw.shape(1)
    return make(op, [draw.values(draw.type(op), shape)], {"axis": draw.integer(-len(shape), len(shape))}, BITS)


@cases_of("Squeeze")
def squeeze(draw: Draw, op: str) -> Case:
    shape = tuple(1 if draw.chance() else s for s in draw.shape())
    ones = [i - len(shape) * draw.flag() for i, s in enumerate(shape) if s == 1]
    axes = ints(*draw.sample(ones, draw.integer(0, len(ones)))) if draw.chance(0.7) else None
    return make(op, [draw.values(draw.type(op), shape), axes], check=BITS)


@cases_of("Unsqueeze")
def unsqueeze(draw: Draw, op: str) -> Case:
    shape, more = draw.shape(0, 3), draw.integer(0, 2)
    rank = len(shape) + more
    axes = [a - rank * draw.flag() for a in draw.sample(range(rank), more)]
    return make(op, [draw.values(draw.type(op), shape), ints(*axes)], check=BITS)


@cases_of("Transpose")
def transpose(draw: Draw, op: str) -> Case:
    shape = draw.shape()
    attributes = {"perm": draw.sample(range(len(shape)), len(shape))} if shape and draw.chance(0.8) else {}
    return make(op, [draw.values(draw.type(op), shape)], attributes, BITS)


@cases_of("Expand")
def expand(draw: Draw, op: str) -> Case:
    whole, dtype = draw.shape(0, 4), draw.type(op)
    return make(op, [draw.values(dtype, draw.broadcast(whole)), ints(*(draw.broadcast(whole) if draw.chance(0.3) else whole))],
                check=BITS, not_in={REFERENCE: "it multiplies by one"})


@cases_of("Tile")
def tile(draw: Draw, op: str) -> Case:
    shape = draw.shape(0, 4)
    return make(op, [draw.values(draw.type(op), shape), ints(*draw.integers(len(shape), 0 if draw.chance(0.2) else 1, 3))], check=BITS)


@cases_of("Concat")
def concat(draw: Draw, op: str) -> Case:
    shape, dtype = draw.shape(1), draw.type(op)
    axis = draw.axis(len(shape))
    parts = []
    for _ in range(draw.integer(1, 4)):
        part = list(shape)
        part[axis] = draw.size()
        parts.append(draw.values(dtype, tuple(part)))
    return make(op, parts, {"axis": axis}, BITS)


@cases_of("Split")
def split(draw: Draw, op: str) -> Case:
    shape = list(draw.shape(1))
    axis, count = draw.axis(len(shape)), draw.integer(1, 4)
    sizes = None
    if draw.chance():
        parts = draw.integers(count, 0, 3)
        shape[axis] = sum(parts)
        sizes, attributes = ints(*parts), {}
    else:
        shape[axis] = count * draw.integer(1, 2) + draw.integer(0, 1 if count == 2 else 0)
        attributes = {"num_outputs": count}
    return make(op, [draw.values(draw.type(op), tuple(shape)), sizes], {"axis": axis, **attributes}, BITS, count)


@cases_of("Slice")
def slices(draw: Draw, op: str) -> Case:
    shape, index = draw.shape(1), draw.type(op, "Tind")
    axes = draw.axes(len(shape), 1)
    places = (0, 1, 2, -1, -2, 3, 5, 100, -100, np.iinfo(index).max, np.iinfo(index).min)
    steps = [draw.choose((1, 1, 2, -1, -2, 7, -9)) for _ in axes]
    starts, ends = ([draw.choose(places) for _ in axes] for _ in range(2))
    whole = draw.chance(0.3)  # Without axes and steps, the first axes are sliced.
    return make(op, [draw.values(draw.type(op), shape), *(None if whole and i > 1 else np.array(v, index)
                                                          for i, v in enumerate((starts, ends, axes, steps)))], check=BITS,
                not_in={REFERENCE: "it does not take the greatest number for the end when it goes backwards"} if min(steps) < 0 else {})


@cases_of("Pad")
def pad(draw: Draw, op: str) -> Case:
    mode = draw.choose(("constant", "reflect", "edge", "wrap"))
    shape, dtype = draw.shape(1, 4, empty=False) if mode != "constant" else draw.shape(1, 4), draw.type(op)
    axes = draw.axes(len(shape), 1) if draw.chance() else None
    touched = [shape[a] for a in axes] if axes is not None else list(shape)
    if mode == "constant":
        pads = draw.integers(2 * len(touched), 0, 3) if draw.chance(0.7) else [draw.integer(-(s // 2), 2) for s in touched * 2]
    else:
        pads = [draw.integer(0, max(0, s - 1)) for s in touched * 2]
    value = draw.values(dtype, ()) if mode == "constant" and draw.chance(0.7) else None
    return make(op, [draw.values(dtype, shape), ints(*pads), value, ints(*axes) if axes is not None else None],
                {"mode": mode} if mode != "constant" or draw.chance() else {}, BITS,
                not_in={REFERENCE: "it pads what has no zero, and texts, in its own way"} if dtype in (EXPONENTS, object) else {})


@cases_of("Gather")
def gather(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 4)
    axis = draw.axis(len(shape))
    return make(op, [draw.values(draw.type(op), shape), draw.indices(shape[axis], draw.shape(0, 3), draw.type(op, "Tind"))],
                {"axis": axis} if axis or draw.chance() else {}, BITS)


def part_of(draw: Draw, shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """Draws a shape of indices that is within the data's shape, except along `axis`."""
    part = [draw.integer(1, s) for s in shape]
    part[axis] = draw.integer(0 if draw.chance(0.1) else 1, 4)
    return tuple(part)


@cases_of("GatherElements")
def gather_elements(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 4)
    axis = draw.axis(len(shape))
    return make(op, [draw.values(draw.type(op), shape), draw.indices(shape[axis], part_of(draw, shape, axis), draw.type(op, "Tind"))],
                {"axis": axis}, BITS)


@cases_of("GatherND")
def gather_nd(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 4)
    batch = draw.integer(0, len(shape) - 1)
    depth = draw.integer(1, len(shape) - batch)
    places = (*shape[:batch], *draw.shape(0, 2))
    indices = np.stack([draw.indices(shape[batch + d], places) for d in range(depth)], -1)
    return make(op, [draw.values(draw.type(op), shape), indices], {"batch_dims": batch}, BITS)


def combination(draw: Draw, dtype: np.dtype) -> str:
    return draw.choose(("none", "add", "mul", "max", "min") if dtype.kind != "c" else ("none", "add", "mul"))


def values_to_combine(draw: Draw, reduction: str) -> Any:
    """Returns the function that draws values. For a maximum or minimum, NaN would make the result depend on the
    order."""
    return draw.values if reduction == "none" else draw.mild


@cases_of("ScatterElements")
def scatter_elements(draw: Draw, op: str) -> Case:
    shape, dtype = draw.full_shape(1, 4), draw.type(op)
    axis, reduction = draw.axis(len(shape)), combination(draw, dtype)
    part = part_of(draw, shape, axis)
    if reduction == "none":  # The standard does not define which of two updates of one place wins.
        part = tuple(min(p, s) for p, s in zip(part, shape))
        order = np.argsort(draw.random.random((*part[:axis % len(shape)], shape[axis], *part[axis % len(shape) + 1:])), axis)
        indices = np.take(order, range(part[axis]), axis)
    else:
        indices = draw.indices(shape[axis], part)
    values = values_to_combine(draw, reduction)
    return make(op, [values(dtype, shape), indices.astype(draw.type(op, "Tind")), values(dtype, part)],
                {"axis": axis} | ({"reduction": reduction} if reduction != "none" or draw.chance() else {}),
                BITS if reduction == "none" else VALUE if reduction in ("max", "min") else SUM)


@cases_of("ScatterND")
def scatter_nd(draw: Draw, op: str) -> Case:
    shape, dtype = draw.full_shape(1, 4), draw.type(op)
    reduction = combination(draw, dtype)
    depth = draw.integer(1, len(shape))
    every = math.prod(shape[:depth])
    count = draw.integer(0 if draw.chance(0.1) else 1, min(every, 6))
    flat = np.array(draw.sample(range(every), count), np.int64) if reduction == "none" else draw.indices(every, (count,), negative=False)
    indices = np.stack(np.unravel_index(flat, shape[:depth]), -1).astype(np.int64)
    if draw.chance(0.3):
        indices -= np.array(shape[:depth])
    values = values_to_combine(draw, reduction)
    return make(op, [values(dtype, shape), indices, values(dtype, (count, *shape[depth:]))],
                {"reduction": reduction} if reduction != "none" or draw.chance() else {},
                BITS if reduction == "none" else VALUE if reduction in ("max", "min") else SUM)


@cases_of("TensorScatter")
def tensor_scatter(draw: Draw, op: str) -> Case:
    shape, dtype, mode = draw.full_shape(2, 4), draw.type(op), draw.choose(("linear", "circular"))
    axis = draw.integer(1, len(shape) - 1)
    length = draw.integer(1, shape[axis])
    update = (*shape[:axis], length, *shape[axis + 1:])
    last = shape[axis] - 1 if mode == "circular" else shape[axis] - length
    where = draw.indices(last + 1, (shape[0],), negative=False) if draw.chance(0.7) else None
    return make(op, [draw.values(dtype, shape), draw.values(dtype, update), where],
                {"axis": axis - len(shape) * draw.flag(), "mode": mode}, BITS)


@cases_of("DepthToSpace", "SpaceToDepth")
def blocks(draw: Draw, op: str) -> Case:
    size = draw.integer(1, 3)
    batch, channels, height, width = draw.full_shape(4, 4)
    if op == "DepthToSpace":
        shape, attributes = (batch, channels * size * size, height, width), draw.attributes(mode=("DCR", "CRD"))
    else:
        shape, attributes = (batch, channels, height * size, width * size), {}
    return make(op, [draw.values(draw.type(op), shape)], {"blocksize": size, **attributes}, BITS)


@cases_of("CenterCropPad")
def center_crop_pad(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 4)
    axes = draw.axes(len(shape), 1) if draw.chance() else None
    count = len(shape) if axes is None else len(axes)
    dtype = draw.type(op)
    return make(op, [draw.values(dtype, shape), np.array(draw.integers(count, 1, 6), draw.type(op, "Tind"))],
                {"axes": axes} if axes is not None else {}, BITS,
                not_in={REFERENCE: "it pads texts with the number 0"} if dtype == object else {})


@cases_of("ReverseSequence")
def reverse_sequence(draw: Draw, op: str) -> Case:
    shape, time = draw.full_shape(2, 4), draw.flag()
    lengths = np.array([draw.integer(1, shape[time]) for _ in range(shape[1 - time])], np.int64)
    return make(op, [draw.values(draw.type(op), shape), lengths], {"time_axis": time, "batch_axis": 1 - time}, BITS)


@cases_of("Trilu")
def trilu(draw: Draw, op: str) -> Case:
    k = np.array(draw.choose((0, 1, -1, 2, -3, 10, -10)), np.int64) if draw.chance(0.7) else None
    dtype = draw.type(op)
    return make(op, [draw.values(dtype, draw.shape(2)), k], draw.attributes(upper=(0, 1)), BITS,
                not_in={REFERENCE: "it fills up texts with the number 0"} if dtype == object else {})


@cases_of("Compress")
def compress(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 4)
    axis = draw.axis(len(shape)) if draw.chance(0.7) else None
    size = math.prod(shape) if axis is None else shape[axis]
    return make(op, [draw.values(draw.type(op), shape), draw.values(BOOL, (draw.integer(1, size),))],
                {"axis": axis} if axis is not None else {}, BITS)


@cases_of("Unique")
def unique(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 3)
    attributes = draw.attributes(sorted=(0, 1)) | ({"axis": draw.axis(len(shape))} if draw.chance(0.4) else {})
    outputs = draw.integer(1, 4)
    return make(op, [draw.mild(draw.type(op), shape, 1.0)], attributes, VALUE, outputs,
                not_in={REFERENCE: "it sorts nonetheless, or takes another axis"} if not attributes.get("sorted", 1) else {})


@cases_of("NonZero")
def nonzero(draw: Draw, op: str) -> Case:
    return make(op, [draw.values(draw.type(op), draw.shape(1))])


@cases_of("OneHot")
def one_hot(draw: Draw, op: str) -> Case:
    shape, depth, dtype = draw.shape(1 if draw.chance(0.9) else 0, 3), draw.integer(1, 5), draw.type(op, "T3")
    indices = draw.type(op, "T1")
    values = draw.random.integers(-depth if is_float(indices) or indices.kind == "i" else 0, depth + 1, shape)
    depth_type = draw.type(op, "T2")
    # One engine computes with them, which is exact only for small integers.
    on_and_off = draw.words((2,)) if dtype == object else draw.random.integers(0, 2, 2).astype(dtype) + np.array([0, 1]).astype(dtype)
    return make(op, [values.astype(indices).reshape(shape), np.array(depth).astype(depth_type).reshape((1,) * draw.flag()),
                     on_and_off], {"axis": draw.integer(-len(shape) - 1, len(shape))}, BITS)


@cases_of("TopK")
def top_k(draw: Draw, op: str) -> Case:
    shape, dtype = draw.full_shape(1, 4), draw.type(op)
    axis = draw.axis(len(shape))
    values = draw.mild(dtype, shape)
    return make(op, [values, ints(draw.integer(0 if draw.chance(0.1) else 1, shape[axis]))],
                {"axis": axis, **draw.attributes(largest=(0, 1), sorted=(1,))}, outputs=2)


@cases_of("Shape")
def shape_of(draw: Draw, op: str) -> Case:
    attributes = draw.attributes(start=(0, 1, -1, 7, -7), end=(0, 2, -1, 9, -9))
    return make(op, [draw.values(draw.type(op), draw.shape())], attributes,
                not_in={REFERENCE: "it counts from the end twice"} if attributes.get("end") == -9 else {})


@cases_of("Size")
def size_of(draw: Draw, op: str) -> Case:
    return make(op, [draw.values(draw.type(op), draw.shape())])


@cases_of("EyeLike")
def eye_like(draw: Draw, op: str) -> Case:
    attributes = draw.attributes(k=(0, 1, -1, 3, -9)) | ({"dtype": element_type(draw.type(op, "T2"))} if draw.chance() else {})
    return make(op, [draw.mild(draw.type(op, "T1"), draw.shape(2, 2))], attributes)


@cases_of("Col2Im")
def col2im(draw: Draw, op: str) -> Case:
    image = draw.integers(2, 3, 7)
    block = [draw.integer(1, 3) for _ in image]
    moves = {"strides": draw.integers(2, 1, 2), "dilations": draw.integers(2, 1, 2), "pads": draw.integers(4, 0, 1)}
    attributes = {name: value for name, value in moves.items() if draw.chance(0.6)}
    steps = [attributes.get("strides", [1, 1])[i] for i in range(2)]
    pads, dilations = attributes.get("pads", [0] * 4), attributes.get("dilations", [1, 1])
    windows = [(image[i] + pads[i] + pads[i + 2] - dilations[i] * (block[i] - 1) - 1) // steps[i] + 1 for i in range(2)]
    shape = (draw.integer(1, 2), draw.integer(1, 2) * math.prod(block), max(math.prod(windows), 1))
    return make(op, [draw.mild(draw.type(op), shape), ints(*image), ints(*block)], attributes, SUM)


@cases_of("MaxUnpool")
def max_unpool(draw: Draw, op: str) -> Case:
    dtype, height, width = draw.type(op, "T1"), draw.integer(1, 3), draw.integer(1, 3)
    shape = (draw.integer(1, 2), draw.integer(1, 2), height, width)
    size = 4 * math.prod(shape)
    indices = np.array(draw.sample(range(size), size // 4), np.int64).reshape(shape)
    target = ints(*shape[:2], 2 * height + draw.flag(), 2 * width + draw.flag()) if draw.chance(0.3) else None
    return make(op, [draw.values(dtype, shape), indices, target], {"kernel_shape": [2, 2], "strides": [2, 2]})
