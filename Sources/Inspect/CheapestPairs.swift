/// Returns a greedy matching of the elements of two lists, each of which occurs at most once: the
/// cheapest pair of all candidates, then the cheapest of those left, and so on.
///
/// - Parameter candidates: the pairs to choose from, as indices in the lists. Of those that cost
///   the same, the one with the smaller indices comes first.
func cheapestPairs<Cost: Comparable>(
    _ candidates: [(cost: Cost, first: Int, second: Int)]
) -> [(first: Int, second: Int)] {
    var firsts: Set<Int> = []
    var seconds: Set<Int> = []
    var chosen: [(first: Int, second: Int)] = []
    let sorted = candidates.sorted { ($0.cost, $0.first, $0.second) < ($1.cost, $1.first, $1.second) }
    for pair in sorted where !firsts.contains(pair.first) && !seconds.contains(pair.second) {
        firsts.insert(pair.first)
        seconds.insert(pair.second)
        chosen.append((pair.first, pair.second))
    }
    return chosen
}
