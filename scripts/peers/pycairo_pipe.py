"""Draws the three balls with pycairo and pipes the frames into the ffmpeg command."""

import subprocess
from math import tau

import cairo

from balls import OPACITY, Clip, ffmpeg

clip = Clip.from_arguments()
surface = cairo.ImageSurface(cairo.FORMAT_RGB24, clip.width, clip.height)
pixels = surface.get_data()
context = cairo.Context(surface)

encoder = subprocess.Popen(ffmpeg(clip, "bgr0"), stdin=subprocess.PIPE)
for frame in range(clip.frames):
    context.set_source_rgb(1, 1, 1)
    context.paint()
    for x, y, color in clip.balls(frame):
        context.arc(x, y, clip.radius, 0, tau)
        context.set_source_rgba(*color, OPACITY)
        context.fill()
    surface.flush()
    encoder.stdin.write(pixels)
encoder.stdin.close()
raise SystemExit(encoder.wait())
