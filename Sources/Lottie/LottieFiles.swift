import Animations
import Core
import Media

/// Lottie files as loaders: JSON files, dotLottie archives and Telegram stickers.
package enum LottieFiles {
    /// The file kind that adds Lottie files to a `LoaderCatalog`.
    package static let kind = LoaderCatalog.FileKind(suffixes: [".json", ".lottie", ".tgs"]) {
        (path) throws(ParameterError) in try definition(path)
    }

    private static let subframes = Parameter.choice(
        "subframes", Subframes.auto,
        "Interpolation between the frames: auto (smooth motion, sharp jumps), on or off")
    private static let leniency = Parameter<Bool>(
        "lenient", false, defaultText: "false", limits: "true or false",
        summary: "Draw the animation without its unsupported features"
    ) { text, _ in text == "true" ? true : text == "false" ? false : nil }
    private static let font = Parameter<String>(
        "font", "", defaultText: "none", limits: "the name of an installed font family",
        summary: "Font of text whose own font is not installed"
    ) { text, _ in text == "none" ? "" : text }
    private static let strictFonts = Parameter<Bool>(
        "strict-fonts", false, defaultText: "false", limits: "true or false",
        summary: "Count a missing font as an unsupported feature instead of using a similar one"
    ) { text, _ in text == "true" ? true : text == "false" ? false : nil }
    private static let animation = Parameter<String>(
        "animation", "", defaultText: "first", limits: "an ID in the archive's manifest",
        summary: "Animation of a .lottie archive"
    ) { text, _ in text == "first" ? "" : text }

    /// Returns the definition of the loader in a file. Throws `ParameterError` if the file cannot
    /// be read. An invalid file throws later, when the loader is made.
    static func definition(_ path: String) throws(ParameterError) -> LoaderDefinition {
        let file = LottieFile.cached(path, try read(path))
        var definition = LoaderDefinition(
            id: path, title: LocalizedText(file.title), parameters: [subframes, leniency, animation, font, strictFonts]
        ) { (values) throws(ParameterError) in
            try file.loader(
                LottieFile.Variant(
                    animation: values[animation], subframes: values[subframes], font: values[font],
                    hasStrictFonts: values[strictFonts]),
                isLenient: values[leniency])
        }
        definition.isChecked = true
        definition.contents = { () throws(ParameterError) in try file.fingerprint() }
        return definition
    }

    private static func read(_ path: String) throws(ParameterError) -> [UInt8] {
        do throws(FFmpegError) {
            let file = try InputFile(path: path)
            guard file.byteCount <= LottieLimits.maxFileBytes else {
                throw FFmpegError(
                    code: -EFBIG, operation: "read \(path)",
                    reason:
                        "its \(file.byteCount) bytes are above the maximum of \(LottieLimits.maxFileBytes); store "
                        + "embedded images as files beside it")
            }
            return try file.bytes(at: 0, count: file.byteCount)
        } catch {
            let isMissing = error.code == -ENOENT || error.code == -ENOTDIR
            let isDenied = error.code == -EACCES || error.code == -EPERM
            let problem =
                isMissing
                ? "\(path) does not exist"
                : "\(path) cannot be read: \(error.reason)" + (isDenied ? "; change its permissions" : "")
            throw ParameterError(
                isMissing ? .missingFile : isDenied ? .unreadableFile : .data, problem, subjects: [.file(path)])
        }
    }
}
