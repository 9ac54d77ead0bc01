"""Has analyze reconstruct recordings of simple shapes and of loaders, and measures the files that it writes.

A file is right if it shows what the recording shows, has its period, and has the handles of its easing. A refusal is
honest if it says why. With --outputs, the CSS is looked at in Chromium and the Swift code is parsed.
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
# The goals of a reconstruction: dB over the foreground, a period's relative error, an easing's handles.
PSNR, PERIOD, HANDLES = 32.0, 0.005, 0.05


@dataclass
class LoaderScene:
    """A design of `compare`'s recordings as a scene."""
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
    """A recording of two and a half periods; every third of a shape begins in the middle of one."""
    path = os.path.join(folder, f"{scene.name}.mp4")
    start = 0.4 * scene.period if index % 3 == 2 and not isinstance(scene, LoaderScene) else 0.0
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
    psnr = lottie_psnr(binary, scene, SCALE, result, start, period)
    handles = easing_error(scene, document)
    figures = f"{psnr:.1f} dB, period {period:.3f} instead of {scene.period:.3f} s" + \
        (f", handles off by {handles:.3f}" if scene.easing else "") + (f"; {said}" if said else "")
    wrong = [name for name, is_wrong in (("picture", psnr < PSNR), ("easing", handles > HANDLES),
                                         ("period", abs(period / scene.period - 1) > PERIOD)) if is_wrong]
    return " and ".join(wrong) or "right", figures


def easing_error(scene, document):
    """How far the nearest handles of any keyframe are from the true ones; 0 without an easing."""
    if not scene.easing:
        return 0.0
    errors = [max(abs(a - b) for a, b in zip(handles, EASINGS[scene.easing])) for handles in handle_pairs(document)]
    return min(errors, default=1.0)


def handle_pairs(node):
    """The handles x1, y1, x2, y2 below a node of a Lottie file, of each number that moves to the next keyframe."""
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
    """The handles of the numbers that change by more than a tenth of the largest change: the others rest."""
    if not all(isinstance(value, (int, float)) for value in values):
        return
    changes = [abs(after - value) for value, after in zip(values, following)]
    parts = [key["o"]["x"], key["o"]["y"], key["i"]["x"], key["i"]["y"]]
    for index, change in enumerate(changes):
        if change > 0.1 * max(changes):
            yield [part[index % len(part)] if isinstance(part, list) else part for part in parts]


def look_at_outputs(binary, chosen, folder):
    """Prints the PSNR of each page in Chromium and the errors of Swift code; returns the number of bad files."""
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
            bad += psnr < PSNR or error is not None
            print(f"{scene.name:28} page {psnr:.1f} dB, Swift {error or 'parses'}", flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser(prog="scripts/test-judge --analyze", description=__doc__)
    parser.add_argument("--binary", metavar="PATH", help="the loadervid to judge")
    parser.add_argument("--keep", metavar="DIR", help="keep the recordings, and reuse those that are there")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="only recordings whose names match")
    parser.add_argument("--list", action="store_true", help="list the recordings' names and end")
    parser.add_argument("--write-only", action="store_true", help="write the recordings and end")
    parser.add_argument("--outputs", action="store_true", help="look at CSS and Swift output instead of Lottie files")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="recordings at once (default: 2)")
    options = parser.parse_args()
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
        return 1 if look_at_outputs(options.binary, chosen, folder) else 0
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda entry: judge(options.binary, *entry, folder), chosen))
    for (_, scene), (outcome, figures) in zip(chosen, results):
        print(f"{outcome:20} {scene.name:28} {figures}")
    print(", ".join(f"{count} {name}" for name, count in Counter(outcome for outcome, _ in results).most_common()))
    return 0 if all(outcome in ("right", "refused") for outcome, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
