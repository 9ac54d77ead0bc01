import Annotations
import Loaders
import Media
import Motion
import Timing

// The options that come with the program.
extension OptionRegistry {
    static let picture: [ClipOption] = [
        ClipOption(
            "scale", .picture, .number, "factor", standard: "4; with annotate 2",
            "Pixels per point of the canvas, 0.1...1000."
        ) {
            $0.loader.size = .scale($1)
        } get: {
            if case .scale(let scale) = $0.loader.size { scale.exactText } else { nil }
        }
        .with { $0.excludes = ["size"] },
        ClipOption(
            "size", .picture, .size, "WxH", "Exact size in pixels, sides 16...8192; the canvas is fitted and centred."
        ) {
            $0.loader.size = $1
        } get: {
            if case .pixels(let width, let height) = $0.loader.size { "\(width)x\(height)" } else { nil }
        }
        .with { $0.naming = .bare },
        ClipOption(
            "layout", .picture, .shape, "shape", standard: "by what is shown",
            "Lay the picture out for a shape: wide (1920x1080), square (1080x1080), vertical (1080x1920) or a size.",
            \.loader.shape
        )
        .with { ($0.naming, $0.excludes) = (.bare, ["size", "scale"]) },
        ClipOption(
            words: "theme", .picture, standard: "by the background", "What is around the canvas: light or dark.",
            \.loader.theme),
        ClipOption(
            "background", .picture, .color, "color", standard: "the loader's",
            "CSS colour behind everything; transparent, or one with alpha, where the container holds it.",
            \.loader.background
        )
        .with { $0.dependsOn = ["codec", "pixel-format"] },
        ClipOption(
            "annotate", .picture, .words(AnnotationKind.allCases.map(\.rawValue)), value: "list", standard: "none",
            "Show how it moves: all (but the grid), or some of \(AnnotationKind.allCases.map(\.rawValue).joined(separator: ","))."
        ) { text, request in
            guard let kinds = try? AnnotationKind.set(from: text).get() else { return false }
            request.loader.annotations = kinds
            return true
        } write: { request in
            let kinds = AnnotationKind.allCases.filter(request.loader.annotations.contains)
            return kinds.isEmpty ? nil : kinds.map(\.rawValue).joined(separator: ",")
        },
        ClipOption(
            words: "lang", .picture, standard: "en", "Language of captions, chapters and the names of phases.",
            \.loader.language
        )
        .with { $0.naming = .bare },
        ClipOption(
            "title", .picture, .text(expected: "1...200 characters on one line"), value: "text", standard: "none",
            "A title at the top of the picture, which players show too."
        ) { text, request in
            guard (1...200).contains(text.unicodeScalars.count), text.visible == text else { return false }
            request.title = text
            return true
        } write: {
            $0.title
        },
        ClipOption(
            "mark", .picture, .file(expected: "the path of a picture"), value: "file", standard: "none",
            "A picture such as a logo, drawn small in the upper right corner."
        ) { text, request in
            guard isPath(text) else { return false }
            request.loader.mark = text
            return true
        } write: {
            $0.loader.mark
        },
    ]

    static let slowMotion: [ClipOption] = [
        ClipOption(
            "slowmo", .slowMotion, .number, "N", standard: "1",
            "N times slower, 0.05...1000; new instants, no repeated frames.",
            \.slowmo
        )
        .with { $0.naming = .suffixed("x") },
        ClipOption(
            "from", .slowMotion, .modelTime, "time", standard: "the period's beginning",
            "Begin here: seconds of model time, or phase:K[+fraction].",
            \.from
        )
        .with { $0.excludes = ["phase"] },
        ClipOption(
            "to", .slowMotion, .modelTime, "time", standard: "the period's end",
            "End here, likewise; after a cut comes its beginning again.",
            \.to
        )
        .with { $0.excludes = ["phase"] },
        // What it says is written as from and to.
        ClipOption("phase", .slowMotion, .whole(0...1_000_000), "K", "Only this phase, counted from 0.") {
            ($0.from, $0.to) = (.phase($1, fraction: 0), .phase($1, fraction: 1))
        } get: { _ in
            nil
        },
        ClipOption(
            "hold", .slowMotion, .number, "S", standard: "0; with step 1",
            "Stand still for S seconds at each phase boundary, 0...3600.",
            \.hold),
        ClipOption(
            "ramp", .slowMotion, .number, "N", standard: "1",
            "N times slower still at phase boundaries, 1...1000, easing back between them.",
            \.ramp
        )
        .with { $0.excludes = ["step"] },
        ClipOption(
            flag: "step", .slowMotion, "Show only the phase boundaries, each for the seconds of hold.", \.isStepped
        )
        .with { $0.dependsOn = ["hold"] },
        ClipOption(
            flag: "side-by-side", .slowMotion, "Show normal speed at the left and the clip as asked for at the right.",
            \.isSideBySide),
        ClipOption(
            "motion-blur", .slowMotion, .number, "shutter", standard: "0",
            "How long the shutter is open, 0...1 of a frame: the mean of 32 instants in linear light.",
            \.motionBlur),
        ClipOption(flag: "chapters", .slowMotion, "Make phase boundaries chapters.", \.hasChapters),
    ]

    static let time: [ClipOption] = [
        ClipOption(
            "fps", .time, .frameRate, "rate", standard: "60; in GIF 25",
            "Frames a second, 0.1...1000: 60, 30000/1001, 59.94 (which is 60000/1001).",
            \.encoding.frameRate
        )
        .with { $0.naming = .suffixed("fps") },
        ClipOption(
            "cycles", .time, .whole(1...RenderPlan.mostFrames), "N", standard: "1",
            "Passes over the period or cut, seamless: all the same pictures."
        ) {
            $0.extent = .cycles($1)
        } get: {
            if case .cycles(let count) = $0.extent { "\(count)" } else { nil }
        }
        .with { $0.excludes = ["duration"] },
        ClipOption("duration", .time, .number, "S", "Seconds of output instead of cycles.") {
            $0.extent = .duration($1)
        } get: {
            if case .duration(let seconds) = $0.extent { seconds.exactText } else { nil }
        },
        ClipOption(
            "timing", .time, .word(TimeMap.Timing.allCases.map(\.rawValue)),
            standard: "seamless; with duration exact",
            "seamless: passes of whole frames; exact: frame k shows k/(fps x slowmo)."
        ) { text, request in
            guard let timing = TimeMap.Timing(rawValue: text) else { return false }
            request.timing = timing
            return true
        } write: {
            $0.timing?.rawValue
        }
        .with { $0.naming = .bare },
    ]

    /// Whether a text may be a file's path.
    private static func isPath(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The named codecs, for texts.
    private static let codecs = CodecProfile.named.map(\.name).joined(separator: ", ")

    /// What a setting is of each named codec that has a default, for texts.
    private static func defaults(_ setting: KeyPath<CodecProfile, CodecProfile.Setting?>) -> String {
        CodecProfile.all.compactMap { name, profile in
            profile[keyPath: setting]?.defaultValue.map { "\(name) \($0)" }
        }
        .joined(separator: ", ")
    }

    static let lesson: [ClipOption] = [
        ClipOption(
            words: "captions", .lesson, standard: "picture",
            "Where the captions of a lesson are: drawn into the pictures, a track for players, or both.",
            \.encoding.captions)
    ]

    static let encoding: [ClipOption] = [
        ClipOption(
            encoder: "codec", .text(expected: "\(codecs) or an encoder of FFmpeg"), "codec",
            standard: "h264; in WebM vp9; animated pictures have their own",
            "\(codecs), or any encoder of FFmpeg by name.",
            \.encoding.codec
        )
        .with { $0.naming = .bare },
        ClipOption(
            encoder: "quality", .number(expected: "a number such as 18"), "Q",
            standard: defaults(\.quality) + ", webp without loss",
            "Quality on the codec's scale: its crf, of WebP 0...100, or else a quantizer of 1...31.", \.encoding.quality
        )
        .with { $0.dependsOn = ["codec"] },
        ClipOption(
            encoder: "speed", .number(expected: "a preset such as medium, or a number"), "S",
            standard: defaults(\.speed), "The codec's preset, cpu-used or effort.", \.encoding.speed
        )
        .with { $0.dependsOn = ["codec"] },
        ClipOption(
            encoder: "pixel-format", .text(expected: "a pixel format such as yuv420p"), "format",
            standard: "yuv420p where the encoder has it",
            "FFmpeg's name of a pixel format: yuv420p, yuv444p, yuva420p, ...", \.encoding.pixelFormat
        )
        .with { ($0.dependsOn, $0.naming) = (["codec", "size", "scale", "side-by-side"], .bare) },
        ClipOption(
            words: "color", .encoding, standard: "bt709",
            "What red, green and blue are: BT.709's, which are sRGB's, or Display P3's, for Apple's editors.",
            \.encoding.gamut
        )
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "gop", .encoding, .number, "S", standard: "2",
            "Seconds of output between key frames, 0.05...60, which is also the length of a segment.",
            \.encoding.keyFrameInterval),
        ClipOption(
            either: "repetition", .encoding, ("on", "off"), standard: "on",
            "on: pictures that come again are encoded once and played again; off: all are encoded.",
            \.encoding.usesRepetition),
        ClipOption(
            either: "static", .encoding, ("vfr", "cfr"), standard: "cfr",
            "cfr: every frame is stored; vfr: a run of equal frames is stored as one long frame.",
            \.encoding.hasLongFrames),
        ClipOption(
            "max-bytes", .encoding, .bytes, "bytes", standard: "none",
            "The most bytes of the file, such as 2MB: a little quality, of animated pictures some frames, and then size give way."
        ) {
            $0.mostBytes = $1
        } get: {
            $0.mostBytes.map(String.init)
        }
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "audio", .encoding, .file(expected: "the path of a file of AAC or Opus"), value: "file", standard: "none",
            "Sound that goes with the pictures, as it is: AAC (not in WebM) or Opus (not in MOV), not longer than they."
        ) { text, request in
            guard isPath(text) else { return false }
            request.audio = text
            return true
        } write: {
            $0.audio
        }
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            flag: "dither", .encoding, "In a GIF, mix colours that it has no room for of two others.",
            \.encoding.dithers
        )
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "matte", .encoding, .color, "color", standard: "none",
            "CSS colour behind what is half transparent in a GIF, where pixels are all or nothing.", \.encoding.matte
        )
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "loop", .encoding, .whole(EncodingRequest.playLimits), "N", standard: "without end",
            "How many times an animated picture (\(Container.animations.joined(separator: ", "))) plays, 1...65535."
        ) {
            $0.plays = $1
        } get: {
            $0.plays.map(String.init)
        }
        .with { $0.outputsMayDiffer = true },
    ]
}
