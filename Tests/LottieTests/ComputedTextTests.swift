import Core
import Raster
import TestSupport
import Testing

@testable import Lottie

/// Texts that an expression computes. "a" is 10 points wide and has an area of 140, "b" has 84.
@Suite struct ComputedTextTests {
    private func animation(
        _ expression: String, _ texts: [(frame: Double, text: String)] = [(0, "b")], capitals: Double = 0
    ) -> JSON {
        let keyframes = texts.map { frame, text -> JSON in
            [
                "t": .number(frame),
                "s": ["t": .string(text), "f": "Font", "s": 20, "fc": [0, 0, 0], "ca": .number(capitals)],
            ]
        }
        let document: JSON = ["k": .array(keyframes), "x": .string(expression)]
        return textAnimation("a").with([
            "layers": [
                layer(5, ["p": [10, 60]], ["t": ["d": document, "a": []], "nm": "text", "ind": 1]),
                layer(5, ["p": [10, 90]], ["t": ["d": ["k": .array(keyframes)], "a": []], "hd": true, "ind": 2]),
            ]
        ])
    }

    @Test(arguments: [
        ("'aa'", 280.0), ("var n = Math.floor(time * 10); var s = ''; for (; n > 0; n--) s += 'a'; s", 560),
        ("value + 'a'", 224), ("text.sourceText + 'a'", 224), ("thisComp.layer(2).text.sourceText + 'a'", 224),
        ("null", 84), ("var $bm_rt; $bm_rt = value.split('').concat(['a', 'a']).join('')", 364),
    ])
    func textsAreComputed(expression: String, area: Double) throws {
        let json = animation(expression)
        #expect(try unsupportedFeatures(json).isEmpty)
        expect(try draw(json, frame: 4).area, near: area)
    }

    @Test func valuesHoldUntilTheNextKeyframe() throws {
        let json = animation("value + value", [(0, "b"), (5, "a")])
        expect(try draw(json, frame: 4).area, near: 168)
        expect(try draw(json, frame: 5).area, near: 280)
        expect(try draw(animation("key(2).value", [(0, "b"), (5, "a")])).area, near: 140)
    }

    /// Other expressions see the computed text.
    @Test func textsAreReadByExpressions() throws {
        let json = animation("'a' + value")
        let reader = solid("#000", at: ["r": computed("thisComp.layer('text').text.sourceText == 'ab' ? 7 : 1")])
        let layers = (json["layers"]?.items ?? []) + [reader]
        let animation = try LottieFixture(json.with(["layers": .array(layers)])).animation
        let rotation = animation.composition.layers[2].transform.rotation
        #expect(rotation.value(at: 0, in: animation.frameContext()) == 7)
    }

    @Test(arguments: [
        ("'c'", "has 'c', for which there is no glyph"), ("'a'.repeat(201)", "maximum of 200 characters"),
        ("[1].nothing()", "layers[0].t.d.x"), ("'a", "has a string without an end"),
    ])
    func failuresAreReported(expression: String, message: String) throws {
        let reported = try unsupportedFeatures(animation(expression))
        #expect(reported.count == 1 && reported[0].contains(message), "\(reported)")
    }
}
