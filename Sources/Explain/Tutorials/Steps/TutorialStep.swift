import Animations
import Core
import Render

/// A step of a lesson.
protocol TutorialStep: Sendable {
    /// The key of a script's mapping that selects this kind of step.
    static var key: String { get }
    /// The keys of this kind of step besides `key` and the common ones.
    static var keys: [String] { get }

    /// Reads a step and records its problems; nil if the step cannot be read.
    init?(_ source: StepSource, _ reader: inout ScriptReader)

    /// Returns the segments of the step. Throws `DocumentError` if the loader cannot show them.
    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment]
}

extension TutorialStep {
    static var keys: [String] { [] }
}

/// The YAML of a step.
struct StepSource {
    /// The value of the step's own key.
    let value: YAMLNode
    /// The pairs of the step by key.
    let pairs: [String: NodePair]
    let options: StepOptions
}

/// The options that all kinds of steps have.
struct StepOptions: Sendable {
    /// The annotations over the canvas; nil for the default of the step.
    let show: Set<AnnotationKind>?
    /// True if the points and lines of the construction are shown.
    var showsConstruction = false
    /// True if the names of objects are shown beside the construction.
    var namesObjects = false
    /// The texts of the captions in order.
    let narration: [LocalizedMessage]
    /// The title of the chapter that begins with the step; nil for the default of the step.
    let chapter: LocalizedMessage?
    /// The part of the canvas to show.
    var frame = CameraFrame.motion
    let location: SourceLocation

    /// The annotations that `show` may list.
    static let overlays: Set<AnnotationKind> = [.trail, .vectors, .ghosts, .labels]
    /// The value of `show` for the points and lines of the construction.
    static let construction = "construction"
}

/// Consecutive shots and the captions that are read during them.
struct LessonSegment: Sendable {
    /// The shots in order; at least one.
    var shots: [Shot]
    /// The texts of the captions in order, from the start of the segment. If reading them takes
    /// longer than the shots, the last shot is extended: it repeats if it may, else its last frame
    /// is held.
    var narration: [SpannedText] = []
    /// The title of the chapter that begins with the segment; nil continues the current chapter.
    var chapter: SpannedText?
}

/// A part of a lesson that plays at constant speed or is still.
struct Shot: Sendable {
    /// The mapping from output time to model time.
    enum Playback: Sendable, Hashable {
        /// A freeze at an instant of model time in seconds.
        case still(Rational)
        /// Slow motion by a factor, from an instant of model time in seconds.
        case moving(from: Rational, slowmo: Rational)
    }

    var playback: Playback
    /// The duration in seconds of output, before it is rounded up to whole frames.
    var duration: Rational
    /// The loader, or two of them to compare.
    var views: [LoaderView]
    /// The panel beside the loader.
    var panel: (any SidePanel)?
    /// The title card above the loader; nil shows the chapter's title.
    var card: SpannedText?
    /// True if all frames of a still shot are equal. A transition of code is still in model time,
    /// but its frames differ.
    var isSteady = true
    /// True if the shot may be extended by whole periods until the narration has been read.
    var repeats = false

    /// Returns the model time in seconds at a time in seconds after the start of the shot.
    func modelTime(after elapsed: Rational) -> Rational {
        switch playback {
        case .still(let time): time
        case .moving(let start, let slowmo): start + elapsed / slowmo
        }
    }
}

/// A loader in a shot, with its annotations.
struct LoaderView: Sendable {
    let survey: LoaderSurvey
    var loader: any Loader { survey.loader }
    /// The background on which the loader is drawn.
    let background: Color
    /// The language of names.
    let language: Language
    var show: Set<AnnotationKind> = []
    /// The title of the loader in a comparison.
    var title: SpannedText?
    var callouts: [Callout] = []
    /// The two targets between which the distance is shown; empty for none.
    var measured: [SpannedText] = []
    /// The objects and points to which callouts and measures lead.
    var targets: [String] { callouts.map(\.target) + measured.map(\.text) }
    /// The shown points of the construction; nil for all of them.
    var points: ShownPoints? = ShownPoints.empty
    /// True if the lines of the construction are shown.
    var hasLines = true
    /// The part of the canvas to show.
    var frame = CameraFrame.motion

    /// True if a close-up shows its object alone, because the edges of its board would cut others.
    var isAlone = false
    /// False if names are left out, because the drawing would be small beside them.
    var showsLabels = true

    /// Returns the total width and height of a board's margins.
    func margins(in panel: Size) -> Size {
        Annotator.margins(
            survey, kinds: showsLabels ? show : show.subtracting([.labels]), namesObjects: namesObjects,
            hasCallouts: !callouts.isEmpty, in: panel, language: language)
    }
    /// True if the names of objects are shown.
    var namesObjects: Bool { points?.isEmpty ?? true }
    /// The space around the canvas for annotations, in points.
    var reserve: Size { Annotator.reserve(survey, kinds: show, namesObjects: namesObjects, language: language) }
}

/// A text box with a line to an object or a point of the construction.
struct Callout: Sendable {
    let target: String
    let text: SpannedText
}
