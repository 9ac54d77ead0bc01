/// A few frames of a clip, spread over its duration.
struct ClipSamples {
    let view: RegionView
    /// The frames in RGBA, in order.
    let frames: [[UInt8]]

    /// The maximum number of frames.
    static let maxFrames = 60

    /// Returns the indices of the sampled frames: one from each of `maxFrames` equal intervals, at
    /// offsets that follow no period.
    static func sampleIndices(of count: Int) -> [Int] {
        Set(Judge.sampled(count, maxFrames)).sorted()
    }

    init(_ reader: ClipReader, _ view: RegionView, count: Int) throws {
        self.view = view
        var wanted = ClipSamples.sampleIndices(of: count)[...]
        let scaler = try view.scaler()
        var frames: [[UInt8]] = []
        try reader.forEachFrame { frame, number, _ in
            if number == wanted.first {
                frames.append(Array(try scaler.rgba(frame)))
                wanted = wanted.dropFirst()
            }
            return !wanted.isEmpty
        }
        self.frames = frames
    }

    /// The noise of a still pixel in codes, from the differences between successive samples.
    var noise: Double {
        var differences: [Double] = []
        for (before, after) in zip(frames, frames.dropFirst()).prefix(12) {
            var index = 0
            while index < before.count {
                differences.append(Double(abs(Int(before[index + 1]) - Int(after[index + 1]))))
                index += 4 * 37
            }
        }
        return differences.estimatedDeviation
    }
}
