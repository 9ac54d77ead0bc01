import Animations
import Core
import Render

/// A step that adds the points of a construction one by one or in groups, then its lines, and then
/// plays it in slow motion.
struct BuildStep: TutorialStep {
    static let key = "build"
    static let keys = ["at", "slow"]

    /// The groups of points in order; nil for all of the loader's points, one by one.
    private let names: [[SpannedText]]?
    private let time: ModelTime?
    private let slowmo: Rational?
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let isAll = source.value.text == "all"
        names = isAll ? nil : reader.list(source.value).map { reader.names($0, "'build'") ?? [] }
        if let names, names.isEmpty || names.contains(where: \.isEmpty) {
            reader.report(
                source.value.location, "'build' is empty", remedy: "use all, or names of points")
        }
        time = source.pairs["at"].flatMap { reader.time($0.value, "'at'") }
        slowmo = reader.slowmo(source.pairs["slow"])
        options = source.options
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let groups = try pointNames(in: lesson)
        let names = groups.flatMap { $0 }
        let instant =
            try time.map { (time) throws(DocumentError) in try lesson.seconds(time, at: options.location) }
            ?? mostLegibleInstant(of: names, lesson.loader)
        let facts = lesson.facts.at(instant)
        let narration = try lesson.narration(options, facts)
        var view = lesson.view(options, orElse: [.labels])
        view.show.insert(.labels)
        var shots = groups.indices.map { index in
            view.points = ShownPoints(Set(groups[...index].joined()))
            view.points?.upcoming = Set(names)
            view.hasLines = false
            return Shot(playback: .still(instant), duration: Rational(3, 2), views: [view])
        }
        view.hasLines = true
        view.points = ShownPoints(Set(names))
        view.points?.upcoming = Set(names)
        shots.append(Shot(playback: .still(instant), duration: 2, views: [view]))
        if let slowmo {
            shots.append(
                Shot(
                    playback: .moving(from: 0, slowmo: slowmo), duration: lesson.loader.period * slowmo,
                    views: [view]))
        }
        let title = LocalizedText("The construction", zh: "作图")
        let chapter = try lesson.chapter(options, orElse: title)
        // If there is one text per shot, each is read during its shot.
        guard narration.count == shots.count else {
            return [LessonSegment(shots: shots, narration: narration, chapter: chapter)]
        }
        return shots.indices.map { index in
            LessonSegment(shots: [shots[index]], narration: [narration[index]], chapter: index == 0 ? chapter : nil)
        }
    }

    private func pointNames(in lesson: LessonContext) throws(DocumentError) -> [[String]] {
        let known = lesson.loader.landmarks(at: .zero).map(\.name)
        guard !known.isEmpty else {
            throw DocumentError(
                at: options.location, "\(quoted(lesson.loader.id)) has no construction points",
                remedy: "remove the step 'build'")
        }
        guard let names else { return known.map { [$0] } }
        var seen: Set<String> = []
        for name in names.joined() {
            guard known.contains(name.text) else {
                throw DocumentError(
                    at: name.location, "there is no point \(quoted(name.text))",
                    remedy: "use one of \(known.joined(separator: ", "))")
            }
            guard seen.insert(name.text).inserted else {
                throw DocumentError(
                    at: name.location, "the point \(quoted(name.text)) is listed twice", remedy: "remove one of them")
            }
        }
        return names.map { $0.map(\.text) }
    }

    /// Returns the instant of a period at which the points are farthest apart and least collinear,
    /// so that their names fit and the shape is clear.
    ///
    /// - Returns: the best of 96 instants by minimum distance times roundness. The constant 0.1
    ///   ranks collinear points by distance.
    private func mostLegibleInstant(of names: [String], _ loader: any Loader) -> Rational {
        let instants = (0..<96).map { loader.period * Rational(Int128($0), 96) }
        func legibility(_ time: Rational) -> Double {
            let points = loader.landmarks(at: time).filter { names.contains($0.name) }.map(\.position)
            let gaps = points.indices.flatMap { index in points[..<index].map { $0.distance(to: points[index]) } }
            guard let hull = Rect(enclosing: points) else { return 0 }
            let roundness = min(hull.width, hull.height) / max(1, max(hull.width, hull.height))
            return (gaps.min() ?? 0) * (0.1 + roundness)
        }
        return instants.max { legibility($0) < legibility($1) } ?? .zero
    }
}
