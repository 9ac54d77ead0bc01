import Core
import TestSupport
import Testing

@testable import Inspect

/// Objects that go behind others, jump, and change their colour slightly.
@Suite struct HiddenMotionTests {
    private static let red = Channels(208, 48, 80)
    private static let blue = Channels(48, 96, 208)
    private static let white = Channels(255, 255, 255)

    /// A square with a side that is not free, if it is partly hidden on the right.
    private static func square(
        _ frame: Int, x: Double, width: Double = 40, color: Channels = red, isAlone: Bool = true
    ) -> ObservedShape {
        let corners = [Point(x, 30), Point(x + width, 30), Point(x + width, 70), Point(x, 70)]
        var (points, flags): ([Point], [Bool]) = ([], [])
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % 4]
            for step in 0..<20 {
                points.append(corner + (next - corner) * (Double(step) / 20))
                flags.append(isAlone || index != 1)
            }
        }
        return ObservedShape(
            frame: frame, color: color, area: 40 * width, centroid: Point(x + width / 2, 50),
            box: Rect(x: x, y: 30, width: width, height: 40), contours: [Contour(points: points, isFree: flags)],
            isCut: false, isAlone: isAlone, isPlain: true)
    }

    private static func track(_ shapes: [ObservedShape]) -> ShapeTrack { ShapeTrack(shapes, merged: []) }

    @Test func objectGoesOnBehindAnother() {
        let before = (0..<30).map { Self.square($0, x: Double($0) * 5, isAlone: $0 < 26) }
        let after = (60..<90).map { Self.square($0, x: Double($0) * 5, isAlone: $0 > 64) }
        let wall = (0..<90).map { Self.square($0, x: 150, width: 190, color: Self.blue) }
        let tracks = [Self.track(before), Self.track(after), Self.track(wall)]
        let seen = Dictionary(grouping: tracks.flatMap(\.shapes), by: \.frame)
        #expect(SplitJoiner(seen: seen).joined(tracks).count == 2)
        // Nothing hides it.
        #expect(SplitJoiner().joined(Array(tracks.prefix(2))).count == 2)
    }

    @Test func jumpsMakeNoSecondObject() {
        func steps(_ first: Int) -> ShapeTrack {
            Self.track((0..<10).map { Self.square(10 * first + $0, x: 90 * Double(first)) })
        }
        #expect(JumpJoiner().joined((0..<6).map(steps)).count == 1)
        // One of them is seen while another is.
        let other = Self.track((5..<15).map { Self.square($0, x: 300) })
        #expect(JumpJoiner().joined((0..<6).map(steps) + [other]).count == 7)
        // One shrinks, and another appears.
        let shrinking = (0..<6).map { number in
            Self.track((0..<10).map { Self.square(10 * number + $0, x: 90, width: 40 - 3 * Double($0)) })
        }
        #expect(JumpJoiner().joined(shrinking).count == 6)
    }

    @Test func aPartOfASquareIsNotASmallerSquare() throws {
        let shapes = (0..<20).map { frame in
            let x = 10 + 4 * Double(frame)
            return Self.square(frame, x: x, width: min(40, 100 - x), isAlone: x < 58)
        }
        let found = ShapeClassifier(pixel: 1).classified(Self.track(shapes))
        #expect(found.kind == .rectangle)
        for pose in found.poses { #expect(abs(pose.width - 40) < 0.5 && abs(pose.height - 40) < 0.5) }
        let last = try #require(found.poses.last { $0.frame == 18 })
        #expect(abs(last.center.x - (10 + 4 * 18 + 20)) < 0.5)
    }

    @Test func sliversAreNotInTheOutline() throws {
        let wall = (0..<60).map { frame in
            Self.square(frame, x: 100, width: (30..<33).contains(frame) ? 43 : 40, color: Self.blue)
        }
        let ball = (0..<60).filter { !(30..<50).contains($0) }.map { frame in
            [29, 50].contains(frame)
                ? Self.square(frame, x: 141, width: 3, isAlone: false) : Self.square(frame, x: 170 - Double(frame))
        }
        let tracks = [Self.track(wall), Self.track(ball)]
        var builder = ObjectBuilder(
            background: Self.white, times: (0..<60).map { Double($0) / 60 }, duration: 1, pixel: 1)
        builder.slivers = ObjectBuilder.slivers(of: tracks)
        let object = try #require(builder.object(ShapeClassifier(pixel: 1).classified(tracks[0])))
        #expect(object.width.isConstant && object.x.isConstant)
    }

    private static func object(_ color: (Double) -> Channels) throws -> ReconstructedObject {
        let shapes = (0..<60).map { frame in
            square(frame, x: 20, color: color(Double(frame) / 59))
        }
        let builder = ObjectBuilder(background: white, times: (0..<60).map { Double($0) / 60 }, duration: 1, pixel: 1)
        return try #require(builder.object(ShapeClassifier(pixel: 1).classified(track(shapes))))
    }

    @Test func aSlightChangeOfColorIsNotAFade() throws {
        let colored = try Self.object { Self.red + Channels(16, 24, -8) * Float($0) }
        #expect(colored.opacity.isConstant && !colored.red.isConstant)
        #expect(abs(colored.red.value(at: 59.0 / 60) * 255 - 224) < 2)
        let faded = try Self.object { Self.red + (Self.white - Self.red) * Float(0.7 * $0) }
        #expect(faded.red.isConstant && abs(faded.opacity.value(at: 59.0 / 60) - 0.3) < 0.02)
    }

    /// The chroma of a line is blurred, and its colour depends on the background.
    @Test func colorOfALineIsUncertain() throws {
        let shape = Self.square(0, x: 0, width: 3)
        #expect(abs(Self.square(0, x: 0).thickness - 40) < 0.1 && shape.thickness < 6)
    }

    /// Another object hides the colour before the object vanishes.
    @Test func opacityLastsUntilTheObjectIsHidden() throws {
        let shapes = ((0..<30) + Array(50..<80)).map { frame in
            Self.square(frame, x: 20, isAlone: frame < 20 || frame >= 60)
        }
        let builder = ObjectBuilder(
            background: Self.white, times: (0..<80).map { Double($0) / 60 }, duration: 80.0 / 60, pixel: 1)
        var object = try #require(builder.object(ShapeClassifier(pixel: 1).classified(Self.track(shapes))))
        let gap = Gaps.Gap(frames: 30..<50, before: 29, after: 50)
        var gaps = Gaps(shapes, merged: [], limit: 80) { _, _ in false }
        gaps.hidden = [gap]
        builder.setColor(&object, shapes, gaps, [])
        for frame in [25.0, 28.9, 50.1, 55] { #expect(object.opacity.value(at: frame / 60) > 0.85) }
        #expect(object.opacity.value(at: 40.0 / 60) == 0)
    }
}
