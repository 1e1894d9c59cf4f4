# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts the arguments of users to the plain strings and bytes that the extension takes."""
from __future__ import annotations

import contextlib
import operator
import os
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, Union, overload

from invar import _invar
from invar._errors import ArgumentError


class Message(Protocol):
    """A message of the package onnx."""
    def SerializeToString(self) -> bytes: ...


Model = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Message]
# Sizes, names, and None for any size.
Shape = Sequence[Union[int, str, None]]
# A size, or its minimum and maximum.
Dim = Union[int, "tuple[int | None, int | None]", range]
FoldTime = Literal["auto", "compile", "run", "never"]
Use = Literal["auto", "off", "fast", "on"]
WeightPlace = Literal["embed", "file", "none"]


if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class OptimizeOptions(TypedDict, total=False):
        """The keyword arguments of optimize(), for its two overloads."""
        shapes: Mapping[str, Shape] | Iterable[str] | None
        dims: Mapping[str, Dim] | Iterable[str] | None
        passes: Iterable[str]
        enable: Iterable[str]
        disable: Iterable[str]
        opset: int | None
        max_growth: int | None
        memory_limit: int | None
        threads: int
        exact_only: bool
        fix_defaults: bool
        require_static: bool
        external_data: bool
        cancel: _invar.Cancel | None
        timeout: float | None


def _int(name: str, value: int, kind: str = "an integer") -> int:
    """Converts to an integer for the extension, whose own errors would print its signatures."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"expected {kind} for '{name}', but got {value!r}") from None


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a string for '{name}', but got {value!r}")
    return value


def _options(*, shapes: Mapping[str, Shape] | Iterable[str] | None, dims: Mapping[str, Dim] | Iterable[str] | None,
             target_cpu: str | None, fold_at: FoldTime, winograd: Use, memory_plan: bool, link_params: WeightPlace,
             refittable: bool, fix_defaults: bool, compress_weights: bool, unchecked_indices: bool,
             threads: int) -> _invar.CompileOptions:
    return _invar.CompileOptions(shapes=_shapes(shapes), dims=_dims(dims),
                                 target_cpu=None if target_cpu is None else _text("target_cpu", target_cpu),
                                 fold_at=_text("fold_at", fold_at), winograd=_text("winograd", winograd),
                                 memory_plan=bool(memory_plan), link_params=_text("link_params", link_params),
                                 refittable=bool(refittable), fix_defaults=bool(fix_defaults),
                                 compress_weights=bool(compress_weights),
                                 unchecked_indices=bool(unchecked_indices), threads=_int("threads", threads))


def _source(model: Model) -> tuple[bytes | None, bytes | None]:
    """Returns the path of a model, or its bytes."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return None, bytes(model)
    if hasattr(model, "SerializeToString"):
        return None, model.SerializeToString()
    return os.fsencode(model), None


def _shapes(shapes: Mapping[str, Shape] | Iterable[str] | None) -> list[str]:
    if not isinstance(shapes, Mapping):
        return list(shapes or ())
    return [f"{name}={','.join('?' if size is None else str(size) for size in shape)}" for name, shape in shapes.items()]


def _dim(size: Dim) -> str:
    if isinstance(size, range):
        if size.step != 1 or not size:
            raise ArgumentError(f"expected a range of one size after the other, but got {size}")
        size = (size.start, size.stop - 1)
    if isinstance(size, tuple):
        least, most = size
        return f"{'' if least is None else least}..{'' if most is None else most}"
    return str(size)


def _dims(dims: Mapping[str, Dim] | Iterable[str] | None) -> list[str]:
    if not isinstance(dims, Mapping):
        return list(dims or ())
    return [f"{name}={_dim(size)}" for name, size in dims.items()]


@overload
def optimize(model: Model, output: None = None, **options: Unpack[OptimizeOptions]) -> bytes: ...
@overload
def optimize(model: Model, output: str | os.PathLike[str], **options: Unpack[OptimizeOptions]) -> None: ...
def optimize(model: Model, output: str | os.PathLike[str] | None = None, *,
             shapes: Mapping[str, Shape] | Iterable[str] | None = None,
             dims: Mapping[str, Dim] | Iterable[str] | None = None,
             passes: Iterable[str] = ("simplify",),
             enable: Iterable[str] = (),
             disable: Iterable[str] = (),
             opset: int | None = None,
             max_growth: int | None = None,
             memory_limit: int | None = None,
             threads: int = 0,
             exact_only: bool = False,
             fix_defaults: bool = False,
             require_static: bool = False,
             external_data: bool = False,
             cancel: _invar.Cancel | None = None,
             timeout: float | None = None) -> bytes | None:
    """Simplifies a model, never to a bigger one, as `invar optimize` does. Returns it, or writes it to `output`.
    The file appears complete or not at all.

    shapes          shapes of inputs: {"x": [1, 3, "h", None]}, or as on the command line: ["x=1x3x?x?"]
    dims            named sizes: {"batch": 8, "seq": (1, 512)}, or as on the command line: ["batch=8", "seq=1..512"]
    passes          the passes to run; ("none",) only reads and writes the model
    enable          rules to apply in addition to the default ones; `disable` lists rules to skip
    opset           the opset to write; the model's own if not given
    max_growth      bytes by which constants may grow if that folds more; 64 KiB if not given
    memory_limit    bytes of computed tensors; beyond that, tensors are stored on disk
    threads         the number of threads; 0 for as many as the process may use
    exact_only      only make changes that keep every bit of the results in every engine
    fix_defaults    treat initializers that callers may override as constants
    require_static  fail unless every shape is known in the end
    external_data   write weights to a file beside `output`
    cancel          an invar.Cancel, by which any thread can end the call, which then raises invar.Cancelled
    timeout         seconds after which the call raises invar.DeadlineExceeded
    """
    path, content = _source(model)
    growth = 0 if max_growth is None else _int("max_growth", max_growth) or -1
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="invar")) if output is None else ""
        place = os.path.join(folder, "model.onnx") if output is None else output
        _invar.optimize(path, content, os.fsencode(place), _shapes(shapes), _dims(dims), list(passes), list(enable),
                        list(disable), _int("opset", opset or 0), growth, _int("memory_limit", memory_limit or 0),
                        _int("threads", threads), bool(exact_only), bool(fix_defaults), bool(require_static),
                        bool(external_data), cancel, timeout)
        if output is not None:
            return None
        if len(os.listdir(folder)) > 1:
            raise ArgumentError("expected a file to write to, beside which weights can lie, but got None")
        return pathlib.Path(place).read_bytes()


def compile(model: Model, output: str | os.PathLike[str], *,
            shapes: Mapping[str, Shape] | Iterable[str] | None = None,
            dims: Mapping[str, Dim] | Iterable[str] | None = None,
            target_cpu: str | None = None,
            fold_at: FoldTime = "auto",
            winograd: Use = "auto",
            memory_plan: bool = True,
            link_params: WeightPlace = "embed",
            refittable: bool = False,
            fix_defaults: bool = False,
            compress_weights: bool = False,
            unchecked_indices: bool = False,
            threads: int = 0,
            cancel: _invar.Cancel | None = None,
            timeout: float | None = None) -> None:
    """Compiles a model to the library `output`, as `invar compile` does. The file appears complete or not at all.

    shapes, dims    as for optimize(); unknown sizes stay open until the model runs
    target_cpu      LLVM's name of the processor, for example 'x86-64-v3'; the current processor if not given. Several
                    names are separated by commas, the best first; one is chosen when the model is loaded
    fold_at         when constants that derive from weights are computed: 'compile' for at compile time, 'run' for in
                    the first run, 'auto' for at compile time unless the library would grow, 'never' for in each run
    winograd        whether 3 x 3 convolutions multiply transformed filters: 'auto' if that is faster and memory grows
                    little, 'fast' whenever that is faster, 'on' whenever it is possible
    memory_plan     decide at compile time, instead of at run time, where tensors lie in memory
    link_params     where weights are stored: 'embed' in the library, 'file' in a safetensors file beside it, 'none'
                    nowhere; then a Session reads them from the model or from `weights`
    refittable      allow Session.refit() to replace weights
    fix_defaults    treat initializers that callers may override as constants
    compress_weights    store weights in fewer bytes if their structure allows it; the first run decodes them
    unchecked_indices   for an index outside of its axis, use the nearest valid index instead of failing
    threads         the number of threads; 0 for as many as the process may use
    cancel, timeout as for optimize()
    """
    options = _options(shapes=shapes, dims=dims, target_cpu=target_cpu, fold_at=fold_at, winograd=winograd,
                       memory_plan=memory_plan, link_params=link_params, refittable=refittable,
                       fix_defaults=fix_defaults, compress_weights=compress_weights,
                       unchecked_indices=unchecked_indices, threads=threads)
    _invar.compile(*_source(model), os.fsencode(output), options, cancel, timeout)


class Session(_invar.Session):
    """A model that is ready to run: a library that compile() wrote, or a model, which is compiled in memory.

    Any number of threads may run one session at the same time. Outputs outlive the session. A `with` statement closes
    it at the end.
    """

    def __init__(self, model: Model, *,
                 shapes: Mapping[str, Shape] | Iterable[str] | None = None,
                 dims: Mapping[str, Dim] | Iterable[str] | None = None,
                 target_cpu: str | None = None,
                 fold_at: FoldTime = "auto",
                 winograd: Use = "auto",
                 memory_plan: bool = True,
                 refittable: bool = False,
                 fix_defaults: bool = False,
                 unchecked_indices: bool = False,
                 threads: int = 0,
                 cache: str | os.PathLike[str] | bool | None = None,
                 fold_cache: str | os.PathLike[str] | None = None,
                 weights: str | os.PathLike[str] | None = None,
                 library: bool = False,
                 profile: bool = False,
                 cancel: _invar.Cancel | None = None,
                 timeout: float | None = None) -> None:
        """
        shapes, dims, target_cpu, fold_at, winograd, memory_plan, refittable, fix_defaults, unchecked_indices
                    as for compile(); only for models
        threads     the number of threads of a run; 0 for as many as the process may use
        cache       a folder for compiled models, so that no model is compiled twice; $XDG_CACHE_HOME/invar or
                    ~/.cache/invar if not given, none if False
        fold_cache  a folder for constants that the first run computes. Later sessions, also of other processes, use
                    them and share their memory. Nothing is kept if not given
        weights     an ONNX model or safetensors file with the weights of a library that has none; if not given, the
                    model that it was compiled from, beside it
        library     states that `model` is a library that compile() wrote, regardless of its name: bytes, or a path that
                    does not end in ".so". Its code runs, so the content alone does not decide this
        profile     measure runs from the beginning; see get_profile()
        cancel, timeout
                    as for compile(); they apply to opening the session, not to its runs
        """
        options = _options(shapes=shapes, dims=dims, target_cpu=target_cpu, fold_at=fold_at, winograd=winograd,
                           memory_plan=memory_plan, link_params="embed", refittable=refittable,
                           fix_defaults=fix_defaults, compress_weights=False,
                           unchecked_indices=unchecked_indices, threads=threads)
        libraries = None if cache is None or cache is True else os.fsencode(cache or "")
        folds = None if fold_cache is None else os.fsencode(fold_cache)
        source = None if weights is None else os.fsencode(weights)
        path, content = _source(model)
        super().__init__(path, content, options, libraries, folds, source, bool(library), bool(profile), cancel, timeout)
        self._name = os.fsdecode(path) if path else "a model in memory"

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            ends = [[node.name for node in nodes] for nodes in (self.get_inputs(), self.get_outputs())]
        except ArgumentError:
            return f"<invar.Session of {self._name!r}, closed>"
        return f"<invar.Session of {self._name!r}, inputs {ends[0]}, outputs {ends[1]}>"
