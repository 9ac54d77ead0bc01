import Core

/// Numbers as decimal text, without exponents and trailing zeros, equal on all machines.
struct DecimalText: Sendable {
    /// The number of digits after the point.
    let places: Int
    private let factor: Double

    init(places: Int) {
        self.places = places
        factor = (0..<places).reduce(1) { product, _ in product * 10 }
    }

    /// Text that is exact to half of `tolerance`.
    init(tolerance: Double) {
        // Enough digits that rounding adds at most a tenth to an error of the tolerance.
        let digits = tolerance > 0 ? (0.7 - log10(tolerance)).rounded(.up) : 3
        self.init(places: Int(min(max(digits, 0), 9)))
    }

    /// Returns a number as text; finite numbers of up to 1e9.
    func callAsFunction(_ value: Double) -> String {
        let scaled = Int64((min(max(value, -1e9), 1e9) * factor).rounded())
        let digits = String(abs(scaled))
        let sign = scaled < 0 ? "-" : ""
        guard places > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = padded.dropLast(places)
        return sign + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
