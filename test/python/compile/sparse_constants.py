#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests sparse Constants and sparse initializers: folded, compiled and run, and compared with their dense form.

The cases cover every element type; elements listed by number and by coordinates; none, one, some and all elements;
shapes with and without elements; Constants, initializers, defaults of inputs, branches and functions. Each tensor is
an output of a compiled model, reshaped at run time, and reshaped by a constant, which `optimize` folds. The expected
results come from numpy. The onnx package's reference evaluator, which does not support sparse constants, confirms
them for the dense model, and onnxruntime for the sparse one if it loads it. A big tensor with few elements must stay
small in `optimize`, and bad indices must be an error.

  sparse_constants.py --build build/dev [--only NAME]
"""
import argparse
import itertools
import json
import os
import sys
import tempfile
from typing import Iterator, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
import invar_engine
import measure
from folded_constants import constants_of

# Opset 25 has no tensors of the last two types. A type without a zero has no sparse tensors.
TYPES = {name: number for name, number in TensorProto.DataType.items()
         if number and name not in ("FLOAT8E8M0", "FLOAT6E2M3", "FLOAT6E3M2")}
SHAPES = ([5], [2, 3], [2, 1, 3], [1], [0, 3])
FEW = 1 << 10


def opset_of(element: int) -> int:
    """Returns an opset that onnxruntime supports, if it has the type."""
    return 21 if element <= TensorProto.INT4 else 25


class Sparse(NamedTuple):
    """A sparse tensor with its name and its dense form."""
    name: str
    proto: onnx.SparseTensorProto
    dense: np.ndarray


def values_of(element: int, count: int) -> np.ndarray:
    """Returns numbers that are not zero, and distinct as far as the type allows."""
    if element == TensorProto.STRING:
        return np.array([f"t{i}" for i in range(count)], object)
    dtype = invar_engine.DTYPES[element]
    numbers = np.arange(count) % 3 + 1
    if element in (TensorProto.COMPLEX64, TensorProto.COMPLEX128):
        return (numbers * (1 - 2j)).astype(dtype)
    return (np.ones(count) if element == TensorProto.INT2 else numbers).astype(dtype)


def zeros_of(element: int, shape: list[int]) -> np.ndarray:
    if element == TensorProto.STRING:
        return np.full(shape, "", object)
    return np.zeros(shape, invar_engine.DTYPES[element])


def tensor_of(array: np.ndarray, element: int, name: str = "") -> TensorProto:
    if element == TensorProto.STRING:
        return helper.make_tensor(name, element, array.shape, [text.encode() for text in array.flat])
    tensor = numpy_helper.from_array(array, name)
    assert tensor.data_type == element
    return tensor


def sparse_of(name: str, element: int, shape: list[int], places: list[int], by_axis: bool) -> Sparse:
    values, dense = values_of(element, len(places)), zeros_of(element, shape)
    dense.reshape(-1)[places] = values
    indices = np.array(places, np.int64)
    if by_axis:
        indices = np.stack(np.unravel_index(indices, shape), 1).astype(np.int64) if places else np.zeros((0, len(shape)), np.int64)
    return Sparse(name, helper.make_sparse_tensor(tensor_of(values, element, name), numpy_helper.from_array(indices), shape), dense)


def all_of(element: int) -> list[Sparse]:
    """Returns sparse tensors of every form."""
    made = []
    for shape, by_axis in itertools.product(SHAPES, (False, True)):
        size = int(np.prod(shape))
        for kind, places in {"none": [], "one": [size - 1], "some": list(range(1, size, 2)), "all": list(range(size))}.items():
            if max(places, default=0) >= 0:
                name = f"{'x'.join(map(str, shape))} {kind} {'by axis' if by_axis else 'by number'}"
                made.append(sparse_of(name, element, shape, places, by_axis))
    return made


def constant(sparse: Sparse, dense: bool = False, output: str = "") -> onnx.NodeProto:
    if not dense:
        return helper.make_node("Constant", [], [output or sparse.name], sparse_value=sparse.proto)
    element = sparse.proto.values.data_type
    return helper.make_node("Constant", [], [output or sparse.name], value=tensor_of(sparse.dense, element))


def info(name: str, element: int, shape: list | None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


TARGET = {"target": np.array([-1], np.int64)}


def model_of(nodes: list, tensors: list[Sparse], inputs: list, outputs: list, functions: list = [], opset: int = 25) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    graph.sparse_initializer.extend(t.proto for t in tensors)
    domains = [helper.make_opsetid("", opset)] + [helper.make_opsetid("own", 1)] * bool(functions)
    return helper.make_model(graph, opset_imports=domains, functions=functions, ir_version=11)


def moved(tensors: list[Sparse], element: int, make) -> onnx.ModelProto:
    """Makes a model that returns each tensor as it is, and in a shape that is given at run time."""
    nodes, initializers, functions, inputs = [], [], [], [info("target", TensorProto.INT64, [1]), info("c", TensorProto.BOOL, [])]
    outputs = []
    for tensor in tensors:
        make(tensor, nodes, initializers, functions, inputs)
        nodes += [helper.make_node("Identity", [tensor.name], [tensor.name + ": as it is"]),
                  helper.make_node("Reshape", [tensor.name, "target"], [tensor.name + ": flat"])]
        outputs += [info(node.output[0], element, None) for node in nodes[-2:]]
    return model_of(nodes, initializers, inputs, outputs, functions, opset_of(element))


def as_constant(tensor, nodes, initializers, functions, inputs) -> None:
    nodes.append(constant(tensor))


def as_dense(tensor, nodes, initializers, functions, inputs) -> None:
    nodes.append(constant(tensor, dense=True))


def as_initializer(tensor, nodes, initializers, functions, inputs) -> None:
    initializers.append(tensor)


def as_default(tensor, nodes, initializers, functions, inputs) -> None:
    initializers.append(tensor)
    inputs.append(info(tensor.name, tensor.proto.values.data_type, list(tensor.proto.dims)))


def in_branch(tensor, nodes, initializers, functions, inputs) -> None:
    def graph(name: str) -> onnx.GraphProto:
        made = helper.make_graph([helper.make_node("Identity", [name + " in"], [name])], name, [],
                                 [info(name, tensor.proto.values.data_type, None)])
        if name.endswith("then"):
            made.node.insert(0, constant(tensor, output=name + " in"))
        else:
            made.sparse_initializer.append(helper.make_sparse_tensor(
                tensor_of(values_of(tensor.proto.values.data_type, tensor.proto.values.dims[0]), tensor.proto.values.data_type, name + " in"),
                tensor.proto.indices, tensor.proto.dims))
        return made
    nodes.append(helper.make_node("If", ["c"], [tensor.name], then_branch=graph(tensor.name + " then"), else_branch=graph(tensor.name + " else")))


def in_function(tensor, nodes, initializers, functions, inputs) -> None:
    """The call passes the tensor as an attribute."""
    name = f"F{len(functions)}"
    inner = helper.make_node("Constant", [], ["t"])
    inner.attribute.append(onnx.AttributeProto(name="sparse_value", ref_attr_name="t", type=onnx.AttributeProto.SPARSE_TENSOR))
    functions.append(helper.make_function("own", name, [], ["t"], [inner], [helper.make_opsetid("", opset_of(tensor.proto.values.data_type))], ["t"]))
    nodes.append(helper.make_node(name, [], [tensor.name], domain="own", t=tensor.proto))


WAYS = {"Constant": as_constant, "initializer": as_initializer, "default": as_default, "branch": in_branch, "function": in_function}


def expected(tensors: list[Sparse]) -> list[np.ndarray]:
    return [made for tensor in tensors for made in (tensor.dense, tensor.dense.reshape(-1))]


def differences(names: list[str], want: list[np.ndarray], got: list[np.ndarray]) -> list[str]:
    return [f"'{name}': expected {w.tolist()}, but got {g.tolist()}" for name, w, g in zip(names, want, got, strict=True)
            if not engines.same_bits(w, g)][:3]


def from_onnxruntime(value, dtype: np.dtype) -> np.ndarray:
    """For types that numpy lacks, onnxruntime returns bytes, packed if elements are smaller."""
    raw, shape = (value, value.shape) if isinstance(value, np.ndarray) else value[:2]
    if raw.dtype == dtype:
        return raw
    if raw.nbytes != dtype.itemsize * int(np.prod(shape)) or "4" in dtype.name.split("_")[0] or "int2" in dtype.name:
        raise engines.CannotRun("packed elements")
    return np.frombuffer(raw.tobytes(), dtype).reshape(shape)


def judge_run(engine: invar_engine.Engine, element: int, way: str, folder: str, report: harness.Report) -> None:
    tensors = all_of(element)
    names = [name + part for name in (t.name for t in tensors) for part in (": as it is", ": flat")]
    path, library = (os.path.join(folder, name) for name in ("in.onnx", "out.so"))
    onnx.save(moved(tensors, element, WAYS[way]), path)
    name = f"{TensorProto.DataType.Name(element)} as {way}"
    for c in (True, False) if way == "branch" else (True,):
        feeds = TARGET | {"c": np.array(c)}
        try:
            engine.compile(path, library)
            session = engine.load(library)
            report.check(f"{name}, {c}: compiled", differences(names, expected(tensors), session.run(feeds)))
            session.close()
        except (invar_engine.CompilerCrashed, invar_engine.NotCompiled, invar_engine.RunFailed) as error:
            report.check(f"{name}, {c}: compiled", [str(error)])
    if way == "Constant":
        try:
            got = engines.Reference(moved(tensors, element, as_dense).SerializeToString()).run(TARGET | {"c": np.array(True)})
            report.check(f"{name}: the dense form in the reference", differences(names, expected(tensors), list(map(np.asarray, got))))
        except engines.CannotRun as error:
            report.skip(f"{name}: the dense form in the reference", f"the reference does not run it: {error}")


def judge_onnxruntime(engine: invar_engine.Engine, element: int, way: str, folder: str, report: harness.Report) -> None:
    """Tests the model, and the optimized one, which must run if the original does."""
    tensors = [t for t in all_of(element) if t.dense.size or way != "branch"]  # It rejects empty ones there.
    names = [name + part for name in (t.name for t in tensors) for part in (": as it is", ": flat")]
    path, again = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
    onnx.save(moved(tensors, element, WAYS[way]), path)
    name = f"{TensorProto.DataType.Name(element)} as {way}"

    def differ(model: str) -> list[str]:
        got = engines.OnnxRuntime(model).run(TARGET | {"c": np.array(True)})
        return differences(names, expected(tensors), [from_onnxruntime(value, tensors[0].dense.dtype) for value in got])
    ended = harness.run(engine.invar, "optimize", path, "-o", again, "--quiet")
    if ended.code:
        report.check(f"{name}: optimized", [ended.ending()])
        return
    try:
        report.check(f"{name}: the model in onnxruntime", differ(path))
    except engines.CannotRun as error:
        report.skip(f"{name}: in onnxruntime", str(error))
        return
    try:
        report.check(f"{name}: the optimized model in onnxruntime", differ(again))
    except engines.CannotRun as error:
        report.check(f"{name}: the optimized model in onnxruntime", [str(error)])


def judge_fold(invar: str, element: int, folder: str) -> Iterator[str]:
    """Computations of sparse constants must be folded, as with dense ones."""
    tensors = all_of(element)
    nodes = [node for i, tensor in enumerate(tensors) for node in (
        constant(tensor), helper.make_node("Transpose", [tensor.name], [f"y{i}"], perm=list(range(tensor.dense.ndim))[::-1]))]
    path, again = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
    onnx.save(model_of(nodes, [], [], [info(f"y{i}", element, None) for i in range(len(tensors))]), path)
    ended = harness.run(invar, "optimize", path, "-o", again, "--quiet")
    if ended.code:
        yield ended.ending()
        return
    constants, left = constants_of(onnx.load(again).graph)
    for i, tensor in enumerate(tensors):
        if f"y{i}" not in constants:
            yield f"{tensor.name} is not folded"
        elif not engines.same_bits(engines.as_array(constants[f"y{i}"]), tensor.dense.T):
            yield f"{tensor.name}: expected {tensor.dense.T.tolist()}, but got {engines.as_array(constants[f'y{i}']).tolist()}"


def judge_shape(engine: invar_engine.Engine, folder: str) -> Iterator[str]:
    """A sparse target of a Reshape, [0, 6], must be known in shape inference."""
    target = sparse_of("t", TensorProto.INT64, [2], [1], False)
    target.proto.values.CopyFrom(numpy_helper.from_array(np.array([6], np.int64), "t"))
    made = model_of([constant(target), helper.make_node("Reshape", ["x", "t"], ["y"])], [], [info("x", 1, ["n", 2, 3])], [info("y", 1, None)])
    path, again = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
    onnx.save(made, path)
    for passes in ("infer-shapes", "simplify"):
        ended = harness.run(engine.invar, "optimize", path, "-o", again, "--quiet", f"--passes={passes}")
        if ended.code:
            yield ended.ending()
            continue
        dims = [d.dim_param or d.dim_value for d in onnx.load(again).graph.output[0].type.tensor_type.shape.dim]
        if dims != ["n", 6]:
            yield f"{passes}: expected the shape [n, 6], but got {dims}"


def judge_growth(engine: invar_engine.Engine, folder: str) -> Iterator[str]:
    """4 MB with 4 nonzero bytes must stay small in a model, and be computed once in a library."""
    shape = [1000, 1000]
    w = sparse_of("w", TensorProto.FLOAT, shape, [5005], False)
    path, again, library = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx", "out.so"))
    onnx.save(model_of([constant(w), helper.make_node("Neg", ["w"], ["v"]), helper.make_node("Add", ["x", "v"], ["y"])], [],
                       [info("x", 1, shape)], [info("y", 1, shape)]), path)
    ended = harness.run(engine.invar, "optimize", path, "-o", again, "--quiet")
    if ended.code:
        yield ended.ending()
    elif os.path.getsize(again) > os.path.getsize(path) + FEW:
        yield f"expected about {os.path.getsize(path)} bytes, but got {os.path.getsize(again)}"
    emitted = harness.run(engine.invar, "compile", path, "--emit=onnx")
    if "onnx.Neg" in emitted.stdout or emitted.code:
        yield f"expected a folded Neg, but got {emitted.stdout[-300:]}"
    x = np.random.default_rng(0).random(shape, np.float32)
    engine.compile(path, library)
    session = engine.load(library)
    if not engines.same_bits(session.run({"x": x}), [x - w.dense]):
        yield "the outputs differ"
    session.close()


def judge_size(invar: str, folder: str) -> Iterator[str]:
    """1 GiB of unused zeros must cost nothing."""
    shape = [1 << 28]
    path, again = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
    for count in (0, 1):
        w = helper.make_sparse_tensor(numpy_helper.from_array(np.ones(count, np.float32), "w"),
                                      numpy_helper.from_array(np.arange(count, dtype=np.int64)), shape)
        made = model_of([helper.make_node("Add", ["x", "w"], ["y"])], [], [info("x", 1, shape)], [info("y", 1, shape)])
        made.graph.sparse_initializer.append(w)
        onnx.save(made, path)
        used = measure.measure([invar, "optimize", path, "-o", again])
        if used.code or used.peak_anonymous > 1 << 29:
            yield f"{count} values: exit {used.code}, {used.peak_anonymous >> 20} MB {used.stderr}"
    listed = json.loads(harness.run(invar, "inspect", path, "--json").stdout)["constants"]
    if [(c["name"], c["kind"], c["bytes"]) for c in listed] != [("w", "sparse initializer", 12)]:
        yield f"inspect: {listed}"


def judge_override(engine: invar_engine.Engine, folder: str) -> Iterator[str]:
    """A caller may pass another value than a sparse default."""
    w = sparse_of("w", TensorProto.FLOAT, [2, 3], [1, 4], True)
    path, library = (os.path.join(folder, name) for name in ("in.onnx", "out.so"))
    onnx.save(model_of([helper.make_node("Add", ["x", "w"], ["y"])], [w], [info("x", 1, [2, 3]), info("w", 1, [2, 3])], [info("y", 1, [2, 3])]), path)
    engine.compile(path, library)
    session = engine.load(library)
    x = np.ones((2, 3), np.float32)
    for feeds, want in (({"x": x}, x + w.dense), ({"x": x, "w": 7 * x}, 8 * x)):
        if not engines.same_bits(session.run(feeds), [want]):
            yield f"expected {want.tolist()}, but got {session.run(feeds)}"
    session.close()


def judge_bad(invar: str, indices: list, words: str, folder: str) -> Iterator[str]:
    values = numpy_helper.from_array(np.ones(len(indices), np.float32), "w")
    w = helper.make_sparse_tensor(values, numpy_helper.from_array(np.array(indices, np.int64)), [2, 3])
    path = os.path.join(folder, "in.onnx")
    for what, made in {
            "a Constant": model_of([helper.make_node("Constant", [], ["w"], sparse_value=w), helper.make_node("Add", ["x", "w"], ["y"])], [],
                                   [info("x", 1, [2, 3])], [info("y", 1, [2, 3])]),
            "a default": model_of([helper.make_node("Add", ["x", "w"], ["y"])], [Sparse("w", w, values)],
                                  [info("x", 1, [2, 3]), info("w", 1, [2, 3])], [info("y", 1, [2, 3])])}.items():
        onnx.save(made, path)
        ended = harness.run(invar, "compile", path, "-o", os.path.join(folder, "out.so"))
        if ended.code != 1 or words not in ended.stderr:
            yield f"{what}: expected '{words}', but got {ended.ending()}"


def judge_no_zero(invar: str, folder: str) -> Iterator[str]:
    values = helper.make_tensor("w", TensorProto.FLOAT8E8M0, [1], [1.0])
    w = helper.make_sparse_tensor(values, numpy_helper.from_array(np.array([1], np.int64)), [3])
    path = os.path.join(folder, "in.onnx")
    onnx.save(model_of([helper.make_node("Constant", [], ["w"], sparse_value=w), helper.make_node("Reshape", ["w", "target"], ["y"])], [],
                       [info("target", TensorProto.INT64, [1])], [info("y", TensorProto.FLOAT8E8M0, None)]), path)
    ended = harness.run(invar, "compile", path, "-o", os.path.join(folder, "out.so"))
    if ended.code != 1 or "expected a type that has a zero, but got float8e8m0" not in ended.stderr:
        yield ended.ending()


BAD = {"beyond": ([0, 6], "expected indices from 0 to 5, but got 6"), "below": ([-1, 2], "expected indices from 0 to 5, but got -1"),
       "beyond an axis": ([[0, 1], [1, 3]], "expected indices from 0 to 2, but got 3")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    engine = invar_engine.Engine(options.build)

    def check(name: str, complain, *arguments) -> None:
        if options.only not in name:
            return
        with tempfile.TemporaryDirectory(prefix="sparse") as folder:
            try:
                report.check(name, list(complain(*arguments, folder)))
            except (invar_engine.CompilerCrashed, invar_engine.NotCompiled, invar_engine.RunFailed) as error:
                report.check(name, [str(error)])

    for name, element in TYPES.items():
        for way in WAYS:
            if options.only in f"{name} as {way}":
                with tempfile.TemporaryDirectory(prefix="sparse") as folder:
                    judge_run(engine, element, way, folder, report)
                    if way != "function":  # onnxruntime crashes if a call passes a sparse tensor.
                        judge_onnxruntime(engine, element, way, folder, report)
        check(f"{name} folded", judge_fold, engine.invar, element)
    check("a target", judge_shape, engine)
    check("growth", judge_growth, engine)
    check("size", judge_size, engine.invar)
    check("a default that is overridden", judge_override, engine)
    check("a type without a zero", judge_no_zero, engine.invar)
    for name, (indices, words) in BAD.items():
        check(f"indices {name}", judge_bad, engine.invar, indices, words)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
