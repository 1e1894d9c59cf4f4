# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one graph through all stages: optimize, optimize again, compile in some variants, and run. Some of these are
stopped at a random moment first."""
import os
import random
import re
import time
import zlib
from typing import Any, Callable, NamedTuple

import numpy as np
import onnx

import engines
import invar_engine
import models
from toolchain import Refused, Toolchain, Variant

from . import draw, judge, variants

# A crash after a run may be caused by damage during the run.
OURS = OPTIMIZE, AGAIN, STOP_OPTIMIZE, STOP, COMPILE, LOAD, RUN, AFTER_RUN = (
    "optimize", "optimize again", "optimize, stopped", "stop", "compile", "load", "run", "after run")
JUDGE, EXPECT, CHECK = "judge", "expect", "check"  # Stages of other engines.
# An operator of unknown rank is compiled once for each rank, so larger graphs take too long.
MOST_NODES_WITHOUT_RANK = 4


class Case(NamedTuple):
    """A model, with inputs and named sizes for each choice."""
    model: onnx.ModelProto
    feeds: list[dict[str, np.ndarray]]
    sizes: list[dict[str, int]]
    wanted: list[list[np.ndarray]]
    variants: list[Variant]
    optimizes: bool = True


class Failure(NamedTuple):
    kind: str  # Failures of the same kind are similar; shrinking preserves the kind.
    detail: str
    variant: Variant | None = None
    choice: int = 0


class Result(NamedTuple):
    failures: list[Failure]
    refusals: list[str]


def case_of(seed: int, number: int, cpus: list[str]) -> Case:
    graph = draw.draw(seed, number)
    rng = random.Random(f"{seed}/{number}/variants")
    chosen = [variants.draw(rng, cpus) for _ in range(rng.choice((1, 1, 1, 2)))]
    model = graph.model()
    return Case(model, [graph.feeds(model, i) for i in range(graph.choices)],
                [{name: sizes[i] for name, sizes in graph.named.items()} for i in range(graph.choices)],
                [[output.arrays[i] for output in graph.outputs] for i in range(graph.choices)], chosen)


def wanted_of(model: onnx.ModelProto, feeds: list[dict[str, np.ndarray]]) -> list[list[np.ndarray]]:
    engine = judge.engine_of(model)
    return [judge.run(engine, feed) for feed in feeds]


def stated(case: Case, choice: int) -> dict[str, int]:
    """Returns the named sizes that occur in the inputs."""
    names = {dim.dim_param for value in case.model.graph.input for dim in value.type.tensor_type.shape.dim}
    return {name: size for name, size in case.sizes[choice].items() if name in names}


def reason(text: str) -> str:
    """Returns the part of a message that is equal for similar refusals."""
    text = re.sub(r"^.*?'[^']*'(?: \([^)]*\))?: ", "", text.strip().split("\n")[0], count=1)
    return re.sub(r"'[vxct]\d+\w*'|\d+", "…", text)[:160]


def likeness(failure: Failure) -> str:
    """Returns the text by which failures are compared. It includes the message of crashes and refusals."""
    says_why = "killed" in failure.kind or "refuse" in failure.kind or "any more" in failure.kind
    return f"{failure.kind}: {reason(failure.detail)}" if says_why else failure.kind


def complaint_of_stop(call: Callable[[], Any], output: str | None = None) -> str:
    """Calls something that is stopped after a time, or ends before. Returns what is wrong."""
    try:
        call()
    except (Refused, invar_engine.RunFailed) as error:
        if "expected to end within" not in str(error):
            return str(error)
        if output and os.path.exists(output):
            return "it was stopped, but there is an output"
    finally:
        if output and os.path.exists(output):
            os.unlink(output)
    return ""


class Trial:
    def __init__(self, toolchain: Toolchain, folder: str, tell: Callable[[str], None] = lambda stage: None, is_strict: bool = False):
        """`is_strict`: a refusal is a failure."""
        self.toolchain, self.folder, self.tell, self.is_strict = toolchain, folder, tell, is_strict
        self.count = 0

    def path(self, name: str) -> str:
        """Returns a new name each time: a loaded library must not be overwritten."""
        self.count += 1
        return os.path.join(self.folder, f"{os.getpid()}-{self.count}-{name}")

    def run(self, case: Case) -> Result:
        result = Result([], [])
        raw = case.model.SerializeToString()
        self.conditions: dict[tuple[int, bool], judge.Condition] = {}
        if case.optimizes:
            result.failures.extend(self.optimized(case, raw, result))
        for variant in case.variants:
            failure = self.compiled(case, raw, variant, result)
            if failure:
                result.failures.append(failure)
        return result

    def complaints(self, case: Case, choice: int, outputs: list, has_winograd: bool = False) -> str:
        key = (choice, has_winograd)
        if key not in self.conditions:
            self.conditions[key] = judge.Condition(case.model, case.feeds[choice], has_winograd)
        for index, (want, got) in enumerate(zip(case.wanted[choice], outputs)):
            if why := self.conditions[key].complaint(index, want, np.asarray(got)):
                return why
        return ""

    def optimized(self, case: Case, raw: bytes, result: Result) -> list[Failure]:
        once, twice = self.path("once.onnx"), self.path("twice.onnx")
        found = []
        try:
            self.tell(OPTIMIZE)
            started = time.monotonic()
            self.toolchain.optimize(raw, once)
            took = time.monotonic() - started
            # A fifth of all models, each at a moment of its own.
            if (part := zlib.crc32(raw) % 10_000 / 2000) < 1:
                self.tell(STOP_OPTIMIZE)
                if why := complaint_of_stop(lambda: self.toolchain.optimize(raw, twice, timeout=part * took), twice):
                    found.append(Failure("optimize, stopped: wrong", why))
        except Refused as error:
            return [Failure("optimize: refused", str(error))]
        try:
            self.tell(AGAIN)
            with open(once, "rb") as file:
                self.toolchain.optimize(file.read(), twice)
            if not models.same_but_for_names(once, twice):
                before, after = ([node.op_type for node in onnx.load(path).graph.node] for path in (once, twice))
                found.append(Failure("optimize: changes again", f"{before} became {after}"))
        except Refused as error:
            found.append(Failure("optimize: refuses its own output", str(error)))
        self.tell(CHECK)
        model = onnx.load(once)
        if (why := check(model)) and not check(case.model) and not shapes_are_true(model, case):
            found.append(Failure("optimize: not valid", why))
        self.tell(EXPECT)
        engine = None
        try:
            engine = judge.engine_of(model)
            for choice in range(len(case.feeds)):
                outputs = run_optimized(engine, model, case.feeds[choice])
                if outputs is None:
                    continue
                self.tell(JUDGE)
                if why := self.complaints(case, choice, outputs):
                    found.append(Failure("optimize: wrong", why, None, choice))
                    break
        except engines.CannotRun as error:
            if runs(type(engine) if engine else engines.OnnxRuntime, case):
                found.append(Failure("optimize: does not run any more", str(error)))
        for path in (once, twice):
            if os.path.exists(path):
                os.unlink(path)
        return found

    def compiled(self, case: Case, raw: bytes, variant: Variant, result: Result) -> Failure | None:
        # If sizes are stated, only one choice can run.
        is_fixed = not variant.is_open and bool(stated(case, 0))
        choices = [len(raw) % len(case.feeds)] if is_fixed else list(range(len(case.feeds)))
        library, sizes = self.path("model.so"), stated(case, choices[0])
        if variant.hides_rank:  # And with it the names of its sizes.
            raw, variant = without_rank(case.model), variant._replace(is_open=True)
        try:
            self.tell(COMPILE)
            started = time.monotonic()
            self.toolchain.compile(raw, library, variant, sizes)
            if variant.stops_at:
                self.tell(STOP)
                timeout, other = variant.stops_at * (time.monotonic() - started), self.path("stopped.so")
                if why := complaint_of_stop(lambda: self.toolchain.compile(raw, other, variant, sizes, timeout), other):
                    return Failure("stop: compile", why, variant, choices[0])
        except Refused as error:
            result.refusals.append(reason(str(error)))
            return Failure("compile: refused", str(error), variant, choices[0]) if self.is_strict else None
        try:
            self.tell(LOAD)
            session = self.toolchain.load(library, variant.threads)
        except invar_engine.RunFailed as error:
            return Failure("load: refused", str(error), variant)
        try:
            for choice in choices:
                self.tell(RUN)
                try:
                    started = time.monotonic()
                    outputs = session.run(case.feeds[choice])
                    if variant.stops_at:
                        timeout = variant.stops_at * (time.monotonic() - started)
                        if why := complaint_of_stop(lambda: session.run(case.feeds[choice], timeout)):
                            return Failure("stop: run", why, variant, choice)
                    again = session.run(case.feeds[choice])
                except invar_engine.RunFailed as error:
                    kernel = re.search(r"kernel '[^']*' \((.*?)\): ", str(error))
                    kind = f"run: a kernel is not what it means ({kernel[1]})" if kernel else "run: refused"
                    return Failure(kind, str(error), variant, choice)
                self.tell(AFTER_RUN)
                if why := self.complaints(case, choice, outputs, variant.winograd != "off"):
                    return Failure("run: wrong", why, variant, choice)
                if not all(a.tobytes() == b.tobytes() for a, b in zip(outputs, again)):
                    return Failure("run: differs when it runs again", "", variant, choice)
        finally:
            session.close()
            os.unlink(library)
        return None


def without_rank(model: onnx.ModelProto) -> bytes:
    """Returns a small model with no shape of the first input, and none of the outputs, which would tell it."""
    hidden = onnx.ModelProto()
    hidden.CopyFrom(model)
    if len(model.graph.node) <= MOST_NODES_WITHOUT_RANK:
        del hidden.graph.value_info[:]
        for info in [*hidden.graph.input[:1], *hidden.graph.output]:
            info.type.tensor_type.ClearField("shape")
    return hidden.SerializeToString()


def infers_wrong_sizes(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> bool:
    """Whether onnxruntime lets tensors of different sizes share memory though the model declares no sizes: its inference
    of a Slice of opset 10 takes the lowest integer for the end of an open axis. In the original, other tensors share."""
    undeclared = onnx.ModelProto()
    undeclared.CopyFrom(model)
    del undeclared.graph.value_info[:]
    try:
        judge.run(engines.OnnxRuntime(undeclared.SerializeToString()), feeds)
        return False
    except engines.CannotRun as error:
        return "Shape mismatch" in str(error)


def run_optimized(engine: Any, model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> list[np.ndarray] | None:
    """onnxruntime refuses some operators of newer opsets without elements, as an Attention of batch 0, though it runs the
    operators that they stand for. Then the reference evaluator runs the model, unless it refuses the same: None."""
    try:
        return judge.run(engine, feeds)
    except engines.CannotRun as error:
        if "Shape mismatch" in str(error) and infers_wrong_sizes(model, feeds):
            return judge.run(engines.OnnxRuntime(model.SerializeToString(), reuses=False), feeds)
        if all(array.size for array in feeds.values()):
            raise
    try:
        return judge.run(engines.Reference(model.SerializeToString()), feeds)
    except engines.CannotRun:
        return None


def runs(engine: type, case: Case) -> bool:
    try:
        original = engine(case.model if engine is judge.WithFloats else case.model.SerializeToString())
        for feed in case.feeds:
            judge.run(original, feed)
        return True
    except engines.CannotRun:
        return False


def shapes_are_true(model: onnx.ModelProto, case: Case) -> bool:
    """Whether all sizes that a model states are the actual ones: then the checker's complaint is wrong."""
    try:
        values = judge.Condition(model, case.feeds[0]).all_values()
    except engines.CannotRun:
        return False
    for info in (*model.graph.value_info, *model.graph.output):
        kind = info.type.tensor_type
        if info.name in values and kind.HasField("shape"):
            shape = values[info.name].shape
            if len(kind.shape.dim) != len(shape) or any(
                    dim.HasField("dim_value") and dim.dim_value != size for dim, size in zip(kind.shape.dim, shape)):
                return False
    return True


def check(model: onnx.ModelProto) -> str:
    try:
        onnx.checker.check_model(model, full_check=True)
        return ""
    except Exception as error:
        return str(error).strip().split("\n")[0][:300]
