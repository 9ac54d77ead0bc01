import Animations
import Core
import Media

/// Profiles, bit depths and further options of encoders.
enum EncoderFeatures {
    /// Returns the requested profile; nil if none was requested. Throws `LoadervidError` if the
    /// encoder has no such profile.
    static func profile(_ request: EncodingRequest, _ profile: CodecProfile) throws -> EncoderProfile? {
        guard let name = request.profile else { return nil }
        let known = profile.traits.profiles
        if let found = known.first(where: { $0.name == name || $0.alias == name }) { return found }
        let names = known.map(\.name)
        let other = CodecProfile.named.first { $0.profile.traits.profiles.contains { $0.name == name } }
        let remedy =
            names.isEmpty
            ? "no profiles by name; "
                + (other.map { "use \(option: "codec") \($0.name)" }
                    ?? "leave it out, or add \(option: "encoder-option") profile=\(name)")
            : "no profile \(quoted(name)); "
                + (NearestName.question(name, in: names).map { "\($0) There are " } ?? "there are ")
                + names.joined(separator: ", ")
        throw LoadervidError(
            .usage, "\(option: "profile"): \(profile.encoder) has \(remedy)", subjects: .options("profile"))
    }

    /// Returns the profile that the encoder needs for a format if none was requested; nil if its
    /// default profile takes the format.
    static func profile(for format: PixelFormat, _ profile: CodecProfile) -> EncoderProfile? {
        let known = profile.traits.profiles
        guard let usual = known.first(where: { $0.name == profile.options["profile"] }), usual.format != format else {
            return nil
        }
        return known.first { $0.format == format }
    }

    /// Returns the encoder's format with the requested bit depth that otherwise equals `fallback`,
    /// or `fallback` itself. Throws `LoadervidError` if there is none.
    static func format(
        like fallback: PixelFormat, _ request: EncodingRequest, _ profile: CodecProfile
    ) throws -> PixelFormat {
        guard let depth = request.bitDepth, fallback.depth != depth else { return fallback }
        let all = profile.pixelFormats
        let isRaw = all.isEmpty
        // Raw video takes any format, so the candidates come from the name: `yuv420p` gives
        // `yuv420p10le`, and the reverse.
        let named = [fallback.description + "\(depth)le", String(fallback.description.dropLast(4))]
        let formats = isRaw ? named.compactMap { PixelFormat(name: $0) } : all
        let found = formats.first {
            $0.depth == depth && $0.isConvertible && $0.hasAlpha == fallback.hasAlpha && $0.isRGB == fallback.isRGB
                && $0.isGray == fallback.isGray && $0.horizontalStep == fallback.horizontalStep
                && $0.verticalStep == fallback.verticalStep && !$0.description.hasPrefix("yuvj")
        }
        // A profile has one bit depth, which is not the requested one.
        let isDepthFree = request.profile == nil
        guard let found, isDepthFree else {
            let file = request.container.isFrameSequence ? profile.encoder : request.container.rawValue
            let own = profile.traits.pixelFormats.map { formats in
                "\(file) is written in \(formats.map(\.description).joined(separator: ", "))"
            }
            let reason =
                isDepthFree
                ? own ?? "\(profile.encoder) has no format like \(fallback) with \(depth) bits"
                : "the profile has \(fallback.depth) bits, not \(depth)"
            throw LoadervidError(
                .usage,
                "\(option: "bit-depth"): \(reason); leave it out",
                subjects: .options("bit-depth", "profile", "codec"))
        }
        return found
    }
}
