#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the memory for activations that `invar compile` plans and that runs use with onnxruntime's.

Each model is compiled with its sizes open, and run with inputs of two sizes; and compiled with the shapes of its
inputs stated. In both cases the outputs must be the same bits as without a plan. In the second case, the planned
block must be at most 1.1 times the lower bound, and on 80 % of all models the arena (the block and the outputs) must
be smaller than the peak of onnxruntime's memory for activations, with its default optimizations. If not everything
is planned (tensors of open sizes, and in loops), the memory that a run uses counts instead of the arena.

Memory is measured in a separate process with one thread, after the model is loaded and its inputs exist, while the
outputs are held:

- onnxruntime: the maximum of allocated bytes in a run, counted by a library that wraps malloc. Constants are read
  and packed before. Its arena is disabled, so that every tensor counts with its own size, without the arena's
  rounding and holes. Memory that its kernels allocate counts.
- Invar: the growth of anonymous memory in the first run (`smaps_rollup`), without the constants that the first run
  computes. Freed memory was returned to the system before, and huge pages are disabled, because they would count
  unused memory. The runtime keeps its memory for activations, so the growth is the peak. It includes the memory of
  kernels and runtime functions, in whole pages.

  memory_plan.py --build build/dev [--json] [--no-compare] FOLDER|FILE…
"""
import argparse
import ctypes
import gc
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import numpy as np

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import feeding
import harness
import invar_engine

MOST_OVER_BOUND = 1.1
LEAST_SMALLER = 0.8


# In the measured process.

def anonymous_bytes() -> int:
    with open("/proc/self/smaps_rollup") as file:
        return 1024 * int(re.search(r"^Anonymous:\s+(\d+) kB", file.read(), re.MULTILINE)[1])


def growth(run) -> int:
    """Returns the growth of anonymous memory while `run` runs; its result is held until then."""
    gc.collect()
    gc.disable()
    ctypes.CDLL(None).malloc_trim(0)
    anonymous_bytes()
    before = anonymous_bytes()
    held = run()
    after = anonymous_bytes()
    del held
    return after - before


class SessionOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_void_p), ("num_threads", ctypes.c_int32),
                ("spin_us", ctypes.c_int32), ("profile", ctypes.c_int32)]


def measure_invar(runtime_library: str, library: str, feeds: dict[str, np.ndarray]) -> int:
    runtime = invar_engine.Runtime(runtime_library)
    options = SessionOptions(ctypes.sizeof(SessionOptions), None, 1, -1, 0)
    handle = runtime.make("session_load", library.encode(), ctypes.byref(options))
    names = [runtime.call("session_input_name", handle, i).decode()
             for i in range(runtime.call("session_num_inputs", handle))]
    values = (ctypes.c_void_p * len(names))(*(runtime.to_tensor(feeds[name]) for name in names))
    keys = (ctypes.c_char_p * len(names))(*(name.encode() for name in names))
    count = runtime.call("session_num_outputs", handle)
    outputs = (ctypes.c_void_p * count)()

    def run():
        runtime.call("session_run", handle, keys, values, len(names), outputs, count)
        return outputs

    return growth(run)


def measure_onnxruntime(model: str, feeds: dict[str, np.ndarray]) -> int:
    import onnxruntime as ort
    counter = ctypes.CDLL(None)
    counter.counted_bytes.restype = counter.most_counted_bytes.restype = ctypes.c_size_t
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    values = {name: ort.OrtValue.ortvalue_from_numpy(array) for name, array in feeds.items()}
    # The first run determines the sizes; later runs are all alike.
    session.run_with_ort_values(None, values)
    gc.collect()
    gc.disable()
    before = counter.counted_bytes()
    counter.forget_most_counted_bytes()
    held = session.run_with_ort_values(None, values)
    most = counter.most_counted_bytes()
    del held
    return most - before


def measure(arguments: list[str]) -> int:
    disable_big_pages = 41
    ctypes.CDLL(None).prctl(disable_big_pages, 1, 0, 0, 0)
    engine, feeds_file, *rest = arguments
    with np.load(feeds_file) as file:
        feeds = {name: file[name] for name in file.files}
    print(measure_invar(*rest, feeds) if engine == "invar" else measure_onnxruntime(*rest, feeds))
    return 0


# In the driver.

def build_counter(folder: str) -> str:
    """Compiles the library that counts allocations."""
    library = os.path.join(folder, "counter.so")
    compiler = next(c for c in ("cc", "clang", "clang-22", "gcc") if shutil.which(c))
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", str(pathlib.Path(__file__).with_name("count_malloc.c")), "-o",
                    library], check=True)
    return library


def measured(*arguments: str, preload: str = "") -> int:
    ended = subprocess.run([sys.executable, __file__, "--measure", *arguments], capture_output=True, text=True,
                           env={**os.environ, **({"LD_PRELOAD": preload} if preload else {})})
    if ended.returncode:
        raise engines.CannotRun(invar_engine.last_words(ended.stderr))
    return int(ended.stdout)


def have_same_bits(a, b) -> bool:
    if isinstance(a, list):
        return len(a) == len(b) and all(map(have_same_bits, a, b))
    return (a is None) == (b is None) and np.asarray(a).tobytes() == np.asarray(b).tobytes()


def compile_both(engine: invar_engine.Engine, path: str, folder: str, options: list[str], all_feeds: list[dict]) -> dict:
    """Compiles the model with and without a plan. Returns the compiler's JSON output, and whether the outputs are the
    same."""
    libraries = [os.path.join(folder, name) for name in ("planned.so", "plain.so")]
    ended = harness.run(engine.invar, "compile", path, "-o", libraries[0], "--json", "--threads=1", *options)
    if ended.code:
        raise invar_engine.NotCompiled(invar_engine.last_words(ended.stderr))
    engine.compile(path, libraries[1], "--no-memory-plan", *options)
    outputs = []
    for library in libraries:
        session = engine.load(library)
        # Later runs find the memory contents of the first.
        outputs.append([session.run(feeds) for feeds in (*all_feeds, *all_feeds)])
        session.close()
    told = json.loads(ended.stdout)
    return {**told["memory"], "computed_bytes": told["folded_bytes"], "same": have_same_bits(*outputs)}


def judge(build: str, path: str, compares: bool) -> dict:
    engine = invar_engine.Engine(build)
    all_feeds = [feeding.signed_feeds(path, lengths) for lengths in feeding.TWO_SIZES]
    feeds = all_feeds[0]
    with tempfile.TemporaryDirectory(prefix="memory") as folder:
        opened = compile_both(engine, path, folder, [], all_feeds)
        result = compile_both(engine, path, folder, feeding.shape_options(feeds), [feeds])
        result["open"] = {key: opened[key] for key in ("open_blocks", "not_planned", "nested", "same")}
        if compares:
            planned, plain, saved = (os.path.join(folder, name) for name in ("planned.so", "plain.so", "feeds.npz"))
            np.savez(saved, **feeds)
            runtime = str(pathlib.Path(build, "lib/libinvar-runtime.so").resolve())
            result["used"] = measured("invar", saved, runtime, planned) - result["computed_bytes"]
            result["used_without_plan"] = measured("invar", saved, runtime, plain) - result["computed_bytes"]
            result["onnxruntime"] = measured("onnxruntime", saved, path, preload=build_counter(folder))
    return result


def arena(result: dict) -> int:
    planned = result["bytes"] + result["output_bytes"]
    return max(planned, result["used"]) if result["not_planned"] + result["nested"] else planned


def complaints(result: dict) -> list[str]:
    found = []
    if result["bytes"] > MOST_OVER_BOUND * result["bound"]:
        found.append(f"expected at most {MOST_OVER_BOUND} times the lower bound of {result['bound']} bytes, "
                     f"but got {result['bytes']}")
    if not result["same"]:
        found.append("outputs are others than without a plan")
    if not result["open"]["same"]:
        found.append("outputs are others than without a plan where sizes are open")
    return found


def line_of(name: str, result: dict) -> str:
    ratio = result["bytes"] / result["bound"] if result["bound"] else 1
    text = (f"{name}: {result['bytes']:,} bytes planned, {ratio:.3f} of the bound, {result['buffers']} buffers, "
            f"{result['in_place']} in place, {result['not_planned'] + result['nested']} not planned; of open sizes "
            f"{sum(block['buffers'] for block in result['open']['open_blocks'])} planned, {result['open']['not_planned']} not")
    if "used" in result:
        text += (f"; used {result['used']:,}, without a plan {result['used_without_plan']:,}, "
                 f"onnxruntime {result['onnxruntime']:,}")
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--json", action="store_true", help="a line of JSON for each model")
    parser.add_argument("--no-compare", action="store_true", help="only the plan, without measuring")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    report = harness.Report()
    smaller = used_less = compared = 0
    for path in options.paths:
        for model in [path] if path.is_file() else sorted(path.rglob("*.onnx")):
            try:
                result = judge(options.build, str(model), not options.no_compare)
            except engines.CannotRun as error:
                report.skip(model.name, str(error))
                continue
            except (invar_engine.NotCompiled, invar_engine.RunFailed, invar_engine.CompilerCrashed) as error:
                report.check(model.name, [f"{type(error).__name__}: {error}"])
                continue
            report.check(model.name, complaints(result))
            if "used" in result:
                compared += 1
                smaller += arena(result) < result["onnxruntime"]
                used_less += result["used"] < result["onnxruntime"]
            print(json.dumps({"model": model.name, **result}) if options.json else line_of(model.name, result), flush=True)
    if compared:
        print(f"of {compared} models, {smaller} have a smaller arena than onnxruntime, and {used_less} take less memory in all")
        report.check("smaller than onnxruntime", [] if smaller >= LEAST_SMALLER * compared else
                     [f"expected {LEAST_SMALLER:.0%} of the models, but got {smaller} of {compared}"])
    return report.finish()


if __name__ == "__main__":
    sys.exit(measure(sys.argv[2:]) if sys.argv[1:2] == ["--measure"] else main())
