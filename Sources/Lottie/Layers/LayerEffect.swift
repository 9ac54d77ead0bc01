import Core

/// An effect of a layer.
struct LayerEffect: Sendable {
    let kind: EffectKind
    /// The values in After Effects' order; nil for those that the file lacks.
    private let parameters: [Property<[Double]>?]
    /// For each value, whether its keyframes show that it is in percent; nil without keyframes.
    private let arePercentages: [Bool?]
    /// The paths of the layer's masks, for Stroke.
    private let masks: MaskPaths
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

        /// Returns a share that files have either in 0...1 or in percent. Keyframes from 0 to 100
        /// percent pass through values below 1.
        func share(_ index: Int, or defaultValue: Double = 0) -> Double {
            let value = number(index, or: defaultValue)
            let known = index < effect.parameters.count ? effect.arePercentages[index] : nil
            return clamp01(known ?? (value > 1) ? value / 100 : value)
        }

        /// Returns the path of the layer's mask with an index as a polyline, or the paths of all
        /// masks if it is nil.
        func paths(at index: Int?) -> [Path] {
            let all = effect.masks.paths
            let chosen = index.map { all.indices.contains($0) ? [all[$0]] : [] } ?? all
            return chosen.map { $0.value(at: frame, in: context).polyline }
        }
    }

    /// The paths of all masks of a layer.
    fileprivate struct MaskPaths: Sendable {
        var paths: [Property<BezierContour>] = []
        /// The maximum number of lines that approximate all paths.
        var maxLineCount = 0
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
        var masks: MaskPaths?
        for field in layer["ef"]?.items ?? [] where try field.number("en", or: 1) != 0 {
            let type = try field.integer("ty") ?? -1
            if let kind = EffectKind(field, type: type) {
                if kind == .stroke, masks == nil { masks = try MaskPaths(reading: layer) }
                let effect = try LayerEffect(kind, reading: field, of: layer, masks ?? MaskPaths())
                effect.reportUnsupported(at: field, of: layer, type: try layer.integer("ty"))
                effects.append(effect)
                guard effects.count <= LottieLimits.maxEffects else {
                    throw layer.error("the layer has more than the maximum of \(LottieLimits.maxEffects) effects")
                }
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
                    field.note(
                        "the file has no moving pins of the effect\(field.name), so the layer is drawn without it")
                    break
                }
                field.reportUnsupported("the effect\(field.name) (type \(type))")
            case _ where try field.isNeutral(): break
            default: field.reportUnsupported("the effect\(field.name) (type \(type))")
            }
        }
        return effects
    }

    private init(_ kind: EffectKind, reading field: Field, of layer: Field, _ masks: MaskPaths) throws {
        self.kind = kind
        self.masks = masks
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
        arePercentages = parameters.map { property in
            let keys = property?.keyValues.compactMap(\.first) ?? []
            return keys.contains { $0 > 1 } ? true : keys.count < 2 ? nil : false
        }
        let type = try layer.integer("ty")
        isInComposition = type == 4 || type == 5
    }

    /// The maximum number of times that the effect draws the layer's contents.
    var maxTimes: Int {
        switch kind {
        case .echo: 1 + maxCount(at: 1, limit: LottieLimits.maxEchoes)
        case .motionBlur: 1 + maxCount(at: 0, limit: LottieLimits.maxSamples)
        default: 1
        }
    }

    private func maxCount(at index: Int, limit: Int) -> Int {
        guard index < parameters.count, let count = parameters[index] else { return limit }
        return StaticCost.maxCount(count, limit: limit) { $0.first ?? 0 }
    }

    /// The maximum number of lines that the effect draws.
    var maxLineCount: Int { kind == .stroke ? masks.maxLineCount : 0 }

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

extension LayerEffect.MaskPaths {
    fileprivate init(reading layer: Field) throws {
        paths = try (layer["masksProperties"]?.items ?? []).compactMap { try $0.property("pt") }
        maxLineCount = paths.reduce(0) { $0 + BezierContour.maxLineCount(curves: StaticCost.maxVertexCount(of: $1)) }
    }
}

extension Field {
    /// The number at the end of a value's match name: 3 for `ADBE Tint-0003`.
    fileprivate var matchNumber: Int? {
        guard let name = string("mn"), let digits = name.split(separator: "-").last else { return nil }
        return Int(digits)
    }

    /// True for the effect Puppet, by any of its engines.
    fileprivate var isPuppet: Bool { string("mn")?.hasPrefix("ADBE FreePin3") ?? false }

    /// Returns true if a pin of a Puppet effect moves. Exporters leave out the pins or their
    /// effect; lottie-web, ThorVG and rlottie draw the layer without the effect.
    fileprivate func hasMovingPins() throws -> Bool {
        for child in self["ef"]?.items ?? [] {
            if try child.hasMovingPins() { return true }
            guard child["v"]?.isObject == true, let value: Property<[Double]> = try child.property("v") else {
                continue
            }
            if !value.isConstant { return true }
        }
        return false
    }

    /// The match numbers of the values that make an effect strong, by its match name. The effect
    /// changes nothing if they are 0. PECMBS is Plugin Everything's Cartoon Moblur, whose value is
    /// the shutter angle.
    private static let strengths = [
        "ADBE Twirl": 1, "ADBE Ripple": 6, "ADBE Wave Warp": 2, "ADBE Turbulent Displace": 2, "ADBE Spherize": 1,
        "ADBE Noise": 1, "ADBE Roughen Edges": 2, "ADBE Radial Blur": 1, "ADBE Linear Wipe": 1,
        "ADBE Venetian Blinds": 1, "ADBE Sharpen": 1, "ADBE Unsharp Mask": 1, "ADBE Median": 1, "CC Bend It": 1,
        "CC Bender": 1, "PECMBS": 5,
    ]

    /// Returns true if an effect that is not supported changes nothing, because its strength is 0.
    fileprivate func isNeutral() throws -> Bool {
        guard let number = string("mn").flatMap({ Self.strengths[$0] }) else { return false }
        // The position in the list does not identify a value, because exporters leave out those
        // that they cannot write.
        guard let field = self["ef"]?.items.first(where: { $0.matchNumber == number }),
            let value: Property<Double> = try field.property("v")
        else { return false }
        return value.expression == nil && value.keyValues.allSatisfy { $0 == 0 }
    }
}
