import Core

/// A search, in few trials, for the first step of a ladder whose file fits a limit. Predicts each
/// step's size from the last two by the secant method on the logarithms of the sizes, between the
/// last step known to be too large and the first known to fit. The result depends on the sizes
/// alone.
///
/// Interpolating between these two steps instead (regula falsi) approaches the limit slowly if the
/// first size is far from the truth: that of a clip whose rendering ended early is an estimate.
struct LadderSearch {
    /// Natural logarithms of the expected sizes relative to the first step.
    private let expected: [Double]
    private let limit: Double
    /// The last step known to be too large and the first known to fit, with the logarithms of their
    /// sizes.
    private var tooLarge: (index: Int, size: Double)
    private var fitting: (index: Int, size: Double)?
    /// The last two recorded steps, the latest one last.
    private var latest: [(index: Int, size: Double)]
    /// The number of files that were too large before one fitted, without the first step's.
    private var misses = 0

    /// The share of the limit that ends the search: a file that fits and fills this share hardly
    /// improves with the next larger step.
    static let sufficientShare = 0.9
    /// The share of the limit that a prediction aims at, in the middle of the sufficient range, so
    /// that errors in both directions stay within it.
    private static let aimedShare = 0.95
    /// The factor by which the aim falls with each further file that is too large. Once a step
    /// fits, the search continues between two steps; a last trial of the smallest step would end it
    /// far below the limit.
    private static let missedShare = 0.75

    /// A search in a ladder whose first step has a file of `first` bytes, which is more than
    /// `limit`.
    init(expected: [Double], limit: Int, first: Int) {
        self.expected = expected
        self.limit = log(Double(limit))
        tooLarge = (0, log(Double(max(1, first))))
        latest = [tooLarge]
    }

    /// The step that fits; nil if none was found. Of several it is the one with the largest file.
    var found: Int? { fitting?.index }

    /// Records the size of a step's file in bytes.
    mutating func record(_ index: Int, bytes: Int) {
        let size = log(Double(max(1, bytes)))
        if size <= limit {
            fitting = (index, size)
        } else {
            tooLarge = (index, size)
            if fitting == nil { misses += 1 }
        }
        latest = latest.suffix(1) + [(index, size)]
    }

    /// Returns the step to try next; nil if the search is over. The last trial takes the smallest
    /// file if none has fit yet.
    mutating func next(trialsLeft: Int) -> Int? {
        let last = expected.count - 1
        guard trialsLeft > 0, tooLarge.index < last else { return nil }
        guard let fitting else {
            guard trialsLeft > 1 else { return last }
            return (tooLarge.index + 1...last).first(where: isExpectedToFit) ?? last
        }
        guard fitting.size < limit + log(Self.sufficientShare), fitting.index - tooLarge.index > 1 else { return nil }
        let between = tooLarge.index + 1..<fitting.index
        return between.first(where: isExpectedToFit) ?? between.upperBound - 1
    }

    private func isExpectedToFit(_ index: Int) -> Bool {
        let aim = Self.aimedShare * (fitting == nil ? pow(Self.missedShare, Double(max(0, misses - 1))) : 1)
        return size(of: index) <= limit + log(aim)
    }

    /// Returns the logarithm of the predicted size of a step's file, from the slope between the
    /// last two sizes, or the expected slope after the first one.
    private func size(of index: Int) -> Double {
        let last = latest[latest.count - 1]
        let distance = expected[index] - expected[last.index]
        let run = expected[last.index] - expected[latest[0].index]
        let slope = run == 0 ? 1 : (last.size - latest[0].size) / run
        // Two similar sizes say little about distant steps. Between two sizes on both sides of the
        // limit, the slope is that of the steps in question.
        let isBetween = (last.size <= limit) != (latest[0].size <= limit)
        return last.size + (isBetween ? slope : min(max(slope, 0.5), 2)) * distance
    }
}
