import Animations
import Core

/// Measurements of a loader over its whole period that annotations need. Made once and shared by
/// all layouts.
package struct LoaderSurvey: Sendable {
    package let loader: any Loader
    package let table: PhaseTable
    package let curves: MotionCurves
    /// The 80th percentile of the objects' speeds, in points per second; its arrow has the
    /// reference length.
    let referenceSpeed: Double
    /// The maximum radius of each object in points.
    let maxRadii: [Double]
    /// The maximum line width in the middle of the period, in points; 0 without lines.
    let lineWidth: Double
    /// The part of the canvas in which anything is drawn during the period, in points.
    package let used: Rect
    /// The part of the canvas that must be visible: `used` and the points of the construction.
    package let reached: Rect

    /// Measures a loader at 120 instants.
    package init(_ loader: any Loader) {
        self.loader = loader
        curves = MotionCurves(loader)
        table = PhaseTable(loader, curves)
        let times = (0..<120).map { loader.period * Rational(Int128($0), 120) }
        let speeds = times.flatMap { loader.velocities(at: $0) }.map { Point.zero.distance(to: $0) }.filter {
            $0 > 0.01
        }
        referenceSpeed = speeds.isEmpty ? 0 : speeds.sorted()[speeds.count * 4 / 5]
        let radii = times.map { loader.objects(at: $0).map(\.radius) }
        maxRadii = loader.objects(at: .zero).indices.map { index in radii.map { $0[index] }.max() ?? 0 }
        let content = times.compactMap { Node.bounds(of: loader.nodes(at: $0)) }.reduce(nil) { union, next in
            union.map { $0.union(next) } ?? next
        }
        lineWidth = loader.nodes(at: loader.period / 2).map(\.lineWidth).max() ?? 0
        let canvas = Rect(size: loader.canvas)
        let drawn = content.flatMap { canvas.intersection($0) } ?? canvas
        let points = times.flatMap { loader.landmarks(at: $0).map(\.position) }
        used = drawn
        reached = Rect(enclosing: points).map { drawn.union($0) } ?? drawn
    }
}

extension Node {
    /// The maximum line width in the node, in its own points.
    fileprivate var lineWidth: Double {
        switch self {
        case .shape(let shape): shape.stroke?.width ?? 0
        case .group(let group): group.nodes.map(\.lineWidth).max() ?? 0
        case .image, .text: 0
        }
    }
}
