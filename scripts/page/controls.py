"""Tries every button, slider and key of a study page."""

import re
import time

from browser import STEPS_PER_SECOND

CHINESE = re.compile(r"[\u4e00-\u9fff]")
SET_SLIDER = "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }"

# Plays for 0.6 s. Returns the change of the page's clock, and the real time, in seconds.
MEASURE_SPEED = """async () => {
    const read = () => parseFloat(document.getElementById('time').textContent);
    document.getElementById('play').click();
    const nextFrame = () => new Promise(requestAnimationFrame);
    await nextFrame();
    await nextFrame();
    const start = performance.now();
    const first = read();
    while (performance.now() - start < 600) await nextFrame();
    const result = [read() - first, (performance.now() - start) / 1000];
    document.getElementById('play').click();
    return result;
}"""

# Returns the position of the playhead in each chart, as a share of its width.
PLAYHEADS = """() => [...document.querySelectorAll('.plot')].map(plot => {
    const box = plot.getBoundingClientRect();
    const head = plot.querySelector('.head').getBoundingClientRect();
    return (head.x + head.width / 2 - box.x) / box.width;
})"""

# Returns the vertical distance of each visible dot from its curve, as a share of the chart's
# height, and 1 for a dot that is hidden although its curve has no gap. The chart of the drawn part
# has no dots. Samples the curve, whose unit is 1/10000 of the width and 1/1000 of the height.
DOT_DISTANCES = """() => [...document.querySelectorAll('.plot')].flatMap(plot => {
    const box = plot.getBoundingClientRect();
    const dots = plot.querySelectorAll('.dot');
    const head = plot.querySelector('.head').getBoundingClientRect();
    const now = (head.x + head.width / 2 - box.x) / box.width * 10000;
    return [...plot.querySelectorAll('.curve')].flatMap((curve, index) => {
        if (dots.length === 0) return [];
        const isWithin = curve.getAttribute('d').split('M').slice(1).some(piece => {
            const times = piece.split('L').map(parseFloat);
            return times[0] + 20 < now && now < times.at(-1) - 20;
        });
        if (dots[index].hidden) return isWithin ? [1] : [];
        const dot = dots[index].getBoundingClientRect();
        const x = (dot.x + dot.width / 2 - box.x) / box.width;
        const y = (dot.y + dot.height / 2 - box.y) / box.height;
        let nearest = 1;
        for (let at = 0, length = curve.getTotalLength(); at <= length; at += length / 4000) {
            const point = curve.getPointAtLength(at);
            if (Math.abs(point.x / 10000 - x) < 0.004) nearest = Math.min(nearest, Math.abs(point.y / 1000 - y));
        }
        return [nearest];
    });
})"""


def check(open_page, path, expect) -> int:
    """Tries all controls of a page. Returns the number of groups."""
    groups = (
        check_buttons,
        check_keys,
        check_phases,
        check_sliders,
        check_speeds,
        check_languages,
        check_autoplay,
        check_charts,
        check_markers,
        check_focus,
    )
    for group in groups:
        group(open_page, path, expect)
    return len(groups)


def check_buttons(open_page, path, expect):
    page = open_page(path)
    page.go(40)
    for name, step in (("next240", 41), ("next60", 45), ("back60", 41), ("back240", 40)):
        page.page.click(f"#{name}")
        expect(page.step == step, f"the button {name} moves to step {page.step} instead of {step}")
    page.go(0)
    page.page.click("#back240")
    expect(page.step == page.steps - 1, f"back from the first step moves to step {page.step} instead of the last")
    page.page.click("#next240")
    expect(page.step == 0, f"next from the last step moves to step {page.step} instead of 0")
    page.page.click("#play")
    expect(page.is_playing, "the play button does not start playback")
    expect(page.changes_from(0), "the time does not change during playback")
    page.page.click("#play")
    expect(not page.is_playing, "the play button does not pause playback")
    stopped = page.seconds
    time.sleep(0.2)
    expect(page.seconds == stopped, "the time changes during a pause")


def check_keys(open_page, path, expect):
    page = open_page(path)
    keyboard = page.page.keyboard
    page.go(40)
    for key, step in (
        ("ArrowRight", 41),
        ("ArrowLeft", 40),
        ("Shift+ArrowRight", 44),
        ("Shift+ArrowLeft", 40),
        ("End", page.steps - 1),
        ("Home", 0),
    ):
        keyboard.press(key)
        expect(page.step == step, f"the key {key} moves to step {page.step} instead of {step}")
    keyboard.press("Space")
    expect(page.is_playing, "the space bar does not start playback")
    keyboard.press("Space")
    expect(not page.is_playing, "the space bar does not pause playback")
    keyboard.press("-")
    expect(page.page.inner_text("#factor") == "1/2 ×", "the minus key does not halve the speed")
    for _ in range(3):
        keyboard.press("+")
    expect(page.page.inner_text("#factor") == "2 ×", "the plus key does not double the speed up to 2")
    keyboard.press("l")
    expect(page.page.get_attribute("html", "lang") == "zh-Hans", "the L key does not change the language")
    page.page.uncheck("#listens")
    page.page.click("h1")
    page.go(7)
    keyboard.press("ArrowRight")
    expect(page.step == 7, "keys work although they are switched off")


def check_phases(open_page, path, expect):
    page = open_page(path)
    for index, phase in enumerate(page.data["phases"]):
        page.page.locator("#phases button").nth(index).click()
        expect_phase(page, index, phase, "its button", expect)
        page.go(0 if index else 5)
        page.page.locator("#table tbody button").nth(index).click()
        expect_phase(page, index, phase, "its button in the table", expect)
        if index < 10:
            page.go(0 if index else 5)
            page.page.keyboard.press(str((index + 1) % 10))
            expect_phase(page, index, phase, "its digit key", expect)


def expect_phase(page, index, phase, control, expect):
    """Checks that a page shows the start of a phase, at most a frame of 1/960 s late."""
    delay = page.seconds - float(phase["start"])
    expect(-0.0001 <= delay <= 1 / 960 + 0.0001, f"phase {index}: {control} moves to {delay:.4f} s after its start")
    current = page.page.locator("#phases [aria-current]")
    position = "button => [...button.parentElement.children].indexOf(button)"
    is_current = current.count() == 1 and current.first.evaluate(position) == index
    expect(is_current, f"phase {index}: {control} does not make it the current one")
    caption = page.page.inner_text("#caption")
    expect(caption == f"Phase {index + 1}: {phase['name'][0]}", f"phase {index}: the caption is {caption}")


def check_sliders(open_page, path, expect):
    page = open_page(path)
    page.page.focus("#position")
    page.go(30)
    page.page.keyboard.press("ArrowRight")
    expect(page.step == 31, f"an arrow key moves the time slider to step {page.step} instead of 31")
    page.page.focus("#speed")
    page.page.keyboard.press("ArrowLeft")
    page.page.keyboard.press("ArrowLeft")
    factor = page.page.inner_text("#factor")
    expect(factor == "1/4 ×", f"arrow keys move the speed slider to {factor} instead of 1/4 ×")
    expect(page.step == 31, f"the speed slider moves the time to step {page.step}")


def check_speeds(open_page, path, expect):
    """Checks playback speeds with a tolerance of 5 % and of two frames of the screen."""
    page = open_page(path)
    for exponent, text in ((1, "2 ×"), (0, "1 ×"), (-2, "1/4 ×"), (-5, "1/32 ×")):
        page.page.locator("#speed").evaluate(SET_SLIDER, exponent)
        factor = page.page.inner_text("#factor")
        expect(factor == text, f"the speed is {factor} instead of {text}")
        page.go(0)
        elapsed, real = page.page.evaluate(MEASURE_SPEED)
        elapsed %= page.data["period"]
        expected = real * 2**exponent
        tolerance = 0.05 * expected + 0.04 * 2**exponent + 0.002
        message = f"at {text}, {elapsed:.3f} s instead of {expected:.3f} s pass in {real:.3f} s"
        expect(abs(elapsed - expected) <= tolerance, message)


def check_languages(open_page, path, expect):
    page = open_page(path)
    expect(page.page.get_attribute("html", "lang") == "en", "the first language is not English")
    english = page.page.inner_text("body")
    expect(not CHINESE.search(english.replace("中文", "")), "the English page contains Chinese text")
    page.page.click("#languages button:nth-child(2)")
    expect(page.page.get_attribute("html", "lang") == "zh-Hans", "the button does not change the language")
    expect(page.page.title() == page.data["title"][1], "the title is not Chinese")
    selectors = (
        "#caption",
        "#phases button",
        "#readout tbody th",
        "#readout thead th",
        "#table th",
        "#list",
        "#play",
    )
    for selector in selectors:
        text = page.page.locator(selector).first.inner_text()
        # Buttons of seven or more phases have only numbers.
        has_words = selector != "#phases button" or len(page.data["phases"]) < 7
        expect(CHINESE.search(text) is not None or not has_words, f"{selector} is not Chinese: {text}")
    for element in page.page.locator("[data-label]").all():
        label = element.get_attribute("aria-label")
        expect(CHINESE.search(label) is not None, f"the accessible label is not Chinese: {label}")
    page = open_page(path, locale="zh-CN")
    expect(page.page.get_attribute("html", "lang") == "zh-Hans", "a Chinese browser does not get Chinese")


def check_language(open_page, path, language, expect):
    """Checks a page with a single language in a browser with the other language."""
    page = open_page(path, locale="zh-CN" if language == "en" else "en-US")
    lang = {"en": "en", "zh": "zh-Hans"}[language]
    expect(page.page.get_attribute("html", "lang") == lang, f"only {language}: the page has another language")
    expect(page.page.locator("#languages button").count() == 0, f"only {language}: the page has language buttons")
    page.page.keyboard.press("l")
    expect(page.page.get_attribute("html", "lang") == lang, f"only {language}: the L key changes the language")
    is_chinese = CHINESE.search(page.page.inner_text("body")) is not None
    expect(is_chinese == (language == "zh"), f"only {language}: the text has another language")


def check_autoplay(open_page, path, expect):
    page = open_page(path)
    time.sleep(0.3)
    expect(not page.is_playing and page.step == 0, "the page starts playback despite prefers-reduced-motion")
    page = open_page(path, motion="no-preference")
    expect(page.is_playing, "the page does not start playback")
    expect(page.changes_from(page.seconds), "the time does not change after the automatic start")


def check_charts(open_page, path, expect):
    """Checks that clicks in charts set the time, and the positions of playheads and dots."""
    page = open_page(path)
    plots = page.page.locator(".plot")
    period = page.data["period"]
    expected_count = len(page.data["charts"])
    expect(plots.count() == expected_count, f"{plots.count()} charts instead of {expected_count}")
    for index in range(plots.count()):
        box = plots.nth(index).bounding_box()
        plots.nth(index).click(position={"x": box["width"] * 0.3, "y": box["height"] / 2})
        is_near = abs(page.seconds / period - 0.3) < 0.01
        expect(is_near, f"a click in chart {index} moves to {page.seconds} s instead of {0.3 * period} s")
        page.go(page.steps // 2)
        playheads = page.page.evaluate(PLAYHEADS)
        expected = page.steps // 2 / STEPS_PER_SECOND / period
        is_near = all(abs(playhead - expected) < 0.005 for playhead in playheads)
        expect(is_near, f"the playheads are at {playheads} instead of {expected}")
    distances = page.page.evaluate(DOT_DISTANCES)
    expect(all(distance < 0.02 for distance in distances), f"dots are away from their curves: {distances}")


def check_markers(open_page, path, expect):
    """Checks that markers are at the objects' positions, and do not change the canvas."""
    page = open_page(path)
    page.go(page.steps // 4)
    before = page.canvas_pixels()
    objects = len(page.data["objects"])
    visible = page.page.locator(".spot:visible")
    expect(visible.count() == 0, f"{visible.count()} markers are visible at first")
    page.page.check("#marks")
    expect(visible.count() == objects, f"{visible.count()} markers instead of {objects} are visible")
    expect((page.canvas_pixels() == before).all(), "markers change the canvas")
    canvas = page.page.locator("#frame").bounding_box()
    for index in range(objects):
        cells = page.page.locator("#readout tbody tr").nth(index).locator("td").all_inner_texts()
        x, y = (float(cell.replace("−", "-")) for cell in cells[:2])
        spot = page.page.locator(".spot").nth(index).bounding_box()
        marker_x = (spot["x"] + spot["width"] / 2 - canvas["x"]) / canvas["width"] * page.data["width"]
        marker_y = (spot["y"] + spot["height"] / 2 - canvas["y"]) / canvas["height"] * page.data["height"]
        is_near = abs(marker_x - x) < 0.6 and abs(marker_y - y) < 0.6
        expect(is_near, f"marker {index} is at {marker_x}, {marker_y} instead of {x}, {y}")


def check_focus(open_page, path, expect):
    """Checks that the tab key reaches all controls, and that the space bar presses buttons."""
    page = open_page(path)
    reached = set()
    for _ in range(80):
        page.page.keyboard.press("Tab")
        reached.add(page.page.evaluate("document.activeElement.id || document.activeElement.textContent"))
    for name in ("position", "back60", "back240", "play", "next240", "next60", "speed", "marks", "listens"):
        expect(name in reached, f"the tab key does not reach {name}")
    page.go(10)
    page.page.focus("#next240")
    page.page.keyboard.press("Space")
    expect(page.step == 11 and not page.is_playing, "the space bar does not press the focused button")
    # A click does not leave a visible focus, so the space bar starts playback.
    page.page.click("#next240")
    page.page.keyboard.press("Space")
    expect(page.is_playing, "the space bar does not start playback after a click")
