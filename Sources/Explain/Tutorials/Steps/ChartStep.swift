import Animations
import Core
import Render

/// A step that plays the loader beside a chart of positions over time with a playhead.
struct ChartStep: TutorialStep {
    static let key = "chart"
    static let keys = ["axis"] + SlowPlayback.keys

    /// The names of the charted objects; nil for all that move.
    private let names: [SpannedText]?
    private let axis: MotionCurves.Axis?
    private let playback: SlowPlayback
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        names = reader.names(source.value, "'chart'")
        axis = source.pairs["axis"].flatMap { pair in
            guard let word = reader.text(pair.value, "'axis'", form: "x or y") else { return nil }
            if word == "x" { return .x }
            if word == "y" { return .y }
            reader.report(pair.value.location, "'axis' is invalid", remedy: "use x or y", found: quoted(word))
            return nil
        }
        playback = SlowPlayback(source, &reader)
        options = source.options
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let objects = lesson.loader.objects(at: .zero).map(\.name)
        for name in names ?? [] where !objects.contains(name.text) {
            throw DocumentError(
                at: name.location, "there is no object \(quoted(name.text))",
                remedy: objects.isEmpty
                    ? "use another step, because this loader has no objects"
                    : "use one of \(objects.joined(separator: ", "))")
        }
        let times = try playback.times(in: lesson, options)
        guard let panel = ChartPanel(lesson.survey, names?.map(\.text), axis, during: times) else {
            throw DocumentError(
                at: options.location, "the chart is empty", remedy: "use objects that move along the axis")
        }
        let title = LocalizedText("Position over time", zh: "位置随时间的变化")
        return [try playback.segment(beside: panel, options, title, in: lesson)]
    }
}
