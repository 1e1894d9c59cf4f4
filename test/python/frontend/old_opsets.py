#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that a model can always be written in the opset in which it was read.

Random graphs (rules_graphs.py) are converted to an older opset if it supports them, and optimized there: that must
succeed, keep the opset, and compute the same bits in onnxruntime. Quantized values have scales of shape [] and [1].

  old_opsets.py --invar build/dev/bin/invar [--seed 1] [--count 300] [--number N] [--keep FOLDER]
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile
import warnings
from typing import Iterator

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
from rules_graphs import Graph, draw, model_of, same_bits

OPSETS = (7, 8, 9, 10, 11, 12)
QUANTIZED = ("QuantizeLinear", "DequantizeLinear")


def widen_scales(model: onnx.ModelProto, rng: random.Random) -> None:
    """Changes some scales, and their zero points, to shape [1], as exporters write them."""
    weights = {tensor.name: tensor for tensor in model.graph.initializer}
    uses = [{name: weights.get(name) for name in node.input[1:]} for node in model.graph.node if node.op_type in QUANTIZED]
    for tensors in uses:
        if rng.random() < 0.5 or not all(t is not None and list(t.dims) in ([], [1]) for t in tensors.values()):
            continue
        for name, tensor in tensors.items():
            if not tensor.dims:
                tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).reshape(1), name))


def run_all(model: str | bytes, graph: Graph) -> dict[int, list]:
    """Returns the outputs for each choice of sizes that fits; fails if none does."""
    engine, outputs = engines.OnnxRuntime(model), {}
    for choice in range(graph.choices):
        try:
            outputs[choice] = engine.run(graph.feeds(choice))
        except engines.CannotRun:
            if choice == 0:
                raise
    return outputs


def judge(invar: str, source: str, once: str, graph: Graph, wanted: dict[int, list], opset: int) -> Iterator[str]:
    for way in ((), ("--forget-source",), ("--fuse=off",)):
        ended = harness.run(invar, "optimize", source, "-o", once, "--quiet", *way)
        if ended.code:
            yield f"{way}: {ended.ending()}"
            continue
        written = onnx.load(once)
        if [o.version for o in written.opset_import] != [opset]:
            yield f"{way}: expected opset {opset}, but got {written.opset_import}"
        try:
            engine = engines.OnnxRuntime(once)
            for choice, outputs in wanted.items():
                got = engine.run(graph.feeds(choice))
                if not all(same_bits(np.asarray(a), np.asarray(b), way == ("--fuse=off",) and graph.has_specials)
                           for a, b in zip(outputs, got, strict=True)):
                    yield f"{way}: outputs differ for choice {choice} of sizes"
        except engines.CannotRun as error:
            yield f"{way}: it does not run any more: {error}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--number", type=int, help="this graph alone")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="where graphs go that fail")
    options = parser.parse_args()
    report = harness.Report()
    for number in range(options.count) if options.number is None else [options.number]:
        rng = random.Random(f"{options.seed}/old/{number}")
        graph, opset = draw(rng, "g"), rng.choice(OPSETS)
        name = f"--seed {options.seed} --number {number} in opset {opset}"
        with tempfile.TemporaryDirectory(prefix="old") as folder:
            newer, source, once = (os.path.join(folder, f"{stem}.onnx") for stem in ("newer", "source", "once"))
            model = model_of([graph])
            widen_scales(model, rng)
            onnx.save(model, newer)
            ended = harness.run(invar := options.invar, "optimize", newer, "-o", source, "--quiet", "--passes=infer-shapes", f"--opset={opset}")
            if ended.code:
                report.skip(name, "the opset cannot say it" if "cannot write" in ended.stderr else ended.ending())
                continue
            try:
                wanted = run_all(source, graph)
            except engines.CannotRun as error:
                report.skip(name, str(error))
                continue
            complaints = list(judge(invar, source, once, graph, wanted, opset))
            report.check(name, complaints)
            if complaints and options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                os.replace(source, options.keep / f"{options.seed}_{number}_{opset}.onnx")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
