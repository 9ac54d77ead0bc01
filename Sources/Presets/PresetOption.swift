import Loaders
import Media
import Motion
import Pipeline
import SlowMotion

/// An option of `encode` as presets know it: one table for reading, for the schema and for the documentation.
struct PresetOption: Sendable {
    /// How a value is written.
    enum Form: Sendable {
        /// A number or text in words of its own.
        case text(expected: String)
        /// true or false.
        case flag
        /// One of some words.
        case word([String])
        /// Some of the words, or `all`.
        case words([String])
    }

    /// The long option without its dashes.
    let key: String
    /// What it does, in one line.
    let summary: String
    /// What it is unless given, in words.
    let standard: String
    let form: Form
    /// Whether outputs may have one of their own, since it does not change the pictures.
    var isEncoding = false
    /// Options that make no sense beside it: whichever is given closer to the clip displaces them.
    var excludes: [String] = []
    /// Puts a value into a request, and tells whether it is one.
    let apply: @Sendable (String, inout RenderRequest) -> Bool

    /// What values are taken, in words.
    var expected: String {
        switch form {
        case .text(let expected): expected
        case .flag: "true or false"
        case .word(let words): words.joined(separator: " or ")
        case .words(let words): "all, or a list of " + words.joined(separator: ", ")
        }
    }

    /// Whether a text is a value, as far as that can be told alone.
    func takes(_ text: String) -> Bool {
        guard let rate = FrameRate(60), let any = LoaderCatalog.builtIn.definitions.first else { return false }
        var request = RenderRequest(loader: LoaderRequest(any), container: .mp4, frameRate: rate)
        return apply(text, &request)
    }

    static func named(_ key: String) -> PresetOption? { byKey[key] }
    private static let byKey = Dictionary(all.map { ($0.key, $0) }) { first, _ in first }

    /// All of them, in the order of the documentation.
    static let all: [PresetOption] = picture + time + encoding
}

extension PresetOption {
    /// An option whose value is read as it is on the command line.
    private init<Value>(
        _ key: String, _ value: RequestValue<Value>, _ standard: String, _ summary: String, excludes: [String] = [],
        _ set: @escaping @Sendable (inout RenderRequest, Value) -> Void
    ) where Value: Sendable {
        let read = value.read
        self.init(
            key: key, summary: summary, standard: standard, form: .text(expected: value.expected), excludes: excludes
        ) { text, request in
            guard let value = read(text) else { return false }
            set(&request, value)
            return true
        }
    }

    private init(
        flag key: String, _ summary: String, excludes: [String] = [],
        _ set: @escaping @Sendable (inout RenderRequest, Bool) -> Void
    ) {
        self.init(key: key, summary: summary, standard: "false", form: .flag, excludes: excludes) { text, request in
            guard ["true", "false"].contains(text) else { return false }
            set(&request, text == "true")
            return true
        }
    }

    private init<Word: RawRepresentable & CaseIterable & Sendable>(
        word key: String, _ type: Word.Type, _ standard: String, _ summary: String,
        _ set: @escaping @Sendable (inout RenderRequest, Word) -> Void
    ) where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        self.init(key: key, summary: summary, standard: standard, form: .word(words)) { text, request in
            guard let word = Word(rawValue: text) else { return false }
            set(&request, word)
            return true
        }
    }

    /// An option of two words, the first of which stands for true.
    private init(
        either key: String, _ words: (String, String), _ standard: String, _ summary: String,
        _ set: @escaping @Sendable (inout RenderRequest, Bool) -> Void
    ) {
        self.init(key: key, summary: summary, standard: standard, form: .word([words.0, words.1])) { text, request in
            guard [words.0, words.1].contains(text) else { return false }
            set(&request, text == words.0)
            return true
        }
    }

    private init(
        whole key: String, _ range: ClosedRange<Int>, _ standard: String, _ summary: String, excludes: [String],
        _ set: @escaping @Sendable (inout RenderRequest, Int) -> Void
    ) {
        let expected = "a whole number in \(range.lowerBound)...\(range.upperBound)"
        self.init(key: key, summary: summary, standard: standard, form: .text(expected: expected), excludes: excludes) {
            text, request in
            guard text.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(text), range.contains(value) else {
                return false
            }
            set(&request, value)
            return true
        }
    }

    private init(
        encoding key: String, _ expected: String, _ standard: String, _ summary: String,
        _ set: @escaping @Sendable (inout RenderRequest, String) -> Void
    ) {
        self.init(
            key: key, summary: summary, standard: standard, form: .text(expected: expected), isEncoding: true
        ) { text, request in
            // No codec, quality, speed or format that FFmpeg knows is written with anything else.
            guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
                return false
            }
            set(&request, text)
            return true
        }
    }

    private static let picture: [PresetOption] = [
        PresetOption(
            key: "motion", summary: "Continuous motion, or the article's timer steps for loaders that have them.",
            standard: "smooth", form: .word(["smooth", "ticks"]), excludes: ["set.motion"]
        ) { text, request in
            request.loader.motion = text
            return ["smooth", "ticks"].contains(text)
        },
        PresetOption("background", .color, "the loader's", "CSS colour behind everything.") {
            $0.loader.background = $1
        },
        PresetOption(
            "scale", .number, "4; with annotate 2", "Pixels per point of the stage, 0.1...1000.", excludes: ["size"]
        ) { $0.loader.size = .scale($1) },
        PresetOption(
            "size", .size, "by scale", "Exact size in pixels, sides 16...8192; the stage is fitted and centred.",
            excludes: ["scale"]
        ) { $0.loader.size = $1 },
        PresetOption(
            key: "annotate", summary: "What is added to show how it moves.", standard: "none",
            form: .words(AnnotationKind.allCases.map(\.rawValue))
        ) { text, request in
            guard let kinds = RequestValue.annotations.read(text) else { return false }
            request.loader.annotations = kinds
            return true
        },
        PresetOption(word: "lang", Language.self, "en", "Language of captions and chapters.") {
            $0.loader.language = $1
        },
    ]

    private static let time: [PresetOption] = [
        PresetOption("slowmo", .number, "1", "How many times slower, 0.05...1000.") { $0.slowmo = $1 },
        PresetOption("fps", .frameRate, "60", "Frames a second, 0.1...1000.") { $0.frameRate = $1 },
        PresetOption(
            "from", .modelTime, "the period's beginning", "Where in model time the clip begins.", excludes: ["phase"]
        ) { $0.from = $1 },
        PresetOption("to", .modelTime, "the period's end", "Where in model time it ends.", excludes: ["phase"]) {
            $0.to = $1
        },
        PresetOption(
            whole: "phase", 0...1_000_000, "all", "Only this phase, counted from 0.", excludes: ["from", "to"]
        ) { ($0.from, $0.to) = (.phase($1, fraction: 0), .phase($1, fraction: 1)) },
        PresetOption("hold", .number, "0; with step 1", "Seconds for which each phase boundary stands still, 0...3600.")
        {
            $0.hold = $1
        },
        PresetOption(
            "ramp", .number, "1", "How many times slower still at phase boundaries, 1...1000.", excludes: ["step"]
        ) { $0.ramp = $1 },
        PresetOption(flag: "step", "Only the phase boundaries, each held.", excludes: ["ramp"]) { $0.isStepped = $1 },
        PresetOption(flag: "side-by-side", "Normal speed at the left, the clip as asked for at the right.") {
            $0.isSideBySide = $1
        },
        PresetOption("motion-blur", .number, "0", "How long the shutter is open, 0...1 of a frame.") {
            $0.motionBlur = $1
        },
        PresetOption(
            whole: "cycles", 1...RenderPlan.mostFrames, "1", "Whole passes over the period or cut.",
            excludes: ["duration"]
        ) { $0.extent = .cycles($1) },
        PresetOption("duration", .number, "by cycles", "Seconds of output.", excludes: ["cycles"]) {
            $0.extent = .duration($1)
        },
        PresetOption(
            word: "timing", TimeMap.Timing.self, "seamless; with duration exact",
            "A pass of whole frames, or frame k at exactly k/fps."
        ) { $0.timing = $1 },
        PresetOption(flag: "chapters", "Phase boundaries become chapters.") { $0.hasChapters = $1 },
        PresetOption("gop", .number, "2", "Seconds between key frames, 0.05...60.") { $0.keyFrameInterval = $1 },
        PresetOption(
            either: "repetition", ("on", "off"), "on",
            "Whether pictures that come again are encoded once and played again."
        ) { $0.usesRepetition = $1 },
        PresetOption(
            either: "static", ("vfr", "cfr"), "cfr",
            "Whether a run of equal frames is stored as one long one, or as so many."
        ) { $0.hasLongFrames = $1 },
    ]

    private static let encoding: [PresetOption] = [
        PresetOption(
            encoding: "codec", "h264, hevc, vp9, vp8, av1 or an encoder of FFmpeg", "h264; in WebM vp9", "The codec."
        ) { $0.codec = $1 },
        PresetOption(encoding: "quality", "a number such as 18", "the codec's", "The codec's crf or quantizer.") {
            $0.quality = $1
        },
        PresetOption(
            encoding: "speed", "a preset such as medium, or a number", "the codec's", "The codec's preset or cpu-used."
        ) { $0.speed = $1 },
        PresetOption(
            encoding: "pixel-format", "a pixel format such as yuv420p", "yuv420p", "FFmpeg's name of the pixel format."
        ) { $0.pixelFormat = $1 },
    ]
}
