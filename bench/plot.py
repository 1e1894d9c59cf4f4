# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a dot plot as SVG: one row per model, one dot per tool, a logarithmic axis.

The colors are distinguishable for color-blind readers. The picture has its own background, so it is readable on
white and on dark pages.
"""
import html
import math
from typing import NamedTuple

COLORS = {"cp": "#9a9a9a", "invar": "#d1242f", "invar, decomposed": "#f0a3a8", "onnxruntime": "#0969a8",
          "OnnxSlim": "#e08a00", "onnxsim": "#1a936f"}
INK, FAINT, LINE, PAPER = "#24292f", "#6e7781", "#e4e8ec", "#ffffff"
LEFT, WIDTH, GAP, RIGHT = 232, 350, 44, 28
TOP, ROW, BOTTOM = 108, 30, 26


class Panel(NamedTuple):
    title: str
    unit: str
    values: dict[str, dict[str, float]]  # model -> tool -> value


def text(x: float, y: float, words: str, anchor: str = "start", size: int = 13, fill: str = INK, weight: str = "normal") -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{fill}" '
            f'font-weight="{weight}">{html.escape(words)}</text>')


def number(value: float) -> str:
    return f"{value:g}" if value < 1000 else f"{value:,.0f}"


def draw_panel(panel: Panel, models: list[str], left: float) -> list[str]:
    found = [v for row in panel.values.values() for v in row.values() if v > 0]
    low, high = math.floor(math.log10(min(found))), math.ceil(math.log10(max(found)))
    high = max(high, low + 1)
    place = lambda v: left + (math.log10(v) - low) / (high - low) * WIDTH
    bottom = TOP + ROW * len(models)
    parts = [text(left, TOP - 38, panel.title, size=14, weight="600"),
             text(left + WIDTH, TOP - 38, f"{panel.unit}, less is better", "end", 11, FAINT)]
    for decade in range(low, high + 1):
        x = place(10.0 ** decade)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="{LINE}"/>')
        parts.append(text(x, TOP - 14, number(10.0 ** decade), "middle", 11, FAINT))
    for index, model in enumerate(models):
        y = TOP + ROW * (index + 0.5)
        row = {tool: v for tool, v in panel.values[model].items() if v > 0}
        # The bar spans the tools' values. Invar's dot is drawn on top.
        if row:
            a, b = place(min(row.values())), place(max(row.values()))
            parts.append(f'<line x1="{a:.1f}" y1="{y}" x2="{b:.1f}" y2="{y}" stroke="#d0d7de" stroke-width="2"/>')
        for tool in sorted(row, key=lambda t: t == "invar"):
            radius = 7 if tool == "invar" else 5.5
            parts.append(f'<circle cx="{place(row[tool]):.1f}" cy="{y}" r="{radius}" fill="{COLORS[tool]}" stroke="{PAPER}" '
                         f'stroke-width="1.5"><title>{html.escape(f"{model}, {tool}: {row[tool]:.3g} {panel.unit}")}</title></circle>')
    return parts


def begin_picture(title: str, width: float, height: float) -> list[str]:
    """Draws the background and the title."""
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="Helvetica, Arial, sans-serif">',
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>', text(20, 32, title, size=16, weight="600")]


def shade_row(parts: list[str], index: int, y: float, width: float, height: float) -> None:
    """Shades every other row, below everything else."""
    if index % 2:
        parts.insert(2, f'<rect x="12" y="{y}" width="{width - 24}" height="{height}" rx="4" fill="#f6f8fa"/>')


def draw(title: str, panels: list[Panel], sizes: dict[str, float]) -> str:
    """`sizes` are the sizes of the models in megabytes."""
    models = list(panels[0].values)
    tools = [t for t in COLORS if any(t in row for row in panels[0].values.values())]
    width = LEFT + len(panels) * WIDTH + (len(panels) - 1) * GAP + RIGHT
    height = TOP + ROW * len(models) + BOTTOM
    parts = begin_picture(title, width, height)
    x = width - RIGHT - sum(30 + 7 * len(tool) for tool in tools)
    for tool in tools:
        parts.append(f'<circle cx="{x + 6:.1f}" cy="27" r="{7 if tool == "invar" else 5.5}" fill="{COLORS[tool]}"/>')
        parts.append(text(x + 17, 31.5, tool, weight="600" if tool == "invar" else "normal"))
        x += 30 + 7 * len(tool)
    for index, model in enumerate(models):
        y = TOP + ROW * index
        shade_row(parts, index, y, width, ROW)
        parts.append(text(20, y + ROW / 2 + 4.5, model if len(model) <= 22 else f"{model[:21]}…"))
        parts.append(text(LEFT - 14, y + ROW / 2 + 4.5, f"{sizes[model]:,.0f} MB" if sizes[model] >= 1 else "<1 MB", "end", 11, FAINT))
    for index, panel in enumerate(panels):
        parts += draw_panel(panel, models, LEFT + index * (WIDTH + GAP))
    return "\n".join([*parts, "</svg>", ""])
