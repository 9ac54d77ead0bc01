import Core

/// A profile of an encoder, with the pixel format that it requires.
package struct EncoderProfile: Sendable, Hashable {
    /// The name on the command line, which is also the value of the encoder's `profile` option.
    package let name: String
    /// Another name that users know; nil if there is none.
    package let alias: String?
    /// The pixel format of opaque frames.
    package let format: PixelFormat
    /// The pixel format of frames with alpha; nil if the profile has none.
    package let translucentFormat: PixelFormat?

    /// A profile whose pixel formats have FFmpeg's names.
    init(_ name: String, _ format: String, alpha: String? = nil, alias: String? = nil) {
        self.name = name
        self.alias = alias
        self.format = PixelFormat(name: format) ?? .yuv420p
        translucentFormat = alpha.flatMap { PixelFormat(name: $0) }
    }
}

/// The properties that set one encoder apart from others. Only this table and `FrameProfiles`
/// mention encoders by name.
package struct EncoderTraits: Sendable, Hashable {
    /// A second video bitstream that carries transparency if the codec has no alpha channel.
    package struct SideAlpha: Sendable, Hashable {
        /// Additional encoder options.
        package var options: [String: String]
        /// Stream metadata that tells players about the alpha bitstream.
        package var metadata: [String: String]
        /// The containers that support an alpha bitstream.
        package var containers: [Container]
    }

    /// The settings of a separate alpha bitstream; nil if alpha is part of the frame or not
    /// supported.
    package var sideAlpha: SideAlpha?
    /// The default pixel format of frames with alpha; nil for the encoder's first one, if any.
    package var translucentFormat: PixelFormat?
    /// The image codec of an animated image format; nil for video.
    package var imageSequence: ImageSequenceCoding?
    /// True if frames stay premultiplied bitmaps, as drawn, which `Render` writes as PNG.
    package var takesBitmaps = false
    /// True for an editing codec, such as ProRes, whose clips have exact timing by default.
    package var isIntermediate = false
    /// True if a second instance of the encoder encodes alpha, as in AVIF.
    package var usesSeparateAlphaEncoder = false
    /// True for codecs of images, whose grey has full range and which cannot declare another one.
    package var hasFullRangeGray = false
    /// True to tag the transfer function of sRGB, which images have, instead of that of video.
    package var usesSRGBTransfer = false
    /// The profiles that users choose by name, lowest bitrate first; empty if the encoder chooses.
    package var profiles: [EncoderProfile] = []
    /// The values of options that FFmpeg leaves to the encoder's library, by option.
    package var optionValues: [String: [String]] = [:]
    /// The supported pixel formats, best first, if they are not the encoder's own; nil otherwise.
    package var pixelFormats: [PixelFormat]?
    /// True if the encoder needs a colour histogram of the whole clip before its first frame.
    package var needsColorHistogram: Bool { imageSequence?.kind == .gif }
    /// The matrix that converts RGB to luma and chroma.
    package var matrix = ColorMatrix.bt709
    /// The typical bits per pixel of an animation at default quality, accurate to a factor of 3.
    package var bitsPerPixel = 2.0
    /// The number of frames by which decoding must precede presentation, if the encoder does not
    /// report its reorder delay.
    package var reorderDelay = 0
    /// A bitstream filter for the first packet, in FFmpeg's syntax.
    package var firstPacketFilter: String?
    /// The quantizer offset of the first frame of an encoder that continues a stream, in
    /// quantizer steps of H.264; negative values increase the quality, 0 changes nothing.
    package var continuationQuantizerOffset = 0.0
    /// The presets without a macroblock tree, which need no offset.
    package var presetsWithoutQuantizerOffset: Set<String> = []

    /// True if the encoder's own threads use the machine better than segments in parallel.
    package var prefersOwnThreads = false
    /// The number of threads, at least 1, that speeds up a clip of a single segment without a loss
    /// of quality.
    package var singleSegmentThreads = 1
    /// The maximum number of threads that the encoder starts when it is opened, regardless of its
    /// thread count; nil if it starts the requested threads and one for look-ahead.
    package var maxStartedThreads: Int?
    /// The number of threads that reserve memory in addition to the requested ones.
    package var reservedThreads = 0
    /// A high estimate of the encoder's memory in bytes per pixel. Look-ahead and references hold
    /// about 60 frames with their side data, and threads hold more.
    package var bytesPerPixel = 220
    /// True if even the shortest clip, which does not fill the look-ahead, needs all that memory.
    package var allocatesUpFront = false
    /// The memory in bytes without which opening the encoder never returns.
    package var minOpeningBytes = 0

    /// The minimum frame rate that the encoder takes, in frames per second; 0 if any. Slower clips
    /// are declared with it; the container has their times.
    package var minFrameRate = Rational.zero

    /// The minimum of a frame's longer side, in pixels.
    package var minLongerSide = 1
    /// The minimum of a frame's width and height, in pixels.
    package var minWidth = 1, minHeight = 1
    /// True if only one instance at a time may be opened or closed.
    package var opensExclusively = false
    /// True if closing the encoder hangs unless it has received a frame and the end of the stream.
    package var needsFrameBeforeClosing = false
    /// True if the output depends on uninitialized memory.
    package var readsUninitializedMemory = false
    /// Environment variables that silence the encoder's log.
    package var quietVariables: [String: String] = [:]
    /// The file name prefix of the encoder's library, such as `libx264`; nil if the encoder is part
    /// of libavcodec.
    package var library: String?

    /// Returns the traits of an encoder by FFmpeg's name, or default traits if the table does not
    /// list it.
    package static func of(_ encoder: String) -> EncoderTraits { table[encoder] ?? EncoderTraits() }

    static let table = Dictionary(
        uniqueKeysWithValues: CodecProfile.all.map { ($0.profile.encoder, $0.profile.traits) }
    )
    .merging(withoutNamedProfile) { named, _ in named }.merging(images) { known, _ in known }

    /// Encoders that are not in `CodecProfile.all`.
    private static let withoutNamedProfile: [String: EncoderTraits] = [
        "libx264rgb": EncoderTraits(firstPacketFilter: x264InfoFilter, library: "libx264"),
        "libaom-av1": EncoderTraits(bitsPerPixel: 0.015, minFrameRate: 1, library: "libaom"),
        // Decoders convert JPEG from BT.601 and ignore the container's declaration.
        "mjpeg": EncoderTraits(matrix: .bt601, bitsPerPixel: 0.5),
        "librav1e": EncoderTraits(bitsPerPixel: 0.015, library: "librav1e"),
    ]

    /// Removes the SEI message (NAL unit type 6) with x264's version and settings, which x264
    /// writes before the first frame of each stream.
    fileprivate static let x264InfoFilter = "filter_units=remove_types=6"
    /// VP8 and VP9 store alpha in a second bitstream, which only Matroska supports. Players
    /// recognize it by this metadata. Alternate reference frames cannot carry alpha.
    fileprivate static let vpxAlpha = SideAlpha(
        options: ["auto-alt-ref": "0"], metadata: ["alpha_mode": "1"], containers: [.webm, .mkv])
}

extension CodecProfile {
    /// The video codecs with a profile, by their names on the command line, in order of preference.
    package static let named: [(name: String, profile: CodecProfile)] = [
        ("h264", h264), ("hevc", hevc), ("vp9", vp9), ("vp8", vp8), ("av1", av1), ("prores", prores), ("dnxhd", dnxhd),
    ]

    /// The codecs of animated images, each by the name of its only container.
    package static let animated: [(name: String, profile: CodecProfile)] = [
        ("gif", gif), ("apng", apng), ("webp", webp),
    ]

    /// All codecs with a profile.
    package static let all = named + animated

    /// All codecs with a profile, and AVIF, for lists.
    package static let listed = all + [("avif", avif)]

    /// Returns the profile of a container that has only one encoder: of image sequences, AVIF and
    /// uncompressed frames; nil for other containers.
    package static func only(in container: Container) -> CodecProfile? {
        switch container {
        case .pngSequence: pngFiles
        case .tiffSequence: tiffFiles
        case .webpSequence: webpFiles
        case .jpegSequence: jpegFiles
        case .avif: avif
        case .y4m: y4m
        case .rawvideo: rawvideo
        case .mp4, .mov, .m4v, .mkv, .webm, .gif, .apng, .webp: nil
        }
    }

    private static let x26xPresets = [
        "placebo", "veryslow", "slower", "slow", "medium", "fast", "faster", "veryfast", "superfast", "ultrafast",
    ]

    // x264's macroblock tree rounds differently on each SIMD instruction set, and with AVX-512 it
    // even reads uninitialized memory. `cpu-independent` prevents both at no measurable cost in
    // time.
    //
    // x264 divides the quantizer of keyframes by its `ipratio` of 1.4, which is 2.9 steps, but
    // with the macroblock tree it never does so for the first frame. In animations, most of a
    // segment depends on its keyframe: 5 steps restore all the quality that the cuts between
    // segments cost, for 0.3% more bytes.
    private static let h264 = CodecProfile(
        encoder: "libx264", quality: Setting(option: "crf", range: 0...51, defaultValue: "18", takesDecimals: true),
        speed: Setting(option: "preset", words: x26xPresets, defaultValue: "medium"),
        options: ["x264-params": "cpu-independent=1"],
        traits: EncoderTraits(
            optionValues: [
                "tune": [
                    "film", "animation", "grain", "stillimage", "psnr", "ssim", "fastdecode", "zerolatency",
                ],
                "profile": ["baseline", "main", "high", "high10", "high422", "high444"],
            ],
            bitsPerPixel: 0.02, firstPacketFilter: EncoderTraits.x264InfoFilter, continuationQuantizerOffset: -5,
            presetsWithoutQuantizerOffset: ["ultrafast", "superfast"], singleSegmentThreads: 2, library: "libx264"))

    // x265 uses B-frames as references, in at most two layers. Without a thread pool, x265 produces
    // the same bytes on every machine; segments run in parallel instead. x265 3.5 writes out of
    // bounds for frames smaller than one coding tree unit of 64x64 pixels: 34x28 always crashed,
    // 48x48 sometimes.
    private static let hevc = CodecProfile(
        encoder: "libx265", quality: Setting(option: "crf", range: 0...51, defaultValue: "20", takesDecimals: true),
        speed: Setting(option: "preset", words: x26xPresets, defaultValue: "medium"),
        options: ["x265-params": "log-level=none:info=0:pools=none:frame-threads=1"],
        traits: EncoderTraits(
            bitsPerPixel: 0.02, reorderDelay: 2, maxStartedThreads: 1, minLongerSide: 64,
            readsUninitializedMemory: true, library: "libx265"))

    private static let vp9 = CodecProfile(
        encoder: "libvpx-vp9", quality: Setting(option: "crf", range: 0...63, defaultValue: "31"),
        speed: Setting(option: "cpu-used", range: -8...8, defaultValue: "2"),
        options: ["b": "0", "deadline": "good"],
        traits: EncoderTraits(
            sideAlpha: EncoderTraits.vpxAlpha, translucentFormat: .yuva420p, bitsPerPixel: 0.015, library: "libvpx"))

    // VP8 has no constant quality mode: the bitrate is a ceiling that animations never reach. Its
    // bitstream cannot signal BT.709, and its decoders assume BT.601.
    private static let vp8 = CodecProfile(
        encoder: "libvpx", quality: Setting(option: "crf", range: 4...63, defaultValue: "10"),
        speed: Setting(option: "cpu-used", range: -16...16, defaultValue: "2"),
        options: ["b": "50000000", "deadline": "good"],
        traits: EncoderTraits(
            sideAlpha: EncoderTraits.vpxAlpha, translucentFormat: .yuva420p, matrix: .bt601, bitsPerPixel: 0.03,
            library: "libvpx"))

    // Up to SVT-AV1 1.4 at least, all instances share a list of processors that each instance
    // allocates when it is opened and frees when it is closed, so concurrent calls crash. Some of
    // its threads wait forever for threads that could not be started. Measured memory in bytes per
    // pixel: about 200 for x264 at 1920x1080, 190 for x265 at 4096x4096, and 320 for SVT-AV1 at
    // 1280x720.
    private static let av1 = CodecProfile(
        encoder: "libsvtav1", quality: Setting(option: "crf", range: 0...63, defaultValue: "30"),
        speed: Setting(option: "preset", range: 0...13, defaultValue: "8"),
        traits: EncoderTraits(
            bitsPerPixel: 0.015, prefersOwnThreads: true, maxStartedThreads: 90, reservedThreads: 70,
            bytesPerPixel: 400, allocatesUpFront: true, minOpeningBytes: 1 << 30, opensExclusively: true,
            needsFrameBeforeClosing: true, quietVariables: ["SVT_LOG": "0"], library: "libSvtAv1Enc"))

    // Unless it is chosen, the ProRes profile follows from the pixel format: 422 HQ, or 4444 with
    // or without alpha. Each frame names a vendor in four characters, by default FFmpeg's library;
    // four spaces name none.
    private static let prores = CodecProfile(
        encoder: "prores_ks", quality: Setting(option: fixedQuantizer, range: 1...31, defaultValue: "2"), speed: nil,
        options: ["vendor": "    "],
        traits: EncoderTraits(
            translucentFormat: PixelFormat(name: "yuva444p10le"), isIntermediate: true,
            profiles: ["proxy", "lt", "standard", "hq"].map { EncoderProfile($0, "yuv422p10le") }
                + [("4444", nil), ("4444xq", "xq")].map { name, alias in
                    EncoderProfile(name, "yuv444p10le", alpha: "yuva444p10le", alias: alias)
                },
            bitsPerPixel: 0.4))

    // The DNxHR profiles take any size and frame rate, unlike the bitrates of DNxHD. FFmpeg refuses
    // smaller frames.
    private static let dnxhd = CodecProfile(
        encoder: "dnxhd", quality: nil, speed: nil, options: ["profile": "dnxhr_hq"],
        traits: EncoderTraits(
            isIntermediate: true,
            profiles: ["dnxhr_lb", "dnxhr_sq", "dnxhr_hq"].map { EncoderProfile($0, "yuv422p") }
                + [EncoderProfile("dnxhr_hqx", "yuv422p10le"), EncoderProfile("dnxhr_444", "yuv444p10le")],
            pixelFormats: ["yuv422p", "yuv422p10le", "yuv444p10le"].compactMap { PixelFormat(name: $0) },
            bitsPerPixel: 2, minWidth: 256, minHeight: 120))

    // Only the name is FFmpeg's: GIF frames are encoded in this module, with one palette for the
    // clip.
    private static let gif = CodecProfile(
        encoder: "gif", quality: nil, speed: nil,
        traits: EncoderTraits(
            imageSequence: ImageSequenceCoding(kind: .gif, encoder: "gif", formats: [.bgra]), bitsPerPixel: 0.05,
            bytesPerPixel: 40, library: "libimagequant"))

    // Rows of drawings usually compress best unfiltered. Rows of photographs compress better as the
    // difference from the pixels to the left or above.
    private static let apng = CodecProfile(
        encoder: "apng", quality: nil,
        speed: Setting(option: "compression_level", range: 0...9, defaultValue: "9"),
        traits: EncoderTraits(
            translucentFormat: .rgba,
            imageSequence: ImageSequenceCoding(
                kind: .png, encoder: "png", formats: [.rgb24, .rgba],
                candidateOptions: [["pred": "none"], ["pred": "mixed"]]),
            bitsPerPixel: 0.15, bytesPerPixel: 40))

    // Lossless unless a quality is set. FFmpeg's encoder for whole animations is not used, since it
    // returns them only at the end of the stream.
    static let webp = CodecProfile(
        encoder: "libwebp",
        quality: Setting(
            option: "quality", range: 0...100, takesDecimals: true, smallerValues: ["90", "85", "80", "75"],
            implied: ["lossless": "0"]),
        speed: Setting(option: "compression_level", range: 0...6, defaultValue: "4"),
        options: ["lossless": "1"],
        traits: EncoderTraits(
            translucentFormat: .bgra,
            imageSequence: ImageSequenceCoding(kind: .webp, encoder: "libwebp", formats: [.bgra]), bitsPerPixel: 0.1,
            library: "libwebp"
        ))
}
