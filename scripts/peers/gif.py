"""Compares loadervid's GIFs with those of ffmpeg's palettegen and paletteuse and gifsicle -O3."""

import re
import subprocess
from pathlib import Path

import measure
from programs import LOADERVID, output_of

LOADERS = ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"]
CLIP = ["--scale", "3", "--fps", "25", "--progress", "none"]
PAIR = """set -e
ffmpeg -v error -y -i "$1" -lavfi "split[a][b];[a]palettegen[p];[b][p]paletteuse" "${2%.gif}.raw.gif"
gifsicle -O3 "${2%.gif}.raw.gif" -o "$2"
"""


def psnr(path: Path, drawn: Path) -> float:
    """The PSNR in dB over all frames in RGB; infinite if they are equal."""
    graph = "[0:v]fps=25,format=gbrp[a];[1:v]fps=25,format=gbrp[b];[a][b]psnr"
    command = ["ffmpeg", "-nostats", "-i", path, "-i", drawn, "-lavfi", graph, "-f", "null", "-"]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return float(re.search(r"average:(\S+)", result.stderr)[1])


def frame_count(path: Path) -> int:
    text = output_of(
        "ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", path
    )
    return int(text)


def row(loader: str, folder: Path, runs: int) -> dict:
    """Sizes, frames, PSNR and median times of one loader's GIFs, which show the same frames."""
    drawn = folder / "drawn.mov"
    pair = folder / "pair.gif"
    own = {kind: folder / f"{kind}.gif" for kind in ("cfr", "vfr")}
    encode = [str(LOADERVID), "encode", loader, *CLIP, "--force", "-o"]
    measure.run([*encode, str(drawn), "--codec", "png", "--pixel-format", "rgb24"], drawn)
    seconds = {"ours": [], "pair": []}
    for _ in range(runs):
        seconds["ours"].append(measure.run([*encode, str(own["cfr"])], own["cfr"]))
        seconds["pair"].append(measure.run(["bash", "-c", PAIR, "pair", str(drawn), str(pair)], pair))
    measure.run([*encode, str(own["vfr"]), "--static", "vfr"], own["vfr"])
    files = own | {"pair": pair}
    return {
        "loader": loader,
        "bytes": {name: path.stat().st_size for name, path in files.items()},
        "frames": {name: frame_count(path) for name, path in files.items()},
        "psnr": {"ours": psnr(own["cfr"], drawn), "pair": psnr(pair, drawn)},
        "seconds": {name: measure.spread(values)[1] for name, values in seconds.items()},
    }


def measure_all(folder: Path, runs: int) -> list[dict]:
    return [row(loader, folder, runs) for loader in LOADERS]
