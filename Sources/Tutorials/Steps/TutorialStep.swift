import Annotations
import Documents
import Loaders
import Motion
import Scene

/// One step of a lesson: what it shows, how long, what is said meanwhile, and its chapter.
protocol TutorialStep: Sendable {
    /// The key that makes a mapping such a step.
    static var key: String { get }
    /// Keys of its own besides it.
    static var keys: [String] { get }

    /// Reads a step, and notes what is wrong; nil if nothing can be made of it.
    init?(_ source: StepSource, _ reader: inout ScriptReader)

    /// What it shows, laid out for a lesson. Throws what cannot be shown, with its place.
    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage]
}

extension TutorialStep {
    static var keys: [String] { [] }
}

/// A step as it was written.
struct StepSource {
    /// The value of the step's own key.
    let value: YAMLNode
    /// All of its keys.
    let pairs: [String: NodePair]
    let shared: StepShared
}

/// What all steps may say.
struct StepShared: Sendable {
    /// What is drawn over the stage; nil leaves it to the step.
    let show: Set<AnnotationKind>?
    /// Whether the points and lines of the construction are, and whether the names of objects are there beside them.
    var (showsConstruction, namesObjects) = (false, false)
    /// What is said, in order.
    let say: [Words]
    /// The title of the chapter that begins with it.
    let chapter: Words?
    let location: SourceLocation

    /// What may be drawn over a stage.
    static let overlays: Set<AnnotationKind> = [.trail, .vectors, .ghosts, .labels]
    /// The word for the points and lines of the construction.
    static let construction = "construction"
}

/// A stretch of a lesson that belongs together: pictures, and words that are read while they are shown.
struct Passage: Sendable {
    /// What is shown, one after another; at least one.
    var shots: [Shot]
    /// What is said, in order, from the passage's beginning on. If it takes longer to read than the shots last, the last
    /// one stands still, or plays on if it may.
    var say: [Located] = []
    /// The title of the chapter that begins here.
    var chapter: Located?
}

/// Pictures that run evenly or stand still.
struct Shot: Sendable {
    /// Which instants are shown.
    enum Course: Sendable, Hashable {
        /// One instant of model time, in seconds.
        case still(Rational)
        /// From an instant on, so many times slower.
        case moving(from: Rational, slowmo: Rational)
    }

    var course: Course
    /// Seconds of output; laid over whole frames.
    var duration: Rational
    /// What is shown: one stage, or two side by side.
    var stages: [StageView]
    /// What is beside the stage.
    var board: (any Board)?
    /// A title in place of the chapter's.
    var card: Located?
    /// Whether all pictures are the same where time stands still.
    var isSteady = true
    /// Whether it plays on, by whole periods, until the words are read.
    var repeats = false

    /// The model time, in seconds, some seconds after the shot's beginning.
    func modelTime(after elapsed: Rational) -> Rational {
        switch course {
        case .still(let time): time
        case .moving(let start, let slowmo): start + elapsed / slowmo
        }
    }
}

/// A loader as a shot shows it.
struct StageView: Sendable {
    let survey: LoaderSurvey
    var loader: any Loader { survey.loader }
    var show: Set<AnnotationKind> = []
    /// What it is called, where two are compared.
    var title: Located?
    /// Explanations with lines to what they are about.
    var callouts: [Callout] = []
    /// The points of the construction that are there by now; nil shows them all.
    var points: Set<String>? = []
    /// Whether the lines between them are there, too.
    var hasLines = true

    /// Whether notes on objects may be below them.
    var namesObjects: Bool { points?.isEmpty ?? true }
    /// The room around it that notes take, in points.
    var reserve: Size { Annotator.reserve(survey, kinds: show, namesObjects: namesObjects) }
}

/// An explanation with a line to an object or a point of the construction.
struct Callout: Sendable {
    let target: String
    let text: Located
}
