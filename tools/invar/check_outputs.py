# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs two models on the same inputs in onnxruntime, and prints how much their outputs differ.

invar runs this program with Python for --check. The argument is a request in JSON; the answer is
JSON on standard output:

  {"runs": 3, "outputs": [{"name": "y", "absolute": 1e-7, "relative": 2e-7, "agrees": true}]}
  {"error": "no-engine" | "original" | "request", "text": "..."}    no comparison is possible

An unknown size is chosen for each run; sizes with the same name are equal. The first run has numbers
in [0, 1), later ones in [-1, 1). Integers are 0 or 1, because most models use them as indices and
masks.
"""
import json
import sys

try:
    import numpy as np
    import onnxruntime as ort
except ImportError as missing:
    print(json.dumps({"error": "no-engine", "text": f"{missing} ({sys.executable})"}))
    sys.exit()

FLOATS = {"float": np.float32, "double": np.float64, "float16": np.float16}
INTEGERS = {f"{sign}int{bits}": np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)}
SIZES = (2, 3, 5, 1, 4, 8, 16, 32, 64, 128, 224, 1600, 16000)  # values to try for unknown sizes


class Impossible(Exception):
    """The comparison is not possible; this does not mean that the models differ."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def load(path, library):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    # Compare the models as they are, without onnxruntime's optimizations.
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    if library:
        options.register_custom_ops_library(library)
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def shape_of(value, stated, sizes, size):
    """Numbers for all dimensions. Dimensions with the same name have the same number."""
    if value.name in stated:
        return stated[value.name]
    shape = []
    for axis, dim in enumerate(value.shape):
        if isinstance(dim, int) and dim >= 0:
            shape.append(dim)
        else:
            name = dim if isinstance(dim, str) and dim else f"{value.name}.{axis}"
            shape.append(sizes.setdefault(name, size))
    return shape


def fill(kind, shape, how, rng, run):
    if kind == "string":
        return np.full(shape, "a", object)
    count = int(np.prod(shape, dtype=np.int64))
    if how == "arange":
        values = np.arange(count).reshape(shape)
    elif how in ("ones", "zeros"):
        values = np.full(shape, how == "ones")
    elif kind in FLOATS:
        values = rng.random(shape) if run == 0 else rng.uniform(-1, 1, shape)
    else:
        values = rng.integers(0, 2, shape)
    return np.asarray(values).astype(FLOATS.get(kind) or INTEGERS.get(kind) or np.bool_)


def read_data(path, kind, shape):
    if path.endswith(".npy"):
        return np.load(path)
    return np.fromfile(path, FLOATS.get(kind) or INTEGERS.get(kind) or np.bool_).reshape(shape)


def make_inputs(session, request, run, size, how):
    rng = np.random.default_rng([request.get("seed", 0), run])
    inputs = session.get_inputs()
    stated = dict(request.get("shapes", {}))
    if "" in stated:
        if len(inputs) != 1:
            raise Impossible("request", "expected a shape without a name only where there is one input, but there are "
                             + str(len(inputs)))
        stated[inputs[0].name] = stated.pop("")
    data = request.get("data", {})
    for name in (*stated, *data):
        if name not in [value.name for value in inputs]:
            raise Impossible("request", f"expected the name of an input, but got '{name}'")
    sizes = {}
    for value in inputs:
        for dim, number in zip(value.shape, stated.get(value.name, ())):
            if isinstance(dim, str):
                sizes[dim] = number
    feeds = {}
    for value in inputs:
        kind = value.type.removeprefix("tensor(").removesuffix(")")
        if value.name not in data and kind not in {*FLOATS, *INTEGERS, "bool", "string"}:
            raise Impossible("request", f"expected inputs of numbers, but '{value.name}' is {value.type}")
        shape = shape_of(value, stated, sizes, size)
        feeds[value.name] = (read_data(data[value.name], kind, shape) if value.name in data
                             else fill(kind, shape, how, rng, run))
    return feeds


def first_that_runs(session, ends, request, run):
    """Inputs on which the original runs, and its outputs for them. Inputs are made for `ends`, the
    model that knows more about its shapes."""
    how = request.get("fill", "random")
    attempts = [(size, how) for size in SIZES[run % 3:]]
    if how == "random":
        attempts += [(size, "zeros") for size in SIZES]
    for size, fill_now in attempts:
        feeds = make_inputs(ends, request, run, size, fill_now)
        try:
            return feeds, session.run(None, feeds)
        except Exception as error:  # onnxruntime's exceptions have no common class
            reason = str(error)
    raise Impossible("original", "the original does not run on inputs made for it, the last time because: "
                     + " ".join(reason.split())[-300:])


def is_number(array):
    return isinstance(array, np.ndarray) and array.dtype.kind in "fc"


def compare(expected, got, request):
    """The absolute and relative difference of two outputs, and whether it is within the tolerance.
    Small elements need not be more precise than the tensor as a whole."""
    if isinstance(expected, (list, dict)) or isinstance(got, (list, dict)):
        if not isinstance(expected, list) or not isinstance(got, list):
            return 0.0, 0.0, repr(expected) == repr(got)
        if len(expected) != len(got):
            return float("inf"), float("inf"), False
        parts = [compare(*pair, request) for pair in zip(expected, got)]
        return (max((p[0] for p in parts), default=0.0), max((p[1] for p in parts), default=0.0),
                all(p[2] for p in parts))
    if expected is None or got is None:
        return 0.0, 0.0, expected is got
    expected, got = np.asarray(expected), np.asarray(got)
    if expected.shape != got.shape or expected.dtype != got.dtype:
        return float("inf"), float("inf"), False
    if not is_number(expected):
        same = bool(np.array_equal(expected, got))
        return (0.0, 0.0, True) if same else (1.0, 1.0, False)
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    half = expected.dtype == np.float16
    rtol = request.get("rtol", 1e-2 if half else 1e-4)
    atol = request.get("atol", 1e-3 if half else 1e-5)
    a, b = expected.astype(wide), got.astype(wide)
    odd = ~np.isfinite(a) | ~np.isfinite(b)
    if not np.array_equal(a[odd], b[odd], equal_nan=True):
        return float("inf"), float("inf"), False
    a, b = a[~odd], b[~odd]
    if not a.size:
        return 0.0, 0.0, True
    apart, size = np.abs(a - b), np.abs(a)
    scale = np.maximum(size, np.sqrt(np.mean(size * size)))
    relative = np.divide(apart, scale, out=np.zeros_like(apart), where=scale > 0)
    return float(apart.max()), float(relative.max()), bool((apart <= atol + rtol * scale).all())


def judge(request):
    try:
        original = load(request["original"], request.get("library"))
    except Exception as error:
        raise Impossible("original", "onnxruntime cannot load the original: " + " ".join(str(error).split())[-300:])
    try:
        written = load(request["written"], request.get("library"))
    except Exception as error:
        return {"runs": 0, "outputs": [], "failed": "onnxruntime cannot load the new model: "
                + " ".join(str(error).split())[-300:]}
    names = [value.name for value in written.get_outputs()]
    places = {value.name: i for i, value in enumerate(original.get_outputs())}
    if missing := [name for name in names if name not in places]:
        return {"runs": 0, "outputs": [], "failed": f"the new model has an output '{missing[0]}' that the original has not"}
    verdicts = {name: {"name": name, "absolute": 0.0, "relative": 0.0, "agrees": True} for name in names}
    for run in range(request.get("runs", 1)):
        feeds, expected = first_that_runs(original, written, request, run)
        try:
            got = written.run(None, feeds)
        except Exception as error:
            return {"runs": run, "outputs": list(verdicts.values()),
                    "failed": "the new model does not run where the original does: " + " ".join(str(error).split())[-300:]}
        again = None
        for name, value in zip(names, got):
            wanted = expected[places[name]]
            absolute, relative, agrees = compare(wanted, value, request)
            if not agrees:
                again = again or original.run(None, feeds)
                if not compare(wanted, again[places[name]], request)[2]:
                    verdicts[name]["random"] = True
                    continue
            verdict = verdicts[name]
            verdict["absolute"] = max(verdict["absolute"], absolute)
            verdict["relative"] = max(verdict["relative"], relative)
            verdict["agrees"] &= agrees
    return {"runs": request.get("runs", 1), "outputs": list(verdicts.values())}


def main():
    try:
        answer = judge(json.loads(sys.argv[1]))
    except Impossible as impossible:
        answer = {"error": impossible.kind, "text": str(impossible)}
    except (OSError, ValueError) as wrong:
        answer = {"error": "request", "text": str(wrong)}
    # JSON cannot represent infinity.
    for output in answer.get("outputs", ()):
        for key in ("absolute", "relative"):
            output[key] = min(output[key], sys.float_info.max)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
