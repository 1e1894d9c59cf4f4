# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and pools with one, two and three spatial axes."""
import math
from typing import Any

from .builder import CHANNELS, FLOAT, FLOATS, MOST_PRODUCTS, Graph, Unfit, Value
from .elementwise import activation
from .normalize import batch, fixed


def is_image(x: Value) -> bool:
    return x.is_float and 3 <= x.rank <= 5 and x.count > 0 and min(array.shape[1] for array in x.arrays) > 0


def image(g: Graph) -> Value:
    """Picks a value that is an image, or adds an input."""
    if g.chance(0.85):
        try:
            return g.pick(is_image)
        except Unfit:
            pass
    axes = g.choose(1, 2, 2, 2, 2, 3)
    edge = (1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 9) if g.chance(0.8) else (12, 15, 16, 17, 20, 28, 31, 33)
    return g.add_input(FLOAT, [g.rng.randrange(1, 9), g.choose(*CHANNELS), *(g.rng.choice(edge) for _ in range(axes))])


def border(g: Graph, axes: int, most: int = 2) -> dict[str, Any]:
    kind = g.rng.random()
    if kind < 0.15:
        return {"auto_pad": g.choose("SAME_UPPER", "SAME_LOWER", "VALID")}
    if kind < 0.5:
        return {}
    if kind < 0.8:
        return {"pads": [g.rng.randrange(1, most + 1)] * (2 * axes)}
    return {"pads": [g.rng.randrange(most + 1) for _ in range(2 * axes)]}


def steps(g: Graph, axes: int, dilates: bool = True) -> dict[str, Any]:
    made = {}
    if g.chance(0.45):
        made["strides"] = [g.choose(1, 2, 2, 3) for _ in range(axes)] if g.chance(0.5) else [g.choose(2, 2, 3)] * axes
    if dilates and g.chance(0.2):
        made["dilations"] = [g.choose(1, 2, 2, 3) for _ in range(axes)]
    return made


def kernel(g: Graph, axes: int) -> list[int]:
    kind = g.rng.random()
    if kind < 0.25:
        return [1] * axes
    if kind < 0.65:
        return [3] * axes
    if kind < 0.8:
        return [g.choose(2, 4, 5, 7)] * axes
    return [g.rng.randrange(1, 6) for _ in range(axes)]


def group(g: Graph, channels: int) -> int:
    kind = g.rng.random()
    if kind < 0.6 or channels == 1:
        return 1
    if kind < 0.85:
        return channels
    return g.rng.choice([d for d in range(1, channels + 1) if channels % d == 0])


def check_fits(x: Value, size: list[int], attributes: dict[str, Any]) -> None:
    """Raises Unfit if a window is larger than the padded image: this is invalid, but not every engine reports it."""
    if attributes.get("auto_pad", "").startswith("SAME"):
        return
    axes = len(size)
    pads, gaps = attributes.get("pads", [0] * 2 * axes), attributes.get("dilations", [1] * axes)
    for array in x.arrays:
        for axis, edge in enumerate(array.shape[2:]):
            if edge + pads[axis] + pads[axes + axis] < (size[axis] - 1) * gaps[axis] + 1:
                raise Unfit


def check_covers(x: Value, size: list[int], attributes: dict[str, Any]) -> None:
    """Raises Unfit if windows with SAME padding do not reach the end of the image: then the padding would be negative.
    Invar and the convolutions of all engines begin at the first element. Of onnxruntime's pools, some begin in the middle
    and others refuse it; the reference evaluator's do the opposite."""
    if not attributes.get("auto_pad", "").startswith("SAME"):
        return
    strides = attributes.get("strides", [1] * len(size))
    for array in x.arrays:
        for edge, length, stride in zip(array.shape[2:], size, strides):
            if (-(-edge // stride) - 1) * stride + length < edge:
                raise Unfit


def conv(g: Graph, x: Value | None = None, results: int | None = None) -> Value:
    x = x or image(g)
    if not all(array.shape[1] == x.shape[1] for array in x.arrays):
        raise Unfit
    axes, channels = x.rank - 2, x.shape[1]
    groups, size = group(g, channels), kernel(g, x.rank - 2)
    if results is None:
        results = groups * (g.choose(1, 1, 2, 3) if groups == channels and groups > 1 else max(1, g.choose(*CHANNELS) // groups))
    elif results % groups:
        groups = 1
    inner = channels // groups * math.prod(size)
    if x.count * results // groups * math.prod(size) > MOST_PRODUCTS or results > 400:
        raise Unfit
    operands = [x, g.weight(x.type, [results, channels // groups, *size], 1.5 / math.sqrt(inner))]
    if g.chance(0.5):
        operands.append(g.weight(x.type, [results]))
    attributes = {"group": groups} if groups > 1 or g.chance(0.1) else {}
    attributes |= {**border(g, axes), **steps(g, axes)}
    check_fits(x, size, attributes)
    return g.node("Conv", operands, **attributes, **({"kernel_shape": size} if g.chance(0.5) else {}))


def conv_transpose(g: Graph) -> Value:
    x = image(g)
    if not all(array.shape[1] == x.shape[1] for array in x.arrays):
        raise Unfit
    axes, channels = x.rank - 2, x.shape[1]
    groups, size = group(g, channels), kernel(g, x.rank - 2)
    results = 1 if groups == channels else max(1, g.choose(*CHANNELS) // groups)
    if x.count * results * math.prod(size) > MOST_PRODUCTS:
        raise Unfit
    inner = channels // groups * math.prod(size)
    operands = [x, g.weight(x.type, [channels, results, *size], 1.5 / math.sqrt(inner))]
    if g.chance(0.4):
        operands.append(g.weight(x.type, [results * groups]))
    walk = steps(g, axes)
    attributes = {**border(g, axes, 1), **walk}
    if "strides" in walk and g.chance(0.3):
        attributes["output_padding"] = [g.rng.randrange(stride) for stride in walk["strides"]]
    return g.node("ConvTranspose", operands, group=groups, **attributes)


def pool(g: Graph) -> Value:
    x = image(g)
    axes = x.rank - 2
    op = g.choose("MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool")
    size = [g.choose(1, 2, 2, 3, 3, 4, 5) for _ in range(axes)] if g.chance(0.4) else [g.choose(2, 3)] * axes
    attributes = {"kernel_shape": size, **border(g, axes, max(1, min(size) - 1)), **steps(g, axes, False)}
    if "strides" not in attributes and g.chance(0.5):
        attributes["strides"] = size
    if any(2 * pad > min(size) for pad in attributes.get("pads", ())):
        attributes["pads"] = [min(pad, min(size) // 2) for pad in attributes["pads"]]
    since = {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[op]
    # With SAME padding and dilations, the sizes of onnxruntime's pools differ from the standard.
    if g.opset >= since and g.chance(0.2) and not attributes.get("auto_pad", "").startswith("SAME"):
        attributes["dilations"] = [g.choose(1, 2) for _ in range(axes)]
    # Engines differ on whether a last window of LpPool that begins in the padding counts.
    if g.chance(0.3) and (op != "LpPool" or g.opset >= 18 and not any(attributes.get("pads", ()))):
        attributes["ceil_mode"] = 1
    if op == "AveragePool" and g.chance(0.4):
        attributes["count_include_pad"] = 1
    if op == "LpPool" and g.chance(0.5):
        attributes["p"] = g.choose(1, 2, 3)
    check_fits(x, size, attributes)
    check_covers(x, size, attributes)
    if op == "MaxPool" and g.chance(0.1) and x.type in FLOATS:
        return g.node(op, [x], results=2, **attributes)[0]
    return g.node(op, [x], **attributes)


def global_pool(g: Graph) -> Value:
    x = image(g)
    return g.node(g.choose("GlobalMaxPool", "GlobalAveragePool", "GlobalAveragePool", "GlobalLpPool"), [x])


def block(g: Graph) -> Value:
    """Makes a convolution, typical operators after it, and a residual connection."""
    x = image(g)
    y = conv(g, x, x.shape[1] if g.chance(0.7) else None)
    if g.chance(0.4):
        y = batch(g, y)
    if g.chance(0.6):
        y = activation(g, y)
    if g.chance(0.4):
        y = conv(g, y, x.shape[1])
    other = x if x.shape == y.shape else g.weight(y.type, y.shape if y.has_one_shape() else [1] * y.rank)
    y = g.node(g.choose("Add", "Add", "Add", "Mul", "Sub", "Max"), g.rng.sample([y, other], 2))
    return activation(g, y) if g.chance(0.5) else y


def residual(g: Graph) -> Value:
    """Makes a convolution that keeps the image's size, and adds a tensor to it, sometimes one in another layout."""
    x = image(g)
    axes = x.rank - 2
    results, size = g.choose(x.shape[1], g.choose(*CHANNELS)), g.choose(1, 3, 3, 3, 5)
    inner = fixed(x, 1) * size ** axes
    if x.count * results * size ** axes > MOST_PRODUCTS or not x.has_one_shape():
        raise Unfit
    y = g.node("Conv", [x, g.weight(x.type, [results, x.shape[1], *[size] * axes], 1.5 / math.sqrt(inner))], pads=[size // 2] * (2 * axes))
    if g.chance(0.3):
        y = activation(g, y)
    if g.chance(0.4):  # Channels last.
        other = g.add_input(y.type, [y.shape[0], *y.shape[2:], y.shape[1]])
        other = g.node("Transpose", [other], perm=[0, y.rank - 1, *range(1, y.rank - 1)])
    else:
        other = g.add_input(y.type, list(y.shape))
    y = g.node(g.choose("Add", "Add", "Mul", "Sub"), g.rng.sample([y, other], 2))
    return activation(g, y) if g.chance(0.5) else y


def squeeze_excite(g: Graph) -> Value:
    x = g.pick(lambda v: is_image(v) and v.rank == 4)
    y = g.node(g.choose("GlobalAveragePool", "GlobalMaxPool"), [x])
    for _ in range(g.rng.randrange(0, 3)):
        y = conv(g, y, x.shape[1])
    return g.node("Mul", g.rng.sample([x, g.node(g.choose("Sigmoid", "HardSigmoid"), [y])], 2))


STEPS = {conv: 6, conv_transpose: 2, pool: 4, global_pool: 1, block: 4, residual: 3, squeeze_excite: 1}
