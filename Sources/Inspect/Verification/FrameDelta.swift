/// The change between two successive frames.
struct FrameDelta {
    /// The mean difference of samples in codes. It stops growing once objects move by more than
    /// their own width.
    var mean: Double
    /// The amount of visibly changed colour times the distance that it moves, along both axes, per
    /// sample. Unlike the mean, it keeps growing with the distance. Colour that appears or
    /// disappears counts as moved from or to the right and lower edges.
    var travel = 0.0
    /// The part of `mean` in samples that change visibly, which coding noise hardly affects.
    var visible = 0.0
    /// True if the change is more than noise: at least four samples change visibly, and make up at
    /// least 30% of it.
    var isMotion: Bool

    /// The difference in codes above which a sample visibly changes.
    static let minVisibleDifference = 16

    init(mean: Double, isMotion: Bool) { (self.mean, self.isMotion) = (mean, isMotion) }

    /// Measures the change between two frames of equal dimensions.
    init(_ a: Pixels, _ b: Pixels) {
        guard a.bytes.count == b.bytes.count, !a.bytes.isEmpty else {
            self.init(mean: 255, isMotion: true)
            return
        }
        let width = a.width
        var sum = 0
        var strong = 0
        var count = 0
        var columns = [Int](repeating: 0, count: 4 * width)
        var rows = [Int](repeating: 0, count: 4 * a.height)
        a.bytes.withUnsafeBufferPointer { a in
            b.bytes.withUnsafeBufferPointer { b in
                for index in a.indices {
                    let difference = Int(a[index]) - Int(b[index])
                    guard difference != 0 else { continue }
                    sum += abs(difference)
                    guard abs(difference) > Self.minVisibleDifference else { continue }
                    strong += abs(difference)
                    count += 1
                    columns[index % (4 * width)] += difference
                    rows[index / (4 * width) * 4 + index % 4] += difference
                }
            }
        }
        self.init(mean: Double(sum) / Double(a.bytes.count), isMotion: count >= 4 && strong * 10 >= sum * 3)
        visible = Double(strong) / Double(a.bytes.count)
        travel = Double(Self.transportCost(columns) + Self.transportCost(rows)) / Double(a.bytes.count)
    }

    /// Returns the earth mover's distance between two rows of sums, given their differences for
    /// four interleaved channels.
    private static func transportCost(_ differences: [Int]) -> Int {
        var carried = [0, 0, 0, 0]
        var transportCost = 0
        for (index, difference) in differences.enumerated() {
            carried[index % 4] += difference
            transportCost += abs(carried[index % 4])
        }
        return transportCost
    }
}
