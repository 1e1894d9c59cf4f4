#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the Python package: models in all forms, errors, threads, lifetimes, documents, and a part of the standard's
test runner. python_values.py tests values. Needs a Python that has the package:

  utils/with-package build/dev test/python/package/python_api.py
"""
import collections
import gc
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import warnings

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnx.backend.test import BackendTest

import invar
import invar.backend
from python_parts import ADD, SUM, X, Z, MemoryPeak, info, model, session, unary

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Cases of the standard's runner: elementwise, with weights, with sequences, optionals, strings, and control flow.
SLICE = re.compile(r"^test_(add|and|cast_(FLOAT_to|BFLOAT16)|basic_conv|concat_1d|identity|if_|loop|optional_|"
                   r"sequence_(insert|map_identity)|split_to_sequence|string_concat|topk|where|operator_add)")


class SessionsTest(unittest.TestCase):
    def test_no_names_are_all_outputs(self):
        for names in (None, [], ()):
            [y] = session(ADD).run(names, {"x": X, "z": Z})
            np.testing.assert_array_equal(y, SUM)

    def test_feeds_are_any_mapping(self):
        add, place = session(ADD), np.empty_like(SUM)
        for kind in (types.MappingProxyType, collections.OrderedDict, lambda feeds: collections.ChainMap(feeds)):
            [y] = add.run(None, kind({"x": X, "z": Z}), out=kind({"y": place}))
            self.assertIs(y, place)
            np.testing.assert_array_equal(y, SUM)

    def test_with(self):
        with session(ADD) as add:
            [y] = add.run(None, {"x": X, "z": Z})
        np.testing.assert_array_equal(y, SUM)
        for ask in (add.get_inputs, add.get_outputs, lambda: add.run(None, {}), lambda: add.refit({}), lambda: add.folds_run):
            with self.assertRaisesRegex(invar.ArgumentError, "expected a session that is open, but got one that is closed"):
                ask()
        add.close()

    def test_closed_while_it_runs(self):
        """Current runs continue; later ones raise an error."""
        add, ends = session(ADD, threads=1), []

        def run():
            try:
                while True:
                    np.testing.assert_array_equal(add.run(None, {"x": X, "z": Z})[0], SUM)
            except invar.ArgumentError as error:
                ends.append(str(error))

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        add.close()
        for thread in threads:
            thread.join()
        self.assertEqual(ends, ["expected a session that is open, but got one that is closed"] * 3)

    def test_repr(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            onnx.save(ADD, path)
            add = invar.Session(path, cache=False)
            self.assertEqual(repr(add), f"<invar.Session of {path!r}, inputs ['x', 'z'], outputs ['y']>")
            add.close()
            self.assertEqual(repr(add), f"<invar.Session of {path!r}, closed>")
        self.assertEqual(repr(session(ADD)), "<invar.Session of 'a model in memory', inputs ['x', 'z'], outputs ['y']>")

    def test_overridable_initializers(self):
        """An input with a default value may be fed, but need not be."""
        made = model([helper.make_node("Add", ["x", "w"], ["y"])], [info("x", ["n", 3]), info("w", [3])], ["y"], {"w": Z})
        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = 4
        theirs = onnxruntime.InferenceSession(made.SerializeToString(), settings)
        for ours in (session(made), session(made, fold_at="compile"), session(made, fold_at="never")):
            for ask in ("get_inputs", "get_overridable_initializers"):
                self.assertEqual([node.name for node in getattr(ours, ask)()], [node.name for node in getattr(theirs, ask)()])
            for feeds in ({"x": X}, {"x": X, "w": -Z}, {"x": X}):
                np.testing.assert_array_equal(ours.run(None, feeds)[0], theirs.run(None, feeds)[0])
            with self.assertRaisesRegex(invar.ArgumentError, "expected input 'x' to be"):
                ours.run(None, {"w": Z})
        fixed = session(made, fix_defaults=True)
        self.assertEqual(fixed.get_overridable_initializers(), [])
        with self.assertRaisesRegex(invar.ArgumentError, "expected the name of an input, 'x', but got 'w'"):
            fixed.run(None, {"x": X, "w": Z})
        # Before IR version 4, all initializers had to be listed as inputs, and none could be overridden.
        made.ir_version = 3
        self.assertEqual(session(made).get_overridable_initializers(), [])

    def test_initializers_that_decide_ranks(self):
        """A model that cannot be compiled for all values is compiled for its default values, with a warning."""
        keys = np.ones((1, 2, 3, 4), np.float32)
        made = model([helper.make_node("Attention", ["x", "w", "x"], ["y"])], [info("x", keys.shape), info("w", None)], ["y"], {"w": keys})
        made.opset_import[0].version = 23
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            fixed = session(made)
        self.assertEqual(fixed.get_overridable_initializers(), [])
        self.assertIn("so initializers that callers may override are constants", str(heard[0].message))
        self.assertEqual(fixed.run(None, {"x": keys})[0].shape, keys.shape)

    def test_program(self):
        """`python -m invar` and the command that pip installs are the same program."""
        said = subprocess.run([sys.executable, "-m", "invar", "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(invar.__version__, said)
        command = pathlib.Path(sys.executable).with_name("invar")
        ended = subprocess.run([command, "inspect", ROOT / "examples/small.onnx"], capture_output=True, text=True, check=True)
        self.assertIn("image", ended.stdout)
        self.assertEqual(subprocess.run([command, "nonsense"], capture_output=True).returncode, 2)


class ErrorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.add = session(ADD)

    def refused(self, text: str, call, *arguments, kind=invar.ArgumentError, **options):
        with self.assertRaises(kind) as caught:
            call(*arguments, **options)
        self.assertIn(text, str(caught.exception))
        self.assertNotRegex(str(caught.exception), "Traceback|/proc/self")

    def test_classes(self):
        self.assertTrue(issubclass(invar.Error, RuntimeError))
        self.assertTrue(issubclass(invar.ArgumentError, invar.Error) and issubclass(invar.ArgumentError, ValueError))
        self.assertEqual(invar.Error.__module__, "invar")

    def test_inputs(self):
        for text, feeds in (
                ("expected input 'z' to be tensor(float)[3], but got nothing", {"x": X}),
                ("expected input 'x' to be tensor(float)[n,3], but got nothing", {}),
                ("expected input 'z' to be tensor(float)[3], but got nothing", {"x": X, "z": None}),
                ("expected the name of an input, 'x', 'z', but got 'q'", {"x": X, "z": Z, "q": X}),
                ("expected input 'x' to be tensor(float)[n,3], but got tensor(double)[2,3]", {"x": X.astype(float), "z": Z}),
                ("expected input 'x' to be tensor(float)[n,3], but got tensor(bfloat16)[2,3]", {"x": X.astype(ml_dtypes.bfloat16), "z": Z}),
                ("expected input 'x' to be tensor(float)[n,3], but got tensor(float)[3]", {"x": Z, "z": Z}),
                ("expected input 'z' to be tensor(float)[3], but got tensor(float)[4]", {"x": X, "z": np.zeros(4, np.float32)}),
                ("expected input 'z' to be tensor(float)[3], but got tensor(string)[2]", {"x": X, "z": np.array(["a", "b"])}),
                ("expected input 'z' to be an array, but got list", {"x": X, "z": [[1], [2, 3]]}),
                ("expected input 'z' to be an array, but got object", {"x": X, "z": object()}),
                ("expected input 'z' to be of a type that ONNX has, but got an array of datetime64[s]", {"x": X, "z": np.zeros(3, "M8[s]")}),
                ("expected input 'z' to be of a type that ONNX has, but got an array of float128", {"x": X, "z": np.zeros(3, np.longdouble)})):
            with self.subTest(text):
                self.refused(text, self.add.run, None, feeds)
        with self.assertRaises(TypeError):
            self.add.run(None, [X, Z])
        with self.assertRaises(TypeError):
            self.add.run(None, {1: X})
        with self.assertRaises(TypeError):
            self.add.run(None, {"x": X, "z": Z}, out=[X])
        with self.assertRaises(TypeError):
            self.add.run(1, {"x": X, "z": Z})

    def test_kinds_of_options(self):
        """Errors name the option, not the internal function that uses it."""
        for text, options in (("expected an integer for 'threads', but got '2'", {"threads": "2"}),
                              ("expected a string for 'fold_at', but got None", {"fold_at": None}),
                              ("expected a string for 'target_cpu', but got 3", {"target_cpu": 3})):
            with self.subTest(text):
                self.refused(text, invar.Session, ADD, kind=TypeError, **options)
                self.refused(text, invar.compile, ADD, "none.so", kind=TypeError, **options)
        self.refused("expected an integer for 'threads', but got 1.5", invar.optimize, ADD, kind=TypeError, threads=1.5)

    def test_unknown_processor(self):
        """There is one error, and LLVM prints nothing."""
        program = ("import sys, invar\n"
                   "try: invar.compile(sys.argv[1], sys.argv[2], target_cpu='pentium-99')\n"
                   "except invar.ArgumentError as error: print(error)")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            onnx.save(ADD, path)
            ended = subprocess.run([sys.executable, "-c", program, path, f"{path}.so"], capture_output=True, text=True, check=True)
        self.assertEqual((ended.stdout, ended.stderr), ("expected the name of an x86-64 processor, but got 'pentium-99'\n", ""))

    def test_sizes_of_one_name(self):
        both = session(model([helper.make_node("Add", ["x", "z"], ["y"])], [info("x", ["n"]), info("z", ["n"])], ["y"]))
        self.refused("expected 'n' to be one size, but got 3 in input 'x' and 2 in input 'z'", both.run, None, {"x": Z, "z": Z[:2]})

    def test_outputs(self):
        self.refused("expected the name of an output, 'y', but got 'q'", self.add.run, ["q"], {"x": X, "z": Z})

    def test_models(self):
        for text, bad in (("cannot open", "nowhere.onnx"), ("model: ", b"no model"), ("cannot open", "nowhere.so")):
            with self.subTest(bad):
                self.refused(text, invar.Session, bad, cache=False, kind=invar.Error)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.so")
            self.refused("model: ", invar.compile, b"no model", path, kind=invar.Error)
            self.refused("model: ", invar.optimize, b"no model", path, kind=invar.Error)
            self.assertEqual(os.listdir(folder), [])
        class Odd:
            def SerializeToString(self):
                return 3

        for bad in (None, 3, ["m.onnx"], Odd()):
            with self.assertRaises(TypeError):
                invar.Session(bad)
        self.refused("expected a text without null characters, but got one behind 'nul'", invar.Session, "nul\0inside")

    def test_options(self):
        self.refused("expected up to 1024 threads, but got -1", session, ADD, threads=-1)
        self.refused("expected a size for 'n', but got '-3'", session, ADD, dims={"n": -3})
        self.refused("expected INPUT=SHAPE", session, ADD, shapes=["?"])
        self.refused("expected passes among", invar.optimize, ADD, passes=["q"])
        self.refused("expected a rule, but got 'q'", invar.optimize, ADD, disable=["q"])
        self.refused("one size after the other", invar.optimize, ADD, dims={"n": range(8, 0)})
        self.refused("'table' or 'trace', but got 'q'", self.add.get_profile, "q")
        self.refused("expected a static shape for 'x'", invar.optimize, ADD, require_static=True, kind=invar.Error)


class ModelsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="python-api")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def place(self, name: str) -> pathlib.Path:
        return self.folder / name

    def check(self, opened: invar.Session) -> None:
        np.testing.assert_array_equal(opened.run(None, {"x": X, "z": Z})[0], SUM)

    def test_nodes(self):
        x, z = session(ADD).get_inputs()
        self.assertEqual((x.name, x.type, x.shape, z.shape), ("x", "tensor(float)", ["n", 3], [3]))
        self.assertEqual(repr(x), "NodeArg(name='x', type='tensor(float)', shape=['n', 3])")
        [y] = session(ADD, dims={"n": 2}).get_outputs()
        self.assertEqual(y.shape, [2, 3])
        unnamed = session(model([helper.make_node("Neg", ["x"], ["y"])], [info("x", [None, 2])], ["y"]))
        self.assertEqual(unnamed.get_inputs()[0].shape, ["x.0", 2])
        self.assertIsNone(session(unary("Identity", None)).get_inputs()[0].shape)

    def test_forms(self):
        """Models and libraries are accepted by path, as bytes and as messages."""
        path, made = self.place("m.onnx"), self.place("m.so")
        onnx.save(ADD, path)
        raw = path.read_bytes()
        for form in (path, str(path), raw, bytearray(raw), memoryview(raw), ADD):
            self.check(invar.Session(form, cache=False))
            made.unlink(missing_ok=True)
            invar.compile(form, made)
            self.check(invar.Session(made))
            self.assertEqual(len(onnx.load_from_string(invar.optimize(form)).graph.node), 1)
        self.check(invar.Session(str(made)))
        self.check(invar.Session(made.read_bytes(), library=True))

    def test_consent(self):
        """A library's code runs only if the file has a library's name, or if the caller agrees."""
        made, renamed, text = self.place("m.so"), self.place("m.onnx"), self.place("text.so")
        invar.compile(ADD, made)
        renamed.write_bytes(made.read_bytes())
        onnx.save(ADD, text)
        for form in (renamed, made.read_bytes()):
            with self.assertRaisesRegex(invar.Error, r"expected an ONNX model, but got a library.*library=True"):
                invar.Session(form)
            self.check(invar.Session(form, library=True))
        for library in (False, True):
            with self.assertRaisesRegex(invar.Error, "expected a compiled model, but got a file"):
                invar.Session(text, library=library)
        with self.assertRaisesRegex(invar.ArgumentError, "but got a library"):
            invar.Session(renamed, library=True, dims={"n": 2})

    def test_compile(self):
        made = self.place("m.so")
        invar.compile(ADD, made, shapes={"x": ["n", 3]}, dims={"n": (1, 5)}, target_cpu="x86-64", threads=1)
        opened = invar.Session(made, threads=1)
        self.assertEqual(opened.get_inputs()[0].shape, ["n", 3])
        self.assertIsNone(opened.compile_seconds)
        self.check(opened)
        with self.assertRaisesRegex(invar.ArgumentError, "but got a library"):
            invar.Session(made, dims={"n": 2})

    def test_optimize(self):
        """Constants are computed, and the result runs like the original."""
        chain = model([helper.make_node("Neg", ["w"], ["v"]), helper.make_node("Add", ["x", "v"], ["y"])], [info("x", ["n", 3])], ["y"],
                      {"w": Z})
        smaller = onnx.load_from_string(invar.optimize(chain))
        self.assertEqual([node.op_type for node in smaller.graph.node], ["Add"])
        same = onnx.load_from_string(invar.optimize(chain, passes=["none"]))
        self.assertEqual([node.op_type for node in same.graph.node], ["Neg", "Add"])
        path = self.place("out.onnx")
        self.assertIsNone(invar.optimize(chain, path, shapes={"x": [2, 3]}, opset=24, require_static=True, exact_only=True, threads=1))
        static = onnx.load(path)
        self.assertEqual([d.dim_value for d in static.graph.input[0].type.tensor_type.shape.dim], [2, 3])
        self.assertEqual(static.opset_import[0].version, 24)
        for form in (chain, smaller, path):
            np.testing.assert_array_equal(invar.Session(form, cache=False).run(None, {"x": X})[0], X - Z)

    def test_optimize_with_weights_outside(self):
        weights = np.arange(4096, dtype=np.float32)
        heavy = model([helper.make_node("Add", ["x", "w"], ["y"])], [info("x", [4096])], ["y"], {"w": weights})
        path = self.place("out.onnx")
        invar.optimize(heavy, path, external_data=True)
        self.assertGreater(len(list(self.folder.iterdir())), 1)
        np.testing.assert_array_equal(invar.Session(path, cache=False).run(None, {"x": weights})[0], 2 * weights)
        with self.assertRaisesRegex(invar.ArgumentError, "expected a file to write to"):
            invar.optimize(heavy, external_data=True)

    def test_cache(self):
        cache = self.place("cache")
        self.assertIsNotNone(invar.Session(ADD, cache=cache).compile_seconds)
        again = invar.Session(ADD, cache=str(cache))
        self.assertIsNone(again.compile_seconds)
        self.check(again)
        self.assertIsNotNone(invar.Session(ADD, cache=False).compile_seconds)

    def test_profile(self):
        measured = session(ADD, profile=True)
        self.check(measured)
        self.assertIn("kernel", measured.get_profile())
        self.assertTrue(measured.get_profile("trace").lstrip().startswith(("[", "{")))

    def test_warnings(self):
        """Wrong declarations in a model cause a warning at the caller."""
        wrong = model([helper.make_node("Neg", ["x"], ["h"]), helper.make_node("Abs", ["h"], ["y"])], [info("x", [3])], ["y"])
        wrong.graph.output[0].CopyFrom(info("y", [4]))
        for call in (lambda wrong: invar.Session(wrong, cache=False), lambda wrong: invar.compile(wrong, self.place("m.so")), invar.optimize):
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always")
                call(wrong)
            self.assertEqual([warning.category for warning in heard], [UserWarning])
            self.assertRegex(str(heard[0].message), "^model: 'y' is declared float.4., but is float.3.$")
            self.assertEqual(heard[0].filename, __file__)

    def test_version(self):
        self.assertRegex(invar.__version__, r"^\d+\.\d+\.\d+$")
        folder = pathlib.Path(invar.__file__).parent
        self.assertTrue((folder / "py.typed").exists())
        self.assertIn("class Session", (folder / "_invar.pyi").read_text())


class ThreadsTest(unittest.TestCase):
    def test_one_session(self):
        """Eight threads that run one session get the same results as one."""
        weights = np.random.default_rng(0).standard_normal((64, 64), np.float32)
        nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Relu", ["h"], ["r"]), helper.make_node("MatMul", ["r", "w"], ["y"])]
        shared = session(model(nodes, [info("x", ["n", 64])], ["y"], {"w": weights}))
        inputs = [np.random.default_rng(i).standard_normal((i + 1, 64), np.float32) for i in range(8)]
        wanted = [shared.run(None, {"x": x})[0] for x in inputs]
        wrong: list[int] = []

        def work(first: int) -> None:
            for i in range(first, first + 200):
                if not np.array_equal(shared.run(None, {"x": inputs[i % 8]})[0], wanted[i % 8]):
                    wrong.append(i)

        workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])

    def test_compiling_at_once(self):
        opened: list[invar.Session] = []
        workers = [threading.Thread(target=lambda: opened.append(session(ADD))) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(len(opened), 4)
        for each in opened:
            np.testing.assert_array_equal(each.run(None, {"x": X, "z": Z})[0], SUM)

    def test_others_go_on_meanwhile(self):
        """A run does not hold Python's lock: another thread counts during a long run."""
        body = helper.make_graph([helper.make_node("Identity", ["go"], ["goes"]), helper.make_node("Sin", ["v"], ["w"])], "body",
                                 [info("i", [], TensorProto.INT64), info("go", [], TensorProto.BOOL), info("v", [1000])],
                                 [info("goes", [], TensorProto.BOOL), info("w", [1000])])
        loop = session(model([helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body)],
                             [info("trips", [], TensorProto.INT64), info("x", [1000])], ["y"]))
        begun, ended = threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            loop.run(None, {"trips": np.int64(100_000), "x": np.ones(1000, np.float32)})
            ended.set()

        worker = threading.Thread(target=work)
        worker.start()
        begun.wait()
        count = 0
        while not ended.is_set():
            count += 1
        worker.join()
        self.assertGreater(count, 1000)


class LifetimeTest(unittest.TestCase):
    def test_sessions_take_each_others_places(self):
        """Each session runs its own code, whatever names, files and descriptors previous sessions had."""
        slopes = {"a": 0.125, "b": 0.75, "c": 0.5}
        x = np.array([-8, 4], np.float32)
        with tempfile.TemporaryDirectory() as folder:
            cache = os.path.join(folder, "cache")
            for name, slope in slopes.items():
                made = model([helper.make_node("LeakyRelu", ["x"], ["y"], alpha=slope)], [info("x", [2])], ["y"])
                onnx.save(made, os.path.join(folder, f"{name}.onnx"))
                invar.compile(made, os.path.join(folder, f"{name}.so"))

            def check(session: invar.Session, name: str) -> None:
                np.testing.assert_array_equal(session.run(None, {"x": x})[0], np.where(x < 0, x * np.float32(slopes[name]), x))

            for suffix in (".so", ".onnx"):
                def opened(name: str) -> invar.Session:
                    return invar.Session(os.path.join(folder, name + suffix), cache=cache)
                with self.subTest(suffix):
                    s = opened("a")
                    s = opened("a")
                    t = opened("b")
                    check(t, "b")
                    check(s, "a")
                    first, second = opened("c"), opened("c")
                    del first
                    third = opened("a")
                    check(third, "a")
                    check(second, "c")
                    for _ in range(20):
                        s, t, second = opened("b"), opened("c"), opened("a")
                        check(s, "b"), check(t, "c"), check(second, "a")

    def test_outputs_outlive_the_session(self):
        opened = session(ADD)
        outputs = [opened.run(None, {"x": X + i, "z": Z})[0] for i in range(10)]
        del opened
        gc.collect()
        for i, y in enumerate(outputs):
            np.testing.assert_array_equal(y, SUM + i)

    def test_inputs_are_let_go_of(self):
        opened = session(ADD)
        x = X.copy()
        before = sys.getrefcount(x)
        outputs = opened.run(None, {"x": x, "z": Z})
        with self.assertRaises(invar.Error):
            opened.run(None, {"x": x, "z": x})
        self.assertEqual(sys.getrefcount(x), before)
        del outputs

    def test_memory_comes_back(self):
        opened = session(unary("Neg", ["n"]))
        x = np.zeros(1 << 20, np.float32)
        opened.run(None, {"x": x})
        with MemoryPeak() as peak:
            for _ in range(200):
                opened.run(None, {"x": x})
        self.assertLess(peak.bytes, 20 * x.nbytes)


class BackendTests(unittest.TestCase):
    def test_nodes(self):
        add = helper.make_node("Add", ["a", "b"], ["c"])
        outputs = invar.backend.run_node(add, [X, Z])
        np.testing.assert_array_equal(outputs[0], SUM)
        np.testing.assert_array_equal(outputs["c"], SUM)
        values, indices = invar.backend.run_node(helper.make_node("TopK", ["x", "k"], ["v", "i"]), [Z, np.array([2])])
        self.assertEqual((values.tolist(), indices.tolist()), ([30, 20], [2, 1]))
        with self.assertRaisesRegex(invar.ArgumentError, "expected 2 inputs, but got 1"):
            invar.backend.run_node(add, [X])

    def test_models(self):
        prepared = invar.backend.prepare(ADD, "CPU")
        for inputs in ([X, Z], (X, Z), {"z": Z, "x": X}):
            np.testing.assert_array_equal(prepared.run(inputs)[0], SUM)
        np.testing.assert_array_equal(invar.backend.run_model(unary("Neg", [3]), Z)[0], -Z)
        with self.assertRaisesRegex(invar.ArgumentError, "expected at most 2 inputs, but got 3"):
            prepared.run([X, Z, Z])

    def test_devices(self):
        self.assertTrue(invar.backend.supports_device("CPU"))
        self.assertFalse(invar.backend.supports_device("CUDA"))
        with self.assertRaisesRegex(invar.ArgumentError, "expected the device 'CPU', but got 'CUDA'"):
            invar.backend.prepare(ADD, "CUDA")


class DocumentsTest(unittest.TestCase):
    def test_blocks(self):
        """The blocks of README.md and docs/Python.md run in order, and print the output that the document shows."""
        for document in ("README.md", "docs/Python.md"):
            blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL)
            program = "".join(blocks)
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(ROOT / "examples", os.path.join(folder, "examples"))
                ended = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True,
                                       env={**os.environ, "XDG_CACHE_HOME": folder})
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), document)
            self.assertEqual(ended.stdout.splitlines(), re.findall(r"^# (.*)$", program, re.MULTILINE))
            self.assertTrue(blocks, document)


def load_tests(loader: unittest.TestLoader, ours: unittest.TestSuite, _) -> unittest.TestSuite:
    """Returns the tests of this file and a part of the standard's runner."""
    known = "test_loop16_seq_none_cpu"  # The runner takes the length of scalars in sequences.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # The package's computations overflow intentionally.
        cases = BackendTest(invar.backend, __name__).test_cases.values()
    for case in cases:
        names = [name for name in loader.getTestCaseNames(case) if SLICE.match(name) and name.endswith("_cpu") and name != known]
        ours.addTests(map(case, names))
    return ours


if __name__ == "__main__":
    unittest.main()
