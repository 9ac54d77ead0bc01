import CGEOS
import Core

/// A GEOS context. Every computation creates its own, so that threads share nothing. It has no
/// message handlers: failures return nil and print nothing.
final class GEOSContext {
    fileprivate let handle: GEOSContextHandle_t

    /// Returns nil if memory runs out.
    init?() {
        guard let handle = GEOS_init_r() else { return nil }
        self.handle = handle
    }

    deinit { GEOS_finish_r(handle) }
}

/// A GEOS geometry. Operations return nil if GEOS fails.
final class Geometry {
    private let context: GEOSContext
    private let pointer: OpaquePointer

    /// Takes ownership of a result of a GEOS function.
    private init?(_ pointer: OpaquePointer?, _ context: GEOSContext) {
        guard let pointer else { return nil }
        self.pointer = pointer
        self.context = context
    }

    deinit { GEOSGeom_destroy_r(context.handle, pointer) }

    /// Returns one geometry with a closed line for each contour that is not empty.
    static func lines(closing contours: [[Point]], in context: GEOSContext) -> Geometry? {
        var lines: [OpaquePointer?] = []
        for contour in contours where !contour.isEmpty {
            var numbers: [Double] = []
            numbers.reserveCapacity(2 * contour.count + 2)
            for point in contour + contour.prefix(1) { numbers += [point.x, point.y] }
            // A line owns its coordinates, even if creating it fails.
            let sequence = GEOSCoordSeq_copyFromBuffer_r(context.handle, numbers, UInt32(numbers.count / 2), 0, 0)
            lines.append(sequence.flatMap { GEOSGeom_createLineString_r(context.handle, $0) })
        }
        guard lines.allSatisfy({ $0 != nil }) else {
            for line in lines { line.map { GEOSGeom_destroy_r(context.handle, $0) } }
            return nil
        }
        // A collection owns its members.
        let kind = Int32(GEOS_MULTILINESTRING.rawValue)
        return Geometry(GEOSGeom_createCollection_r(context.handle, kind, &lines, UInt32(lines.count)), context)
    }

    /// Returns the lines split at their intersections, without duplicates. Snapping to a grid makes
    /// this robust for any lines.
    func noded(grid: Double) -> Geometry? {
        Geometry(GEOSUnaryUnionPrec_r(context.handle, pointer, grid), context)
    }

    /// The areas between the lines, which must be noded, as polygons whose interiors are disjoint.
    var faces: [Geometry]? {
        var lines: [OpaquePointer?] = [pointer]
        guard let whole = Geometry(GEOSPolygonize_r(context.handle, &lines, 1), context) else { return nil }
        let count = GEOSGetNumGeometries_r(context.handle, whole.pointer)
        guard count >= 0 else { return nil }
        var result: [Geometry] = []
        for index in 0..<count {
            guard let face = GEOSGetGeometryN_r(context.handle, whole.pointer, index),
                let copy = Geometry(GEOSGeom_clone_r(context.handle, face), context)
            else { return nil }
            result.append(copy)
        }
        return result
    }

    /// A point in the interior.
    var innerPoint: Point? {
        guard let point = Geometry(GEOSPointOnSurface_r(context.handle, pointer), context) else { return nil }
        var (x, y) = (0.0, 0.0)
        guard GEOSGeomGetX_r(context.handle, point.pointer, &x) == 1,
            GEOSGeomGetY_r(context.handle, point.pointer, &y) == 1
        else { return nil }
        return Point(x, y)
    }

    /// The rings of a polygon, without a repeated last point: the outer ring, then the holes.
    var rings: [[Point]]? {
        let holes = GEOSGetNumInteriorRings_r(context.handle, pointer)
        guard holes >= 0 else { return nil }
        // The polygon owns these rings.
        let rings =
            [GEOSGetExteriorRing_r(context.handle, pointer)]
            + (0..<holes).map { GEOSGetInteriorRingN_r(context.handle, pointer, $0) }
        let result = rings.compactMap(points(of:))
        return result.count == rings.count ? result : nil
    }

    private func points(of ring: OpaquePointer?) -> [Point]? {
        var count: UInt32 = 0
        guard let ring, let sequence = GEOSGeom_getCoordSeq_r(context.handle, ring),
            GEOSCoordSeq_getSize_r(context.handle, sequence, &count) == 1
        else { return nil }
        var numbers = [Double](repeating: 0, count: 2 * Int(count))
        guard GEOSCoordSeq_copyToBuffer_r(context.handle, sequence, &numbers, 0, 0) == 1 else { return nil }
        return (0..<max(0, Int(count) - 1)).map { Point(numbers[2 * $0], numbers[2 * $0 + 1]) }
    }
}
