/// Sound that the ffmpeg command makes: half a second of silence, then a tone.
public enum SoundFile {
    /// Kinds of files that clips take sound from: the encoder, the ending, options.
    public static let kinds: [(encoder: String, ending: String)] = [
        ("aac", "m4a"), ("aac", "mov"), ("aac", "mkv"), ("libopus", "ogg"), ("libopus", "webm"), ("libopus", "mkv"),
        ("libopus", "mp4"),
    ]

    /// Makes a file of so many seconds.
    public static func make(
        _ encoder: String, _ path: String, seconds: String = "1.5", rate: Int = 48000, _ options: [String] = []
    ) throws {
        let tone = "aevalsrc='if(lt(t,0.5),0,0.5*sin(2000*PI*t))':s=\(rate):d=\(seconds)"
        try run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", tone, "-c:a", encoder, "-flags", "+bitexact", "-fflags", "+bitexact"]
                + options + ["-y", path])
    }

    /// A hash of the bytes of all packets of sound.
    public static func hash(_ path: String) throws -> String {
        let lines = try run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"]
        ).lines
        return lines.joined(separator: " ")
    }

    /// When the tone is heard first, in seconds of the file's clock.
    public static func onset(_ path: String) throws -> Double {
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
        guard let first, let loud else { throw SubprocessError(description: "\(path): there is no tone") }
        return first + Double(loud / 2) / 48000
    }

    /// When the last packet ends, and what FFmpeg says of the sound, in seconds.
    public static func length(_ path: String) throws -> Double {
        let entries = ["-select_streams", "a:0", "-show_entries", "stream=duration", "-of", "csv=p=0", path]
        return try Double(run("ffprobe", ["-v", "error"] + entries).lines.first ?? "") ?? .nan
    }
}
