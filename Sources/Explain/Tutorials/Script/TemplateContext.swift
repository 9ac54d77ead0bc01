import Animations
import Core

/// The facts about a loader for the texts and checks of a script.
struct TemplateContext: Sendable {
    let loader: any Loader
    /// The values of the loader's parameters as text.
    let parameters: [String: String]
    /// The phase that `phase` refers to; nil outside of phases.
    var phase: Phase?
    /// The time in seconds of facts about objects, unless a fact states another.
    var time = Rational.zero

    private static let phaseProperties = ["duration", "start", "end", "name", "index"]
    private static let objectProperties = ["x", "y", "radius", "step", "direction", "velocity", "vx", "vy"]

    /// Returns the facts at the start of a phase.
    func at(_ phase: Phase) -> TemplateContext {
        var facts = self
        facts.phase = phase
        facts.time = phase.start
        return facts
    }

    /// Returns the facts at a time in seconds.
    func at(_ time: Rational) -> TemplateContext {
        var facts = self
        facts.phase = loader.phase(at: time)
        facts.time = time
        return facts
    }

    /// Returns the value of a reference. Throws `ValueProblem` if there is no such fact.
    func value(of reference: FactReference) throws(ValueProblem) -> FactValue {
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

    private func value(of property: String, ofPhase index: Int?) throws(ValueProblem) -> FactValue {
        let phases = loader.phases
        guard let phase = index.map({ phases.indices.contains($0) ? phases[$0] : nil }) ?? phase else {
            throw ValueProblem(
                problem: index.map { "there is no phase[\($0)]" } ?? "'phase' needs an index",
                remedy: "use phase[0]...phase[\(phases.count - 1)]")
        }
        switch property {
        case "duration": return .exact(phase.duration)
        case "start": return .exact(phase.start)
        case "end": return .exact(phase.end)
        case "index": return .exact(Rational(phase.index))
        case "name": return .text(phase.name)
        default: throw wrong(property, of: "a phase", Self.phaseProperties)
        }
    }

    private func value(of property: String, _ reference: FactReference) throws(ValueProblem) -> FactValue {
        var time = time
        if let requested = reference.time {
            do throws(ParameterError) { time = try requested.seconds(in: loader).modulo(loader.period) } catch {
                throw ValueProblem(problem: error.description, remedy: nil)
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
        // `stage` is the name in scripts of version 0.7.0 and earlier.
        case "step", "stage": if let step = object.step { return .exact(Rational(step)) }
        case "direction": if let direction = object.direction { return .exact(Rational(direction)) }
        case "velocity": return .number(loader.velocities(at: moment)[index].distance(to: .zero))
        case "vx": return .number(loader.velocities(at: moment)[index].x)
        case "vy": return .number(loader.velocities(at: moment)[index].y)
        default: break
        }
        throw wrong(property, of: quoted(object.name), Self.objectProperties)
    }

    /// Returns a name in the syntax of facts: each character that cannot be part of a word becomes
    /// `_`, and so that the name is not read as a number, `_` precedes a digit at its start.
    private static func word(_ name: String) -> String {
        let word = String(name.map { FactParser.isPartOfWord($0) ? $0 : "_" })
        return word.first?.isNumber == true ? "_" + word : word
    }

    private func unknown(_ name: String) -> ValueProblem {
        let known =
            ["phases", "period", "phase"] + loader.objects(at: .zero).map { Self.word($0.name) }
            + loader.landmarks(at: .zero).map { Self.word($0.name) } + parameters.keys.sorted()
        let form = "use phases, period, phase.duration, an object's x or a parameter"
        return ValueProblem(
            problem: "there is no fact \(quoted(name))", remedy: NearestName.question(name, in: known) ?? form)
    }

    private func wrong(_ property: String, of subject: String, _ known: [String]) -> ValueProblem {
        ValueProblem(
            problem: "\(subject) has no \(quoted(property))", remedy: "use one of \(known.joined(separator: ", "))")
    }
}
