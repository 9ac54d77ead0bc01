"""Simple animated shapes with known keyframes, which analyze should find in recordings of them."""
import math
from dataclasses import dataclass, field

import skia

from designs import Design
from motion import lerp, track
from scene import Item, Shape, arc, circle, polygon

SIZE = (200, 120)


@dataclass(frozen=True)
class Channel:
    """An animated property: the values at times in seconds, and the easing of all segments."""
    times: tuple[float, ...]
    values: tuple[float, ...]
    easing: str = "linear"

    def at(self, time):
        return track(self.times, self.values, time, self.easing)


@dataclass
class MovingShape:
    """A shape and its channels by name.

    The names are x, y, scale, angle (in degrees), opacity, mix (towards blue), and start and end of
    the trimmed outline (as fractions).
    """
    kind: str
    color: str
    x: float = 100.0
    y: float = 60.0
    size: float = 24.0
    delay: float = 0.0
    channels: dict = field(default_factory=dict)

    def item(self, time, period, name):
        time = (time - self.delay) % period
        values = {key: channel.at(time) for key, channel in self.channels.items()}
        x, y = values.get("x", self.x), values.get("y", self.y)
        matrix = skia.Matrix.Translate(x, y).preRotate(values.get("angle", 0))
        matrix.preScale(values.get("scale", 1), values.get("scale", 1))
        color = self.color
        if "mix" in values:
            color = mixed(self.color, "#2040c0", values["mix"])
        shapes = self.shapes(color, values.get("start", 0.0), values.get("end", 1.0))
        return Item(name, shapes, (x, y), values.get("opacity", 1.0), matrix)

    def shapes(self, color, start, end):
        half = self.size / 2
        if self.kind == "circle":
            return [Shape(circle(0, 0, half), color)]
        if self.kind in ("square", "rounded", "bar"):
            tall = half / 4 if self.kind == "bar" else half
            corner = half / 3 if self.kind == "rounded" else 0
            return [Shape(skia.Path.RRect(skia.Rect.MakeLTRB(-half, -tall, half, tall), corner, corner), color)]
        if self.kind == "ring":
            if end <= start:
                return []
            top = -math.pi / 2
            path = arc(0, 0, half, top + 2 * math.pi * start, top + 2 * math.pi * end)
            return [Shape(path, None, color, self.size / 8)]
        points = 3 if self.kind == "triangle" else 10
        radii = [half] if self.kind == "triangle" else [half, half / 2]
        corners = [(radii[index % len(radii)] * math.sin(2 * math.pi * index / points),
                    -radii[index % len(radii)] * math.cos(2 * math.pi * index / points)) for index in range(points)]
        return [Shape(polygon(corners), color)]


def mixed(one, other, fraction):
    values = [round(lerp(int(one[index:index + 2], 16), int(other[index:index + 2], 16), fraction))
              for index in (1, 3, 5)]
    return "#" + "".join(f"{value:02x}" for value in values)


def there_and_back(low, high, half=0.6, easing="linear"):
    return Channel((0, half, 2 * half), (low, high, low), easing)


@dataclass
class ShapeScene:
    """Some animated shapes with a common period in seconds.

    `easing` is the easing that analyze should find, None if the scene tests none.
    """
    name: str
    period: float
    shapes: list[MovingShape]
    background: str = "#ffffff"
    easing: str | None = None

    @property
    def design(self):
        def draw(time, values):
            return [shape.item(time, self.period, f"shape {index + 1}") for index, shape in enumerate(self.shapes)]
        return Design(self.name, SIZE, self.period, self.background, draw, {}, [self.period])


def moving_shapes():
    """Every kind of shape in motion, and every easing."""
    for kind in ("circle", "square", "rounded", "bar", "triangle", "star"):
        yield ShapeScene(f"{kind}-moves", 1.2, [MovingShape(kind, "#d03050", channels={"x": there_and_back(40, 160)})])
    for easing in ("easeIn", "easeOut", "easeInEaseOut", "default"):
        channels = {"x": there_and_back(40, 160, 0.8, easing)}
        yield ShapeScene(f"circle-{easing}", 1.6, [MovingShape("circle", "#3060d0", channels=channels)], easing=easing)
    channels = {"y": Channel((0, 0.3, 0.6, 1.2), (90, 30, 90, 90), "easeOut")}
    shape = MovingShape("circle", "#30a050", channels=channels)
    yield ShapeScene("circle-jumps-and-rests", 1.2, [shape], easing="easeOut")
    diagonal = {"x": there_and_back(40, 160), "y": there_and_back(30, 90)}
    yield ShapeScene("circle-diagonal", 1.2, [MovingShape("circle", "#a030c0", channels=diagonal)])
    steps = [index / 24 for index in range(25)]
    round_x = Channel(tuple(1.2 * step for step in steps), tuple(100 + 40 * math.cos(2 * math.pi * s) for s in steps))
    round_y = Channel(tuple(1.2 * step for step in steps), tuple(60 + 40 * math.sin(2 * math.pi * s) for s in steps))
    yield ShapeScene("circle-orbits", 1.2, [MovingShape("circle", "#c06010", channels={"x": round_x, "y": round_y})])


def changing_shapes():
    """Shapes that stay in position and change size, angle, opacity, colour or outline."""
    for kind in ("circle", "square", "rounded"):
        shape = MovingShape(kind, "#0a84a0", channels={"scale": there_and_back(1, 2, 0.6, "easeInEaseOut")})
        yield ShapeScene(f"{kind}-grows", 1.2, [shape], easing="easeInEaseOut")
        shape = MovingShape(kind, "#0a84a0", size=40, channels={"opacity": there_and_back(1, 0.3, 0.6)})
        yield ShapeScene(f"{kind}-fades", 1.2, [shape])
    # Each turns by the angle after which it looks the same, so the visible period is the scene's.
    for kind, turn in (("square", 90), ("bar", 180), ("star", 72), ("triangle", 120)):
        channels = {"angle": Channel((0, 1.5), (0, turn))}
        yield ShapeScene(f"{kind}-turns", 1.5, [MovingShape(kind, "#703fb0", size=50, channels=channels)])
    mixing = MovingShape("circle", "#d03050", size=40, channels={"mix": there_and_back(0, 1)})
    yield ShapeScene("circle-changes-color", 1.2, [mixing])
    grow = {"end": Channel((0, 1.0, 2.0), (0, 1, 1), "easeInEaseOut"),
            "start": Channel((0, 1.0, 2.0), (0, 0, 1), "easeInEaseOut")}
    ring = MovingShape("ring", "#e0552b", size=64, channels=grow)
    yield ShapeScene("ring-draws-and-erases", 2.0, [ring], easing="easeInEaseOut")
    spin = {"end": Channel((0, 1), (0.75, 0.75)), "angle": Channel((0, 1.0), (0, 360))}
    yield ShapeScene("arc-spins", 1.0, [MovingShape("ring", "#2b6ce0", size=64, channels=spin)])
    both = {"scale": there_and_back(0.5, 1.5), "opacity": there_and_back(0.4, 1)}
    yield ShapeScene("circle-grows-and-appears", 1.2, [MovingShape("circle", "#208040", size=30, channels=both)])


def greys_and_groups():
    """Grey shapes, dark backgrounds, and groups of shapes with staggered delays."""
    for color, background in (("#808080", "#ffffff"), ("#404040", "#c0c0c0"), ("#ffffff", "#202020"),
                              ("#c0c0c0", "#000000")):
        shape = MovingShape("circle", color, channels={"x": there_and_back(40, 160)})
        yield ShapeScene(f"grey-{color[1:]}-on-{background[1:]}", 1.2, [shape], background)
    up = Channel((0, 0.3, 0.6, 1.5), (85, 40, 85, 85), "easeInEaseOut")
    for name, colors in (("one-color", ["#2b6cd9"] * 3), ("colors", ["#d92b4b", "#2ba84a", "#2b6cd9"])):
        shapes = [
            MovingShape("circle", color, x=60 + 40 * index, size=20, delay=0.15 * index, channels={"y": up})
            for index, color in enumerate(colors)
        ]
        yield ShapeScene(f"stagger-{name}", 1.5, shapes, easing="easeInEaseOut")
    fade = Channel((0, 0.4, 0.8, 1.2), (0.2, 1, 0.2, 0.2))
    shapes = [
        MovingShape("circle", "#404048", x=60 + 40 * index, size=22, delay=0.2 * index, channels={"opacity": fade})
        for index in range(3)
    ]
    yield ShapeScene("stagger-fades", 1.2, shapes)
    grow = Channel((0, 0.3, 0.6, 1.2), (1, 1.6, 1, 1), "easeInEaseOut")
    shapes = [
        MovingShape("bar", "#d08020", x=50 + 50 * index, size=26, delay=0.2 * index, channels={"scale": grow})
        for index in range(3)
    ]
    yield ShapeScene("stagger-grows", 1.2, shapes, easing="easeInEaseOut")
    shapes = [
        MovingShape("circle", "#d03050", channels={"x": there_and_back(40, 160)}, y=30),
        MovingShape("square", "#3060d0", channels={"angle": Channel((0, 1.2), (0, 90))}, y=85, size=30),
    ]
    yield ShapeScene("circle-moves-square-turns", 1.2, shapes)
    shapes = [
        MovingShape("circle", "#d03050", channels={"x": there_and_back(50, 150)}),
        MovingShape("circle", "#3060d0", channels={"x": there_and_back(150, 50)}),
    ]
    yield ShapeScene("circles-cross", 1.2, shapes)


SHAPE_SCENES = [*moving_shapes(), *changing_shapes(), *greys_and_groups()]
