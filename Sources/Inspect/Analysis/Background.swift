/// The background of a clip, including areas that are never seen uncovered.
///
/// A pixel that hardly changes is its own background. Where objects move, each pixel has several
/// candidate colours, and the one that continues the background beside it wins. If none does, the
/// pixel is always covered by some object and takes its neighbour's colour.
struct Background {
    /// RGBA samples, with the dimensions of the view.
    let pixels: [UInt8]

    /// A colour that a pixel had, and the number of frames in which it had it.
    private struct Mode {
        var color: RGB
        var count: Int
    }

    /// The maximum difference, in codes, that compression causes between equal colours.
    static let tolerance = 30
    /// The share of frames in which a pixel must have one colour to be its own background.
    private static let dominance = 0.9
    /// The maximum numbers of a changing pixel's colours that are collected and that are kept. A
    /// gradient that moves has more.
    private static let maxModes = (collected: 12, kept: 4)
    /// The share of frames in which a pixel must have a colour is one divided by this. A rarer
    /// colour is that of an edge that passes.
    private static let minShareDivisor = 24

    init(_ samples: ClipSamples) {
        let width = samples.view.width
        let height = samples.view.height
        var growth = BackgroundGrowth(width: width, height: height)
        let isStill = Background.stillness(samples)
        for pixel in 0..<width * height where !isStill[pixel] {
            growth.modes[pixel] = Background.modes(samples.frames, pixel)
        }
        growth.seedStill(samples.frames[samples.frames.count / 2], isStill)
        growth.grow()
        pixels = growth.pixels
    }

    /// Returns true for each pixel that never changes by more than the tolerance.
    private static func stillness(_ samples: ClipSamples) -> [Bool] {
        var low = samples.frames[0]
        var high = samples.frames[0]
        for frame in samples.frames.dropFirst() {
            frame.withUnsafeBufferPointer { widen(&low, &high, to: $0) }
        }
        return (0..<low.count / 4).map { pixel in
            let index = 4 * pixel
            return Int(high[index]) - Int(low[index]) <= tolerance
                && Int(high[index + 1]) - Int(low[index + 1]) <= tolerance
                && Int(high[index + 2]) - Int(low[index + 2]) <= tolerance
        }
    }

    /// Returns up to four colours of a pixel, the most frequent first.
    private static func modes(_ frames: [[UInt8]], _ pixel: Int) -> [BackgroundGrowth.ColorShare] {
        var modes: [Mode] = []
        for frame in frames {
            let color = frame.withUnsafeBufferPointer { RGB($0, pixel) }
            if let known = modes.firstIndex(where: { $0.color.distance(to: color) <= tolerance / 2 }) {
                modes[known].count += 1
            } else if modes.count < maxModes.collected {
                modes.append(Mode(color: color, count: 1))
            }
        }
        modes.sort { $0.count > $1.count }
        let minCount = max(1, frames.count / minShareDivisor)
        return modes.prefix(maxModes.kept).filter { $0.count >= minCount }.map {
            BackgroundGrowth.ColorShare(color: $0.color, share: Double($0.count) / Double(frames.count))
        }
    }

    /// Region growing: extends the background from the edge of the frame inward.
    private struct BackgroundGrowth {
        struct ColorShare {
            var color: RGB
            var share: Double
        }

        let width: Int
        let height: Int
        /// The candidate colours of changing pixels; empty for still ones.
        var modes: [[ColorShare]]
        var pixels: [UInt8]
        private var still: [UInt8] = []
        private var isStill: [Bool] = []
        private var isKnown: [Bool]
        /// True for each pixel that is always covered and took its neighbour's colour.
        private var isCovered: [Bool]
        /// The still colour at which the growth of a pixel's background began. Soft edges must not
        /// lead away from it step by step.
        private var anchors: [RGB]
        private var queue: [Int] = []

        init(width: Int, height: Int) {
            self.width = width
            self.height = height
            let count = width * height
            modes = Array(repeating: [], count: count)
            pixels = Array(repeating: 255, count: 4 * count)
            isKnown = Array(repeating: false, count: count)
            isCovered = isKnown
            anchors = Array(repeating: RGB(255, 255, 255), count: count)
        }

        private func neighbours(of pixel: Int) -> [Int] {
            let (x, y) = (pixel % width, pixel / width)
            var found: [Int] = []
            if x > 0 { found.append(pixel - 1) }
            if x < width - 1 { found.append(pixel + 1) }
            if y > 0 { found.append(pixel - width) }
            if y < height - 1 { found.append(pixel + width) }
            return found
        }

        private mutating func set(_ pixel: Int, _ color: RGB, anchor: RGB? = nil) {
            anchors[pixel] = anchor ?? color
            pixels[4 * pixel] = UInt8(clamping: color.red)
            pixels[4 * pixel + 1] = UInt8(clamping: color.green)
            pixels[4 * pixel + 2] = UInt8(clamping: color.blue)
            isKnown[pixel] = true
        }

        private func color(_ pixel: Int) -> RGB { pixels.withUnsafeBufferPointer { RGB($0, pixel) } }

        /// Returns the colour that a pixel has in nearly all frames; nil if there is none.
        private func ownColor(_ pixel: Int) -> RGB? {
            if isStill[pixel] { return still.withUnsafeBufferPointer { RGB($0, pixel) } }
            guard let first = modes[pixel].first, first.share >= Background.dominance else { return nil }
            return first.color
        }

        /// Accepts the still pixels that are connected to the edge, and queues their changing
        /// neighbours.
        mutating func seedStill(_ frame: [UInt8], _ isStill: [Bool]) {
            still = frame
            self.isStill = isStill
            var edge: [Int] = []
            for x in 0..<width { edge += [x, (height - 1) * width + x] }
            for y in 0..<height { edge += [y * width, y * width + width - 1] }
            var front = edge.filter { isStill[$0] }
            // If everything moves along the edges, the growth begins at all still pixels, or else
            // at the pixel that has one colour longest.
            if front.isEmpty { front = (0..<width * height).filter { isStill[$0] } }
            if front.isEmpty { front = [commonestPixel()] }
            for pixel in front where !isKnown[pixel] { set(pixel, color(ofStill: pixel)) }
            while let pixel = front.popLast() {
                for next in neighbours(of: pixel) where !isKnown[next] {
                    if isStill[next] {
                        set(next, color(ofStill: next))
                        front.append(next)
                    } else {
                        queue.append(pixel)
                    }
                }
            }
            if queue.isEmpty { queue = (0..<width * height).filter { isKnown[$0] } }
        }

        private func color(ofStill pixel: Int) -> RGB {
            isStill[pixel]
                ? still.withUnsafeBufferPointer { RGB($0, pixel) } : modes[pixel].first?.color ?? RGB(0, 0, 0)
        }

        private func commonestPixel() -> Int {
            modes.indices.max { (modes[$0].first?.share ?? 0) < (modes[$1].first?.share ?? 0) } ?? 0
        }

        /// Determines the background of all remaining pixels, nearest first.
        mutating func grow() {
            var position = 0
            while position < queue.count {
                let pixel = queue[position]
                position += 1
                for next in neighbours(of: pixel) where !isKnown[next] {
                    assign(next, from: pixel)
                    queue.append(next)
                }
            }
        }

        private mutating func assign(_ pixel: Int, from neighbour: Int) {
            let beside = color(neighbour)
            let anchor = anchors[neighbour]
            let own = ownColor(pixel)
            let candidates = own.map { [$0] } ?? modes[pixel].map(\.color)
            if let best = candidates.min(by: { $0.distance(to: beside) < $1.distance(to: beside) }),
                best.distance(to: beside) <= Background.tolerance,
                best.distance(to: anchor) <= Background.tolerance * 2 / 3
            {
                return set(pixel, best, anchor: anchor)
            }
            // A still spot amid motion belongs to the background, unless an object of its colour
            // passes beside it.
            if let own, !passes(own, at: neighbour) { return set(pixel, own) }
            set(pixel, beside, anchor: anchor)
            isCovered[pixel] = true
        }

        private func passes(_ color: RGB, at pixel: Int) -> Bool {
            if isCovered[pixel], isStill[pixel] {
                return self.color(ofStill: pixel).distance(to: color) <= Background.tolerance
            }
            return modes[pixel].contains { $0.color.distance(to: color) <= Background.tolerance }
        }
    }
}

/// Widens the range of each byte so that it includes the values of another frame.
func widen(_ low: inout [UInt8], _ high: inout [UInt8], to frame: UnsafeBufferPointer<UInt8>) {
    low.withUnsafeMutableBufferPointer { low in
        high.withUnsafeMutableBufferPointer { high in
            var index = 0
            while index < frame.count {
                let value = frame[index]
                if value < low[index] { low[index] = value }
                if value > high[index] { high[index] = value }
                index += 1
            }
        }
    }
}
