import Animations
import Core
import Media

/// The encoder, its options and the pixel format for a request.
struct CodecChoice {
    let profile: CodecProfile
    let pixelFormat: PixelFormat
    let options: [String: String]
    /// The size of the frames in pixels: the content's size, rounded up to a size that the pixel
    /// format supports.
    let size: (width: Int, height: Int)

    /// Chooses the encoder for a request. Throws `LoadervidError` for the first option that it
    /// cannot meet.
    ///
    /// - Parameters:
    ///   - content: the size of the content in pixels.
    ///   - isExact: true to reject a size that needs padding.
    init(
        _ request: EncodingRequest, background: Color, content: (width: Int, height: Int), isExact: Bool
    ) throws {
        let name = request.codec ?? request.container.defaultCodec(isTranslucent: background.alpha < 1)
        let own = CodecProfile.only(in: request.container)
        if let own, request.codec.map({ $0 != own.codecName && $0 != own.encoder }) ?? false {
            throw LoadervidError(
                .usage,
                "\(option: "codec"): \(request.container.rawValue) has only the codec \(own.codecName); leave it out",
                subjects: .options("codec"))
        }
        guard let profile = (own ?? CodecProfile.find(name))?.limited(to: request.container) else {
            let known = CodecProfile.named.map(\.name).filter { CodecProfile.find($0) != nil }
            throw LoadervidError(
                .unavailable,
                "\(option: "codec"): this FFmpeg has no encoder \(quoted(name)); "
                    + (NearestName.question(name, in: known)
                        ?? "use one of \(known.joined(separator: ", ")) or another encoder of FFmpeg"),
                subjects: .options("codec"))
        }
        guard request.container.supports(codec: profile.codecName) else {
            throw LoadervidError(
                .usage,
                "\(option: "codec"): \(request.container) does not support \(profile.codecName); use "
                    + CodecChoice.alternatives(to: profile, in: request.container),
                subjects: .options("codec"))
        }
        guard request.container.isAnimatedImage == (profile.traits.imageSequence != nil) else {
            throw LoadervidError(
                .unavailable,
                "\(option: "codec"): \(profile.encoder) cannot write \(request.container); use another container",
                subjects: .options("codec"))
        }
        try CodecChoice.checkGamut(request, profile)
        self.profile = profile
        pixelFormat = try CodecChoice.pixelFormat(request, profile, background)
        size = try CodecChoice.size(content, pixelFormat, isExact: isExact)
        try CodecChoice.checkMinSize(size, profile, name: name)
        options = try CodecChoice.options(request, profile, pixelFormat)
    }

    /// Returns the containers that support a codec or, if none does, the codecs that a container
    /// supports.
    private static func alternatives(to profile: CodecProfile, in container: Container) -> String {
        let containers = Container.allCases.filter { $0.supports(codec: profile.codecName) }.map(\.rawValue)
        guard containers.isEmpty else { return containers.alternatives }
        let codecs = CodecProfile.named.map(\.name).filter { name in
            CodecProfile.find(name).map { container.supports(codec: $0.codecName) } ?? false
        }
        return codecs.isEmpty ? "another codec" : codecs.alternatives
    }

    private static func pixelFormat(
        _ request: EncodingRequest, _ profile: CodecProfile, _ background: Color
    ) throws -> PixelFormat {
        let usable = profile.pixelFormats.filter(\.isConvertible)
        let takesAll = profile.pixelFormats.isEmpty
        let isTranslucent = background.alpha < 1
        let chosen = try EncoderFeatures.profile(request, profile)
        let byProfile = chosen.map { isTranslucent ? $0.translucentFormat ?? $0.format : $0.format }
        guard let fallback = byProfile ?? profile.pixelFormat(isTranslucent: isTranslucent) else {
            throw LoadervidError(
                .unavailable,
                "\(option: "codec"): \(profile.encoder) supports only palettes or hardware frames; use another codec",
                subjects: .options("codec"))
        }
        let named = request.pixelFormat.map { PixelFormat(name: $0) }
        let format = try named ?? EncoderFeatures.format(like: fallback, request, profile)
        let isInProfile = chosen.map { format == $0.format || format == $0.translucentFormat } ?? true
        guard let format, format.isConvertible, takesAll || usable.contains(format), isInProfile else {
            let known = (chosen.map { [$0.format, $0.translucentFormat].compactMap { $0 } } ?? usable)
                .prefix(12).map(\.description).alternatives
            let isLimited = profile.traits.pixelFormats != EncoderTraits.of(profile.encoder).pixelFormats
            let place = isLimited ? " in \(request.container)" : ""
            throw LoadervidError(
                .usage,
                "\(option: "pixel-format"): \(profile.encoder) does not support \(quoted(request.pixelFormat ?? ""))"
                    + (chosen.map { " in the profile \($0.name)" } ?? place) + "; "
                    + (known.isEmpty ? "use another format" : "use \(known)"),
                subjects: .options("pixel-format", "profile"))
        }
        try checkAlpha(of: format, request, profile, background)
        return format
    }

    private static func checkAlpha(
        of format: PixelFormat, _ request: EncodingRequest, _ profile: CodecProfile, _ background: Color
    ) throws {
        guard background.alpha == 1 || format.hasAlpha else {
            let name = background == Color(0, 0, 0, alpha: 0) ? "transparent" : background.hexString
            throw LoadervidError(
                .usage,
                "\(option: "background"): \(name) needs alpha, which \(profile.encoder) in \(format) does not have; use an "
                    + "opaque colour, or \(alphaRemedy(request, profile))",
                subjects: .options("background", "profile", "pixel-format"))
        }
        if format.hasAlpha, let containers = profile.traits.sideAlpha?.containers,
            !containers.contains(request.container)
        {
            let names = containers.map { ".\($0)" }.alternatives
            throw LoadervidError(
                .usage,
                "\(option: "pixel-format"): \(request.container) does not support the alpha of \(format); use \(names)",
                subjects: .options("pixel-format"))
        }
    }

    /// Returns the formats, or the profiles of an encoder, that have alpha.
    private static func alphaRemedy(_ request: EncodingRequest, _ profile: CodecProfile) -> String {
        let profiles = profile.traits.profiles.filter { $0.translucentFormat != nil }.map(\.name)
        if request.profile != nil, !profiles.isEmpty {
            return "\(option: "profile") \(profiles.alternatives)"
        }
        guard !request.container.isFrameSequence else { return ".png, .webp or .tif" }
        let isChosen = request.codec != nil || request.pixelFormat != nil
        return ".webm, .mov, .avif, .webp or .apng"
            + (isChosen ? " without \(option: "codec") and \(option: "pixel-format")" : "")
    }

    private static func checkGamut(_ request: EncodingRequest, _ profile: CodecProfile) throws {
        guard request.gamut != .bt709 else { return }
        // An encoder that supports only the BT.601 matrix does not store a colour space at all.
        let isUntagged = !request.container.isVideo && ![.apng, .avif].contains(request.container)
        let container = isUntagged ? request.container.rawValue : nil
        let storesGamut = profile.traits.matrix == .bt709 || request.container == .avif
        guard let unable = container ?? (storesGamut ? nil : profile.encoder) else { return }
        throw LoadervidError(
            .usage,
            "\(option: "color"): \(unable) does not store a colour space, which \(request.gamut.rawValue) needs; leave it out or "
                + "use .mov, .mp4, .mkv, .webm, .apng or .avif", subjects: .options("color"))
    }

    private static func size(
        _ content: (width: Int, height: Int), _ format: PixelFormat, isExact: Bool
    ) throws -> (width: Int, height: Int) {
        let stepX = format.horizontalStep
        let stepY = format.verticalStep
        let padded = (
            width: (content.width + stepX - 1) / stepX * stepX, height: (content.height + stepY - 1) / stepY * stepY
        )
        guard !isExact || padded == content else {
            func nearest(_ side: Int, _ step: Int) -> Int { max(step, (side + step / 2) / step * step) }
            throw LoadervidError(
                .usage,
                "\(content.width)x\(content.height) is not possible in \(format), which needs "
                    + "\(format.sidesText); "
                    + "use \(nearest(content.width, stepX))x\(nearest(content.height, stepY))",
                subjects: .options("size", "scale", "layout"))
        }
        return padded
    }

    private static func checkMinSize(
        _ size: (width: Int, height: Int), _ profile: CodecProfile, name: String
    ) throws {
        let minWidth = profile.traits.minWidth
        let minHeight = profile.traits.minHeight
        guard size.width >= minWidth, size.height >= minHeight else {
            throw LoadervidError(
                .usage,
                "\(option: "codec") \(name): \(size.width)x\(size.height) is below the minimum of \(minWidth)x\(minHeight); "
                    + "use another codec or a larger \(option: "scale")", subjects: .options("codec", "size", "scale"))
        }
        let minSide = profile.traits.minLongerSide
        guard max(size.width, size.height) < minSide else { return }
        throw LoadervidError(
            .usage,
            "\(option: "codec") \(name): \(size.width)x\(size.height) is below the minimum of \(minSide) pixels on the "
                + "longer side; use \(option: "codec") h264 or a larger \(option: "scale")",
            subjects: .options("codec", "size", "scale"))
    }

    private static func options(
        _ request: EncodingRequest, _ profile: CodecProfile, _ format: PixelFormat
    ) throws -> [String: String] {
        var options = profile.options
        let requested = [("quality", request.quality, profile.quality), ("speed", request.speed, profile.speed)]
        for (name, value, setting) in requested {
            guard let setting else {
                guard value != nil else { continue }
                throw LoadervidError(
                    .usage, "\(option: name): \(profile.encoder) has no such setting; leave it out",
                    subjects: .options(name))
            }
            if let value, !setting.takes(value) {
                throw LoadervidError(
                    .usage,
                    "\(option: name): \(value) is invalid; \(setting.option) of \(profile.encoder) takes \(setting.limits)"
                        + (NearestName.question(value, in: setting.words).map { "; \($0)" } ?? ""),
                    subjects: .options(name))
            }
            // A profile determines a bitrate, which a default quality would override.
            guard value != nil || request.profile == nil else { continue }
            options[setting.option] = value ?? setting.defaultValue
            if value != nil { options.merge(setting.implied) { $1 } }
        }
        let chosen = try EncoderFeatures.profile(request, profile) ?? EncoderFeatures.profile(for: format, profile)
        if let chosen { options["profile"] = chosen.name }
        if format.hasAlpha, let sideAlpha = profile.traits.sideAlpha { options.merge(sideAlpha.options) { $1 } }
        try EncoderOptionCheck(profile, hasProfile: request.profile != nil).check(request.encoderOptions)
        return request.encoderOptions?.merged(into: options) ?? options
    }
}

extension PixelFormat {
    /// A description of the supported sizes.
    var sidesText: String {
        let step = max(horizontalStep, verticalStep)
        let sides = verticalStep > 1 ? "sides" : "widths"
        return step <= 2 ? "even \(sides)" : "\(sides) that are multiples of \(step)"
    }
}

extension EncodingRequest {
    /// Returns the timing of a clip whose request names none: exact where editors expect it, which
    /// are sequences and the intermediate codecs in MOV; nil for the default of cycles and
    /// durations.
    func defaultTiming(isTranslucent: Bool) -> TimeMap.Timing? {
        if container.isFrameSequence { return .exact }
        guard container == .mov else { return nil }
        let name = codec ?? container.defaultCodec(isTranslucent: isTranslucent)
        return CodecProfile.find(name)?.traits.isIntermediate == true ? .exact : nil
    }
}

extension Container {
    /// Returns the codec of a clip whose request names none.
    fileprivate func defaultCodec(isTranslucent: Bool) -> String {
        switch self {
        case .gif, .apng, .webp, .avif, .pngSequence, .tiffSequence, .webpSequence, .jpegSequence, .y4m, .rawvideo:
            rawValue
        case .webm: "vp9"
        case .mkv where isTranslucent: "vp9"
        case .mov where isTranslucent: "prores"
        case .mp4, .mov, .m4v, .mkv: "h264"
        }
    }
}
