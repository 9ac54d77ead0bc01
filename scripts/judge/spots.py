"""The preloader loader drawn with Skia: spots that stick together where they meet."""
import math

import skia

from motion import track
from scene import Item, Shape, box, circle

PRELOADER = {
    "color": "#eb4d8a", "unitRadius": 5.0, "duration": 3.6, "delayRatio": 0.08, "growRatio": 0.03,
    "stickyDistance": 20.0, "pathCorrection": 2.2,
}
# The x of the two fixed spots, and the y of all spots.
LEFT = 62.5
RIGHT = 187.5
Y = 125.0
# The keyframe times of a moving spot, as fractions of a cycle.
TIMES = [0, .25, .35, .38, .41, .75, .85, .88, .91, 1]


def grown(steps, scales, grow, at):
    """The scale of a fixed spot, which changes in `grow` at each step; times are fractions."""
    times = [0.0] + [time for step in steps for time in (step, step + grow)] + [1.0]
    return track(times, [scale for scale in scales for _ in range(2)], at)


def preloader(time, values):
    progress = time / values["duration"] % 1
    unit = values["unitRadius"]
    delay = values["delayRatio"]
    grow = values["growRatio"]
    left = grown([2 * delay - .15, .25, .25 + delay, .25 + 2 * delay, .85, .85 + delay], [3, 4, 3, 2, 1, 2, 3], grow,
                 progress)
    right = grown([.25, .25 + delay, .25 + 2 * delay, .65, .65 + delay, .65 + 2 * delay], [1, 2, 3, 4, 3, 2, 1], grow,
                  (progress - 0.1) % 1)
    fixed = [(LEFT, left, -1), (RIGHT, right, 1)]
    positions = [LEFT, LEFT, RIGHT, RIGHT + 4 * unit, RIGHT, RIGHT, LEFT, LEFT - 4 * unit, LEFT, LEFT]
    items = [Item(name, [Shape(circle(x, Y, 0.9 * unit * scale), values["color"])], (x, Y))
             for name, (x, scale, _) in zip(["left", "right"], fixed)]
    for index in range(3):
        x = track(TIMES, positions, (progress - delay * index) % 1)
        shapes = [Shape(path, values["color"]) for path in moving(x, fixed, values)]
        items.append(Item(f"spot {index + 1}", shapes, (x, Y)))
    return items


def moving(x, fixed, values):
    """The paths of a moving spot.

    It is a disc with bridges to the fixed spots near it, or, behind one, a bulge of that spot.
    """
    unit = values["unitRadius"]
    disc = circle(x, Y, 0.9 * unit)
    if any(abs(x - fixed_x) < unit * scale - unit for fixed_x, scale, _ in fixed):
        return [disc]
    paths = [disc]
    for fixed_x, scale, side in fixed:
        beyond = (x - fixed_x) * side
        if beyond > 0:
            return [bulge(x, fixed_x, scale, side, values)]
        if beyond < 0 and -beyond - unit * scale - unit < values["stickyDistance"]:
            paths.append(bridge(x, fixed_x, scale, side, values))
    return paths


def bridge(x, fixed_x, scale, side, values):
    """The path between a fixed spot and a moving one at x."""
    unit = values["unitRadius"]
    reach = unit * scale - values["pathCorrection"]
    middle = (fixed_x + x) / 2
    path = skia.PathBuilder()
    path.moveTo(fixed_x, Y - reach)
    path.quadTo(middle, Y - unit, x, Y - unit)
    path.arcTo(box(x, Y, unit), -90, -180 * side, False)
    path.quadTo(middle, Y + unit, fixed_x, Y + reach)
    path.close()
    return path.detach()


def bulge(x, fixed_x, scale, side, values):
    """The path of a fixed spot's outer side while a moving spot is behind it."""
    unit = values["unitRadius"]
    reach = unit * scale - values["pathCorrection"]
    center = x - side * unit * track([1, 2, 3, 4], [1, 1.2, 0, -0.8], scale)
    touch = center + side * unit * math.sin(math.radians(35))
    rise = unit * math.cos(math.radians(35))
    path = skia.PathBuilder()
    path.moveTo(fixed_x, Y - reach)
    path.lineTo(touch, Y - rise)
    path.lineTo(center, Y - unit)
    path.arcTo(box(center, Y, unit), -90, 180 * side, False)
    path.lineTo(touch, Y + rise)
    path.lineTo(fixed_x, Y + reach)
    path.close()
    return path.detach()
