import Motion
import Scene

/// A loading animation: a pure function from time to a scene.
///
/// The same time gives the same scene, in any order and on any thread, and `scene(at: t + period) == scene(at: t)`.
/// Only `canvas`, `period` and `nodes(at:)` must be there. Objects make it measurable: telemetry lists them, and annotations
/// show their names, ways and velocities.
public protocol Loader: Sendable {
    /// A short name for commands, files and messages, such as `qq-mail`.
    var id: String { get }
    /// What it shows, in a few words.
    var title: LocalizedText { get }
    /// The canvas's size in points; its origin is at the upper left.
    var canvas: Size { get }
    /// Colour behind everything.
    var background: Color { get }
    /// After how many seconds it repeats; exact and positive.
    var period: Rational { get }
    /// Pixels per point of a picture unless another size is asked for; nil for those that suit small canvases, 4 and with
    /// notes 2.
    var preferredScale: Rational? { get }
    /// What it does not show as it should, a line each.
    var concessions: [String] { get }
    /// Names and lengths in seconds of the phases in order; each is positive, and they add up to the period.
    var phaseDurations: [(name: LocalizedText, duration: Rational)] { get }
    /// What is drawn at a time in 0..<`period`, back to front.
    func nodes(at time: Rational) -> [Node]
    /// What moves, at a time in 0..<`period`: the same objects in the same order at every time.
    func objects(at time: Rational) -> [MovingObject]
    /// The points of the construction, at a time in 0..<`period`.
    func landmarks(at time: Rational) -> [Landmark]
    /// The lines of the construction, at a time in 0..<`period`.
    func construction(at time: Rational) -> [ConstructionLine]
}

extension Loader {
    /// The scene at any time, in seconds of model time; taken modulo the period exactly.
    public func scene(at time: Rational) -> Scene {
        Scene(size: canvas, background: background, nodes: nodes(at: time.modulo(period)))
    }

    /// The phases of one period, with exact start times.
    public var phases: [Phase] {
        var start = Rational.zero
        return phaseDurations.enumerated().map { index, phase in
            defer { start = start + phase.duration }
            return Phase(index: index, name: phase.name, start: start, duration: phase.duration)
        }
    }

    /// The name of its type.
    public var id: String { "\(Self.self)" }

    /// Its id.
    public var title: LocalizedText { LocalizedText(id) }

    /// White, which most of the originals stand on.
    public var background: Color { .white }

    /// Nothing special.
    public var preferredScale: Rational? { nil }

    /// Nothing.
    public var concessions: [String] { [] }

    /// One phase over the whole period.
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        [(name: LocalizedText("play", zh: "播放"), duration: period)]
    }

    /// No named objects.
    public func objects(at time: Rational) -> [MovingObject] { [] }

    /// No named points.
    public func landmarks(at time: Rational) -> [Landmark] { [] }

    /// No lines.
    public func construction(at time: Rational) -> [ConstructionLine] { [] }
}
