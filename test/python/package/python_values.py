#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests values in and out of the Python package: memory layouts, every data type, strings, sequences, optionals, maps.
Needs a Python that has the package:

  utils/with-package build/dev test/python/package/python_values.py
"""
import collections
import os
import subprocess
import sys
import tempfile
import types
import unittest

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

import invar
from python_parts import ADD, SUM, X, Z, MemoryPeak, info, model, session, unary

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


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


class Exchanged:
    """An array that only supports DLPack."""

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
        """A value that passes through a model keeps its memory until it is returned."""
        nodes = [helper.make_node("Identity", ["x"], ["y"]), helper.make_node("Shape", ["x"], ["size"])]
        through = session(model(nodes, [info("x", ["n"])], ["y", "size"]))
        x = np.ones(1 << 24, np.float32)
        with MemoryPeak() as peak:
            through.run(["size"], {"x": x})
        self.assertLess(peak.bytes, x.nbytes // 2)
        with MemoryPeak() as peak:
            through.run(None, {"x": x})
        self.assertGreaterEqual(peak.bytes, x.nbytes // 2)

    def test_outputs_are_not_copied(self):
        y = self.check(X)
        self.assertFalse(y.flags.owndata)
        self.assertTrue(y.flags.writeable)
        self.assertEqual(address(y) % 64, 0)
        # DLPack gets the same memory, too.
        self.assertEqual(address(np.from_dlpack(y)), address(y))

    def test_outputs_are_private(self):
        """Inputs, constants and outputs that are the same value are returned as copies."""
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
        # This also works if the output is an input.
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
        np.testing.assert_array_equal(two.run([], {"x": Z}), [-Z, Z])


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

    def run_both(self, node: onnx.NodeProto, x: onnx.TypeProto, y: onnx.TypeProto, feed):
        """Runs a model of one node here and in onnxruntime, which must agree on types and outputs."""
        graph = helper.make_graph([node], "g", [helper.make_value_info("x", x)], [helper.make_value_info("y", y)])
        imports = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)]
        made = helper.make_model(graph, opset_imports=imports, ir_version=9)
        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = 4
        theirs = onnxruntime.InferenceSession(made.SerializeToString(), settings)
        ours = session(made)
        for ends in ("get_inputs", "get_outputs"):
            self.assertEqual([e.type for e in getattr(ours, ends)()], [e.type for e in getattr(theirs, ends)()])
        [y] = ours.run(None, {"x": feed})
        [wanted] = theirs.run(None, {"x": feed})
        return ours, y, wanted

    def test_rows_zipped_with_labels(self):
        """scikit-learn's classifiers end with a list of dicts with Python numbers."""
        x = np.random.default_rng(0).random((5, 3), np.float32)
        for key, labels in ((TensorProto.INT64, {"classlabels_int64s": [3, 1, 2]}), (TensorProto.STRING, {"classlabels_strings": ["b", "ż", "a"]})):
            node = helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", **labels)
            kind = helper.make_map_type_proto(key, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
            ours, y, wanted = self.run_both(node, helper.make_tensor_type_proto(TensorProto.FLOAT, [None, 3]),
                                            helper.make_sequence_type_proto(kind), x)
            self.assertEqual(y, wanted)
            self.assertEqual([list(row) for row in y], [list(row) for row in wanted])
            self.assertEqual({type(value) for row in y for value in row.values()}, {float})
            [kept] = ours.run(None, {"x": x[:1]})
            del ours
            self.assertEqual(list(kept[0].values()), list(wanted[0].values()))

    def test_maps(self):
        kind = lambda key, value: helper.make_map_type_proto(key, helper.make_tensor_type_proto(value, []))
        tensor = lambda value: helper.make_tensor_type_proto(value, [1, None])
        ml = lambda operator, **attributes: helper.make_node(operator, ["x"], ["y"], domain="ai.onnx.ml", **attributes)
        text, integer, single = TensorProto.STRING, TensorProto.INT64, TensorProto.FLOAT
        for node, x, y, feed in (
                (ml("DictVectorizer", string_vocabulary=["z", "q", "a"]), kind(text, single), tensor(single), {"a": 1.0, "z": 3.5}),
                (ml("DictVectorizer", int64_vocabulary=[5, 1]), kind(integer, single), tensor(single), {1: 2.0, 9: 1.0}),
                (ml("CastMap", cast_to="TO_FLOAT"), kind(integer, single), tensor(single), {7: 1.5, -3: -2.5}),
                (ml("CastMap", cast_to="TO_INT64", map_form="SPARSE", max_map=4), kind(integer, single), tensor(integer), {3: 1.5, 0: -2.7, 8: 1.0}),
                (ml("CastMap", cast_to="TO_STRING", map_form="SPARSE", max_map=2), kind(integer, single), tensor(text), {1: 0.1})):
            with self.subTest(node=node.op_type, feed=feed):
                ours, got, wanted = self.run_both(node, x, y, feed)
                self.assertEqual((got.dtype, got.tolist()), (wanted.dtype, wanted.tolist()))
                for other in (types.MappingProxyType(feed), collections.OrderedDict(feed)):
                    self.assertEqual(ours.run(None, {"x": other})[0].tolist(), wanted.tolist())
        # Inputs that onnxruntime's Python package does not accept.
        count = session(self.one(ml("DictVectorizer", string_vocabulary=["b", "a"]), kind(text, integer)))
        self.assertEqual(count.run(None, {"x": {"a": 2**60, "c": 1}})[0].tolist(), [[0, 2**60]])
        names = session(self.one(ml("DictVectorizer", int64_vocabulary=[1, 2]), kind(integer, text)))
        self.assertEqual(names.run(None, {"x": {2: "two"}})[0].tolist(), [["", "two"]])
        self.assertEqual(names.run(None, {"x": {}})[0].tolist(), [["", ""]])

    @staticmethod
    def one(node: onnx.NodeProto, x: onnx.TypeProto) -> onnx.ModelProto:
        made = model([node], [helper.make_value_info("x", x)], ["y"])
        made.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
        return made

    def test_maps_that_are_none(self):
        kind = helper.make_map_type_proto(TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
        cast = session(self.one(helper.make_node("CastMap", ["x"], ["y"], domain="ai.onnx.ml"), kind))
        for text, value in (("expected input 'x' to be a mapping, but got list", [1.0]),
                            ("expected integers as keys of input 'x', but got str", {"a": 1.0}),
                            ("expected integers as keys of input 'x', but got float", {1.5: 1.0}),
                            ("expected numbers of type float in input 'x'", {1: "x"}),
                            ("expected input 'x' to be map(int64, tensor(float)), but got nothing", None)):
            with self.subTest(text), self.assertRaisesRegex(invar.ArgumentError, "^.*" + text.replace("(", r"\(").replace(")", r"\)")):
                cast.run(None, {"x": value})
        self.assertEqual(cast.run(None, {"x": {np.int64(2): np.float32(0.5)}})[0].tolist(), [[0.5]])

    def test_without_ml_dtypes(self):
        """A model that needs the package reports it, and other models run without it."""
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


if __name__ == "__main__":
    unittest.main()
