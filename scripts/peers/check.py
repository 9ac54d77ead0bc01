"""Checks that a program's file has the clip's frames, and reads the settings that it declares."""

import json
import re
import subprocess
from pathlib import Path

from programs import output_of

# The minimum PSNR in dB of every frame. Frames that are one frame ahead, or that have the balls in
# the wrong order, have about 30 dB. Overlays, which must lie on even pixels, have at least 41 dB.
LIMIT = 35.0
# The maximum number of compared frames, which is more than the period of any clip.
COMPARED_FRAMES = 450


def stream_info(path: Path) -> dict:
    """A file's number of frames, size in bytes, and declared video settings."""
    entries = "stream=nb_read_packets,pix_fmt,color_range,color_space,width,height,r_frame_rate"
    text = output_of("ffprobe", "-v", "error", "-count_packets", "-show_entries", entries, "-of", "json", path)
    stream = json.loads(text)["streams"][0]
    return {
        "frames": int(stream["nb_read_packets"]),
        "size": f"{stream['width']}x{stream['height']}",
        "rate": stream["r_frame_rate"],
        "bytes": path.stat().st_size,
        "pixels": " ".join([
            stream["pix_fmt"],
            stream.get("color_range", "range undeclared"),
            stream.get("color_space", "matrix undeclared"),
        ]),
        "x264": x264_settings(path.read_bytes()),
    }


def x264_settings(content: bytes) -> str:
    """The version and the settings that x264 writes into a stream, or an empty string."""
    note = re.search(rb"x264 - core (\d+)[^\0]*? options: ([^\0\x80]*)", content)
    if not note:
        return ""
    options = dict(word.partition("=")[::2] for word in note[2].decode("ascii", "replace").split())
    chosen = ["crf", "keyint", "threads", "sliced_threads", "subme", "ref", "bframes", "rc_lookahead"]
    return f"core {note[1].decode()}: " + " ".join(f"{name}={options[name]}" for name in chosen if name in options)


def psnr(path: Path, reference: Path, matrix: str, frames: int) -> tuple[float, float]:
    """The PSNR in dB over the first `frames` frames, and that of the worst of them.

    `matrix` is the colour matrix of the file at `path`; the reference has BT.709.
    """
    convert = "" if matrix == "bt709" else f",scale=in_color_matrix={matrix}:out_color_matrix=bt709"
    # Frames are paired by number, because containers round timestamps differently.
    number = f"trim=end_frame={frames},settb=1/60,setpts=N"
    graph = f"[0:v]{number}{convert}[a];[1:v]{number}[b];[a][b]psnr"
    command = ["ffmpeg", "-nostats", "-i", path, "-i", reference, "-lavfi", graph, "-f", "null", "-"]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    found = re.search(r"average:(\S+) min:(\S+)", result.stderr)
    return float(found[1]), float(found[2])


def problem(info: dict, clip, worst: float) -> str:
    """The reason why a file does not show the clip, or an empty string."""
    if info["frames"] != clip.frames:
        return f"{info['frames']} frames instead of {clip.frames}"
    if info["size"] != clip.size or info["rate"] != "60/1":
        return f"{info['size']} at {info['rate']} frames/s instead of {clip.size} at 60"
    if worst < LIMIT:
        return f"the worst frame has {worst:.1f} dB, below the limit of {LIMIT:.0f} dB"
    return ""
