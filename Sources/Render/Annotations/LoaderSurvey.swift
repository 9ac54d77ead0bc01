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
    /// The range of the horizontal positions of objects with steps, in points of the canvas; nil
    /// without any.
    let stepRange: ClosedRange<Double>?
    /// The maximum radius of each object in points.
    let maxRadii: [Double]
    /// The maximum line width in the middle of the period, in points; 0 without lines.
    let lineWidth: Double
    /// The part of the canvas in which anything is drawn during the period, in points.
    package let used: Rect
    /// The part of the canvas that must be visible: `used` and the points of the construction.
    package let reached: Rect
    /// The share of the period in which each point of the canvas is drawn, to find positions for
    /// names beside the drawing; nil if no object has its name there.
    let coverage: ArtCoverage?
    /// The objects to which leaders lead; nil if no object has its name beside the drawing.
    let trace: ObjectTrace?

    /// The number of instants at which a loader is measured.
    private static let instants = 120
    /// The speed in points per second below which an object rests.
    private static let minSpeed = 0.01

    /// Measures a loader at many instants.
    package init(_ loader: any Loader) {
        self.loader = loader
        curves = MotionCurves(loader)
        table = PhaseTable(loader, curves)
        let times = (0..<Self.instants).map { loader.period * Rational(Int128($0), Int128(Self.instants)) }
        let speeds = times.flatMap { loader.velocities(at: $0) }.map { Point.zero.distance(to: $0) }
            .filter { $0 > Self.minSpeed }
        referenceSpeed = speeds.isEmpty ? 0 : speeds.sorted()[speeds.count * 4 / 5]
        let steps = times.flatMap { loader.objects(at: $0) }.filter { $0.step != nil }.map(\.position.x)
        stepRange = steps.min().flatMap { low in steps.max().map { low...$0 } }
        let radii = times.map { loader.objects(at: $0).map(\.radius) }
        maxRadii = loader.objects(at: .zero).indices.map { index in radii.map { $0[index] }.max() ?? 0 }
        let content = Rect.union(of: times.compactMap { Node.bounds(of: loader.nodes(at: $0)) })
        lineWidth = loader.nodes(at: loader.period / 2).map(\.lineWidth).max() ?? 0
        let canvas = Rect(size: loader.canvas)
        let drawn = content.flatMap { canvas.intersection($0) } ?? canvas
        let hasMarginNames = loader.objects(at: .zero).contains { $0.labelSide == .margin }
        coverage = hasMarginNames ? ArtCoverage(loader) : nil
        trace = hasMarginNames ? ObjectTrace(loader) : nil
        let points = times.flatMap { loader.landmarks(at: $0).map(\.position) }
        used = drawn
        reached = Rect(enclosing: points).map { drawn.union($0) } ?? drawn
    }
}

/// The opacity above which an object is visible. Below it, viewers see nothing that a name or line
/// could hide.
private let minVisibleOpacity = 0.05

extension Loader {
    /// Returns the part of the canvas that an object covers at a time in 0..<`period`; nil if it is
    /// invisible or there is no such object. An object without a drawing of its own covers its
    /// disc.
    package func bounds(ofObject name: String, at time: Rational) -> Rect? {
        objects(at: time).first { $0.name == name }.flatMap {
            extent(of: $0, drawing: drawing(ofObject: name, at: time))
        }
    }

    /// Returns the part of the canvas that an object covers; nil if it is invisible.
    ///
    /// - Parameter drawing: the nodes that draw the object at that time; nil if the loader does not
    ///   know it.
    func extent(of object: MovingObject, drawing: [Node]?) -> Rect? {
        let frame = Rect(size: canvas)
        if let pose = object.pose, pose.opacity <= minVisibleOpacity { return nil }
        if let nodes = drawing {
            return Node.bounds(of: nodes.filter(\.isVisible)).flatMap { frame.intersection($0) }
        }
        guard frame.nearest(to: object.position) == object.position else { return nil }
        let center = object.discCenter
        return Rect(x: center.x, y: center.y, width: 0, height: 0).expanded(by: object.radius)
    }
}

extension Node {
    fileprivate var isVisible: Bool {
        if case .group(let group) = self { group.opacity > minVisibleOpacity } else { true }
    }

    /// The maximum line width in the node, in its own points.
    fileprivate var lineWidth: Double {
        switch self {
        case .shape(let shape): shape.stroke?.width ?? 0
        case .group(let group): group.nodes.map(\.lineWidth).max() ?? 0
        case .image, .text: 0
        }
    }
}
