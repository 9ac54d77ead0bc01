import Core

/// The shades that tell objects of one colour apart.
extension AnnotationTheme {
    /// The maximum CIEDE2000 distance of an object's colour from the one in which it is drawn,
    /// unless contrast requires more. At this distance it is still a shade of the same colour.
    static let maxColorDistance = 18.0
    /// The offsets in L*a*b* at which other shades are looked for.
    private static let offsets = shades(lightness: [-30, -20, -10, 0, 10, 20, 30])

    private static func shades(lightness: [Double]) -> [LabColor] {
        lightness.flatMap { lightness in
            (0..<8).flatMap { direction in
                [12.0, 24, 40].map { radius in
                    let angle = Double(direction) * .pi / 4
                    return LabColor(lightness: lightness, a: radius * cos(angle), b: radius * sin(angle))
                }
            } + [LabColor(lightness: lightness, a: 0, b: 0)]
        }
    }

    /// Returns a colour, or if another object has it, the shade of it that differs most from all
    /// others.
    func color(near color: Color, unlike used: [Color]) -> Color {
        if color.lab.lightness < Self.maxDarkLightness { return darkColor(near: color, unlike: used) }
        func nearest(_ shade: Color) -> Double { used.map { $0.distance(to: shade) }.min() ?? .infinity }
        guard nearest(color) < Self.minColorDistance else { return color }
        let shades = visibleShades(of: color, at: Self.offsets).filter {
            $0.distance(to: color) <= Self.maxColorDistance
        }
        return shades.max { nearest($0) < nearest($1) } ?? color
    }

    private func visibleShades(of color: Color, at offsets: [LabColor]) -> [Color] {
        let lab = color.lab
        return offsets.map { offset in
            LabColor(lightness: lab.lightness + offset.lightness, a: lab.a + offset.a, b: lab.b + offset.b).color
        }.filter { $0.contrast(to: reference) >= minContrast }
    }

    // MARK: Colours near black

    /// The lightness below which the light that a screen reflects makes all shades of a colour look
    /// black.
    static let maxDarkLightness = 25.0
    /// The minimum CIEDE2000 distance, with that light, at which viewers distinguish thin lines in
    /// dark colours.
    private static let minSeenDistance = 15.0
    /// The maximum distances from the colour in which an object is drawn, in the order in which
    /// they are tried: farther away only as far as the contrast between objects needs.
    static let darkDistances = [maxColorDistance, 24, 30, 36]
    /// The offsets at which shades of dark colours are looked for. Lighter ones have room for a
    /// hue.
    private static let darkOffsets = shades(lightness: [-10, 0, 10, 20, 30, 40])
    /// The maximum number of other objects that a dark object's colour must differ from.
    private static let maxDarkObjects = 32

    /// Returns a dark colour, or if another object has it, a shade that a viewer tells from all
    /// others and from the playhead.
    private func darkColor(near color: Color, unlike used: [Color]) -> Color {
        let others = used.suffix(Self.maxDarkObjects).map(\.withGlare.lab)
        func nearest(_ shade: LabColor) -> Double { others.map { $0.distance(to: shade) }.min() ?? .infinity }
        guard nearest(color.withGlare.lab) < Self.minColorDistance else { return color }
        let playhead = accent.withGlare.lab
        let shades = visibleShades(of: color, at: Self.darkOffsets).map { shade in
            let seen = shade.withGlare.lab
            return (
                color: shade, change: shade.distance(to: color),
                difference: min(nearest(seen), seen.distance(to: playhead))
            )
        }
        var best: (color: Color, change: Double, difference: Double)?
        for limit in Self.darkDistances where best?.difference ?? 0 < Self.minSeenDistance {
            best = shades.filter { $0.change <= limit }.max { $0.difference < $1.difference }
        }
        return best?.color ?? color
    }
}

extension Color {
    /// The share of white that a screen in a lit room reflects, in linear light.
    private static let glare = 0.05

    /// The colour as it looks on a screen in a lit room.
    fileprivate var withGlare: Color {
        func seen(_ value: Double) -> Double {
            let light = SRGB.linear(value)
            return SRGB.encoded(light + (1 - light) * Self.glare)
        }
        return Color(red: seen(red), green: seen(green), blue: seen(blue), alpha: alpha)
    }
}
