# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the example in the description of every pass, and compares what comes out with what it says.

  run_examples.py PASSES.td

An example is operators, a line '// becomes', and operators again. What is used in it and not made
becomes an argument; what is made last is returned. Both halves are printed by invar-opt, so that
they may be written as one likes.
"""
import difflib
import re
import subprocess
import sys


def split(types: str) -> list[str]:
    """Types of a list; they may have commas in them."""
    found, depth = [""], 0
    for letter in types:
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found if part.strip()]


def as_function(lines: list[str]) -> str:
    made, arguments = {}, {}
    for line in lines:
        result, operator = line.split(" = ", 1)
        signature = re.search(r"^[\w.]+\((.*?)\).* : \((.*)\) -> (.*)$", operator)
        constant = re.search(r" : (.*)$", operator)
        operands, types = (split(signature[1]), split(signature[2])) if signature else ([], [])
        for operand, type_ in zip(operands, types, strict=True):
            if operand not in made:
                arguments[operand] = type_
        made[result] = signature[3] if signature else constant[1]
    last, type_ = list(made.items())[-1]
    inputs = ", ".join(f"{name}: {type_}" for name, type_ in arguments.items())
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @example({inputs}) -> {type_} {{\n{body}\n  return {last} : {type_}\n}}\n"


def printed(function: str, *passes: str) -> str:
    ended = subprocess.run(["invar-opt", *passes], input=function, stdout=subprocess.PIPE, text=True, check=True)
    # Where a constant is kept in the file is no matter of the example's.
    return ended.stdout.replace("{onnx.initializer} ", "")


def main() -> int:
    text = open(sys.argv[1], encoding="utf-8").read()
    passes = re.findall(r'^def \w+ : \w*Pass<"([\w-]+)"(.*?)^}', text, re.MULTILINE | re.DOTALL)
    failed = 0
    for name, record in passes:
        example = re.search(r"```mlir\n(.*?)\n\s*// becomes\n(.*?)\n\s*```", record, re.DOTALL)
        if not example:
            print(f"{name}: expected an example in its description, but there is none")
            failed += 1
            continue
        before, after = (as_function([line.strip() for line in half.splitlines()]) for half in example.groups())
        got, want = printed(before, f"--{name}"), printed(after)
        failed += got != want
        print(f"{name}: {'as described' if got == want else 'not as described'}")
        sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), got.splitlines(True), "described", "made"))
    return 1 if failed or not passes else 0


if __name__ == "__main__":
    sys.exit(main())
