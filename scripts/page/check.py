"""Checks pages in a browser; see scripts/test-page.

    check.py LOADERVID OWN_LOADERS PICTURES [SCREENSHOTS]

PICTURES holds pages that a test has made, NAME.html, and beside each its pictures at some steps, NAME-STEP.png.
"""

import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from axe_playwright_python.sync_playwright import Axe

import controls
from browser import chromium, pixels, psnr

LEAST_PSNR = 40
# Letters are the browser's own: where they stand and how large they are is all that is compared.
LEAST_PSNR_OF_LETTERS = 20
MOST_BYTES = 3_000_000
INSTANTS = 20
SIZES = {"desk": (1280, 800), "telephone": (390, 844)}
failures = []


def expect(holds: bool, what: str) -> None:
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}", flush=True)


def run(*command) -> bytes:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True).stdout


def make(folder: Path, program: Path, name: str, arguments: list[str]) -> Path:
    path = folder / f"{name}.html"
    run(program, "page", *arguments, "--force", "-o", path)
    return path


def check_file(path: Path, name: str) -> None:
    text = path.read_text()
    expect(path.stat().st_size <= MOST_BYTES, f"{name}: {path.stat().st_size} bytes")
    for word in ("http:", "https:", "src=", "url(", "@import"):
        expect(word not in text, f"{name}: holds {word}")
    # An icon of its own, or a browser would ask a server for one.
    expect(re.findall('href="([^"]*)"', text) == ["data:,"], f"{name}: links to something")


def check_pictures(open_page, program: Path, path: Path, name: str, arguments: list[str]) -> list[float]:
    """The likeness of the page's pictures and stills at instants all over the period, in dB."""
    found = []
    for size, density in ((SIZES["desk"], 1), (SIZES["telephone"], 3)):
        page = open_page(path, size=size, density=density)
        for index in range(INSTANTS):
            step = index * page.steps // INSTANTS
            page.go(step)
            shown = page.picture()
            height, width = shown.shape[:2]
            still = run(program, "still", *arguments, "--at", f"{step}/240", "--size", f"{width}x{height}", "-o", "-")
            found.append(psnr(shown, pixels(still)))
            expect(found[-1] >= LEAST_PSNR, f"{name}: {found[-1]:.1f} dB at step {step}, {width}x{height}")
    return found


def check_numbers(open_page, program: Path, path: Path, name: str, arguments: list[str]) -> None:
    """What the page shows of the objects is what telemetry prints."""
    text = run(program, "telemetry", *arguments, "--fps", 240, "--timing", "exact", "--csv").decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    page = open_page(path)
    for step in range(0, page.steps, max(1, page.steps // 25)):
        page.go(step)
        told = [row for row in rows if int(row["frame"]) == step]
        for index, row in enumerate(told):
            cells = page.page.locator("#readout tbody tr").nth(index).locator("td").all_inner_texts()
            shown = [float(cell.replace("−", "-")) for cell in cells]
            speed = (float(row["vx"]) ** 2 + float(row["vy"]) ** 2) ** 0.5
            for value, truth, tolerance in zip(shown, (float(row["x"]), float(row["y"]), speed), (0.0051, 0.0051, 0.051)):
                expect(abs(value - truth) <= tolerance, f"{name}: step {step} shows {value}, telemetry has {truth}")


def check_scroll_cue(page, name: str) -> None:
    """A table has a shadow at the edge at which it continues, and none at its end."""
    table = page.page.locator("#table")
    hidden = table.evaluate("table => table.scrollWidth - table.clientWidth")
    if hidden < 40:
        return
    for start, shaded in ((0, -1), (hidden, 0)):
        table.evaluate("(table, start) => { table.scrollLeft = start; }", start)
        picture = numpy.median(pixels(table.screenshot()).astype(float), axis=0)
        ground = numpy.median(picture, axis=0)
        for column in (0, -1):
            differs = numpy.abs(picture[column] - ground).max() > 20
            expect(differs == (column == shaded), f"{name}: shadow at {column} of a table scrolled by {start}: {differs}")
    table.evaluate("table => { table.scrollLeft = 0; }")


def check_accessibility(open_page, path: Path, name: str, screenshots: Path | None) -> int:
    """Runs axe in both schemes, sizes and languages."""
    count = 0
    for title, size in SIZES.items():
        for scheme in ("light", "dark"):
            for language, locale in (("en", "en-US"), ("zh", "zh-CN")):
                page = open_page(path, size=size, scheme=scheme, locale=locale, density=1 if title == "desk" else 2)
                page.go(page.steps // 3)
                violations = Axe().run(page.page).response["violations"]
                for violation in violations:
                    nodes = [node["html"] for node in violation["nodes"]]
                    expect(False, f"{name}: axe in {title}, {scheme}, {language}: {violation['id']}: {nodes}")
                count += 1
                wide = page.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                expect(wide <= 0, f"{name}: {wide} pixels too wide in {title}, {language}")
                check_scroll_cue(page, f"{name} in {title}, {scheme}, {language}")
                expect(page.requests == [page.url], f"{name}: asked for {page.requests}")
                expect(not page.errors, f"{name}: {page.errors}")
                if screenshots:
                    page.page.screenshot(
                        path=screenshots / f"{name}-{title}-{scheme}-{language}.png", full_page=True)
    return count


def check_lesson(open_page, folder: Path, program: Path, script: Path, screenshots: Path | None) -> None:
    """The page of a lesson: its title in each language, its loader's pictures, and as few faults."""
    name, text = f"lesson-{script.stem}", script.read_text()
    path = make(folder, program, name, [str(script)])
    check_file(path, name)
    loader = re.search(r"^tutorial: (\S+)$", text, re.M)[1]
    likeness = check_pictures(open_page, program, path, name, [loader])
    titles = dict(re.findall(r'(en|zh): "([^"]*)"', re.search("^title: .*$", text, re.M)[0]))
    for language, locale in (("en", "en-US"), ("zh", "zh-CN")):
        shown = open_page(path, locale=locale).page.inner_text("h1")
        expect(shown == titles[language], f"{name}: the title is {shown}")
    runs = check_accessibility(open_page, path, name, screenshots)
    print(f"{name:14} {path.stat().st_size / 1000:6.1f} kB, pictures {min(likeness):.1f} dB at worst; axe {runs} times", flush=True)


def check_made_pages(open_page, folder: Path) -> None:
    """The pages whose pictures lie beside them."""
    for path in sorted(folder.glob("*.html")):
        found = []
        for picture in sorted(folder.glob(f"{path.stem}-*.png")):
            step = int(picture.stem.rsplit("-", 1)[1])
            truth = pixels(picture.read_bytes())
            page = open_page(path)
            # The picture's own size instead of the window's.
            page.page.evaluate(
                "([width, height]) => { const canvas = document.getElementById('picture'); "
                "canvas.width = width; canvas.height = height; }", [truth.shape[1], truth.shape[0]])
            page.go(step + 1)
            page.go(step)
            found.append(psnr(page.picture(), truth))
            least = LEAST_PSNR_OF_LETTERS if path.stem == "letters" else LEAST_PSNR
            expect(found[-1] >= least, f"{path.stem}: {found[-1]:.1f} dB at step {step}")
            expect(not page.errors, f"{path.stem}: {page.errors}")
        expect(len(found) >= 5, f"{path.stem}: no pictures to compare with")
        print(f"{path.stem:14} pictures {min(found):.1f} dB at worst", flush=True)


def main(program: Path, own: Path, made: Path, screenshots: Path | None) -> None:
    loaders = [(program, loader["id"]) for loader in json.loads(run(program, "list", "--json"))]
    loaders += [(own, name) for name in ("pulsing-dots", "chasing-arc", "pendulum")]
    if screenshots:
        screenshots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, chromium() as open_page:
        folder = Path(temporary)
        for maker, name in loaders:
            path = make(folder, maker, name, [name])
            check_file(path, name)
            likeness = sorted(check_pictures(open_page, maker, path, name, [name]))
            check_numbers(open_page, maker, path, name, [name])
            runs = check_accessibility(open_page, path, name, screenshots)
            print(
                f"{name:14} {path.stat().st_size / 1000:6.1f} kB, pictures {likeness[0]:.1f} dB at worst, "
                f"{likeness[len(likeness) // 2]:.1f} median of {len(likeness)}; axe {runs} times", flush=True)
        cover = folder / "cover.png"
        run(program, "still", "jelly", "--at", "1.4", "--scale", "2", "-o", cover)
        for name, arguments in {
            "cover": ["douyin", "--set", f"cover={cover}", "--set", "coverDiameter=48"],
            "ticks": ["qq-mail", "--motion", "ticks", "--background", "#222"],
            "translucent": ["qq-mail", "--background", "#00800040"],
        }.items():
            path = make(folder, program, name, arguments)
            likeness = check_pictures(open_page, program, path, name, arguments)
            print(f"{name:14} {path.stat().st_size / 1000:6.1f} kB, pictures {min(likeness):.1f} dB at worst", flush=True)
        for script in sorted(Path("presets/tutorials").glob("*.yaml")):
            check_lesson(open_page, folder, program, script, screenshots)
        check_made_pages(open_page, made)
        for name in ("qq-mail", "qq", "douyin"):
            count = controls.check(open_page, folder / f"{name}.html", lambda holds, what: expect(holds, f"{name}: {what}"))
            print(f"{name:14} {count} controls tried", flush=True)
        for language in ("en", "zh"):
            path = make(folder, program, f"only-{language}", ["qq-mail", "--lang", language])
            controls.check_language(open_page, path, language, expect)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]), Path(sys.argv[4]) if len(sys.argv) > 4 else None)
