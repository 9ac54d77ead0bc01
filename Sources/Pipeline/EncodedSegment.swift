import Media

/// The packets of a segment, in decoding order, with times from its first frame on.
struct EncodedSegment: Sendable {
    let packets: [Packet]
    let parameters: CodecParameters
    /// When each packet's picture is shown, in frames.
    let times: [Int]
    /// The same in the order of presentation, and each packet's place in it.
    private let shown: [Int]
    private let ranks: [Int]

    init(packets: [Packet], parameters: CodecParameters) {
        (self.packets, self.parameters) = (packets, parameters)
        let times = packets.enumerated().map { Int($0.element.pts ?? Int64($0.offset)) }
        let order = times.indices.sorted { times[$0] < times[$1] }
        var ranks = [Int](repeating: 0, count: times.count)
        for (rank, number) in order.enumerated() { ranks[number] = rank }
        (self.times, self.ranks, shown) = (times, ranks, order.map { times[$0] })
    }

    /// How many pictures decoding must run ahead of presentation, as the encoder says or as this segment shows.
    var reorderDelay: Int { ranks.enumerated().reduce(parameters.videoDelay) { max($0, $1.offset - $1.element) } }

    /// When each packet is decoded, in frames: at the time at which the picture `delay` places before it in order is
    /// shown, or as long before the first. The same delay throughout a clip keeps these times growing across segments of
    /// any length.
    func decodingTimes(delay: Int) -> [Int] { shown.indices.map { $0 < delay ? $0 - delay : shown[$0 - delay] } }

    /// How long a packet's picture is shown, in frames.
    func duration(of number: Int, in segment: Segment) -> Int {
        let next = ranks[number] + 1
        return (next < shown.count ? shown[next] : segment.frameCount) - times[number]
    }
}
