import Core

extension Loader {
    /// Throws `ParameterError` for the first requirement of the protocol that the loader violates
    /// at one of 16 sampled instants. The rest of the program relies on these requirements.
    func checkRequirements() throws(ParameterError) {
        func error(_ problem: String) -> ParameterError {
            ParameterError(.data, "loader \(id): \(problem)")
        }
        guard period > .zero else { throw error("its period is \(period) s; make it positive") }
        let sides = [canvas.width, canvas.height]
        guard sides.allSatisfy({ $0.isFinite && $0 > 0 && $0 <= 1e6 }) else {
            throw error(
                "its canvas is \(canvas.width) x \(canvas.height) points; make both sides more than 0 and at most "
                    + "1000000")
        }
        guard background.isFinite else { throw error("its background has a component that is not finite") }
        let durations = phaseDurations.map(\.duration)
        guard !durations.isEmpty, durations.allSatisfy({ $0 > .zero }) else {
            throw error("it must have a phase, and each phase must be longer than 0 s")
        }
        let sum = durations.reduce(.zero, +)
        guard sum == period else {
            throw error("its phases take \(sum) s, but its period is \(period) s; make them equal")
        }
        let names = objects(at: .zero).map(\.name)
        guard Set(names).count == names.count else {
            throw error("two of its objects have the same name; make names unique")
        }
        for time in sampledTimes {
            let objects = objects(at: time)
            guard objects.map(\.name) == names else {
                throw error("its objects at \(time) s differ from those at 0 s; return the same ones in the same order")
            }
            guard objects.allSatisfy(\.isFinite) else {
                throw error("an object at \(time) s has a number that is not finite")
            }
        }
    }

    /// True if the loader draws text at one of 16 sampled instants.
    package var drawsText: Bool {
        sampledTimes.contains { nodes(at: $0).contains(where: \.holdsText) }
    }

    /// The 16 instants, evenly spaced, at which the loader is examined.
    private var sampledTimes: [Rational] { (0..<16).map { period * Rational(Int128($0), 16) } }
}

extension MovingObject {
    fileprivate var isFinite: Bool {
        [position, discCenter, velocity ?? .zero].allSatisfy(\.isFinite) && radius.isFinite && radius >= 0
            && color.isFinite
    }
}

extension Node {
    fileprivate var holdsText: Bool {
        switch self {
        case .text: true
        case .group(let group): group.nodes.contains(where: \.holdsText)
        case .shape, .image: false
        }
    }
}
