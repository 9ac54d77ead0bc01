import Core
import TestSupport
import Testing

@testable import Inspect

/// Shapes that change their width and height, and those that turn.
@Suite struct SteadyRotationTests {
    private let classifier = ShapeClassifier(pixel: 1)

    private static func pose(_ frame: Int, _ width: Double, _ height: Double, degrees: Double) -> ShapePose {
        var pose = ShapePose(frame: frame, center: Point(40, 40), width: width, height: height)
        pose.rotation = degrees * .pi / 180
        return pose
    }

    /// The longer axis of an ellipse is its width, so that it seems to turn when the height grows
    /// beyond the width. A circle has no axis.
    @Test func aChangedHeightIsNotARotation() {
        var generator = SeededGenerator(seed: 61)
        let heights = (0..<40).map { 24 + 12 * sin(Double($0) * .pi / 20) }
        let poses = heights.enumerated().map { frame, height -> ShapePose in
            if abs(height - 24) < 0.5 {
                return Self.pose(frame, 24.1, 24, degrees: Double(generator.int(0...179)))
            }
            return height > 24
                ? Self.pose(frame, height, 24, degrees: 89) : Self.pose(frame, 24, height, degrees: -181)
        }
        let steady = classifier.unturned(poses, .ellipse)
        #expect(Set(steady.map(\.rotation)).count == 1)
        let sizes = abs(steady[0].rotation) < 0.1 ? steady.map(\.height) : steady.map(\.width)
        #expect(zip(sizes, heights).allSatisfy { abs($0 - $1) < 0.6 })
    }

    @Test func turningShapesKeepTheirRotation() {
        for kind in [ShapeKind.ellipse, .rectangle] {
            let poses = (0..<40).map { Self.pose($0, 30, 20, degrees: 9 * Double($0)) }
            #expect(classifier.unturned(poses, kind).map(\.rotation) == poses.map(\.rotation))
        }
        // A square that turns does not rest, although it looks the same at times.
        let square = (0..<40).map { Self.pose($0, 30, 30, degrees: 9 * Double($0)) }
        #expect(classifier.unturned(square, .rectangle).map(\.rotation) == square.map(\.rotation))
    }

    @Test func quarterTurnsInOneFrameAreRotations() {
        let poses = (0..<40).map { Self.pose($0, 30, 12, degrees: $0 < 20 ? 0 : 90) }
        #expect(classifier.unturned(poses, .rectangle).map(\.rotation) == poses.map(\.rotation))
    }

    /// A square of few pixels is blurred to a dot.
    @Test func smallSquaresHaveNoCertainRotation() {
        let sizes = (0..<20).map { Double($0 + 1) }
        let poses = sizes.enumerated().map { Self.pose($0, $1, $1, degrees: $1 < 3 ? 14 : 0.2) }
        #expect(classifier.unturned(poses, .rectangle).allSatisfy { abs($0.rotation) < 0.01 })
    }
}
