"""The douyin loader drawn with Skia: a spinning record and the notes that rise from it."""
import math

import skia

from motion import lerp, track
from scene import Item, Shape, box, circle

DOUYIN = {
    "noteColor": "#ffffff", "discColor": "#18181a", "coverDiameter": 25.0, "turn": 3.0, "rate": 12.0, "noteDelay": 1.0,
    "sideX": 40.0, "sideY": 100.0, "controlLength": 60.0, "noteSize": 10.0,
}
CENTER = (125.0, 145.0)
# A note is designed in a box of 10 x 10 points and then scaled. HEAD has the semi-axes of its
# elliptical head, TILT the head's angle in radians; STEM and BEAM are stroke widths.
HEAD = (2.25, 1.7)
TILT = -0.35
STEM = 1.1
BEAM = 1.8


def douyin(time, values):
    return [record(time, values)] + [note(index, time, values) for index in range(3)]


def note(index, time, values):
    progress = (time - index * values["noteDelay"]) / (values["rate"] / 4) % 1
    x, y = note_position(progress, values)
    scale = values["noteSize"] / 10 * lerp(1, 2, progress)
    angle = track([0, .5, 1], [0, 18, -18], progress)
    matrix = skia.Matrix.Translate(x, y).preRotate(angle).preScale(scale, scale)
    shapes = (beamed if index == 1 else quaver)(values["noteColor"])
    opacity = track([0, .25, .5, .75, 1], [0, .2, .7, .2, 0], progress)
    return Item(f"note {index + 1}", shapes, (x, y), opacity, matrix)


def note_position(progress, values):
    """The point on a note's path, a quadratic Bezier curve, at a progress from 0 to 1."""
    begin = (CENTER[0] - 5, CENTER[1] + 25)
    length = values["controlLength"]
    control = (begin[0] - values["sideX"] / 2 - length, begin[1] - values["sideY"] / 2 + length)
    end = (begin[0] - values["sideX"], begin[1] - values["sideY"])
    rest = 1 - progress
    return tuple(rest * rest * a + 2 * rest * progress * b + progress * progress * c
                 for a, b, c in zip(begin, control, end))


def head_extreme():
    """The rightmost point of a note's head, an extreme of the rotated ellipse, from its centre."""
    cosine, sine = math.cos(TILT), math.sin(TILT)
    x = math.hypot(HEAD[0] * cosine, HEAD[1] * sine)
    return x, (HEAD[0] ** 2 - HEAD[1] ** 2) * sine * cosine / x


def head(x, y):
    matrix = skia.Matrix.Translate(x, y).preRotate(math.degrees(TILT))
    path = skia.Path.Oval(skia.Rect.MakeLTRB(-HEAD[0], -HEAD[1], HEAD[0], HEAD[1]))
    path.transform(matrix)
    return path


def stroked(color, width, start, *curve):
    """A stroked line (one point) or cubic Bezier curve (three points) with round caps."""
    path = skia.PathBuilder()
    path.moveTo(*start)
    if len(curve) == 1:
        path.lineTo(*curve[0])
    else:
        path.cubicTo(*[value for point in curve for value in point])
    return Shape(path.detach(), None, color, width, "round")


def stem(color, x, y, top):
    right, rise = head_extreme()
    stem_x = x + right - STEM / 2
    return stroked(color, STEM, (stem_x, top), (stem_x, y + rise - 0.15))


def quaver(color):
    """A single eighth note with a flag."""
    right, _ = head_extreme()
    x = -1.3 + right - STEM / 2
    top = -4.4
    flag = stroked(color, STEM, (x, top), (x + 0.35, top + 1.9), (x + 3.5, top + 1.7), (x + 2.9, top + 4.7))
    return [Shape(head(-1.3, 3.1), color), stem(color, -1.3, 3.1, top), flag]


def beamed(color):
    """Two eighth notes joined by a beam."""
    right, _ = head_extreme()
    heads = [(-2.85, 3.35), (2.35, 2.65)]
    tops = [-3.2, -4.1]
    stem_xs = [x + right - STEM / 2 for x, _ in heads]
    inset = (BEAM - STEM) / 2
    beam = stroked(color, BEAM, (stem_xs[0] + inset, tops[0]), (stem_xs[1] - inset, tops[1]))
    stems = [stem(color, *center, top) for center, top in zip(heads, tops)]
    return [Shape(head(*center), color) for center in heads] + stems + [beam]


def record(time, values):
    radius = 25.0
    cover = values["coverDiameter"] / 2
    shapes = [Shape(circle(0, 0, radius), values["discColor"])]
    groove = radius - 2
    while groove >= cover + 1:
        shapes.append(Shape(circle(0, 0, groove), None, "#ffffff", 0.5, alpha=0.09))
        groove -= 2
    shapes += sheen(cover - 0.5, radius - 1) + cover_art(cover)
    matrix = skia.Matrix.Translate(*CENTER).preRotate(360 * (time / values["turn"] % 1))
    return Item("record", shapes, CENTER, matrix=matrix)


def sheen(inner, outer):
    """Two highlights on the grooves, whose brightness falls off as the squared cosine.

    A highlight is a stack of 16 translucent sectors, whose edges invert the squared cosine.
    """
    edges = [0.95 * 2 / math.pi * math.acos(math.sqrt((level + 0.5) / 16)) for level in range(16)] + [0.0]
    shapes = []
    for level in range(16):
        path = skia.PathBuilder()
        for middle in (-0.7, -0.7 + math.pi):
            for side in (-1, 1):
                sector(path, middle + side * edges[level + 1], middle + side * edges[level], inner, outer)
        shapes.append(Shape(path.detach(), "#ffffff", alpha=3 * (level + 1) / 255))
    return shapes


def sector(path, start, end, inner, outer):
    """Adds a sector of a ring to the path; the angles are in radians."""
    first = math.degrees(start)
    sweep = math.degrees(end - start)
    path.arcTo(box(0, 0, outer), first, sweep, True)
    path.arcTo(box(0, 0, inner), first + sweep, -sweep, False)
    path.close()


def cover_art(radius):
    """The album cover: a red hill and a white sun on turquoise, clipped to a circle."""
    label = circle(0, 0, radius)
    hill = skia.PathBuilder()
    hill.moveTo(-radius, radius * 0.55)
    hill.quadTo(-radius * 0.1, -radius * 0.7, radius, radius * 0.25)
    hill.lineTo(radius, radius)
    hill.lineTo(-radius, radius)
    hill.close()
    inside = skia.Op(hill.detach(), label, skia.kIntersect_PathOp)
    sun = circle(radius * 0.35, -radius * 0.4, radius * 0.28)
    return [Shape(label, "#25f4ee"), Shape(sun, "#ffffff"), Shape(inside, "#fe2c55")]
