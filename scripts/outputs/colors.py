"""Compares the colours of Display P3 files with an independent computation."""

import base64
import json
import os
import subprocess

import numpy

# The chromaticities x and y of the primaries and the white point (IEC 61966-2-1, SMPTE EG 432-1).
SRGB = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
P3 = [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
WHITE = (0.3127, 0.3290)
COLORS = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#40a83b", "#808080", "#ffffff", "#000000", "#123456"]
# Containers, codecs, and the maximum error of a component in codes. Y'CbCr rounds more than RGB.
CASES = [
    ("mov", "prores", 2),
    ("mov", "h264", 3),
    ("mp4", "h264", 3),
    ("mp4", "hevc", 3),
    ("mkv", "h264", 3),
    ("webm", "vp9", 3),
    ("mp4", "av1", 4),
    ("apng", "apng", 0.51),
]
# The maximum error of a colour in a browser, in codes of sRGB: a code of Display P3 is several
# codes of sRGB in dark colours.
MAX_BROWSER_ERROR = 2
FIRST_PIXEL = """async ([data]) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
    const context = canvas.getContext('2d', {colorSpace: 'srgb'});
    context.drawImage(image, 0, 0);
    return Array.from(context.getImageData(0, 0, 1, 1).data);
}"""


def components(color):
    """Returns the red, green and blue codes of a colour such as #40a83b."""
    return [int(color[k : k + 2], 16) for k in (1, 3, 5)]


def to_xyz(primaries):
    """Returns the matrix from linear RGB to XYZ."""
    columns = numpy.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    white = numpy.array([WHITE[0] / WHITE[1], 1, (1 - WHITE[0] - WHITE[1]) / WHITE[1]])
    return columns * numpy.linalg.solve(columns, white)


def display_p3(color):
    """Returns the Display P3 codes of an sRGB colour."""
    codes = numpy.array(components(color)) / 255
    linear = numpy.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
    linear = numpy.clip(numpy.linalg.solve(to_xyz(P3), to_xyz(SRGB) @ linear), 0, 1)
    return 255 * numpy.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def first_pixel(path):
    """Decodes the first pixel of a file with FFmpeg."""
    options = ["-frames:v", "1", "-sws_flags", "accurate_rnd+full_chroma_int", "-pix_fmt", "rgb24"]
    command = ["ffmpeg", "-v", "error", "-i", path, *options, "-f", "rawvideo", "-"]
    data = subprocess.run(command, check=True, capture_output=True).stdout
    return numpy.frombuffer(data, numpy.uint8)[:3].astype(float)


def tags(path):
    """Returns the colour tags of a file."""
    names = ("color_primaries", "color_transfer", "color_space")
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_entries", f"stream={','.join(names)}", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    stream = json.loads(text)["streams"][0]
    return [stream.get(name, "-") for name in names]


def is_right_in_browser(color, path, chromium):
    """Returns False, and prints the colour, if a browser converts a file to another sRGB colour."""
    data = base64.b64encode(open(path, "rb").read()).decode()
    shown = chromium.page.evaluate(FIRST_PIXEL, [data])[:3]
    error = max(abs(expected - code) for expected, code in zip(components(color), shown))
    if error <= MAX_BROWSER_ERROR:
        return True
    print(f"WRONG: Chromium shows {color} as {shown}")
    return False


def check(loadervid, folder, chromium):
    """Checks the first pixel of files in all formats. Returns the number of failures."""
    failures = 0
    for container, codec, tolerance in CASES:
        path = os.path.join(folder, f"{codec}.{container}")
        clip = ["qq", "--size", "64x64", "--duration", "0.1", "--color", "p3", "--codec", codec]
        max_error = 0
        for color in COLORS:
            loadervid("encode", *clip, "--background", color, "--force", "-o", path)
            actual = first_pixel(path)
            error = abs(actual - display_p3(color)).max()
            max_error = max(max_error, error)
            if error > tolerance:
                failures += 1
                print(f"WRONG: {color} in {container} {codec}: {actual} instead of {display_p3(color)}")
            if container == "apng":
                failures += not is_right_in_browser(color, path, chromium)
        print(f"{container:5} {codec:7} tagged {' '.join(tags(path))}, maximum error {max_error:4.2f} codes")
    return failures
