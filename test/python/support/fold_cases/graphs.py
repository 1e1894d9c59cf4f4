# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions about the graphs of cases."""
import onnx
from onnx import helper, numpy_helper

from . import Case


def describe(case: Case) -> str:
    """Returns the operator, operands and attributes in a line or two."""
    operands = {t.name: f"{onnx.TensorProto.DataType.Name(t.data_type).lower()}{list(t.dims)}" for t in case.graph.initializer}
    nodes = []
    for node in case.graph.node:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute if a.type != a.GRAPH}
        shown = {name: f"{element_name(v)}{numpy_helper.to_array(v).tolist()}" if isinstance(v, onnx.TensorProto) else v
                 for name, v in attributes.items()}
        nodes.append(f"{node.op_type}({', '.join(operands.get(n, n or '-') for n in node.input)}){shown or ''}")
    return " ; ".join(nodes)


def element_name(tensor: onnx.TensorProto) -> str:
    return onnx.TensorProto.DataType.Name(tensor.data_type).lower()


def add_prefix(graph: onnx.GraphProto, prefix: str) -> None:
    """Adds a prefix to all names, also to outer names that nested graphs use."""
    for value in (*graph.input, *graph.output, *graph.initializer):
        value.name = prefix + value.name
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [name and prefix + name for name in names]
        for attribute in node.attribute:
            if attribute.type == attribute.GRAPH:
                add_prefix(attribute.g, prefix)
