"""A recording: when each frame shows what, on which screen, and how it is encoded."""
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

# A clock that divides by 24, 25, 30 and 60.
CLOCK = 90_000
# Every encoder runs with one thread, so that the same recording is made by any machine.
CODECS = {
    "h264": ("libx264", {"preset": "veryfast", "threads": "1"}),
    "hevc": ("libx265", {"preset": "ultrafast", "x265-params": "pools=1:frame-threads=1:log-level=error"}),
    "vp9": ("libvpx-vp9", {"cpu-used": "8", "b": "0", "threads": "1"}),
}


@dataclass
class Frame:
    """A frame of a recording: its time and the model time that it shows, in seconds; None if it is blank."""
    time: float
    model: float | None


@dataclass
class Screen:
    """What surrounds the loader: pixels of the recording, the canvas's corner in them, and what else is drawn."""
    width: int
    height: int
    x: float = 0.0
    y: float = 0.0
    clutter: list = field(default_factory=list)


@dataclass
class Encoding:
    """How a recording is written. `noise` is the standard deviation in codes."""
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
    """All that determines a recording's pixels. `edits` change the list of items of a frame."""
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
    """The frames as RGB arrays, one after another."""
    design, screen = recording.design, recording.screen
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
    # The canvas ends where it does in an app whose view clips what it draws.
    canvas.clipRect((0, 0, width, height))
    canvas.translate(width / 2 + recording.shifted[0], height / 2 + recording.shifted[1])
    canvas.scale(recording.enlarged, recording.enlarged)
    canvas.translate(-width / 2, -height / 2)
    for item in items:
        draw(canvas, item, recording.smooth)
    canvas.restore()


def write(recording, path):
    """Writes a recording, unless it is there."""
    if os.path.exists(path):
        return
    part = f"{path}.part.{recording.encoding.suffix}"
    if recording.encoding.kind == "gif":
        write_gif(recording, part)
    else:
        write_video(recording, part)
    os.replace(part, path)


def write_gif(recording, path):
    """A GIF by Pillow, which knows delays of whole hundredths of a second."""
    pictures = [Image.fromarray(image).quantize(256, dither=Image.Dither.NONE) for image in images(recording)]
    times = [frame.time for frame in recording.frames]
    delays = [round(1000 * (after - before)) for before, after in zip(times, times[1:])]
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=delays + delays[-1:], loop=0)


def write_video(recording, path):
    encode(path, recording.encoding, zip((frame.time for frame in recording.frames), images(recording)))


def encode(path, encoding, images):
    """Writes a video of an iterator of pairs of seconds and RGB arrays."""
    name, options = CODECS[encoding.kind]
    matrix = Colorspace.ITU709 if encoding.matrix == "bt709" else Colorspace.ITU601
    limits = ColorRange.JPEG if encoding.full_range else ColorRange.MPEG
    first = next(images)
    with av.open(path, "w") as container:
        stream = container.add_stream(name, rate=60, options={**options, "crf": str(encoding.crf)})
        stream.height, stream.width = first[1].shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, CLOCK)
        tag(stream.codec_context, encoding.matrix, limits)
        for time, image in chain([first], images):
            picture = av.VideoFrame.from_ndarray(image, format="rgb24")
            picture = picture.reformat(format="yuv420p", dst_colorspace=matrix, dst_color_range=limits)
            picture.pts, picture.time_base = round(time * CLOCK), Fraction(1, CLOCK)
            container.mux(stream.encode(picture))
        container.mux(stream.encode())


def tag(context, matrix, limits):
    context.color_range = limits
    if matrix == "bt709":
        context.colorspace = Colorspace.ITU709
        context.color_primaries, context.color_trc = ColorPrimaries.BT709, ColorTrc.BT709
    else:
        context.colorspace = Colorspace.ITU601
        context.color_primaries, context.color_trc = ColorPrimaries.SMPTE170M, ColorTrc.SMPTE170M
