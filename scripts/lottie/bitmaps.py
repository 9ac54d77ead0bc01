"""Bitmaps as arrays of premultiplied RGBA, and measures of how much two of them differ."""

from math import inf
from pathlib import Path

import numpy
from PIL import Image, ImageDraw

# A pixel is wrong if a channel differs by more than this, over white or over black.
MAX_CHANNEL_DIFFERENCE = 32
# An image is right if at most this share of its pixels is wrong.
MAX_WRONG_SHARE = 0.01
WHITE = 255.0
BLACK = 0.0


def load(path: Path, is_premultiplied: bool = False) -> numpy.ndarray:
    """Loads an image file as premultiplied RGBA from 0 to 255."""
    bitmap = numpy.asarray(Image.open(path).convert("RGBA")).astype(numpy.float32)
    if not is_premultiplied:
        bitmap[:, :, :3] *= bitmap[:, :, 3:] / 255
    return bitmap


def over(bitmap: numpy.ndarray, background: float) -> numpy.ndarray:
    """RGB of a bitmap composited over a grey."""
    return bitmap[:, :, :3] + background * (1 - bitmap[:, :, 3:] / 255)


def wrong_share(bitmap: numpy.ndarray, reference: numpy.ndarray) -> float:
    """The share of wrong pixels, over white or over black, whichever is larger."""
    if bitmap.shape != reference.shape:
        return 1.0
    differences = [numpy.abs(over(bitmap, tone) - over(reference, tone)).max(axis=2) for tone in (WHITE, BLACK)]
    return max(float((difference.round() > MAX_CHANNEL_DIFFERENCE).mean()) for difference in differences)


def psnr(bitmap: numpy.ndarray, reference: numpy.ndarray) -> float:
    """The PSNR in dB over white or over black, whichever is lower; 0 if the sizes differ."""
    if bitmap.shape != reference.shape:
        return 0.0
    errors = [float(((over(bitmap, tone) - over(reference, tone)) ** 2).mean()) for tone in (WHITE, BLACK)]
    return 10 * float(numpy.log10(255**2 / max(errors))) if max(errors) > 0 else inf


def sheet(columns: list[tuple[str, list[numpy.ndarray] | None]], side: int) -> Image.Image:
    """A contact sheet over a checkerboard, with a titled column per player and a row per frame.

    A column without bitmaps stays empty. `side` is the longer side of a cell in pixels.
    """
    rows = max(len(bitmaps) for _, bitmaps in columns if bitmaps)
    first = next(bitmaps[0] for _, bitmaps in columns if bitmaps)
    height, width = first.shape[:2]
    # Small bitmaps are enlarged by a whole number, which keeps their pixels sharp.
    scale = max(1, side // max(width, height)) if max(width, height) <= side else side / max(width, height)
    cell = (max(1, round(width * scale)), max(1, round(height * scale)))
    gap = 6
    head = 18
    total = (gap + len(columns) * (cell[0] + gap), head + rows * (cell[1] + gap))
    result = Image.new("RGB", total, (128, 128, 128))
    draw = ImageDraw.Draw(result)
    for column, (title, bitmaps) in enumerate(columns):
        left = gap + column * (cell[0] + gap)
        draw.text((left, 3), title, fill="white")
        for row, bitmap in enumerate(bitmaps or []):
            image = Image.fromarray(straight_alpha(bitmap))
            filter = Image.Resampling.NEAREST if scale >= 1 else Image.Resampling.LANCZOS
            image = Image.alpha_composite(checkerboard(cell), image.resize(cell, filter))
            result.paste(image, (left, head + row * (cell[1] + gap)))
    return result


def straight_alpha(bitmap: numpy.ndarray) -> numpy.ndarray:
    """A premultiplied bitmap as 8-bit RGBA with straight alpha."""
    color = bitmap[:, :, :3] * 255 / numpy.maximum(bitmap[:, :, 3:], 1)
    return numpy.dstack([color, bitmap[:, :, 3]]).clip(0, 255).round().astype(numpy.uint8)


def checkerboard(size: tuple[int, int]) -> Image.Image:
    """A checkerboard of two greys, on which both black and white are visible."""
    down, across = numpy.indices((size[1], size[0])) // 12
    tone = numpy.where((down + across) % 2, 205, 165).astype(numpy.uint8)
    return Image.fromarray(tone).convert("RGBA")


def differences(bitmaps: list[numpy.ndarray], references: list[numpy.ndarray]) -> list[numpy.ndarray]:
    """Images of the differences, dark on white and multiplied by 2.

    A channel shows the larger of its differences over white and over black.
    """
    result = []
    for bitmap, reference in zip(bitmaps, references):
        if bitmap.shape != reference.shape:
            return [numpy.zeros_like(reference) for reference in references]
        on_white, on_black = (numpy.abs(over(bitmap, tone) - over(reference, tone)) for tone in (WHITE, BLACK))
        tone = (255 - 2 * numpy.maximum(on_white, on_black)).clip(0, 255)
        result.append(numpy.dstack([tone, numpy.full(tone.shape[:2], 255.0)]).astype(numpy.float32))
    return result
