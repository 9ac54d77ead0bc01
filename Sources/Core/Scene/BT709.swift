/// The weights of red, green and blue in luma by BT.709.
///
/// sRGB has BT.709's primaries, so they are also the weights of linear light in WCAG's relative
/// luminance.
package enum BT709 {
    package static let red = 0.2126
    package static let green = 0.7152
    package static let blue = 0.0722

    /// Returns the luma of a colour, in the unit of its components.
    package static func luma(red: Double, green: Double, blue: Double) -> Double {
        Self.red * red + Self.green * green + Self.blue * blue
    }
}
