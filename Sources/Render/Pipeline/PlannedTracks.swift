import Animations
import Core
import Media

/// The checked streams of a clip besides its video.
struct PlannedTracks: Sendable {
    /// The captions that become a track; nil for none.
    let captions: CaptionTrack?
    /// The audio; nil for none.
    let audio: PlannedAudio?
    /// The frame that becomes the file's cover image; nil for none.
    let posterFrame: Int?
    /// The timecode of the first frame; nil for none.
    let timecode: Timecode?

    /// Checks the streams. Throws `LoadervidError` with the first problem.
    init(_ source: any ClipSource, _ request: EncodingRequest) throws {
        let length = Rational(source.frameCount) / request.frameRate.framesPerSecond
        try source.checkCaptions(length: length)
        let captions = request.hasCaptionTrack && request.container.isVideo ? source.captions : []
        self.captions =
            captions.isEmpty ? nil : CaptionTrack(captions, language: source.captionLanguage, length: length)
        if request.audioCodec != nil, request.audio == nil {
            throw LoadervidError(
                .usage,
                "\(option: "audio-codec"): the clip has no audio; add \(option: "audio") or remove "
                    + "\(option: "audio-codec")",
                subjects: .options("audio-codec"))
        }
        audio = try request.audio.map {
            try PlannedAudio($0, for: request.container, as: request.audioCodec, length: length)
        }
        posterFrame = request.container.supportsPoster ? try source.checkedPosterFrame() : nil
        timecode = try request.checkedTimecode()
    }
}

extension ClipSource {
    /// The maximum number of characters in a caption: more than a frame can show, and well below
    /// the 65,535 bytes of MP4's timed text.
    private static var maxCharacters: Int { 4000 }

    /// Throws `LoadervidError` if captions overlap, are not in order or not within the clip, are
    /// empty or too long, or have an invalid language code.
    fileprivate func checkCaptions(length: Rational) throws {
        var end = Rational.zero
        for (number, caption) in captions.enumerated() {
            let name = "caption \(number + 1) from \(caption.start) to \(caption.end) s"
            guard caption.start >= end, caption.end - caption.start >= Rational(1, 1000), caption.end <= length else {
                throw LoadervidError(
                    .usage,
                    "\(name): captions must not overlap, must last at least a millisecond and end within the clip's "
                        + "\(length) s" + (end == .zero ? "" : ", but the previous one ends at \(end) s")
                        + "; correct the caption's times")
            }
            guard !caption.lines.isEmpty else {
                throw LoadervidError(.usage, "\(name): the text is blank; add text or remove the caption")
            }
            let count = caption.text.unicodeScalars.count
            guard count <= Self.maxCharacters else {
                throw LoadervidError(
                    .usage,
                    "\(name): \(count) characters are above the maximum of \(Self.maxCharacters); split the caption")
            }
            end = caption.end
        }
        guard let language = captionLanguage,
            !(language.utf8.count == 3 && language.utf8.allSatisfy { (97...122).contains($0) })
        else { return }
        throw LoadervidError(
            .usage,
            "\(option: "captions"): \(quoted(language)) is not a language code; "
                + "use three letters of ISO 639-2 such as eng or zho"
        )
    }

    /// Returns the poster frame; nil for none. Throws `LoadervidError` if the clip has no such
    /// frame.
    func checkedPosterFrame() throws -> Int? {
        guard let frame = posterFrame else { return nil }
        guard (0..<frameCount).contains(frame) else {
            throw LoadervidError(
                .usage, "\(option: "poster"): frame \(frame) is outside the range 0...\(frameCount - 1)")
        }
        return frame
    }
}

extension EncodingRequest {
    /// Returns the timecode; nil for none. Throws `LoadervidError` if the container has no timecode
    /// track or the frame rate has no such timecode.
    fileprivate func checkedTimecode() throws -> Timecode? {
        guard let timecode else { return nil }
        guard container.supportsTimecode else {
            throw LoadervidError(
                .usage, "\(option: "timecode"): \(container.rawValue) has no timecode track; use .mov or .mp4",
                subjects: .options("timecode"))
        }
        do throws(Timecode.Problem) { try timecode.check(at: frameRate) } catch {
            throw LoadervidError(
                .usage, "\(option: "timecode"): \(timecode.text) \(error.reason)", subjects: .options("timecode", "fps")
            )
        }
        return timecode
    }
}

/// A checked audio file.
struct PlannedAudio: Sendable {
    private let path: String
    private let summary: AudioSource.Summary
    private let treatment: AudioTreatment

    /// Reads the file to its end. Throws `LoadervidError` if it does not exist, has an unknown
    /// codec or one that the container does not support, or is longer than the clip's `length` in
    /// seconds.
    init(_ path: String, for container: Container, as codec: AudioCodec?, length: Rational) throws {
        self.path = path
        summary = try PlannedAudio.summary(of: path)
        guard let treatment = AudioTreatment(of: summary, in: container, requested: codec) else {
            let name = codec.flatMap { $0 == .copy ? nil : $0.rawValue } ?? summary.codecName
            let supported = AudioTreatment.codecs(in: container).map(\.rawValue).alternatives
            throw LoadervidError(
                .usage,
                "audio \(path): \(container.rawValue) does not support \(name); "
                    + "use \(option: "audio-codec") \(supported), or another container",
                subjects: codec == nil ? PlannedAudio.subjects(path) : .options("audio-codec", "audio"))
        }
        self.treatment = treatment
        // Opened now, so that it rejects unsupported audio before the clip is rendered.
        if case .encode = treatment { _ = try open() }
        // Compared in milliseconds, as the message shows them.
        let sound = (summary.end * 1000).rounded
        let clip = (length * 1000).rounded
        guard sound <= clip else {
            func seconds(_ milliseconds: Int) -> String { NumberText.fixed(Double(milliseconds) / 1000, places: 3) }
            throw LoadervidError(
                .badData,
                "audio \(path): it lasts \(seconds(sound)) s, longer than the clip's \(seconds(clip)) s; "
                    + "shorten the audio or lengthen the clip",
                subjects: PlannedAudio.subjects(path))
        }
    }

    /// The duration in seconds.
    var seconds: Double { summary.end.double }

    /// Opens the file for muxing.
    func open() throws -> any AudioPackets {
        do throws(FFmpegError) {
            let source = try AudioSource(InputFile(path: path))
            guard case .encode(let encoder) = treatment else { return source }
            return try TranscodedAudio(source, encoder: encoder)
        } catch {
            throw PlannedAudio.problem(error, path)
        }
    }

    /// Throws `LoadervidError` if the muxed source differs from what `init` read.
    func check(_ source: any AudioPackets) throws {
        guard (try? source.summary()) == summary else {
            throw LoadervidError(.inputOutput, "audio \(path) changed while it was read; try again")
        }
    }

    private static let cache = Locked<[(identity: FileState, summary: AudioSource.Summary)]>([])
    /// The number of cached summaries. The clips of a batch mostly share a few files.
    private static let maxCached = 16

    /// Returns the summary of a file. Reads the file to its end unless the summary is cached.
    private static func summary(of path: String) throws -> AudioSource.Summary {
        let identity = FileState(path)
        // A cached file is not opened again, but it is still an input.
        FilesInUse.noteInputs([path])
        if let known = cache.withLock({ $0.first { $0.identity == identity }?.summary }) { return known }
        let summary: AudioSource.Summary
        do throws(FFmpegError) {
            summary = try AudioSource(InputFile(path: path, maxBytes: AudioSource.maxFileBytes)).summary()
        } catch {
            throw problem(error, path)
        }
        if let identity { cache.withLock { $0 = [(identity, summary)] + $0.prefix(maxCached - 1) } }
        return summary
    }

    private static func subjects(_ path: String) -> [ErrorSubject] { [.option("audio"), .file(path)] }

    private static func problem(_ error: FFmpegError, _ path: String) -> LoadervidError {
        let option = [ErrorSubject.option("audio")]
        if let error = LoadervidError(unreadable: path, error, role: "audio", subjects: option) { return error }
        switch -error.code {
        case EFBIG:
            return LoadervidError(
                .badData,
                "audio \(path): \(error.reason); extract its audio: "
                    + "ffmpeg -i \(shellQuoted(path)) -vn -c copy FILE",
                subjects: subjects(path))
        default:
            let reason = error.code == FFmpegError.streamNotFound ? "it has no audio" : error.reason
            let remedy = error.remedy ?? "use \(InputFormats.audio.summary)"
            return LoadervidError(
                .badData, "audio \(path) cannot be used: \(reason); \(remedy)",
                subjects: subjects(path))
        }
    }
}
