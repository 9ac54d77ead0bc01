"""The colours of Display P3 in files, beside a computation of them that knows nothing of loadervid."""

import base64
import json
import os
import subprocess

import numpy

# x and y of the primaries and of the white, by the standards.
SRGB = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
P3 = [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
WHITE = (0.3127, 0.3290)
COLORS = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#40a83b", "#808080", "#ffffff", "#000000", "#123456"]


def to_xyz(primaries):
    columns = numpy.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    white = numpy.array([WHITE[0] / WHITE[1], 1, (1 - WHITE[0] - WHITE[1]) / WHITE[1]])
    return columns * numpy.linalg.solve(columns, white)


def expected(color):
    """The codes of Display P3 that show a colour of sRGB."""
    codes = numpy.array([int(color[k:k + 2], 16) for k in (1, 3, 5)]) / 255
    light = numpy.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
    light = numpy.clip(numpy.linalg.solve(to_xyz(P3), to_xyz(SRGB) @ light), 0, 1)
    return 255 * numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def corner(path):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-sws_flags", "accurate_rnd+full_chroma_int",
         "-pix_fmt", "rgb24", "-f", "rawvideo", "-"], check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, numpy.uint8)[:3].astype(float)


def tags(path):
    entries = "stream=color_primaries,color_transfer,color_space"
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", "-show_entries", entries, path],
        check=True, capture_output=True, text=True).stdout
    stream = json.loads(text)["streams"][0]
    return [stream.get(key, "-") for key in ("color_primaries", "color_transfer", "color_space")]


SHOWN = """async ([data]) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
    const context = canvas.getContext('2d', {colorSpace: 'srgb'});
    context.drawImage(image, 0, 0);
    return Array.from(context.getImageData(0, 0, 1, 1).data);
}"""


def check(loadervid, folder, chromium):
    failures, worst = 0, {}
    cases = [("mov", "prores", 2), ("mov", "h264", 3), ("mp4", "h264", 3), ("mp4", "hevc", 3), ("mkv", "h264", 3),
             ("webm", "vp9", 3), ("mp4", "av1", 4), ("apng", "apng", 0.51)]
    for container, codec, slack in cases:
        for color in COLORS:
            path = os.path.join(folder, f"{codec}.{container}")
            loadervid("encode", "qq", "--size", "64x64", "--duration", "0.1", "--background", color, "--color", "p3",
                      "--codec", codec, "--force", "-o", path)
            off = abs(corner(path) - expected(color)).max()
            worst[container, codec] = max(worst.get((container, codec), 0), off)
            if off > slack:
                failures += 1
                print(f"WRONG: {color} in {container} {codec}: {corner(path)} instead of {expected(color)}")
            if container == "apng":
                # A browser that knows the colours shows those of sRGB again.
                data = base64.b64encode(open(path, "rb").read()).decode()
                shown = chromium.page.evaluate(SHOWN, [data])[:3]
                # Dark codes of one gamut are several of the other.
                if max(abs(int(color[k:k + 2], 16) - code) for k, code in zip((1, 3, 5), shown)) > 2:
                    failures += 1
                    print(f"WRONG: {color} in {container} is shown as {shown}")
        print(f"{container:5} {codec:7} tagged {' '.join(tags(path))}, farthest from Display P3 {worst[container, codec]:4.2f} codes")
    return failures
