import Core
import Foundation

@testable import Lottie

// Short notation for Lottie files: Swift literals are JSON values, and `keys` makes keyframes.

extension JSON: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }

    /// Returns the object with members added or replaced.
    func with(_ members: [String: JSON]) -> JSON {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { $1 })
    }

    /// The JSON text.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .string(let text): "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .array(let items): "[\(items.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ","))}"
        }
    }
}

func list(_ numbers: [Double]) -> JSON { .array(numbers.map { .number($0) }) }

// MARK: Properties

/// The easing from a keyframe to the next.
enum KeyframeEase {
    case linear, hold
    case bezier(Double, Double, Double, Double)
    /// A curve for each component.
    case each([(Double, Double, Double, Double)])

    fileprivate var members: [String: JSON] {
        switch self {
        case .hold: ["h": 1]
        case .linear: KeyframeEase.bezier(0, 0, 1, 1).members
        case .bezier(let x1, let y1, let x2, let y2):
            [
                "o": ["x": .number(x1), "y": .number(y1)], "i": ["x": .number(x2), "y": .number(y2)],
            ]
        case .each(let curves):
            [
                "o": ["x": list(curves.map(\.0)), "y": list(curves.map(\.1))],
                "i": ["x": list(curves.map(\.2)), "y": list(curves.map(\.3))],
            ]
        }
    }
}

/// Returns a keyframe with its frame, value and easing.
func key(_ frame: Double, _ value: JSON, _ ease: KeyframeEase = .linear, _ more: [String: JSON] = [:]) -> JSON {
    // In files, a number is an array of one element.
    let list: JSON = if case .number = value { .array([value]) } else { value }
    return .object(["t": .number(frame), "s": list].merging(ease.members) { $1 }.merging(more) { $1 })
}

/// Returns a property with keyframes.
func keys(_ keyframes: JSON..., expression: String? = nil) -> JSON { keys(keyframes, expression: expression) }

func keys(_ keyframes: [JSON], expression: String? = nil) -> JSON {
    .object(["a": 1, "k": .array(keyframes), "x": expression.map { .string($0) } ?? .null])
}

/// Returns a property with an expression.
func computed(_ expression: String, value: JSON = 0) -> JSON {
    .object(["a": 0, "k": value, "x": .string(expression)])
}

/// Returns the value if it is a property already, and otherwise a constant property.
func property(_ value: JSON) -> JSON { if case .object = value { value } else { ["a": 0, "k": value] } }

/// Converts values to properties.
func properties(_ values: [String: JSON]) -> [String: JSON] { values.mapValues(property) }

// MARK: Animations and layers

/// Returns an animation, by default of 100 x 100 points and 10 frames at 10 frames per second.
func lottie(
    _ layers: JSON..., size: (Double, Double) = (100, 100), rate: JSON = 10, from: JSON = 0, to: JSON = 10,
    assets: [JSON] = [], _ more: [String: JSON] = [:]
) -> JSON {
    let (layers, members) = parted(layers)
    return JSON.object([
        "v": "5.9.0", "fr": rate, "ip": from, "op": to, "w": .number(size.0), "h": .number(size.1),
        "assets": .array(assets), "layers": .array(layers),
    ]).with(members).with(more)
}

/// Separates items, which have a type, from members of the object that contains them.
func parted(_ items: [JSON]) -> (items: [JSON], members: [String: JSON]) {
    var typed: [JSON] = []
    var members: [String: JSON] = [:]
    for item in items {
        if case .object(let own) = item, own["ty"] == nil { members.merge(own) { $1 } } else { typed.append(item) }
    }
    return (typed, members)
}

/// Returns a transform with the properties `p`, `a`, `s`, `r`, `o`, `sk` and `sa`.
func transform(_ values: [String: JSON]) -> JSON { .object(properties(values)) }

/// Returns a layer of a type that is visible at all frames.
///
/// - Parameters:
///   - at: the values of the transform.
///   - more: other members.
func layer(_ type: JSON, _ at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    JSON.object(["ty": type, "ip": 0, "op": 1000, "st": 0, "ks": transform(at)]).with(more)
}

/// An effect that exporters write as a group, identified by its match name, or one with a type.
func effect(_ matchName: String, type: Double = 5, _ values: [JSON]) -> JSON {
    let children = values.map { JSON.object(["ty": 0, "v": property($0)]) }
    return ["ty": .number(type), "en": 1, "nm": "it", "mn": .string(matchName), "ef": .array(children)]
}

/// Returns a shape layer. Objects without a type are members of the layer.
func shapes(_ items: JSON..., at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    let (items, members) = parted(items)
    return layer(4, at, ["shapes": .array(items)]).with(members).with(more)
}

/// Returns a solid layer.
func solid(
    _ color: String, _ width: Double, _ height: Double, at: [String: JSON] = [:], _ more: [String: JSON] = [:]
) -> JSON {
    layer(1, at, ["sc": .string(color), "sw": .number(width), "sh": .number(height)]).with(more)
}

func solid(_ color: String, at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    solid(color, 100, 100, at: at, more)
}

/// Returns a null layer.
func null(at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON { layer(3, at, more) }

/// Returns a precomposition layer for the asset with an ID.
func precomposition(
    _ id: String, _ width: Double, _ height: Double, at: [String: JSON] = [:], _ more: [String: JSON] = [:]
) -> JSON {
    layer(0, at, ["refId": .string(id), "w": .number(width), "h": .number(height)]).with(more)
}

func precomposition(_ id: String, at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    precomposition(id, 100, 100, at: at, more)
}

/// Returns an asset with the layers of a precomposition.
func asset(_ id: String, _ layers: JSON...) -> JSON { .object(["id": .string(id), "layers": .array(layers)]) }

/// Returns a mask with the mode `a` (add), `s` (subtract), `i` (intersect), `f` (difference) or `n`
/// (none).
func mask(_ mode: String, _ path: JSON, opacity: JSON = 100, expansion: JSON = 0, inverted: Bool = false) -> JSON {
    [
        "mode": .string(mode), "pt": property(path), "o": property(opacity), "x": property(expansion),
        "inv": .bool(inverted),
    ]
}
