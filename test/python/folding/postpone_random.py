#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that random graphs over constants compute the same bits before and after `invar-postpone-expansion`.

Graphs are drawn from a seed. They are full of patterns that the pass looks for: broadcasts, tiles, borders and
extensions of constants before arithmetic on tensors, before linalg operations with all kinds of maps, and before
operations that move elements. Each value has several users. MLIR's own tools compile and run the graphs, and the
bits of all results are compared. A second run of the pass must change nothing, and the pass must have moved
something in many graphs.

  postpone_random.py --build build/dev [--seed 1] [--count 200] [--number N] [--keep FOLDER]

A graph that fails is written to FOLDER if it is given. --number draws only that graph.
"""
import argparse
import math
import pathlib
import random
import re
import sys
import tempfile
from typing import Callable, NamedTuple, Sequence

sys.path.insert(1, sys.path[0] + "/../support")
import harness

PER_MODULE = 20  # Graphs that are compiled together, to save starts of programs.
PASS = "--pass-pipeline=builtin.module(func.func(invar-postpone-expansion))"
LOWERING = (
    "--transform-interpreter", "--symbol-dce", "--convert-elementwise-to-linalg", "--canonicalize",
    "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
    "--convert-linalg-to-loops", "--expand-strided-metadata", "--lower-affine", "--convert-scf-to-cf",
    "--convert-math-to-llvm", "--convert-math-to-libm", "--arith-expand", "--convert-arith-to-llvm", "--finalize-memref-to-llvm",
    "--convert-cf-to-llvm", "--convert-func-to-llvm", "--reconcile-unrealized-casts")
# Packing has no lowering to loops of its own.
LOWER_PACKS = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %packs = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.pack">
    transform.structured.lower_pack %packs : (!transform.op<"linalg.pack">)
      -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    transform.yield
  }
}
"""


# Drawing

class Tensor(NamedTuple):
    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.element)


def tensor_type(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def affine_map(loops: int, places: Sequence[str]) -> str:
    return f"affine_map<({', '.join(f'd{i}' for i in range(loops))}) -> ({', '.join(places)})>"


WIDER = {"i8": ("i32", "f32"), "i32": ("i64",), "f32": ("f64",)}
BINARY = {"f": ("addf", "subf", "mulf", "maximumf"), "i": ("addi", "subi", "muli", "maxsi", "xori")}
UNARY = {"f": ("arith.negf", "math.absf", "math.exp", "math.sqrt", "math.floor"), "i": ("math.absi",)}


class Graph:
    """One function. Each method draws an operation on existing values, or nothing if none fits."""

    def __init__(self, rng: random.Random, name: str):
        self.rng, self.name = rng, name
        self.lines: list[str] = []
        self.tensors: list[Tensor] = []
        self.count = 0
        for _ in range(rng.randint(2, 4)):
            self.add_constant()
        draws: list[Callable[[], None]] = [
            self.add_constant, self.add_broadcast, self.add_broadcast, self.add_tile, self.add_pad, self.add_extension,
            self.add_extension, self.add_unary, self.add_unary, self.add_binary, self.add_binary, self.add_binary, self.add_loops,
            self.add_loops, self.add_transpose, self.add_slice, self.add_pack, self.add_merge, self.add_sum, self.add_places]
        for _ in range(rng.randint(6, 16)):
            rng.choice(draws)()

    # Helpers

    def emit(self, text: str, shape: Sequence[int], element: str) -> Tensor:
        tensor = Tensor(f"%v{self.count}", tuple(shape), element)
        self.count += 1
        self.lines.append(f"{tensor.name} = {text}")
        self.tensors.append(tensor)
        return tensor

    def number(self, element: str) -> str:
        whole = self.rng.choice((0, 0, 1, 2, 3, -1, -5, 7))
        return f"{whole / 2}" if element[0] == "f" else str(whole)

    def scalar(self, element: str) -> str:
        name = f"%s{self.count}"
        self.count += 1
        self.lines.append(f"{name} = arith.constant {self.number(element)} : {element}")
        return name

    def empty(self, shape: Sequence[int], element: str) -> str:
        name = f"%e{self.count}"
        self.count += 1
        self.lines.append(f"{name} = tensor.empty() : {tensor_type(shape, element)}")
        return name

    def pick(self, fits: Callable[[Tensor], bool] = lambda _: True) -> Tensor | None:
        recent = [t for t in self.tensors[-6:] if fits(t)] or [t for t in self.tensors if fits(t)]
        return self.rng.choice(recent) if recent else None

    def generic(self, operands: Sequence[tuple[Tensor, Sequence[str]]], shape: Sequence[int], element: str,
                body: Sequence[str], result: str, iterators: Sequence[str] = (), init: str = "") -> Tensor:
        loops = len(iterators) or len(shape)
        iterators = iterators or ["parallel"] * loops
        init = init or self.empty(shape, element)
        own = [f"d{i}" for i, kind in enumerate(iterators) if kind == "parallel"]
        maps = [affine_map(loops, places) for _, places in operands] + [affine_map(loops, own)]
        inputs = (f"ins({', '.join(t.name for t, _ in operands)} : {', '.join(t.type for t, _ in operands)}) " if operands else "")
        arguments = ", ".join([f"%a{i}: {t.element}" for i, (t, _) in enumerate(operands)] + [f"%out: {element}"])
        kinds = ", ".join(f'"{kind}"' for kind in iterators)
        return self.emit(
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{kinds}]}} {inputs}"
            f"outs({init} : {tensor_type(shape, element)}) {{\n^bb0({arguments}):\n" + "".join(f"  {line}\n" for line in body) +
            f"  linalg.yield {result} : {element}\n}} -> {tensor_type(shape, element)}", shape, element)

    # Operations

    def add_constant(self) -> None:
        shape = [self.rng.randint(1, 4) for _ in range(self.rng.randint(0, 2))]
        element = self.rng.choice(("f32", "f32", "i8", "i8", "i32"))
        count = 1 if self.rng.random() < 0.2 else math.prod(shape)
        numbers = [self.number(element) for _ in range(count)]

        def nest(at: int, sizes: Sequence[int]) -> str:
            if not sizes or count == 1:
                return numbers[at]
            step = math.prod(sizes[1:])
            return f"[{', '.join(nest(at + i * step, sizes[1:]) for i in range(sizes[0]))}]"
        self.emit(f"arith.constant dense<{nest(0, shape)}> : {tensor_type(shape, element)}", shape, element)

    def add_broadcast(self) -> None:
        if not (source := self.pick(lambda t: len(t.shape) < 3)):
            return
        if self.rng.random() < 0.5:
            shape = list(source.shape)
            added = sorted(self.rng.sample(range(3), 3 - len(shape))[:self.rng.randint(1, 3)])
            if added[-1] > len(shape) + len(added) - 1:
                return
            for axis in added:
                shape.insert(axis, self.rng.randint(1, 4))
            self.emit(f"linalg.broadcast ins({source.name} : {source.type}) outs({self.empty(shape, source.element)} : "
                      f"{tensor_type(shape, source.element)}) dimensions = {added}", shape, source.element)
        else:
            shape = [self.rng.randint(2, 4) if size == 1 else size for size in source.shape]
            places = ["0" if size == 1 else f"d{i}" for i, size in enumerate(source.shape)]
            self.generic([(source, places)], shape, source.element, [], "%a0")

    def add_tile(self) -> None:
        if not (source := self.pick(lambda t: 1 <= len(t.shape) < 3 and math.prod(t.shape) <= 48)):
            return
        parts, places, merged, groups = [], [], [], []
        for size in source.shape:
            times = self.rng.choice((1, 2, 3))
            group = [len(parts)]
            if times > 1:
                group.append(len(parts) + 1)
            place = self.rng.choice(group)
            parts += [size] if times == 1 else [times, size] if place == group[-1] else [size, times]
            places.append(f"d{place}")
            merged.append(size * times)
            groups.append(group)
        tiled = self.generic([(source, places)], parts, source.element, [], "%a0")
        self.emit(f"tensor.collapse_shape {tiled.name} {groups} : {tiled.type} into {tensor_type(merged, source.element)}",
                  merged, source.element)

    def add_pad(self) -> None:
        if not (source := self.pick(lambda t: 1 <= len(t.shape) and math.prod(t.shape) <= 64)):
            return
        low = [self.rng.choice((0, 0, 1)) for _ in source.shape]
        high = [self.rng.choice((0, 1, 2)) for _ in source.shape]
        shape = [a + b + c for a, b, c in zip(low, source.shape, high)]
        number = self.scalar(source.element)
        arguments = ", ".join(f"%i{i}: index" for i in range(len(shape)))
        self.emit(f"tensor.pad {source.name} low{low} high{high} {{\n^bb0({arguments}):\n  tensor.yield {number} : "
                  f"{source.element}\n}} : {source.type} to {tensor_type(shape, source.element)}", shape, source.element)

    def add_extension(self) -> None:
        if not (source := self.pick(lambda t: t.element in WIDER)):
            return
        wide = self.rng.choice(WIDER[source.element])
        convert = {"ii": "extsi", "if": "sitofp", "ff": "extf"}[source.element[0] + wide[0]]
        scales = [t for t in self.tensors if t.element == wide and len(t.shape) == 1 and t.shape[0] in source.shape]
        if scales and self.rng.random() < 0.6:
            scale = self.rng.choice(scales)
            axis = self.rng.choice([i for i, size in enumerate(source.shape) if size == scale.shape[0]])
            self.generic([(source, [f"d{i}" for i in range(len(source.shape))]), (scale, [f"d{axis}"])], source.shape, wide,
                         [f"%x = arith.{convert} %a0 : {source.element} to {wide}", f"%y = arith.mul{wide[0]} %x, %a1 : {wide}"], "%y")
        else:
            self.emit(f"arith.{convert} {source.name} : {source.type} to {tensor_type(source.shape, wide)}", source.shape, wide)

    def add_unary(self) -> None:
        if source := self.pick():
            self.emit(f"{self.rng.choice(UNARY[source.element[0]])} {source.name} : {source.type}", source.shape, source.element)

    def add_binary(self) -> None:
        pairs = [(a, b) for a in self.tensors[-8:] for b in self.tensors if a.type == b.type]
        if pairs:
            a, b = self.rng.choice(pairs)
            self.emit(f"arith.{self.rng.choice(BINARY[a.element[0]])} {a.name}, {b.name} : {a.type}", a.shape, a.element)

    def add_loops(self) -> None:
        """Draws an operation over some loops; each operand is indexed by loops that fit its axes."""
        shape = [self.rng.randint(1, 4) for _ in range(self.rng.randint(1, 3))]
        if like := self.pick(lambda t: 1 <= len(t.shape) <= 3):
            shape = list(like.shape)
        operands = []
        element = like.element if like else "f32"
        for _ in range(12):
            tensor = self.rng.choice(self.tensors)
            free = list(range(len(shape)))
            self.rng.shuffle(free)
            places = []
            for size in tensor.shape:
                fitting = [i for i in free if shape[i] == size]
                if fitting:
                    free.remove(fitting[0])
                    places.append(f"d{fitting[0]}")
                elif size == 1:
                    places.append("0")
            if tensor.element == element and len(places) == len(tensor.shape) and len(operands) < 3:
                operands.append((tensor, places))
        if not operands:
            return
        body, last = [], "%a0"
        for i in range(1, len(operands)):
            body.append(f"%r{i} = arith.{self.rng.choice(BINARY[element[0]])} {last}, %a{i} : {element}")
            last = f"%r{i}"
        self.generic(operands, shape, element, body, last)

    def add_transpose(self) -> None:
        if source := self.pick(lambda t: len(t.shape) >= 2):
            order = self.rng.sample(range(len(source.shape)), len(source.shape))
            shape = [source.shape[i] for i in order]
            self.emit(f"linalg.transpose ins({source.name} : {source.type}) outs({self.empty(shape, source.element)} : "
                      f"{tensor_type(shape, source.element)}) permutation = {order}", shape, source.element)

    def add_slice(self) -> None:
        if source := self.pick(lambda t: len(t.shape) >= 1):
            starts = [self.rng.randint(0, size - 1) for size in source.shape]
            sizes = [self.rng.randint(1, size - start) for size, start in zip(source.shape, starts)]
            self.emit(f"tensor.extract_slice {source.name}{starts} {sizes} {[1] * len(sizes)} : {source.type} to "
                      f"{tensor_type(sizes, source.element)}", sizes, source.element)

    def add_pack(self) -> None:
        if source := self.pick(lambda t: len(t.shape) >= 1 and any(size in (2, 4, 6) for size in t.shape)):
            axis = self.rng.choice([i for i, size in enumerate(source.shape) if size in (2, 4, 6)])
            order = self.rng.sample(range(len(source.shape)), len(source.shape))
            outer = [size // 2 if i == axis else size for i, size in enumerate(source.shape)]
            shape = [outer[i] for i in order] + [2]
            self.emit(f"linalg.pack {source.name} outer_dims_perm = {order} inner_dims_pos = [{axis}] inner_tiles = [2] into "
                      f"{self.empty(shape, source.element)} : {source.type} -> {tensor_type(shape, source.element)}",
                      shape, source.element)

    def add_merge(self) -> None:
        if source := self.pick(lambda t: len(t.shape) >= 2):
            at = self.rng.randrange(len(source.shape) - 1)
            groups, shape, axis = [], [], 0
            while axis < len(source.shape):
                width = 2 if axis == at else 1
                groups.append(list(range(axis, axis + width)))
                shape.append(math.prod(source.shape[axis:axis + width]))
                axis += width
            self.emit(f"tensor.collapse_shape {source.name} {groups} : {source.type} into {tensor_type(shape, source.element)}",
                      shape, source.element)

    def add_sum(self) -> None:
        if source := self.pick(lambda t: len(t.shape) >= 2):
            zero = self.scalar(source.element)
            shape = source.shape[:-1]
            init = self.emit(f"linalg.fill ins({zero} : {source.element}) outs({self.empty(shape, source.element)} : "
                             f"{tensor_type(shape, source.element)}) -> {tensor_type(shape, source.element)}", shape, source.element)
            self.generic([(source, [f"d{i}" for i in range(len(source.shape))])], shape, source.element,
                         [f"%r = arith.add{source.element[0]} %a0, %out : {source.element}"], "%r",
                         ["parallel"] * len(shape) + ["reduction"], init.name)

    def add_places(self) -> None:
        """Adds the index of each element to it."""
        if source := self.pick(lambda t: len(t.shape) >= 1 and t.element == "i32"):
            self.generic([(source, [f"d{i}" for i in range(len(source.shape))])], source.shape, "i32",
                         ["%p = linalg.index 0 : index", "%q = arith.index_cast %p : index to i32", "%r = arith.addi %a0, %q : i32"],
                         "%r")

    # The whole function

    def text(self) -> str:
        """Returns the function, which prints all values without users, bit by bit."""
        code = "\n".join(self.lines)
        prints = []
        for i, tensor in enumerate(t for t in self.tensors if len(re.findall(re.escape(t.name) + r"\b", code)) == 1):
            bits = {"i8": "i32", "f32": "i32", "f64": "i64"}.get(tensor.element, tensor.element)
            convert = {"i8": "extsi"}.get(tensor.element, "bitcast")
            made, out = tensor_type(tensor.shape, bits), f"tensor<*x{bits}>"
            name = tensor.name
            if bits != tensor.element:
                prints.append(f"%b{i} = arith.{convert} {name} : {tensor.type} to {made}")
                name = f"%b{i}"
            prints += [f"%u{i} = tensor.cast {name} : {made} to {out}",
                       f"call @printMemref{bits.upper()}(%u{i}) : ({out}) -> ()"]
        return f"func.func @{self.name}() {{\n" + code + "\n" + "\n".join(prints) + "\nreturn\n}\n"


# Running

class Tools(NamedTuple):
    build: pathlib.Path
    mlir: pathlib.Path

    def postpone(self, code: pathlib.Path, to: pathlib.Path) -> harness.Run:
        return harness.run(self.build / "bin/invar-opt", PASS, code, "-o", to)

    def run(self, code: pathlib.Path) -> harness.Run:
        """Returns what the functions print, without memory addresses."""
        library, lowered = code.with_suffix(".packs"), code.with_suffix(".llvm")
        library.write_text(LOWER_PACKS)
        done = harness.run(self.mlir / "mlir-opt", code, "-o", lowered,
                           f"--transform-preload-library=transform-library-paths={library}", *LOWERING)
        if done.code:
            return done
        libraries = ",".join(str(self.mlir.parent / f"lib/libmlir_{name}.so") for name in ("runner_utils", "c_runner_utils"))
        done = harness.run(self.mlir / "mlir-runner", lowered, "-O0", "-e", "main", "--entry-point-result=void",
                           f"--shared-libs={libraries}")
        return done._replace(stdout=re.sub(r"(base@ = \S+ |offset = \d+ |strides = \[[\d, ]*\] )", "", done.stdout))


def module_of(graphs: list[Graph]) -> str:
    calls = "".join(f"call @{graph.name}() : () -> ()\n" for graph in graphs)
    read = '{bufferization.access = "read"}'
    return "".join(graph.text() for graph in graphs) + f"func.func @main() {{\n{calls}return\n}}\n" + "".join(
        f"func.func private @printMemref{bits.upper()}(tensor<*x{bits}> {read}) attributes {{llvm.emit_c_interface}}\n"
        for bits in ("i32", "i64"))


def complain(tools: Tools, graphs: list[Graph], folder: pathlib.Path) -> str:
    """Returns what is wrong with a module, or an empty text."""
    before, after, again = (folder / f"{name}.mlir" for name in ("before", "after", "again"))
    before.write_text(module_of(graphs))
    for source, to in ((before, after), (after, again)):
        if (done := tools.postpone(source, to)).code:
            return f"invar-opt {to.stem}: {done.ending()}"
    if after.read_text() != again.read_text():
        return "a second run changes something"
    left, right = tools.run(before), tools.run(after)
    for name, done in (("before", left), ("after", right)):
        if done.code:
            return f"{name}: {done.ending()}"
    return "" if left.stdout == right.stdout else "other bits"


def count_changed(tools: Tools, graphs: list[Graph], folder: pathlib.Path) -> int:
    """Returns in how many graphs something moved."""
    plain, after = folder / "plain.mlir", folder / "after.mlir"
    harness.run(tools.build / "bin/invar-opt", folder / "before.mlir", "-o", plain)

    def functions(path: pathlib.Path) -> dict[str, int]:
        parts = path.read_text().split("func.func @")[1:]
        return {part.split("(")[0]: re.sub(r"#map\d*", "#map", part).count("\n") * 1000003 + hash(re.sub(r"#map\d*", "#map", part))
                for part in parts}
    old, new = functions(plain), functions(after)
    return sum(old[graph.name] != new[graph.name] for graph in graphs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--mlir", type=pathlib.Path, default=pathlib.Path("/usr/lib/llvm-22/bin"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--number", type=int)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    tools, report, changed = Tools(options.build, options.mlir), harness.Report(), 0
    numbers = [options.number] if options.number is not None else list(range(options.count))

    def draw(number: int) -> Graph:
        return Graph(random.Random(f"{options.seed}/{number}"), f"g{number}")
    for first in range(0, len(numbers), PER_MODULE):
        batch = [draw(number) for number in numbers[first:first + PER_MODULE]]
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            why = complain(tools, batch, folder)
            if not why:
                changed += count_changed(tools, batch, folder)
            reasons = {g.name: complain(tools, [g], folder) if why else "" for g in batch}  # Find the failing graph.
        if why and not any(reasons.values()):
            reasons[batch[0].name] = f"together with {len(batch) - 1} others: {why}"
        for graph in batch:
            own = reasons[graph.name]
            if own and options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{graph.name}.mlir").write_text(module_of([graph]))
            report.check(f"--seed {options.seed} --number {graph.name[1:]}", [own] if own else [])
    print(f"moved something in {changed} of {len(numbers)} graphs")
    if len(numbers) >= 100:
        report.check("many graphs change", [] if changed * 3 >= len(numbers) else [f"only {changed} of {len(numbers)} did"])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
