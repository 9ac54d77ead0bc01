import Animations
import Core
import Raster

/// The part of a canvas in which anything is ever drawn, found by drawing frames at a small size.
final class DrawnArea {
    /// The longer side of the bitmap in pixels. The area is larger than what is drawn by less than
    /// a pixel, so by at most 1/512 of the canvas.
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
        guard let box else { return nil }
        let pixels = Rect(
            x: Double(box.left) / scale, y: Double(box.top) / scale,
            width: Double(box.right + 1 - box.left) / scale, height: Double(box.bottom + 1 - box.top) / scale)
        return nodeBounds.flatMap(pixels.intersection) ?? pixels
    }

    /// Adds what a scene draws.
    func add(_ scene: Scene) throws(RasterError) {
        let pixmap = rasterizer.pixmap
        if plain.isEmpty {
            try rasterizer.draw(Scene(size: scene.size, background: scene.background, nodes: []))
            plain = Array(UnsafeBufferPointer(start: pixmap.data, count: 4 * pixmap.width))
        }
        try rasterizer.draw(scene)
        if let bounds = scene.bounds { nodeBounds = nodeBounds?.union(bounds) ?? bounds }
        for y in 0..<pixmap.height {
            let row = pixmap.data + y * pixmap.stride
            // What is inside the known area cannot extend it.
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

    /// The part of a canvas that a trimmed clip shows: what the scenes draw and a margin, in whole
    /// points and whole even pixels. Nil if the request does not trim or nothing is drawn.
    func trimmedCanvas(
        of size: Size, defaultScale: Rational, _ scenes: some Sequence<[Scene]>
    ) throws -> Rect? {
        guard isTrimmed else {
            guard trimMargin == nil else {
                throw LoadervidError(.usage, "trim-margin: needs trim; add it", subjects: .options("trim-margin"))
            }
            return nil
        }
        if let trimMargin, !Self.trimMarginLimits.contains(trimMargin) {
            throw LoadervidError(
                .usage,
                "trim-margin: \(trimMargin) is outside the range \(Self.trimMarginLimits.lowerBound)..."
                    + "\(Self.trimMarginLimits.upperBound) points", subjects: .options("trim-margin"))
        }
        let area: DrawnArea
        do {
            area = try DrawnArea(size)
            for scene in scenes.joined() { try area.add(scene) }
        } catch { throw LoadervidError(error) }
        guard let bounds = area.bounds else { return nil }
        let step = trimStep(defaultScale)
        let drawn = bounds.expanded(by: (trimMargin ?? Self.defaultTrimMargin).double)
        func low(_ value: Double) -> Double { max(0, (value / step).rounded(.down) * step) }
        func high(_ value: Double, _ limit: Double) -> Double { min(limit, (value / step).rounded(.up) * step) }
        let (left, top) = (low(drawn.x), low(drawn.y))
        return Rect(
            x: left, y: top, width: high(drawn.maxX, size.width) - left, height: high(drawn.maxY, size.height) - top)
    }

    /// The part of a canvas that a trimmed still shows: what is drawn in the loader's period.
    public func trimmedCanvas(of renderer: LoaderRenderer) throws -> Rect? {
        let period = renderer.loader.period
        let count = min(max(1, (period * Self.stillRate).floor), Self.maxStillSamples)
        let scenes = (0..<count).lazy.map { [renderer.scene(at: period * Rational($0) / Rational(count))] }
        return try trimmedCanvas(of: renderer.size, defaultScale: renderer.defaultScale, scenes)
    }

    /// The number of instants per second of the period that a trimmed still takes into account, as
    /// many as a clip has frames by default, and their maximum.
    private static let stillRate = Rational(60)
    private static let maxStillSamples = 2_000

    /// The fewest points that are whole even pixels; one point if there is no such number.
    private func trimStep(_ defaultScale: Rational) -> Double {
        guard case .scale(let scale) = pictureSize ?? .scale(defaultScale) else { return 1 }
        let step = (1...16).first { ((scale * Rational($0)) / 2).modulo(1) == .zero }
        return Double(step ?? 1)
    }
}

extension Scene {
    /// The part of the scene in a rectangle.
    public func trimmed(to part: Rect) -> Scene {
        let shift = AffineTransform.translation(Point(-part.x, -part.y))
        // A group for each node, because the rasterizer caches nodes that stay the same.
        return Scene(
            size: Size(part.width, part.height), background: background,
            nodes: nodes.map { .group(Group(transform: shift, nodes: [$0])) })
    }
}
