#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests files that an attacker may have made: models that are libraries, and cache folders with planted entries.

Planted code creates a file when it runs. Whatever Invar finds, that file must not appear: Invar must compute the
right result or print an error of one line. It must not wait for a pipe. It must not use folders that others can
write. Entries that others can write, links, pipes, devices, damaged files and libraries of other models must be made
again, each with a warning.

  hostile_files.py --build build/dev [--verbose]
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from typing import Callable, Iterator, NamedTuple

import numpy as np
from onnx import helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import small_libraries as small
from models import value

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOMEBODY = 12345
X = np.arange(4, dtype=np.float32)
WIDTH = 64


class Case(NamedTuple):
    name: str
    complain: Callable[[pathlib.Path], Iterator[str]]  # Gets a separate folder.


class Planted:
    """Libraries whose code creates the marker file when it runs, and good libraries."""

    def __init__(self, build: str, folder: pathlib.Path):
        self.invar = harness.existing_program(os.path.join(build, "bin/invar"))
        self.folder, self.marker = folder, folder / "marker"
        self.feeds = {"x": folder / "x.npy", "wide": folder / "wide.npy"}
        np.save(self.feeds["x"], X)
        np.save(self.feeds["wide"], small.inputs(small.ROWS, WIDTH))
        for name, numbers in (("model", [1, 2, 3, 4]), ("other", [5, 6, 7, 8])):
            small.save(folder / f"{name}.onnx", [helper.make_node("Add", ["x", "w"], ["y"])], [value("x", 4)], [value("y", 4)],
                       [numpy_helper.from_array(np.array(numbers, np.float32), "w")])
        small.write_products(folder / "wide.onnx", WIDTH)
        small.compile_model(self.invar, folder / "wide.onnx", folder / "wide.so", "--fold-at=run")
        small.compile_model(self.invar, folder / "wide.onnx", folder / "never.so", "--fold-at=never")
        compiler = next(c for c in ("cc", "clang", "clang-22", "gcc") if shutil.which(c))
        include = f"-I{ROOT / 'include'}"
        subprocess.run([compiler, "-O1", include, ROOT / "test/python/safety/seal_library.c", "-o", folder / "seal"], check=True)
        for name, more in (("kernel", ()), ("constructor", ("-DTEST_CONSTRUCTOR",))):
            subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-nostdlib", "-Wl,--hash-style=sysv", include,
                            f'-DTEST_MARKER="{self.marker}"', *more, ROOT / "unittests/Runtime/TestModel.c", "-o",
                            folder / f"{name}.elf"], check=True)
        # Fill a good cache, to know the names of its entries.
        self.kept = folder / "kept"
        for model in ("model.onnx", "other.onnx", "wide.so"):
            ended = self.run(folder / model, self.kept / model)
            if ended.code:
                raise SystemExit(f"{model}: cannot run: {ended.ending()}")
        self.names = {"library": self.entry("model.onnx", "*.so").name, "constants": self.entry("wide.so", "*.fold").name}
        self.expected = {"library": (X + np.array([1, 2, 3, 4], np.float32)).tobytes(),
                         "constants": self.output(self.run(folder / "never.so", folder / "unused", folder / "out-never"), folder / "out-never")}
        self.good = {"library": self.entry("model.onnx", "*.so").read_bytes(), "constants": self.entry("wide.so", "*.fold").read_bytes()}

    def entry(self, model: str, pattern: str) -> pathlib.Path:
        return next((self.kept / model).glob(pattern))

    def run(self, model: pathlib.Path, cache: pathlib.Path, out: pathlib.Path | None = None, *options: str, preexec=None) -> harness.Run:
        feed = self.feeds["wide" if model.stem in ("wide", "never") else "x"]
        return harness.run(self.invar, "run", model, "--input", feed, "--cache-dir", cache, "--json", *options,
                           *(("--output-dir", out) if out else ()), preexec=preexec)

    def output(self, ended: harness.Run, out: pathlib.Path) -> bytes | None:
        return None if ended.code else np.load(out / "y.npy").tobytes()

    def seal(self, name: str, place: pathlib.Path, key: str = "") -> bytes:
        subprocess.run([self.folder / "seal", self.folder / f"{name}.elf", place, *([key] if key else [])], check=True)
        return place.read_bytes()

    def judge(self, kind: str, cache: pathlib.Path, place: pathlib.Path, warning: str | None, preexec=None) -> Iterator[str]:
        """Runs a model that uses an entry of this kind. If `warning` is None, any output is accepted."""
        out = place / "out"
        ended = self.run(self.folder / ("model.onnx" if kind == "library" else "wide.so"), cache, out, preexec=preexec)
        if self.marker.exists():
            yield "expected no planted code to run, but it ran"
        if ended.code:
            yield ended.ending()
        elif self.output(ended, out) != self.expected[kind]:
            yield "expected another answer"
        if warning is not None and (not ended.stderr.startswith("warning: ") if warning else bool(ended.stderr)):
            yield f"expected {'a warning' if warning else 'no warning'}, but got {ended.stderr!r}"
        if warning and (warning not in ended.stderr or len(ended.stderr.splitlines()) != 1):
            yield f"expected one line with '{warning}', but got {ended.stderr!r}"


def contents(planted: Planted, kind: str, folder: pathlib.Path) -> Iterator[tuple[str, bytes, bool]]:
    """Yields possible contents of an entry, and whether they are good."""
    good = planted.good[kind]
    yield "as it was written", good, True
    key = planted.names["library"].removeprefix("llvmcache-").removesuffix(".so")
    for name in ("kernel", "constructor"):
        yield f"a planted {name}", planted.seal(name, folder / f"{name}.sealed", key), False
        yield f"a planted {name} of no key", planted.seal(name, folder / f"{name}.unsealed"), False
    yield "a bare library", (planted.folder / "constructor.elf").read_bytes(), False
    yield "a library of another model", planted.entry("other.onnx", "*.so").read_bytes(), False
    yield "an entry of another kind", planted.good["constants" if kind == "library" else "library"], False
    for size in (0, 1, 63, 4096, len(good) // 2, len(good) - 1):
        yield f"the first {size} bytes", good[:size], False
    yield "a byte more", good + b"\0", False
    yield "text", b"hello\n" * 1000, False
    for at in range(0, len(good), 4096):
        if any(good[at:at + 4096]):
            yield f"zeros from {at} on", good[:at] + bytes(len(good[at:at + 4096])) + good[at + 4096:], False
    for at in (0, 7, 16, 30, 100, len(good) // 2, len(good) - 100, len(good) - 9, len(good) - 1):
        yield f"another bit in byte {at}", good[:at] + bytes([good[at] ^ 1 << at % 8]) + good[at + 1:], False


def entry_cases(planted: Planted, kind: str, folder: pathlib.Path) -> Iterator[Case]:
    """Yields cases with files in the user's own folder. Bad entries must cause a warning with the consequence. A
    planted kernel with the right key, checksums and owner is left out: only the user can have made it, and Invar
    cannot detect it."""
    again = {"library": "; the model is compiled again", "constants": "; constants are computed again"}[kind]
    attributes = [("0600", 0o600, None), ("0644", 0o644, None), ("0660", 0o660, None), ("0606", 0o606, None), ("0666", 0o666, None)]
    if os.geteuid() == 0:
        attributes += [("of somebody", 0o600, SOMEBODY), ("of somebody, 0644", 0o644, SOMEBODY)]
    for (what, content, is_good), (how, mode, owner) in itertools.product(contents(planted, kind, folder), attributes):
        is_own = owner is None and not mode & 0o022
        if is_own and kind == "library" and what == "a planted kernel":
            continue

        def complain(place: pathlib.Path, content=content, mode=mode, owner=owner, warns=not (is_good and is_own)) -> Iterator[str]:
            cache = place / "cache"
            cache.mkdir(0o700)
            entry = cache / planted.names[kind]
            entry.write_bytes(content)
            entry.chmod(mode)
            if owner:
                os.chown(entry, owner, owner)
            yield from planted.judge(kind, cache, place, again if warns else "")
            yield from planted.judge(kind, cache, place, "")
        yield Case(f"{kind}: {what}, {how}", complain)

    def special(what: str, make: Callable[[pathlib.Path, pathlib.Path], object], stays: bool = False) -> Case:
        def complain(place: pathlib.Path) -> Iterator[str]:
            cache = place / "cache"
            cache.mkdir(0o700)
            make(cache / planted.names[kind], place)
            yield from planted.judge(kind, cache, place, again)
            yield from planted.judge(kind, cache, place, again if stays else "")
        return Case(f"{kind}: {what}", complain)

    def bind(entry: pathlib.Path, place: pathlib.Path) -> None:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.fspath(entry))

    yield special("a link to a good one", lambda entry, place: entry.symlink_to(planted.entry("model.onnx" if kind == "library" else "wide.so",
                                                                                              "*.so" if kind == "library" else "*.fold")))
    yield special("a link to a planted one", lambda entry, place: entry.symlink_to(folder / "kernel.sealed"))
    yield special("a link to nothing", lambda entry, place: entry.symlink_to(place / "none"))
    yield special("a link to itself", lambda entry, place: entry.symlink_to(entry))
    yield special("a link to /dev/zero", lambda entry, place: entry.symlink_to("/dev/zero"))
    yield special("a pipe", lambda entry, place: os.mkfifo(entry))
    yield special("a pipe for all", lambda entry, place: (os.mkfifo(entry), entry.chmod(0o666)))
    yield special("a socket", bind)
    yield special("a folder", lambda entry, place: entry.mkdir(), stays=True)
    if os.geteuid() == 0:
        for name, number in (("null", 3), ("zero", 5)):
            yield special(f"the device {name}", lambda entry, place, number=number: os.mknod(entry, 0o600 | stat.S_IFCHR, os.makedev(1, number)))


def folder_cases(planted: Planted, kind: str, folder: pathlib.Path) -> Iterator[Case]:
    not_kept = {"library": "; the compiled model is not kept", "constants": "; constants are not kept for others"}[kind]

    def plant(cache: pathlib.Path) -> None:
        cache.mkdir(0o700, parents=True)
        (cache / planted.names["library"]).write_bytes((folder / "kernel.sealed").read_bytes())
        (cache / planted.names["constants"]).write_bytes(planted.good["constants"][:-8] + bytes(8))

    def refused(what: str, make: Callable[[pathlib.Path], object], warning: str = not_kept) -> Case:
        def complain(place: pathlib.Path) -> Iterator[str]:
            cache = place / "cache"
            make(cache)
            before = sorted(os.listdir(cache)) if cache.is_dir() else []
            yield from planted.judge(kind, cache, place, warning)
            if before != (sorted(os.listdir(cache)) if cache.is_dir() else []):
                yield "expected a folder that is not used, but it has changed"
        return Case(f"{kind}: {what}", complain)

    def with_mode(mode: int, owner: int | None) -> Callable[[pathlib.Path], None]:
        def make(cache: pathlib.Path) -> None:
            plant(cache)
            cache.chmod(mode)
            if owner:
                os.chown(cache, owner, owner)
        return make

    for mode in (0o770, 0o707, 0o777, 0o720, 0o702, 0o722, 0o1777, 0o1770, 0o2775, 0o3777):
        yield refused(f"a folder of mode {mode:04o}", with_mode(mode, None))
    if os.geteuid() == 0:
        for mode in (0o700, 0o755, 0o777, 0o1777):
            yield refused(f"a folder of somebody, of mode {mode:04o}", with_mode(mode, SOMEBODY))

    def link(target: Callable[[pathlib.Path], None]) -> Callable[[pathlib.Path], None]:
        def make(cache: pathlib.Path) -> None:
            real = cache.with_name("real")
            target(real)
            cache.symlink_to(real)
        return make

    yield refused("a link to a folder", link(plant))
    yield refused("a link to a folder for all", link(with_mode(0o777, None)))
    yield refused("a link to nothing", lambda cache: cache.symlink_to("none"))
    yield refused("a link to itself", lambda cache: cache.symlink_to(cache))
    yield refused("a file", lambda cache: cache.write_bytes(b"x"))
    yield refused("a pipe", lambda cache: os.mkfifo(cache))
    if os.geteuid() == 0:
        yield refused("a device", lambda cache: os.mknod(cache, 0o600 | stat.S_IFCHR, os.makedev(1, 5)))

    def used(what: str, mode: int, unfinished: bool = False) -> Case:
        def complain(place: pathlib.Path) -> Iterator[str]:
            cache = place / "cache"
            cache.mkdir()
            cache.chmod(mode)
            if unfinished:  # Files that look as if another process were writing them.
                os.mkfifo(cache / ".00000001.tmp")
                (cache / ".00000002.tmp").symlink_to("/dev/zero")
                os.mkfifo(cache / "llvmcache.timestamp")
                os.utime(cache / "llvmcache.timestamp", (0, 0))
                os.mkfifo(cache / "llvmcache-00000000000000000000000000000000.so")
                os.utime(cache / "llvmcache-00000000000000000000000000000000.so", (0, 0))
            for _ in range(2):
                yield from planted.judge(kind, cache, place, "")
            if not (cache / planted.names[kind]).is_file():
                yield "expected an entry, but there is none"
        return Case(f"{kind}: {what}", complain)

    for mode in (0o700, 0o755, 0o711):
        yield used(f"a good folder of mode {mode:04o}", mode)
    yield used("pipes and links beside what is kept", 0o700, unfinished=True)

    for mask in (0o000, 0o022, 0o077):
        def complain(place: pathlib.Path, mask=mask) -> Iterator[str]:
            cache = place / "new/cache"
            (place / "out").mkdir()
            yield from planted.judge(kind, cache, place, "", preexec=lambda: os.umask(mask))
            modes = [stat.S_IMODE(path.stat().st_mode) for path in (cache.parent, cache, cache / planted.names[kind])]
            if modes != [0o700, 0o700, 0o600]:
                yield f"expected modes 0700, 0700 and 0600, but got {[f'{mode:04o}' for mode in modes]}"
        yield Case(f"{kind}: umask {mask:03o}", complain)


def path_cases(planted: Planted, folder: pathlib.Path) -> Iterator[Case]:
    """Yields cases with libraries that are named like models, for every command that reads models, and vice versa."""
    files = {"a planted kernel": planted.seal("kernel", folder / "kernel.path"), "a planted constructor": planted.seal("constructor", folder / "constructor.path"),
             "a bare library": (planted.folder / "constructor.elf").read_bytes(),
             "a library with an old trailer": (planted.folder / "constructor.elf").read_bytes() + b"INVARSO2".ljust(48, b"\0"),
             "a compiled model": (planted.folder / "wide.so").read_bytes()}
    commands = {"run": ("--random",), "verify": (), "inspect": (), "compile": ("-o", "made.so"), "optimize": ("-o", "made.onnx")}
    for (what, content), name, (command, more) in itertools.product(
            files.items(), ("model.onnx", "model.bin", "model", "model.so.1", "model.SO", "model.so"), commands.items()):
        if name == "model.so" and command == "run" and what in ("a planted kernel", "a compiled model"):
            continue  # Here the user asks to run the library.
        def complain(place: pathlib.Path, content=content, name=name, command=command, more=more, what=what) -> Iterator[str]:
            (place / name).write_bytes(content)
            (place / name).chmod(0o755)
            ended = harness.run(planted.invar, command, place / name, *more, *(("--no-cache",) if command in ("run", "verify") else ()), cwd=place)
            if planted.marker.exists():
                yield "expected no planted code to run, but it ran"
            shows = command == "inspect" and what in ("a planted kernel", "a compiled model")
            if ended.code not in ((0,) if shows else (1, 2)):
                yield f"expected {'a listing' if shows else 'an error'}, but got {ended.ending()}"
            elif not shows and (len(ended.stderr.splitlines()) != 1 or "expected" not in ended.stderr):
                yield f"expected one line, but got {ended.stderr!r}"
        yield Case(f"{command} of {what} as {name}", complain)

    for command, more in commands.items():
        def complain(place: pathlib.Path, command=command, more=more) -> Iterator[str]:
            os.mkfifo(place / "model.onnx")
            os.mkfifo(place / "model.so")
            for name in ("model.onnx", "model.so"):
                ended = harness.run(planted.invar, command, place / name, *more, cwd=place)
                if ended.code not in (1, 2) or len(ended.stderr.splitlines()) != 1:
                    yield f"{name}: expected an error of one line, but got {ended.ending()}"
        yield Case(f"{command} of a pipe", complain)

    def complain_text(place: pathlib.Path) -> Iterator[str]:
        shutil.copy(planted.folder / "model.onnx", place / "model.so")
        for more in ((), ("--library",)):
            ended = planted.run(place / "model.so", place / "cache", None, *more)
            if ended.code != 1 or "expected a compiled model" not in ended.stderr:
                yield f"expected it to be refused, but got {ended.ending()}"
    yield Case("run of a model as model.so", complain_text)


def check_control(planted: Planted, place: pathlib.Path) -> Iterator[str]:
    """Checks that planted code creates the marker if the user asks to run it."""
    for name, options in (("planted.so", ()), ("planted.onnx", ("--library",))):
        (place / name).write_bytes(planted.seal("kernel", place / "sealed"))
        ended = planted.run(place / name, place / "cache", place / "out", *options)
        if ended.code:
            yield ended.ending()
        elif planted.output(ended, place / "out") != (X + 7).tobytes():
            yield "expected the answer of the planted library"
        if not planted.marker.exists():
            yield f"{name}: expected the planted code to run, but it did not"
        planted.marker.unlink(missing_ok=True)


def check_verify(planted: Planted, place: pathlib.Path) -> Iterator[str]:
    """Tests that `cache verify` removes and reports all kinds of bad entries."""
    cache, names = place / "cache", []
    cache.mkdir(0o700)
    for kind, name in planted.names.items():
        good = planted.good[kind]
        (cache / name).write_bytes(good)
        digits = name.removeprefix("llvmcache-").split(".")[0]
        for j, make in enumerate((lambda entry: entry.write_bytes(good), lambda entry: entry.symlink_to(cache / name), os.mkfifo,
                                  lambda entry: entry.write_bytes(good[:-4096] + bytes(4096)), lambda entry: entry.write_bytes(b""),
                                  lambda entry: (entry.write_bytes(good), entry.chmod(0o666)))):
            names.append(name.replace(digits, f"{j:0{len(digits)}x}"))
            make(cache / names[-1])
    ended = harness.run(planted.invar, "cache", "verify", "--cache-dir", cache)
    if ended.code != 1 or f"{len(names)} of {len(names) + 2} were damaged" not in ended.stderr:
        yield ended.ending()
    if sorted(os.listdir(cache)) != sorted(planted.names.values()):
        yield f"expected what is good to be left, but got {os.listdir(cache)}"
    lines = [line for line in ended.stdout.splitlines() if "; removed" in line]
    if len(lines) != len(names):
        yield f"expected {len(names)} lines, but got {lines}"
    # A page of zeros in good entries.
    for kind, name in planted.names.items():
        at = 4096 * (1 if kind == "constants" else 0)
        (cache / name).write_bytes(planted.good[kind][:at] + bytes(4096) + planted.good[kind][at + 4096:])
    ended = harness.run(planted.invar, "cache", "verify", "--cache-dir", cache)
    if ended.code != 1 or os.listdir(cache):
        yield f"expected zeros to be found, but got {ended.ending()}"
    cache.chmod(0o777)
    ended = harness.run(planted.invar, "cache", "verify", "--cache-dir", cache)
    if ended.code != 1 or "its mode is 0777" not in ended.stderr:
        yield f"expected the folder to be refused, but got {ended.ending()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="hostile") as top:
        folder = pathlib.Path(top)
        planted = Planted(options.build, folder)
        shared = folder / "shared"
        for name in ("shared", "control", "verify"):
            (folder / name).mkdir()
        report.check("planted code runs by consent", check_control(planted, folder / "control"))
        cases = [case for kind in planted.names for case in (*entry_cases(planted, kind, shared), *folder_cases(planted, kind, shared))]
        cases += path_cases(planted, shared)
        if os.geteuid() != 0:
            report.skip("files of somebody else, and devices", "only root can make them")

        def run(number: int, case: Case) -> list[str]:
            place = folder / str(number)
            place.mkdir(0o700)
            complaints = list(case.complain(place))
            shutil.rmtree(place)
            return complaints

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, complaints in zip(cases, pool.map(run, range(len(cases)), cases)):
                report.check(case.name, complaints)
        report.check("cache verify", check_verify(planted, folder / "verify"))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
