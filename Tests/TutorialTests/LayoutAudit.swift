import Annotations
import Loaders
import Motion
import Raster
import Scene
import TestSupport

@testable import Tutorials

/// Looks for letters that cannot be read: cut off, too small, too pale, over one another, over what moves or in the margins.
struct LayoutAudit {
    let lesson: Lesson
    private let gauge: TextGauge

    init(_ lesson: Lesson) throws { (self.lesson, gauge) = (lesson, try TextGauge()) }

    /// A text where it is seen.
    private struct Seen {
        let text: Text
        let box: Rect
        let fontSize: Double
    }

    /// The frames at which anything changes but motion, and some between.
    var frames: [Int] {
        let shots = lesson.shots.flatMap {
            [$0.start, $0.start + $0.count / 2, $0.start + $0.count * 7 / 9, $0.start + $0.count - 1]
        }
        let cues = lesson.cues.flatMap { [$0.frames.lowerBound, $0.frames.upperBound - 1] }
        return Set(shots + cues).sorted()
    }

    /// All that is wrong in a frame.
    ///
    /// - Parameter taken: where no letters may be.
    func problems(inFrame frame: Int, besides taken: Rect? = nil) -> [String] {
        let scene = lesson.scenes(ofFrame: frame)[0]
        let texts = scene.nodes.flatMap { seen($0, .identity) }
        let safe = Rect(
            x: scene.size.width / 20, y: scene.size.height / 20, width: scene.size.width * 0.9,
            height: scene.size.height * 0.9)
        var problems: [String] = []
        for (index, seen) in texts.enumerated() {
            let name = "frame \(frame) '\(seen.text.string)'"
            let natural = gauge.extent(of: seen.text)
            if natural.width > seen.text.frame.width + 0.5 || natural.height > seen.text.frame.height + 0.5 {
                problems.append("\(name) is cut off: \(natural) in \(seen.text.frame)")
            }
            if seen.fontSize < min(scene.size.width, scene.size.height) / 30 - 1e-6 {
                problems.append("\(name) is small: \(seen.fontSize)")
            }
            if !safe.contains(seen.box, tolerance: 0.75) { problems.append("\(name) is in the margin: \(seen.box)") }
            for other in texts[(index + 1)...] where seen.box.shares(with: other.box) {
                problems.append("\(name) lies over '\(other.text.string)'")
            }
            if let taken, seen.box.shares(with: taken) { problems.append("\(name) lies over the mark") }
            for disc in discs(inFrame: frame) where seen.box.reaches(into: disc) {
                problems.append("\(name) lies over what moves")
            }
        }
        return problems
    }

    /// Texts that differ too little from what is behind them. `pixel` tells the colour of a place in the drawn picture.
    func paleTexts(inFrame frame: Int) throws -> [String] {
        let scene = lesson.scenes(ofFrame: frame)[0]
        let scale = 2.0
        let rasterizer = try Rasterizer(width: Int(scene.size.width * scale), height: Int(scene.size.height * scale))
        _ = try rasterizer.draw(scene)
        let pixmap = rasterizer.pixmap
        let texts: [Seen] = scene.nodes.flatMap { seen($0, .identity) }
        return texts.compactMap { seen -> String? in
            var counts: [[UInt8]: Int] = [:]
            for y in Int(seen.box.y * scale)..<Int(seen.box.maxY * scale) {
                for x in Int(seen.box.x * scale)..<Int(seen.box.maxX * scale) {
                    let pixel = pixmap.data + y * pixmap.stride + 4 * x
                    counts[[pixel[2], pixel[1], pixel[0]], default: 0] += 1
                }
            }
            guard let ground = counts.max(by: { $0.value < $1.value })?.key else { return nil }
            let color = Color(Int(ground[0]), Int(ground[1]), Int(ground[2]))
            let contrast = seen.text.color.contrast(to: color)
            return contrast >= 4.5 ? nil : "frame \(frame) '\(seen.text.string)' is pale: \(contrast)"
        }
    }

    private func seen(_ node: Node, _ transform: AffineTransform) -> [Seen] {
        switch node {
        case .group(let group):
            // What goes or comes is seen before or after.
            guard group.opacity == 1 else { return [] }
            return group.nodes.flatMap { seen($0, group.transform.then(transform)) }
        case .text(let text):
            let (frame, natural) = (text.frame, gauge.extent(of: text))
            let x =
                switch text.alignment {
                case .left: frame.x
                case .center: frame.center.x - natural.width / 2
                case .right: frame.maxX - natural.width
                }
            let corner = transform.apply(Point(x, frame.y))
            let scale = transform.a
            return [
                Seen(
                    text: text,
                    box: Rect(x: corner.x, y: corner.y, width: natural.width * scale, height: natural.height * scale),
                    fontSize: text.fontSize * scale)
            ]
        case .shape, .image: return []
        }
    }

    private func discs(inFrame frame: Int) -> [(center: Point, radius: Double)] {
        guard let shot = lesson.shots.last(where: { $0.start <= frame }) else { return [] }
        let time = shot.shot.modelTime(after: lesson.frameRate.frameDuration * Rational(frame - shot.start))
        return zip(shot.shot.stages, shot.stages).flatMap { view, stage in
            view.loader.objects(at: time.modulo(view.loader.period)).filter { $0.radius > 0 }.map {
                (stage.annotator.place($0.discCenter), $0.radius * stage.annotator.scale)
            }
        }
    }
}

extension Rect {
    /// Whether the letters of two lines touch; lines are higher than their letters.
    fileprivate func shares(with other: Rect) -> Bool {
        guard let shared = letters.intersection(other.letters) else { return false }
        return shared.width > 0.5 && shared.height > 0.5
    }

    /// Whether letters reach into a disc.
    fileprivate func reaches(into disc: (center: Point, radius: Double)) -> Bool {
        let near = Point(
            min(max(disc.center.x, letters.x), letters.maxX), min(max(disc.center.y, letters.y), letters.maxY))
        return near.distance(to: disc.center) < disc.radius - 1
    }

    private var letters: Rect { Rect(x: x, y: y + height * 0.2, width: width, height: height * 0.6) }
}
