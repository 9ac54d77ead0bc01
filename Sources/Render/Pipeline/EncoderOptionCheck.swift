import Animations
import Core
import Media

/// A check of the options that users pass to an encoder by FFmpeg's names. Presets may come from
/// strangers, so no option may name a file or run a command.
struct EncoderOptionCheck {
    private let profile: CodecProfile
    /// The options that have another name, with that name; nil if they must not be changed.
    private let reserved: [String: String?]

    /// Words of options that name files, and of passes, which read and write them: those of x264,
    /// x265, SVT-AV1, libaom and libvpx.
    private static let fileWords: Set = [
        "analysis", "clbin", "cqm", "cqmfile", "csv", "dhdr10", "dump", "errlog", "exec", "fgs", "file", "filename",
        "grain", "input", "ladder", "lambda", "load", "log", "model", "nalu", "output", "pass", "passlogfile", "path",
        "qpfile", "recon", "roi", "rpu", "save", "scaling", "stat", "stats", "table", "zonefile",
    ]

    /// Names that contain one of these words but name no file.
    private static let harmless: Set = [
        "dump_separator", "film-grain", "film-grain-denoise", "film-grain-test", "input-csp", "input-depth",
        "input-range", "log", "log-level", "output-csp", "output-depth",
    ]
    /// Parameters of encoder libraries that loadervid sets in other ways, with the option to use
    /// instead.
    private static let reservedParameters = [
        "crf": "quality", "qp": "quality", "qp-constant": "quality", "cq-level": "quality", "bitrate": "quality",
        "tbr": "quality", "lossless": "quality", "keyint": "gop", "kf-max-dist": "gop", "fps": "fps",
        "preset": "speed", "cpu-used": "speed", "threads": "jobs", "frame-threads": "jobs", "pools": "jobs",
        "numa-pools": "jobs", "lp": "jobs",
        "fullrange": "pixel-format", "range": "pixel-format", "colormatrix": "color", "colorprim": "color",
        "transfer": "color",
    ]

    /// Creates a check.
    ///
    /// - Parameter hasProfile: true if the request names a profile. For encoders whose profiles
    ///   have names, only the request may name one: it decides the pixel format, too.
    init(_ profile: CodecProfile, hasProfile: Bool) {
        self.profile = profile
        var reserved = CodecProfile.reservedOptions
        if let option = profile.quality?.option {
            reserved[option] = "quality"
            reserved["global_quality"] = "quality"
            // Encoders ignore a constant quantizer beside a constant quality.
            reserved["qp"] = "quality"
        }
        if let option = profile.speed?.option { reserved[option] = "speed" }
        if hasProfile || !profile.traits.profiles.isEmpty { reserved["profile"] = "profile" }
        self.reserved = reserved
    }

    /// Throws `LoadervidError` for the first option that the encoder does not have or ignores, that
    /// another option sets, that names a file, or whose value the encoder does not take.
    func check(_ options: EncoderOptions?) throws {
        guard let options else { return }
        guard !profile.traits.takesBitmaps, !profile.traits.needsColorHistogram else {
            throw Self.error("\(profile.encoder) files are written without an encoder; leave it out")
        }
        let known = profile.optionNames
        for (name, value) in options.values.sorted(by: { $0.key < $1.key }) {
            if let other = reserved[name] {
                throw Self.error(
                    other.map { "\(name) is set by another option; use \(option: $0)" }
                        ?? "\(name) is reserved; leave it out")
            }
            guard known.contains(name) else {
                throw Self.error("\(profile.encoder) has no option \(quoted(name)); \(remedy(forUnknown: name, known))")
            }
            try Self.checkFiles(name)
            guard profile.reads(name) else {
                let remedy = name == "b" ? "use \(option: "quality") or \(option: "max-bytes")" : "leave it out"
                throw Self.error("\(profile.encoder) ignores \(name); \(remedy)")
            }
            if let refusal = profile.refusal(of: value, for: name) {
                throw Self.error("\(name) does not take \(quoted(value)); \(refusal)")
            }
            if name.hasSuffix("-params") || name.hasSuffix("opts") { try checkList(name, value) }
        }
    }

    /// Returns the remedy for a name that is not among the encoder's options: the most similar one,
    /// or the option of this program that sets it.
    private func remedy(forUnknown name: String, _ known: [String]) -> String {
        if let nearest = NearestName.of(name, in: known), case let other?? = reserved[nearest] {
            return "for \(nearest), use \(option: other)"
        }
        return NearestName.question(name, in: known) ?? "run ffmpeg -h encoder=\(profile.encoder) to list its options"
    }

    /// Checks a list of the encoder library's own parameters, such as `a=1:b=2`.
    private func checkList(_ name: String, _ list: String) throws {
        guard !list.contains(where: { "'\"\\".contains($0) || $0.isWhitespace }) else {
            throw Self.error("\(name) has a quote, a backslash or a space; use name=value:name=value")
        }
        for part in list.split(separator: ":") {
            let parameter = String(part.prefix { $0 != "=" })
            let value = String(part.dropFirst(parameter.count + 1))
            try Self.checkFiles(parameter)
            if let option = Self.reservedParameters[parameter.lowercased().replacing("_", with: "-")] {
                throw Self.error("\(parameter) in \(name) is set by another option; use \(option: option)")
            }
            if let refusal = profile.rangeRefusal(of: value, for: parameter) {
                throw Self.error("\(parameter) in \(name) does not take \(quoted(value)); \(refusal)")
            }
        }
    }

    private static func checkFiles(_ name: String) throws {
        guard !harmless.contains(name.lowercased()) else { return }
        let words = name.lowercased().split { $0 == "-" || $0 == "_" }
        guard !words.contains(where: { fileWords.contains(String($0)) }) else {
            throw error("\(name) names a file or a pass, which is not allowed; leave it out")
        }
    }

    private static func error(_ text: String) -> LoadervidError {
        LoadervidError(.usage, "\(option: "encoder-option"): \(text)", subjects: .options("encoder-option"))
    }
}
