"""Runs commands: how long they take from start to finished file, and how much memory they hold."""

import os
import statistics
import subprocess
import threading
import time
from pathlib import Path

# Seconds after which a program is given up.
TIMEOUT = 900
PAGE = os.sysconf("SC_PAGE_SIZE")


class RunError(Exception):
    """A command failed; the text is the last line it said."""


def run(command: list[str], output: Path) -> float:
    """Seconds that `command` takes to make `output` anew."""
    output.unlink(missing_ok=True)
    start = time.perf_counter()
    # Messages go to a pipe that is read at the end; the programs are told to be silent.
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    seconds = time.perf_counter() - start
    if result.returncode != 0 or not output.exists():
        lines = result.stderr.strip().splitlines()
        raise RunError(lines[-1] if lines else f"exit code {result.returncode}")
    return seconds


def run_watching_memory(command: list[str], output: Path) -> tuple[float, int]:
    """Seconds that `command` takes, and the most bytes that it and its children held at a time (resident)."""
    peak, done = 0, threading.Event()

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
    """Bytes held by all descendants of this process."""
    children, sizes = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # After the name, which is in brackets and may hold anything: state, parent, ..., resident pages as 22nd.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
        sizes[int(folder.name)] = int(fields[21]) * PAGE
    total, rest = 0, list(children.get(os.getpid(), []))
    while rest:
        process = rest.pop()
        total += sizes[process]
        rest += children.get(process, [])
    return total


def spread(values: list[float]) -> list[float]:
    """Minimum, median, maximum."""
    return [min(values), statistics.median(values), max(values)]
