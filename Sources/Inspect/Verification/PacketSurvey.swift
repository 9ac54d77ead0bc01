import Media

/// The statistics of a clip's packets, collected before anything is decoded.
struct PacketSurvey {
    /// The number of video packets.
    private(set) var packetCount = 0
    /// The number of keyframes.
    private(set) var keyCount = 0
    /// True if the packets carry alpha as side data.
    private(set) var hasSideAlpha = false
    /// The regular interval of the frames.
    private(set) var grid: FrameGrid

    /// Reads all packets, or as many as can be read.
    init(_ file: InputFile, _ structure: FileStructure, _ stream: StreamDescription, _ limits: ClipLimits) throws {
        var counts = (packets: 0, keys: 0, hasAlpha: false)
        grid = try FrameGrid(
            clock: stream.clock, precision: structure.precision(clock: stream.clock), declaredRate: stream.declaredRate
        ) { body in
            counts = (0, 0, false)
            if structure.kind == .webp {
                try Self.webpTimes(file, limits, { counts.packets += 1 }, body)
                counts.keys = 1
            } else {
                try Self.libavTimes(file, stream, limits, &counts, body)
            }
        }
        (packetCount, keyCount, hasSideAlpha) = counts
    }

    private static func webpTimes(
        _ file: InputFile, _ limits: ClipLimits, _ count: () -> Void, _ body: (Int64) -> Void
    ) throws {
        var budget = ClipBudget(limits, for: file)
        var reader = ByteReader(file)
        guard let canvas = try WebPChunks.canvas(&reader) else { return }
        var offset = canvas.start
        var time: Int64 = 0
        while let (frame, next) = try? WebPChunks.frame(from: offset, on: canvas, &reader) {
            // The limits apply before anything is decoded, because a few bytes can ask for minutes
            // of work.
            try budget.takePacket()
            try budget.takeFrame(width: canvas.width, height: canvas.height)
            body(time)
            count()
            time += Int64(frame.duration)
            offset = next
        }
    }

    private static func libavTimes(
        _ file: InputFile, _ stream: StreamDescription, _ limits: ClipLimits,
        _ counts: inout (packets: Int, keys: Int, hasAlpha: Bool),
        _ body: (Int64) -> Void
    ) throws {
        let demuxer = try Demuxer(file)
        var budget = ClipBudget(limits, for: file)
        var order = DisplayOrder()
        // Damage is reported when the data is decoded.
        while let packet = try? demuxer.readAny() {
            try budget.takePacket()
            guard packet.isVideo else { continue }
            try budget.takeFrame(width: stream.width, height: stream.height)
            counts.packets += 1
            counts.keys += packet.packet.isKeyFrame ? 1 : 0
            if !counts.hasAlpha, let alpha = try packet.packet.alpha() { counts.hasAlpha = alpha.byteCount > 0 }
            if let time = packet.packet.pts, let next = order.add(time) { body(next) }
        }
        order.rest.forEach(body)
    }
}

/// Sorts packet timestamps from decoding order into display order.
private struct DisplayOrder {
    private var waiting: [Int64] = []
    /// The maximum number of frames that any codec reorders.
    private static let depth = 32

    /// The remaining timestamps at the end.
    var rest: [Int64] { waiting }

    mutating func add(_ time: Int64) -> Int64? {
        let index = waiting.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
        waiting.insert(time, at: index)
        return waiting.count > Self.depth ? waiting.removeFirst() : nil
    }
}
