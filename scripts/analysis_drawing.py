"""Shapes drawn by Skia, and timing functions, for recordings whose every number is known."""

import math

import numpy as np
import skia

SIZE = (240, 160)

BLUE, RED, GREEN, GREY, BLACK = (30, 110, 230), (230, 50, 40), (40, 160, 80), (120, 120, 120), (20, 20, 20)
ROUND = skia.Paint.kRound_Cap
WHITE, DARK = (255, 255, 255), (40, 44, 52)

EASINGS = {
    "linear": (1 / 3, 1 / 3, 2 / 3, 2 / 3),
    "ease": (0.25, 0.1, 0.25, 1),
    "ease-in": (0.42, 0, 1, 1),
    "ease-out": (0, 0, 0.58, 1),
    "ease-in-out": (0.42, 0, 0.58, 1),
    "material": (0.4, 0, 0.2, 1),
    "back": (0.34, 1.56, 0.64, 1),
}


def bezier(x1, y1, x2, y2):
    def value(share):
        low, high = 0.0, 1.0
        for _ in range(50):
            s = (low + high) / 2
            if 3 * (1 - s) ** 2 * s * x1 + 3 * (1 - s) * s * s * x2 + s**3 < share:
                low = s
            else:
                high = s
        return 3 * (1 - s) ** 2 * s * y1 + 3 * (1 - s) * s * s * y2 + s**3

    return value


CURVES = {name: bezier(*handles) for name, handles in EASINGS.items()}


def keyed(time, period, points, easing="ease-in-out", lag=0.0):
    """A value at a time, from pairs of a share of the period and a value."""
    phase = ((time - lag) / period) % 1
    for (start, first), (end, last) in zip(points, points[1:]):
        if phase <= end:
            return first + (last - first) * CURVES[easing]((phase - start) / (end - start))
    return points[-1][1]


def there_and_back(time, period, easing, lag=0.0):
    """A share that goes from 0 to 1 and back once per period."""
    return keyed(time, period, [(0, 0), (0.5, 1), (1, 0)], easing, lag)


def mixed(color, opacity, ground):
    return tuple(round(ground[i] + (color[i] - ground[i]) * opacity) for i in range(3))


def paint(color, width=0.0, cap=skia.Paint.kButt_Cap):
    result = skia.Paint(AntiAlias=True, Color=skia.Color(*color))
    if width:
        result.setStyle(skia.Paint.kStroke_Style)
        result.setStrokeWidth(width)
        result.setStrokeCap(cap)
    return result


def disc(canvas, x, y, r, color):
    canvas.drawCircle(x, y, r, paint(color))


def box(canvas, x, y, w, h, angle, color):
    canvas.save()
    canvas.translate(x, y)
    canvas.rotate(math.degrees(angle))
    canvas.drawRect(skia.Rect.MakeXYWH(-w / 2, -h / 2, w, h), paint(color))
    canvas.restore()


def pill(canvas, x, y, w, h, radius, color):
    canvas.drawRoundRect(skia.Rect.MakeXYWH(x - w / 2, y - h / 2, w, h), radius, radius, paint(color))


def arc(canvas, x, y, r, width, start, end, color, cap=skia.Paint.kButt_Cap):
    bounds = skia.Rect.MakeXYWH(x - r, y - r, 2 * r, 2 * r)
    if end - start >= 2 * math.pi:
        return canvas.drawOval(bounds, paint(color, width))
    canvas.drawArc(bounds, math.degrees(start), math.degrees(end - start), False, paint(color, width, cap))


def bitmap(draw, ground, time):
    """The RGB pixels of a drawing at a time in seconds."""
    pixels = np.zeros((SIZE[1], SIZE[0], 4), dtype=np.uint8)
    canvas = skia.Surface(pixels, colorType=skia.kRGBA_8888_ColorType).getCanvas()
    canvas.clear(skia.Color(*ground))
    draw(canvas, time)
    return np.ascontiguousarray(pixels[:, :, :3])
