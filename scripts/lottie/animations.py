"""Folders of Lottie files, with another program's pictures of them or without."""

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

# Where files come without pictures, they are compared at this many instants; the odd part keeps them off whole frames.
INSTANTS = 8
INSTANT = Fraction(37, 100)
# The longer side of a picture of a file that comes without pictures, at most, if its sides have a small ratio.
LONGEST_SIDE = 512


class FileProblem(Exception):
    """A file that holds no Lottie animation; the text says why."""


@dataclass
class Animation:
    """A Lottie file. `data` has its images inside, so that no player has to look for them."""

    name: str
    path: Path
    data: dict
    # After Effects' pictures by their frames.
    pictures: dict[int, Path] = field(default_factory=dict)
    features: list[str] = field(default_factory=list)

    @property
    def rate(self) -> Fraction:
        """Frames a second; what designers' tools write as 29.9700012 is 30000/1001."""
        rate = Fraction(self.data["fr"]).limit_denominator(1001)
        for whole in (24, 30, 48, 60, 120):
            if abs(rate - Fraction(whole * 1000, 1001)) < Fraction(1, 10_000):
                return Fraction(whole * 1000, 1001)
        return rate

    @property
    def length(self) -> Fraction:
        """In frames."""
        return Fraction(self.data["op"]) - Fraction(self.data["ip"])

    @property
    def frames(self) -> list[Fraction]:
        """The frames to compare, counted from the animation's first."""
        if self.pictures:
            return [Fraction(frame) - Fraction(self.data["ip"]) for frame in self.pictures]
        return [self.length * (k + INSTANT) / INSTANTS for k in range(INSTANTS)]

    @property
    def size(self) -> tuple[int, int]:
        """The size of pictures to compare: without pictures of another program, of exactly the animation's shape."""
        width, height = max(1, round(self.data["w"])), max(1, round(self.data["h"]))
        divisor = gcd(width, height)
        unit = (width // divisor, height // divisor)
        if self.pictures or max(unit) > LONGEST_SIDE:
            return width, height
        factor = LONGEST_SIDE // max(unit)
        return unit[0] * factor, unit[1] * factor

    @property
    def moves(self) -> bool:
        """Whether any property has keyframes."""
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
    """The Lottie files of a folder, and those that could not be read with the reason."""

    folder: Path
    has_pictures: bool
    animations: list[Animation]
    problems: dict[str, str]

    @property
    def name(self) -> str:
        return self.folder.resolve().name


def collection(folder: Path, chosen: list[str]) -> Collection:
    """Reads a folder; with `chosen`, only files whose names hold one of the texts."""
    has_pictures = any(folder.glob("*/*-meta.json"))
    pattern = "*/*.json" if has_pictures else "**/*"
    result = Collection(folder, has_pictures, [], {})
    for path in sorted(folder.glob(pattern)):
        name = str(path.relative_to(folder).with_suffix(""))
        is_lottie = path.suffix in (".json", ".lottie") and not (has_pictures and is_companion(path.name))
        if not is_lottie or (chosen and not any(text in name for text in chosen)):
            continue
        try:
            animation = Animation(name, path, read(path))
        except FileProblem as problem:
            result.problems[name] = str(problem)
            continue
        if has_pictures:
            add_companions(animation)
        if animation.pictures or not has_pictures:
            result.animations.append(animation)
    return result


def is_companion(name: str) -> bool:
    return name.endswith("-meta.json") or "asset" in name


def add_companions(animation: Animation) -> None:
    path = animation.path
    for picture in sorted(path.parent.glob(f"{path.stem}-*.png")):
        if match := re.fullmatch(r"(\d+)", picture.stem.removeprefix(f"{path.stem}-")):
            animation.pictures[int(match[1])] = picture
    meta = path.with_name(f"{path.stem}-meta.json")
    animation.features = json.loads(meta.read_text()).get("features", []) if meta.exists() else []


def read(path: Path) -> dict:
    """The animation of a .json or the first one of a .lottie file, with its images inside."""
    try:
        if path.suffix == ".json":
            data = json.loads(path.read_text("utf-8-sig"))
            files = None
        else:
            files = zipfile.ZipFile(path)
            names = [name for name in files.namelist() if re.fullmatch(r"(animations|a)/[^/]+\.json", name)]
            if not names:
                raise FileProblem("no animation inside")
            data = json.loads(files.read(names[0]))
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise FileProblem(str(error)) from error
    numbers = ("ip", "op", "fr", "w", "h")
    if not isinstance(data, dict) or not all(isinstance(data.get(key), (int, float)) for key in numbers):
        raise FileProblem("no Lottie animation")
    if data["fr"] <= 0 or data["op"] <= data["ip"]:
        raise FileProblem("no length")
    embed_images(data, path.parent, files)
    return data


def embed_images(data: dict, folder: Path, files: zipfile.ZipFile | None) -> None:
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
