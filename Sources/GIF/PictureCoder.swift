import Platform
import Scene

/// How pictures become indices.
public struct GIFCoding: Sendable {
    /// The clip's colours.
    public let palette: Palette
    /// Whether colours that are not in the palette are mixed of two, in a pattern that stands still.
    public let dithers: Bool

    /// A way to code with a palette.
    public init(palette: Palette, dithers: Bool = false) {
        (self.palette, self.dithers) = (palette, dithers && !palette.isExact)
    }
}

/// Codes the pictures of a part of a clip, one after the other. What becomes of a picture when the next one is shown depends
/// on the next one, so that each is finished when the one after it is known.
///
/// Parts fit together whatever is in them: each begins over the last picture of the one before as it is, or over nothing if
/// more than that has to go. Not for use from two threads at once.
public final class PictureCoder {
    private let bounds: PixelRect
    private let mapper: IndexMapper
    private let boxes: BoxCoder
    private let isTranslucent: Bool
    /// The last picture; and what is shown before it, nil if that is not to be had.
    private var last: [UInt8]?
    private var canvas: [UInt8]?
    /// Whether the last picture is one of this part, and has not been returned.
    private var isWaiting = false
    /// Whether it is the clip's first: readers differ in what there is where that shows nothing, unless it says so.
    private var isFirst = false
    /// The last picture without holes behind it, coded already.
    private var coded: CodedPicture?
    private var next: [UInt8]

    /// A coder of pictures of one size in pixels.
    public init(width: Int, height: Int, _ coding: GIFCoding) {
        bounds = PixelRect(x: 0, y: 0, width: width, height: height)
        mapper = IndexMapper(coding, width: width)
        boxes = BoxCoder(width: width)
        isTranslucent = coding.palette.hasTransparency
        next = [UInt8](repeating: 0, count: width * height)
    }

    /// Begins a part: nothing waits any more.
    ///
    /// - Parameter before: the last picture of the part before; nil if there is none.
    public func begin(after before: PixelView?) {
        (last, canvas, isWaiting, isFirst, coded) = (nil, nil, false, before == nil, nil)
        guard let before else { return }
        mapper.map(before, in: [bounds], to: &next)
        last = next
    }

    /// Takes the next picture, which differs from the one before within `changes` only; the part's first one may differ
    /// anywhere. Returns the picture before it, if that is one of this part.
    public func add(_ view: PixelView, changedIn changes: [PixelRect]) -> CodedPicture? {
        mapper.map(view, in: isWaiting ? changes : [bounds], to: &next)
        let finished = isTranslucent ? addTranslucent() : addOpaque()
        (last, isWaiting) = (next, true)
        return finished
    }

    /// Ends the part. Returns its last picture; nil if it has none.
    ///
    /// - Parameter after: the first picture of the part that follows; nil if there is none.
    public func finish(before after: PixelView?) -> CodedPicture? {
        defer { begin(after: nil) }
        guard isWaiting, isTranslucent, let last else { return coded }
        guard let after else { return codeLast(last, erasing: nil) }
        mapper.map(after, in: [bounds], to: &next)
        return codeLast(last, erasing: erasedBox(of: last) == nil ? nil : bounds)
    }

    // MARK: Pictures that fill all of the screen

    private func addOpaque() -> CodedPicture? {
        let finished = coded
        guard let last else {
            coded = boxes.code(next, over: nil, in: bounds)
            return nil
        }
        let changed = next.box(differingFrom: last, width: bounds.width)
        var kept = boxes.code(next, over: last, in: changed ?? PictureCoder.nothing)
        if changed == nil { kept = kept.empty }
        // What moves away need not be painted over if what it covered can be brought back.
        if let finished, let canvas, let changed, let box = next.box(differingFrom: canvas, width: bounds.width),
            box.area <= 2 * changed.area
        {
            let restored = boxes.code(next, over: canvas, in: box)
            if restored.byteCount < kept.byteCount {
                coded = restored
                return finished.disposed(.restore)
            }
        }
        (coded, canvas) = (kept, last)
        return finished
    }

    // MARK: Pictures with holes

    /// Where something is shown that shall go, the picture before is taken away, with all of its box.
    private func addTranslucent() -> CodedPicture? {
        let erased = last.flatMap { erasedBox(of: $0) }
        guard isWaiting, let last else {
            canvas = erased == nil ? last ?? empty : empty
            return nil
        }
        return codeLast(last, erasing: erased)
    }

    /// Codes the picture that waits, and lets the canvas be what is left of it.
    private func codeLast(_ picture: [UInt8], erasing erased: PixelRect?) -> CodedPicture? {
        guard let shown = canvas else { return nil }
        let changed = picture.box(differingFrom: shown, width: bounds.width)
        var box = isFirst ? bounds : changed ?? PictureCoder.nothing
        if let erased { box = box.union(erased) }
        let result = boxes.code(picture, over: shown, in: box).translucent
        canvas = picture
        defer { isFirst = false }
        guard erased != nil else { return changed == nil && !isFirst ? result.empty : result }
        for y in box.y..<box.maxY {
            for place in y * bounds.width + box.x..<y * bounds.width + box.maxX { canvas?[place] = 0 }
        }
        return result.disposed(.clear)
    }

    private var empty: [UInt8] { [UInt8](repeating: 0, count: bounds.area) }

    /// The box of what a picture shows where the next one shows nothing; nil if there is no such pixel.
    private func erasedBox(of picture: [UInt8]) -> PixelRect? {
        guard let changed = next.box(differingFrom: picture, width: bounds.width) else { return nil }
        var erased: PixelRect?
        for y in changed.y..<changed.maxY {
            let row = y * bounds.width
            func isErased(_ x: Int) -> Bool { next[row + x] == 0 && picture[row + x] != 0 }
            guard let first = (changed.x..<changed.maxX).first(where: isErased),
                let last = (changed.x..<changed.maxX).last(where: isErased)
            else { continue }
            let box = PixelRect(x: first, y: y, width: last + 1 - first, height: 1)
            erased = erased?.union(box) ?? box
        }
        return erased
    }

    /// The box of a picture that changes nothing.
    private static let nothing = PixelRect(x: 0, y: 0, width: 1, height: 1)
}

extension [UInt8] {
    /// The smallest box outside of which two pictures are the same, both of one width; nil if they are.
    fileprivate func box(differingFrom other: [UInt8], width: Int) -> PixelRect? {
        withUnsafeBufferPointer { mine in
            other.withUnsafeBufferPointer { theirs in
                func differs(_ row: Int) -> Bool {
                    memcmp(mine.baseAddress! + row * width, theirs.baseAddress! + row * width, width) != 0
                }
                let rows = 0..<count / width
                guard let top = rows.first(where: differs), let bottom = rows.last(where: differs) else { return nil }
                var (left, right) = (width, -1)
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
