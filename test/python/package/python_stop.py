#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests calls of the Python package that end early: by a token, the clock, a limit, Ctrl-C, and the end of the
interpreter. Needs a Python that has the package:

  utils/with-package build/dev test/python/package/python_stop.py
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

sys.path.insert(1, sys.path[0] + "/../support")
import endless
import harness
import invar
from python_parts import ADD, SUM, X, Z, session

FOREVER = {"m": np.array(2**60), "x": np.zeros(4, np.float32)}
FEW = {"m": np.array(5), "x": np.zeros(4, np.float32)}
# The start of each process. It prints that it is ready and then does its work in the main thread, without an end.
PRELUDE = """
import os, signal, sys, threading, time
sys.path.insert(0, {folder!r})
import numpy as np, endless, invar
FOREVER = {{"m": np.array(2**60), "x": np.zeros(4, np.float32)}}
many = endless.many_kernels(60).SerializeToString()
loop = invar.Session(endless.loop(), cache=False)
print("ready", flush=True)
"""


class LimitsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.loop = session(endless.loop())

    def check_usable(self):
        np.testing.assert_array_equal(self.loop.run(None, FEW)[0], np.full(4, 5, np.float32))

    def test_token(self):
        token = invar.Cancel()
        self.assertFalse(token.cancelled)
        timer = threading.Timer(0.05, token.cancel)
        timer.start()
        with self.assertRaisesRegex(invar.Cancelled, "expected to reach the end, but was cancelled") as raised:
            self.loop.run(None, FOREVER, cancel=token)
        self.assertIsInstance(raised.exception, invar.Error)
        self.assertTrue(token.cancelled)
        with self.assertRaises(invar.Cancelled):
            self.loop.run(None, FEW, cancel=token)
        token.reset()
        self.loop.run(None, FEW, cancel=token)
        self.check_usable()

    def test_one_token_for_many(self):
        token, cancelled = invar.Cancel(), []

        def run():
            try:
                self.loop.run(None, FOREVER, cancel=token)
            except invar.Cancelled as error:
                cancelled.append(error)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        token.cancel()
        for thread in threads:
            thread.join()
        self.assertEqual(len(cancelled), 4)
        self.check_usable()

    def test_timeout(self):
        with self.assertRaisesRegex(invar.DeadlineExceeded, "expected to end within 50.000 ms, but there was more to do") as raised:
            self.loop.run(None, FOREVER, timeout=0.05)
        self.assertIsInstance(raised.exception, TimeoutError)
        self.assertIsInstance(raised.exception, invar.Error)
        with self.assertRaises(invar.DeadlineExceeded):
            self.loop.run(None, FEW, timeout=0)
        for long in (3600, 1e300, float("inf"), None):
            self.loop.run(None, FEW, timeout=long)
        for bad in (-1, float("nan")):
            with self.assertRaisesRegex(invar.ArgumentError, "expected a timeout of at least 0 seconds, but got"):
                self.loop.run(None, FEW, timeout=bad)
        self.check_usable()

    def test_memory_limit(self):
        add = session(ADD)
        big = np.zeros((100_000, 3), np.float32)
        with self.assertRaisesRegex(invar.Error, "the run is limited to 1000 bytes"):
            add.run(None, {"x": big, "z": Z}, memory_limit=1000)
        np.testing.assert_array_equal(add.run(None, {"x": X, "z": Z}, memory_limit=1000)[0], SUM)
        add.run(None, {"x": big, "z": Z}, memory_limit=10_000_000)
        with self.assertRaisesRegex(invar.ArgumentError, "expected a memory limit of at least 0 bytes, but got -1"):
            add.run(None, {"x": X, "z": Z}, memory_limit=-1)

    def test_compiling(self):
        many = endless.many_kernels(10)
        token = invar.Cancel()
        token.cancel()
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "out")
            for work in (lambda **limits: invar.compile(many, place, **limits),
                         lambda **limits: invar.optimize(many, place, **limits),
                         lambda **limits: invar.Session(many, cache=folder, **limits)):
                with self.assertRaises(invar.Cancelled):
                    work(cancel=token)
                with self.assertRaises(invar.DeadlineExceeded):
                    work(timeout=0.001)
                self.assertEqual(os.listdir(folder), [])
            token.reset()
            invar.optimize(many, place, cancel=token, timeout=3600)
            self.assertEqual(os.listdir(folder), ["out"])

    def test_cancelled_at_any_moment(self):
        """At any moment, the only error is the cancellation."""
        many, generator = endless.many_kernels(10), random.Random(1)
        began = time.monotonic()
        invar.Session(many, cache=False)
        whole = time.monotonic() - began
        for _ in range(10):
            token = invar.Cancel()
            timer = threading.Timer(generator.random() * whole, token.cancel)
            timer.start()
            try:
                invar.Session(many, cache=False, cancel=token)
            except invar.Cancelled:
                pass
            timer.join()


class ProcessesTest(unittest.TestCase):
    """Tests of whole Python processes."""

    def start(self, code: str) -> subprocess.Popen:
        prelude = PRELUDE.format(folder=str(pathlib.Path(__file__).resolve().parents[1] / "support"))
        process = subprocess.Popen([sys.executable, "-c", prelude + code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=harness.heed_ctrl_c)
        # Read byte by byte: communicate() does not see bytes that a buffer has read ahead.
        said = b""
        while not said.endswith(b"\n") and (byte := os.read(process.stdout.fileno(), 1)):
            said += byte
        self.assertEqual(said, b"ready\n")
        return process

    def interrupt(self, work: str, seconds: float) -> None:
        """Sends Ctrl-C at a random moment during longer work."""
        generator, longest = random.Random(1), 0.0
        code = f"try:\n    {work}\nexcept KeyboardInterrupt:\n    print(loop.run(None, dict(FOREVER, m=np.array(5)))[0])\n"
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(4):
                process = self.start(f"os.chdir({folder!r})\n" + code)
                time.sleep(generator.random() * seconds)
                began = time.monotonic()
                process.send_signal(signal.SIGINT)
                said, errors = process.communicate()
                longest = max(longest, time.monotonic() - began)
                self.assertEqual((process.returncode, errors), (0, ""))
                self.assertEqual(said, "[5. 5. 5. 5.]\n")
                self.assertEqual(os.listdir(folder), [])
        print(f"{work}: ended within {longest * 1000:.0f} ms, with the end of Python")

    def test_interrupted_run(self):
        self.interrupt("loop.run(None, FOREVER)", 0.5)

    def test_interrupted_compilation(self):
        self.interrupt("invar.compile(many, 'out.so')", 0.3)

    def test_interrupted_optimization(self):
        self.interrupt("[invar.optimize(many) for _ in range(10**9)]", 0.3)

    def test_interrupted_opening(self):
        self.interrupt("invar.Session(many, cache=False)", 0.3)

    def test_handlers_that_raise_nothing(self):
        process = self.start("""
heard = []
signal.signal(signal.SIGUSR1, lambda *_: heard.append("USR1"))
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
try:
    loop.run(None, FOREVER, timeout=0.5)
except invar.DeadlineExceeded:
    print(heard)
""")
        said, errors = process.communicate()
        self.assertEqual((process.returncode, said, errors), (0, "['USR1']\n", ""))

    def test_daemons_at_exit(self):
        """Daemon threads, which the interpreter does not wait for, in all calls that take long."""
        for work in ("loop.run(None, FOREVER)", "[loop.run(None, dict(FOREVER, m=np.array(9))) for _ in range(10**9)]",
                     "[invar.optimize(many, '/dev/null') for _ in range(10**9)]", "[invar.Session(many, cache=False) for _ in range(10**9)]"):
            with self.subTest(work):
                process = self.start(f"""
def work():
    {work}
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
print("end")
""")
                said, errors = process.communicate()
                self.assertEqual((process.returncode, said, errors), (0, "end\n", ""))

    def test_runs_while_it_exits(self):
        process = self.start("""
import atexit
atexit.register(lambda: print(loop.run(None, dict(FOREVER, m=np.array(2)))[0]))
""")
        said, errors = process.communicate()
        self.assertEqual((process.returncode, said, errors), (0, "[2. 2. 2. 2.]\n", ""))


if __name__ == "__main__":
    unittest.main()
