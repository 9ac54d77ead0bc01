"""Renders a Manim scene to H.264 with the Cairo renderer and the common encoder settings."""

import shutil
import tempfile
from pathlib import Path

from manim import tempconfig


def render(scene_class, output: str, **settings) -> None:
    """Renders a scene to a file; `settings` are Manim's for the frames."""
    with tempfile.TemporaryDirectory() as media:
        common = {
            "renderer": "cairo", "format": "mp4", "media_dir": media, "output_file": "film", "disable_caching": True,
            "progress_bar": "none", "verbosity": "ERROR",
            "video_encoder_options": {"preset": "medium", "crf": "18", "g": "120", "thread_type": "frame"},
        }  # fmt: skip
        with tempconfig(common | settings):
            scene = scene_class()
            scene.render()
            shutil.move(Path(scene.renderer.file_writer.movie_file_path), output)
