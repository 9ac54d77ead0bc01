import Animations
import Core
import Raster
import Render
import TestSupport

@testable import Explain

/// A check of a lesson for illegible texts: clipped, too small, low in contrast, in the margins, or
/// overlapping another text or a moving object.
struct LayoutAudit {
    let lesson: Lesson
    private let gauge: TextGauge

    init(_ lesson: Lesson) throws {
        self.lesson = lesson
        gauge = try TextGauge()
    }

    /// A text with its bounds and font size on the frame.
    private struct VisibleText {
        let text: Text
        let box: Rect
        let fontSize: Double
    }

    /// The frames at which transitions end and captions change, and some between.
    var frames: [Int] {
        let shots = lesson.shots.flatMap { shot -> [Int] in
            let steps = [shot.count / 2, shot.count * 7 / 9, shot.count - 1]
            return [settled(shot)] + steps.map { shot.start + $0 }
        }
        let cues = lesson.cues.flatMap { cue -> [Int] in [cue.frames.lowerBound, cue.frames.upperBound - 1] }
        return Set(shots + cues).filter { !isInTransition($0) }.sorted()
    }

    /// The first frame of a shot after its transition.
    func settled(_ shot: PlacedShot) -> Int {
        let frames = shot.settledTime * lesson.frameRate.framesPerSecond
        return min(shot.start + shot.count - 1, shot.start + frames.floor + 1)
    }

    /// True if boards and texts move in a frame.
    private func isInTransition(_ frame: Int) -> Bool {
        lesson.shots.last { $0.start <= frame }.map { frame < settled($0) } ?? false
    }

    /// Returns the problems of a frame.
    ///
    /// - Parameter mark: the bounds of a logo, which texts must not overlap.
    func problems(inFrame frame: Int, besides mark: Rect? = nil) -> [String] {
        let scene = lesson.scenes(ofFrame: frame)[0]
        let texts = scene.nodes.flatMap { visibleTexts(in: $0, .identity) }
        let safe = Rect(
            x: scene.size.width / 20, y: scene.size.height / 20, width: scene.size.width * 0.9,
            height: scene.size.height * 0.9)
        var problems: [String] = []
        for (index, visible) in texts.enumerated() {
            let name = "frame \(frame) '\(visible.text.string)'"
            let natural = gauge.extent(of: visible.text)
            if natural.width > visible.text.frame.width + 0.5 || natural.height > visible.text.frame.height + 0.5 {
                problems.append("\(name) is clipped: \(natural) in \(visible.text.frame)")
            }
            if visible.fontSize < min(scene.size.width, scene.size.height) / 30 - 1e-6 {
                problems.append("\(name) is small: \(visible.fontSize)")
            }
            if !safe.contains(visible.box, tolerance: 0.75) {
                problems.append("\(name) is in the margin: \(visible.box)")
            }
            for other in texts[(index + 1)...] where visible.box.overlapsText(in: other.box) {
                problems.append("\(name) overlaps '\(other.text.string)'")
            }
            if let mark, visible.box.overlapsText(in: mark) { problems.append("\(name) overlaps the logo") }
            for disc in discs(inFrame: frame)
            where disc.board.contains(visible.box) && visible.box.overlapsDisc((disc.center, disc.radius)) {
                problems.append("\(name) overlaps a moving object")
            }
        }
        return problems
    }

    /// Returns the texts of a frame with a contrast below 4.5, the minimum of WCAG 2 (AA), to the
    /// most frequent colour within their bounds.
    func paleTexts(inFrame frame: Int) throws -> [String] {
        let scene = lesson.scenes(ofFrame: frame)[0]
        let scale = 2.0
        let rasterizer = try Rasterizer(width: Int(scene.size.width * scale), height: Int(scene.size.height * scale))
        _ = try rasterizer.draw(scene)
        let pixmap = rasterizer.pixmap
        let texts: [VisibleText] = scene.nodes.flatMap { visibleTexts(in: $0, .identity) }
        return texts.compactMap { visible -> String? in
            var counts: [[UInt8]: Int] = [:]
            for y in Int(visible.box.y * scale)..<Int(visible.box.maxY * scale) {
                for x in Int(visible.box.x * scale)..<Int(visible.box.maxX * scale) {
                    let pixel = pixmap.data + y * pixmap.stride + 4 * x
                    counts[[pixel[2], pixel[1], pixel[0]], default: 0] += 1
                }
            }
            guard let background = counts.max(by: { $0.value < $1.value })?.key else { return nil }
            let color = Color(Int(background[0]), Int(background[1]), Int(background[2]))
            let contrast = visible.text.color.contrast(to: color)
            return contrast >= 4.5 ? nil : "frame \(frame) '\(visible.text.string)' is pale: \(contrast)"
        }
    }

    private func visibleTexts(in node: Node, _ transform: AffineTransform) -> [VisibleText] {
        switch node {
        case .group(let group):
            // Texts that fade in or out are opaque in other frames.
            guard group.opacity == 1 else { return [] }
            return group.nodes.flatMap { visibleTexts(in: $0, group.transform.then(transform)) }
        case .text(let text):
            let frame = text.frame
            let natural = gauge.extent(of: text)
            let x =
                switch text.alignment {
                case .left: frame.x
                case .center: frame.center.x - natural.width / 2
                case .right: frame.maxX - natural.width
                }
            let corner = transform.apply(Point(x, frame.y))
            let scale = transform.a
            return [
                VisibleText(
                    text: text,
                    box: Rect(x: corner.x, y: corner.y, width: natural.width * scale, height: natural.height * scale),
                    fontSize: text.fontSize * scale)
            ]
        case .shape, .image: return []
        }
    }

    /// Returns the discs of objects with their boards, which clip them.
    private func discs(inFrame frame: Int) -> [(board: Rect, center: Point, radius: Double)] {
        guard let shot = lesson.shots.last(where: { $0.start <= frame }) else { return [] }
        let time = shot.shot.modelTime(after: lesson.frameRate.frameDuration * Rational(frame - shot.start))
        return shot.views.flatMap { placed in
            let view = placed.view
            return view.loader.objects(at: time.modulo(view.loader.period)).filter { $0.radius > 0 }.map {
                (placed.annotator.panelFrame, placed.annotator.place($0.discCenter), $0.radius * placed.annotator.scale)
            }
        }
    }
}

extension Rect {
    /// Returns true if the glyphs in two lines overlap. Lines are taller than their glyphs.
    fileprivate func overlapsText(in other: Rect) -> Bool {
        guard let overlap = glyphBounds.intersection(other.glyphBounds) else { return false }
        return overlap.width > 0.5 && overlap.height > 0.5
    }

    /// Returns true if glyphs overlap a disc.
    fileprivate func overlapsDisc(_ disc: (center: Point, radius: Double)) -> Bool {
        let bounds = glyphBounds
        let near = Point(
            min(max(disc.center.x, bounds.x), bounds.maxX), min(max(disc.center.y, bounds.y), bounds.maxY))
        return near.distance(to: disc.center) < disc.radius - 1
    }

    /// The middle 60 % of a line's height, which contains its glyphs.
    private var glyphBounds: Rect { Rect(x: x, y: y + height * 0.2, width: width, height: height * 0.6) }
}
