"""Faults of single items in a frame.

Each factory returns an edit: a function of a frame's items, the frame, the design and its changed
parameters that returns the items to draw.
"""
from dataclasses import replace

from scene import Item, Shape, circle


def within(frame, during):
    """True if the frame's time is in the interval (start, end), or if there is no interval."""
    return during is None or during[0] <= frame.time < during[1]


def on(name, change, during=None):
    """Applies a change to the item with a name, in the interval `during` or throughout."""
    def edit(items, frame, design, changes):
        if not within(frame, during):
            return items
        return [change(item) if item.name == name else item for item in items]
    return edit


def recolored(name, color):
    return on(name, lambda item: item.recolored(color))


def faded(name, factor):
    return on(name, lambda item: replace(item, opacity=item.opacity * factor))


def scaled(name, factor):
    return on(name, lambda item: item.scaled(factor))


def moved(name, dx, dy, during=None):
    return on(name, lambda item: item.moved(dx, dy), during)


def without(name, during=None):
    def edit(items, frame, design, changes):
        return [item for item in items if item.name != name] if within(frame, during) else items
    return edit


def added(x, y, radius, color, during=None):
    """Adds a disc that the design does not have."""
    def edit(items, frame, design, changes):
        extra = Item("extra", [Shape(circle(x, y, radius), color)], (x, y))
        return items + [extra] if within(frame, during) else items
    return edit


def below(name, other):
    """Draws an item below another one in every frame."""
    def edit(items, frame, design, changes):
        names = [item.name for item in items]
        if names.index(name) > names.index(other):
            item = items[names.index(name)]
            items = [one for one in items if one is not item]
            items.insert(names.index(other), item)
        return items
    return edit


def late(name, seconds):
    """Delays an item by some seconds."""
    def edit(items, frame, design, changes):
        before = {item.name: item for item in design.items(frame.model - seconds, changes)}
        shown = [before.get(name) if item.name == name else item for item in items]
        return [item for item in shown if item]
    return edit
