import Core

/// The history of a clip's thumbnails: the range of each pixel, and the sudden changes after which
/// it never returned.
struct ThumbnailHistory {
    /// The pixel ranges between two sudden changes.
    private struct Take {
        var start: Double
        /// The number of frames.
        var count = 1
        var low: [UInt8]
        var high: [UInt8]
        /// True for each pixel that changed suddenly when it began.
        var changed: [Bool]

        /// Adds a frame.
        mutating func add(_ frame: UnsafeBufferPointer<UInt8>) {
            widen(&low, &high, to: frame)
            count += 1
        }

        /// Adds the range of a later take.
        mutating func unite(_ other: Take) {
            for bound in [other.low, other.high] { bound.withUnsafeBufferPointer { widen(&low, &high, to: $0) } }
            count += other.count
        }
    }

    /// The difference of a channel, in codes, above which a pixel changes suddenly. Compression
    /// causes differences up to this between equal colours.
    private static let maxNoise = 30
    /// The percentage of pixels above which a sudden change is a cut. From one frame to the next,
    /// most of a loader's background stays.
    private static let cutPercent = 55
    /// The percentage of pixels above which a sudden change may be another scene on the same
    /// background, if it also exceeds earlier changes by `sceneFactor`.
    private static let scenePercent = 2
    private static let sceneFactor = 3
    /// The part of the pixels, one in 200, that counts as an earlier change in any case: that of a
    /// ball that starts to move.
    private static let startDivisor = 200
    /// The maximum number of takes, each with two thumbnails in memory. Later changes are not
    /// reported as cuts.
    private static let maxTakes = 24
    /// The percentage of pixels above which a permanent change is a cut.
    private static let lastingPercent = 3
    /// The minimum number of frames of a take. The range of fewer says too little.
    private static let minFrames = 4
    /// The distance in codes of two ranges of a pixel above which it changed permanently. A
    /// smaller one may be a slow change of the same colour, or noise.
    private static let minDistance = 24
    /// The margin around the moving region, in pixels of the thumbnails, for edges whose change is
    /// below the noise.
    private static let regionMargin = 4.0

    private let width: Int
    private let height: Int
    private var takes: [Take] = []
    private var last: [UInt8] = []
    private var largestChange = 0

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Adds a frame. Returns its time if it has nothing in common with the previous one.
    mutating func add(_ pixels: UnsafeBufferPointer<UInt8>, at time: Double) -> Double? {
        defer { last = Array(pixels) }
        guard !last.isEmpty else {
            takes = [Take(start: time, low: Array(pixels), high: Array(pixels), changed: [])]
            return nil
        }
        let count = width * height
        let changed = change(to: pixels, by: Self.maxNoise)
        if changed * 100 > count * Self.cutPercent { return time }
        let usual = max(largestChange, count / Self.startDivisor)
        if changed * 100 > count * Self.scenePercent, changed > Self.sceneFactor * usual, takes.count < Self.maxTakes {
            let flags = (0..<count).map { isChanged(pixels, $0, by: Self.maxNoise) }
            takes.append(Take(start: time, low: Array(pixels), high: Array(pixels), changed: flags))
        } else {
            largestChange = max(largestChange, changed)
            takes[takes.count - 1].add(pixels)
        }
        return nil
    }

    private func isChanged(_ pixels: UnsafeBufferPointer<UInt8>, _ pixel: Int, by limit: Int) -> Bool {
        (4 * pixel..<4 * pixel + 3).contains { abs(Int(pixels[$0]) - Int(last[$0])) > limit }
    }

    private func change(to pixels: UnsafeBufferPointer<UInt8>, by limit: Int) -> Int {
        last.withUnsafeBufferPointer { last in
            var changed = 0
            var index = 0
            while index < last.count {
                let r = Int(pixels[index]) - Int(last[index])
                let g = Int(pixels[index + 1]) - Int(last[index + 1])
                let b = Int(pixels[index + 2]) - Int(last[index + 2])
                if r > limit || r < -limit || g > limit || g < -limit || b > limit || b < -limit { changed += 1 }
                index += 4
            }
            return changed
        }
    }

    /// Returns the time at which a part of the frame changed suddenly and permanently; nil if there
    /// is none.
    func lastingChange() -> Double? {
        guard var before = takes.first else { return nil }
        // Each take merged with all later ones.
        var mergedTakes = takes
        for index in takes.indices.dropLast().reversed() { mergedTakes[index].unite(mergedTakes[index + 1]) }
        for (take, after) in zip(takes, mergedTakes).dropFirst() {
            defer { before.unite(take) }
            guard min(before.count, after.count) >= Self.minFrames else { continue }
            let lasting = take.changed.indices.filter { take.changed[$0] && isDisjoint(before, after, pixel: $0) }
            if lasting.count * 100 > Self.lastingPercent * width * height { return take.start }
        }
        return nil
    }

    /// Returns true if a pixel's ranges in two takes are disjoint.
    private func isDisjoint(_ before: Take, _ after: Take, pixel: Int) -> Bool {
        for channel in 4 * pixel..<4 * pixel + 3 {
            if Int(after.low[channel]) > Int(before.high[channel]) + Self.minDistance { return true }
            if Int(before.low[channel]) > Int(after.high[channel]) + Self.minDistance { return true }
        }
        return false
    }

    /// Returns the smallest rectangle that contains all changed pixels, with a margin, in pixels of
    /// the clip; nil if none changed.
    ///
    /// - Parameter shares: the permitted shares of changed pixels. Outside of them, returns nil.
    func movingRegion(
        noise: Int, in size: (width: Int, height: Int), shares: ClosedRange<Double> = 0...1
    ) -> PixelRect? {
        guard var whole = takes.first else { return nil }
        for take in takes.dropFirst() { whole.unite(take) }
        var left = Int.max
        var right = -1
        var top = Int.max
        var bottom = -1
        var count = 0
        for pixel in 0..<width * height {
            let moves = (4 * pixel..<4 * pixel + 3).contains { Int(whole.high[$0]) - Int(whole.low[$0]) > 2 * noise }
            guard moves else { continue }
            count += 1
            left = min(left, pixel % width)
            right = max(right, pixel % width)
            top = min(top, pixel / width)
            bottom = max(bottom, pixel / width)
        }
        guard right >= left, shares.contains(Double(count) / Double(width * height)) else { return nil }
        let scale = (x: Double(size.width) / Double(width), y: Double(size.height) / Double(height))
        let margin = Self.regionMargin * max(1, 1 / min(scale.x, scale.y))
        // Even corners keep the chroma samples, one per two pixels, where they belong.
        let x = max(0, Int((Double(left) - margin) * scale.x)) / 2 * 2
        let y = max(0, Int((Double(top) - margin) * scale.y)) / 2 * 2
        let maxX = min(size.width, Int((Double(right) + 1 + margin) * scale.x))
        let maxY = min(size.height, Int((Double(bottom) + 1 + margin) * scale.y))
        return PixelRect(x: x, y: y, width: maxX - x, height: maxY - y)
    }
}
