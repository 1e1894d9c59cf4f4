# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A dot plot as SVG: a row per model, a dot per tool, a logarithmic axis."""
import html
import math
from typing import NamedTuple

COLORS = {"cp": "#8a8a8a", "invar": "#c1272d", "onnxruntime": "#0072b2", "OnnxSlim": "#e69f00", "onnxsim": "#009e73"}
LEFT, WIDTH, ROW, TOP, GAP = 210, 330, 22, 64, 40


class Panel(NamedTuple):
    title: str
    unit: str
    values: dict[str, dict[str, float]]  # model -> tool -> value


def text(x: float, y: float, words: str, anchor: str = "start", size: int = 12, weight: str = "normal") -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'font-weight="{weight}">{html.escape(words)}</text>')


def label(value: float) -> str:
    return f"{value:g}" if value < 1000 else f"{value:,.0f}"


def draw_panel(panel: Panel, models: list[str], left: float) -> list[str]:
    found = [v for row in panel.values.values() for v in row.values() if v > 0]
    low, high = math.floor(math.log10(min(found))), math.ceil(math.log10(max(found)))
    high = max(high, low + 1)
    place = lambda v: left + (math.log10(v) - low) / (high - low) * WIDTH
    bottom = TOP + ROW * len(models)
    parts = [text(left, TOP - 26, f"{panel.title} ({panel.unit}, logarithmic)", weight="bold")]
    for decade in range(low, high + 1):
        x = place(10.0 ** decade)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="#dddddd"/>')
        parts.append(text(x, TOP - 11, label(10.0 ** decade), "middle", 10))
    for index, model in enumerate(models):
        y = TOP + ROW * (index + 0.5)
        row = {tool: v for tool, v in panel.values[model].items() if v > 0}
        if row:
            parts.append(f'<line x1="{place(min(row.values())):.1f}" y1="{y}" x2="{place(max(row.values())):.1f}" '
                         f'y2="{y}" stroke="#bbbbbb"/>')
        for tool, number in row.items():
            parts.append(f'<circle cx="{place(number):.1f}" cy="{y}" r="5" fill="{COLORS[tool]}">'
                         f'<title>{html.escape(f"{model}, {tool}: {number:.3g} {panel.unit}")}</title></circle>')
    return parts


def draw(panels: list[Panel]) -> str:
    models = list(panels[0].values)
    tools = [t for t in COLORS if any(t in row for row in panels[0].values.values())]
    width = LEFT + len(panels) * (WIDTH + GAP)
    height = TOP + ROW * len(models) + 20
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             'font-family="sans-serif">', f'<rect width="{width}" height="{height}" fill="white"/>']
    x = 10.0
    for tool in tools:
        parts.append(f'<circle cx="{x + 5}" cy="14" r="5" fill="{COLORS[tool]}"/>' + text(x + 15, 18, tool))
        x += 32 + 7.5 * len(tool)
    for index, model in enumerate(models):
        parts.append(text(LEFT - 12, TOP + ROW * (index + 0.5) + 4, model[:30], "end"))
    for index, panel in enumerate(panels):
        parts += draw_panel(panel, models, LEFT + index * (WIDTH + GAP))
    return "\n".join([*parts, "</svg>", ""])
