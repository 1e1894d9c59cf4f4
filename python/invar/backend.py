# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Implements the ONNX Backend interface, so that ONNX's test runner and other users of the interface can use Invar:

  backend_test = onnx.backend.test.BackendTest(invar.backend, __name__)
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from invar._errors import ArgumentError
from invar._models import Session


class InvarRep(BackendRep):
    """A model that is ready to run."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._inputs = [node.name for node in session.get_inputs() + session.get_overridable_initializers()]
        self._outputs = namedtupledict("Outputs", [node.name for node in session.get_outputs()])

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Runs the model. Inputs are given by name, or in the model's order."""
        if not isinstance(inputs, Mapping):
            if not isinstance(inputs, (list, tuple)):
                inputs = [inputs]
            if len(inputs) > len(self._inputs):
                raise ArgumentError(f"expected at most {len(self._inputs)} inputs, but got {len(inputs)}")
            inputs = dict(zip(self._inputs, inputs))
        return self._outputs(*self.session.run(None, dict(inputs)))


def _type_of(value: Any) -> onnx.TypeProto:
    """The type of an input, including its shape."""
    if isinstance(value, (list, tuple)):
        return helper.make_sequence_type_proto(_type_of(value[0]))
    if isinstance(value, Mapping):
        key, entry = next(iter(value.items()))
        kind = onnx.TensorProto.STRING if isinstance(key, str) else onnx.TensorProto.INT64
        element = {str: onnx.TensorProto.STRING, int: onnx.TensorProto.INT64}.get(type(entry), onnx.TensorProto.FLOAT)
        return helper.make_map_type_proto(kind, helper.make_tensor_type_proto(element, ()))
    array = np.asarray(value)
    is_string = array.dtype.kind in "OSU"
    element = onnx.TensorProto.STRING if is_string else helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_type_proto(element, array.shape)


def _model_of(node: onnx.NodeProto, inputs: Mapping[str, Any], opset: int | None) -> onnx.ModelProto:
    """A model of one node. The types of its outputs are inferred."""
    infos = [helper.make_value_info(name, _type_of(value)) for name, value in inputs.items()]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
    graph = helper.make_graph([node], "node", infos, outputs)
    version = onnx.defs.onnx_opset_version() if opset is None else opset
    imports = [helper.make_opsetid("", version)]
    if node.domain not in ("", "ai.onnx"):
        imports.append(helper.make_opsetid(node.domain, opset or 1))
    return helper.make_model(graph, opset_imports=imports)


class InvarBackend(Backend):
    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        return cls.supports_device(device)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device.partition(":")[0] == "CPU"

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> InvarRep:
        """Compiles a model. Keyword arguments are those of invar.Session; nothing is cached unless `cache` is
        given."""
        if not cls.supports_device(device):
            raise ArgumentError(f"expected the device 'CPU', but got '{device}'")
        return InvarRep(Session(model, **{"cache": False, **kwargs}))

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]:
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node: onnx.NodeProto, inputs: Sequence[Any], device: str = "CPU", outputs_info: Any = None,
                 **kwargs: Any) -> tuple[Any, ...]:
        """Runs one node on inputs in its order. `opset_version` is the node's opset; the onnx package's newest if not
        given."""
        opset = kwargs.pop("opset_version", None)
        names = dict.fromkeys(name for name in node.input if name)
        if len(inputs) != len(names):
            raise ArgumentError(f"expected {len(names)} inputs, but got {len(inputs)}")
        feeds = dict(zip(names, inputs))
        return cls.prepare(_model_of(node, feeds, opset), device, **kwargs).run(feeds)


# The interface as a module, as BackendTest needs it.
is_compatible = InvarBackend.is_compatible
supports_device = InvarBackend.supports_device
prepare = InvarBackend.prepare
run = InvarBackend.run_model
run_model = InvarBackend.run_model
run_node = InvarBackend.run_node
