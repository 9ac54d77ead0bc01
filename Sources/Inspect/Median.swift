extension Collection<Double> {
    /// The standard deviation of normally distributed errors, estimated from their absolute values
    /// (the scaled median absolute deviation); 0 without values.
    var estimatedDeviation: Double { 1.48 * (median ?? 0) }
}

extension Collection where Element: Comparable {
    /// The median: the middle one of the sorted elements, the upper one of two in the middle, or
    /// nil if there are no elements.
    var median: Element? {
        let sorted = sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    /// Returns the element that a share of the sorted elements, in 0..<100 percent, precede; nil if
    /// there are no elements.
    func percentile(_ percent: Int) -> Element? {
        let sorted = sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count * percent / 100]
    }
}

extension Collection where Element: Comparable & AdditiveArithmetic {
    /// The range of the elements without outliers, the lowest and the highest 5 percent; nil if
    /// there are no elements.
    var spread: Element? {
        let sorted = sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count * 95 / 100] - sorted[sorted.count * 5 / 100]
    }
}

extension Collection<Double> {
    /// The root of the mean square; 0 if there are no elements.
    var rootMeanSquare: Double { (reduce(0) { $0 + $1 * $1 } / Double(Swift.max(1, count))).squareRoot() }
}
