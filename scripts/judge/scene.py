"""Scenes: lists of items from back to front, drawn with Skia. Lengths are in points."""
import math
from dataclasses import dataclass, field, replace

import numpy as np
import skia

CAPS = {"butt": skia.Paint.kButt_Cap, "round": skia.Paint.kRound_Cap}


@dataclass
class Shape:
    """A path with a fill, a stroke or both. Colours are strings such as #40a83b."""
    path: skia.Path
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    cap: str = "butt"
    alpha: float = 1.0


@dataclass
class Item:
    """One object of a design. Its shapes are composited as a group before `opacity` applies."""
    name: str
    shapes: list[Shape]
    center: tuple[float, float]
    opacity: float = 1.0
    matrix: skia.Matrix = field(default_factory=skia.Matrix)
    clip: skia.Path | None = None

    def scaled(self, factor):
        around = skia.Matrix()
        around.setScale(factor, factor, *self.center)
        return replace(self, matrix=skia.Matrix.Concat(around, self.matrix))

    def moved(self, dx, dy):
        shift = skia.Matrix.Translate(dx, dy)
        center = (self.center[0] + dx, self.center[1] + dy)
        return replace(self, matrix=skia.Matrix.Concat(shift, self.matrix), center=center)

    def recolored(self, color):
        shapes = [replace(shape, fill=shape.fill and color, stroke=shape.stroke and color) for shape in self.shapes]
        return replace(self, shapes=shapes)


def color4f(text, alpha=1.0):
    red, green, blue = (int(text[index:index + 2], 16) / 255 for index in (1, 3, 5))
    return skia.Color4f(red, green, blue, alpha)


def circle(x, y, radius):
    return skia.Path.Circle(x, y, radius)


def box(x, y, radius):
    """The bounds of a circle."""
    return skia.Rect.MakeLTRB(x - radius, y - radius, x + radius, y + radius)


def arc(x, y, radius, start, end):
    """An open arc between two angles in radians, clockwise if `end` is larger than `start`."""
    path = skia.PathBuilder()
    path.addArc(box(x, y, radius), math.degrees(start), math.degrees(end - start))
    return path.detach()


def polygon(points):
    path = skia.PathBuilder()
    path.addPolygon([skia.Point(*point) for point in points], True)
    return path.detach()


def paint_of(color, alpha, smooth):
    paint = skia.Paint(color4f(color, alpha))
    paint.setAntiAlias(smooth)
    return paint


def draw(canvas, item, smooth=True):
    canvas.save()
    canvas.concat(item.matrix)
    if item.opacity < 1:
        canvas.saveLayerAlpha(None, round(255 * max(item.opacity, 0)))
    if item.clip:
        canvas.clipPath(item.clip, doAntiAlias=True)
    for shape in item.shapes:
        if shape.fill:
            canvas.drawPath(shape.path, paint_of(shape.fill, shape.alpha, smooth))
        if shape.stroke and shape.width > 0:
            paint = paint_of(shape.stroke, shape.alpha, smooth)
            paint.setStyle(skia.Paint.kStroke_Style)
            paint.setStrokeWidth(shape.width)
            paint.setStrokeCap(CAPS[shape.cap])
            canvas.drawPath(shape.path, paint)
    if item.opacity < 1:
        canvas.restore()
    canvas.restore()


class Bitmap:
    """An RGBA bitmap in a NumPy array, with a Skia canvas that draws into it."""

    def __init__(self, width, height):
        self.pixels = np.zeros((height, width, 4), dtype=np.uint8)
        self.surface = skia.Surface(self.pixels, colorType=skia.kRGBA_8888_ColorType)
        self.canvas = self.surface.getCanvas()

    def clear(self, color):
        self.canvas.clear(color4f(color).toColor())
