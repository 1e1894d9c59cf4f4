#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests Reshapes with targets that are known only at run time and contain 0 and -1, and compares with onnxruntime and
the onnx package's reference.

A 0 in a target means the operand's size at its place, or with `allowzero` no elements; a -1 means the rest. Every
target of up to three sizes from -2 on is combined with data of every small shape, including empty ones. Targets are
inputs, or numbers, sizes of the data and products of these, as exporters compute them. Hardmax of opset 11, which is
computed with reshapes, gets data of these shapes, too. Each model is compiled and run, and optimized and run in
onnxruntime. If both engines compute a result, Invar must compute the same. A target that is an input and that both
reject must be rejected by the compiled model, unless no other target was possible: then it became a constant. Two
things are intentionally left out (docs/Shapes.md):

- the rule fix-reshape-of-some, which is disabled here in `optimize`, writes a -1 although a size of 0 may be beside it;
- an entry that is computed from sizes means that size, also if it is 0 and engines would copy another one.

  reshape_targets.py --build build/dev [--only NAME] [--step N]
"""
import argparse
import collections
import filecmp
import itertools
import math
import os
import sys
import tempfile
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
import invar_engine

INT, FLOAT = TensorProto.INT64, TensorProto.FLOAT
node = helper.make_node
SIZES = (0, 1, 2, 3)
ENTRIES = (-2, -1, 0, 1, 2, 3, 6)
REFUSED = "refused"


def info(name: str, shape: list, element: int = FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def data_of(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)


def model_of(nodes: list, inputs: list, outputs: tuple[str, ...] = ("y",), weights: dict[str, np.ndarray] = {},
             opset: int = 18) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
                              [numpy_helper.from_array(value, name) for name, value in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


class Case(NamedTuple):
    name: str
    model: onnx.ModelProto
    feeds: list[dict[str, np.ndarray]]
    # Whether a feed has a size of 0 at a place where the data has another size.
    is_left_out: Callable[[dict[str, np.ndarray]], bool] = lambda feed: False
    # Whether the target depends only on inputs.
    is_given: bool = True


#===-- Targets that are inputs ----------------------------------------------------===#

def of_inputs() -> Iterator[Case]:
    for rank, length, allowzero in itertools.product(range(4), range(4), (0, 1)):
        shapes = list(itertools.product(SIZES, repeat=rank))
        targets = [np.array(target, np.int64) for target in itertools.product(ENTRIES, repeat=length)]
        feeds = [{"x": data_of(shape), "t": target} for shape in shapes for target in targets]
        # All feeds if there are few, otherwise every n-th.
        feeds = feeds[::max(1, len(feeds) // 1500)]
        for form, sizes in {"named": [f"n{i}" for i in range(rank)], "open": [None] * rank}.items():
            for count in (length, "k") if form == "named" else (length,):
                made = model_of([node("Reshape", ["x", "t"], ["y"], allowzero=allowzero)], [info("x", sizes), info("t", [count], INT)])
                yield Case(f"rank {rank} to {count if count == 'k' else length} of {length} sizes, {form}, allowzero={allowzero}", made, feeds)
    for shape in ((0,), (6,), (2, 3), (0, 3), (2, 0), (1, 6), (2, 0, 3)):
        for length, allowzero in itertools.product(range(4), (0, 1)):
            targets = [np.array(target, np.int64) for target in itertools.product(ENTRIES, repeat=length)]
            feeds = [{"x": data_of(shape), "t": target} for target in targets]
            made = model_of([node("Reshape", ["x", "t"], ["y"], allowzero=allowzero)], [info("x", list(shape)), info("t", [length], INT)])
            yield Case(f"{list(shape)} to {length} sizes, allowzero={allowzero}", made, feeds)


#===-- Targets that are computed --------------------------------------------------===#

class Entry(NamedTuple):
    """A size of a target: its name and its value. Computed sizes have nodes, numbers have a weight."""
    name: str
    value: Callable[[dict[str, np.ndarray]], int]
    nodes: list[onnx.NodeProto] = []
    weight: int | None = None


def number(name: str, value: int) -> Entry:
    return Entry(name, lambda feed: value, weight=value)


def size(name: str, axis: int) -> Entry:
    return Entry(name, lambda feed: feed["x"].shape[axis], [node("Slice", ["shape", f"at{axis}", f"at{axis + 1}"], [name])])


COMPUTED = [number("m1", -1), number("c0", 0), number("c2", 2), number("c3", 3), size("n", 0), size("m", 1),
            Entry("nm", lambda feed: feed["x"].size, [node("ReduceProd", ["shape"], ["nm"], keepdims=1)]),
            Entry("half", lambda feed: feed["x"].shape[0] // 2, [node("Div", ["first", "two"], ["half"])]),
            Entry("t", lambda feed: int(feed["t"][0]))]
PLACES = {f"at{i}": np.array([i], np.int64) for i in range(3)} | {"two": np.array([2], np.int64)}


class Before(NamedTuple):
    """Nodes that change x before the Reshape, and the resulting shape."""
    nodes: list[onnx.NodeProto]
    shape: Callable[[tuple[int, ...]], tuple[int, ...]]


NOTHING = Before([], lambda shape: shape)
BEFORE = [Before([node("Flatten", ["x"], ["f"], axis=1)], lambda shape: shape),
          Before([node("Transpose", ["x"], ["f"])], lambda shape: shape[::-1]),
          Before([node("Unsqueeze", ["x", "at0"], ["f"])], lambda shape: (1, *shape))]


def reshaped(shape: tuple[int, ...], target: list[int]) -> tuple[int, ...] | None:
    """Returns the standard's result for a target in which 0 copies; None if the target is invalid."""
    if any(e < -1 or (e == 0 and i >= len(shape)) for i, e in enumerate(target)) or target.count(-1) > 1:
        return None
    sizes = [shape[i] if e == 0 else e for i, e in enumerate(target)]
    others = math.prod(e for e in sizes if e != -1)
    if -1 in sizes:
        return None if others == 0 or math.prod(shape) % others else tuple(math.prod(shape) // others if e == -1 else e for e in sizes)
    return tuple(sizes) if others == math.prod(shape) else None


def feeds_of_computed(has_input: bool) -> list[dict[str, np.ndarray]]:
    return [{"x": data_of(shape)} | ({"t": np.array([entry], np.int64)} if has_input else {})
            for shape in itertools.product((0, 1, 2, 4), (0, 1, 3)) for entry in (ENTRIES if has_input else ENTRIES[:1])]


def computed(entries: tuple[Entry, ...], allowzero: int = 0, sizes: tuple = ("n", "m"), before: Before = NOTHING, after: list = []) -> Case:
    nodes = [node("Shape", ["x"], ["shape"]), node("Slice", ["shape", "at0", "at1"], ["first"])]
    for entry in {entry.name: entry for entry in entries}.values():
        nodes += entry.nodes
    names = [entry.name for entry in entries]
    nodes += before.nodes + [node("Concat", names, ["target"], axis=0),
                             node("Reshape", ["f" if before.nodes else "x", "target"], ["r" if after else "y"], allowzero=allowzero), *after]
    weights = PLACES | {entry.name: np.array([entry.weight], np.int64) for entry in entries if entry.weight is not None}
    used = {name for n in nodes for name in n.input}
    inputs = [info("x", list(sizes))] + ([info("t", [1], INT)] if "t" in names else [])
    made = model_of(nodes, inputs, weights={name: value for name, value in weights.items() if name in used})

    def is_left_out(feed: dict[str, np.ndarray]) -> bool:
        shape, target = before.shape(feed["x"].shape), [entry.value(feed) for entry in entries]
        if any(entry.nodes and e == 0 and i < len(shape) and shape[i] for i, (entry, e) in enumerate(zip(entries, target))):
            return not allowzero
        made = reshaped(shape, target)
        return bool(made) and any(n.op_type == "Reshape" for n in after) and any(
            e == 0 and i < len(made) and made[i] for i, e in enumerate(feed["x"].shape))
    words = "".join(f" {word} {n[-1].op_type}" for word, n in (("after", before.nodes), ("before", after)) if n)
    what = f"x{list(sizes)} to [{', '.join(names)}], allowzero={allowzero}{words}"
    return Case(what, made, feeds_of_computed("t" in names), is_left_out, is_given=False)


def of_computed() -> Iterator[Case]:
    for length in (1, 2, 3):
        for entries in itertools.product(COMPUTED, repeat=length):
            names = [entry.name for entry in entries]
            if names.count("m1") > 1:
                continue
            yield computed(entries)
            if not {"m1", "c0"} <= set(names):
                yield computed(entries, allowzero=1)
            if length == 2:
                yield computed(entries, sizes=(None, None))
                for before in BEFORE:
                    yield computed(entries, before=before)
                yield computed(entries, after=[node("Reshape", ["r", "shape"], ["y"])])
                yield computed(entries, after=[node("Flatten", ["r"], ["y"])])


#===-- Matrices of old operators --------------------------------------------------===#

def of_matrices() -> Iterator[Case]:
    """Before opset 13, some operators reshape their data to a matrix, work on its rows, and reshape back."""
    for rank in (2, 3, 4):
        for axis in range(rank):
            made = model_of([node("Hardmax", ["x"], ["y"], axis=axis)], [info("x", [f"n{i}" for i in range(rank)])], opset=11)
            feeds = [{"x": data_of(shape)} for shape in itertools.product((0, 1, 2, 3), repeat=rank)]
            yield Case(f"Hardmax of opset 11, rank {rank}, axis {axis}", made, feeds)
            # Neighbours, which rules may want to merge.
            made = model_of([node("Softmax", ["x"], ["a"], axis=axis), node("Hardmax", ["a"], ["b"], axis=axis), node("Flatten", ["b"], ["y"], axis=axis)],
                            [info("x", ["n"] * rank)], opset=10)
            yield Case(f"Softmax, Hardmax and Flatten, rank {rank}, axis {axis}", made, [{"x": data_of((size,) * rank)} for size in (0, 1, 2, 3)])
        for shape in itertools.product((0, 2), repeat=rank):  # That the model states.
            made = model_of([node("Hardmax", ["x"], ["y"], axis=rank - 2)], [info("x", shape)], opset=11)
            yield Case(f"Hardmax of opset 11 of {list(shape)}", made, [{"x": data_of(shape)}])


#===-- Judging --------------------------------------------------------------------===#

def run_all(run, feeds: list[dict[str, np.ndarray]], errors: tuple[type[Exception], ...]) -> list[Any]:
    results = []
    for feed in feeds:
        try:
            results.append(run(feed)[0])
        except errors:
            results.append(REFUSED)
    return results


def describe(value: Any) -> str:
    return value if isinstance(value, str) else str(list(value.shape))


def agree(a: Any, b: Any) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str)
    return engines.same_bits(a, b)


class Judge:
    def __init__(self, engine: invar_engine.Engine):
        self.engine = engine
        self.counts: collections.Counter[str] = collections.Counter()

    def compare(self, what: str, case: Case, want: list[Any], got: list[Any]) -> Iterator[str]:
        wrong = [(feed, w, g) for feed, w, g in zip(case.feeds, want, got, strict=True) if w is not None and not agree(w, g)]
        if wrong:
            feed, w, g = wrong[0]
            target = f" to {feed['t'].tolist()}" if "t" in feed else ""
            yield f"{what}: {len(wrong)} of {len(want)}, {list(feed['x'].shape)}{target}: expected {describe(w)}, but got {describe(g)}"

    def decide(self, case: Case, path: str) -> list[Any]:
        """Returns the results of both engines; None if they differ, or if the case is left out."""
        want = run_all(engines.OnnxRuntime(path).run, case.feeds, (engines.CannotRun,))
        reference = run_all(engines.Reference(path).run, case.feeds, (engines.CannotRun,))
        for i, (feed, a, b) in enumerate(zip(case.feeds, want, reference, strict=True)):
            self.counts["runs"] += 1
            if not agree(a, b):
                self.counts["runs in which onnxruntime and the reference differ"] += 1
                want[i] = None
            elif case.is_left_out(feed):
                self.counts["runs in which a computed size is 0 where the data has another"] += 1
                want[i] = None
        return want

    def __call__(self, case: Case, folder: str) -> Iterator[str]:
        paths = [os.path.join(folder, name) for name in ("in.onnx", "out.onnx", "again.onnx")]
        library = os.path.join(folder, "out.so")
        onnx.save(case.model, paths[0])
        want = self.decide(case, paths[0])
        # A model that fails in every run may be rejected at once.
        can_run = any(not isinstance(w, str) for w in want if w is not None)
        for before, after in zip(paths, paths[1:]):
            ended = harness.run(self.engine.invar, "optimize", before, "-o", after, "--quiet", "--disable=fix-reshape-of-some")
            if ended.code:
                if can_run or ended.code != 1:
                    yield f"optimize: {ended.ending()}"
                return
        if not filecmp.cmp(*paths[1:], shallow=False):
            yield "optimizing again changes something"
        try:
            optimized = run_all(engines.OnnxRuntime(paths[1]).run, case.feeds, (engines.CannotRun,))
        except engines.CannotRun as error:
            yield f"the optimized model does not load: {error}"
            return
        # The optimized model may run where the original is rejected.
        yield from self.compare("optimized", case, [w if not isinstance(w, str) else None for w in want], optimized)
        want = [w if not isinstance(w, str) or (case.is_given and isinstance(o, str)) else None for w, o in zip(want, optimized)]
        try:
            self.engine.compile(paths[0], library)
            session = self.engine.load(library)
            yield from self.compare("compiled", case, want, run_all(session.run, case.feeds, (invar_engine.RunFailed,)))
            session.close()
        except (invar_engine.CompilerCrashed, invar_engine.NotCompiled) as error:
            if can_run or isinstance(error, invar_engine.CompilerCrashed):
                yield f"compiled: {error}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--step", type=int, default=1, help="of the targets that are computed, only every N-th")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    judge = Judge(invar_engine.Engine(options.build))
    for case in itertools.chain(of_inputs(), of_matrices(), itertools.islice(of_computed(), 0, None, options.step)):
        if options.only in case.name:
            with tempfile.TemporaryDirectory(prefix="reshape") as folder:
                report.check(case.name, list(judge(case, folder)))
    harness.print_reasons("counted", judge.counts)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
