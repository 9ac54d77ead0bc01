"""Small test loaders: each as a Lottie file and as items for Skia, from the same parameters."""
import json
import math

import skia

from motion import EASINGS, ease, lerp
from scene import Item, Shape, arc, circle

RATE = 60
DOT = {"color": "#2266dd", "radius": 10.0, "from": 30.0, "to": 170.0, "half": 0.8, "easing": "easeInEaseOut"}
RING = {"color": "#e0552b", "radius": 36.0, "width": 8.0, "draw": 0.9, "erase": 0.9, "easing": "easeInEaseOut"}
PULSE = {
    "color": "#7a3fc4", "side": 60.0, "corner": 12.0, "small": 60.0, "faint": 40.0, "half": 0.7,
    "easing": "easeInEaseOut",
}
WAVE = {
    "color 1": "#d92b4b", "color 2": "#2ba84a", "color 3": "#2b6cd9", "radius": 9.0, "rise": 30.0, "delay": 0.15,
    "half": 0.35, "easing": "easeInEaseOut", "gap": 40.0,
}
ORBIT = {"color": "#118c8c", "hub": "#444444", "radius": 8.0, "distance": 34.0, "hubRadius": 14.0, "turn": 1.2}
WAVE_PERIOD = 1.5


def there_and_back(time, half, easing):
    """The progress from 0 to 1 in `half` seconds and back to 0 in another `half`, each eased."""
    time %= 2 * half
    return ease(easing, time / half) if time < half else 1 - ease(easing, time / half - 1)


def dot(time, values):
    x = lerp(values["from"], values["to"], there_and_back(time, values["half"], values["easing"]))
    return [Item("dot", [Shape(circle(x, 50, values["radius"]), values["color"])], (x, 50))]


def ring(time, values):
    time %= values["draw"] + values["erase"]
    start, end = 0.0, 1.0
    if time < values["draw"]:
        end = ease(values["easing"], time / values["draw"])
    else:
        start = ease(values["easing"], (time - values["draw"]) / values["erase"])
    if end <= start:
        return []
    top = -math.pi / 2
    path = arc(50, 50, values["radius"], top + 2 * math.pi * start, top + 2 * math.pi * end)
    return [Item("ring", [Shape(path, None, values["color"], values["width"])], (50, 50))]


def pulse(time, values):
    progress = there_and_back(time, values["half"], values["easing"])
    half = values["side"] / 2
    path = skia.Path.RRect(skia.Rect.MakeLTRB(-half, -half, half, half), values["corner"], values["corner"])
    scale = lerp(100, values["small"], progress) / 100
    matrix = skia.Matrix.Translate(50, 50).preScale(scale, scale)
    opacity = lerp(100, values["faint"], progress) / 100
    return [Item("square", [Shape(path, values["color"])], (50, 50), opacity, matrix)]


def wave(time, values):
    items = []
    for index in range(3):
        own = (time - index * values["delay"]) % WAVE_PERIOD
        lifted = there_and_back(own, values["half"], values["easing"]) if own < 2 * values["half"] else 0.0
        x, y = 80 + (index - 1) * values["gap"], 65 - values["rise"] * lifted
        shape = Shape(circle(x, y, values["radius"]), values[f"color {index + 1}"])
        items.append(Item(f"dot {index + 1}", [shape], (x, y)))
    return items[::-1]


def orbit(time, values):
    angle = 2 * math.pi * (time / values["turn"] % 1)
    x, y = 60 + values["distance"] * math.cos(angle), 60 + values["distance"] * math.sin(angle)
    return [Item("hub", [Shape(circle(60, 60, values["hubRadius"]), values["hub"])], (60, 60)),
            Item("moon", [Shape(circle(x, y, values["radius"]), values["color"])], (x, y))]


# Lottie files

def still(value):
    """A static property."""
    return {"a": 0, "k": value}


def moving(keys, easing):
    """An animated property with keyframes at (seconds, value) pairs."""
    x1, y1, x2, y2 = EASINGS[easing]
    frames = []
    for time, value in keys:
        value = value if isinstance(value, list) else [value]
        handle = {"o": {"x": [x1], "y": [y1]}, "i": {"x": [x2], "y": [y2]}}
        frames.append({"t": time * RATE, "s": value, **handle})
    return {"a": 1, "k": frames}


def rgba(text):
    return [int(text[index:index + 2], 16) / 255 for index in (1, 3, 5)] + [1]


def fill(color):
    return {"ty": "fl", "c": still(rgba(color)), "o": still(100), "r": 1}


def ellipse(radius):
    return {"ty": "el", "p": still([0, 0]), "s": still([2 * radius, 2 * radius])}


def layer(index, name, shapes, position, period, **transform):
    """A shape layer; `transform` replaces opacity (o), rotation (r), scale (s) or anchor (a)."""
    position = position if isinstance(position, dict) else still(position)
    ks = {"o": still(100), "r": still(0), "p": position, "a": still([0, 0, 0]), "s": still([100, 100, 100])}
    ks.update(transform)
    group = {"ty": "gr", "nm": name, "it": shapes + [{
        "ty": "tr", "p": still([0, 0]), "a": still([0, 0]), "s": still([100, 100]), "r": still(0), "o": still(100)}]}
    return {"ddd": 0, "ind": index, "ty": 4, "nm": name, "sr": 1, "ks": ks, "ao": 0, "shapes": [group], "ip": 0,
            "op": period * RATE, "st": 0, "bm": 0}


def document(name, width, height, period, layers):
    """A Lottie document of these layers on a white background."""
    background = {"ddd": 0, "ind": 99, "ty": 1, "nm": "background", "sr": 1, "ks": {
        "o": still(100), "r": still(0), "p": still([0, 0, 0]), "a": still([0, 0, 0]), "s": still([100, 100, 100])},
        "ao": 0, "sw": width, "sh": height, "sc": "#ffffff", "ip": 0, "op": period * RATE, "st": 0, "bm": 0}
    return {"v": "5.7.0", "fr": RATE, "ip": 0, "op": period * RATE, "w": width, "h": height, "nm": name, "ddd": 0,
            "assets": [], "layers": layers + [background]}


def dot_file(values):
    half = values["half"]
    keys = [(0, [values["from"], 50, 0]), (half, [values["to"], 50, 0]), (2 * half, [values["from"], 50, 0])]
    shapes = [ellipse(values["radius"]), fill(values["color"])]
    return document("dot", 200, 100, 2 * half, [layer(1, "dot", shapes, moving(keys, values["easing"]), 2 * half)])


def ring_file(values):
    draw = values["draw"]
    period = values["draw"] + values["erase"]
    stroke = {"ty": "st", "c": still(rgba(values["color"])), "o": still(100), "w": still(values["width"]), "lc": 1,
              "lj": 1, "ml": 4}
    trim = {"ty": "tm", "s": moving([(draw, 0), (period, 100)], values["easing"]),
            "e": moving([(0, 0), (draw, 100)], values["easing"]), "o": still(0), "m": 1}
    return document("ring", 100, 100, period, [
        layer(1, "ring", [ellipse(values["radius"]), trim, stroke], [50, 50, 0], period)])


def pulse_file(values):
    half = values["half"]
    easing = values["easing"]
    rectangle = {"ty": "rc", "p": still([0, 0]), "s": still([values["side"]] * 2), "r": still(values["corner"])}
    small = values["small"]
    faint = values["faint"]
    scale = moving([(0, [100, 100, 100]), (half, [small, small, 100]), (2 * half, [100, 100, 100])], easing)
    opacity = moving([(0, 100), (half, faint), (2 * half, 100)], easing)
    return document("pulse", 100, 100, 2 * half, [
        layer(1, "square", [rectangle, fill(values["color"])], [50, 50, 0], 2 * half, s=scale, o=opacity)])


def wave_file(values):
    layers = []
    for index in range(3):
        x = 80 + (index - 1) * values["gap"]
        start = index * values["delay"]
        half = values["half"]
        low, high = [x, 65, 0], [x, 65 - values["rise"], 0]
        position = moving([(start, low), (start + half, high), (start + 2 * half, low)], values["easing"])
        shapes = [ellipse(values["radius"]), fill(values[f"color {index + 1}"])]
        layers.append(layer(index + 1, f"dot {index + 1}", shapes, position, WAVE_PERIOD))
    return document("wave", 160, 100, WAVE_PERIOD, layers)


def orbit_file(values):
    turn = values["turn"]
    moon = [ellipse(values["radius"]), fill(values["color"])]
    turned = moving([(0, 0), (turn, 360)], "linear")
    return document("orbit", 120, 120, turn, [
        layer(1, "moon", moon, [60, 60, 0], turn, r=turned, a=still([-values["distance"], 0, 0])),
        layer(2, "hub", [ellipse(values["hubRadius"]), fill(values["hub"])], [60, 60, 0], turn)])


def write(make, values, path):
    with open(path, "w") as file:
        json.dump(make(values), file, indent=1)
