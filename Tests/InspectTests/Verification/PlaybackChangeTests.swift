import TestSupport
import Testing

/// The words of `diff` for another speed and order, and for colours of small objects.
@Suite struct PlaybackChangeTests {
    /// Makes a clip in which a square moves by 4 px a frame, at a speed, through a filter. FFmpeg
    /// counts frames from 1 here.
    private func make(
        _ fixture: VerificationFixture, _ name: String, speed: Double = 1, duration: Double = 2,
        color: String = "0x2860dc", filter: String = "null"
    ) throws {
        let white = "color=white:size=400x120:rate=30:duration=\(duration)[a];"
        let square = "color=\(color):size=36x36:rate=30:duration=\(duration)[b];"
        let graph = white + square + "[a][b]overlay=x='20+4*(n-1)*\(speed)':y=40:format=rgb,\(filter)"
        let h264 = ["-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p"]
        try fixture.ffmpeg(["-f", "lavfi", "-i", graph] + h264 + [name])
    }

    /// FFmpeg draws the square at whole pixels, which changes its speed by up to half a percent.
    @Test(.slow) func otherSpeedsAndOrdersAreNamed() throws {
        let fixture = try VerificationFixture()
        try make(fixture, "base.mp4")
        let order = (0..<60).map { $0 == 30 ? 31 : $0 == 31 ? 30 : $0 }.map { "\($0)" }.joined(separator: " ")
        let cases: [(Double, String, Regex<Substring>)] = [
            (1.25, "null", /everything is 2[456]% faster/),
            (0.8, "null", /everything is (?:19|20|21)% slower/),
            (1, "reverse", /everything is played backwards/),
            (1, "shuffleframes='\(order)'", /at 1 s frames 30 and 31 are in the wrong order/),
        ]
        for (number, (speed, filter, words)) in cases.enumerated() {
            try make(fixture, "\(number).mp4", speed: speed, filter: filter)
            let outcome = try fixture.run(["diff", "base.mp4", "\(number).mp4"])
            #expect(outcome.code == 1 && outcome.text.contains(words), "\(number): \(outcome.text)")
        }
    }

    /// Much slower and faster clips are recognized if their durations agree.
    @Test(.slow) func multiplesOfTheSpeedAreNamed() throws {
        let fixture = try VerificationFixture()
        try make(fixture, "base.mp4")
        let cases: [(speed: Double, duration: Double, words: String?)] = [
            (4, 0.5, "everything is 4 times as fast"), (2, 1, "everything is twice as fast"),
            (0.5, 4, "everything takes twice as long"), (0.25, 8, "everything takes 4 times as long"), (0, 8, nil),
        ]
        for (speed, duration, words) in cases {
            try make(fixture, "\(speed).mp4", speed: speed, duration: duration)
            let outcome = try fixture.run(["diff", "base.mp4", "\(speed).mp4"])
            let isNamed = outcome.text.contains(words ?? "everything")
            #expect(outcome.code == 1 && isNamed == (words != nil), "\(speed): \(outcome.text)")
        }
    }

    /// A difference of a few codes in all frames is not coding noise.
    @Test func colorsOfSmallObjectsAreCompared() throws {
        let fixture = try VerificationFixture()
        try make(fixture, "base.mp4")
        try make(fixture, "same.mp4", filter: "null,null")
        try make(fixture, "other.mp4", color: "0x286cdc")
        #expect(try fixture.run(["diff", "base.mp4", "same.mp4"]).code == 0)
        let outcome = try fixture.run(["diff", "base.mp4", "other.mp4"])
        #expect(outcome.code == 1 && outcome.text.contains("instead of"), "\(outcome.text)")
    }
}
