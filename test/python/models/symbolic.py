# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates the symbolic sizes that Invar writes, such as '(h + 1) floordiv 2'."""
import re

TOKEN = re.compile(r"\s*(?:(\d+)|'([^']*)'|([()*,+]|-(?=\s|\(|\d|'))|([^\s()*+,'=<>!]+))")


class Unbound(Exception):
    """A name in the expression has no value."""


def tokens(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"expected a token at {text[at:]!r}")
        number, quoted, sign, word = match.groups()
        kind = "number" if number else "name" if quoted is not None else "sign" if sign else "word"
        found.append((kind, number or quoted or sign or word))
        at = match.end()
    return found


def evaluate(text: str, sizes: dict[str, int]) -> int:
    """Returns the value of an expression over named sizes. A text that is itself a name is looked up as a whole."""
    if text in sizes:
        return sizes[text]
    rest = tokens(text)

    def peek() -> tuple[str, str]:
        return rest[0] if rest else ("end", "")

    def take(value: str) -> bool:
        if peek()[1] == value and peek()[0] in ("sign", "word"):
            rest.pop(0)
            return True
        return False

    def factor() -> int:
        kind, value = peek()
        if take("("):
            inner = total()
            take(")")
            return inner
        if take("-"):
            return -factor()
        if kind == "end":
            raise ValueError(f"expected more of {text!r}")
        rest.pop(0)
        if kind == "number":
            return int(value)
        if kind == "word" and peek() == ("sign", "("):
            rest.pop(0)
            arguments = [total()]
            while take(","):
                arguments.append(total())
            take(")")
            return {"max": max, "min": min, "iszero": lambda a: int(a == 0),
                    "isatleastzero": lambda a: int(a >= 0), "select": lambda c, a, b: a if c else b}[value](*arguments)
        if value not in sizes:
            raise Unbound(value)
        return sizes[value]

    def product() -> int:
        value = factor()
        while True:
            if take("*"):
                value *= factor()
            elif take("floordiv"):
                value //= factor()
            elif take("mod"):
                value %= factor()
            else:
                return value

    def total() -> int:
        value = product()
        while True:
            if take("+"):
                value += product()
            elif take("-"):
                value -= product()
            else:
                return value

    value = total()
    if rest:
        raise ValueError(f"expected the end of {text!r} at {rest[0]!r}")
    return value
