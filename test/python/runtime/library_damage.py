#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests damaged libraries: flipped bits anywhere, pages of zeros, cut ends. None may crash or compute other outputs;
each must be rejected with a line that names the file. Only a flip in constants that no run reads may be harmless. A
damaged file of run-once constants must be computed again, with a warning.

Caches are tested too: a damaged library must be compiled again, with a warning, and `cache verify` must find it.

  library_damage.py --build build/dev [--flips N] [--losses N] [--seed N]
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from typing import Iterator, NamedTuple

import numpy as np

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import small_libraries as small

PAGE, TRAILER = 4096, 80
REFUSED = 3  # The exit code of invar-sessions.


class Case(NamedTuple):
    name: str
    write: object
    options: tuple[str, ...]
    keeps: bool = False  # Whether to damage the file of run-once constants.


CASES = (Case("convolutions", small.write_convolutions, ()),
         Case("products", small.write_products, ("--fold-at=compile",)),
         Case("folded at the first run", small.write_products, ("--fold-at=run",)),
         Case("several processors", small.write_convolutions, ("--target-cpu=x86-64-v4,x86-64-v3,x86-64-v2",)),
         Case("compressed", small.write_structured, ("--compress-weights",)),
         Case("constants apart", small.write_products, ("--link-params=file",)),
         Case("refittable", small.write_products, ("--refittable",)),
         Case("kept constants", small.write_products, ("--fold-at=run",), keeps=True))


class Damage(NamedTuple):
    """A file of a library with changed bytes."""
    kind: str
    what: str
    file: str
    content: bytes
    may_be_harmless: bool = False


class Subject:
    """A library, its files, and its outputs."""

    def __init__(self, build: str, folder: pathlib.Path, case: Case):
        self.program = harness.existing_program(os.path.join(build, "bin/invar-sessions"))
        self.invar = harness.existing_program(os.path.join(build, "bin/invar"))
        self.folder = folder / "good"
        self.folder.mkdir(parents=True)
        case.write(folder / "model.onnx")
        library = self.folder / "model.so"
        small.compile_model(self.invar, folder / "model.onnx", library, *case.options)
        folds = self.folder / "model.so.folds"
        if case.keeps:
            folds.mkdir(0o700)
        ended = subprocess.run([self.program, "0", "1", "1", library], capture_output=True)
        if ended.returncode:
            raise SystemExit(f"{case.name}: cannot run: {ended.stderr}")
        self.expected = ended.stdout
        self.files = {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        head, _, offset, size, name = struct.unpack_from("<5Q", self.files["model.so"][-TRAILER:])
        self.constants = {"model.so": (0, 0), "model.safetensors": (offset, offset + size)} if name else {"model.so": (head, head + size)}
        self.targets = sorted(self.files)
        if case.keeps:
            self.targets = [name for name in self.files if name.endswith(".fold")]
            for name in self.targets:
                self.constants[name] = (PAGE, PAGE + struct.unpack_from("<Q", self.files[name], 32)[0])
        self.damaged = folder / "damaged"

    def run(self, damage: Damage, number: int) -> tuple[str, str]:
        """Returns the outcome, and a complaint."""
        folder = self.damaged / str(number)
        folder.mkdir(parents=True)
        for name, content in {**self.files, damage.file: damage.content}.items():
            (folder / name).parent.mkdir(0o700, exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / "model.so.expected").write_bytes(self.expected)
        ended = harness.run(self.program, "1", "1", "1", folder / "model.so")
        shutil.rmtree(folder)
        lines = ended.stderr.splitlines()
        if damage.file.endswith(".fold"):
            if ended.code or len(lines) != 1 or not lines[0].endswith("; constants are computed again") or damage.file not in lines[0]:
                return "bad", f"expected a line that they are computed again, but got {ended.ending()}"
            return "computed again", ""
        if ended.code == REFUSED:
            named = len(lines) == 1 and lines[0].startswith(f"{folder / 'model.so'}: ")
            return "refused", "" if named else f"expected one line that names the file, but got {ended.stderr!r}"
        if ended.code == 0:
            return "harmless", "" if damage.may_be_harmless else "expected it to be refused, but it runs"
        return "bad", ended.ending()

    def flips(self, count: int, generator: random.Random) -> Iterator[Damage]:
        """Flips bits equally often in each part: code and program, constants, and the rest after them."""
        for _ in range(count):
            name = generator.choice(self.targets)
            content, (begin, end) = bytearray(self.files[name]), self.constants[name]
            parts = [part for part in ((0, begin), (begin, end), (end, len(content))) if part[0] < part[1]]
            at, bit = generator.randrange(*generator.choice(parts)), generator.randrange(8)
            content[at] ^= 1 << bit
            yield Damage("flipped bits", f"bit {bit} of byte {at} of {name}", name, bytes(content), begin <= at < end)

    def losses(self, most: int, generator: random.Random) -> Iterator[Damage]:
        for name in self.targets:
            content = self.files[name]
            pages = [at for at in range(0, len(content), PAGE) if any(content[at:at + PAGE])]
            begin, end = self.constants[name]
            for at in sorted(generator.sample(pages, min(most, len(pages)))):
                zeroed = content[:at] + bytes(len(content[at:at + PAGE])) + content[at + PAGE:]
                yield Damage("zeroed pages", f"zeros from byte {at} of {name}", name, zeroed, begin <= at and at + PAGE <= end)
            sizes = {0, 1, 63, 64, TRAILER, begin, end, len(content) - 1, len(content) - 8, len(content) - TRAILER}
            for size in sorted(sizes | {generator.randrange(len(content)) for _ in range(most)}):
                if 0 <= size < len(content):
                    yield Damage("cuts", f"the first {size} bytes of {name}", name, content[:size])
            yield Damage("bytes too many", f"a byte behind {name}", name, content + b"\0")


def judge(subject: Subject, damages: list[Damage], what: str, report: harness.Report, outcomes: collections.Counter[tuple[str, str]]) -> None:
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for damage, (outcome, complaint) in zip(damages, pool.map(subject.run, damages, range(len(damages)))):
            outcomes[damage.kind, outcome] += 1
            if complaint:
                print(f"{what}: {damage.what}: {complaint}", flush=True)
            report.check(f"{what}: {damage.what}", [complaint] if complaint else [])


def tell(what: str, outcomes: collections.Counter[tuple[str, str]]) -> None:
    kinds = dict.fromkeys(kind for kind, _ in outcomes)
    parts = (f"{sum(count for (of, _), count in outcomes.items() if of == kind)} {kind} ("
             + ", ".join(f"{count} {outcome}" for (of, outcome), count in outcomes.items() if of == kind) + ")" for kind in kinds)
    print(f"{what}: " + ", ".join(parts), flush=True)


def check_inspect(subject: Subject, generator: random.Random) -> Iterator[str]:
    path = subject.folder / "damaged.so"
    for damage in subject.flips(6, generator):
        path.write_bytes(damage.content)
        ended = harness.run(subject.invar, "inspect", path)
        if ended.code != 1 or len(ended.stderr.splitlines()) != 1 or str(path) not in ended.stderr:
            yield f"{damage.what}: expected a line that names the file, but got {ended.ending()}"


def check_cache(subject: Subject, folder: pathlib.Path, generator: random.Random) -> Iterator[tuple[str, list[str]]]:
    model, cache, feed, out = (folder / name for name in ("model.onnx", "cache", "x.npy", "out"))
    np.save(feed, small.inputs(1, 3, 8, 8))

    def run(warns: bool) -> Iterator[str]:
        ended = harness.run(subject.invar, "run", model, "--input", f"x={feed}", "--cache-dir", cache, "--output-dir", out, "--json")
        if ended.code:
            yield ended.ending()
        elif np.load(out / "y.npy").tobytes() != subject.expected:
            yield "expected other outputs"
        elif ("compiled again" in ended.stderr) != warns:
            yield f"expected {'a warning' if warns else 'no warning'}, but got {ended.stderr!r}"

    yield "a model is compiled into the cache", list(run(False))
    library = next(cache.glob("*.so"))
    good = library.read_bytes()
    begin, end = subject.constants["model.so"]
    for what, at in (("code", begin // 2), ("constants", begin + 5), ("the tail", end + 3), ("the trailer", len(good) - 20)):
        damaged = bytearray(good)
        damaged[at] ^= 1 << generator.randrange(8)
        library.write_bytes(damaged)
        yield f"damaged {what} in the cache: compiled again", list(run(True))
        yield f"damaged {what} in the cache: only once", list(run(False))
        library.write_bytes(damaged)
        ended = harness.run(subject.invar, "cache", "verify", "--cache-dir", cache)
        yield (f"damaged {what} in the cache: verify removes it",
               [] if ended.code == 1 and not library.exists() and "the file is damaged; removed" in ended.stdout else [ended.ending() + ended.stdout])
    library.write_bytes(good)
    ended = harness.run(subject.invar, "cache", "verify", "--cache-dir", cache)
    yield "verify leaves what is whole", [ended.ending()] if ended.code or not library.exists() else []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--flips", type=int, default=280, help="in all libraries together")
    parser.add_argument("--losses", type=int, default=4, help="pages and cuts, of each file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report, generator = harness.Report(), random.Random(options.seed)
    totals: collections.Counter[tuple[str, str]] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="damage") as folder:
        for number, case in enumerate(CASES):
            own = pathlib.Path(folder, str(number))
            subject = Subject(options.build, own, case)
            outcomes: collections.Counter[tuple[str, str]] = collections.Counter()
            damages = list(subject.losses(options.losses, generator))
            judge(subject, damages, case.name, report, outcomes)
            left = options.flips // len(CASES)
            while left:  # A few at a time, because they are in memory.
                damages = list(subject.flips(min(left, 200), generator))
                judge(subject, damages, case.name, report, outcomes)
                left -= len(damages)
            totals += outcomes
            tell(case.name, outcomes)
            if number == 0:
                report.check("inspect", check_inspect(subject, generator))
                for name, complaints in check_cache(subject, own, generator):
                    report.check(name, complaints)
    tell("all", totals)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
