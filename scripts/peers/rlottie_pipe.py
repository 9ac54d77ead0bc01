"""Draws the three balls' Lottie file with rlottie-python and pipes the frames into ffmpeg."""

import json
import subprocess

from rlottie_python import LottieAnimation

from balls import Clip, ffmpeg
from balls_lottie import lottie

clip = Clip.from_arguments()
# rlottie shows a layer also in the frame `op`, at which Lottie layers end.
with LottieAnimation.from_data(json.dumps(lottie(clip, 1))) as animation:
    encoder = subprocess.Popen(ffmpeg(clip, "bgra"), stdin=subprocess.PIPE)
    for frame in range(clip.frames):
        encoder.stdin.write(animation.lottie_animation_render(frame))
    encoder.stdin.close()
    raise SystemExit(encoder.wait())
