import Core
import Raster
import TestSupport
import Testing

@testable import Lottie

/// Text layers.
@Suite struct TextTests {
    @Test func charactersAdvance() throws {
        let bitmap = try draw(textAnimation("ab a"))
        // At 20 points, "a" is 10 wide with an advance of 12, "b" 6 with 8, and the space has 6.
        // All are 14 high.
        expect(bitmap.area, near: (10 + 6 + 10) * 14)
        expect(
            bitmap,
            [
                (10, 59, .black), (19, 47, .black), (21, 50, .white), (23, 50, .black), (29, 50, .white),
                (37, 50, .black), (45, 50, .black),
            ])
    }

    @Test func linesAreJustified() throws {
        let width = 12.0 + 8
        for (justification, left) in [(0, 50.0), (1, 50 - width), (2, 50 - width / 2)] {
            let bitmap = try draw(textAnimation("ab", ["j": .number(Double(justification))], at: ["p": [50, 50]]))
            #expect(bitmap.ink(Int(left) + 1, 45) > 0.9 && bitmap.ink(Int(left) - 1, 45) < 0.1)
        }
        let lines = try draw(textAnimation("a\ra"))
        expect(lines, [(12, 50, .black), (12, 62, .white), (12, 75, .black), (12, 84, .white)])
    }

    @Test func trackingColourAndStrokeAreApplied() throws {
        // 100 thousandths of 20 points between the characters.
        let bitmap = try draw(textAnimation("ab", ["tr": 100, "fc": [1, 0, 0]]))
        expect(bitmap, [(12, 50, .fullRed), (23, 50, .white), (25, 50, .fullRed)])
        let line = try draw(textAnimation("a", ["sc": [0, 0, 1], "sw": 2, "of": true]))
        expect(line, [(10, 50, .fullBlue), (15, 52, .black)])
        let isOnTop = try draw(textAnimation("a", ["sc": [0, 0, 1], "sw": 4]))
        expect(isOnTop, [(11, 50, .fullBlue), (15, 52, .black)])
        let isBelow = try draw(textAnimation("a", ["sc": [0, 0, 1], "sw": 4, "of": false]))
        expect(isBelow, [(11, 50, .black), (15, 52, .black)])
    }

    /// At 20 points, "a" advances by 12, "b" by 8 and the space by 6.
    @Test(arguments: [
        ("ab \ra", 22.0, 0.0, [2, 1]), (" a", 80, 0, [1]), ("a b", 31, 100, [2]), ("a b", 25, 0, [1, 1]),
        ("aaaa", 30, 0, [2, 2]), ("ab ba", 22, 0, [2, 2]),
    ])
    func boxTextWraps(text: String, width: Double, tracking: Double, counts: [Int]) throws {
        let style: [String: JSON] = [
            "sz": [.number(width), 60], "ps": [0, 0], "tr": .number(tracking),
        ]
        let bitmap = try draw(textAnimation(text, style, at: ["p": [10, 10]]))
        let areas = ["a": 140.0, "b": 84]
        var rest = text.filter { areas[String($0)] != nil }[...]
        for (line, count) in counts.enumerated() {
            let area = rest.prefix(count).reduce(0) { $0 + (areas[String($1)] ?? 0) }
            rest = rest.dropFirst(count)
            // Baselines are 20 points below the box's top and 24 points apart.
            let band = (0..<100).reduce(0.0) { sum, x in
                (10 + 24 * line + 4..<10 + 24 * line + 22).reduce(sum) { $0 + bitmap.ink(x, $1) }
            }
            expect(band, near: area)
        }
        #expect(rest.isEmpty)
    }

    /// The first baseline of a box is the font's ascent below its top; without one, the font size.
    @Test(arguments: [(JSON.null, 20.0), (70, 14), (110, 22)]) func boxesBeginAtTheAscent(ascent: JSON, y: Double)
        throws
    {
        let json = textAnimation("a", ["sz": [80, 60], "ps": [0, 0]], at: ["p": [10, 10]])
        let font: JSON = ["fName": "Font", "fFamily": "Blocks", "fStyle": "Regular", "ascent": ascent]
        let bitmap = try draw(json.with(["fonts": ["list": [font]]]))
        let bottom = 10 + Int(y)
        expect(
            bitmap,
            [(15, bottom - 1, .black), (15, bottom, .white), (15, bottom - 14, .black), (15, bottom - 15, .white)])
    }

    /// As in lottie-web and ThorVG, characters that the file's font lacks are not drawn.
    @Test func charactersWithoutGlyphsAreNotDrawn() throws {
        let fixture = try LottieFixture(textAnimation("a-é b", at: ["p": [10, 60]]))
        #expect(fixture.loader.scene(at: 0) == (try LottieFixture(textAnimation("a b"))).loader.scene(at: 0))
        #expect(
            fixture.loader.notes == [
                "layers[0].t.d.k[0].s: the file has no glyphs of the font 'Blocks' for '-', 'é', and they are not drawn"
            ])
    }

    /// A box without a position has its first baseline at the layer's origin, as in lottie-web.
    @Test func boxesWithoutAPositionBeginAtTheirTop() throws {
        let bitmap = try draw(textAnimation("a", ["sz": [80, 60]], at: ["p": [10, 50]]))
        expect(bitmap, [(15, 49, .black), (15, 50, .white), (15, 36, .black), (15, 35, .white)])
    }

    /// Before version 4.7.99, the control points of glyphs were not relative to their vertices, and
    /// before 4.4.14 a text had no keyframes.
    @Test func oldFilesHaveAbsoluteTangents() throws {
        func square(_ isAbsolute: Bool) -> JSON {
            let corners: [JSON] = [[0, -70], [50, -70], [50, 0], [0, 0]]
            let zero: [JSON] = [[0, 0], [0, 0], [0, 0], [0, 0]]
            let tangents = JSON.array(isAbsolute ? corners : zero)
            let outline: JSON = ["v": .array(corners), "i": tangents, "o": tangents, "c": true]
            return [
                "ch": "a", "size": 10, "style": "Regular", "fFamily": "Blocks", "w": 60,
                "data": ["shapes": [["ty": "gr", "it": [path(outline)]]]],
            ]
        }
        let document: JSON = ["t": "a", "f": "Font", "s": 20, "fc": [0, 0, 0]]
        for (version, isAbsolute) in [("5.9.0", false), ("4.7.99", false), ("4.7.98", true), ("4.4.13", true)] {
            let text: JSON = version == "4.4.13" ? ["d": document] : ["d": ["k": [["t": 0, "s": document]]]]
            let json = textAnimation("a").with([
                "v": .string(version), "chars": [square(isAbsolute)],
                "layers": [layer(5, ["p": [10, 60]], ["t": text])],
            ])
            expect(try draw(json).area, near: 140)
        }
    }

    /// A leading space moves the first character.
    @Test func leadingSpacesCount() throws {
        let bitmap = try draw(textAnimation(" a", ["sz": [80, 60], "ps": [0, 0]], at: ["p": [10, 10]]))
        expect(bitmap, [(14, 25, .white), (18, 25, .black)])
    }

    @Test func textChangesAtKeyframes() throws {
        func text(_ text: String, _ time: Double) -> JSON {
            ["t": .number(time), "s": ["t": .string(text), "f": "Font", "s": 20, "fc": [0, 0, 0]]]
        }
        let json = textAnimation("a").with([
            "layers": [
                layer(5, ["p": [10, 60]], ["t": ["d": ["k": [text("a", 0), text("aa", 5)]], "a": []]])
            ]
        ])
        expect(try draw(json, frame: 4).area, near: 140)
        expect(try draw(json, frame: 5).area, near: 280)
    }

    /// Each animator moves the opacity towards its own, so a later one can show hidden characters.
    @Test func laterAnimatorsReplaceTheOpacity() throws {
        let hidden = textAnimator(["s": 0, "e": 100], ["o": 0])
        let shown = textAnimator(["s": 0, "e": 37.5], ["o": 80])
        let bitmap = try draw(textAnimation("aaaa", animators: [hidden, shown]))
        expect(bitmap, [(12, 50, Pixel(51, 51, 51)), (24, 50, Pixel(153, 153, 153)), (36, 50, .white)])
        let faded = try draw(textAnimation("aaaa", animators: [hidden, shown].reversed()))
        #expect(faded.area == 0)
    }

    /// Creator writes 3D rotations that are 0, and empty objects.
    @Test func animatorPropertiesWithoutEffectAreIgnored() throws {
        let values: JSON = ["rx": property(0), "ry": property(0), "fs": [:], "o": property(0)]
        let json = textAnimation("aa", animators: [textAnimator(["s": 0, "e": 50], [:]).with(["a": values])])
        #expect(try unsupportedFeatures(json).isEmpty)
        expect(try draw(json), [(12, 50, .white), (24, 50, .black)])
        let turned = textAnimator(["s": 0, "e": 50], ["ry": 30])
        #expect(try unsupportedFeatures(textAnimation("aa", animators: [turned])).count == 1)
    }

    @Test func animatorsChangeTheOpacityOfFillsAndStrokes() throws {
        let style: [String: JSON] = ["sc": [0, 0, 1], "sw": 4]
        let fill = textAnimator(["s": 0, "e": 50], ["fo": 20])
        expect(
            try draw(textAnimation("aa", style, animators: [fill])),
            [(15, 52, Pixel(204, 204, 204)), (27, 52, .black), (10, 52, .fullBlue)])
        let both = [textAnimator(["s": 0, "e": 50], ["so": 0]), textAnimator(["s": 0, "e": 100], ["fo": 0])]
        let hidden = try draw(textAnimation("aa", style, animators: both))
        expect(hidden, [(15, 52, .white), (9, 52, .white), (27, 52, .white), (22, 52, .fullBlue)])
    }

    @Test func animatorsChangeARangeOfCharacters() throws {
        // The first half of four characters of 12 points each.
        let faded = try draw(textAnimation("aaaa", animators: [textAnimator(["s": 0, "e": 50], ["o": 0])]))
        expect(faded, [(12, 50, .white), (24, 50, .white), (36, 50, .black), (48, 50, .black)])
        // Three eighths are one and a half characters.
        let part = try draw(textAnimation("aaaa", animators: [textAnimator(["s": 0, "e": 37.5], ["o": 0])]))
        expect(part, [(12, 50, .white), (24, 50, Pixel(127, 127, 127)), (36, 50, .black)])
        let moved = try draw(textAnimation("aaaa", animators: [textAnimator(["s": 50, "e": 75], ["p": [0, 20]])]))
        expect(moved, [(12, 50, .black), (36, 50, .white), (36, 70, .black), (48, 50, .black)])
        let shifted = try draw(
            textAnimation("aaaa", animators: [textAnimator(["s": 0, "e": 25, "o": 50], ["fc": [1, 0, 0]])]))
        expect(shifted, [(12, 50, .black), (36, 50, .fullRed), (48, 50, .black)])
        let grown = try draw(textAnimation("aa", animators: [textAnimator(["s": 0, "e": 50], ["s": [50, 50]])]))
        expect(grown.area, near: 140 + 35)
    }

    /// Tracking does not move the centre of a centred line or the end of a right-aligned one, and
    /// the space after the last character does not count.
    @Test func trackingKeepsLinesJustified() throws {
        let wider = textAnimator(["s": 0, "e": 100], ["t": 6])
        for (justification, lefts) in [(0, [50.0, 68]), (1, [20, 38]), (2, [35, 53])] {
            let style: [String: JSON] = ["j": .number(Double(justification))]
            let bitmaps = [
                try draw(textAnimation("aa", style, animators: [wider], at: ["p": [50, 60]])),
                try draw(textAnimation("aa", style.merging(["tr": 300]) { $1 }, at: ["p": [50, 60]])),
                try draw(textAnimation("aa  ", style.merging(["tr": 300]) { $1 }, at: ["p": [50, 60]])),
            ]
            for bitmap in bitmaps {
                expect(bitmap, lefts.flatMap { [(Int($0) - 1, 50, .white), (Int($0) + 1, 50, .black)] })
            }
        }
    }

    @Test func rangesAreAnimated() throws {
        // The characters appear one after the other, one per frame.
        let start = keys(key(0, 0), key(4, 100))
        let json = textAnimation("aaaa", animators: [textAnimator(["s": start, "e": 100], ["o": 0])])
        for frame in 0...4 { expect(try draw(json, frame: Rational(frame)).area, near: 140 * Double(frame)) }
    }
}
