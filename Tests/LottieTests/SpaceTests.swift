import Core
import TestSupport
import Testing

@testable import Lottie

/// 3D layers and cameras.
@Suite struct SpaceTests {
    /// Returns a layer that turns around the middle of the canvas.
    private func plane(_ values: [String: JSON], _ more: [String: JSON] = [:]) -> JSON {
        let own: [String: JSON] = ["p": [50, 50, 0], "a": [20, 20, 0]]
        return solid("#000", 40, 40, at: own.merging(values) { $1 }, ["ddd": 1].merging(more) { $1 })
    }

    private func camera(_ values: [String: JSON] = [:], zoom: JSON = 100, _ more: [String: JSON] = [:]) -> JSON {
        let own: [String: JSON] = ["p": [50, 50, -100], "a": [50, 50, 0], "or": [0, 0, 0]]
        return layer(13, own.merging(values) { $1 }, ["pe": property(zoom), "ddd": 1].merging(more) { $1 })
    }

    private func sides(_ bitmap: PixelGrid) -> (width: Double, height: Double) {
        ((0..<100).reduce(0) { $0 + bitmap.ink($1, 50) }, (0..<100).reduce(0) { $0 + bitmap.ink(50, $1) })
    }

    /// Without a camera, layers are seen from far away, as in other Lottie players.
    @Test func turnedLayersAreForeshortened() throws {
        for (angles, width, height) in [
            (["ry": 60], 20.0, 40.0), (["rx": 60], 40, 20), (["or": [0, 60, 0]], 20, 40), (["or": [60, 0, 0]], 40, 20),
            (["ry": 180], 40, 40), (["rz": 90, "rx": 60], 40, 20),
        ] as [([String: JSON], Double, Double)] {
            let seen = sides(try draw(lottie(plane(angles))))
            expect(seen.width, near: width, within: 0.02)
            expect(seen.height, near: height, within: 0.02)
        }
    }

    @Test func childrenTurnWithTheirParents() throws {
        let parent = null(at: ["p": [50, 50, 0], "ry": 60], ["ind": 1, "ddd": 1])
        let child = plane(["p": [20, 0, 0]], ["parent": 1])
        let bitmap = try draw(lottie(parent, child))
        expect(bitmap.centroid.x, near: 60, within: 0.01)
        expect(sides(bitmap).width, near: 20, within: 0.02)
        // A child in front of its parent's plane is moved sideways.
        let raised = plane(["p": [0, 0, -20]], ["parent": 1])
        let shift = try draw(lottie(parent, raised)).centroid.x - 50
        expect(abs(shift), near: 20 * 3.0.squareRoot() / 2, within: 0.02)
    }

    @Test func orientationsTakeTheShorterWay() throws {
        let turning = plane(["or": keys(key(0, [0, 0, 0]), key(10, [0, 300, 0]))])
        // Halfway between 0 and -60 degrees.
        expect(sides(try draw(lottie(turning), frame: 5)).width, near: 40 * 3.0.squareRoot() / 2, within: 0.02)
    }

    /// The way between two orientations is a turn about one axis, not one of each angle.
    @Test func orientationsTurnAboutOneAxis() throws {
        let turning = plane(["or": keys(key(0, [90, 0, 0]), key(10, [0, 90, 0]))])
        // A plane that turns from the x axis to the y axis shows a third of itself halfway.
        expect(try draw(lottie(turning), frame: 5).area, near: 1600 / 3, within: 0.02)
        // Near a right angle about y, the other two angles are about the same axis.
        let start = Orientation(angles: [30, 80, 0])
        for fraction in [0.25, 0.5, 0.75, 1] {
            let angles = start.interpolated(to: Orientation(angles: [30, 100, 0])) { _ in fraction }.angles
            let normal = cos(angles[0] * .pi / 180) * cos(angles[1] * .pi / 180)
            let expected = cos(30 * .pi / 180) * cos((80 + 20 * fraction) * .pi / 180)
            #expect(abs(normal - expected) < 1e-9, "\(fraction): \(angles)")
        }
    }

    @Test func camerasEnlargeWhatIsClose() throws {
        expect(sides(try draw(lottie(camera(), plane([:])))).width, near: 40, within: 0.02)
        // Half as far away, twice as large; layers without the 3D switch stay.
        let close = lottie(camera(), plane(["p": [50, 50, -50]]))
        expect(sides(try draw(close)).width, near: 80, within: 0.02)
        let flat = lottie(camera(), plane(["p": [50, 50, -50]], ["ddd": 0]))
        expect(sides(try draw(flat)).width, near: 40, within: 0.02)
        let away = lottie(camera(), plane(["p": [50, 50, 100]]))
        expect(sides(try draw(away)).width, near: 20, within: 0.02)
    }

    /// A camera can be inside a room, whose walls are much larger than what is seen of them.
    @Test func roomsAroundTheCameraAreDrawn() throws {
        func wall(_ width: Double, _ height: Double, _ values: [String: JSON]) -> JSON {
            solid(
                "#000", width, height,
                at: ["a": [.number(width / 2), .number(height / 2), 0]].merging(values) { $1 }, ["ddd": 1])
        }
        let walls = [
            wall(260, 100, ["p": [0, 50, 70], "ry": 90]), wall(260, 100, ["p": [100, 50, 70], "ry": 90]),
            wall(100, 260, ["p": [50, 0, 70], "rx": 90]), wall(100, 260, ["p": [50, 100, 70], "rx": 90]),
        ]
        let bitmap = try draw(lottie(camera(), walls[0], walls[1], walls[2], walls[3]))
        // At its far end, the room is a third as wide.
        expect(bitmap.area, near: 10_000 - 10_000 / 9, within: 0.03)
    }

    @Test func camerasShowPerspective() throws {
        // The right side is 10 * sqrt(3) points closer than the middle or farther away.
        let bitmap = try draw(lottie(camera(), plane(["ry": 60])))
        let left = (0..<100).reduce(0) { $0 + bitmap.ink(43, $1) }
        let right = (0..<100).reduce(0) { $0 + bitmap.ink(57, $1) }
        #expect(abs(left - right) > 6)
        expect(sides(bitmap).height, near: 40, within: 0.03)
        // The corners of the plane, seen from 100 points: x is 10 / (1 +- 0.1732) from the middle.
        expect(sides(bitmap).width, near: 10 / 1.1732 + 10 / 0.8268, within: 0.04)
    }

    @Test func camerasLookAtTheirTarget() throws {
        let bitmap = try draw(lottie(camera(["p": [150, 50, 0], "a": [50, 50, 0]]), plane(["ry": 90])))
        // Seen from the side, a layer turned by a right angle is whole.
        expect(sides(bitmap).width, near: 40, within: 0.03)
    }

    @Test func layersAreOrderedByDistance() throws {
        let near = plane(["p": [50, 50, -10]])
        let far = solid("#f00", 40, 40, at: ["p": [50, 50, 50], "a": [20, 20, 0]], ["ddd": 1])
        for order in [[near, far], [far, near]] {
            let json = lottie(camera()).with(["layers": .array([camera()] + order)])
            expect(try draw(json), [(50, 50, .black)])
        }
    }

    /// Planes behind the camera, through it and seen from their edge are clipped, or not drawn.
    @Test func horizonsAreDrawn() throws {
        for values in [
            ["p": [50, 50, -200]], ["ry": 90], ["p": [50, 50, -100]], ["rx": 90, "s": [100_000, 100_000, 100]],
            ["rx": 89, "s": [100_000, 100_000, 100], "p": [50, 60, 0]], ["s": [0, 100, 100]],
            ["p": [50, 50, -99.9999], "ry": 1],
        ] as [[String: JSON]] {
            let bitmap = try draw(lottie(camera(), plane(values)))
            #expect((0...10_000).contains(bitmap.area))
        }
        let floor = try draw(
            lottie(camera(), plane(["rx": 90, "s": [100_000, 100_000, 100], "p": [50, 60, 0]])))
        // A floor below the camera reaches to the horizon in the middle of the picture.
        expect(floor, [(50, 90, .black), (50, 30, .white)], within: 8)
        for zoom in [0.0, -5, 1e-9, 1e7] {
            _ = try draw(lottie(camera(zoom: .number(zoom)), plane(["ry": 40])))
        }
    }

    /// Programs read and set all three components of a 3D position, with curves or without.
    @Test func expressionsReadAndSetDepth() throws {
        let straight = computed("value + [1, 2, 50]", value: [50, 40, 30])
        let curve: [String: JSON] = ["to": [0, 10, 0], "ti": [0, -10, 0]]
        let curved = keys(
            key(0, [50, 40, 30], .linear, curve), key(10, [50, 40, 30]), expression: "value + [1, 2, 50]")
        for position in [straight, curved] {
            let other = plane(["p": position], ["ind": 2])
            let reader = solid("#000", at: ["r": computed("thisComp.layer(2).position[2]")], ["ind": 1])
            let animation = try LottieFixture(lottie(reader, other)).animation
            try #require(animation.unsupported.isEmpty, "\(animation.unsupported)")
            let context = animation.frameContext()
            let transform = animation.composition.layers[1].transform
            let point = transform.position(at: 0, in: context)
            #expect(point.x == 51 && point.y == 42)
            #expect(transform.depth?.positionDepth(at: 0, in: context) == 80)
            #expect(animation.composition.layers[0].transform.rotation.value(at: 0, in: animation.frameContext()) == 80)
        }
    }
}
