# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users write, as the plain texts and bytes that the extension takes."""
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
# Sizes, names, and None for whatever comes.
Shape = Sequence[Union[int, str, None]]
# A size, or the least and the most that it may be.
Dim = Union[int, "tuple[int | None, int | None]", range]
FoldTime = Literal["auto", "compile", "run", "never"]
Use = Literal["auto", "off", "fast", "on"]
WeightPlace = Literal["embed", "file", "none"]


if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class OptimizeOptions(TypedDict, total=False):
        """Whatever optimize() takes by name, for the two forms of its result."""
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
    """An integer as the extension takes it, whose own errors speak of its signatures."""
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
    """The path of a model or its bytes."""
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
    """Simplifies a model, never to a bigger one, as `invar optimize` does. Returns it, or writes it to `output`,
    which appears whole or not at all.

    shapes          of inputs: {"x": [1, 3, "h", None]}, or texts of the command line: ["x=1x3x?x?"]
    dims            sizes that go by a name: {"batch": 8, "seq": (1, 512)}, or texts: ["batch=8", "seq=1..512"]
    passes          what to run; ("none",) reads and writes
    enable          rules to apply beyond the usual ones, and `disable` to do without
    opset           to write; the model's own if not given
    max_growth      bytes that constants may grow by where that folds more; 64 KiB if not given
    memory_limit    bytes of computed tensors beyond which they lie on disk
    threads         0 for as many as the process may use
    exact_only      do only what keeps every bit in every engine
    fix_defaults    make constants of initializers that callers may override
    require_static  fail unless every shape is known in the end
    external_data   put weights into a file beside `output`
    cancel          an invar.Cancel, by which any thread can end it: it raises invar.Cancelled
    timeout         seconds after which it raises invar.DeadlineExceeded
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
    """Compiles a model to the library `output`, which appears whole or not at all, as `invar compile` does.

    shapes, dims    as for optimize(); what is not known stays open until the model runs
    target_cpu      LLVM's name of the processor, 'x86-64-v3' for instance; this one if not given. With commas,
                    several, the best first, of which one is chosen where the model runs
    fold_at         when what weights are turned into is computed: 'compile', 'run' for by the first run, 'auto' for
                    when compiling unless the library would grow, and 'never' for in each run
    winograd        whether convolutions of 3 x 3 multiply transformed filters: 'auto' for where that is faster and memory
                    grows little, 'fast' for wherever that is faster, 'on' for wherever it can be
    memory_plan     decide now, and not when the model runs, where tensors lie
    link_params     where weights lie: 'embed' for in the library, 'file' for beside it, as safetensors, and 'none' for
                    nowhere: then a Session takes them from the model, or from `weights`
    refittable      let Session.refit() replace weights
    fix_defaults    make constants of initializers that callers may override
    compress_weights    keep weights in fewer bytes where they have the structure for it; the first run decodes them
    unchecked_indices   take the nearest place where an index is outside of its axis, and do not fail
    threads         0 for as many as the process may use
    cancel, timeout as for optimize()
    """
    options = _options(shapes=shapes, dims=dims, target_cpu=target_cpu, fold_at=fold_at, winograd=winograd,
                       memory_plan=memory_plan, link_params=link_params, refittable=refittable,
                       fix_defaults=fix_defaults, compress_weights=compress_weights,
                       unchecked_indices=unchecked_indices, threads=threads)
    _invar.compile(*_source(model), os.fsencode(output), options, cancel, timeout)


class Session(_invar.Session):
    """A model that runs: a library that compile() made, or a model, which is compiled in memory.

    Any number of threads may run one session at once. Outputs outlive it. `with` closes it at the end.
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
                    as for compile(); only of models
        threads     of a run; 0 for as many as the process may use
        cache       a folder for compiled models, so that none is compiled twice; $XDG_CACHE_HOME/invar or
                    ~/.cache/invar if not given, and none if False
        fold_cache  a folder to keep in what the first run computes of constants, for sessions to come, also of other
                    processes, which share its memory; nothing is kept if not given
        weights     the ONNX model or safetensors with the weights of a library that has none; the model that it was
                    compiled from, beside it, if not given
        library     that `model` is a library that compile() wrote, whatever its name: bytes, or a path that does not
                    end in ".so". Its code runs, so what it contains does not decide that
        profile     measure from the beginning: get_profile()
        cancel, timeout
                    as for compile(); of opening the session, not of its runs
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
