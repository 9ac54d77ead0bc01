#!/usr/bin/env python3
"""Measures `analyze` with recordings drawn by Pillow, whose motions are known.

Prints for each recording whether the report is right, refused, or wrong, with the measured values.
Usage: analysis-matrix.py LOADERVID [NAME...]. The exit code is 1 if a report is wrong.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw

FPS = 60
SIZE = (240, 160)
SMOOTH = 4  # supersampling per axis


def bezier(x1, y1, x2, y2):
    def value(share):
        low, high = 0.0, 1.0
        for _ in range(50):
            s = (low + high) / 2
            if 3 * (1 - s) ** 2 * s * x1 + 3 * (1 - s) * s * s * x2 + s**3 < share:
                low = s
            else:
                high = s
        return 3 * (1 - s) ** 2 * s * y1 + 3 * (1 - s) * s * s * y2 + s**3

    return value


EASINGS = {
    "linear": (1 / 3, 1 / 3, 2 / 3, 2 / 3),
    "ease": (0.25, 0.1, 0.25, 1),
    "ease-in": (0.42, 0, 1, 1),
    "ease-out": (0, 0, 0.58, 1),
    "ease-in-out": (0.42, 0, 0.58, 1),
    "material": (0.4, 0, 0.2, 1),
    "back": (0.34, 1.56, 0.64, 1),
}


def there_and_back(time, period, easing, lag=0.0):
    """A share that goes from 0 to 1 and back once per period."""
    phase = ((time - lag) / period) % 1
    curve = bezier(*EASINGS[easing])
    return curve(2 * phase) if phase < 0.5 else 1 - curve(2 * phase - 1)


def mixed(color, opacity, ground):
    return tuple(round(ground[i] + (color[i] - ground[i]) * opacity) for i in range(3))


def disc(draw, x, y, r, color):
    draw.ellipse([(x - r) * SMOOTH, (y - r) * SMOOTH, (x + r) * SMOOTH - 1, (y + r) * SMOOTH - 1], fill=color)


def box(draw, x, y, w, h, angle, color):
    c, s = math.cos(angle), math.sin(angle)
    corners = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    draw.polygon([((x + a * c - b * s) * SMOOTH, (y + a * s + b * c) * SMOOTH) for a, b in corners], fill=color)


def arc(draw, x, y, r, width, start, end, color):
    outer = r + width / 2
    draw.arc(
        [(x - outer) * SMOOTH, (y - outer) * SMOOTH, (x + outer) * SMOOTH, (y + outer) * SMOOTH],
        math.degrees(start), math.degrees(end), fill=color, width=round(width * SMOOTH))


BLUE, RED, GREY, BLACK = (30, 110, 230), (230, 50, 40), (120, 120, 120), (20, 20, 20)
WHITE = (255, 255, 255)


def cases():
    """Yields name, period, drawing function, background, and the expectations of the report."""
    for name in EASINGS:
        yield (f"move {name}", 1.0, lambda d, t, n=name: disc(d, 50 + 120 * there_and_back(t, 1, n), 80, 14, BLUE),
               WHITE, [dict(shape="circle", path="straight", amplitude=120 if name != "back" else None, easing=name)])
    for color, label in ((BLUE, "blue"), (GREY, "grey"), (BLACK, "black")):
        for ground, where in ((WHITE, "white"), ((40, 44, 52), "dark")):
            if label != "blue" and where == "dark":
                continue
            yield (f"fade {label} on {where}", 1.0,
                   lambda d, t, c=color, g=ground: disc(d, 120, 80, 20, mixed(c, 0.2 + 0.8 * there_and_back(t, 1, "ease-in-out"), g)),
                   ground, [dict(shape="circle", path="still", opacity=(0.2, 1.0), easing="ease-in-out")])
    for low in (0.3, 0.6):
        yield (f"grow from {low}", 1.2, lambda d, t, s=low: disc(d, 120, 80, 30 * (s + (1 - s) * there_and_back(t, 1.2, "ease-in-out")), RED),
               WHITE, [dict(shape="circle", path="still", width=(60 * low, 60), easing="ease-in-out")])
    for n in range(1, 4):
        yield (f"turn square {n}", 2.0 / n, lambda d, t, k=n: box(d, 120, 80, 50, 50, k * math.pi * t / 4, BLUE), WHITE,
               [dict(shape="rectangle", path="still", turns=True, easing="linear")])
        yield (f"turn bar {n}", 2.0 / n, lambda d, t, k=n: box(d, 120, 80, 80, 16, k * math.pi * t / 2, RED), WHITE,
               [dict(shape="rectangle", path="still", turns=True, easing="linear")])
    yield ("orbit", 1.5, lambda d, t: disc(d, 120 + 50 * math.cos(2 * math.pi * t / 1.5), 80 + 50 * math.sin(2 * math.pi * t / 1.5), 9, BLUE),
           WHITE, [dict(shape="circle", path="circle", amplitude=100)])
    yield ("figure of eight", 2.0, lambda d, t: disc(d, 120 + 80 * math.sin(math.pi * t), 80 + 40 * math.sin(2 * math.pi * t), 9, RED),
           WHITE, [dict(shape="circle", path="curve", amplitude=160)])
    yield ("diagonal", 1.0, lambda d, t: disc(d, 60 + 100 * there_and_back(t, 1, "ease-in-out"), 40 + 75 * there_and_back(t, 1, "ease-in-out"), 11, BLUE),
           WHITE, [dict(shape="circle", path="straight", amplitude=125, easing="ease-in-out")])
    for count, lag in ((3, 0.15), (4, 0.1), (5, 0.1)):
        def draw(d, t, c=count, g=lag):
            for i in range(c):
                disc(d, 40 + 40 * i, 90 - 40 * there_and_back(t, 1, "ease-in-out", g * i), 11, BLUE)
        yield (f"stagger {count} x {lag}", 1.0, draw, WHITE,
               [dict(shape="circle", path="straight", amplitude=40, easing="ease-in-out")] * count + [dict(stagger=lag)])
    for count, lag in ((3, 0.2), (4, 0.15)):
        def draw(d, t, c=count, g=lag):
            for i in range(c):
                disc(d, 50 + 45 * i, 80, 13, mixed(GREY, 0.3 + 0.7 * there_and_back(t, 1.2, "ease-in-out", g * i), WHITE))
        yield (f"blink {count} x {lag}", 1.2, draw, WHITE,
               [dict(shape="circle", path="still", opacity=(0.3, 1.0), easing="ease-in-out")] * count + [dict(stagger=lag)])
    def bars(d, t):
        for i in range(4):
            box(d, 60 + 40 * i, 80, 16, 20 + 70 * there_and_back(t, 1, "ease-in-out", 0.12 * i), 0, BLUE)
    yield ("bars", 1.0, bars, WHITE, [dict(shape="rectangle", path="still", easing="ease-in-out")] * 4 + [dict(stagger=0.12)])
    for speed in (1, 2):
        yield (f"spinner {speed}", 1.0 / speed, lambda d, t, s=speed: arc(d, 120, 80, 45, 10, 2 * math.pi * t * s, 2 * math.pi * t * s + 4.5, RED),
               WHITE, [dict(shape="arc", path="still", easing="linear")])
    yield ("trim", 2.0, lambda d, t: arc(d, 120, 80, 45, 10, -math.pi / 2, -math.pi / 2 + 0.5 + 5.5 * there_and_back(t, 2, "ease-in-out"), BLUE),
           WHITE, [dict(shape="arc", path="still", easing="ease-in-out")])
    yield ("pulse ring", 1.0, lambda d, t: arc(d, 120, 80, 30 + 20 * there_and_back(t, 1, "ease-in-out"), 8, 0, 2 * math.pi, BLUE),
           WHITE, [dict(shape="ring", path="still", easing="ease-in-out")])
    def two(d, t):
        disc(d, 60 + 100 * there_and_back(t, 1, "ease-in-out"), 50, 12, RED)
        box(d, 180 - 100 * there_and_back(t, 1, "ease-in-out"), 110, 30, 30, 0, BLUE)
    yield ("two kinds", 1.0, two, WHITE, [dict(shape="circle", path="straight", amplitude=100, easing="ease-in-out"),
                                          dict(shape="rectangle", path="straight", amplitude=100, easing="ease-in-out")])
    yield ("recolour", 1.0, lambda d, t: disc(d, 120, 80, 25, mixed(RED, there_and_back(t, 1, "linear"), BLUE)), WHITE,
           [dict(shape="circle", path="still")])
    yield ("hold and jump", 1.0, lambda d, t: disc(d, 80 if t % 1 < 0.5 else 160, 80, 15, BLUE), WHITE,
           [dict(shape="circle")])


def record(path, draw, ground, seconds):
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "%dx%d" % SIZE, "-r", str(FPS),
               "-i", "-", "-c:v", "libx264", "-crf", "16", "-pix_fmt", "yuv420p", "-preset", "fast", path]
    frames = []
    for frame in range(round(seconds * FPS)):
        image = Image.new("RGB", (SIZE[0] * SMOOTH, SIZE[1] * SMOOTH), ground)
        draw(ImageDraw.Draw(image), frame / FPS)
        frames.append(image.resize(SIZE, Image.BOX).tobytes())
    subprocess.run(command, input=b"".join(frames), check=True)


def near(value, expected, share=0.04, least=1.5):
    return abs(value - expected) <= max(least, share * abs(expected))


def handles(name):
    if name.startswith("cubic-bezier"):
        return tuple(float(v) for v in name[13:-1].split(","))
    named = dict(EASINGS, **{"sine in-out": (0.364, 0, 0.636, 1)})
    return named.get(name)


def problems(report, period, expected):
    motion = report.get("motion")
    if motion is None:
        return None
    found = []
    if motion["period"] is None or abs(motion["period"] / period - 1) > 0.005:
        found.append(f"period {motion['period']} instead of {period}")
    shapes = list(motion["shapes"])
    wanted = [e for e in expected if "shape" in e]
    if len(shapes) != len(wanted):
        return found + [f"{len(shapes)} shapes instead of {len(wanted)}"]
    for want in wanted:
        shape = next((s for s in shapes if want["shape"] in s["shape"] or (want["shape"] == "rectangle" and s["shape"] == "line")), None)
        if shape is None:
            found.append(f"no {want['shape']} among {[s['shape'] for s in shapes]}")
            continue
        shapes.remove(shape)
        if "path" in want and shape["path"] != want["path"]:
            found.append(f"path {shape['path']} instead of {want['path']}")
        if want.get("amplitude") and not near(shape["amplitude"], want["amplitude"]):
            found.append(f"amplitude {shape['amplitude']} instead of {want['amplitude']}")
        if "opacity" in want and any(abs(a - b) > 0.04 for a, b in zip([v / max(shape["opacity"]) for v in shape["opacity"]], want["opacity"])):
            found.append(f"opacity {shape['opacity']} instead of {want['opacity']}")
        if "width" in want:
            values = [k["value"] for k in shape["channels"]["width"]]
            if not near(min(values), want["width"][0]) or not near(max(values), want["width"][1]):
                found.append(f"width {min(values)}...{max(values)} instead of {want['width']}")
        if want.get("turns") and len(shape["channels"]["rotation"]) < 2:
            found.append("no rotation")
        if "easing" in want:
            near_by = [handles(e) for e in shape["easings"]]
            if not any(h and all(abs(a - b) <= 0.05 for a, b in zip(h, EASINGS[want["easing"]])) for h in near_by):
                found.append(f"easing {shape['easings']} instead of {want['easing']}")
    for want in expected:
        if "stagger" in want:
            staggers = [g["stagger"] for g in motion["groups"]]
            if not any(s is not None and abs(s - want["stagger"]) <= 0.012 for s in staggers):
                found.append(f"stagger {staggers} instead of {want['stagger']}")
    return found


def main():
    program, chosen = sys.argv[1], sys.argv[2:]
    counts = {"right": 0, "refused": 0, "wrong": 0}
    with tempfile.TemporaryDirectory() as folder:
        for name, period, draw, ground, expected in cases():
            if chosen and not any(word in name for word in chosen):
                continue
            path = str(pathlib.Path(folder) / "clip.mp4")
            record(path, draw, ground, 2 * period + 0.2)
            outcome = subprocess.run([program, "analyze", path, "--json"], capture_output=True, text=True)
            faults = problems(json.loads(outcome.stdout), period, expected) if outcome.returncode == 0 else None
            verdict = "refused" if faults is None else "wrong" if faults else "right"
            counts[verdict] += 1
            print(f"{verdict:8} {name:20} {outcome.stderr.strip() if faults is None else '; '.join(faults)}", flush=True)
    print(f"{counts['right']} right, {counts['refused']} refused, {counts['wrong']} wrong")
    sys.exit(1 if counts["wrong"] else 0)


main()
