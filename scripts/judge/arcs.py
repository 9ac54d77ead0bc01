"""The iqiyi loader (a ring and a triangle) and the oneloading loader (an arc), drawn with Skia."""
import math

import skia

from motion import ease, lerp
from scene import Item, Shape, arc, polygon

IQIYI = {
    "color": "#40a83b", "triangleColor": None, "ringDiameter": 70.0, "ringWidth": 7.0, "triangleRadius": 20.0,
    "triangleWidth": 2.0, "draw": 0.6, "erase": 0.6, "easing": "easeInEaseOut", "turn": 4 * math.pi / 3,
}
ONELOADING = {"color": "#ff0000", "radius": 40.0, "lineWidth": 2.0, "duration": 2.0, "easing": "linear"}


def iqiyi(time, values):
    time %= values["draw"] + values["erase"]
    start = 0.02
    end = 0.98
    angle = 0.0
    if time < values["draw"]:
        end = lerp(0.02, 0.98, ease(values["easing"], time / values["draw"]))
    else:
        fraction = (time - values["draw"]) / values["erase"]
        start = lerp(0.02, 0.98, ease(values["easing"], fraction))
        angle = values["turn"] * fraction
    items = []
    if end > start:
        path = arc(60, 60, values["ringDiameter"] / 2, 2 * math.pi * start - math.pi / 2,
                   2 * math.pi * end - math.pi / 2)
        items.append(Item("ring", [Shape(path, None, values["color"], values["ringWidth"], "round")], (60, 60)))
    radius = values["triangleRadius"]
    corners = [(radius * math.cos(turn), radius * math.sin(turn)) for turn in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
    color = values["triangleColor"] or values["color"]
    matrix = skia.Matrix.Translate(60, 60).preRotate(math.degrees(angle))
    shape = Shape(polygon(corners), color, color, values["triangleWidth"])
    return items + [Item("triangle", [shape], (60, 60), matrix=matrix)]


def oneloading(time, values):
    fraction = ease(values["easing"], time / values["duration"] % 1)
    tail = 3.5 * math.pi - 1.5 * math.pi * fraction
    head = 3 * math.pi - 3 * math.pi * fraction
    path = arc(60, 60, values["radius"], tail, head)
    return [Item("arc", [Shape(path, None, values["color"], values["lineWidth"])], (60, 60))]
