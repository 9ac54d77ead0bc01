"""The programs that draw Lottie files: loadervid, and others in processes of their own."""

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

import pictures
from animations import Animation
from worker import MOST_FRAMES

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loadervid/lottie"
# Seconds after which a file is given up, and a start.
TIMEOUT, START_TIMEOUT = 60, 60
# The size at which drawing is timed.
TIMED_SIZE = (512, 512)


class PlayerProblem(Exception):
    """A player gave no picture; the text says why."""


class Peer:
    """Another player, in a process that draws one file after another and is started anew after it ended or hung. Its
    pictures are kept, since it always draws the same."""

    def __init__(self, name: str, title: str, gives_premultiplied: bool):
        self.name, self.title, self.gives_premultiplied = name, title, gives_premultiplied
        self.process = None
        self.version = ""

    def draw(self, animation: Animation) -> list[numpy.ndarray]:
        self.start()
        width, height = animation.size
        frames = [float(frame) for frame in animation.frames]
        name = f"{animation.digest[:24]}-{width}x{height}-{len(frames)}"
        kept = CACHE / "pictures" / f"{self.name}-{self.version}" / name
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
                self.ask(animation, {"task": "draw", "size": [width, height], "frames": frames, "folder": folder})
                os.rename(folder, kept)
                Path(folder).mkdir()
        return [pictures.load(path, self.gives_premultiplied) for path in sorted(kept.iterdir())]

    def milliseconds(self, animation: Animation) -> float:
        """How long a picture takes to draw, on average over the animation's whole frames."""
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
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(animation.data, file)
            file.flush()
            try:
                self.process.stdin.write((json.dumps(request | {"file": file.name}) + "\n").encode())
            except BrokenPipeError:
                pass
            return self.answer(TIMEOUT)

    def answer(self, timeout: float) -> dict:
        """The line that the process writes next; ends it if there is none in time."""
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
        # Chromium is in a session of its own, so that all are looked for, while it is known whose children they are.
        for process in [*descendants(self.process.pid), self.process.pid]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.process = None


def descendants(process: int) -> list[int]:
    children = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # After the name, which is in brackets and may hold anything: state, parent, ...
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(folder.name))
    result, rest = [], [process]
    while rest:
        own = children.get(rest.pop(), [])
        result += own
        rest += own
    return result


class Ours:
    """loadervid itself, a still for each picture."""

    name, title = "loadervid", "loadervid"

    def __init__(self, program: Path):
        self.program = program
        self.version = self.run("--version").decode().split("\n")[0].split()[-1]

    def draw(self, animation: Animation) -> list[numpy.ndarray]:
        width, height = animation.size
        # lottie-web knows no jumps between frames.
        subframes = [] if animation.pictures else ["--subframes", "on"]
        result = []
        with tempfile.TemporaryDirectory() as folder:
            for index, frame in enumerate(animation.frames):
                output = Path(folder) / f"{index}.png"
                self.run_on(
                    animation, "still", animation.path, "--at", seconds(frame, animation), "--size", f"{width}x{height}",
                    "--background", "transparent", *subframes, "-o", output)  # fmt: skip
                result.append(pictures.load(output))
        return result

    def milliseconds(self, animation: Animation) -> float:
        """How long the scene of a picture takes to make and to draw, with nothing between pictures, over the frames that
        the others draw."""
        size = "x".join(str(side) for side in TIMED_SIZE)
        end = seconds(min(animation.length, Fraction(MOST_FRAMES)), animation)
        text = self.run_on(
            animation, "bench", "--json", "--clip", animation.path, "--size", size, "--repetition", "off", "--jobs", "1",
            "--speed", "ultrafast", "--to", end, "--runs", "1")  # fmt: skip
        figures = json.loads(text)
        return 1000 * figures["drawing"]

    def run_on(self, animation: Animation, *words) -> bytes:
        try:
            return self.run(*words)
        except PlayerProblem as problem:
            raise PlayerProblem(str(problem).replace(str(animation.path), animation.path.name)) from problem

    def run(self, *words) -> bytes:
        """Standard output of loadervid. What it refuses is a problem: its first line, and how many more there are."""
        command = [str(word) for word in (self.program, *words)]
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
    """An instant as loadervid takes it: a fraction, or millionths where its numbers were too large."""
    instant = frame / animation.rate
    is_short = instant.denominator <= 1_000_000 and instant.numerator <= 1_000_000_000
    return str(instant) if is_short else f"{float(instant):.6f}"


def peers() -> list[Peer]:
    return [
        Peer("web", "lottie-web", False),
        Peer("thorvg", "ThorVG", True),
        Peer("rlottie", "rlottie", True),
    ]


def forget_pictures() -> None:
    shutil.rmtree(CACHE / "pictures", ignore_errors=True)
