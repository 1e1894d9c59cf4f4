#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the shapes that Invar infers in real models with onnxruntime's results and with other tools' inference.

Declared shapes of inner values and outputs are removed first, so that each tool must find them. Then:
  - every inferred shape must equal the actual shape when onnxruntime runs the model; names are evaluated with the
    sizes of the inputs;
  - Invar must find everything that onnx.shape_inference (with data propagation) and onnxruntime's symbolic tool find,
    unless they are wrong.

  shape_models.py --invar build/release/bin/invar [--table FILE] [--fetch] FOLDER|MODEL…
"""
import argparse
import contextlib
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from engines import CannotRun, OnnxRuntime
from feeding import random_feeds
from symbolic import Unbound, evaluate

ROOT = pathlib.Path(__file__).resolve().parents[3]
COPY = "__copy"
Dims = list[int | str] | None  # None: unknown rank; "" is a dimension without a name


class Found(NamedTuple):
    """The shapes that a tool finds for the values of the main graph."""
    shapes: dict[str, Dims]
    seconds: float
    error: str = ""

    def count(self, names: list[str]) -> tuple[int, int, int]:
        known = symbolic = 0
        for name in names:
            dims = self.shapes.get(name)
            if dims is not None and all(isinstance(d, int) for d in dims):
                known += 1
            elif dims is not None:
                symbolic += 1
        return known, symbolic, len(names) - known - symbolic


def dims_of(info: onnx.ValueInfoProto) -> Dims:
    kind = info.type.WhichOneof("value")
    if kind != "tensor_type" or not info.type.tensor_type.HasField("shape"):
        return None
    return [d.dim_value if d.HasField("dim_value") else d.dim_param for d in info.type.tensor_type.shape.dim]


def shapes_of(model: onnx.ModelProto) -> dict[str, Dims]:
    graph = model.graph
    return {info.name: dims_of(info) for info in (*graph.input, *graph.value_info, *graph.output)}


def forget_declarations(graph: onnx.GraphProto) -> None:
    """Removes declared shapes of inner values and outputs, also in nested graphs."""
    del graph.value_info[:]
    for output in graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                forget_declarations(attribute.g)


def copy_outputs(graph: onnx.GraphProto) -> None:
    """Makes outputs inner values: for outputs Invar writes no expressions, because callers would take them for
    names."""
    for output in graph.output:
        graph.node.append(helper.make_node("Identity", [output.name], [f"{output.name}{COPY}"]))
        output.name += COPY


def behind_foreign(graph: onnx.GraphProto) -> dict[str, str]:
    """Returns values that are computed from results of a nonstandard operator, and that operator."""
    found: dict[str, str] = {}
    for node in graph.node:
        kinds = [found[name] for name in node.input if name in found]
        if not onnx.defs.has(node.op_type, node.domain):
            kinds = [node.op_type]
        if kinds:
            found |= dict.fromkeys(node.output, kinds[0])
    return found


def invar_infers(invar: str, path: str, out: str) -> Found:
    start = time.perf_counter()
    run = harness.run(invar, "optimize", path, "-o", out, "--passes=infer-shapes", "--quiet")
    seconds = time.perf_counter() - start
    if run.code:
        return Found({}, seconds, run.ending())
    return Found(shapes_of(onnx.load(out, load_external_data=False)), seconds)


def onnx_infers(path: str, out: str) -> Found:
    start = time.perf_counter()
    try:
        onnx.shape_inference.infer_shapes_path(path, out, data_prop=True)
        seconds = time.perf_counter() - start
        return Found(shapes_of(onnx.load(out, load_external_data=False)), seconds)
    except Exception as error:  # If it fails for any reason, it has found nothing.
        return Found({}, time.perf_counter() - start, str(error).split("\n")[0][:100])


def ort_infers(path: str) -> Found:
    try:
        from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference
    except ImportError as error:
        return Found({}, 0, str(error))
    model = onnx.load(path)
    start = time.perf_counter()
    logging.getLogger("onnxruntime.tools.symbolic_shape_infer").setLevel(logging.CRITICAL)
    try:
        with contextlib.chdir(os.path.dirname(path)):  # It leaves a file there if it fails.
            inferred = SymbolicShapeInference.infer_shapes(model, auto_merge=True, guess_output_rank=False)
        return Found(shapes_of(inferred), time.perf_counter() - start)
    except Exception as error:
        return Found({}, time.perf_counter() - start, (str(error) or type(error).__name__).split("\n")[0][:100])


def actual_shapes(path: str, names: list[str], folder: str) -> tuple[dict[str, tuple[int, ...]], dict[str, Any]]:
    """Returns the shapes that onnxruntime computes, with every value of the main graph as an output."""
    # Images that are larger than the windows: otherwise onnxruntime's sizes differ from the standard.
    feeds = random_feeds(path, (64, 80, 160, 320, 640, 32, 16, 4, 2, 1, 128, 512, 16000))
    model = onnx.load(path)
    outputs = {output.name for output in model.graph.output}
    wanted = [name for name in names if name not in outputs]
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in wanted)
    opened = os.path.join(folder, "opened.onnx")
    onnx.save(model, opened, save_as_external_data=model.ByteSize() > 1_900_000_000)
    engine = OnnxRuntime(opened)
    kept = [output.name for output in engine.session.get_outputs()]
    values = engine.run(feeds)
    return {name: np.shape(value) for name, value in zip(kept, values) if isinstance(value, np.ndarray)}, feeds


class Actual:
    """The sizes of one run. A name that only Invar defines gets its value where it first occurs alone."""

    def __init__(self, shapes: dict[str, tuple[int, ...]], sizes: dict[str, int]):
        self.shapes, self.sizes = shapes, sizes

    def contradicts(self, name: str, dims: Dims) -> str:
        shape = self.shapes.get(name)
        if shape is None or dims is None:
            return ""
        if len(shape) != len(dims):
            return f"{name}: {dims} for {shape}"
        for dim, size in zip(dims, shape):
            if isinstance(dim, str):
                if not dim:
                    continue
                try:
                    dim = evaluate(dim, self.sizes)
                except Unbound as unbound:
                    if str(unbound) == dim:
                        self.sizes[dim] = size
                    continue
                except ValueError:
                    self.sizes.setdefault(dim, size)
                    dim = self.sizes[dim]
            if dim != size:
                return f"{name}: {dims} for {shape}"
        return ""


def missing(name: str, ours: Dims, theirs: Dims, actual: Actual) -> str:
    """Returns the sizes that the other tool knows and Invar does not, if they are right."""
    if theirs is None:
        return ""
    shape = actual.shapes.get(name)
    if shape is not None and (len(shape) != len(theirs)
                              or any(isinstance(t, int) and t != s for t, s in zip(theirs, shape))):
        return ""  # The other tool is wrong.
    if ours is None:
        return f"{name}: unknown, they have {theirs}"
    for a, b in zip(ours, theirs):
        if (isinstance(b, int) and not isinstance(a, int)) or (b and a == ""):
            return f"{name}: {ours}, they have {theirs}"
    return ""


def study(path: str, invar: str, report: harness.Report, rows: list[str], verbose: bool) -> None:
    name = os.path.basename(path)
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "in.onnx")
        model = onnx.load(path)
        forget_declarations(model.graph)
        foreign = behind_foreign(model.graph)
        copy_outputs(model.graph)
        onnx.save(model, stripped, save_as_external_data=model.ByteSize() > 1_900_000_000)
        names = [output for node in model.graph.node for output in node.output if output and node.op_type != "Constant" and not output.endswith(COPY)]
        inputs = {info.name: dims_of(info) for info in model.graph.input}
        del model
        ours = invar_infers(invar, stripped, os.path.join(folder, "invar.onnx"))
        theirs = onnx_infers(stripped, os.path.join(folder, "onnx.onnx"))
        symbolic = ort_infers(stripped)
        complaints = [ours.error] if ours.error else []
        try:
            shapes, feeds = actual_shapes(stripped, names, folder)
            sizes = {dim: size for key, value in feeds.items() for dim, size in zip(inputs.get(key) or [], value.shape)
                     if isinstance(dim, str) and dim}
            # Invar names dimensions of inputs that have no name in the file.
            sizes |= {dim: size for key, value in feeds.items()
                      for dim, size in zip(ours.shapes.get(key) or [], value.shape) if isinstance(dim, str) and dim}
            actual = Actual(shapes, sizes)
        except CannotRun as error:
            print(f"{name}: not run: {error}")
            actual = Actual({}, {})
        wrong = [text for value in names if (text := actual.contradicts(value, ours.shapes.get(value)))]
        complaints += [f"{len(wrong)} wrong: {wrong[0]}"] if wrong else []
        for tool, found in (("onnx", theirs), ("onnxruntime", symbolic)):
            lost = {value: text for value in names
                    if (text := missing(value, ours.shapes.get(value), found.shapes.get(value), actual))}
            if left := [value for value in lost if value in foreign]:
                print(f"{name}: {len(left)} that {tool} finds are left out: they depend on {foreign[left[0]]}, "
                      "which the standard does not have")
            lost = [text for value, text in lost.items() if value not in foreign]
            if lost:
                complaints.append(f"{len(lost)} that {tool} finds: {lost[0]}")
                if verbose:
                    print("\n".join(f"  {tool}: {text}" for text in lost[:20]))
        report.check(name, complaints)
        cells = [f"{'/'.join(map(str, found.count(names)))}" if not found.error else "fails" for found in (ours, theirs, symbolic)]
        rows.append(f"| {name.removesuffix('.onnx')} | {len(names)} | {cells[0]} | {cells[1]} | {cells[2]} | "
                    f"{len(actual.shapes)} | {ours.seconds:.2f} | {theirs.seconds:.2f} | {symbolic.seconds:.2f} |")


def models_in(places: list[str], fetch: bool) -> list[str]:
    """Returns the given models, and all models in the given folders."""
    paths = []
    for place in places:
        if not os.path.isdir(place) and place.endswith(".onnx"):
            paths.append(place)
            continue
        if fetch:
            subprocess.run([sys.executable, ROOT / "utils/fetch-models", "--out", place], check=True)
        paths += sorted(str(path) for path in pathlib.Path(place).rglob("*.onnx"))
    return paths


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--table", help="write the table of counts there")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--fetch", action="store_true", help="first get what is missing into the folders")
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    report, rows = harness.Report(arguments.verbose), []
    for path in models_in(arguments.models, arguments.fetch):
        study(path, arguments.invar, report, rows, arguments.verbose)
    table = "\n".join(["| model | values | Invar: known/symbolic/unknown | onnx | onnxruntime's tool | checked by running | "
                       "Invar s | onnx s | tool s |", "| --- | ---: | --- | --- | --- | ---: | ---: | ---: | ---: |", *rows])
    print(table)
    if arguments.table:
        with open(arguments.table, "w") as file:
            file.write(table + "\n")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
