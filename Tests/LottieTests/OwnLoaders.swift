import Loaders
import Motion
import Scene

@testable import Lottie

/// Loaders of ours as a designer would make them in Lottie, from their articles' numbers.
enum OwnLoader: String, CaseIterable, Sendable {
    case iqiyi
    case oneloading
    case qqMail = "qq-mail"

    var json: JSON {
        switch self {
        case .iqiyi: Self.ringAndTriangle
        case .oneloading: Self.growingArc
        case .qqMail: Self.threeBalls
        }
    }

    private static func marker(_ name: String, _ start: Double, _ duration: Double) -> JSON {
        ["cm": .string(name), "tm": .number(start), "dr": .number(duration)]
    }

    /// Core Animation's ease-in ease-out.
    private static let eased = Pace.bezier(0.42, 0, 0.58, 1)

    /// At 10 frames a second each phase is six: the ring's end is drawn and its beginning erased, while the triangle turns.
    private static let ringAndTriangle: JSON = {
        let color: JSON = .array([64, 168, 59].map { .number($0 / 255) })
        let start = keys(key(0, 2, .hold), key(6, 2, eased), key(12, 98))
        let end = keys(key(0, 2, eased), key(6, 98))
        let corners = corners(
            [0, 2, 4].map { third in
                let corner = Point.zero.moved(by: 20, towards: .pi / 3 * third)
                return [corner.x, corner.y]
            })
        let turn = keys(key(0, 0, .hold), key(6, 0), key(12, 240))
        return movie(
            shapes(
                path(corners), stroke(color, 2, ["lc": 2]), fill(color), at: ["p": [60, 60], "r": turn],
                ["nm": "triangle"]),
            shapes(
                ellipse([60, 60], [70, 70]), trim(start, end), stroke(color, 7, ["lc": 2, "lj": 2]), ["nm": "ring"]),
            size: (120, 120), to: 12, ["markers": [marker("draw", 0, 6), marker("erase", 6, 6)]])
    }()

    /// The arc's ends go evenly: three quarters of a turn and one and a half, anticlockwise. As a trim it grows from a
    /// quarter to all while its offset, from 12 o'clock on, goes back by what the head goes.
    private static let growingArc: JSON = {
        let offset = keys(key(0, 630), key(20, 90))
        return movie(
            shapes(
                ellipse([60, 60], [80, 80]), trim(0, keys(key(0, 25), key(20, 100)), offset: offset),
                stroke(red, 2, ["lj": 2])),
            size: (120, 120), to: 20, ["markers": [marker("sweep", 0, 20)]])
    }()

    /// At 25 frames a second a phase of 0.24 s is six. A ball runs through the same six steps, each ball from another on; who is
    /// in front changes every two phases, so that each ball is a layer three times.
    private static let threeBalls: JSON = {
        let steps = [-1.0, 1, 1, -1, 0, 0], firstSteps = [1, 5, 3]
        let colors: [JSON] = [red, [1, 1, 0, 1], green]
        let backToFront = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]
        func position(_ ball: Int) -> JSON {
            let places = (0...6).map { phase -> Double in
                let passed = steps.prefix((firstSteps[ball] + phase) % 6)
                return 60 + 30 * passed.reduce(0, +)
            }
            return keys(places.enumerated().map { key(6 * Double($0), [.number($1), 30]) })
        }
        let layers = backToFront.enumerated().flatMap { pair, order in
            order.reversed().map { ball in
                shapes(
                    ellipse([0, 0], [12, 12]), stroke(colors[ball], 1, ["lj": 2]), fill(colors[ball]),
                    at: ["p": position(ball), "o": 80],
                    ["ip": .number(12 * Double(pair)), "op": .number(12 * Double(pair + 1))])
            }
        }
        let names = [
            "red and green meet in the middle", "red moves out right, yellow left", "red and yellow meet in the middle",
            "yellow moves out right, green left", "yellow and green meet in the middle",
            "green moves out right, red left",
        ]
        let markers = names.enumerated().map { marker($1, 6 * Double($0), 6) }
        return movie(size: (120, 60), rate: 25, to: 36, ["layers": .array(layers), "markers": .array(markers)])
    }()
}
