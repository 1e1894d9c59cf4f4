# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs work in forked processes, so that a crash or hang affects nothing else.

A child processes a batch and writes a line for each item; before each stage it writes the stage's name. If it ends
early, the parent knows the item and the stage, and continues with the next item in another child.
"""
import json
import os
import select
import signal
import sys
import tempfile
import time
from typing import Any, Callable, Iterator, NamedTuple, Sequence

import invar_engine

SECONDS = 300  # Without any output for this time, the child hangs. Graphs take milliseconds.


class Died(NamedTuple):
    """How a child ended before its work was done."""
    stage: str
    ending: str  # "killed by SIGSEGV", "hangs"
    words: str  # The end of its standard error.


class Child:
    def __init__(self, work: Callable[[Any, Callable[[str], None]], Any], items: Sequence[Any]):
        self.items = list(items)
        self.done = 0
        self.stage = "start"
        self.errors = tempfile.TemporaryFile()
        self.rest = b""
        self.heard = time.monotonic()
        self.reader, writer = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self.work(work, writer)
        os.close(writer)

    def work(self, work: Callable[[Any, Callable[[str], None]], Any], writer: int) -> None:
        """Runs in the child; never returns."""
        code = 1
        try:
            os.close(self.reader)
            os.dup2(self.errors.fileno(), 2)

            def say(kind: str, content: Any) -> None:
                os.write(writer, (json.dumps([kind, content]) + "\n").encode())
            for item in self.items:
                say("result", work(item, lambda stage: say("stage", stage)))
            code = 0
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            os._exit(code)

    def listen(self) -> list[tuple[Any, Any]]:
        """Returns the items and results that have arrived. If the child died, its current item has a `Died` as
        result."""
        data = os.read(self.reader, 1 << 16)
        self.heard = time.monotonic()
        *lines, self.rest = (self.rest + data).split(b"\n")
        found = []
        for line in lines:
            kind, content = json.loads(line)
            if kind == "stage":
                self.stage = content
            else:
                found.append((self.items[self.done], content))
                self.done += 1
                self.stage = "start"
        if not data:
            found.extend(self.end())
        return found

    def end(self, ending: str = "") -> list[tuple[Any, Any]]:
        if ending:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.reader)
        self.pid = 0
        code = os.waitstatus_to_exitcode(status)
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - (1 << 16)))
        words = self.errors.read().decode(errors="replace")
        self.errors.close()
        if not ending and code >= 0 and self.done == len(self.items):
            return []
        how = ending or (f"killed by {signal.Signals(-code).name}" if code < 0 else "an exception")
        item = self.items[min(self.done, len(self.items) - 1)]
        self.done += 1
        return [(item, Died(self.stage, how, invar_engine.last_words(words) if code < 0 else words.strip()[-600:]))]

    @property
    def left(self) -> list[Any]:
        return self.items[self.done:]


def run_all(work: Callable[[Any, Callable[[str], None]], Any], items: Sequence[Any], jobs: int = 1, batch: int = 25,
            seconds: float = SECONDS) -> Iterator[tuple[Any, Any]]:
    """Yields items with their results, as they arrive."""
    waiting = [list(items[at:at + batch]) for at in range(0, len(items), batch)][::-1]
    children: dict[int, Child] = {}
    while waiting or children:
        while waiting and len(children) < jobs:
            child = Child(work, waiting.pop())
            children[child.reader] = child
        ready, _, _ = select.select(list(children), [], [], 1.0)
        for reader in ready:
            yield from children[reader].listen()
        for reader, child in list(children.items()):
            if child.pid and time.monotonic() - child.heard > seconds:
                yield from child.end("hangs")
            if not child.pid:
                del children[reader]
                if child.left:
                    waiting.append(child.left)


def run_one(work: Callable[[Any, Callable[[str], None]], Any], item: Any, seconds: float = SECONDS) -> Any:
    return next(result for _, result in run_all(work, [item], seconds=seconds))
