import Analysis
import Media

/// What is known of a clip before anything is decoded.
struct PacketSurvey {
    /// Packets of pictures.
    private(set) var packetCount = 0
    /// Those at which decoding can begin.
    private(set) var keyCount = 0
    /// Whether there is transparency beside the pictures.
    private(set) var hasSideAlpha = false
    /// The even distance of the pictures.
    private(set) var grid: FrameGrid

    /// Reads all packets, or what of them can be read.
    init(_ file: InputFile, _ structure: FileStructure, _ stream: StreamDescription, _ limits: ClipLimits) throws {
        var counts = (packets: 0, keys: 0, hasAlpha: false)
        grid = try FrameGrid(
            clock: stream.clock, precision: structure.precision(clock: stream.clock), saidRate: stream.saidRate
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
        var (place, time): (Int, Int64) = (canvas.start, 0)
        while let (frame, next) = try? WebPChunks.frame(from: place, on: canvas, &reader) {
            // Before anything is decoded, since a few bytes can ask for minutes of work.
            try budget.takePacket()
            try budget.takePicture(width: canvas.width, height: canvas.height)
            body(time)
            count()
            time += Int64(frame.duration)
            place = next
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
        // What is damaged is found when it is decoded.
        while let packet = try? demuxer.readAny() {
            try budget.takePacket()
            guard packet.isVideo else { continue }
            try budget.takePicture(width: stream.width, height: stream.height)
            counts.packets += 1
            counts.keys += packet.packet.isKeyFrame ? 1 : 0
            if !counts.hasAlpha, let alpha = try packet.packet.alpha() { counts.hasAlpha = alpha.byteCount > 0 }
            if let time = packet.packet.pts, let next = order.add(time) { body(next) }
        }
        order.rest.forEach(body)
    }
}

/// Puts times of packets, which come as they are decoded, in the order in which pictures are shown.
private struct DisplayOrder {
    private var waiting: [Int64] = []
    /// No codec holds back more pictures.
    private static let depth = 32

    /// The times that are left at the end.
    var rest: [Int64] { waiting }

    mutating func add(_ time: Int64) -> Int64? {
        let place = waiting.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
        waiting.insert(time, at: place)
        return waiting.count > Self.depth ? waiting.removeFirst() : nil
    }
}
