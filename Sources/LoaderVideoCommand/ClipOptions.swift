import ArgumentParser
import Media
import Render

/// The options for a clip of a loader: those of `OptionRegistry` for clips, `--set` and
/// `--max-pixels`.
struct ClipOptions: ParsableArguments {
    @OptionGroup(title: "Timing") var timing: RegisteredOptions<TimingChoice>
    @OptionGroup(title: "Size") var size: RegisteredOptions<SizeChoice>
    @OptionGroup(title: "Look") var look: RegisteredOptions<LookChoice>
    @OptionGroup(title: "Encoding") var encoding: RegisteredOptions<EncodingChoice>
    @OptionGroup(title: "Animated images") var animatedImage: RegisteredOptions<AnimatedImageChoice>
    @OptionGroup(title: "Image sequences") var sequence: RegisteredOptions<SequenceChoice>
    @OptionGroup(title: "Loader") var motion: LoaderOptions

    /// The given values as text, by option key.
    var texts: [String: String] {
        [timing.texts, size.texts, look.texts, encoding.texts, animatedImage.texts, sequence.texts]
            .reduce(motion.texts) { $0.merging($1) { $1 } }
    }

    func validate() throws { try checkExclusions(texts) }

    /// Returns a request with these options for a loader by its ID.
    func request(_ id: String, format: ClipFormat) throws -> RenderRequest {
        var request = try motion.request(id, texts)
        request.encoding.format = format
        return request
    }
}

enum MotionChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.group == .motion && !LottieChoice.takes(option) }
}

/// The options for Lottie files.
enum LottieChoice: OptionChoice {
    static let common: Set = ["lenient"]

    static func takes(_ option: ClipOption) -> Bool {
        ["subframes", "animation", "lenient", "strict-fonts"].contains(option.key)
    }
}

/// The options that decide the size in pixels.
enum SizeChoice: OptionChoice {
    static let common: Set = ["scale", "size", "trim"]

    static func takes(_ option: ClipOption) -> Bool {
        ["scale", "size", "layout", "trim", "trim-margin"].contains(option.key)
    }
}

/// The options that decide how a frame looks, except its size.
enum LookChoice: OptionChoice {
    static let common: Set = ["background", "annotate"]
    private static let others: Set = ["side-by-side", "motion-blur", "poster", "poster-format"]

    static func takes(_ option: ClipOption) -> Bool {
        option.group == .picture && !SizeChoice.takes(option) || others.contains(option.key)
    }
}

/// The options of a single frame that decide how it looks, except its size.
enum StillLookChoice: OptionChoice {
    static let common = LookChoice.common

    static func takes(_ option: ClipOption) -> Bool { option.group == .picture && !SizeChoice.takes(option) }
}

/// The options that decide how a single frame is encoded.
enum StillEncodingChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.key == "quality" }
}

/// The options that decide the part of the motion, its speed, the frame rate and the duration.
enum TimingChoice: OptionChoice {
    static let common: Set = ["slowmo", "phase", "fps", "cycles", "duration"]

    static func takes(_ option: ClipOption) -> Bool {
        [.time, .slowMotion].contains(option.group) && !LookChoice.takes(option)
    }
}

/// The options for encoding.
enum EncodingChoice: OptionChoice {
    static let common: Set = ["codec", "quality", "max-bytes"]

    static func takes(_ option: ClipOption) -> Bool {
        option.group == .encoding && !AnimatedImageChoice.takes(option) && !SequenceChoice.takes(option)
    }
}

/// The options for image sequences only.
enum SequenceChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.key == "start-number" }
}

/// The options for animated images only; `dither` and `matte` are for GIF only.
enum AnimatedImageChoice: OptionChoice {
    static let common: Set = ["loop"]

    static func takes(_ option: ClipOption) -> Bool { ["dither", "matte", "loop"].contains(option.key) }
}

/// The options for annotations.
enum AnnotationChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool {
        ["annotate", "lang", "layout", "theme", "font"].contains(option.key)
    }
}

/// The options for the texts of a phase table and its plot.
enum TextChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { ["lang", "font"].contains(option.key) }
}

/// The options that decide at which times telemetry is sampled.
enum TelemetryChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { ["fps", "slowmo", "timing"].contains(option.key) }
    static let required: Set = ["fps"]
}

extension Container {
    /// Returns the default container for a codec: an animated image's own format, otherwise the
    /// first of MP4, WebM and Matroska that supports it; MP4 for nil. VP9 goes into WebM, because
    /// few players support it in MP4, and codecs for editing into MOV, which all editors import.
    static func `default`(for codec: String?) -> Container {
        let name = codec.flatMap { CodecProfile.find($0)?.codecName } ?? "h264"
        if let animation = Container(rawValue: name) { return animation }
        if let codec, CodecProfile.find(codec)?.traits.isIntermediate == true { return .mov }
        return [.mp4, .webm, .mkv].first { $0.supports(codec: name) && (name != "vp9" || $0 == .webm) } ?? .mkv
    }
}
