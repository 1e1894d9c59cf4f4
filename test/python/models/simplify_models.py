#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models simplified by Invar with other tools' results.

For each model, the script counts nodes and bytes before, and after `invar optimize` and each of the peers (onnxsim,
OnnxSlim, onnxruntime's offline mode with basic optimizations). Invar's result must compute the same within 1e-5 of
the greatest output, be at most 64 KiB bigger, pass the checker's full check if the model does, and not change when
it is optimized again. No peer whose outputs are right may have both fewer nodes and no more bytes. Nodes are counted
in all graphs of a model.

  simplify_models.py --invar build/release/bin/invar [--peers PYTHON] [--cache FOLDER] [--out FILE.md] FOLDER|FILE…

Peers run in PYTHON, an environment that has them; their results are stored in the cache, because they do not change.
Without PYTHON only Invar is judged.
"""
import argparse
import filecmp
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
from typing import NamedTuple

warnings.filterwarnings("ignore")

import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import closeness
import engines
import feeding
import fold_models
import harness

ROOT = pathlib.Path(__file__).resolve().parents[3]
PEERS = {"onnxruntime": "onnxruntime basic", "onnxslim": "OnnxSlim", "onnxsim": "onnxsim"}


class Outcome(NamedTuple):
    nodes: int
    size: int
    off: float  # Difference from the original's outputs, relative to the greatest.

    @property
    def is_right(self) -> bool:
        return self.off <= closeness.TOLERANCE


def count_nodes(graph: onnx.GraphProto | onnx.FunctionProto) -> int:
    """Counts the nodes of a graph and of all nested graphs."""
    total = 0
    for node in graph.node:
        total += 1
        for attribute in node.attribute:
            total += count_nodes(attribute.g) if attribute.type == onnx.AttributeProto.GRAPH else 0
            total += sum(map(count_nodes, attribute.graphs))
    return total


def nodes_of(path: str) -> int:
    model = onnx.load(path, load_external_data=False)
    return count_nodes(model.graph) + sum(map(count_nodes, model.functions))


def strict_error(path: str) -> str:
    """Returns the checker's error if it also infers all shapes."""
    try:
        onnx.checker.check_model(path, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        return " ".join(str(error).split())[:300]
    return ""


class Judge:
    def __init__(self, invar: str, peers: str | None, cache: pathlib.Path):
        self.invar, self.peers, self.cache = invar, peers, cache
        self.report = harness.Report()
        self.rows: list[tuple[str, int, int, dict[str, Outcome | None]]] = []

    def outcome(self, path: str, feeds: dict | None, want: list | None) -> Outcome:
        off = float("nan")
        if feeds is not None:
            try:
                off = closeness.distance(want, engines.OnnxRuntime(path).run(feeds))
            except engines.CannotRun:
                off = float("inf")
        return Outcome(nodes_of(path), fold_models.size_of(path), off)

    def by_peer(self, peer: str, model: pathlib.Path) -> str | None:
        """Returns the file that a peer makes of a model; None if it fails."""
        target = self.cache / peer / model.name
        failed = target.with_suffix(".failed")
        if not target.exists() and not failed.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            ended = subprocess.run([self.peers, ROOT / "bench/peers.py", peer, model, target], capture_output=True, check=False)
            if ended.returncode or not target.exists():
                target.unlink(missing_ok=True)
                failed.touch()
        return str(target) if target.exists() else None

    def judge(self, model: pathlib.Path) -> None:
        path, name = str(model), model.stem
        feeds = want = None
        try:
            feeds = feeding.random_feeds(path)
            want = engines.OnnxRuntime(path).run(feeds)
        except engines.CannotRun as error:
            self.report.skip(f"{name}: outputs", str(error))
        before = fold_models.size_of(path)
        results: dict[str, Outcome | None] = {}
        complaints = []
        with tempfile.TemporaryDirectory(prefix="simplify") as folder:
            once, twice = (os.path.join(folder, f"{i}", "out.onnx") for i in (1, 2))
            for source, target in ((path, once), (once, twice)):
                os.mkdir(os.path.dirname(target))
                ended = harness.run(self.invar, "optimize", source, "-o", target, "--quiet")
                if ended.code:
                    self.report.check(name, [ended.ending()])
                    return
            if not filecmp.cmp(once, twice, shallow=False):
                complaints.append("changes when it is optimized again")
            if (error := strict_error(once)) and not strict_error(path):
                complaints.append(error)
            own = results["Invar"] = self.outcome(once, feeds, want)
        if own.size > before + fold_models.GROWTH:
            complaints.append(f"grew by {own.size - before:,} bytes")
        if feeds is not None and not own.is_right:
            complaints.append(f"outputs are {own.off:.1e} off")
        for peer, title in PEERS.items() if self.peers else ():
            made = self.by_peer(peer, model)
            other = results[title] = self.outcome(made, feeds, want) if made else None
            if other and other.is_right and other.nodes < own.nodes and other.size <= own.size:
                complaints.append(f"{title} leaves {other.nodes} nodes and {other.size:,} bytes")
        nodes = nodes_of(path)
        self.rows.append((name, nodes, before, results))
        print(f"{name}: {nodes} nodes, {before:,} bytes; " + "; ".join(
            f"{title} " + (f"{r.nodes} nodes, {r.size - before:+,} bytes, {r.off:.0e} off" if r else "fails")
            for title, r in results.items()), flush=True)
        self.report.check(name, complaints)

    def document(self) -> str:
        titles = ["Invar", *PEERS.values()]
        lines = [
            "# Models", "",
            "What `invar optimize` leaves of real models, beside other tools: nodes in all graphs of the model, and megabytes of the",
            "file. \"wrong\" is said of a result whose outputs are off by more than 1e-5 of the greatest, or that does not run; \"fails\" of",
            "a tool that gives none. Written by `test/python/models/simplify_models.py --out docs/Models.md`.", "",
            "| model | nodes, MB | " + " | ".join(titles) + " |", "| --- |" + " ---: |" * (len(titles) + 1)]
        for name, nodes, size, results in self.rows:
            cells = []
            for title in titles:
                r = results.get(title)
                cells.append("fails" if r is None else f"{r.nodes}, {r.size / 1e6:.3f}" + (" (wrong)" if r.off > closeness.TOLERANCE else ""))
            lines.append(f"| {name.split('__')[-1]} | {nodes}, {size / 1e6:.3f} | " + " | ".join(cells) + " |")
        return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has onnxsim, onnxslim and onnxruntime")
    parser.add_argument("--cache", type=pathlib.Path, default=ROOT / "build/peers")
    parser.add_argument("--out", type=pathlib.Path, help="where to write the table")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    judge = Judge(options.invar, options.peers, options.cache)
    for path in options.paths:
        for model in [path] if path.is_file() else sorted(path.rglob("*.onnx")):
            judge.judge(model)
    if options.out:
        options.out.write_text(judge.document())
    return judge.report.finish()


if __name__ == "__main__":
    sys.exit(main())
