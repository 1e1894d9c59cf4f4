#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that no numbers in a model make Invar crash or compute a size that wraps around.

Models with absurd attributes, operands and declared sizes (see extreme_models) go through inference, `optimize` and
`compile`, and compiled models run. Each step must end with a result or with an error of one line; a signal, a hang
and an unbounded allocation are failures. A result must have the shape that onnxruntime computes. If it differs, the
onnx package's reference evaluator decides; if onnxruntime rejects the model, the case is counted separately.

  shape_attacks.py --build build/dev [--seed 1] [--first 0] [--count 400] [--only OP] [--jobs 2] [--verbose]

With a sanitized build (build/asan-mlir), a report of the sanitizer is a failure.
"""
import argparse
import collections
import os
import resource
import sys
import tempfile
import time
import warnings
from typing import Any, Callable, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import extreme_models
import harness
import invar_engine
import isolate
import sanitized
from fold_expected import ORT_OPSETS
from toolchain import Refused, Toolchain, Variant

SECONDS = 60  # Processor time for one model, a thousand times the usual one.
MEMORY = 3 << 30  # In addition to the initial size of a process: small models need little.

AGREED, ALL_REFUSE, ONLY_HERE, ONLY_THERE, SKIPPED = (
    "agree", "refused by all", "run only here", "refused only here", "cannot be written")

class Item(NamedTuple):
    op: str
    number: int
    seed: int

    def __str__(self) -> str:
        return f"{self.op} (--seed {self.seed} --first {self.number} --count 1)"


class Outcome(NamedTuple):
    kind: str  # One of the above, or empty for a failure.
    why: str


def shape_of(value: Any) -> Any:
    """Returns the shape of a result, or a substitute for one."""
    if isinstance(value, tuple):  # A type that numpy lacks: bytes, shape and type.
        return list(value[1])
    if isinstance(value, list):
        return [shape_of(item) for item in value]
    return list(value.shape) if isinstance(value, np.ndarray) else type(value).__name__


def set_limits() -> None:
    """Limits this process from now on: the limit on processor time ends an endless loop."""
    seconds = int(time.process_time()) + SECONDS * (10 if sanitized.is_active() else 1)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        sanitized.limit_memory(MEMORY)


def ask_onnxruntime(data: bytes, feeds: dict[str, Any]) -> list[Any]:
    """Returns the shapes that onnxruntime computes, with its newest opset if the model's is newer."""
    model = onnx.load_from_string(data)
    for opset in model.opset_import:
        if opset.domain == "":
            opset.version = min(opset.version, ORT_OPSETS[0])
    model.ir_version = min(model.ir_version, 11)
    return [shape_of(value) for value in engines.OnnxRuntime(model.SerializeToString()).run(feeds)]


def ask_reference(data: bytes, feeds: dict[str, Any]) -> list[Any]:
    return [shape_of(value) for value in engines.Reference(data).run(feeds)]


def declared_shapes(path: str) -> list[list[int | None] | None]:
    """Returns the shapes that a model declares for its outputs."""
    shapes: list[list[int | None] | None] = []
    for output in onnx.load(path).graph.output:
        tensor = output.type.tensor_type
        known = output.type.HasField("tensor_type") and tensor.HasField("shape")
        shapes.append([d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim] if known else None)
    return shapes


def agrees(declared: list[int | None] | None, shape: Any) -> bool:
    if declared is None or not isinstance(shape, list):
        return True
    return len(declared) == len(shape) and all(d is None or d == s for d, s in zip(declared, shape))


class Attack:
    """Runs one model through all stages, in a separate process."""

    def __init__(self, toolchain: Toolchain, folder: str):
        self.toolchain = toolchain
        self.folder = folder

    def __call__(self, item: Item, stage: Callable[[str], None]) -> list[str]:
        set_limits()
        try:
            attacked = extreme_models.draw_model(*item)
            data = attacked.model.SerializeToString()
        except Exception as error:
            return [SKIPPED, f"{type(error).__name__}: {error}"]
        return list(self.judge(attacked, data, stage))

    def judge(self, attacked: extreme_models.Attacked, data: bytes, stage: Callable[[str], None]) -> Outcome:
        out = os.path.join(self.folder, f"{os.getpid()}.out")
        declared, shapes, refusal = [], None, ""
        try:
            stage("inference")
            self.toolchain.optimize(data, out, ["infer-shapes"])
            declared.append(declared_shapes(out))
            stage("optimize")
            self.toolchain.optimize(data, out)
            declared.append(declared_shapes(out))
            stage("compile")
            self.toolchain.compile(data, out, Variant(), {})
            stage("load")
            session = self.toolchain.load(out, 1)
            try:
                stage("run")
                shapes = [shape_of(value) for value in session.run(attacked.feeds)]
            finally:
                session.close()
        except (Refused, invar_engine.RunFailed) as error:
            refusal = str(error)
        except MemoryError:
            refusal = "expected memory to copy the results to, but there is none"
        except (KeyError, TypeError, ValueError) as error:  # The inputs do not match the declarations.
            refusal = f"cannot be fed: {error}"
        finally:
            if os.path.exists(out):
                os.remove(out)
        if "\n" in refusal.strip() or (refusal and not any(word in refusal for word in ("expected", "cannot"))):
            return Outcome("", f"expected one line that says 'expected' or 'cannot', but got {refusal[:300]!r}")
        return self.compare(attacked, data, declared, shapes, refusal, stage)

    def compare(self, attacked: extreme_models.Attacked, data: bytes, declared: list[Any], shapes: list[Any] | None, refusal: str,
                stage: Callable[[str], None]) -> Outcome:
        answers: dict[str, list[Any]] = {}
        refusals = [refusal]
        for name, ask in (("onnxruntime", ask_onnxruntime), ("reference", ask_reference)):
            if name == "reference" and attacked.is_misdeclared:  # It ignores declared sizes.
                continue
            stage(name)
            try:
                right = answers[name] = ask(data, attacked.feeds)
            except Exception as error:  # Engines raise various exceptions.
                refusals.append(f"{name}: {error}"[:300])
                continue
            if shapes in (None, right) and all(agrees(*pair) for found in declared for pair in zip(found, right)):
                return Outcome(AGREED if shapes is not None else ONLY_THERE, refusal)
        # Both engines have bugs: if Invar cannot run the model, that is wrong only if both can.
        if "onnxruntime" in answers and (shapes is not None or "reference" in answers):
            return Outcome("", f"expected shapes {answers}, but got {shapes or declared}")
        return Outcome(ALL_REFUSE if shapes is None else ONLY_HERE, "; ".join(filter(None, refusals)))


def print_model(item: Item) -> None:
    attacked = extreme_models.draw_model(*item)
    print(f"  attacked: {'; '.join(attacked.places)}")
    try:
        print("  " + onnx.printer.to_text(attacked.model)[:3000].replace("\n", "\n  "))
    except Exception as error:
        print(f"  cannot be printed: {error}")
    for name, value in attacked.feeds.items():
        print(f"  {name} = {value if not isinstance(value, np.ndarray) or value.size <= 16 else (value.dtype, value.shape)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--only", default="", help="an operator")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="print what is refused or run only here")
    arguments = parser.parse_args()
    sanitized.prepare(arguments.build)
    operators = extreme_models.operators()
    items = [Item(arguments.only or operators[n % len(operators)], n, arguments.seed)
             for n in range(arguments.first, arguments.first + arguments.count)]
    report = harness.Report()
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(Toolchain(arguments.build), folder)
        for item, result in isolate.run_all(attack, items, jobs=arguments.jobs, batch=20):
            if isinstance(result, isolate.Died) and result.stage in ("onnxruntime", "reference"):
                result = [ONLY_HERE, f"{result.stage} {result.ending}"]
            if isinstance(result, isolate.Died):
                result = ["", f"{result.stage}: {result.ending}: {result.words}"]
            outcome = Outcome(*result)
            counts[outcome.kind or "failed"] += 1
            if outcome.kind == SKIPPED:
                report.skip(str(item), f"cannot be written: {outcome.why.split(':')[0]}")
                continue
            report.add(harness.Verdict(str(item), harness.PASSED if outcome.kind else harness.FAILED, outcome.why))
            if not outcome.kind:
                print_model(item)
            elif arguments.verbose and outcome.kind in (ONLY_HERE, ONLY_THERE):
                print(f"{outcome.kind}: {item}: {outcome.why}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
