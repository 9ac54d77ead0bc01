"""Prints which changes of a clip "loadervid diff" finds and names, by codec. See scripts/test-diff.

    matrix.py LOADERVID
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

WIDTH = 320
HEIGHT = 240
FRAMES = 60
OVERSAMPLING = 4
# The frames with a change in the drawing.
CHANGED = range(36, 41)
# Patterns of the text with which diff must describe each change.
DESCRIPTIONS = {
    "move": r"is (5\.[5-9]|6|6\.[0-4]) px to the right",
    "colour": r"is #0.c[6-a]0. instead of #0.f[ef]0.",
    "size": r"is 1[3-7]% larger",
    "opacity": r"has (5[89]|6[0-2])% of its opacity",
    "missing": r"the object near \(9\d, \d+\) is missing",
    "extra": r"an object of 2\dx2\d px in #f.0.0. .* is new",
    "spot": r"a spot of 4x4 px at \(10, 12\) is new",
    "background": r"the background is 1 code darker in \d+x\d+ px",
    "whole-background": r"the background is 1 code darker",
    "two-codes": r"codes? (darker|brighter)|instead of",
    "drop": r"frames 30-32 are missing",
    "freeze": r"frames 30-32 are missing",
    "late": r"everything after 1 s is 2 frames later",
}
CODECS = {
    "ffv1": ("mkv", "-c:v ffv1 -pix_fmt bgr0"),
    "h264-18": ("mp4", "-c:v libx264 -crf 18 -pix_fmt yuv420p"),
    "h264-23": ("mp4", "-c:v libx264 -crf 23 -pix_fmt yuv420p"),
    "hevc-20": ("mp4", "-c:v libx265 -x265-params log-level=none -crf 20 -pix_fmt yuv420p"),
    "vp9-24": ("webm", "-c:v libvpx-vp9 -crf 24 -b:v 0 -cpu-used 5 -pix_fmt yuv420p"),
}
LOADERS = ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"]
# Blocks at edges exceed the limit in this number of clips at crf 28.
MAX_FALSE_ALARMS = 3


def green_disc(angle, change):
    """Returns the centre, radius, colour and opacity of the green disc."""
    center = [120 + 40 * np.sin(angle), 80]
    radius = 20.0
    color = (0, 255, 0)
    opacity = 1.0
    if change == "move":
        center[0] += 6
    elif change == "colour":
        color = (0, 200, 0)
    elif change == "two-codes":
        color = (0, 253, 0)
    elif change == "size":
        radius *= 1.15
    elif change == "opacity":
        opacity = 0.6
    return center, radius, color, opacity


def frame(number, change):
    """Returns a frame: a moving green disc, a blue one, and an orange rectangle."""
    image = np.full((HEIGHT * OVERSAMPLING, WIDTH * OVERSAMPLING, 3), 255.0)
    y, x = (np.mgrid[0 : image.shape[0], 0 : image.shape[1]] + 0.5) / OVERSAMPLING

    def disc(center, radius, color, opacity=1.0):
        inside = (x - center[0]) ** 2 + (y - center[1]) ** 2 <= radius**2
        image[inside] = image[inside] * (1 - opacity) + np.array(color) * opacity

    def box(left, top, width, height):
        scale = OVERSAMPLING
        return image[top * scale : (top + height) * scale, left * scale : (left + width) * scale]

    angle = number / FRAMES * 2 * np.pi
    active = change if number in CHANGED else ""
    if active == "extra":
        disc((250, 180), 12, (255, 0, 0))
    elif active == "spot":
        box(10, 12, 4, 4)[:] = 0
    elif active == "background":
        box(20, 130, 100, 100)[:] -= 1
    elif active == "whole-background":
        image -= 1
    if active != "missing":
        disc(*green_disc(angle, active))
    disc((240, 60 + 20 * np.cos(angle)), 16, (0, 0, 255))
    box(150, 190, 50, 30)[:] = (240, 160, 20)
    image = image.reshape(HEIGHT, OVERSAMPLING, WIDTH, OVERSAMPLING, 3).mean((1, 3))
    return image.round().astype(np.uint8).tobytes()


def frames(change):
    """Returns the frames of a clip with a change."""
    numbers = list(range(FRAMES))
    if change == "drop":
        numbers = [n for n in numbers if n not in (30, 31, 32)]
    elif change == "freeze":
        numbers = [29 if n in (30, 31, 32) else n for n in numbers]
    elif change == "late":
        numbers = [n if n < 30 else n - 2 for n in numbers]
    return b"".join(frame(n, change) for n in numbers)


def ffmpeg(arguments, data=None):
    """Runs ffmpeg. Raises an error if it fails."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], input=data, check=True, stderr=subprocess.DEVNULL)


def changes(program, folder):
    """Prints a table of changes and codecs. Returns the number of missed and misnamed changes."""
    misses = 0
    raw = f"-f rawvideo -pix_fmt rgb24 -s {WIDTH}x{HEIGHT} -r 30 -i -".split()
    print("change".ljust(18) + "".join(codec.ljust(12) for codec in CODECS))
    base = frames("none")
    for codec, (extension, options) in CODECS.items():
        ffmpeg([*raw, *options.split(), str(folder / f"base-{codec}.{extension}")], base)
    for change, description in DESCRIPTIONS.items():
        data = frames(change)
        row = change.ljust(18)
        for codec, (extension, options) in CODECS.items():
            clip = folder / f"changed.{extension}"
            ffmpeg([*raw, *options.split(), str(clip)], data)
            outcome = subprocess.run(
                [program, "diff", folder / f"base-{codec}.{extension}", clip], capture_output=True, text=True
            )
            if re.search(description, outcome.stdout):
                verdict = "named"
            else:
                verdict = "found" if outcome.returncode == 1 else "MISSED"
            misses += verdict != "named"
            row += verdict.ljust(12)
        print(row, flush=True)
    return misses


def false_alarms(program, folder):
    """Re-encodes loaders and prints the clips that diff rejects. Returns their number."""
    count = 0
    total = 0
    encoders = {
        "h264": ("mp4", "-c:v libx264"),
        "hevc": ("mp4", "-c:v libx265 -x265-params log-level=none -preset fast"),
        "vp9": ("webm", "-c:v libvpx-vp9 -b:v 0 -cpu-used 5"),
    }
    for loader in LOADERS:
        original = folder / f"{loader}.mp4"
        command = [program, "encode", loader, "--fps", "30", "--duration", "1", "--scale", "2", "--progress", "none"]
        subprocess.run([*command, "-o", original], check=True, capture_output=True)
        for encoder, (extension, options) in encoders.items():
            for quality in ("18", "23", "28"):
                clip = folder / f"again.{extension}"
                ffmpeg(["-i", str(original), *options.split(), "-crf", quality, str(clip)])
                outcome = subprocess.run([program, "diff", original, clip], capture_output=True, text=True)
                total += 1
                if outcome.returncode != 0:
                    count += 1
                    print(f"false alarm: {loader} {encoder} crf {quality}: {outcome.stdout.splitlines()[1:3]}")
    print(f"{count} false alarms in {total} re-encodings")
    return count


def main():
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        misses = changes(program, folder)
        print(f"{misses} changes missed or misnamed")
        count = false_alarms(program, folder)
    # Some encoders hide the change of two codes in their noise (docs/diff.md), so the test allows
    # one miss per codec.
    sys.exit(1 if misses > len(CODECS) or count > MAX_FALSE_ALARMS else 0)


main()
