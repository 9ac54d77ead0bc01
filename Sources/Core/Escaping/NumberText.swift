/// Numbers as text, independent of the locale: with a decimal point and without exponents.
package enum NumberText {
    /// Returns a number with at most `places` decimals and no trailing zeros.
    package static func decimal(_ value: Double, places: Int, minus: String = "-") -> String {
        var text = fixed(value, places: places, minus: minus)
        guard places > 0, text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// Returns a number with exactly `places` decimals. Zero has no sign.
    package static func fixed(_ value: Double, places: Int, minus: String = "-") -> String {
        let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 1e15 else { return String(value) }
        let digits = String(Int(scaled))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let whole = padded.dropLast(places)
        let sign = value < 0 && scaled > 0 ? minus : ""
        return sign + whole + (places > 0 ? "." + padded.suffix(places) : "")
    }

    /// Returns a number with a sign unless it is zero: `+30`, `−0.5`, `0`.
    package static func signed(_ value: Double, places: Int, minus: String = "−") -> String {
        let text = decimal(value, places: places, minus: minus)
        return text == "0" || text.hasPrefix(minus) ? text : "+" + text
    }
}
