import Core
import Foundation
import TestSupport
import Testing

@testable import Inspect

/// Motion of translucent objects that overlap, whose mixed colours have outlines of their own.
@Suite struct TranslucentMotionTests {
    private static let frame = 1.0 / 60
    private static let red = Channels(254, 51, 51)
    private static let green = Channels(51, 254, 51)

    // MARK: Lines

    /// Corners at any time, with the frames around each hidden.
    @Test(arguments: 0..<40) func linesMeetWhereTheyAreHidden(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        var times = [0.0]
        var values = [Double.random(in: 0...100, using: &generator)]
        var isRest = Bool.random(using: &generator)
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            times.append(times[times.count - 1] + Double.random(in: 0.4...0.9, using: &generator))
            let step = Double.random(in: 40...120, using: &generator)
            values.append(values[values.count - 1] + (isRest ? 0 : Bool.random(using: &generator) ? step : -step))
            isRest.toggle()
        }
        let truth = KeyframeCurve(
            keys: zip(times, values).map { CurveKeyframe(time: $0, value: $1, easing: .linear) })
        let hidden = Double.random(in: 1...7, using: &generator) * Self.frame
        let seen = stride(from: 0, through: times[times.count - 1], by: Self.frame).filter { time in
            times.dropFirst().dropLast().allSatisfy { abs($0 - time) > hidden }
        }
        let samples = ValueSamples(
            times: seen,
            values: seen.map { truth.value(at: $0) + Double.random(in: -0.1...0.1, using: &generator) })
        let curve = KeyframeCurve(keys: LinearMotion(tolerance: 0.3, frame: Self.frame).keys(samples))
        #expect(curve.keys.count == truth.keys.count)
        let error =
            stride(from: 0, to: seen[seen.count - 1], by: Self.frame / 3).map {
                abs(curve.value(at: $0) - truth.value(at: $0))
            }.max() ?? 0
        #expect(error < 2, "\(error)")
    }

    @Test func keyframesOfFewSamples() {
        func keys(_ count: Int) -> [CurveKeyframe] {
            let times = (0..<count).map { Double($0) * Self.frame }
            let samples = ValueSamples(times: times, values: times.map { $0 < 1.5 * Self.frame ? 0 : 50 })
            return LinearMotion(tolerance: 0.1, frame: Self.frame).keys(samples)
        }
        #expect((1...6).map { keys($0).count } == [1, 2, 3, 4, 4, 4])
        #expect((1...6).allSatisfy { keys($0).last?.time == Double($0 - 1) * Self.frame })
    }

    /// Noise at a variable frame rate is not motion, but its keyframes have an order.
    @Test(arguments: 0..<40) func timesIncrease(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        var times = [0.0]
        for _ in 0..<60 { times.append(times[times.count - 1] + Double.random(in: 0.002...0.05, using: &generator)) }
        let values = times.map { 20 * sin(7 * $0) + Double.random(in: -1...1, using: &generator) }
        let cycle = seed % 2 == 0 ? nil : MotionCycle(period: times[60], growth: values[60] - values[0])
        let keys = LinearMotion(tolerance: 0.3, frame: Self.frame, cycle: cycle)
            .keys(ValueSamples(times: times, values: values))
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    /// The turn is hidden where one cycle ends and the next begins.
    @Test func hiddenTurnBetweenCycles() throws {
        let period = 60 * Self.frame
        func truth(_ time: Double) -> Double { 100 * abs(2 * (time / period) - 1) }
        let times = (8...52).map { Double($0) * Self.frame } + [68 * Self.frame]
        let samples = ValueSamples(times: times, values: times.map { truth($0 > period ? $0 - period : $0) })
        let cycle = MotionCycle(period: period, growth: 0)
        let keys = LinearMotion(tolerance: 0.1, frame: Self.frame, cycle: cycle).keys(samples)
        let last = try #require(keys.last)
        #expect(keys.count == 3)
        #expect(abs(last.time - period) < 1e-6 && abs(last.value - 100) < 1e-6)
        #expect(abs(keys[0].time) < 1e-6 && abs(keys[0].value - 100) < 1e-6)
    }

    // MARK: Tracks

    private static func shape(
        _ frame: Int, x: Double, _ color: Channels, area: Double = 400, isAlone: Bool = true
    ) -> ObservedShape {
        let center = Point(x, 50)
        let contour = Contour(points: [center], isFree: [true])
        return ObservedShape(
            frame: frame, color: color, area: area, centroid: center,
            box: Rect(x: x - 10, y: 40, width: 20, height: 20),
            contours: [contour], isCut: false, isAlone: isAlone, isPlain: true)
    }

    /// Two balls that meet in the middle of 60 frames, where a third colour is seen.
    private static var meeting: [ShapeTrack] {
        func ball(_ color: Channels, _ x: (Double) -> Double) -> ShapeTrack {
            ShapeTrack((0..<60).map { shape($0, x: x(Double($0)), color, isAlone: abs($0 - 30) > 8) }, merged: [])
        }
        let mixed = ShapeTrack((28..<33).map { shape($0, x: 90, Channels(51, 210, 10)) }, merged: [])
        return [ball(red) { 3 * $0 }, ball(green) { 180 - 3 * $0 }, mixed]
    }

    private static func apart(_ tracks: [ShapeTrack]) -> [ShapeTrack]? {
        ApartTracks(background: Channels(255, 255, 255)).tracks(tracks)
    }

    private static func track(
        _ frames: Range<Int>, _ color: Channels, at x: Double = 250, area: Double = 400
    ) -> ShapeTrack {
        ShapeTrack(frames.map { shape($0, x: x, color, area: area) }, merged: [])
    }

    @Test func tracksHaveTheFramesInWhichObjectsAreAlone() throws {
        let tracks = try #require(Self.apart(Self.meeting))
        #expect(tracks.map { $0.shapes[0].color } == [Self.red, Self.green])
        for track in tracks {
            #expect(track.shapes.map(\.frame) == Array(0..<22) + Array(39..<60))
            #expect(track.mergedFrames == Array(22..<39))
        }
    }

    @Test func fringesAreIgnored() {
        let pale = Channels(255, 255, 215)
        #expect(Self.apart(Self.meeting + [Self.track(5..<20, pale, area: 15)])?.count == 2)
        // An object is seen in more frames, or clearly.
        #expect(Self.apart(Self.meeting + [Self.track(0..<50, pale, area: 15)]) == nil)
        #expect(Self.apart(Self.meeting + [Self.track(0..<50, Channels(20, 20, 90), area: 15)])?.count == 3)
        #expect(Self.apart(Self.meeting + [Self.track(0..<5, Channels(20, 20, 90))]) == nil)
    }

    @Test func colorsMustTellObjectsApart() {
        let blue = Channels(20, 20, 250)
        #expect(Self.apart(Self.meeting + [Self.track(0..<60, Self.red)]) == nil)
        #expect(Self.apart([Self.track(0..<60, Self.red)]) == nil)
        // One after another: a pause in which nothing hides it, and another size.
        #expect(Self.apart(Self.meeting + [Self.track(0..<30, blue), Self.track(30..<60, blue)])?.count == 3)
        #expect(Self.apart(Self.meeting + [Self.track(0..<30, blue), Self.track(33..<60, blue)]) == nil)
        #expect(Self.apart(Self.meeting + [Self.track(0..<30, blue), Self.track(30..<60, blue, area: 900)]) == nil)
    }

    /// Shapes of one colour that are seen for two frames at a time, each time twice as large.
    @Test func flickerIsNotAnObject() {
        let flicker = (0..<15).flatMap { step in
            (0..<2).map { Self.shape(4 * step + $0, x: 250, Channels(20, 20, 250), area: $0 == 0 ? 200 : 800) }
        }
        #expect(Self.apart(Self.meeting + [ShapeTrack(flicker, merged: [])]) == nil)
    }

    // MARK: Recordings

    private static let recordings = [("480x240", "18"), ("480x240", "23"), ("320x160", "20"), ("240x120", "23")]

    /// The balls of QQ turn, rest and change their order while they overlap.
    @Test(.slow, arguments: recordings) func ballsAreThreeObjects(size: String, quality: String) throws {
        let scratch = try TemporaryDirectory()
        let clip = scratch.file("clip.mp4")
        let encoding = ["encode", "qq-mail", "--size", size, "--quality", quality, "--fps", "60", "--cycles", "2"]
        #expect(try Subprocess(builtProgram, encoding + ["-o", clip]).wait().code == 0)
        let loader = scratch.file("loader.json")
        let made = try Subprocess(builtProgram, ["analyze", clip, "-o", loader]).wait()
        #expect(made.code == 0 && made.text.contains("3 objects"), "\(made.text)\(made.errorText)")
        let judged = try Subprocess(builtProgram, ["compare", clip, "--as", loader, "--scale", "1"]).wait()
        #expect(judged.code == 0, "\(judged.text)")
    }
}
