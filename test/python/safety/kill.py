#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that an export that is killed at any moment leaves the old output or the complete new one.

The script makes a model of some hundred megabytes and measures the time of an export. Then it kills exports
(SIGKILL) at random moments of that time, alternately with and without an old output and with inline and external
weights. Afterwards the output must be absent, old or complete. A killed program cannot clean up: a temporary file
may remain, but only one whose name is derived from the output, and it must not disturb the next export.

  kill.py --invar build/release/bin/invar [--kills 200] [--megabytes 300] [--seed 1]
"""
import argparse
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from typing import Iterator

import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from models import value

OLD = b"the old output"


def write_model(path: str, megabytes: int) -> None:
    generator = np.random.default_rng(1)
    weights = [numpy_helper.from_array(generator.random((256, 1024), np.float32), f"w{i}") for i in range(megabytes)]
    nodes = [helper.make_node("Add", ["x" if i == 0 else f"t{i - 1}", w.name], [f"t{i}"]) for i, w in enumerate(weights)]
    graph = helper.make_graph(nodes, "g", [value("x", 256, 1024)], [value(f"t{megabytes - 1}", 256, 1024)], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def digest(path: str) -> str:
    with open(path, "rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


class Export:
    """One way to write the output, with the digests of its complete files."""

    def __init__(self, name: str, invar: str, model: str, folder: str, *options: str):
        self.name, self.folder = name, folder
        self.out = os.path.join(folder, "out.onnx")
        self.command = [invar, "optimize", model, "-o", self.out, "--passes=none", *options]
        started = time.monotonic()
        ended = harness.run(*self.command)
        self.seconds = time.monotonic() - started
        if ended.code:
            sys.exit(f"{name}: cannot export: {ended.ending()}")
        self.whole = {n: digest(os.path.join(folder, n)) for n in os.listdir(folder)}
        self.whole_content = self.content()
        self.clear()

    def content(self) -> list[str]:
        """Returns digests of the output and its data without the data's names, which depend on files that are left."""
        model = onnx.load(self.out, load_external_data=False)
        entries = [e for t in model.graph.initializer for e in t.external_data if e.key == "location"]
        names = sorted({e.value for e in entries})
        for entry in entries:
            entry.value = ""
        return [hashlib.sha256(model.SerializeToString(deterministic=True)).hexdigest(),
                *(digest(os.path.join(self.folder, name)) for name in names)]

    def clear(self) -> None:
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))

    def kill(self, after: float, with_old: bool) -> tuple[bool, list[str]]:
        """Returns whether the program was still running, and complaints about the files."""
        if with_old:
            with open(self.out, "wb") as sink:
                sink.write(OLD)
        process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(after)
        process.kill()
        killed = process.wait() < 0
        complaints = list(self.complaints(with_old))
        # Files that are left must not disturb the next export.
        if ended := harness.run(*self.command).code:
            complaints.append(f"the next export ended with {ended}")
        elif self.content() != self.whole_content:
            complaints.append("the next export gave another output")
        self.clear()
        return killed, complaints

    def complaints(self, with_old: bool) -> Iterator[str]:
        left = set(os.listdir(self.folder))
        if os.path.exists(self.out):
            found = digest(self.out)
            if found == self.whole["out.onnx"]:
                # If the model is complete, the data files that it names must be, too.
                for name in self.whole.keys() - {"out.onnx"}:
                    if name not in left or digest(os.path.join(self.folder, name)) != self.whole[name]:
                        yield f"the new output is there, but '{name}' is not whole"
            elif not (with_old and found == hashlib.sha256(OLD).hexdigest()):
                yield "the output is neither old nor whole"
        elif with_old:
            yield "the old output is gone"
        for name in left - self.whole.keys():
            if not name.startswith(("out.onnx.", ".out.onnx.")) and not any(
                    name.startswith((f"{w}.", f".{w}.")) for w in self.whole):
                yield f"'{name}' stayed, which is not named after the output"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    report = harness.Report(options.verbose)
    generator = random.Random(options.seed)
    running = 0
    with tempfile.TemporaryDirectory(prefix="kill") as top:
        model = os.path.join(top, "in.onnx")
        write_model(model, options.megabytes)
        exports = []
        for name, flags in (("inline", ()), ("external", ("--external-data",))):
            folder = os.path.join(top, name)
            os.mkdir(folder)
            exports.append(Export(name, options.invar, model, folder, *flags))
            print(f"{name}: a whole export takes {exports[-1].seconds * 1000:.0f} ms", flush=True)
        for i in range(options.kills):
            export = exports[i % 2]
            after = generator.random() * export.seconds
            killed, complaints = export.kill(after, with_old=i % 4 < 2)
            running += killed
            report.check(f"{export.name}, killed after {after * 1000:.1f} ms", complaints)
    print(f"{running} of {options.kills} were still running when they were killed")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
