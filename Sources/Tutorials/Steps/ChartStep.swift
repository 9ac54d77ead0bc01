import Annotations
import Documents
import Loaders

/// Positions over time, with the present: the chart and the picture are one clock.
struct ChartStep: TutorialStep {
    static let key = "chart"
    static let keys = ["axis", "slow", "cycles"]

    /// The objects that are drawn; nil draws all that move.
    private let names: [Located]?
    private let axis: MotionCurves.Axis?
    private let course: BoardCourse
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        names = reader.names(source.value, "'chart'")
        axis = source.pairs["axis"].flatMap { pair in
            guard let word = reader.text(pair.value, "'axis'", expected: "x or y") else { return nil }
            if word == "x" { return .x }
            if word == "y" { return .y }
            reader.note(pair.value.location, "'axis' is not possible", expected: "x or y", found: quoted(word))
            return nil
        }
        (course, shared) = (BoardCourse(source, &reader), source.shared)
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let objects = lesson.loader.objects(at: .zero).map(\.name)
        for name in names ?? [] where !objects.contains(name.text) {
            throw DocumentError(
                at: name.location, "there is no such object",
                expected: objects.isEmpty
                    ? "another step: this loader has none" : "one of \(objects.joined(separator: ", "))",
                found: quoted(name.text))
        }
        guard let board = ChartBoard(lesson.survey, names?.map(\.text), axis) else {
            throw DocumentError(
                at: shared.location, "there is nothing to draw", expected: "objects that move along the axis",
                found: "none")
        }
        let title = LocalizedText("Position over time", zh: "位置随时间的变化")
        return [try course.passage(beside: board, shared, title, in: lesson)]
    }
}
