"""Checks files of loadervid in other programs. See scripts/test-outputs.

    check.py LOADERVID [DIRECTORY]
"""

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

RATES = {
    "10": Fraction(10),
    "23.976": Fraction(24000, 1001),
    "25": Fraction(25),
    "29.97": Fraction(30000, 1001),
    "50": Fraction(50),
    "60": Fraction(60),
}
# Half of the unit of GIF's delays, in seconds, and rounding errors of sums.
MAX_TIME_ERROR = 0.005 + 1e-9
# Players slow down GIFs with delays below 2/100 s.
MAX_GIF_RATE = 50
BACKGROUNDS = {"black": (0, 0, 0), "white": (255, 255, 255), "magenta": (255, 0, 255)}
SIZE = (240, 240)
# The minimum PSNR in dB and the maximum error of a component in codes, by container. A lossless
# format differs only by the rounding of the composition.
ALPHA_LIMITS = {"apng": (None, 1), "webp": (None, 1), "mov": (45, None), "webm": (45, None)}


def loadervid(*arguments):
    """Runs loadervid and returns its output. Raises an error if it fails."""
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def list_loaders():
    """Returns the period of each loader, by name."""
    return {loader["id"]: Fraction(str(loader["period"])) for loader in json.loads(loadervid("list", "--json"))}


# Times


def frame_count(loader, rate):
    """Returns the number of frames of a period at exact timing, with halves rounded up."""
    return int(PERIODS[loader] * rate + Fraction(1, 2))


def check_times_in(path, loader, rate, chromium, max_errors):
    """Checks the frame times of a file with all programs. Returns the number of failures."""
    container = path.rsplit(".", 1)[1]
    failures = 0
    for name, durations_of in readers.readers(container, chromium).items():
        durations = durations_of(path)
        starts = numpy.concatenate([[0], numpy.cumsum(durations)])
        expected = numpy.array([float(k / rate) for k in range(len(durations) + 1)])
        error = abs(starts - expected).max()
        if len(durations) != frame_count(loader, rate) or error > MAX_TIME_ERROR or min(durations) <= 0:
            failures += 1
            print(
                f"WRONG: {loader} at {float(rate):.5g} fps in {container}: {name} reports {len(durations)} frames"
                f" with errors up to {error:.4f} s"
            )
        max_errors[container, name] = max(max_errors.get((container, name), 0), error)
    return failures


def check_times(folder, chromium):
    """Checks frame counts and times of all loaders and rates. Returns the number of failures."""
    max_errors = {}
    files = 0
    failures = 0
    for container in ("gif", "apng", "webp"):
        for loader in PERIODS:
            for text, rate in RATES.items():
                if container == "gif" and rate > MAX_GIF_RATE:
                    continue
                path = os.path.join(folder, f"{loader}.{container}")
                clip = [loader, "--size", "64x64", "--fps", text, "--timing", "exact"]
                loadervid("encode", *clip, "--force", "-o", path)
                files += 1
                failures += check_times_in(path, loader, rate, chromium, max_errors)
    for (container, name), error in max_errors.items():
        print(f"{container:5} {name:9} maximum time error {1000 * error:6.3f} ms")
    print(f"times: {files} files, {failures} wrong")
    return failures


# Transparency


def decode(path):
    """Returns the frames of a file as RGBA with straight alpha."""
    if path.endswith(".webp"):
        with Image.open(path) as image:
            frames = []
            for number in range(image.n_frames):
                image.seek(number)
                frames.append(numpy.asarray(image.convert("RGBA")))
            return numpy.array(frames)
    # FFmpeg's own VP9 decoder ignores alpha.
    decoder = ["-c:v", "libvpx-vp9"] if path.endswith(".webm") else []
    scaling = ["-fps_mode", "passthrough", "-sws_flags", "accurate_rnd+full_chroma_int+bicubic"]
    command = ["ffmpeg", "-v", "error", *decoder, "-i", path, *scaling, "-pix_fmt", "rgba", "-f", "rawvideo", "-"]
    data = subprocess.run(command, check=True, capture_output=True).stdout
    return numpy.frombuffer(data, numpy.uint8).reshape(-1, SIZE[1], SIZE[0], 4)


def composite(frame, color):
    """Composites a frame with straight alpha over a colour."""
    alpha = frame[..., 3:] / 255
    return frame[..., :3] * alpha + numpy.array(color, float) * (1 - alpha)


def psnr(error):
    """Returns the PSNR in dB for a mean squared error."""
    return min(99.0, 10 * numpy.log10(255**2 / max(error, 1e-9)))


def edge_darkening(difference, alpha):
    """Returns the mean darkening of partly covered pixels, in codes."""
    edges = (alpha > 0) & (alpha < 255)
    return float(-difference[edges].mean()) if edges.any() else 0.0


def sampled_frames(count):
    return {0, count // 3, 2 * count // 3, count - 1}


def encode(folder, loader, container, background):
    """Encodes a seamless cycle and returns its frames."""
    path = os.path.join(folder, f"{loader}-{background}.{container}")
    clip = [loader, "--size", f"{SIZE[0]}x{SIZE[1]}", "--fps", "10", "--timing", "seamless"]
    loadervid("encode", *clip, "--background", background, "--force", "-o", path)
    return decode(path)


def still(folder, loader, number, background, count):
    """Draws a frame of a seamless cycle of this number of frames with `still`."""
    path = os.path.join(folder, "still.png")
    time = PERIODS[loader] * number / count
    size = f"{SIZE[0]}x{SIZE[1]}"
    loadervid("still", loader, "--size", size, "--at", str(time), "--background", background, "--force", "-o", path)
    return numpy.asarray(Image.open(path).convert("RGBA")).astype(float)


def opaque_psnr(folder, loader, container):
    """Returns the PSNR of the clip on white without alpha."""
    clip = encode(folder, loader, container, "white")
    errors = []
    for number in sampled_frames(len(clip)):
        difference = clip[number].astype(float) - still(folder, loader, number, "white", len(clip))
        errors.append((difference[..., :3] ** 2).mean())
    return psnr(numpy.mean(errors))


def check_alpha_of(folder, loader, container, image_folder):
    """Checks a translucent clip over all backgrounds. Returns False if it exceeds a limit."""
    min_psnr, max_error = ALPHA_LIMITS[container]
    clip = encode(folder, loader, container, "transparent")
    errors = []
    darkening = []
    worst = 0
    for number in sampled_frames(len(clip)):
        alpha = still(folder, loader, number, "transparent", len(clip))[..., 3]
        for name, color in BACKGROUNDS.items():
            expected = still(folder, loader, number, name, len(clip))[..., :3]
            difference = composite(clip[number], color) - expected
            errors.append((difference**2).mean())
            worst = max(worst, numpy.rint(abs(difference)).max())
            if name == "white":
                darkening.append(edge_darkening(difference, alpha))
            if image_folder and number == len(clip) // 3:
                save(image_folder, f"{loader}-{container}-{name}", composite(clip[number], color))
    quality = psnr(numpy.mean(errors))
    note = ""
    if min_psnr is not None and quality < min_psnr:
        # Chroma subsampling limits thin lines of different colours, with or without alpha.
        min_psnr = min(min_psnr, opaque_psnr(folder, loader, container) - 0.5)
        note = f", minimum {min_psnr:.1f} as without alpha"
    is_right = (min_psnr is None or quality >= min_psnr) and (max_error is None or worst <= max_error)
    figures = f"{quality:5.1f} dB, maximum error {worst:3.0f}, edges darker by {max(darkening):5.2f}"
    print(f"{container:5} {loader:10} {figures}{note}" + ("" if is_right else "  WRONG"))
    return is_right


def check_alpha(folder, image_folder):
    """Checks translucent clips of all loaders in all formats. Returns the number of failures."""
    failures = 0
    for container in ALPHA_LIMITS:
        for loader in PERIODS:
            failures += not check_alpha_of(folder, loader, container, image_folder)
    return failures


def save(folder, name, frame):
    """Saves a frame as PNG, enlarged by 3."""
    image = Image.fromarray(numpy.rint(frame).astype(numpy.uint8))
    image.resize((3 * image.width, 3 * image.height), Image.NEAREST).save(os.path.join(folder, f"{name}.png"))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    IMAGES = sys.argv[2] if len(sys.argv) > 2 else None
    if IMAGES and IMAGES.startswith("-"):
        sys.exit(f"scripts/test-outputs: {IMAGES}: unknown option; pass a directory for images, or nothing")
    if IMAGES:
        os.makedirs(IMAGES, exist_ok=True)
    PERIODS = list_loaders()
    with tempfile.TemporaryDirectory() as scratch, readers.browser() as chromium:
        count = check_times(scratch, chromium)
        count += check_alpha(scratch, IMAGES)
        count += colors.check(loadervid, scratch, chromium)
    print(f"{count} wrong" if count else "all right")
    sys.exit(1 if count else 0)
