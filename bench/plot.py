"""Line plots as SVG, by hand: no library to install for a dozen pictures."""

import html
import math

WIDTH, HEIGHT = 460, 356
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 34, 94
STYLES = [
    ("#1b6ca8", "", "circle"),
    ("#c8553d", "6 3", "square"),
    ("#3a7d44", "2 3", "diamond"),
    ("#6d3b8f", "8 3 2 3", "up"),
    ("#444444", "1 3", "down"),
]
LARGEST_STEPS = 6
MOST_MARKERS = 24  # a line with more points has none


def compact(value):
    """1500000 as 1.5M, 0.02 as 0.02."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def linear_ticks(low, high):
    rough = (high - low) / LARGEST_STEPS or 1
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step - 1e-9)
    return [round(step * i, 12) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low, high):
    ticks = [10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    return ticks[:: math.ceil(len(ticks) / LARGEST_STEPS)]


class Axis:
    def __init__(self, values, begin, end, log=False, zero=False, ticks=None):
        self.log = log
        low, high = min(values), max(values)
        if log:
            low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high) + 1e-9)
        elif zero:
            low, high = 0, high * 1.06
        if low == high:
            high = low + 1
        self.low, self.high, self.begin, self.end = low, high, begin, end
        self.ticks = ticks or (log_ticks(low, high) if log else linear_ticks(low, high))

    def place(self, value):
        low, high = (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)
        share = ((math.log10(value) if self.log else value) - low) / (high - low)
        return self.begin + share * (self.end - self.begin)


def marker(kind, x, y, color):
    r = 3.6
    shapes = {
        "square": [(-r, -r), (r, -r), (r, r), (-r, r)],
        "diamond": [(0, -r - 1), (r + 1, 0), (0, r + 1), (-r - 1, 0)],
        "up": [(0, -r - 1), (r + 1, r), (-r - 1, r)],
        "down": [(0, r + 1), (r + 1, -r), (-r - 1, -r)],
    }
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{color}"/>'
    points = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in shapes[kind])
    return f'<polygon points="{points}" fill="{color}"/>'


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{html.escape(words)}</text>'


def line_plot(path, title, x_label, y_label, series, caption, log=False, x_ticks=None, log_x=False):
    """series: {name: [(x, y), ...]}; caption: lines. On a logarithmic axis (log: y) points at 0 are left out."""
    series = {
        name: [(x, y) for x, y in points if (y > 0 or not log) and (x > 0 or not log_x)]
        for name, points in series.items()
    }
    series = {name: points for name, points in series.items() if points}
    if not series:
        return
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    xs = Axis([x for points in series.values() for x, _ in points], LEFT + 16, right - 16, log=log_x, ticks=x_ticks)
    ys = Axis([y for points in series.values() for _, y in points], bottom, TOP, log=log, zero=not log)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="11" fill="#222">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(WIDTH / 2, 18, title, extra='font-size="13" font-weight="bold"'),
    ]
    for tick in ys.ticks:
        y = ys.place(tick)
        parts += [
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#ddd"/>',
            text(LEFT - 6, y + 4, compact(tick), "end"),
        ]
    for tick in xs.ticks:
        x = xs.place(tick)
        parts += [
            f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 4}" stroke="#444"/>',
            text(x, bottom + 16, compact(tick)),
        ]
    parts += [
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#444"/>',
        text((LEFT + right) / 2, bottom + 32, x_label),
        text(0, 0, y_label, extra=f'transform="translate(14 {(TOP + bottom) / 2:.0f}) rotate(-90)"'),
    ]
    for (_, points), (color, dashes, shape) in zip(series.items(), STYLES):
        places = [(xs.place(x), ys.place(y)) for x, y in points]
        parts.append(
            f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" fill="none" stroke="{color}" '
            f'stroke-width="1.8" stroke-dasharray="{dashes or "none"}"/>'
        )
        if len(places) <= MOST_MARKERS:
            parts += [marker(shape, x, y, color) for x, y in places]
    step = (WIDTH - 20) / len(series)
    for place, (name, (color, dashes, shape)) in enumerate(zip(series, STYLES)):
        x, y = 14 + place * step, bottom + 50
        parts += [
            f'<line x1="{x:.1f}" y1="{y}" x2="{x + 20:.1f}" y2="{y}" stroke="{color}" stroke-width="1.8" '
            f'stroke-dasharray="{dashes or "none"}"/>',
            text(x + 24, y + 4, name, "start"),
        ]
        if len(series[name]) <= MOST_MARKERS:
            parts.append(marker(shape, x + 10, y, color))
    for place, line in enumerate(reversed(caption)):
        parts.append(text(WIDTH / 2, HEIGHT - 8 - 13 * place, line, extra='font-size="9.5" fill="#555"'))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")
