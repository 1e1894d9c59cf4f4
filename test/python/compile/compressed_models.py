#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models whose weights have structure, with and without --compress-weights.

For each model and each time of folding, both must compute the same bits. The library must be smaller than the model
by the factor that the structure allows, and never bigger than without compression. `invar inspect` must show the
encodings of the constants. Flipped bits must not crash anything. If models are given, they are compiled and compared
instead, and their sizes are printed.

  compressed_models.py --invar build/dev/bin/invar [FOLDER|FILE…]
"""
import argparse
import json
import os
import pathlib
import random
import sys
import tempfile
from typing import Iterator, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import feeding
import harness
from models import value

WIDTH = 768
TIMES = ("auto", "run", "compile", "never")


class Case(NamedTuple):
    name: str
    model: onnx.ModelProto
    # The minimum ratio of the model's size to the library's size.
    factor: float
    # The expected encodings in the output of `invar inspect`.
    encodings: set[str]


def model_of(nodes: list[onnx.NodeProto], weights: dict[str, np.ndarray], inputs=None, outputs=None) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, "g", inputs or [value("x", 4, WIDTH)], outputs or [value("y", 4, WIDTH)],
                              [numpy_helper.from_array(array, name) for name, array in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def product(weights: np.ndarray) -> onnx.ModelProto:
    return model_of([helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": weights})


def total(*parts: np.ndarray) -> onnx.ModelProto:
    """Makes x plus each of the parts."""
    nodes, last, weights = [], "x", {}
    for i, part in enumerate(parts):
        weights[f"w{i}"] = part
        nodes.append(helper.make_node("Add", [last, f"w{i}"], [f"s{i}"]))
        last = f"s{i}"
    shape = parts[0].shape
    return model_of([*nodes, helper.make_node("Identity", [last], ["y"])], weights, [value("x", *shape)], [value("y", *shape)])


def lookup(table: np.ndarray) -> onnx.ModelProto:
    """Looks up rows unchanged: no arithmetic changes a bit of them."""
    kind = helper.np_dtype_to_tensor_dtype(table.dtype)
    return model_of([helper.make_node("Gather", ["t", "i"], ["y"])], {"t": table},
                    [helper.make_tensor_value_info("i", TensorProto.INT64, [8])],
                    [helper.make_tensor_value_info("y", kind, [8, *table.shape[1:]])])


def quantized(generator: np.random.Generator, rows: int, columns: int, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns bytes, and a scale for each row or column."""
    codes = generator.integers(-127, 128, (rows, columns)).astype(np.int8)
    scales = (generator.random((rows, columns)[axis], np.float32) * 0.02 + 1e-4).astype(np.float32)
    return codes, scales


def cases() -> Iterator[Case]:
    generator = np.random.default_rng(1)
    square = (WIDTH, WIDTH)
    normal = lambda *shape: generator.standard_normal(shape).astype(np.float32)

    colors = normal(16)
    yield Case("palette of 16", product(colors[generator.integers(0, 16, square)]), 6, {"palette"})
    colors = normal(200)
    yield Case("palette of 200", product(colors[generator.integers(0, 200, square)]), 3.5, {"palette"})
    yield Case("float16 in float", product(normal(*square).astype(np.float16).astype(np.float32)), 1.9, {"float16"})
    brain = (normal(*square) * 1e9).view(np.uint32) & np.uint32(0xffff0000)
    yield Case("bfloat16 in float", product(brain.view(np.float32)), 2, {"bfloat16"})
    for axis in (0, 1):
        codes, scales = quantized(generator, *square, axis)
        dequantized = codes.astype(np.float32) * (scales[:, None] if axis == 0 else scales)
        yield Case(f"bytes times scales of axis {axis}", lookup(dequantized), 3.3, {"scaled"})
    # In packed panels, the scale of a column becomes the scale of a lane.
    yield Case("bytes times scales, packed", product(dequantized), 3.3, {"scaled"})

    codes, scales = quantized(generator, *square, 1)
    dequantize = [helper.make_node("DequantizeLinear", ["q", "s", "z"], ["w"], axis=1),
                  helper.make_node("MatMul", ["x", "w"], ["y"])]
    yield Case("bytes that are dequantized", model_of(dequantize, {"q": codes, "s": scales, "z": np.zeros(WIDTH, np.int8)}),
               0.9, set())

    filters = generator.integers(-127, 128, (128, 64, 3, 3)).astype(np.float32)
    filters *= (generator.random((128, 1, 1, 1), np.float32) * 0.02).astype(np.float32)
    yield Case("filters of bytes", model_of([helper.make_node("Conv", ["x", "w"], ["y"], pads=[1] * 4)], {"w": filters},
                                            [value("x", 1, 64, 12, 12)], [value("y", 1, 128, 12, 12)]), 2.5, {"scaled"})

    yield Case("one number", total(np.full(square, 0.1, np.float32)), 20, {"splat"})
    counts = (np.arange(WIDTH * WIDTH, dtype=np.float32) * 0.5).reshape(square)
    yield Case("counts", total(counts), 20, {"iota"})
    yield Case("indices", lookup(np.arange(300000, dtype=np.int64) * 3 - 7), 20, {"iota"})
    mask = np.where(np.tril(np.ones(square, bool)), np.float32(0), np.float32("-inf"))
    yield Case("causal mask", total(mask), 20, {"palette"})
    yield Case("truths", lookup(generator.random((2000, 500)) < 0.3), 6, {"palette"})
    yield Case("small integers", lookup(generator.integers(-30000, 30000, (500, 1000)).astype(np.int64)), 3.5, {"narrow"})
    yield Case("floats in doubles", lookup(normal(500, 500).astype(np.float64)), 2, {"float32"})

    specials = np.array([0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc02000, 0x7f802000, 0x33800000], np.uint32)
    halves = normal(500, 1000).astype(np.float16).astype(np.float32)
    halves.reshape(-1)[:specials.size * 400] = np.tile(specials.view(np.float32), 400)
    yield Case("NaNs, infinities and zeros", lookup(halves), 1.9, {"float16"})

    tied = (generator.random(square, np.float32) - 0.5).astype(np.float32)
    nodes = [helper.make_node("MatMul", ["x", "a"], ["h"]), helper.make_node("Tanh", ["h"], ["t"]),
             helper.make_node("MatMul", ["t", "b"], ["y"])]
    yield Case("tied", model_of(nodes, {"a": tied, "b": tied.copy()}), 1.9, {"zstd"})
    nodes = [helper.make_node("Gather", ["e", "i"], ["h"]), helper.make_node("Tanh", ["h"], ["t"]),
             helper.make_node("Mul", ["t", "c"], ["s"]), helper.make_node("Transpose", ["e"], ["b"], perm=[1, 0]),
             helper.make_node("MatMul", ["s", "b"], ["y"])]
    yield Case("tied, in another order and scaled",
               model_of(nodes, {"e": tied, "c": np.array(0.04, np.float32)}, [helper.make_tensor_value_info("i", TensorProto.INT64, [8])],
                        [value("y", 8, WIDTH)]), 1, {"zstd"})
    dense = generator.integers(0, 1 << 32, WIDTH * WIDTH, np.uint32) & np.uint32(0xbfffffff)
    yield Case("dense", product(dense.view(np.float32).reshape(square)), 0.9, set())


class Failure(Exception):
    """The program failed unexpectedly. The text is its message."""


class Compiler:
    def __init__(self, invar: str, folder: str):
        self.invar, self.folder = invar, folder

    def run(self, *command: str) -> dict:
        ended = harness.run(self.invar, *command, "--json")
        if ended.code:
            raise Failure(f"{command[0]}: {ended.ending()}")
        return json.loads(ended.stdout)

    def compile(self, model: str, compresses: bool, *options: str) -> tuple[str, dict]:
        library = os.path.join(self.folder, "compressed.so" if compresses else "plain.so")
        flag = ["--compress-weights"] if compresses else []
        return library, self.run("compile", model, "-o", library, *flag, *options)

    def outputs(self, library: str, inputs: str) -> dict[str, bytes]:
        place = pathlib.Path(library + ".out")
        self.run("run", library, inputs, "--no-cache", "--output-dir", str(place))
        given = {file.name: file.read_bytes() for file in place.glob("*.npy")}
        for file in place.iterdir():
            file.unlink()
        return given

    def encodings(self, library: str) -> set[str]:
        return {constant["encoding"] for constant in self.run("inspect", library)["constants"] if "encoding" in constant}


def compare(compiler: Compiler, model: str, inputs: str, *options: str) -> tuple[list[str], dict, dict, str]:
    """Returns complaints, the compiler's JSON output without and with compression, and the compressed library."""
    plain, without = compiler.compile(model, False, *options)
    compressed, told = compiler.compile(model, True, *options)
    complaints = []
    expected, given = compiler.outputs(plain, inputs), compiler.outputs(compressed, inputs)
    if not expected or expected != given:
        complaints.append("expected the same bits as without compression, but got others")
    if told["output_bytes"] > without["output_bytes"]:
        complaints.append(f"expected at most {without['output_bytes']} bytes, but got {told['output_bytes']}")
    if told["compressed_bytes"] > 0.9 * told["compressed_from_bytes"]:
        complaints.append(f"expected to save a tenth of {told['compressed_from_bytes']}, but got {told['compressed_bytes']}")
    # A decoded constant is in memory once. Without compression, tied weights are stored twice.
    most = without["folded_bytes"] + max(1.01 * told["compressed_from_bytes"], without["constant_bytes"]) + 4096
    if told["folded_bytes"] > most:
        complaints.append(f"expected at most {most:.0f} bytes that the first run computes, but got {told['folded_bytes']}")
    return complaints, without, told, compressed


def check_case(compiler: Compiler, case: Case, time: str) -> Iterator[str]:
    path = os.path.join(compiler.folder, "model.onnx")
    onnx.save(case.model, path)
    complaints, _, told, library = compare(compiler, path, "--random", f"--fold-at={time}")
    yield from complaints
    found = compiler.encodings(library)
    if bool(told["compressed_bytes"]) != bool(found):
        yield f"expected to be shown how {told['compressed_bytes']} bytes are encoded, but got {found}"
    # Constants that are computed at compile time may have other encodings.
    if found != case.encodings and time != "compile":
        yield f"expected encodings {case.encodings}, but got {found}"
    size = os.path.getsize(path)
    if time == "auto" and told["output_bytes"] * case.factor > size:
        yield f"expected {case.factor} times less than {size} bytes, but got {told['output_bytes']}"


def check_damage(compiler: Compiler) -> Iterator[str]:
    """Tests that a library with a flipped bit in its encoded bytes is rejected before anything is decoded."""
    path = os.path.join(compiler.folder, "model.onnx")
    onnx.save(next(cases()).model, path)
    library, _ = compiler.compile(path, True)
    whole = pathlib.Path(library).read_bytes()
    begin, header, generator = whole.index(b"INVARENC"), 56, random.Random(1)
    for attempt in range(40):
        at = begin + generator.randrange(header if attempt % 2 else len(whole) - begin)
        changed = bytearray(whole)
        changed[at] ^= 1 << generator.randrange(8)
        pathlib.Path(library).write_bytes(changed)
        ended = harness.run(compiler.invar, "run", library, "--random", "--no-cache")
        if ended.code != 1 or library not in ended.stderr:
            yield f"byte {at - begin}: expected it to be refused, but got {ended.ending()}"


def check_file(compiler: Compiler, path: pathlib.Path) -> Iterator[str]:
    feeds = os.path.join(compiler.folder, "feeds.npz")
    np.savez(feeds, **feeding.signed_feeds(str(path), feeding.TWO_SIZES[0]))
    complaints, without, told, _ = compare(compiler, str(path), f"--input={feeds}")
    megabytes = [f"{number / 1e6:.2f}" for number in (path.stat().st_size, without["output_bytes"], told["output_bytes"])]
    print(f"{path.name}: {megabytes[0]} MB, compiled {megabytes[1]} MB, compressed {megabytes[2]} MB; "
          f"in {without['seconds']:.1f} and {told['seconds']:.1f} s", flush=True)
    yield from complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="cases whose names have this")
    parser.add_argument("models", nargs="*", type=pathlib.Path, metavar="FOLDER|FILE")
    options = parser.parse_args()
    report = harness.Report()

    def check(name: str, complaints: Iterator[str]) -> None:
        try:
            report.check(name, complaints)
        except Failure as failure:
            report.check(name, [str(failure)])
        except engines.CannotRun as reason:
            report.skip(name, str(reason))

    with tempfile.TemporaryDirectory(prefix="compressed") as folder:
        compiler = Compiler(options.invar, folder)
        for path in options.models:
            for file in sorted(path.rglob("*.onnx")) if path.is_dir() else [path]:
                check(file.name, check_file(compiler, file))
        for case in cases() if not options.models else ():
            for time in TIMES if options.only in case.name else ():
                check(f"{case.name}, folded {time}", check_case(compiler, case, time))
        if not options.models:
            check("bits that were flipped", check_damage(compiler))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
