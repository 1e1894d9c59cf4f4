#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests models that are much larger than the memory that Invar may use.

The script makes a model of 1.9 GB with its weights inside and one of 6 GB with external weights, exports both, and
compares with `cp` of the same files in the same run. The test fails if the peak of anonymous memory exceeds 150 MB.
Times are printed, and flagged if they exceed their goal (twice cp; 2 s if the weights are not copied), but a busy
machine must not make a test fail.

  huge.py --invar build/release/bin/invar [--folder FOLDER] [--scale 0.1]
"""
import argparse
import os
import shutil
import sys
import tempfile
from typing import Iterator

import numpy as np
from onnx import ModelProto, TensorProto, helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from measure import Usage, measure
from models import model_of, value
from protobuf_wire import varint

MEMORY_LIMIT = 150_000_000
CHUNK = 100_000_000  # Bytes of one weight.
SPACE = 20_000_000_000


def chunk(seed: int) -> bytes:
    """Returns bytes that no file system can compress or store as a hole."""
    return np.random.default_rng(seed).bytes(CHUNK)


def weights_model(count: int, external: bool) -> ModelProto:
    """Makes a model that reads `count` weights; inline weights must be appended to it."""
    weights = []
    for i in range(count):
        tensor = TensorProto(name=f"w{i}", data_type=TensorProto.UINT8, dims=[CHUNK])
        if external:
            tensor.data_location = TensorProto.EXTERNAL
            for key, entry in {"location": "huge.data", "offset": i * CHUNK, "length": CHUNK}.items():
                tensor.external_data.add(key=key, value=str(entry))
        weights.append(tensor)
    nodes = [helper.make_node("Size", [w.name], [f"s{i}"]) for i, w in enumerate(weights)]
    nodes += [helper.make_node("Cast", [f"s{i}"], [f"f{i}"], to=TensorProto.FLOAT) for i in range(count)]
    nodes += [helper.make_node("Sum", [f"f{i}" for i in range(count)], ["y"])]
    model = model_of(nodes, weights if external else [], inputs="")
    model.graph.output[0].CopyFrom(value("y"))
    return model


def write_inline(path: str, count: int) -> None:
    """Writes the weights after the rest of the graph, field by field."""
    heads = []
    for i in range(count):
        head = TensorProto(name=f"w{i}", data_type=TensorProto.UINT8, dims=[CHUNK]).SerializeToString()
        heads.append(head + b"\x4a" + varint(CHUNK))  # raw_data
    fields = [b"\x2a" + varint(len(h) + CHUNK) + h for h in heads]  # initializer
    skeleton = weights_model(count, external=False)
    graph = skeleton.graph.SerializeToString()
    skeleton.ClearField("graph")
    with open(path, "wb") as sink:
        sink.write(skeleton.SerializeToString())
        sink.write(b"\x3a" + varint(len(graph) + sum(len(f) + CHUNK for f in fields)) + graph)  # graph
        for i, field in enumerate(fields):
            sink.write(field)
            sink.write(chunk(i))


def write_external(folder: str, count: int) -> str:
    path = os.path.join(folder, "external.onnx")
    with open(path, "wb") as sink:
        sink.write(weights_model(count, external=True).SerializeToString())
    with open(os.path.join(folder, "huge.data"), "wb") as sink:
        for i in range(count):
            sink.write(chunk(i))
    return path


def sync_and_clear(*paths: str) -> None:
    for path in paths:
        if os.path.exists(path):
            os.unlink(path)
    os.sync()


class Bench:
    def __init__(self, invar: str, folder: str, report: harness.Report):
        self.invar, self.folder, self.report = invar, folder, report

    def copy_seconds(self, *sources: str) -> float:
        """Returns the best of two times, because the first may wait for the disk."""
        targets = [os.path.join(self.folder, f"copy{i}") for i in range(len(sources))]
        best = float("inf")
        for _ in range(2):
            best = min(best, sum(measure(["cp", s, t]).wall for s, t in zip(sources, targets)))
            sync_and_clear(*targets)
        return best

    def export(self, name: str, model: str, goal: float, *options: str) -> None:
        out = os.path.join(self.folder, "out.onnx")
        before = set(os.listdir(self.folder))
        usages = []
        for _ in range(2):
            usages.append(measure([self.invar, "optimize", model, "-o", out, "--passes=none", *options]))
            made = sorted(set(os.listdir(self.folder)) - before)
            size = sum(os.path.getsize(os.path.join(self.folder, n)) for n in made)
            sync_and_clear(*(os.path.join(self.folder, n) for n in made))
        wall = min(u.wall for u in usages)
        flag = "" if wall <= goal else "   <- past its goal"
        print(f"{name}: {wall:.2f} s (goal {goal:.2f} s){flag}, peak of its own "
              f"{max(u.peak_anonymous for u in usages) / 1e6:.0f} MB, with mapped pages "
              f"{max(u.peak_total for u in usages) / 1e6:.0f} MB, wrote {size / 1e9:.2f} GB in {len(made)} files", flush=True)
        self.report.check(name, self.complaints(usages, made))

    def complaints(self, usages: list[Usage], made: list[str]) -> Iterator[str]:
        if usages[-1].code:
            yield f"ended with {usages[-1].code}: {usages[-1].stderr[-300:]}"
        elif "out.onnx" not in made:
            yield "no output"
        if (peak := max(u.peak_anonymous for u in usages)) > MEMORY_LIMIT:
            yield f"expected at most {MEMORY_LIMIT / 1e6:.0f} MB of its own, but got {peak / 1e6:.0f} MB"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--folder", help="where to make the files (default: the usual temporary folder)")
    parser.add_argument("--scale", type=float, default=1.0, help="below 1: smaller files, to try this driver")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    report = harness.Report(options.verbose)
    inline_count, external_count = max(1, int(19 * options.scale)), max(1, int(60 * options.scale))
    with tempfile.TemporaryDirectory(prefix="huge", dir=options.folder) as folder:
        if (free := shutil.disk_usage(folder).free) < SPACE * options.scale:
            report.skip("all", f"expected {SPACE / 1e9:.0f} GB of free disk, but got {free / 1e9:.0f} GB")
            return report.finish()
        bench = Bench(options.invar, folder, report)

        print(f"making {inline_count * CHUNK / 1e9:.1f} GB with the weights inside", flush=True)
        inline = os.path.join(folder, "inline.onnx")
        write_inline(inline, inline_count)
        seconds = bench.copy_seconds(inline)
        print(f"cp: {seconds:.2f} s", flush=True)
        bench.export("weights inside", inline, 2 * seconds)
        bench.export("from inside to outside", inline, 2 * seconds, "--external-data")
        sync_and_clear(inline)

        print(f"making {external_count * CHUNK / 1e9:.1f} GB with the weights outside", flush=True)
        external = write_external(folder, external_count)
        seconds = bench.copy_seconds(external, os.path.join(folder, "huge.data"))
        print(f"cp: {seconds:.2f} s", flush=True)
        bench.export("weights outside", external, 2 * seconds, "--external-data")
        bench.export("weights stay where they are", external, 2.0, "--external-data=reference")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
