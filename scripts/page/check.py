"""Checks study pages in headless Chromium. See scripts/test-page.

    check.py LOADERVID OWN_LOADERS PAGES [SCREENSHOTS]

OWN_LOADERS is the program of Examples/own-loaders. PAGES is a directory with pages from a test,
NAME.html, and their expected images at some steps, NAME-STEP.png. Saves screenshots in SCREENSHOTS.
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
from browser import STEPS_PER_SECOND, chromium, pixels, psnr

MIN_PSNR = 40
# The browser draws text with its own fonts, so only the position and the size of text are compared.
MIN_TEXT_PSNR = 20
MAX_BYTES = 3_000_000
INSTANTS = 20
MIN_EXPECTED_IMAGES = 5
VIEWPORTS = {"desktop": (1280, 800), "phone": (390, 844)}
LOCALES = {"en": "en-US", "zh": "zh-CN"}
OWN_LOADERS = ("pulsing-dots", "chasing-arc", "pendulum")
failures = []


def expect(is_met: bool, message: str) -> None:
    """Records and prints a failure if a condition is not met."""
    if not is_met:
        failures.append(message)
        print(f"FAILED: {message}", flush=True)


def run(*command) -> bytes:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True).stdout


def report(name: str, path: Path, values: list[float], extra: str = "") -> None:
    """Prints the size of a page and the PSNR of its frames."""
    print(f"{name:14} {path.stat().st_size / 1000:6.1f} kB, frames {min(values):.1f} dB at worst{extra}", flush=True)


def make_page(folder: Path, program: Path, name: str, arguments: list[str]) -> Path:
    """Writes a page with the command `page`, and returns its path."""
    path = folder / f"{name}.html"
    run(program, "page", *arguments, "--force", "-o", path)
    return path


def check_file(path: Path, name: str) -> None:
    """Checks the size of a page, and that it refers to no other file."""
    text = path.read_text()
    size = path.stat().st_size
    expect(size <= MAX_BYTES, f"{name}: {size} bytes are above the limit of {MAX_BYTES}")
    for word in ("http:", "https:", "src=", "url(", "@import"):
        expect(word not in text, f"{name}: the page contains {word}")
    # Without an empty icon, a browser would request favicon.ico.
    expect(re.findall('href="([^"]*)"', text) == ["data:,"], f"{name}: the page has a link")


def check_frames(open_page, program: Path, path: Path, name: str, arguments: list[str]) -> list[float]:
    """Compares frames of a page with stills in two sizes. Returns their PSNRs in dB."""
    found = []
    for size, density in ((VIEWPORTS["desktop"], 1), (VIEWPORTS["phone"], 3)):
        page = open_page(path, size=size, density=density)
        for index in range(INSTANTS):
            step = index * page.steps // INSTANTS
            page.go(step)
            actual = page.canvas_pixels()
            height, width = actual.shape[:2]
            at = f"{step}/{STEPS_PER_SECOND}"
            still = run(program, "still", *arguments, "--at", at, "--size", f"{width}x{height}", "-o", "-")
            found.append(psnr(actual, pixels(still)))
            expect(found[-1] >= MIN_PSNR, f"{name}: {found[-1]:.1f} dB at step {step}, {width}x{height}")
    return found


def check_readout(open_page, program: Path, path: Path, name: str, arguments: list[str]) -> None:
    """Compares the objects' positions and speeds on a page with those of `telemetry`."""
    text = run(program, "telemetry", *arguments, "--fps", STEPS_PER_SECOND, "--timing", "exact", "--csv").decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    page = open_page(path)
    for step in range(0, page.steps, max(1, page.steps // 25)):
        page.go(step)
        expected_rows = [row for row in rows if int(row["frame"]) == step]
        for index, row in enumerate(expected_rows):
            cells = page.page.locator("#readout tbody tr").nth(index).locator("td").all_inner_texts()
            actual = [float(cell.replace("−", "-")) for cell in cells]
            speed = (float(row["vx"]) ** 2 + float(row["vy"]) ** 2) ** 0.5
            expected = (float(row["x"]), float(row["y"]), speed)
            # Half of the last digit of each column.
            for shown, value, tolerance in zip(actual, expected, (0.0051, 0.0051, 0.051)):
                is_equal = abs(shown - value) <= tolerance
                expect(is_equal, f"{name}: step {step}: the page shows {shown}, telemetry prints {value}")


def check_scroll_shadows(page, name: str) -> None:
    """Checks that a scrollable table has a shadow only at the edge where it continues."""
    table = page.page.locator("#table")
    hidden_width = table.evaluate("table => table.scrollWidth - table.clientWidth")
    if hidden_width < 40:
        return
    for start, shaded_column in ((0, -1), (hidden_width, 0)):
        table.evaluate("(table, start) => { table.scrollLeft = start; }", start)
        image = pixels(table.screenshot()).astype(float)
        # The rows of the current phase have another background, so the header is measured.
        columns = numpy.median(image[: len(image) // 4], axis=0)
        background = numpy.median(columns, axis=0)
        for column in (0, -1):
            is_shaded = numpy.abs(columns[column] - background).max() > 20
            is_right = is_shaded == (column == shaded_column)
            expect(is_right, f"{name}: shadow at column {column} of a table scrolled by {start}: {is_shaded}")
    table.evaluate("table => { table.scrollLeft = 0; }")


def check_layout(page, name: str) -> None:
    """Runs axe, and checks the width, the shadows, the requests and the errors of a page."""
    for violation in Axe().run(page.page).response["violations"]:
        nodes = [node["html"] for node in violation["nodes"]]
        expect(False, f"{name}: axe: {violation['id']}: {nodes}")
    excess = page.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    expect(excess <= 0, f"{name}: {excess} pixels too wide")
    check_scroll_shadows(page, name)
    expect(page.requests == [page.url], f"{name}: requests {page.requests}")
    expect(not page.errors, f"{name}: errors {page.errors}")


def check_accessibility(open_page, path: Path, name: str, screenshots: Path | None) -> int:
    """Checks a page in all viewports, colour schemes and languages. Returns their number."""
    count = 0
    for viewport, size in VIEWPORTS.items():
        for scheme in ("light", "dark"):
            for language, locale in LOCALES.items():
                density = 1 if viewport == "desktop" else 2
                page = open_page(path, size=size, scheme=scheme, locale=locale, density=density)
                page.go(page.steps // 3)
                check_layout(page, f"{name} in {viewport}, {scheme}, {language}")
                count += 1
                if screenshots:
                    file = screenshots / f"{name}-{viewport}-{scheme}-{language}.png"
                    page.page.screenshot(path=file, full_page=True)
    return count


def check_lesson(open_page, folder: Path, program: Path, script: Path, screenshots: Path | None) -> None:
    """Checks the page of a lesson: its titles, the frames of its loader, and its accessibility."""
    name = f"lesson-{script.stem}"
    text = script.read_text()
    path = make_page(folder, program, name, [str(script)])
    check_file(path, name)
    loader = re.search(r"^tutorial: (\S+)$", text, re.M)[1]
    values = check_frames(open_page, program, path, name, [loader])
    titles = dict(re.findall(r'(en|zh): "([^"]*)"', re.search("^title: .*$", text, re.M)[0]))
    for language, locale in LOCALES.items():
        title = open_page(path, locale=locale).page.inner_text("h1")
        expect(title == titles[language], f"{name}: the title is {title} instead of {titles[language]}")
    runs = check_accessibility(open_page, path, name, screenshots)
    report(name, path, values, f"; axe {runs} times")


def check_test_pages(open_page, folder: Path) -> None:
    """Compares pages from a test with their expected images."""
    for path in sorted(folder.glob("*.html")):
        found = []
        for image in sorted(folder.glob(f"{path.stem}-*.png")):
            step = int(image.stem.rsplit("-", 1)[1])
            expected = pixels(image.read_bytes())
            page = open_page(path)
            # Gives the canvas the size of the image.
            page.page.evaluate(
                "([width, height]) => { const canvas = document.getElementById('frame'); "
                "canvas.width = width; canvas.height = height; }",
                [expected.shape[1], expected.shape[0]],
            )
            page.go(step + 1)
            page.go(step)
            found.append(psnr(page.canvas_pixels(), expected))
            limit = MIN_TEXT_PSNR if path.stem == "letters" else MIN_PSNR
            expect(found[-1] >= limit, f"{path.stem}: {found[-1]:.1f} dB at step {step}")
            expect(not page.errors, f"{path.stem}: errors {page.errors}")
        expect(len(found) >= MIN_EXPECTED_IMAGES, f"{path.stem}: only {len(found)} expected images")
        report(path.stem, path, found)


def check_loaders(open_page, folder: Path, program: Path, own: Path, screenshots: Path | None) -> None:
    """Checks the pages of all loaders."""
    loaders = [(program, loader["id"]) for loader in json.loads(run(program, "list", "--json"))]
    loaders += [(own, name) for name in OWN_LOADERS]
    for maker, name in loaders:
        path = make_page(folder, maker, name, [name])
        check_file(path, name)
        values = sorted(check_frames(open_page, maker, path, name, [name]))
        check_readout(open_page, maker, path, name, [name])
        runs = check_accessibility(open_page, path, name, screenshots)
        report(name, path, values, f", {values[len(values) // 2]:.1f} median of {len(values)}; axe {runs} times")


def check_options(open_page, folder: Path, program: Path) -> None:
    """Checks the frames of pages with images, ticks and translucent backgrounds."""
    cover = folder / "cover.png"
    run(program, "still", "jelly", "--at", "1.4", "--scale", "2", "-o", cover)
    for name, arguments in {
        "cover": ["douyin", "--set", f"cover={cover}", "--set", "coverDiameter=48"],
        "ticks": ["qq-mail", "--motion", "ticks", "--background", "#222"],
        "translucent": ["qq-mail", "--background", "#00800040"],
    }.items():
        path = make_page(folder, program, name, arguments)
        report(name, path, check_frames(open_page, program, path, name, arguments))


def check_controls(open_page, folder: Path, program: Path) -> None:
    """Tries all controls of some pages, and pages in a single language."""
    for name in ("qq-mail", "qq", "douyin"):
        count = controls.check(
            open_page, folder / f"{name}.html", lambda is_met, message: expect(is_met, f"{name}: {message}")
        )
        print(f"{name:14} {count} groups of controls", flush=True)
    for language in LOCALES:
        path = make_page(folder, program, f"only-{language}", ["qq-mail", "--lang", language])
        controls.check_language(open_page, path, language, expect)


def main(program: Path, own: Path, test_pages: Path, screenshots: Path | None) -> None:
    if screenshots:
        screenshots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, chromium() as open_page:
        folder = Path(temporary)
        check_loaders(open_page, folder, program, own, screenshots)
        check_options(open_page, folder, program)
        for script in sorted(Path("presets/tutorials").glob("*.yaml")):
            check_lesson(open_page, folder, program, script, screenshots)
        check_test_pages(open_page, test_pages)
        check_controls(open_page, folder, program)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]), Path(sys.argv[4]) if len(sys.argv) > 4 else None)
