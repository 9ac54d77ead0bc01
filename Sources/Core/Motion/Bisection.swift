extension Range<Int> {
    /// Returns the first number for which a condition is false, by bisection; the upper bound if
    /// there is none. The condition must be true before that number and false from it on.
    package func partitionPoint(_ condition: (Int) -> Bool) -> Int {
        var low = lowerBound
        var high = upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if condition(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
