@testable import Lottie

// Short notation for the items of shape layers.

/// Returns an item of a type, with properties and plain members.
func item(_ type: String, _ values: [String: JSON], _ plain: [String: JSON] = [:]) -> JSON {
    .object(["ty": .string(type)].merging(properties(values)) { $1 }.merging(plain) { $1 })
}

func rectangle(_ center: JSON, _ size: JSON, roundness: JSON = 0, reversed: Bool = false) -> JSON {
    item("rc", ["p": center, "s": size, "r": roundness], ["d": reversed ? 3 : 1])
}

func ellipse(_ center: JSON, _ size: JSON, reversed: Bool = false) -> JSON {
    item("el", ["p": center, "s": size], ["d": reversed ? 3 : 1])
}

func star(_ center: JSON, points: JSON, outer: JSON, inner: JSON, _ values: [String: JSON] = [:]) -> JSON {
    item("sr", ["p": center, "pt": points, "or": outer, "ir": inner].merging(values) { $1 }, ["sy": 1])
}

func polygon(_ center: JSON, points: JSON, radius: JSON, _ values: [String: JSON] = [:]) -> JSON {
    item("sr", ["p": center, "pt": points, "or": radius].merging(values) { $1 }, ["sy": 2])
}

/// Returns a path with vertices, and with tangents relative to them if given.
func corners(
    _ points: [[Double]], closed: Bool = true, into: [[Double]]? = nil, out: [[Double]]? = nil
) -> JSON {
    let none = points.map { _ in [0.0, 0.0] }
    return [
        "c": .bool(closed), "v": .array(points.map(list)), "i": .array((into ?? none).map(list)),
        "o": .array((out ?? none).map(list)),
    ]
}

/// Returns a rectangular path, clockwise from the top left.
func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> JSON {
    corners([[left, top], [right, top], [right, bottom], [left, bottom]])
}

/// Returns a path item with a constant or animated path.
func path(_ shape: JSON) -> JSON {
    if case .object(let members) = shape, members["k"] != nil { return .object(["ty": "sh", "ks": shape]) }
    return .object(["ty": "sh", "ks": ["a": 0, "k": shape]])
}

func group(_ items: JSON..., at: [String: JSON] = [:]) -> JSON {
    .object(["ty": "gr", "it": .array(items + [transform(at).with(["ty": "tr"])])])
}

func fill(_ color: JSON, opacity: JSON = 100, _ more: [String: JSON] = [:]) -> JSON {
    item("fl", ["c": color, "o": opacity], more)
}

/// Returns a stroke, with butt caps and miter joins unless `more` overrides them.
func stroke(_ color: JSON, _ width: JSON, opacity: JSON = 100, _ more: [String: JSON] = [:]) -> JSON {
    item("st", ["c": color, "w": width, "o": opacity], ["lc": 1, "lj": 1, "ml": 10]).with(more)
}

/// Returns the lengths of dashes and gaps in turn, and the dash offset.
func dashes(_ lengths: JSON..., offset: JSON = 0) -> JSON {
    .array(
        lengths.enumerated().map { ["n": $0 % 2 == 0 ? "d" : "g", "v": property($1)] }
            + [["n": "o", "v": property(offset)]])
}

/// Returns a gradient's stops as a number of colour stops and an array of values.
func stops(_ count: Int, _ numbers: JSON) -> JSON { ["p": .number(Double(count)), "k": property(numbers)] }

func gradient(
    _ stops: JSON, from: JSON, to: JSON, radial: Bool = false, type: String = "gf", opacity: JSON = 100,
    _ values: [String: JSON] = [:], _ plain: [String: JSON] = [:]
) -> JSON {
    item(
        type, ["s": from, "e": to, "o": opacity].merging(values) { $1 },
        ["g": stops, "t": radial ? 2 : 1, "lc": 1, "lj": 1].merging(plain) { $1 })
}

func trim(_ start: JSON, _ end: JSON, offset: JSON = 0, individually: Bool = false) -> JSON {
    item("tm", ["s": start, "e": end, "o": offset], ["m": individually ? 2 : 1])
}

func repeater(_ copies: JSON, offset: JSON = 0, above: Bool = false, _ at: [String: JSON]) -> JSON {
    item("rp", ["c": copies, "o": offset], ["m": above ? 2 : 1, "tr": transform(at)])
}

func merge(_ mode: JSON) -> JSON { .object(["ty": "mm", "mm": mode]) }

/// A square in the middle of a canvas of 100x100 points.
let square = rectangle([50, 50], [40, 40])

let red: JSON = [1, 0, 0, 1]
let green: JSON = [0, 1, 0, 1]
let blue: JSON = [0, 0, 1, 1]
let black: JSON = [0, 0, 0, 1]
let white: JSON = [1, 1, 1, 1]
