# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing case smaller, as long as it fails in the same way.

The shrinker tries fewer options, one choice of sizes, one output, earlier outputs, intermediate values as inputs,
omitted nodes, omitted attributes and operands, and smaller sizes. It repeats all ways as long as one of them helps.
"""
import time
from typing import Callable, Iterator

import numpy as np
from onnx import AttributeProto, helper, numpy_helper

import engines
import invar_engine

from . import judge, protos, trial
from .protos import copied
from .trial import Case, Failure

MOST_TRIES, MOST_SECONDS = 400, 90.0


def pruned(case: Case) -> Case:
    model = protos.pruned(case.model)
    names = {value.name for value in model.graph.input}
    return case._replace(model=model, feeds=[{n: a for n, a in feed.items() if n in names} for feed in case.feeds])


def values_of(case: Case) -> dict[str, list[np.ndarray]]:
    """Returns the results of each node, for each choice."""
    runs = [judge.Condition(case.model, feed).all_values() for feed in case.feeds]
    return {name: [run[name] for run in runs] for name in runs[0]}


def types_of(values: dict[str, list[np.ndarray]], case: Case) -> dict[str, tuple]:
    known = {name: (arrays[0].dtype, arrays[0].shape) for name, arrays in values.items()}
    known |= {name: (array.dtype, array.shape) for name, array in case.feeds[0].items()}
    for tensor in case.model.graph.initializer:
        known[tensor.name] = (numpy_helper.to_array(tensor).dtype, tuple(tensor.dims))
    return known


# The ways to make a case smaller. Each yields candidates.

def fewer_options(case: Case, failure: Failure) -> Iterator[Case]:
    for variant in (case.variants[0].simpler() if case.variants else []):
        yield case._replace(variants=[variant])


def one_choice(case: Case, failure: Failure) -> Iterator[Case]:
    if len(case.feeds) > 1:
        for i in {failure.choice, 0}:
            yield case._replace(feeds=[case.feeds[i]], sizes=[case.sizes[i]], wanted=[])


def one_output(case: Case, failure: Failure) -> Iterator[Case]:
    if len(case.model.graph.output) > 1:
        for output in case.model.graph.output:
            yield pruned(case._replace(model=protos.with_outputs(case.model, output)))


def earlier_outputs(case: Case, failure: Failure) -> Iterator[Case]:
    values = values_of(case)
    for node in case.model.graph.node:
        for name in node.output:
            if name in values and name not in {output.name for output in case.model.graph.output}:
                array = values[name][0]
                output = helper.make_tensor_value_info(name, invar_engine.NUMBERS[array.dtype], [None] * array.ndim)
                yield pruned(case._replace(model=protos.with_outputs(case.model, output)))


def later_inputs(case: Case, failure: Failure) -> Iterator[Case]:
    values = values_of(case)
    outputs = {output.name for output in case.model.graph.output}
    for node in reversed(list(case.model.graph.node)):
        for name in node.output:
            if name not in values or name in outputs or name.endswith("_unused"):
                continue
            model = copied(case.model)
            arrays = values[name]
            names = {size: key for key, size in case.sizes[0].items()}
            dims = [names.get(size, size) if len(arrays) > 1 and arrays[-1].shape[i] != size else size
                    for i, size in enumerate(arrays[0].shape)]
            model.graph.input.append(helper.make_tensor_value_info(name, invar_engine.NUMBERS[arrays[0].dtype], dims))
            for other in model.graph.node:
                for place, output in enumerate(other.output):
                    if output == name:
                        other.output[place] = f"{name}_unused"
            yield pruned(case._replace(model=model, feeds=[feed | {name: array} for feed, array in zip(case.feeds, arrays)]))


def nodes_left_out(case: Case, failure: Failure) -> Iterator[Case]:
    """Replaces a node's result by one of its operands."""
    known = types_of(values_of(case), case)
    outputs = {output.name for output in case.model.graph.output}
    for at, node in enumerate(case.model.graph.node):
        result = node.output[0]
        for operand in node.input:
            if operand not in known or known.get(operand) != known.get(result) or result in outputs and operand not in known:
                continue
            model = copied(case.model)
            del model.graph.node[at]
            for other in model.graph.node:
                for place, name in enumerate(other.input):
                    if name == result:
                        other.input[place] = operand
            if result in outputs:
                made = {name for other in model.graph.node for name in other.output}
                if operand not in made or operand in outputs:
                    continue
                for output in model.graph.output:
                    if output.name == result:
                        output.name = operand
            yield pruned(case._replace(model=model))


def simpler_nodes(case: Case, failure: Failure) -> Iterator[Case]:
    """Removes an attribute or the last operand of a node."""
    for at, node in enumerate(case.model.graph.node):
        for place, attribute in enumerate(node.attribute):
            if attribute.type != AttributeProto.GRAPH:
                model = copied(case.model)
                del model.graph.node[at].attribute[place]
                yield pruned(case._replace(model=model))
        if len(node.input) > 1:
            model = copied(case.model)
            model.graph.node[at].input.pop()
            yield pruned(case._replace(model=model))


def constant_inputs(case: Case, failure: Failure) -> Iterator[Case]:
    """Makes an input a constant, for each input: the case is easier to read if it still fails."""
    if len(case.feeds) != 1:
        return
    for info in case.model.graph.input:
        model = copied(case.model)
        inputs = [i for i in model.graph.input if i.name != info.name]
        if not inputs:
            continue
        del model.graph.input[:]
        model.graph.input.extend(inputs)
        model.graph.initializer.append(numpy_helper.from_array(case.feeds[0][info.name], info.name))
        yield pruned(case._replace(model=model))


def smaller_sizes(case: Case, failure: Failure) -> Iterator[Case]:
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in case.model.graph.initializer}
    found = {size for array in (*tensors.values(), *(a for feed in case.feeds for a in feed.values())) for size in array.shape}
    for size in sorted(found, reverse=True):
        for smaller in sorted({1, 2, 3, size // 2, size - 1}):
            if 0 < smaller < size:
                yield resized(case, tensors, size, smaller, True)
                yield resized(case, tensors, size, smaller, False)
    # Resize single axes.
    for name, array in case.feeds[0].items():
        for axis, size in enumerate(array.shape):
            for smaller in sorted({1, 2, size // 2, size - 1}):
                if 0 < smaller < size and len(case.feeds) == 1:
                    model = copied(case.model)
                    for info in model.graph.input:
                        if info.name == name and not info.type.tensor_type.shape.dim[axis].dim_param:
                            info.type.tensor_type.shape.dim[axis].dim_value = smaller
                    yield case._replace(model=model, feeds=[case.feeds[0] | {name: array.take(range(smaller), axis)}])


def resized(case: Case, tensors: dict[str, np.ndarray], old: int, new: int, everywhere: bool) -> Case:
    """Changes the size of all axes of size `old`; with `everywhere`, also that number in shapes and attributes."""
    model = copied(case.model)

    def cut(array: np.ndarray) -> np.ndarray:
        return array[tuple(slice(0, new if size == old else size) for size in array.shape)]
    for tensor in model.graph.initializer:
        array = cut(tensors[tensor.name])
        if everywhere and array.dtype == np.int64:
            array = np.where(array == old, new, array)
        tensor.CopyFrom(numpy_helper.from_array(np.array(array, order="C"), tensor.name))
    for info in model.graph.input:
        for dim in info.type.tensor_type.shape.dim:
            if not dim.dim_param and dim.dim_value == old:
                dim.dim_value = new
    if everywhere:
        for node in model.graph.node:
            for attribute in node.attribute:
                if attribute.name in ("group", "hidden_size", "num_groups") and attribute.i == old:
                    attribute.i = new
    return case._replace(model=model, feeds=[{n: np.array(cut(a), order="C") for n, a in feed.items()} for feed in case.feeds],
                         sizes=[{n: new if size == old else size for n, size in sizes.items()} for sizes in case.sizes])


WAYS = (fewer_options, one_choice, one_output, earlier_outputs, later_inputs, nodes_left_out, simpler_nodes, smaller_sizes,
        constant_inputs)


def shrunk(case: Case, failure: Failure, fails: Callable[[Case], Failure | None], tries: int = MOST_TRIES,
           seconds: float = MOST_SECONDS) -> tuple[Case, Failure]:
    """Returns the smallest case found for which `fails` returns a failure of the same kind. `fails` gets cases without
    `wanted`."""
    ends = time.monotonic() + seconds
    seen: set[bytes] = set()
    kind = trial.likeness(failure)

    def attempt(candidate: Case) -> Failure | None:
        nonlocal tries
        key = candidate.model.SerializeToString() + repr((candidate.variants, len(candidate.feeds), candidate.sizes)).encode()
        if tries <= 0 or time.monotonic() > ends or key in seen:
            return None
        seen.add(key)
        tries -= 1
        found = fails(candidate._replace(wanted=[]))
        return found if found and trial.likeness(found) == kind else None

    is_optimizing = failure.kind.startswith("optimize")
    chosen = [] if is_optimizing else [failure.variant or case.variants[0]]
    start = case._replace(optimizes=is_optimizing, variants=chosen, wanted=[])
    if not (first := attempt(start)):
        return case, failure
    case, failure = start, first
    improved = True
    while improved and tries > 0 and time.monotonic() < ends:
        improved = False
        for way in WAYS:
            again = True
            while again:
                again = False
                try:
                    for candidate in way(case, failure):
                        if found := attempt(candidate):
                            case, failure = candidate, found
                            improved = again = True
                            break
                except (engines.CannotRun, KeyError, IndexError, ValueError):
                    pass
    return case, failure
