import CLibAV

extension CodecProfile {
    /// Options of all video encoders that have an effect in every one.
    private static let commonOptions: Set = ["strict", "thread_type", "max_pixels"]

    /// The other options of all video encoders that an encoder reads, from the encoders' sources in
    /// FFmpeg 5.1 to 7.1. Libraries with a constant quality, which loadervid sets for all but
    /// libx264rgb, ignore the bitrate (`b`), except libvpx and libaom. Encoders of images
    /// that are not listed read none. Others, such as mjpeg, share the code of FFmpeg's MPEG
    /// encoders, which read most options.
    private static let sharedOptions: [String: Set<String>] = [
        "libx264": x264Options, "libx264rgb": x264Options.union(["b"]),
        "libx265": [
            "bf", "refs", "keyint_min", "qmin", "qmax", "qdiff", "qblur", "qcomp", "i_qfactor", "b_qfactor", "bufsize",
            "maxrate", "rc_init_occupancy",
        ],
        "libvpx": vpxOptions.union(["slices"]), "libvpx-vp9": vpxOptions, "libaom-av1": vpxOptions,
        "libsvtav1": ["maxrate", "bufsize", "rc_init_occupancy", "profile", "level"],
        "librav1e": ["b", "qmin", "qmax", "keyint_min"],
        "prores_ks": [], "dnxhd": ["qmax", "mbd", "dct", "profile"], "ffv1": ["level", "slices"],
        "apng": ["compression_level"], "png": ["compression_level"], "tiff": ["compression_level"],
        "libwebp": ["compression_level"], "rawvideo": [],
    ]

    private static let x264Options: Set = [
        "bf", "refs", "trellis", "me_range", "subq", "cmp", "keyint_min", "slices", "qmin", "qmax", "qdiff", "qblur",
        "qcomp", "i_qfactor", "b_qfactor", "bufsize", "maxrate", "rc_init_occupancy", "profile", "level",
    ]

    private static let vpxOptions: Set = [
        "b", "minrate", "maxrate", "bufsize", "rc_init_occupancy", "qmin", "qmax", "qcomp", "keyint_min", "profile",
    ]

    /// The ranges, by names with hyphens, to which x264 silently limits options
    /// (`validate_parameters` in its encoder/encoder.c), and those of x265, where FFmpeg declares
    /// wider ones.
    private static let ranges: [String: [String: ClosedRange<Double>]] = [
        "libx264": x264Ranges, "libx264rgb": x264Ranges, "libx265": ["bf": 0...16, "refs": 1...16],
    ]

    private static let x264Ranges: [String: ClosedRange<Double>] = [
        "bf": 0...16, "refs": 1...16, "me-range": 4...1024, "subq": 0...11, "trellis": 0...2, "aq-mode": 0...3,
        "aq-strength": 0...3, "qcomp": 0...1, "crf-max": 0...51, "rc-lookahead": 0...250, "b-bias": -90...100,
        "b-strategy": 0...2, "weightp": 0...2, "chromaoffset": -12...12, "noise-reduction": 0...65536,
        "lookahead-threads": 0...128,
    ]

    /// FFmpeg's names of the parameters of x264 and x265 that have other names in their lists.
    private static let parameterNames = [
        "bframes": "bf", "ref": "refs", "frameref": "refs", "merange": "me-range", "subme": "subq", "subq": "subq",
        "b-adapt": "b-strategy", "nr": "noise-reduction", "chroma-qp-offset": "chromaoffset",
    ]

    /// Returns true if the encoder reads one of its `optionNames`.
    package func reads(_ option: String) -> Bool {
        let isImage = EncoderTraits.images.contains { $0.0 == encoder }
        guard let shared = Self.sharedOptions[encoder] ?? (isImage ? [] : nil), !Self.commonOptions.contains(option)
        else { return true }
        guard let codec = avcodec_find_encoder_by_name(encoder) else { return true }
        let own = codec.pointee.priv_class.map { Self.names(in: $0, needed: 0) } ?? []
        return own.contains(option) || shared.contains(option)
    }

    /// Returns a remedy with the range of an option, or of a parameter in a list such as
    /// `x264-params`; nil if the value is in the range, or is not a number.
    package func rangeRefusal(of value: String, for name: String) -> String? {
        // x264 and x265 take names with underscores, too.
        let hyphenated = name.replacing("_", with: "-")
        let option = Self.parameterNames[hyphenated] ?? hyphenated
        guard let range = Self.ranges[encoder]?[option], let number = Double(value), !range.contains(number) else {
            return nil
        }
        return "use \(Self.text(range.lowerBound))...\(Self.text(range.upperBound))"
    }

    /// Returns a limit of a range as text, without decimals if it is whole.
    static func text(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }
}
