extension Range<Int> {
    /// Returns the number of the range from which on a condition is false, by bisection; the upper
    /// bound if it is true throughout. It must be true for all numbers before.
    package func partitionPoint(_ condition: (Int) -> Bool) -> Int {
        var low = lowerBound
        var high = upperBound
        while low < high {
            let middle = (low + high) / 2
            if condition(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
