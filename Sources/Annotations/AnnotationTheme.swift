import Platform
import Loaders
import Scene

/// Colours of captions: dark letters for bright stages, bright letters for dark ones.
package struct AnnotationTheme: Sendable {
    /// Behind the stage.
    package let stage: Color
    /// Behind the strips.
    package let canvas: Color
    /// Letters.
    package let ink: Color
    /// Letters of less weight.
    package let faint: Color
    /// Lines that part things.
    package let hairline: Color
    /// Behind letters in the strip of all phases.
    package let band: Color
    /// What is current.
    package let accent: Color
    /// Whether the stage is bright.
    package let isBright: Bool

    /// The colours that suit a stage's background.
    package init(stage: Color) {
        // What shows through a background is taken for white.
        let seen = Color.white.mixed(with: stage.opacity(1), stage.alpha)
        (self.stage, isBright) = (stage, seen.isBright)
        if isBright {
            (canvas, ink, faint) = (Color(244, 245, 247), Color(32, 36, 44), Color(90, 96, 108))
            (hairline, band, accent) = (Color(208, 211, 217), Color(225, 228, 233), Color(0, 98, 196))
        } else {
            (canvas, ink, faint) = (Color(28, 29, 34), Color(240, 241, 244), Color(164, 169, 180))
            (hairline, band, accent) = (Color(72, 74, 84), Color(50, 52, 60), Color(94, 170, 255))
        }
        backdrop = canvas.mixed(with: stage.opacity(1), stage.alpha)
    }

    /// The stage's background as it is seen: opaque.
    package let backdrop: Color

    /// A colour as near to the given one as can be seen well on the stage.
    package func visible(_ color: Color) -> Color { color.contrasting(with: backdrop, atLeast: isBright ? 3 : 4.5) }

    /// A colour as near to the given one as can be read well on the stage.
    package func readable(_ color: Color) -> Color { color.contrasting(with: backdrop, atLeast: 4.6) }

    /// A colour for each object: its own where it has one to itself, else one that is unlike all others and what is current.
    package func colors(for objects: [MovingObject]) -> [Color] {
        let own = objects.flatMap { [$0.color, visible($0.color)] }
        var used: [Color] = []
        for index in objects.indices {
            let isShared = !AnnotationTheme.hasOwnColor(index, in: objects)
            used.append(isShared ? freshColor(unlike: used + own + [accent]) : visible(objects[index].color))
        }
        return used
    }

    /// Whether an object is told from all others by its colour. A bare point is not: it lies on a shape of its colour.
    static func hasOwnColor(_ index: Int, in objects: [MovingObject]) -> Bool {
        objects[index].radius > 0 && objects.count { $0.color == objects[index].color } == 1
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
    package func mixed(with other: Color, _ fraction: Double) -> Color {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
        return Color(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
            alpha: mix(alpha, other.alpha))
    }

    /// How bright it looks, 0...1, as accessibility guidelines define it.
    var luminance: Double {
        func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Whether black is read better on it than white.
    package var isBright: Bool { contrast(to: .black) > contrast(to: .white) }

    /// The ratio of two colours' brightness as accessibility guidelines define it, at least 1.
    package func contrast(to other: Color) -> Double {
        let (a, b) = (luminance + 0.05, other.luminance + 0.05)
        return max(a, b) / min(a, b)
    }

    /// The first of the colours from this one towards black or white, whichever is further from `ground`, that differs
    /// enough from it.
    package func contrasting(with ground: Color, atLeast least: Double) -> Color {
        let pole = ground.isBright ? Color.black : Color.white
        let steps = (0...40).map { opacity(1).mixed(with: pole, Double($0) / 40) }
        return steps.first { $0.contrast(to: ground) >= least } ?? pole
    }

    fileprivate func distance(to other: Color) -> Double {
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        return (r * r + g * g + b * b).squareRoot()
    }
}
