import Core
import Animations

/// The colours of annotations: dark text for light backgrounds and light text for dark ones.
package struct AnnotationTheme: Sendable {
    /// The background of the canvas.
    package let background: Color
    /// The background of the bands around the canvas.
    package let surface: Color
    /// The primary text colour.
    package let ink: Color
    /// The secondary text colour.
    package let faint: Color
    /// The colour of separator lines.
    package let hairline: Color
    /// The fill of badges and of the timeline's phases.
    package let band: Color
    /// The colour of the current phase and the playhead.
    package let accent: Color
    /// True if the background of the canvas is light.
    package let isBright: Bool

    /// The theme for a background colour.
    package init(background: Color) {
        // A translucent background is judged as if it were over white.
        let seen = Color.white.mixed(with: background.opacity(1), background.alpha)
        self.background = background
        isBright = seen.isBright
        if isBright {
            surface = Color(244, 245, 247)
            ink = Color(32, 36, 44)
            faint = Color(90, 96, 108)
            hairline = Color(208, 211, 217)
            band = Color(225, 228, 233)
            accent = Color(0, 98, 196)
        } else {
            surface = Color(28, 29, 34)
            ink = Color(240, 241, 244)
            faint = Color(164, 169, 180)
            hairline = Color(72, 74, 84)
            band = Color(50, 52, 60)
            accent = Color(94, 170, 255)
        }
        backdrop = surface.mixed(with: background.opacity(1), background.alpha)
    }

    /// The opaque colour of the canvas's background as the viewer sees it.
    package let backdrop: Color

    /// Returns the colour closest to the given one with enough contrast for shapes on the canvas: 3
    /// on light backgrounds, as WCAG requires of graphics, and 4.5 on dark ones.
    package func visible(_ color: Color) -> Color { color.contrasting(with: backdrop, atLeast: isBright ? 3 : 4.5) }

    /// Returns the colour closest to the given one with enough contrast for text on the canvas:
    /// slightly above the 4.5 that WCAG requires.
    package func readable(_ color: Color) -> Color { color.contrasting(with: backdrop, atLeast: 4.6) }

    /// Returns a colour for each object: its own if no other object has it, and otherwise a colour
    /// that differs from all others and from the accent.
    package func colors(for objects: [MovingObject]) -> [Color] {
        let own = objects.flatMap { [$0.color, visible($0.color)] }
        var used: [Color] = []
        for index in objects.indices {
            let isShared = !AnnotationTheme.hasOwnColor(index, in: objects)
            used.append(isShared ? freshColor(unlike: used + own + [accent]) : visible(objects[index].color))
        }
        return used
    }

    /// Returns true if the object's colour distinguishes it from all others. An object without a
    /// disc never qualifies, because it lies on a shape of its own colour.
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
    /// Returns the mix of this colour and another one, whose share is `fraction`.
    package func mixed(with other: Color, _ fraction: Double) -> Color {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
        return Color(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
            alpha: mix(alpha, other.alpha))
    }

    /// The relative luminance in 0...1, as defined by WCAG.
    var luminance: Double {
        func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// True if black has a higher contrast to this colour than white.
    package var isBright: Bool { contrast(to: .black) > contrast(to: .white) }

    /// Returns the contrast ratio of two colours, at least 1, as defined by WCAG.
    package func contrast(to other: Color) -> Double {
        let a = luminance + 0.05
        let b = other.luminance + 0.05
        return max(a, b) / min(a, b)
    }

    /// Returns the first colour between this one and black or white, whichever contrasts more with
    /// `background`, whose contrast to `background` is at least `minimum`.
    package func contrasting(with background: Color, atLeast minimum: Double) -> Color {
        let pole = background.isBright ? Color.black : Color.white
        let steps = (0...40).map { opacity(1).mixed(with: pole, Double($0) / 40) }
        return steps.first { $0.contrast(to: background) >= minimum } ?? pole
    }

    fileprivate func distance(to other: Color) -> Double {
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        return (r * r + g * g + b * b).squareRoot()
    }
}
