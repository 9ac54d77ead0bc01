import Annotations
import Documents
import Loaders
import Motion
import Scene

/// The points of a construction one after another, or some together, then its lines, then all of it in motion.
struct BuildStep: TutorialStep {
    static let key = "build"
    static let keys = ["at", "slow"]

    /// The points in their order, those together that are shown together; nil takes the loader's, one by one.
    private let names: [[Located]]?
    private let time: ModelTime?
    private let slowmo: Rational?
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let isAll = source.value.text == "all"
        names = isAll ? nil : reader.list(source.value).map { reader.names($0, "'build'") ?? [] }
        if let names, names.isEmpty || names.contains(where: \.isEmpty) {
            reader.note(
                source.value.location, "'build' shows none", expected: "all, or names of points",
                found: source.value.found)
        }
        time = source.pairs["at"].flatMap { reader.time($0.value, "'at'") }
        slowmo = reader.slowness(source.pairs["slow"])
        shared = source.shared
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let groups = try pointNames(in: lesson)
        let names = groups.flatMap { $0 }
        let instant =
            try time.map { (time) throws(DocumentError) in try lesson.seconds(time, at: shared.location) }
            ?? clearestInstant(of: names, lesson.loader)
        let facts = lesson.facts.at(instant)
        let said = try lesson.said(shared, facts)
        var view = lesson.view(shared, orElse: [.labels])
        view.show.insert(.labels)
        var shots = groups.indices.map { index in
            (view.points, view.hasLines) = (Set(groups[...index].joined()), false)
            return Shot(course: .still(instant), duration: Rational(3, 2), stages: [view])
        }
        view.hasLines = true
        shots.append(Shot(course: .still(instant), duration: 2, stages: [view]))
        if let slowmo {
            shots.append(
                Shot(
                    course: .moving(from: 0, slowmo: slowmo), duration: lesson.loader.period * slowmo, stages: [view]))
        }
        let title = LocalizedText("The construction", zh: "作图")
        let chapter = try lesson.chapter(shared, orElse: title)
        // A text for each picture is read while that is shown.
        guard said.count == shots.count else { return [Passage(shots: shots, say: said, chapter: chapter)] }
        return shots.indices.map { index in
            Passage(shots: [shots[index]], say: [said[index]], chapter: index == 0 ? chapter : nil)
        }
    }

    private func pointNames(in lesson: LessonContext) throws(DocumentError) -> [[String]] {
        let known = lesson.loader.landmarks(at: .zero).map(\.name)
        guard !known.isEmpty else {
            throw DocumentError(
                at: shared.location, "'\(lesson.loader.id)' has no points of a construction",
                expected: "another step", found: "'build'")
        }
        guard let names else { return known.map { [$0] } }
        var seen: Set<String> = []
        for name in names.joined() {
            guard known.contains(name.text) else {
                throw DocumentError(
                    at: name.location, "there is no such point", expected: "one of \(known.joined(separator: ", "))",
                    found: quoted(name.text))
            }
            guard seen.insert(name.text).inserted else {
                throw DocumentError(
                    at: name.location, "a point is there already", expected: "each once", found: quoted(name.text))
            }
        }
        return names.map { $0.map(\.text) }
    }

    /// When the points are furthest apart and least in a row, so that their names have room and the shape is seen.
    private func clearestInstant(of names: [String], _ loader: any Loader) -> Rational {
        let instants = (0..<96).map { loader.period * Rational(Int128($0), 96) }
        func clearness(_ time: Rational) -> Double {
            let points = loader.landmarks(at: time).filter { names.contains($0.name) }.map(\.position)
            let gaps = points.indices.flatMap { index in points[..<index].map { $0.distance(to: points[index]) } }
            guard let hull = Rect(enclosing: points) else { return 0 }
            let roundness = min(hull.width, hull.height) / max(1, max(hull.width, hull.height))
            return (gaps.min() ?? 0) * (0.1 + roundness)
        }
        return instants.max { clearness($0) < clearness($1) } ?? .zero
    }
}
