"""What is in a file that a program made, and whether its pictures are the clip's."""

import json
import re
import subprocess
from pathlib import Path

from programs import output_of

# The pictures of a program that is one frame ahead have about 30 dB, and so has a frame with the balls in the wrong
# order; overlays that lie on even pixels have 41 dB at worst.
LIMIT = 35.0
# More frames than in any clip until the pictures repeat.
COMPARED_FRAMES = 450


def facts(path: Path) -> dict:
    """Frames, bytes, and how the pictures are stored."""
    entries = "stream=nb_read_packets,pix_fmt,color_range,color_space,width,height,r_frame_rate"
    text = output_of("ffprobe", "-v", "error", "-count_packets", "-show_entries", entries, "-of", "json", path)
    stream = json.loads(text)["streams"][0]
    return {
        "frames": int(stream["nb_read_packets"]),
        "size": f"{stream['width']}x{stream['height']}",
        "rate": stream["r_frame_rate"],
        "bytes": path.stat().st_size,
        "pictures": " ".join(
            [stream["pix_fmt"], stream.get("color_range", "range undeclared"), stream.get("color_space", "matrix undeclared")]
        ),
        "x264": x264_settings(path.read_bytes()),
    }


def x264_settings(content: bytes) -> str:
    """The version and the settings that x264 notes in a stream, if it does."""
    note = re.search(rb"x264 - core (\d+)[^\0]*? options: ([^\0\x80]*)", content)
    if not note:
        return ""
    options = dict(word.partition("=")[::2] for word in note[2].decode("ascii", "replace").split())
    chosen = ["crf", "keyint", "threads", "sliced_threads", "subme", "ref", "bframes", "rc_lookahead"]
    return f"core {note[1].decode()}: " + " ".join(f"{name}={options[name]}" for name in chosen if name in options)


def psnr(path: Path, reference: Path, matrix: str, frames: int) -> tuple[float, float]:
    """PSNR in dB over planes and frames, and of the worst frame, for at most `frames` frames."""
    convert = "" if matrix == "bt709" else f",scale=in_color_matrix={matrix}:out_color_matrix=bt709"
    # Frames are paired by their number: containers round times differently.
    number = f"trim=end_frame={frames},settb=1/60,setpts=N"
    graph = f"[0:v]{number}{convert}[a];[1:v]{number}[b];[a][b]psnr"
    command = ["ffmpeg", "-nostats", "-i", path, "-i", reference, "-lavfi", graph, "-f", "null", "-"]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    found = re.search(r"average:(\S+) min:(\S+)", result.stderr)
    return float(found[1]), float(found[2])


def problem(made: dict, clip, worst: float) -> str:
    """Why a file is not the clip, or nothing."""
    if made["frames"] != clip.frames:
        return f"{made['frames']} frames instead of {clip.frames}"
    if made["size"] != clip.size or made["rate"] != "60/1":
        return f"{made['size']} at {made['rate']} frames/s instead of {clip.size} at 60"
    if worst < LIMIT:
        return f"a frame with {worst:.1f} dB is not the clip's (limit {LIMIT:.0f} dB)"
    return ""
