import Core

/// A comparison of the shapes that a reconstruction draws with those that the clip shows.
///
/// Finds mistakes of any cause by the areas that only one of them covers.
struct ReconstructionCheck {
    /// The shapes of each checked frame.
    private var seen: [Int: [ObservedShape]] = [:]
    private let times: [Double]
    private let background: Channels
    private let region: Rect
    /// Pixels of the clip per pixel of the view.
    private let pixel: Double

    /// The number of frames to check.
    private static let maxFrames = 24
    /// The number of points along the longer side of the region.
    private static let side = 220.0
    /// The share of the covered area that both cover, below which a frame is not understood. Lines
    /// of a few pixels reach 0.8.
    private static let minOverlap = 0.7
    /// The maximum number of cells of the mask that may be drawn where no object is seen, or seen
    /// where none is drawn.
    private static let maxUnseenCells = 40
    /// The contrasts in codes between which an object may be seen or not. Those below the smaller
    /// one are never found.
    private static let faint: ClosedRange<Double> = 8...40

    init(_ tracks: [ShapeTrack], over background: Channels, times: [Double], duration: Double, pixel: Double = 1) {
        self.times = times
        self.pixel = pixel
        self.background = background
        let count = times.firstIndex { $0 >= duration - 1e-6 } ?? times.count
        // Objects that touch others of their colour have no shape in those frames.
        let merged = Set(tracks.flatMap(\.mergedFrames))
        for frame in ReconstructionCheck.sampled((0..<count).filter { !merged.contains($0) }) { seen[frame] = [] }
        for track in tracks {
            for shape in track.shapes where seen[shape.frame] != nil { seen[shape.frame]?.append(shape) }
        }
        region = ReconstructionCheck.region(of: seen)
    }

    /// A check of the frames of one track, which compares with that track alone.
    init(_ track: ShapeTrack, over background: Channels, times: [Double], duration: Double, pixel: Double = 1) {
        self.times = times
        self.pixel = pixel
        self.background = background
        let shapes = track.shapes.filter { $0.frame < times.count && times[$0.frame] < duration - 1e-6 }
        for shape in ReconstructionCheck.sampled(shapes) { seen[shape.frame] = [shape] }
        region = ReconstructionCheck.region(of: seen)
    }

    /// Returns evenly spread elements: about `maxFrames` of a long array.
    private static func sampled<Element>(_ all: [Element]) -> [Element] {
        stride(from: 0, to: all.count, by: max(1, all.count / maxFrames)).map { all[$0] }
    }

    /// Returns the bounding box of shapes.
    private static func region(of seen: [Int: [ObservedShape]]) -> Rect {
        let corners = seen.values.joined().flatMap { [Point($0.box.x, $0.box.y), Point($0.box.maxX, $0.box.maxY)] }
        return Rect(enclosing: corners) ?? Rect(x: 0, y: 0, width: 1, height: 1)
    }

    /// Returns the smallest share, over the checked frames, of the covered area that objects and
    /// clip have in common.
    func minShare(_ objects: [ReconstructedObject]) -> Double {
        seen.keys.map { agreement($0, objects, at: times[$0]).share }.min() ?? 1
    }

    /// The agreement of a frame: the share of the covered area that both cover, and the centre of
    /// the rest.
    typealias Agreement = (time: Double, share: Double, center: Point)

    /// Returns the agreement of the first frame that is not understood; nil if all are.
    func firstMisunderstood(_ objects: [ReconstructedObject]) -> Agreement? {
        seen.keys.sorted().lazy.map { frame -> Agreement in
            let time = times[frame]
            let agreement = agreement(frame, objects, at: time)
            guard agreement.share < ReconstructionCheck.minOverlap, frame + 1 < times.count else { return agreement }
            // Keyframes of jumps are rounded.
            let later = self.agreement(frame, objects, at: time + (times[frame + 1] - time) / 4)
            return later.share > agreement.share ? (time, later.share, later.center) : agreement
        }.first { $0.share < ReconstructionCheck.minOverlap }
    }

    private func agreement(_ frame: Int, _ objects: [ReconstructedObject], at time: Double) -> Agreement {
        let step = max(0.5, max(region.width, region.height) / ReconstructionCheck.side)
        var mask = CoverageMask(region, step: step)
        for shape in seen[frame] ?? [] { mask.fill(shape.contours.map(\.points), CoverageMask.seen) }
        for object in objects {
            let contrast = object.contrast(at: time, over: background)
            guard contrast >= ReconstructionCheck.faint.lowerBound else { continue }
            let isFaint = contrast <= ReconstructionCheck.faint.upperBound
            mask.fill(object.polygons(at: time), isFaint ? CoverageMask.faint : CoverageMask.drawn)
        }
        // A faint object may be seen or not.
        let any = mask.cells.indices.filter { mask.cells[$0] & (CoverageMask.seen | CoverageMask.drawn) != 0 }
        let other = any.filter { mask.cells[$0] & CoverageMask.seen == 0 || mask.cells[$0] == CoverageMask.seen }
        // An object that appears or vanishes may be too small to be found, or to be measured.
        let isOnlySeen = any.allSatisfy { mask.cells[$0] == CoverageMask.seen }
        let isOneSided = (seen[frame]?.isEmpty ?? true) || isOnlySeen && isDrawn(objects, near: frame)
        let isSmall = isOneSided && any.count <= ReconstructionCheck.maxUnseenCells
        guard !other.isEmpty, !isSmall, Double(other.count) > Self.maxEdge(any.count, step: step / pixel) else {
            return (time, 1, .zero)
        }
        let sum = other.reduce(Point.zero) { $0 + mask.position(of: $1) }
        return (time, 1 - Double(other.count) / Double(any.count), sum * (1 / Double(other.count)))
    }

    /// The error of an outline, in pixels of the view, that does not mean another shape. In objects
    /// of few pixels, it covers most of the area.
    private static let edgeError = 0.75

    /// Returns the number of cells along the outline of a disc that such an error covers.
    ///
    /// - Parameter step: the distance between cells in pixels of the view.
    private static func maxEdge(_ cells: Int, step: Double) -> Double {
        2 * (.pi * Double(cells)).squareRoot() * edgeError / step
    }

    /// The distance in frames at which an object that appears or vanishes is large enough to be
    /// drawn.
    private static let appearingFrames = 4

    /// Returns true if an object is drawn some frames before or after one.
    private func isDrawn(_ objects: [ReconstructedObject], near frame: Int) -> Bool {
        [-Self.appearingFrames, Self.appearingFrames].contains { offset in
            let time = times[min(max(0, frame + offset), times.count - 1)]
            return objects.contains {
                $0.contrast(at: time, over: background) > Self.faint.upperBound && !$0.polygons(at: time).isEmpty
            }
        }
    }
}

extension ReconstructedObject {
    /// Returns the difference from the background at a time, in codes.
    fileprivate func contrast(at time: Double, over background: Channels) -> Double {
        Double((visibleColor(at: time, over: background) - background).largest)
    }

    /// Returns the colour over the background at a time.
    func visibleColor(at time: Double, over background: Channels) -> Channels {
        let color = Channels(
            Float(red.value(at: time)), Float(green.value(at: time)), Float(blue.value(at: time)))
        return background + (color * 255 - background) * Float(min(1, max(0, opacity.value(at: time))))
    }

    /// Returns the outline of a rectangle around the origin.
    private func rectangle(_ width: Double, _ height: Double, radius: Double) -> [Point] {
        let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)]
        guard radius > 0.3 else { return corners.map { Point($0.0 * width / 2, $0.1 * height / 2) } }
        return corners.enumerated().flatMap { index, corner -> [Point] in
            let middle = Point(corner.0 * (width / 2 - radius), corner.1 * (height / 2 - radius))
            return (0...8).map { step in
                let angle = .pi + (Double(index) + Double(step) / 8) * .pi / 2
                return middle + Point(radius * cos(angle), radius * sin(angle))
            }
        }
    }

    /// Returns the outlines at a time as polygons.
    func polygons(at time: Double) -> [[Point]] {
        let center = Point(x.value(at: time), y.value(at: time))
        let (w, h) = (max(0, width.value(at: time)), max(0, height.value(at: time)))
        let (c, s) = (cos(rotation.value(at: time)), sin(rotation.value(at: time)))
        func placed(_ points: [Point]) -> [Point] {
            points.map { Point(center.x + $0.x * c - $0.y * s, center.y + $0.x * s + $0.y * c) }
        }
        func circle(_ width: Double, _ height: Double, from start: Double = 0, to end: Double = 2 * .pi) -> [Point] {
            (0...96).map { index in
                let angle = start + (end - start) * Double(index) / 96
                return Point(width / 2 * cos(angle), height / 2 * sin(angle))
            }
        }
        let line = lineWidth.value(at: time)
        switch kind {
        case .circle, .ellipse: return w > 0.5 ? [placed(circle(w, h))] : []
        case .rectangle:
            return [placed(rectangle(w, h, radius: min(cornerRadii.value(at: time), min(w, h) / 2)))]
        case .ring: return [placed(circle(w + line, h + line)), placed(circle(w - line, h - line))]
        case .arc, .roundArc:
            let first = start.value(at: time)
            let last = min(end.value(at: time), start.value(at: time) + 2 * .pi)
            guard last > first + 0.01 else { return [] }
            let outer = circle(w + line, w + line, from: first, to: last)
            let inner = circle(w - line, w - line, from: last, to: first)
            guard kind == .roundArc else { return [(outer + inner).map { $0 + center }] }
            func cap(_ angle: Double, from start: Double) -> [Point] {
                let middle = Point(w / 2 * cos(angle), w / 2 * sin(angle))
                return circle(line, line, from: start, to: start + .pi).map { $0 + middle }
            }
            return [(outer + cap(last, from: last) + inner + cap(first, from: first + .pi)).map { $0 + center }]
        case .outline: return outline.map { placed($0.map { $0 * w }) }
        case .morph: return morphOutlines(at: time)
        }
    }
}
