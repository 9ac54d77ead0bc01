import Animations
import Core

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

    /// The background against which colours of objects are judged: the darkest one of a light theme
    /// and the lightest one of a dark theme. So an object has the same colour on the canvas, in the
    /// bands and in plots.
    var reference: Color {
        let other = isBright ? Color(244, 245, 247) : Color(28, 29, 34)
        let isWithin = isBright ? backdrop.luminance >= other.luminance : backdrop.luminance <= other.luminance
        return isWithin ? other : backdrop
    }

    /// Returns the colour closest to the given one with enough contrast for shapes on the canvas: 3
    /// on light backgrounds, as WCAG requires of graphics, and 4.5 on dark ones.
    package func visible(_ color: Color) -> Color { color.contrasting(with: reference, atLeast: minContrast) }

    var minContrast: Double { isBright ? 3 : 4.5 }

    /// Returns the colour closest to the given one with enough contrast for text on the canvas:
    /// slightly above the 4.5 that WCAG requires.
    package func readable(_ color: Color) -> Color { color.contrasting(with: backdrop, atLeast: 4.6) }

    /// Returns a colour for each object: the one in which it is drawn, changed only as far as it
    /// needs contrast to the background and a difference from the other objects.
    package func colors(for objects: [MovingObject]) -> [Color] {
        var used: [Color] = []
        for object in objects { used.append(color(near: visible(object.color), unlike: used)) }
        return used
    }

    /// The minimum CIEDE2000 distance of two lines in a plot that are easy to tell apart.
    static let minColorDistance = 8.0

    /// Returns true if the object's colour distinguishes it from all others. An object without a
    /// disc never qualifies, because it lies on a shape of its own colour.
    static func hasOwnColor(_ index: Int, in objects: [MovingObject]) -> Bool {
        let object = objects[index]
        return object.radius > 0
            && objects.count { isAlike($0.color, object.color) } == 1
    }

    /// Returns true if viewers take two colours for the same.
    package static func isAlike(_ color: Color, _ other: Color) -> Bool {
        color.distance(to: other) < minColorDistance
    }
}

extension Color {
    /// The relative luminance in 0...1, as defined by WCAG.
    var luminance: Double {
        BT709.luma(red: SRGB.linear(red), green: SRGB.linear(green), blue: SRGB.linear(blue))
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
}
