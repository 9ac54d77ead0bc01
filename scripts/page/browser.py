"""A page in headless Chromium, and what one does there."""

import base64
import io
import json
import shutil
from contextlib import contextmanager

import numpy
from PIL import Image
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class OpenPage:
    """An open page; everything that it says, asks for or fails at is kept."""

    def __init__(self, context, path):
        self.page = context.new_page()
        self.requests, self.errors = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.url = path.resolve().as_uri()
        self.page.goto(self.url)
        self.page.wait_for_selector("html[data-state=ready]", timeout=20_000)
        self.data = json.loads(self.page.text_content("#data"))

    @property
    def steps(self) -> int:
        """How many steps of 1/240 s there are."""
        return -(-self.data["frames"] // self.data["step"])

    @property
    def frame(self) -> int:
        """The step that is shown, by the page's own clock."""
        return round(float(self.page.inner_text("#time").split()[0]) * 240)

    @property
    def seconds(self) -> float:
        return float(self.page.inner_text("#time").split()[0])

    @property
    def is_playing(self) -> bool:
        return self.page.inner_text("#play") in ("Pause", "暂停")

    def leaves(self, seconds: float) -> bool:
        """Whether another time is shown within two seconds."""
        for _ in range(100):
            if self.seconds != seconds:
                return True
            self.page.wait_for_timeout(20)
        return False

    def go(self, step: int) -> None:
        """Moves the slider as a hand does."""
        self.page.locator("#place").evaluate(
            "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }",
            step * self.data["step"])

    def picture(self) -> numpy.ndarray:
        """The canvas's pixels, red, green, blue and alpha."""
        url = self.page.evaluate("document.getElementById('picture').toDataURL()")
        return pixels(base64.b64decode(url.split(",")[1]))


def pixels(png: bytes) -> numpy.ndarray:
    """The pixels of a PNG file, premultiplied, so that the colour of what is not seen does not count."""
    image = numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA")).astype(float)
    image[:, :, :3] *= image[:, :, 3:] / 255
    return image


def psnr(a: numpy.ndarray, b: numpy.ndarray) -> float:
    """How alike two pictures are, in dB, over all that is opaque in both or else over all channels."""
    channels = 3 if a[:, :, 3].min() == 255 and b[:, :, 3].min() == 255 else 4
    error = ((a - b)[:, :, :channels] ** 2).mean()
    return 99.0 if error == 0 else 10 * numpy.log10(255 ** 2 / error)


@contextmanager
def chromium():
    """A function that opens pages: in a window's size, scheme of colours, language and wish for motion."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        contexts = []

        def open_page(path, size=(1280, 800), scheme="light", locale="en-US", motion="reduce", density=1):
            # One at a time: others would play on in the background.
            while contexts:
                contexts.pop().close()
            contexts.append(browser.new_context(
                viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, locale=locale,
                reduced_motion=motion, device_scale_factor=density))
            return OpenPage(contexts[-1], path)

        yield open_page
        browser.close()
