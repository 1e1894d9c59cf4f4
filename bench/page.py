# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables, limits, and a description of the machine."""
import importlib.metadata
import os
import pathlib
import platform
from typing import Iterable, NamedTuple, Sequence

LEFT, RIGHT = "---", "---:"


class Limit(NamedTuple):
    """A required value and the measured value."""
    what: str
    limit: str
    found: str
    is_met: bool

    def verdict(self) -> str:
        return met(self.is_met)


def met(is_met: bool) -> str:
    return "yes" if is_met else "**no**"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Makes a table whose first `left` columns hold words; the others hold numbers."""
    lines = [head, [LEFT] * left + [RIGHT] * (len(head) - left), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def limit_table(limits: Iterable[Limit]) -> str:
    return table(("asked", "limit", "found", "met"), [(*limit[:3], limit.verdict()) for limit in limits], left=4)


def milliseconds(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def versions(packages: dict[str, str]) -> str:
    """Returns the versions of the packages that Invar is compared with, or "(not installed)"."""
    def version(package: str) -> str:
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return "(not installed)"
    return ", ".join(f"{name} {version(package)}" for name, package in packages.items())


def machine() -> str:
    """Describes the machine as far as it matters for a comparison, without identifying it."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GiB, Linux {platform.release().split('-')[0]}"


def load() -> float:
    """Returns the load average. Other load on the machine makes all figures worse, so the page prints it."""
    return os.getloadavg()[2]
