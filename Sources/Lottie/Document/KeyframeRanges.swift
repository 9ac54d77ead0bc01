import Animations

/// The ranges of a layer's animated properties in a file's JSON: how far their keyframes are from
/// the first one.
extension JSON {
    /// The ranges of the properties of a layer's transform that have keyframes.
    var ranges: [LayerProperty.Kind: Double] {
        guard let transform = self["ks"] else { return [:] }
        var ranges: [LayerProperty.Kind: Double] = [:]
        for (kind, key) in Self.animatedKeys {
            guard let range = transform[key]?.range(of: kind), range > Self.minRange else { continue }
            ranges[kind] = range
        }
        return ranges
    }

    /// The properties of a transform with a range, by their keys.
    private static let animatedKeys: [(kind: LayerProperty.Kind, key: String)] = [
        (.positionRange, "p"), (.scaleRange, "s"), (.rotationRange, "r"), (.opacityRange, "o"),
    ]
    /// The smallest range of a motion, in points, percent or degrees.
    private static let minRange = 0.1

    /// Returns a layer with another range of a property.
    func withRange(_ range: Double, of kind: LayerProperty.Kind) -> JSON {
        guard case .object(var members) = self, case .object(var transform)? = members["ks"],
            let key = Self.animatedKeys.first(where: { $0.kind == kind })?.key, let property = transform[key],
            let before = property.range(of: kind), before > Self.minRange
        else { return self }
        transform[key] = property.ranging(range / before)
        members["ks"] = .object(transform)
        return .object(members)
    }

    /// The keys of the coordinates of a position that is split.
    private var coordinateKeys: [String] { self["s"] == .bool(true) ? ["x", "y"] : [] }

    /// Returns the largest distance of a keyframe's value from that of the first one; nil without
    /// keyframes. If the components of a scale change together, it is the distance of one of them.
    private func range(of kind: LayerProperty.Kind) -> Double? {
        guard coordinateKeys.isEmpty else {
            let ranges = coordinateKeys.compactMap { self[$0]?.range(of: kind) }
            return ranges.isEmpty ? nil : ranges.reduce(0) { $0 + $1 * $1 }.squareRoot()
        }
        guard let first = keyframeValues.first else { return nil }
        return keyframeValues.map { value in
            let changes = zip(value, first).map { $0 - $1 }.prefix(2)
            let isUniform = kind == .scaleRange && changes.count == 2 && abs(changes[0] - changes[1]) < 1e-6
            return isUniform ? abs(changes[0]) : changes.reduce(0) { $0 + $1 * $1 }.squareRoot()
        }.max()
    }

    /// The numbers of all keyframes; empty for constants and expressions.
    private var keyframeValues: [[Double]] {
        (ownValue?.list ?? []).flatMap { key in ["s", "e"].compactMap { key[$0]?.numbers } }.filter { !$0.isEmpty }
    }

    /// Returns a property whose keyframes are farther from the first one by a factor.
    private func ranging(_ factor: Double) -> JSON {
        guard case .object(var members) = self else { return self }
        for key in coordinateKeys { members[key] = members[key]?.ranging(factor) }
        guard let first = keyframeValues.first, let keys = self["k"]?.items else { return .object(members) }
        members["k"] = .array(
            keys.map { key in
                guard case .object(var keyframe) = key else { return key }
                for name in ["s", "e"] {
                    keyframe[name] = keyframe[name]?.scaled(by: factor, from: first)
                }
                // The tangents of a path are relative to its keyframes.
                for name in ["to", "ti"] {
                    keyframe[name] = keyframe[name]?.scaled(by: factor, from: [])
                }
                return .object(keyframe)
            })
        return .object(members)
    }

    /// Returns numbers at `factor` times their distance from others, or from 0 where there are
    /// none.
    private func scaled(by factor: Double, from origin: [Double]) -> JSON {
        guard !numbers.isEmpty else { return self }
        return .array(
            numbers.enumerated().map { index, value in
                let start = index < origin.count ? origin[index] : 0
                return .number(start + factor * (value - start))
            })
    }
}
