import Motion
import Scene

extension Loader {
    /// Throws one line for the first of a loader's promises that it does not keep, as far as a few instants show it: everything
    /// else relies on them.
    func checkPromises() throws(ParameterError) {
        func fail(_ what: String) -> ParameterError {
            ParameterError(.data, "the loader \(id) cannot be shown: \(what)")
        }
        guard period > .zero else { throw fail("its period is \(period) s, which must be positive") }
        let sides = [canvas.width, canvas.height]
        guard sides.allSatisfy({ $0.isFinite && $0 > 0 && $0 <= 1e6 }) else {
            throw fail("its canvas is \(canvas.width) x \(canvas.height) points; both take more than 0, up to 1000000")
        }
        guard background.isFinite else { throw fail("its background is no colour") }
        let durations = phaseDurations.map(\.duration)
        guard !durations.isEmpty, durations.allSatisfy({ $0 > .zero }) else {
            throw fail("it must have a phase, and each of them must be longer than 0 s")
        }
        let sum = durations.reduce(.zero, +)
        guard sum == period else { throw fail("its phases take \(sum) s, and its period \(period) s: make them equal") }
        let names = objects(at: .zero).map(\.name)
        guard Set(names).count == names.count else { throw fail("two of its objects have one name") }
        for step in 0..<16 {
            let time = period * Rational(Int128(step), 16)
            let objects = objects(at: time)
            guard objects.map(\.name) == names else {
                throw fail("its objects at \(time) s are others than at 0 s: list the same ones in the same order")
            }
            guard objects.allSatisfy(\.isFinite) else {
                throw fail("an object at \(time) s has a number that is not finite")
            }
        }
    }

    /// Whether there are letters in what it draws, as far as a few instants show it.
    package var drawsText: Bool {
        (0..<16).contains { step in nodes(at: period * Rational(Int128(step), 16)).contains(where: \.holdsText) }
    }
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
