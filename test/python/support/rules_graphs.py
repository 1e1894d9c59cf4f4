# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws random graphs whose outputs are exact, for rules_random.py and old_opsets.py.

A graph is drawn node by node. Each value has a type and the shape for the first choice of named sizes, which
determine what fits. Floats are small integers or, in graphs without sums, any numbers, so that every operator is
exact, in any order of additions.
"""
import random
from typing import Any, Callable, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSETS = (11, 13, 17, 18, 21)
NAMES = {"n": (3, 1, 0), "m": (2, 5, 4), "k": (4, 1, 2)}  # The sizes for each choice.
SPECIAL = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e-40, 0.1, -2.5, 3e38)
FLOAT, INT, LONG, BYTE, BOOL, HALF, SIGNED = (np.float32, np.int32, np.int64, np.uint8, np.bool_, np.float16, np.int8)


class Tensor(NamedTuple):
    name: str
    type: type
    shape: tuple[int, ...]

    @property
    def rank(self) -> int:
        return len(self.shape)


class Graph:
    def __init__(self, rng: random.Random, prefix: str):
        self.rng, self.prefix = rng, prefix
        self.opset = rng.choice(OPSETS)
        self.is_dynamic = rng.random() < 0.5
        self.has_specials = rng.random() < 0.4
        self.nodes: list = []
        self.inputs: list = []
        self.outputs: list = []
        self.initializers: list = []
        self.values: list[Tensor] = []
        self.sizes: dict[str, list[int | str]] = {}
        self.types: dict[str, type] = {}
        self.hidden: list[Tensor] = []  # Not used by new nodes any more, but possible outputs.

    # Values and nodes.

    def name(self) -> str:
        return f"{self.prefix}{len(self.nodes) + len(self.initializers) + len(self.inputs)}"

    def add_input(self, type: type, rank: int) -> Tensor:
        name, sizes, shape = self.name(), [], []
        for _ in range(rank):
            axis = self.rng.choice(list(NAMES)) if self.is_dynamic and self.rng.random() < 0.5 else self.rng.choice((1, 2, 3, 4, 6))
            sizes.append(axis)
            shape.append(NAMES[axis][0] if isinstance(axis, str) else axis)
        # Several graphs are in one model, so each needs its own names.
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(type)), [
            self.prefix + size if isinstance(size, str) else size for size in sizes]))
        self.sizes[name], self.types[name] = sizes, type
        return self.keep(Tensor(name, type, tuple(shape)))

    def content(self, type: type, shape: tuple[int, ...], rng: random.Random, few: bool = False) -> np.ndarray:
        count = int(np.prod(shape))
        if type == BOOL:
            numbers = [rng.random() < 0.5 for _ in range(count)]
        elif type in (BYTE,):
            numbers = [rng.randrange(0, 6 if few else 256) for _ in range(count)]
        elif type == SIGNED:
            numbers = [rng.randrange(-128, 128) for _ in range(count)]
        elif type in (FLOAT, HALF) and self.has_specials and not few:
            numbers = [rng.choice(SPECIAL) for _ in range(count)]
        else:
            numbers = [rng.randrange(-6, 7) for _ in range(count)]
        with np.errstate(over="ignore"):
            return np.array(numbers).astype(type).reshape(shape)

    def constant(self, content: np.ndarray) -> str:
        name = self.name()
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(content).reshape(content.shape), name))
        return name

    def ints(self, *numbers: int, type: type = LONG) -> str:
        return self.constant(np.array(numbers, type))

    def keep(self, value: Tensor) -> Tensor:
        self.values.append(value)
        return value

    def make(self, op: str, inputs: list[Any], shape: Any, type: type | None = None, **attributes: Any) -> Tensor:
        """Adds a node with one result; operands are tensors or names."""
        names = [operand.name if isinstance(operand, Tensor) else operand for operand in inputs]
        first = inputs[0]
        name = self.name()
        self.nodes.append(helper.make_node(op, names, [name], name=f"node_{name}", **attributes))
        return self.keep(Tensor(name, type or first.type, tuple(int(size) for size in shape)))

    def axes(self, op: str, x: Tensor, axes: list[int], shape: Any, since: int = 13, **attributes: Any) -> Tensor:
        """Adds a node whose axes are an operand since an opset."""
        if self.opset < since:
            return self.make(op, [x], shape, axes=axes, **attributes)
        return self.make(op, [x, self.ints(*axes)], shape, **attributes)

    # Queries.

    @property
    def choices(self) -> int:
        """The number of choices of named sizes. The standard does not define the maximum of no elements."""
        reduces = any(node.op_type.startswith(("Reduce", "Arg")) for node in self.nodes)
        return 3 if not reduces and any(isinstance(size, str) for sizes in self.sizes.values() for size in sizes) else 1

    def feeds(self, choice: int) -> dict[str, np.ndarray]:
        rng = random.Random(f"{self.prefix}{choice}")
        feeds = {}
        for name, sizes in self.sizes.items():
            shape = tuple(NAMES[size][choice] if isinstance(size, str) else size for size in sizes)
            feeds[name] = self.content(self.types[name], shape, rng)
        return feeds

    def text(self) -> str:
        known = {t.name: np.array2string(numpy_helper.to_array(t), threshold=20, separator=",").replace("\n", "")
                 for t in self.initializers}
        lines = [f"opset {self.opset}" + "".join(f", {n}: {self.types[n].__name__}{s}" for n, s in self.sizes.items())]
        for node in self.nodes:
            attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute if a.type != a.GRAPH}
            lines.append(f"{', '.join(node.output)} = {node.op_type}({', '.join(known.get(n, n) for n in node.input)}) {attributes or ''}")
        return "\n  ".join([*lines, "-> " + ", ".join(o.name for o in self.outputs)])

    def pick(self, fits: Callable[[Tensor], bool] = lambda value: True) -> Tensor:
        """Picks a value, usually one of the latest, so that chains grow."""
        found = [value for value in self.values if fits(value) and np.prod(value.shape) <= 600]
        if not found:
            raise Unfit
        return self.rng.choice(found[-3:] if self.rng.random() < 0.75 else found)

    def axis(self, x: Tensor) -> int:
        return self.rng.randrange(x.rank)

    def either(self, axis: int, rank: int) -> int:
        """Returns the axis counted from the front or from the back."""
        return axis - rank if self.rng.random() < 0.3 else axis


class Unfit(Exception):
    """The drawn node does not fit the existing values."""


def replaced(shape: tuple[int, ...], axis: int, *sizes: int) -> tuple[int, ...]:
    return (*shape[:axis], *sizes, *shape[axis + 1:])


def has_axes(x: Tensor) -> bool:
    return 1 <= x.rank <= 5


def is_number(x: Tensor) -> bool:
    return x.type in (FLOAT, INT, LONG)


# Movement.

def transpose(g: Graph, x: Tensor | None = None, perm: list[int] | None = None) -> Tensor:
    x = x or g.pick(lambda x: x.rank >= 2)
    if perm is None:
        perm = g.rng.sample(range(x.rank), x.rank)
        if g.rng.random() < 0.1:
            return g.make("Transpose", [x], x.shape[::-1])
    return g.make("Transpose", [x], [x.shape[axis] for axis in perm], perm=perm)


def reshape(g: Graph, x: Tensor | None = None) -> Tensor:
    x = x or g.pick()
    count = int(np.prod(x.shape))
    shape, rest = [], count
    if g.rng.random() < 0.4 and x.rank >= 2:  # Join some axes.
        begin = g.rng.randrange(x.rank - 1)
        shape = [*x.shape[:begin], x.shape[begin] * x.shape[begin + 1], *x.shape[begin + 2:]]
    else:
        for _ in range(g.rng.randrange(4)):
            size = g.rng.choice([d for d in (1, 2, 3, 4, 6) if rest % d == 0])
            shape.append(size)
            rest //= max(size, 1)
        shape.append(rest)
        g.rng.shuffle(shape)
    target = [0 if i < x.rank and x.shape[i] == size and g.rng.random() < 0.5 else size for i, size in enumerate(shape)]
    if g.rng.random() < 0.5 and target:
        target[g.rng.randrange(len(target))] = -1
    return g.make("Reshape", [x, g.ints(*target)], shape)


def flatten(g: Graph) -> Tensor:
    x = g.pick()
    axis = g.rng.randrange(x.rank + 1)
    return g.make("Flatten", [x], [np.prod(x.shape[:axis], dtype=int), np.prod(x.shape[axis:], dtype=int)], axis=axis)


def unsqueeze(g: Graph, x: Tensor | None = None, axis: int | None = None) -> Tensor:
    x = x or g.pick(lambda x: x.rank <= 3)
    axis = g.rng.randrange(x.rank + 1) if axis is None else axis
    return g.axes("Unsqueeze", x, [g.either(axis, x.rank + 1)], (*x.shape[:axis], 1, *x.shape[axis:]))


def squeeze(g: Graph) -> Tensor:
    x = g.pick(lambda x: 1 in x.shape)
    ones = [axis for axis, size in enumerate(x.shape) if size == 1]
    axes = g.rng.sample(ones, g.rng.randrange(1, len(ones) + 1))
    shape = [size for axis, size in enumerate(x.shape) if axis not in axes]
    return g.axes("Squeeze", x, [g.either(axis, x.rank) for axis in axes], shape)


def cut(g: Graph, x: Tensor | None = None) -> Tensor:
    x = x or g.pick(has_axes)
    axes = g.rng.sample(range(x.rank), g.rng.randrange(1, min(x.rank, 2) + 1))
    starts, ends, steps, shape = [], [], [], list(x.shape)
    for axis in axes:
        step = g.rng.choice((1, 1, 1, 1, 2, 3, -1, -2))
        numbers = [g.rng.randrange(-x.shape[axis] - 2, x.shape[axis] + 3) for _ in range(2)]
        if g.rng.random() < 0.6:
            numbers = sorted(abs(number) for number in numbers)
        start, end = numbers
        if g.rng.random() < 0.2:
            start, end = (0, np.iinfo(np.int64).max) if step > 0 else (-1, np.iinfo(np.int64).min)
        # numpy and ONNX agree except for ends before the beginning.
        shape[axis] = len(range(x.shape[axis])[slice(start, end, step)])
        starts.append(start), ends.append(end), steps.append(step)
    operands = [x, g.ints(*starts), g.ints(*ends), g.ints(*(g.either(axis, x.rank) for axis in axes))]
    if steps != [1] * len(steps) or g.rng.random() < 0.2:
        operands.append(g.ints(*steps))
    return g.make("Slice", operands, shape)


def pad(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and x.type in (FLOAT, INT, LONG))
    begins, ends = ([g.rng.choice((0, 0, 0, 1, 2, -1)) for _ in x.shape] for _ in range(2))
    shape = [size + begin + end for size, begin, end in zip(x.shape, begins, ends)]
    if min(shape) < 1 or min(x.shape) < 3 and min(begins + ends) < 0:
        raise Unfit
    operands: list[Any] = [x, g.ints(*begins, *ends)]
    if g.rng.random() < 0.7:
        operands.append(g.constant(np.array(g.rng.randrange(-2, 3), x.type)))
    return g.make("Pad", operands, shape)


def concat(g: Graph) -> Tensor:
    x = g.pick(has_axes)
    axis = g.axis(x)
    parts = [x]
    for _ in range(g.rng.randrange(0, 4)):
        fitting = [y for y in g.values if y.type == x.type and y.rank == x.rank and
                   replaced(y.shape, axis, 0) == replaced(x.shape, axis, 0)]
        if g.rng.random() < 0.35:
            shape = replaced(x.shape, axis, g.rng.randrange(0, 4))
            parts.append(Tensor(g.constant(g.content(x.type, shape, g.rng)), x.type, shape))
        else:
            parts.append(g.rng.choice(fitting))
    g.rng.shuffle(parts)
    size = sum(part.shape[axis] for part in parts)
    return g.make("Concat", parts, replaced(x.shape, axis, size), axis=g.either(axis, x.rank))


def split(g: Graph, x: Tensor | None = None, axis: int | None = None) -> list[Tensor]:
    x = x or g.pick(lambda x: has_axes(x) and max(x.shape) > 1)
    axis = g.rng.choice([a for a, size in enumerate(x.shape) if size > 1]) if axis is None else axis
    size = x.shape[axis]
    count = g.rng.randrange(1, min(size, 4) + 1)
    cuts = sorted(g.rng.randrange(0, size + 1) for _ in range(count - 1))
    sizes = [end - begin for begin, end in zip([0, *cuts], [*cuts, size])]
    attributes: dict[str, Any] = {"axis": g.either(axis, x.rank)}
    operands = [x.name]
    if g.opset < 13:
        attributes["split"] = sizes
    else:
        operands.append(g.ints(*sizes))
    names = [f"{g.name()}_{i}" for i in range(count)]
    g.nodes.append(helper.make_node("Split", operands, names, **attributes))
    return [g.keep(Tensor(name, x.type, replaced(x.shape, axis, size))) for name, size in zip(names, sizes)]


def gather(g: Graph, x: Tensor | None = None) -> Tensor:
    x = x or g.pick(lambda x: has_axes(x) and min(x.shape) > 0)
    axis = g.axis(x)
    size = x.shape[axis]
    rank = g.rng.choice((0, 0, 1, 1, 2))
    shape = tuple(g.rng.randrange(1, 4) for _ in range(rank))
    indices = np.array([g.rng.randrange(-size, size) for _ in range(int(np.prod(shape)))], LONG).reshape(shape)
    if g.rng.random() < 0.3:
        indices = np.arange(*g.rng.choice(((0, size), (0, size), (size - 1, -1, -1), (0, size, 2))), dtype=LONG)
    if g.rng.random() < 0.3:
        indices = indices.astype(INT)
    if x.rank + indices.ndim - 1 > 5:
        raise Unfit
    return g.make("Gather", [x, g.constant(indices)], replaced(x.shape, axis, *indices.shape), axis=g.either(axis, x.rank))


def gather_elements(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and min(x.shape) > 0)
    axis = g.axis(x)
    shape = replaced(x.shape, axis, g.rng.choice((x.shape[axis], 2)))
    indices = np.indices(shape)[axis] % x.shape[axis]
    if g.rng.random() < 0.3:
        indices = indices[::-1]
    return g.make("GatherElements", [x, g.constant(indices.astype(LONG))], shape, axis=axis)


def expand(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.rank <= 4)
    shape = [g.rng.choice((size, size, 2)) if size == 1 else size for size in x.shape]
    if g.rng.random() < 0.2:
        shape = [2, *shape]
    target = [1 if i < 0 or size == x.shape[i] and g.rng.random() < 0.3 else size
              for i, size in enumerate(shape, x.rank - len(shape))]
    shape = np.broadcast_shapes(x.shape, tuple(target))
    return g.make("Expand", [x, g.ints(*target)], shape)


def tile(g: Graph) -> Tensor:
    x = g.pick(has_axes)
    repeats = [g.rng.choice((1, 1, 1, 2)) for _ in x.shape]
    return g.make("Tile", [x, g.ints(*repeats)], [size * times for size, times in zip(x.shape, repeats)])


def identity(g: Graph) -> Tensor:
    x = g.pick()
    op = g.rng.choice(("Identity", "Identity", "Dropout"))
    if op == "Dropout" and x.type != FLOAT:
        raise Unfit
    return g.make(op, [x], x.shape)


def resize(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.type == FLOAT and x.rank == 4 and min(x.shape) > 0)
    scales = [1.0, 1.0, g.rng.choice((1.0, 2.0)), g.rng.choice((1.0, 2.0))]
    region = "" if g.opset >= 13 else g.constant(np.zeros(0, np.float32))
    return g.make("Resize", [x, region, g.constant(np.array(scales, np.float32))],
                  [size * int(scale) for size, scale in zip(x.shape, scales)], mode=g.rng.choice(("nearest", "linear")) if scales == [1.0] * 4 else "nearest",
                  coordinate_transformation_mode="asymmetric", nearest_mode="floor")


def pool(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.type == FLOAT and x.rank == 4 and min(x.shape[2:]) > 1 and min(x.shape) > 0)
    if g.has_specials:
        raise Unfit  # The standard does not define pooling of NaN.
    kernel = [g.rng.choice((1, 2)) for _ in range(2)]
    op = g.rng.choice(("MaxPool", "AveragePool")) if kernel == [1, 1] else "MaxPool"
    return g.make(op, [x], [*x.shape[:2], *(size - k + 1 for size, k in zip(x.shape[2:], kernel))], kernel_shape=kernel)


def compress(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and x.type in (FLOAT, LONG, BOOL))
    axis = g.axis(x)
    chosen = np.array([g.rng.random() < 0.8 for _ in range(x.shape[axis])])
    if g.rng.random() < 0.4:
        chosen[:] = True
    return g.make("Compress", [x, g.constant(chosen)], replaced(x.shape, axis, int(chosen.sum())), axis=axis)


# Elementwise operators.

def unary(g: Graph, x: Tensor | None = None) -> Tensor:
    x = x or g.pick()
    ops = {FLOAT: ("Neg", "Abs", "Relu", "Floor", "Sqrt", "Sign", "Reciprocal", "Ceil", "LeakyRelu"), INT: ("Neg", "Abs", "Sign"),
           LONG: ("Neg", "Abs", "Sign"), BOOL: ("Not",)}
    if x.type not in ops:
        raise Unfit
    op = g.rng.choice(ops[x.type])
    if op in ("Sqrt", "Reciprocal", "LeakyRelu") and not g.has_specials:
        raise Unfit  # Sums would not be exact any more.
    return g.make(op, [x], x.shape)


def clip(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.type == FLOAT and not g.has_specials)
    bounds = sorted(g.rng.sample(range(-3, 5), 2))
    names = [g.constant(np.array(bound, np.float32)) if g.rng.random() < 0.6 else "" for bound in bounds]
    return g.make("Clip", [x, *names], x.shape)


def partner(g: Graph, x: Tensor) -> Tensor:
    """Returns a value that can be broadcast with x."""
    if g.rng.random() < 0.45:
        found = [y for y in g.values if y.type == x.type and y.rank <= x.rank and
                 all(a == b or 1 in (a, b) for a, b in zip(x.shape[::-1], y.shape[::-1]))]
        if found:
            return g.rng.choice(found)
    rank = g.rng.choice((0, 0, 1, x.rank, x.rank))
    shape = tuple(g.rng.choice((1, size)) for size in x.shape[x.rank - min(rank, x.rank):])
    content = g.content(x.type, shape, g.rng)
    if g.rng.random() < 0.2 and x.type != BOOL:
        content[...] = g.rng.choice((0, 1))
    return Tensor(g.constant(content), x.type, shape)


def binary(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.type in (FLOAT, INT, LONG, BOOL))
    y = partner(g, x)
    shape = np.broadcast_shapes(x.shape, y.shape)
    if g.rng.random() < 0.3:
        x, y = y, x
    if x.type == BOOL:
        return g.make(g.rng.choice(("And", "Or", "Xor")), [x, y], shape, BOOL)
    op = g.rng.choice(("Add", "Sub", "Mul", "Add", "Mul", "Max", "Min", "Less", "Equal", "Div"))
    if op in ("Max", "Min") and (g.has_specials or g.opset < 12) or op == "Div" and not (x.type == FLOAT and g.has_specials):
        raise Unfit
    return g.make(op, [x, y], shape, BOOL if op in ("Less", "Equal") else None)


def where(g: Graph) -> Tensor:
    # onnxruntime loses the sign of zeros here.
    x = g.pick(lambda x: x.type == LONG or x.type == FLOAT and not g.has_specials)
    y = partner(g, x)
    shape = np.broadcast_shapes(x.shape, y.shape)
    truths = tuple(g.rng.choice((1, size)) for size in shape)
    condition = g.content(BOOL, truths, g.rng)
    if g.rng.random() < 0.4:
        condition[...] = g.rng.random() < 0.5
    operands: list[Any] = [g.constant(condition), x, y]
    return g.make("Where", operands, shape, x.type)


def cast(g: Graph) -> Tensor:
    x = g.pick()
    targets = [type for type in (FLOAT, INT, LONG, BOOL, BYTE, HALF, np.float64) if
               not (type == BYTE or x.type in (FLOAT, HALF, np.float64) and type in (INT, LONG, BOOL) and g.has_specials)]
    type = g.rng.choice(targets)
    return g.make("Cast", [x], x.shape, type, to=helper.np_dtype_to_tensor_dtype(np.dtype(type)))


# Reductions and products.

def reduce(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and is_number(x) and min(x.shape) > 0)
    ops = ["ReduceMax", "ReduceMin"] + (["ReduceSum"] if not g.has_specials or x.type != FLOAT else [])
    if g.has_specials and x.type == FLOAT or g.opset == 11 and x.type == LONG:
        raise Unfit
    op = g.rng.choice(ops)
    axes = g.rng.sample(range(x.rank), g.rng.randrange(1, x.rank + 1))
    keeps = g.rng.random() < 0.5
    shape = [1 if axis in axes else size for axis, size in enumerate(x.shape) if keeps or axis not in axes]
    return g.axes(op, x, [g.either(axis, x.rank) for axis in axes], shape, 13 if op == "ReduceSum" else 18, keepdims=int(keeps))


def arg_max(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and x.type in (FLOAT, INT) and min(x.shape) > 0 and not g.has_specials)
    axis = g.axis(x)
    keeps = g.rng.random() < 0.5
    shape = replaced(x.shape, axis, *([1] if keeps else []))
    return g.make(g.rng.choice(("ArgMax", "ArgMin")), [x], shape, LONG, axis=g.either(axis, x.rank), keepdims=int(keeps))


def mat_mul(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.rank >= 2 and is_number(x) and not (g.has_specials and x.type == FLOAT))
    fitting = [y for y in g.values if y.type == x.type and y.rank >= 2 and y.shape[-2] == x.shape[-1] and
               (y.rank == 2 or x.rank == 2 or y.shape[:-2] == x.shape[:-2])]
    if fitting and g.rng.random() < 0.6:
        y = g.rng.choice(fitting)
    elif g.rng.random() < 0.5:
        y = transpose(g, x, [*range(x.rank - 2), x.rank - 1, x.rank - 2])
    else:
        shape = (x.shape[-1], g.rng.randrange(1, 5))
        y = Tensor(g.constant(g.content(x.type, shape, g.rng, few=True)), x.type, shape)
    batch = max(x.shape[:-2], y.shape[:-2], key=len)
    return g.make("MatMul", [x, y], (*batch, x.shape[-2], y.shape[-1]))


# Patterns of rules.

def transposed_and_back(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.rank >= 2)
    perm = g.rng.sample(range(x.rank), x.rank)
    y = transpose(g, x, perm)
    for _ in range(g.rng.randrange(0, 4)):
        step = g.rng.choice((unary, binary, clip, cast, cut, pad, concat, reduce, quantized, unsqueeze, where))
        before = len(g.values)
        try:
            step(g)
        except Unfit:
            continue
        if g.values[-1].rank == y.rank and len(g.values) > before:
            y = g.values[-1]
    return transpose(g, y, np.argsort(perm).tolist())


def sum_of_transposed(g: Graph) -> Tensor:
    x = g.pick(lambda x: x.rank >= 2 and is_number(x))
    perm = g.rng.sample(range(x.rank), x.rank)
    other = Tensor(g.constant(g.content(x.type, x.shape, g.rng)), x.type, x.shape)
    y = g.make("Add", [x, other], x.shape)
    a, b = transpose(g, x, perm), transpose(g, y, perm)
    if g.rng.random() < 0.3:
        return g.make("Concat", [a, b], replaced(a.shape, 0, 2 * a.shape[0]), axis=0)
    return g.make(g.rng.choice(("Add", "Mul", "Sub")), [a, b], a.shape)


def split_and_joined(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and max(x.shape) > 1)
    axis = g.rng.choice([a for a, size in enumerate(x.shape) if size > 1])
    if g.rng.random() < 0.5:
        parts = split(g, x, axis)
    else:
        cuts = sorted({0, x.shape[axis], *(g.rng.randrange(0, x.shape[axis]) for _ in range(2))})
        parts = [g.make("Slice", [x, g.ints(begin), g.ints(end), g.ints(axis)], replaced(x.shape, axis, end - begin))
                 for begin, end in zip(cuts, cuts[1:])]
    if g.rng.random() < 0.2:
        g.rng.shuffle(parts)
    size = sum(part.shape[axis] for part in parts)
    return g.make("Concat", parts, replaced(x.shape, axis, size), axis=g.either(axis, x.rank))


def one_and_unsqueezed(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and min(x.shape) > 0)
    axis = g.axis(x)
    index = g.rng.randrange(-x.shape[axis], x.shape[axis])
    if g.rng.random() < 0.5:
        y = g.make("Gather", [x, g.constant(np.array(index, LONG))], replaced(x.shape, axis), axis=axis)
        return unsqueeze(g, y, axis if g.rng.random() < 0.7 else g.rng.randrange(y.rank + 1))
    end = index + 1 if index != -1 else np.iinfo(np.int64).max
    y = g.make("Slice", [x, g.ints(index), g.ints(end), g.ints(axis)], replaced(x.shape, axis, 1))
    return g.axes("Squeeze", y, [axis], replaced(x.shape, axis))


def quantized(g: Graph) -> Tensor:
    """Dequantizes, moves, and quantizes again with the same or another scale."""
    x = g.pick(lambda x: x.type == FLOAT and not g.has_specials)
    per_axis = g.opset >= 13 and x.rank >= 1 and g.rng.random() < 0.3
    axis = g.axis(x) if per_axis else 0
    type = g.rng.choice((BYTE, SIGNED))

    def parameters(size: int) -> list[str]:
        shape = (size,) if per_axis else ()
        scale = np.array([g.rng.choice((0.1, 0.5, 1.0, 0.037)) for _ in range(size)], np.float32)
        zero = g.content(type, (size,), g.rng)
        return [g.constant(scale[:int(np.prod(shape))].reshape(shape)), g.constant(zero[:int(np.prod(shape))].reshape(shape))]

    first = parameters(x.shape[axis] if per_axis else 1)
    attributes = {"axis": axis} if per_axis else {}
    q = g.make("QuantizeLinear", [x, *first], x.shape, type, **attributes)
    y = g.make("DequantizeLinear", [q, *first], x.shape, FLOAT, **attributes)
    if not per_axis:
        for _ in range(g.rng.randrange(0, 3)):
            try:
                moved = g.rng.choice((transpose, reshape, gather, cut))(g, y)
            except (Unfit, ValueError, IndexError):
                break
            y = moved if np.prod(moved.shape) <= 600 else y
    second = first if g.rng.random() < 0.8 else parameters(x.shape[axis] if per_axis else 1)
    z = g.make("QuantizeLinear", [y, *second], y.shape, type, **attributes)
    # Sums of dequantized values would round, so they are converted to integers again.
    w = g.make("DequantizeLinear", [z, *second], y.shape, FLOAT, **attributes)
    for value in list(g.values):
        if value.name in (y.name, w.name) or value.type == FLOAT and value.name in {n for node in g.nodes[-6:] for n in node.output}:
            g.values.remove(value)
            g.hidden.append(value)
    return g.make("Floor", [w], w.shape)


def sequence(g: Graph) -> Tensor:
    x = g.pick(lambda x: has_axes(x) and x.type in (FLOAT, LONG) and min(x.shape) > 0)
    axis, name = g.axis(x), f"{g.name()}_sequence"
    if g.rng.random() < 0.5:
        count = g.rng.randrange(1, 4)
        g.nodes.append(helper.make_node("SequenceConstruct", [x.name] * count, [name]))
        if g.rng.random() < 0.5:
            return g.make("SequenceAt", [name, g.constant(np.array(g.rng.randrange(-count, count), LONG))], x.shape, x.type)
        stacks = x.rank <= 4 and g.rng.random() < 0.5
        shape = (*x.shape[:axis], count, *x.shape[axis:]) if stacks else replaced(x.shape, axis, count * x.shape[axis])
        return g.make("ConcatFromSequence", [name], shape, x.type, axis=axis, new_axis=int(stacks))
    keeps = g.rng.random() < 0.5
    operands = [x.name]
    sizes = [1] * x.shape[axis]
    if g.rng.random() < 0.4:
        sizes = [1, x.shape[axis] - 1] if x.shape[axis] > 1 else [1]
        operands.append(g.ints(*sizes))
        keeps = True
    g.nodes.append(helper.make_node("SplitToSequence", operands, [name], axis=axis, keepdims=int(keeps)))
    chosen = g.rng.randrange(len(sizes))
    shape = replaced(x.shape, axis, *([sizes[chosen]] if keeps else []))
    return g.make("SequenceAt", [name, g.constant(np.array(chosen, LONG))], shape, x.type)


STEPS = ([transpose] * 4 + [reshape] * 3 + [flatten, unsqueeze, unsqueeze, squeeze, squeeze, cut, cut, cut, pad, concat, concat, split,
         gather, gather, gather_elements, expand, tile, identity, resize, pool, compress, unary, unary, clip, binary, binary, binary,
         where, cast, cast, reduce, arg_max, mat_mul, transposed_and_back, transposed_and_back, sum_of_transposed, split_and_joined,
         split_and_joined, one_and_unsqueezed, quantized, sequence])


def draw(rng: random.Random, prefix: str) -> Graph:
    g = Graph(rng, prefix)
    for _ in range(rng.randrange(1, 4)):
        g.add_input(rng.choice((FLOAT, FLOAT, FLOAT, LONG, INT, BOOL, BYTE)), rng.choice((1, 2, 3, 3, 4, 4)))
    length = rng.randrange(2, 14)
    for _ in range(60):
        if len(g.nodes) >= length:
            break
        try:
            rng.choice(STEPS)(g)
        except (Unfit, IndexError, ValueError):
            continue
    made = {name for node in g.nodes for name in node.output}
    used = {name for node in g.nodes for name in node.input}
    for value in [*g.values, *g.hidden]:
        if value.name in made and (value.name not in used or rng.random() < 0.1):
            g.outputs.append(helper.make_tensor_value_info(value.name, helper.np_dtype_to_tensor_dtype(np.dtype(value.type)), None))
    return g


def model_of(graphs: list[Graph]) -> onnx.ModelProto:
    parts = {field: [part for graph in graphs for part in getattr(graph, field)]
             for field in ("nodes", "inputs", "outputs", "initializers")}
    graph = helper.make_graph(parts["nodes"], "random", parts["inputs"], parts["outputs"], parts["initializers"])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", graphs[0].opset)], ir_version=8)


def same_bits(a: np.ndarray, b: np.ndarray, signs_count: bool) -> bool:
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind == "f":  # The standard does not define which NaN it is.
        same = (a == b) & ((np.signbit(a) == np.signbit(b)) | (not signs_count))
        return bool(np.all((np.isnan(a) & np.isnan(b)) | same))
    return bool(np.array_equal(a, b))
