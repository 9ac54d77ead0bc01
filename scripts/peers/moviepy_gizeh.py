"""Draws the three balls with gizeh; MoviePy pipes the frames into the ffmpeg command."""

import os

# Without this, MoviePy uses its own build of ffmpeg instead of the one of the other programs.
os.environ.setdefault("FFMPEG_BINARY", "ffmpeg")

import gizeh  # noqa: E402
from moviepy import VideoClip  # noqa: E402

from balls import FRAME_RATE, OPACITY, Clip  # noqa: E402

clip = Clip.from_arguments()


def frame(time):
    surface = gizeh.Surface(clip.width, clip.height, bg_color=(1, 1, 1))
    for x, y, color in clip.balls(round(time * FRAME_RATE)):
        gizeh.circle(r=clip.radius, xy=(x, y), fill=(*color, OPACITY)).draw(surface)
    return surface.get_npimage()


VideoClip(frame, duration=clip.frames / FRAME_RATE).write_videofile(
    clip.output, fps=FRAME_RATE, codec="libx264", preset="medium", audio=False, logger=None,
    ffmpeg_params=[
        "-crf", "18", "-g", "120", "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ],
)  # fmt: skip
