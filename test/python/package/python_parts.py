# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models and helpers for the tests of the Python package."""
import pathlib
import re

import numpy as np
import onnx
from onnx import TensorProto, helper

import invar


def info(name: str, shape: list | None, element: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def model(nodes: list[onnx.NodeProto], inputs: list, outputs: list[str], initializers: dict | None = None) -> onnx.ModelProto:
    weights = [onnx.numpy_helper.from_array(value, name) for name, value in (initializers or {}).items()]
    ends = [onnx.ValueInfoProto(name=name) for name in outputs]
    graph = helper.make_graph(nodes, "g", inputs, ends, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=12)


def unary(operator: str, shape: list, element: int = TensorProto.FLOAT) -> onnx.ModelProto:
    return model([helper.make_node(operator, ["x"], ["y"])], [info("x", shape, element)], ["y"])


def session(made: onnx.ModelProto, **options) -> invar.Session:
    return invar.Session(made, cache=False, **options)


ADD = model([helper.make_node("Add", ["x", "z"], ["y"])], [info("x", ["n", 3]), info("z", [3])], ["y"])
X = np.arange(6, dtype=np.float32).reshape(2, 3)
Z = np.array([10, 20, 30], np.float32)
SUM = X + Z


class MemoryPeak:
    """The maximum growth of the process in bytes within a block."""

    def __enter__(self):
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # Reset the peak.
        self.before = self.read()
        return self

    def __exit__(self, *_):
        self.bytes = self.read() - self.before

    @staticmethod
    def read() -> int:
        return int(re.search(r"VmHWM:\s*(\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) << 10
