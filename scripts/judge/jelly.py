"""The jelly loader drawn with Skia: a header whose edge a finger pulls and a spring releases."""
import math

import skia

from motion import clamp01, ease, lerp, spring
from scene import Item, Shape, arc

JELLY = {
    "color": "#ff5050", "circleColor": "#555555", "circleRadius": 20.0, "circleWidth": 1.0, "restHeight": 64.0,
    "loadingHeight": 94.0, "pullDistance": 60.0, "pullX": 210.0, "pullY": 214.0, "pullBegin": 0.3, "pullEnd": 1.5,
    "release": 1.8, "stop": 4.8, "duration": 6.0, "springDuration": 1.0, "damping": 0.5, "turn": 1.0,
    "easing": "easeInEaseOut",
}
WIDTH = 320.0


def control_point(time, values):
    """The point to which the header's edge bends: pulled, springing to loading, then to rest."""
    rest = (WIDTH / 2, values["restHeight"])
    pulled = (values["pullX"], values["pullY"])
    if time < values["release"]:
        span = values["pullEnd"] - values["pullBegin"]
        fraction = ease(values["easing"], (time - values["pullBegin"]) / span)
        return tuple(lerp(start, end, fraction) for start, end in zip(rest, pulled))
    shape = (values["springDuration"], values["damping"])
    loading = (WIDTH / 2, values["loadingHeight"])
    if time < values["stop"]:
        elapsed = time - values["release"]
        return tuple(spring(start, end, elapsed, *shape) for start, end in zip(pulled, loading))
    return tuple(spring(start, end, time - values["stop"], *shape) for start, end in zip(loading, rest))


def jelly(time, values):
    time %= values["duration"]
    loading = values["release"] <= time < values["stop"]
    height = values["loadingHeight"] if loading else values["restHeight"]
    x, y = control_point(time, values)
    items = [Item("jelly", [Shape(outline(x, y, height), values["color"])], (WIDTH / 2, height / 2))]
    progress = 1.0 if loading else 0.0
    if time < values["release"]:
        progress = clamp01((y - values["restHeight"]) / values["pullDistance"])
    if progress > 0:
        turned = 360 * ((time - values["release"]) / values["turn"] % 1) if loading else 0
        path = arc(0, 0, values["circleRadius"], -math.pi / 2, 17 * math.pi / 9 * progress - math.pi / 2)
        matrix = skia.Matrix.Translate(WIDTH / 2, 60).preRotate(turned)
        shape = Shape(path, None, values["circleColor"], values["circleWidth"])
        items.append(Item("circle", [shape], (WIDTH / 2, 60), matrix=matrix))
    return items


def outline(x, y, height):
    """The header's path, whose lower edge bends towards the control point (x, y)."""
    middle = height + (y - height) / 2
    bulge = (y - height) / 4
    path = skia.PathBuilder()
    path.moveTo(0, 0)
    path.lineTo(0, middle)
    path.cubicTo(0, middle, x / 3, middle, 2 * x / 3, middle + bulge)
    path.cubicTo(2 * x / 3, middle + bulge, x, y, WIDTH / 3 + 2 * x / 3, middle + bulge)
    path.cubicTo(WIDTH / 3 + 2 * x / 3, middle + bulge, 2 * WIDTH / 3 + x / 3, middle, WIDTH, middle)
    path.lineTo(WIDTH, 0)
    path.close()
    return path.detach()
