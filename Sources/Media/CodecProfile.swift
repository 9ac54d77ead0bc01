import CLibAV
import Motion

/// How a codec is asked for: which encoder, and what "quality" and "speed" mean to it.
public struct CodecProfile: Sendable, Hashable {
    /// A setting of an encoder: its option, the values it takes and the default.
    public struct Setting: Sendable, Hashable {
        /// The encoder's own name for it.
        public var option: String
        /// Whole numbers that it takes; nil if it takes words.
        public var range: ClosedRange<Int>?
        /// Words that it takes, slowest first.
        public var words: [String] = []
        /// The value unless another is asked for; nil leaves it to the encoder.
        public var defaultValue: String?

        /// The values in words, for messages.
        public var limits: String {
            range.map { "\($0.lowerBound)...\($0.upperBound)" } ?? words.joined(separator: ", ")
        }

        /// Whether numbers may have decimals, as crf may.
        public var takesDecimals = false
        /// Values for smaller files, the best first, where these are no even steps upwards from the value that is set.
        public var smallerValues: [String]?

        /// Options that are other than by default where a value is asked for.
        public var implied: [String: String] = [:]

        /// Whether a value is one that the setting takes.
        public func takes(_ value: String) -> Bool {
            guard let range else { return words.contains(value) }
            let isPlain = value.utf8.allSatisfy { "-.0123456789".utf8.contains($0) }
            guard isPlain, let number = takesDecimals ? Double(value) : Int(value).map(Double.init) else {
                return false
            }
            return number >= Double(range.lowerBound) && number <= Double(range.upperBound)
        }
    }

    /// The encoder's name in FFmpeg.
    public var encoder: String
    /// Rate control by quality; nil if the encoder has none.
    public var quality: Setting?
    /// Speed against compression; nil if the encoder has none.
    public var speed: Setting?
    /// Options that are always set.
    public var options: [String: String] = [:]
    /// What is true of this encoder alone.
    public var traits = EncoderTraits()

    /// The option name that stands for a fixed quantizer, which is a flag and a number in libav.
    static let fixedQuantizer = "qscale"

    /// The profile for a codec's or an encoder's name; nil if this FFmpeg has no video encoder for it.
    ///
    /// An encoder without a profile is used with one made from the options it has.
    public static func find(_ name: String) -> CodecProfile? {
        let alias = ["h265": "hevc", "x264": "h264", "x265": "hevc", "avc": "h264"][name] ?? name
        if let known = all.first(where: { $0.name == alias || $0.profile.encoder == alias }) {
            return avcodec_find_encoder_by_name(known.profile.encoder) == nil ? nil : known.profile
        }
        let byName = avcodec_find_encoder_by_name(name)
        let byCodec = avcodec_descriptor_get_by_name(name).flatMap { avcodec_find_encoder($0.pointee.id) }
        guard let codec = byName ?? byCodec, codec.pointee.type == AVMEDIA_TYPE_VIDEO else { return nil }
        // Whichever encoder is named, the pictures of animated ones are made in the way that is ours.
        let made = String(cString: avcodec_get_name(codec.pointee.id))
        return animated.first { $0.name == made }?.profile ?? CodecProfile(generic: codec)
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
        (self.encoder, self.quality, self.speed) = (encoder, quality, speed)
        (self.options, self.traits) = (options, traits)
    }

    /// A private option of an encoder as a setting without a default, if it has it and it is a number.
    private static func setting(_ name: String, of codec: UnsafePointer<AVCodec>) -> Setting? {
        guard var privateClass = codec.pointee.priv_class else { return nil }
        let option = withUnsafeMutablePointer(to: &privateClass) {
            av_opt_find(UnsafeMutableRawPointer($0), name, nil, 0, AV_OPT_SEARCH_FAKE_OBJ)
        }
        guard let option else { return nil }
        let isNumber = [AV_OPT_TYPE_INT, AV_OPT_TYPE_FLOAT, AV_OPT_TYPE_DOUBLE].contains(option.pointee.type)
        guard isNumber else { return nil }
        let (low, high) = (max(option.pointee.min, -1000), min(option.pointee.max, 1000))
        let takesDecimals = option.pointee.type != AV_OPT_TYPE_INT
        return Setting(option: name, range: Int(low)...Int(high), takesDecimals: takesDecimals)
    }

    /// Pixel formats the encoder takes, best first; empty if it does not say.
    public var pixelFormats: [PixelFormat] {
        if let stills = traits.stills { return stills.formats }
        guard let codec = avcodec_find_encoder_by_name(encoder) else { return [] }
        var formats: [PixelFormat] = []
        while case let format = lv_codec_pixel_format(codec, Int32(formats.count)), format != AV_PIX_FMT_NONE {
            formats.append(PixelFormat(format))
        }
        return formats
    }

    /// The pixel format unless another is asked for: yuv420p, or the best that can be made where the encoder does not take
    /// that one or puts full range first, as Motion JPEG's does; nil if it takes palettes or hardware pictures only.
    public var defaultPixelFormat: PixelFormat? {
        let all = pixelFormats
        let usable = all.filter(\.isConvertible)
        let prefersOther = usable.first?.isFullRange ?? false
        return all.isEmpty || usable.contains(.yuv420p) && !prefersOther ? .yuv420p : usable.first
    }

    /// The pixel format of pictures with or without transparency unless another is asked for. Where the encoder has none of
    /// its own for transparency it is the one without, so that users must ask.
    public func pixelFormat(isTranslucent: Bool) -> PixelFormat? {
        isTranslucent ? traits.translucentFormat ?? defaultPixelFormat : defaultPixelFormat
    }

    /// The options that it is opened with unless others are asked for: those that are always set, and the defaults.
    public var defaultOptions: [String: String] {
        [quality, speed].compactMap { $0 }.reduce(into: options) { $0[$1.option] = $1.defaultValue }
    }

    /// FFmpeg's name of the codec that the encoder makes, such as `h264`.
    public var codecName: String {
        guard let codec = avcodec_find_encoder_by_name(encoder) else { return encoder }
        return String(cString: avcodec_get_name(codec.pointee.id))
    }
}

extension CodecProfile {
    /// Why the encoder cannot be used here, found by opening it; nil if it can.
    public func problem() -> FFmpegError? {
        guard let frameRate = FrameRate(30) else { return nil }
        let pixelFormat = defaultPixelFormat ?? .yuv420p
        let settings = EncoderSettings(
            encoder: encoder, width: 320, height: 240, pixelFormat: pixelFormat, frameRate: frameRate,
            keyFrameInterval: 30, threads: 1, options: defaultOptions, usesGlobalHeader: true)
        do throws(FFmpegError) {
            _ = try settings.pictureEncoder()
            return nil
        } catch { return error }
    }
}
