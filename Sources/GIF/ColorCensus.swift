import Scene

/// Which colours a clip's pictures have, how many pixels of each, and in how many pictures they come up anew.
///
/// Memory is bounded: beyond `mostColors` neighbours count as one. The result does not depend on the order in which parts of
/// a clip are counted.
public struct ColorCensus: Sendable {
    /// A colour and its pixels, over all pictures.
    struct Entry: Sendable {
        var color: UInt32
        var pixels: Int
    }

    /// How many colours are told apart.
    public static let mostColors = 1 << 16

    private(set) var entries: [Entry] = []
    /// Whether any pixel shows nothing.
    public private(set) var hasTransparency = false
    /// Bits of each channel that are left out.
    private(set) var droppedBits = 0
    /// The colours that came up in each picture, of those with few, in the clip's order.
    private(set) var pictures: [[UInt32]] = []
    private var listedColors = 0
    private let limit: Int
    private var places = ColorPlaces()

    /// Of pictures with more colours than this, and once so many are listed, what came up in them is not kept.
    private static let (mostInPicture, mostListed) = (512, 1 << 17)

    /// A census of nothing yet.
    public init() { limit = ColorCensus.mostColors }

    init(limit: Int) { self.limit = limit }

    /// Counts pixels of a colour; fewer than none take back what was counted before.
    mutating func add(_ color: UInt32, pixels: Int) {
        let key = color & ColorCensus.mask(droppedBits)
        guard let place = places.find(key) else {
            places.add(key, entries.count)
            entries.append(Entry(color: key, pixels: pixels))
            if entries.count > limit { coarsen(to: droppedBits + 1) }
            return
        }
        entries[place].pixels += pixels
    }

    /// Adds what another part of the clip has.
    public mutating func add(_ other: ColorCensus) {
        hasTransparency = hasTransparency || other.hasTransparency
        if other.droppedBits > droppedBits { coarsen(to: other.droppedBits) }
        for entry in other.entries { add(entry.color, pixels: entry.pixels) }
        for colors in other.pictures { addPicture(colors) }
    }

    /// Keeps which colours came up in a picture, unless that is too much.
    mutating func addPicture(_ colors: [UInt32]) {
        guard colors.count <= ColorCensus.mostInPicture, listedColors + colors.count <= ColorCensus.mostListed else {
            return
        }
        listedColors += colors.count
        pictures.append(colors)
    }

    mutating func addTransparency() { hasTransparency = true }

    private mutating func coarsen(to bits: Int) {
        let old = entries
        (entries, places, droppedBits) = ([], ColorPlaces(), bits)
        for entry in old { add(entry.color, pixels: entry.pixels) }
    }

    /// The bits of a colour that are told apart.
    static func mask(_ droppedBits: Int) -> UInt32 { (0xFF << UInt32(droppedBits) & 0xFF) * 0x01_0101 }
}

/// Where colours are in a list: a hash table of 24-bit colours.
struct ColorPlaces: Sendable, Hashable {
    private var slots = [UInt64](repeating: 0, count: 1 << 10)
    private var count = 0

    /// The place of a colour, if it has one.
    @inline(__always)
    func find(_ color: UInt32) -> Int? {
        let mask = slots.count - 1
        var slot = ColorPlaces.hash(color) & mask
        while slots[slot] != 0 {
            if UInt32(truncatingIfNeeded: slots[slot]) == color { return Int(slots[slot] >> 32) - 1 }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Gives a new colour its place.
    mutating func add(_ color: UInt32, _ place: Int) {
        if 2 * count >= slots.count {
            let old = slots
            slots = [UInt64](repeating: 0, count: 2 * old.count)
            for entry in old where entry != 0 { insert(entry) }
        }
        insert(UInt64(place + 1) << 32 | UInt64(color))
        count += 1
    }

    private mutating func insert(_ entry: UInt64) {
        let mask = slots.count - 1
        var slot = ColorPlaces.hash(UInt32(truncatingIfNeeded: entry)) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }

    @inline(__always)
    private static func hash(_ color: UInt32) -> Int { Int((color &* 2_654_435_761) >> 8) }
}

/// Counts the pictures of a part of a clip, one after the other. Not for use from two threads at once.
public final class PictureCounter {
    /// What was counted so far.
    public private(set) var census = ColorCensus()
    private var shown: [UInt32] = []
    private var picturesLeft: Int

    /// A counter of so many pictures.
    public init(pictureCount: Int) { picturesLeft = pictureCount }

    /// Counts the next picture, of the same size as those before, which differs from the one before within `boxes` only.
    public func add(_ view: PixelView, changedIn boxes: [PixelRect]) {
        let isFirst = shown.isEmpty
        if isFirst { shown = [UInt32](repeating: 0, count: view.width * view.height) }
        var fresh = FreshColors()
        for box in isFirst ? [view.bounds] : boxes { count(view, box, isFirst: isFirst, &fresh) }
        let gains = fresh.gains.counts
        for (color, pixels) in gains { count(color, pixels * picturesLeft) }
        for (color, pixels) in fresh.losses.counts { count(color, -pixels * picturesLeft) }
        census.addPicture(gains.keys.filter { $0 != 0 }.map { $0 & 0xFF_FFFF }.sorted())
        picturesLeft -= 1
    }

    private func count(_ color: UInt32, _ pixels: Int) {
        guard color != 0 else { return pixels > 0 ? census.addTransparency() : () }
        census.add(color & 0xFF_FFFF, pixels: pixels)
    }

    private func count(_ view: PixelView, _ box: PixelRect, isFirst: Bool, _ fresh: inout FreshColors) {
        shown.withUnsafeMutableBufferPointer { shown in
            for y in box.y..<box.maxY {
                let row = view.pixels + y * view.stride
                for x in box.x..<box.maxX {
                    let (old, new) = (shown[y * view.width + x], row[x])
                    guard isFirst || old != new else { continue }
                    fresh.gains.add(new)
                    if !isFirst { fresh.losses.add(old) }
                    shown[y * view.width + x] = new
                }
            }
        }
    }
}

/// Pixels that became a colour, and that no longer have it, in one picture.
private struct FreshColors {
    /// Neighbours mostly have one colour, so that runs are counted.
    struct Runs {
        fileprivate var pixels: [UInt32: Int] = [:]
        fileprivate var run: (color: UInt32, pixels: Int) = (0, 0)

        @inline(__always)
        mutating func add(_ color: UInt32) {
            if color != run.color { end(beginning: color) }
            run.pixels += 1
        }

        fileprivate mutating func end(beginning color: UInt32) {
            if run.pixels > 0 { pixels[run.color, default: 0] += run.pixels }
            run = (color, 0)
        }

        /// The pixels of each colour.
        var counts: [UInt32: Int] {
            var whole = self
            whole.end(beginning: 0)
            return whole.pixels
        }
    }

    var gains = Runs()
    var losses = Runs()
}
