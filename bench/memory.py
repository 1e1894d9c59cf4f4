# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the activation memory that Invar plans at compile time with onnxruntime's."""
import sys

import corpus
import engines
import invar_engine
import memory_plan
from page import Limit, met, table
from setting import Setting

TITLE = "Memory of activations"
HEAD = ("model", "planned block", "of the lower bound", "arena", "onnxruntime", "smaller", "all that a run takes", "without a plan",
        "not planned", "planned of open sizes")


def measure(setting: Setting) -> list[dict]:
    """Returns one row for each model in the models folder."""
    if not setting.words:
        corpus.fetch(setting.models, ())
    rows = []
    for model in sorted(setting.models.rglob("*.onnx"), key=corpus.short_name):
        if not setting.wants(model.stem):
            continue
        try:
            found = memory_plan.judge(str(setting.invar.parent.parent), str(model), True)
        except (engines.CannotRun, invar_engine.NotCompiled, invar_engine.RunFailed, invar_engine.CompilerCrashed) as error:
            found = {"failed": str(error)[-300:]}
        name = corpus.short_name(model)
        rows.append({"model": name, **found})
        print(f"{name}: {found['failed']}" if "failed" in found else memory_plan.line_of(name, found), file=sys.stderr)
    return rows


def over_bound(row: dict) -> float:
    return row["bytes"] / row["bound"] if row["bound"] else 1


def is_smaller(row: dict) -> bool:
    return memory_plan.arena(row) < row["onnxruntime"]


def limits(rows: list[dict]) -> list[Limit]:
    ran = [row for row in rows if "failed" not in row]
    if not ran:
        return [Limit("planned memory", f"≤ {memory_plan.MOST_OVER_BOUND}× the lower bound", "no model ran", False)]
    worst, smaller = max(ran, key=over_bound), sum(map(is_smaller, ran))
    return [Limit(f"planned memory, the worst of {len(rows)} models", f"≤ {memory_plan.MOST_OVER_BOUND}× the lower bound",
                  f"{over_bound(worst):.3f}×", over_bound(worst) <= memory_plan.MOST_OVER_BOUND and len(ran) == len(rows)),
            Limit("memory of activations below onnxruntime's", f"≥ {memory_plan.LEAST_SMALLER:.0%} of the models",
                  f"{smaller} of {len(rows)}", smaller >= memory_plan.LEAST_SMALLER * len(rows))]


def line_of(row: dict) -> tuple[str, ...]:
    size = lambda count: f"{count / 1e3:,.1f}"
    planned = sum(block["buffers"] for block in row["open"]["open_blocks"])
    return (row["model"], size(row["bytes"]), f"{over_bound(row):.3f}×", size(memory_plan.arena(row)), size(row["onnxruntime"]),
            met(is_smaller(row)), size(row["used"]), size(row["used_without_plan"]), str(row["not_planned"] + row["nested"]),
            f"{planned} of {planned + row['open']['not_planned']}")


def section(rows: list[dict]) -> str:
    ran = [row for row in rows if "failed" not in row]
    lines = list(map(line_of, ran))
    failures = "".join(f"- {row['model']}: {row['failed']}\n" for row in rows if "failed" in row)
    return f"""Kilobytes, with one thread and the shapes of inputs stated; how they are measured is said in `test/python/compile/memory_plan.py`.

- The planned block holds what is in use at the same time; its lower bound is what is in use at the fullest moment.
- The arena is the block and the outputs, beside the most that onnxruntime has allocated at once in a run. Where not all is planned
  (in loops and branches, and of sizes that only the run knows), all that a run takes counts instead: in whole pages, and with what
  kernels and functions of the runtime have for themselves. Models that are not smaller are of this kind: some take only a few
  pages, `nani_model` has the tables of its trees there, which its first run makes, and `common` what its transformed
  convolutions work in. With all that a run takes, {sum(row["used"] < row["onnxruntime"] for row in ran)} of {len(ran)} models need less than onnxruntime.
- The last column is about the same model with its sizes open: tensors whose sizes are comparable are planned, others are left to
  the runtime.

{table(HEAD, lines)}

{failures}"""


def pictures(rows: list[dict]) -> dict[str, str]:
    return {}
