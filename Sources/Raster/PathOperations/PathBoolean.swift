import Core

/// A boolean operation on paths: After Effects' modes of Merge Paths.
package enum PathBoolean: Sendable, CaseIterable {
    /// The area covered by any operand.
    case union
    /// The area covered by the first operand and no other.
    case subtract
    /// The area covered by all operands.
    case intersect
    /// The area covered by an odd number of operands.
    case exclude

    /// Returns true if the result includes an area that is covered by some of `count` operands.
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
    /// Returns the paths combined into one, whose inside is the same by the nonzero and the
    /// even-odd rule.
    ///
    /// Operands are filled by the nonzero rule. Open subpaths are closed by a line, and full turns
    /// of an arc beyond the first are dropped, as in drawing. Simple subpaths whose bounds touch no
    /// others are kept, curves included. All others become polygons, outer ones clockwise and holes
    /// anticlockwise. The result is deterministic to the bit.
    ///
    /// Returns all operands in one path, unchanged, if the result cannot be computed: numbers that
    /// are not finite, coordinates above 1e9 points, arcs above 1e6 radians, more than 20,000
    /// connected edges, more than 50,000 intersections, or an exhausted budget.
    ///
    /// - Parameters:
    ///   - regions: the operands, in order.
    ///   - operation: the operation to apply.
    ///   - flatness: the maximum distance of polygons from curves in points; at least 1e-7 of the
    ///     largest coordinate.
    ///   - budget: the work that this and other operations may do together.
    package static func combining(
        _ regions: [Path], by operation: PathBoolean, flatness: Double, budget: WorkBudget = WorkBudget()
    ) -> Path {
        func unchanged() -> Path {
            var whole = Path()
            for region in regions { whole.append(region) }
            return whole
        }
        guard !regions.isEmpty, let flattening = Flattening(regions, flatness: flatness) else { return unchanged() }
        let contours = regions.enumerated().flatMap { flattening.contours(of: $1, operand: $0) }
        let outline = Arrangement(grid: flattening.grid, budget: budget).outline(of: contours) { winding in
            operation.wants(regions.count) { winding($0) != 0 }
        }
        return outline.map { Path($0) } ?? unchanged()
    }
}
