"""What programs that are none of ours say of animated pictures: how long each picture is shown, in seconds."""

import base64
import glob
import json
import os
import re
import subprocess
import tempfile
from contextlib import contextmanager
from fractions import Fraction

from PIL import Image
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
TYPES = {"apng": "image/png", "webp": "image/webp", "gif": "image/gif"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def by_pillow(path):
    delays = []
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            delays.append(image.info["duration"] / 1000)
    return delays


def by_webpmux(path):
    rows = re.findall(r"^ *\d+: +(\d+) +(\d+) +\w+ +\d+ +\d+ +(\d+)", run("webpmux", "-info", path), re.M)
    return [int(duration) / 1000 for _, _, duration in rows]


def by_apngdis(path):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "clip.png")
        os.link(path, copy) if os.stat(folder).st_dev == os.stat(path).st_dev else run("cp", path, copy)
        run("apngdis", copy)
        texts = [open(name).read() for name in sorted(glob.glob(os.path.join(folder, "apngframe*.txt")))]
    return [float(Fraction(re.search(r"delay=(\S+)", text)[1])) for text in texts]


def by_ffprobe(path):
    entries = "frame=best_effort_timestamp_time,pkt_duration_time,duration_time"
    frames = json.loads(run("ffprobe", "-v", "error", "-of", "json", "-show_entries", entries, path))["frames"]
    starts = [float(frame["best_effort_timestamp_time"]) for frame in frames]
    last = float(frames[-1].get("pkt_duration_time") or frames[-1].get("duration_time"))
    return [b - a for a, b in zip(starts, starts[1:] + [starts[-1] + last])]


class Browser:
    """Chromium, which decodes pictures for pages."""

    SCRIPT = """async ([data, type]) => {
        const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
        const decoder = new ImageDecoder({data: bytes, type});
        await decoder.completed;
        await decoder.tracks.ready;
        const delays = [];
        for (let frame = 0; frame < decoder.tracks.selectedTrack.frameCount; frame++) {
            const {image} = await decoder.decode({frameIndex: frame});
            delays.push(image.duration / 1e6);
            image.close();
        }
        return delays;
    }"""

    def __init__(self, page):
        self.page = page

    def delays(self, path):
        data = base64.b64encode(open(path, "rb").read()).decode()
        return self.page.evaluate(self.SCRIPT, [data, TYPES[path.rsplit(".", 1)[1]]])


@contextmanager
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page()
        # Decoders are for pages whose origin is safe, which is answered from here.
        page.route("https://outputs.test/", lambda route: route.fulfill(body="<html></html>", content_type="text/html"))
        page.goto("https://outputs.test/")
        yield Browser(page)
        chromium.close()


def readers(container, chromium):
    """The programs that read a container, by name."""
    own = {"apng": {"apngdis": by_apngdis, "ffprobe": by_ffprobe}, "webp": {"webpmux": by_webpmux}, "gif": {"ffprobe": by_ffprobe}}
    return {"Pillow": by_pillow, **own[container], "Chromium": chromium.delays}
