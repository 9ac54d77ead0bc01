"""The recordings of analysis-matrix.py.

A case has a name, period, drawing function, background, and what the report should say.
"""

import math

from analysis_drawing import (
    BLACK,
    BLUE,
    DARK,
    EASINGS,
    GREEN,
    GREY,
    RED,
    ROUND,
    WHITE,
    arc,
    box,
    disc,
    keyed,
    mixed,
    pill,
    there_and_back,
)


def moving():
    for name in EASINGS:
        yield (
            f"move {name}",
            1.0,
            lambda d, t, n=name: disc(d, 50 + 120 * there_and_back(t, 1, n), 80, 14, BLUE),
            WHITE,
            [dict(shape="circle", path="straight", amplitude=120 if name != "back" else None, easing=name)],
        )
    yield (
        "orbit",
        1.5,
        lambda d, t: disc(
            d, 120 + 50 * math.cos(2 * math.pi * t / 1.5), 80 + 50 * math.sin(2 * math.pi * t / 1.5), 9, BLUE
        ),
        WHITE,
        [dict(shape="circle", path="circle", amplitude=100)],
    )
    yield (
        "figure of eight",
        2.0,
        lambda d, t: disc(d, 120 + 80 * math.sin(math.pi * t), 80 + 40 * math.sin(2 * math.pi * t), 9, RED),
        WHITE,
        [dict(shape="circle", path="curve", amplitude=160)],
    )
    yield (
        "diagonal",
        1.0,
        lambda d, t: disc(
            d,
            60 + 100 * there_and_back(t, 1, "ease-in-out"),
            40 + 75 * there_and_back(t, 1, "ease-in-out"),
            11,
            BLUE,
        ),
        WHITE,
        [dict(shape="circle", path="straight", amplitude=125, easing="ease-in-out")],
    )

    def pendulum(d, t):
        angle = math.pi / 2 + 1.0 * (1 - 2 * there_and_back(t, 1.6, "ease-in-out"))
        disc(d, 120 + 90 * math.cos(angle), 30 + 90 * math.sin(angle), 10, RED)

    yield ("pendulum", 1.6, pendulum, WHITE, [dict(shape="circle", path="circle", amplitude=180)])

    def two(d, t):
        disc(d, 60 + 100 * there_and_back(t, 1, "ease-in-out"), 50, 12, RED)
        box(d, 180 - 100 * there_and_back(t, 1, "ease-in-out"), 110, 30, 30, 0, BLUE)

    yield (
        "two kinds",
        1.0,
        two,
        WHITE,
        [
            dict(shape="circle", path="straight", amplitude=100, easing="ease-in-out"),
            dict(shape="rectangle", path="straight", amplitude=100, easing="ease-in-out"),
        ],
    )

    def crossing(d, t):
        disc(d, 60 + 120 * there_and_back(t, 1.2, "ease-in-out"), 80, 12, BLUE)
        disc(d, 120, 30 + 100 * there_and_back(t, 1.2, "ease-in-out", 0.1), 12, BLUE)

    yield (
        "same colour crossing",
        1.2,
        crossing,
        WHITE,
        [
            dict(shape="circle", path="straight", amplitude=120, easing="ease-in-out"),
            dict(shape="circle", path="straight", amplitude=100, easing="ease-in-out"),
        ],
    )
    yield (
        "hold and jump",
        1.0,
        lambda d, t: disc(d, 80 if t % 1 < 0.5 else 160, 80, 15, BLUE),
        WHITE,
        [dict(shape="circle", path="straight", amplitude=80, easing="hold")],
    )
    yield (
        "dark move",
        1.2,
        lambda d, t: disc(d, 60 + 120 * there_and_back(t, 1.2, "ease-out"), 80, 12, (250, 250, 250)),
        (18, 18, 24),
        [dict(shape="circle", path="straight", amplitude=120, easing="ease-out")],
    )


def changing():
    for color, label in ((BLUE, "blue"), (GREY, "grey"), (BLACK, "black")):
        for ground, where in ((WHITE, "white"), (DARK, "dark")):
            if label != "blue" and where == "dark":
                continue
            yield (
                f"fade {label} on {where}",
                1.0,
                lambda d, t, c=color, g=ground: disc(
                    d, 120, 80, 20, mixed(c, 0.2 + 0.8 * there_and_back(t, 1, "ease-in-out"), g)
                ),
                ground,
                [dict(shape="circle", path="still", opacity=(0.2, 1.0), easing="ease-in-out")],
            )
    yield (
        "fade out",
        1.4,
        lambda d, t: box(d, 120, 80, 50, 50, 0, mixed(GREY, there_and_back(t, 1.4, "ease-in-out"), WHITE)),
        WHITE,
        [dict(shape="rectangle", path="still", opacity=(0, 1.0), easing="ease-in-out")],
    )
    for low in (0.3, 0.6):
        yield (
            f"grow from {low}",
            1.2,
            lambda d, t, s=low: disc(
                d, 120, 80, 30 * (s + (1 - s) * there_and_back(t, 1.2, "ease-in-out")), RED
            ),
            WHITE,
            [dict(shape="circle", path="still", width=(60 * low, 60), easing="ease-in-out")],
        )
    for n in range(1, 4):
        yield (
            f"turn square {n}",
            2.0 / n,
            lambda d, t, k=n: box(d, 120, 80, 50, 50, k * math.pi * t / 4, BLUE),
            WHITE,
            [dict(shape="rectangle", path="still", turns=True, easing="linear")],
        )
        yield (
            f"turn bar {n}",
            2.0 / n,
            lambda d, t, k=n: box(d, 120, 80, 80, 16, k * math.pi * t / 2, RED),
            WHITE,
            [dict(shape="rectangle", path="still", turns=True, easing="linear")],
        )
    yield (
        "square turns eased",
        1.6,
        lambda d, t: box(d, 120, 80, 50, 50, math.pi / 2 * keyed(t, 1.6, [(0, 0), (0.6, 1), (1, 1)]), GREEN),
        WHITE,
        [dict(shape="rectangle", path="still", turns=True, easing="ease-in-out")],
    )
    yield (
        "recolour",
        1.0,
        lambda d, t: disc(d, 120, 80, 25, mixed(RED, there_and_back(t, 1, "linear"), BLUE)),
        WHITE,
        [dict(shape="circle", path="still")],
    )
    yield (
        "pulse ring",
        1.0,
        lambda d, t: arc(d, 120, 80, 30 + 20 * there_and_back(t, 1, "ease-in-out"), 8, 0, 2 * math.pi, BLUE),
        WHITE,
        [dict(shape="ring", path="still", easing="ease-in-out")],
    )

    def ripple(d, t):
        share = keyed(t, 1.25, [(0, 0), (1, 1)], "ease-out")
        disc(d, 120, 80, 60 * share, mixed(BLUE, 1 - share, WHITE))

    yield ("ripple", 1.25, ripple, WHITE, [dict(shape="circle", path="still")])


def spinners():
    for speed in (1, 2):
        yield (
            f"spinner {speed}",
            1.0 / speed,
            lambda d, t, s=speed: arc(
                d, 120, 80, 45, 10, 2 * math.pi * t * s, 2 * math.pi * t * s + 4.5, RED
            ),
            WHITE,
            [dict(shape="arc", path="still", easing="linear")],
        )
    yield (
        "trim",
        2.0,
        lambda d, t: arc(
            d,
            120,
            80,
            45,
            10,
            -math.pi / 2,
            -math.pi / 2 + 0.5 + 5.5 * there_and_back(t, 2, "ease-in-out"),
            BLUE,
        ),
        WHITE,
        [dict(shape="arc", path="still", easing="ease-in-out")],
    )

    def turning_trim(d, t):
        start = 2 * math.pi * t / 1.5
        arc(d, 120, 80, 45, 8, start, start + 0.6 + 4 * there_and_back(t, 1.5, "ease-in-out"), GREEN, ROUND)

    yield ("trim and turn", 1.5, turning_trim, WHITE, [dict(shape="arc", path="still")])

    def track(d, t):
        arc(d, 120, 80, 45, 9, 0, 2 * math.pi, (225, 228, 232))
        arc(d, 120, 80, 45, 9, 2 * math.pi * t, 2 * math.pi * t + 1.6, BLUE)

    yield (
        "spinner on a track",
        1.0,
        track,
        WHITE,
        [dict(shape="ring", path="still"), dict(shape="arc", path="still", easing="linear")],
    )

    def dots(d, t):
        for i in range(8):
            angle = 2 * math.pi * i / 8
            opacity = 0.25 + 0.75 * (1 - ((t - i * 0.125) % 1))
            disc(d, 120 + 45 * math.cos(angle), 80 + 45 * math.sin(angle), 9, mixed(GREY, opacity, WHITE))

    yield (
        "eight fading dots",
        1.0,
        dots,
        WHITE,
        [dict(shape="circle", path="still", opacity=(0.25, 1.0))] * 8 + [dict(stagger=0.125)],
    )

    def sizes(d, t):
        for i in range(8):
            angle = 2 * math.pi * i / 8
            disc(
                d,
                120 + 50 * math.cos(angle),
                80 + 50 * math.sin(angle),
                4 + 7 * there_and_back(t, 1.2, "ease-in-out", 0.15 * i),
                BLUE,
            )

    yield (
        "eight growing dots",
        1.2,
        sizes,
        WHITE,
        [dict(shape="circle", path="still", width=(8, 22), easing="ease-in-out")] * 8 + [dict(stagger=0.15)],
    )

    def spokes(d, t):
        for i in range(12):
            angle = 2 * math.pi * i / 12
            opacity = 0.2 + 0.8 * (1 - (math.floor(t * 12 + 1e-6) - i) % 12 / 12)
            box(
                d,
                120 + 42 * math.cos(angle),
                80 + 42 * math.sin(angle),
                26,
                8,
                angle,
                mixed(BLACK, opacity, WHITE),
            )

    yield ("twelve spokes", 1.0, spokes, WHITE, [dict(shape="rectangle", path="still")] * 12)

    def pair(d, t):
        for i in range(2):
            angle = 2 * math.pi * t / 1.2 + math.pi * i
            disc(d, 120 + 30 * math.cos(angle), 80 + 30 * math.sin(angle), 11, (RED, BLUE)[i])

    yield ("two circling", 1.2, pair, WHITE, [dict(shape="circle", path="circle", amplitude=60)] * 2)


def groups():
    for count, lag in ((3, 0.15), (4, 0.1), (5, 0.1)):

        def draw(d, t, c=count, g=lag):
            for i in range(c):
                disc(d, 40 + 40 * i, 90 - 40 * there_and_back(t, 1, "ease-in-out", g * i), 11, BLUE)

        yield (
            f"stagger {count} x {lag}",
            1.0,
            draw,
            WHITE,
            [dict(shape="circle", path="straight", amplitude=40, easing="ease-in-out")] * count
            + [dict(stagger=lag)],
        )
    for count, lag in ((3, 0.2), (4, 0.15)):

        def draw(d, t, c=count, g=lag):
            for i in range(c):
                disc(
                    d,
                    50 + 45 * i,
                    80,
                    13,
                    mixed(GREY, 0.3 + 0.7 * there_and_back(t, 1.2, "ease-in-out", g * i), WHITE),
                )

        yield (
            f"blink {count} x {lag}",
            1.2,
            draw,
            WHITE,
            [dict(shape="circle", path="still", opacity=(0.3, 1.0), easing="ease-in-out")] * count
            + [dict(stagger=lag)],
        )

    def bars(d, t):
        for i in range(4):
            box(d, 60 + 40 * i, 80, 16, 20 + 70 * there_and_back(t, 1, "ease-in-out", 0.12 * i), 0, BLUE)

    yield (
        "bars",
        1.0,
        bars,
        WHITE,
        [dict(shape="rectangle", path="still", easing="ease-in-out")] * 4 + [dict(stagger=0.12)],
    )

    def standing(d, t):
        for i in range(5):
            height = 20 + 70 * keyed(t, 1.2, [(0, 0), (0.2, 1), (0.4, 0), (1, 0)], "ease-in-out", 0.1 * i)
            box(d, 48 + 36 * i, 130 - height / 2, 18, height, 0, GREEN)

    yield (
        "bars on a line",
        1.2,
        standing,
        WHITE,
        [dict(shape="rectangle", easing="ease-in-out")] * 5 + [dict(stagger=0.1)],
    )

    def pulses(d, t):
        for i in range(3):
            share = keyed(t, 1.4, [(0, 0), (0.4, 1), (0.8, 0), (1, 0)], "ease-in-out", 0.16 * i)
            disc(d, 70 + 50 * i, 80, 18 * share, BLACK)

    yield (
        "pulses from nothing",
        1.4,
        pulses,
        WHITE,
        [dict(shape="circle", path="still", easing="ease-in-out")] * 3 + [dict(stagger=0.16)],
    )

    def pills(d, t):
        for i in range(3):
            pill(
                d,
                60 + 60 * i,
                80 - 30 * there_and_back(t, 1.1, "ease-in-out", 0.18 * i),
                40,
                16,
                8,
                (230, 140, 30),
            )

    yield (
        "pills",
        1.1,
        pills,
        DARK,
        [dict(shape="", path="straight", amplitude=30, easing="ease-in-out")] * 3 + [dict(stagger=0.18)],
    )

    def colors(d, t):
        for i, color in enumerate((RED, GREEN, BLUE)):
            share = keyed(t, 1.5, [(0, 0), (0.2, 1), (0.4, 0), (1, 0)], "ease-in-out", 0.2 * i)
            disc(d, 80 + 40 * i, 100 - 40 * share, 12, color)

    yield (
        "three colours hop",
        1.5,
        colors,
        WHITE,
        [dict(shape="circle", path="straight", amplitude=40, easing="ease-in-out")] * 3 + [dict(stagger=0.2)],
    )

    def faint(d, t):
        for i in range(3):
            share = 0.3 + 0.7 * there_and_back(t, 1, "linear", 0.2 * i)
            disc(d, 70 + 50 * i, 80, 10 + 8 * share, mixed(GREY, share, WHITE))

    yield (
        "fade and grow",
        1.0,
        faint,
        WHITE,
        [dict(shape="circle", path="still", opacity=(0.3, 1.0), easing="linear")] * 3 + [dict(stagger=0.2)],
    )

    def progress(d, t):
        box(d, 120, 80, 180, 12, 0, (224, 224, 224))
        left = 30 + 140 * there_and_back(t, 1.6, "ease-in-out")
        box(d, left + 20, 80, 40, 12, 0, BLUE)

    yield (
        "sliding bar on a track",
        1.6,
        progress,
        WHITE,
        [
            dict(shape="rectangle"),
            dict(shape="rectangle", path="straight", amplitude=140, easing="ease-in-out"),
        ],
    )


def cases():
    for part in (moving, changing, spinners, groups):
        yield from part()
