import Core

extension LayerEffect {
    /// Reads the effects of a layer. Expression controls are skipped, because they draw nothing;
    /// other effects are recorded as unsupported.
    static func all(reading layer: Field) throws -> [LayerEffect] {
        var effects: [LayerEffect] = []
        for field in layer["ef"]?.items ?? [] where try field.number("en", or: 1) != 0 {
            let values = field["ef"]?.items ?? []
            func value<Value: Readable>(_ index: Int, or defaultValue: Value) throws -> Property<Value> {
                guard index < values.count else { return Property(defaultValue) }
                return try values[index].property("v", or: defaultValue)
            }
            func color(_ index: Int) throws -> Property<[Double]> {
                let color: Property<[Double]> = try value(index, or: [0, 0, 0])
                guard color.keyValues.allSatisfy({ $0.count >= 3 }) else {
                    throw values[index].error("expected a colour of three numbers")
                }
                return color
            }
            switch try field.integer("ty") ?? -1 {
            case 20:
                effects.append(.tint(black: try color(0), white: try color(1), amount: try value(2, or: 100)))
                layer.context.noteFeature("tint")
            case 21:
                effects.append(.fill(try color(2), opacity: try value(6, or: 1)))
                layer.context.noteFeature("fill effect")
            case 25:
                effects.append(
                    .shadow(
                        try color(0), opacity: try value(1, or: 255), direction: try value(2, or: 0),
                        distance: try value(3, or: 0), softness: try value(4, or: 0), isShadowOnly: try value(5, or: 0))
                )
                layer.context.noteFeature("drop shadow")
            case 29:
                // Repeated edge pixels are only visible on layers with opaque edges: solids (1) and
                // images (2).
                let edges: Property<Double> = try value(2, or: 0)
                if [1, 2].contains(try layer.integer("ty")), edges.keyValues.contains(where: { $0 != 0 }) {
                    field.reportUnsupported("a blur with repeated edge pixels\(field.name)")
                }
                effects.append(.blur(try value(0, or: 0), dimensions: try value(1, or: 1)))
                layer.context.noteFeature("gaussian blur")
            // Sliders, angles, colours and other expression controls draw nothing.
            case 0...4, 6, 7, 10: break
            // Exporters also write effects that they do not know as a group (5).
            case 5 where field.isControl: break
            case let type: field.reportUnsupported("the effect\(field.name) (type \(type))")
            }
        }
        return effects
    }

    /// Returns the effect at a frame.
    func effect(at frame: Double, in context: FrameContext) -> Effect {
        func number(_ property: Property<Double>) -> Double { property.value(at: frame, in: context) }
        func color(_ property: Property<[Double]>) -> Color {
            let components = property.value(at: frame, in: context).map(clamp01)
            return Color(red: components[0], green: components[1], blue: components[2])
        }
        switch self {
        case .fill(let fill, let opacity): return .fill(color(fill), amount: clamp01(number(opacity)))
        case .tint(let black, let white, let amount):
            return .tint(black: color(black), white: color(white), amount: clamp01(number(amount) / 100))
        case .shadow(let shade, let opacity, let direction, let distance, let softness, let isShadowOnly):
            let angle = (number(direction) - 90) * .pi / 180
            let offset = Point.zero.moved(by: number(distance), towards: angle)
            let alpha = clamp01(number(opacity) / 255)
            return .shadow(
                color(shade).opacity(alpha), offset: offset, radius: max(0, number(softness)) * Self.softnessDeviation,
                isAlone: number(isShadowOnly) != 0)
        case .blur(let amount, let dimensions):
            let deviation = max(0, number(amount)) * Self.blurDeviation
            let kind = number(dimensions).rounded()
            return .blur(Size(kind == 3 ? 0 : deviation, kind == 2 ? 0 : deviation))
        }
    }

    /// The standard deviation in points for a blurriness of 1, as in other Lottie players.
    private static let blurDeviation = 0.3
    /// The standard deviation in points for a shadow's softness of 1, as in other Lottie players.
    private static let softnessDeviation = 0.25
}

extension Field {
    /// True if the effect is an expression control or a group of them.
    fileprivate var isControl: Bool {
        // Without a match name, a single value indicates a control: most effects have more.
        guard let matchName = string("mn") else { return (self["ef"]?.items.count ?? 0) <= 1 }
        return matchName.hasPrefix("Pseudo/") || (matchName.hasPrefix("ADBE ") && matchName.hasSuffix(" Control"))
    }
}
