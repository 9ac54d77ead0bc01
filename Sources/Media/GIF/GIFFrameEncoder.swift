import Core

/// The options of GIF encoding.
package struct GIFEncodingOptions: Sendable {
    /// The palette of the clip.
    package let palette: Palette
    /// True to dither colours that are not in the palette, with a pattern that is the same in all
    /// frames.
    package let dithers: Bool

    /// Options with a palette. Exact palettes are never dithered.
    package init(palette: Palette, dithers: Bool = false) {
        self.palette = palette
        self.dithers = dithers && !palette.isExact
    }
}

/// An encoder of the successive frames of a segment. The disposal method of a frame depends on the
/// next frame, so each frame is returned when the next one is added.
///
/// Segments can be concatenated. Each one is drawn over the last frame of the segment before, or
/// over an empty canvas if pixels of that frame must be erased. Not thread-safe.
package final class GIFFrameEncoder {
    private let bounds: PixelRect
    private let mapper: IndexMapper
    private let boxEncoder: BoxEncoder
    private let isTranslucent: Bool
    /// The palette indices of the last frame; nil before the first one.
    private var last: [UInt8]?
    /// The palette indices on the canvas before the last frame; nil if they are unknown.
    private var canvas: [UInt8]?
    /// True if the last frame belongs to this segment and has not been returned.
    private var isPending = false
    /// True if the pending frame is the first one of the clip. It covers the whole canvas, since
    /// decoders differ in the initial colour of the canvas.
    private var isFirst = false
    /// The encoded last frame of an opaque clip.
    private var encoded: EncodedGIFFrame?
    /// The palette indices of the next frame.
    private var next: [UInt8]

    /// An encoder of frames of one size in pixels.
    package init(width: Int, height: Int, _ options: GIFEncodingOptions) {
        bounds = PixelRect(x: 0, y: 0, width: width, height: height)
        mapper = IndexMapper(options, width: width)
        boxEncoder = BoxEncoder(width: width)
        isTranslucent = options.palette.hasTransparency
        next = [UInt8](repeating: 0, count: width * height)
    }

    /// Starts a segment and discards a pending frame.
    ///
    /// - Parameter before: the last frame of the segment before; nil for the first segment.
    package func begin(after before: PixelView?) {
        last = nil
        canvas = nil
        isPending = false
        isFirst = before == nil
        encoded = nil
        guard let before else { return }
        mapper.map(before, in: [bounds], to: &next)
        last = next
    }

    /// Adds the next frame. It may differ from the frame before within `changes` only, except for
    /// the first frame of the segment. Returns the frame before it; nil for the first one.
    package func add(_ view: PixelView, changedIn changes: [PixelRect]) -> EncodedGIFFrame? {
        mapper.map(view, in: isPending ? changes : [bounds], to: &next)
        let finished = isTranslucent ? addTranslucent() : addOpaque()
        last = next
        isPending = true
        return finished
    }

    /// Ends the segment. Returns its last frame; nil if it has none.
    ///
    /// - Parameter after: the first frame of the next segment; nil for the last segment.
    package func finish(before after: PixelView?) -> EncodedGIFFrame? {
        defer { begin(after: nil) }
        guard isPending, isTranslucent, let last else { return encoded }
        guard let after else { return encodePending(last, erasing: nil) }
        mapper.map(after, in: [bounds], to: &next)
        return encodePending(last, erasing: erasedBox(of: last) == nil ? nil : bounds)
    }

    // MARK: Opaque clips

    private func addOpaque() -> EncodedGIFFrame? {
        let finished = encoded
        guard let last else {
            encoded = boxEncoder.encode(next, over: nil, in: bounds)
            return nil
        }
        let changed = next.box(differingFrom: last, width: bounds.width)
        var drawnOver = boxEncoder.encode(next, over: last, in: changed ?? GIFFrameEncoder.onePixel)
        if changed == nil { drawnOver = drawnOver.empty }
        // An object that moved away need not be painted over if the decoder restores the canvas
        // that was below the last frame.
        if let finished, let canvas, let changed, let box = next.box(differingFrom: canvas, width: bounds.width),
            box.area <= GIFFrameEncoder.maxRestoredRatio * changed.area
        {
            let restored = boxEncoder.encode(next, over: canvas, in: box)
            if restored.byteCount < drawnOver.byteCount {
                encoded = restored
                return finished.disposed(.restore)
            }
        }
        encoded = drawnOver
        canvas = last
        return finished
    }

    // MARK: Translucent clips

    /// Returns the pending frame. If pixels must be erased, its disposal clears its box, which is
    /// enlarged to contain them.
    private func addTranslucent() -> EncodedGIFFrame? {
        let erased = last.flatMap { erasedBox(of: $0) }
        guard isPending, let last else {
            canvas = erased == nil ? last ?? empty : empty
            return nil
        }
        return encodePending(last, erasing: erased)
    }

    /// Encodes the pending frame, and updates the canvas to its state after the frame's disposal.
    private func encodePending(_ frame: [UInt8], erasing erased: PixelRect?) -> EncodedGIFFrame? {
        guard let shown = canvas else { return nil }
        let changed = frame.box(differingFrom: shown, width: bounds.width)
        var box = isFirst ? bounds : changed ?? GIFFrameEncoder.onePixel
        if let erased { box = box.union(erased) }
        let result = boxEncoder.encode(frame, over: shown, in: box).translucent
        canvas = frame
        defer { isFirst = false }
        guard erased != nil else { return changed == nil && !isFirst ? result.empty : result }
        for y in box.y..<box.maxY {
            for index in y * bounds.width + box.x..<y * bounds.width + box.maxX { canvas?[index] = 0 }
        }
        return result.disposed(.clear)
    }

    private var empty: [UInt8] { [UInt8](repeating: 0, count: bounds.area) }

    /// Returns the box of the pixels that are visible in a frame but transparent in the next one;
    /// nil if there are none.
    private func erasedBox(of frame: [UInt8]) -> PixelRect? {
        guard let changed = next.box(differingFrom: frame, width: bounds.width) else { return nil }
        var erased: PixelRect?
        for y in changed.y..<changed.maxY {
            let row = y * bounds.width
            func isErased(_ x: Int) -> Bool { next[row + x] == 0 && frame[row + x] != 0 }
            guard let first = (changed.x..<changed.maxX).first(where: isErased),
                let last = (changed.x..<changed.maxX).last(where: isErased)
            else { continue }
            let box = PixelRect(x: first, y: y, width: last + 1 - first, height: 1)
            erased = erased?.union(box) ?? box
        }
        return erased
    }

    /// The maximum area of a box after the canvas is restored, relative to the box of the change.
    /// It limits the time of trying it to twice that of the frame itself.
    private static let maxRestoredRatio = 2

    /// The box of an empty frame, which must have at least one pixel.
    private static let onePixel = PixelRect(x: 0, y: 0, width: 1, height: 1)
}

extension [UInt8] {
    /// Returns the smallest box of the pixels in which two frames of the same width differ; nil if
    /// they are equal.
    fileprivate func box(differingFrom other: [UInt8], width: Int) -> PixelRect? {
        withUnsafeBufferPointer { mine in
            other.withUnsafeBufferPointer { theirs in
                func differs(_ row: Int) -> Bool {
                    memcmp(mine.baseAddress! + row * width, theirs.baseAddress! + row * width, width) != 0
                }
                let rows = 0..<count / width
                guard let top = rows.first(where: differs), let bottom = rows.last(where: differs) else { return nil }
                var left = width
                var right = -1
                for row in top...bottom where differs(row) {
                    let start = row * width
                    func differs(at x: Int) -> Bool { mine[start + x] != theirs[start + x] }
                    left = (0..<left).first(where: differs(at:)) ?? left
                    right = (right + 1..<width).last(where: differs(at:)) ?? right
                }
                return PixelRect(x: left, y: top, width: right + 1 - left, height: bottom + 1 - top)
            }
        }
    }
}
