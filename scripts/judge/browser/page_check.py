"""Checks that Chromium draws the pages as Skia draws the designs."""
import io

import numpy as np
from PIL import Image

from browser.pages import MARGIN, PAGES, page_size
from designs import ALL
from scene import color4f
from renderer_check import INSTANTS, LIMIT, SCALE, foreground_psnr, skia_still


def worst(open_page, design):
    """The lowest foreground PSNR in dB at several times of a cycle, and its time."""
    page = open_page(PAGES[design.name](design, design.values), page_size(design), SCALE)
    left, top = MARGIN[0] * SCALE, MARGIN[1] * SCALE
    width, height = design.size[0] * SCALE, design.size[1] * SCALE
    figures = []
    for index in range(INSTANTS):
        # By the second cycle, all delayed animations have started.
        time = design.period * (1 + (index + 0.37) / INSTANTS)
        page.evaluate("seconds => show(seconds)", time)
        image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        pixels = np.asarray(image, dtype=float)[top:top + height, left:left + width]
        figures.append((foreground_psnr(pixels, skia_still(design, time), color4f(design.background)), time))
    page.context.close()
    return min(figures)


def check(open_page):
    """Prints the PSNR of each page; True if all reach the limit."""
    is_right = True
    for name in PAGES:
        psnr, time = worst(open_page, ALL[name])
        print(f"{name:12} {psnr:5.1f} dB at {time:.3f} s in Chromium", flush=True)
        is_right = is_right and psnr >= LIMIT
    return is_right
