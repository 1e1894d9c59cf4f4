#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each stage of `invar compile` can be written to a file, and `invar-opt` continues from it as the compiler does.

For each model and set of options, the stages ONNX, linalg and kernels are written with --emit. The named pipelines of
invar-opt, run on one stage, must print the next one. `invar-prepare` must not change the first stage any more, and
`invar-optimize` must do with an imported model what `invar optimize` does. MLIR's options to print IR between passes
must work in `invar compile`.

  replay.py --build build/dev [-v]
"""
import argparse
import os
import pathlib
import re
import sys
import tempfile
from typing import Iterator

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/small.onnx"
# A convolution that Winograd's algorithm can compute, a product, and an operator that the lowering needs decomposed.
CONVOLUTION = """<ir_version: 8, opset_import: ["": 18]> g (float[n, 4, 16, 16] x) => (float[n, 3] y)
  <float[8, 4, 3, 3] w, float[8, 3] v, int64[2] axes = {2, 3}> {
  a = Conv <pads = [1, 1, 1, 1]> (x, w)
  b = Relu (a)
  c = ReduceMean <keepdims = 0> (b, axes)
  y = Einsum <equation = "ij,jk->ik"> (c, v)
}"""
# invar compile, invar-to-linalg, invar-to-kernels.
VARIANTS = (((), "", ""), (("--fold-at=compile",), "", "fold-at=compile"), (("--fold-at=run",), "", "fold-at=run"),
            (("--fold-at=never", "--winograd=on"), "", "fold-at=never winograd=on"),
            (("--compress-weights", "--target-cpu=x86-64-v3"), "", "compress-weights target-cpu=x86-64-v3"),
            (("--unchecked-indices", "--winograd=off"), "unchecked-indices", "winograd=off"))


def with_weights(text: str) -> onnx.ModelProto:
    """Makes initializers of the values that are declared in angle brackets without numbers."""
    model = onnx.parser.parse_model(text)
    for info in list(model.graph.value_info):
        shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        numbers = (np.arange(np.prod(shape)) % 7 - 3).astype(np.float32) / 8
        model.graph.initializer.append(numpy_helper.from_array(numbers.reshape(shape), info.name))
    del model.graph.value_info[:]
    return model


class Tools:
    def __init__(self, build: pathlib.Path, folder: str):
        self.build, self.folder = build, folder

    def run(self, name: str, *arguments: str) -> harness.Run:
        return harness.run(str(self.build / "bin" / name), *arguments, cwd=self.folder)

    def must(self, name: str, *arguments: str) -> harness.Run:
        ended = self.run(name, *arguments)
        if ended.code:
            raise RuntimeError(f"{name} {' '.join(arguments)}: {ended.ending()}")
        return ended

    def stage(self, model: str, name: str, *options: str) -> str:
        path = f"{name}.mlir"
        self.must("invar", "compile", model, f"--emit={name}", "-o", path, *options)
        return path

    def printed(self, path: str, *passes: str) -> str:
        """The IR after some passes. It is read once more: what constants are written as differs before that."""
        self.must("invar-opt", path, *passes, "-o", "printed.mlir")
        return self.must("invar-opt", "printed.mlir").stdout

    def printed_ir(self, model: str, *passes: str) -> str:
        """A model as MLIR, after some passes."""
        path = os.path.join(self.folder, "imported.mlir")
        pathlib.Path(path).write_text(self.must("invar", "inspect", model, "--ir=full").stdout)
        return self.printed(path, *passes)


def option(name: str, values: str) -> str:
    return f"--{name}={values}" if values else f"--{name}"


def first_difference(wanted: str, got: str) -> list[str]:
    for want, have in zip(wanted.splitlines() + [""], got.splitlines() + [""]):
        if want != have:
            return [f"expected '{want.strip()[:200]}', but got '{have.strip()[:200]}'"]
    return []


def judge_stages(tools: Tools, model: str, options: tuple[str, ...], linalg: str, kernels: str) -> Iterator[tuple[str, list[str]]]:
    stages = [tools.stage(model, name, *options) for name in ("onnx", "linalg", "kernels")]
    texts = [tools.printed(path) for path in stages]
    yield "invar-prepare", first_difference(texts[0], tools.printed(stages[0], "--invar-prepare"))
    yield "invar-to-linalg", first_difference(texts[1], tools.printed(stages[0], option("invar-to-linalg", linalg)))
    yield "invar-to-kernels", first_difference(texts[2], tools.printed(stages[1], option("invar-to-kernels", kernels)))


def judge_optimize(tools: Tools, model: str) -> list[str]:
    tools.must("invar", "optimize", model, "-o", "out.onnx", "--quiet")
    before = re.findall(r"onnx\.([A-Z]\w*)", tools.printed_ir(model, "--invar-optimize"))
    after = re.findall(r"onnx\.([A-Z]\w*)", tools.printed_ir("out.onnx"))
    return [] if sorted(before) == sorted(after) else [f"expected {after}, but got {before}"]


def judge_printing(tools: Tools, model: str) -> Iterator[tuple[str, list[str]]]:
    """Dumps name passes, contain no large constants, and leave the library as it is."""
    library = ["compile", model, "-o", "a.so", "--quiet"]
    tools.must("invar", *library)
    plain = pathlib.Path(tools.folder, "a.so").read_bytes()
    ended = tools.must("invar", *library, "--mlir-print-ir-after-all")
    wanted = ["(invar-prepare)", "(invar-onnx-to-linalg)", "(invar-channels-last)", "(invar-outline-kernels)", "dense_resource<__elided__>"]
    yield "--mlir-print-ir-after-all", [f"expected '{text}' in the dump" for text in wanted if text not in ended.stderr]
    yield "the same library", [] if pathlib.Path(tools.folder, "a.so").read_bytes() == plain else ["the library differs"]
    ended = tools.must("invar", *library, "--mlir-print-ir-before=invar-pack-weights", "--mlir-elide-elementsattrs-if-larger=1000000")
    yield "whole constants", [] if "__elided__" not in ended.stderr and "IR Dump Before" in ended.stderr else ["expected whole constants"]
    ended = tools.run("invar", *library, "--mlir-print-ir-afterall")
    yield "an unknown option", [] if ended.code == 2 and "print-ir-afterall" in ended.stderr else [f"expected bad usage, but got {ended.ending()}"]
    ended = tools.run("invar-opt", "onnx.mlir", "--invar-to-kernels=fold-at=sometimes")
    yield "a bad option of a pipeline", [] if ended.code and "expected 'auto'" in ended.stderr else [f"expected an error, but got {ended.ending()}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    with tempfile.TemporaryDirectory(prefix="replay") as folder:
        tools = Tools(options.build, folder)
        made = os.path.join(folder, "made.onnx")
        onnx.save(with_weights(CONVOLUTION), made)
        for model in (made, str(EXAMPLE)):
            name = os.path.basename(model)
            for given, linalg, kernels in VARIANTS:
                for what, complaints in judge_stages(tools, model, given, linalg, kernels):
                    report.check(f"{name} {' '.join(given)}: {what}", complaints)
            report.check(f"{name}: invar-optimize", judge_optimize(tools, model))
        for what, complaints in judge_printing(tools, made):
            report.check(what, complaints)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
