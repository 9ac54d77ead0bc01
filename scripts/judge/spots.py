"""preloader's sticky spots."""
import math

import skia

from motion import track
from scene import Item, Shape, box, circle

PRELOADER = {
    "color": "#eb4d8a", "unitRadius": 5.0, "duration": 3.6, "delayRatio": 0.08, "growRatio": 0.03,
    "stickyDistance": 20.0, "pathCorrection": 2.2,
}
LEFT, RIGHT, Y = 62.5, 187.5, 125.0
TIMES = [0, .25, .35, .38, .41, .75, .85, .88, .91, 1]


def grown(steps, scales, grow, at):
    times = [0.0] + [time for step in steps for time in (step, step + grow)] + [1.0]
    return track(times, [scale for scale in scales for _ in range(2)], at)


def preloader(time, values):
    progress = time / values["duration"] % 1
    unit, delay, grow = values["unitRadius"], values["delayRatio"], values["growRatio"]
    left = grown([2 * delay - .15, .25, .25 + delay, .25 + 2 * delay, .85, .85 + delay], [3, 4, 3, 2, 1, 2, 3], grow,
                 progress)
    right = grown([.25, .25 + delay, .25 + 2 * delay, .65, .65 + delay, .65 + 2 * delay], [1, 2, 3, 4, 3, 2, 1], grow,
                  (progress - 0.1) % 1)
    fixed = [(LEFT, left, -1), (RIGHT, right, 1)]
    places = [LEFT, LEFT, RIGHT, RIGHT + 4 * unit, RIGHT, RIGHT, LEFT, LEFT - 4 * unit, LEFT, LEFT]
    items = [Item(name, [Shape(circle(x, Y, 0.9 * unit * scale), values["color"])], (x, Y))
             for name, (x, scale, _) in zip(["left", "right"], fixed)]
    for index in range(3):
        x = track(TIMES, places, (progress - delay * index) % 1)
        shapes = [Shape(path, values["color"]) for path in moving(x, fixed, values)]
        items.append(Item(f"spot {index + 1}", shapes, (x, Y)))
    return items


def moving(x, fixed, values):
    """The paths of a moving spot: a disc, with bridges to the fixed spots near it, or a bulge behind one."""
    unit = values["unitRadius"]
    disc = circle(x, Y, 0.9 * unit)
    if any(abs(x - place) < unit * scale - unit for place, scale, _ in fixed):
        return [disc]
    paths = [disc]
    for place, scale, side in fixed:
        beyond = (x - place) * side
        if beyond > 0:
            return [bulge(x, place, scale, side, values)]
        if beyond < 0 and -beyond - unit * scale - unit < values["stickyDistance"]:
            paths.append(bridge(x, place, scale, side, values))
    return paths


def bridge(x, place, scale, side, values):
    unit = values["unitRadius"]
    reach = unit * scale - values["pathCorrection"]
    middle = (place + x) / 2
    path = skia.PathBuilder()
    path.moveTo(place, Y - reach)
    path.quadTo(middle, Y - unit, x, Y - unit)
    path.arcTo(box(x, Y, unit), -90, -180 * side, False)
    path.quadTo(middle, Y + unit, place, Y + reach)
    path.close()
    return path.detach()


def bulge(x, place, scale, side, values):
    unit = values["unitRadius"]
    reach = unit * scale - values["pathCorrection"]
    center = x - side * unit * track([1, 2, 3, 4], [1, 1.2, 0, -0.8], scale)
    touch = center + side * unit * math.sin(math.radians(35))
    rise = unit * math.cos(math.radians(35))
    path = skia.PathBuilder()
    path.moveTo(place, Y - reach)
    path.lineTo(touch, Y - rise)
    path.lineTo(center, Y - unit)
    path.arcTo(box(center, Y, unit), -90, 180 * side, False)
    path.lineTo(touch, Y + rise)
    path.lineTo(place, Y + reach)
    path.close()
    return path.detach()
