#!/usr/bin/env python3
"""Measures `analyze` with recordings drawn by Skia, whose motions are known.

Prints whether each report is right, refused or wrong, with the measured values, and the PSNR over
the foreground of the written Lottie file beside the drawing. The exit code is 1 if a report is
wrong.

    analysis-matrix.py [--keep DIR] LOADERVID [NAME...]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import analysis_cases
import analysis_more_cases
from analysis_drawing import EASINGS, SIZE, bitmap

FPS = 60
MIN_PSNR = 32.0


def record(path, draw, ground, seconds, fps=FPS, crf=16):
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-y",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        "%dx%d" % SIZE,
        "-r",
        str(fps),
        "-i",
        "-",
        "-c:v",
        "libx264",
        "-crf",
        str(crf),
        "-pix_fmt",
        "yuv420p",
        "-preset",
        "fast",
        path,
    ]
    frames = [bitmap(draw, ground, frame / fps).tobytes() for frame in range(round(seconds * fps))]
    subprocess.run(command, input=b"".join(frames), check=True)


def near(value, expected, share=0.04, least=1.5):
    return abs(value - expected) <= max(least, share * abs(expected))


def handles(name):
    if name.startswith("cubic-bezier"):
        return tuple(float(v) for v in name[13:-1].split(","))
    named = dict(EASINGS, **{"sine in-out": (0.364, 0, 0.636, 1)})
    return named.get(name)


def is_kind(goal, shape):
    """True if a shape is of the wanted kind; a long rectangle may be a line."""
    return goal in shape["shape"] or (goal == "rectangle" and shape["shape"] == "line")


def shape_problems(goal, shape):
    found = []
    if "path" in goal and shape["path"] != goal["path"]:
        found.append(f"path {shape['path']} instead of {goal['path']}")
    if goal.get("amplitude") and not near(shape["amplitude"], goal["amplitude"]):
        found.append(f"amplitude {shape['amplitude']} instead of {goal['amplitude']}")
    opacity = [value / max(shape["opacity"]) for value in shape["opacity"]]
    if "opacity" in goal and any(abs(a - b) > 0.04 for a, b in zip(opacity, goal["opacity"])):
        found.append(f"opacity {shape['opacity']} instead of {goal['opacity']}")
    if "width" in goal:
        values = [key["value"] for key in shape["channels"]["width"]]
        if not near(min(values), goal["width"][0]) or not near(max(values), goal["width"][1]):
            found.append(f"width {min(values)}...{max(values)} instead of {goal['width']}")
    if goal.get("turns") and len(shape["channels"]["rotation"]) < 2:
        found.append("no rotation")
    if goal.get("easing") == "hold":
        return found if "hold" in shape["easings"] else found + [f"easing {shape['easings']} instead of hold"]
    if "easing" in goal:
        known = [handles(name) for name in shape["easings"]]
        if not any(h and all(abs(a - b) <= 0.05 for a, b in zip(h, EASINGS[goal["easing"]])) for h in known):
            found.append(f"easing {shape['easings']} instead of {goal['easing']}")
    return found


def problems(report, period, expected):
    motion = report.get("motion")
    if motion is None:
        return None
    found = []
    if motion.get("period") is None or abs(motion["period"] / period - 1) > 0.005:
        found.append(f"period {motion.get('period')} instead of {period}")
    shapes = list(motion["shapes"])
    wanted = [e for e in expected if "shape" in e]
    if len(shapes) != len(wanted):
        return found + [f"{len(shapes)} shapes instead of {len(wanted)}: {[s['shape'] for s in shapes]}"]
    for goal in wanted:
        candidates = [shape for shape in shapes if is_kind(goal["shape"], shape)]
        if not candidates:
            found.append(f"no {goal['shape']} among {[s['shape'] for s in shapes]}")
            continue
        shape = min(candidates, key=lambda shape: len(shape_problems(goal, shape)))
        shapes.remove(shape)
        found += shape_problems(goal, shape)
    for goal in expected:
        if "stagger" in goal:
            staggers = [group.get("stagger") for group in motion["groups"]]
            if not any(s is not None and abs(s - goal["stagger"]) <= 0.012 for s in staggers):
                found.append(f"stagger {staggers} instead of {goal['stagger']}")
    return found


def psnr(program, clip, draw, ground, period, folder, fps):
    """Returns the PSNR in dB of the written loader's first period over the drawing's foreground.

    Returns 0 for a loader that the program refuses to write.
    """
    # APNG keeps the full resolution of colours.
    loader, video = f"{folder}/loader.json", f"{folder}/loader.apng"
    written = subprocess.run([program, "analyze", clip, "-o", loader, "--force"], capture_output=True)
    if written.returncode == 65:
        return 0
    written.check_returncode()
    subprocess.run(
        [
            program,
            "encode",
            loader,
            "--size",
            "%dx%d" % SIZE,
            "--fps",
            str(fps),
            "-o",
            video,
            "--force",
            "--progress",
            "none",
        ],
        capture_output=True,
        check=True,
    )
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", video, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        capture_output=True,
        check=True,
    ).stdout
    shown = np.frombuffer(raw, np.uint8).reshape(-1, SIZE[1], SIZE[0], 3).astype(float)
    errors = []
    for frame, image in enumerate(shown[: round(period * fps)]):
        truth = bitmap(draw, ground, frame / fps).astype(float)
        is_drawn = (np.abs(truth - ground).max(axis=2) > 8) | (np.abs(image - ground).max(axis=2) > 8)
        if is_drawn.any():
            errors.append(np.mean((truth[is_drawn] - image[is_drawn]) ** 2))
    return 10 * np.log10(255**2 / max(1e-4, np.mean(errors))) if errors else 99.0


def judge(program, case, folder):
    name, period, draw, ground, expected, *options = case
    recording = options[0] if options else {}
    path = str(pathlib.Path(folder) / f"{name}.mp4")
    if not os.path.exists(path):
        record(path, draw, ground, 2 * period + 0.2, **recording)
    outcome = subprocess.run([program, "analyze", path, "--json"], capture_output=True, text=True)
    faults = problems(json.loads(outcome.stdout), period, expected) if outcome.returncode == 0 else None
    if faults is None:
        return "refused", outcome.stderr.strip()
    decibels = psnr(program, path, draw, ground, period, folder, recording.get("fps", FPS))
    # Strong compression changes the edges themselves.
    if decibels < MIN_PSNR - (6 if "crf" in recording else 0):
        faults.append("picture")
    return "wrong" if faults else "right", "; ".join([f"{decibels:.1f} dB"] + faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", metavar="DIR", help="keep the recordings, and reuse those that are there")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    counts = {"right": 0, "refused": 0, "wrong": 0}
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        for case in [*analysis_cases.cases(), *analysis_more_cases.cases()]:
            if options.names and not any(word in case[0] for word in options.names):
                continue
            verdict, words = judge(options.program, case, options.keep or folder)
            counts[verdict] += 1
            print(f"{verdict:8} {case[0]:24} {words}", flush=True)
    print(f"{counts['right']} right, {counts['refused']} refused, {counts['wrong']} wrong")
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
