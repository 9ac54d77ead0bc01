import Animations
import Core

@testable import Lottie

/// Built-in loaders as a designer would make them in Lottie, from the numbers in their articles.
enum BuiltInLottie: String, CaseIterable, Sendable {
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
    private static let eased = KeyframeEase.bezier(0.42, 0, 0.58, 1)

    /// Each phase has six frames at 10 frames per second: the ring is drawn, and then erased while
    /// the triangle rotates.
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
        return lottie(
            shapes(
                path(corners), stroke(color, 2, ["lc": 2]), fill(color), at: ["p": [60, 60], "r": turn],
                ["nm": "triangle"]),
            shapes(
                ellipse([60, 60], [70, 70]), trim(start, end), stroke(color, 7, ["lc": 2, "lj": 2]), ["nm": "ring"]),
            size: (120, 120), to: 12, ["markers": [marker("draw", 0, 6), marker("erase", 6, 6)]])
    }()

    /// The arc's ends move anticlockwise at constant speeds, by three quarters of a turn and by one
    /// and a half. As Trim Paths, the end grows from 25% to 100%, while the offset decreases by the
    /// faster motion.
    private static let growingArc: JSON = {
        let offset = keys(key(0, 630), key(20, 90))
        return lottie(
            shapes(
                ellipse([60, 60], [80, 80]), trim(0, keys(key(0, 25), key(20, 100)), offset: offset),
                stroke(red, 2, ["lj": 2])),
            size: (120, 120), to: 20, ["markers": [marker("sweep", 0, 20)]])
    }()

    /// A phase of 0.24 s has six frames at 25 frames per second. All balls run through the same six
    /// steps from different offsets. The stacking order changes every two phases, so there are
    /// three layers for each ball.
    private static let threeBalls: JSON = {
        let steps = [-1.0, 1, 1, -1, 0, 0]
        let firstSteps = [1, 5, 3]
        let colors: [JSON] = [red, [1, 1, 0, 1], green]
        let backToFront = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]
        func position(_ ball: Int) -> JSON {
            let positions = (0...6).map { phase -> Double in
                let previousSteps = steps.prefix((firstSteps[ball] + phase) % 6)
                return 60 + 30 * previousSteps.reduce(0, +)
            }
            return keys(positions.enumerated().map { key(6 * Double($0), [.number($1), 30]) })
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
        return lottie(size: (120, 60), rate: 25, to: 36, ["layers": .array(layers), "markers": .array(markers)])
    }()
}
