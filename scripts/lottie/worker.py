"""Draws Lottie files with one player, as players.py requests in lines of JSON on standard input.

    worker.py web|thorvg|rlottie

Each answer is a line of JSON on standard output; an answer with the key "problem" is an error.
"""

import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

# The minimum number of timed frames, and the maximum number of frames of an animation per round.
MIN_TIMED_FRAMES = 60
MAX_TIMED_FRAMES = 120


class Web:
    """lottie-web's SVG renderer in a page of headless Chromium.

    Its readable source is in a source map of the package `streamlit-lottie`.
    """

    PAGE = """<!doctype html><style>html, body { margin: 0; background: transparent; overflow: hidden }
        svg { display: block }</style><div id="container"></div>"""
    # The data is passed as a URL, because a player that is created from data fails before a
    # listener can be added. lottie-web reports errors while drawing only by an event.
    LOAD = """async ([text, width, height]) => {
        if (window.player) player.destroy()
        const container = document.getElementById('container')
        container.replaceChildren()
        container.style.width = width + 'px'
        container.style.height = height + 'px'
        const path = URL.createObjectURL(new Blob([text]))
        window.player = lottie.loadAnimation({ container, renderer: 'svg', loop: false, autoplay: false, path })
        window.failure = null
        await new Promise((done, failed) => {
            player.addEventListener('DOMLoaded', done)
            player.addEventListener('data_failed', () => failed(new Error('the data failed')))
            player.addEventListener('error', event => failed(window.failure = event.nativeError))
            window.onerror = message => failed(new Error(message))
        })
        URL.revokeObjectURL(path)
        const images = [...container.querySelectorAll('image')].map(async image => {
            const copy = new Image()
            copy.src = image.href.baseVal
            await copy.decode().catch(() => {})
        })
        await Promise.all(images)
    }"""
    # lottie-web rounds the first frame to a whole number.
    SHOW = """frame => {
        player.goToAndStop(frame + player.animationData.ip - player.firstFrame, true)
        if (window.failure) throw window.failure
    }"""

    def __init__(self):
        import shutil

        from playwright.sync_api import sync_playwright

        self.source = self.find_source()
        self.version = self.source.partition("version = '")[2].partition("'")[0]
        names = ("chromium", "chromium-browser", "google-chrome")
        chromium = next(filter(None, map(shutil.which, names)), None)
        arguments = ["--force-color-profile=srgb", "--font-render-hinting=none"]
        # Chromium's sandbox does not work as root.
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=chromium, args=arguments)
        self.open_page()

    def open_page(self) -> None:
        self.page = self.browser.new_page()
        self.page.context.set_offline(True)
        self.page.set_content(self.PAGE)
        self.page.add_script_tag(content=self.source)

    @staticmethod
    def find_source() -> str:
        import sysconfig

        folder = Path(sysconfig.get_path("purelib")) / "streamlit_lottie/frontend/build/static/js"
        for path in folder.glob("2.*.chunk.js.map"):
            data = json.loads(path.read_text())
            for name, content in zip(data["sources"], data["sourcesContent"]):
                if name.endswith("lottie-web/build/player/lottie.js"):
                    return content
        raise OSError("streamlit-lottie does not contain lottie-web")

    def draw(self, file: Path, size: tuple[int, int], frames: list[float], folder: Path) -> None:
        """Writes the frames as PNG files with straight alpha."""
        width, height = size
        self.page.set_viewport_size({"width": width, "height": height})
        try:
            self.page.evaluate(self.LOAD, [file.read_text(), width, height])
            for index, frame in enumerate(frames):
                self.page.evaluate(self.SHOW, frame)
                self.page.screenshot(path=folder / f"{index:03}.png", omit_background=True)
        except Exception:
            # A failed player cannot be destroyed, so a new page replaces it.
            self.page.close()
            self.open_page()
            raise


class Library:
    """A player that draws into memory with premultiplied alpha; the PNG files keep it so."""

    # Pillow's name for the bytes' order.
    order = "RGBA"

    def draw(self, file: Path, size: tuple[int, int], frames: list[float], folder: Path) -> None:
        from PIL import Image

        self.open(file, size)
        for index, frame in enumerate(frames):
            image = Image.frombuffer("RGBA", tuple(size), self.painted_bytes(frame), "raw", self.order, 0, 1)
            image.save(folder / f"{index:03}.png", compress_level=1)

    def time(self, file: Path, size: tuple[int, int]) -> float:
        """The mean CPU time per frame in ms, as loadervid measures it, after an untimed round."""
        self.open(file, size)
        data = json.loads(file.read_text())
        frames = range(max(1, min(MAX_TIMED_FRAMES, int(data["op"] - data["ip"]))))
        rounds = -(-MIN_TIMED_FRAMES // len(frames))
        for frame in frames:
            self.paint(frame)
        start = time.process_time()
        for _ in range(rounds):
            for frame in frames:
                self.paint(frame)
        return 1000 * (time.process_time() - start) / (rounds * len(frames))

    def painted_bytes(self, frame: float) -> bytes:
        self.paint(frame)
        return bytes(self.pixels)


class ThorVG(Library):
    """ThorVG's software canvas, which draws any fractional frame."""

    def __init__(self):
        import thorvg_python

        self.library = thorvg_python
        self.engine = thorvg_python.Engine()
        self.version = version("thorvg-python")

    def open(self, file: Path, size: tuple[int, int]) -> None:
        self.canvas = self.library.SwCanvas(self.engine)
        self.canvas.set_target(*size)
        self.animation = self.library.LottieAnimation(self.engine)
        picture = self.animation.get_picture()
        check = picture.load(str(file))
        if check != self.library.Result.SUCCESS:
            raise OSError(f"the file cannot be read: {check}")
        picture.set_size(*size)
        self.canvas.add(picture)

    def paint(self, frame: float) -> None:
        self.animation.set_frame(frame)
        self.canvas.update()
        self.canvas.draw(True)
        self.canvas.sync()

    @property
    def pixels(self):
        return self.canvas.buffer_arr


class Rlottie(Library):
    """rlottie, which draws whole frames only: a fractional frame is drawn as the one before it."""

    order = "BGRA"

    def __init__(self):
        import rlottie_python

        self.library = rlottie_python
        self.version = version("rlottie-python")

    def open(self, file: Path, size: tuple[int, int]) -> None:
        import ctypes

        self.animation = self.library.LottieAnimation.from_file(str(file))
        if not self.animation.animation_p or self.animation.lottie_animation_get_totalframe() < 1:
            raise OSError("the file cannot be read")
        width, height = size
        self.pixels = ctypes.create_string_buffer(width * height * 4)
        # The wrapper's method would allocate and copy a buffer for each frame.
        render = self.animation.rlottie_lib.lottie_animation_render
        render.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p] + [ctypes.c_size_t] * 3
        render.restype = None
        pointer = self.animation.animation_p
        self.render = lambda frame: render(pointer, frame, self.pixels, width, height, width * 4)

    def paint(self, frame: float) -> None:
        self.render(int(frame))


def main() -> None:
    # Output of the libraries goes to standard error, so it cannot mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(value: dict) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    try:
        player = {"web": Web, "thorvg": ThorVG, "rlottie": Rlottie}[sys.argv[1]]()
        answer({"version": player.version})
    except Exception as error:
        return answer({"problem": first_line(error)})
    for line in sys.stdin:
        request = json.loads(line)
        file = Path(request["file"])
        size = request["size"]
        try:
            if request["task"] == "time":
                answer({"milliseconds": player.time(file, size)})
            else:
                player.draw(file, size, request["frames"], Path(request["folder"]))
                answer({})
        except Exception as error:
            answer({"problem": first_line(error)})


def first_line(error: Exception) -> str:
    """The first line of an error's message without Playwright's prefixes."""
    text = (str(error) or type(error).__name__).splitlines()[0]
    for prefix in ("Page.evaluate: ", "Error: ", "Uncaught "):
        text = text.removeprefix(prefix)
    return text


if __name__ == "__main__":
    main()
