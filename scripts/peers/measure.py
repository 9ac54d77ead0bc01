"""Runs commands and measures the time until their file is finished, and their peak memory."""

import os
import statistics
import subprocess
import threading
import time
from pathlib import Path

# Seconds after which a command is aborted.
TIMEOUT = 900
PAGE = os.sysconf("SC_PAGE_SIZE")


class RunError(Exception):
    """A failed command. The text is the last line of its standard error, or its exit code."""


def run(command: list[str], output: Path) -> float:
    """Deletes `output`, runs the command that writes it, and returns the seconds that it takes."""
    output.unlink(missing_ok=True)
    start = time.perf_counter()
    # The programs are asked to be silent, so collecting their messages takes no time.
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    seconds = time.perf_counter() - start
    if result.returncode != 0 or not output.exists():
        lines = result.stderr.strip().splitlines()
        raise RunError(lines[-1] if lines else f"exit code {result.returncode}")
    return seconds


def run_watching_memory(command: list[str], output: Path) -> tuple[float, int]:
    """Runs a command like `run`; returns the seconds and the peak resident memory in bytes.

    The memory is that of the command and its children, sampled every 10 ms.
    """
    peak = 0
    done = threading.Event()

    def watch():
        nonlocal peak
        while not done.wait(0.01):
            peak = max(peak, resident_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        return run(command, output), peak
    finally:
        done.set()
        watcher.join()


def resident_bytes() -> int:
    """The resident memory of all descendants of this process in bytes."""
    children = {}
    sizes = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name is in brackets and may contain anything. After it come the state, the parent
            # and others; the 22nd field is the number of resident pages.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
        sizes[int(folder.name)] = int(fields[21]) * PAGE
    total = 0
    rest = list(children.get(os.getpid(), []))
    while rest:
        process = rest.pop()
        total += sizes[process]
        rest += children.get(process, [])
    return total


def spread(values: list[float]) -> list[float]:
    """The minimum, the median and the maximum."""
    return [min(values), statistics.median(values), max(values)]
