import Core

/// An effect of a layer.
struct LayerEffect: Sendable {
    let kind: EffectKind
    /// The values in After Effects' order; nil for those that the file lacks.
    private let parameters: [Property<[Double]>?]
    /// The paths of all masks of the layer, for Stroke.
    private let paths: [Property<BezierContour>]
    /// True if the values are in the coordinates of the composition, as on shape and text layers:
    /// After Effects draws these at their final size before it applies effects.
    let isInComposition: Bool

    /// The values of the effect at a frame.
    struct Values {
        let effect: LayerEffect
        let frame: Double
        let context: FrameContext

        private func value(_ index: Int) -> [Double]? {
            guard index < effect.parameters.count else { return nil }
            return effect.parameters[index]?.value(at: frame, in: context)
        }

        func number(_ index: Int, or defaultValue: Double = 0) -> Double { value(index)?.first ?? defaultValue }

        func color(_ index: Int) -> Color {
            guard let components = value(index)?.map(clamp01), components.count >= 3 else { return .black }
            return Color(red: components[0], green: components[1], blue: components[2])
        }

        func point(_ index: Int) -> Point {
            guard let components = value(index), components.count >= 2 else { return .zero }
            return Point(components[0], components[1])
        }

        /// A share that files have either in 0...1 or in percent.
        func share(_ index: Int, or defaultValue: Double = 0) -> Double {
            let value = number(index, or: defaultValue)
            return clamp01(value > 1 ? value / 100 : value)
        }

        /// The paths of the layer's masks, as polylines.
        var paths: [Path] { effect.paths.map { $0.value(at: frame, in: context).polyline } }
    }

    func values(at frame: Double, in context: FrameContext) -> Values {
        Values(effect: self, frame: frame, context: context)
    }
}

extension LayerEffect {
    /// Reads the effects of a layer. Expression controls are skipped, because they draw nothing;
    /// other effects are recorded as unsupported.
    static func all(reading layer: Field) throws -> [LayerEffect] {
        var effects: [LayerEffect] = []
        for field in layer["ef"]?.items ?? [] where try field.number("en", or: 1) != 0 {
            let type = try field.integer("ty") ?? -1
            if let kind = EffectKind(field, type: type) {
                let effect = try LayerEffect(kind, reading: field, of: layer)
                effect.reportUnsupported(at: field, of: layer, type: try layer.integer("ty"))
                effects.append(effect)
                layer.context.noteFeature(kind.rawValue)
                continue
            }
            switch type {
            // Sliders, angles, colours and other expression controls draw nothing.
            case 0...4, 6, 7, 10: break
            case EffectKind.group where field.isControl: break
            case EffectKind.setMatte: break
            case _ where field.isPuppet:
                guard try field.hasMovingPins() else {
                    field.note("the file has no moving pins of the effect\(field.name), which changes nothing")
                    break
                }
                field.reportUnsupported("the effect\(field.name) (type \(type))")
            case _ where try field.isNeutral(): break
            default: field.reportUnsupported("the effect\(field.name) (type \(type))")
            }
        }
        return effects
    }

    private init(_ kind: EffectKind, reading field: Field, of layer: Field) throws {
        self.kind = kind
        let drawn = kind.indices
        var parameters = [Property<[Double]>?](repeating: nil, count: (drawn.last ?? 0) + 1)
        for (position, child) in (field["ef"]?.items ?? []).enumerated() {
            let index = kind.isNumbered ? child.matchNumber ?? position : position
            guard drawn.contains(index), let property: Property<[Double]> = try child.property("v") else { continue }
            let isColor = kind.colors.contains(index)
            let count = isColor ? 3 : kind.points.contains(index) ? 2 : 1
            guard property.keyValues.allSatisfy({ $0.count >= count }) else {
                let expected =
                    isColor ? "a colour of three numbers" : count == 2 ? "a point of two numbers" : "a number"
                throw child.error("expected \(expected)")
            }
            parameters[index] = property
        }
        self.parameters = parameters
        paths =
            kind == .stroke
            ? try (layer["masksProperties"]?.items ?? []).compactMap { try $0.property("pt") } : []
        let type = try layer.integer("ty")
        isInComposition = type == 4 || type == 5
    }

    /// The times at which the effect draws the layer's contents, at most.
    var maxTimes: Int {
        guard let index = kind == .echo ? 1 : kind == .motionBlur ? 0 : nil else { return 1 }
        guard index < parameters.count, let count = parameters[index] else { return LottieLimits.maxEchoes }
        guard count.expression == nil, let most = keyValues(index).max() else { return LottieLimits.maxEchoes + 1 }
        // Easing can overshoot the values of both keyframes.
        let bound = count.isConstant ? most : 2 * most
        return 1 + Int(min(max(bound.rounded(.up), 0), Double(LottieLimits.maxEchoes)))
    }

    private func keyValues(_ index: Int) -> [Double] {
        guard index < parameters.count, let property = parameters[index] else { return [] }
        return property.keyValues.compactMap(\.first)
    }

    /// Records the settings of the effect that are not drawn.
    private func reportUnsupported(at field: Field, of layer: Field, type: Int?) {
        switch kind {
        case .gaussianBlur, .boxBlur:
            // Repeated edge pixels are only visible on layers with opaque edges: solids (1) and
            // images (2).
            let edges = kind == .gaussianBlur ? 2 : 3
            if [1, 2].contains(type), keyValues(edges).contains(where: { $0 != 0 }) {
                field.reportUnsupported("a blur with repeated edge pixels\(field.name)")
            }
        case .invert:
            if keyValues(0).contains(where: { !(1...4).contains($0) }) {
                field.reportUnsupported("the inversion of another channel than red, green and blue\(field.name)")
            }
        case .crossBlur:
            if keyValues(2).contains(where: { $0 != 1 }) {
                field.reportUnsupported("a cross blur with another transfer mode than Blend\(field.name)")
            }
        case .bulge:
            if keyValues(4).contains(where: { $0 != 0 }) {
                field.reportUnsupported("a bulge with a taper radius\(field.name)")
            }
        case .circle:
            if keyValues(2).contains(where: { $0 > 3 }) {
                field.reportUnsupported("a circle whose thickness depends on its radius\(field.name)")
            }
        case .echo:
            if keyValues(4).contains(3) { field.reportUnsupported("an echo by Minimum\(field.name)") }
        case .hueSaturation:
            if keyValues(2).contains(where: { $0 > 1 }) {
                field.reportUnsupported("the correction of a single range of hues\(field.name)")
            }
        default: break
        }
    }
}

extension Field {
    /// The number at the end of a value's match name: 3 for `ADBE Tint-0003`.
    fileprivate var matchNumber: Int? {
        guard let name = string("mn"), let digits = name.split(separator: "-").last else { return nil }
        return Int(digits)
    }
}
