"""Draws Lottie files by loadervid and by other players and writes down how far their pictures are apart, and how long one
takes. Called by scripts/compare-lottie."""

import argparse
import json
import os
import statistics
import subprocess
import sys
from datetime import date
from pathlib import Path

import pictures
import report
from animations import Animation, Collection, collection
from players import CACHE, ROOT, TIMED_SIZE, Ours, PlayerProblem, forget_pictures, peers

DOCUMENT = ROOT / "docs/lottie.md"
VARIABLE = "LOADERVID_LOTTIE_FILES"
DETAILS = f"""
A folder laid out as the Lottie feature files are, category/NAME.json with After Effects' pictures of some frames as
category/NAME-FRAME.png, is compared with those pictures. Of any other folder, all .json and .lottie files in it are
compared with lottie-web at eight instants off whole frames. The folders that {VARIABLE} names, separated by colons, come
first.
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/compare-lottie", description=__doc__, epilog=DETAILS)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="a folder of Lottie files")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="files whose names hold TEXT")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave a PNG for each file here, side by side")
    parser.add_argument("--no-times", action="store_true", help="compare pictures only")
    parser.add_argument("--program", type=Path, metavar="FILE", help="another build of loadervid")
    parser.add_argument("--anew", action="store_true", help="draw the others' pictures anew, which are kept otherwise")
    parser.add_argument("--report", action="store_true", help="only write the last whole run's document anew")
    parser.add_argument("-o", type=Path, metavar="FILE", help="the document, - for standard output")
    chosen = parser.parse_args()
    named = [Path(name) for name in os.environ.get(VARIABLE, "").split(":") if name]
    chosen.folders = named + chosen.folders
    if not chosen.folders and not chosen.report:
        parser.error(f"which folders? Name them, or set {VARIABLE}")
    for folder in chosen.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
    # What is only a part never replaces the document by itself.
    chosen.whole = not (chosen.only or chosen.no_times)
    chosen.o = chosen.o or (DOCUMENT if chosen.whole or chosen.report else Path("-"))
    return chosen


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def compare(animation: Animation, players: list) -> tuple[dict, dict]:
    """What the players make of a file: a row of results, and the pictures by player."""
    drawn = {}
    row = {"name": animation.name, "features": animation.features, "moves": animation.moves, "results": {}}
    for player in players:
        try:
            drawn[player.name] = player.draw(animation)
        except PlayerProblem as problem:
            row["results"][player.name] = {"problem": str(problem)}
    drawn["effects"] = [pictures.load(path) for path in animation.pictures.values()]
    reference = drawn["effects"] or drawn.get("web")
    for player in players:
        if reference is drawn.get(player.name):
            row["results"].setdefault(player.name, {})
        elif player.name in drawn and reference:
            pairs = list(zip(drawn[player.name], reference, strict=True))
            if animation.pictures:
                result = {"wrong": [pictures.wrong(*pair) for pair in pairs]}
            else:
                # Equal pictures have no limit, which JSON has no number for.
                result = {"psnr": [min(99.0, pictures.psnr(*pair)) for pair in pairs]}
            row["results"][player.name] = result
    return row, drawn


def keep(folder: Path, animation: Animation, drawn: dict) -> None:
    """Leaves the pictures side by side, and where loadervid (or else lottie-web) differs from what is right."""
    reference = drawn["effects"] or drawn.get("web")
    mine, own = ("loadervid", drawn["loadervid"]) if "loadervid" in drawn else ("lottie-web", drawn.get("web"))
    columns = [("loadervid", drawn.get("loadervid")), ("lottie-web", drawn.get("web"))]
    columns.append(("After Effects", drawn["effects"]) if drawn["effects"] else ("ThorVG", drawn.get("thorvg")))
    if own and reference:
        columns.append((f"{mine} differs", pictures.differences(own, reference)))
    if any(column for _, column in columns):
        path = folder / f"{animation.name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        pictures.sheet(columns, 240).save(path)


def add_times(row: dict, animation: Animation, players: list) -> None:
    for player in players:
        result = row["results"].get(player.name, {})
        if player.name == "web" or "problem" in result:
            continue
        try:
            result["milliseconds"] = player.milliseconds(animation)
        except PlayerProblem as problem:
            say(f"  {player.title} is not timed: {problem}")


def compare_all(files: Collection, players: list, chosen: argparse.Namespace) -> dict:
    say(f"{files.name}: {len(files.animations)} files")
    for name, problem in files.problems.items():
        say(f"  {name} is left out: {problem}")
    rows = []
    for animation in files.animations:
        row, drawn = compare(animation, players)
        if files.has_pictures and not chosen.no_times:
            add_times(row, animation, players)
        if chosen.keep:
            keep(chosen.keep / files.name, animation, drawn)
        rows.append(row)
        say("  " + animation.name + ": " + ", ".join(f"{p.title} {short(row['results'].get(p.name))}" for p in players))
    result = {"name": files.name, "has_pictures": files.has_pictures, "rows": rows}
    for player in players:
        if files.has_pictures or player.name != "web":
            say(f"{files.name}: {player.title} {report.outcome(result, player.name)}")
    return result


def short(result: dict | None) -> str:
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
        forget_pictures()
    players = [Ours(program.resolve()), *peers()]
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
    kept = CACHE / "results.json"
    results = json.loads(kept.read_text()) if chosen.report else measure_all(chosen)
    if chosen.whole and not chosen.report:
        kept.write_text(json.dumps(results, indent=1))
    if str(chosen.o) == "-":
        print(report.document(results), end="")
    else:
        report.write(results, chosen.o)
        say(f"{chosen.o} written")


main()
