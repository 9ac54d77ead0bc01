"""Checks the output files of analyze with the programs that read them.

loadervid renders the Lottie files, Chromium the HTML fragments, and the Swift compiler parses the
Swift code.
"""
import io
import math
import subprocess

import av
import numpy as np
from PIL import Image

from renderer_check import foreground_psnr
from scene import Bitmap, color4f, draw

# The times of a page's screenshots, as fractions of a period: between frames and away from the
# usual keyframes.
INSTANTS = [0.03, 0.17, 0.31, 0.45, 0.59, 0.73, 0.87]


def expected_frame(scene, scale, time):
    """A scene's RGB pixels at a model time in seconds, drawn with Skia."""
    width, height = (scale * side for side in scene.design.size)
    bitmap = Bitmap(width, height)
    bitmap.clear(scene.background)
    bitmap.canvas.scale(scale, scale)
    for item in scene.design.items(time, {}):
        draw(bitmap.canvas, item)
    return bitmap.pixels[:, :, :3].astype(float)


def mean_psnr(pairs, background):
    """The PSNR in dB of the mean squared error over the foreground of all pairs of images."""
    plain = color4f(background)
    errors = [10 ** (-foreground_psnr(shown, truth, plain) / 10) for shown, truth in pairs]
    return -10 * math.log10(sum(errors) / len(errors)) if errors else 0.0


def lottie_psnr(binary, scene, scale, path, start, period):
    """The PSNR in dB of a Lottie file's first cycle; 0 if loadervid fails to encode the file."""
    clip = f"{path}.apng"
    width, height = (scale * side for side in scene.design.size)
    done = subprocess.run([binary, "encode", path, "--size", f"{width}x{height}", "--fps", "60", "-o",
                           clip, "--force", "--progress", "none"], capture_output=True)
    if done.returncode:
        return 0.0
    with av.open(clip) as container:
        frames = [frame.to_ndarray(format="rgb24").astype(float) for frame in container.decode(video=0)]
    # A seamless loop has a whole number of frames, so its speed differs a little from its file's.
    step = period / len(frames) if abs(len(frames) / 60 / period - 1) < 0.05 else 1 / 60
    pairs = [(shown, expected_frame(scene, scale, start + index * step)) for index, shown in enumerate(frames)
             if index * step < period - 1e-6]
    return mean_psnr(pairs, scene.background)


def page_psnr(open_page, scene, scale, path, start, period):
    """The PSNR in dB of an HTML fragment in Chromium at the times in `INSTANTS`."""
    width, height = (scale * side for side in scene.design.size)
    with open(path) as file:
        page = open_page(f"<body style='margin: 0'>{file.read()}</body>", (width, height), 1)
    pairs = []
    for fraction in INSTANTS:
        time = fraction * period
        page.evaluate("""time => { for (const animation of document.getAnimations()) {
            animation.pause(); animation.currentTime = time; } }""", 1000 * time)
        shown = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"), dtype=float)
        pairs.append((shown, expected_frame(scene, scale, start + time)))
    page.context.close()
    return mean_psnr(pairs, scene.background)


def swift_error(path):
    """The first line of the Swift parser's errors, or None.

    The code is only parsed: Linux has no Core Animation to check its types against.
    """
    done = subprocess.run(["swiftc", "-frontend", "-parse", path], capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr.strip().split("\n") or ["no message"])[0]
