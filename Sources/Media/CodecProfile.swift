import CLibAV
import Core

/// The encoder of a codec, and the encoder options that "quality" and "speed" set.
package struct CodecProfile: Sendable, Hashable {
    /// An encoder option with its valid values and default.
    package struct Setting: Sendable, Hashable {
        /// The option's name in FFmpeg.
        package var option: String
        /// The range of numbers; nil if the values are words.
        package var range: ClosedRange<Int>?
        /// The valid words, slowest first.
        package var words: [String] = []
        /// The default value; nil leaves the choice to the encoder.
        package var defaultValue: String?

        /// The valid values as text, for messages.
        package var limits: String {
            range.map { "\($0.lowerBound)...\($0.upperBound)" } ?? words.joined(separator: ", ")
        }

        /// True if numbers may have decimals, as in crf.
        package var takesDecimals = false
        /// Values for smaller files, best quality first; nil if even steps up from the current
        /// value give smaller files.
        package var smallerValues: [String]?

        /// Additional options that are set whenever the user sets this one.
        package var implied: [String: String] = [:]

        /// Returns true if a value is valid.
        package func takes(_ value: String) -> Bool {
            guard let range else { return words.contains(value) }
            let isPlain = value.utf8.allSatisfy { "-.0123456789".utf8.contains($0) }
            guard isPlain, let number = takesDecimals ? Double(value) : Int(value).map(Double.init) else {
                return false
            }
            return number >= Double(range.lowerBound) && number <= Double(range.upperBound)
        }
    }

    /// The encoder's name in FFmpeg.
    package var encoder: String
    /// Rate control by quality; nil if the encoder has none.
    package var quality: Setting?
    /// The trade-off of speed against compression; nil if the encoder has none.
    package var speed: Setting?
    /// Options that are always set.
    package var options: [String: String] = [:]
    /// The encoder's entry in the table of traits.
    package var traits = EncoderTraits()

    /// The option name for a fixed quantizer, which libav sets by a flag and a field.
    static let fixedQuantizer = "qscale"

    /// Returns the profile for a codec's or encoder's name; nil if this build of FFmpeg has no
    /// video encoder for it.
    ///
    /// The profile of an encoder that has none is derived from its options.
    package static func find(_ name: String) -> CodecProfile? {
        let alias = ["h265": "hevc", "x264": "h264", "x265": "hevc", "avc": "h264"][name] ?? name
        if let known = all.first(where: { $0.name == alias || $0.profile.encoder == alias }) {
            return avcodec_find_encoder_by_name(known.profile.encoder) == nil ? nil : known.profile
        }
        let byName = avcodec_find_encoder_by_name(name)
        let byCodec = avcodec_descriptor_get_by_name(name).flatMap { avcodec_find_encoder($0.pointee.id) }
        guard let codec = byName ?? byCodec, codec.pointee.type == AVMEDIA_TYPE_VIDEO else { return nil }
        // Animated image formats always use our own encoders.
        let codecName = String(cString: avcodec_get_name(codec.pointee.id))
        return animated.first { $0.name == codecName }?.profile ?? CodecProfile(generic: codec)
    }

    private init(generic codec: UnsafePointer<AVCodec>) {
        encoder = String(cString: codec.pointee.name)
        traits = .of(encoder)
        quality =
            CodecProfile.setting("crf", of: codec)
            ?? Setting(option: Self.fixedQuantizer, range: 1...31, defaultValue: "2")
        speed = ["preset", "cpu-used", "speed"].lazy.compactMap { CodecProfile.setting($0, of: codec) }.first
    }

    init(
        encoder: String, quality: Setting?, speed: Setting?, options: [String: String] = [:], traits: EncoderTraits
    ) {
        self.encoder = encoder
        self.quality = quality
        self.speed = speed
        self.options = options
        self.traits = traits
    }

    /// Returns a private option of an encoder as a setting without a default; nil if the encoder
    /// does not have it or it is not a number.
    private static func setting(_ name: String, of codec: UnsafePointer<AVCodec>) -> Setting? {
        guard var privateClass = codec.pointee.priv_class else { return nil }
        let option = withUnsafeMutablePointer(to: &privateClass) {
            av_opt_find(UnsafeMutableRawPointer($0), name, nil, 0, AV_OPT_SEARCH_FAKE_OBJ)
        }
        guard let option else { return nil }
        let isNumber = [AV_OPT_TYPE_INT, AV_OPT_TYPE_FLOAT, AV_OPT_TYPE_DOUBLE].contains(option.pointee.type)
        guard isNumber else { return nil }
        // Encoders declare ranges such as -1...FLT_MAX.
        let low = max(option.pointee.min, -1000)
        let high = min(option.pointee.max, 1000)
        let takesDecimals = option.pointee.type != AV_OPT_TYPE_INT
        return Setting(option: name, range: Int(low)...Int(high), takesDecimals: takesDecimals)
    }

    /// The pixel formats that the encoder supports, best first; empty if it does not declare any.
    package var pixelFormats: [PixelFormat] {
        if let formats = traits.imageSequence?.formats ?? traits.pixelFormats { return formats }
        guard let codec = avcodec_find_encoder_by_name(encoder) else { return [] }
        var formats: [PixelFormat] = []
        while case let format = lv_codec_pixel_format(codec, Int32(formats.count)), format != AV_PIX_FMT_NONE {
            formats.append(PixelFormat(format))
        }
        return formats
    }

    /// The default pixel format: yuv420p, or the first convertible one with colour if the encoder
    /// does not support yuv420p or prefers full range, as Motion JPEG does; nil if it supports only
    /// palettes or hardware frames.
    package var defaultPixelFormat: PixelFormat? {
        let all = pixelFormats
        let usable = all.filter(\.isConvertible)
        // An encoder's own list has the best format first.
        let prefersOther = traits.pixelFormats != nil || usable.first?.isFullRange ?? false
        return all.isEmpty || usable.contains(.yuv420p) && !prefersOther
            ? .yuv420p : usable.first { !$0.isGray } ?? usable.first
    }

    /// Returns the default pixel format of frames with or without alpha. If the encoder has no
    /// format with alpha, this is an opaque one.
    package func pixelFormat(isTranslucent: Bool) -> PixelFormat? {
        guard isTranslucent else { return defaultPixelFormat }
        let own = pixelFormats.first { $0.hasAlpha && $0.isConvertible && !$0.isGray }
        return traits.translucentFormat ?? own ?? defaultPixelFormat
    }

    /// The fixed options and the default values of quality and speed.
    package var defaultOptions: [String: String] {
        [quality, speed].compactMap { $0 }.reduce(into: options) { $0[$1.option] = $1.defaultValue }
    }

    /// FFmpeg's name of the encoder's codec, such as `h264`.
    package var codecName: String {
        guard let codec = avcodec_find_encoder_by_name(encoder) else { return encoder }
        return String(cString: avcodec_get_name(codec.pointee.id))
    }
}

extension CodecProfile {
    /// Opens the encoder with default settings. Returns its error; nil if it works on this machine.
    package func problem() -> FFmpegError? {
        guard let frameRate = FrameRate(30) else { return nil }
        let pixelFormat = defaultPixelFormat ?? .yuv420p
        let settings = EncoderSettings(
            encoder: encoder, width: 320, height: 240, pixelFormat: pixelFormat, frameRate: frameRate,
            keyFrameInterval: 30, threads: 1, options: defaultOptions, usesGlobalHeader: true)
        do throws(FFmpegError) {
            _ = try settings.makeEncoder()
            return nil
        } catch { return error }
    }
}
