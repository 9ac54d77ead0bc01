"""Directories of Lottie files, with or without reference images by After Effects."""

import base64
import hashlib
import json
import mimetypes
import re
import zipfile
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from pathlib import Path

# A file without reference images is compared at this many times. The offset, in intervals between
# these times, keeps them away from whole frames.
INSTANTS = 8
INSTANT_OFFSET = Fraction(37, 100)
# The maximum of the longer side at which a file without reference images is drawn.
MAX_SIDE = 512


class FileProblem(Exception):
    """The reason why a file has no Lottie animation that can be compared."""


@dataclass
class Animation:
    """A Lottie file. Its images are embedded in `data`, so players need no other files."""

    name: str
    path: Path
    data: dict
    # Reference images by After Effects, by frame number.
    references: dict[int, Path] = field(default_factory=dict)
    features: list[str] = field(default_factory=list)

    @property
    def rate(self) -> Fraction:
        """The frame rate. Design tools write 30000/1001 as 29.9700012, for example."""
        rate = Fraction(self.data["fr"]).limit_denominator(1001)
        for whole in (24, 30, 48, 60, 120):
            if abs(rate - Fraction(whole * 1000, 1001)) < Fraction(1, 10_000):
                return Fraction(whole * 1000, 1001)
        return rate

    @property
    def length(self) -> Fraction:
        """The length in frames."""
        return Fraction(self.data["op"]) - Fraction(self.data["ip"])

    @property
    def frames(self) -> list[Fraction]:
        """The frame numbers to compare, relative to the animation's first frame."""
        if self.references:
            return [Fraction(frame) - Fraction(self.data["ip"]) for frame in self.references]
        return [self.length * (k + INSTANT_OFFSET) / INSTANTS for k in range(INSTANTS)]

    @property
    def size(self) -> tuple[int, int]:
        """The size in pixels at which players draw the file.

        Without reference images, it is the largest size with exactly the animation's aspect ratio
        and no side over `MAX_SIDE`, or the animation's own size if there is none.
        """
        width, height = max(1, round(self.data["w"])), max(1, round(self.data["h"]))
        divisor = gcd(width, height)
        unit = (width // divisor, height // divisor)
        if self.references or max(unit) > MAX_SIDE:
            return width, height
        factor = MAX_SIDE // max(unit)
        return unit[0] * factor, unit[1] * factor

    @property
    def is_animated(self) -> bool:
        """True if any property has keyframes."""
        rest = [self.data]
        while rest:
            value = rest.pop()
            if isinstance(value, dict):
                if value.get("a") == 1 and isinstance(value.get("k"), list):
                    return True
                rest += value.values()
            elif isinstance(value, list):
                rest += value
        return False

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.data).encode()).hexdigest()


@dataclass
class Collection:
    """The Lottie files in a directory. `problems` has the unreadable files' reasons by name."""

    folder: Path
    has_references: bool
    animations: list[Animation]
    problems: dict[str, str]

    @property
    def name(self) -> str:
        return self.folder.resolve().name


def collection(folder: Path, chosen: list[str]) -> Collection:
    """Reads the Lottie files in a directory.

    With `chosen`, only files are read whose names contain one of its texts.
    """
    has_references = any(folder.glob("*/*-meta.json"))
    pattern = "*/*.json" if has_references else "**/*"
    result = Collection(folder, has_references, [], {})
    for path in sorted(folder.glob(pattern)):
        name = str(path.relative_to(folder).with_suffix(""))
        is_lottie = path.suffix in (".json", ".lottie") and not (has_references and is_sidecar(path.name))
        if not is_lottie or (chosen and not any(text in name for text in chosen)):
            continue
        try:
            animation = Animation(name, path, read(path))
        except FileProblem as problem:
            result.problems[name] = str(problem)
            continue
        if has_references:
            add_references(animation)
        if animation.references or not has_references:
            result.animations.append(animation)
    return result


def is_sidecar(name: str) -> bool:
    """True for JSON files of the Lottie feature files that are not animations."""
    return name.endswith("-meta.json") or "asset" in name


def add_references(animation: Animation) -> None:
    """Finds the reference images and the features of one of the Lottie feature files."""
    path = animation.path
    for image in sorted(path.parent.glob(f"{path.stem}-*.png")):
        if match := re.fullmatch(r"(\d+)", image.stem.removeprefix(f"{path.stem}-")):
            animation.references[int(match[1])] = image
    meta = path.with_name(f"{path.stem}-meta.json")
    animation.features = json.loads(meta.read_text()).get("features", []) if meta.exists() else []


def read(path: Path) -> dict:
    """Reads a .json file or the first animation of a .lottie file, and embeds its images."""
    try:
        if path.suffix == ".json":
            data = json.loads(path.read_text("utf-8-sig"))
            files = None
        else:
            files = zipfile.ZipFile(path)
            names = [name for name in files.namelist() if re.fullmatch(r"(animations|a)/[^/]+\.json", name)]
            if not names:
                raise FileProblem("the archive has no animation")
            data = json.loads(files.read(names[0]))
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise FileProblem(str(error)) from error
    numbers = ("ip", "op", "fr", "w", "h")
    if not isinstance(data, dict) or not all(isinstance(data.get(key), (int, float)) for key in numbers):
        raise FileProblem("it is not a Lottie animation: ip, op, fr, w or h is missing")
    if data["fr"] <= 0 or data["op"] <= data["ip"]:
        raise FileProblem("its frame rate or its length is not positive")
    embed_images(data, path.parent, files)
    return data


def embed_images(data: dict, folder: Path, files: zipfile.ZipFile | None) -> None:
    """Replaces the image assets' file names with data URIs; skips images that are missing."""
    for asset in data.get("assets") or []:
        name = asset.get("p") if isinstance(asset, dict) else None
        if not isinstance(name, str) or name.startswith("data:"):
            continue
        try:
            if files:
                content = files.read(next(entry for entry in files.namelist() if Path(entry).name == Path(name).name))
            else:
                content = (folder / str(asset.get("u") or "").lstrip("/") / name).read_bytes()
        except (OSError, StopIteration):
            continue
        kind = mimetypes.guess_type(name)[0] or "image/png"
        asset |= {"u": "", "e": 1, "p": f"data:{kind};base64,{base64.b64encode(content).decode()}"}
