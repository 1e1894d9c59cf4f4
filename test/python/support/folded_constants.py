# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the constants of a folded model."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# The attributes of Constant that hold numbers or texts, and the element type of each.
LITERALS = {"value_float": np.float32, "value_floats": np.float32, "value_int": np.int64, "value_ints": np.int64,
            "value_string": object, "value_strings": object}


def constant_of(node: onnx.NodeProto) -> TensorProto | None:
    attribute = node.attribute[0]
    if attribute.name == "value":
        return attribute.t
    if attribute.name not in LITERALS:
        return None
    return numpy_helper.from_array(np.array(helper.get_attribute_value(attribute), LITERALS[attribute.name]))


def constants_of(graph: onnx.GraphProto) -> tuple[dict[str, TensorProto], dict[str, str]]:
    """Returns the constants by name, and each other value that a node computes, by name, with the operator."""
    constants, left = {tensor.name: tensor for tensor in graph.initializer}, {}
    for node in graph.node:
        if node.op_type == "Constant" and (tensor := constant_of(node)) is not None:
            constants[node.output[0]] = tensor
        elif node.op_type == "Identity" and node.input[0] in constants:
            constants[node.output[0]] = constants[node.input[0]]
        else:
            left |= {name: node.op_type for name in node.output if name}
    return constants, left
