import Core
import Foundation
import TestSupport
import Testing

/// The output of ffprobe for a file.
struct Probe: Decodable {
    struct Stream: Decodable {
        var codecName: String
        var profile: String?
        var width: Int
        var height: Int
        var pixFmt: String
        var timeBase: String
        var rFrameRate: String
        var avgFrameRate: String
        var nbFrames: String?
        var nbReadFrames: String?
        var durationTs: Int?
        var startPts: Int?
        var colorRange: String?
        var colorSpace: String?
        var colorTransfer: String?
        var colorPrimaries: String?
        var codecTagString: String
        var sampleAspectRatio: String?
        var tags: [String: String]?
    }

    struct Frame: Decodable {
        var pts: Int
        var pktDuration: Int?
        var duration: Int?
        var keyFrame: Int
    }

    struct Format: Decodable {
        var duration: String?
        var nbStreams: Int
        var tags: [String: String]?
    }

    var streams: [Stream]
    var format: Format
    var frames: [Frame]?

    var stream: Stream { streams[0] }

    /// Runs ffprobe. With `frames`, it decodes the file to list its frames.
    init(_ path: String, frames: Bool = true, streamCount: Int = 1) throws {
        let details = frames ? ["-count_frames", "-show_frames"] : []
        let outcome = try run(
            "ffprobe", ["-v", "error", "-of", "json", "-show_streams", "-show_format"] + details + [path])
        #expect(outcome.errors.isEmpty, "\(outcome.errorText)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Probe.self, from: Data(outcome.output))
        try #require(streams.count == streamCount)
    }

    /// The stream's time base in seconds.
    var timeBase: Rational {
        get throws { try #require(Rational(text: stream.timeBase)) }
    }
}
