"""Writes the measured part of docs/lottie.md."""

import statistics
from pathlib import Path

from bitmaps import MAX_CHANNEL_DIFFERENCE, MAX_WRONG_SHARE

MARKER = "<!-- scripts/compare-lottie writes everything below this line. -->\n"
# The PSNR in dB from which two players' frames differ only in antialiasing, approximately.
ALIKE = 30
# The target: the maximum time that loadervid takes for a frame, as a multiple of rlottie's.
MAX_TIME_RATIO = 3
# The number of files with the lowest PSNR that are listed.
WORST = 12

INTRODUCTION = """
## Comparison with other players

Measured by `scripts/compare-lottie` on {date},
with {versions}.
"""

EFFECTS = """
### {name}

{count} files with {images} reference images from After Effects, from a public test suite for Lottie players.
A pixel is wrong if a channel differs by more than {difference}, over white or over black. A file is right if
at most {share:.0%} of the pixels of each image are wrong.
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
    """Replaces the text after the marker in the document, or appends marker and text."""
    text = path.read_text() if path.exists() else "# Lottie animations\n\n"
    written_by_hand = text.partition(MARKER)[0]
    path.write_text(written_by_hand + MARKER + document(results))


def document(results: dict) -> str:
    versions = ", ".join(f"{title} {version}" for title, version in results["versions"].items())
    parts = [INTRODUCTION.format(date=results["date"], versions=versions)]
    for collection in results["collections"]:
        section = effects_section if collection["has_references"] else instants_section
        parts.append(section(collection, results))
    return "".join(parts)


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


# Both kinds of collections


def outcome(collection: dict, player: str) -> str:
    """A summary of a player's results, for the progress messages."""
    rows = [row["results"].get(player, {}) for row in collection["rows"]]
    refused = sum(1 for result in rows if "problem" in result)
    not_drawn = f", {refused} not drawn" if refused else ""
    if collection["has_references"]:
        return f"{sum(map(is_right, rows))} of {len(rows)} files right{not_drawn}"
    worst = [min(result["psnr"]) for result in rows if "psnr" in result]
    alike = sum(value >= ALIKE for value in worst)
    return f"{alike} of {len(rows)} files at {ALIKE} dB or above{not_drawn}"


def is_right(result: dict) -> bool:
    return "wrong" in result and max(result["wrong"]) <= MAX_WRONG_SHARE


def collection_title(collection: dict) -> str:
    if collection["has_references"]:
        return "Lottie feature files"
    return f"Files of `{collection['name']}`"


def refusals(rows: list[dict]) -> str:
    """A table of the messages for files that loadervid does not draw."""
    problems = [(row["name"], row["results"].get("loadervid", {}).get("problem")) for row in rows]
    lines = [[name, problem.replace("|", "\\|")] for name, problem in problems if problem]
    intro = "\nMessages for files that loadervid does not draw:\n"
    return intro + table(["file", "message"], lines) if lines else ""


# Files with reference images by After Effects


def effects_section(collection: dict, results: dict) -> str:
    rows = collection["rows"]
    titles = results["titles"]
    images = sum(max(len(result.get("wrong", [])) for result in row["results"].values()) for row in rows)
    name = collection_title(collection)
    text = EFFECTS.format(
        name=name, count=len(rows), images=images, difference=MAX_CHANNEL_DIFFERENCE, share=MAX_WRONG_SHARE
    )
    text += effects_summary(rows, titles, results["size"])
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


def effects_summary(rows: list[dict], titles: dict, size: str) -> str:
    """A table with a row for each player."""
    summary = []
    for player, title in titles.items():
        drawn = [row["results"].get(player, {}) for row in rows]
        animated = [row["results"].get(player, {}) for row in rows if row["is_animated"]]
        times = [result["milliseconds"] for result in animated if "milliseconds" in result]
        refused = sum(1 for result in drawn if "problem" in result)
        median = f"{statistics.median(times):.3f}" if times else "-"
        summary.append([title, str(sum(map(is_right, drawn))), str(refused), median])
    return table(["player", "files right", "not drawn", f"median ms at {size}, animated files"], summary)


def ratio(rows: list[dict]) -> str:
    """loadervid's time per frame relative to rlottie's, over the files that both draw right.

    Wrong files are left out because a player that skips work is faster. Animated files are also
    listed alone, because loadervid draws static content only once.
    """
    everywhere = []
    animated = []
    for row in rows:
        ours, theirs = (row["results"].get(name, {}) for name in ("loadervid", "rlottie"))
        if not (is_right(ours) and is_right(theirs) and "milliseconds" in ours and "milliseconds" in theirs):
            continue
        for ratios in [everywhere, animated] if row["is_animated"] else [everywhere]:
            ratios.append(ours["milliseconds"] / theirs["milliseconds"])
    if not animated:
        return ""
    return (
        f"\nloadervid draws a frame in {statistics.median(everywhere):.2f} of rlottie's time, the median of the "
        f"{len(everywhere)} files that both draw right.\nFor the {len(animated)} animated ones, the median is "
        f"{statistics.median(animated):.2f} ({min(animated):.2f} to {max(animated):.2f}); "
        f"the target is at most {MAX_TIME_RATIO}.\n"
    )


def features(rows: list[dict], titles: dict) -> str:
    """A table with the number of right files for each feature."""
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
    intro = "\nNumber of right files by feature, bold if all files with the feature are right:\n"
    return intro + table(["feature", "files", *titles.values()], lines) if lines else ""


def share(result: dict) -> str:
    """The share of wrong pixels in the worst image."""
    if "wrong" not in result:
        return "none"
    text = f"{100 * max(result['wrong']):.2f}%"
    return f"**{text}**" if is_right(result) else text


# Files without reference images


def instants_section(collection: dict, results: dict) -> str:
    rows = collection["rows"]
    titles = dict(results["titles"])
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
    header = ["player", "files compared", "not drawn", f"all frames at {ALIKE} dB or above"]
    text += table(header + ["median of worst frames, dB", "median of medians, dB"], summary)
    return text + lowest_psnr(rows) + refusals(rows)


def lowest_psnr(rows: list[dict]) -> str:
    """A table of the files in which loadervid differs most from lottie-web."""
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
