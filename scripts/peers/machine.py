"""Describes the machine and the versions of the programs."""

import os
import platform
import re
from pathlib import Path

from programs import LOADERVID, Program, output_of


def description() -> dict[str, str]:
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    return {
        "processor": processor[1] if processor else platform.machine(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{int(memory[1]) / 2**20:.1f} GiB",
        "system": f"{platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}",
        "load": f"{os.getloadavg()[0]:.2f} in the minute before the first run",
    }


def versions(programs: list[Program]) -> dict[str, str]:
    """Versions by component. For a Python program, its name has its packages' versions."""
    result = {
        "loadervid": output_of(LOADERVID, "--version").replace("\n", ", "),
        "swift": first_line(output_of("swift", "--version")),
        "ffmpeg": first_line(output_of("ffmpeg", "-version")).partition(" Copyright")[0],
        "cairo": output_of("pkg-config", "--modversion", "cairo"),
        "cc": first_line(output_of("cc", "--version")),
        "python": platform.python_version(),
    }
    return result | {program.name: text for program in programs if (text := program.versions())}


def first_line(text: str) -> str:
    return text.partition("\n")[0]
