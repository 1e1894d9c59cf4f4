# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decides whether outputs are right.

Most outputs are within a few units of the expected ones and are accepted at once. For the others, the condition of
the graph decides: onnxruntime runs it many times, with noise of a few units of its type added to every float that it
reads or computes. An element is right if it is within the range of those runs, or near the onnx package's reference
evaluator; an integer or boolean must be one that occurred. So operators that round, compare, quantize or cancel get
the tolerance that they need, only at the elements that need it.
"""
import functools
from typing import Any, Sequence

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import engines
import invar_engine
import wide_floats

from . import protos

# Accepted error, in units of the type at the greatest element.
UNITS = {np.dtype(np.float32): 32, np.dtype(np.float64): 32, np.dtype(np.float16): 3, np.dtype(ml_dtypes.bfloat16): 3}
# Noise in units of the type; only some engines round float16 and bfloat16 between operators.
NOISE = {np.dtype(np.float32): 8, np.dtype(np.float64): 8, np.dtype(np.float16): 2, np.dtype(ml_dtypes.bfloat16): 2}
FLOAT_NUMBERS = {invar_engine.NUMBERS[dtype]: dtype for dtype in NOISE}
WINOGRAD = 2e-5  # The error, relative to the greatest output, that docs/Compile.md guarantees.
SAMPLES, MORE_SAMPLES, MOST_SAMPLES = 12, 48, 400
# Operators that may compute in float32 for any operand type: because of stash_type or of constants in their definition,
# or in onnxruntime.
IN_FLOATS = {"LayerNormalization", "GroupNormalization", "RMSNormalization", "HardSwish", "Gelu", "Shrink", "ThresholdedRelu"}
# Of these, the operators that subtract a mean: a small spread magnifies the roundings of float32.
CENTERED = {"LayerNormalization", "GroupNormalization"}
# Operators whose definition adds numbers of the size of 1 or of their operand, so that the sum may cancel.
CANCEL = {"Gelu", "Mish", "Elu", "Selu", "Celu", "Softplus", "LogSoftmax", "Sigmoid"}
# Reductions: the terms of their sum, and what becomes of it.
SUMS = {"ReduceSum": (np.asarray, np.asarray), "ReduceMean": (np.asarray, np.asarray), "ReduceL1": (np.abs, np.asarray),
        "ReduceSumSquare": (np.square, np.asarray), "ReduceL2": (np.square, np.sqrt), "ReduceLogSum": (np.asarray, np.log),
        "ReduceLogSumExp": (np.exp, np.log)}
# Operators whose results are whole numbers: noise would be another result.
WHOLE = {"Floor", "Ceil", "Round", "Sign"}
# Operators with operands that are positions, exponents or bounds: noise there would change the model.
NOT_WEIGHTS = {"Resize", "Pow", "Range", "OneHot", "Clip", "Pad"}


def unit(dtype: np.dtype) -> float:
    return float(ml_dtypes.finfo(dtype).eps)


def as_numbers(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64) if array.dtype in NOISE else array


def greatest(array: np.ndarray) -> float:
    numbers = np.abs(as_numbers(array))
    return float(np.max(numbers, where=np.isfinite(numbers), initial=0))


def floor_of(want: np.ndarray) -> float:
    """Returns the difference of floats that is always accepted. It includes products that underflow below the least
    normal number."""
    return UNITS[want.dtype] * unit(want.dtype) * greatest(want) + min(float(ml_dtypes.finfo(want.dtype).tiny), 1e-30)


def is_near(want: np.ndarray, got: np.ndarray) -> bool:
    if want.dtype not in NOISE:
        return bool(np.array_equal(want, got))
    a, b = as_numbers(want), as_numbers(got)
    with np.errstate(invalid="ignore"):
        return bool(np.all((np.abs(a - b) <= floor_of(want)) | (a == b) | (np.isnan(a) & np.isnan(b))))


def wrong_places(want: np.ndarray, got: np.ndarray, seen: Sequence[np.ndarray]) -> np.ndarray | None:
    """Returns where `got` is outside of the seen values, or None if the graph's shape varies."""
    if any(array.shape != want.shape for array in seen):
        return None
    everything = np.stack([as_numbers(array) for array in (want, *seen)])
    value = as_numbers(got)
    if want.dtype not in NOISE:
        return (value < everything.min(0)) | (value > everything.max(0))
    with np.errstate(invalid="ignore"):
        finite = np.where(np.isfinite(everything), everything, np.nan)
        low, high = (np.where(np.isfinite(everything).any(0), bound(finite, 0, initial=start, where=~np.isnan(finite)), np.nan)
                     for bound, start in ((np.min, np.inf), (np.max, -np.inf)))
        slack = 3 * (high - low) + floor_of(want)
        right = (value >= low - slack) & (value <= high + slack)
        right |= (everything == value).any(0)
        right |= np.isnan(value) & np.isnan(everything).any(0)
    return ~right


def one_by_one(node: onnx.NodeProto, operand: np.ndarray, axes: np.ndarray | None, result: np.ndarray) -> np.ndarray:
    """What a reduction is off if it adds one element after the other, as onnxruntime does: of many equal elements, all
    roundings go the same way."""
    listed = axes if axes is not None else next((attribute.ints for attribute in node.attribute if attribute.name == "axes"), ())
    reduced = sorted(int(axis) % operand.ndim for axis in np.ravel(listed)) or list(range(operand.ndim))
    if not operand.ndim or operand.size // max(result.size, 1) != np.prod([operand.shape[axis] for axis in reduced]):
        return np.zeros(result.shape)  # Nothing is reduced.
    terms_of, finish = SUMS[node.op_type]
    lines = np.moveaxis(operand, reduced, range(-len(reduced), 0)).reshape(result.shape + (-1,))
    with np.errstate(all="ignore"):
        terms = terms_of(lines.astype(np.float64))
        narrow = np.float64 if operand.dtype == np.float64 else np.float32
        rough = np.cumsum(terms.astype(narrow), axis=-1, dtype=narrow)[..., -1].astype(np.float64)
        off = np.abs(finish(rough) - finish(terms.sum(-1)))
    if node.op_type == "ReduceMean":
        off /= lines.shape[-1]
    return np.where(np.isfinite(off), 2 * off, 0)


def off_softmax(node: onnx.NodeProto, operand: np.ndarray, result: np.ndarray, opset: int) -> np.ndarray:
    """What a softmax is off if the terms of its sum are added one after the other."""
    axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), -1 if opset >= 13 else 1)
    axes = (axis,) if opset >= 13 else tuple(range(axis % max(operand.ndim, 1), operand.ndim))
    with np.errstate(all="ignore"):
        wide = operand.astype(np.float64)
        terms = np.exp(wide - wide.max(axes, keepdims=True))
        total = terms.sum(axes, keepdims=True)
        lines = np.moveaxis(terms, axes, range(-len(axes), 0)).reshape(*np.squeeze(total, axes).shape, -1)
        rough = np.cumsum(lines, axis=-1, dtype=np.float64 if operand.dtype == np.float64 else np.float32)[..., -1]
        off = np.broadcast_to(np.abs(rough.reshape(total.shape) / total - 1), result.shape)
    off = np.where(np.isfinite(off), 2 * off, 0)
    return off if node.op_type == "LogSoftmax" else off * np.abs(as_numbers(result))


def magnified(node: onnx.NodeProto, operands: Sequence[np.ndarray | None]) -> float:
    """Returns the greatest element after the division by the spread, but without the subtraction of the mean."""
    operand = operands[0].astype(np.float64)
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    if node.op_type == "GroupNormalization":
        rows = operand.reshape(operand.shape[0], attributes["num_groups"], -1)
        axes: tuple[int, ...] = (2,)
    else:
        rows = operand
        axes = tuple(range(attributes.get("axis", -1) % max(operand.ndim, 1), operand.ndim))
    spread = np.sqrt(rows.var(axes, keepdims=True) + attributes.get("epsilon", 1e-5))
    scale = greatest(operands[1]) if len(operands) > 1 and operands[1] is not None else 1.0
    return greatest(rows / spread) * scale if rows.size else 0.0


def off_response(node: onnx.NodeProto, operand: np.ndarray, result: np.ndarray) -> np.ndarray:
    """What an LRN is off in onnxruntime, which adds each square to a running sum over the channels and subtracts it again:
    the roundings of the greatest sum stay."""
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    scale = attributes.get("alpha", 1e-4) / attributes["size"]
    squares = np.square(operand.astype(np.float64))
    lost = unit(np.dtype(np.float32)) * operand.shape[1] * attributes["size"] * squares.max(1, keepdims=True, initial=0)
    # At least the element's own square is in its sum.
    return np.abs(as_numbers(result)) * attributes.get("beta", 0.75) * scale * lost / (attributes.get("bias", 1.0) + scale * squares)


class Condition:
    """Measures how much a model's outputs change under noise, for these inputs."""

    def __init__(self, model: onnx.ModelProto, feeds: dict[str, np.ndarray], has_winograd: bool = False):
        self.model, self.feeds = model, feeds
        self.rng, self.seed = np.random.default_rng(5), 0.0
        self.samples: list[list[np.ndarray]] = []
        self.references: dict[int, np.ndarray | None] = {}
        self.is_ready = False
        self.has_winograd = has_winograd
        self.output_names = [output.name for output in model.graph.output]

    @functools.cached_property
    def is_in_floats(self) -> bool:
        """Whether the reference evaluator runs the model: some of its doubles are float32."""
        return isinstance(engine_of(self.model), engines.Reference)

    def prepare(self) -> None:
        """Makes the model that takes its noise as inputs."""
        self.is_ready = True
        values = self.all_values()
        noisy = onnx.ModelProto()
        noisy.CopyFrom(self.model)
        graph = noisy.graph
        del graph.value_info[:], graph.node[:], graph.initializer[:]
        self.bases: dict[str, np.ndarray] = {name: array for name, array in self.feeds.items() if array.dtype in NOISE}
        self.noises: dict[str, tuple[np.ndarray, float | np.ndarray]] = {}
        exempt = {name for node in self.model.graph.node if node.op_type in NOT_WEIGHTS for name in node.input[1:]}
        for tensor in self.model.graph.initializer:
            if tensor.data_type in FLOAT_NUMBERS and tensor.name not in exempt:
                self.bases[tensor.name] = numpy_helper.to_array(tensor)
                graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
            else:
                graph.initializer.append(tensor)
        for node in onnx.shape_inference.infer_shapes(self.model).graph.node:
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    self.shake_inside(attribute.g)
            after = []
            for place, name in enumerate(node.output):
                if name not in values or values[name].dtype not in NOISE or node.op_type in WHOLE:
                    continue
                node.output[place], noise = f"{name}__exact", f"{name}__noise"
                array = values[name]
                operands = [self.known(values, name) for name in node.input]
                self.noises[noise] = (array, self.rounding(node, array, operands))
                # Without a shape: some shapes that onnxruntime infers, for axes in old opsets, are wrong.
                graph.input.append(helper.make_tensor_value_info(noise, invar_engine.NUMBERS[array.dtype], None))
                after.append(helper.make_node("Add", [node.output[place], noise], [name]))
            graph.node.extend([node, *after])
        self.engine = engine_of(noisy)

    def shake_inside(self, graph: onnx.GraphProto) -> None:
        """Lets the engine itself draw the noise of each float of a branch or body, because its shape may vary."""
        kinds = {value.name: value.type.tensor_type.elem_type for value in (*graph.value_info, *graph.output)}
        nodes = []
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    self.shake_inside(attribute.g)
            nodes.append(node)
            for place, name in enumerate(node.output):
                dtype = FLOAT_NUMBERS.get(kinds.get(name, TensorProto.UNDEFINED))
                if dtype is not None:
                    node.output[place] = f"{name}__exact"
                    nodes.extend(self.shake_nodes(name, dtype))
        nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
        del graph.node[:], graph.value_info[:]
        graph.node.extend(nodes)

    def shake_nodes(self, name: str, dtype: np.dtype) -> list[onnx.NodeProto]:
        """Returns nodes that add noise to `{name}__exact`, relative to each element."""
        width = NOISE[dtype] * self.last_digit(dtype)
        exact, random, units, noise = (f"{name}__{part}" for part in ("exact", "random", "units", "noise"))
        self.seed += 1.0
        return [helper.make_node("RandomUniformLike", [exact], [random], dtype=TensorProto.FLOAT, low=-width, high=width, seed=self.seed),
                helper.make_node("Cast", [random], [units], to=invar_engine.NUMBERS[dtype]),
                helper.make_node("Mul", [exact, units], [noise]), helper.make_node("Add", [exact, noise], [name])]

    def known(self, values: dict[str, np.ndarray], name: str) -> np.ndarray | None:
        """Returns a computed value, an input or a constant."""
        for tensor in self.model.graph.initializer:
            if tensor.name == name:
                return numpy_helper.to_array(tensor)
        return values.get(name, self.feeds.get(name))

    def rounding(self, node: onnx.NodeProto, result: np.ndarray, operands: Sequence[np.ndarray | None]) -> float | np.ndarray:
        """Returns the additional error of each element, beyond the units of its type."""
        operand = operands[0] if operands else None
        if self.has_winograd and node.op_type in ("Conv", "ConvTranspose"):
            return WINOGRAD * greatest(result)
        if node.op_type in CANCEL:
            uses_floats = result.dtype == np.float64 and node.op_type in IN_FLOATS
            last = unit(np.dtype(np.float32)) if uses_floats else self.last_digit(result.dtype)
            rounding = last * max(1.0, greatest(result), 0.0 if operand is None else greatest(operand))
            return rounding + (self.softmax_rounding(node, operand, result) if node.op_type == "LogSoftmax" else 0.0)
        if node.op_type == "Softmax":
            return self.softmax_rounding(node, operand, result)
        if node.op_type in CENTERED and result.dtype == np.float64 and operand is not None:
            return NOISE[np.dtype(np.float32)] * unit(np.dtype(np.float32)) * (greatest(result) + magnified(node, operands))
        if node.op_type in IN_FLOATS:
            return NOISE[np.dtype(np.float32)] * unit(np.dtype(np.float32)) * greatest(result)
        if node.op_type == "InstanceNormalization" and operand is not None and operands[1] is not None:
            # Engines scale the operand and its mean before the subtraction.
            axes = tuple(range(2, operand.ndim))
            spread = operand.astype(np.float64).var(axes, keepdims=True) + helper.get_node_attr_value(node, "epsilon")
            scale = np.abs(operands[1].astype(np.float64)).reshape(1, -1, *[1] * len(axes)) / np.sqrt(spread)
            return 2 * unit(result.dtype) * np.abs(operand.astype(np.float64)).max(axes, keepdims=True) * scale
        if node.op_type == "LRN" and operand is not None and operand.size:
            return off_response(node, operand, result)
        if node.op_type in SUMS and operand is not None and operand.dtype in NOISE and operand.size:
            return one_by_one(node, operand, operands[1] if len(operands) > 1 else None, result)
        if node.op_type == "MeanVarianceNormalization" and operand is not None:
            # onnxruntime sums the elements sequentially.
            axes = tuple(next((attribute.ints for attribute in node.attribute if attribute.name == "axes"), (0, 2, 3)))
            count = np.prod([operand.shape[axis] for axis in axes])
            spread = np.sqrt(operand.astype(np.float64).var(axes, keepdims=True) + 1e-9)
            return unit(result.dtype) * count / 16 * np.abs(operand.astype(np.float64)).max(axes, keepdims=True) / spread
        return 0.0

    def softmax_rounding(self, node: onnx.NodeProto, operand: np.ndarray | None, result: np.ndarray) -> float | np.ndarray:
        if operand is None or not operand.size:
            return 0.0
        opset = next(entry.version for entry in self.model.opset_import if not entry.domain)
        return off_softmax(node, operand, result, opset)

    def all_values(self) -> dict[str, np.ndarray]:
        """Returns all values that nodes compute."""
        names = [name for node in self.model.graph.node for name in node.output if name]
        wide = onnx.ModelProto()
        wide.CopyFrom(self.model)
        del wide.graph.output[:]
        wide.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
        return {name: value for name, value in zip(names, engine_of(wide).run(self.feeds)) if isinstance(value, np.ndarray)}

    def last_digit(self, dtype: np.dtype) -> float:
        return unit(np.dtype(np.float32) if dtype == np.float64 and self.is_in_floats else dtype)

    def shaken(self, array: np.ndarray, extra: float | np.ndarray = 0.0, is_whole: bool = False) -> np.ndarray:
        """Returns the array with noise, or only the noise. The noise of a zero is zero, apart from `extra`. In half of the
        cases equal elements get equal noise: an engine rounds them all in the same direction."""
        wide = array.astype(np.float64)
        width = np.where(np.isfinite(wide), np.abs(wide) * NOISE[array.dtype] * self.last_digit(array.dtype) + extra, 0)
        if self.rng.random() < 0.5:
            values, places = np.unique(wide, return_inverse=True)
            noise = width * self.rng.uniform(-1, 1, values.shape)[places.reshape(array.shape)]
        else:
            noise = width * self.rng.uniform(-1, 1, array.shape)
        return np.asarray(wide + noise if is_whole else noise).astype(array.dtype)

    def sample(self, count: int) -> None:
        if not self.is_ready:
            self.prepare()
        for _ in range(count):
            feeds = dict(self.feeds)
            feeds |= {name: self.shaken(array, is_whole=True) for name, array in self.bases.items()}
            feeds |= {name: self.shaken(array, extra) for name, (array, extra) in self.noises.items()}
            self.samples.append(run(self.engine, feeds))

    def complaint(self, index: int, want: np.ndarray, got: np.ndarray) -> str:
        """Returns an empty text if `got` is right."""
        name = self.output_names[index]
        if want.dtype != got.dtype or want.shape != got.shape:
            if self.as_reference(index, got):
                return ""
            return f"{name}: expected {want.dtype}{list(want.shape)}, but got {got.dtype}{list(got.shape)}"
        if is_near(want, got):
            return ""
        wrong = np.ones(want.shape, bool)
        try:
            if want.dtype == np.float64 and self.is_in_floats:
                want, got = want.astype(np.float32), got.astype(np.float32)
                if is_near(want, got):
                    return ""
            # If many elements are almost equal, the position of the first one, as a number or as a one among zeros, needs
            # more samples.
            is_index = want.dtype.kind in "iu" or bool(np.isin(as_numbers(want), (0, 1)).all())
            for count in (SAMPLES, MORE_SAMPLES, *([MOST_SAMPLES] if is_index else [])):
                self.sample(count)
                wrong = wrong_places(want, got, [sample[index] for sample in self.samples])
                if wrong is None or not wrong.any():
                    return ""
        except engines.CannotRun:
            pass
        if self.as_reference(index, got, [sample[index] for sample in self.samples]):
            return ""
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        return (f"{name}{list(want.shape)}: {int(wrong.sum())} of {wrong.size} wrong, first at {list(place)}: "
                f"expected {want[place]}, but got {got[place]}")

    def of_reference(self, index: int) -> np.ndarray | None:
        """Runs only the part that computes this output: the rest may not run in the reference evaluator."""
        model = protos.with_outputs(self.model, self.model.graph.output[index])
        names = {value.name for value in model.graph.input}
        try:
            return run(engines.Reference(model.SerializeToString()), {n: a for n, a in self.feeds.items() if n in names})[0]
        except engines.CannotRun:
            return None

    def as_reference(self, index: int, got: np.ndarray, seen: Sequence[np.ndarray] = ()) -> bool:
        """Whether the reference evaluator agrees with `got`, if onnxruntime does not."""
        if index not in self.references:
            self.references[index] = self.of_reference(index)
        other = self.references[index]
        if other is None:
            return False
        if other.shape != got.shape or other.dtype != got.dtype:
            return False
        if is_near(other, got):
            return True
        if not seen or other.dtype not in NOISE or any(array.shape != other.shape for array in seen):
            return False
        # Use the same width as around onnxruntime's result.
        everything = np.stack([as_numbers(array) for array in seen])
        with np.errstate(invalid="ignore"):
            width = 4 * (everything.max(0) - everything.min(0)) + floor_of(other)
            return bool(np.all((np.abs(as_numbers(other) - as_numbers(got)) <= width) | (as_numbers(other) == as_numbers(got))))


def run(engine: Any, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
    outputs = engine.run(feeds)
    if not all(isinstance(output, (np.ndarray, np.generic)) for output in outputs):
        raise engines.CannotRun("an output is no tensor")
    return [np.asarray(output) for output in outputs]


class WithFloats:
    """Runs bfloat16 models in onnxruntime, which has few such operators: it computes in float32, and rounds each
    result."""
    widening = wide_floats.Widening(TensorProto.FLOAT, [TensorProto.BFLOAT16])

    def __init__(self, model: onnx.ModelProto):
        types = wide_floats.types_of(model)
        if TensorProto.BFLOAT16 not in {*types.values(), *(value.type.tensor_type.elem_type for value in model.graph.input)}:
            raise engines.CannotRun("there is nothing to widen")
        if any(attribute.HasField("g") for node in model.graph.node for attribute in node.attribute):
            raise engines.CannotRun("results in graphs would not be rounded")
        self.types = [types.get(value.name, TensorProto.UNDEFINED) for value in model.graph.output]
        if TensorProto.UNDEFINED in self.types:
            raise engines.CannotRun("the type of an output is not known")
        self.engine = engines.OnnxRuntime(self.widening.rounding_model(model))

    def run(self, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        return self.widening.outputs(self.types, run(self.engine, self.widening.feeds(feeds)))


def engine_of(model: onnx.ModelProto) -> Any:
    """Returns onnxruntime, or the reference evaluator if onnxruntime cannot run the model."""
    raw = model.SerializeToString()
    for engine in (lambda: engines.OnnxRuntime(raw), lambda: WithFloats(model)):
        try:
            return engine()
        except engines.CannotRun:
            pass
    return engines.Reference(raw)
