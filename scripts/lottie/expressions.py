"""Compares the table of expressions in the tests with the values that lottie-web computes.

Called by scripts/compare-expressions.
"""

import json
import math
import re
import sys
import tempfile
from pathlib import Path

from worker import Web

TABLE = Path(__file__).resolve().parents[2] / "Tests/LottieTests/ExpressionCases.swift"
# The frame at which the expressions are evaluated, as in the tests: 1.5 s at 10 frames per second.
FRAME = 15
# The expressions for which lottie-web fails or has another value, by the reason.
DEVIATIONS = {
    "lottie-web's code is in strict mode, in which eval declares no variables outside": [
        "eval('var q = 3'); q",
        "var x = 1; eval('var x = 2'); x",
        "function f() { eval('var z = 4'); return z } f() + (typeof z == 'undefined' ? 1 : 0)",
        "eval('function g() { return 6 }'); g()",
        "if (true) { eval('var q = 7') } q",
        "eval('let k = 2; function g() { return k }'); g()",
        "var a = b = 3; a + b",
    ],
    "lottie-web has no such name": [
        "startTime",
        "thisComp.duration",
        "scale.length",
        "rotation.valueAtTime(0)",
        "dot([1, 2, 3], [4, 5, 6])",
        "cross([1, 0, 0], [0, 1, 0])[2]",
        "hexToRgb('ff8000')[0]",
        "noise(3)",
        "toCompVec([10, 0])[0] == fromCompVec([10, 0])[0] ? 1 : 0",
        "thisLayer.enabled ? 1 : 0",
        "speed",
        "temporalWiggle(1, 1)",
        "loop_in('cycle') + 1",
        "thisComp.marker.numKeys",
        "name == '' ? 1 : 0",
        "thisLayer('ADBE Transform Group')('ADBE Position_0')",
    ],
    "lottie-web takes a property for a number, or its own radians for degrees": [
        "thisProperty.value",
        "var transform = 3; thisProperty === $bm_transform.rotation ? transform : 0",
    ],
    "lottie-web computes with a table, or with numbers of 32 bits": [
        "ease(0.5, 0, 10)",
        "normalize([3, 4])[0]",
    ],
    "After Effects rounds to whole frames": [
        "timeToFrames(0.31)",
        "timeToFrames(0.31, 10, true)",
        "timeToFrames(-0.31, 10, true)",
    ],
    "After Effects swaps the ends of a falling range together with the values": ["linear(2, 10, 0, 0, 100)"],
    "After Effects clamps each component": ["clamp([-1, 20], 0, 10)[1]"],
    "After Effects takes the first number of an array, and the keyframes' value for no value": [
        "[7, 8]",
        "null",
        "value[0]",
        "[value, rotation][1]",
        "([value] + [1])[0]",
    ],
    "After Effects takes the value of a declaration": ["var x = 3", "var a = 1; var b = a + 1"],
}


def cases() -> list[tuple[str, float]]:
    """The expressions of the table with their values, without `wiggle`: lottie-web's is random."""
    found = re.findall(r'\("((?:[^"\\]|\\.)*)",\s*(-?[\d.e+-]+)\)', TABLE.read_text())
    # Swift writes characters by their code points as \u{301}.
    texts = (re.sub(r"\\u\{(\w+)\}", lambda match: chr(int(match[1], 16)), text) for text, _ in found)
    table = [(json.loads(f'"{text}"'), float(value)) for text, (_, value) in zip(texts, found)]
    return [(source, value) for source, value in table if "wiggle(" not in source]


def animation(source: str) -> dict:
    """An animation of a layer whose rotation of 5 degrees has an expression, as in the tests."""
    constant = {"p": [0, 0, 0], "a": [0, 0, 0], "s": [100, 100, 100], "o": 100}
    transform = {name: {"a": 0, "k": value} for name, value in constant.items()}
    # Bodymovin assigns the value of the last statement to a variable, as `eval` does here.
    program = source if "$bm_rt" in source else f"var $bm_rt;\n$bm_rt = eval({json.dumps(source)});"
    transform["r"] = {"a": 0, "k": 5, "x": program}
    layer = {"ty": 1, "ind": 1, "ip": 0, "op": 1000, "st": 0, "sw": 100, "sh": 100, "sc": "#000000", "ks": transform}
    canvas = {"w": 100, "h": 100, "fr": 10, "ip": 0, "op": 100}
    return {"v": "5.7.0", "nm": "Main", "assets": [], "layers": [layer]} | canvas


def evaluate(web: Web, source: str) -> float | str:
    """The value in degrees, or the message of the error."""
    try:
        web.page.evaluate(web.LOAD, [json.dumps(animation(source)), 100, 100])
        web.page.evaluate(web.SHOW, FRAME)
        return web.page.evaluate("player.renderer.elements[0].finalTransform.mProp.r.v") * 180 / math.pi
    except Exception as error:
        # A failed player cannot be destroyed, so a new page replaces it.
        web.page.close()
        web.open_page()
        return str(error).splitlines()[0]


def main() -> None:
    web = Web()
    reasons = {source: reason for reason, sources in DEVIATIONS.items() for source in sources}
    counts = dict.fromkeys(DEVIATIONS, 0)
    wrong = 0
    table = cases()
    for source, value in table:
        result = evaluate(web, source)
        is_equal = not isinstance(result, str) and math.isclose(result, value, rel_tol=1e-9, abs_tol=1e-9)
        if is_equal == (source not in reasons):
            if not is_equal:
                counts[reasons[source]] += 1
            continue
        wrong += 1
        note = ", but a reason is listed" if is_equal else ""
        print(f"{source}: {value} in the table, {result} in lottie-web{note}")
    equal = len(table) - sum(counts.values()) - wrong
    print(f"{equal} of {len(table)} expressions have the value of lottie-web {web.version}")
    for source in reasons.keys() - {source for source, _ in table}:
        wrong += 1
        print(f"{source}: a reason is listed, but the table has no such expression")
    for reason, count in counts.items():
        print(f"{count:3} differ: {reason}")
    sys.exit(1 if wrong else 0)


main()
