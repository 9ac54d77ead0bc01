"""The clip that the Python programs draw: the positions of the three balls in each frame.

Every program is called as `PROGRAM WIDTH HEIGHT FRAMES CYCLE OUTPUT`, where CYCLE is the period in
frames: 432/5 for the loader's exact period at 60 frames per second, 86 in a seamless clip.
"""

import sys

FRAME_RATE = 60
CANVAS_WIDTH = 120
CANVAS_HEIGHT = 60
RADIUS = 6.5
OFFSET = 30
OPACITY = 0.8

# Red, yellow, green.
COLORS = [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
# The step in which each ball is at time 0.
FIRST_STEPS = [1, 5, 3]
# A ball's six steps: its position at the start and its movement, in multiples of OFFSET.
STEPS = [(0, -1), (-1, +1), (0, +1), (+1, -1), (0, 0), (0, 0)]
# The balls from back to front in each pair of phases.
DEPTHS = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]


class Clip:
    """A clip's size, length and motion. `scale` is in pixels per point of the canvas."""

    def __init__(self, width: int, height: int, frames: int, cycle: str, output: str):
        self.width = width
        self.height = height
        self.frames = frames
        self.output = output
        numerator, _, denominator = cycle.partition("/")
        self.cycle = int(numerator), int(denominator or 1)
        self.scale = min(width / CANVAS_WIDTH, height / CANVAS_HEIGHT)
        self.radius = RADIUS * self.scale

    @classmethod
    def from_arguments(cls) -> "Clip":
        width, height, frames, cycle, output = sys.argv[1:]
        return cls(int(width), int(height), int(frames), cycle, output)

    def balls(self, frame: int) -> list[tuple[float, float, tuple[float, float, float]]]:
        """The balls in a frame from back to front: x and y of the centre in pixels, and colour."""
        numerator, denominator = self.cycle
        # Integers put a frame at the boundary of two phases into the right one.
        phase, rest = divmod(6 * denominator * frame, numerator)
        phase = phase % 6
        fraction = rest / numerator
        result = []
        for ball in DEPTHS[phase // 2]:
            begin, direction = STEPS[(FIRST_STEPS[ball] + phase) % 6]
            x = self.width / 2 + OFFSET * self.scale * (begin + direction * fraction)
            result.append((x, self.height / 2, COLORS[ball]))
        return result


def ffmpeg(clip: Clip, pixel_format: str) -> list[str]:
    """The ffmpeg command that encodes raw frames from standard input."""
    return [
        "ffmpeg", "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", pixel_format, "-s", f"{clip.width}x{clip.height}", "-r", str(FRAME_RATE),
        "-i", "-",
        "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", *ENCODER_OPTIONS, clip.output,
    ]  # fmt: skip


ENCODER_OPTIONS = [
    "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-g", "120",
    "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
]  # fmt: skip
