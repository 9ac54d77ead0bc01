import Animations
import Core
import Media
import Raster
import Render

/// A tutorial in one language and shape. The scenes of a frame depend on the frame's index alone.
package struct Lesson: ClipSource {
    package let size: Size
    package let background: Color
    package let defaultScale: Rational
    /// Always true: a lesson is laid out for the requested frame size.
    package var hasExactSize: Bool { true }
    package let frameCount: Int
    package let chapters: [Chapter]
    package let title: String
    /// The captions and the frames that show them.
    package let cues: [LessonCue]
    package let captionLanguage: String?
    let shots: [PlacedShot]
    private let captionNodes: [[Node]]
    private let markNodes: [Node]
    let frameRate: FrameRate
    private let transitions: TransitionStyle
    private let font: String?
    package let notes: [String]

    /// Lays out a script. Throws `DocumentError` with every problem of the script in this language
    /// and shape.
    package init(_ script: TutorialScript, _ request: LessonRequest = LessonRequest()) throws {
        let (context, chosen) = try Lesson.context(script, request)
        let style = context.style
        try request.checkShape()
        let layout = LessonLayout(request.shape, hasCaptions: request.drawsCaptions, mark: request.mark)
        try request.checkCard(of: script, context.title, LessonHeader(layout: layout, style: style))
        let builder = try Lesson.builder(script, context, layout, request.frameRate)
        posterFrame =
            script.poster.map { ($0.time * request.frameRate.framesPerSecond).floor }
            ?? LessonPoster(shots: builder.shots, frameRate: request.frameRate).frame
        shots = builder.shots
        cues = builder.cues
        frameCount = builder.frameCount
        size = layout.size
        background = style.theme.surface
        notes = [
            chosen.map { AnnotationBackground.note($0, for: context.loader) },
            TitleText.emojiNote(Self.words(context.title.text, builder)),
        ].compactMap { $0 }
        frameRate = request.frameRate
        transitions = request.transitions
        font = request.font
        defaultScale =
            Rational(min(request.shape.pixels.width, request.shape.pixels.height))
            / Rational(Int(LessonLayout.shorterSide))
        captionLanguage = request.language == .zh ? "zho" : "eng"
        title = context.title.text
        chapters = Lesson.chapters(of: builder, title: title, frameRate: request.frameRate)
        markNodes = request.mark.map { [.image(Image($0, frame: layout.mark))] } ?? []
        captionNodes =
            request.drawsCaptions ? cues.map { Lesson.caption($0.text, in: layout, style) } : cues.map { _ in [] }
    }

    /// Lays out the segments of all steps. Throws `DocumentError` with every problem.
    private static func builder(
        _ script: TutorialScript, _ context: LessonContext, _ layout: LessonLayout, _ frameRate: FrameRate
    ) throws -> LessonBuilder {
        var builder = LessonBuilder(context, layout: layout, frameRate: frameRate)
        var problems = script.problems(context.facts)
        for step in script.steps {
            do throws(DocumentError) {
                for segment in try step.segments(in: context) { try builder.add(segment) }
            } catch { problems += error.problems }
        }
        // The frames of a step that failed are missing.
        if problems.isEmpty { problems = script.posterProblems(frameCount: builder.frameCount, frameRate) }
        guard problems.isEmpty else { throw DocumentError(problems: problems.ordered()) }
        return builder
    }

    /// Returns the context that the steps of a script share, and the background that replaces the
    /// loader's own to make its art visible; nil if the own one does.
    private static func context(
        _ script: TutorialScript, _ request: LessonRequest
    ) throws -> (LessonContext, chosen: Color?) {
        var loaderRequest = script.loader
        loaderRequest.font = request.font
        let plain = try LoaderRenderer(loaderRequest).loader
        let loader = try Lesson.named(plain, script, request.language)
        let chosen = AnnotationBackground.color(for: loader)
        let background = chosen ?? loader.background
        let style = LessonStyle(
            theme: AnnotationTheme(background: request.theme?.background ?? background), language: request.language,
            gauge: try TextGauge(), font: request.font, layout: request.shape.text)
        let facts = TemplateContext(loader: loader, parameters: script.loader.parameterTexts)
        let title =
            try request.title.map { SpannedText(text: $0, location: script.title.location) }
            ?? script.title.text(in: request.language, facts)
        try request.checkTitle { () throws(DocumentError) in try style.checkGlyphs(of: title) }
        let context = LessonContext(
            script: script, title: title, survey: LoaderSurvey(loader), background: background, facts: facts,
            style: style)
        return (context, chosen)
    }

    /// Returns the loader with the script's names of its objects in a language.
    private static func named(
        _ loader: any Loader, _ script: TutorialScript, _ language: Language
    ) throws -> any Loader {
        let facts = TemplateContext(loader: loader, parameters: script.loader.parameterTexts)
        var titles: [String: String] = [:]
        // In the order of the names, so that the first error does not depend on the run.
        for (name, message) in script.names.sorted(by: { $0.key < $1.key }) where message.texts[language] != nil {
            titles[name] = try message.text(in: language, facts).text
        }
        guard !titles.isEmpty else { return loader }
        let objects = loader.objects(at: .zero)
        try checkNames(of: objects, titles, script, language)
        return try loader.showing(objects.map { ObjectChoice($0.name, title: titles[$0.name]) })
    }

    /// Throws `DocumentError` if a script gives an object the name of another one.
    private static func checkNames(
        of objects: [MovingObject], _ titles: [String: String], _ script: TutorialScript, _ language: Language
    ) throws(DocumentError) {
        var owners: [String: String] = [:]
        // The objects whose names are their own come first.
        for object in objects.filter({ titles[$0.name] == nil }) + objects.filter({ titles[$0.name] != nil }) {
            let title = titles[object.name] ?? object.title.text(in: language)
            if let owner = owners[title], let message = script.names[object.name] {
                throw DocumentError(
                    at: message.texts[language]?.location ?? message.location,
                    "'names' gives \(quoted(object.name)) the name of \(quoted(owner))",
                    remedy: "use different names", found: quoted(title))
            }
            owners[title] = object.name
        }
    }

    /// Returns the words of a lesson, in which emoji are looked for.
    private static func words(_ title: String, _ builder: LessonBuilder) -> String {
        let code = builder.shots.flatMap { ($0.shot.panel as? CodePanel)?.lines ?? [] }
        return ([title] + builder.chapters.map(\.title.text) + builder.cues.map(\.text) + code).joined()
    }

    private static func chapters(of builder: LessonBuilder, title: String, frameRate: FrameRate) -> [Chapter] {
        var starts = builder.chapters.map { (title: $0.title.text, start: $0.start) }
        if starts.first?.start != 0 { starts.insert((title, 0), at: 0) }
        let ends = starts.dropFirst().map(\.start) + [builder.frameCount]
        return zip(starts, ends).map { chapter, end in
            Chapter(
                title: chapter.title, start: frameRate.frameDuration * Rational(chapter.start),
                end: frameRate.frameDuration * Rational(end))
        }
    }

    private static func caption(_ text: String, in layout: LessonLayout, _ style: LessonStyle) -> [Node] {
        let lines = text.split(separator: "\n")
        let height = LessonStyle.lineHeight(LessonStyle.caption)
        let top = layout.caption.center.y - height * Double(lines.count) / 2
        return lines.enumerated().map { row, line in
            style.line(
                String(line), at: layout.caption.center.x, middle: top + height * (Double(row) + 0.5),
                size: LessonStyle.caption, color: style.theme.ink, alignment: .center)
        }
    }

    package var captions: [Caption] {
        cues.map {
            Caption(
                $0.text, start: frameRate.frameDuration * Rational($0.frames.lowerBound),
                end: frameRate.frameDuration * Rational($0.frames.upperBound))
        }
    }

    package let posterFrame: Int?

    // MARK: Frames

    /// A frame of every shot for contact sheets, at 5/8 of its duration: most of the shot's content
    /// is visible, and cycles are not at their start.
    ///
    /// If a caption fades in that frame, the nearest frame of the shot with an opaque caption
    /// replaces it. The shot with the poster has the poster's frame.
    var sheetFrames: [Int] {
        shots.map { shot in
            let frames = shot.start..<shot.start + shot.count
            if let posterFrame, frames.contains(posterFrame), !hasFadingCaption(inFrame: posterFrame) {
                return posterFrame
            }
            let usual = shot.start + shot.count * 5 / 8
            let whole = cues.compactMap { cue -> Int? in
                let first = max(cue.frames.lowerBound + fadeCount, shot.start + shot.count / 4)
                let last = min(cue.frames.upperBound - 1 - fadeCount, frames.upperBound - 1)
                return first <= last ? min(max(usual, first), last) : nil
            }
            // A short shot may only have a caption that has faded or is about to.
            let candidates = whole.isEmpty ? frames.filter { !hasFadingCaption(inFrame: $0) } : whole
            return candidates.min { abs($0 - usual) < abs($1 - usual) } ?? usual
        }
    }

    private func hasFadingCaption(inFrame frame: Int) -> Bool {
        cues.contains { cue in
            let ends = [frame - cue.frames.lowerBound, cue.frames.upperBound - 1 - frame]
            return cue.frames.contains(frame) && ends.contains { $0 < fadeCount }
        }
    }

    package func scenes(ofFrame frame: Int) -> [Scene] {
        let index = shots.lastIndex { $0.start <= frame } ?? 0
        let shot = shots[index]
        let elapsed = frameRate.frameDuration * Rational(frame - shot.start)
        let nodes = ShotScene(shot, before: index > 0 ? shots[index - 1] : nil, after: elapsed, transitions).nodes
        let all = markNodes + nodes + caption(inFrame: frame)
        return [Scene(size: size, background: background, nodes: all.withFont(font))]
    }

    /// Returns the boards of a frame, the rectangles in which loaders are drawn.
    func boards(inFrame frame: Int) -> [Rect] {
        let index = shots.lastIndex { $0.start <= frame } ?? 0
        let elapsed = frameRate.frameDuration * Rational(frame - shots[index].start)
        return ShotScene(shots[index], before: index > 0 ? shots[index - 1] : nil, after: elapsed, transitions).boards
    }

    /// The length of a caption's fade at its start and end in seconds.
    private static let captionFade = Rational(1, 6)

    /// The number of frames of a caption's fade.
    private var fadeCount: Int {
        transitions == .cut ? 0 : (Self.captionFade * frameRate.framesPerSecond).rounded
    }

    private func caption(inFrame frame: Int) -> [Node] {
        guard let index = cues.firstIndex(where: { $0.frames.contains(frame) }) else { return [] }
        let frames = cues[index].frames
        let distance = min(frame - frames.lowerBound, frames.upperBound - 1 - frame)
        return captionNodes[index].faded(Double(distance + 1) / Double(fadeCount + 1))
    }

    /// The frames of still shots that repeat: those after the transition in which the caption does
    /// not change.
    package var repetition: Repetition {
        let changes = cues.flatMap { cue -> [Int] in
            let fade = min(fadeCount, cue.frames.count / 2)
            let start = cue.frames.lowerBound
            let end = cue.frames.upperBound
            return Array(start...start + fade) + Array(end - fade...end)
        }
        let edges = Set(changes).sorted()
        let stills = shots.filter(\.isStill).flatMap { shot -> [Range<Int>] in
            let settled = shot.settledTime * frameRate.framesPerSecond
            let start = shot.start + (transitions == .cut ? 0 : settled.ceiling)
            let end = shot.start + shot.count
            guard start < end else { return [] }
            let inner = [start] + edges.filter { $0 > start && $0 < end } + [end]
            return zip(inner, inner.dropFirst()).filter { $1 - $0 > 1 }.map { $0..<$1 }
        }
        return Repetition(stills: stills)
    }
}

extension TutorialScript {
    /// Returns the problem of a poster after the end of a lesson.
    func posterProblems(frameCount: Int, _ frameRate: FrameRate) -> [DocumentProblem] {
        guard let poster, (poster.time * frameRate.framesPerSecond).floor >= frameCount else { return [] }
        let length = Rational(frameCount) * frameRate.frameDuration
        return [
            DocumentProblem(
                poster.location, "'poster' is after the end of the lesson",
                remedy: "use a time before \(NumberText.decimal(length.double, places: 1)) s", found: "\(poster.time)")
        ]
    }

    /// Returns the problems of the script's checks: failed checks and claims that cannot be
    /// evaluated.
    func problems(_ facts: TemplateContext) -> [DocumentProblem] {
        checks.compactMap { check in
            do throws(ValueProblem) {
                guard let found = try check.claim.failure(in: facts) else { return nil }
                return DocumentProblem(
                    check.location, "the check \(quoted(check.claim.text)) fails", found: found)
            } catch {
                return DocumentProblem(check.location, error)
            }
        }
    }
}

extension LoaderRequest {
    /// The values of all parameters, including defaults, as text.
    var parameterTexts: [String: String] {
        var texts = Dictionary(definition.parameters.map { ($0.name, $0.defaultText) }) { first, _ in first }
        for setting in settings {
            guard let equals = setting.firstIndex(of: "=") else { continue }
            texts[String(setting[..<equals])] = String(setting[setting.index(after: equals)...])
        }
        if let motion, texts["motion"] != nil { texts["motion"] = motion }
        return texts
    }
}
