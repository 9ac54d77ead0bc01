"""The balls by Manim Community's Cairo renderer, one point of the stage being one of its units."""

import shutil
import tempfile
from pathlib import Path

from manim import WHITE, Circle, ManimColor, Scene, UpdateFromAlphaFunc, VGroup, linear, tempconfig

from balls import COLORS, FRAME_RATE, OPACITY, RADIUS, Clip

clip = Clip.from_arguments()


class Balls(Scene):
    def construct(self):
        discs = {
            color: Circle(RADIUS, fill_color=ManimColor(color), fill_opacity=OPACITY, stroke_width=0)
            for color in COLORS
        }

        def place(_, alpha):
            for depth, (x, _, color) in enumerate(clip.balls(round(alpha * clip.frames))):
                discs[color].set_x((x - clip.width / 2) / clip.scale).set_z_index(depth)

        group = VGroup(*discs.values())
        self.play(UpdateFromAlphaFunc(group, place, run_time=clip.frames / FRAME_RATE, rate_func=linear))


with tempfile.TemporaryDirectory() as media:
    settings = {
        "renderer": "cairo", "format": "mp4", "media_dir": media, "output_file": "balls", "disable_caching": True,
        "pixel_width": clip.width, "pixel_height": clip.height, "frame_rate": FRAME_RATE,
        "frame_width": clip.width / clip.scale, "frame_height": clip.height / clip.scale,
        "background_color": WHITE, "progress_bar": "none", "verbosity": "ERROR",
        "video_encoder_options": {"preset": "medium", "crf": "18", "g": "120", "thread_type": "frame"},
    }  # fmt: skip
    with tempconfig(settings):
        scene = Balls()
        scene.render()
        shutil.move(Path(scene.renderer.file_writer.movie_file_path), clip.output)
