# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws ratios as SVG: one row per model, bars that start at the line of ratio 1, one panel per peer, a logarithmic
axis.

Half the time and twice the time are bars of the same length. Bars to the left are faster, bars to the right are
slower.
"""
import html
import math

from plot import FAINT, GAP, INK, LEFT, LINE, RIGHT, TOP, WIDTH, begin_picture, shade_row, text

COLORS = ("#d1242f", "#f0a3a8", "#9a9a9a")
ROW, BAR, BOTTOM = 34, 10, 26
TICKS = (0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10, 20, 50)

Group = dict[str, dict[str, float]]  # bar -> model -> ratio


def axis(groups: dict[str, Group]) -> tuple[float, float]:
    """Returns the ends of the axis, which all panels share. The line of 1 is always inside."""
    found = [ratio for group in groups.values() for row in group.values() for ratio in row.values()] or [1.0]
    return min(0.5, min(found) / 1.15), max(2.0, max(found) * 1.25)


def draw_panel(title: str, group: Group, models: list[str], left: float, low: float, high: float) -> list[str]:
    place = lambda ratio: left + math.log(ratio / low) / math.log(high / low) * WIDTH
    bottom = TOP + ROW * len(models)
    parts = [text(left, TOP - 38, title, size=14, weight="600"), text(left + WIDTH, TOP - 38, "to the left is faster", "end", 11, FAINT)]
    for tick in (t for t in TICKS if low <= t <= high):
        x = place(tick)
        color, width = (INK, 1.5) if tick == 1 else (LINE, 1)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="{color}" stroke-width="{width}"/>')
        parts.append(text(x, TOP - 14, f"{tick:g}×", "middle", 11, INK if tick == 1 else FAINT, "600" if tick == 1 else "normal"))
    for index, model in enumerate(models):
        top = TOP + ROW * index + (ROW - BAR * len(group)) / 2
        if not any(model in row for row in group.values()):
            parts.append(text(place(1) + 6, top + BAR + 4, "did not run", size=11, fill=FAINT))
        for number, (name, row) in enumerate(group.items()):
            if model not in row:
                continue
            ratio, y = row[model], top + BAR * number
            a, b = sorted((place(1), place(ratio)))
            parts.append(f'<rect x="{a:.1f}" y="{y + 0.5:.1f}" width="{max(b - a, 1):.1f}" height="{BAR - 1}" fill="{COLORS[number]}">'
                         f'<title>{html.escape(f"{model}, {title}, {name}: {ratio:.2f}×")}</title></rect>')
            anchor, x = ("start", b + 4) if ratio >= 1 else ("end", a - 4)
            parts.append(text(x, y + BAR - 1, f"{ratio:.2f}", anchor, 9, FAINT))
    return parts


def draw(title: str, models: list[str], groups: dict[str, Group]) -> str:
    """`groups` are the panels."""
    width = LEFT + len(groups) * WIDTH + (len(groups) - 1) * GAP + RIGHT
    height = TOP + ROW * len(models) + BOTTOM
    parts = begin_picture(title, width, height)
    names = list(next(iter(groups.values())))
    x = width - RIGHT - sum(30 + 7 * len(name) for name in names)
    for number, name in enumerate(names):
        parts.append(f'<rect x="{x:.1f}" y="21" width="12" height="12" fill="{COLORS[number]}"/>')
        parts.append(text(x + 17, 31.5, name))
        x += 30 + 7 * len(name)
    for index, model in enumerate(models):
        y = TOP + ROW * index
        shade_row(parts, index, y, width, ROW)
        parts.append(text(20, y + ROW / 2 + 4.5, model if len(model) <= 26 else f"{model[:25]}…"))
    for index, (name, group) in enumerate(groups.items()):
        parts += draw_panel(name, group, models, LEFT + index * (WIDTH + GAP), *axis(groups))
    return "\n".join([*parts, "</svg>", ""])
