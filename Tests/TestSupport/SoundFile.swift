/// Audio files from the ffmpeg command with half a second of silence, then a tone.
package enum SoundFile {
    /// The encoders and file name extensions of the supported audio files.
    package static let kinds: [(encoder: String, ending: String)] = [
        ("aac", "m4a"), ("aac", "mov"), ("aac", "mkv"), ("libopus", "ogg"), ("libopus", "webm"), ("libopus", "mkv"),
        ("libopus", "mp4"),
    ]
    /// The same of lossless files.
    package static let losslessKinds: [(encoder: String, ending: String)] = [
        ("flac", "flac"), ("flac", "mkv"), ("pcm_s16le", "wav"), ("pcm_s24le", "mov"),
    ]

    /// Creates a file with a duration in seconds.
    package static func make(
        _ encoder: String, _ path: String, seconds: String = "1.5", rate: Int = 48000, _ options: [String] = []
    ) throws {
        let tone = "aevalsrc='if(lt(t,0.5),0,0.5*sin(2000*PI*t))':s=\(rate):d=\(seconds)"
        try run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", tone, "-c:a", encoder, "-flags", "+bitexact", "-fflags", "+bitexact"]
                + options + ["-y", path])
    }

    /// Returns a hash of the bytes of all audio packets.
    package static func hash(_ path: String) throws -> String {
        let lines = try run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"]
        ).lines
        return lines.joined(separator: " ")
    }

    /// Returns the start of the tone in seconds of presentation time.
    package static func onset(_ path: String) throws -> Double {
        let probe = ["-v", "error", "-select_streams", "a:0"]
        let entries = ["-show_entries", "frame=pts_time", "-of", "csv=p=0", "-read_intervals", "%+#3", path]
        let first = try run("ffprobe", probe + entries).lines.lazy.compactMap {
            Double($0.split(separator: ",").first ?? "")
        }.first
        let pcm = ["-map", "0:a", "-ac", "1", "-ar", "48000", "-f", "s16le", "-"]
        let bytes = try run("ffmpeg", ["-v", "error", "-i", path] + pcm).output
        let loud = stride(from: 0, to: bytes.count - 1, by: 2).first { index in
            abs(Int(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))) > 3000
        }
        guard let first, let loud else { throw SubprocessError(description: "\(path): the tone is missing") }
        return first + Double(loud / 2) / 48000
    }

    /// Returns the name of the audio codec.
    package static func codec(_ path: String) throws -> String? {
        let entries = ["-select_streams", "a:0", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path]
        return try run("ffprobe", ["-v", "error"] + entries).lines.first
    }

    /// Returns the decoded samples.
    package static func samples(_ path: String) throws -> [UInt8] {
        try run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"]).output
    }

    /// Returns FFmpeg's duration of the audio stream in seconds; NaN if unknown.
    package static func length(_ path: String) throws -> Double {
        let entries = ["-select_streams", "a:0", "-show_entries", "stream=duration", "-of", "csv=p=0", path]
        return try Double(run("ffprobe", ["-v", "error"] + entries).lines.first ?? "") ?? .nan
    }
}
