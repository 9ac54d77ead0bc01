"""Reads the durations of an animated image's frames, in seconds, with independent programs."""

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
MIME_TYPES = {"apng": "image/png", "webp": "image/webp", "gif": "image/gif"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def pillow_durations(path):
    durations = []
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            durations.append(image.info["duration"] / 1000)
    return durations


def webpmux_durations(path):
    rows = re.findall(r"^ *\d+: +(\d+) +(\d+) +\w+ +\d+ +\d+ +(\d+)", run("webpmux", "-info", path), re.M)
    return [int(duration) / 1000 for _, _, duration in rows]


def apngdis_durations(path):
    with tempfile.TemporaryDirectory() as folder:
        # apngdis writes its files beside the image.
        copy = os.path.join(folder, "clip.png")
        if os.stat(folder).st_dev == os.stat(path).st_dev:
            os.link(path, copy)
        else:
            run("cp", path, copy)
        run("apngdis", copy)
        texts = [open(name).read() for name in sorted(glob.glob(os.path.join(folder, "apngframe*.txt")))]
    return [float(Fraction(re.search(r"delay=(\S+)", text)[1])) for text in texts]


def ffprobe_durations(path):
    entries = "frame=best_effort_timestamp_time,pkt_duration_time,duration_time"
    frames = json.loads(run("ffprobe", "-v", "error", "-of", "json", "-show_entries", entries, path))["frames"]
    starts = [float(frame["best_effort_timestamp_time"]) for frame in frames]
    last = float(frames[-1].get("pkt_duration_time") or frames[-1].get("duration_time"))
    return [end - start for start, end in zip(starts, starts[1:] + [starts[-1] + last])]


class Browser:
    """Headless Chromium with a page that can use ImageDecoder."""

    SCRIPT = """async ([data, type]) => {
        const bytes = Uint8Array.from(atob(data), character => character.charCodeAt(0));
        const decoder = new ImageDecoder({data: bytes, type});
        await decoder.completed;
        await decoder.tracks.ready;
        const durations = [];
        for (let frame = 0; frame < decoder.tracks.selectedTrack.frameCount; frame++) {
            const {image} = await decoder.decode({frameIndex: frame});
            durations.push(image.duration / 1e6);
            image.close();
        }
        return durations;
    }"""

    def __init__(self, page):
        self.page = page

    def durations(self, path):
        data = base64.b64encode(open(path, "rb").read()).decode()
        return self.page.evaluate(self.SCRIPT, [data, MIME_TYPES[path.rsplit(".", 1)[1]]])


@contextmanager
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page()
        # ImageDecoder requires a secure origin. The route answers without a network.
        url = "https://outputs.test/"
        page.route(url, lambda route: route.fulfill(body="<html></html>", content_type="text/html"))
        page.goto(url)
        yield Browser(page)
        chromium.close()


def readers(container, chromium):
    """Returns the functions that read the durations of a container, by the name of the program."""
    specific = {
        "apng": {"apngdis": apngdis_durations, "ffprobe": ffprobe_durations},
        "webp": {"webpmux": webpmux_durations},
        "gif": {"ffprobe": ffprobe_durations},
    }
    return {"Pillow": pillow_durations, **specific[container], "Chromium": chromium.durations}
