"""The colour difference CIEDE2000, after Sharma, Wu and Dalal (2005)."""
import math


def lab(text):
    """The CIE L*a*b* coordinates (D65) of an sRGB colour such as #40a83b."""
    linear = []
    for index in (1, 3, 5):
        value = int(text[index:index + 2], 16) / 255
        linear.append(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
    rows = [(0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041)]
    white = (0.95047, 1.0, 1.08883)
    scaled = [sum(a * b for a, b in zip(row, linear)) / light for row, light in zip(rows, white)]
    x, y, z = [value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116 for value in scaled]
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other):
    """The CIEDE2000 difference between two sRGB colours such as #40a83b."""
    (l1, a1, b1), (l2, a2, b2) = lab(one), lab(other)
    mean_chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    boost = 1.5 - 0.5 * math.sqrt(mean_chroma ** 7 / (mean_chroma ** 7 + 25 ** 7))
    c1, c2 = math.hypot(a1 * boost, b1), math.hypot(a2 * boost, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * boost)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0
    hue = h1 + h2
    if c1 * c2:
        turn = (h2 - h1 + 180) % 360 - 180
        hue = h1 + turn / 2
    chroma = (c1 + c2) / 2
    light = (l1 + l2) / 2
    delta_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)

    def wave(factor, shift):
        return math.cos(math.radians(factor * hue - shift))

    t = 1 - 0.17 * wave(1, 30) + 0.24 * wave(2, 0) + 0.32 * wave(3, -6) - 0.20 * wave(4, 63)
    rotation = 60 * math.exp(-(((hue % 360) - 275) / 25) ** 2)
    rc = 2 * math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7))
    sl = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    dl = (l2 - l1) / sl
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = delta_h / (1 + 0.015 * chroma * t)
    return math.sqrt(dl * dl + dc * dc + dh * dh - math.sin(math.radians(rotation)) * rc * dc * dh)
