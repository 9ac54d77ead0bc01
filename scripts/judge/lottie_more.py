"""More test loaders as Lottie files and as items for Skia.

They have many parts (spinner), parts that grow and fade (ripple), and a position that is split into
x and y (slide).
"""
import math

import skia

from lottie import document, ellipse, fill, layer, moving, rgba, still, there_and_back
from motion import ease, lerp, track
from scene import Item, Shape, circle

TICKS = 12
SPINNER = {"color": "#3a4a5a", "period": 1.2, "faint": 20.0, "length": 13.0, "thick": 5.0, "distance": 24.0}
RIPPLE = {"color": "#1f8a70", "radius": 40.0, "grow": 1.4, "delay": 0.7, "width": 6.0, "easing": "easeOut"}
RIPPLE_PERIOD = 2.1
SLIDE = {"color": "#c0392b", "radius": 9.0, "from": 30.0, "to": 130.0, "low": 70.0, "high": 30.0, "half": 0.8,
         "easing": "easeInEaseOut"}


def tick_keys(index, values):
    """The opacity keyframes of a tick, which appears in one twelfth of a period and then fades."""
    period = values["period"]
    faint = values["faint"]
    step = values["period"] / TICKS
    lit = index * step
    cycle = [(lit - step, faint), (lit, 100.0), (lit + period - step, faint), (lit + period, 100.0)]
    times, levels = zip(*cycle)
    inner = [(time, level) for time, level in cycle if 1e-9 < time < period - 1e-9]
    end = track(times, levels, period)
    return [(0.0, end)] + inner + [(period, end)]


def spinner(time, values):
    half_length = values["length"] / 2
    half_width = values["thick"] / 2
    rect = skia.Rect.MakeLTRB(-half_width, -half_length, half_width, half_length)
    path = skia.Path.RRect(rect, half_width, half_width)
    items = []
    for index in range(TICKS):
        turn = 2 * math.pi * index / TICKS
        x, y = 40 + values["distance"] * math.sin(turn), 40 - values["distance"] * math.cos(turn)
        matrix = skia.Matrix.Translate(x, y).preRotate(360 * index / TICKS)
        level = track(*zip(*tick_keys(index, values)), time % values["period"]) / 100
        items.append(Item(f"tick {index + 1}", [Shape(path, values["color"])], (x, y), level, matrix))
    return items[::-1]


def spinner_file(values):
    layers = []
    for index in range(TICKS):
        rectangle = {"ty": "rc", "p": still([0, -values["distance"]]), "s": still([values["thick"], values["length"]]),
                     "r": still(values["thick"] / 2)}
        layers.append(layer(index + 1, f"tick {index + 1}", [rectangle, fill(values["color"])], [40, 40, 0],
                            values["period"], r=still(360 * index / TICKS),
                            o=moving(tick_keys(index, values), "linear")))
    return document("spinner", 80, 80, values["period"], layers)


def ripple(time, values):
    items = []
    for index in range(2):
        progress = (time % RIPPLE_PERIOD - index * values["delay"]) / values["grow"]
        if 0 < progress < 1:
            grown = ease(values["easing"], progress)
            matrix = skia.Matrix.Translate(50, 50).preScale(grown, grown)
            ring = Shape(circle(0, 0, values["radius"]), None, values["color"], values["width"])
            items.append(Item(f"ring {index + 1}", [ring], (50, 50), 1 - grown, matrix))
    return items[::-1]


def ripple_file(values):
    layers = []
    for index in range(2):
        start = index * values["delay"]
        end = start + values["grow"]
        stroke = {"ty": "st", "c": still(rgba(values["color"])), "o": still(100), "w": still(values["width"]), "lc": 1,
                  "lj": 1, "ml": 4}
        scale = moving([(start, [0, 0, 100]), (end, [100, 100, 100])], values["easing"])
        opacity = moving([(start, 100), (end, 0)], values["easing"])
        layers.append(layer(index + 1, f"ring {index + 1}", [ellipse(values["radius"]), stroke], [50, 50, 0],
                            RIPPLE_PERIOD, s=scale, o=opacity))
    return document("ripple", 100, 100, RIPPLE_PERIOD, layers)


def slide(time, values):
    x = lerp(values["from"], values["to"], there_and_back(time, values["half"], values["easing"]))
    y = lerp(values["low"], values["high"], there_and_back(time, values["half"] / 2, values["easing"]))
    return [Item("dot", [Shape(circle(x, y, values["radius"]), values["color"])], (x, y))]


def slide_file(values):
    half = values["half"]
    easing = values["easing"]
    x = moving([(0, values["from"]), (half, values["to"]), (2 * half, values["from"])], easing)
    y = moving([(part * half / 2, values["high"] if part % 2 else values["low"]) for part in range(5)], easing)
    shapes = [ellipse(values["radius"]), fill(values["color"])]
    return document("slide", 160, 100, 2 * half, [layer(1, "dot", shapes, {"s": True, "x": x, "y": y}, 2 * half)])
