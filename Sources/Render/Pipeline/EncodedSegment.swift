import Media

/// The packets of a segment in decoding order, with times relative to its first frame.
struct EncodedSegment: Sendable {
    let packets: [Packet]
    let parameters: CodecParameters
    /// The presentation time of each packet, in frames.
    let times: [Int]
    /// The presentation times in ascending order.
    private let sortedTimes: [Int]
    /// The index of each packet in presentation order.
    private let ranks: [Int]

    init(packets: [Packet], parameters: CodecParameters) {
        self.packets = packets
        self.parameters = parameters
        let times = packets.enumerated().map { Int($0.element.pts ?? Int64($0.offset)) }
        let order = times.indices.sorted { times[$0] < times[$1] }
        var ranks = [Int](repeating: 0, count: times.count)
        for (rank, number) in order.enumerated() { ranks[number] = rank }
        self.times = times
        self.ranks = ranks
        sortedTimes = order.map { times[$0] }
    }

    /// The number of frames that decoding must run ahead of presentation: the maximum of what the
    /// encoder reports and what this segment needs.
    var reorderDelay: Int { ranks.enumerated().reduce(parameters.videoDelay) { max($0, $1.offset - $1.element) } }

    /// Returns the decoding time of each packet, in frames: the presentation time of the frame that
    /// is `delay` frames earlier in presentation order, or a time before the first frame. With the
    /// same delay throughout a clip, decoding times increase across segments of any length.
    func decodingTimes(delay: Int) -> [Int] {
        sortedTimes.indices.map { $0 < delay ? $0 - delay : sortedTimes[$0 - delay] }
    }

    /// Returns the duration of a packet's frame, in frames.
    func duration(of number: Int, in segment: Segment) -> Int {
        let next = ranks[number] + 1
        return (next < sortedTimes.count ? sortedTimes[next] : segment.frameCount) - times[number]
    }
}
