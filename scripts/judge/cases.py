"""The test matrix of `compare`: every recording, compare's arguments and the expected findings."""
from dataclasses import asdict, dataclass, field

import fault_list
import right
import timelines
from designs import ALL, BUILT_IN
from recording import Encoding, Recording

# Large canvases are recorded at smaller scales to keep the matrix's running time down.
SCALES = {"jelly": (1, 2), "qq": (2, 1), "preloader": (2, 1)}
DEFAULT_SCALES = (3, 2)


@dataclass
class Case:
    """A recording, the loader to compare it with, the expected exit code and the expected faults.

    `group` is fault (one fault), pair (two faults), right (no fault) or wrong (of another loader).
    """
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
        """The contents of the JSON file beside the recording, which has the expected findings."""
        faults = [{"key": fault.key, "during": fault.during,
                   "answers": [asdict(answer) for answer in fault.answers]} for fault in self.faults]
        return {"file": self.file, "group": self.group, "loader": loader_path, "options": self.options,
                "exit": self.exit, "scale": self.recording.scale, "faults": faults}


def duration(design):
    """A recording's duration in seconds: two cycles, but at least 2.6 s and at most 6.6 s.

    Every fault is visible within 2.6 s, and the longest loader, of 6 s, still plays a whole cycle.
    """
    return max(min(2 * design.period, 6.6), 2.6)


def recorded(design_name, index, fault):
    """A recording with a fault. Its scale, start time, screen and quality depend on the index."""
    design = ALL[design_name]
    scale = SCALES.get(design_name, DEFAULT_SCALES)[index % 2]
    # Half of the recordings start in the middle of a cycle.
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
    """Each built-in loader's recording, compared with every other built-in loader."""
    for shown in BUILT_IN:
        recording = right.plain(shown)
        for judged in BUILT_IN:
            if judged != shown:
                yield Case(f"right-{shown}-plain", "wrong", recording, judged, 65)


def all_cases():
    return [*faulty_cases(), *right_cases(), *wrong_cases()]
