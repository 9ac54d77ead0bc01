extension Sequence {
    /// Returns the elements in groups: each joins the first group whose first element is like it,
    /// or begins one.
    ///
    /// - Parameter limit: the maximum number of groups, with which each element is compared. Beyond
    ///   it, there are none.
    func grouped(limit: Int = .max, _ isAlike: (Element, Element) -> Bool) -> [[Element]] {
        var groups: [[Element]] = []
        for element in self {
            if let index = groups.firstIndex(where: { isAlike($0[0], element) }) {
                groups[index].append(element)
            } else {
                guard groups.count < limit else { return [] }
                groups.append([element])
            }
        }
        return groups
    }
}
