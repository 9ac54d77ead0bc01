import Core
import TestSupport
import Testing

@testable import Lottie

/// Effects that exporters write as groups, identified by their match names.
@Suite struct PresetEffectTests {
    private func draw(_ effects: JSON..., color: JSON = black, more: [String: JSON] = [:]) throws -> PixelGrid {
        let layer = shapes(square, fill(color), ["ef": .array(effects)])
        return try LottieTests.draw(lottie(layer.with(more)))
    }

    /// Controls of presets draw nothing. An unknown effect counts as one if an expression reads it.
    @Test func controlsOfPresetsAreSkipped() throws {
        let controls = [
            effect("Pseudo/Maker 1", [1, 2, [3, 4]]), effect("PSEUDO/Other", [1, 2]),
            effect("ADBE Slider Control", [1]), effect("ADBE GROW BOUNDS", [9]), effect("seamless loop", [1, 2]),
        ]
        for control in controls { expect(try draw(control), [(50, 50, .black), (20, 50, .white)]) }
        let unknown = effect("MYWIGGLE", [1, 2]).with(["nm": "shake"])
        #expect(try unsupportedFeatures(lottie(shapes(square, fill(black), ["ef": [unknown]]))).count == 1)
        let reader = null(at: ["r": computed("thisComp.layer(1).effect('shake')(1)")])
        #expect(try unsupportedFeatures(lottie(shapes(square, fill(black), ["ef": [unknown]]), reader)) == [])
    }

    /// Optimizers leave out match names, by which controls of presets are known.
    @Test func controlsOfDuikAreKnownByName() throws {
        for (name, isRefused) in [("Kleaner", false), ("Kleaner 2", false), ("Glow", true)] {
            let values: JSON = [["ty": 7, "v": property(1)], ["ty": 6, "v": 0], ["ty": 0, "v": property(2)]]
            let control: JSON = ["ty": 5, "nm": .string(name), "ef": values]
            let reported = try unsupportedFeatures(lottie(shapes(square, fill(black), ["ef": [control]])))
            #expect(reported.isEmpty == !isRefused, "\(name)")
        }
    }

    @Test func knownEffectsAreFoundByTheirMatchNames() throws {
        let tint = effect("ADBE Tint", [red, red, 100])
        expect(try draw(tint, color: blue), [(50, 50, .fullRed)])
        let unnamed: JSON = [
            "ty": 5, "nm": "Tint 2", "ef": [["v": property(red)], ["v": property(red)], ["v": property(100)]],
        ]
        expect(try draw(unnamed, color: blue), [(50, 50, .fullRed)])
        let soft = try draw(effect("ADBE Gaussian Blur 2", [20, 1, 0]))
        #expect(soft.ink(25, 50) > 0.05)
    }

    /// On shape layers, points are in the coordinates of the composition.
    @Test func rampsReplaceColours() throws {
        let linear = effect("ADBE Ramp", [[30, 0], red, [70, 0], blue, 1, 0, 0])
        let ramp = try draw(linear, color: black)
        expect(
            ramp, [(31, 50, .fullRed), (50, 50, Pixel(128, 0, 128)), (68, 50, .fullBlue), (20, 50, .white)], within: 10)
        let moved = try draw(
            linear, color: black, more: ["ks": transform(["p": [20, 0], "a": [20, 0], "s": [100, 100]])])
        expect(moved, [(50, 50, Pixel(128, 0, 128))], within: 10)
        let radial = effect("ADBE Ramp", [[50, 50], red, [50, 70], blue, 2, 0, 0.5])
        expect(try draw(radial), [(50, 50, Pixel(128, 0, 0)), (50, 69, Pixel(0, 0, 128))], within: 12)
    }

    @Test func fourColourGradientsShowEachColourAtItsPoint() throws {
        let green: JSON = [0, 1, 0, 1]
        let values: [JSON] = [
            0, [30, 30], red, [70, 30], green, [30, 70], blue, [70, 70], black, 0, 100, 0, 100, 1,
        ]
        let bitmap = try draw(effect("ADBE 4ColorGradient", values))
        expect(
            bitmap, [(31, 31, .fullRed), (68, 31, .fullGreen), (31, 68, .fullBlue), (68, 68, .black)], within: 20)
        #expect(bitmap.shows(20, 50, .white))
    }

    @Test(arguments: [(1.0, 65, 35), (2, 35, 35), (3, 50, 35)])
    func radialWipesRemoveASector(direction: Double, x: Int, y: Int) throws {
        // A quarter from 12 o'clock: to the right, to the left, or half on both sides.
        let wipe = effect("", type: 26, [25, 0, [50, 50], .number(direction), 0])
        expect(try draw(wipe), [(x, y, .white), (50, 65, .black)])
        let none = effect("", type: 26, [100, 0, [50, 50], 1, 0])
        expect(try draw(none), [(50, 50, .white)])
    }

    @Test func chokersShrinkAndGrow() throws {
        expect(
            try draw(effect("ADBE Simple Choker", [1, 5])),
            [(50, 50, .black), (36, 50, .black), (33, 50, .white)])
        expect(
            try draw(effect("ADBE Simple Choker", [1, -5])),
            [(26, 50, .black), (23, 50, .white), (26, 26, .white)])
        expect(try draw(effect("ADBE Simple Choker", [1, 2.5])).area, near: 35 * 35, within: 0.03)
        let identity = effect("ADBE Matte Choker", [0, 0, 0.1, 0, 0, 1, 1])
        expect(try draw(identity), [(31, 50, .black), (28, 50, .white)])
    }

    @Test func boxBlursAverageBoxes() throws {
        // A radius of 10 averages 21 points: half of them at the edge.
        let bitmap = try draw(effect("ADBE Box Blur2", [10, 1, 2, 0]))
        expect(bitmap.ink(30, 50), near: 11.0 / 21, within: 0.03)
        expect(bitmap.ink(50, 50), near: 1, within: 0.02)
        #expect(bitmap.ink(50, 28) == 0)
    }

    @Test func coloursAreCorrected() throws {
        let orange: JSON = [1, 0.5, 0, 1]
        expect(
            try draw(effect("ADBE Invert", [1, 0]), color: orange), [(50, 50, Pixel(0, 127, 255)), (20, 50, .white)])
        expect(try draw(effect("ADBE Invert", [2, 0]), color: orange), [(50, 50, Pixel(0, 128, 0))])
        let levels = effect("ADBE Easy Levels2", [1, 0, 0.25, 0.75, 1, 0, 1])
        expect(try draw(levels, color: [0.25, 0.5, 1, 1]), [(50, 50, Pixel(0, 128, 255))], within: 3)
        let legacy = effect("ADBE Brightness & Contrast 2", [51, 0, 1])
        expect(try draw(legacy, color: [0.2, 0.4, 0.9, 1]), [(50, 50, Pixel(102, 153, 255))])
        let tritone = effect("", type: 23, [red, blue, black, 0])
        expect(try draw(tritone, color: [0.5, 0.5, 0.5, 1]), [(50, 50, .fullBlue)], within: 4)
        let channels: [JSON] = (0..<36).map { index in
            // The input whites, gammas and output whites.
            [4, 5, 7, 11, 12, 14, 18, 19, 21, 25, 26, 28, 32, 33, 35].contains(index) ? 1 : 0
        }
        var swapped = channels
        (swapped[13], swapped[14]) = (1, 0)
        expect(try draw(effect("", type: 24, channels), color: orange), [(50, 50, Pixel(255, 128, 0))])
        expect(try draw(effect("", type: 24, swapped), color: orange), [(50, 50, Pixel(0, 128, 0))])
    }

    @Test func huesTurn() throws {
        func hue(_ values: [Int: JSON]) -> JSON {
            let children = values.sorted { $0.key < $1.key }.map { number, value in
                JSON.object(["v": property(value), "mn": .string("ADBE HUE SATURATION-000\(number)")])
            }
            return ["ty": 5, "nm": "it", "mn": "ADBE HUE SATURATION", "ef": .array(children)]
        }
        expect(try draw(hue([2: 1, 4: 120, 5: 0, 6: 0]), color: red), [(50, 50, .fullGreen)])
        expect(try draw(hue([2: 1, 4: 0, 5: -100, 6: 0]), color: red), [(50, 50, Pixel(128, 128, 128))])
        expect(try draw(hue([2: 1, 4: 0, 5: 0, 6: 50]), color: red), [(50, 50, Pixel(255, 128, 128))])
        expect(try draw(hue([2: 1, 7: 1, 8: 240, 9: 100]), color: [0.5, 0.5, 0.5, 1]), [(50, 50, .fullBlue)])
    }

    @Test func transformsMoveTheContents() throws {
        let values: [JSON] = [[50, 50], [70, 50], 1, 50, 100, 0, 0, 0, 100]
        expect(
            try draw(effect("", type: 35, values)),
            [(70, 50, .black), (62, 50, .black), (58, 50, .white), (82, 50, .white)])
        var faded = values
        faded[8] = 50
        expect(try draw(effect("ADBE Geometry2", faded)), [(70, 50, Pixel(128, 128, 128))])
    }

    @Test func strokesFollowMasks() throws {
        let path = mask("n", box(20, 20, 80, 80))
        func stroke(_ style: Double, start: Double = 0, end: Double = 100) -> JSON {
            effect("", type: 22, [1, 0, 0, red, 3, 0.75, 1, .number(start), .number(end), 15, .number(style)])
        }
        let masks: [String: JSON] = ["masksProperties": [path], "hasMask": true]
        expect(try draw(stroke(1), more: masks), [(20, 50, .fullRed), (50, 50, .black), (10, 50, .white)])
        expect(try draw(stroke(2), more: masks), [(20, 50, .fullRed), (50, 50, .white)])
        // The first quarter of the path is its upper side.
        expect(
            try draw(stroke(2, start: 0, end: 25), more: masks),
            [(50, 20, .fullRed), (50, 80, .white), (20, 50, .white)])
        let wide = effect("", type: 22, [1, 0, 0, red, 15, 0.75, 1, 0, 100, 15, 3])
        expect(try draw(wide, more: masks), [(32, 50, .black), (50, 50, .white), (15, 50, .white)])
    }

    /// Cairo's strokes have holes at short handles that point backwards, as keyframes of paths pass
    /// through them.
    @Test(arguments: [0.01, 0.1]) func strokesOfShortHandlesAreWhole(length: Double) throws {
        let back = JSON.array([.number(-length), .number(-length)])
        let ahead = JSON.array([.number(length), .number(length)])
        let outline: JSON = .object([
            "v": [[20, 20], [80, 20], [80, 80], [20, 80]], "c": true,
            "i": [back, back, back, back], "o": [ahead, ahead, ahead, ahead],
        ])
        let line = effect("", type: 22, [1, 0, 0, black, 2, 0.75, 1, 0, 100, 15, 2])
        let masks: [String: JSON] = ["masksProperties": [mask("n", outline)], "hasMask": true]
        expect(try draw(line, more: masks).area, near: 4 * 240, within: 0.01)
        if length == 0.01 {
            expect(try LottieTests.draw(path(outline), stroke(black, 4)).area, near: 4 * 240, within: 0.01)
        }
    }

    /// Set Matte draws its layer even if it is hidden, and leaves it visible otherwise.
    @Test(arguments: [true, false]) func setMattesTakeTheAlphaOfAnotherLayer(isHidden: Bool) throws {
        let matte = shapes(rectangle([70, 50], [40, 100]), fill(red), ["ind": 7, "hd": .bool(isHidden)])
        let set = effect("", type: 28, [7, 4, 0, 1, 1, 1])
        let bitmap = try LottieTests.draw(lottie(shapes(square, fill(black), ["ind": 1, "ef": [set]]), matte))
        expect(bitmap, [(60, 50, .black), (40, 50, .white), (80, 50, isHidden ? .white : .fullRed)])
    }
}
