import Core
import Media
import Render

/// The first pass over a clip: frame times, the region that moves, and cuts.
struct ClipSurvey {
    /// The width of the clip in pixels.
    let width: Int
    /// The height of the clip in pixels.
    let height: Int
    /// The time of each frame, in seconds from the first.
    let times: [Double]
    /// The duration in seconds, including that of the last frame.
    let duration: Double
    /// The region in which anything moves, in pixels of the clip.
    let region: PixelRect

    /// The maximum difference between thumbnails, in codes, that counts as noise.
    private static let noise = 14

    /// The maximum difference that counts as noise if nothing changes more: an object may change
    /// its colour slightly. Noise reaches it in single pixels, or in most of the frame.
    private static let slightNoise = 5
    private static let slightShares = 0.0015...0.5

    /// Reads a clip once. Throws `LoadervidError` of kind `badData` if it has fewer than two
    /// frames, is truncated, has a cut, or shows no motion.
    init(_ reader: ClipReader) throws {
        var thumbnails: ThumbnailHistory?
        var scaler: FrameScaler?
        var times: [Double] = []
        var width = 0
        var height = 0
        let declared = try reader.forEachFrame { frame, number, time in
            if number == 0 {
                width = frame.width
                height = frame.height
                let factor = min(1, (8000 / Double(max(1, width * height))).squareRoot())
                let size = (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
                scaler = try FrameScaler(width: size.0, height: size.1)
                thumbnails = ThumbnailHistory(width: size.0, height: size.1)
            } else if (frame.width, frame.height) != (width, height) {
                throw LoadervidError(
                    .badData, "\(reader.path): the frame size changes at \(seconds(time)); use a clip of one size")
            }
            if let pixels = try scaler?.rgba(frame), let cut = thumbnails?.add(pixels, at: time) {
                throw ClipSurvey.cut(reader, at: cut)
            }
            times.append(time)
            return true
        }
        guard let thumbnails, times.count > 1 else {
            let count = times.isEmpty ? "no frames" : "only one frame"
            throw LoadervidError(.badData, "\(reader.path) has \(count); use a clip with motion")
        }
        let step = ClipSurvey.medianStep(times)
        try ClipSurvey.checkLength(reader, declared, times, step)
        if let cut = thumbnails.lastingChange() { throw ClipSurvey.cut(reader, at: cut) }
        let size = (width, height)
        let found =
            thumbnails.movingRegion(noise: ClipSurvey.noise, in: size)
            ?? thumbnails.movingRegion(noise: ClipSurvey.slightNoise, in: size, shares: ClipSurvey.slightShares)
        guard let region = found else {
            throw LoadervidError(
                .badData, "\(reader.path): nothing moves in its \(times.count) frames; use a clip with motion")
        }
        self.width = width
        self.height = height
        self.region = region
        self.times = ClipSurvey.regularized(times, clock: declared.clock)
        duration = max((times.last ?? 0) + step, min(declared.duration ?? 0, (times.last ?? 0) + 3 * step))
    }

    private static func cut(_ reader: ClipReader, at time: Double) -> LoadervidError {
        LoadervidError(
            .badData,
            "\(reader.path) has a cut at \(seconds(time)); use the part before or after it as a separate file")
    }

    /// Returns evenly spaced times if the given ones deviate only by rounding to the container's
    /// time base, such as 10 ms in GIF.
    static func regularized(_ times: [Double], clock: Double) -> [Double] {
        let count = Double(times.count)
        let mean = times.reduce(0, +) / count
        let middle = (count - 1) / 2
        var cross = 0.0
        var square = 0.0
        for (k, time) in times.enumerated() {
            cross += (Double(k) - middle) * (time - mean)
            square += (Double(k) - middle) * (Double(k) - middle)
        }
        let step = cross / square
        let isEven = times.enumerated().allSatisfy { k, time in
            abs(time - mean - step * (Double(k) - middle)) <= 0.75 * clock
        }
        return isEven ? times.indices.map { times[0] + Double($0) * step } : times
    }

    /// Returns the median interval between frames in seconds.
    static func medianStep(_ times: [Double]) -> Double {
        zip(times.dropFirst(), times).map { $0 - $1 }.median ?? 0
    }

    /// The maximum duration in seconds: a day. Longer clips have corrupt timestamps, and no
    /// container stores all of them.
    private static let maxDuration = 86_400.0

    /// Throws `LoadervidError` if the clip is longer than the maximum, or if its container declares
    /// more than the file has.
    static func checkLength(
        _ reader: ClipReader, _ declared: ClipReader.ContainerTimes, _ times: [Double], _ step: Double
    ) throws {
        // Without a duration of the video, all streams of a truncated file end before the declared
        // one.
        let end = (times.last ?? 0) + step
        guard end <= maxDuration else {
            throw LoadervidError(
                .badData,
                "\(reader.path) lasts \(seconds(end)), longer than the maximum of \(Int(maxDuration)) s; "
                    + "use a clip with valid timestamps")
        }
        let read = declared.duration == nil ? declared.whole?.read ?? end : end
        let length = declared.duration ?? declared.whole?.declared
        let isShort = length.map { read < $0 * 0.97 - 8 * step - 0.1 } ?? false
        guard try isShort || reader.isTruncatedGIF() else { return }
        let lengthText = length.flatMap { $0 > read + step ? $0 : nil }.map { " of \(seconds($0))" } ?? ""
        throw LoadervidError(
            .badData, "\(reader.path) is truncated: it ends after \(seconds(end))\(lengthText); use a complete file")
    }
}

/// Returns a time as text, rounded to a millisecond.
func seconds(_ value: Double) -> String { "\(value.roundedToThousandths) s" }

/// The history of a clip's thumbnails: the range of each pixel, and the sudden changes after which
/// it never returned.
private struct ThumbnailHistory {
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
        let changed = change(to: pixels, by: 30)
        if changed * 100 > count * 55 { return time }
        // A change far above all earlier ones, and above that of a ball that starts to move, may be
        // another scene on the same background.
        if changed * 50 > count, changed > 3 * max(largestChange, count / 200), takes.count < 24 {
            let flags = (0..<count).map { isChanged(pixels, $0, by: 30) }
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
            // The range of fewer than four frames says too little.
            guard min(before.count, after.count) >= 4 else { continue }
            let lasting = take.changed.indices.filter { take.changed[$0] && isDisjoint(before, after, pixel: $0) }
            if lasting.count * 100 > 3 * width * height { return take.start }
        }
        return nil
    }

    /// True if a pixel's ranges in two takes are disjoint.
    private func isDisjoint(_ before: Take, _ after: Take, pixel: Int) -> Bool {
        for channel in 4 * pixel..<4 * pixel + 3 {
            if Int(after.low[channel]) > Int(before.high[channel]) + 24 { return true }
            if Int(before.low[channel]) > Int(after.high[channel]) + 24 { return true }
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
        let margin = 4.0 * max(1, 1 / min(scale.x, scale.y))
        // Even corners keep the chroma samples, one per two pixels, where they belong.
        let x = max(0, Int((Double(left) - margin) * scale.x)) / 2 * 2
        let y = max(0, Int((Double(top) - margin) * scale.y)) / 2 * 2
        let maxX = min(size.width, Int((Double(right) + 1 + margin) * scale.x))
        let maxY = min(size.height, Int((Double(bottom) + 1 + margin) * scale.y))
        return PixelRect(x: x, y: y, width: maxX - x, height: maxY - y)
    }
}
