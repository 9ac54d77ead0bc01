"""The designs that the recordings show, with name, size, period and drawing function."""
from collections.abc import Callable
from dataclasses import dataclass

import album
import arcs
import balls
import jelly
import lottie
import lottie_more
import spots


@dataclass(frozen=True)
class Design:
    """A loader as Skia draws it, independently of loadervid.

    `draw` is a function of model time and parameters that returns items, `values` has the default
    parameters, `phases` the durations of the phases. `file` makes the contents of the design's
    Lottie file from the parameters; it is None for a built-in loader.
    """
    name: str
    size: tuple[int, int]
    period: float
    background: str
    draw: Callable
    values: dict
    phases: list[float]
    file: Callable | None = None

    def items(self, time, changes):
        """The items from back to front at a model time in seconds, with some parameters changed."""
        return self.draw(time, {**self.values, **changes})


WHITE = "#ffffff"
ALL = {design.name: design for design in [
    Design("qq-mail", (120, 60), 1.44, WHITE, balls.qq_mail, balls.BALLS, [.24] * 6),
    Design("qq", (240, 240), 2.88, WHITE, balls.qq, balls.BALLS | balls.DROP, [.24] * 12),
    Design("iqiyi", (120, 120), 1.2, WHITE, arcs.iqiyi, arcs.IQIYI, [.6, .6]),
    Design("preloader", (250, 250), 3.6, "#2f2e33", spots.preloader, spots.PRELOADER, [.9, .936, .864, .9]),
    Design("qq-pull", (120, 140), 2.88, WHITE, balls.qq_pull, balls.DROP, [.36, 1.08, .36, .54, .54]),
    Design("oneloading", (120, 120), 2.0, WHITE, arcs.oneloading, arcs.ONELOADING, [2.0]),
    Design("jelly", (320, 280), 6.0, WHITE, jelly.jelly, jelly.JELLY, [.3, 1.2, .3, 3.0, 1.2]),
    Design("douyin", (160, 180), 3.0, "#161823", album.douyin, album.DOUYIN, [1.0, 1.0, 1.0]),
    Design("dot", (200, 100), 1.6, WHITE, lottie.dot, lottie.DOT, [1.6], lottie.dot_file),
    Design("ring", (100, 100), 1.8, WHITE, lottie.ring, lottie.RING, [1.8], lottie.ring_file),
    Design("pulse", (100, 100), 1.4, WHITE, lottie.pulse, lottie.PULSE, [1.4], lottie.pulse_file),
    Design("wave", (160, 100), 1.5, WHITE, lottie.wave, lottie.WAVE, [1.5], lottie.wave_file),
    Design("orbit", (120, 120), 1.2, WHITE, lottie.orbit, lottie.ORBIT, [1.2], lottie.orbit_file),
    Design("spinner", (80, 80), 1.2, WHITE, lottie_more.spinner, lottie_more.SPINNER, [1.2], lottie_more.spinner_file),
    Design("ripple", (100, 100), 2.1, WHITE, lottie_more.ripple, lottie_more.RIPPLE, [2.1], lottie_more.ripple_file),
    Design("slide", (160, 100), 1.6, WHITE, lottie_more.slide, lottie_more.SLIDE, [1.6], lottie_more.slide_file),
]}
BUILT_IN = [name for name, design in ALL.items() if design.file is None]
