"""Checks what loadervid writes for others to show; see scripts/test-outputs."""

import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy
from PIL import Image

import colors
import readers

RATES = {"10": Fraction(10), "23.976": Fraction(24000, 1001), "25": Fraction(25), "29.97": Fraction(30000, 1001),
         "50": Fraction(50), "60": Fraction(60)}
# Half of what GIFs count in, and the rounding of sums.
SLACK = 0.005 + 1e-9
BACKGROUNDS = {"black": (0, 0, 0), "white": (255, 255, 255), "magenta": (255, 0, 255)}


def loadervid(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def loaders():
    return [loader["id"] for loader in json.loads(loadervid("list", "--json"))]


# Times

def check_times(folder, containers, chromium):
    """Every loader at every rate: as many pictures as frames, all at their times, in every reader."""
    worst, files, failures = {}, 0, 0
    for container in containers:
        for loader in loaders():
            for rate, exact in RATES.items():
                if container == "gif" and exact > 50:
                    continue
                path = os.path.join(folder, f"{loader}.{container}")
                loadervid("encode", loader, "--size", "64x64", "--fps", rate, "--timing", "exact", "--force", "-o", path)
                files += 1
                for name, read in readers.readers(container, chromium).items():
                    delays = read(path)
                    starts = numpy.concatenate([[0], numpy.cumsum(delays)])
                    wanted = numpy.array([float(k / exact) for k in range(len(delays) + 1)])
                    off = abs(starts - wanted).max()
                    if len(delays) != frames(loader, exact) or off > SLACK or min(delays) <= 0:
                        failures += 1
                        print(f"WRONG: {loader} at {rate} in {container} by {name}: {len(delays)} pictures, {off:.4f} s off")
                    key = (container, name)
                    worst[key] = max(worst.get(key, 0), off)
    for (container, name), off in worst.items():
        print(f"{container:5} {name:9} farthest from its time {1000 * off:6.3f} ms")
    print(f"times: {files} files, {failures} wrong")
    return failures


def frames(loader, rate):
    """Frames of a period at exact speed, halves rounded up."""
    period = Fraction(PERIODS[loader])
    return int(period * rate + Fraction(1, 2))


# Transparency

def decoded(path, size, pixels="rgba"):
    """The pictures of a file, straight."""
    if path.endswith(".webp"):
        with Image.open(path) as image:
            pictures = []
            for number in range(image.n_frames):
                image.seek(number)
                pictures.append(numpy.asarray(image.convert("RGBA")))
            return numpy.array(pictures)
    decoder = ["-c:v", "libvpx-vp9"] if path.endswith(".webm") else []
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", *decoder, "-i", path, "-fps_mode", "passthrough", "-sws_flags",
         "accurate_rnd+full_chroma_int+bicubic", "-pix_fmt", pixels, "-f", "rawvideo", "-"],
        check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(-1, size[1], size[0], 4)


def over(picture, color):
    alpha = picture[..., 3:] / 255
    return picture[..., :3] * alpha + numpy.array(color, float) * (1 - alpha)


def decibels(error):
    return min(99.0, 10 * numpy.log10(255 ** 2 / max(error, 1e-9)))


def fringe(difference, still_alpha):
    """How much darker the edges of what is drawn are on average, in codes: of pixels that are partly covered."""
    edges = (still_alpha > 0) & (still_alpha < 255)
    return float(-difference[edges].mean()) if edges.any() else 0.0


def check_alpha(folder, pictures):
    """Translucent clips of all formats over three colours, beside stills that were drawn on them."""
    failures = 0
    size = (240, 240)
    cases = {"apng": (None, 1), "webp": (None, 1), "mov": (45, None), "webm": (45, None)}
    for container, (wanted, most) in cases.items():
        for loader in loaders():
            least = wanted
            path = os.path.join(folder, f"{loader}-alpha.{container}")
            loadervid("encode", loader, "--size", "240x240", "--fps", "10", "--timing", "seamless", "--background", "transparent", "--force", "-o", path)
            clip = decoded(path, size)
            errors, worst, edges = [], 0, []
            for frame in {0, len(clip) // 3, 2 * len(clip) // 3, len(clip) - 1}:
                clear = still(folder, loader, frame, "transparent", len(clip))
                for name, color in BACKGROUNDS.items():
                    drawn = still(folder, loader, frame, name, len(clip))[..., :3]
                    difference = over(clip[frame], color) - drawn
                    errors.append((difference ** 2).mean())
                    worst = max(worst, numpy.rint(abs(difference)).max())
                    if name == "white":
                        edges.append(fringe(difference, clear[..., 3]))
                    if pictures and frame == len(clip) // 3:
                        keep(pictures, f"{loader}-{container}-{name}", over(clip[frame], color))
            quality, dark = decibels(numpy.mean(errors)), max(edges)
            note = ""
            if least is not None and quality < least:
                # Where thin lines of strong colours lie side by side, 4:2:0 holds no more, with alpha or without.
                least = min(least, opaque_quality(folder, loader, container) - 0.5)
                note = f", at least {least:.1f} as without alpha"
            wrong = least is not None and quality < least or most is not None and worst > most
            failures += wrong
            print(f"{container:5} {loader:10} {quality:5.1f} dB, worst {worst:3.0f}, edges darker by {dark:5.2f}{note}"
                  + ("  WRONG" if wrong else ""))
    return failures


def opaque_quality(folder, loader, container):
    """How near the clip is to its stills on white if it is drawn on white."""
    path = os.path.join(folder, f"{loader}-opaque.{container}")
    loadervid("encode", loader, "--size", "240x240", "--fps", "10", "--timing", "seamless", "--background", "white", "--force", "-o", path)
    clip = decoded(path, (240, 240))
    numbers = {0, len(clip) // 3, 2 * len(clip) // 3, len(clip) - 1}
    return decibels(numpy.mean([
        ((clip[frame].astype(float) - still(folder, loader, frame, "white", len(clip)))[..., :3] ** 2).mean()
        for frame in numbers]))


def still(folder, loader, frame, background, count):
    """A frame of a seamless cycle as the rasterizer draws it alone."""
    path = os.path.join(folder, "still.png")
    time = Fraction(PERIODS[loader]) * frame / count
    loadervid("still", loader, "--size", "240x240", "--at", str(time), "--background", background, "--force", "-o", path)
    return numpy.asarray(Image.open(path).convert("RGBA")).astype(float)


def keep(folder, name, picture):
    image = Image.fromarray(numpy.rint(picture).astype(numpy.uint8))
    image.resize((3 * image.width, 3 * image.height), Image.NEAREST).save(os.path.join(folder, f"{name}.png"))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    PICTURES = sys.argv[2] if len(sys.argv) > 2 else None
    if PICTURES and PICTURES.startswith("-"):
        sys.exit(f"{PICTURES}: unknown option; pass a directory for images of what differs, or nothing")
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
    PERIODS = {loader["id"]: str(loader["period"]) for loader in json.loads(loadervid("list", "--json"))}
    with tempfile.TemporaryDirectory() as scratch, readers.browser() as chromium:
        count = check_times(scratch, ["gif", "apng", "webp"], chromium)
        count += check_alpha(scratch, PICTURES)
        count += colors.check(loadervid, scratch, chromium)
    print(f"{count} wrong" if count else "all right")
    sys.exit(1 if count else 0)
