# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the time and memory of a whole `invar optimize` with other tools and with cp.

Every tool runs on every file in a separate process. The tools take turns, so that other load on the machine affects
all of them. The best time and the worst memory count. Files are in the page cache.
"""
import os
import pathlib
import sys
from typing import NamedTuple

import corpus
import plot
from measure import Usage, measure as measure_process
from page import Limit, table, versions
from setting import MB, Setting

TITLE = "Optimizing"
SLOW = 20.0  # Seconds; a slower tool runs only once.
PEERS = {"onnxruntime": "onnxruntime", "OnnxSlim": "onnxslim", "onnxsim": "onnxsim"}
TOOLS = ("cp", "invar", "invar, decomposed", *PEERS)


class Best(NamedTuple):
    size: float
    wall: float
    user: float
    anonymous: float
    total: float
    written: float


def commands(setting: Setting) -> dict[str, list[str]]:
    """Maps each tool to its command; {in} and {out} stand for the model and the output."""
    peers = {name: [sys.executable, str(corpus.ROOT / "bench/peers.py"), package, "{in}", "{out}"]
             for name, package in PEERS.items()}
    optimize = [str(setting.invar), "optimize", "{in}", "-o", "{out}", "--quiet"]
    own = {"invar": optimize + ([f"--passes={setting.passes}"] if setting.passes else [])}
    if not setting.passes:
        # Decomposed batch normalizations leave only constants to fold.
        own["invar, decomposed"] = [*optimize, "--decompose-batchnorm", "--fuse=off"]
    return {"cp": ["cp", "{in}", "{out}"], **own, **peers}


def run_once(command: list[str], model: pathlib.Path, folder: pathlib.Path) -> tuple[Usage, int]:
    out = folder / "out.onnx"
    usage = measure_process([c.replace("{in}", str(model)).replace("{out}", str(out)) for c in command])
    written = 0
    for path in folder.iterdir():
        written += path.stat().st_size
        path.unlink()
    os.sync()  # Flush the files that this tool wrote, so that they do not slow down the next one.
    return usage, written


def measure(setting: Setting) -> list[dict]:
    runs: list[dict] = []
    folder = setting.scratch / "optimized"
    folder.mkdir(exist_ok=True)
    for model in corpus.to_optimize(setting.models, setting.all_models):
        if not setting.wants(model.stem):
            continue
        model.read_bytes()  # Load the file into the page cache.
        name, left = corpus.short_name(model), commands(setting)
        for turn in range(setting.repeat):
            for tool, command in list(left.items()):
                usage, written = run_once(command, model, folder)
                if usage.code or not written:
                    print(f"{name}: {tool} failed ({usage.code}): {usage.stderr.strip()[-160:]}", file=sys.stderr)
                    del left[tool]
                    continue
                if usage.wall > SLOW:
                    del left[tool]
                runs.append({"model": name, "size": model.stat().st_size, "tool": tool, "turn": turn, "written": written,
                             **{k: v for k, v in usage._asdict().items() if k != "stderr"}})
        row = best_of(runs).get(name, {})
        print(f"{name}: " + ", ".join(f"{t} {b.wall:.3f} s" for t, b in row.items()), file=sys.stderr)
    return runs


def best_of(runs: list[dict]) -> dict[str, dict[str, Best]]:
    found: dict[str, dict[str, Best]] = {}
    for run in runs:
        row = found.setdefault(run["model"], {})
        new = Best(run["size"] / MB, run["wall"], run["user"],
                   *(run[key] / MB for key in ("peak_anonymous", "peak_total", "written")))
        old = row.get(run["tool"], new)
        row[run["tool"]] = Best(new.size, min(old.wall, new.wall), min(old.user, new.user), max(old.anonymous, new.anonymous),
                                max(old.total, new.total), new.written)
    return found


def size(row: dict[str, Best]) -> float:
    return next(iter(row.values())).size


def tool_table(found: dict[str, dict[str, Best]], show) -> str:
    tools = [tool for tool in TOOLS if any(tool in row for row in found.values())]
    return table(("model (MB)", *tools), [
        (f"{model} ({size(row):.1f})", *(show(row[t], row.get("invar")) if t in row else "failed" for t in tools))
        for model, row in found.items()])


def against(value: float, base: float | None) -> str:
    return f" ({value / base:.1f}×)" if base else ""


def limits(runs: list[dict]) -> list[Limit]:
    return []


def section(runs: list[dict]) -> str:
    found = best_of(runs)
    return f"""Invar runs as `invar optimize IN -o OUT --quiet`; decomposed is with `--decompose-batchnorm --fuse=off`, which leaves
every BatchNormalization as constants to fold. What the tools leave of a model differs: the last table says how many bytes.
`cp` is there for scale: the bytes have to be written by somebody.

- Tools: {versions(PEERS)} (offline, basic optimizations for onnxruntime).
- Each run is a process of its own, by turns; best time and worst memory of {1 + max(run["turn"] for run in runs)}; what took longer than {SLOW:.0f} s
  ran once. Files are in the page cache.
- Memory is sampled every 2 ms, so that a shorter run may show 0.
- In brackets: how many times Invar's figure.

![time and memory by model and tool](benchmarks.svg)

### Wall time, seconds
{tool_table(found, lambda b, i: f"{b.wall:.3f}{against(b.wall, i and i.wall)}")}

### User time, seconds
{tool_table(found, lambda b, i: f"{b.user:.3f}")}

### Peak memory of its own (anonymous), MB
{tool_table(found, lambda b, i: f"{b.anonymous:.0f}{against(b.anonymous, i and i.anonymous)}")}

### Peak memory with mapped files, MB
{tool_table(found, lambda b, i: f"{b.total:.0f}")}

### Output, MB
{tool_table(found, lambda b, i: f"{b.written:.1f}")}
"""


def pictures(runs: list[dict]) -> dict[str, str]:
    found = best_of(runs)
    panels = [plot.Panel(title, unit, {m: {t: getattr(b, what) for t, b in row.items()} for m, row in found.items()})
              for title, unit, what in (("Wall time", "seconds", "wall"), ("Peak memory of its own", "MB", "anonymous"))]
    return {"benchmarks.svg": plot.draw("From file to file", panels, {m: size(row) for m, row in found.items()})}
