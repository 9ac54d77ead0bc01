import Core
import Testing

@testable import Lottie

/// Layers: solids, nulls, images, precompositions, parents.
@Suite struct LayerTests {
    @Test func solidsFillTheirSize() throws {
        let bitmap = try draw(lottie(solid("#ff0000", 30, 20, at: ["p": [10, 10]])))
        expect(bitmap, [(10, 10, .fullRed), (39, 29, .fullRed), (40, 29, .white), (39, 30, .white)])
    }

    @Test func layersAreVisibleFromInToOutPoint() throws {
        let json = lottie(solid("#000", ["ip": 3, "op": 6]))
        for (frame, isVisible) in [
            (Rational(0), false), (Rational(29, 10), false), (3, true), (Rational(59, 10), true), (6, false),
        ] {
            #expect((try draw(json, frame: frame).area > 0) == isVisible, "\(frame)")
        }
    }

    @Test func theFirstLayerIsOnTop() throws {
        let json = lottie(solid("#f00", 50, 50), solid("#00f"))
        expect(try draw(json), [(20, 20, .fullRed), (80, 80, .fullBlue)])
    }

    @Test func childrenFollowTheirParents() throws {
        let bitmap = try draw(
            lottie(
                shapes(rectangle([0, 0], [10, 10]), fill(black), at: ["p": [20, 0]], ["ind": 1, "parent": 2]),
                null(at: ["r": 90, "p": [0, -10]], ["ind": 2, "parent": 3]),
                null(at: ["p": [50, 50], "s": [200, 200], "o": 0], ["ind": 3])))
        // (20, 0) is rotated to (0, 20), moved to (0, 10), doubled, and so 20 below (50, 50). A
        // parent's opacity does not affect its children.
        #expect(bitmap.centroid.distance(to: Point(50, 70)) < 0.1)
        expect(bitmap.area, near: 400)
    }

    @Test func hiddenParentsStillTransform() throws {
        let json = lottie(
            shapes(rectangle([0, 0], [10, 10]), fill(black), ["ind": 1, "parent": 2]),
            solid("#f00", at: ["p": [30, 40]], ["ind": 2, "hd": true]))
        let bitmap = try draw(json)
        #expect(bitmap.centroid.distance(to: Point(30, 40)) < 0.1)
        expect(bitmap, [(90, 90, .white)])
    }

    /// An image of four pixels: red, green, blue and transparent.
    private static let pixels =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAE0lEQVR42mP4z8DwHwyBNIhgAAA/0gX7f+ZqKwAAAABJRU5ErkJggg=="

    @Test func embeddedImagesAreStretchedToTheirSize() throws {
        let bitmap = try draw(
            lottie(
                layer(2, ["p": [10, 10]], ["refId": "i"]),
                assets: [["id": "i", "p": .string(Self.pixels), "e": 1, "u": "", "w": 80, "h": 40]]))
        // Far from the borders of the original pixels, each has its own colour.
        expect(
            bitmap,
            [(14, 14, .fullRed), (86, 14, .fullGreen), (14, 46, .fullBlue), (95, 14, .white), (14, 52, .white)],
            within: 8)
    }

    /// IDs are texts, and some files write them as numbers.
    @Test func numericIDsMatchTexts() throws {
        let asset: JSON = ["id": 1, "p": .string(Self.pixels), "e": 1, "u": "", "w": 80, "h": 40]
        let bitmap = try draw(lottie(layer(2, ["p": [10, 10]], ["refId": "1"]), assets: [asset]))
        expect(bitmap, [(14, 14, .fullRed), (86, 14, .fullGreen)], within: 8)
    }

    /// A slot replaces an image; a slot without a value leaves the image of the file.
    @Test func slotsReplaceImages() throws {
        let image: JSON = ["p": .string(Self.pixels), "e": 1, "u": "", "w": 80, "h": 40]
        let slots: JSON = ["logo": ["p": image]]
        for asset in [
            ["id": "i", "sid": "logo", "p": "missing.png", "w": 2, "h": 2],
            ["id": "i", "sid": "none", "p": .string(Self.pixels), "e": 1, "w": 80, "h": 40],
        ] as [JSON] {
            let file = lottie(layer(2, ["p": [10, 10]], ["refId": "i"]), ["slots": slots], assets: [asset])
            expect(try draw(file), [(14, 14, .fullRed), (86, 14, .fullGreen), (14, 46, .fullBlue)], within: 8)
        }
    }

    /// Images with the same data are one image, which counts once.
    @Test func equalImagesAreShared() throws {
        let assets: [JSON] = ["a", "b"].map { ["id": .string($0), "p": .string(Self.pixels), "e": 1] }
        let layers = ["a", "b"].map { layer(2, [:], ["refId": .string($0)]) }
        let animation = try LottieFixture(
            lottie(layers[0], ["layers": .array(layers), "assets": .array(assets)])
        ).animation
        let bitmaps = animation.composition.layers.compactMap { layer -> Bitmap? in
            if case .image(let bitmap, _) = layer.content { bitmap } else { nil }
        }
        #expect(bitmaps.count == 2 && bitmaps[0] === bitmaps[1])
    }

    @Test func compositionsAreClippedToTheirSize() throws {
        let json = lottie(
            precomposition("c", 40, 40, at: ["p": [30, 30]]), assets: [asset("c", solid("#000", 200, 200))])
        let bitmap = try draw(json)
        expect(bitmap.area, near: 1600)
        expect(bitmap, [(30, 30, .black), (69, 69, .black), (29, 30, .white), (70, 69, .white)])
    }

    /// A disc that moves a point to the right every frame, from x = 10 at frame 0 of its
    /// composition.
    private func runner(_ more: [String: JSON]) -> JSON {
        lottie(
            precomposition("c", more), to: 40,
            assets: [
                asset(
                    "c",
                    shapes(
                        ellipse([0, 0], [8, 8]), fill(black), at: ["p": keys(key(0, [10, 50]), key(80, [90, 50]))]))
            ])
    }

    @Test func compositionsHaveAStartTimeAndAStretch() throws {
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

    @Test func timeCanBeRemapped() throws {
        // The composition's time goes forwards to 4 s in 10 frames, is held, and goes back.
        let remap = keys(key(0, 0), key(10, 4), key(20, 4), key(30, 1))
        for (frame, seconds) in [(0.0, 0.0), (5, 2), (12.5, 4), (25, 2.5), (35, 1)] {
            let x = try draw(runner(["tm": remap]), frame: Rational(Int128(frame * 2), 2)).centroid.x
            #expect(abs(x - (10 + 10 * seconds)) < 0.05, "at \(frame): \(x)")
        }
    }

    @Test func compositionsNest() throws {
        let json = lottie(
            precomposition("outer", at: ["p": [50, 0], "s": [50, 50]], ["st": 2]),
            assets: [
                asset("outer", precomposition("inner", at: ["r": 90, "p": [100, 0]], ["st": 1])),
                asset("inner", shapes(rectangle([20, 20], [20, 20]), fill(black), ["ip": 3])),
            ])
        // Frame 3 of the inner composition is frame 6 of the animation.
        #expect(try draw(json, frame: 5).area == 0)
        let bitmap = try draw(json, frame: 6)
        // (20, 20) is rotated to (-20, 20), moved to (80, 20), halved and moved to (90, 10).
        #expect(bitmap.centroid.distance(to: Point(90, 10)) < 0.1)
    }

    @Test func blendModesAreConfinedToTheirComposition() throws {
        // The composition has nothing below to multiply with, whether it is clipped or not.
        for side in [40.0, 200] {
            let json = lottie(
                precomposition("c"), solid("#808080"),
                assets: [asset("c", solid("#ff0000", side, side, ["bm": 1]))])
            expect(try draw(json), [(20, 20, .fullRed)])
        }
        // Fills of a shape layer only blend with items of the same layer.
        let fills = lottie(shapes(rectangle([50, 50], [80, 80]), fill(red, ["bm": 1])), solid("#808080"))
        expect(try draw(fills), [(50, 50, .fullRed)])
        let within = lottie(
            precomposition("c"), solid("#00f"),
            assets: [asset("c", solid("#808080", 40, 40, ["bm": 1]), solid("#ff0000", 80, 80))])
        expect(try draw(within), [(20, 20, Pixel(128, 0, 0)), (60, 60, .fullRed), (90, 90, .fullBlue)])
    }

    /// Blend modes (`bm`) with their results for two colours.
    private static let blends: [(Int, [Double])] = [
        (1, [0.16, 0.3, 0.09]), (2, [0.84, 0.8, 0.91]), (3, [0.68, 0.6, 0.18]), (8, [0.32, 0.6, 0.82]),
        (10, [0.6, 0.1, 0.8]), (16, [1, 1, 1.0]),
    ]

    @Test(arguments: blends)
    func layersBlendWithTheLayersBelow(mode: Int, blended: [Double]) throws {
        // (0.2, 0.6, 0.9) over (0.8, 0.5, 0.1). Overlay and hard light multiply or screen with the
        // doubled colour.
        let bytes = blended.map { Int(($0 * 255).rounded()) }
        let json = lottie(
            shapes(rectangle([50, 50], [60, 60]), fill([0.2, 0.6, 0.9]), ["bm": .number(Double(mode))]),
            shapes(rectangle([50, 50], [90, 90]), fill([0.8, 0.5, 0.1])))
        expect(try draw(json), [(50, 50, Pixel(bytes[0], bytes[1], bytes[2]))], within: 3)
    }

    /// In lottie-web, a chain of parents that ends at a missing layer has no effect on any of its
    /// layers.
    @Test func chainsThatEndAtAMissingParentAreIgnored() throws {
        let square = rectangle([10, 10], [20, 20])
        let fixture = try LottieFixture(
            lottie(
                shapes(square, fill(black), ["ind": 1, "parent": 2]),
                null(at: ["p": [50, 0]], ["ind": 2, "parent": 7]),
                shapes(square, fill(black), at: ["p": [0, 50]], ["ind": 3, "parent": 4]),
                null(at: ["p": [50, 0]], ["ind": 4])))
        expect(
            try fixture.render(), [(10, 10, .black), (60, 10, .white), (60, 60, .black), (10, 60, .white)])
        #expect(
            fixture.loader.notes == [
                "layers[1]: the parent layer 7 (parent) does not exist, so this layer and its children are drawn without "
                    + "parents"
            ])
    }

    /// A layer without an out point is drawn neither by us nor by lottie-web, ThorVG and rlottie.
    @Test func layersWithoutAnOutPointAreNotDrawn() throws {
        let square: JSON = [
            "ty": 4, "nm": "tick", "ks": [:], "shapes": [rectangle([20, 20], [20, 20]), fill(red)],
        ]
        let fixture = try LottieFixture(lottie(square, shapes(rectangle([60, 60], [20, 20]), fill(black))))
        expect(try fixture.render(), [(20, 20, .white), (60, 60, .black)])
        #expect(
            fixture.loader.notes == ["layers[0]: the layer 'tick' has no out point (op), so it is not drawn"])
    }

    /// Some tools number layers by random numbers of many digits.
    @Test func layerNumbersCanBeLarge() throws {
        let square = rectangle([10, 10], [20, 20])
        let bitmap = try draw(
            lottie(
                shapes(square, fill(black), ["ind": 1, "parent": 9_007_199_254_740_991]),
                null(at: ["p": [50, 50]], ["ind": 9_007_199_254_740_991])))
        expect(bitmap, [(60, 60, .black), (10, 10, .white)])
    }
}
