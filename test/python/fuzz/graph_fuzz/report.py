# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports failures: groups similar ones, prints each as a test to paste, and writes its model to a file."""
import collections
import pathlib
import re

import numpy as np
import onnx
from onnx import AttributeProto, helper, numpy_helper

from .trial import Case, Failure, likeness, stated


def signature(case: Case, failure: Failure) -> str:
    """Returns the text by which failures are grouped: the kind, and the remaining operators."""
    return f"{likeness(failure)} [{', '.join(node.op_type for node in case.model.graph.node)}]"


def literal(array: np.ndarray) -> str:
    """Returns an array as Python code. Large arrays are drawn again; the file has the original ones."""
    kind = f"np.{array.dtype}" if hasattr(np, str(array.dtype)) else f"ml_dtypes.{array.dtype}"
    if array.dtype == bool:
        kind = "bool"
    if not array.size:
        return f"np.zeros({array.shape}, {kind})"
    if array.size <= 12:
        return f"np.array({array.tolist()}, {kind})"
    if array.dtype.kind == "f" or array.dtype.kind == "V":
        return f"rng.standard_normal({array.shape}).astype({kind})"
    if array.dtype == bool:
        return f"rng.random({array.shape}) < 0.5"
    return f"rng.integers({array.min()}, {int(array.max()) + 1}, {array.shape}).astype({kind})"


def attribute_text(attribute: AttributeProto) -> str:
    value = helper.get_attribute_value(attribute)
    if attribute.type == AttributeProto.GRAPH:
        return f"{attribute.name}=onnx.parser.parse_graph({onnx.printer.to_text(value)!r})"
    if attribute.type == AttributeProto.TENSOR:
        return f"{attribute.name}=numpy_helper.from_array({literal(numpy_helper.to_array(value))})"
    if isinstance(value, bytes):
        value = value.decode()
    return f"{attribute.name}={list(value) if not isinstance(value, (str, int, float)) else value!r}"


def snippet(case: Case, failure: Failure) -> str:
    """Returns a test to paste: the graph, its inputs and the command."""
    graph = case.model.graph
    lines = ["import numpy as np, onnx", "from onnx import helper, numpy_helper", "rng = np.random.default_rng(0)", "nodes = ["]
    for node in graph.node:
        attributes = "".join(f", {attribute_text(a)}" for a in node.attribute)
        lines.append(f"    helper.make_node({node.op_type!r}, {list(node.input)}, {list(node.output)}{attributes}),")
    lines.append("]")
    lines.append("inputs = [" + ", ".join(
        f"helper.make_tensor_value_info({i.name!r}, {i.type.tensor_type.elem_type}, "
        f"{[d.dim_param or d.dim_value for d in i.type.tensor_type.shape.dim]})" for i in graph.input) + "]")
    lines.append("outputs = [" + ", ".join(
        f"helper.make_tensor_value_info({o.name!r}, {o.type.tensor_type.elem_type}, {[None] * len(o.type.tensor_type.shape.dim)})"
        for o in graph.output) + "]")
    lines.append("constants = {" + ", ".join(f"{t.name!r}: {literal(numpy_helper.to_array(t))}" for t in graph.initializer) + "}")
    lines.append("feeds = {" + ", ".join(f"{name!r}: {literal(array)}" for name, array in case.feeds[0].items()) + "}")
    lines.append('graph = helper.make_graph(nodes, "g", inputs, outputs, [numpy_helper.from_array(a, n) for n, a in constants.items()])')
    lines.append(f'model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", {case.model.opset_import[0].version})], '
                 f"ir_version={case.model.ir_version})")
    lines.append('onnx.save(model, "model.onnx")')
    lines.append(f"# {command(case, failure)}")
    return "\n".join(lines)


def command(case: Case, failure: Failure) -> str:
    if failure.kind.startswith("optimize"):
        return "invar optimize model.onnx once.onnx"
    arguments = " ".join(case.variants[0].arguments(stated(case, 0))) if case.variants else ""
    return f"invar compile model.onnx -o model.so {arguments} && invar run model.so, {case.variants[0].threads} threads"


class Failures:
    """Collects failures by signature, and writes the smallest model of each into a folder."""

    def __init__(self, folder: pathlib.Path | None):
        self.folder = folder
        self.found: dict[str, list[str]] = collections.defaultdict(list)

    def add(self, name: str, case: Case, failure: Failure) -> None:
        key = signature(case, failure)
        is_new = key not in self.found
        self.found[key].append(name)
        if not is_new:
            print(f"failed: {name}: {key}, again", flush=True)
            return
        text = "".join(f"  {line}\n" for line in snippet(case, failure).splitlines())
        print(f"failed: {name}: {key}\n  {failure.detail}\n{text}", flush=True)
        if self.folder:
            self.keep(name, case, failure)

    def keep(self, name: str, case: Case, failure: Failure) -> None:
        path = self.folder / re.sub(r"\W+", "-", name).strip("-")
        self.folder.mkdir(parents=True, exist_ok=True)
        onnx.save(case.model, path.with_suffix(".onnx"))
        np.savez(path.with_suffix(".npz"), **{n: a for n, a in case.feeds[0].items() if a.dtype.kind != "V"})
        text = (failure.kind, failure.detail, command(case, failure), "", snippet(case, failure), "")
        path.with_suffix(".txt").write_text("\n".join(text))
