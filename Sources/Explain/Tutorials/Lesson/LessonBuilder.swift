import Animations
import Core
import Render

/// A builder that assembles a lesson: segments in sequence, in whole frames, each shot laid out.
struct LessonBuilder {
    let context: LessonContext
    let layout: LessonLayout
    let frameRate: FrameRate

    private(set) var shots: [PlacedShot] = []
    private(set) var cues: [LessonCue] = []
    private(set) var chapters: [(title: SpannedText, start: Int)] = []
    private(set) var frameCount = 0
    private var segmentCount = 0
    private var motions = MotionCache()

    init(_ context: LessonContext, layout: LessonLayout, frameRate: FrameRate) {
        self.context = context
        self.layout = layout
        self.frameRate = frameRate
    }

    /// Returns a duration in frames, rounded up; at least 1.
    private func frames(_ seconds: Rational) -> Int {
        max(1, (seconds * frameRate.framesPerSecond).ceiling)
    }

    /// Maximum number of shots in a lesson.
    private static let maxShots = 1000

    /// True after a segment exceeded the length of a lesson. The error is thrown once, and the
    /// captions of further segments are still checked.
    private var isFull = false

    /// Appends a segment. Throws `DocumentError` if a part does not fit the layout or the lesson
    /// becomes too long.
    mutating func add(_ segment: LessonSegment) throws(DocumentError) {
        let title = segment.chapter ?? chapters.last?.title
        if let chapter = segment.chapter { chapters.append((chapter, frameCount)) }
        let captions = try captions(of: segment.narration)
        guard !isFull else { return }
        let readingFrames = captions.reduce(0) { $0 + frames($1.readingTime) + ReadingSpeed.gap }
        let extendedShots = lengthened(segment.shots, toFrames: readingFrames)
        let seconds = extendedShots.reduce(Rational(frameCount) * frameRate.frameDuration) { $0 + $1.duration }
        isFull = seconds > TutorialScript.maxDuration || shots.count + extendedShots.count > Self.maxShots
        guard !isFull else {
            throw DocumentError(
                at: segment.chapter?.location ?? context.script.title.location, "the lesson is too long",
                remedy: "make it at most \(TutorialScript.maxDuration) s and \(Self.maxShots) shots long")
        }
        let start = frameCount
        segmentCount += 1
        for shot in withTransition(extendedShots) {
            shots.append(try placedShot(shot, chapter: title, during: span(of: segment)))
            frameCount += shots[shots.count - 1].count
        }
        addCues(captions, in: start..<frameCount, readingFrames: readingFrames)
    }

    /// Returns the range of model time that a segment's moving shots show, or that its stills show
    /// of an object; nil for a whole period.
    private func span(of segment: LessonSegment) -> Range<Rational>? {
        let ranges = segment.shots.compactMap { shot -> Range<Rational>? in
            switch shot.playback {
            case .moving(let start, _): return start..<max(start, shot.modelTime(after: shot.duration))
            case .still(let time):
                guard case .object = shot.views.first?.frame else { return nil }
                return time..<time + Kinematics.step
            }
        }
        guard let start = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max(),
            end - start < context.loader.period
        else { return nil }
        return start..<end
    }

    // MARK: Captions

    /// The text of a caption and the time in seconds that reading it takes.
    private struct TimedCaption {
        let text: String
        let readingTime: Rational
    }

    private func captions(of narration: [SpannedText]) throws(DocumentError) -> [TimedCaption] {
        let breaker = CaptionBreaker(style: context.style, width: layout.size.width * 0.9)
        var captions: [TimedCaption] = []
        for text in narration {
            captions += try breaker.captions(of: text).map {
                TimedCaption(text: $0, readingTime: ReadingSpeed($0).time(for: $0))
            }
        }
        return captions
    }

    /// Divides the frames of a segment among its captions in proportion to their reading times.
    private mutating func addCues(_ captions: [TimedCaption], in range: Range<Int>, readingFrames: Int) {
        var read = 0
        for caption in captions {
            let start = range.lowerBound + range.count * read / max(1, readingFrames)
            read += frames(caption.readingTime) + ReadingSpeed.gap
            let end = range.lowerBound + range.count * read / max(1, readingFrames) - ReadingSpeed.gap
            let maxCount = max(1, (ReadingSpeed.maxDuration * frameRate.framesPerSecond).floor)
            cues.append(LessonCue(text: caption.text, frames: start..<min(end, start + maxCount)))
        }
    }

    /// Returns shots of at least `minCount` frames: the last shot repeats, or its last frame is
    /// held.
    private func lengthened(_ shots: [Shot], toFrames minCount: Int) -> [Shot] {
        let missing = minCount - shots.reduce(0) { $0 + frames($1.duration) }
        guard missing > 0, var last = shots.last else { return shots }
        let seconds = Rational(missing) * frameRate.frameDuration
        switch last.playback {
        case .still: last.duration = last.duration + seconds
        case .moving(_, let slowmo) where last.repeats:
            let period = (last.views.map(\.loader.period).max() ?? 1) * slowmo
            last.duration = last.duration + period * Rational((seconds / period).ceiling)
        case .moving:
            var still = last
            still.playback = .still(context.lastInstant(before: last.modelTime(after: last.duration)))
            still.duration = seconds
            return shots + [still]
        }
        return shots.dropLast() + [last]
    }

    /// Returns shots with a transition of code before them if the previous shot shows other code.
    private func withTransition(_ shown: [Shot]) -> [Shot] {
        guard let first = shown.first, let code = first.panel as? CodePanel,
            let before = shots.last?.shot.panel as? CodePanel, before.lines != code.lines
        else { return shown }
        var change = first
        change.playback = .still(first.modelTime(after: 0))
        change.duration = CodeTransition.duration
        change.panel = CodeTransition(from: before, to: code)
        change.isSteady = false
        return [change] + shown
    }

    // MARK: Layout

    private mutating func placedShot(
        _ shot: Shot, chapter: SpannedText?, during span: Range<Rational>?
    ) throws(DocumentError) -> PlacedShot {
        let arrangement = try arrangement(of: shot, chapter: chapter, during: span)
        let header = LessonHeader(layout: layout, style: context.style)
        let location = chapter?.location ?? context.script.title.location
        var views: [PlacedView] = []
        let boards = try header.boards(of: shot.views, in: arrangement.canvases, card: shot.card)
        for (view, board) in zip(shot.views, boards) {
            let common = shot.views.count > 1 ? LessonCamera.shown(shot.views) : nil
            views.append(
                try placedView(
                    view, in: board.area, shown: common, title: board.title, time: shot.modelTime(after: 0),
                    during: span, location: location))
        }
        var placedPanel: (any PlacedPanel)?
        if let panel = shot.panel, let frame = arrangement.panel {
            placedPanel = try panel.placed(in: frame, style: context.style)
        }
        let phaseBar =
            shot.card == nil && shot.views.count == 1
            ? shot.views.first.flatMap { PhaseBar($0.loader, in: layout.phaseBar, theme: context.style.theme) } : nil
        let placedHeader: PlacedHeader
        if let card = shot.card {
            placedHeader = try header.card(card)
        } else {
            placedHeader = try header.placed(chapter: chapter, playback: shot.playback)
        }
        let count = frames(shot.duration)
        return PlacedShot(
            shot: shot, segment: segmentCount, start: frameCount, count: count,
            length: frameRate.frameDuration * Rational(count), views: views, panel: placedPanel,
            header: placedHeader, phaseBar: phaseBar)
    }

    /// Divides the frame among the loaders and the panel of a shot.
    private func arrangement(
        of shot: Shot, chapter: SpannedText?, during span: Range<Rational>?
    ) throws(DocumentError) -> LessonLayout.PanelArrangement {
        let style = context.style
        let sizes = shot.views.map { view in
            let camera = LessonCamera(view.survey, during: span)
            let content = shot.views.count == 1 ? camera.closeUp(of: view) : nil
            let part = content ?? camera.content(of: view)
            return Size(part.width, part.height)
        }
        let reserve = shot.views.map(\.reserve).reduce(Size(0, 0)) {
            Size(max($0.width, $1.width), max($0.height, $1.height))
        }
        let isCloseUp = shot.views.first?.frame.isObject ?? false
        guard let panel = shot.panel else {
            return layout.arrange(canvases: sizes, reserve: reserve, isCloseUp: isCloseUp)
        }
        let fitting = layout.arrangements(of: panel, canvases: sizes, reserve: reserve, style)
        let best =
            fitting.first { $0.showsLargeLoader } ?? fitting.max { $0.loaderSize < $1.loaderSize }
        if let best { return best }
        // If a part of the panel does not fit, the panel's own error is more specific.
        _ = try panel.placed(in: layout.middle, style: style)
        throw DocumentError(
            at: chapter?.location ?? context.script.title.location,
            "the side panel does not fit in layout \(style.layout)",
            remedy: "use a panel with less text, or another layout",
            found: "\(Int(layout.middle.width)) by \(Int(layout.middle.height)) points")
    }

    /// The minimum share of a board's width or height that the drawing fills beside names. Beside
    /// code in square frames, names of four points leave it a tenth.
    private static let minArtShare = 0.6
    /// The maximum width of a name as a share of a board's. Wider ones have no room beside what
    /// they name.
    private static let maxNameShare = 0.5

    /// Lays out a view in an area of the board.
    ///
    /// - Parameter shown: the part of the canvas to show; nil for the choice of the camera.
    private mutating func placedView(
        _ view: LoaderView, in area: Rect, shown: Rect?, title: [Node], time: Rational, during span: Range<Rational>?,
        location: SourceLocation
    ) throws(DocumentError) -> PlacedView {
        var view = view
        var annotator = annotator(of: view, in: area, shown: shown, during: span)
        let hasNarrowNames = annotator.maxNameWidth <= Self.maxNameShare * area.width
        if view.show.contains(.labels),
            annotator.isCramped || annotator.artShare < Self.minArtShare || !hasNarrowNames
        {
            view.showsLabels = false
            annotator = self.annotator(of: view, in: area, shown: shown, during: span)
        }
        guard !annotator.isCramped else {
            throw DocumentError(
                at: location, "arrows do not fit in layout \(context.style.layout)",
                remedy: "use 'show' without vectors, or another layout",
                found: "\(Int(area.width)) by \(Int(area.height)) points")
        }
        if let focus = view.focus {
            let camera = LessonCamera(view.survey, during: span)
            view.isAlone = camera.cuts(camera.coveredByObjects, whole: [focus], annotator.visibleCanvas)
        }
        let notes = view.callouts.isEmpty ? [] : annotator.notes(at: time, points: view.points, hasLines: view.hasLines)
        let line = try dimensionLine(of: view, at: time, annotator)
        let callouts = try CalloutPlacement(annotator, style: context.style).placed(
            view.callouts, at: time, notCovering: notes + (line?.bounds ?? []))
        let lineCallouts = line.map { [$0.callout] } ?? []
        return PlacedView(view: view, annotator: annotator, callouts: callouts + lineCallouts, title: title)
    }

    /// Returns the line with the distance between the two measured targets; nil if the view has
    /// none.
    private func dimensionLine(
        of view: LoaderView, at time: Rational, _ annotator: Annotator
    ) throws(DocumentError) -> DimensionLine? {
        guard let first = view.measured.first, let last = view.measured.last else { return nil }
        let targets = [first.text, last.text]
        if let line = DimensionLine(targets, at: time, annotator, context.style) { return line }
        let ends = targets.compactMap { annotator.target($0, at: time.modulo(view.loader.period))?.center }
        if ends.count == 2, ends[0] == ends[1] {
            throw DocumentError(
                at: first.location, "\(quoted(first.text)) and \(quoted(last.text)) are at the same position",
                remedy: "freeze a time when they are apart")
        }
        throw DocumentError(
            at: first.location,
            "there is no room for a line from \(quoted(first.text)) to \(quoted(last.text)) in layout "
                + context.style.layout,
            remedy: "freeze a time when they are apart, or use another 'frame' or layout")
    }

    private mutating func annotator(
        of view: LoaderView, in area: Rect, shown: Rect?, during span: Range<Rational>?
    ) -> Annotator {
        func annotator(showing part: Rect) -> Annotator {
            Annotator(
                view.survey, kinds: view.kindsBelowShade, language: context.language,
                background: view.background, panel: area, shown: part, namesObjects: view.namesObjects,
                hasCallouts: !view.callouts.isEmpty, showsLabels: view.showsLabels)
        }
        if let shown { return annotator(showing: shown) }
        let camera = LessonCamera(view.survey, during: span)
        let part = camera.shown(view, in: Size(area.width, area.height), &motions)
        guard case .object(let name) = view.frame else { return annotator(showing: part) }
        if view.focus != nil {
            let visible = annotator(showing: part).visibleCanvas
            // The margins of a close-up of everything would make it smaller than in other steps.
            let whole = camera.content(of: view)
            if visible.contains(whole) { return annotator(showing: whole) }
            return annotator(showing: camera.centered(visible) ?? part)
        }
        let whole = Set(view.targets + [name])
        return camera.sparing(
            camera.coveredByObjects, shapes: camera.coveredByShapes(without: whole), whole: whole, around: part
        ) { annotator(showing: $0) }
    }
}
