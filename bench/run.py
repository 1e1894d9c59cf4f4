#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares Invar with other tools and engines, and writes docs/Benchmarks.md with its pictures.

  bench/run.py --invar PROGRAM                                          all parts, about half an hour
  bench/run.py --invar PROGRAM --only inference,load                    some parts: the page keeps the others' last figures
  bench/run.py --invar PROGRAM --only inference --models bert_base      some models: printed, and nothing is written
  bench/run.py                                                          measures nothing, writes the page again

The last results of each part are in build/bench/PART.json. The page is made from these files.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "test/python/support"), str(ROOT / "test/python/compile")]

import compiling
import folding
import inference
import kernels
import loading
import memory
import optimize
import overhead
import page
from setting import Setting

PARTS = {"inference": inference, "compile": compiling, "load": loading, "folding": folding, "memory": memory, "kernels": kernels,
         "overhead": overhead, "optimize": optimize}
BUILD = ROOT / "build/bench"


def read_found() -> dict[str, dict]:
    """Returns, for each part, its rows and the load of the machine during the measurement."""
    files = {part: BUILD / f"{part}.json" for part in PARTS}
    return {part: json.loads(file.read_text()) for part, file in files.items() if file.exists()}


def limits_of(found: dict[str, dict]) -> list[page.Limit]:
    return [limit for part, result in found.items() for limit in PARTS[part].limits(result["rows"])]


def document(found: dict[str, dict]) -> str:
    sections = "\n".join(f"## {PARTS[part].TITLE}\n{PARTS[part].section(result['rows']).rstrip()}\n" for part, result in found.items())
    loads = ", ".join(f"{PARTS[part].TITLE.lower()} {result['load']:.1f}" for part, result in found.items())
    missing = [PARTS[part].TITLE.lower() for part in PARTS if part not in found]
    return f"""# Benchmarks
Written by `make bench`; do not edit. Machine: {page.machine()}.

Processes that wanted to run, those measured among them, on average over the 15 minutes before each part ended:
{loads}.{f" Not measured: {', '.join(missing)}." if missing else ""}

{page.limit_table(limits_of(found))}

{sections}"""


def write_page(found: dict[str, dict], out: pathlib.Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "Benchmarks.md").write_text(document(found))
    pictures = {name: svg for part, result in found.items() for name, svg in PARTS[part].pictures(result["rows"]).items()}
    for name, svg in pictures.items():
        (out / name).write_text(svg)
    print(f"wrote {', '.join(['Benchmarks.md', *pictures])} into {out}", file=sys.stderr)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", type=pathlib.Path, help="the program; lib/ and bin/ of its build have the rest")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS), metavar="PART,…",
                        help=f"of {', '.join(PARTS)}")
    parser.add_argument("--models", type=lambda text: tuple(text.split(",")), default=(), metavar="WORD,…",
                        help="only models with one of these in their name")
    parser.add_argument("--folder", type=pathlib.Path, default=os.environ.get("MODELS", ROOT / "build/models"),
                        help="where models are, or are fetched to (default: $MODELS, or build/models)")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    parser.add_argument("--repeat", type=int, default=3, help="how often a process is measured as a whole")
    parser.add_argument("--rounds", type=int, default=5, help="how often each engine has a turn")
    parser.add_argument("--all", action="store_true", help="optimize all models, not one of each kind")
    parser.add_argument("--passes", default="", help="of optimize; empty: the default")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs")
    options = parser.parse_args()
    for part in options.only:
        if part not in PARTS:
            parser.error(f"expected one of {', '.join(PARTS)}, but got '{part}'")
    return options


def measure(options: argparse.Namespace) -> dict[str, dict]:
    found = {}
    with tempfile.TemporaryDirectory(dir=BUILD) as scratch:
        setting = Setting(options.invar.resolve(), options.folder, options.models, options.all, options.passes, options.repeat,
                          options.rounds, pathlib.Path(scratch))
        for part in options.only:
            rows = PARTS[part].measure(setting)
            if rows:
                found[part] = {"rows": rows, "load": page.load()}
            if rows and not options.models:
                (BUILD / f"{part}.json").write_text(json.dumps(found[part], indent=1))
    return found


def main() -> int:
    options = parse_arguments()
    BUILD.mkdir(parents=True, exist_ok=True)
    found = measure(options) if options.invar else read_found()
    if not found:
        print("expected at least one model that could be measured, but there is none", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(found))
    if options.models:
        if not options.json:
            print(document(found))
    else:
        write_page(read_found(), options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
