"""More recordings for analysis-matrix.py, with other frame rates and stronger compression.

A case has a name, period, drawing function, background, what the report should say, and how the
recording is made.
"""

import math

from analysis_drawing import (
    BLACK,
    BLUE,
    DARK,
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
    there_and_back,
)

SLOW, COARSE, BOTH = dict(fps=30), dict(crf=28), dict(fps=30, crf=26)


def single():
    yield (
        "square fades at 30 fps",
        1.2,
        lambda d, t: box(
            d, 120, 80, 60, 60, 0, mixed(WHITE, 0.2 + 0.8 * there_and_back(t, 1.2, "ease-in-out"), DARK)
        ),
        DARK,
        [dict(shape="rectangle", path="still", opacity=(0.2, 1.0), easing="ease-in-out")],
        BOTH,
    )

    def filling(d, t):
        width = 20 + 140 * there_and_back(t, 1.6, "ease-in-out")
        box(d, 40 + width / 2, 80, width, 14, 0, BLUE)

    yield (
        "bar grows to the right",
        1.6,
        filling,
        WHITE,
        [dict(shape="rectangle", width=(20, 160), easing="ease-in-out")],
        COARSE,
    )

    def eased_turn(d, t):
        start = 2 * math.pi * keyed(t, 1.4, [(0, 0), (1, 1)], "ease-in-out")
        arc(d, 120, 80, 44, 10, start, start + 3.6, GREEN)

    yield (
        "arc turns eased",
        1.4,
        eased_turn,
        WHITE,
        [dict(shape="arc", path="still", easing="ease-in-out")],
        {},
    )

    def rolling(d, t):
        share = there_and_back(t, 2, "linear")
        box(d, 60 + 120 * share, 80, 36, 36, math.pi * share, RED)

    yield (
        "square rolls",
        2.0,
        rolling,
        WHITE,
        [dict(shape="rectangle", path="straight", amplitude=120, turns=True, easing="linear")],
        {},
    )

    def recoloured(d, t):
        for i in range(3):
            disc(d, 60 + 60 * i, 80, 18, mixed(RED, there_and_back(t, 1.2, "ease-in-out", 0.2 * i), BLUE))

    yield ("three recolour", 1.2, recoloured, WHITE, [dict(shape="circle", path="still")] * 3, {})
    yield (
        "cursor",
        1.0,
        lambda d, t: box(d, 120, 80, 8, 60, 0, BLACK if t % 1 < 0.5 else WHITE),
        WHITE,
        [dict(shape="rectangle", path="still", opacity=(0, 1.0), easing="hold")],
        SLOW,
    )

    def falling(d, t):
        height = (
            keyed(t, 0.9, [(0, 0), (0.5, 1)], "ease-out")
            if t % 0.9 < 0.45
            else 1 - keyed(t - 0.45, 0.9, [(0, 0), (0.5, 1)], "ease-in")
        )
        disc(d, 120, 120 - 80 * height, 14, RED)

    yield (
        "ball bounces",
        0.9,
        falling,
        WHITE,
        [dict(shape="circle", path="straight", amplitude=80, easing="ease-out")],
        {},
    )

    def eased_orbit(d, t):
        angle = 2 * math.pi * keyed(t, 1.6, [(0, 0), (1, 1)], "ease-in-out")
        disc(d, 120 + 50 * math.cos(angle), 80 + 50 * math.sin(angle), 10, BLUE)

    yield (
        "orbit eased",
        1.6,
        eased_orbit,
        DARK,
        [dict(shape="circle", path="circle", amplitude=100)],
        COARSE,
    )

    def growing_square(d, t):
        share = there_and_back(t, 1.5, "ease-in-out")
        box(d, 120, 80, 30 + 40 * share, 30 + 40 * share, math.pi / 2 * share, GREEN)

    yield (
        "square grows and turns",
        1.5,
        growing_square,
        WHITE,
        [dict(shape="rectangle", path="still", width=(30, 70), turns=True, easing="ease-in-out")],
        {},
    )


def several():
    def hops(d, t):
        for i in range(3):
            share = keyed(t, 1.2, [(0, 0), (0.25, 1), (0.5, 0), (1, 0)], "ease-in-out", 0.13 * i)
            disc(d, 80 + 40 * i, 100 - 36 * share, 11, (240, 180, 40))

    yield (
        "three hop at 30 fps",
        1.2,
        hops,
        DARK,
        [dict(shape="circle", path="straight", amplitude=36, easing="ease-in-out")] * 3
        + [dict(stagger=0.13)],
        BOTH,
    )

    def rings(d, t):
        for i in range(2):
            share = keyed(t, 1.8, [(0, 0), (1, 1)], "ease-out", 0.9 * i)
            arc(d, 120, 80, 4 + 56 * share, 6, 0, 2 * math.pi, mixed((BLUE, RED)[i], 1 - share, WHITE))

    yield (
        "two rings ripple",
        1.8,
        rings,
        WHITE,
        [dict(shape="ring", path="still", easing="ease-out")] * 2,
        {},
    )

    def one_ring(d, t):
        share = keyed(t, 1.2, [(0, 0), (1, 1)], "linear")
        arc(d, 120, 80, 10 + 50 * share, 5, 0, 2 * math.pi, mixed(GREEN, 1 - share, DARK))

    yield ("ring ripples", 1.2, one_ring, DARK, [dict(shape="ring", path="still", easing="linear")], {})

    def loading(d, t):
        box(d, 120, 80, 180, 14, 0, (226, 228, 232))
        width = 180 * keyed(t, 2, [(0, 0.05), (0.8, 1), (1, 1)], "ease-in-out")
        box(d, 30 + width / 2, 80, width, 14, 0, GREEN)

    yield (
        "progress on a track",
        2.0,
        loading,
        WHITE,
        [dict(shape="rectangle"), dict(shape="rectangle", width=(9, 180), easing="ease-in-out")],
        {},
    )

    def bars(d, t):
        for i in range(5):
            box(
                d,
                60 + 30 * i,
                80,
                12,
                24 + 60 * there_and_back(t, 1, "material", 0.1 * i),
                0,
                (250, 250, 250),
            )

    yield (
        "five bars at 30 fps",
        1.0,
        bars,
        DARK,
        [dict(shape="rectangle", path="still", easing="material")] * 5 + [dict(stagger=0.1)],
        BOTH,
    )

    def swapping(d, t):
        share = there_and_back(t, 1.4, "ease-in-out")
        disc(d, 70 + 100 * share, 80, 18, BLUE)
        disc(d, 170 - 100 * share, 80, 12, BLUE)

    yield (
        "same colour swap",
        1.4,
        swapping,
        WHITE,
        [dict(shape="circle", path="straight", amplitude=100, easing="ease-in-out")] * 2,
        {},
    )

    def dual(d, t):
        arc(d, 120, 80, 50, 8, 2 * math.pi * t / 1.2, 2 * math.pi * t / 1.2 + 2.4, RED, ROUND)
        arc(d, 120, 80, 30, 8, -2 * math.pi * t / 1.2, -2 * math.pi * t / 1.2 + 2.4, BLUE, ROUND)

    yield (
        "two arcs turn against",
        1.2,
        dual,
        WHITE,
        [dict(shape="arc", path="still", easing="linear")] * 2,
        {},
    )

    def dots(d, t):
        for i in range(5):
            disc(d, 40 + 40 * i, 80, 12 * (0.2 + 0.8 * there_and_back(t, 1.5, "ease-in-out", 0.1 * i)), GREY)

    yield (
        "five dots grow",
        1.5,
        dots,
        WHITE,
        [dict(shape="circle", path="still", width=(4.8, 24), easing="ease-in-out")] * 5 + [dict(stagger=0.1)],
        SLOW,
    )

    def faint(d, t):
        for i in range(3):
            share = 0.25 + 0.75 * keyed(t, 1.2, [(0, 0), (0.3, 1), (0.6, 0), (1, 0)], "ease-in-out", 0.16 * i)
            disc(d, 70 + 50 * i, 80, 15, mixed((60, 60, 60), share, WHITE))

    yield (
        "three pulse grey",
        1.2,
        faint,
        WHITE,
        [dict(shape="circle", path="still", opacity=(0.25, 1.0), easing="ease-in-out")] * 3
        + [dict(stagger=0.16)],
        COARSE,
    )


def cases():
    yield from single()
    yield from several()
