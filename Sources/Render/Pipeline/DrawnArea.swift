import Animations
import Core
import Raster

/// The part of a canvas in which anything is ever drawn, found by drawing frames at a small size.
final class DrawnArea {
    /// The longer side of the bitmap in pixels. On each side, the area exceeds the drawing by less
    /// than one of its pixels, 1/512 of the canvas's longer side.
    private static let side = 512.0

    private let scale: Double
    private let rasterizer: Rasterizer
    /// A row of the background.
    private var plain: [UInt8] = []
    /// The first and last column and row that differ from the background; nil if none do.
    private var box: (left: Int, top: Int, right: Int, bottom: Int)?
    /// The bounds of all nodes in points, which are exact for many shapes and larger for others.
    private var nodeBounds: Rect?

    init(_ size: Size) throws(RasterError) {
        scale = Self.side / max(size.width, size.height)
        let width = max(1, Int((size.width * scale).rounded(.up)))
        let height = max(1, Int((size.height * scale).rounded(.up)))
        rasterizer = try Rasterizer(width: width, height: height)
    }

    /// The area in points; nil if nothing was drawn.
    var bounds: Rect? {
        pixelBounds.map { pixels in nodeBounds.flatMap(pixels.intersection) ?? pixels }
    }

    /// The pixels in which anything was drawn, in points.
    private var pixelBounds: Rect? {
        box.map { box in
            Rect(
                x: Double(box.left) / scale, y: Double(box.top) / scale,
                width: Double(box.right + 1 - box.left) / scale, height: Double(box.bottom + 1 - box.top) / scale)
        }
    }

    /// Extends the area by the pixels that a scene draws.
    func add(_ scene: Scene) throws(RasterError) {
        let sceneBounds = scene.bounds
        // Nodes within the known area cannot extend it.
        if let sceneBounds, let pixelBounds, pixelBounds.contains(sceneBounds) {
            nodeBounds = nodeBounds?.union(sceneBounds)
            return
        }
        let pixmap = rasterizer.pixmap
        if plain.isEmpty {
            try rasterizer.draw(Scene(size: scene.size, background: scene.background, nodes: []))
            plain = Array(UnsafeBufferPointer(start: pixmap.data, count: 4 * pixmap.width))
        }
        try rasterizer.draw(scene)
        if let sceneBounds { nodeBounds = nodeBounds?.union(sceneBounds) ?? sceneBounds }
        for y in 0..<pixmap.height {
            let row = pixmap.data + y * pixmap.stride
            // Pixels inside the known area cannot extend it.
            if let box, box.top...box.bottom ~= y {
                add(row, y, 0..<box.left)
                add(row, y, (box.right + 1)..<pixmap.width)
            } else {
                add(row, y, 0..<pixmap.width)
            }
        }
    }

    /// Extends the area by the pixels of a part of a row that differ from the background.
    private func add(_ row: UnsafePointer<UInt8>, _ y: Int, _ columns: Range<Int>) {
        func differs(_ column: Int) -> Bool {
            (4 * column..<4 * column + 4).contains { row[$0] != plain[$0] }
        }
        let isPlain = plain.withUnsafeBytes { plain in
            plain.baseAddress.map {
                memcmp(row + 4 * columns.lowerBound, $0 + 4 * columns.lowerBound, 4 * columns.count) == 0
            }
        }
        guard isPlain != true, let first = columns.first(where: differs), let last = columns.last(where: differs)
        else { return }
        let known = box ?? (first, y, last, y)
        box = (min(known.left, first), min(known.top, y), max(known.right, last), max(known.bottom, y))
    }
}

extension LoaderRequest {
    /// The range of the margin around a trimmed clip, in points.
    static let trimMarginLimits = Rational(0)...Rational(1000)
    /// The margin unless the request has one: 8 pixels at the default scale.
    static let defaultTrimMargin = Rational(2)

    /// Returns the part of a canvas, in points, that a trimmed clip shows: the area drawn at any of
    /// the model times and a margin, rounded out to whole points and to an even number of pixels.
    /// Returns nil if the request does not trim or nothing is drawn. Throws `LoadervidError` if the
    /// margin is invalid.
    func trimmedCanvas(of renderer: LoaderRenderer, at times: @autoclosure () -> TrimTimes) throws -> Rect? {
        guard isTrimmed else {
            guard trimMargin == nil else {
                throw LoadervidError(
                    .usage, "\(option: "trim-margin"): the clip is not trimmed; add \(option: "trim")",
                    subjects: .options("trim-margin"))
            }
            return nil
        }
        if let trimMargin, !Self.trimMarginLimits.contains(trimMargin) {
            throw LoadervidError(
                .usage,
                "\(option: "trim-margin"): \(trimMargin) is outside the range \(Self.trimMarginLimits.lowerBound)..."
                    + "\(Self.trimMarginLimits.upperBound) points", subjects: .options("trim-margin"))
        }
        let size = renderer.size
        let area: DrawnArea
        do {
            area = try DrawnArea(size)
            for time in times().all { try area.add(renderer.scene(at: time, normal: time)) }
        } catch { throw LoadervidError(error) }
        guard let bounds = area.bounds else { return nil }
        let step = trimStep(renderer.defaultScale)
        let drawn = bounds.expanded(by: (trimMargin ?? Self.defaultTrimMargin).double)
        func low(_ value: Double) -> Double { max(0, (value / step).rounded(.down) * step) }
        func high(_ value: Double, _ limit: Double) -> Double { min(limit, (value / step).rounded(.up) * step) }
        let left = low(drawn.x)
        let top = low(drawn.y)
        return Rect(
            x: left, y: top, width: high(drawn.maxX, size.width) - left, height: high(drawn.maxY, size.height) - top)
    }

    /// Returns the part of a canvas, in points, that a trimmed still shows: the area drawn at any
    /// time of the loader's period and a margin. Returns nil if the request does not trim or
    /// nothing is drawn. Throws `LoadervidError` if the margin is invalid.
    package func trimmedCanvas(of renderer: LoaderRenderer) throws -> Rect? {
        try trimmedCanvas(of: renderer, at: TrimTimes(.zero..<renderer.loader.period, period: renderer.loader.period))
    }

    /// Returns the grid, in points, to which the part is rounded: the smallest whole number of
    /// points that is an even number of pixels, or two pixels if that exceeds 16 points, as at
    /// scale 1.3. A coarser grid would widen the margin visibly.
    private func trimStep(_ defaultScale: Rational) -> Double {
        guard case .scale(let scale) = frameSize ?? .scale(defaultScale) else { return 1 }
        let step = (1...16).first { ((scale * Rational($0)) / 2).modulo(1) == .zero }
        return step.map(Double.init) ?? (2 / scale).double
    }
}

/// The model times at which a loader is drawn to find the area that a trimmed clip shows. They do
/// not depend on the frame rate, so all formats of a clip have the same size.
struct TrimTimes {
    /// The number of instants per second of model time: between two of them, a point at 1,000
    /// points per second moves by four times the default margin, and back at a turn by far less.
    private static let rate = Rational(120)
    /// The maximum number of instants; longer ranges have fewer per second.
    private static let maxCount = 4_000
    /// The distance of the last instant from the end of a cut, as a fraction of an interval. The
    /// end itself may already show what follows a jump.
    private static let endShare = Rational(1, 1000)

    /// The times in seconds.
    let all: [Rational]

    private init(all: [Rational]) { self.all = all }

    /// The instants of a range of model time. A cut may end within a motion, so there is one just
    /// before its end; a whole period ends where it begins.
    init(_ range: Range<Rational>, period: Rational) {
        let length = range.upperBound - range.lowerBound
        let count = min(max(1, (length * Self.rate).ceiling), Self.maxCount)
        let interval = length / Rational(count)
        let isCut = range.upperBound.modulo(period) != .zero
        all =
            (0..<count).map { range.lowerBound + interval * Rational($0) }
            + (isCut ? [range.upperBound - interval * Self.endShare] : [])
    }

    /// The instants that a requested clip of a timeline shows.
    init(_ timeline: Timeline, _ request: RenderRequest, period: Rational) {
        // The panel at normal speed shows the whole range.
        guard !request.isSideBySide else {
            self.init(timeline.range, period: period)
            return
        }
        var shown = timeline.duration
        if case .duration(let seconds) = request.extent { shown = min(shown, seconds) }
        guard !request.isStepped else {
            let boundaries = timeline.boundaries.filter { $0.output < shown }
            self.init(all: [timeline.range.lowerBound] + boundaries.map(\.model))
            return
        }
        let end = shown < timeline.duration ? timeline.modelTime(at: shown) : timeline.range.upperBound
        self.init(timeline.range.lowerBound..<end, period: period)
    }
}

extension Scene {
    /// Returns the part of the scene in a rectangle in points.
    package func trimmed(to part: Rect) -> Scene {
        let shift = AffineTransform.translation(Point(-part.x, -part.y))
        // A group for each node, because the rasterizer caches nodes that stay the same.
        return Scene(
            size: Size(part.width, part.height), background: background,
            nodes: nodes.map { .group(Group(transform: shift, nodes: [$0])) })
    }
}
