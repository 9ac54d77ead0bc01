import Animations
import Core

/// A writer of deviations for those fitted hypotheses that exceed the tolerance.
struct DeviationWriter {
    let builder: ModelBuilder
    let view: JudgedView
    var design: LoaderModel
    let options: JudgeOptions
    /// The judged duration of the recording in seconds.
    let duration: Double
    /// The time in the recording to which a deviation is confined; nil for all of it.
    var time: ClosedRange<Double>?

    /// The minimum relative change of the speed that is a deviation. The alignment of single frames
    /// leaves 0.1%, and `encode` rounds a cycle of 1.4 s to whole frames, which changes it by 0.5%.
    private static let minSpeedChange = 0.006
    /// Expected values below this, such as a tick of 0.008 s, have four decimal places.
    private static let maxSmallValue = 0.05
    /// The minimum relative change of a number without a unit, such as a ratio, that is a
    /// deviation.
    private static let minRatio = 0.05
    /// The minimum relative change of an opacity that is a deviation. Encoders at crf 34 to 38
    /// change that of small objects at one pixel per point by up to 13%.
    private static let minFade = 0.16
    /// The maximum share of its chroma that a line of four pixels loses in 4:2:0 video. Chroma
    /// spreads to neighbouring white pixels, where it is clipped. Larger areas keep their chroma.
    private static let maxChromaLoss = 0.15
    /// The minimum component of an offset that is reported, as a share of its length.
    private static let minComponent = 0.15
    /// The opacity factor below which an element is missing.
    private static let maxMissing = 0.12

    /// Returns the deviation that a hypothesis describes in a fitted model; nil within tolerance.
    func deviation(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Deviation? {
        var result: Deviation?
        switch hypothesis.kind {
        case .size: result = size(model)
        case .speed: result = speed(model.pose.speed)
        case .parameter: result = parameter(hypothesis, model)
        case .missing:
            result = Deviation(kind: .missing, object: hypothesis.object, text: "\(hypothesis.object ?? "") is missing")
        case .order: result = order(hypothesis)
        case .lineCap: result = lineCap(hypothesis)
        case .cornerRadius: result = corners(hypothesis, model)
        case .anchorPoint: result = anchor(hypothesis, model)
        case .amplitude: result = amplitude(hypothesis, model)
        case .easing: result = easing(hypothesis, model)
        case .position:
            let offset = (model.pose.origin - design.pose.origin) * (1 / design.pose.scale)
            result = position("the loader", offset)
            result = result.map { Deviation(kind: .position, size: $0.size, unit: "pt", text: $0.text) }
        default: result = element(hypothesis, model)
        }
        // The only element is the loader itself.
        let own: [Deviation.Kind] = [.missing, .opacity, .elementSize, .elementPosition, .lineWidth, .lineCap, .late]
        if builder.elements.names == [design.loader.id], own.contains(hypothesis.kind) { result?.object = nil }
        result?.time = time
        if let time { result?.text += " from \(Self.seconds(time.lowerBound)) to \(Self.seconds(time.upperBound))" }
        return result
    }

    static func decimal(_ value: Double, _ places: Int = 2) -> String { NumberText.decimal(value, places: places) }

    static func seconds(_ value: Double) -> String { decimal(value, 3) + " s" }

    // MARK: The loader

    private func size(_ model: LoaderModel) -> Deviation? {
        guard !RecordedScale(design.loader, options).isFree else { return nil }
        let factor = model.pose.scale / design.pose.scale
        let extent = max(design.loader.canvas.width, design.loader.canvas.height)
        guard abs(factor - 1) * extent / 2 > 2 * options.tolerance.points else { return nil }
        let percent = Self.decimal(100 * abs(factor - 1), 1)
        let scale =
            "\(Self.decimal(model.pose.scale, 3)) instead of \(Self.decimal(design.pose.scale, 3)) pixels per point"
        return Deviation(
            kind: .size, size: factor, unit: "x", expected: Self.decimal(design.pose.scale, 4),
            actual: Self.decimal(model.pose.scale, 4),
            text: "the loader is \(percent)% \(factor > 1 ? "larger" : "smaller") than designed: \(scale)")
    }

    /// Returns the deviation of a speed; nil if the loader drifts by less than the tolerance within
    /// a cycle (a loop restarts there), or if the speed differs by less than encoders change it
    /// (`minSpeedChange`).
    func speed(_ speed: Double) -> Deviation? {
        if speed < 0 {
            return Deviation(
                kind: .backwards, size: 1, unit: "x", expected: Self.decimal(options.speed, 4),
                actual: Self.decimal(speed, 4), text: "the loader plays backwards")
        }
        let cycle = min(duration, design.loader.period.double / options.speed)
        guard abs(speed - options.speed) * cycle > options.tolerance.milliseconds / 1000,
            abs(speed / options.speed - 1) > Self.minSpeedChange
        else { return nil }
        let factor = speed / options.speed
        let percent = Self.decimal(100 * abs(factor - 1), 1)
        let word = factor < 1 ? "slower" : "faster"
        return Deviation(
            kind: .speed, size: factor, unit: "x", expected: Self.decimal(options.speed, 4),
            actual: Self.decimal(speed, 4),
            text: "the loader plays \(percent)% \(word): speed \(Self.decimal(speed, 3)) instead of "
                + Self.decimal(options.speed, 3))
    }

    private func parameter(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Deviation? {
        let name = hypothesis.object ?? ""
        if let expected = builder.color(name, design), let actual = builder.color(name, model) {
            return color(hypothesis, model, expected: expected, actual: actual)
        }
        guard let expected = builder.number(name, design), let actual = builder.number(name, model) else { return nil }
        let unit = builder.unit(name)
        let minimum: Double =
            switch unit {
            case "pt": options.tolerance.points
            case "s": options.tolerance.milliseconds / 1000
            default: (name.lowercased().contains("opacity") ? Self.minFade : Self.minRatio) * abs(expected)
            }
        guard abs(actual - expected) >= minimum || changesPeriod(name, model) else { return nil }
        let places = unit == "pt" ? 1 : expected < Self.maxSmallValue ? 4 : 3
        return Deviation(
            kind: .parameter, object: name, size: abs(actual - expected), unit: unit,
            expected: Self.decimal(expected, 6), actual: Self.decimal(actual, 4),
            text: "\(name) \(Self.decimal(actual, places)) instead of \(Self.decimal(expected, max(3, places)))")
    }

    /// Returns true if a parameter alone changes the period by as much as a speed that is a
    /// deviation. A duration that recurs many times in a period, such as a tick, adds up.
    private func changesPeriod(_ name: String, _ model: LoaderModel) -> Bool {
        guard let text = model.settings[name], let changed = builder.with(name, text, design) else { return false }
        let period = design.loader.period.double
        let change = abs(changed.loader.period.double - period)
        return change > options.tolerance.milliseconds / 1000 && change > Self.minSpeedChange * period
    }

    /// Returns the deviation of the first interval of a gesture with another timing function.
    private func easing(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Deviation? {
        if case .ease(let easing)? = hypothesis.edit?.change {
            return Deviation(
                kind: .easing, object: hypothesis.object, expected: easing.from, actual: easing.to,
                text: "easing of \(hypothesis.object ?? ""): \(easing.to) instead of \(easing.from)")
        }
        if hypothesis.object == nil { return keyframeEasing(hypothesis) }
        guard let name = hypothesis.object, let before = builder.gesture(name, design),
            let after = builder.gesture(name, model), before.keyframes.count == after.keyframes.count,
            let index = after.keyframes.indices.first(where: {
                before.keyframes[$0].timing != after.keyframes[$0].timing
            })
        else { return nil }
        let words = [before, after].map { $0.keyframes[index].timing.name ?? "another timing function" }
        let start = before.keyframes[index - 1].time.double
        let end = before.keyframes[index].time.double
        return Deviation(
            kind: .easing, object: name, expected: words[0], actual: words[1],
            text: "easing of \(name) from \(Self.decimal(start)) to \(Self.decimal(end)) s of the loader: "
                + "\(words[1]) instead of \(words[0])")
    }

    /// Returns the deviation of a timing function between all keyframes.
    private func keyframeEasing(_ hypothesis: Hypothesis) -> Deviation? {
        guard let actual = hypothesis.setting, let loader = design.loader as? any KeyframedLoader else { return nil }
        let curves = loader.curves
        let expected = curves.isEmpty ? "linear" : curves.count == 1 ? curves.first?.name : nil
        return Deviation(
            kind: .easing, expected: expected, actual: actual,
            text: "easing: \(actual) instead of \(expected ?? "the designed one")")
    }

    private func color(
        _ hypothesis: Hypothesis, _ model: LoaderModel, expected: Color, actual: Color
    ) -> Deviation? {
        let name = hypothesis.object ?? ""
        let distance = expected.distance(to: actual)
        guard distance >= options.tolerance.color else { return nil }
        let isPale = actual.distance(to: expected, losing: Self.maxChromaLoss) < options.tolerance.color
        guard !isPale || !isThin(hypothesis, model) else { return nil }
        return Deviation(
            kind: hypothesis.kind, object: name, size: distance, unit: "deltaE", expected: expected.hexString,
            actual: actual.hexString, text: "\(name) is \(actual.hexString) instead of \(expected.hexString)")
    }

    /// Returns true if the colour that a hypothesis changes cannot be measured, because all of it
    /// is near another colour.
    private func isThin(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Bool {
        guard let plain = builder.without(hypothesis, model, design) else { return true }
        return (try? ColoredArea(view: view, builder: builder).isThin(model, plain)) ?? true
    }

    // MARK: Elements

    private func order(_ hypothesis: Hypothesis) -> Deviation {
        var other = "another element"
        if case .lower(let lower)? = hypothesis.edit?.change { other = builder.elements.names[lower] }
        return Deviation(
            kind: .order, object: hypothesis.object,
            text: "\(hypothesis.object ?? "") is drawn under \(other) instead of over it")
    }

    private func lineCap(_ hypothesis: Hypothesis) -> Deviation? {
        guard let edit = hypothesis.edit, case .cap(let cap) = edit.change else { return nil }
        let expected = builder.elements.lineCaps[edit.element].map { "\($0)" }
        return Deviation(
            kind: .lineCap, object: hypothesis.object, expected: expected, actual: "\(cap)",
            text: "the lines of \(hypothesis.object ?? "") have \(cap) ends instead of \(expected ?? "other") ones")
    }

    private func element(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Deviation? {
        let name = hypothesis.object ?? ""
        guard let element = builder.elements.names.firstIndex(of: name) else { return nil }
        let edits = model.edits.filter { $0.element == element }
        for edit in edits.reversed() {
            switch (hypothesis.kind, edit.change) {
            case (.opacity, .fade(let factor)): return opacity(name, factor)
            case (.elementSize, .resize(let factor)): return elementSize(name, element, factor)
            case (.lineWidth, .widen(let factor)): return lineWidth(name, element, factor)
            case (.elementPosition, .move(let offset)): return position(name, offset)
            case (.late, .delay(let delay)): return late(name, delay)
            case (.backwards, .reverse(let phase)): return reversal(name, phase: phase)
            case (.color, .recolor(let actual)):
                return builder.elements.colors[element].flatMap {
                    color(hypothesis, model, expected: $0, actual: actual)
                }
            default: continue
            }
        }
        return nil
    }

    private func opacity(_ name: String, _ factor: Double) -> Deviation? {
        guard abs(factor - 1) >= Self.minFade else { return nil }
        if factor < Self.maxMissing { return Deviation(kind: .missing, object: name, text: "\(name) is missing") }
        return Deviation(
            kind: .opacity, object: name, size: factor, unit: "x", expected: "1", actual: Self.decimal(factor, 3),
            text: "\(name) has \(Self.decimal(factor)) times its opacity")
    }

    private func elementSize(_ name: String, _ element: Int, _ factor: Double) -> Deviation? {
        let period = design.loader.period.double
        let extents = (0..<8).compactMap { step -> Double? in
            let nodes = design.keyedNodes(at: period * Double(step) / 8, builder.elements)
            let own = nodes.filter { builder.elements.shows($0, element) }.map(\.node)
            return Node.bounds(of: own).map { max($0.width, $0.height) }
        }
        guard abs(factor - 1) * (extents.max() ?? 0) >= options.tolerance.points else { return nil }
        return Deviation(
            kind: .elementSize, object: name, size: factor, unit: "x", expected: "1",
            actual: Self.decimal(factor, 3),
            text: "\(name) is \(Self.decimal(100 * abs(factor - 1), 1))% \(factor > 1 ? "larger" : "smaller")")
    }

    private func lineWidth(_ name: String, _ element: Int, _ factor: Double) -> Deviation? {
        guard let expected = builder.elements.lineWidths[element] else { return nil }
        let actual = factor * expected
        guard abs(actual - expected) >= options.tolerance.points else { return nil }
        return Deviation(
            kind: .lineWidth, object: name, size: abs(actual - expected), unit: "pt",
            expected: Self.decimal(expected, 4), actual: Self.decimal(actual, 4),
            text: "the lines of \(name) are \(Self.decimal(actual, 1)) points wide instead of "
                + Self.decimal(expected, 3))
    }

    private func position(_ name: String, _ offset: Point) -> Deviation? {
        let distance = offset.distance(to: .zero)
        guard distance >= options.tolerance.points else { return nil }
        let horizontal =
            abs(offset.x) < Self.minComponent * distance
            ? nil
            : "\(Self.decimal(abs(offset.x), 1)) points to the \(offset.x > 0 ? "right" : "left")"
        let vertical =
            abs(offset.y) < Self.minComponent * distance
            ? nil
            : "\(Self.decimal(abs(offset.y), 1)) points \(offset.y > 0 ? "lower" : "higher")"
        return Deviation(
            kind: .elementPosition, object: name, size: distance, unit: "pt",
            text: "\(name) is " + [horizontal, vertical].compactMap { $0 }.joined(separator: " and "))
    }

    private func late(_ name: String, _ delay: Double) -> Deviation? {
        // The delay is in model time, like the loader's own delays.
        guard abs(delay) >= options.tolerance.milliseconds / 1000 else { return nil }
        return Deviation(
            kind: .late, object: name, size: abs(delay), unit: "s", expected: "0", actual: Self.decimal(delay, 4),
            text: "\(name) is \(Self.seconds(abs(delay))) \(delay > 0 ? "late" : "early")")
    }
}

extension Color {
    /// Returns the smallest distance to another colour that loses up to `part` of its chroma at
    /// constant luma.
    func distance(to other: Color, losing part: Double) -> Double {
        let luma = BT709.luma(red: other.red, green: other.green, blue: other.blue)
        return stride(from: 0, through: part, by: part / 5).map { loss in
            func faded(_ value: Double) -> Double { value + loss * (luma - value) }
            let color = Color(red: faded(other.red), green: faded(other.green), blue: faded(other.blue))
            return distance(to: color)
        }.min() ?? distance(to: other)
    }
}
