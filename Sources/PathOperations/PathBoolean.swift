import Scene

/// How paths are combined: After Effects' modes of Merge Paths.
package enum PathBoolean: Sendable, CaseIterable {
    /// What any of them covers.
    case union
    /// What the first covers and none of the others.
    case subtract
    /// What all of them cover.
    case intersect
    /// What an odd number of them covers.
    case exclude

    /// Whether an area is wanted that some of so many operands cover.
    fileprivate func wants(_ count: Int, isCovered: (Int) -> Bool) -> Bool {
        switch self {
        case .union: (0..<count).contains(where: isCovered)
        case .subtract: isCovered(0) && !(1..<max(1, count)).contains(where: isCovered)
        case .intersect: (0..<count).allSatisfy(isCovered)
        case .exclude: (0..<count).filter(isCovered).count % 2 == 1
        }
    }
}

extension Path {
    /// The paths combined into one, whose inside is the same by the nonzero rule and by the even-odd rule.
    ///
    /// Operands are filled by the nonzero rule; open subpaths are closed by a straight line; an arc's whole turns beyond the first
    /// are left out, as when it is drawn. Subpaths that are simple, and whose bounds meet nobody else's, stay what they are,
    /// curves included. Of all others polygons are made, outer ones clockwise and holes anticlockwise. The same paths give the
    /// same result to the bit.
    ///
    /// What cannot be computed comes back as it was, all operands in one path: numbers that are not finite, coordinates beyond
    /// 1e9 points, arcs beyond 1e6 radians, and work without bounds, which is more than 20,000 edges that hang together or more
    /// than 50,000 places where these meet.
    ///
    /// - Parameters:
    ///   - regions: the operands, in order.
    ///   - operation: what is wanted of them.
    ///   - flatness: how far polygons may stray from curves, in points; at least 1e-7 of the farthest coordinate.
    ///   - effort: what this and other operations may take together; where it is spent nothing can be computed.
    package static func combining(
        _ regions: [Path], by operation: PathBoolean, flatness: Double, effort: PathEffort = PathEffort()
    ) -> Path {
        func asTheyAre() -> Path {
            var whole = Path()
            for region in regions { whole.append(region) }
            return whole
        }
        guard !regions.isEmpty, let flattening = Flattening(regions, flatness: flatness) else { return asTheyAre() }
        let contours = regions.enumerated().flatMap { flattening.contours(of: $1, operand: $0) }
        let outline = Arrangement(grid: flattening.grid, effort: effort).outline(of: contours) { winding in
            operation.wants(regions.count) { winding($0) != 0 }
        }
        return outline.map { Path($0) } ?? asTheyAre()
    }
}
