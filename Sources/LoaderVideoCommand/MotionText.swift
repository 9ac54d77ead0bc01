import Core
import Inspect

/// The shapes and motions of a clip as text.
extension AnalysisText {
    /// Returns the phase table, the tracked objects, the shapes with their motions, and the
    /// matching loader.
    static func text(_ motion: MotionAnalysis, name: String) -> String {
        var lines: [String]
        switch motion.tracks {
        case .success(let analysis): lines = [text(analysis, name: name)]
        case .failure(let error): lines = ["\(name.visible)", "  table    none: \(reason(error, name))"]
        }
        switch motion.shapes {
        case .success(let clip): lines += shapeLines(clip)
        case .failure(let error): lines.append("  shapes   none: \(reason(error, name))")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns a part that was not reconstructed, with its time.
    static func gap(_ gap: ReconstructionGap) -> String { "from \(decimal(gap.time, 3)) s: \(gap.text)" }

    /// Returns the message of an error without the file's name, which the first line has.
    private static func reason(_ error: any Error, _ name: String) -> String {
        let text = "\(error)".visible
        let prefix = "\(name.visible): "
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }

    /// The minimum delay between objects, in seconds, that the text mentions.
    private static let minStagger = 0.004

    private static func shapeLines(_ clip: Reconstruction) -> [String] {
        let summary = MotionSummary(clip)
        var lines = [
            "  loop     "
                + (clip.period.map { "every \(decimal($0, 4)) s" }
                    ?? (clip.isLoop
                        ? "none found, but the last frame leads to the first after \(decimal(clip.duration, 4)) s"
                        : "none found")),
            "  shapes",
        ]
        for description in summary.descriptions.sorted(by: { $0.object.name < $1.object.name }) {
            lines.append("    \(description.object.name): " + words(description, clip).joined(separator: ", "))
        }
        for group in summary.groups {
            let names = group.members.map { clip.objects[$0].name }.joined(separator: ", ")
            let stagger =
                group.stagger.map { $0 < minStagger ? "together" : "staggered by \(decimal($0, 3)) s" }
                ?? "with uneven delays"
            lines.append("    the same motion, \(stagger): \(names)")
        }
        return lines + clip.gaps.map { "    " + gap($0) }
    }

    private static func words(_ description: MotionDescription, _ clip: Reconstruction) -> [String] {
        let object = description.object
        let duration = clip.duration
        var words = [size(object, duration), object.color.hexString, path(description.path)]
        if object.kind != .morph { words += changes(object, duration) }
        let opacity = object.opacity.range(until: duration)
        if !object.opacity.isConstant {
            words.append("opacity \(percent(opacity.lowerBound)) to \(percent(opacity.upperBound))")
        }
        if [object.red, object.green, object.blue].contains(where: { !$0.isConstant }) {
            words.append("changes colour")
        }
        if description.group != nil { words.append("delay \(decimal(description.delay, 3)) s") }
        if !description.easings.isEmpty {
            words.append("easing " + description.easings.prefix(3).joined(separator: ", "))
        }
        words += object.guessed.prefix(3).map { times in
            let start = decimal(times.lowerBound, 3)
            let end = decimal(times.upperBound, 3)
            return "position interpolated " + (start == end ? "at \(start) s" : "from \(start) to \(end) s")
        }
        return words
    }

    private static func size(_ object: ReconstructedObject, _ duration: Double) -> String {
        func range(_ curve: KeyframeCurve) -> String {
            let range = curve.range(until: duration)
            let low = decimal(range.lowerBound, 1)
            let high = decimal(range.upperBound, 1)
            return low == high ? low : "\(low)...\(high)"
        }
        switch object.kind {
        case .circle: return "diameter \(range(object.width)) px"
        case .ring, .arc, .roundArc:
            return "diameter \(range(object.width)) px, line \(range(object.lineWidth)) px"
        case .ellipse, .rectangle:
            let corner = object.cornerRadius > 0 ? ", corner radius \(decimal(object.cornerRadius, 1)) px" : ""
            return "\(range(object.width)) x \(range(object.height)) px\(corner)"
        case .outline:
            let scale = object.width.isConstant ? "" : ", scale \(range(object.width))"
            return "traced outline of \(object.outline.reduce(0) { $0 + $1.count }) points\(scale)"
        case .morph: return "traced outlines at \(object.morph.count) times"
        }
    }

    private static func path(_ path: MotionPath) -> String {
        func point(_ point: Point) -> String { "(\(decimal(point.x, 1)), \(decimal(point.y, 1)))" }
        switch path {
        case .still(let center): return "rests at \(point(center))"
        case .straight(let from, let to):
            return "straight from \(point(from)) to \(point(to)), \(decimal(from.distance(to: to), 1)) px"
        case .circle(let center, let radius):
            return "on a circle around \(point(center)), radius \(decimal(radius, 1)) px"
        case .curve(let box):
            return "on a curve, \(decimal(box.width, 1)) x \(decimal(box.height, 1)) px around \(point(box.center))"
        }
    }

    private static func changes(_ object: ReconstructedObject, _ duration: Double) -> [String] {
        func degrees(_ curve: KeyframeCurve) -> String {
            let range = curve.range(until: duration)
            let low = range.lowerBound * 180 / .pi
            let high = range.upperBound * 180 / .pi
            return "\(decimal(low, 0))°...\(decimal(high, 0))°"
        }
        var words: [String] = []
        if !object.rotation.isConstant { words.append("rotation \(degrees(object.rotation))") }
        guard object.kind == .arc || object.kind == .roundArc else { return words }
        words.append(
            object.start.isConstant
                ? "start angle \(decimal(object.start.first * 180 / .pi, 0))°"
                : "start angle \(degrees(object.start))")
        words.append(
            object.end.isConstant
                ? "end angle \(decimal(object.end.first * 180 / .pi, 0))°" : "end angle \(degrees(object.end))")
        return words
    }
}
