import Core

/// A range selector of a text animator: determines how much the animator changes each character.
struct TextSelector: Sendable {
    /// The unit that is selected ("Based On").
    enum Basis: Int, Sendable { case characters = 1, charactersWithoutSpaces, words, lines }

    private let start: Property<Double>
    private let end: Property<Double>?
    private let offset: Property<Double>
    private let amount: Property<Double>
    private let easeHigh: Property<Double>
    private let easeLow: Property<Double>
    /// 1 for square, 2 for ramp up, 3 for ramp down, 4 for triangle, 5 for round, 6 for smooth.
    private let shape: Int
    /// True if start, end and offset are indices, and false if they are percentages.
    private let isByIndex: Bool
    let basis: Basis

    init(reading field: Field?) throws {
        start = try field?.property("s") ?? Property(0)
        end = try field?.property("e")
        offset = try field?.property("o") ?? Property(0)
        amount = try field?.property("a") ?? Property(100)
        easeHigh = try field?.property("xe") ?? Property(0)
        easeLow = try field?.property("ne") ?? Property(0)
        shape = try field?.integer("sh") ?? 1
        isByIndex = try field?.integer("r") == 2
        basis = Basis(rawValue: try field?.integer("b") ?? 1) ?? .characters
        if let field, try field.flag("rn") { field.reportUnsupported("a random order of characters") }
    }

    /// Returns the animator's factor, usually in -1...1, for the unit with an index.
    ///
    /// - Parameters:
    ///   - index: The index of the character, word or line.
    ///   - count: The number of these units.
    func factor(_ index: Int, of count: Int, at frame: Double, in context: FrameContext) -> Double {
        func value(_ property: Property<Double>) -> Double { property.value(at: frame, in: context) }
        let unit = isByIndex ? 1 : 100 / Double(max(1, count))
        let shift = value(offset) / unit
        let first = value(start) / unit + shift
        let last = (end.map(value) ?? (isByIndex ? Double(count) : 100)) / unit + shift
        let low = min(first, last)
        let high = max(first, last)
        let ease = TimingFunction(
            clamp01(value(easeLow) / 100), clamp01(-value(easeLow) / 100), clamp01(1 - value(easeHigh) / 100),
            clamp01(1 + value(easeHigh) / 100))
        return ease(coverage(Double(index), low, high)) * value(amount) / 100
    }

    /// Returns the share of a unit that the range covers, according to the shape.
    private func coverage(_ index: Double, _ low: Double, _ high: Double) -> Double {
        let span = high - low
        let ramp = span > 0 ? clamp01((index + 0.5 - low) / span) : index >= high ? 1 : 0
        switch shape {
        case 2: return ramp
        case 3: return 1 - ramp
        case 4: return span > 0 ? 1 - abs(2 * ramp - 1) : 0
        case 5: return span > 0 ? max(0, 1 - (2 * ramp - 1) * (2 * ramp - 1)).squareRoot() : 0
        case 6: return span > 0 ? (1 - cos(2 * .pi * ramp)) / 2 : 0
        default: return max(0, min(high, index + 1) - max(low, index))
        }
    }
}
