# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as protos: copies, and parts of them."""
import onnx
from onnx import AttributeProto


def copied(model: onnx.ModelProto) -> onnx.ModelProto:
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    return copy


def reads(node: onnx.NodeProto) -> set[str]:
    """Returns the names that a node reads, including those of its subgraphs."""
    names = set(node.input)
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            names.update(output.name for output in attribute.g.output)
            for inner in attribute.g.node:
                names |= reads(inner)
    return names


def pruned(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns the model without the parts that no output needs."""
    model = copied(model)
    graph = model.graph
    read, nodes = {output.name for output in graph.output}, []
    for node in reversed(list(graph.node)):
        if read.intersection(node.output):
            nodes.insert(0, node)
            read |= reads(node)
    made = {name for node in nodes for name in node.output}
    kept = {"node": nodes, "input": [i for i in graph.input if i.name in read and i.name not in made],
            "initializer": [t for t in graph.initializer if t.name in read and t.name not in made]}
    for field, parts in kept.items():
        parts = [type(part).FromString(part.SerializeToString()) for part in parts]
        del getattr(graph, field)[:]
        getattr(graph, field).extend(parts)
    return model


def with_outputs(model: onnx.ModelProto, *outputs: onnx.ValueInfoProto) -> onnx.ModelProto:
    """Returns the part of a model that computes these outputs."""
    model = copied(model)
    outputs = [onnx.ValueInfoProto.FromString(output.SerializeToString()) for output in outputs]
    del model.graph.output[:]
    model.graph.output.extend(outputs)
    return pruned(model)
