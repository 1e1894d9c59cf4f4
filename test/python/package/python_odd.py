#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes odd objects to every function of the Python package: each must be accepted or rejected by an exception, and
the process must continue. Needs a Python that has the package:

  utils/with-package build/dev test/python/package/python_odd.py
"""
import ctypes
import faulthandler
import itertools
import pathlib
import random
import tempfile
import threading
import types
import unittest
import warnings
from typing import Callable, Iterator

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

import invar
from python_parts import ADD, SUM, X, Z, info, model, session, unary

faulthandler.enable()


class Raising:
    """Raises an error at every access."""
    def __getattr__(self, name: str):
        raise ZeroDivisionError(name)

    def __array__(self, *_, **__):
        raise KeyError("array")

    def __len__(self):
        raise OSError("len")

    def __iter__(self):
        raise StopAsyncIteration

    def __index__(self):
        raise ArithmeticError

    def __fspath__(self):
        raise LookupError

    def __repr__(self):
        raise UnicodeError("repr")


class Liar:
    """Claims a wrong element type."""
    def __init__(self, array: np.ndarray, name: str):
        self.array, self.dtype = array, types.SimpleNamespace(name=name, kind="f")
        self.shape = array.shape

    def view(self, *_):
        return self.array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class LyingArray(np.ndarray):
    @property
    def dtype(self):
        return np.dtype("float64")

    @property
    def shape(self):
        return (1000, 1000)


class BadCapsule:
    def __dlpack__(self, **_):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(1, b"something else", None)

    def __dlpack_device__(self):
        return 1, 0


class OtherDevice(BadCapsule):
    def __dlpack_device__(self):
        return 2, 7


class Returns:
    """Returns wrong kinds of objects where numpy expects something else."""
    def __init__(self, what):
        self.what = what

    def __array__(self, *_, **__):
        return self.what


def recursive() -> list:
    items: list = []
    items.append(items)
    return items


def arrays() -> Iterator[object]:
    """Yields arrays of every type, shape and memory layout."""
    kinds = [np.dtype(code) for code in "?bBhHiIqQefdgFDG"] + [np.dtype(t) for t in (
        ">f4", ">i8", "U3", "S3", "O", "M8[s]", "m8[s]", "V3", [("a", "f4"), ("b", "i8")], ml_dtypes.bfloat16, ml_dtypes.int4,
        ml_dtypes.float8_e4m3fn)]
    for kind, shape in itertools.product(kinds, ((), (0,), (3,), (2, 3), (2, 0, 3), (1,) * 32)):
        yield np.zeros(shape, kind)
    base = np.arange(24, dtype=np.float32).reshape(4, 6)
    yield from (base[::2, ::2], base.T, base[::-1, ::-1], base[1:3, 1:4], np.broadcast_to(np.float32(1), (2, 3)),
                np.lib.stride_tricks.as_strided(base, (2, 3), (0, -0)), np.asfortranarray(base[:2, :3]),
                np.frombuffer(bytes(25), np.uint8)[1:25].view(np.float32).reshape(2, 3), np.ma.masked_array(base[:2, :3]),
                base[:2, :3].view(np.recarray), np.float32(1), np.array(None), np.array([[None]]),
                np.broadcast_to(np.float32(0), (2 ** 60,)), np.empty((2 ** 40, 0), np.float32), base[:2, :3].view(LyingArray))
    read_only = base[:2, :3].copy()
    read_only.flags.writeable = False
    yield read_only


def odd() -> Iterator[object]:
    yield from (None, True, 0, -1, 10 ** 30, 2 ** 63, 1.5, float("nan"), 1j, "", "x", "a\0b", "\ud800", b"", b"x\0", ..., type, len,
                [], [[]], [1, [2]], [None], ["a", 1], (), {}, {"x": None}, {1: 2}, {"x"}, range(3), iter([1]), (i for i in [1]),
                object(), recursive(), memoryview(b"abc"), bytearray(b"abc"), Raising(), BadCapsule(), OtherDevice(), Returns(5),
                Returns([1]), Returns(np.zeros((2, 3))), Liar(np.zeros((2, 3), np.float32), "float64"),
                Liar(np.zeros((2, 3), np.float32), "bfloat16"), [np.zeros(2), np.zeros(3)], np, X.astype, threading.Lock())
    yield from arrays()


def name(thing: object) -> str:
    try:
        return f"{type(thing).__name__} {thing!r:.60}"
    except Exception:
        return type(thing).__name__


class OddTest(unittest.TestCase):
    def attempt(self, what: object, call: Callable[[], object]) -> None:
        """The call must end with a result or with an ordinary exception."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                call()
            except SystemError as error:
                self.fail(f"{name(what)}: expected an exception that says why, but got {error!r}")
            except Exception:
                pass

    def test_inputs(self):
        identity = {kind: session(unary("Identity", ["n", "m"], kind)) for kind in
                    (TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING, TensorProto.BFLOAT16, TensorProto.BOOL)}
        for thing, (kind, made) in itertools.product(odd(), identity.items()):
            with self.subTest(thing=name(thing), kind=kind):
                self.attempt(thing, lambda: made.run(None, {"x": thing}))
        np.testing.assert_array_equal(identity[TensorProto.FLOAT].run(None, {"x": X})[0], X)

    def test_sequences_optionals_and_maps(self):
        tensor = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
        for kind in (helper.make_sequence_type_proto(tensor), helper.make_optional_type_proto(tensor),
                     helper.make_map_type_proto(TensorProto.INT64, tensor), helper.make_map_type_proto(TensorProto.STRING, tensor)):
            inputs = [helper.make_value_info("x", kind)]
            try:
                made = session(model([helper.make_node("Identity", ["x"], ["y"])], inputs, ["y"]))
            except invar.Error:
                continue  # Identity does not accept maps.
            for thing in odd():
                for wrapped in (thing, [thing], {1: thing}, {"a": thing}, [{1: thing}]):
                    with self.subTest(thing=name(thing)):
                        self.attempt(thing, lambda: made.run(None, {"x": wrapped}))

    def test_arguments_of_run(self):
        add = session(ADD)
        feeds = {"x": X, "z": Z}
        for thing in odd():
            with self.subTest(thing=name(thing)):
                for call in (lambda: add.run(thing, feeds), lambda: add.run([thing], feeds), lambda: add.run(None, thing),
                             lambda: add.run(None, feeds, out=thing), lambda: add.run(None, feeds, out={"y": thing}),
                             lambda: add.run(None, feeds, out={thing: SUM}), lambda: add.run(None, {thing: X}),
                             lambda: add.refit(thing), lambda: add.refit({"w": thing})):
                    self.attempt(thing, call)
        np.testing.assert_array_equal(add.run(None, feeds)[0], SUM)

    def test_an_output_is_as_large_as_its_elements(self):
        """An array of floats that claims to be one of doubles must not be written beyond its end."""
        add = session(unary("Identity", [2, 3], TensorProto.DOUBLE))
        place = np.zeros((4, 3), np.float32)
        with self.assertRaises(invar.ArgumentError):
            add.run(None, {"x": np.ones((2, 3))}, out={"y": Liar(place[:2], "float64")})
        np.testing.assert_array_equal(place, np.zeros((4, 3)))

    def test_models_and_options(self):
        small = ADD.SerializeToString()
        generator = random.Random(1)
        facts = ("shapes", "dims", "threads")
        optimizing = (*facts, "passes", "enable", "disable", "opset", "max_growth", "memory_limit")
        compiling = (*facts, "target_cpu", "fold_at", "winograd", "link_params")
        paths = ("cache", "fold_cache", "weights")
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out")
            for thing in odd():
                if isinstance(thing, np.ndarray) and generator.random() > 0.1:
                    continue  # Arrays all behave the same here.
                # A text would be a file in this folder, and None and True the user's own cache.
                path = pathlib.Path(folder, "none") if thing is None or thing is True or isinstance(thing, (str, bytes)) else thing
                with self.subTest(thing=name(thing)):
                    self.attempt(thing, lambda: invar.optimize(path))
                    self.attempt(thing, lambda: invar.compile(path, out))
                    self.attempt(thing, lambda: invar.compile(small, path))
                    self.attempt(thing, lambda: invar.Session(path, cache=False))
                    for key in optimizing:
                        self.attempt(thing, lambda: invar.optimize(small, **{key: thing}))
                    for key in compiling:
                        self.attempt(thing, lambda: invar.compile(small, out, **{key: thing}))
                    for key in paths:
                        self.attempt(thing, lambda: invar.Session(small, **{"cache": False, key: path}))

    def test_a_zero_in_a_name_does_not_cut_an_error(self):
        bad = model([helper.make_node("Relu", ["x", "x"], ["y"], name="a\0b")], [info("x", [1])], ["y"])
        with self.assertRaisesRegex(invar.Error, r"'a\\x00b'.*expected"):
            invar.optimize(bad)

    def test_threads_that_change_what_others_read(self):
        """Elements may change during a run, but not their address."""
        add, feeds = session(ADD), {"x": X.copy(), "z": Z.copy()}
        place = np.empty_like(SUM)
        stop = threading.Event()

        def disturb():
            while not stop.is_set():
                feeds["x"][:] = 7
                try:
                    feeds["x"].resize((5, 3))
                except ValueError:
                    pass
                feeds["x"] = X.copy()

        disturber = threading.Thread(target=disturb)
        disturber.start()
        try:
            for _ in range(300):
                self.attempt(None, lambda: add.run(None, dict(feeds), out={"y": place}))
        finally:
            stop.set()
            disturber.join()


if __name__ == "__main__":
    unittest.main()
