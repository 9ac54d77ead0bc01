import Motion
import Platform
import Scene
import Testing

@testable import Lottie

/// Layers: solids, nulls, images, compositions, parents.
@Suite struct LayerTests {
    @Test func solidsFillTheirSize() throws {
        let picture = try draw(movie(solid("#ff0000", 30, 20, at: ["p": [10, 10]])))
        expect(picture, [(10, 10, .fullRed), (39, 29, .fullRed), (40, 29, .white), (39, 30, .white)])
    }

    @Test func layersShowFromTheirBeginningToTheirEnd() throws {
        let json = movie(solid("#000", ["ip": 3, "op": 6]))
        for (frame, isSeen) in [
            (Rational(0), false), (Rational(29, 10), false), (3, true), (Rational(59, 10), true), (6, false),
        ] {
            #expect((try draw(json, frame: frame).area > 0) == isSeen, "\(frame)")
        }
    }

    @Test func theFirstLayerIsOnTop() throws {
        let json = movie(solid("#f00", 50, 50), solid("#00f"))
        expect(try draw(json), [(20, 20, .fullRed), (80, 80, .fullBlue)])
    }

    @Test func childrenGoWithTheirParents() throws {
        let picture = try draw(
            movie(
                shapes(rectangle([0, 0], [10, 10]), fill(black), at: ["p": [20, 0]], ["ind": 1, "parent": 2]),
                null(at: ["r": 90, "p": [0, -10]], ["ind": 2, "parent": 3]),
                null(at: ["p": [50, 50], "s": [200, 200], "o": 0], ["ind": 3])))
        // (20, 0) turned is (0, 20); 10 less and doubled it is 20 below (50, 50). What fades a parent is the parent's alone.
        #expect(picture.centroid.distance(to: Point(50, 70)) < 0.1)
        expect(picture.area, near: 400)
    }

    @Test func hiddenParentsStillLead() throws {
        let json = movie(
            shapes(rectangle([0, 0], [10, 10]), fill(black), ["ind": 1, "parent": 2]),
            solid("#f00", at: ["p": [30, 40]], ["ind": 2, "hd": true]))
        let picture = try draw(json)
        #expect(picture.centroid.distance(to: Point(30, 40)) < 0.1)
        expect(picture, [(90, 90, .white)])
    }

    /// Four pixels: red, green, blue and clear.
    private static let pixels =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAE0lEQVR42mP4z8DwHwyBNIhgAAA/0gX7f+ZqKwAAAABJRU5ErkJggg=="

    @Test func embeddedImagesAreStretchedToTheirSize() throws {
        let picture = try draw(
            movie(
                layer(2, ["p": [10, 10]], ["refId": "i"]),
                assets: [["id": "i", "p": .string(Self.pixels), "e": 1, "u": "", "w": 80, "h": 40]]))
        // Far from where two of its pixels meet each shows its own colour.
        expect(
            picture,
            [(14, 14, .fullRed), (86, 14, .fullGreen), (14, 46, .fullBlue), (95, 14, .white), (14, 52, .white)],
            within: 8)
    }

    @Test func compositionsAreCutAtTheirEdges() throws {
        let json = movie(
            precomposition("c", 40, 40, at: ["p": [30, 30]]), assets: [asset("c", solid("#000", 200, 200))])
        let picture = try draw(json)
        expect(picture.area, near: 1600)
        expect(picture, [(30, 30, .black), (69, 69, .black), (29, 30, .white), (70, 69, .white)])
    }

    /// A disc that goes a point to the right every frame, from 10 at its composition's frame 0.
    private func runner(_ more: [String: JSON]) -> JSON {
        movie(
            precomposition("c", more), to: 40,
            assets: [
                asset(
                    "c",
                    shapes(
                        ellipse([0, 0], [8, 8]), fill(black), at: ["p": keys(key(0, [10, 50]), key(80, [90, 50]))]))
            ])
    }

    @Test func compositionsBeginWhereTheyAreSetAndMayBeStretched() throws {
        for (more, scale, start) in [
            ([:], 1.0, 0.0), (["st": 5], 1, 5), (["st": -10], 1, -10), (["sr": 2], 2, 0),
            (["sr": 0.5, "st": 4], 0.5, 4),
        ] as [([String: JSON], Double, Double)] {
            for frame in [6.0, 10.5, 20] {
                let inner = (frame - start) / scale
                let x = try draw(runner(more), frame: Rational(Int128(frame * 2), 2)).centroid.x
                #expect(abs(x - (10 + inner)) < 0.05, "\(more) at \(frame): \(x)")
            }
        }
    }

    @Test func timeMayBeRemapped() throws {
        // Seconds of the composition: forwards to 4 s within 10 frames, held, and back.
        let remap = keys(key(0, 0), key(10, 4), key(20, 4), key(30, 1))
        for (frame, seconds) in [(0.0, 0.0), (5, 2), (12.5, 4), (25, 2.5), (35, 1)] {
            let x = try draw(runner(["tm": remap]), frame: Rational(Int128(frame * 2), 2)).centroid.x
            #expect(abs(x - (10 + 10 * seconds)) < 0.05, "at \(frame): \(x)")
        }
    }

    @Test func compositionsNest() throws {
        let json = movie(
            precomposition("outer", at: ["p": [50, 0], "s": [50, 50]], ["st": 2]),
            assets: [
                asset("outer", precomposition("inner", at: ["r": 90, "p": [100, 0]], ["st": 1])),
                asset("inner", shapes(rectangle([20, 20], [20, 20]), fill(black), ["ip": 3])),
            ])
        // The inner one's frame 3 is the animation's frame 6.
        #expect(try draw(json, frame: 5).area == 0)
        let picture = try draw(json, frame: 6)
        // (20, 20) turned is (-20, 20), moved (80, 20), halved and moved (90, 10).
        #expect(picture.centroid.distance(to: Point(90, 10)) < 0.1)
    }

    @Test func aCompositionMixesItsLayersByItselfAlone() throws {
        // Within it there is nothing to multiply with; where it is cut, and where it is not.
        for side in [40.0, 200] {
            let json = movie(
                precomposition("c"), solid("#808080"),
                assets: [asset("c", solid("#ff0000", side, side, ["bm": 1]))])
            expect(try draw(json), [(20, 20, .fullRed)])
        }
        // Fills of a layer of shapes mix with the layer's own only.
        let fills = movie(shapes(rectangle([50, 50], [80, 80]), fill(red, ["bm": 1])), solid("#808080"))
        expect(try draw(fills), [(50, 50, .fullRed)])
        let within = movie(
            precomposition("c"), solid("#00f"),
            assets: [asset("c", solid("#808080", 40, 40, ["bm": 1]), solid("#ff0000", 80, 80))])
        expect(try draw(within), [(20, 20, Pixel(128, 0, 0)), (60, 60, .fullRed), (90, 90, .fullBlue)])
    }

    private static let mixtures: [(Int, [Double])] = [
        (1, [0.16, 0.3, 0.09]), (2, [0.84, 0.8, 0.91]), (3, [0.68, 0.6, 0.18]), (8, [0.32, 0.6, 0.82]),
        (10, [0.6, 0.1, 0.8]), (16, [1, 1, 1.0]),
    ]

    @Test(arguments: mixtures)
    func layersMixWithWhatIsBelow(mode: Int, mixed: [Double]) throws {
        // (0.2, 0.6, 0.9) over (0.8, 0.5, 0.1): overlay and hard light are products or screens of the doubled colour.
        let bytes = mixed.map { Int(($0 * 255).rounded()) }
        let json = movie(
            shapes(rectangle([50, 50], [60, 60]), fill([0.2, 0.6, 0.9]), ["bm": .number(Double(mode))]),
            shapes(rectangle([50, 50], [90, 90]), fill([0.8, 0.5, 0.1])))
        expect(try draw(json), [(50, 50, Pixel(bytes[0], bytes[1], bytes[2]))], within: 3)
    }
}
