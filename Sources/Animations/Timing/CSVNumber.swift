import Core

extension CSV {
    /// Returns a number with at most nine decimals; from a million on, as precisely as Swift prints
    /// it.
    package static func number(_ value: Double) -> String {
        abs(value) < 1e6 ? NumberText.decimal(value, places: 9) : "\(value)"
    }
}
