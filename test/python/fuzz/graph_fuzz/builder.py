# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph that grows node by node.

Each node runs in onnxruntime when it is added, once for every choice of the named sizes. So the builder knows every
value as an array, and steps need no formulas of shapes. If no engine runs a node, or if its result is too large to
stay well conditioned, `Unfit` is raised, and another node is drawn.
"""
import math
import random
from typing import Any, Callable, NamedTuple, Sequence

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import engines
import invar_engine

from . import judge, protos

FLOAT, DOUBLE, HALF = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.float16)
BFLOAT = np.dtype(ml_dtypes.bfloat16)
BOOL, LONG, INT = np.dtype(bool), np.dtype(np.int64), np.dtype(np.int32)
BYTE, SIGNED, SHORT = np.dtype(np.uint8), np.dtype(np.int8), np.dtype(np.int16)
FLOATS = (FLOAT, DOUBLE, HALF, BFLOAT)
INTEGERS = tuple(np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64))

OPSETS = (7, 8, 9, 10, 11, 11, 12, 12, *(13, 14, 15, 16, 17, 17, 18, 18, 19, 20, 21, 21, 22, 23) * 2)
IR_VERSION = 10
# Sizes around the vector and tile sizes of kernels.
SMALL = (1, 2, 3, 4, 5, 6, 7, 8, 9)
MIDDLE = (15, 16, 17, 31, 32, 33)
LARGE = (47, 48, 49, 63, 64, 65, 95, 96, 97, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320)
CHANNELS = (1, 2, 3, 4, 6, 8, 8, 12, 15, 16, 16, 17, 24, 31, 32, 32, 33, 48, 64, 65, 96, 97, 128, 193)

MOST_ELEMENTS = 1 << 16
MOST_PRODUCTS = 1 << 24  # Multiplications of one node.
PRODUCTS = {"MatMul", "Gemm", "Einsum", "MatMulInteger", "QLinearMatMul", "Conv", "ConvTranspose", "ConvInteger", "QLinearConv"}
GREATEST = {FLOAT: 1e4, DOUBLE: 1e4, HALF: 200.0, BFLOAT: 1e3}


class Unfit(Exception):
    """The drawn node does not fit the values of the graph."""


class Value(NamedTuple):
    name: str
    arrays: tuple[np.ndarray, ...]  # One array for each choice of the named sizes.
    is_constant: bool = False

    @property
    def type(self) -> np.dtype:
        return self.arrays[0].dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.arrays[0].shape

    @property
    def rank(self) -> int:
        return self.arrays[0].ndim

    @property
    def count(self) -> int:
        return self.arrays[0].size

    @property
    def is_float(self) -> bool:
        return self.type in FLOATS

    def has_one_shape(self) -> bool:
        """Whether its shape contains no named size, as far as the choices show."""
        return all(array.shape == self.shape for array in self.arrays)

    def is_whole(self) -> bool:
        """Whether it has elements for every choice."""
        return all(array.size for array in self.arrays)

    def least(self) -> float:
        return min((float(array.min()) for array in self.arrays if array.size), default=0.0)

    def most(self) -> float:
        return max((float(array.max()) for array in self.arrays if array.size), default=0.0)


Operand = Value | None


def number_of(dtype: np.dtype) -> int:
    return invar_engine.NUMBERS[np.dtype(dtype)]


class Graph:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.numbers = np.random.default_rng(rng.getrandbits(64))
        self.opset = rng.choice(OPSETS)
        self.nodes: list[onnx.NodeProto] = []
        self.inputs: list[onnx.ValueInfoProto] = []
        self.initializers: list[TensorProto] = []
        self.outputs: list[Value] = []
        self.values: list[Value] = []  # Values that the next node may use.
        self.known: dict[str, Value] = {}
        self.named: dict[str, tuple[int, ...]] = {}  # The sizes for each choice.
        self.choices = 1
        self.count = 0

    # Random choices.

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def choose(self, *things: Any) -> Any:
        return self.rng.choice(things)

    def size(self) -> int:
        return self.rng.choice(SMALL if self.chance(0.6) else MIDDLE if self.chance(0.5) else LARGE)

    def name(self, prefix: str = "v") -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def content(self, dtype: np.dtype, shape: Sequence[int], scale: float = 1.0) -> np.ndarray:
        """Draws numbers of moderate size; sometimes integers, positive numbers, or few different numbers."""
        if dtype == BOOL:
            return self.numbers.random(shape) < 0.5
        if dtype in FLOATS:
            kind = self.rng.random()
            drawn = self.numbers.standard_normal(shape)
            if kind < 0.15:
                drawn = np.round(drawn * 2)
            elif kind < 0.3:
                drawn = self.numbers.random(shape) + 0.25
            elif kind < 0.35:
                drawn = np.where(self.numbers.random(shape) < 0.5, 0, drawn)
            elif kind < 0.4:
                drawn = np.full(shape, self.choose(0.0, 1.0, -1.0, 0.5, 2.0))
            return np.asarray(drawn * scale).astype(dtype)
        most = 10 if self.chance(0.7) else min(120, int(np.iinfo(dtype).max))
        least = 0 if dtype.kind == "u" else -most
        return np.asarray(self.numbers.integers(least, most + 1, shape)).astype(dtype)

    # Values.

    def keep(self, value: Value, is_operand: bool = True) -> Value:
        self.known[value.name] = value
        if is_operand:
            self.values.append(value)
        return value

    def add_input(self, dtype: np.dtype, dims: Sequence[int | str], scale: float = 1.0, is_operand: bool = True) -> Value:
        """Adds an input. A named size has one number for each choice."""
        if math.prod(self.named[d][0] if isinstance(d, str) else d for d in dims) > MOST_ELEMENTS:
            raise Unfit
        name = self.name("x")
        self.inputs.append(helper.make_tensor_value_info(name, number_of(dtype), list(dims)))
        shapes = [tuple(self.named[d][i] if isinstance(d, str) else d for d in dims) for i in range(self.choices)]
        arrays = [self.content(dtype, shape, scale) for shape in shapes]
        if len(set(shapes)) == 1:
            arrays = arrays[:1] * self.choices
        return self.keep(Value(name, tuple(arrays)), is_operand)

    def constant(self, array: np.ndarray) -> Value:
        name = self.name("c")
        self.initializers.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return self.keep(Value(name, (np.asarray(array),) * self.choices, True), False)

    def ints(self, *numbers: int, dtype: np.dtype = LONG) -> Value:
        """Makes a list of numbers an operand; sometimes one that is known only at run time."""
        array = np.array(numbers, dtype)
        if self.chance(0.03):
            name = self.name("i")
            self.inputs.append(helper.make_tensor_value_info(name, number_of(dtype), list(array.shape)))
            return self.keep(Value(name, (array,) * self.choices), False)
        return self.constant(array)

    def scalar(self, number: Any, dtype: np.dtype) -> Value:
        return self.constant(np.array(number).astype(dtype))

    def weight(self, dtype: np.dtype, shape: Sequence[int], scale: float = 1.0) -> Value:
        """Makes an operand of this shape: usually a constant, otherwise a computed constant, an input, or a value of
        the graph."""
        if math.prod(shape) > MOST_ELEMENTS:
            raise Unfit
        fitting = [v for v in self.values if v.type == dtype and v.shape == tuple(shape) and v.has_one_shape()]
        kind = self.rng.random()
        if fitting and kind < 0.3:
            return self.rng.choice(fitting)
        if kind < 0.45:
            return self.add_input(dtype, list(shape), scale, is_operand=self.chance(0.3))
        made = self.content(dtype, shape, scale)
        if kind < 0.55 and len(shape) >= 2:
            order = self.rng.sample(range(len(shape)), len(shape))
            source = self.constant(np.transpose(made, np.argsort(order)))
            return self.node("Transpose", [source], perm=order)
        if kind < 0.6 and dtype in FLOATS:
            return self.node("Mul", [self.constant(made), self.scalar(1.25, dtype)])
        return self.constant(made)

    def pick(self, fits: Callable[[Value], bool] = lambda value: True) -> Value:
        """Picks a value, usually one of the latest, so that chains grow."""
        found = [value for value in self.values if fits(value)]
        if not found:
            raise Unfit
        return self.rng.choice(found[-3:] if self.chance(0.75) else found)

    def pick_float(self, ranks: Sequence[int] = range(1, 7)) -> Value:
        return self.pick(lambda v: v.is_float and v.rank in ranks)

    # Nodes.

    def run_node(self, node: onnx.NodeProto, operands: Sequence[Value]) -> list[tuple[np.ndarray, ...]]:
        """Returns the node's results for each choice."""
        unique = {operand.name: operand for operand in operands}
        infos = [helper.make_tensor_value_info(v.name, number_of(v.type), [None] * v.rank) for v in unique.values()]
        results = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
        graph = helper.make_graph([node], "node", infos, results)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=IR_VERSION)
        feeds = [{v.name: v.arrays[i] for v in unique.values()} for i in range(self.choices)]
        try:
            engine: Any = engines.OnnxRuntime(model.SerializeToString())
        except engines.CannotRun as error:
            # The reference evaluator is written in Python: large operands take minutes, and some of its doubles are
            # float32.
            is_missing = "NOT_IMPLEMENTED" in str(error) or "NotImplemented" in str(error)
            if not is_missing or sum(v.count for v in operands) > 2000 or any(v.type == DOUBLE for v in operands):
                raise Unfit from None
            engine = None
        try:
            engine = engine or judge.engine_of(model)
            if len(feeds) > 1 and all(v.has_one_shape() and v.arrays[0] is v.arrays[-1] for v in unique.values()):
                made = [engine.run(feeds[0])] * len(feeds)
            else:
                made = [engine.run(feed) for feed in feeds]
        except engines.CannotRun:
            raise Unfit from None
        for feed, run in zip(feeds, made):
            if any(not np.asarray(array).size for array in (*feed.values(), *run)):
                self.check_empty(model, feed, run)
        return [tuple(np.asarray(run[i]) for run in made) for i in range(len(results))]

    def check_empty(self, model: onnx.ModelProto, feed: dict[str, np.ndarray], made: Sequence[np.ndarray]) -> None:
        """Of nothing, onnxruntime computes shapes that are not the standard's at times: both must agree. It leaves the memory
        of some products over an axis of size 0 as it is, which run_models.py tests."""
        if model.graph.node[0].op_type in PRODUCTS and any(np.size(array) for array in made):
            raise Unfit
        try:
            others = engines.Reference(model.SerializeToString()).run(feed)
        except engines.CannotRun:
            raise Unfit from None
        if any(np.shape(other) != np.shape(array) for other, array in zip(others, made)):
            raise Unfit

    def check(self, arrays: Sequence[np.ndarray], is_bounded: bool) -> None:
        for array in arrays:
            if array.size > MOST_ELEMENTS or array.ndim > 7 or array.dtype not in invar_engine.NUMBERS:
                raise Unfit
            if is_bounded and array.dtype in FLOATS and array.size:
                greatest = np.abs(array.astype(np.float64)).max()
                if not greatest <= GREATEST[array.dtype]:
                    raise Unfit

    def node(self, op: str, operands: Sequence[Operand], results: int = 1, is_operand: bool = True, is_bounded: bool = True,
             captured: Sequence[Value] = (), **attributes: Any) -> Any:
        """Adds a node. Returns its result, or a list if there are several. Its subgraphs use the values in `captured`.
        If `is_bounded` is false, results may be infinite or NaN."""
        names = [operand.name if operand else "" for operand in operands]
        while names and not names[-1]:
            names.pop()
        node = helper.make_node(op, names, [self.name() for _ in range(results)], **attributes)
        present = [operand for operand in (*operands, *captured) if operand]
        made = self.run_node(node, present)
        for arrays in made:
            self.check(arrays, is_bounded)
        self.nodes.append(node)
        is_constant = bool(present) and all(operand.is_constant for operand in present)
        values = [self.keep(Value(name, arrays, is_constant), is_operand and not is_constant)
                  for name, arrays in zip(node.output, made)]
        return values[0] if results == 1 else values

    def numbered(self, op: str, x: Value, since: int, numbers: dict[str, Sequence[int]], dtype: np.dtype = LONG, **others: Any) -> Any:
        """Adds a node whose lists of numbers are operands since an opset, and attributes of these names before."""
        if self.opset < since:
            return self.node(op, [x], **{name: list(listed) for name, listed in numbers.items()}, **others)
        return self.node(op, [x, *(self.ints(*listed, dtype=dtype) for listed in numbers.values())], **others)

    def axes_node(self, op: str, x: Value, axes: Sequence[int] | None, since: int, **others: Any) -> Value:
        """The same for a list of axes, which may be omitted."""
        return self.numbered(op, x, since, {} if axes is None else {"axes": axes}, **others)

    def axis(self, x: Value) -> int:
        """Draws an axis, counted from the front or the back."""
        if not x.rank:
            raise Unfit
        return self.rng.randrange(-x.rank, x.rank) if self.chance(0.5) else self.rng.randrange(x.rank)

    # The whole graph.

    def model(self) -> onnx.ModelProto:
        """Returns the model with everything that its outputs need."""
        states = self.chance(0.4)
        outputs = [self.info(value, states) for value in self.outputs]
        graph = helper.make_graph(self.nodes, "fuzz", self.inputs, outputs, self.initializers)
        if states and self.chance(0.3):
            inner = {name for node in self.nodes for name in node.output} - {value.name for value in self.outputs}
            graph.value_info.extend(self.info(self.known[name], True) for name in sorted(inner & self.known.keys()))
        return protos.pruned(helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=IR_VERSION))

    def info(self, value: Value, states: bool) -> onnx.ValueInfoProto:
        """Declares a value with its sizes, as exporters do, or only with its rank."""
        by_sizes = {sizes: name for name, sizes in self.named.items()}
        dims: list[Any] = [None] * value.rank
        if states:
            sizes = [tuple(array.shape[axis] for array in value.arrays) for axis in range(value.rank)]
            dims = [each[0] if len(set(each)) == 1 else by_sizes.get(each) for each in sizes]
        return helper.make_tensor_value_info(value.name, number_of(value.type), dims)

    def feeds(self, model: onnx.ModelProto, choice: int) -> dict[str, np.ndarray]:
        return {info.name: self.known[info.name].arrays[choice] for info in model.graph.input}
