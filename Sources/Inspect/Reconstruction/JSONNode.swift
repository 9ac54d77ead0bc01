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

/// Returns a number with at most four decimals.
func decimalText(_ value: Double, places: Int = 4) -> String {
    // JSON has no infinity, and numbers beyond this have no decimals worth writing. None occur.
    NumberText.decimal(min(1e12, max(-1e12, value)), places: places)
}
