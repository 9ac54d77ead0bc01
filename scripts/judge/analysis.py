"""Measures what `analyze -o` reconstructs from recordings of simple shapes and of loaders.

A reconstruction passes if its frames, its period and the handles of its easing match the scene that
was recorded. If analyze refuses a recording, it must say why. With --outputs, the script renders
the CSS output in Chromium and parses the Swift output instead.
"""
import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import recording
from analysis_outputs import lottie_psnr, page_psnr, swift_error
from designs import ALL, Design
from motion import EASINGS
from recording import Encoding, Recording
from right import canvas_only
from shape_scenes import SHAPE_SCENES
from timelines import steady

SCALE = 2
# A reconstruction passes with at least this PSNR in dB over the foreground, and at most these
# errors: relative for the period, absolute for the coordinates of the easing's handles.
MIN_PSNR = 32.0
MAX_PERIOD_ERROR = 0.005
MAX_HANDLE_ERROR = 0.05


@dataclass
class LoaderScene:
    """A design from the recordings for `compare`, with the properties of a `ShapeScene`."""
    design: Design

    @property
    def name(self):
        return f"loader-{self.design.name}"

    @property
    def period(self):
        return self.design.period

    @property
    def background(self):
        return self.design.background

    @property
    def easing(self):
        return self.design.values.get("easing") if self.design.file else None


SCENES = [*SHAPE_SCENES, *(LoaderScene(design) for design in ALL.values())]


def write(index, scene, folder):
    """Records two and a half periods, and returns the path and the model time of the first frame.

    Every third recording of a shape starts in the middle of a period.
    """
    path = os.path.join(folder, f"{scene.name}.mp4")
    start = 0.4 * scene.period if index % 3 == 2 and not isinstance(scene, LoaderScene) else 0.0
    frames = steady(2.5 * scene.period, start)
    screen = canvas_only(scene.design, SCALE)
    recording.write(Recording(scene.design, frames, SCALE, screen, encoding=Encoding(crf=18)), path)
    return path, start


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def judge(binary, index, scene, folder):
    """Runs analyze on a scene's recording; returns the outcome and the measurements as text."""
    path, start = write(index, scene, folder)
    result = os.path.join(folder, f"{scene.name}.result.json")
    done = run([binary, "analyze", path, "-o", result, "--force"])
    message = (done.stderr.strip().split("\n") or [""])[-1]
    if done.returncode != 0:
        outcome = "refused" if done.returncode == 65 and message else "failed"
        return outcome, f"exit code {done.returncode}: {message}"
    with open(result) as file:
        document = json.load(file)
    period = (document["op"] - document["ip"]) / document["fr"]
    psnr = lottie_psnr(binary, scene, SCALE, result, start, period)
    handles = easing_error(scene, document)
    figures = f"{psnr:.1f} dB, period {period:.3f} instead of {scene.period:.3f} s"
    figures += f", handles off by {handles:.3f}" if scene.easing else ""
    figures += f"; {message}" if message else ""
    checks = {
        "image": psnr >= MIN_PSNR,
        "easing": handles <= MAX_HANDLE_ERROR,
        "period": abs(period / scene.period - 1) <= MAX_PERIOD_ERROR,
    }
    wrong = [name for name, is_passed in checks.items() if not is_passed]
    return " and ".join(wrong) or "right", figures


def easing_error(scene, document):
    """The smallest distance of any keyframe's handles from the true ones; 0 without an easing."""
    if not scene.easing:
        return 0.0
    errors = [max(abs(a - b) for a, b in zip(handles, EASINGS[scene.easing])) for handles in handle_pairs(document)]
    return min(errors, default=1.0)


def handle_pairs(node):
    """Yields the handles x1, y1, x2, y2 of every animated number below a node of a Lottie file."""
    if isinstance(node, list):
        for key, after in zip(node, node[1:]):
            if isinstance(key, dict) and isinstance(key.get("o"), dict) and "x" in key["o"] and "s" in key:
                yield from moving_handles(key, key["s"], after["s"])
        for child in node:
            yield from handle_pairs(child)
    elif isinstance(node, dict):
        for child in node.values():
            yield from handle_pairs(child)


def moving_handles(key, values, following):
    """Yields the handles of a keyframe's numbers that change until the next keyframe.

    A number that changes by less than a tenth of the largest change counts as constant: its
    handles may have any value.
    """
    if not all(isinstance(value, (int, float)) for value in values):
        return
    changes = [abs(after - value) for value, after in zip(values, following)]
    parts = [key["o"]["x"], key["o"]["y"], key["i"]["x"], key["i"]["y"]]
    for index, change in enumerate(changes):
        if change > 0.1 * max(changes):
            yield [part[index % len(part)] if isinstance(part, list) else part for part in parts]


def check_outputs(binary, chosen, folder):
    """Prints each page's PSNR in Chromium and each Swift file's first parse error.

    Returns the number of recordings with a bad page or Swift file.
    """
    from browser.recorder import chromium
    bad = 0
    with chromium() as open_page:
        for index, scene in chosen:
            path, start = write(index, scene, folder)
            page, code = (os.path.join(folder, f"{scene.name}.{suffix}") for suffix in ("html", "swift"))
            done = [run([binary, "analyze", path, "-o", output, "--force"]) for output in (page, code)]
            if any(outcome.returncode for outcome in done):
                continue
            result = json.loads(run([binary, "analyze", path, "--as", "lottie"]).stdout)
            psnr = page_psnr(open_page, scene, SCALE, page, start, result["op"] / result["fr"])
            error = swift_error(code)
            bad += psnr < MIN_PSNR or error is not None
            print(f"{scene.name:28} page {psnr:.1f} dB, Swift {error or 'parses'}", flush=True)
    return bad


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/test-judge --analyze", description=__doc__)
    parser.add_argument("--binary", metavar="PATH", help="the loadervid program to test")
    parser.add_argument("--keep", metavar="DIR", help="write recordings to DIR and reuse the ones it has")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="use only recordings whose names match")
    parser.add_argument("--list", action="store_true", help="list the recordings and exit")
    parser.add_argument("--write-only", action="store_true", help="write the recordings and exit")
    parser.add_argument("--outputs", action="store_true", help="check the CSS and Swift output, not the Lottie files")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="recordings to analyze at once (default: 2)")
    return parser.parse_args()


def main():
    options = arguments()
    chosen = [(index, scene) for index, scene in enumerate(SCENES) if fnmatch.fnmatch(scene.name, options.only)]
    if options.list:
        print("\n".join(scene.name for _, scene in chosen))
        return 0
    folder = options.keep or tempfile.mkdtemp(prefix="loadervid-analysis-")
    os.makedirs(folder, exist_ok=True)
    if options.write_only:
        for index, scene in chosen:
            write(index, scene, folder)
        return 0
    if options.outputs:
        return 1 if check_outputs(options.binary, chosen, folder) else 0
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda entry: judge(options.binary, *entry, folder), chosen))
    for (_, scene), (outcome, figures) in zip(chosen, results):
        print(f"{outcome:20} {scene.name:28} {figures}")
    print(", ".join(f"{count} {name}" for name, count in Counter(outcome for outcome, _ in results).most_common()))
    return 0 if all(outcome in ("right", "refused") for outcome, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
