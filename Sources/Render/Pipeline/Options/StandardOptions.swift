import Animations
import Core
import Media

// The built-in options; those of the motion and the encoding have files of their own.
extension OptionRegistry {
    static let picture: [ClipOption] = [
        ClipOption(
            "scale", .picture, .number, "factor",
            defaultValue: "4, or 2 with annotations; 1 to 4 for a Lottie file, by its size",
            "Pixels per point of the canvas, 0.1...1000."
        ) {
            $0.loader.size = .scale($1)
        } get: {
            if case .scale(let scale) = $0.loader.size { scale.exactText } else { nil }
        }
        .with { $0.excludes = ["size"] },
        ClipOption(
            "size", .picture, .size, "WxH", "Exact frame size in pixels, 16...8192 per side; letterboxes the canvas."
        ) {
            $0.loader.size = $1
        } get: {
            if case .pixels(let width, let height) = $0.loader.size { "\(width)x\(height)" } else { nil }
        }
        .with { $0.nameStyle = .bare },
        ClipOption(
            "layout", .picture, .shape, "shape", defaultValue: "the content's shape",
            "Frame layout: wide (1920x1080), square (1080x1080), vertical (1080x1920) or a size.",
            \.loader.shape
        )
        .with {
            $0.nameStyle = .bare
            $0.excludes = ["size", "scale"]
        },
        ClipOption(
            flag: "trim", .picture, "Crop to the part of the canvas in which anything is ever drawn.",
            \.loader.isTrimmed),
        ClipOption(
            "trim-margin", .picture, .number, "points", defaultValue: "2",
            "Margin around the trimmed part, 0...1000 points of the canvas.",
            \.loader.trimMargin
        )
        .with { $0.dependsOn = ["trim"] },
        ClipOption(
            words: "theme", .picture, defaultValue: "follows the background",
            "Tone of the area around the canvas: light or dark.",
            \.loader.theme),
        ClipOption(
            "background", .picture, .color, "color", defaultValue: "the loader's",
            "Background as a CSS colour, or transparent if the container supports alpha.",
            \.loader.background
        )
        .with { $0.dependsOn = ["codec", "pixel-format"] },
        ClipOption(
            "annotate", .picture, .words(AnnotationKind.allCases.map(\.rawValue)), value: "list", defaultValue: "none",
            "Annotations: all (except grid), or a list of "
                + "\(AnnotationKind.allCases.map(\.rawValue).joined(separator: ","))."
        ) { text, request in
            guard let kinds = try? AnnotationKind.set(from: text).get() else { return false }
            request.loader.annotations = kinds
            return true
        } format: { request in
            let kinds = AnnotationKind.allCases.filter(request.loader.annotations.contains)
            return kinds.isEmpty ? nil : kinds.map(\.rawValue).joined(separator: ",")
        },
        ClipOption(
            words: "lang", .picture, defaultValue: "en", "Language of captions, chapters and phase names.",
            \.loader.language
        )
        .with { $0.nameStyle = .bare },
        ClipOption(
            "title", .picture, .text(expected: "1...200 characters on one line"), value: "text", defaultValue: "none",
            "Title at the top of the frames and in the file's metadata."
        ) { text, request in
            guard (1...200).contains(text.unicodeScalars.count), text.visible == text else { return false }
            request.title = text
            return true
        } format: {
            $0.title
        },
        ClipOption(
            "font", .picture, .text(expected: "the name of an installed font family, such as Inter"),
            value: "family", defaultValue: "Inter, Noto Sans or DejaVu Sans",
            "Font of titles and annotations, and of Lottie text whose font is missing; doctor lists fonts."
        ) { text, request in
            guard (1...100).contains(text.unicodeScalars.count), text.visible == text, !text.contains(",") else {
                return false
            }
            request.loader.font = text
            return true
        } format: {
            $0.loader.font
        },
        ClipOption(
            "mark", .picture, .file(expected: "the path of an image"), value: "file", defaultValue: "none",
            "Small image in the upper right corner, such as a logo."
        ) { text, request in
            guard isPath(text) else { return false }
            request.loader.mark = text
            return true
        } format: {
            $0.loader.mark
        },
    ]

    static let slowMotion: [ClipOption] = [
        ClipOption(
            "slowmo", .slowMotion, .number, "factor", defaultValue: "1",
            "Slow motion factor, 0.05...1000; draws new instants instead of repeating frames.",
            \.slowmo
        )
        .with { $0.nameStyle = .suffixed("x") },
        ClipOption(
            "from", .slowMotion, .modelTime, "time", defaultValue: "the period's start",
            "Start time, in seconds of model time, as a percentage of the period, or as phase:N[+fraction].",
            \.from
        )
        .with { $0.excludes = ["phase"] },
        ClipOption(
            "to", .slowMotion, .modelTime, "time", defaultValue: "the period's end",
            "End time, in the same form as the start time.",
            \.to
        )
        .with { $0.excludes = ["phase"] },
        // Formatted as from and to.
        ClipOption("phase", .slowMotion, .whole(0...1_000_000), "n", "Single phase to show, counted from 0.") {
            $0.from = .phase($1, fraction: 0)
            $0.to = .phase($1, fraction: 1)
        } get: { _ in
            nil
        },
        ClipOption(
            "hold", .slowMotion, .number, "seconds", defaultValue: "0, or 1 with step",
            "Hold at each phase boundary, 0...3600.",
            \.hold),
        ClipOption(
            "ramp", .slowMotion, .number, "factor", defaultValue: "1",
            "Additional slow motion factor at phase boundaries, 1...1000, easing back between them.",
            \.ramp
        )
        .with { $0.excludes = ["step"] },
        ClipOption(
            flag: "step", .slowMotion, "Show only the phase boundaries, each for the hold time.", \.isStepped
        )
        .with { $0.dependsOn = ["hold"] },
        ClipOption(
            flag: "side-by-side", .slowMotion, "Show normal speed on the left and the requested speed on the right.",
            \.isSideBySide),
        ClipOption(
            "motion-blur", .slowMotion, .number, "shutter", defaultValue: "0",
            "Shutter time as a fraction of a frame, 0...1; averages 32 instants in linear light.",
            \.motionBlur),
        ClipOption(flag: "chapters", .slowMotion, "Store the phases as chapters.", \.hasChapters),
        ClipOption(
            flag: "poster", .slowMotion,
            "Save one of the fullest frames as NAME.png or .jpg, and as the cover image of MP4 and Matroska.",
            \.hasPoster),
        ClipOption(
            words: "poster-format", .slowMotion, defaultValue: "png",
            "File format of the poster: png, or jpg for photographs.", \.encoding.posterFormat
        )
        .with { $0.outputsMayDiffer = true },
    ]

    static let time: [ClipOption] = [
        ClipOption(
            "fps", .time, .frameRate, "rate", defaultValue: "60, or 25 in GIF",
            "Frames per second, 0.1...1000, for example 60, 30000/1001 or 59.94 (60000/1001).",
            \.encoding.frameRate
        )
        .with { $0.nameStyle = .suffixed("fps") },
        ClipOption(
            "cycles", .time, .whole(1...RenderPlan.maxFrames), "n", defaultValue: "1",
            "Number of repetitions of the period, or of the part between the start and end time."
        ) {
            $0.extent = .cycles($1)
        } get: {
            if case .cycles(let count) = $0.extent { "\(count)" } else { nil }
        }
        .with { $0.excludes = ["duration"] },
        ClipOption("duration", .time, .number, "seconds", "Duration of the output, instead of cycles.") {
            $0.extent = .duration($1)
        } get: {
            if case .duration(let seconds) = $0.extent { seconds.exactText } else { nil }
        },
        ClipOption(
            "timing", .time, .word(TimeMap.Timing.allCases.map(\.rawValue)),
            defaultValue: "seamless; exact with duration, in sequences, in MOV with ProRes or DNxHD, and side by side "
                + "if normal speed would change by more than a quarter",
            "Timing: seamless (passes of whole frames) or exact (frame k shows k/(fps x slowmo))."
        ) { text, request in
            guard let timing = TimeMap.Timing(rawValue: text) else { return false }
            request.timing = timing
            return true
        } format: {
            $0.timing?.rawValue
        }
        .with { $0.nameStyle = .bare },
    ]

    /// Returns true if a text can be a file path.
    static func isPath(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    static let lesson: [ClipOption] = [
        ClipOption(
            words: "captions", .lesson, defaultValue: "picture",
            "Captions of a lesson: picture (drawn into the frames), track (a subtitle track) or both.",
            \.encoding.captions),
        ClipOption(
            words: "transitions", .lesson, defaultValue: "ease",
            "Changes between a lesson's shots: ease (panels move, texts fade) or cut.",
            \.encoding.transitions),
    ]
}
