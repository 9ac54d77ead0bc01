// The options that say how a loader moves.
extension OptionRegistry {
    static let motion = [
        ClipOption(
            "motion", .motion, .word(["smooth", "ticks"]), standard: "smooth",
            "Continuous motion, or the article's timer steps for loaders that have them."
        ) { text, request in
            request.loader.motion = text
            return ["smooth", "ticks"].contains(text)
        } write: {
            $0.loader.motion
        }
        .with { ($0.excludes, $0.naming) = (["set.motion"], .bare) },
        ofFiles(
            "subframes", .word(["auto", "on", "off"]), standard: "auto",
            "What is shown between two frames of a Lottie file: motion but no jumps, all of it smoothly, or nothing."),
        ofFiles(
            "animation", .text(expected: "the id of an animation"), value: "id", standard: "the first",
            "Which animation of a .lottie file is shown."),
        ofFiles("lenient", .flag, "Draw a Lottie file without what is not supported, and say what that is."),
    ]

    /// An option that loaders in files know as a parameter.
    private static func ofFiles(
        _ key: String, _ form: ClipOption.Form, value: String = "value", standard: String? = nil, _ summary: String
    ) -> ClipOption {
        ClipOption(key, .motion, form, value: value, standard: standard, summary) { text, request in
            request.loader.parameters[key] = text
            switch form {
            case .word(let words): return words.contains(text)
            case .flag: return ["true", "false"].contains(text)
            default: return !text.isEmpty && text.visible == text
            }
        } write: {
            $0.loader.parameters[key]
        }
        .with { $0.excludes = ["set." + key] }
    }
}
