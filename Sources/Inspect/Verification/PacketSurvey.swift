import Media

/// The statistics of a clip's packets, collected before anything is decoded.
struct PacketSurvey {
    /// The number of video packets.
    private(set) var packetCount = 0
    /// The number of keyframes.
    private(set) var keyCount = 0
    /// True if the packets carry alpha as side data.
    private(set) var hasSideAlpha = false
    /// The time of the first packet and the end of the last one in seconds, of all streams of a
    /// container with one clock; nil for others.
    private(set) var startTime, endTime: Double?
    /// The end of the sound in seconds from the first packet of any stream, in containers with one
    /// clock; nil if there is none. As in MP4, silence before the sound belongs to it.
    private(set) var soundEnd: Double?
    /// The start of the frames in seconds from the first packet of any stream, in containers with
    /// one clock; 0 for others.
    private(set) var frameStart = 0.0
    /// The regular interval of the frames.
    private(set) var grid: FrameInterval

    /// The numbers of packets, and their times if all streams have one clock.
    private struct Counts {
        var packets = 0
        var keys = 0
        var hasAlpha = false
        var all: ClosedRange<Int64>?
        var soundEnd: Int64?
        var frameStart: Int64?

        mutating func add(_ packet: Packet, isVideo: Bool, isSound: Bool) {
            guard let start = packet.pts else { return }
            let (sum, overflow) = start.addingReportingOverflow(max(0, packet.duration))
            guard !overflow else { return }
            all = all.map { min($0.lowerBound, start)...max($0.upperBound, sum) } ?? start...sum
            if isVideo { frameStart = min(frameStart ?? start, start) }
            if isSound { soundEnd = max(soundEnd ?? sum, sum) }
        }
    }

    /// Reads all packets, or as many as can be read.
    init(_ file: InputFile, _ structure: FileStructure, _ stream: StreamDescription, _ limits: ClipLimits) throws {
        var counts = Counts()
        grid = try FrameInterval(
            clock: stream.clock, precision: structure.precision(clock: stream.clock), declaredRate: stream.declaredRate
        ) { body in
            counts = Counts()
            if structure.kind == .webp {
                try Self.webpTimes(file, limits, { counts.packets += 1 }, body)
                counts.keys = 1
            } else {
                try Self.libavTimes(file, structure, stream, limits, &counts, body)
            }
        }
        packetCount = counts.packets
        keyCount = counts.keys
        hasSideAlpha = counts.hasAlpha
        startTime = counts.all.map { Double($0.lowerBound) * stream.clock }
        endTime = counts.all.map { Double($0.upperBound) * stream.clock }
        if let first = counts.all?.lowerBound {
            soundEnd = counts.soundEnd.map { (Double($0) - Double(first)) * stream.clock }
            frameStart = counts.frameStart.map { (Double($0) - Double(first)) * stream.clock } ?? 0
        }
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
            // The limits apply before anything is decoded, because a few bytes can require minutes
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
        _ file: InputFile, _ structure: FileStructure, _ stream: StreamDescription, _ limits: ClipLimits,
        _ counts: inout Counts,
        _ body: (Int64) -> Void
    ) throws {
        let demuxer = try Demuxer(file)
        var budget = ClipBudget(limits, for: file)
        var order = DisplayOrder()
        // Damage is reported when the data is decoded.
        while let packet = try? demuxer.readAny() {
            try budget.takePacket()
            if stream.sharesClock {
                let isMatroska = [.matroska, .webm].contains(structure.kind)
                let isSound =
                    isMatroska ? structure.soundTracks.contains(packet.packet.streamIndex) : !packet.isSelected
                counts.add(packet.packet, isVideo: packet.isSelected, isSound: isSound)
            }
            guard packet.isSelected else { continue }
            try budget.takeFrame(width: stream.width, height: stream.height)
            counts.packets += 1
            counts.keys += packet.packet.isKeyFrame ? 1 : 0
            if !counts.hasAlpha, let alpha = try packet.packet.alpha() { counts.hasAlpha = alpha.byteCount > 0 }
            if let time = packet.packet.pts, let next = order.add(time) { body(next) }
        }
        order.rest.forEach(body)
    }
}

/// A reorder buffer that sorts packet timestamps from decoding order into display order.
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
