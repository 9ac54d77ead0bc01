import Core
import TestSupport
import Testing

@testable import Lottie

/// Effects that move or spread the contents of a layer, and echoes.
@Suite struct DistortionTests {
    private func draw(_ item: JSON, _ effect: JSON, at: [String: JSON] = [:]) throws -> PixelGrid {
        try LottieTests.draw(lottie(shapes(item, fill(black), at: at, ["ef": [effect]])))
    }

    @Test func bulgesEnlargeTheMiddleOfAnEllipse() throws {
        let dot = ellipse([50, 50], [20, 20])
        func area(_ height: Double) throws -> Double {
            try draw(dot, effect("ADBE Bulge", [40, 40, [50, 50], .number(height), 0])).area
        }
        let plain = Double.pi * 100
        expect(try area(0), near: plain, within: 0.02)
        #expect(try area(2) > 1.3 * plain)
        #expect(try area(-2) < 0.8 * plain)
        // The edge of the ellipse, and what is outside of it, stays.
        let moved = try draw(square, effect("ADBE Bulge", [10, 10, [50, 50], 4, 0]))
        expect(moved, [(31, 50, .black), (28, 50, .white), (50, 50, .black)])
        // On shape layers, the centre is in the coordinates of the composition.
        let turned = try draw(
            ellipse([0, 0], [20, 20]), effect("ADBE Bulge", [40, 40, [50, 50], 2, 0]), at: ["p": [50, 50], "r": 90])
        expect(turned.area, near: try area(2), within: 0.02)
    }

    /// A reduced middle shows what is outside of the ellipse, up to 1.36 radii from its centre.
    @Test func reducingBulgesShowTheirSurroundings() throws {
        let bitmap = try draw(rectangle([50, 24], [60, 4]), effect("ADBE Bulge", [20, 20, [50, 50], -4, 0]))
        #expect((32..<40).contains { bitmap.ink(50, $0) > 0.5 })
        expect(bitmap, [(50, 24, .black), (50, 50, .white)])
    }

    /// The direction is in degrees clockwise from 12 o'clock. A length of 20 has a standard
    /// deviation of 6 points.
    @Test(arguments: [(0.0, 0.0, 1.0), (90, 1, 0), (45, 1, 1), (135, 1, -1)])
    func directionalBlursSpreadAlongALine(direction: Double, across: Double, up: Double) throws {
        let bitmap = try draw(ellipse([50, 50], [10, 10]), effect("ADBE Motion Blur", [.number(direction), 20]))
        expect(bitmap.area, near: 25 * .pi, within: 0.03)
        let length = (across * across + up * up).squareRoot()
        let far = 10 / length
        func ink(_ x: Double, _ y: Double) -> Double {
            bitmap.ink(Int((50 + far * x).rounded()), Int((50 - far * y).rounded()))
        }
        #expect(ink(across, up) > 0.1)
        #expect(ink(up, -across) < 0.02)
    }

    @Test func crossBlursAddTwoBlurs() throws {
        let bitmap = try draw(square, effect("CS CrossBlur", [10, 0, 1, 0]))
        // Half of the sharp square and half of one blurred horizontally.
        expect(bitmap.ink(25, 50), near: 0.5 * 5.5 / 21, within: 0.15)
        #expect(bitmap.ink(50, 28) == 0)
        expect(bitmap.ink(50, 50), near: 1, within: 0.02)
        expect(bitmap.area, near: 1600, within: 0.02)
    }

    @Test func slantsShearAboveTheFloor() throws {
        let slanted = try draw(square, effect("CC Slant", [50, 1, 100, [0, 70], 0, [0, 0, 0]]))
        expect(slanted, [(31, 69, .black), (35, 32, .white), (86, 31, .black), (75, 68, .white)])
        let lower = try draw(square, effect("CC Slant", [0, 1, 50, [0, 70], 1, red]))
        expect(lower, [(50, 48, .white), (50, 52, .fullRed), (50, 68, .fullRed)])
    }

    @Test func circlesAreDiscsAndRings() throws {
        func circle(_ values: [Int: JSON]) throws -> PixelGrid {
            let all: [JSON] = [[50, 50], 30, 1, 10, 0, 0, 0, 0, 0, red, 100, 1]
            let effect = effect("ADBE Circle", all.indices.map { values[$0] ?? all[$0] })
            return try LottieTests.draw(lottie(solid("#0000ff", ["ef": [effect]])))
        }
        expect(try circle([:]), [(50, 50, .fullRed), (22, 50, .fullRed), (18, 50, .white)])
        expect(try circle([11: 2]), [(50, 50, .fullRed), (18, 50, .fullBlue)])
        expect(try circle([2: 3]), [(50, 50, .white), (25, 50, .fullRed), (35, 50, .white)])
        expect(try circle([2: 2]), [(50, 50, .white), (35, 50, .fullRed), (45, 50, .white)])
        expect(try circle([8: 1]), [(50, 50, .white), (18, 50, .fullRed)])
        expect(try circle([10: 50]), [(50, 50, Pixel(255, 128, 128))])
        let soft = try circle([5: 40])
        #expect(soft[18, 50].green < 200 && soft[18, 50].green > 50)
    }

    /// Shape layers are as large as their composition.
    @Test func invertedCirclesFillTheComposition() throws {
        let values: [JSON] = [[50, 50], 30, 1, 10, 0, 0, 0, 0, 1, red, 100, 1]
        let dot = ellipse([0, 0], [10, 10])
        let turned = try draw(dot, effect("ADBE Circle", values), at: ["p": [20, 50], "r": 30, "s": [50, 70]])
        expect(turned, [(1, 1, .fullRed), (98, 98, .fullRed), (18, 50, .fullRed), (22, 50, .white), (50, 50, .white)])
        // Other layers have their own size.
        let board = solid("#0000ff", 40, 40, ["ef": [effect("ADBE Circle", values)]])
        expect(try LottieTests.draw(lottie(board)), [(10, 10, .fullRed), (60, 10, .white), (35, 35, .white)])
    }

    private func moving(_ effect: JSON) throws -> PixelGrid {
        let ball = asset("c", solid("#000000", 20, 20, at: ["p": keys(key(0, [0, 40]), key(10, [100, 40]))]))
        return try LottieTests.draw(lottie(precomposition("c", ["ef": [effect]]), assets: [ball]), frame: 4)
    }

    @Test func echoesShowEarlierTimes() throws {
        // At 40, 20 and 0, each half as opaque as the next.
        let echo = effect("ADBE Echo", [-0.2, 2, 1, 0.5, 5])
        expect(
            try moving(echo), [(50, 50, .black), (30, 50, Pixel(128, 128, 128)), (10, 50, Pixel(191, 191, 191))],
            within: 3)
        // What does not move has no echo by Maximum.
        let still = effect("ADBE Echo", [-0.2, 25, 1, 1, 2])
        let dot = ellipse([50, 50], [20, 20])
        let control = try draw(dot, effect("ADBE Slider Control", [1]))
        let echoed = try draw(dot, still)
        #expect((0..<100).allSatisfy { y in (0..<100).allSatisfy { control[$0, y] == echoed[$0, y] } })
    }

    @Test func forcedMotionBlursAverageTheShutter() throws {
        // The shutter is open from a frame before to a frame after: the square is 40 points wide.
        let bitmap = try moving(effect("CC Force Motion Blur", [16, 1, 720, 1]))
        expect(bitmap.area, near: 400, within: 0.03)
        expect(bitmap.ink(35, 50), near: 0.27, within: 0.2)
        expect(bitmap.ink(50, 50), near: 1, within: 0.03)
        #expect(bitmap.ink(28, 50) == 0 && bitmap.ink(72, 50) == 0)
    }

    /// As in the rigs of RubberHose, which find their parts by number and their parents by `eval`.
    @Test func rigsFindTheirPartsByNumber() throws {
        let slider: JSON = [
            "ty": 5, "nm": "Rig", "mn": "ADBE Slider Control", "ix": 1,
            "ef": [["ty": 0, "nm": "Slider", "ix": 1, "v": property(30)]],
        ]
        let parts = group(
            rectangle([0, 0], [20, 20]).with([
                "r": computed(
                    "var p = thisProperty.propertyIndex; var g = thisProperty.propertyGroup(1).propertyIndex;"
                        + "thisLayer(2)('Parts')(2)(g)('Size')[0] + 10 * g + p"
                ).with(["ix": 4])
            ]).with(["ix": 1])
        ).with(["nm": "Parts"])
        let turned = null(
            at: [
                "r": computed(
                    "var r = 0; var chain = 'thisLayer'; while (eval([chain][0]).hasParent) { chain += '.parent';"
                        + "r += eval(chain).rotation; } r")
            ], ["ind": 3, "parent": 2])
        let json = lottie(
            shapes(parts, ["ind": 1]), null(at: ["r": 20], ["ind": 2, "parent": 4, "ef": [slider]]), turned,
            null(at: ["r": 7], ["ind": 4]))
        let animation = try LottieFixture(json).animation
        #expect(animation.unsupported.isEmpty, "\(animation.unsupported)")
        let context = animation.frameContext()
        #expect(animation.composition.layers[2].transform.rotation.value(at: 0, in: context) == 27)
    }
}
