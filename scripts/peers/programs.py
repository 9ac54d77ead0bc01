"""The programs that render the clips: how to install and how to call them."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

PEERS = Path(__file__).resolve().parent
ROOT = PEERS.parent.parent
LOADERVID = ROOT / ".build/release/loadervid"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loadervid/peers"


@dataclass
class BenchmarkClip:
    """A clip that the programs render.

    `cycle` is the loader's period in frames as a string such as 432/5, `timing` the options that
    give loadervid the clip's length. `runs` and `python_runs` are the numbers of timed runs.
    """

    name: str
    title: str
    width: int
    height: int
    frames: int
    cycle: str
    timing: list[str]
    runs: int
    python_runs: int

    @property
    def size(self) -> str:
        return f"{self.width}x{self.height}"

    @property
    def is_seamless(self) -> bool:
        return "--cycles" in self.timing


@dataclass
class Program:
    """A program that renders the clip from `source`, a file in scripts/peers.

    `packages` are its Python packages, `matrix` the colour matrix of its files. `note` explains how
    its settings differ from the others', `problem` why it cannot run on this machine.
    """

    name: str
    title: str
    source: str = ""
    packages: list[str] = field(default_factory=list)
    matrix: str = "bt709"
    note: str = ""
    problem: str = ""

    @property
    def is_python(self) -> bool:
        return self.source.endswith(".py")

    @property
    def folder(self) -> Path:
        return CACHE / self.name

    def command(self, clip: BenchmarkClip, output: Path) -> list[str]:
        arguments = [str(clip.width), str(clip.height), str(clip.frames), clip.cycle, str(output)]
        if self.is_python:
            return [str(self.folder / "bin/python"), str(PEERS / self.source), *arguments]
        if self.source.endswith(".c"):
            return [str(self.folder / "program"), *arguments]
        return [str(PEERS / self.source), *arguments]

    def install(self) -> None:
        """Compiles a C program; fills a Python program's virtual environment if it has changed."""
        try:
            if self.source.endswith(".c"):
                self.folder.mkdir(parents=True, exist_ok=True)
                libraries = output_of("pkg-config", "--cflags", "--libs", "cairo").split()
                output_of("cc", "-O2", "-o", self.folder / "program", PEERS / self.source, *libraries, "-lm")
            elif self.is_python:
                self.install_packages()
        except (subprocess.CalledProcessError, OSError) as error:
            self.problem = "not installed: " + last_line(getattr(error, "stderr", "") or str(error))

    def install_packages(self) -> None:
        complete = self.folder / "complete"
        if complete.exists() and complete.read_text().split() == self.packages:
            return
        output_of("python3", "-m", "venv", "--clear", self.folder)
        output_of(self.folder / "bin/pip", "install", "--quiet", "--prefer-binary", *self.packages)
        complete.write_text("\n".join(self.packages))

    def versions(self) -> str:
        """The versions of a Python program's packages, or an empty string."""
        if not self.is_python or self.problem:
            return ""
        code = "import sys, importlib.metadata as m; [print(n, m.version(n)) for n in sys.argv[1:]]"
        packages = output_of(self.folder / "bin/python", "-c", code, *self.packages).split("\n")
        return ", ".join(filter(None, packages))


class Loadervid(Program):
    """loadervid with --repetition `on` or `off`, or without the option in versions that lack it."""

    repetition = ""

    def command(self, clip: BenchmarkClip, output: Path) -> list[str]:
        repetition = ["--repetition", self.repetition] if self.repetition else []
        return [
            str(LOADERVID), "encode", "qq-mail", *clip.timing, "--size", clip.size, *repetition,
            "--progress", "none", "-o", str(output),
        ]  # fmt: skip

    def reference(self, clip: BenchmarkClip, output: Path, frames: int) -> list[str]:
        """The command that encodes a clip losslessly.

        A seamless clip ends with the first cycle that completes `frames` frames.
        """
        cycles = min(int(clip.timing[1]), -(-frames // int(clip.cycle))) if clip.is_seamless else 0
        timing = ["--cycles", str(cycles)] if clip.is_seamless else clip.timing
        return [
            str(LOADERVID), "encode", "qq-mail", *timing, "--size", clip.size, "--codec", "ffv1",
            "--pixel-format", "yuv420p", "--progress", "none", "-o", str(output),
        ]  # fmt: skip


def loadervids() -> tuple[Loadervid, Loadervid | None]:
    """loadervid when it draws and encodes every frame, and with its defaults, if those differ."""
    if "--repetition" not in output_of(LOADERVID, "encode", "--help-hidden"):
        return Loadervid("loadervid", "loadervid"), None
    plain = Loadervid("loadervid", "loadervid, repetition off")
    default = Loadervid("default", "loadervid, repetition on")
    plain.repetition = "off"
    default.repetition = "on"
    return plain, default


def peers() -> list[Program]:
    bundled = "uses the FFmpeg and x264 in PyAV"
    return [
        Program("cairo", "Cairo in C, piped into `ffmpeg`", "cairo_pipe.c"),
        Program(
            "lavfi", "`ffmpeg` alone, overlays", "lavfi_overlay.sh",
            note="balls are at even pixels, as overlays in 4:2:0 must be",
        ),
        Program("pycairo", "pycairo, piped into `ffmpeg`", "pycairo_pipe.py", ["pycairo"]),
        Program("skia", "skia-python and PyAV", "skia_pyav.py", ["skia-python", "av", "numpy"], note=bundled),
        Program(
            "manim", "Manim Community, Cairo renderer", "manim_community.py", ["manim", "av"], matrix="bt601",
            note=bundled + "; colours are BT.601, undeclared: Manim has no option for it",
        ),
        Program("rlottie", "rlottie-python, piped into `ffmpeg`", "rlottie_pipe.py", ["rlottie-python"]),
        Program("moviepy", "MoviePy and gizeh", "moviepy_gizeh.py", ["moviepy", "gizeh"]),
    ]  # fmt: skip


def output_of(*command) -> str:
    """The standard output of a command; raises CalledProcessError if it fails."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout.strip()


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"
