"""All recordings of the matrix: what is in each, how compare is called, and what it should say."""
from dataclasses import asdict, dataclass, field

import fault_list
import right
import timelines
from designs import ALL, BUILT_IN
from recording import Encoding, Recording

# Large canvases are recorded at a smaller scale, so that the matrix takes minutes.
SCALES = {"jelly": (1, 2), "qq": (2, 1), "preloader": (2, 1)}
DEFAULT_SCALES = (3, 2)


@dataclass
class Case:
    """A recording with its loader and the expected exit code. `faults` has the answers to each of its faults."""
    name: str
    group: str
    recording: Recording
    loader: str
    exit: int
    options: list[str] = field(default_factory=list)
    faults: list = field(default_factory=list)

    @property
    def file(self):
        return f"{self.name}.{self.recording.encoding.suffix}"

    def sidecar(self, loader_path):
        faults = [{"key": fault.key, "during": fault.during,
                   "answers": [asdict(answer) for answer in fault.answers]} for fault in self.faults]
        return {"file": self.file, "group": self.group, "loader": loader_path, "options": self.options,
                "exit": self.exit, "scale": self.recording.scale, "faults": faults}


def duration(design):
    """Two cycles and at least 2.6 s, so that every fault shows; a little more than one of the longest."""
    return max(min(2 * design.period, 6.6), 2.6)


def recorded(design_name, index, fault):
    """A faulty recording. Scale, start, surroundings and quality vary with the index."""
    design = ALL[design_name]
    scale = SCALES.get(design_name, DEFAULT_SCALES)[index % 2]
    # Some begin in the middle of a cycle.
    start = round(design.period * (0, 0.37, 0, 0.71)[index % 4] * 60) / 60
    frames = timelines.steady(duration(design), start)
    for change in fault.timing:
        frames = change(frames, design)
    screen = right.phone(design, scale) if index % 5 == 3 else right.canvas_only(design, scale)
    return Recording(design, frames, scale, screen, fault.changes, fault.edits, fault.enlarged, fault.shifted,
                     Encoding(crf=28 if index % 7 == 5 else 20))


def faulty_cases():
    for index, fault in enumerate(fault_list.SINGLE):
        recording = recorded(fault.design, index, fault)
        yield Case(f"fault-{fault.design}-{fault.key}", "fault", recording, fault.design, 1, faults=[fault])
    for index, (fault, faults) in enumerate(fault_list.pairs()):
        recording = recorded(fault.design, index, fault)
        yield Case(f"pair-{fault.design}-{fault.key}", "pair", recording, fault.design, 1, faults=faults)


def right_cases():
    for name, recording, options in right.recordings():
        loader = recording.design.name
        yield Case(f"right-{loader}-{name}", "right", recording, loader, 0, options)


def wrong_cases():
    """Every built-in loader's recording, judged as every other one."""
    for shown in BUILT_IN:
        recording = right.plain(shown)
        for judged in BUILT_IN:
            if judged != shown:
                case = Case(f"right-{shown}-plain", "wrong", recording, judged, 65)
                yield case


def all_cases():
    return [*faulty_cases(), *right_cases(), *wrong_cases()]
