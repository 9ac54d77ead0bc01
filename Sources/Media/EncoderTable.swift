/// What is true of one encoder and not of encoders as such. Nothing else in the program asks for an encoder's name.
public struct EncoderTraits: Sendable, Hashable {
    /// How an encoder carries transparency that its codec has no place for: as a second stream beside the first.
    public struct SideAlpha: Sendable, Hashable {
        /// Options that it then needs.
        public var options: [String: String]
        /// Metadata of the stream by which players find it.
        public var metadata: [String: String]
        /// The containers that have a place for it.
        public var containers: [Container]
    }

    /// Set if transparency is carried beside the picture; nil if it is part of the picture, or there is none.
    public var sideAlpha: SideAlpha?
    /// The pixel format of translucent pictures unless another is asked for; nil if it must be asked for.
    public var translucentFormat: PixelFormat?
    /// How its pictures are made of stills, if it is the codec of an animated picture.
    public var stills: StillCoding?
    /// Whether the colours of the whole clip must be counted before the first picture is encoded.
    public var countsColors: Bool { stills?.kind == .gif }
    /// How luma and chroma are made.
    public var matrix = ColorMatrix.bt709
    /// Bits that a pixel of a drawing usually takes at default quality; good to a factor of three.
    public var bitsPerPixel = 2.0
    /// How many frames decoding must run ahead of presentation, where the encoder does not say so itself.
    public var reorderDelay = 0
    /// A bitstream filter for the first packet, in FFmpeg's notation.
    public var firstPacketFilter: String?
    /// How much lower than the encoder would choose the quantizer of a first picture shall be that continues a stream, in
    /// steps of H.264; 0 leaves it.
    public var laterKeyFrameOffset = 0.0
    /// The presets that do without.
    public var presetsWithoutOffset: Set<String> = []

    /// Whether the encoder's own threads use the machine better than segments in parallel do.
    public var threadsItself = false
    /// How many threads, at least one, make it faster without making its pictures worse, where there is one segment only and
    /// segments in parallel cannot do that.
    public var threadsAlone = 1
    /// How many threads it starts when it is opened, at most, whatever it is told; nil if those that work, and one that
    /// looks ahead.
    public var startedThreads: Int?
    /// How many of them reserve memory, beside those that it is told to have.
    public var reservingThreads = 0
    /// A generous estimate of the memory that it takes, in bytes a pixel: look-ahead and references are some sixty pictures
    /// with their side data, and its threads hold more.
    public var bytesPerPixel = 220
    /// Whether it takes that much for the shortest clip too, which fills no look-ahead.
    public var fillsMemoryAtOnce = false
    /// Memory without which it does not come back from being opened, in bytes.
    public var bytesToOpen = 0

    /// Whether only one may be opened or closed at a time.
    public var opensAlone = false
    /// Whether, once open, it waits for ever if it is closed before its first picture, and must be told of the last.
    public var needsPicture = false
    /// Whether its bytes depend on memory that nobody wrote.
    public var readsFreshMemory = false
    /// Variables of the environment that keep it from printing.
    public var quietVariables: [String: String] = [:]
    /// How the file of its own library begins, such as `libx264`; nil if it is part of libavcodec.
    public var library: String?

    /// The traits of an encoder by FFmpeg's name. Those that the table does not have are taken for ordinary.
    public static func of(_ encoder: String) -> EncoderTraits { table[encoder] ?? EncoderTraits() }

    static let table = Dictionary(
        uniqueKeysWithValues: CodecProfile.all.map { ($0.profile.encoder, $0.profile.traits) }
    )
    .merging(others) { named, _ in named }

    /// Encoders without a profile of their own.
    private static let others: [String: EncoderTraits] = [
        "libx264rgb": EncoderTraits(firstPacketFilter: x264NoteFilter, library: "libx264"),
        "libaom-av1": EncoderTraits(bitsPerPixel: 0.015, library: "libaom"),
        "librav1e": EncoderTraits(bitsPerPixel: 0.015, library: "librav1e"),
    ]

    /// x264 says its version and settings in a message of its own before every first picture; type 6 is SEI.
    fileprivate static let x264NoteFilter = "filter_units=remove_types=6"
    /// VP8 and VP9 keep transparency beside the picture, which only Matroska has a place for. Players find it by this mark,
    /// and an alternate reference frame cannot carry it.
    fileprivate static let vpxAlpha = SideAlpha(
        options: ["auto-alt-ref": "0"], metadata: ["alpha_mode": "1"], containers: [.webm, .mkv])
}

extension CodecProfile {
    /// The codecs of video that have a profile of their own, by the names users give them, in the order of preference.
    public static let named: [(name: String, profile: CodecProfile)] = [
        ("h264", h264), ("hevc", hevc), ("vp9", vp9), ("vp8", vp8), ("av1", av1), ("prores", prores),
    ]

    /// The codecs of animated pictures, each by the name of its only container.
    public static let animated: [(name: String, profile: CodecProfile)] = [
        ("gif", gif), ("apng", apng), ("webp", webp),
    ]

    /// All codecs that have a profile of their own.
    public static let all = named + animated

    private static let x26xPresets = [
        "placebo", "veryslow", "slower", "slow", "medium", "fast", "faster", "veryfast", "superfast", "ultrafast",
    ]

    // x264's macroblock tree rounds differently with each processor's vectors, and with AVX-512 it even reads memory
    // that nobody wrote, unless it is told to be the same everywhere. That costs no measurable time.
    //
    // A running encoder divides the quantizer of its key frames by its `ipratio` of 1.4, which are 2.9 steps, but with its
    // macroblock tree never that of the first picture. Drawings rest on their key frames: 5 steps give back all that cuts
    // take, for 0.3% more bytes.
    private static let h264 = CodecProfile(
        encoder: "libx264", quality: Setting(option: "crf", range: 0...51, defaultValue: "18", takesDecimals: true),
        speed: Setting(option: "preset", words: x26xPresets, defaultValue: "medium"),
        options: ["x264-params": "cpu-independent=1"],
        traits: EncoderTraits(
            bitsPerPixel: 0.02, firstPacketFilter: EncoderTraits.x264NoteFilter, laterKeyFrameOffset: -5,
            presetsWithoutOffset: ["ultrafast", "superfast"], threadsAlone: 2, library: "libx264"))

    // x265 uses its B pictures as references, in two layers at most.
    // Without a thread pool x265 gives the same bytes on every machine; segments run in parallel instead.
    private static let hevc = CodecProfile(
        encoder: "libx265", quality: Setting(option: "crf", range: 0...51, defaultValue: "20", takesDecimals: true),
        speed: Setting(option: "preset", words: x26xPresets, defaultValue: "medium"),
        options: ["x265-params": "log-level=none:info=0:pools=none:frame-threads=1"],
        traits: EncoderTraits(
            bitsPerPixel: 0.02, reorderDelay: 2, startedThreads: 1, readsFreshMemory: true, library: "libx265"))

    private static let vp9 = CodecProfile(
        encoder: "libvpx-vp9", quality: Setting(option: "crf", range: 0...63, defaultValue: "31"),
        speed: Setting(option: "cpu-used", range: -8...8, defaultValue: "2"),
        options: ["b": "0", "deadline": "good"],
        traits: EncoderTraits(
            sideAlpha: EncoderTraits.vpxAlpha, translucentFormat: .yuva420p, bitsPerPixel: 0.015, library: "libvpx"))

    // VP8 has no pure quality mode: the bit rate is a ceiling that drawings never reach. It has no word for BT.709, and its
    // decoders take BT.601.
    private static let vp8 = CodecProfile(
        encoder: "libvpx", quality: Setting(option: "crf", range: 4...63, defaultValue: "10"),
        speed: Setting(option: "cpu-used", range: -16...16, defaultValue: "2"),
        options: ["b": "50000000", "deadline": "good"],
        traits: EncoderTraits(
            sideAlpha: EncoderTraits.vpxAlpha, translucentFormat: .yuva420p, matrix: .bt601, bitsPerPixel: 0.03,
            library: "libvpx"))

    // Up to version 1.4 of SVT-AV1 at least, all its instances share a list of the processors that whoever opens one
    // allocates and whoever closes one frees: side by side they crash. Some of its threads wait for ever for those that they
    // are refused. Of x264 at 1920x1080 some 200 bytes a pixel were measured, of x265 at 4096x4096 190, of this at 1280x720
    // 320.
    private static let av1 = CodecProfile(
        encoder: "libsvtav1", quality: Setting(option: "crf", range: 0...63, defaultValue: "30"),
        speed: Setting(option: "preset", range: 0...13, defaultValue: "8"),
        traits: EncoderTraits(
            bitsPerPixel: 0.015, threadsItself: true, startedThreads: 90, reservingThreads: 70, bytesPerPixel: 400,
            fillsMemoryAtOnce: true, bytesToOpen: 1 << 30, opensAlone: true, needsPicture: true,
            quietVariables: ["SVT_LOG": "0"], library: "libSvtAv1Enc"))

    // Its profile follows from the pixel format: 422 HQ, or 4444 with or without alpha. Each frame names a vendor, of four
    // characters, which is FFmpeg's library otherwise; four blanks name nobody.
    private static let prores = CodecProfile(
        encoder: "prores_ks", quality: Setting(option: fixedQuantizer, range: 1...31, defaultValue: "2"), speed: nil,
        options: ["vendor": "    "],
        traits: EncoderTraits(translucentFormat: PixelFormat(name: "yuva444p10le"), bitsPerPixel: 0.4))

    // FFmpeg's has no part in it but the name: pictures are coded here, for one palette of the whole clip.
    private static let gif = CodecProfile(
        encoder: "gif", quality: nil, speed: nil,
        traits: EncoderTraits(
            stills: StillCoding(kind: .gif, encoder: "gif", formats: [.bgra]), bitsPerPixel: 0.05, bytesPerPixel: 40,
            library: "libimagequant"))

    // Rows of drawings are mostly smallest as they are, rows of photographs less what stands beside or above.
    private static let apng = CodecProfile(
        encoder: "apng", quality: nil,
        speed: Setting(option: "compression_level", range: 0...9, defaultValue: "9"),
        traits: EncoderTraits(
            translucentFormat: .rgba,
            stills: StillCoding(
                kind: .png, encoder: "png", formats: [.rgb24, .rgba],
                trials: [["pred": "none"], ["pred": "mixed"]]),
            bitsPerPixel: 0.15, bytesPerPixel: 40))

    // Without loss unless a quality is asked for. The encoder that makes whole animations gives them back at the end only.
    private static let webp = CodecProfile(
        encoder: "libwebp",
        quality: Setting(
            option: "quality", range: 0...100, takesDecimals: true, smallerValues: ["90", "75"],
            implied: ["lossless": "0"]),
        speed: Setting(option: "compression_level", range: 0...6, defaultValue: "4"),
        options: ["lossless": "1"],
        traits: EncoderTraits(
            translucentFormat: .bgra,
            stills: StillCoding(kind: .webp, encoder: "libwebp", formats: [.bgra]), bitsPerPixel: 0.1,
            library: "libwebp"
        ))
}
