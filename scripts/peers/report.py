"""Writes docs/performance.md from the measurements."""

from check import LIMIT
from measure import spread

# The target ratios of a program's time to loadervid's. "python" applies to every Python program
# that has no target of its own.
TARGETS = {
    "exact-480": {"cairo": 2.0, "manim": 3.5, "python": 2.5},
    "exact-1080": {"cairo": 1.6, "lavfi": 1.3, "manim": 2.2, "python": 2.0},
    "seamless-480": {"cairo": 15.0},
    "seamless-1080": {"cairo": 15.0},
}
LESSON_TARGET = 2.0
LOTTIE_TARGET = 2.0

INTRODUCTION = """# Performance

    scripts/compare-peers        # measures everything here and writes this page

loadervid and other programs render the same clip in turn. The clip is `qq-mail`, three translucent
balls that swap places on white, at 60 frames per second: H.264 in MP4, encoded by libx264 with
preset medium, crf 18, at most 120 frames (2 s) between keyframes, yuv420p, limited range, BT.709.
Times are from the start of the process to the finished file, on the machine described
[below](#machine-and-versions). Measured on {date}.

The programs in `scripts/peers` draw and encode every frame, as a user of these libraries would
write them. loadervid does so with `--repetition off`. By default it encodes repeated frames only
once, as it does for the seamless clips.
"""

READING = """
* *seconds* and *ratio*: minimum / **median** / maximum. Every run of a program follows a run of
  loadervid, and the ratio is between these two. Above 1, loadervid is faster. *target* is the
  intended median ratio.
* *memory*: peak resident memory of the program and its children, in one run that is not timed.
* *PSNR*: over all frames / of the worst frame, against loadervid's own frames, encoded losslessly.
  A program is timed only if it has the same number of frames, all at {limit:.0f} dB or above. Balls that
  are one frame ahead, or in the wrong order, have about 30 dB.
"""


def document(results: dict, bench: list[dict]) -> str:
    parts = [INTRODUCTION.format(date=results["date"]), "\n## Results\n"]
    parts.append(READING.format(limit=LIMIT))
    parts += [clip_section(clip) for clip in results["clips"]]
    if "lesson" in results:
        parts.append(lesson_section(results["lesson"]))
    parts += [lottie_section(clip) for clip in results.get("lottie", [])]
    if "gifs" in results:
        parts.append(gif_section(results["gifs"]))
    if "images" in results:
        parts.append(images_section(results["images"]))
    if bench:
        parts.append(bench_section(bench))
    parts.append(settings_section(results["clips"]))
    parts.append(machine_section(results))
    return "".join(parts)


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def machine_section(results: dict) -> str:
    rows = [[name, value] for name, value in (results["machine"] | results["versions"]).items()]
    return "\n## Machine and versions\n" + table(["item", "value"], rows)


def three(values: list[float], digits: int) -> str:
    """Minimum, median and maximum as a table cell."""
    if not values:
        return ""
    low, middle, high = spread(values)
    return f"{low:.{digits}f} / **{middle:.{digits}f}** / {high:.{digits}f}"


def target_of(clip: dict, row: dict) -> float | None:
    targets = TARGETS.get(clip["name"], {})
    return targets.get(row["name"], targets.get("python") if row["python"] else None)


def clip_section(clip: dict) -> str:
    rows = []
    for row in clip["rows"]:
        target = target_of(clip, row)
        goal = f"{target:.1f}" if target else ""
        if row["problem"]:
            rows.append([row["title"], row["problem"], "", goal and f"{goal}, not measured", "", "", "", ""])
            continue
        ratios = [theirs / own for theirs, own in zip(row["seconds"], row["ours"])]
        if target:
            goal += ", reached" if spread(ratios)[1] >= target else ", **missed**"
        rows.append([
            row["title"], three(row["seconds"], 2), three(ratios, 2), goal, str(len(row["seconds"])),
            f"{row['memory'] / 2**20:.0f}", f"{row['info']['bytes'] / 1000:.0f}",
            "{:.1f} / {:.1f}".format(*row["psnr"]),
        ])  # fmt: skip
    header = ["program", "seconds", "ratio", "target", "runs", "memory, MiB", "size, kB", "PSNR, dB"]
    return f"\n### {clip['title']}, {clip['frames']} frames\n" + table(header, rows)


def lesson_section(lesson: dict) -> str:
    """The section on loadervid and Manim rendering the same storyboard."""
    ours, manim = lesson["rows"]
    frames = ours["info"]["frames"]
    rows = []
    for row in lesson["rows"]:
        if row is manim and lesson["problem"]:
            rows.append([row["title"], lesson["problem"], "", "", "", "", ""])
            continue
        ratios = [theirs / own for theirs, own in zip(row["seconds"], ours["seconds"])] if row is manim else []
        goal = ""
        if ratios:
            goal = f"{LESSON_TARGET:.1f}, " + ("reached" if spread(ratios)[1] >= LESSON_TARGET else "**missed**")
        real = f"{frames / 60 / spread(row['seconds'])[1]:.1f}" if row["seconds"] else ""
        rows.append([
            row["title"], three(row["seconds"], 1), three(ratios, 2), goal, real, f"{row['memory'] / 2**20:.0f}",
            f"{row['info']['bytes'] / 1000:.0f}",
        ])  # fmt: skip
    text = f"""
### A lesson at {lesson['size']}, {frames} frames

`loadervid tutorial qq-mail` and the same storyboard in Manim (`scripts/peers/manim_lesson.py`).
Side panels, text, arrows, chart, table, code and timing are the same; each program does its own
layout. *real time*: seconds of the clip per second of rendering.
"""
    header = ["program", "seconds", "ratio", "target", "real time", "memory, MiB", "size, kB"]
    return text + table(header, rows)


def lottie_section(clip: dict) -> str:
    """The section on loadervid and rlottie rendering the same Lottie file."""
    rows = []
    ours = clip["rows"][0]
    for row in clip["rows"]:
        if clip["problem"]:
            rows.append([row["title"], clip["problem"], "", "", "", "", ""])
            continue
        ratios = [theirs / own for theirs, own in zip(row["seconds"], ours["seconds"])] if row is not ours else []
        goal = ""
        if ratios:
            goal = f"{LOTTIE_TARGET:.1f}, " + ("reached" if spread(ratios)[1] >= LOTTIE_TARGET else "**missed**")
        rows.append([
            row["title"], three(row["seconds"], 2), three(ratios, 2), goal, f"{row['memory'] / 2**20:.0f}",
            f"{row['info']['bytes'] / 1000:.0f}", "{:.1f} / {:.1f}".format(*row["psnr"]),
        ])  # fmt: skip
    text = f"""
### A Lottie file at {clip['size']}, {clip['frames']} frames

Both programs draw the balls from the same file (`scripts/peers/balls_lottie.py`), with the settings
of the clips above.
"""
    return text + table(["program", "seconds", "ratio", "target", "memory, MiB", "size, kB", "PSNR, dB"], rows)


def settings_section(clips: list[dict]) -> str:
    """The section with the settings that the files declare, from each program's first clip."""
    rows = {}
    for clip in clips:
        for row in clip["rows"]:
            if "info" in row:
                info = row["info"]
                cells = [row["title"], info["pixels"], info["x264"] or "removed from the file", row["note"]]
                rows.setdefault(row["name"], cells)
    text = "\n## Settings\n\nThe settings that the files declare, and those that could not be made the same.\n"
    return text + table(["program", "pixel format and colour", "x264", "differences"], list(rows.values()))


def gif_section(rows: list[dict]) -> str:
    """The section on GIFs of loadervid and of ffmpeg with gifsicle, with a row for each loader."""
    text = """
## GIF

Each loader plays once, at three pixels per point and 25 frames per second. The others are ffmpeg's
`palettegen` and `paletteuse`, followed by `gifsicle -O3`; they start from the frames in a lossless
file. ffmpeg merges equal frames, as loadervid does with `--static vfr`.

* *bytes*: loadervid / with `--static vfr` / the others; *ratio* of the last two. *frames*: the same
  three.
* *PSNR*: over all frames in dB, loadervid / the others; inf if all pixels are equal.
* *seconds*: medians, loadervid / the others. *speedup*: their ratio.
"""
    header = ["loader", "bytes", "ratio", "frames", "PSNR, dB", "seconds", "speedup"]
    return text + table(header, [gif_row(row) for row in rows])


def gif_row(row: dict) -> list[str]:
    size = row["bytes"]
    seconds = row["seconds"]
    return [
        row["loader"], "{cfr} / {vfr} / {pair}".format(**size), f"{size['vfr'] / size['pair']:.3f}",
        "{cfr} / {vfr} / {pair}".format(**row["frames"]), "{ours:.2f} / {pair:.2f}".format(**row["psnr"]),
        "{ours:.2f} / {pair:.2f}".format(**seconds), f"{seconds['pair'] / seconds['ours']:.1f}",
    ]  # fmt: skip


def images_section(tables: dict[str, list[dict]]) -> str:
    """The section on animated AVIF and WebP, with a table for each format."""
    text = """
## AVIF and WebP

Each loader plays once, at 240x240 and 25 frames per second. The others start from the frames:
avifenc and ffmpeg from uncompressed YUV 4:4:4, img2webp and ffmpeg from PNG files. Quality and
speed are loadervid's defaults: crf 20 and cpu-used 6 of libaom in AVIF, lossless at effort 4 in
WebP, which stores each frame as the smaller of two images. loadervid stores a repeated frame as
one pixel; the others merge repeated frames, as loadervid does with `--static vfr`. gifski is not
compared, because neither Debian 12 nor PyPI has it.

* *bytes*, *seconds* (medians) and *PSNR* (over all frames, in dB): loadervid / the others in the
  order of the heading.
"""
    return text + "".join(images_table(kind, rows) for kind, rows in tables.items())


def images_table(kind: str, rows: list[dict]) -> str:
    names = ["loadervid" if name == "ours" else name for name in rows[0]["bytes"]]
    text = f"\n### {'AVIF' if kind == 'avif' else 'WebP'}: {', '.join(names)}\n"
    header = ["loader", "bytes", "seconds"] + (["PSNR, dB"] if rows[0]["psnr"] else [])

    def cells(values: dict, form: str) -> list[str]:
        return [" / ".join(form.format(value) for value in values.values())] if values else []

    lines = [
        [row["loader"], *cells(row["bytes"], "{}"), *cells(row["seconds"], "{:.2f}"), *cells(row["psnr"], "{:.1f}")]
        for row in rows
    ]
    return text + table(header, lines)


def bench_section(lines: list[dict]) -> str:
    """The section on the results of `loadervid bench`, with a row for each clip."""
    text = """
## Comparison with the encoder alone

Measured by `loadervid bench`, one clip per row. (a) is the encoder alone, with its own threads and
the same frames, converted and in memory. (b) is loadervid, from the request to the finished file.
The two alternate in one process.

* *wall*: time of (b) relative to (a), minimum / **median** / maximum over all pairs of runs.
  *bytes*: (b) relative to (a).
* *PSNR*: of (b) minus that of (a), decoded, against the frames. *memory*: peak of (b) relative to
  one encoder with one thread per worker. *outside*: CPU time outside the encoder.
* Targets are in brackets; **bold** figures miss theirs.
"""
    header = ["clip", "runs", "frames/s a", "frames/s b", "wall b/a", "bytes b/a", "PSNR, dB", "memory", "outside"]
    return text + table(header, [bench_row(line) for line in lines])


def bench_row(line: dict) -> list[str]:
    target = line.get("target", {})
    missed = line.get("missed", [])
    ratio = line["ratio"]

    def with_target(value: float, name: str, form: str = ".3f", scale: float = 1) -> str:
        """A figure with its target in brackets, in bold if it misses the target."""
        cell = f"**{value * scale:{form}}**" if name in missed else f"{value * scale:{form}}"
        return cell + (f" ({target[name] * scale:g})" if name in target else "")

    wall = f"{ratio['min']:.2f} / **{ratio['median']:.2f}** / {ratio['max']:.2f}"
    if "ratio" in target:
        wall += f" ({target['ratio']:g}{', **missed**' if 'ratio' in missed else ''})"
    quality = [line.get(name) for name in ("psnr_b", "psnr_a")]
    loss = f"{quality[0] - quality[1]:+.2f}" if all(isinstance(value, float) for value in quality) else ""
    return [
        line.get("name", line["clip"]), str(line["runs"]), f"{line['fps_a']:.0f}", f"{line['fps_b']:.0f}", wall,
        with_target(line["bytes_ratio"], "bytes_ratio"), f"**{loss}**" if "psnr_loss" in missed else loss,
        with_target(line["memory"]["ratio"], "memory_ratio", ".2f") if "ratio" in line.get("memory", {}) else "",
        with_target(line["outside_encoder"], "outside_encoder", ".1f", 100) + " %",
    ]  # fmt: skip
