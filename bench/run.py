#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and memory of a whole optimize, beside other tools and beside cp.

Every tool runs on every file in a process of its own, by turns, so that a busy minute hits all
alike; the best time counts, and the worst memory. Files are in the page cache. Writes
docs/Benchmarks.md and docs/benchmarks.svg, and all single runs into build/bench/runs.json.
"""
import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/python"))

import corpus
import plot
from measure import Usage, measure

MB = 1_000_000
SLOW = 20.0  # Seconds: what takes longer is not run again.
PEERS = {"onnxruntime": "onnxruntime", "OnnxSlim": "onnxslim", "onnxsim": "onnxsim"}


class Best(NamedTuple):
    wall: float
    user: float
    anonymous: float
    total: float
    written: float


def commands(invar: str, passes: str) -> dict[str, list[str]]:
    """Tool to command; {in} and {out} stand for the model and the output."""
    peers = {name: [sys.executable, str(ROOT / "bench/peers.py"), package, "{in}", "{out}"]
             for name, package in PEERS.items()}
    optimize = [invar, "optimize", "{in}", "-o", "{out}", "--quiet"]
    own = {"invar": optimize + ([f"--passes={passes}"] if passes else [])}
    if not passes:
        # All that is left of a normalization is then constants to fold.
        own["invar, decomposed"] = [*optimize, "--decompose-batchnorm", "--fuse=off"]
    return {"cp": ["cp", "{in}", "{out}"], **own, **peers}


def run_once(command: list[str], model: pathlib.Path, folder: pathlib.Path) -> tuple[Usage, int]:
    out = folder / "out.onnx"
    usage = measure([c.replace("{in}", str(model)).replace("{out}", str(out)) for c in command])
    written = 0
    for path in folder.iterdir():
        written += path.stat().st_size
        path.unlink()
    os.sync()  # What one tool wrote must not slow the next one.
    return usage, written


def measure_all(models: list[pathlib.Path], tools: dict[str, list[str]], repeat: int, folder: pathlib.Path) -> list[dict]:
    runs: list[dict] = []
    for model in models:
        model.read_bytes()  # Into the page cache.
        name, left = corpus.short_name(model), dict(tools)
        for turn in range(repeat):
            for tool, command in list(left.items()):
                usage, written = run_once(command, model, folder)
                if usage.code or not written:
                    print(f"{name}: {tool} failed ({usage.code}): {usage.stderr.strip()[-160:]}", flush=True)
                    del left[tool]
                    continue
                if usage.wall > SLOW:
                    del left[tool]
                runs.append({"model": name, "tool": tool, "turn": turn, "written": written,
                             **{k: v for k, v in usage._asdict().items() if k != "stderr"}})
        row = best_of(runs).get(name, {})
        print(f"{name}: " + ", ".join(f"{t} {b.wall:.3f} s" for t, b in row.items()), flush=True)
    return runs


def best_of(runs: list[dict]) -> dict[str, dict[str, Best]]:
    table: dict[str, dict[str, Best]] = {}
    for run in runs:
        row = table.setdefault(run["model"], {})
        new = Best(run["wall"], run["user"], run["peak_anonymous"] / MB, run["peak_total"] / MB, run["written"] / MB)
        old = row.get(run["tool"], new)
        row[run["tool"]] = Best(min(old.wall, new.wall), min(old.user, new.user), max(old.anonymous, new.anonymous),
                                max(old.total, new.total), new.written)
    return table


def markdown_table(table: dict[str, dict[str, Best]], sizes: dict[str, float], tools: list[str], show) -> str:
    lines = ["| model (MB) | " + " | ".join(tools) + " |", "| --- |" + " ---: |" * len(tools)]
    for model, row in table.items():
        cells = [show(row[t], row.get("invar")) if t in row else "failed" for t in tools]
        lines.append(f"| {model} ({sizes[model]:.1f}) | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def against(value: float, base: float | None) -> str:
    return f" ({value / base:.1f}×)" if base else ""


def machine() -> str:
    """What matters for a comparison; not whose machine it is."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GiB, Linux {platform.release().split('-')[0]}"


def load() -> str:
    """A machine that others use too makes all figures worse: whoever reads them should know."""
    return f"{os.getloadavg()[2]:.1f} processes on average over 15 minutes"


def document(table: dict[str, dict[str, Best]], sizes: dict[str, float], tools: list[str], invar: str, repeat: int) -> str:
    versions = ", ".join(f"{name} {importlib.metadata.version(package)}" for name, package in PEERS.items())
    wall = markdown_table(table, sizes, tools, lambda b, i: f"{b.wall:.3f}{against(b.wall, i and i.wall)}")
    user = markdown_table(table, sizes, tools, lambda b, i: f"{b.user:.3f}")
    own = markdown_table(table, sizes, tools, lambda b, i: f"{b.anonymous:.0f}{against(b.anonymous, i and i.anonymous)}")
    total = markdown_table(table, sizes, tools, lambda b, i: f"{b.total:.0f}")
    written = markdown_table(table, sizes, tools, lambda b, i: f"{b.written:.1f}")
    return f"""# Benchmarks
Written by `make bench`; do not edit. Machine: {machine()}.

Invar runs as `{invar}`; decomposed is with `--decompose-batchnorm --fuse=off`, which leaves every BatchNormalization as
constants to fold. What the tools leave of a model differs: the last table says how many bytes. `cp` is there for scale:
the bytes have to be written by somebody.

- Tools: {versions} (offline, basic optimizations for onnxruntime).
- Each run is a process of its own, by turns; best time and worst memory of {repeat}; what took longer than {SLOW:.0f} s
  ran once. Files are in the page cache. Load while it ran: {load()}.
- Memory is sampled every 2 ms, so that a shorter run may show 0.
- In brackets: how many times Invar's figure.

![time and memory by model and tool](benchmarks.svg)

## Wall time, seconds
{wall}

## User time, seconds
{user}

## Peak memory of its own (anonymous), MB
{own}

## Peak memory with mapped files, MB
{total}

## Output, MB
{written}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True)
    parser.add_argument("--passes", default="", help="empty: Invar's default pipeline")
    parser.add_argument("--models", type=pathlib.Path, default=os.environ.get("MODELS", ROOT / "build/models"),
                        help="where models are, or are fetched to (default: $MODELS, or build/models)")
    parser.add_argument("--all", action="store_true", help="all models, not one of each kind")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="", help="only models with this in their name")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs")
    options = parser.parse_args()

    build = ROOT / "build/bench"
    scratch = build / "out"
    scratch.mkdir(parents=True, exist_ok=True)
    models = [m for m in corpus.collect(pathlib.Path(options.models), options.all) if options.only in m.stem]
    sizes = {corpus.short_name(m): m.stat().st_size / MB for m in models}
    tools = commands(os.path.abspath(options.invar), options.passes)
    runs = measure_all(models, tools, options.repeat, scratch)
    (build / "runs.json").write_text(json.dumps(runs, indent=1))
    table = best_of(runs)
    if not table:
        print("expected at least one model that a tool could read, but there is none", file=sys.stderr)
        return 1

    shown = " ".join(["invar", *tools["invar"][1:]]).replace("{in}", "IN").replace("{out}", "OUT")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "Benchmarks.md").write_text(document(table, sizes, list(tools), shown, options.repeat))
    title = "From file to file" + (" (Invar without passes)" if options.passes == "none" else "")
    (options.out / "benchmarks.svg").write_text(plot.draw(title, [
        plot.Panel("Wall time", "seconds", {m: {t: b.wall for t, b in row.items()} for m, row in table.items()}),
        plot.Panel("Peak memory of its own", "MB",
                   {m: {t: b.anonymous for t, b in row.items()} for m, row in table.items()}),
    ], sizes))
    print(f"wrote {options.out}/Benchmarks.md, benchmarks.svg and {build}/runs.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
