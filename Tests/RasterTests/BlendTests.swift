import Core
import TestSupport
import Testing

@testable import Raster

/// Blend modes compared with the formulas of W3C's "Compositing and Blending", which are those of
/// PDF.
@Suite struct BlendTests {
    /// Red, green and blue.
    private typealias Parts = [Double]

    /// One component of a separable mode, with backdrop `b` and source `s`; nil for other modes.
    private func separable(_ mode: BlendMode, _ b: Double, _ s: Double) -> Double? {
        func hardLight(_ b: Double, _ s: Double) -> Double {
            s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
        }
        switch mode {
        case .normal: return s
        case .multiply: return b * s
        case .screen: return b + s - b * s
        case .overlay: return hardLight(s, b)
        case .darken: return min(b, s)
        case .lighten: return max(b, s)
        case .colorDodge: return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: return hardLight(b, s)
        case .softLight:
            let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
            return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
        case .difference: return abs(b - s)
        case .exclusion: return b + s - 2 * b * s
        default: return nil
        }
    }

    private func luminosity(_ c: Parts) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
    private func saturation(_ c: Parts) -> Double { (c.max() ?? 0) - (c.min() ?? 0) }

    private func with(luminosity wanted: Double, _ c: Parts) -> Parts {
        let moved = c.map { $0 + wanted - luminosity(c) }
        let l = luminosity(moved)
        let (low, high) = (moved.min() ?? 0, moved.max() ?? 0)
        return moved.map { part in
            var part = part
            if low < 0 { part = l + (part - l) * l / (l - low) }
            if high > 1 { part = l + (part - l) * (1 - l) / (high - l) }
            return part
        }
    }

    private func with(saturation wanted: Double, _ c: Parts) -> Parts {
        let low = c.min() ?? 0
        let range = saturation(c)
        return c.map { range > 0 ? ($0 - low) * wanted / range : 0 }
    }

    /// The blended colour where both are opaque.
    private func mixed(_ mode: BlendMode, _ b: Parts, _ s: Parts) -> Parts {
        switch mode {
        case .hue: with(luminosity: luminosity(b), with(saturation: saturation(b), s))
        case .saturation: with(luminosity: luminosity(b), with(saturation: saturation(s), b))
        case .color: with(luminosity: luminosity(b), s)
        case .luminosity: with(luminosity: luminosity(s), b)
        default: zip(b, s).map { separable(mode, $0, $1) ?? 0 }
        }
    }

    /// The premultiplied result of a source over a backdrop, alpha last.
    private func composited(_ mode: BlendMode, _ below: Color, _ above: Color) -> Parts {
        let b = [below.red, below.green, below.blue]
        let s = [above.red, above.green, above.blue]
        let (ab, `as`) = (below.alpha, above.alpha)
        func porterDuff(_ fa: Double, _ fb: Double) -> Parts {
            zip(b, s).map { fb * ab * $0 + fa * `as` * $1 } + [fb * ab + fa * `as`]
        }
        switch mode {
        case .add: return porterDuff(1, 1).map { min(1, $0) }
        case .destinationIn: return porterDuff(0, `as`)
        case .destinationOut: return porterDuff(0, 1 - `as`)
        case .xor: return porterDuff(1 - ab, 1 - `as`)
        default:
            let mixed = mixed(mode, b, s)
            return (0..<3).map { (1 - ab) * `as` * s[$0] + (1 - `as`) * ab * b[$0] + `as` * ab * mixed[$0] }
                + [ab + `as` - ab * `as`]
        }
    }

    private func drawn(_ mode: BlendMode, _ below: Color, _ above: Color, opacity: Double, mask: Mask?) throws -> Parts
    {
        let square = Node.shape(Shape(.rectangle(Rect(x: 0, y: 0, width: 32, height: 32)), fill: above))
        let group = Node.group(Group(opacity: opacity, nodes: [square], blendMode: mode, mask: mask))
        let pixels = try PixelGrid(
            of: Scene(size: Size(16, 16), background: below, nodes: [group]), width: 16, height: 16)
        let pixel = pixels[8, 8]
        return [pixel.red, pixel.green, pixel.blue, pixel.alpha].map { Double($0) / 255 }
    }

    @Test(arguments: BlendMode.allCases) func matchesItsFormula(mode: BlendMode) throws {
        var random = SeededGenerator(seed: 7)
        for round in 0..<60 {
            func color(_ alpha: Double) -> Color {
                // Multiples of 1/255, so that colours are drawn exactly, and sometimes the ends of
                // the range.
                func part() -> Double {
                    round % 10 == 9 ? Double(random.int(0...1)) : Double(random.int(0...255)) / 255
                }
                return Color(red: part(), green: part(), blue: part(), alpha: alpha)
            }
            let below = color(round % 3 == 2 ? Double(random.int(60...255)) / 255 : 1)
            let above = color(round % 3 == 0 ? 1 : Double(random.int(60...255)) / 255)
            let wanted = composited(mode, below, above)
            let found = try drawn(mode, below, above, opacity: 1, mask: nil)
            let worst = zip(wanted, found).map { abs($0 - $1) }.max() ?? 1
            // Division by a component increases its rounding error.
            let steps = [.colorDodge, .colorBurn].contains(mode) ? 8.0 : 4
            // Pixels are premultiplied 8-bit numbers; division by a small alpha increases their
            // rounding error.
            #expect(
                worst <= steps / 255.0 / min(below.alpha, above.alpha),
                "\(below) under \(above): \(found), not \(wanted)")
        }
    }

    /// A group's opacity and an equal mask fade the result in the same way.
    @Test(arguments: BlendMode.allCases.filter { $0 != .destinationIn })
    func opacityAndMaskFadeTheResult(mode: BlendMode) throws {
        let below = Color(200, 120, 40)
        let above = Color(60, 220, 130)
        let faded = try drawn(mode, below, above, opacity: 0.4, mask: nil)
        let veil = Node.shape(
            Shape(.rectangle(Rect(x: 0, y: 0, width: 16, height: 16)), fill: Color.black.opacity(0.4)))
        let masked = try drawn(mode, below, above, opacity: 1, mask: Mask([veil]))
        let formula = composited(mode, below, above.opacity(0.4))
        for (found, name) in [(faded, "opacity"), (masked, "mask")] {
            let worst = zip(found, formula).map { abs($0 - $1) }.max() ?? 1
            #expect(worst <= 5 / 255.0, "\(name): \(found), not \(formula)")
        }
    }

    /// A disc as a clip has the same soft edge as a disc that is drawn.
    @Test(arguments: BlendMode.allCases.filter { $0 != .destinationIn })
    func softClipsFadeTheResult(mode: BlendMode) throws {
        let disc = Path.circle(center: Point(50.3, 50.2), radius: 30)
        let everything = Path.rectangle(Rect(x: 0, y: 0, width: 100, height: 100))
        let backdrop = Node.shape(Shape(everything, fill: Color(40, 160, 220)))
        let color = Color(200, 40, 90)
        let clipped = Group(clip: disc, nodes: [.shape(Shape(everything, fill: color))], blendMode: mode)
        let drawn = Group(nodes: [.shape(Shape(disc, fill: color))], blendMode: mode)
        let found = try rendered([backdrop, .group(clipped)])
        let wanted = try rendered([backdrop, .group(drawn)])
        let worst = zip(found.pixels, wanted.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(worst <= 2)
    }

    /// An effect blends a paint with the colours as if they were opaque, and keeps their alpha.
    @Test(arguments: BlendMode.allCases.filter { ![.destinationIn, .destinationOut, .xor].contains($0) })
    func effectsBlendWithinAlpha(mode: BlendMode) throws {
        var random = SeededGenerator(seed: 8)
        for round in 0..<60 {
            // Fifths of these alphas are multiples of 1/255, so colours are exact.
            func color(_ alpha: Double) -> Color {
                func part() -> Double { Double(random.int(0...5)) / 5 }
                return Color(red: part(), green: part(), blue: part(), alpha: alpha)
            }
            let below = color([1, 150.0 / 255, 60.0 / 255][round % 3])
            let above = color(1)
            let opacity = round % 2 == 0 ? 1 : 0.6
            let square = Node.shape(Shape(.rectangle(Rect(x: 0, y: 0, width: 32, height: 32)), fill: below))
            let group = Node.group(Group(nodes: [square], effects: [.paint(.color(above), opacity: opacity, mode)]))
            let scene = Scene(size: Size(16, 16), background: Color.black.opacity(0), nodes: [group])
            let pixel = try PixelGrid(of: scene, width: 16, height: 16)[8, 8]
            let (b, s) = ([below.red, below.green, below.blue], [above.red, above.green, above.blue])
            let blended =
                mode == .add
                ? zip(b, s).map { min(1, $0 + opacity * $1) }
                : zip(b, mixed(mode, b, s)).map { (1 - opacity) * $0 + opacity * $1 }
            let wanted = (blended + [1]).map { $0 * below.alpha }
            let found = [pixel.red, pixel.green, pixel.blue, pixel.alpha].map { Double($0) / 255 }
            let worst = zip(wanted, found).map { abs($0 - $1) }.max() ?? 1
            // Division by a component increases its rounding error.
            let steps = [.colorDodge, .colorBurn].contains(mode) ? 8.0 : 4
            #expect(worst <= steps / 255, "\(above) at \(opacity) on \(below): \(found), not \(wanted)")
        }
    }

    /// A paint that Cairo cannot draw is an error and not left out.
    @Test func failedPaintsAreErrors() throws {
        let pixmap = try Pixmap(width: 4, height: 4)
        try pixmap.blend(.color(.black), transform: .identity, opacity: 1, mode: .multiply)
        #expect(throws: RasterError.self) {
            try pixmap.blend(.color(.black), transform: .scale(0), opacity: 1, mode: .multiply)
        }
    }

    @Test func onlyDestinationInChangesUncoveredPixels() throws {
        for mode in BlendMode.allCases {
            let square = Node.shape(Shape(.rectangle(Rect(x: 0, y: 0, width: 20, height: 20)), fill: Color(9, 200, 30)))
            let pixels = try rendered([.group(Group(nodes: [square], blendMode: mode))])
            #expect(pixels[50, 50] == (mode == .destinationIn ? .init(0, 0, 0, 0) : .init(255, 255, 255)), "\(mode)")
        }
    }

    /// A group without any visible part is transparent everywhere.
    @Test func invisibleGroupsClearInDestinationIn() throws {
        let far = Node.shape(Shape(.rectangle(Rect(x: 500, y: 0, width: 20, height: 20)), fill: .black))
        let clipped = Node.group(Group(clip: .rectangle(Rect(x: 0, y: 0, width: 9, height: 9)), nodes: [far]))
        for group in [
            Group(nodes: []), Group(nodes: [far]), Group(nodes: [far], effects: [.blur(Size(5, 5))]),
            Group(nodes: [clipped]), Group(opacity: 0, nodes: [far]), Group(transform: .scale(0), nodes: [far]),
        ] {
            var clearing = group
            clearing.blendMode = .destinationIn
            #expect(try rendered([.group(clearing)])[50, 50] == .init(0, 0, 0, 0), "\(group)")
        }
    }
}
