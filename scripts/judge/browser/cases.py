"""The cases that are recorded in a browser: correct pages, and pages with one fault."""
from dataclasses import asdict, dataclass, field

from designs import ALL
from faults import Answer, Fault
from recording import Encoding


@dataclass
class BrowserCase:
    """A page with changed parameters, and the exit code and findings that compare should return."""
    name: str
    loader: str
    exit: int
    values: dict = field(default_factory=dict)
    speed: float = 1.0
    start: float = 0.0
    density: float = 2.0
    faults: list = field(default_factory=list)
    options: list = field(default_factory=list)
    group: str = "browser"
    # The quality of a phone's screen recorder.
    encoding: Encoding = field(default_factory=lambda: Encoding(crf=28))

    @property
    def file(self):
        return f"{self.name}.mp4"

    @property
    def duration(self):
        return max(1.5 * ALL[self.loader].period, 2.2)

    def sidecar(self, loader_path):
        faults = [{"key": fault.key, "answers": [asdict(answer) for answer in fault.answers]} for fault in self.faults]
        return {"file": self.file, "group": self.group, "loader": loader_path, "options": self.options,
                "exit": self.exit, "scale": self.density, "faults": faults}


def right(loader, start=0.0, density=2.0):
    return BrowserCase(f"browser-{loader}-right-{density:g}x", loader, 0, start=start, density=density)


def wrong(loader, key, values, *answers, speed=1.0, start=0.0):
    return BrowserCase(f"browser-{loader}-{key}", loader, 1, values, speed, start,
                       faults=[Fault(loader, key, list(answers))])


def parameter(loader, key, value, unit, *kinds):
    """A changed number; `kinds` are the kinds of finding that also name it."""
    before = ALL[loader].values[key]
    return wrong(loader, f"{key}-{value}", {key: value},
                 Answer(("parameter", *kinds), (), abs(value - before), unit, before, value))


def color(loader, key, value, *objects):
    before = ALL[loader].values[key]
    return wrong(loader, f"{key}-{value[1:]}".replace(" ", "-"), {key: value},
                 Answer(("parameter", "color"), (key, *objects), expected=before, actual=value))


def speed(loader, factor):
    return wrong(loader, f"speed-{factor}", {}, Answer(("speed",), (), abs(1 - factor), "x", 1.0, factor),
                 Answer(("parameter",), ("tick", "duration")), speed=factor)


CASES = [
    right("qq-mail", start=0.4), right("qq-mail", density=3.0), right("iqiyi"), right("oneloading", start=1.0),
    right("orbit"), right("dot", density=1.0), right("pulse", start=0.3), right("wave"),
    parameter("qq-mail", "offset", 33, "pt"), color("qq-mail", "green", "#00c800"),
    speed("qq-mail", 0.9),
    wrong("qq-mail", "green-late-0.1", {"green delay": 0.1}, Answer(("late",), ("green",), 0.1, "s"), start=0.2),
    parameter("iqiyi", "ringWidth", 9, "pt"),
    wrong("iqiyi", "easing-linear", {"easing": "linear"}, Answer(("easing",), actual="linear")),
    speed("oneloading", 1.1), parameter("oneloading", "lineWidth", 4, "pt"),
    color("orbit", "color", "#8c1111", "moon"), color("dot", "color", "#2299dd", "dot"),
    wrong("pulse", "faint-10", {"faint": 10.0}, Answer(("opacity",), ())),
    wrong("wave", "dot-2-late-0.1", {"dot2 delay": 0.1}, Answer(("late",), ("dot 2",), 0.1, "s"), start=0.5),
    wrong("wave", "dot-3-missing", {"hidden": ["dot3"]}, Answer(("missing",), ("dot 3",))),
    wrong("wave", "easing-linear", {"easing": "linear"}, Answer(("easing",), actual="linear")),
]
