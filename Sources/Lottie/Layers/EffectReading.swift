import Motion
import Scene

extension LayerEffect {
    /// The effects of a layer that change its picture. Controls for expressions do not.
    static func all(reading layer: Field) throws -> [LayerEffect] {
        var effects: [LayerEffect] = []
        for field in layer["ef"]?.items ?? [] where try field.number("en", or: 1) != 0 {
            let values = field["ef"]?.items ?? []
            func value<Value: Readable>(_ index: Int, or fallback: Value) throws -> Property<Value> {
                guard index < values.count else { return Property(fallback) }
                return try values[index].property("v", or: fallback)
            }
            func color(_ index: Int) throws -> Property<[Double]> {
                let color: Property<[Double]> = try value(index, or: [0, 0, 0])
                guard color.keyValues.allSatisfy({ $0.count >= 3 }) else {
                    throw values[index].error("a colour of three numbers is expected")
                }
                return color
            }
            switch try field.integer("ty") ?? -1 {
            case 20:
                effects.append(.tint(black: try color(0), white: try color(1), amount: try value(2, or: 100)))
                layer.log.use("tint")
            case 21:
                effects.append(.fill(try color(2), opacity: try value(6, or: 1)))
                layer.log.use("fill effect")
            case 25:
                effects.append(
                    .shadow(
                        try color(0), opacity: try value(1, or: 255), direction: try value(2, or: 0),
                        distance: try value(3, or: 0), softness: try value(4, or: 0), isAlone: try value(5, or: 0)))
                layer.log.use("drop shadow")
            case 29:
                // Only what is filled to its edges shows what is done with them.
                let edges: Property<Double> = try value(2, or: 0)
                if [1, 2].contains(try layer.integer("ty")), edges.keyValues.contains(where: { $0 != 0 }) {
                    field.refuse("a blur with repeated edge pixels\(field.name)")
                }
                effects.append(.blur(try value(0, or: 0), dimensions: try value(1, or: 1)))
                layer.log.use("gaussian blur")
            // Sliders, angles, colours and other controls show nothing by themselves.
            case 0...4, 6, 7, 10: break
            // Exporters write what they do not know as a group, too.
            case 5 where field.isControl: break
            case let type: field.refuse("the effect\(field.name) (type \(type))")
            }
        }
        return effects
    }

    /// What it does at a frame.
    func effect(at frame: Double, rate: Double) -> Effect {
        func number(_ property: Property<Double>) -> Double { property.value(at: frame, rate: rate) }
        func color(_ property: Property<[Double]>) -> Color {
            let parts = property.value(at: frame, rate: rate).map(clamp01)
            return Color(red: parts[0], green: parts[1], blue: parts[2])
        }
        switch self {
        case .fill(let fill, let opacity): return .fill(color(fill), amount: clamp01(number(opacity)))
        case .tint(let black, let white, let amount):
            return .tint(black: color(black), white: color(white), amount: clamp01(number(amount) / 100))
        case .shadow(let shade, let opacity, let direction, let distance, let softness, let isAlone):
            let angle = (number(direction) - 90) * .pi / 180
            let offset = Point.zero.moved(by: number(distance), towards: angle)
            let alpha = clamp01(number(opacity) / 255)
            return .shadow(
                color(shade).opacity(alpha), offset: offset, radius: max(0, number(softness)) * Self.softnessDeviation,
                isAlone: number(isAlone) != 0)
        case .blur(let amount, let dimensions):
            let deviation = max(0, number(amount)) * Self.blurDeviation
            let kind = number(dimensions).rounded()
            return .blur(Size(kind == 3 ? 0 : deviation, kind == 2 ? 0 : deviation))
        }
    }

    /// A blurriness of 1 is a standard deviation of so many points, as Lottie's players take it.
    private static let blurDeviation = 0.3
    /// The same for a shadow's softness.
    private static let softnessDeviation = 0.25
}

extension Field {
    /// Whether an effect is a control for expressions, or a group of such.
    fileprivate var isControl: Bool {
        // Of a control one value is all there is; hardly any effect has so few.
        guard let match = string("mn") else { return (self["ef"]?.items.count ?? 0) <= 1 }
        return match.hasPrefix("Pseudo/") || (match.hasPrefix("ADBE ") && match.hasSuffix(" Control"))
    }
}
