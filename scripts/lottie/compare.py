"""Draws Lottie files with loadervid and with other players, and reports how much their frames
differ and how long a frame takes.

Called by scripts/compare-lottie.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from datetime import date
from pathlib import Path

import bitmaps
import report
from animations import Animation, Collection, collection
from players import CACHE, ROOT, TIMED_SIZE, Loadervid, PlayerProblem, delete_cached_frames, peers

DOCUMENT = ROOT / "docs/lottie.md"
VARIABLE = "LOADERVID_LOTTIE_FILES"
DETAILS = f"""
A directory with the layout of the Lottie feature files, category/NAME.json with frames exported from
After Effects as category/NAME-FRAME.png, is compared with these frames. In any other directory, all
.json and .lottie files are compared with lottie-web at eight times between frames. Directories in
the environment variable {VARIABLE}, separated by colons, come first.
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/compare-lottie", description=__doc__.partition("\n\n")[0], epilog=DETAILS
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="directory of Lottie files")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TEXT",
        help="compare only files with TEXT in their names; can be repeated",
    )  # fmt: skip
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write a PNG of each file's frames to FOLDER")
    parser.add_argument("--no-times", action="store_true", help="compare frames without timing the players")
    parser.add_argument("--program", type=Path, metavar="FILE", help="loadervid program to test (default: build it)")
    parser.add_argument("--anew", action="store_true", help="redraw the other players' frames, ignoring the cache")
    parser.add_argument("--report", action="store_true", help="rewrite the document from the last complete run")
    parser.add_argument(
        "-o", type=Path, metavar="FILE",
        help="document to write, or - for standard output (default: docs/lottie.md after a complete run, else -)",
    )  # fmt: skip
    chosen = parser.parse_args()
    named = [Path(name) for name in os.environ.get(VARIABLE, "").split(":") if name]
    chosen.folders = named + chosen.folders
    if not chosen.folders and not chosen.report:
        parser.error(f"no directory given; pass directories of Lottie files or set {VARIABLE}")
    for folder in chosen.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is not a directory; pass directories of Lottie files")
    # A partial run replaces the document only if -o names it.
    chosen.is_complete = not (chosen.only or chosen.no_times)
    chosen.o = chosen.o or (DOCUMENT if chosen.is_complete or chosen.report else Path("-"))
    return chosen


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def compare(animation: Animation, players: list) -> tuple[dict, dict]:
    """Draws a file with all players; returns a row of results and the bitmaps by player."""
    drawn = {}
    row = {"name": animation.name, "features": animation.features, "is_animated": animation.is_animated, "results": {}}
    for player in players:
        try:
            drawn[player.name] = player.draw(animation)
        except PlayerProblem as problem:
            row["results"][player.name] = {"problem": str(problem)}
    drawn["effects"] = [bitmaps.load(path) for path in animation.references.values()]
    reference = drawn["effects"] or drawn.get("web")
    for player in players:
        if reference is drawn.get(player.name):
            row["results"].setdefault(player.name, {})
        elif player.name in drawn and reference:
            pairs = list(zip(drawn[player.name], reference, strict=True))
            if animation.references:
                result = {"wrong": [bitmaps.wrong_share(*pair) for pair in pairs]}
            else:
                # The PSNR of equal bitmaps is infinite, which JSON cannot represent.
                result = {"psnr": [min(99.0, bitmaps.psnr(*pair)) for pair in pairs]}
            row["results"][player.name] = result
    return row, drawn


def write_sheet(folder: Path, animation: Animation, drawn: dict) -> None:
    """Writes a PNG with the players' frames side by side.

    The last column shows how loadervid, or lottie-web without it, differs from the reference.
    """
    reference = drawn["effects"] or drawn.get("web")
    mine, own = ("loadervid", drawn["loadervid"]) if "loadervid" in drawn else ("lottie-web", drawn.get("web"))
    columns = [("loadervid", drawn.get("loadervid")), ("lottie-web", drawn.get("web"))]
    columns.append(("After Effects", drawn["effects"]) if drawn["effects"] else ("ThorVG", drawn.get("thorvg")))
    if own and reference:
        columns.append((f"{mine} differs", bitmaps.differences(own, reference)))
    if any(column for _, column in columns):
        path = folder / f"{animation.name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        bitmaps.sheet(columns, 240).save(path)


def add_times(row: dict, animation: Animation, players: list) -> None:
    for player in players:
        result = row["results"].get(player.name, {})
        if player.name == "web" or "problem" in result:
            continue
        try:
            result["milliseconds"] = player.milliseconds(animation)
        except PlayerProblem as problem:
            say(f"  {player.title} could not be timed: {problem}")


def compare_all(files: Collection, players: list, chosen: argparse.Namespace) -> dict:
    say(f"{files.name}: {len(files.animations)} files")
    for name, problem in files.problems.items():
        say(f"  {name}: skipped: {problem}")
    rows = []
    for animation in files.animations:
        row, drawn = compare(animation, players)
        if files.has_references and not chosen.no_times:
            add_times(row, animation, players)
        if chosen.keep:
            write_sheet(chosen.keep / files.name, animation, drawn)
        rows.append(row)
        say("  " + animation.name + ": " + ", ".join(f"{p.title} {short(row['results'].get(p.name))}" for p in players))
    result = {"name": files.name, "has_references": files.has_references, "rows": rows}
    for player in players:
        if files.has_references or player.name != "web":
            say(f"{files.name}: {player.title} {report.outcome(result, player.name)}")
    return result


def short(result: dict | None) -> str:
    """A player's result for a file in a few characters."""
    if not result or "problem" in result:
        return result["problem"] if result else "drawn"
    if "wrong" in result:
        return f"{100 * max(result['wrong']):.2f}%"
    return f"{min(result['psnr']):.1f}/{statistics.median(result['psnr']):.1f} dB"


def measure_all(chosen: argparse.Namespace) -> dict:
    program = chosen.program
    if not program:
        subprocess.run([ROOT / "scripts/loadervid", "--version"], check=True, stdout=sys.stderr)
        program = ROOT / ".build/release/loadervid"
    if chosen.anew:
        delete_cached_frames()
    players = [Loadervid(program.resolve()), *peers()]
    try:
        collections = [compare_all(collection(folder, chosen.only), players, chosen) for folder in chosen.folders]
    finally:
        for player in players:
            player.stop()
    return {
        "date": date.today().isoformat(),
        "titles": {player.name: player.title for player in players},
        "versions": {player.title: player.version for player in players},
        "size": "x".join(str(side) for side in TIMED_SIZE),
        "collections": collections,
    }


def main() -> None:
    chosen = arguments()
    cached = CACHE / "results.json"
    results = json.loads(cached.read_text()) if chosen.report else measure_all(chosen)
    if chosen.is_complete and not chosen.report:
        cached.write_text(json.dumps(results, indent=1))
    if str(chosen.o) == "-":
        print(report.document(results), end="")
    else:
        report.write(results, chosen.o)
        say(f"wrote {chosen.o}")


main()
