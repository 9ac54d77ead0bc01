import Foundation
import Motion

@testable import Lottie

// Lottie files in few words: numbers, lists and texts are JSON as they are, `keys` makes them move.

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

    /// The same with other members.
    func with(_ members: [String: JSON]) -> JSON {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { $1 })
    }

    /// As a file has it.
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

/// How a keyframe goes on to the next.
enum Pace {
    case linear, hold
    case bezier(Double, Double, Double, Double)
    /// A curve for each component.
    case each([(Double, Double, Double, Double)])

    fileprivate var members: [String: JSON] {
        switch self {
        case .hold: ["h": 1]
        case .linear: Pace.bezier(0, 0, 1, 1).members
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

/// A keyframe: its frame, its value, and how it goes on.
func key(_ frame: Double, _ value: JSON, _ pace: Pace = .linear, _ more: [String: JSON] = [:]) -> JSON {
    // Files have numbers in lists of one.
    let list: JSON = if case .number = value { .array([value]) } else { value }
    return .object(["t": .number(frame), "s": list].merging(pace.members) { $1 }.merging(more) { $1 })
}

/// A property that moves.
func keys(_ keyframes: JSON..., expression: String? = nil) -> JSON { keys(keyframes, expression: expression) }

func keys(_ keyframes: [JSON], expression: String? = nil) -> JSON {
    .object(["a": 1, "k": .array(keyframes), "x": expression.map { .string($0) } ?? .null])
}

/// A property that an expression computes.
func computed(_ expression: String, value: JSON = 0) -> JSON {
    .object(["a": 0, "k": value, "x": .string(expression)])
}

/// A property: what is one already, or a value that stays.
func property(_ value: JSON) -> JSON { if case .object = value { value } else { ["a": 0, "k": value] } }

/// Properties by their keys.
func properties(_ values: [String: JSON]) -> [String: JSON] { values.mapValues(property) }

// MARK: Animations and layers

/// An animation of 100x100 points, at 10 frames a second from frame 0 to 10.
func movie(
    _ layers: JSON..., size: (Double, Double) = (100, 100), rate: JSON = 10, from: JSON = 0, to: JSON = 10,
    assets: [JSON] = [], _ more: [String: JSON] = [:]
) -> JSON {
    let (layers, members) = parted(layers)
    return JSON.object([
        "v": "5.9.0", "fr": rate, "ip": from, "op": to, "w": .number(size.0), "h": .number(size.1),
        "assets": .array(assets), "layers": .array(layers),
    ]).with(members).with(more)
}

/// What has a type of its own, and the members of what it is in.
func parted(_ items: [JSON]) -> (items: [JSON], members: [String: JSON]) {
    var (typed, members): ([JSON], [String: JSON]) = ([], [:])
    for item in items {
        if case .object(let own) = item, own["ty"] == nil { members.merge(own) { $1 } } else { typed.append(item) }
    }
    return (typed, members)
}

/// A transform: `p`, `a`, `s`, `r`, `o`, `sk`, `sa`.
func transform(_ values: [String: JSON]) -> JSON { .object(properties(values)) }

/// A layer of a type, seen at all frames, its transform's values in `at`.
func layer(_ type: JSON, _ at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    JSON.object(["ty": type, "ip": 0, "op": 1000, "st": 0, "ks": transform(at)]).with(more)
}

/// A layer of shapes, and members of its own.
func shapes(_ items: JSON..., at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    let (items, members) = parted(items)
    return layer(4, at, ["shapes": .array(items)]).with(members).with(more)
}

/// A layer of one colour.
func solid(
    _ color: String, _ width: Double, _ height: Double, at: [String: JSON] = [:], _ more: [String: JSON] = [:]
) -> JSON {
    layer(1, at, ["sc": .string(color), "sw": .number(width), "sh": .number(height)]).with(more)
}

func solid(_ color: String, at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    solid(color, 100, 100, at: at, more)
}

/// A layer that others hang on.
func null(at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON { layer(3, at, more) }

/// A composition in another, by its name.
func precomposition(
    _ id: String, _ width: Double, _ height: Double, at: [String: JSON] = [:], _ more: [String: JSON] = [:]
) -> JSON {
    layer(0, at, ["refId": .string(id), "w": .number(width), "h": .number(height)]).with(more)
}

func precomposition(_ id: String, at: [String: JSON] = [:], _ more: [String: JSON] = [:]) -> JSON {
    precomposition(id, 100, 100, at: at, more)
}

/// A composition among the assets.
func asset(_ id: String, _ layers: JSON...) -> JSON { .object(["id": .string(id), "layers": .array(layers)]) }

/// A mask: `a`, `s`, `i`, `f`.
func mask(_ mode: String, _ path: JSON, opacity: JSON = 100, expansion: JSON = 0, inverted: Bool = false) -> JSON {
    [
        "mode": .string(mode), "pt": property(path), "o": property(opacity), "x": property(expansion),
        "inv": .bool(inverted),
    ]
}
