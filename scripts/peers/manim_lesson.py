"""Renders the lesson of presets/tutorials/qq-mail.yaml with Manim Community's Cairo renderer.

The shots, texts and times are those of loadervid's lesson; lesson.py writes them to a storyboard.
Usage: manim_lesson.py STORYBOARD.json OUTPUT
"""

import json
import sys
from pathlib import Path

from manim import (
    BLACK, DOWN, LEFT, RIGHT, UP, Arrow, Axes, Circle, Code, Dot, Line, ManimColor, Rectangle, RoundedRectangle, Scene,
    Table, Text, UpdateFromAlphaFunc, VGroup, linear,
)  # fmt: skip

from balls import COLORS, FIRST_STEPS, OPACITY, RADIUS, STEPS, Clip
from manim_video import render

storyboard = json.loads(Path(sys.argv[1]).read_text())
PERIOD = 1.44
PHASE = 0.24
NAMES = ["red", "yellow", "green"]
DARK = [ManimColor(color) for color in ["#e00000", "#8a8a00", "#008a00"]]
PAPER = ManimColor("#f3f4f7")
TRACK = ManimColor("#d0d3da")
BLUE = ManimColor("#1565c0")
# The height of Manim's frame, and the size of a point of the balls' canvas, in Manim's units.
HEIGHT = 8.0
UNIT = 0.055
# The balls' positions are looked up in a cycle of this many frames, 0.1 ms each.
CYCLE_FRAMES = 14400
clip = Clip(120, 60, CYCLE_FRAMES, str(CYCLE_FRAMES), "")


def balls_at(time: float) -> list[tuple[int, float]]:
    """The balls at a time from back to front: index and distance from the middle in points."""
    balls = clip.balls(round(time % PERIOD / PERIOD * CYCLE_FRAMES) % CYCLE_FRAMES)
    return [(COLORS.index(color), (x - clip.width / 2) / clip.scale) for x, _, color in balls]


def text(words: str, size: float, **options) -> Text:
    return Text(words, font="DejaVu Sans", font_size=size, color=BLACK, **options)


class Lesson(Scene):
    def construct(self):
        for shot in storyboard["shots"]:
            self.clear()
            getattr(self, shot["board"])(shot)

    # Elements of several kinds of shots

    def canvas(self, width: float, x: float) -> None:
        """Adds the canvas and creates the balls."""
        self.middle = x
        self.unit = UNIT * min(1, width / 11)
        frame = Rectangle(
            width=width, height=4.9, stroke_color=TRACK, stroke_width=1, fill_color="#ffffff", fill_opacity=1
        )
        self.add(frame.move_to([x, 0.55, 0]))
        self.discs = [
            Circle(RADIUS * self.unit, fill_color=ManimColor(color), fill_opacity=OPACITY, stroke_width=0)
            for color in COLORS
        ]

    def layout(self, shot: dict, width: float = 12.8, x: float = 0) -> None:
        """Adds the title, the speed, the canvas and the timeline, and creates the playhead."""
        title = text(shot["title"], 24, weight="BOLD")
        self.add(title.move_to([-6.4 + title.width / 2, 3.45, 0]))
        speed = text(f"1/{shot['slow']}×" if shot["slow"] > 1 else "1×", 20, weight="BOLD")
        badge = RoundedRectangle(
            0.15, width=speed.width + 0.3, height=0.42, stroke_width=0, fill_color=TRACK, fill_opacity=1
        )
        self.add(VGroup(badge, speed).move_to([6.4 - badge.width / 2, 3.45, 0]))
        self.canvas(width, x)
        self.add(Line([-6.4, -2.1, 0], [6.4, -2.1, 0], color=TRACK, stroke_width=6))
        self.playhead = Dot(color=BLUE, radius=0.08)

    def position(self, x: float, y: float = 0.55) -> list[float]:
        """The position in the frame of a point at x from the canvas's middle."""
        return [self.middle + x * self.unit, y, 0]

    def move_to(self, time: float) -> None:
        """Moves the balls and the playhead to a model time."""
        for depth, (ball, x) in enumerate(balls_at(time)):
            self.discs[ball].move_to(self.position(x)).set_z_index(depth)
        self.playhead.move_to([-6.4 + 12.8 * (time % PERIOD) / PERIOD, -2.1, 0])

    def play_shot(self, shot: dict, moving: list, update, begin: float = 0, stop: float = 1e9) -> None:
        """Plays a shot with its captions.

        `update` is called with the model time, which starts at `begin` and stops at `stop` seconds
        of the shot.
        """
        group = VGroup(*moving)
        pieces = []
        for cue in storyboard["captions"]:
            if cue["start"] < shot["end"] and cue["end"] > shot["start"]:
                pieces += [(cue["start"], ""), (cue["end"], cue["text"])]
        last = shot["start"]
        for end, words in [*pieces, (shot["end"], "")]:
            if end <= last:
                continue
            caption = text(words, 24, line_spacing=0.8).move_to([0, -3, 0]) if words else None
            if caption:
                self.add(caption)
            start = last

            def advance(_, alpha):
                seconds = (start + alpha * (end - start) - shot["start"]) / storyboard["rate"]
                update(begin + min(seconds, stop) / shot["slow"])

            # Manim plays all frames that begin before the end, so the end is put between frames.
            length = (end - start - 0.5) / storyboard["rate"]
            self.play(UpdateFromAlphaFunc(group, advance, run_time=length, rate_func=linear))
            if caption:
                self.remove(caption)
            last = end

    # Kinds of shots

    def title(self, shot):
        self.canvas(12.8, 0)
        self.add(text(shot["title"], 40, weight="BOLD").move_to([0, 2.4, 0]))
        for ball, x in balls_at(0):
            self.add(self.discs[ball].move_to(self.position(x)))
        self.wait((shot["end"] - shot["start"]) / storyboard["rate"])

    def play_balls(self, shot):
        self.layout(shot)
        self.play_shot(shot, [*self.discs, self.playhead], self.move_to)

    def slow(self, shot):
        self.layout(shot)
        trails = [[Dot(radius=0.03, color=color) for _ in range(24)] for color in DARK]
        arrows = self.arrows()

        def update(time):
            self.move_to(time)
            for ball, dots in enumerate(trails):
                for age, dot in enumerate(dots):
                    x = dict(balls_at(max(0, time - age * 0.01)))[ball]
                    dot.move_to(self.position(x)).set_opacity(1 - age / 24)
            self.update_arrows(arrows, time)

        self.play_shot(shot, [*self.discs, self.playhead, *sum(trails, []), *sum(arrows, [])], update)

    def arrows(self):
        """An arrow and the signs +1, 0 and −1 for each ball."""
        return [
            [Arrow(LEFT * 0.6, RIGHT * 0.6, color=color, buff=0, stroke_width=4), *self.signs(color)] for color in DARK
        ]

    @staticmethod
    def signs(color) -> list:
        return [Text(sign, font="DejaVu Sans", font_size=20, color=color) for sign in ["+1", "0", "−1"]]

    def update_arrows(self, arrows, time: float) -> None:
        """Shows below each ball the arrow and the sign of its direction."""
        phase = int(time % PERIOD / PHASE + 1e-9) % 6
        for ball, x in balls_at(time):
            direction = STEPS[(FIRST_STEPS[ball] + phase) % 6][1]
            y = -0.5 - 0.35 * ball
            arrow, *signs = arrows[ball]
            arrow.move_to(self.position(x, y)).set_opacity(abs(direction))
            if direction and arrow.get_vector()[0] * direction < 0:
                arrow.rotate(3.141592653589793)
            for sign, value in zip(signs, [1, 0, -1]):
                sign.move_to(self.position(x, y) + 0.8 * LEFT * (direction or 0)).set_opacity(value == direction)

    def phase(self, shot):
        self.layout(shot)
        begin = shot["phase"] * PHASE
        for ball, x in balls_at(begin):
            ghost = Circle(RADIUS * self.unit, color=DARK[ball], fill_opacity=0.12, stroke_width=1)
            self.add(ghost.move_to(self.position(x)))
        arrows = self.arrows()
        names = [Text(name, font="DejaVu Sans", font_size=20, color=color) for name, color in zip(NAMES, DARK)]

        def update(time):
            self.move_to(time)
            self.update_arrows(arrows, min(time, begin + PHASE - 1e-6))
            for ball, x in balls_at(time):
                names[ball].move_to(self.position(x, -0.5 - 0.35 * ball) + 1.4 * LEFT)

        moving = [*self.discs, self.playhead, *sum(arrows, []), *names]
        self.play_shot(shot, moving, update, begin, PHASE * shot["slow"])

    def chart(self, shot):
        self.layout(shot, 8.4, -2.2)
        axes = Axes(
            x_range=[0, PERIOD, PHASE], y_range=[-30, 30, 10], x_length=3.6, y_length=3.6,
            axis_config={"color": BLACK},
        )  # fmt: skip
        axes.move_to([4.4, 0.55, 0])
        curve = axes.plot_line_graph(
            [PHASE * k for k in range(7)], [dict(balls_at(PHASE * k))[0] for k in range(7)], line_color=DARK[0],
            add_vertex_dots=False,
        )  # fmt: skip
        self.add(axes, curve)
        playhead = Line(UP, DOWN, color=BLUE).scale(1.8)
        dot = Dot(color=DARK[0], radius=0.07)

        def update(time):
            self.move_to(time)
            playhead.move_to([axes.c2p(time % PERIOD, 0)[0], 0.55, 0])
            dot.move_to(axes.c2p(time % PERIOD, dict(balls_at(time))[0]))

        self.play_shot(shot, [*self.discs, self.playhead, playhead, dot], update)

    def table(self, shot):
        self.layout(shot, 7.6, -2.6)
        cells = [[text(f"{STEPS[k][1]:+d}" if STEPS[k][1] else "0", 24) for k in range(6)]]
        grid = Table(
            [[text(str(k), 20) for k in range(6)], *cells], element_to_mobject=lambda word: word,
            line_config={"color": TRACK, "stroke_width": 1}, h_buff=0.45, v_buff=0.35,
        ).move_to([4.2, 0.8, 0])  # fmt: skip
        self.add(grid)
        dots = [Dot(color=color, radius=0.09) for color in DARK]

        def update(time):
            self.move_to(time)
            phase = int(time % PERIOD / PHASE + 1e-9) % 6
            for ball, dot in enumerate(dots):
                dot.next_to(grid.get_cell((2, (FIRST_STEPS[ball] + phase) % 6 + 1)), DOWN, buff=0.15)

        self.play_shot(shot, [*self.discs, self.playhead, *dots], update)

    def freeze(self, shot):
        self.layout(shot)
        time = 2.75 * PHASE
        for words, ball, side in zip(shot["notes"], range(3), [RIGHT, LEFT, UP]):
            note = text(words, 20)
            box = VGroup(RoundedRectangle(0.1, width=note.width + 0.3, height=0.45, color=BLUE, stroke_width=1.5), note)
            edge = self.position(dict(balls_at(time))[ball]) + RADIUS * self.unit * side
            self.add(box.move_to(edge + side * (0.6 + box.width / 2 * abs(side[0]))))
            self.add(Line(edge, edge + side * 0.6, color=BLUE, stroke_width=1.5))
        self.move_to(time)
        self.add(*self.discs)
        self.play_shot(shot, [self.playhead], lambda _: self.move_to(time))

    def code(self, shot):
        self.layout(shot, 5, -3.9)
        listing = Code(
            code_string=shot["code"], language="swift", formatter_style="default", add_line_numbers=False,
            background="rectangle",
            background_config={"fill_color": "#ffffff", "stroke_color": TRACK, "stroke_width": 1},
            paragraph_config={"font": "DejaVu Sans Mono", "font_size": 20},
        )  # fmt: skip
        listing.move_to([2.7, 0.55, 0])
        lines = listing.code_lines
        highlight = Rectangle(width=listing.width - 0.2, height=0.3, stroke_width=0, fill_color=BLUE, fill_opacity=0.15)
        self.add(listing)

        def update(time):
            self.move_to(time)
            is_odd = int(time % PERIOD / PHASE + 1e-9) % 2
            highlight.move_to([2.7, lines[7 if is_odd else 8].get_center()[1], 0])

        self.play_shot(shot, [*self.discs, self.playhead, highlight], update)


render(
    Lesson, sys.argv[2],
    pixel_width=storyboard["width"], pixel_height=storyboard["height"], frame_rate=storyboard["rate"],
    frame_width=HEIGHT * storyboard["width"] / storyboard["height"], frame_height=HEIGHT, background_color=PAPER,
)  # fmt: skip
