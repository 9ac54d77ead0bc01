import Animations
import Core
import Inspect
import Render

/// A step that plays two variants of the loader, or the loader and a recording of it, side by side
/// or one above the other.
struct CompareStep: TutorialStep {
    static let key = "compare"
    static let keys = ["slow", "cycles"]

    private struct Side {
        var settings: [String]
        var motion: String?
        var title: LocalizedMessage?
        /// The recording to show; nil for the loader.
        var recording: RecordedClip?
        var location: SourceLocation
    }

    private let sides: [Side]
    private let slowmo: Rational
    private let cycles: Int
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let pairs = reader.mapping(source.value, "'compare'", ["left", "right"])
        guard let left = pairs["left"], let right = pairs["right"] else {
            reader.report(
                source.value.location, "'compare' needs two sides", remedy: "add 'left' and 'right'")
            return nil
        }
        sides = [left, right].map { CompareStep.side($0.value, &reader) }
        slowmo = reader.slowmo(source.pairs["slow"]) ?? 1
        cycles = source.pairs["cycles"].flatMap { reader.count($0.value, "'cycles'", 1...100, unit: "cycles") } ?? 2
        options = source.options
    }

    private static func side(_ node: YAMLNode, _ reader: inout ScriptReader) -> Side {
        var side = Side(settings: [], location: node.location)
        let pairs = reader.mapping(
            node, "a side of 'compare'", ["set", "motion", "title", "video", "start", "speed"])
        if let pair = pairs["video"] {
            var alignment: RecordedClip.Alignment?
            if pairs["start"] != nil || pairs["speed"] != nil {
                var manual = RecordedClip.Alignment()
                let start = pairs["start"]?.value
                let speed = pairs["speed"]?.value
                manual.start = start.flatMap { reader.number($0, "'start'", 0...3600, unit: "seconds") } ?? manual.start
                manual.speed =
                    speed.flatMap { reader.number($0, "'speed'", Rational(1, 1000)...1000, unit: "times") }
                    ?? manual.speed
                alignment = manual
            }
            side.recording = reader.recording(pair.value, alignment)
        }
        // Settings do not change a recording, and only a recording needs to be aligned.
        let hasVideo = pairs["video"] != nil
        let useless = hasVideo ? ["set", "motion"] : ["start", "speed"]
        for (key, pair) in useless.compactMap({ key in pairs[key].map { (key, $0) } }) {
            reader.report(
                pair.key.location, "'\(key)' has no effect \(hasVideo ? "with" : "without") 'video'",
                remedy: "remove it")
        }
        side.settings = pairs["set"].map { reader.settings($0.value) } ?? []
        side.motion = pairs["motion"].flatMap { reader.motion($0.value) }
        side.title = pairs["title"].flatMap { reader.message($0.value, "'title'") }
        return side
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        var views: [LoaderView] = []
        for side in sides {
            var view = lesson.view(options, of: LoaderSurvey(try loader(of: side, in: lesson)))
            if let title = side.title {
                view.title = try lesson.text(title)
            } else {
                view.title = SpannedText(text: CompareStep.name(of: side, lesson.style), location: side.location)
            }
            views.append(view)
        }
        let period = views.map(\.loader.period).max() ?? lesson.loader.period
        let shot = Shot(
            playback: .moving(from: 0, slowmo: slowmo), duration: period * slowmo * Rational(cycles), views: views,
            repeats: true)
        let title = LocalizedText("Side by side", zh: "对比")
        return [
            LessonSegment(
                shots: [shot], narration: try lesson.narration(options),
                chapter: try lesson.chapter(options, orElse: title))
        ]
    }

    private func loader(of side: Side, in lesson: LessonContext) throws(DocumentError) -> any Loader {
        if let recording = side.recording { return recording }
        var request = lesson.script.loader
        request.settings += side.settings
        request.motion = side.motion ?? request.motion
        do { return try LoaderRenderer(request).loader } catch {
            throw DocumentError(at: side.location, LoadervidError(error).description)
        }
    }

    private static func name(of side: Side, _ style: LessonStyle) -> String {
        if side.recording != nil { return style.word(LocalizedText("recording", zh: "录屏")) }
        let settings = side.settings.map { $0.replacing("=", with: " = ") }
        let motion = side.motion.map { ["motion = \($0)"] } ?? []
        let all = settings + motion
        return all.isEmpty ? style.word(LocalizedText("model", zh: "模型")) : all.joined(separator: ", ")
    }
}
