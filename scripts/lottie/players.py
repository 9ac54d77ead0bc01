"""The players that draw Lottie files: loadervid, and others in separate processes."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy

import bitmaps
from animations import Animation
from worker import MAX_TIMED_FRAMES

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loadervid/lottie"
FRAME_CACHE = CACHE / "pictures"
# Seconds after which a player counts as hanging: for one file, and when it starts.
TIMEOUT = 60
START_TIMEOUT = 60
# The size at which drawing is timed.
TIMED_SIZE = (512, 512)


class PlayerProblem(Exception):
    """The reason why a player drew no frame or could not be timed."""


class Peer:
    """Another player, run by worker.py in a process that draws one file after another.

    A process that crashes or hangs is replaced for the next file. Frames are cached by the player's
    version and the file's contents, because players are deterministic.
    """

    def __init__(self, name: str, title: str, gives_premultiplied: bool):
        self.name = name
        self.title = title
        self.gives_premultiplied = gives_premultiplied
        self.process = None
        self.version = ""

    def draw(self, animation: Animation) -> list[numpy.ndarray]:
        self.start()
        width, height = animation.size
        frames = [float(frame) for frame in animation.frames]
        name = f"{animation.digest[:24]}-{width}x{height}-{len(frames)}"
        cached = FRAME_CACHE / f"{self.name}-{self.version}" / name
        if not cached.exists():
            cached.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cached.parent) as folder:
                self.ask(animation, {"task": "draw", "size": [width, height], "frames": frames, "folder": folder})
                os.rename(folder, cached)
                # TemporaryDirectory fails if its directory is missing at the end.
                Path(folder).mkdir()
        return [bitmaps.load(path, self.gives_premultiplied) for path in sorted(cached.iterdir())]

    def milliseconds(self, animation: Animation) -> float:
        """The mean time in ms to draw a whole frame of the animation."""
        self.start()
        return self.ask(animation, {"task": "time", "size": TIMED_SIZE})["milliseconds"]

    def start(self) -> None:
        if self.process and self.process.poll() is None:
            return
        command = [sys.executable, str(FOLDER / "worker.py"), self.name]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0)
        self.version = self.answer(START_TIMEOUT)["version"]

    def ask(self, animation: Animation, request: dict) -> dict:
        """Sends a request about a file to the process, and returns its answer."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(animation.data, file)
            file.flush()
            try:
                self.process.stdin.write((json.dumps(request | {"file": file.name}) + "\n").encode())
            except BrokenPipeError:
                pass
            return self.answer(TIMEOUT)

    def answer(self, timeout: float) -> dict:
        """Reads the process's next line; kills the process if none comes in time."""
        ready, _, _ = select.select([self.process.stdout], [], [], timeout)
        line = self.process.stdout.readline() if ready else b""
        if not line:
            problem = "crashed" if ready else f"took longer than {timeout} s"
            self.stop()
            raise PlayerProblem(problem)
        answer = json.loads(line)
        if "problem" in answer:
            raise PlayerProblem(answer["problem"])
        return answer

    def stop(self) -> None:
        if not self.process:
            return
        # Chromium runs in its own session, so killing the process group would miss it. Descendants
        # can only be found while their parents run.
        for process in [*descendants(self.process.pid), self.process.pid]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.process = None


def descendants(process: int) -> list[int]:
    """The ids of all processes that descend from a process."""
    children = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name is in brackets and may contain anything; after it come state, parent, ...
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(folder.name))
    result = []
    rest = [process]
    while rest:
        own = children.get(rest.pop(), [])
        result += own
        rest += own
    return result


class Loadervid:
    """loadervid, run as `still` for each frame and as `bench` for times."""

    name = "loadervid"
    title = "loadervid"

    def __init__(self, program: Path):
        self.program = program
        self.version = self.run("--version").decode().split("\n")[0].split()[-1]

    def draw(self, animation: Animation) -> list[numpy.ndarray]:
        width, height = animation.size
        # lottie-web, the reference here, always interpolates between frames.
        subframes = [] if animation.references else ["--subframes", "on"]
        result = []
        with tempfile.TemporaryDirectory() as folder:
            for index, frame in enumerate(animation.frames):
                output = Path(folder) / f"{index}.png"
                self.run_on(
                    animation, "still", animation.path, "--at", seconds(frame, animation),
                    "--size", f"{width}x{height}", "--background", "transparent", *subframes, "-o", output,
                )  # fmt: skip
                result.append(bitmaps.load(output))
        return result

    def milliseconds(self, animation: Animation) -> float:
        """The mean time in ms to make and draw a frame's scene, over the others' timed frames."""
        size = "x".join(str(side) for side in TIMED_SIZE)
        end = seconds(min(animation.length, Fraction(MAX_TIMED_FRAMES)), animation)
        text = self.run_on(
            animation, "bench", "--json", "--clip", animation.path, "--size", size, "--repetition", "off",
            "--jobs", "1", "--speed", "ultrafast", "--to", end, "--runs", "1",
        )  # fmt: skip
        figures = json.loads(text)
        return 1000 * figures["drawing"]

    def run_on(self, animation: Animation, *arguments) -> bytes:
        """Runs loadervid on a file; problems name the file without its directory."""
        try:
            return self.run(*arguments)
        except PlayerProblem as problem:
            raise PlayerProblem(str(problem).replace(str(animation.path), animation.path.name)) from problem

    def run(self, *arguments) -> bytes:
        """Runs loadervid and returns its standard output.

        If it fails, the problem has the first line of its messages and the number of other lines.
        """
        command = [str(word) for word in (self.program, *arguments)]
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired as error:
            raise PlayerProblem(f"took longer than {TIMEOUT} s") from error
        if result.returncode == 0:
            return result.stdout
        lines = result.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        kind = "refused" if result.returncode == 65 else f"exit code {result.returncode}"
        raise PlayerProblem(f"{kind}: {lines[0].removeprefix('loadervid: ')}{more}")

    def stop(self) -> None:
        pass


def seconds(frame: Fraction, animation: Animation) -> str:
    """A frame's time as an argument of loadervid: a fraction, or a decimal if that is too long."""
    instant = frame / animation.rate
    is_short = instant.denominator <= 1_000_000 and instant.numerator <= 1_000_000_000
    return str(instant) if is_short else f"{float(instant):.6f}"


def peers() -> list[Peer]:
    return [
        Peer("web", "lottie-web", False),
        Peer("thorvg", "ThorVG", True),
        Peer("rlottie", "rlottie", True),
    ]


def delete_cached_frames() -> None:
    shutil.rmtree(FRAME_CACHE, ignore_errors=True)
