import Loaders
import Motion
import Scene
import Timing

/// What is true of a loader, for texts and checks of a script.
struct Facts: Sendable {
    let loader: any Loader
    /// The values of its parameters as texts.
    let parameters: [String: String]
    /// The phase that `phase` means; nil where there is none.
    var phase: Phase?
    /// The instant that objects are looked at, unless a fact says another, in seconds.
    var time = Rational.zero

    private static let ofPhases = ["duration", "start", "end", "name", "index"]
    private static let ofObjects = ["x", "y", "radius", "stage", "direction", "velocity", "vx", "vy"]

    /// The facts about a moment in a phase.
    func at(_ phase: Phase) -> Facts {
        var facts = self
        (facts.phase, facts.time) = (phase, phase.start)
        return facts
    }

    /// The facts about an instant, in seconds.
    func at(_ time: Rational) -> Facts {
        var facts = self
        (facts.phase, facts.time) = (loader.phase(at: time), time)
        return facts
    }

    /// What a reference stands for.
    func value(of reference: FactReference) throws(FactProblem) -> FactValue {
        switch (reference.name, reference.property) {
        case ("phases", nil): return .exact(Rational(loader.phases.count))
        case ("period", nil): return .exact(loader.period)
        case ("phase", let property?): return try value(of: property, ofPhase: reference.index)
        default: break
        }
        if let property = reference.property { return try value(of: property, reference) }
        guard let text = parameters[reference.name] else { throw unknown(reference.name) }
        if let number = Rational(text: text) { return .exact(number) }
        return Double(text).map { .number($0) } ?? .text(LocalizedText(text))
    }

    private func value(of property: String, ofPhase index: Int?) throws(FactProblem) -> FactValue {
        let phases = loader.phases
        guard let phase = index.map({ phases.indices.contains($0) ? phases[$0] : nil }) ?? phase else {
            throw FactProblem(
                what: "there is no such phase", expected: "phase[0]...phase[\(phases.count - 1)]",
                found: index.map { "phase[\($0)]" } ?? "phase, where no phase is shown")
        }
        switch property {
        case "duration": return .exact(phase.duration)
        case "start": return .exact(phase.start)
        case "end": return .exact(phase.end)
        case "index": return .exact(Rational(phase.index))
        case "name": return .text(phase.name)
        default: throw wrong(property, of: "a phase", Self.ofPhases)
        }
    }

    private func value(of property: String, _ reference: FactReference) throws(FactProblem) -> FactValue {
        var time = time
        if let asked = reference.time {
            do throws(ParameterError) { time = try asked.seconds(in: loader).modulo(loader.period) } catch {
                throw FactProblem(
                    what: "there is no such time", expected: "a phase of the loader", found: error.description)
            }
        }
        let moment = time.modulo(loader.period)
        guard let index = loader.objects(at: moment).firstIndex(where: { Self.word($0.name) == reference.name }) else {
            if let point = loader.landmarks(at: moment).first(where: { Self.word($0.name) == reference.name }) {
                switch property {
                case "x": return .number(point.position.x)
                case "y": return .number(point.position.y)
                default: throw wrong(property, of: "a point", ["x", "y"])
                }
            }
            throw unknown(reference.name)
        }
        let object = loader.objects(at: moment)[index]
        switch property {
        case "x": return .number(object.position.x)
        case "y": return .number(object.position.y)
        case "radius": return .number(object.radius)
        case "stage": if let step = object.step { return .exact(Rational(step)) }
        case "direction": if let direction = object.direction { return .exact(Rational(direction)) }
        case "velocity": return .number(loader.velocities(at: moment)[index].distance(to: .zero))
        case "vx": return .number(loader.velocities(at: moment)[index].x)
        case "vy": return .number(loader.velocities(at: moment)[index].y)
        default: break
        }
        throw wrong(property, of: "'\(object.name)'", Self.ofObjects)
    }

    /// A name as facts write it.
    private static func word(_ name: String) -> String { name.replacing(" ", with: "_") }

    private func unknown(_ name: String) -> FactProblem {
        let known =
            ["phases", "period", "phase"] + loader.objects(at: .zero).map { Self.word($0.name) }
            + loader.landmarks(at: .zero).map { Self.word($0.name) } + parameters.keys.sorted()
        let hint = NearestWord.to(name, in: known).map { " (did you mean '\($0)'?)" } ?? ""
        return FactProblem(
            what: "there is no such fact",
            expected: "phases, period, phase.duration, an object's x or a parameter\(hint)",
            found: name)
    }

    private func wrong(_ property: String, of what: String, _ known: [String]) -> FactProblem {
        FactProblem(
            what: "\(what) has no '\(property)'", expected: "one of \(known.joined(separator: ", "))", found: property)
    }
}
