# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of floats as one of doubles, whose outputs tell which of two engines is nearer to the truth."""
from typing import Any

import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, TensorProto, numpy_helper


def widen_tensor(tensor: TensorProto) -> None:
    if tensor.data_type == TensorProto.FLOAT:
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name))


def widen_graph(graph: GraphProto) -> None:
    del graph.value_info[:]
    for tensor in graph.initializer:
        widen_tensor(tensor)
    for value in (*graph.input, *graph.output):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.DOUBLE
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.TENSOR:
                widen_tensor(attribute.t)
            elif attribute.type == AttributeProto.GRAPH:
                widen_graph(attribute.g)
            elif node.op_type == "Cast" and attribute.name == "to" and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.DOUBLE


def model_of_doubles(path: str) -> bytes:
    model = onnx.load(path)
    widen_graph(model.graph)
    return model.SerializeToString()


def feeds_of_doubles(feeds: dict[str, Any]) -> dict[str, Any]:
    return {name: value.astype(np.float64) if value.dtype == np.float32 else value for name, value in feeds.items()}
