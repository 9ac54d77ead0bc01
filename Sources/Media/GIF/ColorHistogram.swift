import Core

/// A colour histogram of a clip, with the colours that are new in each frame.
///
/// Memory is bounded: above `maxColors`, similar colours are merged. The result does not depend on
/// the order in which parts of a clip are added.
package struct ColorHistogram: Sendable {
    /// A colour and its number of pixels in all frames.
    struct Entry: Sendable {
        var color: UInt32
        var pixels: Int
    }

    /// The maximum number of distinct colours, which bounds the memory.
    package static let maxColors = 1 << 16

    private(set) var entries: [Entry] = []
    /// True if any pixel is transparent.
    package private(set) var hasTransparency = false
    /// The number of low bits that are dropped from each channel to merge colours.
    private(set) var droppedBits = 0
    /// The new colours of each frame in clip order. Frames with many new colours are not included.
    private(set) var newColorsByFrame: [[UInt32]] = []
    private var listedColors = 0
    private let limit: Int
    private var indices = ColorIndexTable()

    /// The maximum number of new colours of a frame in `newColorsByFrame`. The order of palette
    /// entries only matters for frames of less than half a palette.
    private static let maxPerFrame = 512
    /// The maximum number of colours in `newColorsByFrame`, which bounds its memory.
    private static let maxListed = 1 << 17

    /// An empty histogram.
    package init() { limit = ColorHistogram.maxColors }

    init(limit: Int) { self.limit = limit }

    /// Adds pixels of a colour. A negative number removes pixels that were added before.
    mutating func add(_ color: UInt32, pixels: Int) {
        let key = color & ColorHistogram.mask(droppedBits)
        guard let index = indices.find(key) else {
            indices.add(key, entries.count)
            entries.append(Entry(color: key, pixels: pixels))
            if entries.count > limit { coarsen(to: droppedBits + 1) }
            return
        }
        entries[index].pixels += pixels
    }

    /// Adds the histogram of another part of the clip.
    package mutating func add(_ other: ColorHistogram) {
        hasTransparency = hasTransparency || other.hasTransparency
        if other.droppedBits > droppedBits { coarsen(to: other.droppedBits) }
        for entry in other.entries { add(entry.color, pixels: entry.pixels) }
        for colors in other.newColorsByFrame { addNewColors(colors) }
    }

    /// Records the new colours of a frame, unless a limit is reached.
    mutating func addNewColors(_ colors: [UInt32]) {
        guard colors.count <= ColorHistogram.maxPerFrame, listedColors + colors.count <= ColorHistogram.maxListed else {
            return
        }
        listedColors += colors.count
        newColorsByFrame.append(colors)
    }

    mutating func addTransparency() { hasTransparency = true }

    private mutating func coarsen(to bits: Int) {
        let old = entries
        entries = []
        indices = ColorIndexTable()
        droppedBits = bits
        for entry in old { add(entry.color, pixels: entry.pixels) }
    }

    /// Returns the mask for the bits of a colour that remain.
    static func mask(_ droppedBits: Int) -> UInt32 { (0xFF << UInt32(droppedBits) & 0xFF) * 0x01_0101 }
}

/// A hash table from 24-bit colours to indices.
struct ColorIndexTable: Sendable, Hashable {
    private var slots = [UInt64](repeating: 0, count: 1 << 10)
    private var count = 0

    /// Returns the index of a colour; nil if it is not in the table.
    @inline(__always)
    func find(_ color: UInt32) -> Int? {
        let mask = slots.count - 1
        var slot = ColorIndexTable.hash(color) & mask
        while slots[slot] != 0 {
            if UInt32(truncatingIfNeeded: slots[slot]) == color { return Int(slots[slot] >> 32) - 1 }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds a colour that is not in the table.
    mutating func add(_ color: UInt32, _ index: Int) {
        if 2 * count >= slots.count {
            let old = slots
            slots = [UInt64](repeating: 0, count: 2 * old.count)
            for entry in old where entry != 0 { insert(entry) }
        }
        insert(UInt64(index + 1) << 32 | UInt64(color))
        count += 1
    }

    private mutating func insert(_ entry: UInt64) {
        let mask = slots.count - 1
        var slot = ColorIndexTable.hash(UInt32(truncatingIfNeeded: entry)) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }

    @inline(__always)
    /// Returns a multiplicative hash, whose factor is 2^32 divided by the golden ratio.
    private static func hash(_ color: UInt32) -> Int { Int((color &* 2_654_435_761) >> 8) }
}

/// A counter of the colours in successive frames of a part of a clip. Not thread-safe.
package final class FrameColorCounter {
    /// The histogram of the frames so far. It counts each pixel as if it stayed until the last
    /// frame.
    package private(set) var histogram = ColorHistogram()
    private var lastPixels: [UInt32] = []
    private var remainingFrames: Int

    /// A counter for a number of frames.
    package init(frameCount: Int) { remainingFrames = frameCount }

    /// Counts the next frame, of the same size as the others. It may differ from the frame before
    /// within `boxes` only.
    package func add(_ view: PixelView, changedIn boxes: [PixelRect]) {
        let isFirst = lastPixels.isEmpty
        if isFirst { lastPixels = [UInt32](repeating: 0, count: view.width * view.height) }
        var changes = ColorChanges()
        for box in isFirst ? [view.bounds] : boxes { count(view, box, isFirst: isFirst, &changes) }
        let gained = changes.gained.counts
        for (color, pixels) in gained { count(color, pixels * remainingFrames) }
        for (color, pixels) in changes.lost.counts { count(color, -pixels * remainingFrames) }
        histogram.addNewColors(gained.keys.filter { $0 != 0 }.map { $0 & 0xFF_FFFF }.sorted())
        remainingFrames -= 1
    }

    private func count(_ color: UInt32, _ pixels: Int) {
        guard color != 0 else { return pixels > 0 ? histogram.addTransparency() : () }
        histogram.add(color & 0xFF_FFFF, pixels: pixels)
    }

    private func count(_ view: PixelView, _ box: PixelRect, isFirst: Bool, _ changes: inout ColorChanges) {
        lastPixels.withUnsafeMutableBufferPointer { lastPixels in
            for y in box.y..<box.maxY {
                let row = view.pixels + y * view.stride
                for x in box.x..<box.maxX {
                    let old = lastPixels[y * view.width + x]
                    let new = row[x]
                    guard isFirst || old != new else { continue }
                    changes.gained.add(new)
                    if !isFirst { changes.lost.add(old) }
                    lastPixels[y * view.width + x] = new
                }
            }
        }
    }
}

/// The numbers of pixels that gained and lost each colour in one frame.
private struct ColorChanges {
    /// A count of pixels by colour. Adjacent pixels usually have the same colour, so it counts
    /// runs.
    struct RunCounter {
        fileprivate var pixels: [UInt32: Int] = [:]
        fileprivate var run: (color: UInt32, pixels: Int) = (0, 0)

        @inline(__always)
        mutating func add(_ color: UInt32) {
            if color != run.color { startRun(of: color) }
            run.pixels += 1
        }

        fileprivate mutating func startRun(of color: UInt32) {
            if run.pixels > 0 { pixels[run.color, default: 0] += run.pixels }
            run = (color, 0)
        }

        /// The number of pixels of each colour.
        var counts: [UInt32: Int] {
            var copy = self
            copy.startRun(of: 0)
            return copy.pixels
        }
    }

    var gained = RunCounter()
    var lost = RunCounter()
}
