import Core
import TestSupport
import Testing

@testable import Lottie

/// Interpolation between keyframes.
@Suite struct KeyframeTests {
    /// Returns the centre at a frame of a small disc whose position is a property.
    private func discCenter(_ position: JSON, _ frame: Rational, subframes: Subframes = .auto) throws -> Point {
        let json = lottie(shapes(ellipse([0, 0], [12, 12]), fill(black), at: ["p": position]))
        return try LottieFixture(json, subframes: subframes).render(frame).centroid
    }

    @Test func keyframesAreHeldLinearOrEased() throws {
        let timing = TimingFunction(0.7, 0, 0.2, 1)
        for (ease, progress) in [
            (KeyframeEase.linear, { $0 }), (.bezier(0.7, 0, 0.2, 1), { timing($0) }), (.hold, { _ in 0 }),
        ] as [(KeyframeEase, (Double) -> Double)] {
            let position = keys(key(2, [20, 30], ease), key(8, [80, 70]))
            for frame in [Rational(0), Rational(2), Rational(7, 2), Rational(5), Rational(31, 4), Rational(9)] {
                let fraction = progress(min(max((frame.double - 2) / 6, 0), 1))
                let part = frame >= 8 ? 1 : fraction
                let expected = Point(20 + 60 * part, 30 + 40 * part)
                #expect(try discCenter(position, frame).distance(to: expected) < 0.05, "\(ease) at \(frame)")
            }
        }
    }

    /// Of two values for the end of a segment, the one of the next keyframe counts.
    @Test func nextKeyframesHaveTheEndValue() throws {
        let position = keys(key(0, [20, 50]).with(["e": [90, 50]]), key(10, [60, 50]))
        #expect(abs(try discCenter(position, 5).x - 40) < 0.05)
    }

    @Test func componentsCanHaveTheirOwnEasing() throws {
        let size = keys(key(0, [100, 100], .each([(1, 0, 1, 0.2), (0, 0, 1, 1)])), key(10, [500, 300]))
        let json = lottie(shapes(rectangle([0, 0], [10, 10]), fill(black), at: ["p": [50, 50], "s": size]))
        let bitmap = try draw(json, frame: 5)
        let width = 10 + 40 * TimingFunction(1, 0, 1, 0.2)(0.5), height = 10 + 20 * 0.5
        expect(bitmap.area, near: width * height)
    }

    @Test func easingOvershoots() throws {
        let position = keys(key(0, [20, 50], .bezier(0.3, 0, 0.3, 2)), key(10, [60, 50]))
        let expected = 20 + 40 * TimingFunction(0.3, 0, 0.3, 2)(0.6)
        #expect(expected > 60)
        #expect(abs(try discCenter(position, 6).x - expected) < 0.05)
    }

    @Test func coloursAreInterpolated() throws {
        let color = keys(key(0, [1, 0, 0, 1]), key(10, [0, 0, 1, 1]))
        let bitmap = try draw(lottie(shapes(rectangle([50, 50], [40, 40]), fill(color))), frame: 2)
        expect(bitmap, [(50, 50, Pixel(204, 0, 51))])
    }

    @Test func pathsAreInterpolated() throws {
        // Keyframes of paths have the path in an array.
        let shape = keys(key(0, [box(40, 40, 60, 60)]), key(10, [box(20, 30, 80, 70)]))
        let json = lottie(shapes(path(shape), fill(black)))
        for frame in [0, 4, 9] {
            let part = Double(frame) / 10
            expect(try draw(json, frame: Rational(frame)).area, near: (20 + 40 * part) * (20 + 20 * part))
        }
        // Paths with different numbers of vertices are held.
        let morph = keys(key(0, [box(40, 40, 60, 60)]), key(10, [corners([[0, 0], [100, 0], [0, 100]])]))
        expect(try draw(lottie(shapes(path(morph), fill(black))), frame: 9).area, near: 400)
    }

    @Test func endValuesOfOlderFilesAreRead() throws {
        let position: JSON = [
            "a": 1,
            "k": [
                key(0, [20, 50]).with(["e": [60, 50]]), key(5, [60, 50]).with(["e": [60, 90]]), ["t": 10],
            ],
        ]
        #expect(try discCenter(position, Rational(5, 2)).distance(to: Point(40, 50)) < 0.05)
        #expect(try discCenter(position, Rational(15, 2)).distance(to: Point(60, 70)) < 0.05)
    }

    /// A jump from one frame to the next has no intermediate values, unless subframes are on.
    @Test func jumpsAreNotInterpolated() throws {
        let position = keys(
            key(0, [20, 20]), key(4, [28, 20]), key(5, [80, 80]), key(10, [88, 80]))
        for part in 1..<8 {
            let frame = 4 + Rational(Int128(part), 8)
            #expect(try discCenter(position, frame).distance(to: Point(28, 20)) < 0.05)
            #expect(
                try discCenter(position, frame, subframes: .on)
                    .distance(to: Point(28 + 52 * (frame.double - 4), 20 + 60 * (frame.double - 4))) < 0.05)
            #expect(try discCenter(position, frame, subframes: .off).distance(to: Point(28, 20)) < 0.05)
        }
        // Before and after the jump, the motion is smooth, unless subframes are off.
        #expect(abs(try discCenter(position, Rational(1, 2)).x - 21) < 0.05)
        #expect(abs(try discCenter(position, Rational(1, 2), subframes: .off).x - 20) < 0.05)
        #expect(try discCenter(position, 5).distance(to: Point(80, 80)) < 0.05)
    }

    /// Baked motion, with a keyframe at each frame, is not a series of jumps.
    @Test func denseKeyframesAreMotion() throws {
        let dense = keys((0...10).map { key(Double($0), [.number(20 + 6 * Double($0)), 50]) })
        #expect(abs(try discCenter(dense, Rational(9, 2)).x - 47) < 0.05)
    }

    @Test func theLaterOfTwoKeyframesAtOneTimeApplies() throws {
        let position = keys(
            key(0, [20, 50]), key(5, [40, 50]), key(5, [80, 50]), key(10, [60, 50]))
        #expect(abs(try discCenter(position, Rational(9, 2)).x - 38) < 0.05)
        #expect(abs(try discCenter(position, 5).x - 80) < 0.05)
        #expect(abs(try discCenter(position, Rational(15, 2)).x - 70) < 0.05)
    }
}

/// Loop expressions, and arithmetic with time.
@Suite struct ExpressionTests {
    /// Returns the x position at a frame. Without the expression, it goes from 20 at frame 10 to 50
    /// at frame 14 and 40 at frame 20, at 10 frames per second.
    private func x(_ expression: String, at frame: Double) throws -> Double {
        let position = keys(
            key(10, [20, 50]), key(14, [50, 50]), key(20, [40, 50]), expression: "var $bm_rt;\n$bm_rt = \(expression);")
        let json = lottie(null(at: ["p": position]), to: 100)
        let fixture = try LottieFixture(json)
        try #require(fixture.animation.unsupported.isEmpty, "\(fixture.animation.unsupported)")
        return fixture.animation.composition.layers[0].transform.position(
            at: frame, in: fixture.animation.frameContext()
        ).x
    }

    /// Returns the same position without the expression, computed independently.
    private func keyframedX(_ frame: Double) -> Double {
        frame < 10 ? 20 : frame < 14 ? lerp(20, 50, (frame - 10) / 4) : lerp(50, 40, min(1, (frame - 14) / 6))
    }

    private func modulo(_ a: Double, _ b: Double) -> Double { a - (a / b).rounded(.down) * b }

    @Test(arguments: [20.5, 23, 29.75, 31, 44, 63.3]) func loopsOut(frame: Double) throws {
        let elapsed = modulo(frame - 10, 10)
        let iteration = ((frame - 10) / 10).rounded(.down)
        expect(try x("loopOut('cycle')", at: frame), near: keyframedX(10 + elapsed), within: 1e-9)
        expect(try x("loopOut()", at: frame), near: keyframedX(10 + elapsed), within: 1e-9)
        let isReversed = Int(iteration) % 2 == 1
        expect(
            try x("loopOut(\"pingpong\", 0)", at: frame),
            near: keyframedX(isReversed ? 20 - elapsed : 10 + elapsed), within: 1e-9)
        expect(try x("loopOut('offset')", at: frame), near: keyframedX(10 + elapsed) + 20 * iteration, within: 1e-9)
        // The last segment's speed is -10 points in 6 frames.
        expect(try x("loopOut('continue')", at: frame), near: 40 - 10 / 6.0 * (frame - 20), within: 1e-6)
        // The last segment only.
        expect(try x("loopOut('cycle', 1)", at: frame), near: keyframedX(14 + modulo(frame - 14, 6)), within: 1e-9)
        // The last 0.4 seconds.
        expect(
            try x("loopOutDuration('cycle', 0.4)", at: frame), near: keyframedX(16 + modulo(frame - 16, 4)),
            within: 1e-9)
        // A segment can start before the first keyframe, by default at the layer's in point.
        expect(
            try x("loopOutDuration('cycle', 1.5)", at: frame), near: keyframedX(5 + modulo(frame - 5, 15)), within: 1e-9
        )
        expect(try x("loopOutDuration('cycle')", at: frame), near: keyframedX(modulo(frame, 20)), within: 1e-9)
        expect(try x("1 * loopOutDuration()[0]", at: frame), near: keyframedX(modulo(frame, 20)), within: 1e-9)
    }

    @Test(arguments: [9.5, 7.0, 3, -1.25, -16]) func loopsIn(frame: Double) throws {
        let elapsed = modulo(frame - 10, 10)
        let iteration = ((frame - 10) / 10).rounded(.down)
        expect(try x("loopIn('cycle')", at: frame), near: keyframedX(10 + elapsed), within: 1e-9)
        let isReversed = Int(iteration) % 2 != 0
        expect(
            try x("loopIn('pingpong')", at: frame),
            near: keyframedX(isReversed ? 20 - elapsed : 10 + elapsed), within: 1e-9)
        expect(try x("loopIn('offset')", at: frame), near: keyframedX(10 + elapsed) + 20 * iteration, within: 1e-9)
        expect(try x("loopIn('continue')", at: frame), near: 20 - 30 / 4.0 * (10 - frame), within: 1e-6)
        expect(try x("loopIn('cycle', 1)", at: frame), near: keyframedX(10 + modulo(frame - 10, 4)), within: 1e-9)
        expect(
            try x("loopInDuration('cycle', 0.8)", at: frame), near: keyframedX(10 + modulo(frame - 10, 8)), within: 1e-9
        )
        // The layer's out point is at frame 1000.
        expect(try x("loopInDuration('cycle')", at: frame), near: keyframedX(1000 + frame - 10), within: 1e-9)
    }

    @Test func loopsDoNotChangeTheKeyframedRange() throws {
        for frame in [10.0, 12, 14, 19.5, 20] {
            for kind in ["cycle", "pingpong", "offset", "continue"] {
                #expect(try x("loopOut('\(kind)')", at: frame) == keyframedX(frame))
                #expect(try x("loopIn('\(kind)')", at: frame) == keyframedX(frame))
            }
        }
    }

    @Test(arguments: [
        ("time * 90", 135.0), ("time*-360", -540), ("value + 20 * time", 35), ("Math.sin(time * Math.PI) * 10", -10),
        ("var n = 4; n * 3 - time % 1", 11.5), ("[1, 2, 3][1]", 2), ("$bm_mul(time, 360)", 540),
        ("clamp(time * 100, 0, 90)", 90), ("-(time + 1) / 2", -1.25), ("Math.floor(time) + Math.pow(2, 3)", 9),
    ])
    func expressionsCompute(expression: String, expected: Double) throws {
        let fixture = try LottieFixture(lottie(null(at: ["r": computed(expression, value: 5)]), to: 100))
        try #require(fixture.animation.unsupported.isEmpty, "\(fixture.animation.unsupported)")
        let rotation = fixture.animation.composition.layers[0].transform.rotation.value(
            at: 15, in: fixture.animation.frameContext())
        #expect(abs(rotation - expected) < 1e-9, "\(rotation)")
    }

    @Test func timeRotatesASpinner() throws {
        let json = lottie(
            shapes(rectangle([20, 0], [20, 6]), fill(black), at: ["p": [50, 50], "r": computed("time * 90")]))
        // Ten frames are a second, in which the spinner makes a quarter turn.
        #expect(try draw(json).centroid.distance(to: Point(70, 50)) < 0.1)
        let later = try draw(json, frame: 5).centroid
        #expect(later.distance(to: Point(50, 50).moved(by: 20, towards: .pi / 4)) < 0.1)
    }

    /// Exporters divide by the change of a value, which can be almost 0.
    @Test func easingHandlesCanBeFarAway() throws {
        let steep = key(0, [0, 0], .bezier(0.5, -626_352_172_116_081, 0.5, 1))
        let json = lottie(shapes(rectangle([50, 50], [20, 20]), fill(black), at: ["p": keys(steep, key(5, [0, 0]))]))
        expect(try draw(json, frame: 0), [(50, 50, .black)])
        expect(try draw(json, frame: 5), [(50, 50, .black)])
    }

    /// The work for a file is estimated from the maxima of its values.
    @Test(arguments: [(0.0, 0.001, 1e7), (-1000, 0, 1.5), (3, 1, -0.5), (2, 5, 0.5)])
    func maximaIncludeOvershoot(from: Double, to: Double, y: Double) {
        let ease = Ease.curve(TimingFunction(0.3, y, 0.7, y))
        let segment = Property<Double>.KeyframeSegment(start: 0, end: 60, from: from, to: to, ease: ease)
        let property = Property(initial: from, segments: [segment])
        let values = (0...600).map { property.keyframed(at: Double($0) / 10) }
        let maximum = property.maximum { $0 }
        #expect(values.allSatisfy { $0 <= maximum })
        if y == 0.5 { #expect(maximum == 5) }
    }

    @Test func animationsLastUpToADay() throws {
        #expect(throws: Never.self) { try LottieFixture(lottie(solid("#000"), rate: 30, to: 324_000)) }
        #expect(throws: LottieError.self) { try LottieFixture(lottie(solid("#000"), rate: 1, to: 86_401)) }
    }
}
