"""The loaders qq-mail (three balls), qq-pull (a drop) and qq (both), drawn with Skia."""

import skia

from motion import ease
from scene import Item, Shape, box, circle

BALLS = {
    "radius": 6.0, "strokeWidth": 1.0, "opacity": 0.8, "red": "#ff0000", "yellow": "#ffff00", "green": "#00ff00",
    "offset": 30.0, "phase": 0.24, "ballEasing": "linear", "stagger": 0.0,
}
DROP = {
    "color": "#65c8fa", "topRadius": 15.0, "bottomRadius": 12.0, "dropStroke": 1.0, "pull": 60.0,
    "pullEasing": "easeInEaseOut", "releaseEasing": "easeOut",
}
NAMES = ["red", "yellow", "green"]
# A ball's movement in each of its six steps, in multiples of `offset`.
STEPS = [-1, 1, 1, -1, 0, 0]
# The step in which each ball is at time 0.
FIRST_STEPS = [1, 5, 3]
# The balls from back to front in each pair of phases. The ball that entered step 3 last is in
# front.
DEPTHS = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]


def balls(time, values, center):
    phases = time / values["phase"] % 6
    phase = int(phases)
    return [ball(index, phase, phases - phase, values, center) for index in DEPTHS[phase // 2]]


def ball(index, phase, fraction, values, center):
    step = (FIRST_STEPS[index] + phase) % 6
    moved = sum(STEPS[:step]) + STEPS[step] * ease(values["ballEasing"], fraction)
    x, y = center[0] + values["offset"] * moved, center[1]
    color = values[NAMES[index]]
    shape = Shape(circle(x, y, values["radius"]), color, color, values["strokeWidth"])
    return Item(NAMES[index], [shape], (x, y), values["opacity"])


def drop(time, values, top):
    time %= 2.88
    pull = values["pull"]
    if 0.36 <= time < 1.8:
        pull *= ease(values["pullEasing"], (time - 0.36) / 1.08)
    elif 1.8 <= time < 2.34:
        pull *= 1 - ease(values["releaseEasing"], (time - 1.8) / 0.54)
    else:
        pull = 0.0
    shape = Shape(outline(pull, values, top), values["color"], values["color"], values["dropStroke"])
    return Item("drop", [shape], (top[0], top[1] + pull / 2))


def outline(pull, values, top):
    """The drop's path: a circle at rest, two half circles joined by curves while it is pulled."""
    if pull <= 0:
        return circle(*top, values["topRadius"])
    upper = values["topRadius"] - pull / 6
    lower = values["bottomRadius"] - pull / 6
    x, y = top
    path = skia.PathBuilder()
    path.arcTo(box(x, y, upper), 180, 180, True)
    path.quadTo(x + lower, y + pull / 2, x + lower, y + pull)
    path.arcTo(box(x, y + pull, lower), 0, 180, False)
    path.quadTo(x - lower, y + pull / 2, x - upper, y)
    path.close()
    return path.detach()


def qq_mail(time, values):
    return balls(time, values, (60, 30))


def qq_pull(time, values):
    return [drop(time, values, (60, 40))]


def qq(time, values):
    return [drop(time, values, (120, 40))] + balls(time, values, (120, 120))
