extension Collection where Element: Comparable {
    /// The median: the middle one of the sorted elements, the upper one of two in the middle, or
    /// nil if there are no elements.
    var median: Element? {
        let sorted = sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
}
