"""The faults of the matrix: single faults of every design, and pairs of them."""
import more_faults
from faults import (Answer, backwards, both, color, dropped, easing, extra, frozen, item_color, late, missing, moved,
                    opacity, order, parameter, paused, phase, scale, shorter_pull, size, speed, swapped)

BALL_COLOR = ("red", "yellow", "green")
DROP_PARTS = ("drop", "top", "bottom", "color")

QQ_MAIL = [
    speed("qq-mail", 0.9), speed("qq-mail", 1.1), speed("qq-mail", 0.97), speed("qq-mail", 1.25),
    phase("qq-mail", 1, 1.5), phase("qq-mail", 3, 0.7), easing("qq-mail", "ballEasing", "easeInEaseOut"),
    easing("qq-mail", "ballEasing", "easeOut"),
    parameter("qq-mail", "offset", 33), parameter("qq-mail", "offset", 27), parameter("qq-mail", "radius", 7.5),
    parameter("qq-mail", "radius", 5.0), parameter("qq-mail", "strokeWidth", 3.0, Answer(("parameter",), ("radius",))),
    parameter("qq-mail", "opacity", 0.6, Answer(("opacity",)), unit=""),
    parameter("qq-mail", "opacity", 1.0, Answer(("opacity",)), unit=""),
    color("qq-mail", "green", "#00c800", ()), color("qq-mail", "red", "#d01030", ()),
    color("qq-mail", "yellow", "#ffc800", ()), scale("qq-mail", "red", 1.25), scale("qq-mail", "yellow", 0.8),
    missing("qq-mail", "yellow"), missing("qq-mail", "green", during=(1.0, 1.4)),
    extra("qq-mail", 60, 14, 5, "#3060ff"), order("qq-mail", "green", "red"), order("qq-mail", "red", "yellow"),
    late("qq-mail", "green", 0.1), late("qq-mail", "red", 0.05), frozen("qq-mail", 1.67, 2.07),
    frozen("qq-mail", 0.5, 0.65), paused("qq-mail", 1.2, 0.4), dropped("qq-mail", 1.73, 2), dropped("qq-mail", 0.9, 6),
    swapped("qq-mail", 1.2), backwards("qq-mail"), moved("qq-mail", "red", 0, 4, (0.8, 0.9)),
    moved("qq-mail", "yellow", 3, 0), size("qq-mail", 1.05), size("qq-mail", 0.95),
]
QQ = [
    parameter("qq", "offset", 33), color("qq", "color", "#5090fa", DROP_PARTS), parameter("qq", "topRadius", 17),
    shorter_pull("qq"), speed("qq", 0.97), missing("qq", "red"),
    color("qq", "green", "#00c800", ()), frozen("qq", 1.67, 2.07), late("qq", "drop", 0.1, DROP_PARTS),
    order("qq", "green", "yellow"), moved("qq", "drop", 4, 0, None, DROP_PARTS), late("qq", "yellow", 0.1),
    size("qq", 1.05), parameter("qq", "bottomRadius", 13.5), dropped("qq", 1.73, 3), phase("qq", 4, 1.4),
    easing("qq", "releaseEasing", "linear", ("gesture",)),
]
IQIYI = [
    parameter("iqiyi", "ringWidth", 9), parameter("iqiyi", "ringDiameter", 64),
    parameter("iqiyi", "triangleRadius", 24), color("iqiyi", "color", "#2e7fbf", ("ring", "triangle")),
    item_color("iqiyi", "triangle", "#40a83b", "#e03030", ("color", "tip")), phase("iqiyi", 1, 1.3),
    phase("iqiyi", 0, 0.75), easing("iqiyi", "easing", "linear"), speed("iqiyi", 0.9), speed("iqiyi", 1.1),
    missing("iqiyi", "triangle", ("tip",)), late("iqiyi", "triangle", 0.1, ("tip",)), opacity("iqiyi", "ring", 0.6),
    frozen("iqiyi", 1.67, 2.07), dropped("iqiyi", 1.5, 3), backwards("iqiyi"), size("iqiyi", 1.05),
    scale("iqiyi", "triangle", 0.85, ("tip",), Answer(("parameter",), ("triangleRadius",))),
    late("iqiyi", "ring", 0.1, ("head", "tail")),
]
PRELOADER = [
    color("preloader", "color", "#c03060", ()), parameter("preloader", "unitRadius", 6), speed("preloader", 0.9),
    speed("preloader", 1.1), parameter("preloader", "delayRatio", 0.1, unit=""), missing("preloader", "spot 2"),
    scale("preloader", "left", 1.2), frozen("preloader", 1.2, 1.7, visible=1.38), dropped("preloader", 1.15, 4),
    phase("preloader", 2, 1.3), backwards("preloader"), size("preloader", 1.05),
    item_color("preloader", "right", "#eb4d8a", "#ebc04d"), extra("preloader", 125, 90, 8, "#eb4d8a"),
    parameter("preloader", "stickyDistance", 45),
]
QQ_PULL = [
    color("qq-pull", "color", "#65e0a0", DROP_PARTS), parameter("qq-pull", "topRadius", 17),
    parameter("qq-pull", "bottomRadius", 13.5), shorter_pull("qq-pull"),
    easing("qq-pull", "pullEasing", "linear", ("gesture",)), phase("qq-pull", 2, 1.6, "gesture"),
    speed("qq-pull", 0.9), frozen("qq-pull", 0.8, 1.2), dropped("qq-pull", 0.9, 3),
    moved("qq-pull", "drop", 5, 0, (1.0, 1.1), DROP_PARTS), opacity("qq-pull", "drop", 0.7, DROP_PARTS),
    parameter("qq-pull", "dropStroke", 4.0, Answer(("parameter",), ("topRadius", "bottomRadius"))),
]
ONELOADING = [
    parameter("oneloading", "radius", 43), parameter("oneloading", "lineWidth", 4),
    color("oneloading", "color", "#ff8000", ("arc", "O", "D")), speed("oneloading", 0.97), speed("oneloading", 1.1),
    easing("oneloading", "easing", "easeInEaseOut"), frozen("oneloading", 1.1, 1.5), backwards("oneloading"),
    swapped("oneloading", 1.3, 3), opacity("oneloading", "arc", 0.5, ("O", "D")), dropped("oneloading", 1.4, 4),
    size("oneloading", 1.05),
]
JELLY = [
    color("jelly", "color", "#ff8050", ("jelly", "c")), color("jelly", "circleColor", "#0000cc", ("circle",)),
    parameter("jelly", "circleRadius", 24), parameter("jelly", "circleWidth", 3), parameter("jelly", "pullX", 240),
    parameter("jelly", "pullY", 194), parameter("jelly", "damping", 0.7, unit=""),
    parameter("jelly", "springDuration", 0.75, unit="s"), parameter("jelly", "turn", 1.25, unit="s"),
    phase("jelly", 2, 2, "release", "stop", "duration"), easing("jelly", "easing", "linear"),
    missing("jelly", "circle"),
    moved("jelly", "circle", 8, 0), speed("jelly", 0.9), frozen("jelly", 0.8, 1.2),
    parameter("jelly", "restHeight", 70), parameter("jelly", "loadingHeight", 104),
]
DOUYIN = [
    color("douyin", "noteColor", "#ffe000", ("note 1", "note 2", "note 3")), parameter("douyin", "noteSize", 12),
    parameter("douyin", "sideX", 55), parameter("douyin", "sideY", 85), parameter("douyin", "controlLength", 75),
    parameter("douyin", "noteDelay", 0.8, unit="s"), missing("douyin", "note 2"),
    scale("douyin", "record", 1.12), parameter("douyin", "coverDiameter", 30), speed("douyin", 0.9),
    frozen("douyin", 1.2, 1.6), late("douyin", "note 1", 0.2), backwards("douyin"),
    parameter("douyin", "turn", 1.5, unit="s"), opacity("douyin", "note 3", 0.5), dropped("douyin", 1.5, 5),
]
LOTTIE = [
    color("dot", "color", "#2299dd", ("dot",)), parameter("dot", "radius", 12, Answer(("elementSize",), ("dot",))),
    easing("dot", "easing", "linear"), speed("dot", 0.9), frozen("dot", 0.9, 1.2), opacity("dot", "dot", 0.6),
    dropped("dot", 1.2, 3), backwards("ring"),
    parameter("ring", "width", 11, Answer(("lineWidth",), ("ring",), 3, "pt", 8, 11)),
    color("ring", "color", "#b0a52b", ("ring",)),
    easing("ring", "easing", "linear"), frozen("ring", 1.0, 1.3), speed("ring", 1.1),
    color("pulse", "color", "#c43f7a", ("square",)), scale("pulse", "square", 1.15), speed("pulse", 0.97),
    opacity("pulse", "square", 0.7), frozen("pulse", 0.8, 1.1), moved("pulse", "square", 5, 0, (0.9, 1.0)),
    late("wave", "dot 2", 0.1), color("wave", "color 3", "#8a2bd9", ("dot 3",)), missing("wave", "dot 1"),
    late("wave", "dot 3", 0.15), scale("wave", "dot 1", 1.3), speed("wave", 1.1), opacity("wave", "dot 2", 0.5),
    item_color("orbit", "moon", "#118c8c", "#8c1111"), missing("orbit", "hub"), speed("orbit", 0.9),
    scale("orbit", "hub", 1.2), frozen("orbit", 1.0, 1.3), backwards("orbit"),
]
OTHERS = [
    parameter("qq-mail", "radius", 7.0), frozen("qq-mail", 0.9, 1.3),
    color("iqiyi", "color", "#5f9c5c", ("ring", "triangle")),
    color("qq", "color", "#8bbcd5", DROP_PARTS), color("jelly", "color", "#db6060", ("jelly", "c")),
    easing("oneloading", "easing", "easeOut"), easing("pulse", "easing", "linear"), easing("wave", "easing", "linear"),
    parameter("ring", "width", 6, Answer(("lineWidth",), ("ring",), 2, "pt", 8, 6)),
]
SINGLE = QQ_MAIL + QQ + IQIYI + PRELOADER + QQ_PULL + ONELOADING + JELLY + DOUYIN + LOTTIE + OTHERS + more_faults.MORE

# Pairs of faults by their keys. Neither fault of a pair may hide the other.
PAIRS = {
    "qq-mail": ["offset-33 green-00c800", "speed-0.9 red-scale-1.25", "frozen-1.67-2.07 green-00c800",
                "yellow-missing offset-27", "green-late-0.1 red-d01030", "radius-7.5 speed-1.1",
                "opacity-0.6 missing-2-frames-at-1.73", "size-1.05 speed-0.97", "green-below-red offset-33",
                "yellow-ffc800 red-scale-1.25", "extra speed-0.9", "missing-6-frames-at-0.9 frozen-1.67-2.07",
                "offset-33 radius-7.0", "frozen-0.9-1.3 offset-33", "radius-7.0 green-00c800"],
    "qq": ["offset-33 color-5090fa", "topRadius-17 green-00c800", "red-missing speed-0.97",
           "frozen-1.67-2.07 offset-33", "drop-late-0.1 green-00c800"],
    "iqiyi": ["ringWidth-9 speed-0.9", "triangleRadius-24 phase-1-x1.3", "color-2e7fbf ringDiameter-64",
              "easing-linear triangle-e03030", "frozen-1.67-2.07 ringWidth-9", "ringWidth-9 triangleRadius-24",
              "triangle-late-0.1 speed-1.1"],
    "preloader": ["unitRadius-6 speed-0.9", "color-c03060 frozen-1.2-1.7", "spot-2-missing speed-1.1",
                  "left-scale-1.2 right-ebc04d"],
    "qq-pull": ["topRadius-17 color-65e0a0", "pull-50 speed-0.9", "bottomRadius-13.5 frozen-0.8-1.2"],
    "oneloading": ["lineWidth-4 color-ff8000", "radius-43 speed-0.97", "frozen-1.1-1.5 lineWidth-4"],
    "jelly": ["circleRadius-24 color-ff8050", "pullX-240 circleColor-0000cc", "damping-0.7 circleWidth-3"],
    "douyin": ["noteSize-12 sideX-55", "speed-0.9 noteColor-ffe000", "note-2-missing frozen-1.2-1.6"],
    "wave": ["dot-2-late-0.1 color-3-8a2bd9", "dot-1-missing speed-1.1"],
    "ring": ["width-11 color-b0a52b", "width-11 speed-1.1"],
}


def pairs():
    """Yields each pair as one combined fault, with the list of its two faults."""
    known = {(fault.design, fault.key): fault for fault in SINGLE}
    for design, entries in PAIRS.items():
        for entry in entries:
            faults = [known[design, key] for key in entry.split()]
            yield both(*faults), faults
