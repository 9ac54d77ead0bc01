/// The frames of a clip that repeat.
public struct Repetition: Sendable, Hashable {
    /// The number of frames after which all frames repeat; nil if they do not.
    public var cycleFrames: Int?
    /// Runs of equal frames within a cycle, in order.
    public var stills: [Range<Int>]

    /// A repetition; by default no frames repeat.
    public init(cycleFrames: Int? = nil, stills: [Range<Int>] = []) {
        self.cycleFrames = cycleFrames
        self.stills = stills
    }

    /// Returns true if the repetition is valid for a clip of `frameCount` frames.
    func fits(_ frameCount: Int) -> Bool {
        let cycle = cycleFrames ?? frameCount
        guard cycle > 0 else { return false }
        let edges = [0] + stills.flatMap { [$0.lowerBound, $0.upperBound] } + [min(cycle, frameCount)]
        return zip(edges, edges.dropFirst()).allSatisfy { $0 <= $1 }
    }
}
