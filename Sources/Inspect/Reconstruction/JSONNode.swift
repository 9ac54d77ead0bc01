import Core

/// A JSON value with members in a given order, so that equal values give equal text.
indirect enum JSONNode {
    case number(Double)
    case flag(Bool)
    case text(String)
    case list([JSONNode])
    case object([(key: String, value: JSONNode)])

    static func numbers(_ values: [Double]) -> JSONNode { .list(values.map(JSONNode.number)) }

    /// The value as JSON on one line.
    var string: String {
        switch self {
        case .number(let value): return decimalText(value)
        case .flag(let flag): return flag ? "true" : "false"
        case .text(let text): return JSONText.literal(text)
        case .list(let values): return "[" + values.map(\.string).joined(separator: ",") + "]"
        case .object(let members):
            return "{" + members.map { "\"\($0.key)\":\($0.value.string)" }.joined(separator: ",") + "}"
        }
    }
}

/// Returns a number with at most four decimals, without an exponent.
func decimalText(_ value: Double, places: Int = 4) -> String {
    let factor = pow(10, Double(places))
    // Numbers beyond this have no decimals worth writing, and none occur.
    let scaled = (min(1e12, max(-1e12, value)) * factor).rounded()
    let digits = Int64(scaled.magnitude)
    let whole = digits / Int64(factor)
    guard places > 0 else { return (scaled < 0 ? "-" : "") + "\(whole)" }
    var rest = String(digits % Int64(factor))
    rest = String(repeating: "0", count: places - rest.count) + rest
    while rest.last == "0" { rest.removeLast() }
    let sign = scaled < 0 ? "-" : ""
    return sign + "\(whole)" + (rest.isEmpty ? "" : ".\(rest)")
}
