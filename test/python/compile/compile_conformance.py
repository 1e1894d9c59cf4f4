#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the onnx package's backend tests, and compares the outputs with the expected ones.

The cases are all node tests, and the folders simple, pytorch-operator, pytorch-converted and light. The package's
own runner compares the outputs, with its tolerances. The outcomes of a case:

  passed          the outputs are as expected
  failed          they are not, or the runtime refuses to load or run the model
  not compiled    the compiler refuses it; counted by reason at the end
  crashed         compiler or compiled code died, or did not end within --limit seconds

  compile_conformance.py --build build/dev                    all, a few minutes
  compile_conformance.py --build build/dev --op Conv,Gemm     only models with these operators
  compile_conformance.py --build build/dev --only reduce_sum  only cases with this in their name
  compile_conformance.py --build build/dev --kind simple      only this folder; 'node' for the node tests
  compile_conformance.py --build build/dev --dynamic          with all sizes of inputs left open
  compile_conformance.py --build build/dev --option=--winograd=on --op Conv   with an option of the compiler
  compile_conformance.py --build build/dev --keep DIR         models and libraries of what does not pass in DIR
  compile_conformance.py --build build/dev --json             one object with every case, for programs
  compile_conformance.py --build build/dev --by-op            a line for each operator at the end

Cases run in worker processes, so that a crash affects only one case.
"""
import argparse
import collections
import json
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time
import warnings
from typing import Any, Iterator, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import DATA_DIR, load_model_tests
from onnx.backend.test.runner import Runner

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine
from engines import as_array
from node_tests import NOT_COMPILED as REASONS

PASSED, FAILED, NOT_COMPILED, CRASHED = OUTCOMES = ("passed", "failed", "not compiled", "crashed")
FOLDERS = ("simple", "pytorch-operator", "pytorch-converted")


class Case(NamedTuple):
    name: str
    kind: str
    model: onnx.ModelProto
    data: list[tuple[list[Any], list[Any]]]  # inputs and outputs
    rtol: float
    atol: float


class Outcome(NamedTuple):
    name: str
    verdict: str
    why: str = ""
    seconds: float = 0


# -- Cases ------------------------------------------------------------------------------------------------------------

def node_cases() -> Iterator[Case]:
    for case in collect_testcases(None):
        data = [([as_array(v) for v in inputs], [as_array(v) for v in outputs]) for inputs, outputs in case.data_sets]
        yield Case(case.name, "node", case.model, data, case.rtol, case.atol)


def read_value(path: pathlib.Path, kind: onnx.TypeProto) -> Any:
    for field, message, convert in (("sequence_type", onnx.SequenceProto, numpy_helper.to_list),
                                    ("optional_type", onnx.OptionalProto, numpy_helper.to_optional),
                                    ("tensor_type", onnx.TensorProto, numpy_helper.to_array)):
        if kind.HasField(field):
            return convert(message.FromString(path.read_bytes()))
    raise NotImplementedError(f"values of {kind.WhichOneof('value')}")


def folder_cases(kind: str) -> Iterator[Case]:
    for case in load_model_tests(kind=kind):
        folder = pathlib.Path(case.model_dir)
        model = onnx.load(folder / "model.onnx")
        data = [tuple([read_value(inside / f"{way}_{i}.pb", infos[i].type) for i in range(len(list(inside.glob(f"{way}_*.pb"))))]
                      for way, infos in (("input", model.graph.input), ("output", model.graph.output)))
                for inside in sorted(folder.glob("test_data_set_*"))]
        yield Case(case.name, kind, model, data, case.rtol, case.atol)


def light_cases() -> Iterator[Case]:
    """Yields models without weights: the package has their outputs for ascending inputs."""
    for path in sorted(pathlib.Path(DATA_DIR, "light").glob("*.onnx")):
        model = onnx.load(path)
        initializers = {i.name for i in model.graph.initializer}
        inputs = [Runner.generate_dummy_data(i) for i in model.graph.input if i.name not in initializers]
        outputs = [numpy_helper.to_array(onnx.load_tensor(f"{path.with_suffix('')}_output_{i}.pb"))
                   for i in range(len(model.graph.output))]
        yield Case(f"test_{path.stem}", "light", model, [(inputs, outputs)], 1e-3, 1e-7)


def all_cases() -> list[Case]:
    return [*node_cases(), *(case for kind in FOLDERS for case in folder_cases(kind)), *light_cases()]


def operators_in(nodes) -> set[str]:
    found = {node.op_type for node in nodes}
    for graph in (g for node in nodes for a in node.attribute for g in (a.g, *a.graphs)):
        found |= operators_in(graph.node)
    return found


def operators_of(model: onnx.ModelProto) -> set[str]:
    return operators_in(model.graph.node).union(*(operators_in(function.node) for function in model.functions))


def with_open_sizes(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns the same model with every input size unknown, and without shapes of other values."""
    opened = onnx.ModelProto()
    opened.CopyFrom(model)
    initializers = {i.name for i in model.graph.initializer}
    for info in opened.graph.input:
        if info.name not in initializers:
            for dim in info.type.tensor_type.shape.dim:
                dim.Clear()
    del opened.graph.value_info[:]
    for info in opened.graph.output:
        for dim in info.type.tensor_type.shape.dim:
            dim.Clear()
    return opened


# -- Judging one, in a worker -----------------------------------------------------------------------------------------

def first_difference(error: AssertionError) -> str:
    """Returns numpy's description of the difference of two arrays, in one line."""
    text = " ".join(str(error).split())
    return re.sub(r"Max absolute difference among violations", "max absolute", text)[:300]


def compare(wanted: list[Any], got: list[Any], case: Case) -> None:
    """Compares as the package's runner does, which does not support sequences of scalars."""
    np.testing.assert_equal(len(got), len(wanted))
    for reference, output in zip(wanted, got):
        if isinstance(reference, (list, tuple)):
            compare(reference, output, case)
        else:
            Runner.assert_similar_outputs([reference], [output], case.rtol, case.atol)


# The outputs of these are random, so this many runs are compared with the expected statistics.
DRAWING = ("test_bernoulli", "test_training_dropout")
DRAWS = 400


def check_draws(inputs: list[Any], wanted: list[Any], runs: list[list[Any]], case: Case) -> None:
    """Checks shapes, types, the possible values of elements, and the frequency of each value."""
    for got in runs:
        for reference, output in zip(wanted, got, strict=True):
            np.testing.assert_equal((output.shape, output.dtype), (reference.shape, reference.dtype))
    drawn = np.array([got[0] for got in runs])
    if "dropout" in case.name:
        ratio = inputs[1] if len(inputs) > 1 else np.float32(0.5)
        chances = np.full(inputs[0].shape, 1 - ratio)
        is_one = drawn != 0
        np.testing.assert_allclose(drawn, np.where(is_one, inputs[0] / (1 - ratio), 0), case.rtol, case.atol)
        for got, is_kept in zip(runs, is_one):
            np.testing.assert_equal(got[1:], [is_kept][:len(got) - 1])
    else:
        # The standard expands Bernoulli to a function that yields one if the draw is greater.
        chances = 1 - inputs[0] if case.name.endswith("_expanded") else inputs[0]
        is_one = drawn == 1
        assert np.all(is_one | (drawn == 0)), "expected zeros and ones"
    # Six standard deviations: fewer than one in 10^8 such numbers is farther away.
    deviation = np.sqrt(chances * (1 - chances) / len(runs))
    difference = np.abs(is_one.mean(0) - chances)
    assert np.all(difference <= 6 * deviation), f"expected means of {chances}, but they differ by {difference}"


def judge(engine: invar_engine.Engine, case: Case, folder: str, options: argparse.Namespace) -> tuple[str, str]:
    path, library = os.path.join(folder, "model.onnx"), os.path.join(folder, "model.so")
    model = with_open_sizes(case.model) if options.dynamic else case.model
    with open(path, "wb") as sink:
        sink.write(model.SerializeToString())
    try:
        engine.compile(path, library, *options.option)
        session = engine.load(library)
        initializers = {i.name for i in model.graph.initializer}
        names = [i.name for i in model.graph.input if i.name not in initializers]
        for inputs, wanted in case.data:
            if case.name.startswith(DRAWING):
                check_draws(inputs, wanted, [session.run(dict(zip(names, inputs))) for _ in range(DRAWS)], case)
                continue
            got = session.run(dict(zip(names, inputs)))
            with np.errstate(all="ignore"):
                compare(wanted, got, case)
        session.close()
        return PASSED, ""
    except invar_engine.CompilerCrashed as error:
        return CRASHED, f"the compiler was {error}"
    except invar_engine.NotCompiled as error:
        return NOT_COMPILED, str(error).removeprefix(f"{path}: ")
    except invar_engine.RunFailed as error:
        return FAILED, f"the runtime says: {str(error).removeprefix(f'{library}: ')}"
    except AssertionError as error:
        return FAILED, first_difference(error)
    except Exception as error:  # an output of a kind that the runner does not expect
        return FAILED, f"{type(error).__name__}: {error}"


def work(pipe: multiprocessing.connection.Connection, log: str, options: argparse.Namespace) -> None:
    """Judges the cases whose numbers arrive. If the process dies, the log contains its output."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    engine = invar_engine.Engine(options.build)
    for index in iter(pipe.recv, None):
        os.ftruncate(descriptor, 0)
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="conformance") as folder:
            verdict, why = judge(engine, CASES[index], folder, options)
            if options.keep and verdict != PASSED:
                shutil.copytree(folder, options.keep / CASES[index].name, dirs_exist_ok=True)
        pipe.send(Outcome(CASES[index].name, verdict, why, time.monotonic() - started))


# -- Judging all ------------------------------------------------------------------------------------------------------

CASES: list[Case] = []  # Filled before the workers fork, so that no model is sent through a pipe.


class Worker:
    def __init__(self, folder: str, number: int, options: argparse.Namespace):
        self.log = os.path.join(folder, f"worker-{number}.log")
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=work, args=(other, self.log, options), daemon=True)
        self.process.start()
        other.close()
        self.index: int | None = None
        self.since = 0.0

    def give(self, index: int | None) -> None:
        self.index, self.since = index, time.monotonic()
        self.pipe.send(index)

    def died(self, why: str | None = None) -> Outcome:
        self.process.join()
        code = self.process.exitcode
        by = why or (f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit {code}")
        said = pathlib.Path(self.log).read_text(errors="replace") if os.path.exists(self.log) else ""
        return Outcome(CASES[self.index].name, CRASHED, f"{by}: {invar_engine.last_words(said)}", time.monotonic() - self.since)


def judge_all(options: argparse.Namespace) -> Iterator[Outcome]:
    """Yields outcomes in the order in which cases end. Replaces workers that die."""
    left = iter(range(len(CASES)))
    with tempfile.TemporaryDirectory(prefix="conformance") as folder:
        # Copy the programs: a build that runs meanwhile may replace them.
        for part in ("bin/invar", "lib/libinvar-runtime.so"):
            target = pathlib.Path(folder, part)
            target.parent.mkdir()
            shutil.copy(options.build / part, target)
        options.build = pathlib.Path(folder)
        started = 0
        busy: list[Worker] = []

        def begin(worker: Worker | None, index: int | None) -> None:
            nonlocal started
            if index is None:
                if worker:
                    worker.give(None)
                return
            if not worker:
                worker, started = Worker(folder, started, options), started + 1
            worker.give(index)
            busy.append(worker)

        for _ in range(options.jobs):
            begin(None, next(left, None))
        while busy:
            ready = multiprocessing.connection.wait([worker.pipe for worker in busy], 1)
            for worker in list(busy):
                late = options.limit and time.monotonic() - worker.since > options.limit
                if worker.pipe not in ready and not late:
                    continue
                busy.remove(worker)
                survivor: Worker | None = None
                if worker.pipe not in ready:
                    worker.process.kill()
                    yield worker.died(f"no end within {options.limit} s")
                else:
                    try:
                        yield worker.pipe.recv()
                        survivor = worker
                    except EOFError:
                        yield worker.died()
                begin(survivor, next(left, None))


def reason_of(why: str) -> str:
    """Returns the part of a message that is equal for refusals of the same kind."""
    text = why.split("\\x0a")[0].split("\n")[0]
    text = re.sub(r"^graph\.node\[.*?\] '.*?': |^\w+:\w+: ", "", text)
    return re.sub(r"%\w+", "%", text)[:160]


def print_by_operator(outcomes: list[Outcome]) -> None:
    kinds = {case.name: sorted(operators_of(case.model)) for case in CASES}
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for outcome in outcomes:
        for operator in kinds[outcome.name]:
            counts[operator][outcome.verdict] += 1
    print(f"{'operator':28}" + "".join(f"{title:>14}" for title in OUTCOMES))
    for operator, count in sorted(counts.items()):
        print(f"{operator:28}" + "".join(f"{count[title] or '':>14}" for title in OUTCOMES))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder of a build")
    parser.add_argument("--op", default="", help="only models with one of these operators, with commas")
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--kind", default="", help="node, simple, pytorch-operator, pytorch-converted or light")
    parser.add_argument("--option", action="append", default=[], help="for the compiler: --option=--winograd=on")
    parser.add_argument("--dynamic", action="store_true", help="leave all sizes of inputs open")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for models and libraries of what does not pass")
    parser.add_argument("--limit", type=float, help="seconds after which a case counts as crashed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--by-op", action="store_true", help="a line for each operator at the end")
    parser.add_argument("--verbose", action="store_true", help="name also what passes")
    options = parser.parse_args()
    everything = all_cases()
    wanted = set(filter(None, options.op.split(",")))
    CASES.extend(case for case in everything if options.only in case.name and options.kind in ("", case.kind)
                 and (not wanted or wanted & operators_of(case.model)))
    say = (lambda *_: None) if options.json else (lambda text: print(text, flush=True))
    say(f"{len(CASES)} of {len(everything)} cases")

    outcomes: list[Outcome] = []
    surprises = 0
    for outcome in judge_all(options):
        outcomes.append(outcome)
        reason = REASONS.get(outcome.name)
        surprise = (outcome.verdict == PASSED) == bool(reason) or outcome.verdict == CRASHED
        surprises += surprise
        if options.verbose or surprise:
            listed = f" (it is listed as not passing: {reason})" if reason else ""
            say(f"{outcome.verdict}: {outcome.name}{': ' if outcome.why else ''}{outcome.why}{listed}")

    counts = collections.Counter(outcome.verdict for outcome in outcomes)
    if options.json:
        print(json.dumps({"counts": counts, "cases": [outcome._asdict() for outcome in sorted(outcomes)]}))
        return 1 if surprises else 0
    if options.by_op:
        print_by_operator(outcomes)
    harness.print_reasons("not compiled", collections.Counter(reason_of(o.why) for o in outcomes if o.verdict == NOT_COMPILED))
    for name in sorted(REASONS.keys() - {case.name for case in everything}):
        print(f"expected a case '{name}', which is listed, but there is none")
        surprises += 1
    print(", ".join(f"{counts[title]} {title}" for title in OUTCOMES))
    print(f"{counts[PASSED]} passed, {surprises} failed, {sum(o.verdict != PASSED and o.name in REASONS for o in outcomes)} skipped")
    return 1 if surprises or not counts[PASSED] else 0


if __name__ == "__main__":
    sys.exit(main())
