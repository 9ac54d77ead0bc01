import Animations
import Core

// Changes of the corners, the anchor points and the keyframes' ranges of a Lottie file's layers.

extension ModelBuilder {
    /// The maximum number of constants that are tried, and of ranges. Each one is fitted to the
    /// recording.
    private static let maxProperties = 24
    /// The radius from which the fit of square corners starts, relative to the canvas.
    private static let firstRadius = 0.04
    /// The distances from which the fit of an anchor point starts, relative to the canvas.
    private static let firstOffset = 0.08

    /// Returns the hypotheses that layers have other corners, another anchor point or larger or
    /// smaller motions.
    func layerHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        let ranges = layerValues.keys.filter(\.kind.isRange)
        let constants = layerValues.count - ranges.count
        return (constants <= Self.maxProperties ? constantHypotheses(model) : [])
            + (ranges.count <= Self.maxProperties ? rangeHypotheses(model, ranges) : [])
    }

    /// Returns the hypotheses that keyframes of a layer's property are nearer to the first one or
    /// farther from it: each alone, and those of several layers with the same range together.
    private func rangeHypotheses(_ model: LoaderModel, _ ranges: [LayerProperty]) -> [Hypothesis] {
        let sorted = ranges.sorted { ($0.layer, "\($0.kind)") < ($1.layer, "\($1.kind)") }
        let single = sorted.map { hypothesis([$0], model) }
        let shared = Dictionary(grouping: sorted) { "\($0.kind) \(layerValues[$0] ?? 0)" }
        return shared.sorted { $0.key < $1.key }.filter { $0.value.count > 1 }.map {
            hypothesis($0.value, model)
        } + single
    }

    /// The changes of a range, relative to it, from which its fit starts.
    private static let rangeStarts = [0.2, -0.2, 0.5, -0.5]

    private func hypothesis(_ ranges: [LayerProperty], _ model: LoaderModel) -> Hypothesis {
        let range = ranges.first.flatMap { layerValues[$0] } ?? 0
        return Hypothesis(
            kind: .amplitude, object: name(of: ranges.map(\.layer), model), variables: [.layerProperties(ranges)],
            starts: Self.rangeStarts.map { [$0 * range] }, rank: 1)
    }

    /// The number of instants of the period at which the middle of a motion is measured.
    private static let motionSamples = 16

    /// Returns a model with another amplitude at the position at which its motion has the same
    /// middle as in another model. The position was fitted to the middle of the recorded motion.
    func centred(_ changed: LoaderModel, like model: LoaderModel) -> LoaderModel {
        func middle(_ loader: any Loader, _ other: any Loader) -> Point? {
            let nodes = elements.changedNodes(of: loader, in: other, samples: Self.motionSamples) ?? []
            return Node.bounds(of: nodes.map(\.node))?.center
        }
        guard let before = middle(model.loader, changed.loader), let after = middle(changed.loader, model.loader)
        else { return changed }
        var result = changed
        result.pose.origin = changed.pose.origin - (after - before) * changed.pose.scale
        return result
    }

    /// Returns the name of one or several layers.
    private func name(of layers: [Int], _ model: LoaderModel) -> String {
        let names = layers.map { layerName($0, model.loader) }
        return names.count > 1 ? "\(names[0]) to \(names[names.count - 1])" : names[0]
    }

    private func constantHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        let side = max(model.loader.canvas.width, model.loader.canvas.height)
        let layers = Set(layerValues.keys.filter { !$0.kind.isRange }.map(\.layer)).sorted()
        let rounded = layers.filter { layerValues[LayerProperty(layer: $0, kind: .cornerRadius)] != nil }
        let radii = Set(rounded.map { layerValues[LayerProperty(layer: $0, kind: .cornerRadius)] })
        // Each round of the search finds one change, and there may be more layers than rounds.
        let shared = rounded.count > 1 && radii.count == 1 ? [corners(of: rounded, model, side, rank: 1)] : []
        return shared.compactMap { $0 }
            + layers.flatMap { layer in
                [corners(of: [layer], model, side, rank: 2), anchor(of: layer, model, side)].compactMap { $0 }
            }
    }

    /// Returns the hypothesis that layers with the same corner radius have another one; nil if they
    /// have none.
    private func corners(of layers: [Int], _ model: LoaderModel, _ side: Double, rank: Int) -> Hypothesis? {
        let corners = layers.map { LayerProperty(layer: $0, kind: .cornerRadius) }
        guard let first = corners.first, let radius = layerValues[first] else { return nil }
        return Hypothesis(
            kind: .cornerRadius, object: name(of: layers, model), variables: [.layerProperties(corners)],
            starts: radius > 0 ? [[-radius], [radius]] : [[Self.firstRadius * side]], rank: rank)
    }

    /// Returns the hypothesis that a layer has another anchor point; nil if `layerValues` has none,
    /// as for layers that neither rotate nor scale.
    private func anchor(of layer: Int, _ model: LoaderModel, _ side: Double) -> Hypothesis? {
        let anchor = [LayerProperty.Kind.anchorX, .anchorY].map { LayerProperty(layer: layer, kind: $0) }
        guard anchor.allSatisfy({ layerValues[$0] != nil }) else { return nil }
        let step = Self.firstOffset * side
        return Hypothesis(
            kind: .anchorPoint, object: layerName(layer, model.loader),
            variables: anchor.map { .layerProperties([$0]) },
            starts: [[step, 0], [-step, 0], [0, step], [0, -step]], rank: 3)
    }

    private func layerName(_ layer: Int, _ loader: any Loader) -> String {
        (loader as? any KeyframedLoader)?.layerName(layer) ?? "layer \(layer + 1)"
    }

    /// Returns a loader with settings and values of layers; nil if they are not valid.
    func loader(_ settings: [String: String], _ values: [LayerProperty: Double]) -> (any Loader)? {
        guard let loader = loader(settings) else { return nil }
        return values.isEmpty ? loader : (loader as? any KeyframedLoader)?.changing(values)
    }

    /// Returns a model with a value of layers changed by `delta`; nil if they have none.
    func changed(_ model: LoaderModel, _ properties: [LayerProperty], by delta: Double) -> LoaderModel? {
        var values: [LayerProperty: Double] = [:]
        for property in properties {
            guard let before = model.layerValues[property] ?? layerValues[property] else { return nil }
            let isLength = property.kind == .cornerRadius || property.kind.isRange
            values[property] = isLength ? max(0, before + delta) : before + delta
        }
        return with(values, model)
    }

    /// Returns a model without another corner radius, anchor point or range.
    func without(layerValuesOf hypothesis: Hypothesis, _ model: LoaderModel) -> LoaderModel? {
        var values: [LayerProperty: Double] = [:]
        for case .layerProperties(let properties) in hypothesis.variables {
            for property in properties { values[property] = layerValues[property] }
        }
        return with(values, model)
    }

    private func with(_ values: [LayerProperty: Double], _ model: LoaderModel) -> LoaderModel? {
        var result = model
        result.layerValues.merge(values) { $1 }
        guard let loader = (model.loader as? any KeyframedLoader)?.changing(result.layerValues) else { return nil }
        result.loader = loader
        return result
    }
}

extension DeviationWriter {
    /// Returns the deviation of a layer's corners; nil within tolerance.
    func corners(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Deviation? {
        guard let (expected, actual) = values(hypothesis, model).first,
            abs(actual - expected) >= options.tolerance.points
        else { return nil }
        return Deviation(
            kind: .cornerRadius, object: hypothesis.object, size: abs(actual - expected), unit: "pt",
            expected: Self.decimal(expected, 4), actual: Self.decimal(actual, 4),
            text: "the corners of \(hypothesis.object ?? "") have a radius of \(Self.decimal(actual, 1)) points "
                + "instead of \(Self.decimal(expected, 3))")
    }

    /// Returns the deviation of a layer's anchor point; nil within tolerance.
    func anchor(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Deviation? {
        let values = values(hypothesis, model)
        guard values.count == 2 else { return nil }
        let expected = Point(values[0].expected, values[1].expected)
        let actual = Point(values[0].actual, values[1].actual)
        let distance = actual.distance(to: expected)
        guard distance >= options.tolerance.points else { return nil }
        let words = [expected, actual].map { "(\(Self.decimal($0.x, 1)), \(Self.decimal($0.y, 1)))" }
        return Deviation(
            kind: .anchorPoint, object: hypothesis.object, size: distance, unit: "pt", expected: words[0],
            actual: words[1],
            text: "the anchor point of \(hypothesis.object ?? "") is \(words[1]) instead of \(words[0])")
    }

    /// The minimum change of a range in percent or degrees, relative to it.
    private static let minRangeChange = 0.05

    /// Returns the deviation of a larger or smaller motion; nil within tolerance.
    func amplitude(_ hypothesis: Hypothesis, _ model: LoaderModel) -> Deviation? {
        guard let kind = hypothesis.layerProperties.first?.kind,
            let (expected, actual) = values(hypothesis, model).first, expected > 0
        else { return nil }
        let minimum = kind == .positionRange ? options.tolerance.points : Self.minRangeChange * expected
        guard abs(actual - expected) >= minimum else { return nil }
        let unit = kind == .positionRange ? " points" : kind == .rotationRange ? "°" : "%"
        let words = [actual, expected].map { Self.decimal($0, 1) + unit }
        return Deviation(
            kind: .amplitude, object: hypothesis.object, size: actual / expected, unit: "x",
            expected: Self.decimal(expected, 4), actual: Self.decimal(actual, 4),
            text: "the \(kind.noun) of \(hypothesis.object ?? "") changes by \(words[0]) instead of \(words[1])")
    }

    private func values(_ hypothesis: Hypothesis, _ model: LoaderModel) -> [(expected: Double, actual: Double)] {
        hypothesis.variables.compactMap { variable in
            guard case .layerProperties(let properties) = variable, let property = properties.first,
                let expected = builder.layerValues[property]
            else { return nil }
            return (expected, model.layerValues[property] ?? expected)
        }
    }
}

extension LayerProperty.Kind {
    /// True for the range of a value with keyframes.
    var isRange: Bool {
        switch self {
        case .positionRange, .scaleRange, .rotationRange, .opacityRange: true
        case .cornerRadius, .anchorX, .anchorY: false
        }
    }

    /// The property in findings.
    fileprivate var noun: String {
        switch self {
        case .cornerRadius: "corner radius"
        case .anchorX, .anchorY: "anchor point"
        case .positionRange: "position"
        case .scaleRange: "size"
        case .rotationRange: "rotation"
        case .opacityRange: "opacity"
        }
    }
}
