"""Has analyze reconstruct recordings of simple shapes, and measures the Lottie files that it writes.

A file is right if it shows what the recording shows, has its period, and has the handles of its easing. A refusal is
honest if it says why.
"""
import argparse
import fnmatch
import json
import math
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import av

import recording
from motion import EASINGS
from recording import Encoding, Recording
from right import canvas_only
from scene import Bitmap, color4f, draw
from timelines import steady
from shape_scenes import SHAPE_SCENES
from renderer_check import foreground_psnr

SCALE = 2
# The goals of a reconstruction: dB over the foreground, a period's relative error, an easing's handles.
PSNR, PERIOD, HANDLES = 32.0, 0.005, 0.05


def write(index, scene, folder):
    """A recording of two and a half periods; every third begins in the middle of one."""
    path = os.path.join(folder, f"{scene.name}.mp4")
    start = 0.4 * scene.period if index % 3 == 2 else 0.0
    frames = steady(2.5 * scene.period, start)
    screen = canvas_only(scene.design, SCALE)
    recording.write(Recording(scene.design, frames, SCALE, screen, encoding=Encoding(crf=18)), path)
    return path, start


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def judge(binary, index, scene, folder):
    """One word for what analyze did, and the figures."""
    path, start = write(index, scene, folder)
    result = os.path.join(folder, f"{scene.name}.result.json")
    done = run([binary, "analyze", path, "-o", result, "--force"])
    said = (done.stderr.strip().split("\n") or [""])[-1]
    if done.returncode != 0:
        return ("refused" if done.returncode == 65 and said else "failed"), f"exit code {done.returncode}: {said}"
    with open(result) as file:
        document = json.load(file)
    period = (document["op"] - document["ip"]) / document["fr"]
    psnr = picture(binary, scene, result, start, period)
    handles = easing_error(scene, document)
    figures = f"{psnr:.1f} dB, period {period:.3f} instead of {scene.period:.3f} s" + \
        (f", handles off by {handles:.3f}" if scene.easing else "")
    wrong = [name for name, is_wrong in (("picture", psnr < PSNR), ("easing", handles > HANDLES),
                                         ("period", abs(period / scene.period - 1) > PERIOD)) if is_wrong]
    return " and ".join(wrong) or "right", figures


def picture(binary, scene, path, start, period):
    """The foreground PSNR in dB of all frames of the reconstruction's first cycle."""
    clip = f"{path}.mkv"
    width, height = (SCALE * side for side in scene.design.size)
    done = run([binary, "encode", path, "--size", f"{width}x{height}", "--fps", "60", "--codec", "ffv1", "-o", clip,
                "--force", "--progress", "none"])
    if done.returncode:
        return 0.0
    bitmap = Bitmap(width, height)
    errors = []
    plain = color4f(scene.background)
    with av.open(clip) as container:
        for index, frame in enumerate(container.decode(video=0)):
            time = index / 60
            if time >= period:
                break
            bitmap.clear(scene.background)
            bitmap.canvas.save()
            bitmap.canvas.scale(SCALE, SCALE)
            for item in scene.design.items(start + time, {}):
                draw(bitmap.canvas, item)
            bitmap.canvas.restore()
            shown = frame.to_ndarray(format="rgb24").astype(float)
            errors.append(10 ** (-foreground_psnr(shown, bitmap.pixels[:, :, :3].astype(float), plain) / 10))
    return -10 * math.log10(sum(errors) / len(errors))


def easing_error(scene, document):
    """How far the nearest handles of any keyframe are from the true ones; 0 without an easing."""
    if not scene.easing:
        return 0.0
    errors = [max(abs(a - b) for a, b in zip(handles, EASINGS[scene.easing])) for handles in handle_pairs(document)]
    return min(errors, default=1.0)


def handle_pairs(node):
    """The handles x1, y1, x2, y2 of all keyframes below a node of a Lottie file."""
    if isinstance(node, list):
        for child in node:
            yield from handle_pairs(child)
    elif isinstance(node, dict):
        if "o" in node and "i" in node and isinstance(node["o"], dict) and "x" in node["o"]:
            values = [node["o"]["x"], node["o"]["y"], node["i"]["x"], node["i"]["y"]]
            yield [value[0] if isinstance(value, list) else value for value in values]
        for child in node.values():
            yield from handle_pairs(child)


def main():
    parser = argparse.ArgumentParser(prog="scripts/test-judge --analyze", description=__doc__)
    parser.add_argument("--binary", metavar="PATH", help="the loadervid to judge")
    parser.add_argument("--keep", metavar="DIR", help="keep the recordings, and reuse those that are there")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="only recordings whose names match")
    parser.add_argument("--list", action="store_true", help="list the recordings' names and end")
    parser.add_argument("--write-only", action="store_true", help="write the recordings and end")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="recordings at once (default: 2)")
    options = parser.parse_args()
    chosen = [(index, scene) for index, scene in enumerate(SHAPE_SCENES) if fnmatch.fnmatch(scene.name, options.only)]
    if options.list:
        print("\n".join(scene.name for _, scene in chosen))
        return 0
    folder = options.keep or tempfile.mkdtemp(prefix="loadervid-analysis-")
    os.makedirs(folder, exist_ok=True)
    if options.write_only:
        for index, scene in chosen:
            write(index, scene, folder)
        return 0
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda entry: judge(options.binary, *entry, folder), chosen))
    for (_, scene), (outcome, figures) in zip(chosen, results):
        print(f"{outcome:20} {scene.name:28} {figures}")
    print(", ".join(f"{count} {name}" for name, count in Counter(outcome for outcome, _ in results).most_common()))
    return 0 if all(outcome in ("right", "refused") for outcome, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
