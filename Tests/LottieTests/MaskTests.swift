import Core
import TestSupport
import Testing

@testable import Lottie

/// Masks of a black layer of 80 by 80 points.
@Suite struct MaskTests {
    private func masked(_ masks: JSON..., at: [String: JSON] = [:]) throws -> PixelGrid {
        try draw(
            lottie(shapes(rectangle([50, 50], [80, 80]), fill(black), at: at, ["masksProperties": .array(masks)])))
    }

    /// Two squares with sides of 40 points that overlap by 20 by 40.
    private let left = box(20, 30, 60, 70)
    private let right = box(40, 30, 80, 70)

    @Test func aSingleMaskShowsOrHidesItsInside() throws {
        expect(try masked(mask("a", left)).area, near: 1600)
        expect(try masked(mask("a", left, inverted: true)).area, near: 6400 - 1600)
        expect(try masked(mask("s", left)).area, near: 6400 - 1600)
        expect(try masked(mask("s", left, inverted: true)).area, near: 1600)
        expect(try masked(mask("i", left)).area, near: 1600)
        expect(try masked(mask("f", left)).area, near: 1600)
        expect(try masked(mask("n", left)).area, near: 6400)
    }

    @Test(arguments: [("a", 2400.0), ("s", 800), ("i", 800), ("f", 1600)])
    func twoMasksAreCombined(mode: String, area: Double) throws {
        let bitmap = try masked(mask("a", left), mask(mode, right))
        expect(bitmap.area, near: area)
        #expect((bitmap.ink(50, 50) > 0.5) == ["a", "i"].contains(mode))
        #expect((bitmap.ink(70, 50) > 0.5) == ["a", "f"].contains(mode))
        #expect((bitmap.ink(30, 50) > 0.5) == (mode != "i"))
    }

    @Test func invertedMasksCombineByTheirOutside() throws {
        // The part of the left square outside the right one.
        let bitmap = try masked(mask("a", left), mask("i", right, inverted: true))
        expect(bitmap.area, near: 800)
        expect(bitmap, [(30, 50, .black), (50, 50, .white)])
    }

    @Test func opacityFadesMasks() throws {
        expect(try masked(mask("a", left, opacity: 40)), [(30, 50, Pixel(153, 153, 153)), (15, 50, .white)])
        let cut = try masked(mask("a", left), mask("s", right, opacity: 50))
        expect(cut, [(30, 50, .black), (50, 50, Pixel(127, 127, 127)), (70, 50, .white)])
        // Two overlapping masks are composited.
        let both = try masked(mask("a", left, opacity: 50), mask("a", right, opacity: 50))
        expect(both, [(30, 50, Pixel(127, 127, 127)), (50, 50, Pixel(64, 64, 64))])
        let outside = try masked(mask("a", left, opacity: 50, inverted: true))
        expect(outside, [(30, 50, .white), (15, 50, Pixel(127, 127, 127))])
    }

    /// Lighten takes the larger of two opacities, and Darken the smaller one.
    @Test func lightenAndDarkenTakeTheLargerAndTheSmallerOpacity() throws {
        func gray(_ opacity: Double) -> Pixel {
            let level = Int((255 * (1 - opacity)).rounded())
            return Pixel(level, level, level)
        }
        let lighter = try masked(mask("a", left, opacity: 40), mask("l", right, opacity: 70))
        expect(lighter, [(30, 50, gray(0.4)), (50, 50, gray(0.7)), (70, 50, gray(0.7)), (15, 50, .white)])
        let darker = try masked(mask("a", left, opacity: 40), mask("d", right, opacity: 70))
        expect(darker, [(30, 50, .white), (50, 50, gray(0.4)), (70, 50, .white)])
        expect(try masked(mask("d", right, opacity: 70)), [(30, 50, .white), (70, 50, gray(0.7))])
        // The other modes do in such a list what they do without it.
        for mode in ["a", "s", "i", "f"] {
            for isInverted in [false, true] {
                let second = mask(mode, right, opacity: 60, inverted: isInverted)
                let alone = try masked(mask("a", left, opacity: 40), second)
                let never = mask("l", box(0, 0, 1, 1), opacity: 50)
                let listed = try masked(mask("a", left, opacity: 40), second, never)
                for x in [15, 30, 50, 70] { expect(listed, [(x, 50, alone[x, 50])]) }
            }
        }
    }

    /// The soft edge is centred on the path.
    @Test func featherSoftensTheEdge() throws {
        let soft = mask("a", box(20, 20, 80, 80)).with(["f": property([20, 20])])
        let bitmap = try masked(soft)
        #expect(abs(bitmap.ink(20, 50) + bitmap.ink(19, 50) - 1) < 0.05)
        #expect(bitmap.ink(24, 50) > 0.6 && bitmap.ink(24, 50) < 0.95 && bitmap.ink(15, 50) > 0.05)
        expect(bitmap, [(50, 50, .black)])
        expect(bitmap.area, near: 3600, within: 0.02)
        // Horizontally only.
        let across = try masked(mask("a", box(20, 20, 80, 80)).with(["f": property([20, 0])]))
        #expect(across.ink(24, 50) < 0.95 && across.ink(50, 21) > 0.98)
        let outside = try masked(mask("a", box(20, 20, 80, 80), inverted: true).with(["f": property([20, 20])]))
        expect(outside.area, near: 6400 - 3600, within: 0.03)
    }

    /// The intersection with a mask that has faded or shrunk to nothing is empty.
    @Test func intersectionsWithNothingAreEmpty() throws {
        expect(try masked(mask("i", left, opacity: 50)).area, near: 800, within: 0.01)
        expect(try masked(mask("i", left, opacity: 0)).area, near: 0)
        expect(try masked(mask("i", left, expansion: -500)).area, near: 0)
        expect(try masked(mask("i", left, opacity: 0), mask("a", right)).area, near: 1600)
    }

    @Test func expansionGrowsAndShrinksMasks() throws {
        expect(try masked(mask("a", left, expansion: 8)).area, near: 1600 + 4 * 40 * 8 + .pi * 64)
        expect(try masked(mask("a", left, expansion: -5)).area, near: 900)
        expect(try masked(mask("s", left, expansion: -5)).area, near: 6400 - 900)
    }

    @Test func masksUseLayerCoordinates() throws {
        let bitmap = try masked(mask("a", left), at: ["p": [50, 50], "a": [40, 50], "r": 90, "s": [50, 50]])
        expect(bitmap.area, near: 400)
        #expect(bitmap.centroid.distance(to: Point(50, 50)) < 0.1)
    }

    @Test func maskPathsAreAnimated() throws {
        let moving = keys(key(0, [box(20, 30, 40, 70)]), key(10, [box(60, 30, 80, 70)]))
        let json = lottie(solid("#000", ["masksProperties": [mask("a", moving)]]))
        for frame in [0, 5, 9] {
            let bitmap = try draw(json, frame: Rational(frame))
            #expect(bitmap.centroid.distance(to: Point(30 + 4 * Double(frame), 50)) < 0.1)
            expect(bitmap.area, near: 800)
        }
    }

    @Test func masksAreAppliedToTheWholeLayer() throws {
        // White lies over black. With the mask's edge in the middle of pixels, black would show
        // through if each item were masked separately.
        let json = lottie(
            shapes(
                group(rectangle([50, 50], [80, 80]), fill(white)), group(rectangle([50, 50], [80, 80]), fill(black)),
                ["masksProperties": [mask("a", box(20.5, 20.5, 80.5, 80.5))]]))
        #expect(try draw(json).area < 0.5)
    }
}

/// Track mattes.
@Suite struct MatteTests {
    private let matte = shapes(ellipse([50, 50], [40, 40]), fill(black), ["td": 1])
    private let disc = Double.pi * 400

    @Test func alphaMattesShowWhereTheyAreOpaque() throws {
        let shown = try draw(lottie(matte, solid("#000", ["tt": 1])))
        expect(shown.area, near: disc)
        let hidden = try draw(lottie(matte, solid("#000", ["tt": 2])))
        expect(hidden.area, near: 10_000 - disc)
        expect(hidden, [(50, 50, .white), (5, 5, .black)])
    }

    @Test func lumaMattesShowWhereTheyAreLight() throws {
        // Green has a luma of 0.7152; black and transparent areas have 0.
        let lights = shapes(
            group(rectangle([30, 50], [40, 40]), fill(green)), group(rectangle([70, 50], [40, 40]), fill(black)),
            ["td": 1])
        let gray = Int((255 * (1 - 0.7152)).rounded())
        expect(
            try draw(lottie(lights, solid("#000", ["tt": 3]))),
            [(30, 50, Pixel(gray, gray, gray)), (70, 50, .white), (50, 5, .white)])
        expect(
            try draw(lottie(lights, solid("#000", ["tt": 4]))),
            [(30, 50, Pixel(255 - gray, 255 - gray, 255 - gray)), (70, 50, .black), (50, 5, .black)])
    }

    @Test func mattesAreFoundByIndexAboveAndBelow() throws {
        let other = solid("#f00", 20, 20)
        let above = lottie(matte.with(["ind": 7]), other, solid("#000", ["tt": 1, "tp": 7]))
        expect(try draw(above), [(50, 50, .black), (10, 10, .fullRed), (90, 90, .white)])
        let below = lottie(other, solid("#000", ["tt": 1, "tp": 7]), matte.with(["ind": 7]))
        expect(try draw(below), [(50, 50, .black), (10, 10, .fullRed), (90, 90, .white)])
        // Several layers can share a matte.
        let twice = lottie(
            solid("#00f", 50, 100, ["tt": 1, "tp": 7]), solid("#000", ["tt": 2, "tp": 7]), matte.with(["ind": 7]))
        expect(try draw(twice), [(40, 50, .fullBlue), (60, 50, .white), (10, 10, .black)])
    }

    /// A layer is a matte as a whole: its own track matte does not count, but its Set Matte effect
    /// does.
    @Test func mattesOfMattesAreNotApplied() throws {
        let top = solid("#000", 50, 50, ["td": 1, "ind": 6])
        let chained = lottie(top, matte.with(["ind": 7, "tt": 1, "tp": 6]), solid("#000", ["tt": 1, "tp": 7]))
        expect(try draw(chained).area, near: disc)
        let shown = lottie(top, matte.with(["ind": 7, "tt": 1, "tp": 6, "td": 0]), solid("#000", ["tt": 2, "tp": 7]))
        expect(try draw(shown).area, near: 10_000 - disc)
        let effect: JSON = ["ty": 28, "ef": [["v": property(6)], ["v": property(4)], ["v": property(0)]]]
        let set = lottie(top, matte.with(["ind": 7, "ef": [effect]]), solid("#000", ["tt": 1, "tp": 7]))
        expect(try draw(set).area, near: disc / 4)
    }

    @Test func mattesHaveOpacityAndInPoints() throws {
        let faded = matte.with(["ks": transform(["o": 25])])
        expect(try draw(lottie(faded, solid("#000", ["tt": 1]))), [(50, 50, Pixel(191, 191, 191))])
        // Before its in point, a matte hides everything, or nothing if it is inverted.
        let late = matte.with(["ip": 5])
        #expect(try draw(lottie(late, solid("#000", ["tt": 1]))).area == 0)
        expect(try draw(lottie(late, solid("#000", ["tt": 2]))).area, near: 10_000)
    }

    @Test func mattesAreAnimatedIndependently() throws {
        let moving = shapes(
            ellipse([0, 0], [20, 20]), fill(black), at: ["p": keys(key(0, [20, 50]), key(10, [80, 50]))], ["td": 1])
        let json = lottie(moving, solid("#000", at: ["o": 50], ["tt": 1]))
        let bitmap = try draw(json, frame: 5)
        #expect(bitmap.centroid.distance(to: Point(50, 50)) < 0.1)
        expect(bitmap.area, near: .pi * 100 / 2, within: 0.01)
    }

    @Test func masksComeBeforeMattes() throws {
        let json = lottie(matte, solid("#000", ["tt": 1, "masksProperties": [mask("a", box(0, 0, 50, 100))]]))
        expect(try draw(json).area, near: disc / 2)
    }
}
