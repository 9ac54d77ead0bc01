"""The balls as a Lottie, rendered by rlottie-python and piped into the ffmpeg command."""

import json
import subprocess
from math import ceil

from rlottie_python import LottieAnimation

from balls import COLORS, DEPTHS, FIRST_STAGES, FRAME_RATE, OFFSET, OPACITY, RADIUS, STAGES, Clip, ffmpeg

clip = Clip.from_arguments()
center = (clip.width / 2, clip.height / 2)
phase_length = clip.cycle[0] / clip.cycle[1] / 6


def fixed(value):
    return {"a": 0, "k": value}


def ball_layer(ball, phase):
    """A ball during two phases, in which the order of the balls stays the same."""
    times = [(phase + i) * phase_length for i in range(3)]
    places = []
    for i in range(3):
        begin, _ = STAGES[(FIRST_STAGES[ball] + phase + i) % 6]
        places.append([center[0] + OFFSET * clip.scale * begin, center[1], 0])
    linear = {"o": {"x": 0, "y": 0}, "i": {"x": 1, "y": 1}}
    keys = [{"t": times[i], "s": places[i], "e": places[i + 1], **linear} for i in range(2)]
    keys.append({"t": times[2], "s": places[2]})
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
    # rlottie shows a layer in its last frame, too.
    return {"ty": 4, "ip": ceil(times[0]), "op": ceil(times[2]) - 1, "st": 0, "ks": transform, "shapes": shapes}


def lottie():
    phases = range(0, ceil(clip.frames / phase_length), 2)
    layers = [ball_layer(ball, phase) for phase in phases for ball in reversed(DEPTHS[phase // 2 % 3])]
    white = {
        "ty": 1, "ip": 0, "op": clip.frames, "st": 0, "sc": "#ffffff", "sw": clip.width, "sh": clip.height, "ks": {},
    }  # fmt: skip
    return {
        "v": "5.5.0", "fr": FRAME_RATE, "ip": 0, "op": clip.frames, "w": clip.width, "h": clip.height,
        "layers": [*layers, white],
    }  # fmt: skip


with LottieAnimation.from_data(json.dumps(lottie())) as animation:
    encoder = subprocess.Popen(ffmpeg(clip, "bgra"), stdin=subprocess.PIPE)
    for frame in range(clip.frames):
        encoder.stdin.write(animation.lottie_animation_render(frame))
    encoder.stdin.close()
    raise SystemExit(encoder.wait())
