import Animations
import Core

/// A step that plays cycles, or a range of model time, in slow motion.
struct SlowStep: TutorialStep {
    static let key = "slow"
    static let keys = ["cycles", "from", "to"]

    private let playback: SlowPlayback
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let slowmo = reader.slowmo((source.value, source.value)) else { return nil }
        playback = SlowPlayback(source, slowmo: slowmo, &reader)
        options = source.options
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        [try playback.segment(options, Self.title(slowmo: playback.slowmo), in: lesson)]
    }

    private static func title(slowmo: Rational) -> LocalizedText {
        if slowmo == 1 { return PlayStep.title }
        if slowmo < 1 { return LocalizedText("\(1 / slowmo) times faster", zh: "\(1 / slowmo) 倍速") }
        return LocalizedText("\(slowmo) times slower", zh: "放慢 \(slowmo) 倍")
    }
}
