"""Compares loadervid's animated AVIF and WebP files with those of avifenc, img2webp and ffmpeg."""

import subprocess
from pathlib import Path

import measure
from gif import LOADERS, psnr
from programs import LOADERVID, output_of

CLIP = ["--size", "240x240", "--fps", "25", "--progress", "none"]

# The other programs use loadervid's default settings: crf 20 and cpu-used 6 of libaom in 4:4:4, and
# lossless WebP at effort 4. avifenc is told to use two threads.
AVIF = {
    "avifenc": 'avifenc -s 6 --min 0 --max 63 -a end-usage=q -a cq-level=20 --cicp 1/13/1 -j 2 "$1.y4m" "$2"',
    "ffmpeg": (
        'ffmpeg -v error -y -i "$1.y4m" -c:v libaom-av1 -crf 20 -b:v 0 -cpu-used 6 -row-mt 1'
        ' -pix_fmt yuv444p -colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -color_range tv "$2"'
    ),
}
WEBP = {
    "img2webp": 'img2webp -loop 0 -d 40 -lossless -m 4 "$1"/*.png -o "$2" >/dev/null 2>&1',
    "ffmpeg": (
        'ffmpeg -v error -y -framerate 25 -i "$1/%04d.png" -c:v libwebp_anim -lossless 1'
        ' -compression_level 4 -loop 0 "$2"'
    ),
}


def versions() -> dict[str, str]:
    avifenc = output_of("avifenc", "--version").splitlines()[0]
    return {"avifenc": avifenc, "img2webp": output_of("img2webp", "-version").splitlines()[0]}


def row(loader: str, kind: str, others: dict[str, str], folder: Path, runs: int) -> dict:
    """Sizes, PSNR and median times of one loader's files."""
    frames = folder / loader
    drawn = folder / f"{loader}.mov"
    ours = folder / f"ours.{kind}"
    encode = [str(LOADERVID), "encode", loader, *CLIP, "--force", "-o"]
    commands = {"ours": [*encode, str(ours)]}
    files = {"ours": ours}
    for name, script in others.items():
        files[name] = folder / f"{name}.{kind}"
        commands[name] = ["bash", "-c", "set -e; " + script, name, str(frames), str(files[name])]
    seconds = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            seconds[name].append(measure.run(command, files[name]))
    # FFmpeg 5.1 cannot read animated WebP, but all WebP files here are lossless.
    psnr_values = {name: psnr(path, drawn) for name, path in files.items()} if kind == "avif" else {}
    return {
        "loader": loader,
        "bytes": {name: path.stat().st_size for name, path in files.items()},
        "psnr": psnr_values,
        "seconds": {name: measure.spread(values)[1] for name, values in seconds.items()},
    }


def draw(loader: str, folder: Path) -> None:
    """Writes the frames for the other programs as Y4M, as a lossless MOV and as PNG files."""
    encode = [str(LOADERVID), "encode", loader, *CLIP, "--timing", "seamless", "--force"]
    y4m = ["--format", "y4m", "--pixel-format", "yuv444p", "-o", str(folder / f"{loader}.y4m")]
    lossless = ["--codec", "png", "--pixel-format", "rgb24", "-o", str(folder / f"{loader}.mov")]
    for options in (y4m, lossless, ["-o", str(folder / loader / "%04d.png")]):
        subprocess.run([*encode, *options], check=True, capture_output=True)


def measure_all(folder: Path, runs: int) -> dict[str, list[dict]]:
    for loader in LOADERS:
        draw(loader, folder)
    return {
        kind: [row(loader, kind, others, folder, runs) for loader in LOADERS]
        for kind, others in [("avif", AVIF), ("webp", WEBP)]
    }
