#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the optimization of branches, loops and functions: certain operators must be gone, and the outputs must be the
same bits.

Each model is written in the text format of the standard. It runs in onnxruntime before and after, on several inputs
that cover both branches and loops without iterations. A second optimization must change nothing. Models with
functions are optimized with and without --inline-functions. Random models with nested branches and loops follow.

  control.py --invar build/dev/bin/invar [--random 60] [--seed 0] [-v]
"""
import argparse
import collections
import itertools
import os
import sys
import tempfile
import warnings
from typing import Any, Iterator, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx
import onnx.parser

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness

HEADER = '<ir_version: 8, opset_import: ["" : 18, "local" : 1]>\n'
LOOPS = ("Loop", "Scan")
X = np.linspace(-2, 3, 6, dtype=np.float32)


class Case(NamedTuple):
    """`left` is the number of nodes per operator that must be left, in all graphs and functions."""
    name: str
    text: str
    feeds: list[dict[str, Any]]
    left: dict[str, int]
    options: tuple[str, ...] = ()


def i64(value: int) -> np.ndarray:
    return np.array(value, np.int64)


BRANCHES = [{"c": np.array(c), "x": X} for c in (True, False)]
RUNS = [{"n": i64(n), "x": X} for n in (0, 1, 3)]


def branches(name: str, body: str, left: dict[str, int], outputs: str = "float[n] y", **more) -> Case:
    """Makes a graph with a condition and a vector as inputs."""
    return Case(name, f"{HEADER} main (bool c, float[n] x) => ({outputs}) {{ {body} }}", BRANCHES, left, **more)


def runs(name: str, body: str, left: dict[str, int], outputs: str = "float[n2] y") -> Case:
    """Makes a graph with a number of iterations and a vector as inputs."""
    return Case(name, f"{HEADER} main (int64 n, float[k] x) => ({outputs}) {{ {body} }}", RUNS, left)


def loop(inputs: str, outputs: str, arguments: str, yields: str, body: str) -> str:
    return f"""{outputs} = Loop ({inputs}) <body = body (int64 i, bool on{arguments}) => (bool on_out{yields})
      {{ on_out = Identity(on) {body} }}>"""


# The checker's inference rejects a Resize if it does not know the number of sizes, which depends on the axes of
# Unsqueeze.
RESIZED = """
  one = Constant <value = int64[1] {1}> () here = Constant <value = int64[1] {0}> ()
  width = Unsqueeze(i, here) more = Add(width, one) sizes = Concat <axis = 0> (one, more)
  resized = Resize <mode = "nearest"> (image, , , sizes) most = ReduceMax <keepdims = 0> (resized) s_out = Add(s, most)"""


CONTROL = [
    branches("if on a constant", """
      no = Constant <value = bool {0}> ()
      y = If (no) <then_branch = t () => (float[n] a) { a = Neg(x) }, else_branch = e () => (float[n] b) { b = Exp(x) }>
      """, {"If": 0, "Neg": 0, "Exp": 1}),
    branches("if that is decided around", """
      not = Not(c)
      y = If (c) <then_branch = t () => (float[n] a) {
        a = If (not) <then_branch = tt () => (float[n] b) { b = Neg(x) }, else_branch = te () => (float[n] d) { d = Exp(x) }> },
      else_branch = e () => (float[n] f) {
        f = If (c) <then_branch = et () => (float[n] g) { g = Neg(x) }, else_branch = ee () => (float[n] h) { h = Abs(x) }> }>
      """, {"If": 1, "Neg": 0, "Not": 0}),
    branches("if on the opposite", """
      not = Not(c)
      y = If (not) <then_branch = t () => (float[n] a) { a = Neg(x) }, else_branch = e () => (float[n] b) { b = Exp(x) }>
      z = If (not) <then_branch = t2 () => (float[n] a2) { a2 = Sin(x) }, else_branch = e2 () => (float[n] b2) { b2 = Cos(x) }>
      """, {"If": 2, "Not": 0}, "float[n] y, float[n] z"),
    branches("branches that are the same", """
      y = If (c) <then_branch = t () => (float[n] a) { p = Neg(x) a = Exp(p) }, else_branch = e () => (float[n] b) { q = Neg(x) b = Exp(q) }>
      """, {"If": 0, "Neg": 1, "Exp": 1}),
    branches("results that are the same, and one that nobody reads", """
      two = Constant <value = float {2.0}> ()
      s = Sin(x)
      u, v, w = If (c) <then_branch = t () => (float[n] a, float k, float[n] r) { a = Identity(s) k = Constant <value = float {3.0}> () r = Neg(x) },
        else_branch = e () => (float[n] b, float l, float[n] q) { b = Identity(s) l = Constant <value = float {3.0}> () q = Exp(x) }>
      p = Mul(u, v)
      y = Mul(p, two)
      """, {"If": 0, "Neg": 0, "Exp": 0}),
    branches("if on a rank", """
      s = Shape(x)
      r = Size(s)
      one = Constant <value = int64 {1}> ()
      is = Equal(r, one)
      y = If (is) <then_branch = t () => (float[n] a) { a = Neg(x) }, else_branch = e () => (float[n] b) { axes = Constant <value = int64[1] {0}> () b = Squeeze(x, axes) }>
      """, {"If": 0, "Shape": 0, "Equal": 0}),
    branches("if on a size that is in a range", """
      s = Shape(x)
      zero = Constant <value = int64 {0}> ()
      k = Gather(s, zero)
      many = Constant <value = int64 {100}> ()
      is = Less(k, many)
      y = If (is) <then_branch = t () => (float[n] a) { a = Neg(x) }, else_branch = e () => (float[n] b) { b = Exp(x) }>
      """, {"If": 0, "Shape": 0, "Less": 0, "Neg": 1}, options=("--passes=simplify", "--dim-range=n=1..99")),
    branches("if on a size that may be in it", """
      s = Shape(x)
      zero = Constant <value = int64 {0}> ()
      k = Gather(s, zero)
      many = Constant <value = int64 {100}> ()
      is = Less(k, many)
      y = If (is) <then_branch = t () => (float[n] a) { a = Neg(x) }, else_branch = e () => (float[n] b) { b = Exp(x) }>
      """, {"If": 1, "Less": 1}, options=("--passes=simplify", "--dim-range=n=1..100")),
    branches("constants that both branches have", """
      y = If (c) <then_branch = t () => (float[n] a) { k = Constant <value = float[6] {1,2,3,4,5,6}> () a = Mul(x, k) },
        else_branch = e () => (float[n] b) { l = Constant <value = float[6] {1,2,3,4,5,6}> () b = Add(x, l) }>
      """, {"If": 1}),
    branches("branches that are the same, each with its axes", """
      y = If (c) <then_branch = t () => (float[n] a) { k = Constant <value = int64[1] {0}> () p = Unsqueeze(x, k) q = Exp(p) a = Squeeze(q, k) },
        else_branch = e () => (float[n] b) { l = Constant <value = int64[1] {0}> () r = Unsqueeze(x, l) s = Exp(r) b = Squeeze(s, l) }>
      """, {"If": 0, "Exp": 1}),
    runs("loop with axes that the graph around has too", """
      axes = Constant <value = int64[1] {0}> ()
      yes = Constant <value = bool {1}> ()
      zero = Constant <value = float {0.0}> ()
      image = Unsqueeze(x, axes)
      """ + loop("n, yes, zero", "y", ", float s", ", float s_out", RESIZED), {"Loop": 1, "Resize": 1}, "float y"),
    runs("loop with axes that an operator takes along", """
      yes = Constant <value = bool {1}> ()
      zero = Constant <value = float {0.0}> ()
      """ + loop("n, yes, zero", "y", ", float s", ", float s_out", "axes = Constant <value = int64[1] {0}> () image = Unsqueeze(x, axes)" + RESIZED),
         {"Loop": 1, "Unsqueeze in Loop": 1}, "float y"),
    runs("loop with a state that is the same axes in each run", """
      axes = Constant <value = int64[1] {0}> ()
      yes = Constant <value = bool {1}> ()
      """ + loop("n, yes, x, axes", "y, z", ", float[k] s, int64[1] a", ", float[k] s_out, int64[1] a_out",
                 "p = Exp(s) q = Unsqueeze(p, a) r = Squeeze(q, a) s_out = Neg(r) a_out = Constant <value = int64[1] {0}> ()"),
         {"Loop": 1, "Unsqueeze": 0, "Squeeze": 0}, "float[k] y, int64[1] z"),
    runs("loop that never runs", """
      none = Constant <value = int64 {0}> ()
      yes = Constant <value = bool {1}> ()
      """ + loop("none, yes, x", "y, z", ", float[k] s", ", float[k] s_out, float[k] slice",
                 "s_out = Neg(s) slice = Constant <value = float[2] {1, 2}> ()"), {"Loop": 0, "Neg": 0}, "float[k] y, float[m, q] z"),
    runs("loop that runs once", """
      one = Constant <value = int64 {1}> ()
      yes = Constant <value = bool {1}> ()
      """ + loop("one, yes, x", "y, z", ", float[k] s", ", float[k] s_out, float[k] slice",
                 "s_out = Neg(s) slice = Exp(s)"), {"Loop": 0, "Neg": 1, "Exp": 1, "Concat": 0}, "float[k] y, float[m, k2] z"),
    runs("state that stays, one that feeds only itself, and slices that nobody reads", """
      yes = Constant <value = bool {1}> ()
      w = Sin(x)
      y, kept, counted, z = Loop (n, yes, x, w, n) <body = body (int64 i, bool on, float[k] s, float[k] u, int64 j)
          => (bool on_out, float[k] s_out, float[k] u_out, int64 j_out, float[k] slice) {
        on_out = Identity(on) s_out = Mul(s, u) u_out = Identity(u) j_out = Add(j, i) slice = Exp(s) }>
      """, {"Loop": 1, "Add": 0, "Exp": 0}, "float[k2] y, float[k] kept"),
    runs("what is the same in each run", """
      yes = Constant <value = bool {1}> ()
      """ + loop("n, yes, x", "y", ", float[k] s", ", float[k] s_out",
                 "two = Constant <value = float {2.0}> () e = Exp(x) f = Mul(e, two) s_out = Add(s, f)"),
         {"Loop": 1, "Exp in Loop": 0, "Mul in Loop": 0, "Add in Loop": 1}),
    runs("what could fail in a loop that may not run", """
      yes = Constant <value = bool {1}> ()
      """ + loop("n, yes, x", "y", ", float[k] s", ", float[k] s_out",
                 "three = Constant <value = int64 {3}> () d = Div(three, n) f = Cast <to = 1> (d) s_out = Add(s, f)"),
         {"Loop": 1, "Div in Loop": 1, "Cast in Loop": 1}),
    runs("what is the same in each run of loops in loops", """
      yes = Constant <value = bool {1}> ()
      y = Loop (n, yes, x) <body = body (int64 i, bool on, float[k] s) => (bool on_out, float[k] s_out) {
        on_out = Identity(on)
        s_out = Loop (n, yes, s) <body = inner (int64 j, bool also, float[k] t) => (bool also_out, float[k] t_out) {
          also_out = Identity(also) e = Sin(x) f = Cos(s) g = Add(e, f) t_out = Add(t, g) }> }>
      """, {"Loop": 2, "Sin in Loop": 0, "Cos in Loop": 1}),
    Case("scan", HEADER + """ main (float[3] s, float[t, 3] x, float[t, 3] z) => (float[3] y, float[t, 3] r) {
      y, w, r, q = Scan <num_scan_inputs = 2, body = body (float[3] a, float[3] b, float[3] u, float[3] v)
          => (float[3] a_out, float[3] b_out, float[3] r_out, float[3] q_out) {
        a_out = Add(a, u) b_out = Sub(b, u) e = Exp(s) r_out = Mul(a, e) q_out = Identity(v) }> (s, s, x, z)
      }""", [{"s": X[:3], "x": np.resize(X, (t, 3)), "z": np.resize(X, (t, 3))} for t in (1, 4)],
         {"Scan": 1, "Sub": 0, "Exp in Scan": 0, "Identity": 0}),
    Case("scan of one slice", HEADER + """ main (float[3] s, float[3, 1] x) => (float[3] y, float[3, 1] r) {
      y, r = Scan <num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [1], body = body (float[3] a, float[3] u)
          => (float[3] a_out, float[3] r_out) { a_out = Add(a, u) r_out = Neg(a_out) }> (s, x)
      }""", [{"s": X[:3], "x": X[3:].reshape(3, 1)}], {"Scan": 0, "Add": 1}),
    Case("scan that nothing goes into twice", HEADER + """ main (float[3] s, float[t, 3] x) => (float[3] y) {
      y, r = Scan <num_scan_inputs = 1, body = body (float[3] a, float[3] u) => (float[3] a_out, float[3] r_out) {
        a_out = Add(a, u) r_out = Neg(u) }> (s, x)
      }""", [{"s": X[:3], "x": np.resize(X, (t, 3))} for t in (1, 4)], {"Scan": 1, "Neg": 0}),
]


def function(text: str, imports: str = '"" : 18') -> str:
    return f'<domain: "local", opset_import: [{imports}]>\n{text}\n'


def calls(name: str, body: str, functions: str, left: dict[str, int], **more) -> Case:
    return Case(name, f"{HEADER} main (float[n] x) => (float[m] y) {{ {body} }}\n{functions}", [{"x": X}, {"x": X[:1]}], left, **more)


# Models with functions, and the operators that are left without and with --inline-functions.
FUNCTIONS = [
    (calls("function that nobody calls", "y = Neg(x)", function("unused (a) => (b) { b = Exp(a) }"), {"Exp": 0}), {"Exp": 0}),
    (calls("function called twice", "u = local.f(x) y = local.f(u)",
           function("f (a) => (b) { one = Constant <value = float {1.0}> () two = Constant <value = float {2.0}> ()"
                    " three = Add(one, two) c = Identity(a) b = Mul(c, three) d = Exp(a) }"),
           {"f": 2, "Mul": 1, "Add": 0, "Identity": 0, "Exp": 0}), {"f": 0, "Mul": 2, "Add": 0}),
    (calls("parameters", "u = local.f <slope = 0.5> (x) y = local.f(u)",
           function("f <slope: float = 0.25> (a) => (b) { b = LeakyRelu <alpha: float = @slope> (a) }"),
           {"f": 2, "LeakyRelu": 1}), {"f": 0, "LeakyRelu": 2}),
    (calls("calls in functions, with parameters", "y = local.g <s = 0.5> (x)",
           function("g <s> (a) => (b) { c = local.f <slope: float = @s> (a) d = local.f(c) b = Neg(d) }", '"" : 18, "local" : 1')
           + function("f <slope: float = 0.25> (a) => (b) { b = LeakyRelu <alpha: float = @slope> (a) }"),
           {"g": 1, "f": 2, "LeakyRelu": 1}), {"g": 0, "f": 0, "LeakyRelu": 2, "Neg": 1}),
    (calls("calls in branches", """
      zero = Constant <value = float {0.0}> ()
      s = ReduceSum <keepdims = 0> (x)
      c = Greater(s, zero)
      y = If (c) <then_branch = t () => (float[n] p) { p = local.f(x) }, else_branch = e () => (float[n] q) { r = Neg(x) q = local.f(r) }>
      """, function("f (a) => (b) { c = Sin(a) b = Exp(c) }"), {"f": 2, "Sin": 1}), {"f": 0, "Sin": 2, "If": 1}),
    (calls("branches in functions", "u = local.f(x) y = local.f(u)",
           function("""f (a) => (b) { zero = Constant <value = float {0.0}> () s = ReduceSum <keepdims = 0> (a) c = Greater(s, zero)
             d = Not(c)
             b = If (d) <then_branch = t () => (p) { p = Sin(a) }, else_branch = e () => (q) { q = Cos(a) }> }"""),
           {"f": 2, "If": 1, "Not": 0}), {"f": 0, "If": 2, "Not": 0}),
    (calls("names that are there twice", "t = Sin(x) u = local.f(t) y = Add(t, u)",
           function("f (x) => (y) { t = Cos(x) u = Neg(t) y = Mul(u, t) }"), {"f": 1}), {"f": 0, "Cos": 1}),
    (calls("an older opset", "y = local.f(x)",
           function("f (a) => (b) { axes = Constant <value = int64[1] {0}> () c = Unsqueeze <axes = [0]> (a) b = Squeeze <axes = [0]> (c) }",
                    '"" : 11'), {"f": 1}), {"f": 0}),
    (calls("a newer opset", "y = local.f(x)", function("f (a) => (b) { c = Exp(a) b = Neg(c) }", '"" : 20'),
           {"f": 1}), {"f": 1}),
    (calls("function that gives back what it is given", "u, v = local.f(x) y = Add(u, v)",
           function("f (a) => (b, c) { b = Identity(a) c = Neg(a) }"), {"f": 1}), {"f": 0, "Neg": 1}),
    (calls("inputs and outputs that are left out", "top = Constant <value = float {1.0}> () y = local.f(x, , top)",
           function("f (a, low, high) => (b, c) { b = Clip(a, low, high) c = Neg(a) }"), {"f": 1}),
     {"f": 0, "Clip": 1, "Neg": 0}),
]


def count(graph: Any, around: str = "") -> Iterator[tuple[str, str]]:
    """Yields each operator with the loop that contains it."""
    for node in graph.node:
        yield node.op_type, around
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from count(attribute.g, node.op_type if node.op_type in LOOPS else around)


def count_all(model: onnx.ModelProto) -> collections.Counter[str]:
    total: collections.Counter[str] = collections.Counter()
    for graph in (model.graph, *model.functions):
        for op, around in count(graph):
            total[op] += 1
            total["nodes"] += op != "Constant"
            if around:
                total[f"{op} in {around}"] += 1
    return total


class RandomGraph:
    """The text of a graph that uses outer values. All vectors have the same length."""

    def __init__(self, random: np.random.Generator, names: Iterator[int], floats: list[str], bools: list[str], ints: list[str], depth: int):
        self.random, self.names, self.depth = random, names, depth
        self.floats, self.bools, self.ints = list(floats), list(bools), list(ints)
        self.lines: list[str] = []

    def pick(self, values: list[str]) -> str:
        # Prefer newer values.
        return values[-1 - min(int(self.random.geometric(0.25)) - 1, len(values) - 1)]

    def new(self, stem: str) -> str:
        return f"{stem}{next(self.names)}"

    def inside(self, floats: tuple[str, ...] = (), bools: tuple[str, ...] = (), ints: tuple[str, ...] = ()) -> "RandomGraph":
        graph = RandomGraph(self.random, self.names, [*self.floats, *floats], [*self.bools, *bools], [*self.ints, *ints], self.depth - 1)
        for _ in range(self.random.integers(1, 6)):
            graph.grow()
        return graph

    def yielded(self, value: str) -> str:
        """Returns the value under a new name, which a graph may yield."""
        name = self.new("o")
        self.lines.append(f"{name} = Identity({value})")
        return name

    def unary(self) -> None:
        name = self.new("v")
        self.lines.append(f"{name} = {self.random.choice(['Neg', 'Abs', 'Floor', 'Relu'])}({self.pick(self.floats)})")
        self.floats.append(name)

    def binary(self) -> None:
        name = self.new("v")
        self.lines.append(f"{name} = {self.random.choice(['Add', 'Sub', 'Max'])}({self.pick(self.floats)}, {self.pick(self.floats)})")
        self.floats.append(name)

    def constant(self) -> None:
        name, scaled = self.new("k"), self.new("v")
        self.lines.append(f"{name} = Constant <value = float {{{self.random.integers(1, 4)}.0}}> ()")
        self.lines.append(f"{scaled} = Mul({self.pick(self.floats)}, {name})")
        self.floats.append(scaled)

    def compare(self) -> None:
        name, a, b = self.new("b"), self.new("r"), self.new("r")
        self.lines.append(f"{a} = ReduceMax <keepdims = 0> ({self.pick(self.floats)})")
        self.lines.append(f"{b} = ReduceMax <keepdims = 0> ({self.pick(self.floats)})")
        self.lines.append(f"{name} = Less({a}, {b})")
        self.bools.append(name)

    def opposite(self) -> None:
        name = self.new("b")
        self.lines.append(f"{name} = Not({self.pick(self.bools)})")
        self.bools.append(name)

    def branch(self) -> None:
        count = self.random.integers(1, 4)
        graphs = []
        for _ in range(2):
            graph = self.inside()
            ends = [graph.yielded(graph.pick(graph.floats)) for _ in range(count)]
            graphs.append(f"{self.new('g')} () => ({', '.join('float[k] ' + e for e in ends)}) {{ {' '.join(graph.lines)} }}")
        results = [self.new("v") for _ in range(count)]
        self.lines.append(f"{', '.join(results)} = If ({self.pick(self.bools)}) <then_branch = {graphs[0]}, else_branch = {graphs[1]}>")
        self.floats += results

    def run(self) -> None:
        # Engines disagree about the shape of a stack of no slices, so a loop with slices runs at least once.
        states, slices = self.random.integers(1, 4), self.random.integers(0, 2)
        i, on, arguments = self.new("i"), self.new("b"), [self.new("s") for _ in range(states)]
        graph = self.inside(tuple(arguments), (on,), (i,))
        # Some states never change.
        nexts = [a if self.random.random() < 0.3 else graph.pick(graph.floats) for a in arguments]
        ends = [graph.yielded(v) for v in [*nexts, *(graph.pick(graph.floats) for _ in range(slices))]]
        goes = graph.yielded(on if self.random.random() < 0.8 else graph.pick(graph.bools))
        start = "" if slices or self.random.random() < 0.5 else self.pick(self.bools)
        results = [self.new("v") for _ in ends]
        count = self.pick(self.ints)
        if slices or self.random.random() < 0.3:
            count = self.new("n")
            self.lines.append(f"{count} = Constant <value = int64 {{{self.random.integers(min(slices, 1), 4)}}}> ()")
        taken = ", ".join([f"int64 {i}", f"bool {on}", *(f"float[k] {a}" for a in arguments)])
        given = ", ".join([f"bool {goes}", *(f"float[k] {e}" for e in ends)])
        self.lines.append(f"{', '.join(results)} = Loop ({count}, {start}, "
                          f"{', '.join(self.pick(self.floats) for _ in arguments)}) "
                          f"<body = {self.new('g')} ({taken}) => ({given}) {{ {' '.join(graph.lines)} }}>")
        self.floats += results[:states]
        for stacked in results[states:]:
            name = self.new("v")
            axes = self.new("k")
            self.lines.append(f"{axes} = Constant <value = int64[1] {{0}}> ()")
            self.lines.append(f"{name} = ReduceMax <keepdims = 0> ({stacked}, {axes})")
            self.floats.append(name)

    def grow(self) -> None:
        steps = [self.unary, self.binary, self.constant, self.compare, self.opposite]
        if self.depth:
            steps += [self.branch, self.branch, self.run, self.run]
        self.random.choice(steps)()


def draw(seed: int) -> Case:
    random = np.random.default_rng(seed)
    graph = RandomGraph(random, itertools.count(), ["x"], ["c"], ["n"], 3).inside()
    while not any(op in line for op in ("If", "Loop") for line in graph.lines):
        graph.grow()
    ends = [graph.yielded(graph.pick(graph.floats)) for _ in range(random.integers(1, 4))]
    text = (f"{HEADER} main (bool c, int64 n, float[k] x) => ({', '.join('float[k] ' + e for e in ends)}) {{ {' '.join(graph.lines)} }}")
    feeds = [{"c": np.array(c), "n": i64(n), "x": X} for c, n in ((True, 0), (False, 1), (True, 2), (False, 3))]
    return Case(f"random {seed}", text, feeds, {})


def strict_error(model: onnx.ModelProto) -> str:
    """Returns the checker's error if it also infers all shapes."""
    try:
        onnx.checker.check_model(model, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        return str(error).strip()
    return ""


class Judge:
    def __init__(self, invar: str, folder: str, report: harness.Report):
        self.invar, self.folder, self.report = invar, folder, report

    def judge(self, case: Case) -> None:
        self.report.check(" ".join((case.name, *case.options)), self.complaints(case))

    def complaints(self, case: Case) -> Iterator[str]:
        before, once, twice = (os.path.join(self.folder, f"{n}.onnx") for n in ("before", "once", "twice"))
        model = onnx.parser.parse_model(case.text)
        onnx.save(model, before)
        for source, target in ((before, once), (once, twice)):
            ended = harness.run(self.invar, "optimize", source, "-o", target, "--quiet", *case.options)
            if ended.code:
                yield ended.ending()
                return
        with open(once, "rb") as first, open(twice, "rb") as second:
            if first.read() != second.read():
                yield "changes when it is optimized again"
        made = onnx.load(once)
        try:
            onnx.checker.check_model(model)
            onnx.checker.check_model(made)
        except onnx.checker.ValidationError as error:
            # A function may import another opset, although the checker requires the same one.
            if "is not compatible with the version imported by model" not in str(error):
                yield str(error)
        # The checker's inference is strict and rejects some models that run.
        if not strict_error(model) and (error := strict_error(made)):
            yield error
        counts = count_all(made)
        for op, want in case.left.items():
            if counts[op] != want:
                yield f"expected {want} {op}, but got {counts[op]}"
        had = count_all(model)
        # Removing a loop may add some nodes.
        if ("--inline-functions" not in case.options and counts["nodes"] > had["nodes"]
                and all(counts[op] == had[op] for op in LOOPS)):
            yield f"has {counts['nodes']} nodes, but had {had['nodes']}"
        engine = engines.OnnxRuntime
        try:
            engine(before)
        except engines.CannotRun:
            engine = engines.Reference  # It supports functions of another opset.
        original = engine(before)
        try:
            other = engine(once)
        except engines.CannotRun as error:
            yield f"does not run any more: {error}"
            return
        for feeds in case.feeds:
            used = {i.name for i in made.graph.input}
            want = original.run(feeds)
            got = other.run({name: value for name, value in feeds.items() if name in used})
            for i, (a, b) in enumerate(zip(want, got, strict=True)):
                if not engines.same_bits(a, b):
                    yield f"output {i} of {({n: np.shape(v) or v for n, v in feeds.items()})} differs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--random", type=int, default=60, help="how many random models")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    with tempfile.TemporaryDirectory(prefix="control") as folder:
        judge = Judge(options.invar, folder, report)
        for case in CONTROL:
            judge.judge(case)
        for case, inlined in FUNCTIONS:
            judge.judge(case)
            judge.judge(case._replace(left=inlined, options=(*case.options, "--inline-functions")))
        for i in range(options.random):
            judge.judge(draw(options.seed + i))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
