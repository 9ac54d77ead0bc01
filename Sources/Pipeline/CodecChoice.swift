import Media
import Scene

/// The encoder, its options and the pixel format that a request leads to.
struct CodecChoice {
    let profile: CodecProfile
    let pixelFormat: PixelFormat
    let options: [String: String]

    init(_ request: EncodingRequest, background: Color, width: Int, height: Int) throws {
        let name = request.codec ?? request.container.standardCodec(isTranslucent: background.alpha < 1)
        guard let profile = CodecProfile.find(name) else {
            let known = CodecProfile.named.map(\.name).filter { CodecProfile.find($0) != nil }.joined(separator: ", ")
            throw RenderError(
                .unavailable, "codec \(name): this FFmpeg has no such encoder; it has \(known) and others",
                about: .options("codec"))
        }
        guard request.container.holds(codec: profile.codecName) else {
            let others = Container.allCases.filter { $0.holds(codec: profile.codecName) }.map(\.rawValue)
            let hint = others.isEmpty ? "choose another codec" : "use \(others.joined(separator: ", "))"
            throw RenderError(
                .usage, "\(request.container) cannot hold \(profile.codecName): \(hint)", about: .options("codec"))
        }
        guard request.container.isAnimation == (profile.traits.stills != nil) else {
            throw RenderError(
                .unavailable, "\(request.container) cannot be made by \(profile.encoder): take another container",
                about: .options("codec"))
        }
        try CodecChoice.checkGamut(request, profile)
        self.profile = profile
        pixelFormat = try CodecChoice.pixelFormat(request, profile, background)
        try CodecChoice.checkSize(width, height, pixelFormat)
        options = try CodecChoice.options(request, profile, pixelFormat)
    }

    private static func pixelFormat(
        _ request: EncodingRequest, _ profile: CodecProfile, _ background: Color
    ) throws -> PixelFormat {
        let usable = profile.pixelFormats.filter(\.isConvertible)
        let takesAll = profile.pixelFormats.isEmpty
        guard let fallback = profile.pixelFormat(isTranslucent: background.alpha < 1) else {
            throw RenderError(
                .unavailable, "codec \(profile.encoder) takes palettes or hardware pictures only: choose another",
                about: .options("codec"))
        }
        let format = request.pixelFormat.map { PixelFormat(name: $0) } ?? fallback
        guard let format, format.isConvertible, takesAll || usable.contains(format) else {
            let known = usable.prefix(12).map(\.description).joined(separator: ", ")
            throw RenderError(
                .usage,
                "pixel-format \(request.pixelFormat ?? ""): \(profile.encoder) takes \(known.isEmpty ? "others" : known)",
                about: .options("pixel-format"))
        }
        guard background.alpha == 1 || format.hasAlpha else {
            throw RenderError(
                .usage,
                "the background \(background.hexString) is translucent, but \(format) has no alpha: make it opaque, or "
                    + "take .webm (VP9), .mov (ProRes 4444), .apng or .webp, and no other codec or pixel format",
                about: .options("background", "pixel-format"))
        }
        if format.hasAlpha, let places = profile.traits.sideAlpha?.containers, !places.contains(request.container) {
            let names = places.map { ".\($0)" }.joined(separator: " or ")
            throw RenderError(
                .usage, "\(request.container) cannot hold the transparency of \(format): use \(names)",
                about: .options("pixel-format"))
        }
        return format
    }

    private static func checkGamut(_ request: EncodingRequest, _ profile: CodecProfile) throws {
        guard request.gamut != .bt709 else { return }
        // Who knows only standard definition's matrix has no words for colours at all.
        let silent = [.gif, .webp].contains(request.container) ? "\(request.container)" : nil
        guard let silent = silent ?? (profile.traits.matrix == .bt709 ? nil : profile.encoder) else { return }
        throw RenderError(
            .usage,
            "color \(request.gamut.rawValue): \(silent) cannot say which colours it has: leave it out, or take .mov, .mp4, "
                + ".mkv, .webm or .apng", about: .options("color"))
    }

    private static func checkSize(_ width: Int, _ height: Int, _ format: PixelFormat) throws {
        func nearest(_ side: Int, _ step: Int) -> Int { max(step, (side + step / 2) / step * step) }
        let (even, evenHeight) = (nearest(width, format.horizontalStep), nearest(height, format.verticalStep))
        guard (even, evenHeight) == (width, height) else {
            let steps = format.verticalStep > 1 ? "even sides" : "an even width"
            throw RenderError(
                .usage,
                "a picture of \(width)x\(height) is not possible: \(format) takes \(steps); the nearest size is \(even)x\(evenHeight)",
                about: .options("size", "scale"))
        }
    }

    private static func options(
        _ request: EncodingRequest, _ profile: CodecProfile, _ format: PixelFormat
    ) throws -> [String: String] {
        var options = profile.options
        let asked = [("quality", request.quality, profile.quality), ("speed", request.speed, profile.speed)]
        for (name, value, setting) in asked {
            guard let setting else {
                guard let value else { continue }
                throw RenderError(
                    .usage, "\(name) \(value): \(profile.encoder) has no such setting; leave it out",
                    about: .options(name))
            }
            if let value, !setting.takes(value) {
                throw RenderError(
                    .usage,
                    "\(name) \(value) is not possible: \(setting.option) of \(profile.encoder) takes \(setting.limits)",
                    about: .options(name))
            }
            options[setting.option] = value ?? setting.defaultValue
            if value != nil { options.merge(setting.implied) { $1 } }
        }
        guard format.hasAlpha, let sideAlpha = profile.traits.sideAlpha else { return options }
        return options.merging(sideAlpha.options) { $1 }
    }
}

extension Container {
    /// The codec of a clip that asks for none.
    fileprivate func standardCodec(isTranslucent: Bool) -> String {
        switch self {
        case .gif, .apng, .webp: rawValue
        case .webm: "vp9"
        case .mkv where isTranslucent: "vp9"
        case .mov where isTranslucent: "prores"
        case .mp4, .mov, .m4v, .mkv: "h264"
        }
    }
}
