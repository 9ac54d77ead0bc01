import Loaders
import Scene

/// Colours of captions: dark letters for bright stages, bright letters for dark ones.
struct AnnotationTheme: Sendable {
    /// Behind the stage.
    let stage: Color
    /// Behind the strips.
    let canvas: Color
    /// Letters.
    let ink: Color
    /// Letters of less weight.
    let faint: Color
    /// Lines that part things.
    let hairline: Color
    /// What is current.
    let accent: Color
    /// Whether the stage is bright.
    let isBright: Bool

    /// The colours that suit a stage's background.
    init(stage: Color) {
        // What shows through a background is taken for white.
        let seen = Color.white.mixed(with: stage.opacity(1), stage.alpha)
        (self.stage, isBright) = (stage, seen.luminance > 0.3)
        if isBright {
            (canvas, ink, faint) = (Color(244, 245, 247), Color(32, 36, 44), Color(98, 104, 116))
            (hairline, accent) = (Color(208, 211, 217), Color(0, 98, 196))
        } else {
            (canvas, ink, faint) = (Color(28, 29, 34), Color(240, 241, 244), Color(160, 165, 176))
            (hairline, accent) = (Color(72, 74, 84), Color(94, 170, 255))
        }
        backdrop = canvas.mixed(with: stage.opacity(1), stage.alpha)
    }

    /// The stage's background as it is seen: opaque.
    let backdrop: Color

    /// A colour as near to the given one as can be seen well on the stage.
    func visible(_ color: Color) -> Color { color.contrasting(with: backdrop, atLeast: isBright ? 2.6 : 5) }

    /// A colour as near to the given one as can be read well on the stage.
    func readable(_ color: Color) -> Color { color.contrasting(with: backdrop, atLeast: 5) }

    /// A colour for each object: its own where it has one to itself, else one that is unlike the others.
    func colors(for objects: [MovingObject]) -> [Color] {
        let own = objects.filter { $0.radius > 0 }.flatMap { [$0.color, visible($0.color)] }
        var used: [Color] = []
        for (index, object) in objects.enumerated() {
            // A bare point lies on a shape of its own colour.
            let isTaken = object.radius == 0 || objects[..<index].contains { $0.color == object.color }
            used.append(isTaken ? freshColor(unlike: used + own) : visible(object.color))
        }
        return used
    }

    private func freshColor(unlike used: [Color]) -> Color {
        func nearest(_ color: Color) -> Double { used.map { $0.distance(to: color) }.min() ?? 0 }
        let candidates = AnnotationTheme.palette.map(visible)
        return candidates.max { nearest($0) < nearest($1) } ?? ink
    }

    private static let palette = [
        Color(0, 110, 214), Color(222, 110, 10), Color(134, 72, 196), Color(0, 146, 140), Color(146, 96, 52),
        Color(200, 44, 110), Color(92, 132, 20), Color(60, 72, 160),
    ]
}

extension Color {
    /// The colour between this one and another, of which it takes the given fraction.
    func mixed(with other: Color, _ fraction: Double) -> Color {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
        return Color(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
            alpha: mix(alpha, other.alpha))
    }

    /// How bright it looks, 0...1, near enough for choosing colours: a gamma of two.
    var luminance: Double { 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue }

    /// The ratio of two colours' brightness as accessibility guidelines define it, at least 1.
    func contrast(to other: Color) -> Double {
        let (a, b) = (luminance + 0.05, other.luminance + 0.05)
        return max(a, b) / min(a, b)
    }

    /// The first of the colours from this one towards black or white, whichever is further from `ground`, that differs
    /// enough from it.
    fileprivate func contrasting(with ground: Color, atLeast least: Double) -> Color {
        let pole = ground.luminance > 0.3 ? Color.black : Color.white
        let steps = (0...20).map { opacity(1).mixed(with: pole, Double($0) / 20) }
        return steps.first { $0.contrast(to: ground) >= least } ?? pole
    }

    fileprivate func distance(to other: Color) -> Double {
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        return (r * r + g * g + b * b).squareRoot()
    }
}
