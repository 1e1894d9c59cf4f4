# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that take long to run or to compile."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models import value


def loop() -> onnx.ModelProto:
    """Computes y = x + m in m iterations."""
    body = helper.make_graph(
        [helper.make_node("Add", ["v", "one"], ["v_out"]), helper.make_node("Identity", ["more"], ["more_out"])], "body",
        [helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("more", TensorProto.BOOL, []),
         value("v", 4)],
        [helper.make_tensor_value_info("more_out", TensorProto.BOOL, []), value("v_out", 4)],
        [numpy_helper.from_array(np.float32(1), "one")])
    node = helper.make_node("Loop", ["m", "", "x"], ["y"], body=body)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("m", TensorProto.INT64, []), value("x", 4)],
                              [value("y", 4)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def many_kernels(count: int) -> onnx.ModelProto:
    """A chain of products of different sizes, with operators that fold: much to compute, to generate and to write."""
    generator = np.random.default_rng(1)
    sizes = [64 + i for i in range(count + 1)]
    nodes, weights = [], []
    for i in range(count):
        weights.append(numpy_helper.from_array(generator.random((sizes[i + 1], sizes[i]), np.float32), f"w{i}"))
        nodes += [helper.make_node("Transpose", [f"w{i}"], [f"t{i}"], perm=[1, 0]),
                  helper.make_node("MatMul", [f"x{i}", f"t{i}"], [f"p{i}"]),
                  helper.make_node("Tanh", [f"p{i}"], [f"x{i + 1}"])]
    graph = helper.make_graph(nodes, "g", [value("x0", "n", sizes[0])], [value(f"x{count}", "n", sizes[-1])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
