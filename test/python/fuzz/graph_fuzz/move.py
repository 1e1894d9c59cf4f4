# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that move, cut, join and repeat elements."""
import math

import numpy as np

from .builder import BOOL, FLOAT, INT, LONG, Graph, Unfit, Value
from .elementwise import binary, unary
from .normalize import fixed

LONGEST = np.iinfo(np.int64).max


def has_axes(v: Value) -> bool:
    return 1 <= v.rank <= 5


def transpose(g: Graph, x: Value | None = None) -> Value:
    x = x or g.pick(lambda v: 2 <= v.rank <= 6)
    if g.chance(0.1):
        return g.node("Transpose", [x])
    if x.rank >= 3 and g.chance(0.4):  # To channels last, or back.
        order = [0, *range(2, x.rank), 1] if g.chance(0.5) else [0, x.rank - 1, *range(1, x.rank - 1)]
    else:
        order = g.rng.sample(range(x.rank), x.rank)
    return g.node("Transpose", [x], perm=order)


def other_layout(g: Graph) -> Value:
    """Converts to channels last, applies an operator, and converts back."""
    x = g.pick(lambda v: 3 <= v.rank <= 5 and v.is_float)
    y = g.node("Transpose", [x], perm=[0, *range(2, x.rank), 1])
    for _ in range(g.rng.randrange(1, 4)):
        z = g.choose(unary, binary, cut, pad)(g)
        y = z if z.rank == y.rank else y
    return g.node("Transpose", [y], perm=[0, y.rank - 1, *range(1, y.rank - 1)])


def reshape(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank <= 5)
    if not x.has_one_shape():
        keeps = g.rng.randrange(x.rank)
        if g.chance(0.5):
            return g.node("Reshape", [x, g.ints(*([0] * keeps), -1)])
        return g.node("Flatten", [x], axis=g.axis(x))
    shape = list(x.shape)
    for _ in range(g.rng.randrange(1, 3)):
        if g.chance(0.5) and len(shape) >= 2:
            begin = g.rng.randrange(len(shape) - 1)
            shape[begin:begin + 2] = [shape[begin] * shape[begin + 1]]
        elif shape:
            axis = g.rng.randrange(len(shape))
            part = g.rng.choice([d for d in range(1, shape[axis] + 1) if shape[axis] % d == 0] or [1])
            shape[axis:axis + 1] = g.rng.sample([part, shape[axis] // part], 2)
        else:
            shape = [1]
    target = [0 if i < x.rank and x.shape[i] == size and g.chance(0.3) else size for i, size in enumerate(shape)]
    if g.chance(0.4) and target and x.count:
        target[g.rng.randrange(len(target))] = -1
    return g.node("Reshape", [x, g.ints(*target)])


def to_image(g: Graph) -> Value:
    """Makes a tensor an image, for later operators."""
    x = g.pick(lambda v: v.rank in (2, 3) and v.is_float and v.has_one_shape() and v.count)
    if x.rank == 2:
        return g.axes_node("Unsqueeze", x, [g.choose(0, 1, 2)], 13)
    return g.axes_node("Unsqueeze", x, [g.choose(0, 1, 2, 3, -1)], 13)


def squeeze(g: Graph) -> Value:
    x = g.pick(lambda v: any(all(a.shape[i] == 1 for a in v.arrays) for i in range(v.rank)))
    ones = [i for i in range(x.rank) if all(a.shape[i] == 1 for a in x.arrays)]
    axes = g.rng.sample(ones, g.rng.randrange(1, len(ones) + 1))
    return g.axes_node("Squeeze", x, [axis - x.rank if g.chance(0.3) else axis for axis in axes], 13)


def unsqueeze(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank <= 4)
    return g.axes_node("Unsqueeze", x, [g.rng.randrange(-x.rank - 1, x.rank + 1)], 13)


def cut(g: Graph) -> Value:
    x = g.pick(has_axes)
    axes = g.rng.sample(range(x.rank), g.rng.randrange(1, min(x.rank, 3) + 1))
    starts, ends, steps = [], [], []
    for axis in axes:
        size = x.shape[axis]
        step = g.choose(1, 1, 1, 1, 2, 3, -1, -1, -2)
        kind = g.rng.random()
        start, end = (g.rng.randrange(-size - 1, size + 2) for _ in range(2))
        if kind < 0.35:
            start, end = sorted((abs(start), abs(end)), reverse=step < 0)
        elif kind < 0.55:
            start, end = (0, LONGEST) if step > 0 else (-1, -LONGEST - 1)
        elif kind < 0.7:
            start, end = (g.choose(0, 1), -1) if step > 0 else (-1, 0)
        starts.append(start), ends.append(end), steps.append(step)
    dtype = LONG if max(map(abs, ends)) > 2**31 - 1 else g.choose(LONG, LONG, INT)
    numbers = {"starts": starts, "ends": ends, "axes": [axis - x.rank if g.chance(0.3) else axis for axis in axes]}
    if steps != [1] * len(steps) or g.chance(0.2):
        numbers["steps"] = steps
    y = g.numbered("Slice", x, 10, numbers, dtype)
    if not y.count and g.chance(0.85):
        g.values.remove(y)  # Otherwise empty tensors would become too frequent.
    return y


def pad(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.type in (FLOAT, INT, LONG) and v.count)
    modes = ["constant", "constant", "edge", "reflect"] + (["wrap"] if g.opset >= 19 else [])
    mode = g.rng.choice(modes)
    most = 3 if mode == "constant" else 1
    pads = [g.rng.randrange(most + 1) if g.chance(0.5) else 0 for _ in range(2 * x.rank)]
    if mode == "constant" and g.chance(0.2):
        pads[g.rng.randrange(len(pads))] = -1
    least = [min(array.shape[i] for array in x.arrays) for i in range(x.rank)]
    if mode in ("reflect", "wrap") and any(max(pair) >= size for pair, size in zip(zip(pads, pads[x.rank:]), least)):
        raise Unfit
    if g.opset < 11:
        return g.node("Pad", [x], pads=pads, mode=mode, **({"value": g.choose(0.0, 1.0, -1.0)} if g.chance(0.5) else {}))
    operands = [x, g.ints(*pads)]
    if mode == "constant" and g.chance(0.5):
        operands.append(g.scalar(g.choose(0, 1, -1, 2), x.type))
    return g.node("Pad", operands, mode=mode)


def concat(g: Graph) -> Value:
    x = g.pick(has_axes)
    axis = g.axis(x)
    at = axis % x.rank
    parts = [x]

    def around(shape) -> tuple:
        return (*shape[:at], *shape[at + 1:])
    for _ in range(g.rng.randrange(1, 4)):
        fitting = [y for y in g.values if y.type == x.type and y.rank == x.rank and
                   all(around(a.shape) == around(b.shape) for a, b in zip(x.arrays, y.arrays))]
        if g.chance(0.35) and len({around(a.shape) for a in x.arrays}) == 1:
            parts.append(g.weight(x.type, [*x.shape[:at], g.rng.randrange(0, 5), *x.shape[at + 1:]]))
        else:
            parts.append(g.rng.choice(fitting))
    g.rng.shuffle(parts)
    return g.node("Concat", parts, axis=axis)


def split(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and max(v.shape) > 1)
    axis = g.rng.choice([i for i, size in enumerate(x.shape) if size > 1])
    size = fixed(x, axis)
    count = g.rng.randrange(1, min(size, 4) + 1)
    cuts = sorted(g.rng.randrange(0, size + 1) for _ in range(count - 1))
    sizes = [end - begin for begin, end in zip([0, *cuts], [*cuts, size])]
    axis = axis - x.rank if g.chance(0.3) else axis
    if size % count == 0 and g.chance(0.4):
        made = g.node("Split", [x], results=count, axis=axis, **({"num_outputs": count} if g.opset >= 18 else {}))
    else:
        made = g.numbered("Split", x, 13, {"split": sizes}, results=count, axis=axis)
    parts = made if isinstance(made, list) else [made]
    for part in parts:
        if not part.count and part in g.values:
            g.values.remove(part)
    if g.chance(0.3):  # Join the parts again, possibly in another order.
        return g.node("Concat", g.rng.sample(parts, len(parts)), axis=axis)
    return parts[0]


def indices(g: Graph, size: int, shape) -> np.ndarray:
    drawn = g.numbers.integers(0, size, shape)
    return np.where(g.numbers.random(shape) < 0.2, drawn - size, drawn).astype(g.choose(LONG, LONG, INT))


def index_operand(g: Graph, array: np.ndarray) -> Value:
    if g.chance(0.75):
        return g.constant(array)
    return g.ints(*array.flat, dtype=array.dtype) if array.ndim == 1 and g.chance(0.5) else known_input(g, array)


def known_input(g: Graph, array: np.ndarray) -> Value:
    """Makes an input with this content: indices must be in range."""
    value = g.add_input(array.dtype, list(array.shape), is_operand=False)
    g.known[value.name] = value._replace(arrays=(array,) * g.choices)
    return g.known[value.name]


def gather(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.is_whole())
    axis = g.axis(x)
    size = min(a.shape[axis] for a in x.arrays)
    rank = g.choose(0, 0, 1, 1, 2)
    if x.rank + rank > 6:
        raise Unfit
    return g.node("Gather", [x, index_operand(g, indices(g, size, [g.rng.randrange(1, 5) for _ in range(rank)]))], axis=axis)


def gather_elements(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.is_whole())
    axis = g.axis(x)
    shape = [min(a.shape[i] for a in x.arrays) for i in range(x.rank)]
    least = shape[axis]
    shape = [g.rng.randrange(1, size + 1) if g.chance(0.3) else size for size in shape]
    return g.node("GatherElements", [x, index_operand(g, indices(g, least, shape))], axis=axis)


def gather_nd(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.has_one_shape() and v.count)
    batch = g.choose(0, 0, 1) if x.rank > 1 else 0
    depth = g.rng.randrange(1, x.rank - batch + 1)
    lead = [*x.shape[:batch], *(g.rng.randrange(1, 4) for _ in range(g.choose(1, 1, 2)))]
    drawn = np.stack([indices(g, x.shape[batch + i], lead).astype(LONG) for i in range(depth)], -1)
    return g.node("GatherND", [x, index_operand(g, drawn)], batch_dims=batch)


def scatter_elements(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.has_one_shape() and v.count and v.type in (FLOAT, LONG, INT))
    axis = g.axis(x) % x.rank
    shape = [g.rng.randrange(1, size + 1) if g.chance(0.4) else size for size in x.shape]
    # Each place at most once: the order of writes is undefined.
    order = np.argsort(g.numbers.random(x.shape), axis)[tuple(slice(0, size) for size in shape)]
    how = {} if g.opset < 18 or g.chance(0.5) else {"reduction": g.choose("none", "add", "mul", "max", "min")}
    return g.node("ScatterElements", [x, index_operand(g, order.astype(LONG)), g.weight(x.type, shape)], axis=axis, **how)


def scatter_nd(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.has_one_shape() and v.count and v.type in (FLOAT, LONG, INT))
    depth = g.rng.randrange(1, x.rank + 1)
    places = math.prod(x.shape[:depth])
    chosen = g.numbers.permutation(places)[:g.rng.randrange(1, min(places, 6) + 1)]
    drawn = np.stack(np.unravel_index(chosen, x.shape[:depth]), -1).astype(LONG)
    how = {} if g.opset < 18 or g.chance(0.5) else {"reduction": g.choose("none", "add", "mul", "max", "min")}
    return g.node("ScatterND", [x, index_operand(g, drawn), g.weight(x.type, [len(chosen), *x.shape[depth:]])], **how)


def expand(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank <= 4 and v.count < 4096)
    shape = [g.choose(1, 2, 3, 8, 17) if size == 1 else g.choose(1, size) if x.has_one_shape() else 1 for size in x.shape]
    return g.node("Expand", [x, g.ints(*([g.choose(1, 2, 3)] if g.chance(0.2) else []), *shape)])


def tile(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.count < 4096)
    return g.node("Tile", [x, g.ints(*(g.choose(1, 1, 2, 3) for _ in x.shape))])


def blocks(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank == 4 and v.is_float and v.has_one_shape() and v.count)
    n, c, h, w = x.shape
    size = g.choose(2, 2, 3)
    if c % (size * size) == 0:
        return g.node("DepthToSpace", [x], blocksize=size, mode=g.choose("DCR", "CRD"))
    if h % size or w % size:
        raise Unfit
    return g.node("SpaceToDepth", [x], blocksize=size)


def resize(g: Graph) -> Value:
    x = g.pick(lambda v: v.rank in (3, 4, 5) and v.type == FLOAT and v.is_whole() and v.count < 8192)
    mode = g.choose("nearest", "nearest", "linear", "cubic") if x.rank == 4 else g.choose("nearest", "linear")
    attributes = {"mode": mode, "coordinate_transformation_mode": g.choose(
        "half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")}
    if mode == "nearest":
        attributes["nearest_mode"] = g.choose("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")
    if g.chance(0.5) or not x.has_one_shape():
        scales = [1.0, 1.0, *(g.choose(1.0, 2.0, 2.0, 3.0, 0.5, 1.5) for _ in range(x.rank - 2))]
        # For align_corners, onnxruntime uses the rounded size, the standard the unrounded one.
        has_parts = any(size * scale % 1 for array in x.arrays for size, scale in zip(array.shape, scales))
        if has_parts and attributes["coordinate_transformation_mode"] == "align_corners":
            raise Unfit
        return g.node("Resize", [x, None, g.constant(np.array(scales, np.float32))], **attributes)
    # Sizes one beside the old ones: some modes then read a part of the axis as it is.
    is_beside = g.chance(0.3)
    sizes = [*x.shape[:2], *(max(1, size + g.choose(-1, 0, 1)) if is_beside else g.rng.randrange(1, 2 * size + 2) for size in x.shape[2:])]
    return g.node("Resize", [x, None, None, g.constant(np.array(sizes, LONG))], **attributes)


def sampled(g: Graph) -> Value:
    """Samples an image at the places of a grid."""
    x = g.pick(lambda v: v.rank == 4 and v.type == FLOAT and v.has_one_shape() and v.count)
    if g.opset < 16:
        raise Unfit
    mode = g.choose("bilinear", "nearest") if g.opset < 20 else g.choose("linear", "nearest")
    places = g.numbers.uniform(-1.3, 1.3, [x.shape[0], g.rng.randrange(1, 6), g.rng.randrange(1, 6), 2]).astype(np.float32)
    return g.node("GridSample", [x, index_operand(g, places)], mode=mode, align_corners=g.choose(0, 1),
                  padding_mode=g.choose("zeros", "border", "reflection"))


def where_not_zero(g: Graph) -> Value:
    """Makes a size that depends on the data."""
    x = g.pick(lambda v: 1 <= v.rank <= 3 and v.type in (FLOAT, LONG, INT, BOOL) and v.count < 1000)
    return g.node("NonZero", [x if x.type == BOOL else g.node("Greater", [x, g.scalar(0, x.type)])])


def choose_rows(g: Graph) -> Value:
    x = g.pick(lambda v: has_axes(v) and v.has_one_shape() and v.type in (FLOAT, LONG, INT, BOOL))
    axis = g.axis(x)
    return g.node("Compress", [x, known_input(g, g.content(BOOL, [x.shape[axis]])) if g.chance(0.3) else
                               g.constant(g.content(BOOL, [x.shape[axis]]))], axis=axis)


def turned(g: Graph) -> Value:
    kind = g.choose("Trilu", "ReverseSequence", "OneHot", "EyeLike")
    if kind == "Trilu" and g.opset >= 14:
        x = g.pick(lambda v: v.rank >= 2 and v.type in (FLOAT, LONG, BOOL))
        return g.node("Trilu", [x, g.scalar(g.choose(-2, -1, 0, 1, 2), LONG)], upper=g.choose(0, 1))
    if kind == "ReverseSequence":
        x = g.pick(lambda v: v.rank >= 2 and v.has_one_shape() and v.type == FLOAT and min(v.shape[:2]) > 0)
        at = g.choose(0, 1)
        lengths = g.numbers.integers(1, x.shape[at] + 1, [x.shape[1 - at]]).astype(LONG)
        return g.node("ReverseSequence", [x, index_operand(g, lengths)], time_axis=at, batch_axis=1 - at)
    if kind == "OneHot":
        x = g.pick(lambda v: v.type in (LONG, INT) and v.rank <= 3)
        return g.node("OneHot", [x, g.scalar(g.choose(3, 8), LONG), g.constant(np.array([0, 1], np.float32))],
                      axis=g.rng.randrange(-x.rank - 1, x.rank + 1))
    x = g.pick(lambda v: v.rank == 2 and v.type in (FLOAT, LONG, INT))
    return g.node("EyeLike", [x], k=g.choose(-1, 0, 1))


def sizes(g: Graph) -> Value:
    """Computes with shapes as models do: a view whose sizes come from another value."""
    x = g.pick(lambda v: 1 <= v.rank <= 4 and v.count)
    kind = g.rng.random()
    shape = g.node("Shape", [x], is_operand=False)
    if kind < 0.3:
        return g.node("Expand", [g.weight(FLOAT, [1]), shape])
    if kind < 0.5:
        return g.node("ConstantOfShape", [shape])
    if kind < 0.75:
        if not x.is_whole():  # Here a computed size of 0 means 0 (docs/Shapes.md); other engines copy the input's size.
            raise Unfit
        one = g.node("Gather", [shape, g.scalar(g.axis(x), LONG)], is_operand=False)
        last = g.axes_node("Unsqueeze", one, [0], 13, is_operand=False)
        return g.node("Reshape", [x, g.node("Concat", [last, g.ints(-1)], axis=0, is_operand=False)])
    one = g.node("Gather", [shape, g.scalar(0, LONG)], is_operand=False)
    return g.node("Range", [g.scalar(0, LONG), one, g.scalar(1, LONG)])


STEPS = {transpose: 5, other_layout: 2, reshape: 4, to_image: 2, squeeze: 1, unsqueeze: 1.5, cut: 4, pad: 2, concat: 3, split: 2,
         gather: 2, gather_elements: 1, gather_nd: 1, scatter_elements: 1, scatter_nd: 1, expand: 1.5, tile: 1, blocks: 1,
         resize: 1.5, sampled: 0.5, where_not_zero: 0.3, choose_rows: 0.5, turned: 1, sizes: 1}
