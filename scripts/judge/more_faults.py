"""More faults of the matrix, with other sizes, times and objects than those in `fault_list`."""
from faults import (Answer, backwards, color, dropped, easing, frozen, item_color, late, missing, moved, opacity, order,
                    parameter, phase, scale, size, speed, swapped)

DROP_PARTS = ("drop", "top", "bottom", "color")

BALLS = [
    speed("qq-mail", 0.94), speed("qq-mail", 1.06), phase("qq-mail", 2, 1.4), phase("qq-mail", 5, 0.6),
    parameter("qq-mail", "offset", 28.5), parameter("qq-mail", "radius", 6.8), color("qq-mail", "red", "#c8003c", ()),
    missing("qq-mail", "red"), late("qq-mail", "yellow", 0.08), frozen("qq-mail", 0.3, 0.55),
    dropped("qq-mail", 1.1, 3), swapped("qq-mail", 0.7, 2), moved("qq-mail", "green", -3, 0),
    scale("qq-mail", "green", 0.85), order("qq-mail", "yellow", "green"),
    parameter("qq", "topRadius", 13), speed("qq", 1.05), frozen("qq", 0.9, 1.2), missing("qq", "green"),
    color("qq", "red", "#d04000", ()), dropped("qq", 2.2, 4), scale("qq", "red", 1.3),
    parameter("qq-pull", "topRadius", 13), speed("qq-pull", 1.1), frozen("qq-pull", 1.5, 1.9), size("qq-pull", 0.95),
    dropped("qq-pull", 2.0, 4), color("qq-pull", "color", "#65a0fa", DROP_PARTS), phase("qq-pull", 1, 1.25, "gesture"),
]
ARCS = [
    parameter("iqiyi", "ringWidth", 5), parameter("iqiyi", "triangleRadius", 17), speed("iqiyi", 0.95),
    frozen("iqiyi", 0.35, 0.6), dropped("iqiyi", 0.8, 2), phase("iqiyi", 0, 1.25),
    opacity("iqiyi", "triangle", 0.5, ("tip",)),
    late("iqiyi", "triangle", 0.06, ("tip",)), swapped("iqiyi", 0.5), easing("iqiyi", "easing", "easeOut"),
    parameter("oneloading", "lineWidth", 5), parameter("oneloading", "radius", 38), speed("oneloading", 0.93),
    frozen("oneloading", 0.5, 0.8), dropped("oneloading", 0.7, 3), easing("oneloading", "easing", "easeIn"),
    speed("ring", 0.95), parameter("ring", "width", 10, Answer(("lineWidth",), ("ring",), 2, "pt", 8, 10)),
    frozen("ring", 0.4, 0.7), dropped("ring", 0.5, 3), easing("ring", "easing", "easeOut"),
]
SPOTS = [
    speed("preloader", 1.06), dropped("preloader", 2.05, 3), frozen("preloader", 2.4, 2.8),
    parameter("preloader", "unitRadius", 4.4), phase("preloader", 1, 0.8), missing("preloader", "spot 3"),
    scale("preloader", "right", 0.85), opacity("preloader", "left", 0.6), swapped("preloader", 1.8, 2),
    color("preloader", "color", "#eb804d", ()),
]
OTHERS = [
    parameter("jelly", "circleRadius", 17), speed("jelly", 1.08), parameter("jelly", "restHeight", 58),
    frozen("jelly", 3.2, 3.6), dropped("jelly", 0.9, 5), parameter("jelly", "pullX", 185),
    phase("jelly", 1, 1.2, "pullEnd"),
    color("jelly", "color", "#c050ff", ("jelly", "c")), opacity("jelly", "circle", 0.5),
    parameter("douyin", "noteSize", 8.5), parameter("douyin", "sideX", 34), speed("douyin", 1.07),
    frozen("douyin", 0.5, 0.8),
    dropped("douyin", 0.9, 3), missing("douyin", "note 1"),
    color("douyin", "noteColor", "#60d0ff", ("note 1", "note 2", "note 3")),
    late("douyin", "note 3", 0.15), scale("douyin", "record", 0.9),
    speed("dot", 1.07), parameter("dot", "radius", 8.5, Answer(("elementSize",), ("dot",))), dropped("dot", 0.5, 4),
    frozen("dot", 0.3, 0.5), easing("dot", "easing", "easeOut"), swapped("dot", 0.4, 2),
    speed("pulse", 1.08), opacity("pulse", "square", 0.5), dropped("pulse", 0.3, 4), scale("pulse", "square", 0.85),
    frozen("pulse", 0.3, 0.5), color("pulse", "color", "#3f7ac4", ("square",)),
    speed("wave", 0.92), scale("wave", "dot 3", 0.75), late("wave", "dot 1", 0.1), frozen("wave", 0.5, 0.8),
    dropped("wave", 0.4, 3), moved("wave", "dot 2", 0, 5), missing("wave", "dot 3"),
    speed("orbit", 1.08), scale("orbit", "moon", 1.35), dropped("orbit", 0.7, 2),
    item_color("orbit", "hub", "#444444", "#4444c0"), opacity("orbit", "hub", 0.5), swapped("orbit", 0.6, 2),
    moved("orbit", "hub", 0, 3), backwards("wave"),
]
PARTS = [
    missing("spinner", "tick 4"), color("spinner", "color", "#5a2a2a", ("tick 1 to tick 12",)), speed("spinner", 0.9),
    opacity("spinner", "tick 9", 0.4), easing("ripple", "easing", "linear"), missing("ripple", "ring 2"),
    late("ripple", "ring 2", 0.15), parameter("ripple", "width", 9, Answer(("lineWidth",), (), 3, "pt", 6, 9)),
    easing("slide", "easing", "linear"), speed("slide", 1.1), frozen("preloader", 0.5, 1.2, visible=0.92),
    opacity("jelly", "jelly", 0.4, ("loading",)),
]
MORE = BALLS + ARCS + SPOTS + OTHERS + PARTS
