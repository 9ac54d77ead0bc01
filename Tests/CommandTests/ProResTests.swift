import Foundation
import TestSupport
import Testing

@Suite struct ProResTests {
    /// ProRes stores the colour space in each frame, and decoders prefer it to the container's.
    @Test(arguments: ["mov", "mkv"]) func framesAreTaggedWithTheirColors(container: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq", "--size", "64x64", "--duration", "0.1", "--background", "#0080ff", "--codec", "prores_ks",
            to: "clip.\(container)")
        let stream = try Probe(path).stream
        #expect([stream.colorSpace, stream.colorPrimaries, stream.colorTransfer] == ["bt709", "bt709", "bt709"])
        let corner = try #require(try decodedFrames(of: path).first?[..<3].map(Int.init))
        #expect(zip(corner, [0, 0x80, 0xff]).allSatisfy { abs($0 - $1) <= 3 }, "\(corner)")
    }

    /// ProRes stores alpha in its frames, and a transparent background selects a profile with
    /// alpha.
    @Test(.slow, arguments: ["mov", "mkv"]) func alphaSurvivesInProRes(container: String) throws {
        let workspace = try CommandFixture()
        func encode(_ background: String, to name: String) throws -> (stream: Probe.Stream, frames: [[UInt8]]) {
            let path = try workspace.encode(
                "preloader", "--scale", "2", "--duration", "0.2", "--background", background, "--codec", "prores",
                to: name)
            #expect(!names("Lavc", in: try bytes(of: path)), "frames do not name libavcodec as the vendor")
            return (try Probe(path).stream, try decodedFrames(of: path, format: "rgba"))
        }
        let (clear, shown) = try encode("#0080ff40", to: "clear.\(container)")
        #expect(clear.codecName == "prores" && clear.profile == "4444" && clear.pixFmt.hasPrefix("yuva444p"))
        #expect(shown.count == 12)
        let alphas = Set(shown.flatMap { frame in stride(from: 3, to: frame.count, by: 4).map { frame[$0] } })
        #expect(
            alphas.contains(255) && alphas.min() == 0x40,
            "the drawing is opaque, and alpha is never below the background's")
        for frame in shown {
            let corner = frame[..<4].map(Int.init)
            #expect(zip(corner, [0, 0x80, 0xff, 0x40]).allSatisfy { abs($0 - $1) <= 4 }, "\(corner)")
        }
        let opaque = try encode("#0080ff", to: "opaque.\(container)").stream
        #expect(opaque.profile == "HQ" && opaque.pixFmt == "yuv422p10le")
        if container == "mov" { #expect(clear.codecTagString == "ap4h" && opaque.codecTagString == "apch") }
    }

    private func names(_ word: String, in bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: Unicode.ASCII.self).contains(word)
    }

    @Test(arguments: [
        ("mp4", "prores; use mov or mkv"), ("webm", "prores; use mov or mkv"),
        ("mov --speed 1", "has no such setting"),
    ])
    func unsupportedProResOptionsAreRejected(output: String, reason: String) throws {
        let workspace = try CommandFixture()
        let words = "encode qq-mail --duration 0.2 --codec prores -o clip.\(output)".split(separator: " ").map(
            String.init)
        expectRefusal(try workspace.run(words), 64, [reason])
        #expect(try workspace.directory.names().isEmpty)
    }
}
