#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the shell blocks of the documents, to find commands that no longer work.

Every block fenced as ```sh runs with `bash -euo pipefail`, in order, in a temporary folder that looks like the
project's. Files that a command writes beside the sources are gone afterwards. Another build may replace
build/release, which takes long to build and does the same; then `make demo` is replaced by the command that it runs
after building.

  readme.py [--build build/dev] [DOCUMENT…]
"""
import argparse
import pathlib
import re
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
import harness

ROOT = pathlib.Path(__file__).resolve().parents[3]
RELEASE = ROOT / "build/release"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: pathlib.Path) -> list[tuple[int, str]]:
    """Returns the first line of each block, and its text."""
    text = document.read_text()
    return [(text.count("\n", 0, m.start()) + 2, m[1]) for m in BLOCK.finditer(text)]


def link(folder: pathlib.Path, entries: dict[str, pathlib.Path]) -> None:
    for name, target in entries.items():
        (folder / name).symlink_to(target)


def make_project(folder: pathlib.Path, build: pathlib.Path) -> None:
    """Makes a folder like the project's, with this build as the release."""
    link(folder, {entry.name: entry for entry in ROOT.iterdir() if entry.name not in (".git", "build")})
    (folder / "build").mkdir()
    link(folder / "build", {entry.name: entry for entry in (ROOT / "build").iterdir()} | {"release": build.resolve()})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=RELEASE)
    parser.add_argument("documents", nargs="*", type=pathlib.Path, default=[ROOT / "README.md"])
    options = parser.parse_args()

    report = harness.Report(options.verbose)
    for document in options.documents:
        with tempfile.TemporaryDirectory(prefix="readme") as folder:
            make_project(pathlib.Path(folder), options.build)
            for line, script in blocks(document):
                if options.build != RELEASE:
                    script = re.sub(r"^make demo$", 'utils/demo "$PWD/build/release/bin/invar"', script, flags=re.MULTILINE)
                ended = harness.run("bash", "-euo", "pipefail", "-c", script, cwd=folder)
                report.check(f"{document.name}:{line}", [ended.ending() + ended.stdout[-500:]] if ended.code else [])
                if options.verbose:
                    print(script, ended.stdout, sep="\n")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
