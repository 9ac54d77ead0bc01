import Core

extension ObjectBuilder {
    /// The distance in codes of a colour from the line to the background above which an object
    /// changes its colour rather than its opacity.
    private static let colorTolerance: Float = 22
    /// The share of the strongest contrast from which that of most frames is the full colour's.
    private static let minTypical: Float = 0.85
    /// The share of the largest opacity above which a smaller one counts as equal.
    private static let minFade = 0.94

    /// Sets opacity and colour. An object whose colours lie between one colour and the background
    /// fades; any other changes its colour.
    func setColor(_ object: inout ReconstructedObject, _ shapes: [ObservedShape], _ gaps: Gaps) {
        let clear = clearlyColored(shapes)
        let color = fullColor(clear)
        let line = color - background
        let shares = clear.map { ($0.color - background).dot(line) / max(1, line.dot(line)) }
        let distances = zip(clear, shares).map { ($0.color - background - line * $1).largest }
        let isFade = distances.sorted()[distances.count * 95 / 100] <= ObjectBuilder.colorTolerance
        let own = isFade ? clear.indices.filter { distances[$0] <= ObjectBuilder.colorTolerance } : []
        func channel(_ index: Int) -> KeyframeCurve {
            func value(_ color: Channels) -> Double { min(1, max(0, Double(color[index]) / 255)) }
            guard !isFade else { return KeyframeCurve(constant: value(color)) }
            let samples = ValueSamples(times: clear.map { times[$0.frame] }, values: clear.map { value($0.color) })
            return curve(samples, ObjectBuilder.tolerances.share)
        }
        object.red = channel(0)
        object.green = channel(1)
        object.blue = channel(2)
        let seen =
            isFade
            ? ValueSamples(times: own.map { times[clear[$0].frame] }, values: own.map { min(1, Double(shares[$0])) })
            : ValueSamples(times: clear.map { times[$0.frame] }, values: clear.map { _ in 1 })
        object.opacity = curve(filled(seen, gaps.hidden), ObjectBuilder.tolerances.share)
        // A constant is the full opacity of the measured colour, and so is one that nearly rests:
        // measured colours of thin or covered objects vary.
        let range = object.opacity.range
        if object.opacity.isConstant || range.lowerBound > ObjectBuilder.minFade * range.upperBound {
            object.opacity = KeyframeCurve(constant: 1)
        }
    }

    /// Returns the shapes whose colour is the object's: edges take most of a small shape's colour,
    /// and colours mix where objects overlap.
    private func clearlyColored(_ shapes: [ObservedShape]) -> [ObservedShape] {
        let largest = shapes.map(\.diameter).max() ?? 0
        let large = shapes.filter { $0.diameter >= min(8 * pixel, 0.9 * largest) }
        let mixed = mixtures(shapes)
        let own = large.filter { !mixed.contains($0.frame) }
        let apart = own.filter(\.isAlone)
        return 2 * apart.count > own.count ? apart : own.isEmpty ? large : own
    }

    /// Returns the colour of an object that does not fade: that of most frames, as stronger ones
    /// are mixtures, or the strongest.
    private func fullColor(_ clear: [ObservedShape]) -> Channels {
        let contrasts = clear.map { ($0.color - background).largest }
        let sorted = contrasts.sorted()
        let (strongest, typical) = (sorted[sorted.count * 95 / 100], sorted[sorted.count / 2])
        let isConstant =
            typical >= ObjectBuilder.minTypical * strongest
            && 2 * contrasts.count { abs($0 - typical) <= 3 } > contrasts.count
        let full = clear.indices.filter { index in
            isConstant ? abs(contrasts[index] - typical) <= 3 : contrasts[index] >= strongest - 3
        }
        return full.reduce(Channels()) { $0 + clear[$1].color } / Float(full.count)
    }
}

extension ReconstructedObject {
    /// Gives an object that others show through its opacity, and the colour that it then has.
    mutating func makeTranslucent(_ share: Double, over background: Channels) {
        guard red.isConstant, green.isConstant, blue.isConstant else { return }
        func own(_ value: Double, _ ground: Float) -> KeyframeCurve {
            let ground = Double(ground) / 255
            return KeyframeCurve(constant: min(1, max(0, ground + (value - ground) / share)))
        }
        red = own(red.first, background.x)
        green = own(green.first, background.y)
        blue = own(blue.first, background.z)
        opacity = opacity.map { $0 * share }
    }
}
