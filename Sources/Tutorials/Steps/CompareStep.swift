import Annotations
import Documents
import Loaders
import Motion
import Pipeline

/// The loader with two settings, side by side or one above the other.
struct CompareStep: TutorialStep {
    static let key = "compare"
    static let keys = ["slow", "cycles"]

    private struct Side {
        var settings: [String]
        var motion: String?
        var title: Words?
        var location: SourceLocation
    }

    private let sides: [Side]
    private let slowmo: Rational
    private let cycles: Int
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let pairs = reader.mapping(source.value, "'compare'", ["left", "right"])
        guard let left = pairs["left"], let right = pairs["right"] else {
            reader.note(
                source.value.location, "'compare' takes two sides", expected: "'left' and 'right'",
                found: pairs.keys.sorted().joined(separator: ", "))
            return nil
        }
        sides = [left, right].map { CompareStep.side($0.value, &reader) }
        slowmo = reader.slowness(source.pairs["slow"]) ?? 1
        cycles = source.pairs["cycles"].flatMap { reader.count($0.value, "'cycles'", 1...100, unit: "cycles") } ?? 2
        shared = source.shared
    }

    private static func side(_ node: YAMLNode, _ reader: inout ScriptReader) -> Side {
        var side = Side(settings: [], location: node.location)
        let pairs = reader.mapping(node, "a side of 'compare'", ["set", "motion", "title"])
        side.settings = pairs["set"].map { reader.settings($0.value) } ?? []
        side.motion = pairs["motion"].flatMap { reader.motion($0.value) }
        side.title = pairs["title"].flatMap { reader.words($0.value, "'title'") }
        return side
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        var views: [StageView] = []
        for side in sides {
            var request = lesson.script.loader
            request.settings += side.settings
            request.motion = side.motion ?? request.motion
            do {
                var view = StageView(survey: LoaderSurvey(try LoaderCanvas(request).loader), show: shared.show ?? [])
                view.title =
                    try side.title.map { (title) throws(DocumentError) in try lesson.text(title) }
                    ?? Located(text: CompareStep.name(of: side), location: side.location)
                views.append(view)
            } catch let error as DocumentError { throw error } catch {
                throw DocumentError(at: side.location, RenderError(error).description)
            }
        }
        let period = views.map(\.loader.period).max() ?? lesson.loader.period
        let shot = Shot(
            course: .moving(from: 0, slowmo: slowmo), duration: period * slowmo * Rational(cycles), stages: views,
            repeats: true)
        let title = LocalizedText("Side by side", zh: "对比")
        return [
            Passage(shots: [shot], say: try lesson.said(shared), chapter: try lesson.chapter(shared, orElse: title))
        ]
    }

    private static func name(of side: Side) -> String {
        let settings = side.settings.map { $0.replacing("=", with: " = ") }
        let motion = side.motion.map { ["motion = \($0)"] } ?? []
        let all = settings + motion
        return all.isEmpty ? "as it is" : all.joined(separator: ", ")
    }
}
