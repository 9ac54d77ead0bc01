import Loaders
import Media
import Motion
import Platform

/// What goes with a clip's pictures, checked.
struct PlannedTracks: Sendable {
    /// Captions that become a track; nil for none.
    let captions: CaptionTrack?
    /// Sound; nil for none.
    let audio: PlannedAudio?
    /// The frame that stands for the clip in its file; nil for none.
    let posterFrame: Int?

    /// Throws `RenderError` with the first thing that is wrong.
    init(_ subject: any Subject, _ request: EncodingRequest) throws {
        let length = Rational(subject.frameCount) / request.frameRate.framesPerSecond
        try subject.checkCaptions(length: length)
        let captions = request.hasCaptionTrack && !request.container.isAnimation ? subject.captions : []
        self.captions =
            captions.isEmpty ? nil : CaptionTrack(captions, language: subject.captionLanguage, length: length)
        audio = try request.audio.map { try PlannedAudio($0, for: request.container, length: length) }
        posterFrame = request.container.holdsPoster ? try subject.checkedPosterFrame() : nil
    }
}

extension Subject {
    /// Captions have at most so many characters: timed text counts its bytes in 16 bits.
    private static var mostCharacters: Int { 4000 }

    /// Throws `RenderError` for captions that are not in order, not within the clip, or say nothing.
    fileprivate func checkCaptions(length: Rational) throws {
        var end = Rational.zero
        for (number, caption) in captions.enumerated() {
            let name = "caption \(number + 1) from \(caption.start) to \(caption.end) s"
            guard caption.start >= end, caption.end - caption.start >= Rational(1, 1000), caption.end <= length else {
                throw RenderError(
                    .usage,
                    "\(name) is not possible: captions follow each other within the clip's \(length) s, for a "
                        + "millisecond or longer, and the one before ends at \(end) s")
            }
            guard !caption.lines.isEmpty, caption.text.unicodeScalars.count <= Self.mostCharacters else {
                throw RenderError(.usage, "\(name) is not possible: it takes 1...\(Self.mostCharacters) characters")
            }
            end = caption.end
        }
        guard let language = captionLanguage,
            !(language.utf8.count == 3 && language.utf8.allSatisfy { (97...122).contains($0) })
        else { return }
        throw RenderError(
            .usage, "captions in '\(language)' are not possible: give ISO 639-2's three letters, such as eng or zho")
    }

    /// The frame that stands for the clip. Throws `RenderError` if there is no such frame.
    func checkedPosterFrame() throws -> Int? {
        guard let frame = posterFrame else { return nil }
        guard (0..<frameCount).contains(frame) else {
            throw RenderError(.usage, "a poster of frame \(frame) is not possible: it takes 0...\(frameCount - 1)")
        }
        return frame
    }
}

/// A file of sound that was read to its end and fits.
struct PlannedAudio: Sendable {
    private let path: String
    private let summary: AudioSource.Summary

    /// Reads the file. Throws `RenderError` if there is no such file, it holds anything but AAC or Opus, its container takes
    /// another of them, or it lasts longer than the clip's `length` in seconds.
    init(_ path: String, for container: Container, length: Rational) throws {
        self.path = path
        summary = try PlannedAudio.summary(of: path)
        guard container.holds(codec: summary.codecName) else {
            let other = summary.codecName == "aac" ? "Opus" : "AAC"
            throw RenderError(
                .usage,
                "audio \(path) is \(summary.codecName), which \(container) does not take: "
                    + "give \(other), or take another container",
                about: PlannedAudio.topics(path))
        }
        // To the millisecond, as it is told.
        let (sound, clip) = ((summary.end * 1000).rounded, (length * 1000).rounded)
        guard sound <= clip else {
            func seconds(_ milliseconds: Int) -> String {
                "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
            }
            throw RenderError(
                .badData,
                "audio \(path) lasts \(seconds(sound)) s and the clip \(seconds(clip)) s: "
                    + "shorten it, or make the clip longer",
                about: PlannedAudio.topics(path))
        }
    }

    /// Opens the file to be muxed.
    func open() throws -> AudioSource {
        do throws(FFmpegError) { return try AudioSource(InputFile(path: path)) } catch {
            throw PlannedAudio.problem(error, path)
        }
    }

    /// Throws `RenderError` if a source is not what was read before.
    func check(_ source: AudioSource) throws {
        guard (try? source.summary()) == summary else {
            throw RenderError(.inputOutput, "audio \(path) changed while it was read: try again")
        }
    }

    private static let kept = Locked<[(identity: FileIdentity, summary: AudioSource.Summary)]>([])
    private static let mostKept = 16

    /// Reads a file to its end. Those read last are known: the clips of a batch mostly share theirs.
    private static func summary(of path: String) throws -> AudioSource.Summary {
        let identity = FileIdentity(path)
        if let known = kept.withLock({ $0.first { $0.identity == identity }?.summary }) { return known }
        let summary: AudioSource.Summary
        do throws(FFmpegError) { summary = try AudioSource(InputFile(path: path)).summary() } catch {
            throw problem(error, path)
        }
        if let identity { kept.withLock { $0 = [(identity, summary)] + $0.prefix(mostKept - 1) } }
        return summary
    }

    private static func topics(_ path: String) -> [Topic] { [.option("audio"), .file(path)] }

    private static func problem(_ error: FFmpegError, _ path: String) -> RenderError {
        if error.isMemoryShort || error.isSystemFailure { return RenderError(error) }
        switch -error.code {
        case ENOENT, ENOTDIR:
            return RenderError(.missingInput, "audio \(path): there is no such file", about: topics(path))
        case EACCES:
            return RenderError(.missingInput, "audio \(path) cannot be read: \(error.reason)", about: topics(path))
        default:
            let reason = error.code == FFmpegError.streamNotFound ? "it has no sound" : error.reason
            return RenderError(
                .badData, "audio \(path) cannot be taken (\(reason)): give AAC in .m4a, or Opus in .ogg or .webm",
                about: topics(path))
        }
    }
}
