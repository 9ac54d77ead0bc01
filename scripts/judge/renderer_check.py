"""Checks that Skia draws the designs as `loadervid still` does, before the recordings are used."""
import io
import os
import subprocess

import numpy as np
from PIL import Image

import lottie
from designs import ALL
from scene import Bitmap, color4f, draw

SCALE = 4
INSTANTS = 9
# The minimum foreground PSNR in dB. Of oneloading's line, which is two points wide, a fifth are
# edge pixels, where two renderers differ by up to a third of the colour.
LIMIT = 24.0


def still(program, loader, time):
    command = [program, "still", loader, "--scale", str(SCALE), "--at", f"{time:.4f}", "-o", "-"]
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode().strip()}")
    return np.asarray(Image.open(io.BytesIO(done.stdout)).convert("RGB"), dtype=float)


def skia_still(design, time):
    bitmap = Bitmap(design.size[0] * SCALE, design.size[1] * SCALE)
    bitmap.clear(design.background)
    bitmap.canvas.scale(SCALE, SCALE)
    for item in design.items(time, {}):
        draw(bitmap.canvas, item)
    return bitmap.pixels[:, :, :3].astype(float)


def foreground_psnr(one, other, background):
    """The PSNR in dB over the pixels where an image differs from the background; at most 99."""
    plain = np.array([round(255 * value) for value in (background.fR, background.fG, background.fB)])
    drawn = (np.abs(one - plain).max(axis=2) > 8) | (np.abs(other - plain).max(axis=2) > 8)
    if not drawn.any():
        return 99.0
    error = np.mean((one[drawn] - other[drawn]) ** 2)
    return 99.0 if error == 0 else min(99.0, 10 * np.log10(255 ** 2 / error))


def worst(program, design, folder):
    """The lowest foreground PSNR in dB at several times of a cycle, and its time."""
    loader = design.name
    if design.file:
        loader = os.path.join(folder, f"{design.name}.json")
        lottie.write(design.file, design.values, loader)
    # The times are between frames and not at the boundaries of phases.
    times = [design.period * (index + 0.37) / INSTANTS for index in range(INSTANTS)]
    plain = color4f(design.background)
    return min((foreground_psnr(still(program, loader, time), skia_still(design, time), plain), time)
               for time in times)


def check(program, folder):
    """Prints the PSNR of each design; True if all reach the limit."""
    is_right = True
    for design in ALL.values():
        psnr, time = worst(program, design, folder)
        print(f"{design.name:12} {psnr:5.1f} dB at {time:.3f} s", flush=True)
        is_right = is_right and psnr >= LIMIT
    return is_right
