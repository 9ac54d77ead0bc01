/// Numbers as text, the same everywhere: a point for decimals, no exponents.
package enum NumberText {
    /// A number with at most so many decimals, without trailing zeros.
    package static func decimal(_ value: Double, places: Int, minus: String = "-") -> String {
        var text = fixed(value, places: places, minus: minus)
        guard places > 0, text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// A number with exactly so many decimals; zero has no sign.
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

    /// A number with a sign unless it is zero: `+30`, `−0.5`, `0`.
    package static func signed(_ value: Double, places: Int, minus: String = "−") -> String {
        let text = decimal(value, places: places, minus: minus)
        return text == "0" || text.hasPrefix(minus) ? text : "+" + text
    }
}
