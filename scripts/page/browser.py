"""Opens study pages in headless Chromium."""

import base64
import io
import json
import shutil
from contextlib import contextmanager

import numpy
from PIL import Image
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# The slider of a page moves in steps of 1/240 s.
STEPS_PER_SECOND = 240


class OpenPage:
    """An open page with its requests, errors and console messages."""

    def __init__(self, context, path):
        self.page = context.new_page()
        self.requests = []
        self.errors = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.url = path.resolve().as_uri()
        self.page.goto(self.url)
        self.page.wait_for_selector("html[data-state=ready]", timeout=20_000)
        self.data = json.loads(self.page.text_content("#data"))

    @property
    def steps(self) -> int:
        """The number of steps in a period."""
        return -(-self.data["frames"] // self.data["step"])

    @property
    def step(self) -> int:
        """The index of the shown step, from the page's clock."""
        return round(self.seconds * STEPS_PER_SECOND)

    @property
    def seconds(self) -> float:
        """The time on the page's clock."""
        return float(self.page.inner_text("#time").split()[0])

    @property
    def is_playing(self) -> bool:
        return self.page.inner_text("#play") in ("Pause", "暂停")

    def changes_from(self, seconds: float) -> bool:
        """Returns False if the clock shows this time for two seconds."""
        for _ in range(100):
            if self.seconds != seconds:
                return True
            self.page.wait_for_timeout(20)
        return False

    def go(self, step: int) -> None:
        """Moves the slider to a step."""
        self.page.locator("#position").evaluate(
            "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }",
            step * self.data["step"],
        )

    def canvas_pixels(self) -> numpy.ndarray:
        """Returns the canvas as premultiplied RGBA."""
        url = self.page.evaluate("document.getElementById('frame').toDataURL()")
        return pixels(base64.b64decode(url.split(",")[1]))


def pixels(png: bytes) -> numpy.ndarray:
    """Decodes a PNG as premultiplied RGBA, so that colours of transparent pixels do not count."""
    image = numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA")).astype(float)
    image[:, :, :3] *= image[:, :, 3:] / 255
    return image


def psnr(a: numpy.ndarray, b: numpy.ndarray) -> float:
    """Returns the PSNR of two images in dB, including alpha unless both are opaque."""
    channels = 3 if a[:, :, 3].min() == 255 and b[:, :, 3].min() == 255 else 4
    error = ((a - b)[:, :, :channels] ** 2).mean()
    return 99.0 if error == 0 else 10 * numpy.log10(255**2 / error)


@contextmanager
def chromium():
    """Yields a function that opens a page with a viewport size and user preferences."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        contexts = []

        def open_page(path, size=(1280, 800), scheme="light", locale="en-US", motion="reduce", density=1):
            # Closes the previous page, which would keep playing in the background.
            while contexts:
                contexts.pop().close()
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                color_scheme=scheme,
                locale=locale,
                reduced_motion=motion,
                device_scale_factor=density,
            )
            contexts.append(context)
            return OpenPage(context, path)

        yield open_page
        browser.close()
