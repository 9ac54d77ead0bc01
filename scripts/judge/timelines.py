"""Frame times of recordings, with and without timing faults.

A factory such as `faster` returns a function that changes the frames of a design's recording.
"""
from recording import Frame


def steady(duration, start=0.0, rate=60):
    """Frames at a constant rate, starting at a model time."""
    return [Frame(index / rate, start + index / rate) for index in range(round(duration * rate))]


def faster(factor):
    """Plays at another speed."""
    def change(frames, design):
        first = frames[0].model
        return [Frame(frame.time, first + factor * frame.model - factor * first) for frame in frames]
    return change


def backwards(frames, design):
    last = frames[-1].model
    return [Frame(frame.time, last - frame.time) for frame in frames]


def phase_lasts(index, factor):
    """Multiplies the duration of one phase, and with it changes the cycle's."""
    def change(frames, design):
        starts = [sum(design.phases[:phase]) for phase in range(len(design.phases) + 1)]
        return [Frame(frame.time, stretched(frame.model, starts, index, factor, design.period)) for frame in frames]
    return change


def stretched(time, starts, index, factor, period):
    """The model time shown at a time if a phase's duration is multiplied by `factor`."""
    longer = (factor - 1) * (starts[index + 1] - starts[index])
    cycle, within = divmod(time, period + longer)
    begin = starts[index]
    end = starts[index] + (starts[index + 1] - starts[index]) * factor
    if within >= end:
        within -= longer
    elif within > begin:
        within = begin + (within - begin) / factor
    return cycle * period + within


def frozen(start, end):
    """Freezes the recording while the loader continues."""
    def change(frames, design):
        held = max((frame for frame in frames if frame.time <= start + 1e-9), key=lambda frame: frame.time).model
        return [Frame(frame.time, held if start <= frame.time < end - 1e-9 else frame.model) for frame in frames]
    return change


def paused(start, length):
    """Pauses the loader, so everything after the pause is late."""
    def change(frames, design):
        return [Frame(frame.time, frame.model - min(max(frame.time - start, 0), length)) for frame in frames]
    return change


def missing(at, count):
    """Removes some frames; those after them are shown earlier."""
    def change(frames, design):
        first = next(index for index, frame in enumerate(frames) if frame.time >= at - 1e-9)
        models = [frame.model for frame in frames]
        del models[first:first + count]
        return [Frame(frame.time, model) for frame, model in zip(frames, models)]
    return change


def swapped(at, distance=1):
    """Swaps two frames."""
    def change(frames, design):
        first = next(index for index, frame in enumerate(frames) if frame.time >= at - 1e-9)
        models = [frame.model for frame in frames]
        models[first], models[first + distance] = models[first + distance], models[first]
        return [Frame(frame.time, model) for frame, model in zip(frames, models)]
    return change


def blank_before(seconds):
    """Starts the recording with blank frames."""
    def change(frames, design):
        lead = round(seconds * 60)
        return [Frame(index / 60, None) for index in range(lead)] + \
            [Frame(frame.time + lead / 60, frame.model) for frame in frames]
    return change


def held_before(seconds):
    """Shows the first frame longer."""
    def change(frames, design):
        lead = round(seconds * 60)
        return [Frame(index / 60, frames[0].model) for index in range(lead)] + \
            [Frame(frame.time + lead / 60, frame.model) for frame in frames]
    return change


def held_after(seconds):
    """Shows the last frame longer."""
    def change(frames, design):
        last = frames[-1]
        more = [Frame(last.time + index / 60, last.model) for index in range(1, round(seconds * 60) + 1)]
        return frames + more
    return change


def blank_after(seconds):
    """Ends the recording with blank frames."""
    def change(frames, design):
        last = frames[-1]
        more = [Frame(last.time + index / 60, None) for index in range(1, round(seconds * 60) + 1)]
        return frames + more
    return change


def uneven(frames, design):
    """The frame times of a busy screen recorder: some frames are late or early, some dropped."""
    recorded = [frame for index, frame in enumerate(frames) if index % 11 not in (4, 7)]
    delays = [0, 3, -2, 5, 1, -4, 2]
    return [Frame(frame.time + (delays[index % 7] / 1000 if index else 0),
                  frame.model + (delays[index % 7] / 1000 if index else 0)) for index, frame in enumerate(recorded)]
