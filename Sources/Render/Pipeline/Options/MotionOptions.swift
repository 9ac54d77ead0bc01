// The options of a loader's motion.
import Animations
import Core

extension OptionRegistry {
    static let motion = [
        ClipOption(
            "motion", .motion, .word(["smooth", "ticks"]), defaultValue: "smooth",
            "Motion: smooth, or ticks for the timer steps of the original article, in loaders that have them."
        ) { text, request in
            request.loader.motion = text
            return ["smooth", "ticks"].contains(text)
        } format: {
            $0.loader.motion
        }
        .with {
            $0.excludes = ["set.motion"]
            $0.nameStyle = .bare
        },
        ClipOption(
            "objects", .motion, .text(expected: "different names separated by commas, such as cube,disc=Ball"),
            value: "list",
            defaultValue: "the most noticeable ones",
            "Objects in annotations, charts and tables, by their names in telemetry or captions; a=Ball renames one."
        ) { text, request in
            guard let choices = ObjectChoice.list(from: text) else { return false }
            request.loader.objects = choices
            return true
        } format: {
            $0.loader.objects.isEmpty ? nil : ObjectChoice.text(of: $0.loader.objects)
        },
        ofFiles(
            "subframes", .word(["auto", "on", "off"]), defaultValue: "auto",
            "Interpolation between a Lottie file's frames: auto (smooth motion, sharp jumps), on or off."),
        ofFiles(
            "animation", .text(expected: "the id of an animation"), value: "id", defaultValue: "the first",
            "Animation of a .lottie file."),
        ofFiles("lenient", .flag, "Draw a Lottie file without its unsupported features, and list them."),
        ofFiles("strict-fonts", .flag, "Refuse a Lottie file whose fonts are missing, instead of using similar ones."),
    ]

    /// Returns an option that is a parameter of loaders in files.
    private static func ofFiles(
        _ key: String, _ valueKind: ClipOption.ValueKind, value: String = "value", defaultValue: String? = nil,
        _ summary: String
    ) -> ClipOption {
        ClipOption(key, .motion, valueKind, value: value, defaultValue: defaultValue, summary) { text, request in
            request.loader.parameters[key] = text
            switch valueKind {
            case .word(let words): return words.contains(text)
            case .flag: return ["true", "false"].contains(text)
            default: return !text.isEmpty && text.visible == text
            }
        } format: {
            $0.loader.parameters[key]
        }
        .with { $0.excludes = ["set." + key] }
    }
}
