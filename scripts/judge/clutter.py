"""Other content of a phone's screen: status bar, buttons, navigation bar, text.

Each factory returns a function that draws on a Skia canvas, given the time in seconds and the
`Screen`.
"""
import skia

from scene import paint_of

# The segments of a seven-segment display that are on for the digits 0 to 9, in the order top, upper
# right, lower right, bottom, lower left, upper left, middle.
SEGMENTS = ["1111110", "0110000", "1101101", "1111001", "0110011", "1011011", "1011111", "1110000", "1111111",
            "1111011"]


def rectangle(canvas, x, y, width, height, color, alpha=1.0):
    canvas.drawRect(skia.Rect.MakeXYWH(x, y, width, height), paint_of(color, alpha, True))


def digit(canvas, value, x, y, size, color):
    """Draws a digit of a seven-segment display."""
    thick = size / 6
    # Column, row, width and height of each segment, in half sizes.
    segments = [(0, 0, 1, 0), (1, 0, 0, 1), (1, 1, 0, 1), (0, 2, 1, 0), (0, 1, 0, 1), (0, 0, 0, 1), (0, 1, 1, 0)]
    for lit, (column, row, wide, tall) in zip(SEGMENTS[value], segments):
        if lit == "1":
            rectangle(canvas, x + column * size * 0.5, y + row * size * 0.5, thick + wide * size * 0.5,
                      thick + tall * size * 0.5, color)


def status_bar(color="#000000", height=20):
    """A clock that shows seconds, and a battery level that drops every second."""
    def show(canvas, time, screen):
        unit = screen.height / 400 if screen.height > 400 else 1
        size = 8 * unit
        seconds = 41 + int(time)
        for index, value in enumerate([0, 9, seconds // 10 % 10, seconds % 10]):
            digit(canvas, value, 10 * unit + index * size, 6 * unit, size, color)
        full = 1 - 0.1 * int(time)
        rectangle(canvas, screen.width - 30 * unit, 6 * unit, 20 * unit, 9 * unit, color, 0.3)
        rectangle(canvas, screen.width - 30 * unit, 6 * unit, 20 * unit * max(full, 0), 9 * unit, color)
    return show


def button(color="#007aff"):
    """A static button near the bottom."""
    def show(canvas, time, screen):
        box = skia.Rect.MakeXYWH(screen.width * 0.3, screen.height * 0.88, screen.width * 0.4, screen.height * 0.08)
        canvas.drawRoundRect(box, 8, 8, paint_of(color, 1.0, True))
    return show


def dark_bar(color="#222222"):
    """A dark navigation bar at the bottom."""
    def show(canvas, time, screen):
        rectangle(canvas, 0, screen.height * 0.9, screen.width, screen.height * 0.1, color)
    return show


def text_lines(color="#8e8e93"):
    """Grey bars in place of text, above the loader."""
    def show(canvas, time, screen):
        for index in range(3):
            rectangle(canvas, screen.width * 0.08, screen.height * (0.09 + 0.02 * index),
                      screen.width * (0.5 - 0.1 * index), screen.height * 0.008, color)
    return show


def cursor(color="#007aff"):
    """A text cursor that is on and off for half a second each."""
    def show(canvas, time, screen):
        if int(time * 2) % 2 == 0:
            rectangle(canvas, screen.width * 0.08, screen.height * 0.82, 3, screen.height * 0.04, color)
    return show
