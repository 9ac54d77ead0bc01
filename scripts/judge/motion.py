"""Timing functions, keyframes and springs, by the formulas of CSS, Core Animation and UIKit."""
import math

EASINGS = {
    "linear": (0.0, 0.0, 1.0, 1.0),
    "easeIn": (0.42, 0.0, 1.0, 1.0),
    "easeOut": (0.0, 0.0, 0.58, 1.0),
    "easeInEaseOut": (0.42, 0.0, 0.58, 1.0),
    "default": (0.25, 0.1, 0.25, 1.0),
}


def lerp(start, end, fraction):
    return start + (end - start) * fraction


def clamp01(value):
    return min(max(value, 0.0), 1.0)


def ease(name, fraction):
    """The output of a named timing function, whose Bezier curve is solved for x by bisection."""
    fraction = clamp01(fraction)
    if name == "linear" or fraction in (0.0, 1.0):
        return fraction
    x1, y1, x2, y2 = EASINGS[name]
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if bezier(x1, x2, middle) < fraction else (low, middle)
    return bezier(y1, y2, (low + high) / 2)


def bezier(first, second, u):
    """One coordinate of a cubic Bezier curve from 0 to 1 with the given control points."""
    rest = 1 - u
    return 3 * rest * rest * u * first + 3 * rest * u * u * second + u ** 3


def track(times, values, at, easing="linear"):
    """The keyframes' value at a time; constant before the first and after the last keyframe."""
    if at <= times[0]:
        return values[0]
    for index in range(1, len(times)):
        if at < times[index]:
            span = times[index] - times[index - 1]
            return lerp(values[index - 1], values[index], ease(easing, (at - times[index - 1]) / span))
    return values[-1]


def spring(start, target, time, duration=1.0, damping=0.5):
    """UIKit's spring without initial velocity.

    After `duration`, the oscillation has shrunk to a thousandth of the distance and is cut off.
    """
    if time >= duration:
        return target
    frequency = math.log(1000) / (damping * duration)
    damped = frequency * math.sqrt(1 - damping * damping)
    decay = math.exp(-damping * frequency * time)
    swing = math.cos(damped * time) + damping * frequency / damped * math.sin(damped * time)
    return target + (start - target) * decay * swing
