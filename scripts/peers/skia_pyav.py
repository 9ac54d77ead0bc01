"""Draws the three balls with skia-python and encodes them in the same process with PyAV."""

import av
import numpy
import skia
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc

from balls import FRAME_RATE, OPACITY, Clip

clip = Clip.from_arguments()
pixels = numpy.zeros((clip.height, clip.width, 4), dtype=numpy.uint8)
canvas = skia.Surface(pixels, colorType=skia.kRGBA_8888_ColorType).getCanvas()
# The frame shares the surface's pixels, so nothing is copied before the conversion.
rgba = av.VideoFrame.from_numpy_buffer(pixels, format="rgba")

with av.open(clip.output, "w") as container:
    stream = container.add_stream("libx264", rate=FRAME_RATE, options={"preset": "medium", "crf": "18"})
    stream.width = clip.width
    stream.height = clip.height
    stream.pix_fmt = "yuv420p"
    stream.gop_size = 120
    stream.thread_type = "AUTO"
    context = stream.codec_context
    context.colorspace = Colorspace.ITU709
    context.color_range = ColorRange.MPEG
    context.color_primaries = ColorPrimaries.BT709
    context.color_trc = ColorTrc.BT709
    for index in range(clip.frames):
        canvas.clear(skia.ColorWHITE)
        for x, y, color in clip.balls(index):
            paint = skia.Paint(Color=skia.Color4f(*color, OPACITY).toColor(), AntiAlias=True)
            canvas.drawCircle(x, y, clip.radius, paint)
        frame = rgba.reformat(format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG)
        frame.pts = index
        container.mux(stream.encode(frame))
    container.mux(stream.encode())
