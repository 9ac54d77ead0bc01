import Media

/// What a file's own structure says, read without decoding anything.
struct FileStructure {
    /// The containers that are known well.
    enum Kind: Hashable {
        case mp4, mov, matroska, webm, gif, apng, webp
        /// Whatever libavformat calls it.
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

        /// Whether it is an animated picture, which says itself how often it is played.
        var isAnimation: Bool { [.gif, .apng, .webp].contains(self) }
        /// Whether key frames can be gone to by its index.
        var isSeekable: Bool { [.mp4, .mov, .matroska, .webm].contains(self) }
        /// Whether its first picture is shown at 0.
        var beginsAtZero: Bool { isAnimation || isSeekable }
    }

    /// How a picture of an animation is shown: for how long, in the container's words.
    struct Delays {
        /// Pictures so far.
        var count = 0
        /// Those that are shown for no time at all, or as players see it for another one; and the first of them.
        var (tooShort, firstTooShort) = (0, 0)
        /// The most parts of a second by which one is given; 0 if the container's clock is all there is.
        var mostParts = 0

        mutating func add(isTooShort: Bool) {
            if isTooShort {
                if tooShort == 0 { firstTooShort = count }
                tooShort += 1
            }
            count += 1
        }
    }

    var kind: Kind
    /// How often it is played: 0 without end, nil if the container has no word for it.
    var loopCount: Int?
    /// Why it is not whole; nil if nothing is missing.
    var cut: String?
    /// What is damaged though it can be read.
    var damage: String?
    /// Whether what players need first comes first; nil where that is no question.
    var isFastStart: Bool?
    /// Whether it has an index by which players find key frames; nil where that is no question.
    var hasIndex: Bool?
    /// How many pictures it says it has; nil if it says nothing.
    var saidFrames: Int?
    /// Delays of an animation.
    var delays = Delays()
    /// Bytes behind its end.
    var trailingBytes = 0

    init(kind: Kind) { self.kind = kind }

    /// What times are rounded to, in seconds: the clock's unit, or a coarser one in which the file gives delays.
    ///
    /// APNG gives each as a fraction: of hundredths as in GIF, of milliseconds or less, or of a rate, as 1/25, which is exact.
    func precision(clock: Double) -> Double {
        switch delays.mostParts {
        case 0: clock
        case 100: max(clock, 0.01)
        default: max(clock, 1 / Double(max(1000, delays.mostParts)))
        }
    }

    /// Reads a file's structure. Throws `FFmpegError` if the system cannot read it.
    init(_ file: InputFile) throws {
        var reader = ByteReader(file)
        let head = try reader.bytes(at: 0, min(16, file.byteCount)) ?? []
        if head.starts(with: Array("GIF8".utf8)) {
            self = try GIFBlocks.structure(&reader)
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = try PNGChunks.structure(&reader)
        } else if head.starts(with: Array("RIFF".utf8)), Array(head.dropFirst(8).prefix(4)) == Array("WEBP".utf8) {
            self = try WebPChunks.structure(&reader)
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = try MatroskaElements.structure(&reader)
        } else if Array(head.dropFirst(4).prefix(4)) == Array("ftyp".utf8) {
            self = try MP4Boxes.structure(&reader)
        } else {
            self.init(kind: .other("unknown"))
        }
    }

    /// The words for a part that the file ends within.
    static func cut(_ part: String, needs end: Int, of byteCount: Int) -> String {
        "its \(part) ends at byte \(end), the file at byte \(byteCount)"
    }
}
