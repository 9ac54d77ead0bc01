import Core
import TestSupport
import Testing

@testable import Inspect

/// Runs of frames in which an object is seen, and the shapes that objects form together.
@Suite struct ShapeTrackTests {
    private static let green = Channels(51, 255, 51)
    private static let discArea = 530.0

    /// A shape whose box is 26 pixels high.
    private static func shape(
        _ frame: Int, _ x: Double, width: Double = 26, area: Double = discArea, color: Channels = green,
        isAlone: Bool = true
    ) -> ObservedShape {
        let contour = Contour(points: [Point(x, 0), Point(x + 1, 0), Point(x, 1)], isFree: [true, true, true])
        return ObservedShape(
            frame: frame, color: color, area: area, centroid: Point(x, 0),
            box: Rect(x: x - width / 2, y: -13, width: width, height: 26), contours: [contour], isCut: false,
            isAlone: isAlone, isPlain: true)
    }

    private static func track(_ shapes: [ObservedShape]) -> ShapeTrack {
        var track = ShapeTrack(shapes[0])
        for shape in shapes.dropFirst() { track.append(shape) }
        return track
    }

    // MARK: Runs

    /// Returns the largest number of successive frames.
    private static func longestRun(_ frames: [Int]) -> Int {
        frames.map { first in (0...frames.count).first { !frames.contains(first + $0) } ?? 0 }.max() ?? 0
    }

    @Test func objectIsSeenAloneOrInSixSuccessiveFrames() {
        var generator = SeededGenerator(seed: 51)
        var counts = [true: 0, false: 0]
        for _ in 0..<200 {
            let frames = (0..<20).filter { _ in generator.int(0...3) > 0 }
            guard !frames.isEmpty else { continue }
            let aloneFrame = generator.int(0...2) == 0 ? frames.randomElement(using: &generator) : nil
            let shapes = frames.map { Self.shape($0, 0, isAlone: $0 == aloneFrame) }
            let expected = aloneFrame != nil || Self.longestRun(frames) >= 6
            counts[expected, default: 0] += 1
            #expect(Self.track(shapes).isObject == expected, "\(frames)")
            #expect(ShapeTrack(shapes, merged: []).isObject == expected, "\(frames)")
        }
        #expect(counts.values.allSatisfy { $0 > 20 })
    }

    @Test func joinedTracksHaveTheRunsOfAllTheirFrames() {
        var generator = SeededGenerator(seed: 52)
        for _ in 0..<200 {
            let isFirst = (0..<14).map { _ in generator.int(0...1) == 0 }
            let frames = (0..<14).filter { _ in generator.int(0...5) > 0 }
            let parts = [true, false].map { side in frames.filter { isFirst[$0] == side } }
            guard !parts[0].isEmpty, !parts[1].isEmpty else { continue }
            var joined = Self.track(parts[0].map { Self.shape($0, 0, isAlone: false) })
            joined.append(contentsOf: Self.track(parts[1].map { Self.shape($0, 0, isAlone: false) }))
            #expect(joined.shapes.map(\.frame) == frames)
            #expect(joined.isObject == (Self.longestRun(frames) >= 6), "\(frames)")
            // The run goes on after the last frame.
            let last = frames[frames.count - 1]
            for frame in last + 1...last + 5 { joined.append(Self.shape(frame, 0, isAlone: false)) }
            let all = frames + Array(last + 1...last + 5)
            #expect(joined.isObject == (Self.longestRun(all) >= 6), "\(all)")
        }
    }

    // MARK: Joints

    /// The frames in which two discs at 46 and 74 touch.
    private static func tracker(
        touching: Set<Int>, until count: Int, area: Double = 1000, colors: [Channels] = [green, green]
    ) -> ShapeTracker {
        var tracker = ShapeTracker(background: Channels(repeating: 255))
        for frame in 0..<count {
            let apart = [shape(frame, 46, color: colors[0]), shape(frame, 74, color: colors[1])]
            let shapes = touching.contains(frame) ? [shape(frame, 60, width: 54, area: area, color: colors[0])] : apart
            tracker.add(shapes, frame: frame)
        }
        return tracker
    }

    @Test func eachTimeThatDiscsTouchIsOneJoint() {
        let times = [8..<13, 20..<21, 30..<36]
        let touching = Set(times.joined())
        let tracker = Self.tracker(touching: touching, until: 45)
        #expect(tracker.joints.map { $0.shapes.map(\.frame) } == times.map(Array.init))
        #expect(tracker.tracks.count == 2)
        for track in tracker.tracks {
            #expect(track.shapes.map(\.frame) == (0..<45).filter { !touching.contains($0) })
            #expect(track.mergedFrames == touching.sorted())
        }
    }

    /// A disc that covers another wholly has its own area.
    @Test(arguments: [(1.0, false), (1.1, false), (1.2, true), (1.9, true)])
    func jointIsLargerThanTheLargestOfItsObjects(factor: Double, isJoint: Bool) {
        let tracker = Self.tracker(touching: [8, 9, 10], until: 20, area: factor * Self.discArea)
        #expect(tracker.joints.count == (isJoint ? 1 : 0))
        #expect(tracker.tracks.allSatisfy { $0.mergedFrames.isEmpty != isJoint })
    }

    @Test func discsOfOtherColorsFormNoJoint() {
        let red = Channels(208, 48, 80)
        let blue = Channels(48, 96, 208)
        #expect(Self.tracker(touching: [8, 9, 10], until: 20, colors: [red, blue]).joints.isEmpty)
        #expect(Self.tracker(touching: [8, 9, 10], until: 20, colors: [red, red]).joints.count == 1)
    }

    /// A piece that is never seen alone counts as an object after six frames.
    @Test(arguments: 1...9) func piecesFormNoJoint(count: Int) {
        var tracker = ShapeTracker(background: Channels(repeating: 255))
        for frame in 0..<10 {
            let piece = Self.shape(frame, 74, isAlone: false)
            tracker.add([Self.shape(frame, 46)] + (frame >= 10 - count ? [piece] : []), frame: frame)
        }
        tracker.add([Self.shape(10, 60, width: 54, area: 1000)], frame: 10)
        #expect(tracker.joints.count == (count >= 6 ? 1 : 0))
    }

    /// Blurred chroma beside an object is no object.
    @Test func noiseFormsNoJoint() {
        for (color, isJoint) in [(Channels(255, 255, 225), false), (Self.green, true)] {
            var tracker = ShapeTracker(background: Channels(repeating: 255))
            for frame in 0..<10 {
                let spot = Self.shape(frame, 74, width: 6, area: 30, color: color)
                tracker.add([Self.shape(frame, 46, color: color), spot], frame: frame)
            }
            tracker.add([Self.shape(10, 60, width: 54, area: 1000, color: color)], frame: 10)
            #expect(tracker.joints.count == (isJoint ? 1 : 0))
        }
    }

    // MARK: Restarts

    /// Two bars fall from 0 to 60, rest there and jump back, one 6 frames after the other. The
    /// second leaves a ghost.
    @Test func objectsThatJumpBackAreOneObjectEach() {
        func path(_ frame: Int) -> Double { min(60, 6 * Double(frame)) }
        func bar(_ frame: Int, _ x: Double, _ y: Double, area: Double = Self.discArea) -> ObservedShape {
            var bar = Self.shape(frame, x, area: area)
            bar.centroid = Point(x, y)
            return bar
        }
        let length = 20
        var tracks: [ShapeTrack] = []
        for (x, delay) in [(20.0, 0), (70, 6)] {
            for turn in 0..<3 {
                let start = turn * length + delay
                var track = Self.track((0..<length).map { bar(start + $0, x, path($0)) })
                if delay > 0 { track.append(bar(start + length + 1, x, 60, area: 40)) }
                tracks.append(track)
            }
        }
        let joined = RestartJoiner().joined(tracks)
        #expect(joined.count == 2)
        #expect(joined.allSatisfy { $0.shapes.filter { $0.area > 100 }.count == 3 * length })
        // A row of dots that appear one after the other.
        let row = (0..<3).map { dot in Self.track((0..<8).map { bar(8 * dot + $0, 30 * Double(dot), 0) }) }
        #expect(RestartJoiner().joined(row).count == 3)
    }

    // MARK: Shapes that objects explain

    /// Returns the share that the drawn squares and a bar of 90 x 40 pixels have in common.
    private static func share(_ squares: [ClosedRange<Double>]) -> Double {
        func rectangle(_ x: ClosedRange<Double>) -> [Point] {
            [Point(x.lowerBound, 30), Point(x.upperBound, 30), Point(x.upperBound, 70), Point(x.lowerBound, 70)]
        }
        let points = rectangle(10...100)
        let bars = (0..<5).map { frame in
            var bar = shape(frame, 55, area: 3600)
            bar.box = Rect(x: 10, y: 30, width: 90, height: 40)
            bar.contours = [Contour(points: points, isFree: points.map { _ in true })]
            return bar
        }
        let objects = squares.map { x in
            ReconstructedObject(
                resting: .rectangle, at: Point((x.lowerBound + x.upperBound) / 2, 50),
                size: Size(x.upperBound - x.lowerBound, 40))
        }
        let check = ReconstructionCheck(
            ShapeTrack(bars, merged: []), over: Channels(repeating: 255), times: (0..<5).map { Double($0) / 60 },
            duration: 1)
        return check.minShare(objects)
    }

    /// A shape is drawn if its objects alone cover less than 0.95 of it.
    @Test func shareOfAShapeIsWhatItsObjectsCover() {
        #expect(Self.share([10...50, 50...100]) > 0.97)
        #expect(abs(Self.share([10...50, 60...100]) - 80.0 / 90) < 0.03)
        #expect(abs(Self.share([10...40]) - 30.0 / 90) < 0.03)
        #expect(Self.share([]) == 0)
    }
}
