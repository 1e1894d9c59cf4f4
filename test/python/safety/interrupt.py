#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests Ctrl-C at random moments of a command: it must end with 130 and one line, and leave a complete output or none,
and no other files. Also tests that limits on time and memory end a command.

The time to the end is printed but not judged, because it depends on the load of the machine.

  interrupt.py --invar build/dev/bin/invar [--times 20] [--seed 1]
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from typing import Iterator, NamedTuple

import numpy as np
import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import endless
import harness

FOREVER = 2**60
LINE = "invar: interrupted\n"


class Command(NamedTuple):
    name: str
    words: list[str]
    # Relative to the command's separate folder; empty if the command writes nothing.
    output: str = ""
    # The duration of a whole run, or the part of an endless run in which interrupts occur.
    seconds: float = 1.0

    def interrupt(self, folder: str, after: float, times: int = 1) -> tuple[float, Iterator[str]]:
        """Returns the time to the end, and complaints."""
        process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, cwd=folder, preexec_fn=harness.heed_ctrl_c)
        time.sleep(after)
        began = time.monotonic()
        for _ in range(times):
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        return time.monotonic() - began, self.complaints(folder, process.returncode, errors, times)

    def complaints(self, folder: str, code: int, errors: str, times: int) -> Iterator[str]:
        # A second Ctrl-C kills the program. A Ctrl-C before the program handles it, or after its end, has no effect.
        if code not in (130, 0, -signal.SIGINT):
            yield f"ended with {code}: {errors!r}"
        if code == 130 and errors != LINE:
            yield f"said {errors!r}"
        for name in set(os.listdir(folder)) - {self.output}:
            yield f"'{name}' stayed"
        output = os.path.join(folder, self.output)
        if self.output and os.path.exists(output):
            if self.output.endswith(".onnx"):
                onnx.checker.check_model(output)
            elif harness.run(self.words[0], "inspect", output).code:
                yield "the output is not whole"
            os.unlink(output)


def commands(invar: str, top: str) -> Iterator[Command]:
    loop, many, cache = (os.path.join(top, name) for name in ("loop.onnx", "many.onnx", "cache"))
    onnx.save(endless.loop(), loop)
    onnx.save(endless.many_kernels(60), many)
    for name, number in (("m", np.int64(FOREVER)), ("x", np.zeros(4, np.float32))):
        np.save(os.path.join(top, f"{name}.npy"), number)
    library = os.path.join(top, "loop.so")
    if ended := harness.run(invar, "compile", loop, "-o", library, "--quiet").code:
        sys.exit(f"cannot compile: {ended}")
    inputs = [f"--input={name}={os.path.join(top, name)}.npy" for name in "mx"]
    yield Command("run", [invar, "run", library, *inputs])
    yield Command("run a model", [invar, "run", loop, *inputs, f"--cache-dir={cache}"])
    yield Command("verify", [invar, "verify", loop, *inputs, "--no-cache"])
    for name, words, output in (("optimize", [invar, "optimize", many, "out.onnx"], "out.onnx"),
                                ("compile", [invar, "compile", many, "-o", "out.so"], "out.so")):
        with tempfile.TemporaryDirectory(dir=top) as folder:
            began = time.monotonic()
            subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            yield Command(name, words, output, time.monotonic() - began)


def check_bounds(invar: str, top: str, report: harness.Report) -> None:
    """Tests commands that end because of a limit."""
    many, out = os.path.join(top, "many.onnx"), os.path.join(top, "out")
    inputs = [f"--input={name}={os.path.join(top, name)}.npy" for name in "mx"]
    run = [invar, "run", os.path.join(top, "loop.so"), *inputs]
    for name, words, code, text in (
            ("run --timeout", [*run, "--timeout=0.05"], 3, "expected to end within 50.000 ms"),
            ("run --timeout=0", [*run, "--timeout=0"], 3, "expected to end within"),
            ("run --memory-limit", [*run, "--memory-limit=8"], 3, "the run is limited to 8 bytes"),
            ("run --timeout=soon", [*run, "--timeout=soon"], 2, "expected seconds such as '0.5' for '--timeout', but got 'soon'"),
            ("compile --timeout", [invar, "compile", many, "-o", out, "--timeout=0.01"], 3, "expected to end within 10.000 ms"),
            ("optimize --timeout", [invar, "optimize", many, out, "--timeout=0.001"], 3, "expected to end within 1.000 ms")):
        ended = subprocess.run(words, capture_output=True, text=True)
        wrong = []
        if ended.returncode != code or text not in ended.stderr or ended.stderr.count("\n") != 1:
            wrong.append(f"ended with {ended.returncode}: {ended.stderr!r}")
        if os.path.exists(out):
            wrong.append("an output appeared")
        report.check(name, wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--times", type=int, default=20, help="Ctrl-C of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    invar = os.path.abspath(options.invar)
    report = harness.Report(options.verbose)
    generator = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="interrupt") as top:
        for command in commands(invar, top):
            longest = 0.0
            for i in range(options.times):
                # At the start the program does not handle Ctrl-C yet.
                after = 0.05 + generator.random() * command.seconds
                with tempfile.TemporaryDirectory(dir=top) as folder:
                    took, complaints = command.interrupt(folder, after, times=2 if i % 5 == 4 else 1)
                    report.check(f"{command.name}, interrupted after {after * 1000:.0f} ms", list(complaints))
                longest = max(longest, took)
            print(f"{command.name}: of {options.times}, the slowest took {longest * 1000:.0f} ms to end", flush=True)
        check_bounds(invar, top, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
