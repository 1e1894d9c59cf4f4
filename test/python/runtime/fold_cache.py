#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests run-once constants: they are computed once, always with the same values, and shared by all processes.

The script makes a model of some products, compiles it with every --fold-at option, and compares the outputs bit by
bit. It counts folds in processes with a cold and with a warm cache, and lets 4 processes share one copy. It kills
processes (SIGKILL) at random moments while they fill the cache, and checks the next process. It removes free space
and access rights from the cache, and damages its files.

  fold_cache.py --invar build/dev/bin/invar [--kills N] [--layers N] [--width N]
"""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import signal
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

ROWS = 4


def write_model(path: str, layers: int, width: int) -> None:
    generator = np.random.default_rng(1)
    weights, nodes, last = [], [], "x"
    for i in range(layers):
        weights.append(numpy_helper.from_array((generator.random((width, width), np.float32) - 0.5) / width ** 0.5, f"w{i}"))
        nodes += [helper.make_node("MatMul", [last, f"w{i}"], [f"p{i}"]), helper.make_node("Tanh", [f"p{i}"], [f"t{i}"])]
        last = f"t{i}"
    graph = helper.make_graph(nodes, "g", [value("x", ROWS, width)], [value(last, ROWS, width)], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


class Models:
    """One model, compiled with every --fold-at option, and the commands to run it."""

    def __init__(self, invar: str, folder: str, layers: int, width: int):
        self.invar, self.folder, self.layers, self.width = invar, folder, layers, width
        self.source, self.input = os.path.join(folder, "model.onnx"), os.path.join(folder, "x.npy")
        write_model(self.source, layers, width)
        np.save(self.input, np.random.default_rng(2).random((ROWS, width), np.float32))
        self.ways = {"compile": ["--fold-at=compile"], "auto": [], "run": ["--fold-at=run"], "never": ["--no-fold-constants"]}
        for way, options in self.ways.items():
            ended = harness.run(invar, "compile", self.source, "-o", self.library(way), "--quiet", *options)
            if ended.code:
                sys.exit(f"{way}: cannot compile: {ended.ending()}")
        self.expected = self.output("never", self.command("never"))

    def library(self, way: str) -> str:
        return os.path.join(self.folder, f"{way}.so")

    def command(self, way: str, cache: str | None = None, repeat: int = 1) -> list[str]:
        kept = ["--cache-dir", cache] if cache else ["--no-cache"]
        return [self.invar, "run", self.library(way), "--input", f"x={self.input}", "--json", "--repeat", str(repeat), *kept,
                "--output-dir", os.path.join(self.folder, f"out-{way}")]

    def output(self, way: str, command: list[str], **options) -> tuple[bytes, dict, str]:
        """Returns the model's output, the JSON report, and the text on standard error."""
        ended = harness.run(*command, **options)
        if ended.code:
            raise RuntimeError(ended.ending())
        name = next(pathlib.Path(self.folder, f"out-{way}").glob("*.npy"))
        return np.load(name).tobytes(), json.loads(ended.stdout), ended.stderr

    def complaints(self, way: str, folds: int | None, cache: str | None = None, warns: str = "", **options) -> Iterator[str]:
        """Runs the model and yields what is wrong."""
        try:
            content, told, said = self.output(way, self.command(way, cache), **options)
        except RuntimeError as error:
            yield str(error)
            return
        if content != self.expected[0]:
            yield "expected the outputs that packing in each run gives, but got others"
        if folds is not None and told["folds_run"] != folds:
            yield f"expected {folds} folds, but got {told['folds_run']}"
        if bool(said) != bool(warns) or warns not in said:
            yield f"expected {warns or 'nothing'!r} on standard error, but got {said!r}"


def mapped(process: subprocess.Popen, what: str) -> int:
    """Returns the bytes of cached constants in a process's memory: Rss, or Pss, which counts shared pages in
    proportion."""
    text = pathlib.Path(f"/proc/{process.pid}/smaps").read_text()
    return 1024 * sum(map(int, re.findall(rf"^[0-9a-f]+-[^\n]*\.fold$.*?^{what}: +(\d+) kB$", text, re.M | re.S)))


def check_sharing(models: Models, cache: str) -> Iterator[str]:
    """Runs 4 processes with one model; the first one computes its constants."""
    folded = models.layers * models.width ** 2 * 4
    command = models.command("run", cache, repeat=10 ** 9)
    running: list[subprocess.Popen] = []
    try:
        for _ in range(4):
            running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            while running[-1].poll() is None and mapped(running[-1], "Rss") < folded:
                time.sleep(0.05)
        if any(process.poll() is not None for process in running):
            yield "expected processes to run until they are killed"
            return
        sizes = [mapped(process, "Pss") for process in running]
        print(f"4 processes hold {sum(sizes) / 1e6:.1f} MB of folded constants, which are {folded / 1e6:.1f} MB", flush=True)
        if not folded <= sum(sizes) < 1.1 * folded:
            yield f"expected one copy of {folded} bytes, but got {sizes}"
    finally:
        for process in running:
            process.kill()
            process.wait()


def check_kills(models: Models, folder: str, count: int) -> Iterator[str]:
    cache = os.path.join(folder, "killed")
    started = time.monotonic()
    models.output("run", models.command("run", cache))
    seconds = time.monotonic() - started
    generator, whole = random.Random(3), 0
    for _ in range(count):
        for name in os.listdir(cache):
            if name.endswith(".fold"):
                os.unlink(os.path.join(cache, name))
        process = subprocess.Popen(models.command("run", cache), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(generator.random() * seconds)
        process.kill()
        process.wait()
        whole += any(name.endswith(".fold") for name in os.listdir(cache))
        yield from models.complaints("run", None, cache)
    left = [name for name in os.listdir(cache) if name.endswith(".tmp")]
    if left:
        yield f"expected what was begun to be removed, but got {left}"
    if ended := harness.run(models.invar, "cache", "verify", "--cache-dir", cache):
        if ended.code:
            yield ended.ending()
    print(f"killed {count} times, {whole} of them when the file was whole", flush=True)


def limit_file_size(size: int):
    def apply() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # Make writes fail, as on a full disk.
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply


def flipped(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yields the content with one bit flipped: in each part of the header, in the constants, and in their checksums."""
    header, last = 4096, len(content)
    for at in (0, 30, 45, 1000, header - 1, header, header + 70_000, (header + last) // 2, last - 400, last - 1):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        yield f"another in byte {at}", bytes(changed)


def check_damage(models: Models, cache: str) -> Iterator[tuple[str, list[str]]]:
    """Damaged files must be computed again."""
    name = next(n for n in os.listdir(cache) if n.endswith(".fold"))
    path = os.path.join(cache, name)
    content = pathlib.Path(path).read_bytes()
    changed = bytearray(content)
    changed[16] ^= 1
    for what, bytes_ in (("empty", b""), ("short", content[:-1]), ("long", content + b"x"), ("of another key", bytes(changed)),
                         ("text", b"x" * len(content)), *flipped(content)):
        pathlib.Path(path).write_bytes(bytes_)
        yield f"a file that is {what} is computed again", list(models.complaints("run", models.layers, cache, "computed again"))
        yield f"a file that was {what} is there again", list(models.complaints("run", 0, cache))
    os.chmod(path, 0o666)
    yield "a file that others can write is computed again", list(models.complaints("run", models.layers, cache, "its mode is 0666; constants are computed again"))
    os.unlink(path)
    os.symlink("/dev/zero", path)
    yield "what is no file is computed again", list(models.complaints("run", models.layers, cache, "but got a link; constants are computed again"))
    changed = bytearray(content)
    changed[len(content) // 3] ^= 1
    pathlib.Path(path).write_bytes(changed)
    ended = harness.run(models.invar, "cache", "verify", "--cache-dir", cache)
    yield "verify finds a changed byte", [] if ended.code == 1 and not os.path.exists(path) else [ended.ending()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--width", type=int, default=512)
    options = parser.parse_args()
    report = harness.Report()
    with tempfile.TemporaryDirectory(prefix="folds") as folder:
        models = Models(options.invar, folder, options.layers, options.width)
        for way in models.ways:
            report.check(f"{way}: the same outputs", models.complaints(way, options.layers if way == "run" else 0))
        cache = os.path.join(folder, "deep/cache")
        report.check("a first process computes", models.complaints("run", options.layers, cache))
        report.check("a second one does not", models.complaints("run", 0, cache))
        told = models.output("run", models.command("run", None, repeat=100))[1]
        report.check("a hundred runs fold once", [] if told["folds_run"] == options.layers else [str(told)])
        report.check("processes share a copy", check_sharing(models, os.path.join(folder, "shared")))
        for name, complaints in check_damage(models, cache):
            report.check(name, complaints)
        blocked = os.path.join(folder, "file")
        pathlib.Path(blocked).touch()
        report.check("no folder: a warning", models.complaints("run", options.layers, os.path.join(blocked, "x"), "cannot open the folder"))
        report.check("a full disk: a warning", models.complaints(
            "run", options.layers, os.path.join(folder, "full"), "cannot take room", preexec=limit_file_size(1 << 20)))
        report.check("killed while it is written", check_kills(models, folder, options.kills))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
