import TestSupport
import Testing

/// The bits per sample of FLAC that becomes PCM.
@Suite struct AudioDepthTests {
    /// FFmpeg's demuxer of Matroska does not declare the depth of FLAC.
    @Test(.slow, arguments: ["flac", "mkv"], [("s16", "pcm_s16le"), ("s32", "pcm_s24le")])
    func pcmHasTheDepthOfFLAC(ending: String, depth: (String, String)) throws {
        let workspace = try CommandFixture()
        let source = "a.\(ending)"
        try SoundFile.make("flac", workspace.directory.file(source), seconds: "1", ["-sample_fmt", depth.0])
        let clip = ["encode", "qq", "--size", "64x64", "--fps", "10", "--duration", "1.5", "--progress", "none"]
        let outcome = try workspace.run(clip + ["--audio", source, "--audio-codec", "pcm", "-o", "a.mov"])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(try SoundFile.codec(workspace.directory.file("a.mov")) == depth.1)
    }
}
