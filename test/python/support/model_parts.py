# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that each contain one part of the format that importers and exporters often lose."""
from typing import Callable, Iterator, NamedTuple

import ml_dtypes
import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, TensorProto, helper, numpy_helper, parser

from models import model_of, tiny, value, weight
from protobuf_wire import field, message, varint


class Part(NamedTuple):
    name: str
    model: ModelProto | bytes
    # Whether onnx.checker and an engine accept it; otherwise only its messages are compared.
    runs: bool = True
    # Unsorted nodes are sorted by the export, which changes the message.
    sorted: bool = True
    # Whether nodes that are encoded anew have the same outputs.
    same_nodes: bool = True


def node(kind: str, inputs: str, outputs: str, **attributes) -> onnx.NodeProto:
    """`_` stands for an omitted input or output."""
    names = lambda text: ["" if n == "_" else n for n in text.split()]
    return helper.make_node(kind, names(inputs), names(outputs), **attributes)


def graph(nodes, inputs=(), outputs=(), weights=(), name: str = "body") -> GraphProto:
    return helper.make_graph(list(nodes), name, list(inputs), list(outputs), list(weights))


def typed(name: str, kind: int, *dims) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, list(dims))


def model(nodes, inputs, outputs, weights=(), opset: int = 17, ir: int = 8, opsets=(), **options) -> ModelProto:
    made = graph(nodes, inputs, outputs, weights, name="main")
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", opset), *opsets], ir_version=ir, **options)


def changed(original: ModelProto, change: Callable[[ModelProto], object]) -> ModelProto:
    change(original)
    return original


X, Y = value("x", 2, 3), value("y", 2, 3)
TRUE = numpy_helper.from_array(np.array(True), "true")


# Subgraphs.

def subgraphs() -> Iterator[Part]:
    out = [value("b", 2, 3)]
    then, other = graph([node("Relu", "s", "b")], outputs=out), graph([node("Add", "x w", "b")], outputs=out)
    branch = node("If", "true", "y", then_branch=then, else_branch=other, name="choose")
    yield Part("If uses outer values", model([node("Neg", "x", "s"), branch], [X], [Y], [TRUE, weight("w", 2, 3)]))
    yield Part("nodes out of order, because of a subgraph",
               model([branch, node("Neg", "x", "s")], [X], [Y], [TRUE, weight("w", 2, 3)]), runs=False, sorted=False)
    yield Part("nodes out of order", model_of([node("Relu", "a", "y"), node("Neg", "x", "a")]), runs=False, sorted=False)

    inner = node("If", "true", "b", then_branch=graph([node("Add", "s k", "c")], outputs=[value("c", 2, 3)]),
                 else_branch=graph([node("Mul", "s k", "d")], outputs=[value("d", 2, 3)]))
    outer = node("If", "true", "y", then_branch=graph([node("Neg", "x", "k"), inner], outputs=out), else_branch=other)
    yield Part("If in If uses values of both",
               model([node("Neg", "x", "s"), outer], [X], [Y], [TRUE, weight("w", 2, 3)]))

    shadow = graph([node("Neg", "x", "s"), node("Abs", "s", "b")], outputs=out)
    yield Part("a branch hides an outer name",
               model([node("Relu", "x", "s"), node("If", "true", "t", then_branch=shadow, else_branch=then),
                      node("Add", "s t", "y")], [X], [Y], [TRUE]), runs=False)
    yield Part("a branch hides an outer weight",
               model([node("If", "true", "y", then_branch=graph([node("Add", "x w", "b")], outputs=out, weights=[weight("w", 2, 3)]),
                           else_branch=other)], [X], [Y], [TRUE, weight("w", 1, 3)]), runs=False)
    yield Part("branches that return outer values",
               model([node("If", "true", "y", then_branch=graph([], outputs=[value("x", 2, 3)]),
                           else_branch=graph([], outputs=[value("w", 2, 3)]))], [X], [Y], [TRUE, weight("w", 2, 3)]), runs=False)

    trip, going = numpy_helper.from_array(np.array(3), "trip"), typed("going", TensorProto.BOOL)
    body = graph([node("Identity", "going", "on"), node("Add", "state w", "next"), node("Mul", "next x", "each")],
                 [typed("i", TensorProto.INT64), going, value("state", 2, 3)],
                 [typed("on", TensorProto.BOOL), value("next", 2, 3), value("each", 2, 3)])
    loop = node("Loop", "trip true x", "y all", body=body)
    yield Part("Loop uses outer values", model([loop], [X], [Y, value("all", 3, 2, 3)], [TRUE, trip, weight("w", 2, 3)]))
    yield Part("Loop without a trip count's end", model([node("Loop", "trip _ x", "y all", body=body)], [X],
                                                        [Y, value("all", 3, 2, 3)], [trip, weight("w", 2, 3)]))
    scan = node("Scan", "sum x", "last y", num_scan_inputs=1,
                body=graph([node("Add", "s r", "t"), node("Mul", "t w", "o")], [value("s", 3), value("r", 3)],
                           [value("t", 3), value("o", 3)]))
    yield Part("Scan uses outer values", model([scan], [X], [Y, value("last", 3)], [weight("sum", 3), weight("w", 3)]))
    noted = graph([node("Relu", "x", "b")], outputs=out, weights=[weight("unused", 2)])
    noted.doc_string, noted.name = "about the branch", "odd ☃ name"
    noted.value_info.append(value("b", 2, 3))
    noted.metadata_props.add(key="k", value="v")
    yield Part("a subgraph with all that a graph can have",
               model([node("If", "true", "y", then_branch=noted, else_branch=noted)], [X], [Y], [TRUE], ir=10))


# Constants.

def data_types() -> Iterator[Part]:
    for kind in TensorProto.DataType.values():
        if kind in (TensorProto.UNDEFINED, TensorProto.STRING):
            continue
        dtype = helper.tensor_dtype_to_np_dtype(kind)
        array = np.array([0, 1, 1, 0, 1]).astype(dtype)
        name, opset, ir = TensorProto.DataType.Name(kind), 28, 14
        runs = kind <= TensorProto.BFLOAT16
        # Only casts accept the two 6-bit types yet.
        user = node("Identity", "w", "y")
        if kind >= TensorProto.FLOAT6E2M3:
            user = node("Cast", "w", "y", to=TensorProto.FLOAT)
        if runs:
            opset, ir = 17, 8
        y = typed("y", kind, 5)
        raw = numpy_helper.from_array(array, "w")
        fields = helper.make_tensor("w", kind, [5], array.tolist() if kind < 16 else array)
        raw.doc_string, fields.doc_string = "raw", "typed"
        yield Part(f"{name} in raw_data", model([user], [], [y], [raw], opset, ir), runs)
        yield Part(f"{name} in a typed field", model([user], [], [y], [fields], opset, ir), runs)
        raw.name = ""
        yield Part(f"{name} in a Constant", model([node("Constant", "", "y", value=raw)], [], [y], [], opset, ir), runs)
    words = TensorProto(name="w", data_type=TensorProto.STRING, dims=[4], string_data=[b"", b"two words", b"\xff\x00", "zwölf".encode()])
    yield Part("STRING", model([node("Identity", "w", "y")], [], [typed("y", TensorProto.STRING, 4)], [words]), runs=False)
    yield Part("an empty tensor", model([node("Identity", "w", "y")], [], [value("y", 0, 3)], [weight("w", 0, 3)]))
    for field_name in ("float_data", "raw_data"):
        hollow = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[0, 3])
        if field_name == "raw_data":
            hollow.raw_data = b""
        yield Part(f"an empty tensor without {field_name}", model([node("Identity", "w", "y")], [], [value("y", 0, 3)], [hollow]), runs=False)
    packed = numpy_helper.from_array(np.arange(-3, 2).astype(ml_dtypes.int4), "w")
    yield Part("an odd number of INT4", model([node("Cast", "w", "y", to=TensorProto.INT8)], [], [typed("y", TensorProto.INT8, 5)],
                                              [packed], 21, 10))
    odd_bool = TensorProto(name="w", data_type=TensorProto.BOOL, dims=[3], raw_data=b"\x00\x01\xff")
    yield Part("a BOOL that is neither 0 nor 1", model([node("Identity", "w", "y")], [], [typed("y", TensorProto.BOOL, 3)], [odd_bool]),
               runs=False)
    with_notes = weight("w", 2, 3)
    with_notes.metadata_props.add(key="a", value="b")
    yield Part("a tensor with metadata", model([node("Add", "x w", "y")], [X], [Y], [with_notes], ir=10))


def sparse(name: str, indices, dims) -> onnx.SparseTensorProto:
    count = len(indices)
    return helper.make_sparse_tensor(numpy_helper.from_array(np.arange(1, count + 1, dtype=np.float32), name),
                                     numpy_helper.from_array(np.array(indices, np.int64), ""), dims)


def constants() -> Iterator[Part]:
    for given, kind, dims in ((dict(value_int=3), TensorProto.INT64, ()), (dict(value_ints=[1, -2]), TensorProto.INT64, (2,)),
                              (dict(value_float=0.5), TensorProto.FLOAT, ()), (dict(value_floats=[1.5, -2.5, 3]), TensorProto.FLOAT, (3,)),
                              (dict(value_string="text"), TensorProto.STRING, ()),
                              (dict(value_strings=["a", ""]), TensorProto.STRING, (2,))):
        yield Part(f"Constant of {next(iter(given))}",
                   model([node("Constant", "", "y", name="c", **given)], [], [typed("y", kind, *dims)]))
    for name, indices in (("flat", [1, 5]), ("by coordinates", [[0, 1], [1, 2]])):
        yield Part(f"sparse Constant, {name}",
                   model([node("Constant", "", "w", sparse_value=sparse("", indices, [2, 3])), node("Add", "x w", "y")], [X], [Y]))
        made = model([node("Add", "x w", "y")], [X], [Y])
        made.graph.sparse_initializer.append(sparse("w", indices, [2, 3]))
        yield Part(f"sparse initializer, {name}", made)
    mixed = model([node("Sum", "x a b w v", "y")], [X], [Y], [weight("b", 2, 3), weight("a", 2, 3)])
    mixed.graph.sparse_initializer.extend([sparse("w", [1], [2, 3]), sparse("v", [2], [2, 3])])
    yield Part("several initializers of both kinds", mixed)
    yield Part("an initializer that nothing uses", model([node("Relu", "x", "y")], [X], [Y], [weight("unused", 4)]))


# Inputs and outputs.

def interfaces() -> Iterator[Part]:
    add = [node("Sum", "x b a", "y")]
    weights = [weight("a", 2, 3), weight("b", 2, 3)]
    yield Part("initializers with defaults, in another order", model(add, [value("b", 2, 3), X, value("a", 2, 3)], [Y], weights))
    yield Part("one initializer with a default", model(add, [X, value("a", 2, 3)], [Y], weights[::-1]))
    old = model(add, [X, value("a", 2, 3), value("b", 2, 3)], [Y], weights, opset=8, ir=3)
    yield Part("IR version 3", old)
    yield Part("IR version 3 without its initializers among the inputs", model(add, [X], [Y], weights, opset=8, ir=3), runs=False)
    noted = weight("a", 2, 3)
    noted.doc_string = "about a"
    yield Part("a default with a doc string", model(add, [X, value("a", 2, 3)], [Y], [weights[1], noted]))
    default = model([node("Add", "x w", "y")], [X, value("w", 2, 3)], [Y])
    default.graph.sparse_initializer.append(sparse("w", [1, 5], [2, 3]))
    yield Part("a sparse default", default, runs=False)

    relu = [node("Relu", "x", "y")]
    yield Part("an input returned as it is", model(relu, [X], [Y, value("x", 2, 3)]))
    yield Part("an initializer returned as it is", model(relu, [X], [Y, value("w", 2, 3)], [weight("w", 2, 3)]))
    yield Part("an output returned twice", model(relu, [X], [Y, Y]), runs=False)
    yield Part("an intermediate value returned", model([node("Relu", "x", "a"), node("Neg", "a", "y")], [X], [Y, value("a", 2, 3)]))
    yield Part("no input", model([node("Relu", "w", "y")], [], [Y], [weight("w", 2, 3)]))
    yield Part("names of dims", model(relu, [value("x", "batch", 3)], [value("y", "batch", "a b/c")]))
    denoted = model(relu, [X], [Y])
    shape = denoted.graph.input[0].type.tensor_type.shape
    shape.dim[0].denotation, denoted.graph.input[0].type.denotation = "DATA_BATCH", "IMAGE"
    denoted.graph.input[0].doc_string = "an image"
    yield Part("denotations", denoted)
    yield Part("no shape", model(relu, [helper.make_tensor_value_info("x", 1, None)], [helper.make_tensor_value_info("y", 1, None)]), runs=False)
    yield Part("no type", changed(model(relu, [X], [Y]), lambda m: m.graph.output[0].ClearField("type")), runs=False)
    yield Part("a dim without value or name", changed(model(relu, [X], [Y]), lambda m: m.graph.input[0].type.tensor_type.shape.dim.add()),
               runs=False)

    tensor = helper.make_tensor_type_proto(1, [2, 3])
    sequence = helper.make_sequence_type_proto(tensor)
    pick = [node("SequenceAt", "s zero", "y")]
    zero = numpy_helper.from_array(np.array(0), "zero")
    yield Part("a sequence", model(pick, [helper.make_value_info("s", sequence)], [Y], [zero]), runs=False)
    yield Part("an optional of a sequence",
               model([node("OptionalGetElement", "o", "s"), *pick],
                     [helper.make_value_info("o", helper.make_optional_type_proto(sequence))], [Y], [zero]), runs=False)
    scores = onnx.TypeProto()
    scores.map_type.key_type = TensorProto.INT64
    scores.map_type.value_type.CopyFrom(helper.make_tensor_type_proto(1, []))
    yield Part("a map", model([node("CastMap", "m", "y", domain="ai.onnx.ml", cast_to="TO_FLOAT")], [helper.make_value_info("m", scores)],
                              [value("y", 1, 2)], opsets=[helper.make_opsetid("ai.onnx.ml", 3)]), runs=False)
    yield Part("a sparse tensor", model([node("Odd", "s", "y", domain="com.example")],
                                        [helper.make_value_info("s", helper.make_sparse_tensor_type_proto(1, [4, "n"]))], [Y],
                                        opsets=[helper.make_opsetid("com.example", 1)]), runs=False)
    opaque = onnx.TypeProto()
    opaque.ParseFromString(message(7, message(1, b"com.example") + message(2, b"Thing")))
    yield Part("an opaque value", model([node("Odd", "s", "y", domain="com.example")], [helper.make_value_info("s", opaque)], [Y],
                                        opsets=[helper.make_opsetid("com.example", 1)]), runs=False)


# Nodes.

def nodes() -> Iterator[Part]:
    lstm = dict(hidden_size=2, name="lstm")
    weights = [weight("w", 1, 8, 3), weight("r", 1, 8, 2)]
    sequence = value("x", 4, 2, 3)
    yield Part("outputs left out before and after", model([node("LSTM", "x w r", "_ y", **lstm)], [sequence], [value("y", 1, 2, 2)], weights))
    yield Part("inputs left out in the middle",
               model([node("LSTM", "x w r _ _ h", "_ _ y", **lstm)], [sequence], [value("y", 1, 2, 2)], [*weights, weight("h", 1, 2, 2)]))
    yield Part("an output of a variadic that is left out", model([node("Split", "x", "y _ z", axis=1)], [X], [value("y", 2, 1), value("z", 2, 1)]),
               runs=False)
    yield Part("a Clip with only its upper end", model([node("Clip", "x _ top", "y")], [X], [Y], [numpy_helper.from_array(np.float32(1), "top")]))
    odd = node("Fancy", "x _ w _", "y _ z", domain="com.example", name="fancy", alpha=1.5, beta=[1, 2], gamma="text",
               delta=["a", ""], epsilon=weight("", 2, 2), zeta=[1.5, 2.5])
    odd.attribute.extend([
        AttributeProto(name="tensors", type=AttributeProto.TENSORS, tensors=[weight("t", 2), weight("", 1)]),
        AttributeProto(name="graph", type=AttributeProto.GRAPH, g=graph([node("Add", "x p", "q")], [value("p", 2, 3)], [value("q", 2, 3)])),
        AttributeProto(name="graphs", type=AttributeProto.GRAPHS, graphs=[graph([node("Neg", "w", "q")], [], [value("q", 2, 3)])] * 2),
        AttributeProto(name="one_graph_in_a_list", type=AttributeProto.GRAPHS, graphs=[graph([node("Neg", "w", "q")], [], [value("q", 2, 3)])]),
        AttributeProto(name="type", type=AttributeProto.TYPE_PROTO, tp=helper.make_tensor_type_proto(1, [2, "n"])),
        AttributeProto(name="types", type=AttributeProto.TYPE_PROTOS, type_protos=[helper.make_tensor_type_proto(1, None)]),
        AttributeProto(name="sparse", type=AttributeProto.SPARSE_TENSOR, sparse_tensor=sparse("", [1], [3])),
        AttributeProto(name="sparses", type=AttributeProto.SPARSE_TENSORS, sparse_tensors=[sparse("", [1], [3])]),
        *(AttributeProto(name=f"no_{kind.lower()}", type=AttributeProto.AttributeType.Value(kind)) for kind in
          ("FLOATS", "INTS", "STRINGS", "TENSORS", "GRAPHS", "TYPE_PROTOS", "SPARSE_TENSORS")),
    ])
    fancy = model([odd], [X], [Y, value("z", 2)], [weight("w", 2, 3)], opsets=[helper.make_opsetid("com.example", 7)])
    yield Part("a custom node with attributes of every kind", fancy, runs=False)
    yield Part("an unknown node of the standard's domain", model([node("Frobnicate", "x", "y", k=3)], [X], [Y]), runs=False)
    yield Part("the standard's domain by its name", model([node("Relu", "x", "a", domain="ai.onnx"), node("Neg", "a", "y")], [X], [Y]), runs=False)
    spelled = changed(model([node("Relu", "x", "y")], [X], [Y]), lambda m: setattr(m.opset_import[0], "domain", "ai.onnx"))
    yield Part("the standard's domain imported by its name", spelled)
    yield Part("an opset of the future", changed(model([node("Relu", "x", "y")], [X], [Y]), lambda m: setattr(m.opset_import[0], "version", 99)),
               runs=False)
    yield Part("other domains", model([node("Scaler", "x", "y", domain="ai.onnx.ml", offset=[1.0], scale=[2.0])], [X], [Y],
                                      opsets=[helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("unused.example", 5)]))
    contrib = [node("CDist", "x x", "d", domain="com.microsoft", metric="euclidean"), node("FastGelu", "d", "y", domain="com.microsoft")]
    yield Part("operators of onnxruntime's, with a record and without", model(
        contrib, [X], [value("y", 2, 2)], opsets=[helper.make_opsetid("com.microsoft", 1)]))
    noted = node("Relu", "x", "y", name="noted", doc_string="about the node")
    noted.metadata_props.add(key="k2", value="v")
    noted.metadata_props.add(key="k1", value="")
    noted.overload = ""
    yield Part("notes of a node", model([noted], [X], [Y], ir=10))
    weird = "a\n'\"\\ \x01ß☃/b:0"
    yield Part("odd names", model([helper.make_node("Relu", ["x"], [weird], name=weird), helper.make_node("Neg", [weird], ["y"])], [X], [Y]))
    statistics = [weight(n, 3) for n in ("scale", "bias", "mean", "var")]
    old = value("x", 2, 3, 4)
    yield Part("an old BatchNormalization with outputs that nothing uses",
               model([node("BatchNormalization", "x scale bias mean var", "y m v sm sv", is_test=1)], [old], [value("y", 2, 3, 4)],
                     statistics, opset=6, ir=4), runs=False, same_nodes=False)
    yield Part("an old Dropout with a mask that nothing uses",
               changed(model([node("Dropout", "x", "y mask", is_test=1)], [old], [value("y", 2, 3, 4)], opset=6, ir=4),
                       lambda m: m.graph.value_info.append(value("mask", 2, 3, 4))), runs=False, same_nodes=False)
    large = numpy_helper.from_array(np.arange(100_000, dtype=np.float32), "")
    yield Part("a large Constant", model([node("Constant", "", "c", value=large), node("ReduceSum", "c", "y", keepdims=0)], [], [value("y")]))
    yield Part("a large attribute of another node",
               model([node("Odd", "x", "y", domain="com.example", table=large)], [X], [Y], opsets=[helper.make_opsetid("com.example", 1)]),
               runs=False)


# Functions.

FUNCTIONS = """
<ir_version: 10, opset_import: ["" : 17, "local" : 1]>
main (float[2, 3] x) => (float[2, 3] y) <float[2, 3] t> {
    t = local.Outer <scale = 3.0> (x)
    y = local.Outer (t)
}
<domain: "local", opset_import: ["" : 15, "local" : 1], doc_string: "calls another">
Outer <scale: float = 2.0> (x) => (y) {
    a = local.Inner <times: float = @scale> (x)
    y = Relu (a)
}
<domain: "local", opset_import: ["" : 17]>
Inner <times> (x) => (y) {
    k = Constant <value_float: float = @times> ()
    y = Mul (x, k)
}
"""


def functions() -> Iterator[Part]:
    yield Part("functions that call functions", parser.parse_model(FUNCTIONS))
    unused = parser.parse_model(FUNCTIONS)
    extra = unused.functions[0]
    extra.value_info.append(value("a", 2, 3))
    extra.metadata_props.add(key="k", value="v")
    yield Part("a function with notes", unused)
    overloads = parser.parse_model(FUNCTIONS)
    overloads.functions[0].overload = "first"
    second = overloads.functions.add()
    second.CopyFrom(overloads.functions[0])
    second.overload = "second"
    overloads.graph.node[0].overload, overloads.graph.node[1].overload = "first", "second"
    yield Part("overloads", overloads, runs=False)
    optional = helper.make_function("local", "Maybe", ["a", "b", "c"], ["o", "p"], [node("Clip", "a b c", "o"), node("Neg", "a", "p")],
                                    [helper.make_opsetid("", 17)])
    made = model([node("Maybe", "x _ top", "y", domain="local")], [X], [Y], [numpy_helper.from_array(np.float32(1), "top")], ir=10,
                 opsets=[helper.make_opsetid("local", 1)], functions=[optional])
    yield Part("a call with inputs and outputs left out", made)
    out = [value("b", 2, 3)]
    branching = helper.make_function("local", "Branch", ["a", "c"], ["o"], [
        node("If", "c", "o", then_branch=graph([node("Add", "a w", "b")], outputs=out, weights=[weight("w", 2, 3)]),
             else_branch=graph([node("Neg", "a", "b")], outputs=out))], [helper.make_opsetid("", 17)])
    yield Part("a function with subgraphs that have initializers",
               model([node("Branch", "x true", "y", domain="local")], [X], [Y], [TRUE], ir=10, opsets=[helper.make_opsetid("local", 1)],
                     functions=[branching]))
    identity = helper.make_function("local", "Same", ["a"], ["a"], [], [helper.make_opsetid("", 17)])
    yield Part("a function that returns its input",
               model([node("Same", "x", "y", domain="local")], [X], [Y], ir=10, opsets=[helper.make_opsetid("local", 1)],
                     functions=[identity]), runs=False)


# The model itself.

def models() -> Iterator[Part]:
    full = tiny()
    full.producer_name, full.producer_version, full.domain, full.doc_string, full.model_version = "p", "1", "d", "doc", 7
    full.metadata_props.add(key="z", value="last first")
    full.metadata_props.add(key="a", value="")
    full.graph.doc_string = "about the graph"
    yield Part("notes of a model", full)
    empty = tiny()
    empty.producer_name = empty.producer_version = empty.domain = empty.doc_string = empty.graph.doc_string = ""
    empty.model_version = 0
    yield Part("texts that are there, but empty", empty)
    yield Part("no name of the graph", changed(tiny(), lambda m: m.graph.ClearField("name")), runs=False)
    yield Part("an empty name of the graph", changed(tiny(), lambda m: setattr(m.graph, "name", "")), runs=False)
    yield Part("no IR version", changed(tiny(), lambda m: m.ClearField("ir_version")), runs=False)
    infos = tiny()
    infos.graph.value_info.extend([value("l", 2, 3), value("nowhere", 1), value("s", 2, 3), value("w", 2, 3), value("s", 2, 3)])
    yield Part("value infos, some of nothing", infos)
    noted = tiny()
    noted.ir_version = 10
    noted.graph.metadata_props.add(key="z", value="1")
    noted.graph.metadata_props.add(key="a", value="2")
    yield Part("metadata of a graph", noted)
    annotated = tiny()
    for name in ("s", "w", "nowhere", "l"):
        annotation = annotated.graph.quantization_annotation.add(tensor_name=name)
        annotation.quant_parameter_tensor_names.add(key="ZERO_POINT_TENSOR", value="z")
        annotation.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="s")
    yield Part("quantization annotations", annotated)
    training = parser.parse_model(FUNCTIONS)
    info = training.training_info.add()
    info.algorithm.CopyFrom(tiny().graph)
    info.initialization_binding.add(key="a", value="b")
    yield Part("training", training, runs=False)
    configured = tiny()
    configured.ir_version = 11
    configured.configuration.add(name="two", num_devices=2)
    place = configured.graph.node[0].device_configurations.add(configuration_id="two")
    place.pipeline_stage = 1
    yield Part("devices", configured, runs=False)
    unknown = message(900, b"new") + field(901, 0, varint(5)) + field(902, 5, b"1234")
    yield Part("unknown fields of the model", tiny().SerializeToString() + unknown, runs=False)
    for number, name in ((7, "graph"),):
        data = tiny()
        inside = data.graph.SerializeToString() + unknown
        data.ClearField("graph")
        yield Part(f"unknown fields of the {name}", data.SerializeToString() + message(number, inside), runs=False)
    yield Part("many opsets", changed(tiny(), lambda m: m.opset_import.extend([helper.make_opsetid(d, v) for d, v in (("z", 1), ("a", 3))])))


def all_parts() -> list[Part]:
    families = (subgraphs, data_types, constants, interfaces, nodes, functions, models)
    return [part for family in families for part in family()]
