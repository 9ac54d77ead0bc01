"""Measures how long loadervid, rlottie and ThorVG take to draw a frame of the largest Lottie files
in some directories.

Called by scripts/bench-lottie.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

from animations import collection
from players import ROOT, TIMED_SIZE, Loadervid, PlayerProblem, peers


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench-lottie", description=__doc__.partition("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="directory of Lottie files")
    parser.add_argument("--count", type=int, default=50, metavar="N", help="time the N largest files (default: 50)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TEXT",
        help="time only files with TEXT in their names; can be repeated",
    )  # fmt: skip
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="take the best of N runs (default: 3)")
    parser.add_argument("--program", type=Path, metavar="FILE", help="loadervid program to time (default: build it)")
    return parser.parse_args()


def times(animation, players: list, rounds: int) -> dict:
    """Milliseconds per frame by player: the minimum of some rounds, in which the players alternate.

    A player that fails once has None and is skipped in the other rounds.
    """
    best = {}
    for _ in range(rounds):
        for player in players:
            if player.name in best and best[player.name] is None:
                continue
            try:
                best[player.name] = min(player.milliseconds(animation), best.get(player.name) or float("inf"))
            except PlayerProblem:
                best[player.name] = None
    return best


def main() -> None:
    chosen = arguments()
    program = chosen.program
    if not program:
        subprocess.run([ROOT / "scripts/loadervid", "--version"], check=True, stdout=sys.stderr)
        program = ROOT / ".build/release/loadervid"
    animations = [animation for folder in chosen.folders for animation in collection(folder, chosen.only).animations]
    animations.sort(key=lambda animation: -animation.path.stat().st_size)
    players = [Loadervid(program.resolve()), *(player for player in peers() if player.name != "web")]
    ratios = []
    print(f"Milliseconds per frame at {'x'.join(map(str, TIMED_SIZE))}")
    print("| file | kB | " + " | ".join(player.title for player in players) + " | ratio to the faster |")
    print("|---" * (len(players) + 3) + "|")
    try:
        for animation in animations[: chosen.count]:
            best = times(animation, players, chosen.rounds)
            others = [best[player.name] for player in players[1:] if best.get(player.name)]
            mine = best.get(players[0].name)
            ratio = mine / min(others) if mine and others else None
            if ratio:
                ratios.append(ratio)
            cells = [f"{value:.2f}" if value else "-" for value in (*(best.get(p.name) for p in players), ratio)]
            print(f"| {animation.name} | {animation.path.stat().st_size // 1000} | {' | '.join(cells)} |", flush=True)
    finally:
        for player in players:
            player.stop()
    if ratios:
        above = sum(ratio > 1.5 for ratio in ratios)
        print(f"Median ratio {statistics.median(ratios):.2f}; {above} of {len(ratios)} files above 1.5")


main()
