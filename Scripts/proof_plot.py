# SPDX-License-Identifier: Apache-2.0
"""The plots of the page of proof."""
import math
import re

COST = re.compile(r"center: Notify on disk, (\d+) pending")
WAIT = re.compile(r"center: the wait for Notify on disk, (\d+) in flight, (.*)")
COLOURS = ["#0a6", "#c50"]


def cost(rows):
    """The cost of a request by the number of those that wait, as SVG; None if it was not measured."""
    return plot("The cost of a durable Notify, by the number of pending requests", "pending requests", rows, COST)


def wait(rows):
    """How long a caller waits by the number of calls in flight, as SVG; None if it was not measured."""
    return plot("How long a caller waits for a durable Notify, by the number of calls in flight", "calls in flight", rows, WAIT)


def plot(title, horizontal, rows, pattern):
    """The figures of the rows of that pattern: a number, and the name of the line that it belongs to, if there are several."""
    lines = {}
    for row in rows:
        if found := pattern.fullmatch(row[0]):
            count, name = int(found.group(1)), found.group(2) if pattern.groups > 1 else ""
            lines.setdefault(name, []).append((count, float(row[1].split()[0])))
    if max((len(points) for points in lines.values()), default=0) < 2:
        return None
    width, height, left, bottom = 640, 240, 60, 40
    figures = [figure for points in lines.values() for figure in points]
    most = max(figure for _, figure in figures) * 1.25
    last = math.log10(max(count for count, _ in figures)) or 1

    def x(count):
        # Between the first and the last figure, and the edges, there is room for the text.
        return left + 30 + (width - left - 80) * math.log10(count) / last

    def y(figure):
        return height - bottom - (height - bottom - 20) * figure / most

    def text(place_x, place_y, words, anchor="middle", colour="black"):
        return f'<text x="{place_x:.1f}" y="{place_y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f"<title>{title}</title>",
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<path d="M{left} 20V{height - bottom}H{width - 20}" fill="none" stroke="#888"/>',
             text(left, 14, "microseconds", "start"), text((left + width) / 2, height - 6, horizontal)]
    parts += [text(x(count), height - bottom + 16, f"{count:,}") for count in sorted({count for count, _ in figures})]
    parts += [text(left - 6, y(share * most) + 4, f"{share * most:.0f}", "end") for share in (0, 0.4, 0.8)]
    for place, ((name, points), colour) in enumerate(zip(lines.items(), COLOURS)):
        points.sort()
        line = " ".join(f"{x(count):.1f},{y(figure):.1f}" for count, figure in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if name:
            parts.append(text(left + 110 + 80 * place, 14, name, "start", colour))
        for count, figure in points:
            parts.append(f'<circle cx="{x(count):.1f}" cy="{y(figure):.1f}" r="3" fill="{colour}"/>')
            # Right of its point where a point of another line is close above.
            if any(other == count and 0 < y(figure) - y(higher) < 22 for other, higher in figures):
                parts.append(text(x(count) + 6, y(figure) - 4, f"{figure:.0f}", "start", colour))
            else:
                parts.append(text(x(count), y(figure) - 8, f"{figure:.0f}", colour=colour))
    return "\n".join(parts + ["</svg>", ""])
