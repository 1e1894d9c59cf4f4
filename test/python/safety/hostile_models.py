# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models whose sizes, indices, lengths, axes and counts are inputs, and values for these that no model expects.

Each operator has a function that adds its node to a model: `m.ints("i", 3, near=5)` is an input of 3 integers that
are meant for an axis of 5 places. Some draws are inside, some just outside, and some are the largest integers.
"""
from typing import Any, Callable

import numpy as np
import onnx
from onnx import TensorProto, helper

LARGE = [10, 100, 4000, -3996, 10**6, -10**6, 2**31 - 1, -2**31, 2**31, 2**32, 2**40, 2**62, -2**62, 2**63 - 1, -2**63, -2**63 + 1]
FLOATS = [0.0, -0.0, 0.5, 1.0, 2.0, 1.5, -1.0, 1e-30, 1e30, 3e38, float("inf"), float("-inf"), float("nan"), 1e9, -1e9, 7.9]
OPSET = 21


class Model:
    def __init__(self, rng: np.random.Generator):
        self.rng = rng
        self.is_open = bool(rng.integers(2))
        self.strange: set[str] = set()  # Float inputs that may be NaN or infinite.
        self.draws: dict[str, Callable[[np.random.Generator], np.ndarray]] = {}
        self.inputs: list[onnx.ValueInfoProto] = []
        self.outputs: list[str] = []
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.opsets = {"": OPSET}

    # Inputs.

    def declare(self, name: str, shape: tuple[int, ...], dtype: Any, draw: Callable[[np.random.Generator, tuple[int, ...]], Any],
                is_open: bool | None = None) -> str:
        """Declares an input. Open sizes are sometimes drawn larger, smaller or empty."""
        is_open = self.is_open if is_open is None else is_open
        dims = [f"{name}{axis}" for axis in range(len(shape))] if is_open else list(shape)
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        self.inputs.append(helper.make_tensor_value_info(name, kind, dims))

        def make(rng: np.random.Generator) -> np.ndarray:
            sizes = list(shape)
            if is_open and sizes and rng.random() < 0.2:
                axis = int(rng.integers(len(sizes)))
                sizes[axis] = int(rng.choice([0, 1, max(0, sizes[axis] - 1), sizes[axis] + 1, sizes[axis] * 3]))
            with np.errstate(over="ignore", invalid="ignore"):
                return np.asarray(draw(rng, tuple(sizes)), dtype).reshape(sizes)
        self.draws[name] = make
        return name

    def data(self, name: str, *shape: int, dtype: Any = np.float32) -> str:
        return self.declare(name, shape, dtype, lambda rng, sizes: rng.standard_normal(sizes) * 4)

    def ints(self, name: str, *shape: int, near: int, dtype: Any = np.int64, least: int | None = None, harm: float = 0.4,
             is_open: bool | None = False) -> str:
        """Declares integers that are valid from `least` (or `-near`) to `near - 1`."""
        low, most = -near if least is None else least, np.iinfo(dtype)

        def draw(rng: np.random.Generator, sizes: tuple[int, ...]) -> Any:
            values = rng.integers(low, max(near, low + 1), sizes).astype(object)
            flat = values.reshape(-1)
            if rng.random() < harm * 1.5:
                for at in range(flat.size):
                    if rng.random() < harm:
                        pick = rng.integers(3)
                        flat[at] = int(rng.choice([near, low - 1, near + 1, 0, -1]) if pick else LARGE[rng.integers(len(LARGE))])
                        flat[at] = min(max(flat[at], int(most.min)), int(most.max))
            return flat.reshape(sizes)
        return self.declare(name, shape, dtype, draw, is_open)

    def parts(self, name: str, count: int, total: int) -> str:
        """Declares integers whose sum is usually `total`."""
        def draw(rng: np.random.Generator, sizes: tuple[int, ...]) -> Any:
            values = [int(v) for v in rng.integers(0, total + 1, count - 1)]
            if rng.random() < 0.5:
                values = [LARGE[rng.integers(len(LARGE))] if rng.random() < 0.5 else v for v in values]
            last = total - sum(values) + (int(rng.integers(-2, 3)) if rng.random() < 0.2 else 0)
            values.append(((last + 2**63) % 2**64) - 2**63)
            if rng.random() < 0.5:
                values.reverse()
            return values
        return self.declare(name, (count,), np.int64, draw, False)

    def floats(self, name: str, *shape: int, dtype: Any = np.float32) -> str:
        self.strange.add(name)
        return self.declare(name, shape, dtype, lambda rng, sizes: rng.choice(FLOATS, sizes), False)

    def constant(self, name: str, value: Any, dtype: Any) -> str:
        self.initializers.append(onnx.numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    # Nodes.

    def choose(self, *choices: Any) -> Any:
        return choices[self.rng.integers(len(choices))]

    def node(self, kind: str, inputs: list[str], outputs: int | list[str] = 1, domain: str = "", **attributes: Any) -> list[str]:
        names = [f"y{len(self.nodes)}_{i}" for i in range(outputs)] if isinstance(outputs, int) else outputs
        self.nodes.append(helper.make_node(kind, inputs, names, f"the {kind}", domain=domain, **attributes))
        self.outputs = [name for name in names if name]
        return names

    def proto(self) -> onnx.ModelProto:
        outputs = [onnx.ValueInfoProto(name=name) for name in self.outputs]
        graph = helper.make_graph(self.nodes, "hostile", self.inputs, outputs, self.initializers)
        imports = [helper.make_opsetid(domain, version) for domain, version in self.opsets.items()]
        model = helper.make_model(graph, opset_imports=imports, ir_version=10)
        # Let inference determine the types of outputs.
        inferred = onnx.shape_inference.infer_shapes(model)
        for output, found in zip(model.graph.output, inferred.graph.output):
            output.CopyFrom(found)
        return model


Make = Callable[[Model], Any]
OPERATORS: dict[str, Make] = {}
# Operators that take indices or lengths: Invar must reject what onnxruntime rejects.
INDEXED = {"gather", "gather_elements", "gather_nd", "embedding", "scatter_elements", "scatter_nd", "reverse_sequence", "lstm",
           "gru", "rnn", "sequence_at", "sequence_insert", "sequence_erase", "roi_align_boxes", "feature_extractor", "split", "split_then_add",
           "expand", "pad_axes", "tile", "top_k", "reduce", "cum_sum", "slice_", "squeeze", "unsqueeze", "likelihood", "cross_entropy"}


def operator(make: Make) -> Make:
    OPERATORS[make.__name__] = make
    return make


# Parts.

@operator
def split(m: Model) -> None:
    count, axis = m.choose(2, 3), m.choose(0, 1)
    shape = [2, 2]
    shape[axis] = 10
    m.node("Split", [m.data("x", *shape), m.parts("s", count, 10)], count, axis=axis)


@operator
def split_then_add(m: Model) -> None:
    parts = m.node("Split", [m.data("x", 20), m.parts("s", 2, 20)], 2)
    m.node("Relu", parts[:1])
    last = m.node("Neg", parts[1:])
    m.outputs = [m.nodes[-2].output[0], *last]


@operator
def split_to_sequence(m: Model) -> None:
    scalar = m.choose(True, False)
    sizes = m.ints("s", near=10, least=1) if scalar else m.parts("s", 2, 10)
    m.node("SplitToSequence", [m.data("x", 10, 2), sizes], axis=0)


@operator
def slice_(m: Model) -> None:
    count = m.choose(1, 2)
    names = [m.data("x", 5, 6), m.ints("starts", count, near=6), m.ints("ends", count, near=6)]
    if m.choose(True, False):
        names += [m.ints("axes", count, near=2), m.ints("steps", count, near=3)]
    elif m.choose(True, False):
        names += [m.constant("axes", range(count), np.int64), m.constant("steps", [m.choose(1, 2, -1, -3)] * count, np.int64)]
    m.node("Slice", names)


@operator
def pad(m: Model) -> None:
    names = [m.data("x", 4, 5), m.ints("pads", 4, near=3, least=-2)]
    mode = m.choose("constant", "reflect", "edge", "wrap")
    if m.choose(True, False):
        names += ["" if m.choose(True, False) else m.floats("value"), m.constant("axes", [0, 1], np.int64)]
    m.node("Pad", names, mode=mode)


@operator
def pad_axes(m: Model) -> None:
    m.node("Pad", [m.data("x", 4, 5), m.ints("pads", 2, near=3, least=-2), "", m.ints("axes", 1, near=2)],
           mode=m.choose("constant", "reflect", "edge", "wrap"))


@operator
def center_crop_pad(m: Model) -> None:
    m.node("CenterCropPad", [m.data("x", 6, 5), m.ints("shape", 2, near=12, least=0)])


@operator
def trilu(m: Model) -> None:
    m.node("Trilu", [m.data("x", 4, 5), m.ints("k", near=5)], upper=m.choose(0, 1))


@operator
def compress(m: Model) -> None:
    condition = m.declare("c", (m.choose(3, 5, 9),), bool, lambda rng, sizes: rng.integers(0, 2, sizes), None)
    m.node("Compress", [m.data("x", 5, 2), condition], axis=0)


# Shapes.

@operator
def tile(m: Model) -> None:
    m.node("Tile", [m.data("x", 3, 2), m.ints("repeats", 2, near=4, least=0)])


@operator
def expand(m: Model) -> None:
    m.node("Expand", [m.data("x", 3, 1), m.ints("shape", m.choose(1, 2, 3), near=4, least=0)])


@operator
def reshape(m: Model) -> None:
    m.node("Reshape", [m.data("x", 4, 6), m.ints("shape", m.choose(1, 2, 3), near=7, least=-1)], allowzero=m.choose(0, 1))


@operator
def reshape_parts(m: Model) -> None:
    m.node("Reshape", [m.data("x", 4, 6), m.parts("shape", 2, 10)])


@operator
def unsqueeze(m: Model) -> None:
    m.node("Unsqueeze", [m.data("x", 3, 2), m.ints("axes", m.choose(1, 2), near=4)])


@operator
def squeeze(m: Model) -> None:
    m.node("Squeeze", [m.data("x", 1, 3, 1), m.ints("axes", m.choose(1, 2), near=3)])


@operator
def constant_of_shape(m: Model) -> None:
    m.node("ConstantOfShape", [m.ints("shape", m.choose(1, 2, 3), near=5, least=0)])


@operator
def range_(m: Model) -> None:
    if m.choose(True, False):
        m.node("Range", [m.floats("start"), m.floats("limit"), m.floats("delta")])
    else:
        dtype = m.choose(np.int64, np.int32, np.int16)
        m.node("Range", [m.ints(name, near=20, dtype=dtype) for name in ("start", "limit", "delta")])


@operator
def resize_scales(m: Model) -> None:
    m.node("Resize", [m.data("x", 1, 2, 4, 5), "", m.floats("scales", 4)], mode=m.choose("nearest", "linear", "cubic"))


@operator
def resize_sizes(m: Model) -> None:
    m.node("Resize", [m.data("x", 1, 2, 4, 5), "", "", m.ints("sizes", 4, near=8, least=1)], mode=m.choose("nearest", "linear", "cubic"))


@operator
def resize_roi(m: Model) -> None:
    m.node("Resize", [m.data("x", 4, 5), m.floats("roi", 4), "", m.constant("sizes", [3, 6], np.int64)], mode=m.choose("nearest", "linear"),
           coordinate_transformation_mode="tf_crop_and_resize")


@operator
def one_hot(m: Model) -> None:
    m.node("OneHot", [m.ints("i", 3, near=5, is_open=None), m.ints("depth", near=8, least=1), m.data("values", 2)], axis=m.choose(0, -1))


@operator
def eye_like(m: Model) -> None:
    m.node("EyeLike", [m.data("x", 4, 5)], k=m.choose(0, 2, -3, 9, -2**63, 2**63 - 1))


@operator
def affine_grid(m: Model) -> None:
    # For a single pixel, the corners are -1 in the reference evaluator and 1 in onnxruntime.
    corners = m.choose(0, 1)
    m.node("AffineGrid", [m.data("theta", 1, 2, 3), m.ints("size", 4, near=4, least=1 + corners)], align_corners=corners)


# Axes.

@operator
def reduce(m: Model) -> None:
    kind = m.choose("ReduceSum", "ReduceMax", "ReduceMean", "ReduceProd", "ReduceL2", "ReduceLogSumExp")
    m.node(kind, [m.data("x", 2, 3, 4), m.ints("axes", m.choose(1, 2), near=3)], keepdims=m.choose(0, 1))


@operator
def reduce_constant(m: Model) -> None:
    """Reduces a constant, which is viewed in other shapes before the first run reduces it."""
    x = m.constant("x", np.arange(m.choose(1, 24)).reshape(1, -1, 1, 1), np.float32)
    m.node(m.choose("ReduceMin", "ReduceSum"), [x, m.ints("axes", 1, near=4)], keepdims=m.choose(0, 1))


@operator
def cum_sum(m: Model) -> None:
    m.node("CumSum", [m.data("x", 3, 4), m.ints("axis", near=2)], reverse=m.choose(0, 1))


@operator
def top_k(m: Model) -> None:
    m.node("TopK", [m.data("x", 3, 6), m.ints("k", 1, near=7, least=0)], 2, axis=m.choose(0, 1, -1))


# Indices.

@operator
def gather(m: Model) -> None:
    axis, shape = m.choose(0, 1, -1), m.choose((), (1,), (3,), (2, 2))
    m.node("Gather", [m.data("x", 5, 5), m.ints("i", *shape, near=5, dtype=m.choose(np.int32, np.int64), is_open=None)], axis=axis)


@operator
def embedding(m: Model) -> None:
    m.constant("table", np.arange(300).reshape(100, 3), np.float32)
    picked = m.node("Gather", ["table", m.ints("i", 2, 3, near=100, is_open=None)])
    m.node("Add", [*picked, m.data("bias", 3)])


@operator
def gather_elements(m: Model) -> None:
    m.node("GatherElements", [m.data("x", 4, 4), m.ints("i", 3, 4, near=4, is_open=None)], axis=m.choose(0, 1))


@operator
def gather_nd(m: Model) -> None:
    batch, length = m.choose((0, 1), (0, 2), (1, 1))
    shape = (3, length) if batch == 0 else (4, length)
    m.node("GatherND", [m.data("x", 4, 4), m.ints("i", *shape, near=4)], batch_dims=batch)


@operator
def scatter_elements(m: Model) -> None:
    m.node("ScatterElements", [m.data("x", 4, 4), m.ints("i", 2, 3, near=4), m.data("u", 2, 3)], axis=m.choose(0, 1),
           reduction=m.choose("none", "add", "max"))


@operator
def scatter_nd(m: Model) -> None:
    m.node("ScatterND", [m.data("x", 4, 4), m.ints("i", 3, 1, near=4), m.data("u", 3, 4)], reduction=m.choose("none", "add", "min"))


@operator
def max_unpool(m: Model) -> None:
    names = [m.data("x", 1, 1, 2, 2), m.ints("i", 1, 1, 2, 2, near=16, least=0)]
    if m.choose(True, False):
        names.append(m.ints("shape", 4, near=6, least=1))
    m.node("MaxUnpool", names, kernel_shape=[2, 2], strides=[2, 2])


@operator
def roi_align(m: Model) -> None:
    m.node("RoiAlign", [m.data("x", 2, 1, 6, 6), m.floats("rois", 3, 4), m.ints("batch", 3, near=2, least=0)], output_height=2,
           output_width=2, sampling_ratio=m.choose(0, 2))


@operator
def roi_align_boxes(m: Model) -> None:
    m.node("RoiAlign", [m.data("x", 2, 1, 6, 6), m.data("rois", 3, 4), m.ints("batch", 3, near=2, least=0, is_open=None)],
           output_height=2, output_width=2, sampling_ratio=2)


@operator
def grid_sample(m: Model) -> None:
    m.node("GridSample", [m.data("x", 1, 1, 4, 4), m.floats("grid", 1, 3, 3, 2)], mode=m.choose("linear", "nearest", "cubic"),
           padding_mode=m.choose("zeros", "border", "reflection"), align_corners=m.choose(0, 1))


@operator
def non_max_suppression(m: Model) -> None:
    m.node("NonMaxSuppression", [m.data("boxes", 1, 6, 4), m.data("scores", 1, 2, 6), m.ints("most", 1, near=6, least=0),
                                 m.floats("iou", 1), m.floats("score", 1)])


@operator
def likelihood(m: Model) -> None:
    attributes = {"ignore_index": -1} if m.choose(True, False) else {}
    m.node("NegativeLogLikelihoodLoss", [m.data("x", 3, 5), m.ints("t", 3, near=5, least=0)], **attributes)


@operator
def cross_entropy(m: Model) -> None:
    m.node("SoftmaxCrossEntropyLoss", [m.data("x", 3, 5), m.ints("t", 3, near=5, least=0)])


@operator
def feature_extractor(m: Model) -> None:
    m.opsets["ai.onnx.ml"] = 3
    m.node("ArrayFeatureExtractor", [m.data("x", 3, 5), m.ints("i", 2, near=5, least=0)], domain="ai.onnx.ml")


# Lengths.

def recurrent(m: Model, kind: str, gates: int) -> None:
    names = [m.data("x", 4, 2, 3), m.constant("w", np.ones((1, gates * 2, 3)) / 4, np.float32),
             m.constant("r", np.ones((1, gates * 2, 2)) / 4, np.float32), "",
             m.ints("lengths", 2, near=5, least=0, dtype=np.int32, is_open=None)]
    m.node(kind, names, 2, hidden_size=2)


@operator
def lstm(m: Model) -> None:
    recurrent(m, "LSTM", 4)


@operator
def gru(m: Model) -> None:
    recurrent(m, "GRU", 3)


@operator
def rnn(m: Model) -> None:
    recurrent(m, "RNN", 1)


@operator
def reverse_sequence(m: Model) -> None:
    batch = m.choose(0, 1)
    m.node("ReverseSequence", [m.data("x", 4, 4, 2), m.ints("lengths", 4, near=5, least=1, is_open=None)], batch_axis=batch,
           time_axis=1 - batch)


@operator
def dft(m: Model) -> None:
    m.node("DFT", [m.data("x", 1, 8, 1), m.ints("length", near=17, least=1), m.ints("axis", near=2, harm=0.2)],
           onesided=m.choose(0, 1))


@operator
def stft(m: Model) -> None:
    m.node("STFT", [m.data("x", 1, 16, 1), m.ints("step", near=8, least=1), "", m.ints("length", near=17, least=1)])


@operator
def window(m: Model) -> None:
    m.node(m.choose("HannWindow", "HammingWindow", "BlackmanWindow"), [m.ints("size", near=9, least=0)], periodic=m.choose(0, 1))


@operator
def mel_weights(m: Model) -> None:
    m.node("MelWeightMatrix", [m.ints("bins", near=8, least=1), m.ints("length", near=33, least=8), m.ints("rate", near=8193, least=8000),
                               m.floats("low"), m.floats("high")])


@operator
def col2im(m: Model) -> None:
    m.node("Col2Im", [m.data("x", 1, 4, 4), m.ints("image", 2, near=5, least=2), m.ints("block", 2, near=3, least=1)])


# Sequences.

def in_sequence(m: Model) -> str:
    return m.node("SequenceConstruct", [m.data("x", 2), m.data("y", 2), m.data("z", 2)])[0]


@operator
def sequence_at(m: Model) -> None:
    m.node("SequenceAt", [in_sequence(m), m.ints("i", near=3)])


@operator
def sequence_insert(m: Model) -> None:
    made = m.node("SequenceInsert", [in_sequence(m), "x", m.ints("i", near=4, least=-3)])
    m.node("ConcatFromSequence", made, axis=0)


@operator
def sequence_erase(m: Model) -> None:
    made = m.node("SequenceErase", [in_sequence(m), m.ints("i", near=3)])
    m.node("ConcatFromSequence", made, axis=0)


# Numbers.

@operator
def loop(m: Model) -> None:
    """The loop ends by its condition, so that the count may have any value."""
    one = helper.make_tensor("one", TensorProto.INT64, [], [1])
    five = helper.make_tensor("five", TensorProto.INT64, [], [5])
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "one"], ["t"]), helper.make_node("Less", ["t", "five"], ["go"])], "body",
        [helper.make_tensor_value_info("n", TensorProto.INT64, []), helper.make_tensor_value_info("c", TensorProto.BOOL, []),
         helper.make_tensor_value_info("s", TensorProto.INT64, [])],
        [helper.make_tensor_value_info("go", TensorProto.BOOL, []), helper.make_tensor_value_info("t", TensorProto.INT64, [])],
        [one, five])
    m.node("Loop", [m.ints("trips", near=4, least=0), "", m.ints("start", near=4, least=0, harm=0.0)], body=body)


@operator
def integer_division(m: Model) -> None:
    dtype = m.choose(np.int8, np.int16, np.int32, np.int64)
    kind = m.choose("Div", "Mod")
    m.node(kind, [m.ints("a", 4, near=9, dtype=dtype), m.ints("b", 4, near=9, least=1, dtype=dtype, harm=0.1)])


@operator
def bit_shift(m: Model) -> None:
    dtype = m.choose(np.uint8, np.uint32, np.uint64)
    m.node("BitShift", [m.ints("a", 4, near=99, least=0, dtype=dtype, harm=0.0),
                        m.ints("b", 4, near=8, least=0, dtype=dtype, harm=0.0)], direction=m.choose("LEFT", "RIGHT"))


@operator
def dropout(m: Model) -> None:
    m.node("Dropout", [m.data("x", 3), m.floats("ratio")])


@operator
def cast(m: Model) -> None:
    m.node("Cast", [m.floats("x", 6)], to=m.choose(TensorProto.BOOL, TensorProto.FLOAT16, TensorProto.DOUBLE))


@operator
def sizes_of_numbers(m: Model) -> None:
    """Sizes that are computed from the input numbers."""
    total = m.node("Add", [m.ints("a", 2, near=3, least=0), m.ints("b", 2, near=3, least=0)])
    m.node("ConstantOfShape", total)


@operator
def slice_of_numbers(m: Model) -> None:
    start = m.node("Sub", [m.ints("a", 1, near=5), m.ints("b", 1, near=5)])
    part = m.node("Slice", [m.data("x", 6, 2), *start, m.ints("end", 1, near=6)])
    m.node("Relu", part)
