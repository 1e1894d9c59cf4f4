#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests weights that are not in the library, or not permanently: omitted, stored beside it, and replaced at run time.

  utils/with-package build/dev test/python/package/python_weights.py
"""
import os
import pathlib
import shutil
import tempfile
import threading
import unittest

import numpy as np
import onnx
import safetensors.numpy
from onnx import helper, numpy_helper

import invar
from python_parts import info, model

IMAGE = (2, 8, 12, 12)


def network(**changed: np.ndarray) -> onnx.ModelProto:
    """Makes a normalized convolution, a depthwise convolution, and products: these cover all transformations of
    weights."""
    generator = np.random.default_rng(1)

    def some(*shape: int) -> np.ndarray:
        return generator.standard_normal(shape, np.float32) / 4

    weights = {"filters": some(16, 8, 3, 3), "scale": some(16) + 2, "shift": some(16), "mean": some(16), "variance": some(16) ** 2 + 1,
               "each": some(16, 1, 3, 3), "grouped": some(16, 4, 1, 1), "matrix": some(24, 16), "bias": some(24),
               "last": some(24, 40), "half": some(40, 8).astype(np.float16)}
    weights |= changed
    nodes = [helper.make_node("Conv", ["x", "filters"], ["a"], pads=[1] * 4),
             helper.make_node("BatchNormalization", ["a", "scale", "shift", "mean", "variance"], ["b"]),
             helper.make_node("Relu", ["b"], ["c"]),
             helper.make_node("Conv", ["c", "each"], ["d"], group=16, pads=[1] * 4),
             helper.make_node("Conv", ["d", "grouped"], ["e"], group=4),
             helper.make_node("GlobalAveragePool", ["e"], ["f"]),
             helper.make_node("Flatten", ["f"], ["g"]),
             helper.make_node("Gemm", ["g", "matrix", "bias"], ["h"], transB=1),
             helper.make_node("MatMul", ["h", "last"], ["i"]),
             helper.make_node("Cast", ["half"], ["single"], to=onnx.TensorProto.FLOAT),
             helper.make_node("MatMul", ["i", "single"], ["y"])]
    made = model(nodes, [info("x", list(IMAGE))], ["y"], weights)
    made.opset_import[0].version = 17
    made.ir_version = 8
    return made


def weights_of(made: onnx.ModelProto) -> dict[str, np.ndarray]:
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in made.graph.initializer}


class WeightsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.x = np.random.default_rng(2).standard_normal(IMAGE, np.float32)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="python-weights")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model, self.library = self.folder / "model.onnx", self.folder / "model.so"
        onnx.save(network(), self.model)

    def run_once(self, session: invar.Session) -> np.ndarray:
        return session.run(None, {"x": self.x})[0]

    def expect(self, session: invar.Session, **changed: np.ndarray):
        """The outputs must be those of a model compiled with these weights."""
        expected = self.run_once(invar.Session(network(**changed), cache=False))
        np.testing.assert_allclose(self.run_once(session), expected, rtol=1e-4, atol=1e-5)

    def refuse(self, text: str, *arguments, **options):
        with self.assertRaises(invar.Error) as caught:
            invar.Session(*arguments, **options)
        self.assertIn(text, str(caught.exception))

    # Omitted

    def test_left_out(self):
        invar.compile(self.model, self.library, link_params="none")
        # Beside the library, with its original name, or at a path that is given.
        self.expect(invar.Session(self.library))
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        moved = shutil.move(self.model, elsewhere / "other.onnx")
        self.refuse("expected a file with the weights of the model", self.library)
        self.expect(invar.Session(self.library, weights=moved))
        safetensors.numpy.save_file(weights_of(network()), elsewhere / "w.safetensors")
        self.expect(invar.Session(self.library, weights=elsewhere / "w.safetensors"))
        self.assertLess(self.library.stat().st_size, os.stat(moved).st_size + 200_000)

    def test_other_weights(self):
        invar.compile(self.model, self.library, link_params="none")
        changed = {"last": np.ones((24, 40), np.float32), "filters": np.full((16, 8, 3, 3), 0.25, np.float32)}
        onnx.save(network(**changed), self.folder / "tuned.onnx")
        self.expect(invar.Session(self.library, weights=self.folder / "tuned.onnx"), **changed)

    def test_wrong_weights(self):
        invar.compile(self.model, self.library, link_params="none")
        def write(weights: dict) -> pathlib.Path:
            safetensors.numpy.save_file(weights, self.folder / "w.safetensors")
            return self.folder / "w.safetensors"
        good = weights_of(network())
        self.refuse("expected the weight 'last', but there is none", self.library,
                    weights=write({name: value for name, value in good.items() if name != "last"}))
        self.refuse("expected the weight 'last' to be tensor(float)[24,40], but got tensor(float)[40,24]", self.library,
                    weights=write(good | {"last": np.zeros((40, 24), np.float32)}))
        self.refuse("but got tensor(double)", self.library, weights=write(good | {"last": np.zeros((24, 40))}))
        whole = write(good)
        os.truncate(whole, whole.stat().st_size - 4)
        self.refuse("the file was cut short", self.library, weights=whole)

    def test_kept_folds(self):
        """Constants of one file of weights must not be used for another."""
        invar.compile(self.model, self.library, link_params="none")
        changed = {"last": np.ones((24, 40), np.float32)}
        onnx.save(network(**changed), self.folder / "tuned.onnx")
        for weights, are in ((self.model, {}), (self.folder / "tuned.onnx", changed)):
            first = invar.Session(self.library, weights=weights, fold_cache=self.folder / "cache")
            self.expect(first, **are)
            self.assertGreater(first.folds_run, 0)
            del first
            second = invar.Session(self.library, weights=weights, fold_cache=self.folder / "cache")
            self.expect(second, **are)
            self.assertEqual(second.folds_run, 0)

    # Beside the library

    def test_beside(self):
        for refittable in (False, True):
            invar.compile(self.model, self.library, link_params="file", refittable=refittable)
            self.expect(invar.Session(self.library))
            found = safetensors.numpy.load_file(self.folder / "model.safetensors")
            self.assertTrue(all(name.startswith(("constant.", "padding.")) for name in found if name not in weights_of(network())))
        # Replaceable weights have their names and their original values.
        for name, value in weights_of(network()).items():
            np.testing.assert_array_equal(found[name], value)

    def test_wrong_file_beside(self):
        invar.compile(self.model, self.library, link_params="file")
        beside = self.folder / "model.safetensors"
        good = beside.read_bytes()
        beside.unlink()
        self.refuse("model.safetensors, which has the constants: cannot open", self.library)
        beside.write_bytes(good[:-64])
        self.refuse(f"expected {len(good)} bytes, but got {len(good) - 64}", self.library)
        beside.write_bytes(good[:100])
        self.refuse(f"expected {len(good)} bytes, but got 100", self.library)
        onnx.save(network(last=np.ones((24, 40), np.float32)), self.model)
        invar.compile(self.model, self.folder / "other.so", link_params="file")
        shutil.copy(self.folder / "other.safetensors", beside)
        self.refuse("expected the constants that were written with the library, but got others", self.library)
        # The file may be anywhere else.
        (self.folder / "moved").write_bytes(good)
        self.expect(invar.Session(self.library, weights=self.folder / "moved"))

    # Replaced

    def test_refit(self):
        for times in ("auto", "run", "compile", "never"):
            with self.subTest(times):
                invar.compile(self.model, self.library, refittable=True, fold_at=times)
                session = invar.Session(self.library)
                self.assertEqual({parameter.name for parameter in session.get_parameters()}, set(weights_of(network())))
                self.expect(session)
                changed = {}
                for name, value in weights_of(network()).items():
                    before = session.folds_run
                    changed[name] = (value * 0.5 + 0.25).astype(value.dtype)
                    session.refit({name: changed[name]})
                    self.expect(session, **changed)
                    # Only constants that contain this weight are computed again: its panels, or the normalization too.
                    self.assertLessEqual(session.folds_run - before, 3 if times != "never" else 0)
                    if name in ("last", "filters") and times != "never":
                        self.assertEqual(session.folds_run - before, 1)
                session.refit(weights_of(network()))
                self.expect(session)

    def test_refit_before_the_first_run(self):
        invar.compile(self.model, self.library, refittable=True)
        changed = {"last": np.ones((24, 40), np.float32)}
        session = invar.Session(self.library, fold_cache=self.folder / "cache")
        session.refit(changed)
        self.expect(session, **changed)
        del session
        # Constants of replaced weights are not stored for other sessions.
        self.expect(invar.Session(self.library, fold_cache=self.folder / "cache"))

    def test_refit_of_what_is_kept(self):
        invar.compile(self.model, self.library, refittable=True)
        changed = {"last": np.ones((24, 40), np.float32)}
        self.expect(invar.Session(self.library, fold_cache=self.folder / "cache"))
        session = invar.Session(self.library, fold_cache=self.folder / "cache")
        session.refit(changed)
        self.assertEqual(session.folds_run, 1)
        self.expect(session, **changed)
        self.expect(invar.Session(self.library, fold_cache=self.folder / "cache"))

    def test_refit_while_it_runs(self):
        session = invar.Session(network(), cache=False, refittable=True)
        values = [np.full((24, 40), value, np.float32) for value in (0.5, 1, 2)]
        allowed = []
        for value in values:
            session.refit({"last": value})
            allowed.append(self.run_once(session).tobytes())
        seen, over = [], threading.Event()

        def look():
            while not over.is_set():
                seen.append(self.run_once(session).tobytes())
        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for turn in range(60):
            session.refit({"last": values[turn % 3]})
        over.set()
        for thread in threads:
            thread.join()
        self.assertTrue(seen)
        self.assertLessEqual(set(seen), set(allowed))

    def test_bad_refit(self):
        session = invar.Session(network(), cache=False, refittable=True)
        for text, weights in (("weights that can be replaced, but got 'nobody'", {"nobody": np.zeros(3, np.float32)}),
                              ("'last'", {"last": np.zeros((3, 3), np.float32)}),
                              ("'last'", {"last": np.zeros((24, 40), np.int32)}),
                              ("'last'", {"bias": np.zeros(24, np.float32), "last": np.zeros(1, np.float32)})):
            with self.assertRaises(invar.Error) as caught:
                session.refit(weights)
            self.assertIn(text, str(caught.exception))
        self.expect(session)
        with self.assertRaisesRegex(invar.Error, "--refittable"):
            invar.Session(network(), cache=False).refit({"last": np.zeros((24, 40), np.float32)})


if __name__ == "__main__":
    unittest.main()
