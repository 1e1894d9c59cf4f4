#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests many sessions of many libraries in one process: each must run its own code with its own constants.

The script makes 50 libraries whose outputs are known exactly. 8 threads open, run and close them in random order,
with several sessions alive, in the usual build and in one with the thread sanitizer. Then it tests the shortest such
sequence: by name, by descriptor, and with reused descriptor numbers.

  sessions.py --build build/dev [--sanitized build/tsan] [--count N] [--libraries N] [--seed N]
"""
import argparse
import os
import pathlib
import sys
import tempfile
import time
from typing import Iterator

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine
import small_libraries as small

THREADS = 8


def make_libraries(invar: str, folder: pathlib.Path, count: int) -> list[pathlib.Path]:
    libraries = []
    for number in range(count):
        model, library = folder / f"{number}.onnx", folder / f"{number}.so"
        expected = small.write_one_of_many(model, number)
        small.compile_model(invar, model, library)
        pathlib.Path(f"{library}.expected").write_bytes(expected)
        libraries.append(library)
    return libraries


def check_threads(build: str, count: int, seed: int, libraries: list[pathlib.Path]) -> Iterator[str]:
    program = harness.existing_program(os.path.join(build, "bin/invar-sessions"))
    started = time.monotonic()
    ended = harness.run(program, str(count), str(THREADS), str(seed), *libraries)
    print(f"{build}: {count} steps in {time.monotonic() - started:.1f} s", flush=True)
    if ended.code:
        yield ended.ending()


def check_replaced(build: str, libraries: list[pathlib.Path]) -> Iterator[str]:
    """Tests `s = Session(A); s = Session(A); t = Session(B)`: t must run B."""
    runtime = invar_engine.Runtime(os.path.join(build, "lib/libinvar-runtime.so"))
    one, other = libraries[:2]
    x = small.inputs(small.ROWS, small.WIDTH)

    def open_session(library: pathlib.Path):
        return runtime.make("session_load", os.fsencode(library), None)

    def output(session) -> bytes:
        value = runtime.to_tensor(x)
        made = (invar_engine.ctypes.c_void_p * 1)()
        runtime.call("session_run", session, None, (invar_engine.ctypes.c_void_p * 1)(value), 1, made, 1)
        size = small.ROWS * small.WIDTH * 4
        return invar_engine.ctypes.string_at(runtime.call("tensor_data", invar_engine.ctypes.c_void_p(made[0])), size)

    def expect(session, library: pathlib.Path, what: str) -> Iterator[str]:
        if output(session) != pathlib.Path(f"{library}.expected").read_bytes():
            yield f"{what}: expected the outputs of {library.name}, but got others"

    first = open_session(one)
    second = open_session(one)
    runtime.library.invar_session_free(first)
    third = open_session(other)
    yield from expect(third, other, "after one of two sessions was closed")
    yield from expect(second, one, "the other of two sessions")
    runtime.library.invar_session_free(second)
    fourth = open_session(one)
    yield from expect(fourth, one, "opened again")
    yield from expect(third, other, "still open")
    # With reused descriptor numbers.
    kept = []
    for library in libraries[:6] * 3:
        descriptor = os.open(library, os.O_RDONLY)
        session = invar_engine.ctypes.c_void_p()
        runtime.library.invar_session_load_descriptor(descriptor, b"model", None, invar_engine.ctypes.byref(session))
        os.close(descriptor)
        kept.append((session, library))
        if len(kept) % 2:
            runtime.library.invar_session_free(kept.pop(0)[0])
        for each, of in kept:
            yield from expect(each, of, "by descriptor")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--sanitized", help="a build with the thread sanitizer, which runs a twentieth")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--libraries", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = harness.Report()
    with tempfile.TemporaryDirectory(prefix="sessions") as name:
        libraries = make_libraries(harness.existing_program(os.path.join(options.build, "bin/invar")), pathlib.Path(name), options.libraries)
        report.check("a session in the place of another", check_replaced(options.build, libraries))
        report.check(f"{options.count} steps", check_threads(options.build, options.count, options.seed, libraries))
        if options.sanitized:
            report.check("races", check_threads(options.sanitized, options.count // 20, options.seed, libraries))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
