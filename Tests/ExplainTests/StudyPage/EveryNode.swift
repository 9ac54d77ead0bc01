import Animations
import Core

/// A loader that draws every kind of node in many ways.
struct EveryNode: Loader {
    let id = "every-node"
    var title: LocalizedText { LocalizedText("</script><b>&\" \u{2028}", zh: "@data@") }
    var canvas: Size { Size(160, 120) }
    var background: Color { Color(250, 250, 240) }
    var period: Rational { 1 }
    private let bitmap: Bitmap

    init() throws {
        let (width, height) = (48, 32)
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { pixels += [UInt8(5 * x), UInt8(7 * y), UInt8(255 - 2 * (x + y)), 255] }
        }
        guard let bitmap = Bitmap(width: width, height: height, pixels: pixels) else { throw Absent() }
        self.bitmap = bitmap
    }

    private struct Absent: Error {}

    func nodes(at time: Rational) -> [Node] {
        let t = time.double
        return gradients(t) + layers(t) + strokes(t) + (t < 0.5 ? [] : [.shape(wave(t))])
    }

    func objects(at time: Rational) -> [MovingObject] {
        [MovingObject("dot", Color(200, 40, 40), at: Point(20 + 100 * time.double, 60), radius: 3)]
    }

    private func gradients(_ t: Double) -> [Node] {
        let stops = [
            GradientStop(0.1, Color(255, 0, 0, alpha: 0.2)), GradientStop(0.5, Color(0, 128, 0)),
            GradientStop(0.3, Color(0, 0, 255, alpha: 0.7)),
        ]
        let line = LinearGradient(from: Point(5, 5), to: Point(45, 10 + 25 * t), stops: stops)
        let light = RadialGradient(
            center: Point(70, 22), radius: 18, focus: Point(60 + 40 * t, 14),
            stops: [GradientStop(0, .white), GradientStop(1, Color(160, 60, 0))])
        let turn = ConicGradient(center: Point(94, 24), startAngle: 2 - 3 * t, stops: stops)
        let none = LinearGradient(from: .zero, to: .zero, stops: stops)
        return [
            .shape(Shape(.rectangle(Rect(x: 5, y: 5, width: 40, height: 30)), fill: .linearGradient(line))),
            .shape(
                Shape(
                    .circle(center: Point(70, 22), radius: 18), fill: .radialGradient(light),
                    stroke: Stroke(.linearGradient(line), width: 2 + t))),
            .shape(Shape(.circle(center: Point(94, 24), radius: 8), fill: .conicGradient(turn))),
            .shape(Shape(.circle(center: Point(94, 8), radius: 5), fill: .linearGradient(none))),
            .shape(
                Shape(
                    .circle(center: Point(104, 8), radius: 5),
                    fill: .linearGradient(
                        LinearGradient(
                            from: .zero, to: Point(9, 9), stops: [])))),
        ]
    }

    private func layers(_ t: Double) -> [Node] {
        let frame = Rect(x: -10, y: -14, width: 20, height: 28)
        let turned = Group(
            transform: AffineTransform.rotation(6 * t).then(.scale(0.6 + t)).then(.translation(Point(125, 40))),
            clip: .circle(center: .zero, radius: 12),
            nodes: [
                .image(Image(bitmap, frame: frame)), .shape(Shape(wave(t).path, fill: Color(0, 0, 0, alpha: 0.4))),
            ])
        // A drawing in a unit square that grows from almost nothing.
        let unit = Group(
            transform: AffineTransform.scale(0.1 + 40 * t).then(.translation(Point(5, 75))), opacity: 0.3 + 0.7 * t,
            nodes: [
                .shape(Shape(.circle(center: Point(0.5, 0.5), radius: 0.5), fill: Color(0, 90, 200))),
                .group(
                    Group(
                        opacity: 0.5,
                        nodes: [
                            .shape(Shape(.rectangle(Rect(x: 0.2, y: 0.2, width: 0.9, height: 0.3)), fill: .white)),
                            .shape(Shape(.circle(center: Point(0.6, 0.6), radius: 0.2), fill: .black)),
                        ])),
            ])
        return [.group(turned), .group(unit), .group(Group(opacity: 0, nodes: [.group(unit)]))]
    }

    private func strokes(_ t: Double) -> [Node] {
        var bend = Path()
        bend.move(to: Point(55, 60))
        bend.addCurve(to: Point(100, 60 + 20 * t), control1: Point(60, 100), control2: Point(95, 30))
        bend.addQuadCurve(to: Point(110, 100), control: Point(125, 70))
        bend.move(to: Point(60, 100))
        bend.addArc(center: Point(75, 100), radius: 12, startAngle: .pi, endAngle: .pi * (1 - 1.7 * t))
        let leaf = Shape(leaf(t), fill: Color(200, 230, 255), stroke: Stroke(Color(0, 60, 120), join: .round))
        let corners = Path.polyline([Point(115, 80), Point(135, 110), Point(150, 80), Point(155, 110)])
        return [
            .shape(leaf),
            .shape(
                Shape(
                    bend,
                    stroke: Stroke(
                        Color(120, 0, 120), width: 3, cap: .round, join: .round, start: 0.2 * t, end: 0.3 + 0.7 * t))),
            .shape(
                Shape(
                    corners, fill: Color(255, 200, 0, alpha: 0.5),
                    stroke: Stroke(.black, width: 2, cap: .square, join: .bevel))),
            .shape(
                Shape(
                    .polygon([Point(140, 5), Point(156, 5 + 10 * t), Point(140, 20)]),
                    stroke: Stroke(.black, width: 1.5))),
            .shape(
                Shape(
                    .circle(center: Point(30, 60), radius: 8), fill: .white,
                    stroke: Stroke(.black, start: 0.1, end: 0.2 + 0.5 * t))),
            .shape(Shape(.circle(center: Point(30, 60), radius: 3), stroke: Stroke(.black, start: 0.6, end: 0.6))),
        ]
    }

    private func leaf(_ t: Double) -> Path {
        var path = Path()
        path.move(to: Point(5, 45))
        path.addQuadCurve(to: Point(20, 45 + 20 * t), control: Point(20, 40))
        path.addQuadCurve(to: Point(5, 45), control: Point(4, 66))
        path.close()
        return path
    }

    private func wave(_ t: Double) -> Shape {
        let points = (0...40).map { Point(Double($0) * 2 - 10, 8 * sine(Double($0) / 5 + 6 * t)) }
        return Shape(.polygon(points), fill: Color(30, 160, 90, alpha: 0.8))
    }

    /// Returns Bhaskara's approximation of the sine. The test needs any smooth wave.
    private func sine(_ x: Double) -> Double {
        let turn = (x / 6.28).truncatingRemainder(dividingBy: 1) * 2
        let half = turn < 1 ? turn : turn - 1
        return (turn < 1 ? 1 : -1) * 16 * half * (1 - half) / (5 - 4 * half * (1 - half))
    }
}

/// A loader with a single node.
struct OneNode: Loader {
    let id = "one-node"
    var canvas: Size { Size(40, 40) }
    var period: Rational = 1
    let node: @Sendable (Rational) -> Node

    func nodes(at time: Rational) -> [Node] { [node(time)] }
}

/// A loader whose object has a position of NaN for a moment.
struct Stray: Loader {
    let id = "stray"
    var canvas: Size { Size(40, 40) }
    var period: Rational { 1 }

    func nodes(at time: Rational) -> [Node] { [.shape(Shape(.circle(center: Point(9, 9), radius: 5), fill: .black))] }

    func objects(at time: Rational) -> [MovingObject] {
        let isLost = time > Rational(51, 100) && time < Rational(52, 100)
        return [MovingObject("stray", .black, at: Point(isLost ? .nan : 9, 9))]
    }
}

/// A loader with a stroke that draws itself.
struct DrawnStroke: Loader {
    var canvas: Size { Size(40, 40) }
    var period: Rational { 1 }

    func nodes(at time: Rational) -> [Node] {
        [.shape(Shape(.polyline([Point(5, 5), Point(5 + 30 * time.double, 5)]), stroke: Stroke(.black)))]
    }

    func objects(at time: Rational) -> [MovingObject] {
        var line = MovingObject("line", .black, at: Point(5 + 15 * time.double, 5))
        line.hasPosition = false
        line.strokeTrim = MovingObject.StrokeTrim(limits: [0, 100 * time.double], length: 100 * time.double)
        return [line]
    }
}
