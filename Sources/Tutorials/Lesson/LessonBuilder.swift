import Annotations
import Documents
import Loaders
import Motion
import Scene
import Timing

/// Puts a lesson together: passages one after another, laid over whole frames, each shot in its place.
struct LessonBuilder {
    let context: LessonContext
    let layout: LessonLayout
    let frameRate: FrameRate
    let drawsCaptions: Bool

    private(set) var shots: [PlacedShot] = []
    private(set) var cues: [Cue] = []
    private(set) var chapters: [(title: Located, start: Int)] = []
    private(set) var frameCount = 0

    init(_ context: LessonContext, layout: LessonLayout, frameRate: FrameRate, drawsCaptions: Bool) {
        (self.context, self.layout, self.frameRate) = (context, layout, frameRate)
        self.drawsCaptions = drawsCaptions
    }

    private func frames(_ seconds: Rational) -> Int {
        let count = seconds * frameRate.framesPerSecond
        return max(1, -(Rational.zero - count).floor)
    }

    /// The most shots of a lesson: more than this is none that anybody looks at.
    private static let mostShots = 1000

    /// Whether more was to be added than a lesson holds. It is said once; what follows is only looked at.
    private var isFull = false

    /// Adds a passage at the end. Throws what has no room, or if the lesson becomes too long.
    mutating func add(_ passage: Passage) throws(DocumentError) {
        let title = passage.chapter ?? chapters.last?.title
        if let chapter = passage.chapter { chapters.append((chapter, frameCount)) }
        let captions = try captions(of: passage.say)
        guard !isFull else { return }
        let reading = captions.reduce(0) { $0 + frames($1.time) + ReadingSpeed.gap }
        let shown = lengthened(passage.shots, toFrames: reading)
        let seconds = shown.reduce(Rational(frameCount) * frameRate.frameDuration) { $0 + $1.duration }
        isFull = seconds > TutorialScript.longest || shots.count >= Self.mostShots
        guard !isFull else {
            throw DocumentError(
                at: passage.chapter?.location ?? context.script.title.location, "the lesson becomes too long",
                expected: "at most \(TutorialScript.longest) s and \(Self.mostShots) pictures or moves",
                found: "more up to here")
        }
        let start = frameCount
        for shot in withTransition(shown) {
            shots.append(try placed(shot, chapter: title))
            frameCount += shots[shots.count - 1].count
        }
        addCues(captions, in: start..<frameCount, reading: reading)
    }

    // MARK: Words

    private struct Caption {
        let text: String
        /// How long it takes to read, in seconds.
        let time: Rational
    }

    private func captions(of said: [Located]) throws(DocumentError) -> [Caption] {
        let breaker = CaptionText(style: context.style, width: layout.size.width * 0.9)
        var captions: [Caption] = []
        for text in said {
            captions += try breaker.captions(of: text).map { Caption(text: $0, time: ReadingSpeed($0).time(for: $0)) }
        }
        return captions
    }

    /// Shares the frames of a passage among its captions by the time that each takes to read.
    private mutating func addCues(_ captions: [Caption], in range: Range<Int>, reading: Int) {
        var read = 0
        for caption in captions {
            let start = range.lowerBound + range.count * read / max(1, reading)
            read += frames(caption.time) + ReadingSpeed.gap
            let end = range.lowerBound + range.count * read / max(1, reading) - ReadingSpeed.gap
            let longest = (ReadingSpeed.longest * frameRate.framesPerSecond).floor
            cues.append(Cue(text: caption.text, frames: start..<min(end, start + longest)))
        }
    }

    /// Shots that last at least so many frames: the last one plays on, or what it ends with stands still.
    private func lengthened(_ shots: [Shot], toFrames least: Int) -> [Shot] {
        let missing = least - shots.reduce(0) { $0 + frames($1.duration) }
        guard missing > 0, var last = shots.last else { return shots }
        let seconds = Rational(missing) * frameRate.frameDuration
        switch last.course {
        case .still: last.duration = last.duration + seconds
        case .moving(_, let slowmo) where last.repeats:
            let period = (last.stages.first?.loader.period ?? 1) * slowmo
            last.duration = last.duration + period * Rational(-(Rational.zero - seconds / period).floor)
        case .moving:
            var still = last
            still.course = .still(context.lastInstant(before: last.modelTime(after: last.duration)))
            still.duration = seconds
            return shots + [still]
        }
        return shots.dropLast() + [last]
    }

    /// Shots that begin with the change of the code, if other code was shown before.
    private func withTransition(_ shown: [Shot]) -> [Shot] {
        guard let first = shown.first, let code = first.board as? CodeBoard,
            let before = shots.last?.shot.board as? CodeBoard, before.lines != code.lines
        else { return shown }
        var change = first
        change.course = .still(first.modelTime(after: 0))
        change.duration = CodeTransition.duration
        change.board = CodeTransition(from: before, to: code)
        change.isSteady = false
        return [change] + shown
    }

    // MARK: Pictures

    private func placed(_ shot: Shot, chapter: Located?) throws(DocumentError) -> PlacedShot {
        let style = context.style
        let sizes = shot.stages.map(\.loader.canvas)
        let board = shot.board
        let reserve = shot.stages.map(\.reserve).reduce(Size(0, 0)) {
            Size(max($0.width, $1.width), max($0.height, $1.height))
        }
        guard
            let arrangement = layout.arrange(
                stages: sizes, reserve: reserve,
                board: board.map { board in { board.wholeSize(width: $0, style: style) } })
                ?? layout.arrange(
                    stages: sizes, reserve: reserve,
                    board: board.map { board in { board.leastSize(width: $0, style: style) } })
        else {
            // The board knows best what has no room, if it is that.
            _ = try board?.placed(in: layout.middle, style: style)
            throw DocumentError(
                at: chapter?.location ?? context.script.title.location,
                "what is beside the stage has no room in this layout",
                expected: "less, or another layout",
                found: "\(Int(layout.middle.width)) by \(Int(layout.middle.height)) points")
        }
        let header = LessonHeader(layout: layout, style: style)
        var fixed: [Node]
        if let card = shot.card {
            fixed = try header.card(card)
        } else {
            fixed = try header.nodes(chapter: chapter, course: shot.course)
        }
        // Stages that are compared have one scale.
        let shown = shot.stages.map(\.survey.reached).reduce(nil) { $0?.union($1) ?? $1 }
        var stages: [PlacedStage] = []
        for (view, frame) in zip(shot.stages, arrangement.stages) {
            let placed = try placed(
                view, in: frame, shown: shown, isCard: shot.card != nil, time: shot.modelTime(after: 0),
                location: chapter?.location ?? context.script.title.location)
            fixed += placed.title
            stages.append(placed.stage)
        }
        var placedBoard: (any PlacedBoard)?
        if let board, let frame = arrangement.board { placedBoard = try board.placed(in: frame, style: style) }
        let strip =
            shot.card == nil && shot.stages.count == 1
            ? shot.stages.first.flatMap { PhaseStrip($0.loader, in: layout.strip, theme: style.theme) } : nil
        return PlacedShot(
            shot: shot, start: frameCount, count: frames(shot.duration), stages: stages, board: placedBoard,
            fixed: fixed,
            strip: strip)
    }

    private func placed(
        _ view: StageView, in frame: Rect, shown: Rect?, isCard: Bool, time: Rational, location: SourceLocation
    ) throws(DocumentError) -> (stage: PlacedStage, title: [Node]) {
        var (panel, title) = (frame, [Node]())
        if isCard {
            let top = layout.header.maxY + LessonHeader.cardHeight
            panel = Rect(x: frame.x, y: top, width: frame.width, height: frame.maxY - top)
        }
        if let name = view.title {
            let height = LessonStyle.lineHeight(LessonStyle.heading)
            let lines = try LessonHeader(layout: layout, style: context.style).lines(
                of: name, width: frame.width, size: LessonStyle.heading, atMost: 2)
            title = lines.enumerated().map { row, line in
                context.style.line(
                    line, at: frame.center.x, middle: frame.y + height * (Double(row) + 0.5), size: LessonStyle.heading,
                    color: context.style.theme.ink, alignment: .center, bold: true)
            }
            let taken = height * Double(lines.count)
            panel = Rect(x: frame.x, y: frame.y + taken, width: frame.width, height: frame.height - taken)
        }
        let annotator = Annotator(
            view.survey, kinds: view.show, language: context.language, background: nil, panel: panel, shown: shown,
            namesObjects: view.namesObjects)
        guard !annotator.isCramped else {
            throw DocumentError(
                at: location, "names and arrows have no room beside what else is shown in this layout",
                expected: "'show' without labels and vectors, or another layout",
                found: "\(Int(panel.width)) by \(Int(panel.height)) points")
        }
        let notes = view.callouts.isEmpty ? [] : annotator.notes(at: time, points: view.points, hasLines: view.hasLines)
        let callouts = try CalloutPlacement(annotator, style: context.style).nodes(
            for: view.callouts, at: time, besides: notes)
        return (PlacedStage(annotator: annotator, callouts: callouts), title)
    }
}

/// A caption and the frames in which it is shown.
public struct Cue: Sendable, Hashable {
    /// One line or two.
    public let text: String
    /// When it is shown.
    public let frames: Range<Int>
}
