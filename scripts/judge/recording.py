"""Recordings: the times of the frames, the screen around the loader, and the encoding."""
import os
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain

import av
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc
from PIL import Image

from designs import Design
from scene import Bitmap, draw

# The time base's denominator, a multiple of 24, 25, 30 and 60.
CLOCK = 90_000
# Every encoder runs with one thread, so recordings do not depend on the number of cores.
CODECS = {
    "h264": ("libx264", {"preset": "veryfast", "threads": "1"}),
    "hevc": ("libx265", {"preset": "ultrafast", "x265-params": "pools=1:frame-threads=1:log-level=error"}),
    "vp9": ("libvpx-vp9", {"cpu-used": "8", "b": "0", "threads": "1"}),
}


@dataclass
class Frame:
    """A frame's time in the recording and the model time that it shows, in seconds.

    The model time of a blank frame is None.
    """
    time: float
    model: float | None


@dataclass
class Screen:
    """The recorded screen: its size, the canvas's upper left corner, and the other content.

    Sizes are in pixels of the recording. `clutter` has the functions that draw the other content.
    """
    width: int
    height: int
    x: float = 0.0
    y: float = 0.0
    clutter: list = field(default_factory=list)


@dataclass
class Encoding:
    """A recording's codec and settings. `noise` is its standard deviation in 8-bit values."""
    kind: str = "h264"
    crf: int = 20
    matrix: str = "bt709"
    full_range: bool = False
    noise: float = 0.0

    @property
    def suffix(self):
        return {"gif": "gif", "vp9": "webm"}.get(self.kind, "mp4")


@dataclass
class Recording:
    """Everything that determines a recording's pixels.

    `Fault` describes the fields that change the design.
    """
    design: Design
    frames: list[Frame]
    scale: float
    screen: Screen
    changes: dict = field(default_factory=dict)
    edits: list = field(default_factory=list)
    enlarged: float = 1.0
    shifted: tuple[float, float] = (0.0, 0.0)
    encoding: Encoding = field(default_factory=Encoding)
    background: str | None = None
    smooth: bool = True


def images(recording):
    """Yields the frames as RGB arrays."""
    design = recording.design
    screen = recording.screen
    bitmap = Bitmap(screen.width, screen.height)
    generator = np.random.default_rng(1)
    for frame in recording.frames:
        bitmap.clear(recording.background or design.background)
        if frame.model is not None:
            draw_design(bitmap.canvas, recording, frame)
        for clutter in screen.clutter:
            clutter(bitmap.canvas, frame.time, screen)
        pixels = bitmap.pixels[:, :, :3]
        if recording.encoding.noise:
            noise = generator.normal(0, recording.encoding.noise, pixels.shape)
            pixels = np.clip(pixels + noise, 0, 255).astype(np.uint8)
        yield np.ascontiguousarray(pixels)


def draw_design(canvas, recording, frame):
    design = recording.design
    items = design.items(frame.model, recording.changes)
    for edit in recording.edits:
        items = edit(items, frame, design, recording.changes)
    width, height = design.size
    canvas.save()
    canvas.translate(recording.screen.x, recording.screen.y)
    canvas.scale(recording.scale, recording.scale)
    # An app's view clips its content to the canvas.
    canvas.clipRect((0, 0, width, height))
    canvas.translate(width / 2 + recording.shifted[0], height / 2 + recording.shifted[1])
    canvas.scale(recording.enlarged, recording.enlarged)
    canvas.translate(-width / 2, -height / 2)
    for item in items:
        draw(canvas, item, recording.smooth)
    canvas.restore()


def write(recording, path):
    """Writes a recording unless the file exists."""
    if os.path.exists(path):
        return
    part = f"{path}.part.{recording.encoding.suffix}"
    if recording.encoding.kind == "gif":
        write_gif(recording, part)
    else:
        write_video(recording, part)
    os.replace(part, path)


def write_gif(recording, path):
    """Writes a GIF with Pillow. GIF delays are whole hundredths of a second."""
    frames = [Image.fromarray(image).quantize(256, dither=Image.Dither.NONE) for image in images(recording)]
    times = [frame.time for frame in recording.frames]
    delays = [round(1000 * (after - before)) for before, after in zip(times, times[1:])]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=delays + delays[-1:], loop=0)


def write_video(recording, path):
    encode(path, recording.encoding, zip((frame.time for frame in recording.frames), images(recording)))


def encode(path, encoding, images):
    """Writes a video from an iterator of (seconds, RGB array) pairs."""
    name, options = CODECS[encoding.kind]
    matrix = Colorspace.ITU709 if encoding.matrix == "bt709" else Colorspace.ITU601
    color_range = ColorRange.JPEG if encoding.full_range else ColorRange.MPEG
    first = next(images)
    with av.open(path, "w") as container:
        stream = container.add_stream(name, rate=60, options={**options, "crf": str(encoding.crf)})
        stream.height, stream.width = first[1].shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, CLOCK)
        tag(stream.codec_context, encoding.matrix, color_range)
        for time, image in chain([first], images):
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            frame = frame.reformat(format="yuv420p", dst_colorspace=matrix, dst_color_range=color_range)
            frame.pts = round(time * CLOCK)
            frame.time_base = Fraction(1, CLOCK)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def tag(context, matrix, color_range):
    """Sets the stream's colour tags."""
    context.color_range = color_range
    if matrix == "bt709":
        context.colorspace = Colorspace.ITU709
        context.color_primaries = ColorPrimaries.BT709
        context.color_trc = ColorTrc.BT709
    else:
        context.colorspace = Colorspace.ITU601
        context.color_primaries = ColorPrimaries.SMPTE170M
        context.color_trc = ColorTrc.SMPTE170M
