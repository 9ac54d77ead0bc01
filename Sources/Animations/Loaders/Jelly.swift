import Core

/// The jelly pull-to-refresh: a header whose lower edge follows the finger, with a progress circle.
///
/// The lower edge consists of three cubic curves through l3, l1, r1 and r3, which the helper point
/// C pulls down. Source: "Elastic view animation using UIBezierPath", in its Objective-C version.
public struct Jelly: CatalogLoader {
    /// The outcome of the release.
    enum Outcome: String, CaseIterable, Sendable { case load, cancel }

    public static let id = "jelly"
    public static let title = LocalizedText("Jelly pull-to-refresh", zh: "果冻下拉刷新")

    static let color = Parameter.color("color", Color(255, 80, 80), "Colour of the jelly")
    static let circleColor = Parameter.color("circleColor", Color(0x55, 0x55, 0x55), "Colour of the progress circle")
    static let circleRadius = Parameter.number("circleRadius", 20, 1...50, "Radius of the progress circle")
    static let circleWidth = Parameter.number("circleWidth", 1, 0.5...10, "Width of the progress circle's line")
    static let restHeight = Parameter.number("restHeight", 64, 10...150, "Height at rest")
    static let loadingHeight = Parameter.number("loadingHeight", 94, 10...200, "Height while loading")
    static let pullDistance = Parameter.number("pullDistance", 60, 10...180, "Pull at which the progress is complete")
    static let pullX = Parameter.number("pullX", 210, 0...320, "End of the pull, from the left")
    static let pullY = Parameter.number("pullY", 214, 10...250, "End of the pull, from above, if outcome=load")
    static let cancelY = Parameter.number("cancelY", 100, 10...250, "End of the pull, from above, if outcome=cancel")
    static let outcome = Parameter.choice("outcome", Outcome.load, "Outcome of the release")
    static let pullBegin = Parameter.time("pullBegin", Rational(3, 10), 0...600, "Time at which the pull begins")
    static let pullEnd = Parameter.time("pullEnd", Rational(3, 2), 0...600, "Time at which the finger stops")
    static let release = Parameter.time("release", Rational(9, 5), 0...600, "Time at which the finger lets go")
    static let stop = Parameter.time("stop", Rational(24, 5), 0...600, "Time at which loading ends")
    static let duration = Parameter.time("duration", 6, Rational(1, 10)...600, "Duration of a cycle")
    static let springDuration = Parameter.number("springDuration", 1, 0.05...60, unit: "s", "Duration of the springs")
    static let damping = Parameter.number("damping", 0.5, 0.05...0.95, unit: "", "Damping ratio of the springs")
    static let turn = Parameter.time("turn", 1, Rational(1, 20)...60, "Duration of one turn of the circle")

    public static let parameters: [any LoaderParameter] = [
        color, circleColor, circleRadius, circleWidth, restHeight, loadingHeight, pullDistance, pullX, pullY, cancelY,
        outcome, pullBegin, pullEnd, release, stop, duration, springDuration, damping, turn,
    ]

    /// The width of the canvas in points.
    private static let width = 320.0

    private let values: ParameterValues

    public init(_ values: ParameterValues) throws(ParameterError) {
        self.values = values
        let isLoading = values[Self.outcome] == .load
        let times = [Self.pullBegin, Self.pullEnd, Self.release] + (isLoading ? [Self.stop] : []) + [Self.duration]
        for (before, after) in zip(times, times.dropFirst()) where values[before] >= values[after] {
            throw ParameterError(
                .usage,
                "\(after.name)=\(values[after]) s is not later than \(before.name)=\(values[before]) s; make it later",
                subjects: .parameters(after.name, before.name))
        }
    }

    public var canvas: Size { Size(Self.width, 280) }
    public var period: Rational { values[Self.duration] }

    private var loads: Bool { values[Self.outcome] == .load }

    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        let pull: [(name: LocalizedText, end: Rational)] = [
            (LocalizedText("normal", zh: "常态"), values[Self.pullBegin]),
            (LocalizedText("pull", zh: "下拉"), values[Self.pullEnd]),
            (LocalizedText("hold", zh: "停住"), values[Self.release]),
        ]
        let load: [(name: LocalizedText, end: Rational)] = [
            (LocalizedText("loading", zh: "加载中"), values[Self.stop]),
            (LocalizedText("normal again", zh: "恢复常态"), period),
        ]
        let ends = pull + (loads ? load : [(LocalizedText("cancelled", zh: "已取消"), period)])
        var start = Rational.zero
        let all = ends.map { name, end in
            defer { start = end }
            return (name: name, duration: end - start)
        }
        return all.filter { $0.duration > .zero }
    }

    public func nodes(at time: Rational) -> [Node] {
        let helper = helperPoint(at: time)
        return [.shape(Shape(outline(helper: helper, height: height(at: time)), fill: values[Self.color]))]
            + circle(at: time, pull: helper.y - values[Self.restHeight], isLoading: isLoading(at: time))
    }

    private func isLoading(at time: Rational) -> Bool {
        loads && time >= values[Self.release] && time < values[Self.stop]
    }

    private func height(at time: Rational) -> Double {
        isLoading(at: time) ? values[Self.loadingHeight] : values[Self.restHeight]
    }

    /// Returns the helper point C, which the finger moves before the release and springs move after
    /// it.
    private func helperPoint(at time: Rational) -> Point {
        let rest = Point(Self.width / 2, values[Self.restHeight])
        let pulled = Point(values[Self.pullX], loads ? values[Self.pullY] : values[Self.cancelY])
        if time < values[Self.release] {
            let begin = values[Self.pullBegin]
            let end = values[Self.pullEnd]
            let fraction = TimingFunction.easeInEaseOut(((time - begin) / (end - begin)).double)
            return Point(lerp(rest.x, pulled.x, fraction), lerp(rest.y, pulled.y, fraction))
        }
        guard loads else { return sprung(from: pulled, to: rest, at: time - values[Self.release]) }
        let loading = Point(rest.x, values[Self.loadingHeight])
        if time < values[Self.stop] { return sprung(from: pulled, to: loading, at: time - values[Self.release]) }
        // Loading can end before its spring comes to rest; the next spring starts from that point.
        let last = sprung(from: pulled, to: loading, at: values[Self.stop] - values[Self.release])
        return sprung(from: last, to: rest, at: time - values[Self.stop])
    }

    public func objects(at time: Rational) -> [MovingObject] {
        [MovingObject("c", values[Self.color], at: helperPoint(at: time))]
    }

    public func landmarks(at time: Rational) -> [Landmark] {
        let (helper, edge) = lowerEdge(at: time)
        return zip(["l3", "l2", "l1", "r1", "r2", "r3"], edge).map { Landmark($0, $1, labelSide: .below) }
            + [Landmark("c", helper, centerOf: "c")]
    }

    /// Returns the polygon through the control points of the lower edge.
    public func construction(at time: Rational) -> [ConstructionLine] {
        let (helper, edge) = lowerEdge(at: time)
        return [.polyline(edge[..<3] + [helper] + edge[3...])]
    }

    private func lowerEdge(at time: Rational) -> (helper: Point, edge: [Point]) {
        let helper = helperPoint(at: time)
        return (helper, lowerEdge(helper: helper, height: height(at: time)))
    }

    private func sprung(from start: Point, to target: Point, at time: Rational) -> Point {
        let spring = Spring(duration: values[Self.springDuration], dampingRatio: values[Self.damping])
        return Point(
            spring.value(from: start.x, to: target.x, at: time.double),
            spring.value(from: start.y, to: target.y, at: time.double))
    }

    /// Returns the points l3, l2, l1, r1, r2 and r3 of the lower edge for a helper point and a rest
    /// height.
    private func lowerEdge(helper: Point, height: Double) -> [Point] {
        let width = Self.width
        let x = helper.x
        let middle = height + (helper.y - height) / 2
        let bulge = (helper.y - height) / 4
        return [
            Point(0, middle), Point(x / 3, middle), Point(2 * x / 3, middle + bulge),
            Point(width / 3 + 2 * x / 3, middle + bulge), Point(2 * width / 3 + x / 3, middle), Point(width, middle),
        ]
    }

    /// Returns the jelly's outline for a helper point and a rest height.
    private func outline(helper: Point, height: Double) -> Path {
        let edge = lowerEdge(helper: helper, height: height)
        let l3 = edge[0]
        let l2 = edge[1]
        let l1 = edge[2]
        let r1 = edge[3]
        let r2 = edge[4]
        let r3 = edge[5]
        var path = Path()
        path.move(to: .zero)
        path.addLine(to: l3)
        path.addCurve(to: l1, control1: l3, control2: l2)
        path.addCurve(to: r1, control1: l1, control2: helper)
        path.addCurve(to: r3, control1: r1, control2: r2)
        path.addLine(to: Point(Self.width, 0))
        path.close()
        return path
    }

    /// Returns the progress circle. It grows while the finger pulls, rotates during loading and is
    /// hidden otherwise.
    private func circle(at time: Rational, pull: Double, isLoading: Bool) -> [Node] {
        let isPulling = time < values[Self.release]
        let progress = isLoading ? 1 : isPulling ? clamp01(pull / values[Self.pullDistance]) : 0
        guard progress > 0 else { return [] }
        let turns = isLoading ? ((time - values[Self.release]) / values[Self.turn]).modulo(1).double : 0
        var path = Path()
        path.addArc(
            center: .zero, radius: values[Self.circleRadius], startAngle: -.pi / 2,
            endAngle: 17 * .pi / 9 * progress - .pi / 2)
        let stroke = Stroke(values[Self.circleColor], width: values[Self.circleWidth], join: .round)
        let transform = AffineTransform.rotation(2 * .pi * turns).then(.translation(Point(Self.width / 2, 60)))
        return [.group(Group(transform: transform, nodes: [.shape(Shape(path, stroke: stroke))]))]
    }
}
