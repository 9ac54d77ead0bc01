import Animations
import Core

extension ModelBuilder {
    /// Returns all ways in which a model may be changed.
    func hypotheses(_ model: LoaderModel) -> [Hypothesis] {
        [
            Hypothesis(
                kind: .size, variables: [.scale], starts: [[0.06], [-0.06]].map { [$0[0] * model.pose.scale] }, rank: 1),
            Hypothesis(kind: .speed, variables: [.speed], starts: [[0.03], [-0.03]], rank: 0),
        ] + parameterHypotheses(model) + timingHypotheses(model) + keyframeHypotheses(model)
            + elementHypotheses(model) + layerHypotheses(model)
    }

    /// Returns a hypothesis for each named timing function that all keyframes may have, except one
    /// that looks like all the designed ones.
    private func keyframeHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        guard let loader = model.loader as? any KeyframedLoader else { return [] }
        let curves = loader.curves.isEmpty ? [.linear] : Array(loader.curves)
        return TimingFunction.named.filter { named in !curves.allSatisfy(named.function.looksLike) }.map {
            Hypothesis(kind: .easing, object: nil, variables: [], setting: $0.name, rank: 1)
        }
    }

    private func parameterHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        request.definition.parameters.compactMap { parameter in
            let name = parameter.name
            if color(name, model) != nil {
                let channels = (0..<3).map { FitVariable.channel(name, $0) }
                return Hypothesis(kind: .parameter, object: name, variables: channels, rank: 1)
            }
            guard let value = number(name, model) else { return nil }
            // Thin lines and repeated motion are only found from values near the correct one, and
            // doubled and halved values are near none of the others.
            let changes = [0.06, -0.06, 0.15, -0.15, 0.3, -0.3, 1, -0.5].map { [$0 * max(abs(value), 0.1)] }
            return Hypothesis(kind: .parameter, object: name, variables: [.number(name)], starts: changes, rank: 1)
        }
    }

    /// Returns a hypothesis for each other timing function in each interval of a gesture.
    private func timingHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        request.definition.parameters.flatMap { parameter -> [Hypothesis] in
            guard let gesture = gesture(parameter.name, model) else { return [] }
            return gesture.keyframes.indices.dropFirst().flatMap { index -> [Hypothesis] in
                guard gesture.keyframes[index].distance != gesture.keyframes[index - 1].distance else { return [] }
                return TimingFunction.named.filter { $0.function != gesture.keyframes[index].timing }.compactMap {
                    gesture.with($0.function, at: index).map {
                        Hypothesis(
                            kind: .easing, object: parameter.name, variables: [], setting: $0.description, rank: 1)
                    }
                }
            }
        }
    }

    /// True if the loader has parameters for its lengths, which describe its line widths, too.
    private var hasLengths: Bool { request.definition.parameters.contains { unit($0.name) == "pt" } }

    private func elementHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        let judged = elements.judged
        return judged.flatMap { element -> [Hypothesis] in
            let name = elements.names[element]
            var all = [
                Hypothesis(
                    kind: .opacity, object: name, variables: [.elementOpacity(element)], starts: [[-0.5]], rank: 2),
                Hypothesis(
                    kind: .elementSize, object: name, variables: [.elementSize(element)], starts: [[0.2], [-0.2]],
                    rank: 2),
                Hypothesis(
                    kind: .elementPosition, object: name, variables: [.elementX(element), .elementY(element)],
                    starts: [[5, 0], [-5, 0], [0, 5], [0, -5]], rank: 2),
                // A delay of the only element is another start of the recording.
                Hypothesis(
                    kind: .late, object: name, variables: [.elementDelay(element)],
                    starts: judged.count > 1 ? delays(model) : [], rank: 2),
            ]
            if elements.colors[element] != nil {
                let channels = (0..<3).map { FitVariable.elementChannel(element, $0) }
                all.append(Hypothesis(kind: .color, object: name, variables: channels, rank: 2))
            }
            if elements.lineWidths[element] != nil, !hasLengths {
                all.append(
                    Hypothesis(
                        kind: .lineWidth, object: name, variables: [.elementLineWidth(element)],
                        starts: [[0.3], [-0.3], [0.7], [-0.7]], rank: 2))
            }
            all += capHypotheses(of: element)
            // The only element has no order, and its opacity describes that it is missing. Its
            // timing function is that of the phases.
            guard judged.count > 1 else { return all }
            return all + editHypotheses(of: element) + easingHypotheses(of: element, model)
                + reversalHypotheses(of: element, model)
        }
    }

    /// Returns a hypothesis for each other end that the open lines of an element may have.
    private func capHypotheses(of element: Int) -> [Hypothesis] {
        guard let designed = elements.lineCaps[element] else { return [] }
        return [Stroke.Cap.butt, .round, .square].filter { $0 != designed }.map { cap in
            Hypothesis(
                kind: .lineCap, object: elements.names[element], variables: [],
                edit: ElementEdit(element: element, change: .cap(cap)), rank: 2)
        }
    }

    /// Returns a hypothesis for each pair of named timing functions. The keyframes of a Lottie file
    /// are not those of its phases.
    private func easingHypotheses(of element: Int, _ model: LoaderModel) -> [Hypothesis] {
        guard !(model.loader is any KeyframedLoader) else { return [] }
        return EasingChange.all.map { easing in
            Hypothesis(
                kind: .easing, object: elements.names[element], variables: [],
                edit: ElementEdit(element: element, change: .ease(easing)), rank: 2)
        }
    }

    /// The number of delays, evenly spread over a period, from which the fit of a late element also
    /// starts.
    private static let delaySteps = 12

    /// Returns the delays from which the fit of a late element starts. Derivatives only find delays
    /// near the first six, so an element in the opposite phase needs the others.
    private func delays(_ model: LoaderModel) -> [[Double]] {
        let period = model.loader.period.double
        let near = [0.05, -0.05, 0.1, -0.1, 0.2, -0.2]
        let far = (0..<Self.delaySteps).map { period * (Double($0) / Double(Self.delaySteps) - 0.5) }
        let reach = near.max() ?? 0
        return (near + far.filter { abs($0) > reach }).map { [$0] }
    }

    /// Returns the hypotheses that an element is missing, or drawn under one that it covers.
    private func editHypotheses(of element: Int) -> [Hypothesis] {
        let name = elements.names[element]
        let missing = Hypothesis(
            kind: .missing, object: name, variables: [], edit: ElementEdit(element: element, change: .fade(0)), rank: 1)
        let covered = elements.overlaps.filter { $0.upper == element && elements.judged.contains($0.lower) }
        let orders = covered.map { _, lower in
            Hypothesis(
                kind: .order, object: name, variables: [],
                edit: ElementEdit(element: element, change: .lower(under: lower)), rank: 1)
        }
        return [missing] + orders
    }
}
