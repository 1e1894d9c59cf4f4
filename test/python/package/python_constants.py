#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests constants of models in the Python package: when they are computed, how often, and where they are stored.

  utils/with-package build/dev test/python/package/python_constants.py
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np
from onnx import helper

import invar
from python_parts import info, model

WIDTH, LAYERS = 64, 3
THREADS, RUNS = 8, 125  # runs per thread

# Runs a library with stored constants, and prints how many folds it computed.
ANOTHER_PROCESS = """
import json, sys
import numpy as np, invar
session = invar.Session(sys.argv[1], fold_cache=sys.argv[2])
[y] = session.run(None, {"x": np.load(sys.argv[3])})
np.save(sys.argv[4], y)
print(json.dumps(session.folds_run))
"""


def products():
    """A chain of products with weights that are packed, and thus computed."""
    generator = np.random.default_rng(1)
    weights = {f"w{i}": generator.standard_normal((WIDTH, WIDTH), np.float32) / 8 for i in range(LAYERS)}
    nodes = [helper.make_node("MatMul", [f"t{i}" if i else "x", f"w{i}"], [f"t{i + 1}"]) for i in range(LAYERS)]
    return model(nodes, [info("x", ["n", WIDTH])], [f"t{LAYERS}"], weights)


class ConstantsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="python-constants")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.x = np.random.default_rng(2).standard_normal((4, WIDTH), np.float32)
        cls.libraries = {time: cls.folder / f"{time}.so" for time in ("auto", "compile", "run", "never")}
        for time, library in cls.libraries.items():
            invar.compile(products(), library, fold_at=time)
        cls.expected = cls.run_once(invar.Session(cls.libraries["never"]))

    @classmethod
    def run_once(cls, session: invar.Session) -> bytes:
        return session.run(None, {"x": cls.x})[0].tobytes()

    def test_times(self):
        """Outputs are the same bits, whenever constants are computed."""
        for time, library in self.libraries.items():
            session = invar.Session(library)
            self.assertEqual(session.folds_run, 0)
            self.assertEqual(self.run_once(session), self.expected, time)
            self.assertEqual(session.folds_run, LAYERS if time == "run" else 0, time)
        session = invar.Session(products(), fold_at="run", cache=False)
        self.assertEqual(self.run_once(session), self.expected)
        self.assertEqual(session.folds_run, LAYERS)

    def test_times_are_told_apart_where_models_are_kept(self):
        cache = self.folder / "libraries"
        for time, count in (("compile", 0), ("run", LAYERS), ("never", 0), ("run", LAYERS)):
            session = invar.Session(products(), fold_at=time, cache=cache)
            self.run_once(session)
            self.assertEqual(session.folds_run, count)
        self.assertIsNone(session.compile_seconds)
        self.assertIsNotNone(invar.Session(products(), fold_at="run", memory_plan=False, cache=cache).compile_seconds)

    def test_once_for_all_runs_and_processes(self):
        """A thousand runs by eight threads compute constants once, and a second process computes none."""
        cache = self.folder / "folds"
        session = invar.Session(self.libraries["run"], fold_cache=cache)
        together = threading.Barrier(THREADS)
        outputs: set[bytes] = set()

        def work() -> None:
            together.wait()
            for _ in range(RUNS):
                outputs.add(self.run_once(session))

        workers = [threading.Thread(target=work) for _ in range(THREADS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(outputs, {self.expected})
        self.assertEqual(session.folds_run, LAYERS)
        del session  # The file exists when the session is gone.
        self.assertEqual([path.suffix for path in cache.iterdir()], [".fold"])

        given, made = self.folder / "x.npy", self.folder / "y.npy"
        np.save(given, self.x)
        ended = subprocess.run([sys.executable, "-c", ANOTHER_PROCESS, *map(str, (self.libraries["run"], cache, given, made))],
                               stdout=subprocess.PIPE, check=True)
        self.assertEqual(json.loads(ended.stdout), 0)
        self.assertEqual(np.load(made).tobytes(), self.expected)

    def test_nowhere_to_keep(self):
        """The caller gets one warning, and results are right."""
        blocked = self.folder / "file"
        blocked.touch()
        session = invar.Session(self.libraries["run"], fold_cache=blocked / "folds")
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            for _ in range(2):
                self.assertEqual(self.run_once(session), self.expected)
        self.assertEqual([warning.category for warning in heard], [UserWarning])
        self.assertRegex(str(heard[0].message), "cannot open the folder: .*; constants are not kept for others$")
        self.assertEqual(heard[0].filename, __file__)
        self.assertEqual(session.folds_run, LAYERS)

    def test_other_ways(self):
        """Other options for convolutions and memory give the same outputs, up to rounding of transformed filters."""
        weights = np.random.default_rng(3).standard_normal((32, 32, 3, 3), np.float32) / 16
        convolution = model([helper.make_node("Conv", ["x", "w"], ["y"], pads=[1] * 4)], [info("x", [1, 32, 32, 32])], ["y"],
                            {"w": weights})
        x = np.random.default_rng(4).standard_normal((1, 32, 32, 32), np.float32)
        plain = invar.Session(convolution, winograd="off", cache=False).run(None, {"x": x})[0]
        made = self.folder / "convolution.so"
        invar.compile(convolution, made, winograd="on", memory_plan=False)
        transformed = invar.Session(made).run(None, {"x": x})[0]
        np.testing.assert_allclose(transformed, plain, atol=1e-4)
        self.assertFalse(np.array_equal(transformed, plain))
        unplanned = invar.Session(convolution, winograd="off", memory_plan=False, cache=False).run(None, {"x": x})[0]
        np.testing.assert_array_equal(unplanned, plain)

    def test_refusals(self):
        for options, text in (({"fold_at": "later"}, "expected 'auto', 'compile', 'run' or 'never' .* but got 'later'"),
                              ({"winograd": "yes"}, "expected 'auto', 'off', 'fast' or 'on' .* but got 'yes'")):
            with self.assertRaisesRegex(invar.ArgumentError, text):
                invar.compile(products(), self.folder / "refused.so", **options)
            with self.assertRaisesRegex(invar.ArgumentError, text):
                invar.Session(products(), cache=False, **options)
        for options in ({"fold_at": "run"}, {"winograd": "off"}, {"memory_plan": False}):
            with self.assertRaisesRegex(invar.ArgumentError, "but got a library"):
                invar.Session(self.libraries["run"], **options)


if __name__ == "__main__":
    unittest.main()
