#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package: values in and out, and where they lie; errors, threads, lifetimes; models in all forms; a slice
of the standard's own test runner. By a Python that has the package:

  utils/with-package build/dev test/python/python_api.py
"""
import gc
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.backend.test import BackendTest

import invar
import invar.backend

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {
    TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.FLOAT16: np.float16,
    TensorProto.INT8: np.int8, TensorProto.INT16: np.int16, TensorProto.INT32: np.int32, TensorProto.INT64: np.int64,
    TensorProto.UINT8: np.uint8, TensorProto.UINT16: np.uint16, TensorProto.UINT32: np.uint32,
    TensorProto.UINT64: np.uint64, TensorProto.BOOL: np.bool_, TensorProto.COMPLEX64: np.complex64,
    TensorProto.COMPLEX128: np.complex128, TensorProto.BFLOAT16: ml_dtypes.bfloat16,
    TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn, TensorProto.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2, TensorProto.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz,
    TensorProto.FLOAT8E8M0: ml_dtypes.float8_e8m0fnu, TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
    TensorProto.INT4: ml_dtypes.int4, TensorProto.UINT4: ml_dtypes.uint4, TensorProto.INT2: ml_dtypes.int2,
    TensorProto.UINT2: ml_dtypes.uint2,
}
# Cases of the standard's runner: elementwise, with weights, of sequences, optionals, strings, and control flow.
SLICE = re.compile(r"^test_(add|and|cast_(FLOAT_to|BFLOAT16)|basic_conv|concat_1d|identity|if_|loop|optional_|"
                   r"sequence_(insert|map_identity)|split_to_sequence|string_concat|topk|where|operator_add)")


def info(name: str, shape: list | None, element: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def model(nodes: list[onnx.NodeProto], inputs: list, outputs: list[str], initializers: dict | None = None) -> onnx.ModelProto:
    weights = [onnx.numpy_helper.from_array(value, name) for name, value in (initializers or {}).items()]
    ends = [onnx.ValueInfoProto(name=name) for name in outputs]
    graph = helper.make_graph(nodes, "g", inputs, ends, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=12)


def unary(operator: str, shape: list, element: int = TensorProto.FLOAT) -> onnx.ModelProto:
    return model([helper.make_node(operator, ["x"], ["y"])], [info("x", shape, element)], ["y"])


def session(made: onnx.ModelProto, **options) -> invar.Session:
    return invar.Session(made, cache=False, **options)


ADD = model([helper.make_node("Add", ["x", "z"], ["y"])], [info("x", ["n", 3]), info("z", [3])], ["y"])
X = np.arange(6, dtype=np.float32).reshape(2, 3)
Z = np.array([10, 20, 30], np.float32)
SUM = X + Z


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


class Exchanged:
    """An array that only speaks DLPack."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class ArraysTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.add = session(ADD)

    def check(self, x, z=Z, wanted=SUM) -> np.ndarray:
        [y] = self.add.run(None, {"x": x, "z": z})
        np.testing.assert_array_equal(y, wanted)
        self.assertEqual(y.dtype, np.float32)
        return y

    def test_layouts(self):
        wide = np.repeat(X, 2, axis=1)
        misplaced = np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(np.float32).reshape(2, 3)
        frozen = X.copy()
        frozen.flags.writeable = False
        for name, x in {"row-major": X, "column-major": np.asfortranarray(X), "strided": wide[:, ::2], "misplaced": misplaced,
                        "backwards": X[::-1][::-1], "other byte order": X.astype(">f4"), "read-only": frozen, "list": X.tolist(),
                        "memoryview": memoryview(X)}.items():
            with self.subTest(name):
                self.check(x)
        self.check(np.broadcast_to(Z, (2, 3)), Z, np.broadcast_to(2 * Z, (2, 3)))
        self.check(np.zeros((0, 3), np.float32), Z, np.zeros((0, 3), np.float32))

    def test_dlpack(self):
        self.check(Exchanged(X), Exchanged(Z))
        self.check(Exchanged(np.asfortranarray(X)))

    def test_inputs_are_not_copied(self):
        """What passes through a model lies where it was, until it is handed out."""
        through = session(model([helper.make_node("Identity", ["x"], ["y"])], [info("x", ["n"])], ["y"]))
        x = np.ones(1 << 24, np.float32)
        with MemoryPeak() as peak:
            through.run([], {"x": x})
        self.assertLess(peak.bytes, x.nbytes // 2)
        with MemoryPeak() as peak:
            through.run(None, {"x": x})
        self.assertGreaterEqual(peak.bytes, x.nbytes // 2)

    def test_outputs_are_not_copied(self):
        y = self.check(X)
        self.assertFalse(y.flags.owndata)
        self.assertTrue(y.flags.writeable)
        self.assertEqual(address(y) % 64, 0)
        # What DLPack is given is the same memory, too.
        self.assertEqual(address(np.from_dlpack(y)), address(y))

    def test_outputs_are_private(self):
        """Inputs, constants and outputs that are the same value are handed out as copies."""
        shared = session(model([helper.make_node("Identity", ["x"], ["same"]), helper.make_node("Neg", ["x"], ["y"]),
                                helper.make_node("Identity", ["y"], ["again"])],
                               [info("x", [2, 3])], ["same", "y", "again", "w"], {"w": X}))
        x = X.copy()
        outputs = shared.run(None, {"x": x})
        wanted = [X, -X, -X, X]
        for i, output in enumerate(outputs):
            np.testing.assert_array_equal(output, wanted[i])
            output += 100
            wanted[i] = wanted[i] + 100
        np.testing.assert_array_equal(x, X)
        for output, value in zip(outputs, wanted):
            np.testing.assert_array_equal(output, value)
        np.testing.assert_array_equal(shared.run(["w"], {"x": x})[0], X)

    def test_out(self):
        place = np.zeros((2, 3), np.float32)
        [y] = self.add.run(["y"], {"x": X, "z": Z}, out={"y": place})
        self.assertIs(y, place)
        np.testing.assert_array_equal(place, SUM)
        # Also where it is an input.
        x = X.copy()
        self.add.run(None, {"x": x, "z": Z}, out={"y": x})
        np.testing.assert_array_equal(x, SUM)

    def test_out_that_does_not_fit(self):
        frozen = np.zeros((2, 3), np.float32)
        frozen.flags.writeable = False
        for place, text in ((np.zeros((2, 3)), "expected tensor(float)[2,3] that can be written for output 'y', but got tensor(double)[2,3]"),
                            (np.zeros((3, 2), np.float32), "but got tensor(float)[3,2]"),
                            (np.zeros((3, 2), np.float32).T, "row-major"), (frozen, "can be written"), ([0.0], "but got list")):
            with self.subTest(text), self.assertRaises(invar.ArgumentError) as caught:
                self.add.run(None, {"x": X, "z": Z}, out={"y": place})
            self.assertIn(text, str(caught.exception))
        with self.assertRaisesRegex(invar.ArgumentError, "the name of an output, 'y', but got 'q'"):
            self.add.run(None, {"x": X, "z": Z}, out={"q": X})

    def test_outputs_by_name(self):
        two = session(model([helper.make_node("Neg", ["x"], ["a"]), helper.make_node("Abs", ["x"], ["b"])], [info("x", [3])], ["a", "b"]))
        b, a = two.run(["b", "a"], {"x": Z})
        np.testing.assert_array_equal(a, -Z)
        np.testing.assert_array_equal(b, Z)
        first, second = two.run(("a", "a"), {"x": Z})
        self.assertIs(first, second)
        self.assertEqual(two.run([], {"x": Z}), [])


class MemoryPeak:
    """By how many bytes the process grew at most in a block."""

    def __enter__(self):
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # The highest is from now on.
        self.before = self.read()
        return self

    def __exit__(self, *_):
        self.bytes = self.read() - self.before

    @staticmethod
    def read() -> int:
        return int(re.search(r"VmHWM:\s*(\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) << 10


class TypesTest(unittest.TestCase):
    def test_all(self):
        for element, dtype in TYPES.items():
            with self.subTest(np.dtype(dtype).name):
                x = np.array([[0, 1, 0], [1, 1, 0]]).astype(dtype)
                through = session(unary("Identity", ["n", 3], element))
                [node] = through.get_inputs()
                self.assertEqual(node.type, f"tensor({TensorProto.DataType.Name(element).lower()})")
                for form in (x, np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2]):
                    [y] = through.run(None, {"x": form})
                    self.assertEqual((y.dtype, y.shape, y.tobytes()), (x.dtype, x.shape, x.tobytes()))
                place = np.empty_like(x)
                through.run(None, {"x": x}, out={"y": place})
                self.assertEqual(place.tobytes(), x.tobytes())

    def test_computed(self):
        x = np.array([1.5, -2], ml_dtypes.bfloat16)
        [y] = session(unary("Neg", [2], TensorProto.BFLOAT16)).run(None, {"x": x})
        self.assertEqual(y.dtype, ml_dtypes.bfloat16)
        self.assertEqual(y.tolist(), [-1.5, 2])

    def test_lists_get_the_declared_type(self):
        [y] = session(unary("Neg", ["n"], TensorProto.INT8)).run(None, {"x": [1, 2, 3]})
        self.assertEqual((y.dtype, y.tolist()), (np.int8, [-1, -2, -3]))
        [y] = session(unary("Neg", [])).run(None, {"x": 2})
        self.assertEqual((y.dtype, y.shape, y.item()), (np.float32, (), -2))

    def test_strings(self):
        through = session(unary("Identity", None, TensorProto.STRING))
        for x in (np.array([["a", "żółć"], ["", "x" * 300]], object), np.array(["a", "bc"]), np.array(["nul\0inside"], object),
                  np.array("scalar", object), np.empty((0, 2), object), ["a", "list"], "text", [["\udcff"]]):
            [y] = through.run(None, {"x": x})
            self.assertEqual(y.dtype, object)
            self.assertEqual(y.tolist(), np.asarray(x, object).tolist())
            self.assertEqual(y.shape, np.shape(x))
        self.assertEqual(through.run(None, {"x": b"bytes"})[0].item(), "bytes")
        with self.assertRaisesRegex(invar.ArgumentError, "expected strings in input 'x', but got float"):
            through.run(None, {"x": np.array([1.5], object)})

    def test_sequences(self):
        kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, None))
        through = session(model([helper.make_node("Identity", ["x"], ["y"])], [helper.make_value_info("x", kind)], ["y"]))
        self.assertEqual([(n.type, n.shape) for n in through.get_inputs()], [("seq(tensor(float))", None)])
        for x in ([], [X], [X, Z, np.float32(1)]):
            [y] = through.run(None, {"x": x})
            self.assertIsInstance(y, list)
            self.assertEqual([item.tolist() for item in y], [item.tolist() for item in x])
            self.assertTrue(all(not np.shares_memory(a, b) for a, b in zip(x, y)))
        with self.assertRaises(invar.ArgumentError):
            through.run(None, {"x": X})

    def test_optionals(self):
        kind = helper.make_optional_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [3]))
        nodes = [helper.make_node("OptionalHasElement", ["x"], ["has"]), helper.make_node("Identity", ["x"], ["y"])]
        through = session(model(nodes, [helper.make_value_info("x", kind)], ["has", "y"]))
        self.assertEqual(through.get_inputs()[0].type, "optional(tensor(float))")
        has, y = through.run(None, {"x": None})
        self.assertEqual((has.item(), y), (False, None))
        has, y = through.run(None, {"x": Z})
        self.assertEqual((has.item(), y.tolist()), (True, Z.tolist()))

    def test_without_ml_dtypes(self):
        """A model that needs the package says so, and others do without it."""
        program = ("import sys; sys.modules['ml_dtypes'] = None\n"
                   "import invar, numpy as np\n"
                   "s = invar.Session(sys.argv[1], cache=False)\n"
                   "try: s.run(None, {'x': np.zeros(2, np.float32)})\n"
                   "except invar.Error as error: print(error)")
        to_bfloat16 = model([helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BFLOAT16)], [info("x", [2])], ["y"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            onnx.save(to_bfloat16, path)
            said = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, "expected a package 'ml_dtypes' that has the type 'bfloat16', but there is none; install or update it\n")


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
        """Models and libraries, by path, as bytes and as messages."""
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
        self.check(invar.Session(made.read_bytes()))

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
        """What does not change is computed, and the result runs as the original does."""
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
        """What a model says of itself that is not so is told to who called."""
        wrong = model([helper.make_node("Neg", ["x"], ["h"]), helper.make_node("Abs", ["h"], ["y"])], [info("x", [3])], ["y"])
        wrong.graph.output[0].CopyFrom(info("y", [4]))
        for call in (session, invar.optimize, lambda wrong: invar.compile(wrong, self.place("m.so"))):
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
        """Eight threads that run one session get what one gets."""
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
        """A run does not hold Python's lock: another thread counts while a long one is under way."""
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
        """The blocks of README.md and docs/Python.md run, each document's in order; what they say is printed is."""
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
    """Ours, and of the standard's runner a slice."""
    known = "test_loop16_seq_none_cpu"  # The runner takes the length of scalars in sequences.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # What the package computes overflows on purpose.
        cases = BackendTest(invar.backend, __name__).test_cases.values()
    for case in cases:
        names = [name for name in loader.getTestCaseNames(case) if SLICE.match(name) and name.endswith("_cpu") and name != known]
        ours.addTests(map(case, names))
    return ours


if __name__ == "__main__":
    unittest.main()
