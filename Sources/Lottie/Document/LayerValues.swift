import Animations

/// The numbers of layers in a file's JSON that `compare` fits to a recording.
extension JSON {
    /// The constants of the layers of the main composition, and the ranges of their keyframes.
    var layerValues: [LayerProperty: Double] {
        var values: [LayerProperty: Double] = [:]
        for (index, layer) in (self["layers"]?.list ?? []).enumerated() {
            if let radius = layer.cornerRadius { values[LayerProperty(layer: index, kind: .cornerRadius)] = radius }
            for (kind, range) in layer.ranges { values[LayerProperty(layer: index, kind: kind)] = range }
            guard let anchor = layer.anchor else { continue }
            values[LayerProperty(layer: index, kind: .anchorX)] = anchor[0]
            values[LayerProperty(layer: index, kind: .anchorY)] = anchor[1]
        }
        return values
    }

    /// Returns the file with other values of layers.
    func with(_ values: [LayerProperty: Double]) -> JSON {
        guard !values.isEmpty, case .object(var root) = self, case .array(var layers)? = root["layers"] else {
            return self
        }
        for (property, value) in values where layers.indices.contains(property.layer) {
            let layer = layers[property.layer]
            layers[property.layer] =
                switch property.kind {
                case .cornerRadius: layer.withCornerRadius(value)
                case .anchorX: layer.withAnchor(value, at: 0)
                case .anchorY: layer.withAnchor(value, at: 1)
                case .positionRange, .scaleRange, .rotationRange, .opacityRange:
                    layer.withRange(value, of: property.kind)
                }
        }
        root["layers"] = .array(layers)
        return .object(root)
    }

    /// The items of an array; empty for other values.
    var list: [JSON] { items ?? [] }

    /// A number, or the numbers of an array; empty for other values.
    var numbers: [Double] { (list.isEmpty ? [self] : list).compactMap(\.number) }

    /// The value of a property without an expression or a slot; nil for others.
    var ownValue: JSON? { self["x"] == nil && self["sid"] == nil ? self["k"] : nil }

    /// The numbers of a property without keyframes, expression or slot; nil for others.
    private var constants: [Double]? {
        guard let value = ownValue else { return nil }
        let numbers = value.numbers
        return numbers.count == max(1, value.list.count) ? numbers : nil
    }

    private static func property(_ numbers: [Double]) -> JSON {
        let value = numbers.count == 1 ? JSON.number(numbers[0]) : .array(numbers.map { .number($0) })
        return .object(["a": .number(0), "k": value])
    }

    // MARK: Corners

    private var isRectangle: Bool { self["ty"] == .string("rc") }

    /// All rectangles in a layer or a group.
    private var rectangles: [JSON] {
        (isRectangle ? [self] : []) + ((self["shapes"]?.list ?? []) + (self["it"]?.list ?? [])).flatMap(\.rectangles)
    }

    /// The corner radius of all rectangles of a layer; nil without rectangles, or if they have
    /// several radii.
    private var cornerRadius: Double? {
        let radii = rectangles.map { rectangle -> Double? in
            guard let radius = rectangle["r"] else { return 0 }
            return radius.constants?.first
        }
        guard let first = radii.first, radii.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    private func withCornerRadius(_ radius: Double) -> JSON {
        guard case .object(var members) = self else { return self }
        if isRectangle { members["r"] = Self.property([radius]) }
        for key in ["shapes", "it"] {
            if case .array(let items)? = members[key] {
                members[key] = .array(items.map { $0.withCornerRadius(radius) })
            }
        }
        return .object(members)
    }

    // MARK: Anchor point

    /// The anchor point of a layer whose rotation or scale is animated; nil for others, because it
    /// only changes their position.
    private var anchor: [Double]? {
        guard let transform = self["ks"] else { return nil }
        let isAnimated = ["r", "rz", "s"].contains { key in transform[key].map { $0.constants == nil } ?? false }
        guard isAnimated else { return nil }
        guard let anchor = transform["a"] else { return [0, 0] }
        return anchor.constants.flatMap { $0.count >= 2 ? $0 : nil }
    }

    private func withAnchor(_ value: Double, at index: Int) -> JSON {
        guard case .object(var members) = self, case .object(var transform)? = members["ks"], var anchor else {
            return self
        }
        anchor[index] = value
        transform["a"] = Self.property(anchor)
        members["ks"] = .object(transform)
        return .object(members)
    }
}
