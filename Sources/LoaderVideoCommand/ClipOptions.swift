import ArgumentParser
import Media
import Pipeline

/// The options that make a clip of a loader: all that the registry has.
struct ClipOptions: ParsableArguments {
    @OptionGroup var motion: MotionOptions
    @OptionGroup var picture: RegisteredOptions<PictureChoice>
    @OptionGroup(title: "Slow motion") var slowMotion: RegisteredOptions<SlowMotionChoice>
    @OptionGroup var course: RegisteredOptions<CourseChoice>

    /// What was given, by the options' keys.
    var texts: [String: String] {
        [picture.texts, slowMotion.texts, course.texts].reduce(motion.options.texts) { $0.merging($1) { $1 } }
    }

    func validate() throws { try checkExclusions(texts) }

    /// The options as a request.
    func request(_ id: String, container: Container) throws -> RenderRequest {
        var request = try motion.request(id, texts)
        request.container = container
        return request
    }
}

enum MotionChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.group == .motion }
}

enum PictureChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.group == .picture }
}

enum SlowMotionChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.group == .slowMotion }
}

/// How a clip runs, and how it is encoded.
enum CourseChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { [.time, .encoding].contains(option.group) }
}

/// What is added to pictures.
enum NoteChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { ["annotate", "lang", "layout", "theme"].contains(option.key) }
}

enum LanguageChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.key == "lang" }
}

/// Which frames telemetry is about.
enum FrameChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { ["fps", "slowmo", "timing"].contains(option.key) }
    static let required: Set = ["fps"]
}

extension Container {
    /// Of the containers that can be written to a pipe, the one that holds a codec and that most players take.
    static func usual(for codec: String?) -> Container {
        let name = codec.flatMap { CodecProfile.find($0)?.codecName } ?? "h264"
        if let animation = Container(rawValue: name) { return animation }
        return [.mp4, .webm, .mkv].first { $0.holds(codec: name) && (name != "vp9" || $0 == .webm) } ?? .mkv
    }
}
