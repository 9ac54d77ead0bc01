"""The clip that the Python peers draw: where the three balls are in each frame, in pixels.

Every peer is called as `PEER WIDTH HEIGHT FRAMES CYCLE OUTPUT`, where CYCLE is the number of frames in which the balls
come back to where they were: 432/5 at exactly 60 frames a second, 86 in a seamless clip.
"""

import sys

FRAME_RATE = 60
STAGE_WIDTH, STAGE_HEIGHT = 120, 60
RADIUS = 6.5
OFFSET = 30
OPACITY = 0.8

# Red, yellow, green.
COLORS = [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
FIRST_STAGES = [1, 5, 3]
# Each of a ball's six stages: where it begins and which way it goes, in offsets from the centre.
STAGES = [(0, -1), (-1, +1), (0, +1), (+1, -1), (0, 0), (0, 0)]
# The balls from back to front, for each two phases.
DEPTHS = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]


class Clip:
    """A clip's size, length and motion; `scale` is in pixels per point of the stage."""

    def __init__(self, width: int, height: int, frames: int, cycle: str, output: str):
        self.width, self.height, self.frames, self.output = width, height, frames, output
        numerator, _, denominator = cycle.partition("/")
        self.cycle = int(numerator), int(denominator or 1)
        self.scale = min(width / STAGE_WIDTH, height / STAGE_HEIGHT)
        self.radius = RADIUS * self.scale

    @classmethod
    def from_arguments(cls) -> "Clip":
        width, height, frames, cycle, output = sys.argv[1:]
        return cls(int(width), int(height), int(frames), cycle, output)

    def balls(self, frame: int) -> list[tuple[float, float, tuple[float, float, float]]]:
        """The balls in a frame, from back to front: centre x and y in pixels, and colour."""
        numerator, denominator = self.cycle
        # In whole numbers, so that a frame on a phase's boundary falls into the right phase.
        phase, rest = divmod(6 * denominator * frame, numerator)
        phase, fraction = phase % 6, rest / numerator
        result = []
        for ball in DEPTHS[phase // 2]:
            begin, direction = STAGES[(FIRST_STAGES[ball] + phase) % 6]
            x = self.width / 2 + OFFSET * self.scale * (begin + direction * fraction)
            result.append((x, self.height / 2, COLORS[ball]))
        return result


def ffmpeg(clip: Clip, pixel_format: str) -> list[str]:
    """The command that encodes raw frames from its standard input."""
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
