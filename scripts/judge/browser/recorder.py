"""Records pages as videos of screenshots at exact times, taken by headless Chromium."""
import io
import os
import shutil
from contextlib import contextmanager

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

from browser.pages import PAGES, page_size
from designs import ALL
from recording import encode

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@contextmanager
def chromium():
    """Starts Chromium; yields a function that opens HTML in a window and returns the page.

    Its arguments are the HTML text, the window's size in CSS pixels and the pixel density.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])

        def open_page(text, size, density):
            context = browser.new_context(viewport={"width": size[0], "height": size[1]}, device_scale_factor=density)
            page = context.new_page()
            page.set_content(text)
            return page

        yield open_page
        browser.close()


def images(page, times):
    """Yields screenshots as RGB arrays, cropped to even sides."""
    for time in times:
        page.evaluate("seconds => show(seconds)", time)
        shot = page.screenshot()
        image = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))
        yield np.ascontiguousarray(image[:image.shape[0] // 2 * 2, :image.shape[1] // 2 * 2])


def record(open_page, case, path):
    """Writes the recording of a case unless the file exists."""
    if os.path.exists(path):
        return
    design = ALL[case.loader]
    values = design.values | case.values
    page = open_page(PAGES[case.loader](design, values), page_size(design), case.density)
    count = round(case.duration * 60)
    times = [index / 60 for index in range(count)]
    screenshots = images(page, [case.start + case.speed * time for time in times])
    part = f"{path}.part.mp4"
    encode(part, case.encoding, zip(times, screenshots))
    os.replace(part, path)
    page.context.close()
