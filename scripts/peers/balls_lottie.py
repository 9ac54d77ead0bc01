"""The three balls as a Lottie animation."""

from math import ceil

from balls import COLORS, DEPTHS, FIRST_STEPS, FRAME_RATE, OFFSET, OPACITY, RADIUS, STEPS, Clip


def fixed(value):
    """A property without keyframes."""
    return {"a": 0, "k": value}


def ball_layer(clip: Clip, ball: int, phase: int, extra: int) -> dict:
    """A ball during two phases, in which the stacking order stays the same; see `lottie`."""
    phase_length = clip.cycle[0] / clip.cycle[1] / 6
    times = [(phase + i) * phase_length for i in range(3)]
    positions = []
    for i in range(3):
        begin, _ = STEPS[(FIRST_STEPS[ball] + phase + i) % 6]
        positions.append([clip.width / 2 + OFFSET * clip.scale * begin, clip.height / 2, 0])
    linear = {"o": {"x": 0, "y": 0}, "i": {"x": 1, "y": 1}}
    keys = [{"t": times[i], "s": positions[i], "e": positions[i + 1], **linear} for i in range(2)]
    keys.append({"t": times[2], "s": positions[2]})
    transform = {
        "o": fixed(100), "r": fixed(0), "a": fixed([0, 0, 0]), "s": fixed([100, 100, 100]),
        "p": {"a": 1, "k": keys},
    }  # fmt: skip
    disc = {"ty": "el", "p": fixed([0, 0]), "s": fixed([2 * RADIUS * clip.scale] * 2)}
    fill = {"ty": "fl", "c": fixed([*COLORS[ball], 1]), "o": fixed(100 * OPACITY), "r": 1}
    neutral = {
        "ty": "tr", "p": fixed([0, 0]), "a": fixed([0, 0]), "s": fixed([100, 100]), "r": fixed(0), "o": fixed(100),
    }  # fmt: skip
    shapes = [{"ty": "gr", "it": [disc, fill, neutral]}]
    return {"ty": 4, "ip": ceil(times[0]), "op": ceil(times[2]) - extra, "st": 0, "ks": transform, "shapes": shapes}


def lottie(clip: Clip, extra: int = 0) -> dict:
    """The animation's document.

    `extra` shortens the layers for players that show a layer for that many frames too long.
    """
    phase_length = clip.cycle[0] / clip.cycle[1] / 6
    phases = range(0, ceil(clip.frames / phase_length), 2)
    layers = [ball_layer(clip, ball, phase, extra) for phase in phases for ball in reversed(DEPTHS[phase // 2 % 3])]
    white = {
        "ty": 1, "ip": 0, "op": clip.frames, "st": 0, "sc": "#ffffff", "sw": clip.width, "sh": clip.height, "ks": {},
    }  # fmt: skip
    return {
        "v": "5.5.0", "fr": FRAME_RATE, "ip": 0, "op": clip.frames, "w": clip.width, "h": clip.height,
        "layers": [*layers, white],
    }  # fmt: skip
