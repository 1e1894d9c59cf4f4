# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that violate the standard or state little, as exporters and engines do. onnxruntime runs most of them."""
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np
import onnx
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

node = helper.make_node
FLOAT = TensorProto.FLOAT
X = np.linspace(-2, 3, 6, dtype=np.float32).reshape(2, 3)
CUBE = np.linspace(-1, 2, 8, dtype=np.float32).reshape(2, 2, 2)
ONES = np.ones(3, np.float32)


class Case(NamedTuple):
    """`warning` lists expected parts of warnings, one per line; if it is empty, --strict accepts the model too."""
    name: str
    model: ModelProto
    feeds: list[dict[str, Any]]
    warning: str = ""
    # Whether the model can be compiled; then it must compute the same as onnxruntime.
    compiles: bool = True
    # A condition on the written model, if it was optimized.
    check: Callable[[ModelProto], bool] | None = None


def info(name: str, dims: list | None, type: int = FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, type, dims)


def model_of(nodes: list[NodeProto], *, opsets: list[tuple[str, int]] = [("", 13)], inputs=None, outputs=None,
             weights: dict[str, np.ndarray] = {}, ir_version: int = 8) -> ModelProto:
    graph = helper.make_graph(nodes, "g", [info("x", [2, 3])] if inputs is None else inputs,
                              outputs or [info("y", [2, 3])],
                              [numpy_helper.from_array(value, name) for name, value in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(*o) for o in opsets], ir_version=ir_version)


def of_x(name: str, nodes: list[NodeProto], warning: str = "", **options) -> Case:
    of_case = {key: options.pop(key) for key in ("compiles", "check") if key in options}
    return Case(name, model_of(nodes, **options), [{"x": X}], warning, **of_case)


def has(op_type: str, count: int = 1) -> Callable[[ModelProto], bool]:
    return lambda model: sum(n.op_type == op_type for n in model.graph.node) == count


# Names of sizes

def dim_texts(info: onnx.ValueInfoProto) -> list[int | str]:
    return [d.dim_param if d.HasField("dim_param") else d.dim_value if d.HasField("dim_value") else None
            for d in info.type.tensor_type.shape.dim]


def placeholders() -> Iterator[Case]:
    """The difference of two sizes with the same placeholder is not 0."""
    nodes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "one"], ["b"]), node("Gather", ["s", "zero"], ["a"]),
             node("Sub", ["b", "a"], ["d"]), node("Relu", ["x"], ["r"]), node("Neg", ["r"], ["y"])]
    weights = {"zero": np.array(0, np.int64), "one": np.array(1, np.int64)}
    feeds = [{"x": np.ones(shape, np.float32)} for shape in ((2, 5), (3, 3), (4, 1))]
    for text in ("?", "None", "none", "-1", "unknown", "Unknown", "unk__7", "3", ""):
        model = model_of(nodes, inputs=[info("x", [text, text])], outputs=[info("d", [], TensorProto.INT64), info("y", [text, text])],
                         weights=weights)
        yield Case(f"sizes called '{text}'", model, feeds,
                   check=lambda m, text=text: all(dim_texts(i) in ([text] * 2, [None] * 2 if not text else None)
                                                  for i in (m.graph.input[0], m.graph.output[1])))
    # A proper name means one size.
    named = model_of(nodes, inputs=[info("x", ["n", "n"])], outputs=[info("d", [], TensorProto.INT64), info("y", ["n", "n"])],
                     weights=weights)
    yield Case("sizes called 'n'", named, feeds[1:2], check=has("Sub", 0))

    # In sequences, and in branches that declare outer values.
    elements = helper.make_tensor_sequence_value_info("q", FLOAT, ["?", "?"])
    at = [node("SequenceAt", ["q", "zero"], ["e"]), node("Shape", ["e"], ["s"]), node("Gather", ["s", "one"], ["b"]),
          node("Gather", ["s", "zero"], ["a"]), node("Sub", ["b", "a"], ["d"])]
    yield Case("sizes called '?' in a sequence", model_of(at, inputs=[elements], outputs=[info("d", [], TensorProto.INT64)], weights=weights),
               [{"q": [np.ones((2, 5), np.float32)]}])


def outputs_without_names() -> Iterator[Case]:
    """Output sizes have their declared names, or those of inputs, and no expressions."""
    def last(*wanted: list) -> Callable[[ModelProto], bool]:
        return lambda model: [dim_texts(o) for o in model.graph.output] == list(wanted)

    def padded(inputs: list, outputs: list | None) -> ModelProto:
        return model_of([node("Relu", ["x"], ["r"]), node("Pad", ["r", "pads"], ["y"])], inputs=[info("x", inputs)],
                        outputs=[info("y", outputs)], weights={"pads": np.array([0, 1, 0, 1], np.int64)})
    feeds = [{"x": X}]
    yield Case("an output without a shape, of sizes without names", padded([None, None], None), feeds, check=last([None, None]))
    yield Case("an output without a shape, of sizes with names", padded(["n", "m"], None), feeds, check=last(["n", None]))
    yield Case("an output with names of its own", padded(["n", "m"], ["rows", "columns"]), feeds, check=last(["rows", "columns"]))
    yield Case("an output of which one size is known", padded([None, 3], ["rows", "columns"]), feeds, check=last(["rows", 5]))
    # The zero point folds to a constant that takes over its name, the other outputs do not: the node still needs three.
    nodes = [node("Shape", ["x"], ["s"]), node("Expand", ["c", "s"], ["e"]), node("DynamicQuantizeLinear", ["e"], ["q", "scale", "zero"]),
             node("DequantizeLinear", ["q", "scale", "zero"], ["y"])]
    yield Case("a required output that folds by itself", model_of(nodes, inputs=[info("x", ["n", "m"])], outputs=[info("y", None)],
                                                                  weights={"c": np.array([0.1], np.float32)}), feeds)


# Versions

def versions() -> Iterator[Case]:
    softmax = [node("Relu", ["x"], ["r"]), node("Identity", ["r"], ["i"]), node("Softmax", ["i"], ["y"])]
    cube = dict(inputs=[info("x", [2, 2, 2])], outputs=[info("y", [2, 2, 2])])
    for opsets in ([("", 11), ("", 13)], [("", 13), ("", 11)], [("", 13), ("ai.onnx", 11)], [("ai.onnx", 11), ("", 13)]):
        last = opsets[-1][1]
        yield Case(f"opsets {opsets}", model_of(softmax, opsets=opsets, **cube), [{"x": CUBE}],
                   "opset_import.*expected one version of a domain, but got.*the last one counts",
                   check=lambda m, last=last: [o.version for o in m.opset_import if o.domain in ("", "ai.onnx")] == [last])
    yield of_x("opset 0 of a domain that is not used", [node("Relu", ["x"], ["y"])], "opset_import 'com.example'.*but got 0",
               opsets=[("", 13), ("com.example", 0)])
    yield of_x("opset 0", [node("Relu", ["x"], ["r"]), node("Identity", ["r"], ["y"])],
               "opset_import ''.*but got 0\nRelu.*its opset is 0", opsets=[("", 0)], compiles=False)
    yield of_x("a domain that is not imported", [node("Identity", ["x"], ["i"]), node("Normalizer", ["i"], ["y"], domain="ai.onnx.ml", norm="L2")],
               "expected an opset_import of the domain 'ai.onnx.ml' of operator 'Normalizer'")
    yield of_x("operators of a domain that is not imported", [node("Identity", ["x"], ["i"]), node("Relu", ["i"], ["y"])],
               "expected an opset_import of the domain '' of operator", opsets=[("ai.onnx.ml", 3)])

    def early(op_type: str, inputs: list[str], **attributes) -> list[NodeProto]:
        """A rule removes the Identity, which changes the node's input."""
        return [node("Relu", ["x"], ["r"]), node("Identity", ["r"], ["i"]), node(op_type, ["i", *inputs], ["n"], **attributes),
                node("Identity", ["n"], ["j"]), node("Neg", ["j"], ["y"])]
    for opset in (11, 12, 16):
        yield of_x(f"LayerNormalization in opset {opset}", early("LayerNormalization", ["s", "s"], epsilon=1e-3),
                   "expected an operator of opset.*'LayerNormalization', which exists since 17", opsets=[("", opset)], weights={"s": ONES},
                   check=has("LayerNormalization"))
    yield of_x("SimplifiedLayerNormalization", early("SimplifiedLayerNormalization", ["s"], epsilon=1e-3),
               "expected an operator that is understood, but got 'SimplifiedLayerNormalization'", opsets=[("", 12)], weights={"s": ONES},
               compiles=False, check=has("SimplifiedLayerNormalization"))
    yield of_x("an operator of onnxruntime's", early("FastGelu", [], domain="com.microsoft"),
               "expected an operator that is understood, but got 'com.microsoft.FastGelu'",
               opsets=[("", 13), ("com.microsoft", 1)], compiles=False, check=has("FastGelu"))

    yield of_x("Normalizer of a version that is not known", early("Normalizer", [], domain="ai.onnx.ml", norm="L2"),
               "expected an operator that is understood, but got 'ai.onnx.ml.Normalizer': its opset is newer than the records",
               opsets=[("", 13), ("ai.onnx.ml", 9)], compiles=False, check=has("Normalizer"))

    def distances(warning: str = "", version: int | None = 1, **options) -> Case:
        """Makes a case with an operator of that domain that has a record."""
        attributes = options.pop("attributes", {"metric": "euclidean"})
        imports = [("", 13)] + ([("com.microsoft", version)] if version is not None else [])
        name = f"CDist of version {version} with {', '.join(attributes)}"
        return of_x(name, early("CDist", ["w"], domain="com.microsoft", **attributes), warning, opsets=imports,
                    weights={"w": np.arange(9, dtype=np.float32).reshape(3, 3)},
                    check=lambda m: has("CDist")(m) and version in (None, *(o.version for o in m.opset_import if o.domain)), **options)
    yield distances()
    yield distances("expected an opset_import of the domain 'com.microsoft' of operator 'CDist'", None)
    yield distances("opset_import 'com.microsoft'.*but got 0\n'com.microsoft.CDist': its opset is 0", 0, compiles=False)
    yield distances("expected an operator that is understood, but got 'com.microsoft.CDist': its opset is newer than the records", 2, compiles=False)
    yield distances("expected an operator that is understood, but got 'com.microsoft.CDist': CDist has no attribute 'p'", compiles=False,
                    attributes={"metric": "minkowski", "p": 3})
    yield distances(compiles=False, attributes={"metric": "cityblock"})


def quantized() -> Iterator[Case]:
    """Nodes of old opsets whose form differs in the newest opset, changed by a rule."""
    for opset in (10, 11, 12, 13):
        for shape in ((), (1,)):
            weights = {"s": np.full(shape, 0.5, np.float32), "z": np.full(shape, 3, np.uint8)}
            nodes = [node("Identity", ["x"], ["i"]), node("QuantizeLinear", ["i", "s", "z"], ["q"]), node("Identity", ["q"], ["j"]),
                     node("Reshape", ["j", "t"], ["r"]), node("DequantizeLinear", ["r", "s", "z"], ["d"]), node("Identity", ["d"], ["y"])]
            yield of_x(f"scales of shape {list(shape)} in opset {opset}", nodes, opsets=[("", opset)], outputs=[info("y", [3, 2])],
                       weights=weights | {"t": np.array([3, 2], np.int64)})


# Attributes

def attributes() -> Iterator[Case]:
    yield of_x("an attribute that an operator has not", [node("Identity", ["x"], ["i"]), node("Relu", ["i"], ["r"], foo=1, name="n"), node("Neg", ["r"], ["y"])],
               r"graph\.node\[1\] 'n': expected an operator that is understood, but got 'Relu': Relu has no attribute 'foo'",
               compiles=False, check=lambda m: [a.name for n in m.graph.node if n.op_type == "Relu" for a in n.attribute] == ["foo"])
    for op_type, attribute, more in (("Relu", "consumed_inputs", [0]), ("Dropout", "is_test", 1)):
        yield of_x(f"{op_type} with {attribute}", [node("Identity", ["x"], ["i"]), node(op_type, ["i"], ["r"], **{attribute: more}), node("Neg", ["r"], ["y"])],
                   f"expected an attribute of {op_type}, but got '{attribute}'")
    normalized = [node("Identity", ["x"], ["i"]), node("BatchNormalization", ["i", "s", "b", "m", "v"], ["r"], is_test=1, epsilon=1e-3), node("Neg", ["r"], ["y"])]
    yield of_x("BatchNormalization with is_test", normalized, "expected an attribute of BatchNormalization, but got 'is_test'", opsets=[("", 9)],
               weights={"s": ONES, "b": ONES, "m": ONES, "v": 2 * ONES})


# Values

def sparse_of() -> onnx.SparseTensorProto:
    return helper.make_sparse_tensor(helper.make_tensor("w", FLOAT, [2], [1.5, -2.0]), helper.make_tensor("", TensorProto.INT64, [2], [1, 4]), [2, 3])


def values() -> Iterator[Case]:
    relu = [node("Identity", ["x"], ["i"]), node("Relu", ["i"], ["y"])]
    yield of_x("an output that is there twice", relu, outputs=[info("y", [2, 3])] * 2, check=lambda m: [o.name for o in m.graph.output] == ["y", "y"])
    constant = node("Constant", [], ["w"])
    constant.attribute.append(AttributeProto(name="sparse_value", type=AttributeProto.SPARSE_TENSOR, sparse_tensor=sparse_of()))
    add = [node("Identity", ["x"], ["i"]), node("Add", ["i", "w"], ["y"])]
    yield of_x("a sparse Constant", [constant, *add])
    sparse = model_of(add)
    sparse.graph.sparse_initializer.append(sparse_of())
    yield Case("a sparse initializer", sparse, [{"x": X}])
    twice = model_of(add, weights={"w": ONES})
    twice.graph.initializer.append(numpy_helper.from_array(5 * ONES, "w"))
    yield Case("two initializers of one name", twice, [{"x": X}], "expected each name to be defined once, but 'w' is defined twice; the last one counts")
    nameless = model_of(relu, weights={"": ONES})
    yield Case("an initializer without a name", nameless, [{"x": X}], "initializer.*expected a name, but got none")
    yield of_x("an output without a type", relu, outputs=[onnx.ValueInfoProto(name="y")])
    yield of_x("a size below zero", relu, inputs=[info("x", [-1, 3])])

    def chosen(branch: onnx.GraphProto) -> list[NodeProto]:
        other = helper.make_graph([node("Relu", ["x"], ["e"])], "e", [], [info("e", [2, 3])])
        return [node("Sigmoid", ["x"], ["t"]), node("Neg", ["t"], ["u"]), node("If", ["c"], ["v"], then_branch=branch, else_branch=other),
                node("Add", ["u", "v"], ["y"])]
    both = [{"x": X, "c": np.array(c)} for c in (True, False)]
    ends = dict(inputs=[info("x", [2, 3]), info("c", [], TensorProto.BOOL)])
    hidden = helper.make_graph([node("Neg", ["t"], ["q"])], "b", [], [info("q", [2, 3])], [numpy_helper.from_array(7 * np.ones((2, 3), np.float32), "t")])
    yield Case("a weight in a branch that hides a value around it", model_of(chosen(hidden), **ends), both)
    state = helper.make_graph([node("Identity", ["on"], ["still"]), node("Exp", ["t"], ["q"])], "b",
                              [info("i", [], TensorProto.INT64), info("on", [], TensorProto.BOOL), info("t", [2, 3])],
                              [info("still", [], TensorProto.BOOL), info("q", [2, 3])])
    yield of_x("a state of a loop that hides a value around it", [node("Neg", ["x"], ["t"]), node("Loop", ["n", "", "t"], ["v"], body=state),
                                                                 node("Add", ["t", "v"], ["y"])], weights={"n": np.array(2, np.int64)})
    inner = helper.make_graph([node("Exp", ["x"], ["q"])], "b", [], [info("q", [2, 3])])
    later = chosen(inner)[:-1] + [node("Neg", ["v"], ["q"]), node("Add", ["u", "q"], ["y"])]
    yield Case("a name in a branch that is defined later around it", model_of(later, **ends), both)
    made = helper.make_graph([node("Exp", ["x"], ["t"]), node("Neg", ["t"], ["q"])], "b", [], [info("q", [2, 3])])
    yield Case("a node in a branch that hides a value around it", model_of(chosen(made), **ends), both)


def all_cases() -> Iterator[Case]:
    for kind in (placeholders, outputs_without_names, versions, quantized, attributes, values):
        yield from kind()
