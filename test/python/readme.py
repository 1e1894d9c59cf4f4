#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the shell blocks of the documents, so that a command in them that no longer works shows.

Every block fenced as ```sh runs with `bash -euo pipefail`, in order, in a temporary folder that
looks like the project's own: what a command writes beside the sources is gone afterwards.
"""
import argparse
import os
import pathlib
import re
import sys
import tempfile

import harness

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: pathlib.Path) -> list[tuple[int, str]]:
    """The line on which each block begins, and its text."""
    text = document.read_text()
    return [(text.count("\n", 0, m.start()) + 2, m[1]) for m in BLOCK.finditer(text)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("documents", nargs="*", type=pathlib.Path, default=[ROOT / "README.md"])
    options = parser.parse_args()

    report = harness.Report(options.verbose)
    for document in options.documents:
        with tempfile.TemporaryDirectory(prefix="readme") as folder:
            for entry in ROOT.iterdir():
                if entry.name != ".git":
                    os.symlink(entry, os.path.join(folder, entry.name))
            for line, script in blocks(document):
                ended = harness.run("bash", "-euo", "pipefail", "-c", script, cwd=folder)
                report.check(f"{document.name}:{line}", [ended.ending() + ended.stdout[-500:]] if ended.code else [])
                if options.verbose:
                    print(script, ended.stdout, sep="\n")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
