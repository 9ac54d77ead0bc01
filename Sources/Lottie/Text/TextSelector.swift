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
    /// The smoothness in percent: lower values harden the edge of the range.
    private let smoothness: Property<Double>
    /// The seed of a random order; nil for the order of the text.
    private let seed: UInt64?
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
        smoothness = try field?.property("sm") ?? Property(100)
        seed = try field.flatMap { try $0.flag("rn") ? ExpressionRandom.hash(of: $0.path) : nil }
    }

    /// Returns the animator's factor, usually in -1...1, for the unit with an index.
    ///
    /// - Parameters:
    ///   - index: the index of the character, word or line.
    ///   - count: the number of these units.
    func factor(_ index: Int, of count: Int, at frame: Double, in context: FrameContext) -> Double {
        func value(_ property: Property<Double>) -> Double { property.value(at: frame, in: context) }
        let index = seed.map { Self.position(of: index, among: count, seed: $0) } ?? index
        let unit = isByIndex ? 1 : 100 / Double(max(1, count))
        let shift = value(offset) / unit
        let first = value(start) / unit + shift
        let last = (end.map(value) ?? (isByIndex ? Double(count) : 100)) / unit + shift
        let low = min(first, last)
        let high = max(first, last)
        let ease = TimingFunction(
            clamp01(value(easeLow) / 100), clamp01(-value(easeLow) / 100), clamp01(1 - value(easeHigh) / 100),
            clamp01(1 + value(easeHigh) / 100))
        return smoothed(ease(coverage(Double(index), low, high)), by: value(smoothness)) * value(amount) / 100
    }

    /// Returns a factor within the middle of 0...1, of the size of the smoothness, stretched to all
    /// of it, as in lottie-web.
    private func smoothed(_ factor: Double, by smoothness: Double) -> Double {
        guard smoothness < 100 else { return factor }
        let size = max(smoothness / 100, 1e-8)
        return clamp01((factor - 0.5) / size + 0.5)
    }

    // MARK: Random order

    /// Returns the position of a unit in the random order: the number of units with a lower hash.
    /// After Effects does not publish its own order. The seed is a hash of the selector's path, so
    /// that selectors have different orders.
    private static func position(of index: Int, among count: Int, seed: UInt64) -> Int {
        func hash(_ index: Int) -> UInt64 {
            // SplitMix64: no two units have the same hash, because the mixing is a bijection.
            ExpressionRandom.mixed(seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15)
        }
        let own = hash(index)
        return (0..<count).count { hash($0) < own }
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
