import Core
import Foundation
import Media
import TestSupport
import Testing

/// Only self-contained, regular files can be opened.
@Suite struct InputFormatTests {
    @Test(arguments: [
        "mp4 libx264", "mov libx264", "mkv libx264", "webm libvpx-vp9", "gif gif", "apng apng", "avi mpeg4",
        "ts libx264",
        "ogv libtheora", "flv flv", "asf msmpeg4", "nut libx264", "ivf libvpx", "y4m wrapped_avframe", "h264 libx264",
        "hevc libx265", "m4v mpeg4", "mjpeg mjpeg", "m1v mpeg1video",
        "mxf mpeg2video",
    ])
    func formatsAreDetectedWithoutTheFileName(kind: String) throws {
        let words = kind.split(separator: " ").map(String.init)
        let directory = try TemporaryDirectory()
        let made = directory.file("made.\(words[0])")
        try run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=0.4,format=yuv420p", "-c:v", words[1]]
                + (words[1] == "libx265" ? ["-x265-params", "log-level=none"] : [])
                + (words[0] == "gif" || words[0] == "apng"
                    ? [] : ["-pix_fmt", words[1] == "mjpeg" ? "yuvj420p" : "yuv420p"])
                + [made])
        let path = directory.file("video")
        try FileManager.default.moveItem(atPath: made, toPath: path)
        let video = try DecodedVideo(path: path, keeps: { _ in false })
        #expect(video.times.count == 10)
    }

    /// Playlists and scripts that refer to an existing video or image.
    private static let scripts = [
        "ffconcat version 1.0\nfile real.mp4\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nreal.mp4\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXTINF:1,\nsubfile,,start,0,end,99999,,:real.mp4\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXTINF:1,\ndata:video/mp4;base64,AAAA\n#EXT-X-ENDLIST\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" mediaPresentationDuration=\"PT1S\" "
            + "minBufferTime=\"PT1S\" profiles=\"urn:mpeg:dash:profile:isoff-main:2011\"><Period><AdaptationSet mimeType=\"video/mp4\">"
            + "<Representation id=\"0\" bandwidth=\"1\"><BaseURL>real.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
        "# VobSub index file, v7 (do not modify this line!)\nsize: 96x64\nid: en, index: 0\n"
            + "timestamp: 00:00:01:000, filepos: 000000000\n",
        "FILE \"real.mp4\" BINARY\n  TRACK 01 MODE1/2352\n    INDEX 01 00:00:00\n", ";FFMETADATA1\ntitle=x\n",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><image href=\"real.png\" width=\"9\" height=\"9\"/></svg>",
        "1\n00:00:00,000 --> 00:00:01,000\nreal.mp4\n", "[Script Info]\nreal.mp4\n", "real.mp4\n",
    ]

    @Test func scriptsAreRejected() throws {
        let directory = try TemporaryDirectory()
        for name in ["real.mp4", "real.png"] {
            try run(
                "ffmpeg",
                ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1", directory.file(name)])
        }
        for script in Self.scripts {
            for name in ["script.mp4", "script.png", "script.m3u8", "script.mpd", "script.ffconcat"] {
                try makeFile(script, at: directory.file(name))
                for formats in [InputFormats.videos, .images] {
                    let error = try #require(throws: FFmpegError.self, "\(name): \(script)") {
                        try Demuxer(path: directory.file(name), formats: formats)
                    }
                    #expect(error.explanation.contains(formats.summary), "\(error)")
                }
            }
        }
    }

    /// A test of its own, since DV only supports a few frame sizes.
    @Test func dvFilesAreRead() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.dv")
        let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=720x576:r=25:d=0.4,format=yuv420p"]
        try run("ffmpeg", source + ["-c:v", "dvvideo", path])
        let video = try DecodedVideo(path: path, keeps: { _ in false })
        #expect(video.times == (0..<10).map { Rational(Int128($0), 25) })
    }

    @Test func videosAreRejectedAsImages() throws {
        let directory = try TemporaryDirectory()
        for name in ["a.mp4", "a.mkv", "a.ts", "a.avi"] {
            try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=96x64:d=0.2", directory.file(name)])
            #expect(throws: FFmpegError.self, "\(name)") {
                try Demuxer(path: directory.file(name), formats: .images)
            }
        }
    }

    /// Opening a pipe would block until a writer opens it, and a device may be endless.
    @Test func onlyOrdinaryFilesAreOpened() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.file("pipe.mp4")
        #expect(mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: directory.file("link.mp4"), withDestinationPath: pipe)
        for path in [pipe, directory.file("link.mp4"), "/dev/zero", directory.path] {
            let error = try #require(throws: FFmpegError.self) { try InputFile(path: path) }
            #expect(error.reason == "it is not a regular file", "\(path)")
            #expect(throws: FFmpegError.self) { try Demuxer(path: path) }
            #expect(throws: FFmpegError.self) { try SHA256.file(path) }
        }
    }
}
