import Media

/// The structure of a file, parsed without decoding any frame.
struct FileStructure {
    /// The containers that have their own parser.
    enum Kind: Hashable {
        case mp4, mov, matroska, webm, gif, apng, webp
        /// A container with libavformat's name.
        case other(String)

        var name: String {
            switch self {
            case .mp4: "MP4"
            case .mov: "MOV"
            case .matroska: "Matroska"
            case .webm: "WebM"
            case .gif: "GIF"
            case .apng: "APNG"
            case .webp: "WebP"
            case .other(let name): name
            }
        }

        /// True if it is an animated image, which has a loop count.
        var isAnimatedImage: Bool { [.gif, .apng, .webp].contains(self) }
        /// True if its index allows seeking to keyframes.
        var isSeekable: Bool { [.mp4, .mov, .matroska, .webm].contains(self) }
        /// True if its first frame should start at 0.
        var beginsAtZero: Bool { isAnimatedImage || isSeekable }
    }

    /// The frame delays of an animated image.
    struct Delays {
        /// The number of frames so far.
        var count = 0
        /// The number of delays that players replace with a longer one.
        var tooShort = 0
        /// The index of the first frame with such a delay; 0 if there is none.
        var firstTooShort = 0
        /// The largest denominator of a delay in seconds; 0 if delays are in units of the
        /// container's clock.
        var maxDenominator = 0

        mutating func add(isTooShort: Bool) {
            if isTooShort {
                if tooShort == 0 { firstTooShort = count }
                tooShort += 1
            }
            count += 1
        }
    }

    /// A duration that a header declares, and the one that the file's tables add up to.
    struct HeaderDuration {
        /// The name of the header.
        var header: String
        /// Both durations, and the regular interval of the samples, in seconds.
        var declared, actual, step: Double
    }

    var kind: Kind
    /// The durations that MP4 headers declare; empty for other containers.
    var durations: [HeaderDuration] = []
    /// The end of the last sound track in seconds, with the silence before it; nil if unknown.
    var soundEnd: Double?
    /// The seconds before the first frame that an MP4's edit list adds.
    var frameStart = 0.0
    /// The duration that a Matroska segment declares in seconds; nil if unknown.
    var segmentSeconds: Double?
    /// The indices of a Matroska file's sound tracks.
    var soundTracks: Set<Int> = []
    /// The first fault in an animated image that strict decoders refuse; nil if there is none.
    var invalidData: String?
    /// The loop count, 0 for endless; nil if the container has none.
    var loopCount: Int?
    /// A description of the missing end; nil if the file is complete.
    var truncation: String?
    /// A description of damage that does not prevent reading.
    var damage: String?
    /// True if the index precedes the media data; nil for containers without that distinction.
    var isFastStart: Bool?
    /// True if the file has an index of keyframes; nil for containers without one.
    var hasIndex: Bool?
    /// The declared number of frames; nil if the file declares none.
    var declaredFrameCount: Int?
    /// True for AVIF, whose alpha is a stream of its own.
    var isAVIF = false
    /// True for an image without animation, which an AVIF of one frame is, too.
    var isStill = false
    /// True if a still AVIF has an item with its alpha.
    var hasAlphaItem = false
    /// True for a still AVIF, for which FFmpeg invents a duration of a second.
    var isUntimed: Bool { isAVIF && isStill }
    /// The delays of an animated image.
    var delays = Delays()
    /// The number of bytes after the end of the container.
    var trailingBytes = 0

    init(kind: Kind) { self.kind = kind }

    /// Returns the precision of frame times in seconds: the time base, or a coarser unit of the
    /// delays.
    ///
    /// APNG stores each delay as a fraction: in hundredths as GIF does, in milliseconds or finer
    /// units, or with the frame rate as denominator, such as 1/25, which is exact.
    func precision(clock: Double) -> Double {
        switch delays.maxDenominator {
        case 0: clock
        case 100: max(clock, 0.01)
        default: max(clock, 1 / Double(max(1000, delays.maxDenominator)))
        }
    }

    /// Parses the structure of a file. Throws `FFmpegError` if the system cannot read it.
    init(_ file: InputFile) throws {
        var reader = ByteReader(file)
        let head = try reader.bytes(at: 0, min(16, file.byteCount)) ?? []
        if head.starts(with: Array("GIF8".utf8)) {
            self = try GIFBlocks.structure(&reader)
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = try PNGChunks.structure(&reader)
            isStill = declaredFrameCount == nil
        } else if head.starts(with: Array("RIFF".utf8)), Array(head.dropFirst(8).prefix(4)) == Array("WEBP".utf8) {
            self = try WebPChunks.structure(&reader)
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = try MatroskaElements.structure(&reader)
        } else if Array(head.dropFirst(4).prefix(4)) == Array("ftyp".utf8) {
            self = try MP4Boxes.structure(&reader)
            let brand = String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)
            isAVIF = ["avif", "avis"].contains(brand)
            isStill = brand == "avif"
            if isStill { hasAlphaItem = try Self.hasAlphaItem(&reader) }
            // FFmpeg 5.1 leaves the duration of an AVIF's movie at 0, which players do not read.
            if isAVIF { durations.removeAll { $0.declared == 0 } }
        } else if Self.firstQuickTimeBoxes.contains(String(decoding: head.dropFirst(4).prefix(4), as: UTF8.self)) {
            self = try MP4Boxes.structure(&reader)
            kind = .mov
        } else {
            self.init(kind: .other("unknown"))
            truncation = try FixedSizeParts.truncation(&reader)
        }
    }

    /// The boxes with which QuickTime files without `ftyp` begin.
    private static let firstQuickTimeBoxes: Set = ["moov", "mdat", "wide", "free", "skip", "pnot"]

    /// The number of bytes that are searched for an item's type. The box `meta` of an image comes
    /// first, and that of one frame has less than a kilobyte.
    private static let maxMetaBytes = 1 << 16
    /// The type of an item with alpha, as MIAF (ISO/IEC 23000-22) defines it.
    private static let alphaType = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8)

    /// Returns true if an image file declares an item with alpha. FFmpeg 5.1 does not read such
    /// items.
    private static func hasAlphaItem(_ reader: inout ByteReader) throws -> Bool {
        let head = try reader.bytes(at: 0, min(maxMetaBytes, reader.byteCount)) ?? []
        return head.indices.contains { head[$0...].starts(with: alphaType) }
    }

    /// Returns a description of what is missing at the end of a completely read clip, according to
    /// its container; nil if nothing is missing.
    ///
    /// - Parameters:
    ///   - count: the number of frames read.
    ///   - duration: their total duration in seconds.
    ///   - start: the time of the first frame in seconds. Some containers do not subtract it from
    ///     the duration.
    ///   - declaredDuration: the duration that the container declares, in seconds; nil if it
    ///     declares none.
    ///   - step: the regular interval between frames in seconds.
    ///   - clock: the unit of frame times in seconds.
    func missingEnd(
        count: Int, duration: Double, start: Double, declaredDuration: Double?, step: Double, clock: Double
    ) -> String? {
        if let declaredFrameCount, declaredFrameCount > count {
            return "it has \(count) of \(declaredFrameCount) frames"
        }
        let end = max(duration, start + duration)
        guard let declaredDuration, count > 0, !kind.isAnimatedImage, end < declaredDuration - 0.75 * step - 2 * clock
        else { return nil }
        return "it ends after \(decimal(duration)) s of \(decimal(declaredDuration)) s"
    }

    /// Returns the description of a part that continues past the end of the file.
    static func truncation(_ part: String, needs end: Int, of byteCount: Int) -> String {
        "its \(part) ends at byte \(end), but the file at byte \(byteCount)"
    }
}
