# SPDX-License-Identifier: Apache-2.0
"""The plot of the page of proof."""
import math
import re

COST = re.compile(r"center: Notify on disk, (\d+) pending")


def plot(rows):
    """The cost of a request by the number of those that wait, as SVG; None if it was not measured."""
    points = sorted((int(found.group(1)), float(row[1].split()[0])) for row in rows if (found := COST.fullmatch(row[0])))
    if len(points) < 2:
        return None
    width, height, left, bottom = 640, 240, 60, 40
    most = max(cost for _, cost in points) * 1.25
    last = math.log10(max(count for count, _ in points)) or 1

    def x(count):
        return left + (width - left - 20) * math.log10(count) / last

    def y(cost):
        return height - bottom - (height - bottom - 20) * cost / most

    def text(place_x, place_y, words, anchor="middle"):
        return f'<text x="{place_x:.1f}" y="{place_y:.1f}" text-anchor="{anchor}">{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             "<title>The cost of a durable Notify, by the number of pending requests</title>",
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<path d="M{left} 20V{height - bottom}H{width - 20}" fill="none" stroke="#888"/>',
             text(left, 14, "microseconds", "start"), text((left + width) / 2, height - 6, "pending requests")]
    parts += [text(x(count), height - bottom + 16, f"{count:,}") for count, _ in points]
    parts += [text(left - 6, y(share * most) + 4, f"{share * most:.0f}", "end") for share in (0, 0.4, 0.8)]
    line = " ".join(f"{x(count):.1f},{y(cost):.1f}" for count, cost in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#0a6" stroke-width="2"/>')
    for count, cost in points:
        parts += [f'<circle cx="{x(count):.1f}" cy="{y(cost):.1f}" r="3" fill="#0a6"/>',
                  text(x(count), y(cost) - 8, f"{cost:.0f}")]
    return "\n".join(parts + ["</svg>", ""])
