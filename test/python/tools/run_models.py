#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `invar run` and `invar verify` on the command line: every data type in numpy files, reports, caches, and errors
for bad inputs and libraries. This script makes the models.

  run_models.py --invar build/dev/bin/invar
"""
import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile
from typing import Callable, Iterator

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness

INVAR = ""  # the program under test
Complaints = list[str]

TYPES = {
    TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.FLOAT16: np.float16,
    TensorProto.BFLOAT16: ml_dtypes.bfloat16, TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2, TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
    TensorProto.INT8: np.int8, TensorProto.UINT16: np.uint16, TensorProto.INT64: np.int64,
    TensorProto.INT4: ml_dtypes.int4, TensorProto.UINT4: ml_dtypes.uint4, TensorProto.BOOL: np.bool_,
    TensorProto.COMPLEX64: np.complex64, TensorProto.STRING: str,
}


def save(path: str, operator: str, inputs: dict[str, list], element: int = TensorProto.FLOAT) -> str:
    infos = [helper.make_tensor_value_info(name, element, shape) for name, shape in inputs.items()]
    output = helper.make_tensor_value_info("a/y", element, None)
    graph = helper.make_graph([helper.make_node(operator, list(inputs), ["a/y"])], "g", infos, [output])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11), path)
    return path


def invar(*arguments: str) -> harness.Run:
    return harness.run(INVAR, *arguments)


def library(folder: str, operator: str = "Add", **shapes: list) -> str:
    path = os.path.join(folder, f"{operator}.so")
    ended = invar("compile", save(f"{path}.onnx", operator, shapes or {"x": ["n", 3], "y": [3]}), "-o", path, "--quiet")
    if ended.code:
        raise RuntimeError(ended.ending())
    return path


# -- Tests: each yields names and complaints --------------------------------------------------------------------------

def judge_types(folder: str) -> Iterator[tuple[str, Complaints]]:
    """A value that a model returns unchanged has the same content in the output file as in the input file."""
    for element, dtype in TYPES.items():
        name = TensorProto.DataType.Name(element).lower()
        model, made = os.path.join(folder, "in.onnx"), os.path.join(folder, "in.so")
        ended = invar("compile", save(model, "Identity", {"x": ["n", 3]}, element), "-o", made, "--quiet")
        if ended.code:
            yield name, [ended.ending()]
            continue
        values = np.array([["a", "żółć", ""], ["b", "x" * 30, "z"]]) if dtype is str else np.array([[0, 1, 0], [1, 1, 0]]).astype(dtype)
        single, archive = os.path.join(folder, "x.npy"), os.path.join(folder, "x.npz")
        writers: dict[str, tuple[Callable[[], None], str]] = {
            "npy": (lambda: np.save(single, values), f"x={single}"),
            "column-major": (lambda: np.save(single, np.asfortranarray(values)), f"x={single}"),
            "npz": (lambda: np.savez(archive, x=values), archive),
            "deflated npz": (lambda: np.savez_compressed(archive, x=values), archive)}
        for form, (write, argument) in writers.items():
            write()
            out = os.path.join(folder, "out")
            shutil.rmtree(out, ignore_errors=True)
            ended = invar("run", made, "--input", argument, "--output-dir", out)
            complaints = [ended.ending()] if ended.code else []
            if not complaints:
                got = np.load(os.path.join(out, "a_y.npy"))
                same = got.tolist() == values.tolist() if dtype is str else got.tobytes() == values.tobytes()
                if got.shape != values.shape or not same:
                    complaints.append(f"expected {values.tolist()}, but got {got.tolist()}")
            yield f"{name} by {form}", complaints


def judge_telling(folder: str) -> Iterator[tuple[str, Complaints]]:
    made, trace = library(folder), os.path.join(folder, "trace.json")
    ended = invar("run", made, "--random", "--dim=n=4", "--repeat=5", "--json")
    complaints = [ended.ending()] if ended.code or ended.stdout.count("\n") != 1 else []
    if not complaints:
        told = json.loads(ended.stdout)
        complaints += [f"no '{key}'" for key in ("median_ms", "min_ms", "load_ms") if key not in told]
        if told["outputs"] != [{"name": "a/y", "type": "float", "shape": [4, 3]}]:
            complaints.append(f"unexpected: {told['outputs']}")
    yield "one line of JSON", complaints
    ended = invar("run", made, "--random", f"--profile={trace}")
    events = json.loads(pathlib.Path(trace).read_text()) if os.path.exists(trace) else []
    yield "table and trace", [] if not ended.code and "Add_0" in ended.stdout and events else [ended.ending()]
    tables = [invar("run", made, *options).stdout.split("\n")[1] for options in (("--random",), ("--random=0",), ("--random=7",))]
    yield "the seed says what is drawn", [] if tables[0] == tables[1] != tables[2] else [str(tables)]
    yield "an open size is told", [] if "size 'n' is open" in invar("run", made, "--random").stderr else ["no note"]


def judge_cache(folder: str) -> Iterator[tuple[str, Complaints]]:
    model, cache = save(os.path.join(folder, "m.onnx"), "Add", {"x": [2], "y": [2]}), os.path.join(folder, "cache")

    def compiled(*options: str) -> bool | str:
        ended = invar("run", model, "--random", "--json", *(options or (f"--cache-dir={cache}",)))
        return "compile_ms" in json.loads(ended.stdout) if ended.code == 0 else ended.ending()

    yield "compiled once", [] if (answers := [compiled(), compiled()]) == [True, False] else [str(answers)]
    kept = next(pathlib.Path(cache).glob("*.so"))
    kept.write_bytes(kept.read_bytes()[:100])
    yield "a damaged file is made again", [] if (answers := [compiled(), compiled()]) == [True, False] else [str(answers)]
    save(model, "Mul", {"x": [2], "y": [2]})
    yield "another model is another file", [] if (answer := compiled()) is True else [str(answer)]
    yield "nothing is kept on request", [] if [compiled("--no-cache"), compiled("--no-cache")] == [True, True] else ["it was kept"]
    blocked = os.path.join(folder, "file")
    pathlib.Path(blocked).touch()
    yield "without a folder memory does", [] if (answer := compiled(f"--cache-dir={blocked}/x")) is True else [str(answer)]


def judge_targets(folder: str) -> Iterator[tuple[str, Complaints]]:
    """All kernel variants compute the same. The first targets need features that no processor has, or none."""
    model, made = save(os.path.join(folder, "m.onnx"), "Erf", {"x": ["n", 37]}), os.path.join(folder, "m.so")
    tables = {}
    for targets in ("host", "x86-64", "diamondrapids,x86-64-v2", "x86-64-v2,x86-64"):
        ended = invar("compile", model, "-o", made, "--quiet", f"--target-cpu={targets}")
        ended = ended if ended.code else invar("run", made, "--random", "--dim=n=3", "--output-dir", folder)
        tables[targets] = ended.ending() if ended.code else np.load(os.path.join(folder, "a_y.npy"))
    for targets, values in tables.items():
        agrees = not isinstance(values, str) and np.allclose(values, tables["host"], rtol=1e-6)
        yield targets, [] if agrees else [str(values)]


def judge_verify(folder: str) -> Iterator[tuple[str, Complaints]]:
    shapes = {"x": ["n", 3], "y": [3]}
    a, b, c = (save(os.path.join(folder, f"{n}.onnx"), op, shapes) for n, op in (("a", "Add"), ("b", "Add"), ("c", "Sub")))
    d = save(os.path.join(folder, "d.onnx"), "Add", {"x": ["n", 3], "z": [3]})
    for name, other, code, text in (("equal", b, 0, "outputs agree on 3 inputs"), ("different", c, 1, "differs"),
                                    ("other inputs", d, 1, "")):
        ended = invar("verify", a, other, "--no-cache")
        yield name, [] if ended.code == code and text in ended.stdout else [f"{ended.stdout} {ended.ending()}"]
    ended = invar("verify", a, c, "--no-cache", "--json", "--runs=2")
    told = json.loads(ended.stdout)
    yield "JSON", [] if ended.code == 1 and told["agree"] is False and told["runs"] == 2 else [str(told)]
    ended = invar("verify", a, "--no-cache")
    agrees = ended.code == 0 and "1 kernels agree with plain loops" in ended.stdout and "outputs agree on 3 inputs" in ended.stdout
    yield "with its meaning", [] if agrees else [f"{ended.stdout} {ended.ending()}"]
    made = os.path.join(folder, "a.so")
    ended = invar("compile", a, "-o", made, "--check-kernels")
    agrees = ended.code == 0 and "1 of 1 kernels agree with plain loops" in ended.stdout and os.path.exists(made)
    yield "kernels when compiling", [] if agrees else [f"{ended.stdout} {ended.ending()}"]
    ended = invar("verify", made, "--no-cache")
    yield "a library alone", [] if ended.code == 2 and "expected a model" in ended.stderr else [ended.ending()]
    ended = invar("verify", a, made, "--no-cache")
    yield "a library without consent", [] if ended.code == 2 and "state '--library' if you trust it" in ended.stderr else [ended.ending()]
    for models in ((a, made), (made, a), (made, made)):
        ended = invar("verify", *models, "--no-cache", "--library")
        yield "a library with consent", [] if ended.code == 0 and "outputs agree on 3 inputs" in ended.stdout else [ended.ending()]


PUT = """<ir_version: 10, opset_import: ["": 22]> g (float[n,8] table, int64[k,8] ids, float[k,8] x) => (float[n,8] y)
{ rows = ScatterElements<axis = 0>(table, ids, x) y = Neg(rows) }"""
SCALED = """<ir_version: 10, opset_import: ["": 22]> g (float[n] x, float[1] k) => (float[n] y) <float[1] k = {%s}> { y = Mul(x, k) }"""


def judge_verify_files(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Uses a table of one row, for which random indices are out of range."""
    def at(name: str) -> str:
        return os.path.join(folder, name)
    ids, rows = np.zeros((1, 8), np.int64), np.ones((1, 8), np.float32)
    np.save(at("ids.npy"), ids)
    np.save(at("table.npy"), rows)
    np.savez(at("all.npz"), table=rows, ids=ids, x=2 * rows)
    onnx.save(onnx.parser.parse_model(PUT), at("a.onnx"))
    other = onnx.parser.parse_model(PUT)
    other.graph.input.insert(0, other.graph.input.pop())  # in another order
    onnx.save(other, at("b.onnx"))
    stated = f"--input=ids={at('ids.npy')}", f"--input=table={at('table.npy')}"
    for name, models in {"one model": ["a.onnx"], "two models": ["a.onnx", "b.onnx"]}.items():
        paths = list(map(at, models))
        ended = invar("verify", *paths, "--no-cache", stated[1])
        yield f"{name}: random ones do not do", [] if ended.code == 1 and "by --input" in ended.stderr else [f"{ended.stdout} {ended.ending()}"]
        ended = invar("verify", *paths, "--no-cache", *stated)
        yield f"{name}: files, and random ones of their sizes", (
            [] if ended.code == 0 and "outputs agree on 3 inputs" in ended.stdout else [f"{ended.stdout} {ended.ending()}"])
        ended = invar("verify", *paths, "--no-cache", "--input", at("all.npz"))
        yield f"{name}: all from a file", [] if ended.code == 0 and "outputs agree on 1 input\n" in ended.stdout else [f"{ended.stdout} {ended.ending()}"]
    np.save(at("wrong.npy"), np.full((1, 8), 7, np.int64))
    ended = invar("verify", at("a.onnx"), "--no-cache", f"--input=ids={at('wrong.npy')}", stated[1])
    yield "a file that the model cannot run on", [] if ended.code == 1 and "expected" in ended.stderr else [ended.ending()]
    ended = invar("verify", at("a.onnx"), "--no-cache", f"--input=idx={at('ids.npy')}")
    yield "no such input", [] if ended.code == 2 and "expected one of the inputs 'ids', 'table', 'x'" in ended.stderr else [ended.ending()]
    ended = invar("verify", "--help")
    yield "help", [] if "--input=[NAME=]FILE.npy" in ended.stdout else [ended.stdout]
    ended = invar("run", at("a.onnx"), "--no-cache", "--random", *stated)
    yield "run, with random ones of their sizes", [] if ended.code == 0 and "1x8" in ended.stdout else [ended.ending()]
    # Both models have a different default, but the file applies to both.
    for name, scale in (("c", "2"), ("d", "3")):
        onnx.save(onnx.parser.parse_model(SCALED % scale), at(f"{name}.onnx"))
    np.save(at("k.npy"), np.full(1, 5, np.float32))
    codes = [invar("verify", at("c.onnx"), at("d.onnx"), "--no-cache", *more).code for more in ([], [f"--input=k={at('k.npy')}"])]
    yield "an input that has a default", [] if codes == [1, 0] else [str(codes)]


EMPTY = """<ir_version: 10, opset_import: ["": 22]> g (float[1,1,1,1] x, float[3,2] z) => (float[a,b,c,d] y, float[e,f] w, int32[h] s)
<float k = {2.5}, int64[1] from = {26}, int64[1] to = {30}, float[2,3] weights = {1,2,3,4,5,6}> {
  v = Slice(x, from, to) y = Mul(k, v) w = MatMul(z, weights) t = Shape<start = -1, end = -1>(x) s = Cast<to = 6>(t) }"""


def judge_empty(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Tests constants without elements, for every time of folding, beside other constants."""
    model, made = os.path.join(folder, "empty.onnx"), os.path.join(folder, "empty.so")
    onnx.save(onnx.parser.parse_model(EMPTY), model)
    for option in ("--fold-at=auto", "--fold-at=compile", "--fold-at=run", "--fold-at=never", "--compress-weights"):
        ended = invar("compile", model, "-o", made, "--quiet", option)
        ended = ended if ended.code else invar("run", made, "--random", "--output-dir", folder)
        shapes = [] if ended.code else [np.load(os.path.join(folder, f"{name}.npy")).shape for name in "yws"]
        yield option, [] if shapes == [(0, 1, 1, 1), (3, 3), (0,)] else [f"{shapes} {ended.ending()}"]


# Sums over an axis of size 0. Other engines leave memory as it is here, so the definition decides.
PRODUCTS = """<ir_version: 8, opset_import: ["": 18]> g (float[n, k] a, float[2, k, 5] b, uint8[n, k] c, float[1, k, 4, 4] image) =>
  (float[2, n, 5] product, float[n, 3] sum, int32[n, 3] whole, float[n, n] square, float[1, 2, 2, 2] window)
  <float[0, 3] w = {}, float[3] bias = {1, 2, 3}, uint8[0, 3] u = {}, float[2, 0, 3, 3] f = {}, float[2] shift = {4, 5}> {
  product = MatMul (a, b)
  sum = Gemm (a, w, bias)
  whole = MatMulInteger (c, u)
  square = Einsum <equation = "ik,jk->ij"> (a, a)
  window = Conv (image, f, shift)
}"""


def judge_empty_products(folder: str) -> Iterator[tuple[str, Complaints]]:
    """A product over an axis of size 0 is 0, or the bias."""
    model, made = os.path.join(folder, "products.onnx"), os.path.join(folder, "products.so")
    onnx.save(onnx.parser.parse_model(PRODUCTS), model)
    shapes = {"a": (4, 0), "b": (2, 0, 5), "c": (4, 0), "image": (1, 0, 4, 4)}
    for name, shape in shapes.items():
        np.save(os.path.join(folder, f"{name}.npy"), np.zeros(shape, np.uint8 if name == "c" else np.float32))
    wanted = {"product": np.zeros((2, 4, 5)), "sum": np.tile([1, 2, 3], (4, 1)), "whole": np.zeros((4, 3)), "square": np.zeros((4, 4)),
              "window": np.broadcast_to(np.array([4, 5]).reshape(1, 2, 1, 1), (1, 2, 2, 2))}
    for options in ((), ("--dim=k=0",), ("--dim=n=4", "--dim=k=0", "--fold-at=compile"), ("--target-cpu=x86-64-v2", "--winograd=on")):
        ended = invar("compile", model, "-o", made, "--quiet", *options)
        ended = ended if ended.code else invar("run", made, *(f"--input={name}={os.path.join(folder, f'{name}.npy')}" for name in shapes),
                                               "--output-dir", folder)
        complaints = [ended.ending()] if ended.code else [
            f"{name}: expected {want.tolist()}, but got {got.tolist()}" for name, want in wanted.items()
            if not np.array_equal(got := np.load(os.path.join(folder, f"{name}.npy")), want)]
        yield " ".join(("products over nothing", *options)), complaints


SUMS = """<ir_version: 8, opset_import: ["": 18]> g (float[n, 3] x, float[1, 2, m, 250] image) => (float[k] sum, float[k2] mean,
  float[] norm, float[k3] scores, float[1, 2, m, 250] normal) <int64[1] rows = {0}, float[2] ones = {1, 1}, float[2] none = {0, 0}> {
  sum = ReduceSum <keepdims = 0> (x, rows)
  mean = ReduceMean <keepdims = 0> (x, rows)
  norm = ReduceL2 <keepdims = 0> (x)
  scores = ReduceLogSumExp <keepdims = 0> (x, rows)
  normal = InstanceNormalization (image, ones, none)
}"""


def judge_sums(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Tests that long sums of floats keep their precision, compared with doubles."""
    model, made = os.path.join(folder, "sums.onnx"), os.path.join(folder, "sums.so")
    onnx.save(onnx.parser.parse_model(SUMS), model)
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 1, (400_000, 3)).astype(np.float32)
    image = rng.uniform(0, 1, (1, 2, 1200, 250)).astype(np.float32)
    for name, array in (("x", x), ("image", image)):
        np.save(os.path.join(folder, f"{name}.npy"), array)
    wide, pixels = x.astype(np.float64), image.astype(np.float64)
    wanted = {"sum": wide.sum(0), "mean": wide.mean(0), "norm": np.sqrt((wide * wide).sum()), "scores": np.log(np.exp(wide).sum(0)),
              "normal": (pixels - pixels.mean((2, 3), keepdims=True)) / np.sqrt(pixels.var((2, 3), keepdims=True) + 1e-5)}
    for options in ((), ("--target-cpu=x86-64-v2",), ("--dim=n=400000", "--dim=m=1200")):
        ended = invar("compile", model, "-o", made, "--quiet", *options)
        ended = ended if ended.code else invar("run", made, *(f"--input={name}={os.path.join(folder, f'{name}.npy')}" for name in ("x", "image")),
                                               "--output-dir", folder)
        complaints = [ended.ending()] if ended.code else []
        for name, want in wanted.items() if not ended.code else ():
            off = np.abs(np.load(os.path.join(folder, f"{name}.npy")) - want).max() / np.abs(want).max()
            complaints += [f"{name} is {off:.1e} off"] if off > 1e-6 else []
        yield " ".join(options) or "as it is", complaints


def judge_options(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Tests every --fold-at option, also with compressed and with refittable weights, on a scale that is packed."""
    model, made = os.path.join(folder, "scale.onnx"), os.path.join(folder, "scale.so")
    text = """<ir_version: 10, opset_import: ["": 21]> g (float[1,1] x) => (uint8[1,1] y) <float[1] scale = {0.5}> { y = QuantizeLinear(x, scale) }"""
    onnx.save(onnx.parser.parse_model(text), model)
    np.save(os.path.join(folder, "x.npy"), np.array([[5]], np.float32))
    for time in ("auto", "compile", "run", "never"):
        for others in ((), ("--compress-weights",), ("--refittable",)):
            ended = invar("compile", model, "-o", made, "--quiet", f"--fold-at={time}", *others)
            ended = ended if ended.code else invar("run", made, f"--input=x={os.path.join(folder, 'x.npy')}", "--output-dir", folder)
            agrees = not ended.code and np.load(os.path.join(folder, "y.npy")) == 10
            yield f"{time} {' '.join(others)}", [] if agrees else [ended.ending()]


def save_nodes(path: str, nodes: list[onnx.NodeProto], inputs: list, outputs: list, initializers: list = []) -> str:
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=9), path)
    return path


def judge_maps(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Maps are stored as JSON in files, and compared."""
    place = lambda name: os.path.join(folder, name)
    single = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    words, numbers = (helper.make_map_type_proto(key, single) for key in (TensorProto.STRING, TensorProto.INT64))
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2])
    zip_map = lambda **labels: helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", **labels)
    a, b = (save_nodes(place(f"{name}.onnx"), [zip_map(classlabels_int64s=labels)], [x],
                       [helper.make_value_info("y", helper.make_sequence_type_proto(numbers))]) for name, labels in (("a", [1, 0]), ("b", [1, 7])))
    values = np.array([[0.5, -1], [np.inf, np.nan]], np.float32)
    np.save(place("x.npy"), values)
    ended = invar("run", a, "--no-cache", "--input", place("x.npy"), "--output-dir", place("out"))
    wanted = [{"0": -1.0, "1": 0.5}, {"0": "NaN", "1": "Infinity"}]
    got = None if ended.code else json.loads(pathlib.Path(place("out/y.json")).read_text())
    yield "out as JSON", [] if got == wanted else [f"expected {wanted}, but got {got}: {ended.ending()}"]
    ended = invar("run", a, "--no-cache", "--input", place("x.npy"))
    yield "a row for people", [] if "seq(map(int64, float))  2" in ended.stdout and "{0: -1, 1: 0.5} …" in ended.stdout else [ended.stdout]
    ended = invar("run", a, "--no-cache", "--random", "--json")
    told = json.loads(ended.stdout)["outputs"] if not ended.code else ended.ending()
    yield "a row for programs", [] if told == [{"name": "y", "type": "seq(map(int64, float))", "shape": [1]}] else [str(told)]
    for name, other, code in (("equal", a, 0), ("other keys", b, 1)):
        ended = invar("verify", a, other, "--no-cache")
        yield f"{name}, verified", [] if ended.code == code else [ended.ending()]
    made = save_nodes(place("d.onnx"), [helper.make_node("DictVectorizer", ["x"], ["y"], domain="ai.onnx.ml", string_vocabulary=["b", "ż"])],
                      [helper.make_value_info("x", words)], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    for text, code, said in (('{"b": 2, "ż": "-Infinity", "q": 1}', 0, ""), ("[1]", 1, "expected an object of JSON for a map, but got [1]"),
                             ('{"b": "two"}', 1, "expected values of type float, but got \"two\""), ("{", 1, "expected JSON")):
        pathlib.Path(place("x.json")).write_text(text)
        ended = invar("run", made, "--no-cache", "--input", f"x={place('x.json')}", "--output-dir", place("out"))
        complaints = [] if ended.code == code and said in ended.stderr else [ended.ending()]
        if not code and not complaints and (got := np.load(place("out/y.npy")).tolist()) != [[2, -np.inf]]:
            complaints.append(str(got))
        yield f"in as {text}", complaints
    ended = invar("run", made, "--no-cache", "--random")
    yield "drawn", [] if not ended.code else [ended.ending()]


def judge_defaults(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Initializers that are also inputs may be given."""
    place = lambda name: os.path.join(folder, name)
    x, w = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "xw")
    made = save_nodes(place("m.onnx"), [helper.make_node("Sub", ["x", "w"], ["y"])], [w, x],
                      [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
                      [onnx.numpy_helper.from_array(np.array([1, 2], np.float32), "w")])
    for name, values in (("x", [10, 20]), ("w", [3, 5])):
        np.save(place(f"{name}.npy"), np.array(values, np.float32))
    ended = invar("compile", made, "-o", place("fixed.so"), "--fix-defaults", "--quiet")
    brought = ("--input", f"w={place('w.npy')}")
    for name, model, options, wanted in (("left out", made, (), [9, 18]), ("brought", made, brought, [7, 15]),
                                         ("of a library", place("open.so"), brought, [7, 15]), ("fixed", place("fixed.so"), (), [9, 18]),
                                         ("fixed, brought", place("fixed.so"), brought, "expected one of the inputs 'x', but got 'w'"),
                                         ("fixed when it runs", made, ("--fix-defaults", *brought), "expected one of the inputs 'x', but got 'w'")):
        invar("compile", made, "-o", place("open.so"), "--quiet")
        ended = invar("run", model, "--no-cache", "--input", f"x={place('x.npy')}", *options, "--output-dir", place("out"))
        if isinstance(wanted, str):
            yield name, [] if ended.code == 2 and wanted in ended.stderr else [ended.ending()]
        else:
            got = None if ended.code else np.load(place("out/y.npy")).tolist()
            yield name, [] if got == wanted else [f"expected {wanted}, but got {got}: {ended.ending()}"]
    for name, other in (("verified", made), ("verified beside a fixed one", place("fixed.onnx"))):
        invar("optimize", made, place("fixed.onnx"), "--fix-defaults")
        ended = invar("verify", made, other, "--no-cache")
        yield name, [] if not ended.code else [ended.ending()]


def judge_bad(folder: str) -> Iterator[tuple[str, Complaints]]:
    made = library(folder)
    place = lambda name: os.path.join(folder, name)
    arrays = {"x": np.zeros((2, 3), np.float32), "y": np.zeros(3, np.float32), "wide": np.zeros(3), "rank": np.zeros((2, 2, 3), np.float32),
              "size": np.zeros((2, 4), np.float32), "objects": np.array([{}], object)}
    for name, array in arrays.items():
        np.save(place(f"{name}.npy"), array, allow_pickle=True)
    raw, elf = pathlib.Path(place("x.npy")).read_bytes(), pathlib.Path(made).read_bytes()
    np.savez(place("x.npz"), x=arrays["x"], y=arrays["y"])
    zipped = pathlib.Path(place("x.npz")).read_bytes()
    np.savez(place("other.npz"), x=arrays["x"], q=arrays["y"])
    for name, content in {"cut.npy": raw[:-5], "text.npy": b"hello", "cut.npz": zipped[:200], "cut.so": elf[:len(elf) // 2],
                          "flipped.npz": zipped[:190] + bytes([zipped[190] ^ 0x55]) + zipped[191:], "text.so": b"hello",
                          "model.so": b"\x08\x08" * 100, "library.onnx": elf, "library": elf,
                          "huge.npy": raw.replace(b"(2, 3), }" + b" " * 16, b"(9999999999, 99999999), }")}.items():
        pathlib.Path(place(name)).write_bytes(content)
    inputs = lambda x, y="y.npy": ("--input", f"x={place(x)}", "--input", f"y={place(y)}")
    for name, arguments, code, text in (
            ("no inputs", (made,), 2, "expected one file for input 'x', but got 0"),
            ("another name", (made, "--input", f"q={place('x.npy')}"), 2, "expected one of the inputs 'x', 'y', but got 'q'"),
            ("another type", (made, *inputs("x.npy", "wide.npy")), 1, "but got tensor(double)[3]"),
            ("another rank", (made, *inputs("rank.npy")), 1, "but got tensor(float)[2,2,3]"),
            ("another size", (made, *inputs("size.npy")), 1, "but got tensor(float)[2,4]"),
            ("objects", (made, *inputs("objects.npy")), 1, "but got '|O'"),
            ("a cut .npy", (made, *inputs("cut.npy")), 1, "expected 24 bytes"),
            ("no .npy", (made, *inputs("text.npy")), 1, "expected a .npy"),
            ("a huge shape", (made, *inputs("huge.npy")), 1, "expected 3999999959600000004 bytes"),
            ("a missing .npy", (made, *inputs("none.npy")), 1, "cannot open"),
            ("a cut .npz", (made, "--input", place("cut.npz")), 1, "expected a whole .npz"),
            ("a damaged .npz", (made, "--input", place("flipped.npz")), 1, "another checksum"),
            ("another .npz", (made, "--input", place("other.npz")), 1, "but got 'q'"),
            ("a cut library", (place("cut.so"), "--random"), 1, "expected 'INVARSO4'"),
            ("no library", (place("text.so"), "--random"), 1, "expected a compiled model"),
            ("a model called a library", (place("model.so"), "--random"), 1, "expected a compiled model"),
            ("a library called a model", (place("library.onnx"), "--random"), 1, "expected an ONNX model, but got a library"),
            ("a library of no name", (place("library"), "--random"), 1, "expected an ONNX model, but got a library"),
            ("a foreign library", (next(iter(foreign_libraries())), "--random", "--library"), 1, "expected 'INVARSO4'"),
            ("a missing library", (place("none.so"), "--random"), 1, "cannot open"),
            ("a missing model", (place("none.onnx"), "--random"), 1, "cannot open"),
            ("an unknown size", (made, "--random", "--dim=q=3"), 2, "expected an open size of an input, but got 'q'"),
            ("no runs", (made, "--random", "--repeat=0"), 2, "expected a number from 1"),
            ("two models", (made, made), 2, "expected one model, but got 2"),
            ("a seed that is none", (made, "--random=z"), 2, "expected a number")):
        ended = invar("run", *arguments)
        yield name, [] if ended.code == code and text in ended.stderr else [f"expected exit {code} with '{text}', but got {ended.ending()}"]


def foreign_libraries() -> list[str]:
    """Returns the libraries that this process has mapped."""
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return sorted({line.split()[-1] for line in lines if ".so" in line.split()[-1]})


def main() -> int:
    global INVAR
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    INVAR = parser.parse_args().invar
    report = harness.Report()
    for test in (judge_types, judge_telling, judge_cache, judge_targets, judge_verify, judge_verify_files, judge_empty, judge_empty_products, judge_sums,
                 judge_options, judge_maps, judge_defaults, judge_bad):
        with tempfile.TemporaryDirectory(prefix="run") as folder:
            for name, complaints in test(folder):
                report.check(f"{test.__name__.removeprefix('judge_')}: {name}", complaints)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
