import Animations
import Core

/// A Lottie animation as a loader. One point is one unit of the Lottie canvas.
struct LottieLoader: KeyframedLoader {
    let id: String
    let title: LocalizedText
    let period: Rational
    private let animation: Animation
    private let subframes: Subframes
    private let survey: ObjectSurvey
    private var selection = ObjectSelection.shown
    private var cache = Locked(Cache())
    /// The IDs of all animations in the archive that contains this one; empty for a JSON file.
    private let archiveIDs: [String]
    /// Reads the file again with other settings.
    var reader: (@Sendable ((inout LottieFile.Variant) -> Void) -> LottieLoader?)?
    /// Reads the constant values of layers from the file.
    var values: (@Sendable () -> [LayerProperty: Double])?

    init(_ animation: Animation, id: String, title: String, subframes: Subframes, archive: [String] = []) {
        self.id = id
        self.animation = animation
        self.subframes = subframes
        archiveIDs = archive
        // The caller passes the file name. The composition's own name (`nm`) is usually a default
        // such as "Comp 1".
        self.title = LocalizedText(title)
        period = animation.period
        survey = ObjectSurvey(animation)
    }

    // MARK: Objects and phases

    /// The objects that the loader has.
    private enum ObjectSelection {
        /// Those that a viewer sees move.
        case shown
        case all
        case chosen([MovingLayer])
    }

    /// The phases and the selected objects, which are found when they are first needed.
    private struct Cache {
        var phases: AnimationPhases.Phases?
        var layers: [MovingLayer]?
    }

    var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        if let known = cache.withLock({ $0.phases }) { return known }
        let isNamed = if case .chosen = selection { true } else { false }
        let made = AnimationPhases.durations(of: survey, named: isNamed ? layers : survey.shown)
        cache.withLock { $0.phases = made }
        return made
    }

    /// The selected objects.
    private var layers: [MovingLayer] {
        if let known = cache.withLock({ $0.layers }) { return known }
        let made =
            switch selection {
            case .shown: survey.shown
            case .all: survey.all
            case .chosen(let chosen): survey.colored(chosen)
            }
        cache.withLock { $0.layers = made }
        return made
    }

    var curves: Set<TimingFunction> { animation.curves }

    func eased(_ timing: TimingFunction) -> (any Loader)? {
        reader? { $0.easing = EasingOverride(timing: timing, replacesLinear: curves.isEmpty) }
    }

    var layerProperties: [LayerProperty: Double] { values?() ?? [:] }

    func changing(_ values: [LayerProperty: Double]) -> (any Loader)? { reader? { $0.values = values } }

    var withAllObjects: any Loader {
        if case .chosen = selection { self } else { selecting(.all) }
    }

    func showing(_ choices: [ObjectChoice]) throws(ParameterError) -> any Loader {
        let all = survey.all
        let indices = try ObjectChoice.indices(
            of: choices, in: all.map(\.name), titles: all.map { [$0.title] }, loader: id)
        return selecting(
            .chosen(
                zip(indices, choices).map { index, choice in
                    var layer = all[index]
                    layer.title = choice.title ?? layer.title
                    return layer
                }))
    }

    private func selecting(_ selection: ObjectSelection) -> LottieLoader {
        var loader = self
        loader.selection = selection
        loader.cache = Locked(Cache())
        return loader
    }

    var canvas: Size { animation.size }

    var omissions: [String] { animation.unsupported.lines { "without \($0)" }.map { "\(id): \($0)" } }

    var notes: [String] { animation.notes }

    var details: [(name: String, text: String)] {
        let rate = animation.rate
        let decimal = rate.denominator == 1 ? "" : " (\(rate.double.roundedToThousandths))"
        let objects = layers.map(\.name)
        let animations = archiveIDs.map { $0.abbreviated(to: maxNameLength) }
        // As one expression, the details would take the compiler half a minute.
        var details: [(name: String, text: String)] = []
        details.append(("frame rate", "\(rate)\(decimal) frames/s"))
        details.append(("frames", "\(animation.start)...\(animation.end)"))
        details.append(("phases from", AnimationPhases.comeFromMarkers(animation) ? "markers" : "keyframes"))
        details.append(("objects", objects.isEmpty ? "none" : objects.joined(separator: ", ")))
        let features = animation.features
        details.append(("features", features.isEmpty ? "none" : features.joined(separator: ", ")))
        if !notes.isEmpty { details.append(("notes", notes.joined(separator: "; "))) }
        if !animations.isEmpty { details.append(("animations", animations.joined(separator: ", "))) }
        return details
    }

    /// The default scale, a whole number in 1...4. Most designs have their display size; icons are
    /// enlarged to at most 512 points on the longer side.
    var preferredScale: Rational? {
        let side = max(animation.size.width, animation.size.height)
        return Rational(min(4, max(1, Int(512 / side))))
    }

    /// Returns the frame number at a time in seconds, without its fraction if subframes are off.
    private func frame(at time: Rational) -> Double {
        guard subframes == .off else { return animation.frame(at: time) }
        return (animation.start + Rational((time * animation.rate).floor)).double
    }

    private func renderer(at time: Rational) -> CompositionRenderer {
        CompositionRenderer(
            composition: animation.composition, frame: frame(at: time), context: animation.frameContext())
    }

    /// Throws `LottieError` if one of the checked frames takes too long to draw.
    func checkRenderCost() throws {
        for step in 0..<LottieLimits.checkedFrames {
            let renderer = renderer(at: period * Rational(Int128(step), Int128(LottieLimits.checkedFrames)))
            let nodes = renderer.nodes()
            let frame = "frame \(renderer.frame.roundedToThousandths)"
            guard !renderer.context.pathBudget.isExhausted else {
                throw LottieError(
                    "\(frame) merges or offsets too many paths, or paths that cross too often; use fewer or simpler "
                        + "paths"
                )
            }
            guard RenderCost.cost(of: nodes, on: canvas) <= RenderCost.maxCost else {
                throw LottieError("\(frame) takes too long to draw; remove layers, or make them or their blurs smaller")
            }
        }
    }

    func nodes(at time: Rational) -> [Node] {
        RenderCost.affordable(renderer(at: time).nodes(), on: canvas)
    }

    func layers(at time: Rational) -> [(index: Int, nodes: [Node])] {
        let layers = renderer(at: time).layers().filter { !$0.nodes.isEmpty }
        var rest = RenderCost.affordable(layers.flatMap(\.nodes), on: canvas).count
        return layers.map { index, nodes in
            let kept = nodes.prefix(rest)
            rest -= kept.count
            return (index, Array(kept))
        }
    }

    func layerName(_ index: Int) -> String? { survey.parts.first { $0.path == [index] }?.name }

    func drawing(ofObject name: String, at time: Rational) -> [Node]? {
        guard let layer = layers.first(where: { $0.name == name }) else { return nil }
        return RenderCost.affordable(renderer(at: time).only(layer.path).nodes(), on: canvas)
    }

    /// Returns the moving layers, and the other layers of the main composition.
    func parts(at time: Rational) -> [LoaderPart] {
        survey.parts.map { part in
            LoaderPart(part.name, nodes: RenderCost.affordable(renderer(at: time).only(part.path).nodes(), on: canvas))
        }
    }

    func objects(at time: Rational) -> [MovingObject] {
        let renderer = renderer(at: time)
        return layers.map { $0.object(in: renderer) }
    }
}
