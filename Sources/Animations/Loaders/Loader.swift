import Core

/// A loading animation: a pure function from time to a scene.
///
/// Equal times give equal scenes, in any order and on any thread, and
/// `scene(at: t + period) == scene(at: t)`. Only `canvas`, `period` and `nodes(at:)` are required.
/// A loader that also has objects can be measured: telemetry lists the objects, and annotations
/// show their names, paths and velocities.
public protocol Loader: Sendable {
    /// A short name for commands, files and messages, such as `qq-mail`.
    var id: String { get }
    /// A short description of the animation.
    var title: LocalizedText { get }
    /// The size of the canvas in points. The origin is the upper left corner.
    var canvas: Size { get }
    /// The colour behind everything.
    var background: Color { get }
    /// The duration of one cycle in seconds; exact and positive.
    var period: Rational { get }
    /// The default scale in pixels per point. If nil, it is 4, which suits small canvases, and 2
    /// for annotated frames.
    var preferredScale: Rational? { get }
    /// Parts of the animation that are missing or not drawn correctly, one line each. A last line
    /// may tell the number of further ones.
    var omissions: [String] { get }
    /// Remarks about how the animation is drawn, one per line, such as fonts that replace others.
    var notes: [String] { get }
    /// Further properties to show in lists.
    var details: [(name: String, text: String)] { get }
    /// The phases in order, with their durations in seconds, which are positive and add up to the
    /// period.
    var phaseDurations: [(name: LocalizedText, duration: Rational)] { get }
    /// Returns the display list at a time in 0..<`period`, back to front.
    func nodes(at time: Rational) -> [Node]
    /// Returns the moving objects at a time in 0..<`period`: the same objects in the same order at
    /// every time.
    func objects(at time: Rational) -> [MovingObject]
    /// Returns the part of `nodes(at:)` that draws an object, which is empty while the object is
    /// invisible; nil if the loader does not know it.
    func drawing(ofObject name: String, at time: Rational) -> [Node]?
    /// Returns the named parts of `nodes(at:)`, whether they move or not, for judging recordings.
    /// Must return the same names at every time.
    func parts(at time: Rational) -> [LoaderPart]
    /// The loader with all its moving objects, for telemetry. `objects(at:)` can leave out objects
    /// that would crowd annotations. After a choice of objects, it is the loader itself.
    var withAllObjects: any Loader { get }
    /// Returns the loader with the chosen objects only, in that order. Throws `ParameterError` if
    /// there is no object with one of the names.
    func showing(_ choices: [ObjectChoice]) throws(ParameterError) -> any Loader
    /// Returns the points of the construction at a time in 0..<`period`.
    func landmarks(at time: Rational) -> [Landmark]
    /// Returns the lines of the construction at a time in 0..<`period`.
    func construction(at time: Rational) -> [ConstructionLine]
}

/// A loader whose motion comes from keyframes with timing functions.
package protocol KeyframedLoader: Loader {
    /// The timing functions between keyframes, without the linear one.
    var curves: Set<TimingFunction> { get }
    /// Returns the loader with a timing function in place of `curves`, or of the linear one if
    /// `curves` is empty; nil if the loader cannot be made.
    func eased(_ timing: TimingFunction) -> (any Loader)?
    /// Returns the layers of the main composition that are visible at a time in 0..<`period`, back
    /// to front. Their nodes are those of `nodes(at:)`.
    func layers(at time: Rational) -> [(index: Int, nodes: [Node])]
    /// Returns the unique name of a layer of the main composition; nil if it has none.
    func layerName(_ index: Int) -> String?
    /// The constant numbers of layers of the main composition, and how far others change, that
    /// `changing` can replace.
    var layerProperties: [LayerProperty: Double] { get }
    /// Returns the loader with other values of some layer properties, and its own values of all
    /// others; nil if the loader cannot be made.
    func changing(_ values: [LayerProperty: Double]) -> (any Loader)?
}

extension KeyframedLoader {
    package func layerName(_ index: Int) -> String? { nil }
    package var layerProperties: [LayerProperty: Double] { [:] }
    package func changing(_ values: [LayerProperty: Double]) -> (any Loader)? { nil }
}

/// A named part of a loader's drawing.
public struct LoaderPart: Sendable {
    /// The name in findings, such as `record`.
    public var name: String
    /// The nodes that draw the part, a subset of the loader's.
    public var nodes: [Node]

    public init(_ name: String, nodes: [Node]) {
        self.name = name
        self.nodes = nodes
    }
}

extension Loader {
    /// Returns the scene at any model time in seconds, taken modulo the period exactly.
    public func scene(at time: Rational) -> Scene {
        Scene(size: canvas, background: background, nodes: nodes(at: time.modulo(period)))
    }

    /// The phases of one period with their exact start times.
    public var phases: [Phase] {
        var start = Rational.zero
        return phaseDurations.enumerated().map { index, phase in
            defer { start = start + phase.duration }
            return Phase(index: index, name: phase.name, start: start, duration: phase.duration)
        }
    }

    /// The name of the type.
    public var id: String { "\(Self.self)" }

    /// The loader's id.
    public var title: LocalizedText { LocalizedText(id) }

    /// White, the background of most of the original animations.
    public var background: Color { .white }

    /// No preference.
    public var preferredScale: Rational? { nil }

    /// No omissions.
    public var omissions: [String] { [] }

    /// No remarks.
    public var notes: [String] { [] }

    /// No further properties.
    public var details: [(name: String, text: String)] { [] }

    /// A single phase over the whole period.
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        [(name: LocalizedText("play", zh: "播放"), duration: period)]
    }

    /// Returns no objects.
    public func objects(at time: Rational) -> [MovingObject] { [] }

    /// Returns nil: the drawing has no parts.
    public func drawing(ofObject name: String, at time: Rational) -> [Node]? { nil }

    /// Returns the objects whose drawing is known.
    public func parts(at time: Rational) -> [LoaderPart] {
        let loader = withAllObjects
        return loader.objects(at: time).compactMap { object in
            loader.drawing(ofObject: object.name, at: time).map { LoaderPart(object.name, nodes: $0) }
        }
    }

    /// Returns no points.
    public func landmarks(at time: Rational) -> [Landmark] { [] }

    /// Returns no lines.
    public func construction(at time: Rational) -> [ConstructionLine] { [] }
}
