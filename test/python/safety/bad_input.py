#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that no input file and no full disk makes Invar crash.

For any input, the program must end with 0 (done, and the output exists), 1 (bad input), 2 (bad usage) or 3 (out of
resources), never by a signal. If it rejects the input, it must print one line that begins with the file's name, and
leave no output and no other file behind.

  bad_input.py --invar build/dev/bin/invar [--only NAME] [--changes N]
"""
import argparse
import concurrent.futures
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from typing import Callable, Iterator

import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import bad_models
import harness
from bad_models import ACCEPT, EITHER, REFUSE
from models import is_sorted, tiny

# A small model needs little memory: an allocation of a size that the model claims fails here.
MEMORY = 4 << 30
CODES = {ACCEPT: {0}, REFUSE: {1}, EITHER: {0, 1}}
CASES: list[bad_models.Bad] = []


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_file_size(size: int) -> Callable[[], None]:
    def apply() -> None:
        limit_memory()
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # Make write fail, as on a full disk.
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply


def refusal_complaints(ended: harness.Run, names: tuple[str, ...]) -> Iterator[str]:
    lines = ended.stderr.splitlines()
    if len(lines) != 1:
        yield f"expected one line on stderr, but got {len(lines)}: {ended.stderr[:300]!r}"
    elif not lines[0].startswith(names):
        yield f"expected a line that begins with the file's name, but got {lines[0]!r}"
    elif "expected" not in lines[0] and "cannot" not in lines[0]:
        yield f"expected 'expected …, but got …' or 'cannot …', but got {lines[0]!r}"


def optimize(invar: str, folder: str, codes: set[int], source: str = "in.onnx", target: str = "out.onnx",
             options: tuple[str, ...] = (), preexec=limit_memory) -> Iterator[str]:
    """Runs in `folder` and yields what is wrong with the exit code, the messages and the files."""
    before = set(os.listdir(folder))
    ended = harness.run(invar, "optimize", source, "-o", target, "--passes=none", *options, cwd=folder, preexec=preexec)
    left = set(os.listdir(folder)) - before
    if ended.code not in codes:
        yield f"expected {' or '.join(f'exit {c}' for c in sorted(codes))}, but got {ended.ending()}"
    if ended.code == 0:
        if not os.path.exists(os.path.join(folder, target)):
            yield "exit 0, but no output"
        elif left - {target}:
            yield f"left {sorted(left - {target})} behind"
    else:
        if left:
            yield f"exit {ended.code}, but left {sorted(left)} behind"
        if ended.code > 0:
            yield from refusal_complaints(ended, (source, target, "w.bin", "gone.bin", "sub"))


def judge_model(invar: str, index: int) -> tuple[str, list[str]]:
    bad = CASES[index]
    with tempfile.TemporaryDirectory(prefix="bad") as folder:
        with open(os.path.join(folder, "in.onnx"), "wb") as sink:
            sink.write(bad.data)
        if bad.beside:
            bad.beside(folder)
        complaints = list(optimize(invar, folder, CODES[bad.expect], options=bad.options))
        out = os.path.join(folder, "out.onnx")
        if os.path.exists(out) and bad.expect == ACCEPT:
            complaints += accepted_complaints(out)
    return bad.name, complaints


def accepted_complaints(out: str) -> Iterator[str]:
    try:
        if not is_sorted(onnx.load(out).graph):
            yield "nodes of the output are out of order"
    except Exception as error:
        yield f"the output is no model: {error}"


# Files, disks and command lines.

def judge_files(invar: str) -> Iterator[tuple[str, list[str]]]:
    def fresh(path: str) -> str:
        folder = tempfile.mkdtemp(dir=path)
        onnx.save(tiny(), os.path.join(folder, "in.onnx"))
        return folder

    with tempfile.TemporaryDirectory(prefix="bad") as top:
        yield "missing file", list(optimize(invar, fresh(top), {1}, source="none.onnx"))
        folder = fresh(top)
        os.mkdir(os.path.join(folder, "sub"))
        yield "input is a folder", list(optimize(invar, folder, {1}, source="sub"))
        yield "output is a folder", list(optimize(invar, folder, {1}, target="sub"))
        folder = fresh(top)
        open(os.path.join(folder, "empty.onnx"), "w").close()
        yield "empty file", list(optimize(invar, folder, {1}, source="empty.onnx"))
        yield "output in a folder that is not there", list(optimize(invar, fresh(top), {1}, target="no/out.onnx"))
        yield "output in a folder that takes no files", list(optimize(invar, fresh(top), {1}, target="/proc/out.onnx"))

        folder = fresh(top)
        complaints = list(optimize(invar, folder, {0}, target="in.onnx"))
        yield "output is the input", complaints + list(accepted_complaints(os.path.join(folder, "in.onnx")))

        folder = fresh(top)
        old = os.path.join(folder, "out.onnx")
        with open(old, "wb") as sink:
            sink.write(b"old")
        complaints = list(optimize(invar, folder, {3}, preexec=limit_file_size(50)))
        with open(old, "rb") as source:
            if source.read() != b"old":
                complaints.append("the old output is damaged")
        yield "disk full: the old output stays", complaints
        yield "disk full: no output", list(optimize(invar, fresh(top), {3}, preexec=limit_file_size(50)))
        yield "disk full: no external data", list(optimize(
            invar, fresh(top), {3}, options=("--external-data",), preexec=limit_file_size(8)))


def judge_small_disk(invar: str, report: harness.Report) -> None:
    """Tests a real file system without free space, if one can be mounted."""
    name = "a disk of 64 KiB"
    with tempfile.TemporaryDirectory(prefix="bad") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
        if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
            return report.skip(name, "cannot mount a tmpfs without root")
        try:
            big = tiny()
            big.doc_string = "x" * 50_000
            onnx.save(big, os.path.join(folder, "in.onnx"))
            report.check(name, list(optimize(invar, folder, {3})))
        finally:
            subprocess.run(["umount", folder], check=True)


def judge_usage(invar: str) -> Iterator[tuple[str, list[str]]]:
    lines = {
        "": 2, "frobnicate": 2, "--frobnicate": 2, "optimize": 2, "optimize in.onnx": 0, "optimize -o out.onnx": 2,
        "optimize in.onnx -o out.onnx --passes=frobnicate": 2,
        "optimize in.onnx -o out.onnx --passes=none --frobnicate": 2,
        "optimize in.onnx -o out.onnx --passes=none --opset x": 2,
        "optimize in.onnx -o out.onnx --passes=none --opset -1": 2,
        "inspect": 2, "inspect in.onnx --frobnicate": 2, "inspect none.onnx": 1,
        "--help": 0, "--version": 0, "optimize --help": 0, "inspect --help": 0,
        "inspect in.onnx": 0, "inspect in.onnx --json": 0,
    }
    with tempfile.TemporaryDirectory(prefix="bad") as folder:
        onnx.save(tiny(), os.path.join(folder, "in.onnx"))
        for line, code in lines.items():
            ended = harness.run(invar, *line.split(), cwd=folder, preexec=limit_memory)
            complaints = [] if ended.code == code else [f"expected exit {code}, but got {ended.ending()}"]
            if code and not ended.stderr:
                complaints.append("nothing on stderr")
            if os.listdir(folder) != ["in.onnx"]:
                complaints.append(f"left {sorted(os.listdir(folder))} behind")
            yield f"invar {line}", complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="only models with this in their name")
    parser.add_argument("--changes", type=int, default=5, help="how often each model of model_parts.py is changed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    CASES.extend(bad for bad in bad_models.all_cases(options.changes) if options.only in bad.name)
    print(f"{len(CASES)} models", flush=True)

    report = harness.Report(options.verbose)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for name, complaints in pool.map(judge_model, [options.invar] * len(CASES), range(len(CASES)), chunksize=16):
            report.check(name, complaints)
    if not options.only:
        for name, complaints in (*judge_files(options.invar), *judge_usage(options.invar)):
            report.check(name, complaints)
        judge_small_disk(options.invar, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
