import Core
import TestSupport
import Testing

@testable import Lottie

/// Gradients in fills and strokes.
@Suite struct GradientTests {
    /// Draws a gradient over 80 points on the whole canvas.
    private func ramp(_ stops: JSON, radial: Bool = false, _ values: [String: JSON] = [:]) throws -> PixelGrid {
        let (from, to): (JSON, JSON) = radial ? ([50, 50], [90, 50]) : ([10, 50], [90, 50])
        return try draw(rectangle([50, 50], [100, 100]), gradient(stops, from: from, to: to, radial: radial, values))
    }

    private func gray(_ value: Double) -> Pixel {
        let byte = Int((255 * min(max(value, 0), 1)).rounded())
        return Pixel(byte, byte, byte)
    }

    @Test func linearGradientsRunEvenly() throws {
        let bitmap = try ramp(stops(2, [0, 0, 0, 0, 1, 1, 1, 1]))
        expect(bitmap, [3, 10, 30, 50, 77, 95].map { ($0, 40, gray((Double($0) + 0.5 - 10) / 80)) })
    }

    @Test func radialGradientsRunFromTheirCentre() throws {
        let bitmap = try ramp(stops(2, [0, 0, 0, 0, 1, 1, 1, 1]), radial: true)
        for (x, y) in [(50, 50), (60, 50), (50, 75), (20, 60), (70, 70)] {
            let distance = hypot(Double(x) + 0.5 - 50, Double(y) + 0.5 - 50)
            expect(bitmap, [(x, y, gray(distance / 40))], within: 3)
        }
    }

    @Test func stopsHaveColours() throws {
        let bitmap = try ramp(stops(3, [0, 1, 0, 0, 0.25, 0, 1, 0, 1, 0, 0, 1]))
        expect(
            bitmap, [(10, 50, Pixel(253, 2, 0)), (29, 50, Pixel(6, 249, 0)), (60, 50, Pixel(0, 127, 128))], within: 6)
    }

    @Test func opacityHasSeparateStops() throws {
        // Black, from opaque to transparent and back within the middle half.
        let bitmap = try ramp(stops(2, [0, 0, 0, 0, 1, 0, 0, 0, 0.25, 1, 0.5, 0, 0.75, 1]))
        expect(
            bitmap,
            [15, 35, 45, 60, 65, 80].map { x in
                let offset = (Double(x) + 0.5 - 10) / 80
                return (x, 50, gray(1 - min(1, abs(offset - 0.5) / 0.25)))
            }, within: 3)
    }

    @Test func opacityFadesGradients() throws {
        let stops = stops(2, [0, 0, 0, 0, 1, 0, 0, 0])
        let bitmap = try draw(
            rectangle([50, 50], [100, 100]), gradient(stops, from: [10, 50], to: [90, 50], opacity: 40))
        expect(bitmap, [(50, 50, gray(0.6))])
    }

    @Test func midpointsBendTheGradient() throws {
        // The stop at 30% has the mean colour. The share of the first colour is (1 - u)^p.
        let bitmap = try ramp(stops(3, [0, 0, 0, 0, 0.3, 0.5, 0.5, 0.5, 1, 1, 1, 1]))
        let power = log(0.5) / log(0.7)
        expect(
            bitmap,
            [15, 34, 50, 70].map { x in
                (x, 50, gray(1 - pow(1 - (Double(x) + 0.5 - 10) / 80, power)))
            }, within: 5)
        // A stop with another colour than the mean is not a midpoint: interpolation is linear.
        let corner = try ramp(stops(3, [0, 0, 0, 0, 0.3, 0.8, 0.8, 0.8, 1, 1, 1, 1]))
        expect(corner, [(22, 50, gray(12.5 / 80 / 0.3 * 0.8))], within: 3)
    }

    @Test func highlightsMoveTheFocus() throws {
        let stops = stops(2, [0, 1, 1, 1, 1, 0, 0, 0])
        let bitmap = try ramp(stops, radial: true, ["h": 50, "a": 90])
        // The lightest point is half a radius below the centre. The circumference does not change.
        expect(bitmap, [(50, 70, .white)], within: 8)
        expect(bitmap, [(50, 50, gray(1 - 20.0 / 60))], within: 8)
        expect(bitmap, [(90, 50, .black), (50, 9, .black), (10, 50, .black)], within: 8)
    }

    @Test func strokesHaveGradients() throws {
        let line = corners([[10, 50], [90, 50]], closed: false)
        let bitmap = try draw(
            path(line),
            gradient(stops(2, [0, 1, 0, 0, 1, 0, 0, 1]), from: [10, 50], to: [90, 50], type: "gs", ["w": 20]))
        expect(bitmap, [(30, 45, Pixel(190, 0, 65)), (70, 55, Pixel(62, 0, 193)), (50, 65, .white)], within: 3)
        let both = try draw(
            rectangle([50, 50], [60, 60]),
            gradient(
                stops(2, [0, 0, 0, 0, 1, 0, 0, 0]), from: [0, 0], to: [1, 0], type: "gs", ["w": 10],
                ["d": dashes(10, 10, offset: 15)]))
        // Half of the outline is drawn, and the corners are in gaps.
        expect(both.area, near: 1200)
    }

    @Test func gradientsFollowTheirGroupsTransform() throws {
        let bitmap = try draw(
            group(
                rectangle([0, 0], [40, 40]),
                gradient(stops(2, [0, 0, 0, 0, 1, 1, 1, 1]), from: [-20, 0], to: [20, 0]),
                at: ["p": [50, 50], "r": 90]))
        expect(bitmap, [(50, 32, gray(2.5 / 40)), (40, 66, gray(36.5 / 40))], within: 3)
    }

    @Test func stopsAreAnimated() throws {
        let from: JSON = [0, 0, 0, 0, 1, 0, 0, 0]
        let to: JSON = [0, 1, 0, 0, 1, 0, 0, 1]
        let json = lottie(
            shapes(
                rectangle([50, 50], [100, 100]),
                gradient(
                    ["p": 2, "k": keys(key(0, from), key(10, to))], from: [10, 50], to: [90, 50])))
        expect(try draw(json, frame: 5), [(12, 50, Pixel(123, 0, 4)), (88, 50, Pixel(3, 0, 125))], within: 3)
    }
}
