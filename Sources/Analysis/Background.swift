/// What a clip shows where nothing moves, also behind what is never seen uncovered.
///
/// A pixel that hardly changes is its own background. Where things move, the colours a pixel was seen with compete, and
/// the one that carries on the background next to it wins; if none does, it is covered all the time by one thing or
/// another, and takes its neighbour's.
struct Background {
    /// RGBA, as large as the view.
    let pixels: [UInt8]

    /// A colour a pixel was seen with, and how often.
    private struct Mode {
        var color: RGB
        var count: Int
    }

    /// Colours this close are the same but for compression.
    private static let tolerance = 30
    /// A pixel that shows one colour in this part of all pictures is its own background.
    private static let dominance = 0.9

    init(_ samples: ClipSamples) {
        let (width, height) = (samples.view.width, samples.view.height)
        var growth = BackgroundGrowth(width: width, height: height)
        let isStill = Background.stillness(samples)
        for pixel in 0..<width * height where !isStill[pixel] {
            growth.modes[pixel] = Background.modes(samples.pictures, pixel)
        }
        growth.settleStill(samples.pictures[samples.pictures.count / 2], isStill)
        growth.grow()
        pixels = growth.pixels
    }

    /// Which pixels never change by more than the tolerance.
    private static func stillness(_ samples: ClipSamples) -> [Bool] {
        var (low, high) = (samples.pictures[0], samples.pictures[0])
        for picture in samples.pictures.dropFirst() {
            picture.withUnsafeBufferPointer { widen(&low, &high, to: $0) }
        }
        return (0..<low.count / 4).map { pixel in
            let index = 4 * pixel
            return Int(high[index]) - Int(low[index]) <= tolerance
                && Int(high[index + 1]) - Int(low[index + 1]) <= tolerance
                && Int(high[index + 2]) - Int(low[index + 2]) <= tolerance
        }
    }

    /// The colours that a pixel shows, the commonest first; at most four.
    private static func modes(_ pictures: [[UInt8]], _ pixel: Int) -> [BackgroundGrowth.Seen] {
        var modes: [Mode] = []
        for picture in pictures {
            let color = picture.withUnsafeBufferPointer { RGB($0, pixel) }
            if let known = modes.firstIndex(where: { $0.color.distance(to: color) <= tolerance / 2 }) {
                modes[known].count += 1
            } else if modes.count < 12 {
                modes.append(Mode(color: color, count: 1))
            }
        }
        modes.sort { $0.count > $1.count }
        let least = max(1, pictures.count / 24)
        return modes.prefix(4).filter { $0.count >= least }.map {
            BackgroundGrowth.Seen(color: $0.color, share: Double($0.count) / Double(pictures.count))
        }
    }

    /// Grows the background from the picture's edge inwards.
    private struct BackgroundGrowth {
        struct Seen {
            var color: RGB
            var share: Double
        }

        let width: Int
        let height: Int
        /// What changing pixels were seen with; still ones have nothing here.
        var modes: [[Seen]]
        var pixels: [UInt8]
        private var still: [UInt8] = []
        private var isStill: [Bool] = []
        private var isKnown: [Bool]
        /// Whether the pixel is covered all the time, so that its neighbour's colour was taken.
        private var isCovered: [Bool]
        /// The still colour that a pixel's background began from: a soft edge must not lead away from it step by step.
        private var anchors: [RGB]
        private var queue: [Int] = []

        init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
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

        /// What a pixel shows most of the time, if it shows little else.
        private func ownColor(_ pixel: Int) -> RGB? {
            if isStill[pixel] { return still.withUnsafeBufferPointer { RGB($0, pixel) } }
            guard let first = modes[pixel].first, first.share >= Background.dominance else { return nil }
            return first.color
        }

        /// Takes the still pixels that hang together with the edge as they are, and the next ones as to be found.
        mutating func settleStill(_ picture: [UInt8], _ isStill: [Bool]) {
            (still, self.isStill) = (picture, isStill)
            var edge: [Int] = []
            for x in 0..<width { edge += [x, (height - 1) * width + x] }
            for y in 0..<height { edge += [y * width, y * width + width - 1] }
            var front = edge.filter { isStill[$0] }
            // A clip whose edges all move has only its commonest colours to go by.
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

        /// Finds the background of all the other pixels, nearest first.
        mutating func grow() {
            var position = 0
            while position < queue.count {
                let pixel = queue[position]
                position += 1
                for next in neighbours(of: pixel) where !isKnown[next] {
                    settle(next, from: pixel)
                    queue.append(next)
                }
            }
        }

        private mutating func settle(_ pixel: Int, from neighbour: Int) {
            let (beside, anchor) = (color(neighbour), anchors[neighbour])
            let own = ownColor(pixel)
            let seen = own.map { [$0] } ?? modes[pixel].map(\.color)
            if let best = seen.min(by: { $0.distance(to: beside) < $1.distance(to: beside) }),
                best.distance(to: beside) <= Background.tolerance,
                best.distance(to: anchor) <= Background.tolerance * 2 / 3
            {
                return set(pixel, best, anchor: anchor)
            }
            // A still spot amid motion is a drawing, unless what passes beside it has its colour.
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

/// Widens the range of what each byte of some pictures was by one picture more.
func widen(_ low: inout [UInt8], _ high: inout [UInt8], to picture: UnsafeBufferPointer<UInt8>) {
    low.withUnsafeMutableBufferPointer { low in
        high.withUnsafeMutableBufferPointer { high in
            var index = 0
            while index < picture.count {
                let value = picture[index]
                if value < low[index] { low[index] = value }
                if value > high[index] { high[index] = value }
                index += 1
            }
        }
    }
}
