"""Factories of faults, each with its size and the findings that compare should report for it."""
from dataclasses import dataclass, field

import edits
import timelines
from designs import ALL


@dataclass(frozen=True)
class Answer:
    """A finding of compare that correctly names a fault.

    `kinds` and `objects` list the acceptable values; without objects, any object is right. The
    finding must report the size, in `unit`, unless `size` is None.
    """
    kinds: tuple[str, ...]
    objects: tuple[str, ...] = ()
    size: float | None = None
    unit: str | None = None
    expected: str | float | None = None
    actual: str | float | None = None
    phase: int | None = None


@dataclass
class Fault:
    """One change to a design or to its recording, with its answers: each of them names the fault.

    `during` is the interval in which the fault is visible, None for all of the recording. `changes`
    replaces parameters, `edits` change single items, `timing` changes the frames' times. `enlarged`
    scales the whole design and `shifted` moves it, in points.
    """
    design: str
    key: str
    answers: list[Answer]
    during: tuple[float, float] | None = None
    changes: dict = field(default_factory=dict)
    edits: list = field(default_factory=list)
    timing: list = field(default_factory=list)
    enlarged: float = 1.0
    shifted: tuple[float, float] = (0.0, 0.0)


# Parameters that determine the speed of a whole design. A finding about one of them also names a
# wrong speed.
DURATIONS = {"qq-mail": ("tick", "ticksPerPhase"), "qq": (), "iqiyi": ("duration",), "preloader": ("duration",),
             "oneloading": ("duration",)}


def speed(design, factor):
    """Plays the design at another speed."""
    answers = [Answer(("speed",), (), abs(1 - factor), "x", 1.0, factor)]
    answers += [Answer(("parameter",), (name,)) for name in DURATIONS.get(design, ())]
    return Fault(design, f"speed-{factor}", answers, timing=[timelines.faster(factor)])


def phase(design, index, factor, *parameters):
    """Changes the duration of one phase; a finding about one of the parameters also names it."""
    length = ALL[design].phases[index]
    answers = [Answer(("phaseDuration",), (), length * abs(factor - 1), "s", length, length * factor, index)]
    answers += [Answer(("parameter",), (name,)) for name in parameters]
    return Fault(design, f"phase-{index}-x{factor}", answers, timing=[timelines.phase_lasts(index, factor)])


def easing(design, key, value, objects=()):
    """Replaces a timing function, which is the parameter `key`."""
    before = ALL[design].values[key]
    return Fault(design, f"{key}-{value}", [Answer(("easing",), (), expected=before, actual=value),
                                            Answer(("parameter",), objects)], changes={key: value})


def shorter_pull(design):
    """Pulls by 50 instead of 60 points. No size is expected, because the parameter is a string."""
    return Fault(design, "pull-50", [Answer(("parameter",), ("gesture",))], changes={"pull": 50.0})


def parameter(design, key, value, *others, unit="pt"):
    """Changes a parameter that is a number; `others` are alternative answers."""
    before = ALL[design].values[key]
    label = f"{key}-{value}".replace(" ", "-")
    answer = Answer(("parameter",), (key,), abs(value - before), unit, before, value)
    return Fault(design, label, [answer, *others], changes={key: value})


def color(design, key, value, objects):
    """Changes a parameter that is the colour of some objects."""
    before = ALL[design].values[key]
    answer = Answer(("parameter", "color"), (key, *objects), expected=before, actual=value)
    return Fault(design, f"{key}-{value[1:]}".replace(" ", "-"), [answer], changes={key: value})


def item_color(design, name, before, value, objects=()):
    """Changes the colour of one item, where no parameter does."""
    answer = Answer(("color",), (name, *objects), expected=before, actual=value)
    return Fault(design, f"{name}-{value[1:]}".replace(" ", "-"), [answer], edits=[edits.recolored(name, value)])


def opacity(design, name, factor, objects=(), before=1.0):
    names = (name, *objects)
    answers = [Answer(("opacity", "parameter"), names, abs(1 - factor) * before, "", before, before * factor),
               Answer(("opacity",), names, abs(1 - factor), "x", 1.0, factor)]
    return Fault(design, f"{name}-opacity-{factor}".replace(" ", "-"), answers, edits=[edits.faded(name, factor)])


def scale(design, name, factor, objects=(), *others):
    answer = Answer(("elementSize",), (name, *objects), abs(factor - 1), "x", 1.0, factor)
    return Fault(design, f"{name}-scale-{factor}".replace(" ", "-"), [answer, *others],
                 edits=[edits.scaled(name, factor)])


def moved(design, name, dx, dy, during=None, objects=()):
    size = (dx * dx + dy * dy) ** 0.5
    answer = Answer(("elementPosition",), (name, *objects), size, "pt")
    key = f"{name}-moved-{dx}-{dy}" + (f"-at-{during[0]}" if during else "")
    return Fault(design, key.replace(" ", "-"), [answer], during, edits=[edits.moved(name, dx, dy, during)])


def missing(design, name, objects=(), during=None):
    key = f"{name}-missing" + (f"-at-{during[0]}" if during else "")
    return Fault(design, key.replace(" ", "-"), [Answer(("missing",), (name, *objects))], during,
                 edits=[edits.without(name, during)])


def extra(design, x, y, radius, value):
    return Fault(design, "extra", [Answer(("extra",))], edits=[edits.added(x, y, radius, value)])


def order(design, name, other):
    """Draws an item below another one, against the design's stacking order."""
    return Fault(design, f"{name}-below-{other}".replace(" ", "-"), [Answer(("order",), (name, other))],
                 edits=[edits.below(name, other)])


def late(design, name, seconds, objects=(), *others):
    answer = Answer(("late",), (name, *objects), seconds, "s")
    return Fault(design, f"{name}-late-{seconds}".replace(" ", "-"), [answer, *others],
                 edits=[edits.late(name, seconds)])


def frozen(design, start, end, visible=None):
    """A frozen recording between two times.

    If the design rests when the freeze starts, the freeze is visible only from `visible` seconds.
    """
    answer = Answer(("frozen",), (), end - (visible or start), "s")
    return Fault(design, f"frozen-{start}-{end}", [answer], (start, end), timing=[timelines.frozen(start, end)])


def paused(design, start, length):
    """The animation pauses and then continues, so everything after the pause is late."""
    answers = [Answer(("frozen",), (), length, "s"), Answer(("late",), (), length, "s")]
    return Fault(design, f"paused-{start}-{length}", answers, (start, start + length),
                 timing=[timelines.paused(start, length)])


def dropped(design, at, count):
    """Some frames are missing at a time."""
    return Fault(design, f"missing-{count}-frames-at-{at}", [Answer(("missingFrames",), (), count, "frames")],
                 (at, at + 0.05), timing=[timelines.missing(at, count)])


def swapped(design, at, distance=1):
    return Fault(design, f"swapped-at-{at}-{distance}", [Answer(("swappedFrames",))], (at, at + 0.05),
                 timing=[timelines.swapped(at, distance)])


def backwards(design):
    return Fault(design, "backwards", [Answer(("backwards",))], timing=[timelines.backwards])


def size(design, factor):
    """Scales the whole design about the centre of its canvas."""
    answer = Answer(("size",), (), abs(factor - 1), "x", 1.0, factor)
    return Fault(design, f"size-{factor}", [answer], enlarged=factor)


def both(*faults):
    """Combines several faults in one recording."""
    joined = Fault(faults[0].design, "+".join(fault.key for fault in faults), [])
    for fault in faults:
        joined.changes |= fault.changes
        joined.edits += fault.edits
        joined.timing += fault.timing
        joined.enlarged *= fault.enlarged
    return joined
