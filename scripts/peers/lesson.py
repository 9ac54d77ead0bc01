"""Compares the time that loadervid and Manim Community take for a lesson of the same storyboard."""

import json
import re
import subprocess
from pathlib import Path

import check
import measure
from programs import LOADERVID, PEERS, ROOT, Program, last_line, output_of

RATE = 60
NAME = "qq-mail"
# The kind of shot in each chapter of the lesson, which is a method of manim_lesson.Lesson.
BOARDS = ["title", "play_balls", "slow", *["phase"] * 6, "chart", "table", "freeze", "code", "play_balls"]
SLOWNESS = {"title": 1, "play_balls": 1, "chart": 5}


def command(width: int, height: int, output: Path) -> list[str]:
    return [
        str(LOADERVID), "tutorial", NAME, "--layout", f"{width}x{height}", "--fps", str(RATE), "--force", "--progress",
        "none", "-o", str(output),
    ]  # fmt: skip


def frame(time: str) -> int:
    """The frame number at a time such as 0:01:23.5."""
    seconds = 0.0
    for part in time.split(":"):
        seconds = 60 * seconds + float(part)
    return round(seconds * RATE)


def storyboard(lesson: Path, width: int, height: int) -> dict:
    """The shots and captions of a lesson, read from its chapters and its subtitle file."""
    chapters = json.loads(output_of("ffprobe", "-v", "error", "-show_chapters", "-of", "json", lesson))["chapters"]
    if len(chapters) != len(BOARDS):
        raise SystemExit(
            f"compare-peers: the lesson {NAME} has {len(chapters)} chapters instead of {len(BOARDS)}; "
            "update BOARDS in scripts/peers/lesson.py"
        )
    notes = re.findall(r"^ {6}\w+: \{en: \"(.*?)\"", (ROOT / f"presets/tutorials/{NAME}.yaml").read_text(), re.M)
    shots = []
    for board, chapter in zip(BOARDS, chapters):
        start, end = frame(chapter["start_time"]), frame(chapter["end_time"])
        shot = {"board": board, "title": chapter["tags"]["title"], "start": start, "end": end}
        shots.append(shot | {"slow": SLOWNESS.get(board, 6), "notes": notes})
    for number, shot in enumerate(shot for shot in shots if shot["board"] == "phase"):
        shot["phase"] = number
    code = (ROOT / f"presets/tutorials/code/{NAME}.swift").read_text()
    for shot in shots:
        shot["code"] = code
    cues = re.findall(r"(\S+) --> (\S+)\n(.*?)(?:\n\n|\Z)", lesson.with_suffix(".vtt").read_text(), re.S)
    captions = [{"start": frame(start), "end": frame(end), "text": text.strip()} for start, end, text in cues]
    return {"width": width, "height": height, "rate": RATE, "shots": shots, "captions": captions}


def compare(manim: Program, size: tuple[int, int], runs: int, folder: Path, say) -> dict:
    """Times both programs alternately.

    Their layouts differ, so only the number of frames, the size and the frame rate must agree.
    """
    width, height = size
    say(f"a lesson at {width}x{height}")
    own = folder / "lesson.mp4"
    theirs = folder / "lesson-manim.mp4"
    script = folder / "lesson.json"
    ours = {"title": "loadervid", "seconds": []}
    peer = {"title": manim.title, "seconds": []}
    _, ours["memory"] = measure.run_watching_memory(command(width, height, own), own)
    script.write_text(json.dumps(storyboard(own, width, height)))
    ours["info"] = check.stream_info(own)
    result = {"size": f"{width}x{height}", "rows": [ours, peer], "problem": manim.problem}
    if manim.problem:
        return result
    manim_command = [str(manim.folder / "bin/python"), str(PEERS / "manim_lesson.py"), str(script), str(theirs)]
    try:
        _, peer["memory"] = measure.run_watching_memory(manim_command, theirs)
        peer["info"] = check.stream_info(theirs)
        if any(peer["info"][key] != ours["info"][key] for key in ["frames", "size", "rate"]):
            result["problem"] = "{frames} frames of {size} at {rate}".format(**peer["info"])
            return result
        for turn in range(runs):
            ours["seconds"].append(measure.run(command(width, height, own), own))
            peer["seconds"].append(measure.run(manim_command, theirs))
            say(f"  {turn + 1} manim: {peer['seconds'][-1]:.2f} s, loadervid {ours['seconds'][-1]:.2f} s")
    except (measure.RunError, subprocess.SubprocessError) as error:
        result["problem"] = "failed: " + last_line(str(error))
    return result
