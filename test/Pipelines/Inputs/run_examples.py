# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the example in the description of every pass, and compares the result with the described one.

  run_examples.py PASSES.td…

An example is IR, a line '// becomes', and IR again. Both are functions, or operators alone: then undefined operands
become arguments, and the last result is returned. invar-opt prints both halves, so the formatting does not matter.

After '// becomes, in part', the second half is lines that the result must contain in this order. A '…' stands for any
text, and names of values are not compared. A line '// with OPTIONS' before the IR gives the pass options.
"""
import difflib
import re
import subprocess
import sys
import textwrap


def split(types: str) -> list[str]:
    """The types in a list; a type may contain commas."""
    found, depth = [""], 0
    for letter in types:
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found if part.strip()]


def as_function(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    if not lines[0].startswith("%"):
        return text
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


def printed(text: str, *passes: str) -> str:
    ended = subprocess.run(["invar-opt", *passes], input=text, stdout=subprocess.PIPE, text=True, check=True)
    # The kind of storage of a constant in the model does not matter here.
    return ended.stdout.replace("{onnx.initializer} ", "")


def difference(before: str, after: str, is_part: bool, name: str, options: str) -> list[str]:
    got = printed(as_function(before), f"--{name}={options}" if options else f"--{name}")
    if not is_part:
        got = printed(got)  # A constant may be printed in another form before it is read again.
        want = printed(as_function(after))
        return list(difflib.unified_diff(want.splitlines(True), got.splitlines(True), "described", "made"))
    rest = got.splitlines()
    for line in after.splitlines():
        pattern = re.escape(line.strip()).replace("…", ".*")
        pattern = re.sub(r"%\w+", r"%\\w+", pattern)
        while rest and not re.search(pattern, rest[0]):
            rest.pop(0)
        if not rest:
            return [f"expected a line '{line.strip()}' in:\n", got]
        rest.pop(0)
    return []


def main() -> int:
    failed = found = 0
    for path in sys.argv[1:]:
        text = open(path, encoding="utf-8").read()
        for name, record in re.findall(r'^def \w+ : \w*Pass<"([\w-]+)"(.*?)^}', text, re.MULTILINE | re.DOTALL):
            found += 1
            example = re.search(r"```mlir\n(?: *// with ([^\n]*)\n)?(.*?)\n *// becomes(, in part)?\n(.*?)\n *```", record, re.DOTALL)
            if not example:
                print(f"{name}: expected an example in its description, but there is none")
                failed += 1
                continue
            options, before, part, after = example.groups()
            lines = difference(textwrap.dedent(before), textwrap.dedent(after), bool(part), name, options or "")
            failed += bool(lines)
            print(f"{name}: {'not as described' if lines else 'as described'}")
            sys.stdout.writelines(lines)
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
