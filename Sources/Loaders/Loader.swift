import Motion
import Scene

/// A stretch of a loader's period with a name of its own.
public struct Phase: Sendable, Hashable {
    /// Counted from 0.
    public let index: Int
    /// What happens in it, in a word or two.
    public let name: String
    /// When it begins, in seconds of model time from the period's beginning; exact.
    public let start: Rational
    /// How long it lasts, in seconds of model time; exact.
    public let duration: Rational
}

/// A loading animation: a pure function from time to a scene.
///
/// The same time gives the same scene, in any order and on any thread, and `scene(at: t + period) == scene(at: t)`.
public protocol Loader: Sendable {
    /// The name in commands, such as `qq-mail`.
    static var id: String { get }
    /// What it shows, in a few words.
    static var title: String { get }
    /// Everything about it that can be changed.
    static var parameters: [any LoaderParameter] { get }

    /// A loader with the given values. Throws if they are each right but do not fit together.
    init(_ values: ParameterValues) throws(ParameterError)

    /// The stage's size in points.
    var stage: Size { get }
    /// Colour behind everything.
    var background: Color { get }
    /// After how many seconds it repeats; exact and positive.
    var period: Rational { get }
    /// Names and lengths of the phases in order; the lengths add up to the period.
    var stages: [(name: String, duration: Rational)] { get }
    /// What is drawn at a time in 0..<`period`, back to front.
    func nodes(at time: Rational) -> [Node]
    /// What moves, at a time in 0..<`period`: the same objects in the same order at every time.
    func objects(at time: Rational) -> [MovingObject]
    /// The points of the article's construction, at a time in 0..<`period`.
    func landmarks(at time: Rational) -> [Landmark]
}

extension Loader {
    /// The scene at any time, in seconds of model time; taken modulo the period exactly.
    public func scene(at time: Rational) -> Scene {
        Scene(size: stage, background: background, nodes: nodes(at: time.modulo(period)))
    }

    /// The phases of one period, with exact start times.
    public var phases: [Phase] {
        var start = Rational.zero
        return stages.enumerated().map { index, stage in
            defer { start = start + stage.duration }
            return Phase(index: index, name: stage.name, start: start, duration: stage.duration)
        }
    }

    /// No named points.
    public func landmarks(at time: Rational) -> [Landmark] { [] }

    /// White, which most of the originals stand on.
    public var background: Color { .white }
}
