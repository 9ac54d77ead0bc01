import Core
import Testing

@testable import Inspect

/// The division of the foreground by colour.
@Suite struct ForegroundScannerTests {
    private static let view = RegionView(PixelRect(x: 0, y: 0, width: 120, height: 80), budget: 360_000)

    private static func shapes(
        _ scanner: inout ForegroundScanner, _ frame: Int, _ color: (Int, Int) -> (Int, Int, Int)
    ) -> [ObservedShape] {
        var pixels: [UInt8] = []
        for y in 0..<80 {
            for x in 0..<120 {
                let (red, green, blue) = color(x, y)
                pixels += [UInt8(red), UInt8(green), UInt8(blue), 255]
            }
        }
        return pixels.withUnsafeBufferPointer { scanner.shapes($0, frame: frame) }
    }

    private static func scanner() -> ForegroundScanner {
        ForegroundScanner(view: view, background: Channels(repeating: 255), threshold: 12)
    }

    @Test func aSmallPartOfAKnownObjectStaysSeparateFromALargeOne() {
        var scanner = Self.scanner()
        for (frame, left) in [10, 10, 10, 10, 40].enumerated() {
            let shapes = Self.shapes(&scanner, frame) { x, y in
                if (50..<110).contains(x), (10..<70).contains(y) { return (48, 96, 208) }
                return (left..<left + 14).contains(x) && (30..<44).contains(y) ? (208, 48, 80) : (255, 255, 255)
            }
            #expect(shapes.count == 2)
            #expect(shapes.allSatisfy { $0.isAlone == (left == 10) })
        }
    }

    /// Three translucent discs and the areas in which they overlap have seven colours.
    @Test func flatColorsAreNotAnImage() {
        var scanner = Self.scanner()
        let steps = (0..<7).map { (30 * $0, 200 - 25 * $0, ($0 * 90) % 200) }
        let flat = Self.shapes(&scanner, 0) { x, y in
            (10..<108).contains(x) && (10..<70).contains(y) ? steps[(x - 10) / 14] : (255, 255, 255)
        }
        #expect(flat.allSatisfy(\.isPlain) && flat.count > 3)
        let gradient = Self.shapes(&scanner, 1) { x, y in
            let value = (x - 10) * 255 / 100
            return (10..<110).contains(x) && (10..<70).contains(y) ? (value, 40, 255 - value) : (255, 255, 255)
        }
        #expect(gradient.contains { !$0.isPlain })
    }

    /// A plain bar with errors of an encoder, and a bar that becomes lighter from left to right.
    @Test func faintGradientIsNotPlain() {
        var scanner = Self.scanner()
        let plain = Self.shapes(&scanner, 0) { x, y in
            let value = 200 + (x * 7 + y * 13) % 8
            return (10..<110).contains(x) && (20..<50).contains(y) ? (value, value, value) : (255, 255, 255)
        }
        #expect(plain.count == 1 && plain.allSatisfy(\.isPlain))
        let gradient = Self.shapes(&scanner, 1) { x, y in
            let value = 200 + (x - 10) / 6
            return (10..<110).contains(x) && (20..<50).contains(y) ? (value, value, value) : (255, 255, 255)
        }
        #expect(gradient.contains { !$0.isPlain })
    }

    /// A blue bar over a resting bar that is nearly white.
    @Test func faintAreaBesideAnObjectIsNamed() {
        var scanner = Self.scanner()
        for frame in 0..<8 {
            let shapes = Self.shapes(&scanner, frame) { x, y in
                guard (10..<110).contains(x), (30..<50).contains(y) else { return (255, 255, 255) }
                return (20 + frame..<50 + frame).contains(x) ? (52, 152, 219) : (242, 242, 242)
            }
            #expect(shapes.count == 1)
        }
        #expect(scanner.faintColor.map { ($0 - Channels(repeating: 242)).largest < 3 } == true)
    }

    /// A grey frame with a line on its upper side whose chroma is blurred: no pixel is flat. On a
    /// plain area, other hues are parts of objects behind.
    @Test(arguments: [true, false]) func thinLineOfAnotherHueIsAnArea(isFrame: Bool) {
        var scanner = Self.scanner()
        let shapes = Self.shapes(&scanner, 0) { x, y in
            let isInside = isFrame && (20..<100).contains(x) && (20..<60).contains(y)
            guard (10..<110).contains(x), (10..<70).contains(y), !isInside else { return (255, 255, 255) }
            guard (30..<90).contains(x), (13..<19).contains(y) else { return (200, 200, 200) }
            let shade = 18 * abs(2 * y - 31) / 2
            return (37 + shade, 99 + shade / 2, 235 - shade / 4)
        }
        let blue = shapes.first { $0.color.z - $0.color.x > 80 }
        #expect((blue != nil) == isFrame)
        guard let box = blue?.box else { return }
        #expect(box.width > 56 && box.width < 64 && box.height < 10)
    }

    /// The errors of an encoder's chroma make two flat shades of green with the same luma.
    @Test func shadesOfEqualLumaAreOneArea() {
        var scanner = Self.scanner()
        let shapes = Self.shapes(&scanner, 0) { x, y in
            guard (30..<70).contains(x), (20..<60).contains(y) else { return (255, 255, 255) }
            return x < 50 ? (107, 177, 77) : (121, 173, 98)
        }
        #expect(shapes.count == 1)
    }

    /// The colour of nothing else is known, so the most contrasting tenth tells.
    @Test func contrastingColorIsTheMeanOfTheStrongest() {
        let scanner = Self.scanner()
        let values = (0..<40).map { 40 + 4 * $0 }
        let pixels: [UInt8] = (0..<120 * 80).flatMap { pixel -> [UInt8] in
            let value = UInt8(pixel < 40 ? values[pixel] : 255)
            return [value, value, value, 255]
        }
        pixels.withUnsafeBufferPointer { buffer in
            let component = ForegroundComponent(
                Array(0..<40), number: 1, owner: [], pixels: buffer, view: Self.view,
                background: scanner.background, palette: [])
            #expect(component.extremeColor() == Channels(repeating: 46))
        }
    }
}
