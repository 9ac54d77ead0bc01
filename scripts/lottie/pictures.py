"""Pictures as arrays, and how far two of them are apart."""

from math import inf
from pathlib import Path

import numpy
from PIL import Image, ImageDraw

# A pixel is wrong if a channel is off by more than this, over white or over black.
MOST_OFF = 32
# A picture is right if at most this share of its pixels is wrong.
MOST_WRONG = 0.01
WHITE, BLACK = 255.0, 0.0


def load(path: Path, is_premultiplied: bool = False) -> numpy.ndarray:
    """Red, green, blue and alpha of a file, 0...255, premultiplied."""
    picture = numpy.asarray(Image.open(path).convert("RGBA")).astype(numpy.float32)
    if not is_premultiplied:
        picture[:, :, :3] *= picture[:, :, 3:] / 255
    return picture


def over(picture: numpy.ndarray, background: float) -> numpy.ndarray:
    """Red, green and blue of a picture on a grey."""
    return picture[:, :, :3] + background * (1 - picture[:, :, 3:] / 255)


def wrong(picture: numpy.ndarray, reference: numpy.ndarray) -> float:
    """The share of pixels that are wrong, the larger of those over white and over black."""
    if picture.shape != reference.shape:
        return 1.0
    off = [numpy.abs(over(picture, tone) - over(reference, tone)).max(axis=2) for tone in (WHITE, BLACK)]
    return max(float((difference.round() > MOST_OFF).mean()) for difference in off)


def psnr(picture: numpy.ndarray, reference: numpy.ndarray) -> float:
    """How alike two pictures are, in dB: over white or over black, where they are less alike."""
    if picture.shape != reference.shape:
        return 0.0
    errors = [float(((over(picture, tone) - over(reference, tone)) ** 2).mean()) for tone in (WHITE, BLACK)]
    return 10 * float(numpy.log10(255**2 / max(errors))) if max(errors) > 0 else inf


def sheet(columns: list[tuple[str, list[numpy.ndarray] | None]], side: int) -> Image.Image:
    """Pictures over squares of grey beside each other, a row for each frame, with the columns' names above. A column
    without pictures stays empty."""
    rows = max(len(pictures) for _, pictures in columns if pictures)
    first = next(pictures[0] for _, pictures in columns if pictures)
    height, width = first.shape[:2]
    # Small pictures are enlarged by a whole number, so that their pixels stay what they are.
    scale = max(1, side // max(width, height)) if max(width, height) <= side else side / max(width, height)
    cell = (max(1, round(width * scale)), max(1, round(height * scale)))
    gap, head = 6, 18
    total = (gap + len(columns) * (cell[0] + gap), head + rows * (cell[1] + gap))
    result = Image.new("RGB", total, (128, 128, 128))
    draw = ImageDraw.Draw(result)
    for column, (title, pictures) in enumerate(columns):
        left = gap + column * (cell[0] + gap)
        draw.text((left, 3), title, fill="white")
        for row, picture in enumerate(pictures or []):
            image = Image.fromarray(straight(picture))
            filter = Image.Resampling.NEAREST if scale >= 1 else Image.Resampling.LANCZOS
            image = Image.alpha_composite(squares(cell), image.resize(cell, filter))
            result.paste(image, (left, head + row * (cell[1] + gap)))
    return result


def straight(picture: numpy.ndarray) -> numpy.ndarray:
    """A premultiplied picture as bytes that are not."""
    color = picture[:, :, :3] * 255 / numpy.maximum(picture[:, :, 3:], 1)
    return numpy.dstack([color, picture[:, :, 3]]).clip(0, 255).round().astype(numpy.uint8)


def squares(size: tuple[int, int]) -> Image.Image:
    """Squares of two greys, on which black and white are seen."""
    down, across = numpy.indices((size[1], size[0])) // 12
    tone = numpy.where((down + across) % 2, 205, 165).astype(numpy.uint8)
    return Image.fromarray(tone).convert("RGBA")


def differences(some: list[numpy.ndarray], others: list[numpy.ndarray]) -> list[numpy.ndarray]:
    """What differs over white or over black, dark on white, twice as strong as it is."""
    result = []
    for picture, other in zip(some, others):
        if picture.shape != other.shape:
            return [numpy.zeros_like(other) for other in others]
        off = [numpy.abs(over(picture, tone) - over(other, tone)) for tone in (WHITE, BLACK)]
        tone = (255 - 2 * numpy.maximum(*off)).clip(0, 255)
        result.append(numpy.dstack([tone, numpy.full(tone.shape[:2], 255.0)]).astype(numpy.float32))
    return result
