import Core
import Foundation
import TestSupport
import Testing

@testable import Lottie

/// The time base of animations, tested through the commands.
@Suite struct TimeCommandTests {
    /// Rounded decimals of exporters are read as the fractions that they stand for.
    @Test(arguments: [
        (29.9700012207031, 0.0, 90.0000036657751, "3003/1000"), (23.9759998321533, 0, 48, "1001/500"),
        (30, 0, 45, "3/2"),
        (60, 12, 72, "1"), (25, -5, 20, "1"), (59.9400024414062, 0, 60, "1001/1000"), (12.5, 0, 5, "2/5"),
    ])
    func thePeriodIsExact(rate: Double, from: Double, to: Double, period: String) throws {
        let json = lottie(disc([50, 50]), rate: .number(rate), from: .number(from), to: .number(to))
        let listing = try LottieCommandFixture(json).listing("film.json")
        #expect(Rational(text: listing.period) == Rational(text: period))
    }

    private let runner = lottie(
        disc(keys(key(5, [20, 50]), key(15, [80, 50]))), from: 5, to: 15, ["nm": "Runner"])

    @Test func instantsBetweenFramesAreDrawn() throws {
        let fixture = try LottieCommandFixture(runner)
        // The disc moves 60 points in a second, starting at frame 5.
        for (time, seconds) in [("0", 0.0), ("1/7", 1.0 / 7), ("0.5", 0.5), ("0.333", 0.333), ("9/10", 0.9)] {
            let bitmap = try fixture.still("film.json", at: time)
            #expect(bitmap.centroid.distance(to: Point(20 + 60 * seconds, 50)) < 0.05, "at \(time)")
        }
        let whole = try fixture.still("film.json", at: "1/7", "--subframes", "off")
        #expect(whole.centroid.distance(to: Point(26, 50)) < 0.05)
    }

    private let jump = lottie(
        disc(keys(key(0, [20, 50]), key(4, [28, 50]), key(5, [80, 50]), key(10, [90, 50])), ["nm": "jumper"]))

    @Test(arguments: ["8", "1000"]) func jumpsStayJumpsInSlowMotion(slowmo: String) throws {
        let fixture = try LottieCommandFixture(jump)
        func positions(_ subframes: String) throws -> [Double] {
            let options = ["--fps", slowmo == "8" ? "30" : "2", "--slowmo", slowmo, "--subframes", subframes]
            let outcome = try Subprocess(
                builtProgram, ["telemetry", "film.json", "--csv"] + options, directory: fixture.directory
            ).wait()
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let rows = outcome.lines.map { $0.split(separator: ",").map(String.init) }
            let column = try #require(rows.first?.firstIndex(of: "x"))
            return rows.dropFirst().compactMap { Double($0[column]) }
        }
        let auto = try positions("auto")
        #expect(auto.count >= 240)
        // No position is within the jump, and there is a single large step.
        #expect(auto.allSatisfy { $0 <= 28 || $0 >= 80 })
        let steps = zip(auto, auto.dropFirst()).map { $1 - $0 }
        #expect(steps.filter { $0 > 40 }.count == 1)
        // Before the jump, the position is held for one of ten frames.
        let heldFraction = Double(steps.filter { $0 == 0 }.count) / Double(steps.count)
        #expect(abs(heldFraction - 0.1) < 0.02, "\(heldFraction)")
        let on = try positions("on")
        #expect(on.contains { $0 > 40 && $0 < 70 } && zip(on, on.dropFirst()).allSatisfy { $0 < $1 })
        let off = try positions("off")
        #expect(Set(off).count == 10)
    }

    @Test func telemetryHasPoses() throws {
        let json = lottie(
            shapes(
                rectangle([0, 0], [20, 10]), fill(red),
                at: [
                    "p": [50, 50], "r": keys(key(0, 0), key(10, 90)),
                    "s": keys(key(0, [100, 100]), key(10, [200, 50])),
                    "o": keys(key(0, 100), key(10, 0)),
                ], ["nm": "Spinner \"1\""]), solid("#00f", 10, 10, ["nm": "still"]))
        let outcome = try LottieCommandFixture(json).runSuccessfully("telemetry", "film.json", "--fps", "10", "--csv")
        let rows = outcome.lines.map { $0.split(separator: ",").map(String.init) }
        let header = rows[0]
        func value(_ frame: Int, _ name: String) throws -> Double {
            let column = try #require(header.firstIndex(of: name))
            return try #require(Double(rows[1 + frame][column]))
        }
        let object = try #require(header.firstIndex(of: "object"))
        #expect(rows.count == 11 && rows[1][object] == "Spinner 1")
        for frame in 0..<10 {
            let part = Double(frame) / 10
            #expect(abs(try value(frame, "rotation") - 90 * part) < 1e-6)
            #expect(abs(try value(frame, "opacity") - (1 - part)) < 1e-6)
            #expect(abs(try value(frame, "scale_x") - (1 + part)) < 1e-6)
            #expect(abs(try value(frame, "scale_y") - (1 - part / 2)) < 1e-6)
        }
    }

    /// The second cycle has the same frames as the first, and the number of workers does not change
    /// the bytes.
    @Test func loopsAreSeamlessForAnyNumberOfJobs() throws {
        let json = lottie(
            shapes(rectangle([20, 0], [30, 8]), fill(red), at: ["p": [50, 50], "r": keys(key(0, 0), key(10, 360))]))
        let fixture = try LottieCommandFixture(json)
        for jobs in ["1", "2"] {
            try fixture.runSuccessfully(
                "encode", "film.json", "--cycles", "2", "--fps", "20", "--scale", "1", "--gop", "0.5", "--jobs", jobs,
                "--quality", "1",
                "--progress", "none", "-o", "clip\(jobs).mp4")
        }
        let clips = try ["clip1.mp4", "clip2.mp4"].map { try bytes(of: fixture.directory.file($0)) }
        #expect(clips[0] == clips[1])
        let video = try DecodedVideo(path: fixture.directory.file("clip1.mp4"), rgba: true)
        #expect(video.bitmaps.count == 40)
        #expect(video.times == (0..<40).map { Rational(Int128($0), 20) })
        for frame in 0..<20 {
            let (first, again) = (video.bitmaps[frame], video.bitmaps[frame + 20])
            let worst = zip(first.rgba, again.rgba).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(worst) <= 40, "frame \(frame)")
        }
        // The rotation is 18 degrees per frame, including from the last frame of a cycle to the
        // first one of the next.
        func angle(_ bitmap: RGBABitmap) -> Double {
            var sum = Point.zero
            for y in 0..<100 {
                for x in 0..<100 {
                    let ink = Double(255 - bitmap.color(x, y)[1]) / 255
                    sum = sum + Point(Double(x) - 49.5, Double(y) - 49.5) * ink
                }
            }
            return atan2(sum.y, sum.x)
        }
        let angles = video.bitmaps.map(angle)
        for (a, b) in zip(angles, angles.dropFirst()) {
            let step = (b - a) * 180 / .pi
            #expect(abs((step < 0 ? step + 360 : step) - 18) < 0.6)
        }
    }
}

/// Phases, and the output of `list`.
@Suite struct PhaseCommandTests {
    @Test func markersArePhases() throws {
        let json = lottie(
            disc([50, 50]), to: 40,
            [
                "markers": [
                    ["cm": "grow", "tm": 4, "dr": 8], ["cm": "{\"name\": \"wait a bit\"}", "tm": 20, "dr": 0],
                    ["cm": "", "tm": 30, "dr": 5],
                ]
            ])
        let listing = try LottieCommandFixture(json).listing("film.json")
        #expect(
            listing.phases.map { "\($0.name) \($0.start) \($0.duration)" } == [
                "unmarked 0 0.4", "grow 0.4 0.8", "unmarked 1.2 0.8", "wait a bit 2 1", "rest 3 0.5",
                "unmarked 3.5 0.5",
            ])
        #expect(listing.details["phases from"] == "markers")
    }

    @Test func phasesAreInferredFromKeyframes() throws {
        // Two properties end at frame 10 and two others start at frame 20.
        let json = lottie(
            disc(keys(key(0, [20, 50]), key(10, [80, 50]))), disc(keys(key(0, [20, 20]), key(10, [80, 20]))),
            shapes(
                ellipse([0, 0], [9, 9]), fill(black),
                at: ["o": keys(key(20, 0), key(30, 100)), "r": keys(key(20, 0), key(30, 90))]), to: 30)
        let fixture = try LottieCommandFixture(json)
        let listing = try fixture.listing("film.json")
        #expect(
            listing.phases.map { "\($0.name) \($0.start) \($0.duration)" } == [
                "layers 1 and 2 move right 0 1", "rest 1 1", "layer 3 turns 2 1",
            ])
        #expect(listing.details["phases from"] == "keyframes")
        let phases = try fixture.runSuccessfully("phases", "film.json").text
        #expect(phases.contains("phase 1, 1 s, for 1 s: rest"))
    }

    @Test func atMostTwelvePhasesAreInferred() throws {
        let keyframes = (0...40).map { number -> JSON in
            let position: JSON = [number % 2 == 0 ? 20 : 80, 50]
            return key(Double(2 * number), position, number % 3 == 0 ? KeyframeEase.hold : .linear)
        }
        let jerks = keys(keyframes)
        let json = lottie(disc(jerks), disc(jerks), to: 80)
        let listing = try LottieCommandFixture(json).listing("film.json")
        #expect(listing.phases.count == 12)
        let durations = listing.phases.compactMap { Rational(text: $0.duration) }
        #expect(durations.count == 12 && durations.reduce(.zero, +) == 8)
    }

    @Test func listDescribesTheFile() throws {
        let json = lottie(
            disc(keys(key(0, [20, 50]), key(10, [80, 50])), ["nm": "ball"]),
            solid("#fff", ["nm": "ground", "sy": [["ty": 5]]]),
            size: (120, 60), rate: 29.97, ["nm": "Bounce"])
        let fixture = try LottieCommandFixture(json)
        let listing = try fixture.listing("film.json")
        #expect(listing.id == "film.json" && listing.width == 120 && listing.height == 60)
        #expect(listing.details["objects"] == "ball" && listing.details["frames"] == "0...10")
        #expect(listing.details["frame rate"]?.contains("30000/1001") == true)
        #expect(listing.details["features"] == "ellipses, fills, shapes, solids")
        #expect(listing.omissions == ["film.json: without layers[1].sy[0]: a layer style"])
        let text = try fixture.runSuccessfully("list", "film.json").text
        for words in [
            "film.json", "canvas 120x60 pt", "30000/1001", "objects ball", "not supported", "layers[1].sy[0]",
        ] {
            #expect(text.contains(words), "\(text)")
        }
    }
}
