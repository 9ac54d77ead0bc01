import Animations
import Core

// Changes of the corners and the anchor points of a Lottie file's layers.

extension ModelBuilder {
    /// The maximum number of properties that are tried. Each one is fitted to the recording.
    private static let maxProperties = 24
    /// The radius from which the fit of square corners starts, relative to the canvas.
    private static let firstRadius = 0.04
    /// The distances from which the fit of an anchor point starts, relative to the canvas.
    private static let firstOffset = 0.08

    /// Returns the hypotheses that layers have other corners or another anchor point.
    func layerHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        guard !layerValues.isEmpty, layerValues.count <= Self.maxProperties else { return [] }
        let side = max(model.loader.canvas.width, model.loader.canvas.height)
        let layers = Set(layerValues.keys.map(\.layer)).sorted()
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
        let names = layers.map { layerName($0, model.loader) }
        let name = names.count > 1 ? "\(names[0]) to \(names[names.count - 1])" : names[0]
        return Hypothesis(
            kind: .cornerRadius, object: name, variables: [.layerProperties(corners)],
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
            values[property] = property.kind == .cornerRadius ? max(0, before + delta) : before + delta
        }
        return with(values, model)
    }

    /// Returns a model without another corner radius or anchor point.
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

    private func values(_ hypothesis: Hypothesis, _ model: LoaderModel) -> [(expected: Double, actual: Double)] {
        hypothesis.variables.compactMap { variable in
            guard case .layerProperties(let properties) = variable, let property = properties.first,
                let expected = builder.layerValues[property]
            else { return nil }
            return (expected, model.layerValues[property] ?? expected)
        }
    }
}
