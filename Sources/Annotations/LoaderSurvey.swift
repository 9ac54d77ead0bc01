import Loaders
import Motion
import Scene
import Timing

/// What notes have to know of a loader's whole period: looked at once, however many pictures are laid out.
package struct LoaderSurvey: Sendable {
    package let loader: any Loader
    package let table: PhaseTable
    package let curves: MotionCurves
    /// The speed whose arrow has the usual length, in points per second; few are faster.
    let usualSpeed: Double
    /// The largest radius that each object ever has, in points.
    let largestRadii: [Double]
    /// The width of the widest line that the loader draws, in points; 0 if it draws none.
    let lineWidth: Double
    /// The part of the canvas in which anything is ever drawn, in points.
    let used: Rect
    /// The part of the canvas that has to be seen: all of that, and the points of the construction.
    package let reached: Rect

    /// Looks at a loader.
    package init(_ loader: any Loader) {
        self.loader = loader
        curves = MotionCurves(loader)
        table = PhaseTable(loader, curves)
        let times = (0..<120).map { loader.period * Rational(Int128($0), 120) }
        let speeds = times.flatMap { loader.velocities(at: $0) }.map { Point.zero.distance(to: $0) }.filter {
            $0 > 0.01
        }
        usualSpeed = speeds.isEmpty ? 0 : speeds.sorted()[speeds.count * 4 / 5]
        let radii = times.map { loader.objects(at: $0).map(\.radius) }
        largestRadii = loader.objects(at: .zero).indices.map { index in radii.map { $0[index] }.max() ?? 0 }
        let content = times.compactMap { Node.bounds(of: loader.nodes(at: $0)) }.reduce(nil) { union, next in
            union.map { $0.union(next) } ?? next
        }
        lineWidth = loader.nodes(at: loader.period / 2).map(\.lineWidth).max() ?? 0
        let canvas = Rect(size: loader.canvas)
        let drawn = content.flatMap { canvas.intersection($0) } ?? canvas
        let points = times.flatMap { loader.landmarks(at: $0).map(\.position) }
        (used, reached) = (drawn, Rect(enclosing: points).map { drawn.union($0) } ?? drawn)
    }
}

extension Node {
    /// The width of the widest line within, in the node's own points.
    fileprivate var lineWidth: Double {
        switch self {
        case .shape(let shape): shape.stroke?.width ?? 0
        case .group(let group): group.nodes.map(\.lineWidth).max() ?? 0
        case .image, .text: 0
        }
    }
}
