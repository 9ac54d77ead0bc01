"""Compares the SVG and Lottie files of all loaders with the loaders' frames.

Chromium draws the SVG files, lottie-web and loadervid the Lottie files. Prints the lowest PSNR of
each in dB, and exits with 1 if one is below 35 dB or if an SVG animation ignores
`prefers-reduced-motion`. Called by scripts/test-vectors: check.py PROGRAM [LOADER...]
"""

import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).resolve().parent.parent / "lottie"))
from worker import Web  # noqa: E402

# The minimum PSNR in dB of every frame.
MIN_PSNR = 35
FPS = 30
SCALE = 2
# The number of evenly spaced frames of each clip that are compared, besides the last one.
INSTANTS = 12
# Added to a frame's time, so that rounding does not show the frame before.
TIME_OFFSET = 1e-4


def run(program: list[str], *arguments: str) -> str:
    return subprocess.run([*program, *arguments], check=True, capture_output=True, text=True).stdout


def frames_of(path: Path) -> list[numpy.ndarray]:
    image = Image.open(path)
    frames = []
    for index in range(image.n_frames):
        image.seek(index)
        frames.append(numpy.asarray(image.convert("RGB"), dtype=float))
    return frames


def psnr(a: numpy.ndarray, b: numpy.ndarray) -> float:
    error = numpy.mean((a - b) ** 2)
    return math.inf if error == 0 else 10 * math.log10(255 * 255 / error)


class Browser:
    """Draws vector files in headless Chromium."""

    PLAYER = """<!doctype html><style>html, body { margin: 0; overflow: hidden } svg { display: block }</style>
        <div id="container"></div>"""
    LOAD = """([data, width, height]) => new Promise(done => {
        if (window.player) player.destroy()
        const container = document.getElementById('container')
        container.style.width = width + 'px'
        container.style.height = height + 'px'
        window.player = lottie.loadAnimation({
            container, renderer: 'svg', loop: false, autoplay: false, animationData: JSON.parse(data) })
        player.addEventListener('DOMLoaded', () => done())
    })"""

    def __init__(self, playwright):
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        arguments = ["--force-color-profile=srgb"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        self.browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        self.context = self.browser.new_context(device_scale_factor=SCALE)
        self.svg = self.context.new_page()
        self.lottie = self.context.new_page()
        self.lottie.set_content(self.PLAYER)
        self.lottie.add_script_tag(content=Web.find_source())

    def screenshot(self, page) -> numpy.ndarray:
        return numpy.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"), dtype=float)

    def svg_frames(self, path: Path, size: tuple[int, int], numbers: list[int]) -> list[numpy.ndarray]:
        self.svg.set_viewport_size({"width": size[0], "height": size[1]})
        self.svg.goto(path.resolve().as_uri())
        frames = []
        for number in numbers:
            self.svg.evaluate(
                """seconds => {
                    const svg = document.documentElement
                    svg.pauseAnimations()
                    svg.setCurrentTime(seconds)
                }""",
                number / FPS + TIME_OFFSET,
            )
            frames.append(self.screenshot(self.svg))
        return frames

    def reduced_motion(self, path: Path) -> bool:
        """True if the SVG shows something, and stands still when reduced motion is preferred."""
        self.svg.emulate_media(reduced_motion="reduce")
        width, height = Image.open(io.BytesIO(self.svg.screenshot())).size
        first, last = self.svg_frames(path, (width // SCALE, height // SCALE), [0, FPS // 2])
        self.svg.emulate_media(reduced_motion="no-preference")
        return bool((first == last).all() and (first != first[0, 0]).any())

    def lottie_frames(self, path: Path, size: tuple[int, int], numbers: list[int]) -> list[numpy.ndarray]:
        self.lottie.set_viewport_size({"width": size[0], "height": size[1]})
        self.lottie.evaluate(self.LOAD, [path.read_text(), *size])
        frames = []
        for number in numbers:
            self.lottie.evaluate("frame => player.goToAndStop(frame, true)", number + TIME_OFFSET)
            frames.append(self.screenshot(self.lottie))
        return frames


def check(loader: str, program: list[str], browser: Browser, folder: Path) -> tuple[list[float], bool, list[int]]:
    """The lowest PSNR of each drawing, the result of `reduced_motion`, and the files' sizes."""
    svg, lottie, clip, again = (folder / f"{loader}{suffix}" for suffix in (".svg", ".json", ".apng", "-again.apng"))
    for output in (svg, lottie):
        run(program, "encode", loader, "--fps", str(FPS), "-o", str(output))
    for source, output in ((loader, clip), (str(lottie), again)):
        run(program, "encode", source, "--fps", str(FPS), "--scale", str(SCALE), "-o", str(output))
    expected = frames_of(clip)
    own = frames_of(again)
    numbers = sorted({index * len(expected) // INSTANTS for index in range(INSTANTS)} | {len(expected) - 1})
    size = (expected[0].shape[1] // SCALE, expected[0].shape[0] // SCALE)
    drawn = [
        browser.svg_frames(svg, size, numbers),
        browser.lottie_frames(lottie, size, numbers),
        [own[number] for number in numbers],
    ]
    lowest = [min(psnr(expected[n], frame) for n, frame in zip(numbers, frames)) for frames in drawn]
    return lowest, browser.reduced_motion(svg), [svg.stat().st_size, lottie.stat().st_size]


def main() -> None:
    program = [sys.argv[1]]
    loaders = sys.argv[2:] or [entry["id"] for entry in json.loads(run(program, "list", "--json"))]
    failures = 0
    print("loader         SVG  lottie-web  loadervid   SVG bytes  JSON bytes  reduced motion")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = Browser(playwright)
        for loader in loaders:
            (svg, web, own), is_still, (svg_bytes, json_bytes) = check(loader, program, browser, Path(folder))
            failures += min(svg, web, own) < MIN_PSNR or not is_still
            stillness = "still" if is_still else "MOVES"
            figures = f"{svg:6.1f} {web:11.1f} {own:10.1f} {svg_bytes:11} {json_bytes:11}"
            print(f"{loader:11} {figures}  {stillness}", flush=True)
        browser.browser.close()
    print(f"{len(loaders) - failures} of {len(loaders)} loaders at {MIN_PSNR} dB or better")
    sys.exit(1 if failures else 0)


main()
