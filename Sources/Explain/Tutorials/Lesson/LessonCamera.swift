import Animations
import Core
import Render

/// The part of the canvas that a step's boards show.
enum CameraFrame: Sendable, Hashable {
    /// Everything that is drawn, or less of it where little of it moves.
    case motion
    /// The whole canvas.
    case canvas
    /// An object or a point of the construction, by name.
    case object(String)

    static let names = ["motion", "canvas"]

    /// True for a close-up of an object or point.
    var isObject: Bool { if case .object = self { true } else { false } }

    init(_ name: String) {
        switch name {
        case "motion": self = .motion
        case "canvas": self = .canvas
        default: self = .object(name)
        }
    }
}

/// The choice of the part of the canvas that a board shows.
struct LessonCamera {
    let survey: LoaderSurvey
    /// The range of model time that a step shows, in seconds; nil for the whole period.
    let span: Range<Rational>?
    var loader: any Loader { survey.loader }

    init(_ survey: LoaderSurvey, during span: Range<Rational>? = nil) {
        self.survey = survey
        self.span = span
    }

    /// The share of a board's shorter side that the moving parts fill. The limit of lessons is a
    /// third; the margins for names take the rest.
    static let minMotionShare = 0.45
    /// The minimum share of each side of a board that the margins for names leave.
    private static let minRoom = 0.35
    /// The number of instants at which motion is sampled.
    private static let samples = 40

    /// Returns the part of the canvas to show on a board, in points of the canvas.
    ///
    /// - Parameter panel: the board.
    func shown(_ view: LoaderView, in panel: Size, _ motions: inout MotionCache) -> Rect {
        let whole = content(of: view)
        switch view.frame {
        case .canvas: return Rect(size: loader.canvas)
        case .object: return closeUp(of: view) ?? whole
        case .motion:
            guard let moving = motions.motion(of: self) else { return whole }
            return closeUp(of: whole, moving: moving, margins: view.margins(in: panel), in: panel)
        }
    }

    /// Returns the part of the canvas to show on the boards of several loaders, which have the same
    /// scale. A loader without the object to frame, such as a recording, is shown like the others.
    static func shown(_ views: [LoaderView]) -> Rect? {
        let framed = views.compactMap { view -> Rect? in
            guard case .object(let name) = view.frame else { return nil }
            return LessonCamera(view.survey).surroundings(of: name)
        }
        let parts = framed.isEmpty ? views.map { LessonCamera($0.survey).content(of: $0) } : framed
        return Rect.union(of: parts)
    }

    /// Returns the close-up of an object that a view frames; nil for other views.
    func closeUp(of view: LoaderView) -> Rect? {
        guard case .object(let name) = view.frame else { return nil }
        return surroundings(of: name, and: view.targets)
    }

    /// Returns the part of the canvas that a view may show, which decides the shape of its board.
    func content(of view: LoaderView) -> Rect {
        if view.frame == .canvas { return Rect(size: loader.canvas) }
        return view.points?.isEmpty ?? false ? survey.used : survey.reached
    }

    /// The instants in the range at which motion is sampled.
    var instants: [Rational] {
        let start = span?.lowerBound ?? 0
        let length = span.map { $0.upperBound - $0.lowerBound } ?? loader.period
        return (0..<Self.samples).map {
            (start + length * Rational(Int128($0), Int128(Self.samples))).modulo(loader.period)
        }
    }

    /// Returns the part of `whole` in which the moving parts fill enough of the board.
    private func closeUp(of whole: Rect, moving: Rect, margins: Size, in panel: Size) -> Rect {
        guard let moving = whole.intersection(moving) else { return whole }
        let side = min(panel.width, panel.height)
        let room = Size(
            max(panel.width - margins.width, Self.minRoom * panel.width),
            max(panel.height - margins.height, Self.minRoom * panel.height))
        let minScale = Self.minMotionShare * side / max(moving.width, moving.height, 1)
        guard min(room.width / whole.width, room.height / whole.height) < minScale else { return whole }
        func part(_ low: Double, _ high: Double, around middle: Double, length: Double) -> (Double, Double) {
            let length = min(high - low, length)
            return (min(max(low, middle - length / 2), high - length), length)
        }
        let (x, width) = part(
            whole.x, whole.maxX, around: moving.center.x, length: max(moving.width, room.width / minScale))
        let (y, height) = part(
            whole.y, whole.maxY, around: moving.center.y, length: max(moving.height, room.height / minScale))
        return Rect(x: x, y: y, width: width, height: height)
    }

    /// The bounds of everything that changes in the range; nil if nothing does.
    var motion: Rect? {
        let frames = instants.map { loader.nodes(at: $0) }
        let pairs = zip(frames, frames.dropFirst() + frames.prefix(1))
        return Rect.union(of: pairs.compactMap { Node.changes(from: $0, to: $1) })
    }

    /// The space around a framed object, as a share of the longer side of what it draws, or of
    /// everything that is drawn if the loader does not know the object's drawing.
    private static let objectMargin = 0.14

    /// Returns the rectangle around everything that an object draws in the range, or around all
    /// positions of a point; nil if there is no such object or point. The rectangle contains the
    /// targets of callouts and measures, and what the object and they cover is in its middle.
    private func surroundings(of name: String, and targets: [String] = []) -> Rect? {
        guard let bounds = bounds(of: [name]), let all = self.bounds(of: [name] + targets) else { return nil }
        let isKnown = loader.drawing(ofObject: name, at: .zero) != nil
        let around = isKnown ? bounds : survey.reached
        let framed = bounds.expanded(by: Self.objectMargin * max(around.width, around.height))
        let whole = all.expanded(by: Self.edgeMargin * max(all.width, all.height))
        let size = Size(max(framed.width, whole.width), max(framed.height, whole.height))
        return Rect(
            x: all.center.x - size.width / 2, y: all.center.y - size.height / 2, width: size.width,
            height: size.height)
    }

    /// Returns the rectangle around everything that objects draw in the range and all positions of
    /// points.
    private func bounds(of names: [String]) -> Rect? {
        Rect.union(of: instants.flatMap { time in names.compactMap { box(of: $0, at: time) } })
    }

    private func box(of name: String, at time: Rational) -> Rect? {
        if let drawn = loader.bounds(ofObject: name, at: time) { return drawn }
        return loader.landmarks(at: time).first { $0.name == name }.map {
            Rect(x: $0.position.x, y: $0.position.y, width: 0, height: 0)
        }
    }
}

/// The motion in the ranges of model time that a lesson shows. Finding it takes as long as drawing
/// dozens of frames.
struct MotionCache {
    private var motions: [Range<Rational>?: Rect?] = [:]

    mutating func motion(of camera: LessonCamera) -> Rect? {
        if let known = motions[camera.span] { return known }
        let motion = camera.motion
        motions[camera.span] = .some(motion)
        return motion
    }
}

extension Node {
    /// Returns bounds of everything that differs between two display lists; nil if they are equal.
    static func changes(from old: [Node], to new: [Node]) -> Rect? {
        guard old.count == new.count else { return bounds(of: old + new) }
        return Rect.union(of: zip(old, new).compactMap { changes(from: $0, to: $1) })
    }

    private static func changes(from old: Node, to new: Node) -> Rect? {
        if old == new { return nil }
        guard case .group(let before) = old, case .group(let after) = new else { return bounds(of: [old, new]) }
        var same = before
        same.nodes = after.nodes
        guard same == after, after.opacity > 0, let inner = changes(from: before.nodes, to: after.nodes) else {
            return bounds(of: [old, new])
        }
        let outer = after.transform.bounds(of: inner)
        return bounds(of: [old, new]).flatMap { outer.intersection($0) }
    }
}
