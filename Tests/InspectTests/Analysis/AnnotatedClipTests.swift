import Media
import Testing

@testable import Inspect

@Suite struct AnnotatedClipTests {
    /// Annotated clips need the options that make x264 produce equal bytes on all processors.
    @Test func annotatedClipsUseTheUsualEncoderSettings() throws {
        let settings = try AnnotatedClip.settings(width: 320, height: 120)
        let profile = try #require(CodecProfile.find("h264"))
        #expect(settings.options == profile.defaultOptions)
        for (key, value) in profile.options { #expect(settings.options[key] == value) }
        #expect(settings.options["x264-params"]?.contains("cpu-independent=1") == true)
        #expect(settings.options["crf"] == "18" && settings.options["preset"] == "medium")
    }
}
