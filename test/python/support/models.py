# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models, and functions about models, that several drivers need."""
import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper


def value(name: str, *dims: int | str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(dims))


def weight(name: str, *dims: int) -> TensorProto:
    return numpy_helper.from_array(np.arange(np.prod(dims), dtype=np.float32).reshape(dims), name)


def model_of(nodes: list[NodeProto], weights: list[TensorProto] = [], inputs: str = "x", outputs: str = "y",
             **options) -> ModelProto:
    """Makes a model over float[2, 3] values; `inputs` and `outputs` are words."""
    graph = helper.make_graph(nodes, "g", [value(n, 2, 3) for n in inputs.split()],
                              [value(n, 2, 3) for n in outputs.split()], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, **options)


def tiny() -> ModelProto:
    """Two nodes, one weight, one attribute of each common kind: small, but most fields occur."""
    return model_of([
        helper.make_node("Add", ["x", "w"], ["s"], name="sum"),
        helper.make_node("LeakyRelu", ["s"], ["l"], alpha=0.5),
        helper.make_node("Transpose", ["l"], ["t"], perm=[1, 0]),
        helper.make_node("Transpose", ["t"], ["y"], perm=[1, 0], doc_string="back"),
    ], [weight("w", 2, 3)])


def with_empty_fields() -> ModelProto:
    """Makes a model with fields that are present but empty, as some exporters write them, and with infos and metadata
    in any order."""
    model = tiny()
    model.producer_name = model.producer_version = model.domain = model.doc_string = model.graph.doc_string = ""
    model.model_version = 0
    node, weights = model.graph.node[0], model.graph.initializer[0]
    node.name = node.domain = node.doc_string = weights.doc_string = model.graph.input[0].doc_string = ""
    for holder in (model, model.graph, node):
        holder.metadata_props.add(key="b", value="")
        holder.metadata_props.add(key="a", value="1")
    model.graph.value_info.append(value("of nothing", 2, 3))
    return model


def nested(depth: int) -> ModelProto:
    """Makes an If in an If in an If…"""
    def graph(level: int) -> GraphProto:
        out = value(f"o{level}", 2, 3)
        if level == depth:
            node = helper.make_node("Relu", ["x"], [out.name])
        else:
            node = helper.make_node("If", ["c"], [out.name], then_branch=graph(level + 1), else_branch=graph(depth))
        return helper.make_graph([node], f"g{level}", [], [out])

    outer = graph(0)
    condition = numpy_helper.from_array(np.array(True), "c")
    return model_of(list(outer.node), [condition], outputs="o0")


def is_sorted(graph: GraphProto, outer: frozenset[str] = frozenset()) -> bool:
    """Whether each node comes after those that it reads from."""
    made_here = {o for node in graph.node for o in node.output}
    known = set(outer) - made_here
    known |= {i.name for i in graph.input} | {t.name for t in graph.initializer} | {""}
    known |= {t.values.name for t in graph.sparse_initializer}
    for node in graph.node:
        if any(i in made_here and i not in known for i in node.input):
            return False
        if not all(is_sorted(a.g, frozenset(known)) for a in node.attribute if a.type == AttributeProto.GRAPH):
            return False
        known.update(node.output)
    return True


def message_of(path: str) -> bytes:
    """Returns a serialization that is the same for equal messages, wherever their weights are."""
    model = onnx.load(path)
    for tensor in onnx.external_data_helper._get_all_tensors(model):
        if tensor.data_location == onnx.TensorProto.DEFAULT:
            tensor.ClearField("data_location")
    return model.SerializeToString(deterministic=True)


def same_but_for_names(once: str, twice: str) -> bool:
    """Whether two models are equal, except for the spelling of output sizes: an expression has many forms."""
    models = [onnx.load(path) for path in (once, twice)]
    for model in models:
        for output in model.graph.output:
            for dim in output.type.tensor_type.shape.dim:
                dim.ClearField("dim_param")
    return models[0] == models[1]
