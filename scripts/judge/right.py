"""Recordings of correct loaders, with the effects of phones, screen recorders and encoders.

compare must accept all of them.
"""
import clutter
import timelines
from designs import ALL
from recording import Encoding, Recording, Screen
from timelines import steady

SCALES = {"jelly": 1, "qq": 1, "preloader": 1}


def even(value):
    """The nearest even number: 4:2:0 video has even sides."""
    return 2 * round(value / 2)


def canvas_only(design, scale):
    return Screen(even(design.size[0] * scale), even(design.size[1] * scale))


def phone(design, scale, *more):
    """A screen with a status bar and a button; the canvas is one pixel off the grid of points."""
    width, height = even((design.size[0] + 60) * scale), even((design.size[1] + 120) * scale)
    color = "#000000" if design.background == "#ffffff" else "#ffffff"
    x, y = round(30 * scale) + 1, round(50 * scale) - 1
    return Screen(width, height, x, y, [clutter.status_bar(color), clutter.button(), *more])


def plain(name, cycles=2.0, start=0.0, scale=None, rate=60, **other):
    """A recording of the canvas without anything around it, unless `screen` is given."""
    design = ALL[name]
    scale = scale or SCALES.get(name, 2)
    frames = steady(max(cycles * design.period, 0.5), start, rate)
    return Recording(design, frames, scale, other.pop("screen", None) or canvas_only(design, scale), **other)


def timed(name, change, **other):
    """A recording whose frames are changed by a function of `timelines`."""
    recording = plain(name, **other)
    recording.frames = change(recording.frames, ALL[name])
    return recording


def cropped(name, left, top, right, bottom, scale=2):
    """A recording in which some points at the canvas's edges are cut off."""
    design = ALL[name]
    width, height = design.size[0] - left - right, design.size[1] - top - bottom
    screen = Screen(even(width * scale), even(height * scale), -left * scale, -top * scale)
    return plain(name, scale=scale, screen=screen)


def shifted(name, pixels, scale=2):
    """A recording in which the canvas is moved by pixels or fractions of one."""
    design = ALL[name]
    screen = Screen(even(design.size[0] * scale + 8), even(design.size[1] * scale + 8), 4 + pixels, 4 - pixels)
    return plain(name, scale=scale, screen=screen)


def on_phone(name, *more, scale=2, **other):
    return plain(name, scale=scale, screen=phone(ALL[name], scale, *more), **other)


def recordings():
    """Yields each recording's name, the recording, and the options that compare needs for it."""
    for name in ALL:
        yield "plain", plain(name), []
    for name in ("qq-mail", "iqiyi", "preloader", "douyin", "oneloading", "wave"):
        yield "status-bar", on_phone(name), []
    yield "text-and-cursor", on_phone("qq-mail", clutter.text_lines(), clutter.cursor()), []
    yield "dark-bar", on_phone("iqiyi", clutter.dark_bar()), []
    yield "dark-bar", on_phone("jelly", clutter.dark_bar(), scale=1), []
    yield from timing()
    yield from geometry()
    yield from encodings()


def timing():
    yield "blank-first", timed("qq-mail", timelines.blank_before(0.5)), []
    yield "blank-first", timed("iqiyi", timelines.blank_before(0.8)), []
    yield "first-frame-held", timed("qq-mail", timelines.held_before(0.6)), []
    yield "first-frame-held", timed("ring", timelines.held_before(0.5), start=0.3), []
    yield "last-frame-held", timed("preloader", timelines.held_after(0.5)), []
    yield "blank-at-the-end", timed("oneloading", timelines.blank_after(0.5)), []
    # While the loader rests, a frozen recording looks the same.
    yield "frozen-while-it-rests", timed("qq-pull", timelines.frozen(0.6, 0.8), start=2.05), []
    for name in ("qq-mail", "douyin", "pulse"):
        yield "uneven-times", timed(name, timelines.uneven), []
    yield "30-fps", plain("iqiyi", rate=30), []
    yield "30-fps", plain("qq", rate=30), []
    yield "24-fps", plain("qq-mail", rate=24), []
    yield "24-fps", plain("oneloading", rate=24), []
    yield "half-a-cycle", plain("iqiyi", cycles=0.5, start=0.3), []
    yield "half-a-cycle", plain("jelly", cycles=0.5, start=0.5), []
    yield "slow-motion", timed("qq-mail", timelines.faster(0.25), cycles=4), ["--speed", "1/4"]
    yield "slow-motion", timed("iqiyi", timelines.faster(0.5), cycles=4), ["--speed", "1/2"]
    yield "three-cycles", plain("qq-mail", cycles=3), []
    for name, start in (("qq-mail", 0.91), ("qq", 1.3), ("preloader", 2.2), ("jelly", 4.0), ("douyin", 1.7),
                        ("orbit", 0.77)):
        yield "starts-anywhere", plain(name, start=start), []


def geometry():
    yield "scale-1", plain("qq-mail", scale=1), []
    yield "scale-1", plain("iqiyi", scale=1), []
    yield "scale-1", plain("wave", scale=1), []
    yield "scale-3", plain("qq-mail", scale=3), []
    yield "scale-3", plain("oneloading", scale=3), []
    yield "scale-1.5", plain("qq-mail", scale=1.5), ["--scale", "1.5"]
    yield "scale-1.5", plain("iqiyi", scale=1.5), ["--scale", "1.5"]
    yield "cropped", cropped("qq-mail", 10, 10, 10, 10), []
    yield "cropped", cropped("iqiyi", 15, 15, 15, 15), []
    yield "cropped", cropped("preloader", 20, 70, 20, 70, scale=1), []
    yield "cropped-into-the-ring", cropped("iqiyi", 0, 0, 0, 30), []
    yield "cropped-into-the-jelly", cropped("jelly", 0, 0, 60, 0, scale=1), []
    yield "shifted-by-a-pixel", shifted("qq-mail", 1), []
    yield "shifted-by-a-third", shifted("iqiyi", 1 / 3), []
    yield "without-antialiasing", plain("oneloading", scale=3, smooth=False), []
    yield "without-antialiasing", plain("qq-mail", scale=3, smooth=False), []


def encodings():
    for kind in ("hevc", "vp9"):
        for name in ("qq-mail", "preloader"):
            yield kind, plain(name, encoding=Encoding(kind, 26)), []
    yield "gif", plain("qq-mail", rate=25, encoding=Encoding("gif")), []
    yield "gif", plain("iqiyi", rate=50, encoding=Encoding("gif")), []
    for name in ("qq-mail", "douyin", "dot"):
        yield "noise", plain(name, encoding=Encoding(noise=4.0)), []
    for name in ("qq-mail", "iqiyi", "preloader", "pulse"):
        yield "crf-38", plain(name, encoding=Encoding(crf=38)), []
    yield "bt601", plain("qq-mail", encoding=Encoding(matrix="bt601")), []
    yield "full-range", plain("iqiyi", encoding=Encoding(full_range=True)), []
    yield "status-bar-crf-34", on_phone("qq", scale=1, encoding=Encoding(crf=34)), []
