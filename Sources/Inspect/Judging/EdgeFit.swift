/// A least-squares fit of coverage differences near edges: which displacement of the expected edges
/// explains them, and which outward growth (Lucas and Kanade, 1981, one iteration).
///
/// Displacements of more than a pixel come out too small, since the gradients end there.
struct EdgeFit {
    /// The sums of products of the gradients: horizontal, mixed and vertical.
    private var structure = SIMD3<Float>(repeating: 0)
    /// The sums of products of gradients and differences.
    private var shift = SIMD2<Float>(repeating: 0)
    /// The sum of products of the gradients' lengths and differences.
    private var outward: Float = 0
    /// The sum of the squared differences.
    private(set) var energy: Float = 0

    @inline(__always)
    mutating func add(dx: Float, dy: Float, difference: Float) {
        structure += SIMD3(dx * dx, dx * dy, dy * dy)
        shift += SIMD2(dx, dy) * difference
        outward += (dx * dx + dy * dy).squareRoot() * difference
        energy += difference * difference
    }

    mutating func add(_ other: EdgeFit) {
        structure += other.structure
        shift += other.shift
        outward += other.outward
        energy += other.energy
    }

    /// The sum of the squared gradients.
    var gradients: Float { structure.x + structure.z }

    /// The outward growth in pixels; negative if objects are smaller than expected.
    var growth: Float { gradients > 0 ? outward / gradients : 0 }

    /// The part of `energy` that the growth explains.
    var growthEnergy: Float { growth * outward }

    /// The negated displacement in pixels.
    private var solution: SIMD2<Float> {
        // Regularization: without it, a straight edge would have no solution along itself.
        let addition = 0.05 * gradients
        let xx = structure.x + addition
        let xy = structure.y
        let yy = structure.z + addition
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return SIMD2(repeating: 0) }
        return SIMD2(yy * shift.x - xy * shift.y, xx * shift.y - xy * shift.x) / determinant
    }

    /// The length of the displacement in pixels.
    var displacement: Float {
        let solution = solution
        return (solution * solution).sum().squareRoot()
    }

    /// The part of `energy` that the displacement explains.
    var displacementEnergy: Float { (solution * shift).sum() }
}
