import Scene

/// Drawn notes in a box of 10 x 10 points about the origin.
enum MusicNote {
    /// A single quaver: head, stem and flag.
    static let quaver: [Path] = [head(at: Point(-1.2, 3.2)), stem(x: 0.75, top: -4.8, bottom: 3), flag]

    /// Two quavers under one beam.
    static let beamedQuavers: [Path] = [
        head(at: Point(-3, 3.4)), head(at: Point(2.6, 2.6)),
        stem(x: -1.35, top: -3.6, bottom: 3.2), stem(x: 4.25, top: -4.4, bottom: 2.4),
        .polygon([Point(-1.85, -3.6), Point(4.75, -4.5), Point(4.75, -2.6), Point(-1.85, -1.7)]),
    ]

    private static let flag: Path = {
        var path = Path()
        path.move(to: Point(0.25, -4.8))
        path.addCurve(to: Point(3.6, 0.6), control1: Point(1.6, -2.8), control2: Point(4.6, -2.2))
        path.addCurve(to: Point(0.25, -2.2), control1: Point(3.2, -1.2), control2: Point(1.8, -1.6))
        path.close()
        return path
    }()

    private static func stem(x: Double, top: Double, bottom: Double) -> Path {
        .rectangle(Rect(x: x - 0.5, y: top, width: 1, height: bottom - top))
    }

    /// An ellipse, tilted as engravers do, by four cubic curves.
    private static func head(at center: Point) -> Path {
        let kappa = 0.5522847498
        let transform = AffineTransform(a: 2.2, b: 0, c: 0, d: 1.6, tx: 0, ty: 0).then(.rotation(-0.35))
            .then(.translation(center))
        func at(_ x: Double, _ y: Double) -> Point { transform.apply(Point(x, y)) }
        var path = Path()
        path.move(to: at(1, 0))
        path.addCurve(to: at(0, 1), control1: at(1, kappa), control2: at(kappa, 1))
        path.addCurve(to: at(-1, 0), control1: at(-kappa, 1), control2: at(-1, kappa))
        path.addCurve(to: at(0, -1), control1: at(-1, -kappa), control2: at(-kappa, -1))
        path.addCurve(to: at(1, 0), control1: at(kappa, -1), control2: at(1, -kappa))
        path.close()
        return path
    }
}
