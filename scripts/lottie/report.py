"""The part of docs/lottie.md that is measured."""

import statistics
from pathlib import Path

from pictures import MOST_OFF, MOST_WRONG

MARKER = "<!-- What follows is written by scripts/compare-lottie. -->\n"
# Pictures of two players that agree but for how they smooth edges have about this much, or more.
ALIKE = 30
# The most that drawing a picture is meant to take, in times of rlottie.
MOST_TIMES = 3
# How many of the files that differ most are listed.
WORST = 12

INTRODUCTION = """
## Comparison with other players

Measured by `scripts/compare-lottie` on {date},
with {versions}.
"""

EFFECTS = """
### {name}

{count} files with {pictures} reference images from After Effects, from a public test suite for Lottie players.
A pixel is wrong if a channel differs by more than {off}, over white or over black. A file is right if
at most {most:.0%} of the pixels of each image are wrong.
"""

LEGEND = """
Wrong pixels in each file's worst image, bold if the file is right, and milliseconds for drawing a
frame at {size} without encoding. loadervid draws a clip at 60 frames per second, in which it
redraws only what changed; the other players draw whole frames into memory.
"""

INSTANTS = """
### {name}

{count} files without reference images. Each player is compared with lottie-web at eight times between
frames, over white or over black, whichever gives the lower PSNR. loadervid runs with
`--subframes on`, because lottie-web has no jumps; rlottie shows the previous frame. From about
{alike} dB on, players differ only in antialiasing.
"""


def write(results: dict, path: Path) -> None:
    """Replaces what follows the marker in the document, or adds both."""
    text = path.read_text() if path.exists() else "# Lottie animations\n\n"
    by_hand = text.partition(MARKER)[0]
    path.write_text(by_hand + MARKER + document(results))


def document(results: dict) -> str:
    versions = ", ".join(f"{title} {version}" for title, version in results["versions"].items())
    parts = [INTRODUCTION.format(date=results["date"], versions=versions)]
    for collection in results["collections"]:
        parts.append(effects_section(collection, results) if collection["has_pictures"] else
                     instants_section(collection, results))  # fmt: skip
    return "".join(parts)


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


# What a collection's results are, in a word or two.


def outcome(collection: dict, player: str) -> str:
    rows = [row["results"].get(player, {}) for row in collection["rows"]]
    refused = sum(1 for result in rows if "problem" in result)
    without = f", {refused} without pictures" if refused else ""
    if collection["has_pictures"]:
        return f"{sum(map(is_right, rows))} of {len(rows)} files right{without}"
    worst = [min(result["psnr"]) for result in rows if "psnr" in result]
    alike = sum(value >= ALIKE for value in worst)
    return f"{alike} of {len(rows)} files at {ALIKE} dB or above{without}"


def is_right(result: dict) -> bool:
    return "wrong" in result and max(result["wrong"]) <= MOST_WRONG


# Files with After Effects' pictures.


def effects_section(collection: dict, results: dict) -> str:
    rows, titles = collection["rows"], results["titles"]
    pictures = sum(max(len(result.get("wrong", [])) for result in row["results"].values()) for row in rows)
    name = collection_title(collection)
    text = EFFECTS.format(name=name, count=len(rows), pictures=pictures, off=MOST_OFF, most=MOST_WRONG)
    summary = []
    for player, title in titles.items():
        drawn = [row["results"].get(player, {}) for row in rows]
        moving = [row["results"].get(player, {}) for row in rows if row["moves"]]
        times = [result["milliseconds"] for result in moving if "milliseconds" in result]
        refused = sum(1 for result in drawn if "problem" in result)
        median = f"{statistics.median(times):.3f}" if times else "-"
        summary.append([title, str(sum(map(is_right, drawn))), str(refused), median])
    text += table(["player", "files right", "not drawn", f"median ms at {results['size']}, files that move"], summary)
    text += ratio(rows)
    text += features(rows, titles) + LEGEND.format(size=results["size"])
    timed = [player for player in titles if any("milliseconds" in row["results"].get(player, {}) for row in rows)]
    header = ["file", *titles.values(), *(f"ms {titles[player]}" for player in timed)]
    lines = []
    for row in rows:
        shares = [share(row["results"].get(player, {})) for player in titles]
        times = [row["results"].get(player, {}).get("milliseconds") for player in timed]
        lines.append([row["name"], *shares, *(f"{time:.3f}" if time is not None else "-" for time in times)])
    return text + table(header, lines) + refusals(rows)


def ratio(rows: list[dict]) -> str:
    """How long loadervid takes in times of rlottie, over files that both draw right, since leaving work out takes less time:
    all of them, and those that move, since loadervid draws what stands still once."""
    everywhere, moving = [], []
    for row in rows:
        ours, theirs = (row["results"].get(name, {}) for name in ("loadervid", "rlottie"))
        if not (is_right(ours) and is_right(theirs) and "milliseconds" in ours and "milliseconds" in theirs):
            continue
        for ratios in [everywhere, moving] if row["moves"] else [everywhere]:
            ratios.append(ours["milliseconds"] / theirs["milliseconds"])
    if not moving:
        return ""
    return (
        f"\nloadervid draws a frame in {statistics.median(everywhere):.2f} of rlottie's time, the median of the "
        f"{len(everywhere)} files that both draw right.\nFor the {len(moving)} of them that move, the median is "
        f"{statistics.median(moving):.2f} ({min(moving):.2f} to {max(moving):.2f}); the target is at most {MOST_TIMES}.\n"
    )


def features(rows: list[dict], titles: dict) -> str:
    """How many files of each feature are right."""
    by_feature = {}
    for row in rows:
        for feature in row["features"]:
            by_feature.setdefault(feature, []).append(row)
    lines = []
    for feature, with_it in sorted(by_feature.items()):
        counts = []
        for player in titles:
            right = sum(is_right(row["results"].get(player, {})) for row in with_it)
            counts.append(f"**{right}**" if right == len(with_it) else str(right))
        lines.append([feature, str(len(with_it)), *counts])
    intro = "\nFiles that are right, by feature; bold if all are:\n"
    return intro + table(["feature", "files", *titles.values()], lines) if lines else ""


def share(result: dict) -> str:
    if "wrong" not in result:
        return "none"
    text = f"{100 * max(result['wrong']):.2f}%"
    return f"**{text}**" if is_right(result) else text


# Files without pictures.


def instants_section(collection: dict, results: dict) -> str:
    rows, titles = collection["rows"], dict(results["titles"])
    titles.pop("web")
    text = INSTANTS.format(name=collection_title(collection), count=len(rows), alike=ALIKE)
    summary = []
    for player, title in titles.items():
        drawn = [row["results"].get(player, {}) for row in rows]
        compared = [result["psnr"] for result in drawn if "psnr" in result]
        refused = sum(1 for result in drawn if "problem" in result)
        worst = [min(values) for values in compared]
        figures = ["-", "-", "-"]
        if compared:
            figures = [
                str(sum(value >= ALIKE for value in worst)),
                f"{statistics.median(worst):.1f}",
                f"{statistics.median(map(statistics.median, compared)):.1f}",
            ]
        summary.append([title, str(len(compared)), str(refused), *figures])
    header = ["player", "files compared", "not drawn", f"worst frame {ALIKE} dB or above"]
    text += table(header + ["median of worst frames, dB", "median of medians, dB"], summary)
    return text + furthest(rows) + refusals(rows)


def furthest(rows: list[dict]) -> str:
    compared = [row for row in rows if "psnr" in row["results"].get("loadervid", {})]
    compared.sort(key=lambda row: min(row["results"]["loadervid"]["psnr"]))
    if not compared:
        return ""
    lines = []
    for row in compared[:WORST]:
        cells = [psnr(row["results"].get(player, {})) for player in ("loadervid", "thorvg")]
        lines.append([row["name"], *cells])
    intro = "\nThe files with the lowest PSNR between loadervid and lottie-web, worst frame / median:\n"
    return intro + table(["file", "loadervid, dB", "ThorVG, dB"], lines)


def psnr(result: dict) -> str:
    values = result.get("psnr")
    return f"{min(values):.1f} / {statistics.median(values):.1f}" if values else "none"


# Both.


def collection_title(collection: dict) -> str:
    if collection["has_pictures"]:
        return "Lottie feature files"
    return f"Files of `{collection['name']}`"


def refusals(rows: list[dict]) -> str:
    """What loadervid says of files that it makes no pictures of."""
    problems = [(row["name"], row["results"].get("loadervid", {}).get("problem")) for row in rows]
    lines = [[name, problem.replace("|", "\\|")] for name, problem in problems if problem]
    intro = "\nMessages for files that loadervid does not draw:\n"
    return intro + table(["file", "message"], lines) if lines else ""
