"""Compares the times of loadervid and of rlottie-python, piped into ffmpeg, for a Lottie file."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import check
import measure
from balls import Clip
from balls_lottie import lottie
from programs import LOADERVID, Program, last_line

FRAMES = 600
CYCLE = "432/5"


def compare(rlottie: Program, size: tuple[int, int], runs: int, folder: Path, say) -> dict:
    """Times both programs alternately; every frame must have the PSNR `check.LIMIT`."""
    width, height = size
    say(f"a Lottie file at {width}x{height}")
    file = folder / "balls.json"
    drawn = folder / "lottie-drawn.mkv"
    own = folder / "lottie.mp4"
    theirs = folder / "lottie-rlottie.mp4"
    file.write_text(json.dumps(lottie(Clip(width, height, FRAMES, CYCLE, ""))))
    encode = [str(LOADERVID), "encode", str(file), "--size", f"{width}x{height}", "--progress", "none", "--force", "-o"]
    plain = [*encode, str(own), "--repetition", "off"]
    measure.run([*encode, str(drawn), "--codec", "ffv1", "--pixel-format", "yuv420p"], drawn)
    rlottie_command = rlottie.command(SimpleNamespace(width=width, height=height, frames=FRAMES, cycle=CYCLE), theirs)
    ours = {"title": "loadervid, repetition off", "seconds": []}
    peer = {"title": rlottie.title, "seconds": []}
    result = {"size": f"{width}x{height}", "frames": FRAMES, "rows": [ours, peer], "problem": rlottie.problem}
    if rlottie.problem:
        return result
    try:
        for row, command, output in [(ours, plain, own), (peer, rlottie_command, theirs)]:
            _, row["memory"] = measure.run_watching_memory(command, output)
            row["info"] = check.stream_info(output)
            row["psnr"] = check.psnr(output, drawn, "bt709", min(FRAMES, check.COMPARED_FRAMES))
            if row["info"]["frames"] != FRAMES or row["psnr"][1] < check.LIMIT:
                result["problem"] = f"{row['title']}: {row['info']['frames']} frames, {row['psnr'][1]:.1f} dB"
                return result
        for turn in range(runs):
            ours["seconds"].append(measure.run(plain, own))
            peer["seconds"].append(measure.run(rlottie_command, theirs))
            say(f"  {turn + 1} rlottie: {peer['seconds'][-1]:.2f} s, loadervid {ours['seconds'][-1]:.2f} s")
    except (measure.RunError, subprocess.SubprocessError) as error:
        result["problem"] = "failed: " + last_line(str(error))
    return result
