"""Renders the three balls with Manim Community's Cairo renderer, in which a unit is a point."""

from manim import WHITE, Circle, ManimColor, Scene, UpdateFromAlphaFunc, VGroup, linear

from balls import COLORS, FRAME_RATE, OPACITY, RADIUS, Clip
from manim_video import render

clip = Clip.from_arguments()


class Balls(Scene):
    def construct(self):
        discs = {
            color: Circle(RADIUS, fill_color=ManimColor(color), fill_opacity=OPACITY, stroke_width=0)
            for color in COLORS
        }

        def update(_, alpha):
            for depth, (x, _, color) in enumerate(clip.balls(round(alpha * clip.frames))):
                discs[color].set_x((x - clip.width / 2) / clip.scale).set_z_index(depth)

        group = VGroup(*discs.values())
        self.play(UpdateFromAlphaFunc(group, update, run_time=clip.frames / FRAME_RATE, rate_func=linear))


render(
    Balls, clip.output, pixel_width=clip.width, pixel_height=clip.height, frame_rate=FRAME_RATE,
    frame_width=clip.width / clip.scale, frame_height=clip.height / clip.scale, background_color=WHITE,
)  # fmt: skip
