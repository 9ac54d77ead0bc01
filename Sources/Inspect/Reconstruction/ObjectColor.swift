import Core

extension ObjectBuilder {
    /// The distance in codes of a colour from the line to the background above which an object
    /// changes its colour rather than its opacity.
    private static let colorTolerance: Float = 22
    /// The distance in codes above which an object whose colour is certain changes its colour.
    /// Attentive viewers see it, and it is twice the error of an encoder at a CRF of 28.
    private static let fineTolerance: Float = 8
    /// The minimum opacity of a certain colour, its minimum thickness in pixels of the view, and
    /// the minimum number of such frames to detect a change.
    private static let minStrong: Float = 0.5
    private static let minColored = 14.0
    private static let minColoredFrames = 8
    /// The largest step between frames of a change, as a share of the whole change.
    private static let maxColorStep: Float = 0.25
    /// The area of an arc, as a share of its largest, below which blurred chroma makes up most of
    /// its colour.
    private static let minArcArea = 0.2
    /// The minimum contrast of most frames, relative to the strongest, for it to be that of the
    /// full colour.
    private static let minTypical: Float = 0.85
    /// The difference of contrasts in codes within which frames show one colour, since encoding
    /// changes it.
    private static let contrastNoise: Float = 3
    /// The maximum opacity relative to that of the strongest measured colour: keyframes exceed
    /// samples by up to a tenth. A ring that restarts unseen is extrapolated to the restart, to up
    /// to twice the opacity.
    private static let maxExcess = (usual: 1.1, restart: 2.0)
    /// The share of the largest opacity above which a smaller one counts as equal.
    private static let minFade = 0.94

    /// Sets opacity and colour. An object whose colours lie between one colour and the background
    /// fades; any other changes its colour.
    func setColor(
        _ object: inout ReconstructedObject, _ shapes: [ObservedShape], _ gaps: Gaps, _ breaks: [Double]
    ) {
        let clear = clearlyColored(shapes, isArc: object.kind.isArc)
        let (color, isTypical) = fullColor(clear)
        let line = color - background
        let shares = clear.map { ($0.color - background).dot(line) / max(1, line.dot(line)) }
        let rests = zip(clear, shares).map { $0.color - background - line * $1 }
        let distances = rests.map(\.largest)
        let isFade =
            distances.percentile(95) ?? 0 <= ObjectBuilder.colorTolerance
            && !changesColor(clear, rests, shares)
        let own = isFade ? clear.indices.filter { distances[$0] <= ObjectBuilder.colorTolerance } : []
        func channel(_ index: Int) -> KeyframeCurve {
            func value(_ color: Channels) -> Double { min(1, max(0, Double(color[index]) / 255)) }
            guard !isFade else { return KeyframeCurve(constant: value(color)) }
            let samples = ValueSamples(times: clear.map { times[$0.frame] }, values: clear.map { value($0.color) })
            // Keyframes exceed samples by the tolerance.
            return curve(samples, ObjectBuilder.tolerances.share).map { min(1, max(0, $0)) }
        }
        object.red = channel(0)
        object.green = channel(1)
        object.blue = channel(2)
        // Only mixtures are stronger than a colour that most frames have.
        let limit = isTypical ? 1.0 : .infinity
        let seen =
            isFade
            ? ValueSamples(
                times: own.map { times[clear[$0].frame] }, values: own.map { min(limit, Double(shares[$0])) })
            : ValueSamples(times: clear.map { times[$0.frame] }, values: clear.map { _ in 1 })
        // A ring or disc that restarts is at its strongest before it is large enough to be
        // measured.
        let restarts = !object.width.isConstant && restartsUnseen(seen, gaps.hidden)
        let isRing = object.kind == .ring
        setOpacity(&object, seen, gaps, isRing && restarts ? breaks : nil, canNormalize: isFade)
        if restarts, isRing || object.kind == .circle, isFade, let ripple = Ripple(object, seen, in: self) {
            object.setOpacity(ripple.opacity(object), of: color, over: background)
        }
    }

    /// Sets the opacity to a curve through samples.
    ///
    /// - Parameter restarts: the times at which the object is invisible before it restarts; nil for
    ///   an object that does not.
    private func setOpacity(
        _ object: inout ReconstructedObject, _ samples: ValueSamples, _ gaps: Gaps, _ restarts: [Double]?,
        canNormalize: Bool
    ) {
        let tolerance = ObjectBuilder.tolerances.share
        if let restarts {
            object.opacity = curve(filled(samples, gaps.hidden, mayRestart: true), tolerance, breaks: restarts)
            object.vanishBeforeRestarts()
        } else {
            object.opacity = curve(filled(lasting(samples, gaps.hidden), gaps.hidden), tolerance)
        }
        if canNormalize {
            let limits = ObjectBuilder.maxExcess
            object.normalizeOpacity(over: background, maxExcess: restarts == nil ? limits.usual : limits.restart)
        }
        object.opacity = object.opacity.map { min(1, max(0, $0)) }
        // A constant or nearly constant opacity is the full opacity of the measured colour:
        // measured colours of thin or covered objects vary.
        let range = object.opacity.range
        if object.opacity.isConstant || range.lowerBound > ObjectBuilder.minFade * range.upperBound {
            object.opacity = KeyframeCurve(constant: 1)
        }
    }

    /// Returns true if the opacity falls to zero in a gap, and is large after it.
    private func restartsUnseen(_ samples: ValueSamples, _ gaps: [Gaps.Gap]) -> Bool {
        isPeriodic
            && gaps.contains { gap in
                guard let before = gap.before, let after = gap.after,
                    let fading = FadingGap(samples, after: times[before], before: times[after])
                else { return false }
                return fading.isRestart
            }
    }

    /// Returns samples with the opacity up to the gaps in which the object is hidden: beside others
    /// it is seen, though its colour is not known.
    private func lasting(_ samples: ValueSamples, _ gaps: [Gaps.Gap]) -> ValueSamples {
        var points = zip(samples.times, samples.values).map { (time: $0, value: $1) }
        for gap in gaps {
            if let time = gap.before.map({ times[$0] }), let last = points.last(where: { $0.time <= time }),
                last.time < time - frameStep / 2
            {
                points.append((time, last.value))
            }
            if let time = gap.after.map({ times[$0] }), let next = points.first(where: { $0.time >= time }),
                next.time > time + frameStep / 2
            {
                points.append((time, next.value))
            }
            points.sort { $0.time < $1.time }
        }
        return ValueSamples(times: points.map(\.time), values: points.map(\.value))
    }

    /// Returns true if the colours of a thick object leave the line from the background slightly,
    /// but in the same direction for many frames. Errors of the encoder change from frame to frame.
    private func changesColor(_ clear: [ObservedShape], _ rests: [Channels], _ shares: [Float]) -> Bool {
        let strong = clear.indices.filter {
            shares[$0] > ObjectBuilder.minStrong && clear[$0].thickness >= ObjectBuilder.minColored * pixel
        }
        guard strong.count >= ObjectBuilder.minColoredFrames else { return false }
        let change = (0..<3).compactMap { channel in strong.map { rests[$0][channel] }.spread }.max() ?? 0
        let steps = zip(strong, strong.dropFirst()).map { (rests[$0] - rests[$1]).largest }
        return change > ObjectBuilder.fineTolerance && steps.median ?? 0 <= ObjectBuilder.maxColorStep * change
    }

    /// Returns the shapes whose colour is the object's: edges take most of a small shape's colour,
    /// and colours mix where objects overlap.
    private func clearlyColored(_ shapes: [ObservedShape], isArc: Bool) -> [ObservedShape] {
        let largest = shapes.map(\.diameter).max() ?? 0
        let minArea = isArc ? ObjectBuilder.minArcArea * (shapes.map(\.area).max() ?? 0) : 0
        let large = shapes.filter { $0.diameter >= min(8 * pixel, 0.9 * largest) && $0.area >= minArea }
        let mixed = mixtures(shapes)
        let own = large.filter { !mixed.contains($0.frame) }
        let apart = own.filter(\.isAlone)
        return 2 * apart.count > own.count ? apart : own.isEmpty ? large : own
    }

    /// Returns the colour of an object that does not fade: that of most frames, as stronger ones
    /// are mixtures, or the strongest. Returns true for a colour of most frames.
    private func fullColor(_ clear: [ObservedShape]) -> (color: Channels, isTypical: Bool) {
        let contrasts = clear.map { ($0.color - background).largest }
        let sorted = contrasts.sorted()
        let strongest = sorted[sorted.count * 95 / 100]
        let typical = sorted[sorted.count / 2]
        let isConstant =
            typical >= ObjectBuilder.minTypical * strongest
            && 2 * contrasts.count { abs($0 - typical) <= ObjectBuilder.contrastNoise } > contrasts.count
        let full = clear.indices.filter { index in
            isConstant
                ? abs(contrasts[index] - typical) <= ObjectBuilder.contrastNoise
                : contrasts[index] >= strongest - ObjectBuilder.contrastNoise
        }
        return (full.reduce(Channels()) { $0 + clear[$1].color } / Float(full.count), isConstant)
    }
}

extension ReconstructedObject {
    /// Gives an opacity that exceeds 1 the largest value of 1, and the object a stronger colour.
    fileprivate mutating func normalizeOpacity(over background: Channels, maxExcess: Double) {
        let maxOpacity = opacity.range.upperBound
        guard !opacity.isConstant, maxOpacity > 1, maxOpacity <= maxExcess else { return }
        // No channel can leave 0...1.
        let limits = zip([red.first, green.first, blue.first], [background.x, background.y, background.z])
            .map { value, ground -> Double in
                let change = value - Double(ground) / 255
                guard abs(change) > 0.5 / 255 else { return .infinity }
                return ((change > 0 ? 1 : 0) - Double(ground) / 255) / change
            }
        let largest = max(1, limits.reduce(maxOpacity, min))
        func stronger(_ value: Double, _ ground: Float) -> KeyframeCurve {
            let ground = Double(ground) / 255
            return KeyframeCurve(constant: min(1, max(0, ground + (value - ground) * largest)))
        }
        red = stronger(red.first, background.x)
        green = stronger(green.first, background.y)
        blue = stronger(blue.first, background.z)
        opacity = opacity.map { $0 / largest }
    }

    /// Sets the opacity relative to a colour. If it exceeds 1, its maximum becomes 1, and the
    /// colour stronger.
    fileprivate mutating func setOpacity(_ curve: KeyframeCurve, of color: Channels, over background: Channels) {
        func channel(_ code: Float) -> KeyframeCurve { KeyframeCurve(constant: min(1, max(0, Double(code) / 255))) }
        red = channel(color.x)
        green = channel(color.y)
        blue = channel(color.z)
        opacity = curve
        normalizeOpacity(over: background, maxExcess: .infinity)
        opacity = opacity.map { min(1, max(0, $0)) }
    }

    /// The share of the largest opacity below which a ring counts as invisible before it restarts.
    private static let maxVanishing = 0.12

    /// Makes an opacity that is nearly zero before it restarts exactly zero.
    fileprivate mutating func vanishBeforeRestarts() {
        let limit = Self.maxVanishing * opacity.range.upperBound
        for index in opacity.keys.indices.dropLast()
        where opacity.keys[index].easing.isHold && opacity.keys[index].value < min(limit, opacity.keys[index + 1].value)
        {
            opacity.keys[index].value = 0
        }
    }

    /// Sets the opacity of an object through which others are visible, and its colour at that
    /// opacity.
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
