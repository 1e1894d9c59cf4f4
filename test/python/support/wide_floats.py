# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts models of narrow floats to wider floats, to measure the errors of engines that run the narrow ones.

onnxruntime computes float16 operators in float32 and omits the rounding between them. The standard rounds each
operator's result, which the widened model can do too.
"""
from typing import Any, Sequence

import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

NARROW = {TensorProto.DOUBLE: (TensorProto.FLOAT16, TensorProto.FLOAT), TensorProto.FLOAT: (TensorProto.FLOAT16,)}


class Widening:
    """Converts all floats that are narrower than a type, or those of some types, to that type."""

    def __init__(self, to: int, narrow: Sequence[int] = ()):
        self.to, self.narrow, self.dtype = to, narrow or NARROW[to], helper.tensor_dtype_to_np_dtype(to)

    def model(self, source: str | ModelProto) -> bytes:
        model = copied(source)
        self.widen_graph(model.graph)
        return model.SerializeToString()

    def rounding_model(self, source: str | ModelProto) -> bytes:
        """The same, with the values of the main graph rounded to their original types."""
        model = copied(source)
        types = types_of(model)
        self.widen_graph(model.graph)
        self.round_values(model.graph, {name: kind for name, kind in types.items() if kind in self.narrow})
        return model.SerializeToString()

    def feeds(self, feeds: dict[str, Any]) -> dict[str, Any]:
        narrow = [helper.tensor_dtype_to_np_dtype(element) for element in self.narrow]
        return {name: value.astype(self.dtype) if value.dtype in narrow else value for name, value in feeds.items()}

    def outputs(self, types: Sequence[int], outputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Converts the outputs of a rounding model to the types of the original outputs."""
        return [output.astype(helper.tensor_dtype_to_np_dtype(kind)) if kind in self.narrow else output
                for kind, output in zip(types, outputs)]

    def widen_tensor(self, tensor: TensorProto) -> None:
        if tensor.data_type in self.narrow:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(self.dtype), tensor.name))

    def widen_graph(self, graph: GraphProto) -> None:
        del graph.value_info[:]
        for tensor in graph.initializer:
            self.widen_tensor(tensor)
        for value in (*graph.input, *graph.output):
            if value.type.tensor_type.elem_type in self.narrow:
                value.type.tensor_type.elem_type = self.to
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == AttributeProto.TENSOR:
                    self.widen_tensor(attribute.t)
                elif attribute.type == AttributeProto.GRAPH:
                    self.widen_graph(attribute.g)
                elif attribute.name in ("to", "dtype", "output_dtype") and attribute.i in self.narrow:
                    attribute.i = self.to

    def round_values(self, graph: GraphProto, types: dict[str, int]) -> None:
        nodes: list[NodeProto] = []
        for node in graph.node:
            rounded = [name for name in node.output if name in types]
            outputs = [f"{name}.exact" if name in types else name for name in node.output]
            del node.output[:]
            node.output.extend(outputs)
            nodes.append(node)
            for name in rounded:
                nodes.append(helper.make_node("Cast", [f"{name}.exact"], [f"{name}.narrow"], to=types[name]))
                nodes.append(helper.make_node("Cast", [f"{name}.narrow"], [name], to=self.to))
        del graph.node[:]
        graph.node.extend(nodes)


def copied(source: str | ModelProto) -> ModelProto:
    if not isinstance(source, ModelProto):
        return onnx.load(source)
    copy = ModelProto()
    copy.CopyFrom(source)
    return copy


def types_of(model: ModelProto) -> dict[str, int]:
    """Returns the element types of the values that nodes of the main graph compute."""
    graph = onnx.shape_inference.infer_shapes(model).graph
    return {value.name: value.type.tensor_type.elem_type for value in (*graph.value_info, *graph.output)}
