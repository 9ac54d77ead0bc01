"""Renders the same clips with loadervid and with other programs, checks that the files agree, and
writes docs/performance.md with the time that each program takes.

Called by scripts/compare-peers.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import check
import gif
import images
import lesson
import lottie
import machine
import measure
import report
from programs import CACHE, ROOT, BenchmarkClip, Loadervid, Program, last_line, loadervids, peers

RESULTS = CACHE / "results.json"
DOCUMENT = ROOT / "docs/performance.md"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/compare-peers", description=__doc__.partition("\n\n")[0])
    names = [peer.name for peer in peers()] + ["lesson", "lottie", "gif", "images"]
    parser.add_argument("--quick", action="store_true", help="render short clips, once with each program")
    parser.add_argument(
        "--only", action="append", choices=names, metavar="NAME",
        help=f"run only one part of the comparison: {', '.join(names)}; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--bench", type=Path, metavar="FILE", help="add a table of the output of loadervid bench --json in FILE"
    )
    parser.add_argument("--report", action="store_true", help="rewrite the document from the last complete run")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep every program's last clip in FOLDER")
    parser.add_argument(
        "-o", type=Path, metavar="FILE",
        help="document to write, or - for standard output (default: docs/performance.md after a complete run, else -)",
    )  # fmt: skip
    chosen = parser.parse_args()
    chosen.is_complete = not (chosen.quick or chosen.only)
    # A partial run replaces the document only if -o names it.
    chosen.o = chosen.o or (DOCUMENT if chosen.is_complete else Path("-"))
    return chosen


def clips(quick: bool) -> list[BenchmarkClip]:
    """The clips to render, with the number of runs of each program."""
    seconds, cycles = (1, 2) if quick else (10, 50)
    exact = ["--duration", str(seconds)]
    seamless = ["--cycles", str(cycles)]
    result = []
    for width, height, runs, python_runs in [(480, 480, 9, 5), (1920, 1080, 9, 3)]:
        title = f"{seconds} s at {width}x{height}"
        clip = BenchmarkClip(f"exact-{height}", title, width, height, 60 * seconds, "432/5", exact, runs, python_runs)
        title = f"{cycles} seamless cycles ({86 * cycles / 60:.1f} s) at {width}x{height}"
        long = BenchmarkClip(f"seamless-{height}", title, width, height, 86 * cycles, "86", seamless, runs, 0)
        # The long clip at 1080p would take longer than all other clips together.
        result += [clip, long] if height == 480 else [clip]
    for clip in result if quick else []:
        # Another name leaves out the targets, which apply to the complete clips only.
        clip.name = "quick-" + clip.name
        clip.runs = 1
        clip.python_runs = min(1, clip.python_runs)
    return result


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def first_run(program: Program, clip: BenchmarkClip, reference: Path, output: Path) -> dict:
    """Runs a program once without timing it: measures its memory and checks its file."""
    row = {"name": program.name, "title": program.title, "python": program.is_python, "note": program.note}
    row |= {"problem": program.problem, "seconds": [], "ours": []}
    if program.problem:
        return row
    try:
        _, row["memory"] = measure.run_watching_memory(program.command(clip, output), output)
        row["info"] = check.stream_info(output)
        row["psnr"] = check.psnr(output, reference, program.matrix, min(clip.frames, check.COMPARED_FRAMES))
        row["problem"] = check.problem(row["info"], clip, row["psnr"][1])
    except (measure.RunError, subprocess.SubprocessError) as error:
        row["problem"] = "failed: " + last_line(str(error))
    say(f"  {program.name}: {row['problem'] or 'the frames agree'}")
    return row


def compare(clip: BenchmarkClip, loadervid: Loadervid, others: list[Program], folder: Path) -> dict:
    """Checks and times all programs. A run of loadervid precedes every run of another program."""
    say(clip.title)
    reference = folder / f"{clip.name}-reference.mkv"
    measure.run(loadervid.reference(clip, reference, check.COMPARED_FRAMES), reference)

    def output(program: Program) -> Path:
        return folder / f"{clip.name}-{program.name}.mp4"

    rows = {}
    for program in [loadervid, *others]:
        rows[program.name] = first_run(program, clip, reference, output(program))
    if rows[loadervid.name]["problem"]:
        raise SystemExit(f"compare-peers: loadervid rendered a wrong clip: {rows[loadervid.name]['problem']}")
    for turn in range(clip.runs):
        for program in others:
            row = rows[program.name]
            if row["problem"] or turn >= (clip.python_runs if program.is_python else clip.runs):
                continue
            try:
                own = measure.run(loadervid.command(clip, output(loadervid)), output(loadervid))
                theirs = measure.run(program.command(clip, output(program)), output(program))
            except (measure.RunError, subprocess.SubprocessError) as error:
                row["problem"] = "failed: " + last_line(str(error))
                continue
            row["ours"].append(own)
            row["seconds"].append(theirs)
            say(f"  {turn + 1} {program.name}: {theirs:.2f} s, loadervid {own:.2f} s")
    rows[loadervid.name]["seconds"] = [seconds for row in rows.values() for seconds in row["ours"]]
    reference.unlink()
    return {"name": clip.name, "title": clip.title, "frames": clip.frames, "rows": list(rows.values())}


def measure_all(chosen: argparse.Namespace) -> dict:
    programs = [peer for peer in peers() if not chosen.only or peer.name in chosen.only]
    for program in programs:
        say(f"installing {program.name}")
        program.install()
    plain, default = loadervids()
    results = {"date": date.today().isoformat(), "clips": []}
    results |= {"machine": machine.description(), "versions": machine.versions(programs)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for clip in clips(chosen.quick) if programs else []:
            others = [program for program in programs if clip.python_runs or not program.is_python]
            if default and not clip.is_seamless:
                others = [default, *others]
            loadervid = default if default and clip.is_seamless else plain
            if others:
                results["clips"].append(compare(clip, loadervid, others, folder))
        if not chosen.only or "lesson" in chosen.only:
            results["lesson"] = measure_lesson(chosen.quick, folder)
        if not chosen.only or "lottie" in chosen.only:
            results["lottie"] = measure_lottie(chosen.quick, folder)
        if not chosen.only or "gif" in chosen.only:
            results["gifs"] = gif.measure_all(folder, 1 if chosen.quick else 5)
        if not chosen.only or "images" in chosen.only:
            results["images"] = images.measure_all(folder, 1 if chosen.quick else 3)
            results["versions"] |= images.versions()
    return results


def measure_lesson(quick: bool, folder: Path) -> dict:
    manim = next(peer for peer in peers() if peer.name == "manim")
    manim.install()
    return lesson.compare(manim, (640, 360) if quick else (1920, 1080), 1 if quick else 3, folder, say)


def measure_lottie(quick: bool, folder: Path) -> list[dict]:
    rlottie = next(peer for peer in peers() if peer.name == "rlottie")
    rlottie.install()
    sizes = [(480, 480)] if quick else [(480, 480), (1920, 1080)]
    return [lottie.compare(rlottie, size, 1 if quick else 5, folder, say) for size in sizes]


def main() -> None:
    chosen = arguments()
    if chosen.report:
        results = json.loads(RESULTS.read_text())
    else:
        results = measure_all(chosen)
        if chosen.is_complete:
            RESULTS.write_text(json.dumps(results, indent=1))
    lines = chosen.bench.read_text().splitlines() if chosen.bench else []
    text = report.document(results, [json.loads(line) for line in lines if line.strip()])
    if str(chosen.o) == "-":
        print(text, end="")
    else:
        chosen.o.write_text(text)
        say(f"wrote {chosen.o}")


main()
