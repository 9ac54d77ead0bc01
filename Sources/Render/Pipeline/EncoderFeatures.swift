import Animations
import Core
import Media

/// Profiles, bit depths and further options of encoders.
enum EncoderFeatures {
    /// The requested profile; nil if none was requested. Throws `LoadervidError` if the encoder has
    /// no such profile.
    static func profile(_ request: EncodingRequest, _ profile: CodecProfile) throws -> EncoderProfile? {
        guard let name = request.profile else { return nil }
        let known = profile.traits.profiles
        if let found = known.first(where: { $0.name == name }) { return found }
        let names = known.map(\.name)
        let remedy =
            names.isEmpty
            ? "has no profiles by name; leave it out, or pass encoder-option profile=\(name)"
            : "has \(names.joined(separator: ", "))" + (NearestName.question(name, in: names).map { "; \($0)" } ?? "")
        throw LoadervidError(
            .usage, "profile: there is no \(quoted(name)); \(profile.encoder) \(remedy)", subjects: .options("profile"))
    }

    /// The encoder's format with the requested bit depth that otherwise equals `fallback`, or
    /// `fallback` itself. Throws `LoadervidError` if there is none.
    static func format(
        like fallback: PixelFormat, _ request: EncodingRequest, _ profile: CodecProfile
    ) throws -> PixelFormat {
        guard let depth = request.bitDepth, fallback.depth != depth else { return fallback }
        let all = profile.pixelFormats
        let isRaw = all.isEmpty
        let named = [fallback.description + "\(depth)le", String(fallback.description.dropLast(4))]
        let formats = isRaw ? named.compactMap { PixelFormat(name: $0) } : all
        let found = formats.first {
            $0.depth == depth && $0.isConvertible && $0.hasAlpha == fallback.hasAlpha && $0.isRGB == fallback.isRGB
                && $0.isGray == fallback.isGray && $0.horizontalStep == fallback.horizontalStep
                && $0.verticalStep == fallback.verticalStep && !$0.description.hasPrefix("yuvj")
        }
        let isInProfile = request.profile == nil
        guard let found, isInProfile else {
            let reason =
                isInProfile ? "\(profile.encoder) has no such format" : "the profile has \(fallback.depth) bits"
            throw LoadervidError(
                .usage,
                "bit-depth: \(depth) bits are not possible instead of \(fallback); \(reason); leave it out",
                subjects: .options("bit-depth", "profile", "codec"))
        }
        return found
    }

    /// Throws `LoadervidError` for the first option that the encoder does not have, or that another
    /// option sets.
    static func checkOptions(_ request: EncodingRequest, _ profile: CodecProfile) throws {
        guard let options = request.encoderOptions else { return }
        let known = profile.optionNames
        for name in options.values.keys.sorted() {
            let other = CodecProfile.reservedOptions[name] ?? (name == "profile" && request.profile != nil ? name : nil)
            if let other {
                throw LoadervidError(
                    .usage, "encoder-option: \(name) is set by loadervid; use \(other) instead",
                    subjects: .options("encoder-option"))
            }
            guard !known.contains(name) else { continue }
            throw LoadervidError(
                .usage,
                "encoder-option: \(profile.encoder) has no option \(quoted(name))"
                    + (NearestName.question(name, in: known).map { "; \($0)" }
                        ?? "; 'ffmpeg -h encoder=\(profile.encoder)' lists them"),
                subjects: .options("encoder-option"))
        }
    }
}
