import Foundation
import Media
import TestSupport
import Testing

/// Only the encoder table mentions encoders by name. `DamageDetector` mentions decoders, which have
/// the same names.
@Suite struct EncoderTableTests {
    private static let sources = URL(filePath: sourceTree + "/Sources")

    /// Names and prefixes of encoders that code could compare with.
    private static let names =
        CodecProfile.named.map(\.profile.encoder)
        + [
            "libx264", "libx265", "libvpx", "libsvt", "libaom", "librav1e", "prores_", "libopenh264", "h264_", "hevc_",
            "av1_",
        ]

    @Test func onlyTheTableNamesEncoders() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            let named = Self.names.filter { text.contains("\"\($0)") }
            let tables = [
                "EncoderTable.swift", "EncoderOptionTable.swift", "FrameProfiles.swift", "DamageDetector.swift",
            ]
            let isTable = tables.contains(file.lastPathComponent)
            #expect(named.isEmpty || isTable, "\(file.path) names \(named)")
        }
        #expect(count > 100, "the sources are missing")
    }

    /// Some encoders list grey formats first.
    @Test(arguments: ["dpx", "exr", "png", "tiff", "ffv1"]) func defaultFormatsHaveColour(encoder: String) throws {
        let profile = try #require(CodecProfile.find(encoder))
        #expect(try !#require(profile.defaultPixelFormat).isGray)
        #expect(try !#require(profile.pixelFormat(isTranslucent: true)).isGray)
    }

    /// libaom refuses frames that last longer than a second, and AVIF has them.
    @Test(arguments: ["2", "1", "1/2", "1/10"]) func slowFramesAreEncoded(rate: String) throws {
        let avif = try #require(CodecProfile.only(in: .avif))
        var settings = smallSettings(avif, rate: try .of(rate), container: .avif)
        settings.traits = avif.traits
        let encoder = try settings.makeEncoder()
        let frame = try makeFrame(settings) { _, _ in 90 }
        let packets = try encoder.encode(frame, pts: 0) + encoder.encode(frame, pts: 1) + encoder.finish()
        #expect(packets.map(\.pts) == [0, 1])
    }

    @Test func namedCodecsAreFoundByTheirEncoder() {
        for (name, profile) in CodecProfile.named {
            #expect(EncoderTraits.of(profile.encoder) == profile.traits, "\(name)")
            #expect(CodecProfile.find(profile.encoder).map { $0 == profile } ?? true, "\(name)")
        }
        #expect(EncoderTraits.of("mpeg4") == EncoderTraits.of("an encoder that does not exist"))
        #expect(EncoderTraits.of("libaom-av1").bitsPerPixel < EncoderTraits.of("mpeg4").bitsPerPixel)
    }
}
