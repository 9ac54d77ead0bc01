import Core

/// A colour of three channels, 0...255 each. Differences of colours may be negative.
struct RGB: Hashable, Sendable {
    var red: Int, green: Int, blue: Int

    init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Creates the colour of a pixel in RGBA samples.
    init(_ pixels: UnsafeBufferPointer<UInt8>, _ pixel: Int) {
        let index = 4 * pixel
        self.init(Int(pixels[index]), Int(pixels[index + 1]), Int(pixels[index + 2]))
    }

    /// Returns the largest difference of any channel.
    func distance(to other: RGB) -> Int {
        max(abs(red - other.red), max(abs(green - other.green), abs(blue - other.blue)))
    }

    static func - (a: RGB, b: RGB) -> RGB { RGB(a.red - b.red, a.green - b.green, a.blue - b.blue) }

    func dot(_ other: RGB) -> Int { red * other.red + green * other.green + blue * other.blue }

    /// The share of the other colour in a blend. With less, a colour is the ground itself, and with
    /// more, the other colour.
    private static let blendShare = 0.1...0.8

    /// Returns true if the colour is a blend of `ground` with another colour.
    func isShade(of color: RGB, over ground: RGB) -> Bool {
        let line = color - ground
        let difference = self - ground
        let length = line.dot(line)
        guard length > 0 else { return false }
        let share = Double(difference.dot(line)) / Double(length)
        func part(_ value: Int) -> Int { Int((share * Double(value)).rounded()) }
        let mixed = RGB(part(line.red), part(line.green), part(line.blue))
        return Self.blendShare.contains(share) && difference.distance(to: mixed) <= Background.tolerance
    }

    /// The colour for a scene.
    var color: Color { Color(red, green, blue) }
}
