"""Every button, slider and key of a page, tried as a person does."""

import re
import time

CHINESE = re.compile(r"[\u4e00-\u9fff]")


def check(open_page, path, expect) -> int:
    """Tries everything on a page; returns how many things that were."""
    tried = 0
    for part in (buttons, keys, phases, sliders, speeds, languages, motion, charts, marks, focus):
        part(open_page, path, expect)
        tried += 1
    return tried


def buttons(open_page, path, expect):
    page = open_page(path)
    page.go(40)
    for name, step in (("next240", 41), ("next60", 45), ("back60", 41), ("back240", 40)):
        page.page.click(f"#{name}")
        expect(page.frame == step, f"the button {name} leads to step {page.frame} instead of {step}")
    page.go(0)
    page.page.click("#back240")
    expect(page.frame == page.steps - 1, "before the first step is the last")
    page.page.click("#next240")
    expect(page.frame == 0, "behind the last step is the first")
    page.page.click("#play")
    expect(page.is_playing, "the button plays")
    expect(page.leaves(0), "the picture moves while it plays")
    page.page.click("#play")
    expect(not page.is_playing, "the button pauses")
    stopped = page.seconds
    time.sleep(0.2)
    expect(page.seconds == stopped, "it stands still while it pauses")


def keys(open_page, path, expect):
    page = open_page(path)
    keyboard = page.page.keyboard
    page.go(40)
    for key, step in (
            ("ArrowRight", 41), ("ArrowLeft", 40), ("Shift+ArrowRight", 44), ("Shift+ArrowLeft", 40), ("End", page.steps - 1),
            ("Home", 0)):
        keyboard.press(key)
        expect(page.frame == step, f"{key} leads to step {page.frame} instead of {step}")
    keyboard.press("Space")
    expect(page.is_playing, "space plays")
    keyboard.press("Space")
    expect(not page.is_playing, "space pauses")
    keyboard.press("-")
    expect(page.page.inner_text("#factor") == "1/2 ×", "the minus key slows down")
    keyboard.press("+")
    keyboard.press("+")
    keyboard.press("+")
    expect(page.page.inner_text("#factor") == "2 ×", "the plus key speeds up, to 2 at most")
    keyboard.press("l")
    expect(page.page.get_attribute("html", "lang") == "zh-Hans", "L changes the language")
    page.page.uncheck("#listens")
    page.page.click("h1")
    page.go(7)
    keyboard.press("ArrowRight")
    expect(page.frame == 7, "keys do nothing when they are switched off")


def phases(open_page, path, expect):
    page = open_page(path)
    for index, phase in enumerate(page.data["phases"]):
        start = float(phase["start"])
        # The first picture of the phase, which is at most 1/960 s after it begins.
        def expect_start(how):
            late = page.seconds - start
            expect(-0.0001 <= late <= 1 / 960 + 0.0001, f"{how} leads {late:.4f} s behind phase {index}")
            current = page.page.locator("#phases [aria-current]")
            expect(current.count() == 1 and current.first.evaluate(
                "button => [...button.parentElement.children].indexOf(button)") == index, f"phase {index} is current")
            caption = page.page.inner_text("#caption")
            expect(caption == f"Phase {index + 1}: {phase['name'][0]}", f"the caption of phase {index} is {caption}")
        page.page.locator("#phases button").nth(index).click()
        expect_start("its button")
        page.go(0 if index else 5)
        page.page.locator("#table tbody button").nth(index).click()
        expect_start("the table's button")
        if index < 10:
            page.go(0 if index else 5)
            page.page.keyboard.press(str((index + 1) % 10))
            expect_start("its digit")


def sliders(open_page, path, expect):
    page = open_page(path)
    page.page.focus("#place")
    page.go(30)
    page.page.keyboard.press("ArrowRight")
    expect(page.frame == 31, f"an arrow moves the slider by 1/240 s, not to step {page.frame}")
    page.page.focus("#speed")
    page.page.keyboard.press("ArrowLeft")
    page.page.keyboard.press("ArrowLeft")
    expect(page.page.inner_text("#factor") == "1/4 ×", "arrows move the speed's slider")
    expect(page.frame == 31, "which does not move the picture")


def speeds(open_page, path, expect):
    """Model time runs as fast as is said, to a twentieth or two pictures of the screen."""
    page = open_page(path)
    for exponent, text in ((1, "2 ×"), (0, "1 ×"), (-2, "1/4 ×"), (-5, "1/32 ×")):
        page.page.locator("#speed").evaluate(
            "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", exponent)
        expect(page.page.inner_text("#factor") == text, f"the speed is {page.page.inner_text('#factor')}, not {text}")
        page.go(0)
        measured = page.page.evaluate("""async () => {
            const read = () => parseFloat(document.getElementById('time').textContent);
            document.getElementById('play').click();
            const next = () => new Promise(requestAnimationFrame);
            await next(); await next();
            const [start, first] = [performance.now(), read()];
            while (performance.now() - start < 600) await next();
            const result = [read() - first, (performance.now() - start) / 1000];
            document.getElementById('play').click();
            return result;
        }""")
        model, real = measured[0] % page.data["period"], measured[1]
        wanted = real * 2 ** exponent
        expect(
            abs(model - wanted) <= 0.05 * wanted + 0.04 * 2 ** exponent + 0.002,
            f"at {text} {model:.3f} s of the model pass in {real:.3f} s")


def languages(open_page, path, expect):
    page = open_page(path)
    expect(page.page.get_attribute("html", "lang") == "en", "it begins in English")
    english = page.page.inner_text("body")
    expect(not CHINESE.search(english.replace("中文", "")), "English pages have no Chinese")
    page.page.click("#languages button:nth-child(2)")
    expect(page.page.get_attribute("html", "lang") == "zh-Hans", "the button changes the language")
    expect(page.page.title() == page.data["title"][1], "the title is Chinese")
    for selector in ("#caption", "#phases button", "#readout tbody th", "#readout thead th", "#table th", "#list", "#play"):
        text = page.page.locator(selector).first.inner_text()
        has_names = selector != "#phases button" or len(page.data["phases"]) < 7
        expect(CHINESE.search(text) is not None or not has_names, f"{selector} is Chinese: {text}")
    for label in page.page.locator("[data-label]").all():
        name = label.get_attribute("aria-label")
        expect(CHINESE.search(name) is not None, f"what is read aloud is Chinese: {name}")
    page = open_page(path, locale="zh-CN")
    expect(page.page.get_attribute("html", "lang") == "zh-Hans", "in a Chinese browser it begins in Chinese")


def check_language(open_page, path, language, expect):
    """A page in one language, in a browser of the other."""
    page = open_page(path, locale="zh-CN" if language == "en" else "en-US")
    lang = {"en": "en", "zh": "zh-Hans"}[language]
    expect(page.page.get_attribute("html", "lang") == lang, f"the page is {language}")
    expect(page.page.locator("#languages button").count() == 0, "one language has no switch")
    page.page.keyboard.press("l")
    expect(page.page.get_attribute("html", "lang") == lang, "nor a key")
    expect((CHINESE.search(page.page.inner_text("body")) is not None) == (language == "zh"), f"all of it is {language}")


def motion(open_page, path, expect):
    page = open_page(path)
    time.sleep(0.3)
    expect(not page.is_playing and page.frame == 0, "it does not begin by itself where motion is not wanted")
    page = open_page(path, motion="no-preference")
    expect(page.is_playing, "else it does")
    expect(page.leaves(page.seconds), "and moves")


def charts(open_page, path, expect):
    """One playhead in all charts, which is where one clicks; dots lie on their curves."""
    page = open_page(path)
    plots = page.page.locator(".plot")
    expect(plots.count() == len(page.data["charts"]), "all charts are there")
    for index in range(plots.count()):
        box = plots.nth(index).bounding_box()
        plots.nth(index).click(position={"x": box["width"] * 0.3, "y": box["height"] / 2})
        expect(abs(page.seconds / page.data["period"] - 0.3) < 0.01, f"a click in chart {index} leads to {page.seconds} s")
        page.go(page.steps // 2)
        places = page.page.evaluate("""() => [...document.querySelectorAll('.plot')].map(plot => {
            const box = plot.getBoundingClientRect(), head = plot.querySelector('.head').getBoundingClientRect();
            return (head.x + head.width / 2 - box.x) / box.width;
        })""")
        share = page.steps // 2 / 240 / page.data["period"]
        expect(all(abs(place - share) < 0.005 for place in places), f"the playheads are at {places}, not {share}")
    # How far each dot is from its curve, in parts of the chart's height, where the curve is no step.
    distances = page.page.evaluate("""() => [...document.querySelectorAll('.plot')].flatMap(plot => {
        const box = plot.getBoundingClientRect();
        return [...plot.querySelectorAll('.curve')].map((curve, index) => {
            const dot = plot.querySelectorAll('.dot')[index].getBoundingClientRect();
            const [x, y] = [(dot.x + dot.width / 2 - box.x) / box.width, (dot.y + dot.height / 2 - box.y) / box.height];
            let nearest = 1;
            for (let at = 0, length = curve.getTotalLength(); at <= length; at += length / 4000) {
                const point = curve.getPointAtLength(at);
                if (Math.abs(point.x / 10000 - x) < 0.004) nearest = Math.min(nearest, Math.abs(point.y / 1000 - y));
            }
            return nearest;
        });
    })""")
    expect(all(distance < 0.02 for distance in distances), f"dots are beside their curves: {distances}")


def marks(open_page, path, expect):
    """Marks lie where the readings say, and change no pixel of the picture."""
    page = open_page(path)
    page.go(page.steps // 4)
    before = page.picture()
    expect(page.page.locator(".spot:visible").count() == 0, "marks are hidden at first")
    page.page.check("#marks")
    expect(page.page.locator(".spot:visible").count() == len(page.data["objects"]), "marks are shown")
    expect((page.picture() == before).all(), "marks are not in the picture")
    canvas = page.page.locator("#picture").bounding_box()
    for index in range(len(page.data["objects"])):
        cells = page.page.locator("#readout tbody tr").nth(index).locator("td").all_inner_texts()
        x, y = (float(cell.replace("−", "-")) for cell in cells[:2])
        spot = page.page.locator(".spot").nth(index).bounding_box()
        found = [
            (spot["x"] + spot["width"] / 2 - canvas["x"]) / canvas["width"] * page.data["width"],
            (spot["y"] + spot["height"] / 2 - canvas["y"]) / canvas["height"] * page.data["height"]]
        expect(abs(found[0] - x) < 0.6 and abs(found[1] - y) < 0.6, f"mark {index} is at {found}, not {x}, {y}")


def focus(open_page, path, expect):
    """Everything is reached by the tabulator, and a button that has the focus takes the space bar."""
    page = open_page(path)
    reached = set()
    for _ in range(80):
        page.page.keyboard.press("Tab")
        reached.add(page.page.evaluate("document.activeElement.id || document.activeElement.textContent"))
    for name in ("place", "back60", "back240", "play", "next240", "next60", "speed", "marks", "listens"):
        expect(name in reached, f"the tabulator does not reach {name}")
    page.go(10)
    page.page.focus("#next240")
    page.page.keyboard.press("Space")
    expect(page.frame == 11 and not page.is_playing, "the space bar presses the button that has the focus")
    # After a click it plays, as everywhere.
    page.page.click("#next240")
    page.page.keyboard.press("Space")
    expect(page.is_playing, "after a click the space bar plays")
