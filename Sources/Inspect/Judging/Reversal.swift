import Animations
import Core

extension ElementEdit {
    /// The last fraction of a phase that shows the phase and not the next one.
    private static let lastFraction = 0.9999

    /// Returns the seconds by which an element is late at a model time if it plays backwards in a
    /// phase; 0 in the others.
    static func delay(at time: Double, in loader: any Loader, reversing phase: Int) -> Double {
        let (index, fraction, duration) = loader.phasePosition(at: time)
        return index == phase ? (fraction - min(1 - fraction, lastFraction)) * duration : 0
    }
}

extension ModelBuilder {
    /// The maximum number of phases of all elements in which each is tried backwards. Loaders with
    /// more have short phases, in which elements move on and do not turn.
    private static let maxReversals = 48

    /// Returns a hypothesis for each phase in which an element may play backwards: one that turns
    /// the other way plays the whole turn backwards. The phases of a Lottie file may end during a
    /// turn.
    func reversalHypotheses(of element: Int, _ model: LoaderModel) -> [Hypothesis] {
        let phases = model.loader.phases.count
        guard !(model.loader is any KeyframedLoader), phases * elements.judged.count <= Self.maxReversals else {
            return []
        }
        return (0..<phases).map { phase in
            Hypothesis(
                kind: .backwards, object: elements.names[element], variables: [],
                edit: ElementEdit(element: element, change: .reverse(phase: phase)), rank: 2)
        }
    }
}

extension DeviationWriter {
    /// Returns the deviation of an element that plays backwards in a phase.
    func reversal(_ name: String, phase: Int) -> Deviation {
        let title = design.loader.phases[phase].name.english
        return Deviation(
            kind: .backwards, object: name, phase: title, text: "\(name) plays backwards in phase \(title)")
    }
}
