import Motion
import Platform
import TestSupport
import Testing

@testable import Lottie

/// Gradients in fills and lines.
@Suite struct GradientTests {
    /// Black to white over 80 points, on all of the canvas.
    private func ramp(_ stops: JSON, radial: Bool = false, _ values: [String: JSON] = [:]) throws -> PixelGrid {
        let (from, to): (JSON, JSON) = radial ? ([50, 50], [90, 50]) : ([10, 50], [90, 50])
        return try draw(rectangle([50, 50], [100, 100]), gradient(stops, from: from, to: to, radial: radial, values))
    }

    private func gray(_ value: Double) -> Pixel {
        let byte = Int((255 * min(max(value, 0), 1)).rounded())
        return Pixel(byte, byte, byte)
    }

    @Test func linearGradientsRunEvenly() throws {
        let picture = try ramp(stops(2, [0, 0, 0, 0, 1, 1, 1, 1]))
        expect(picture, [3, 10, 30, 50, 77, 95].map { ($0, 40, gray((Double($0) + 0.5 - 10) / 80)) })
    }

    @Test func radialGradientsRunFromTheirMiddle() throws {
        let picture = try ramp(stops(2, [0, 0, 0, 0, 1, 1, 1, 1]), radial: true)
        for (x, y) in [(50, 50), (60, 50), (50, 75), (20, 60), (70, 70)] {
            let distance = hypot(Double(x) + 0.5 - 50, Double(y) + 0.5 - 50)
            expect(picture, [(x, y, gray(distance / 40))], within: 3)
        }
    }

    @Test func stopsHaveColoursOfTheirOwn() throws {
        let picture = try ramp(stops(3, [0, 1, 0, 0, 0.25, 0, 1, 0, 1, 0, 0, 1]))
        expect(
            picture, [(10, 50, Pixel(253, 2, 0)), (29, 50, Pixel(6, 249, 0)), (60, 50, Pixel(0, 127, 128))], within: 6)
    }

    @Test func alphaHasStopsOfItsOwn() throws {
        // Black all over, opaque to transparent and back within the middle half.
        let picture = try ramp(stops(2, [0, 0, 0, 0, 1, 0, 0, 0, 0.25, 1, 0.5, 0, 0.75, 1]))
        expect(
            picture,
            [15, 35, 45, 60, 65, 80].map { x in
                let place = (Double(x) + 0.5 - 10) / 80
                return (x, 50, gray(1 - min(1, abs(place - 0.5) / 0.25)))
            }, within: 3)
    }

    @Test func opacityFadesGradients() throws {
        let stops = stops(2, [0, 0, 0, 0, 1, 0, 0, 0])
        let picture = try draw(
            rectangle([50, 50], [100, 100]), gradient(stops, from: [10, 50], to: [90, 50], opacity: 40))
        expect(picture, [(50, 50, gray(0.6))])
    }

    @Test func midpointsBendTheWay() throws {
        // The stop in the middle is half way in colour at 30%: what is left of the first colour is (1 - u)^p.
        let picture = try ramp(stops(3, [0, 0, 0, 0, 0.3, 0.5, 0.5, 0.5, 1, 1, 1, 1]))
        let power = log(0.5) / log(0.7)
        expect(
            picture,
            [15, 34, 50, 70].map { x in
                (x, 50, gray(1 - pow(1 - (Double(x) + 0.5 - 10) / 80, power)))
            }, within: 5)
        // A stop that is no midpoint is passed straight.
        let corner = try ramp(stops(3, [0, 0, 0, 0, 0.3, 0.8, 0.8, 0.8, 1, 1, 1, 1]))
        expect(corner, [(22, 50, gray(12.5 / 80 / 0.3 * 0.8))], within: 3)
    }

    @Test func highlightsMoveTheMiddle() throws {
        let stops = stops(2, [0, 1, 1, 1, 1, 0, 0, 0])
        let picture = try ramp(stops, radial: true, ["h": 50, "a": 90])
        // The lightest place is half a radius below the middle; at the rim nothing changes.
        expect(picture, [(50, 70, .white)], within: 8)
        expect(picture, [(50, 50, gray(1 - 20.0 / 60))], within: 8)
        expect(picture, [(90, 50, .black), (50, 9, .black), (10, 50, .black)], within: 8)
    }

    @Test func linesHaveGradientsToo() throws {
        let line = corners([[10, 50], [90, 50]], closed: false)
        let picture = try draw(
            path(line),
            gradient(stops(2, [0, 1, 0, 0, 1, 0, 0, 1]), from: [10, 50], to: [90, 50], type: "gs", ["w": 20]))
        expect(picture, [(30, 45, Pixel(190, 0, 65)), (70, 55, Pixel(62, 0, 193)), (50, 65, .white)], within: 3)
        let both = try draw(
            rectangle([50, 50], [60, 60]),
            gradient(
                stops(2, [0, 0, 0, 0, 1, 0, 0, 0]), from: [0, 0], to: [1, 0], type: "gs", ["w": 10],
                ["d": dashes(10, 10, offset: 15)]))
        // Half of the outline, whose corners are in gaps.
        expect(both.area, near: 1200)
    }

    @Test func gradientsGoWithTheirGroup() throws {
        let picture = try draw(
            group(
                rectangle([0, 0], [40, 40]),
                gradient(stops(2, [0, 0, 0, 0, 1, 1, 1, 1]), from: [-20, 0], to: [20, 0]),
                at: ["p": [50, 50], "r": 90]))
        expect(picture, [(50, 32, gray(2.5 / 40)), (40, 66, gray(36.5 / 40))], within: 3)
    }

    @Test func stopsMove() throws {
        let from: JSON = [0, 0, 0, 0, 1, 0, 0, 0]
        let to: JSON = [0, 1, 0, 0, 1, 0, 0, 1]
        let json = movie(
            shapes(
                rectangle([50, 50], [100, 100]),
                gradient(
                    ["p": 2, "k": keys(key(0, from), key(10, to))], from: [10, 50], to: [90, 50])))
        expect(try draw(json, frame: 5), [(12, 50, Pixel(123, 0, 4)), (88, 50, Pixel(3, 0, 125))], within: 3)
    }
}
