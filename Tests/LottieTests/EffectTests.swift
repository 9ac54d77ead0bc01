import Core
import TestSupport
import Testing

@testable import Lottie

/// Layer effects.
@Suite struct EffectTests {
    private func effect(_ type: JSON, _ values: [JSON]) -> JSON {
        ["ty": type, "en": 1, "nm": "an effect", "ef": .array(values.map { ["v": property($0)] })]
    }

    private func draw(_ item: JSON, _ effects: JSON..., color: JSON = black, at: [String: JSON] = [:]) throws
        -> PixelGrid
    {
        try LottieTests.draw(lottie(shapes(item, fill(color), at: at, ["ef": .array(effects)])))
    }

    @Test func fillsReplaceColours() throws {
        let fill = effect(21, [0, 0, red, 0, 0, 0, 1])
        expect(try draw(square, fill, color: blue), [(50, 50, .fullRed), (20, 50, .white)])
    }

    /// The opacity of a fill is that of the layer, as in other players.
    @Test func transparentFillsShowTheBackdrop() throws {
        let fill = effect(21, [0, 0, red, 0, 0, 0, 0.5])
        expect(try draw(square, fill, color: blue), [(50, 50, Pixel(255, 128, 128)), (20, 50, .white)], within: 2)
        expect(try draw(square, effect(21, [0, 0, red, 0, 0, 0, 0]), color: blue), [(50, 50, .white)])
    }

    @Test(arguments: [100.0, 30]) func tintsMapLuminanceToTwoColours(amount: Double) throws {
        let tint = effect(20, [[0.2, 0, 0.4, 1], [1, 0.8, 0, 1], .number(amount)])
        let bitmap = try draw(square, tint, color: [0.5, 0.25, 0.75, 1])
        let light = 0.2126 * 0.5 + 0.7152 * 0.25 + 0.0722 * 0.75
        let tinted = [0.2 + 0.8 * light, 0.8 * light, 0.4 - 0.4 * light]
        let mixed = zip([0.5, 0.25, 0.75], tinted).map { Int(((($0 + ($1 - $0) * amount / 100)) * 255).rounded()) }
        expect(bitmap, [(50, 50, Pixel(mixed[0], mixed[1], mixed[2]))], within: 3)
    }

    /// The direction is in degrees clockwise from 12 o'clock.
    @Test(arguments: [(0.0, 50, 20), (90, 80, 50), (180, 50, 80), (270, 20, 50)])
    func shadowsFallInTheirDirection(direction: Double, x: Int, y: Int) throws {
        let shadow = effect(25, [red, 127.5, .number(direction), 30, 0, 0])
        expect(
            try draw(rectangle([50, 50], [20, 20]), shadow), [(50, 50, .black), (x, y, Pixel(255, 127, 127))], within: 3
        )
        let alone = effect(25, [red, 255, .number(direction), 30, 0, 1])
        expect(try draw(rectangle([50, 50], [20, 20]), alone), [(50, 50, .white), (x, y, .fullRed)])
    }

    @Test func shadowsRotateWithTheirLayer() throws {
        // Effects are applied before the layer's transform.
        let shadow = effect(25, [red, 255, 90, 30, 0, 0])
        let bitmap = try draw(rectangle([0, 0], [20, 20]), shadow, at: ["p": [50, 50], "r": 90])
        expect(bitmap, [(50, 80, .fullRed), (80, 50, .white)])
    }

    /// Keyframes of a share from 0 to 100% pass through values below 1, which are percentages too.
    @Test func wipesStartSlowly() throws {
        let wipe = effect(26, [keys(key(0, 0), key(10, 5)), 0, [50, 50], 1, 0])
        let bitmap = try LottieTests.draw(lottie(shapes(square, fill(black), ["ef": [wipe]])), frame: 1)
        expect(bitmap, [(60, 50, .black), (40, 50, .black), (60, 40, .black)])
    }

    /// Easing may exceed a share of 1, which does not make the value a percentage.
    @Test func wipesOvershoot() throws {
        let ease = KeyframeEase.bezier(0.3, 1.6, 0.7, 1.6)
        let wipe = effect(26, [keys(key(0, 0, ease), key(10, 1)), 0, [50, 50], 1, 0])
        let bitmap = try LottieTests.draw(lottie(shapes(square, fill(black), ["ef": [wipe]])), frame: 5)
        expect(bitmap, [(60, 50, .white), (40, 50, .white), (60, 40, .white)])
    }

    /// Returns the standard deviation of the ink along an axis.
    ///
    /// - Parameter along: returns a point's distance from the centre along the axis.
    private func deviation(_ bitmap: PixelGrid, _ along: (Point) -> Double) -> Double {
        var sum = 0.0
        var weight = 0.0
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                let distance = along(Point(Double(x) + 0.5, Double(y) + 0.5))
                sum += bitmap.ink(x, y) * distance * distance
                weight += bitmap.ink(x, y)
            }
        }
        return (sum / weight).squareRoot()
    }

    /// A blurriness of 20 has a standard deviation of 6 points. A bar of width w alone has one of
    /// w / sqrt(12). The variances add up.
    @Test func blursSpreadByTheirBlurriness() throws {
        let own = 20 / 12.0.squareRoot()
        let soft = (own * own + 36).squareRoot()
        for (dimensions, x, y) in [(1, soft, soft), (2, soft, own), (3, own, soft)] {
            let blur = effect(29, [20, .number(Double(dimensions)), 0])
            let bitmap = try draw(rectangle([50, 50], [20, 20]), blur)
            // The blur is cut off at three standard deviations, which makes it a little narrower.
            expect(deviation(bitmap) { $0.x - 50 }, near: x, within: 0.03)
            expect(deviation(bitmap) { $0.y - 50 }, near: y, within: 0.03)
            expect(bitmap.area, near: 400, within: 0.02)
        }
    }

    /// A rotated layer is blurred along its own axes.
    @Test func blursRotateWithTheirLayer() throws {
        let own = 20 / 12.0.squareRoot()
        let soft = (own * own + 36).squareRoot()
        for turn in [90.0, 180, 270] {
            let bitmap = try draw(
                rectangle([0, 0], [20, 20]), effect(29, [20, 2, 0]), at: ["p": [50, 50], "r": .number(turn)])
            let (cosine, sine) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
            let along = deviation(bitmap) { ($0.x - 50) * cosine + ($0.y - 50) * sine }
            let across = deviation(bitmap) { ($0.y - 50) * cosine - ($0.x - 50) * sine }
            expect(along, near: soft, within: 0.04)
            expect(across, near: own, within: 0.04)
        }
    }

    @Test func effectsAreAppliedInOrder() throws {
        let fill = effect(21, [0, 0, red, 0, 0, 0, 1])
        let shadow = effect(25, [blue, 255, 90, 30, 0, 0])
        let small = rectangle([40, 50], [20, 20])
        expect(try draw(small, shadow, fill), [(40, 50, .fullRed), (70, 50, .fullRed)])
        expect(try draw(small, fill, shadow), [(40, 50, .fullRed), (70, 50, .fullBlue)])
    }

    @Test func disabledEffectsAndExpressionControlsDrawNothing() throws {
        let off = effect(21, [0, 0, red, 0, 0, 0, 1]).with(["en": 0])
        let slider: JSON = ["ty": 5, "nm": "Slider", "ef": [["ty": 0, "v": property(3)]]]
        expect(try draw(square, off, slider), [(50, 50, .black)])
    }

    @Test func effectsAreAnimated() throws {
        let blur: JSON = [
            "ty": 29, "en": 1, "ef": [["v": keys(key(0, 0), key(10, 40))], ["v": property(1)], ["v": property(0)]],
        ]
        let json = lottie(shapes(rectangle([50, 50], [20, 20]), fill(black), ["ef": [blur]]))
        let sharp = try LottieTests.draw(json, frame: 0)
        expect(sharp, [(41, 50, .black), (38, 50, .white)])
        let soft = try LottieTests.draw(json, frame: 5)
        #expect(soft.ink(38, 50) > 0.1 && soft.ink(50, 50) < 0.95)
    }

    /// A shadow far outside the canvas does not change the frame.
    @Test func distantShadowsAreNotVisible() throws {
        let shadow = effect(25, [red, 255, 90, 50_000, 0, 0])
        expect(try draw(square, shadow), [(50, 50, .black), (80, 50, .white)])
        let wide = effect(29, [100_000, 1, 0])
        let faint = try draw(square, wide)
        #expect((0..<100).allSatisfy { faint.ink($0, 50) < 0.3 })
    }
}
