/// The transfer function of sRGB (IEC 61966-2-1).
package enum SRGB {
    /// Returns the linear light of a component, both in 0...1.
    package static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Returns the component of a linear light, both in 0...1.
    package static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
