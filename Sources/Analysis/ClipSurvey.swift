import Motion
import Media
import Pipeline
import Scene

/// The first look at a clip: when its pictures are shown, where anything moves, and whether it is one take.
struct ClipSurvey {
    /// Width of the clip in pixels.
    let width: Int
    /// Height of the clip in pixels.
    let height: Int
    /// When each picture is shown, in seconds from the first.
    let times: [Double]
    /// Length in seconds, the last picture's own time included.
    let duration: Double
    /// Where anything moves, in pixels of the clip.
    let region: PixelRect

    /// Differences of up to this many codes between thumbnails are noise.
    private static let noise = 14

    /// Reads a clip once. Throws `RenderError` of kind `badData` if it has fewer than two pictures, is cut off, is no
    /// single take, or shows nothing that moves.
    init(_ reader: ClipReader) throws {
        var thumbnails: ThumbnailHistory?
        var scaler: FrameScaler?
        var (times, width, height): ([Double], Int, Int) = ([], 0, 0)
        let claims = try reader.forEachFrame { frame, number, time in
            if number == 0 {
                (width, height) = (frame.width, frame.height)
                let factor = min(1, (8000 / Double(max(1, width * height))).squareRoot())
                let size = (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
                scaler = try FrameScaler(width: size.0, height: size.1)
                thumbnails = ThumbnailHistory(width: size.0, height: size.1)
            } else if (frame.width, frame.height) != (width, height) {
                throw RenderError(
                    .badData, "\(reader.path): the picture changes its size at \(seconds(time)): give one take")
            }
            if let pixels = try scaler?.rgba(frame), let cut = thumbnails?.add(pixels, at: time) {
                throw ClipSurvey.cut(reader, at: cut)
            }
            times.append(time)
            return true
        }
        guard let thumbnails, times.count > 1 else {
            let count = times.isEmpty ? "no picture" : "one picture only"
            throw RenderError(.badData, "\(reader.path) has \(count): nothing can be seen to move")
        }
        let step = ClipSurvey.medianStep(times)
        try ClipSurvey.checkLength(reader, claims, times, step)
        if let cut = thumbnails.lastingChange() { throw ClipSurvey.cut(reader, at: cut) }
        guard let region = thumbnails.movingRegion(noise: ClipSurvey.noise, in: (width, height)) else {
            throw RenderError(.badData, "\(reader.path): nothing moves in its \(times.count) pictures")
        }
        (self.width, self.height, self.region) = (width, height, region)
        self.times = ClipSurvey.evened(times, clock: claims.clock)
        duration = max((times.last ?? 0) + step, min(claims.duration ?? 0, (times.last ?? 0) + 3 * step))
    }

    private static func cut(_ reader: ClipReader, at time: Double) -> RenderError {
        RenderError(
            .badData,
            "\(reader.path) has a cut at \(seconds(time)): give the part before or after it as a file of its own")
    }

    /// Times that are even but for the rounding to the container's clock, such as a GIF's 10 ms, as they were meant.
    private static func evened(_ times: [Double], clock: Double) -> [Double] {
        let count = Double(times.count)
        let (mean, middle) = (times.reduce(0, +) / count, (count - 1) / 2)
        var (cross, square) = (0.0, 0.0)
        for (k, time) in times.enumerated() {
            cross += (Double(k) - middle) * (time - mean)
            square += (Double(k) - middle) * (Double(k) - middle)
        }
        let step = cross / square
        let isEven = times.enumerated().allSatisfy { k, time in
            abs(time - mean - step * (Double(k) - middle)) <= 0.75 * clock
        }
        return isEven ? times.indices.map { Double($0) * step } : times
    }

    /// Half of the pictures follow each other at most this fast, in seconds.
    static func medianStep(_ times: [Double]) -> Double {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        return steps.isEmpty ? 0 : steps[steps.count / 2]
    }

    /// Clips are at most a day long, in seconds: what is longer has times of no use, and no container takes all of them.
    private static let longest = 86_400.0

    /// Throws if a clip lasts for ages, or if its container promises more than there is.
    private static func checkLength(
        _ reader: ClipReader, _ claims: ClipReader.Claims, _ times: [Double], _ step: Double
    ) throws {
        // Where nothing is said of the video, all streams of a file that is cut off end before its length.
        let end = (times.last ?? 0) + step
        guard end <= longest else {
            throw RenderError(
                .badData,
                "\(reader.path): its pictures take \(seconds(end)), more than a day: "
                    + "give a clip whose times are right")
        }
        let read = claims.duration == nil ? claims.whole?.read ?? end : end
        let length = claims.duration ?? claims.whole?.promised
        let isShort = length.map { read < $0 * 0.97 - 8 * step - 0.1 } ?? false
        guard try isShort || reader.isCutOffGIF() else { return }
        let promised = length.flatMap { $0 > read + step ? $0 : nil }.map { " of \(seconds($0))" } ?? ""
        throw RenderError(
            .badData, "\(reader.path) is cut off: it ends after \(seconds(end))\(promised); give a whole file")
    }
}

/// A time in words, to a millisecond.
func seconds(_ value: Double) -> String { "\(value.thousandths) s" }

/// Small pictures of a clip as they pass: what each pixel's range is, and at which changes it was left for good.
private struct ThumbnailHistory {
    /// The pixels' ranges between two sudden changes.
    private struct Take {
        var start: Double
        /// How many pictures it has.
        var count = 1
        var low: [UInt8]
        var high: [UInt8]
        /// Which pixels changed suddenly when it began.
        var changed: [Bool]

        /// Adds a picture.
        mutating func add(_ picture: UnsafeBufferPointer<UInt8>) {
            widen(&low, &high, to: picture)
            count += 1
        }

        /// Adds the range of a later one.
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

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Adds a picture; returns its time if it has nothing to do with the one before.
    mutating func add(_ pixels: UnsafeBufferPointer<UInt8>, at time: Double) -> Double? {
        defer { last = Array(pixels) }
        guard !last.isEmpty else {
            takes = [Take(start: time, low: Array(pixels), high: Array(pixels), changed: [])]
            return nil
        }
        let count = width * height
        let changed = change(to: pixels, by: 30)
        if changed * 100 > count * 55 { return time }
        // Much more than ever before, and not just a ball that starts: perhaps another scene on the same ground.
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
            var (changed, index) = (0, 0)
            while index < last.count {
                let (r, g) = (Int(pixels[index]) - Int(last[index]), Int(pixels[index + 1]) - Int(last[index + 1]))
                let b = Int(pixels[index + 2]) - Int(last[index + 2])
                if r > limit || r < -limit || g > limit || g < -limit || b > limit || b < -limit { changed += 1 }
                index += 4
            }
            return changed
        }
    }

    /// When a part of the picture was left at once and for good, if that ever happened.
    func lastingChange() -> Double? {
        guard var before = takes.first else { return nil }
        // Each take with all that follow.
        var rests = takes
        for index in takes.indices.dropLast().reversed() { rests[index].unite(rests[index + 1]) }
        for (take, after) in zip(takes, rests).dropFirst() {
            defer { before.unite(take) }
            // Of one or two pictures nobody can tell what range they would have had.
            guard min(before.count, after.count) >= 4 else { continue }
            let lasting = take.changed.indices.filter { take.changed[$0] && isApart(before, after, pixel: $0) }
            if lasting.count * 100 > 3 * width * height { return take.start }
        }
        return nil
    }

    /// Whether a pixel's ranges in two takes have nothing in common.
    private func isApart(_ before: Take, _ after: Take, pixel: Int) -> Bool {
        for channel in 4 * pixel..<4 * pixel + 3 {
            if Int(after.low[channel]) > Int(before.high[channel]) + 24 { return true }
            if Int(before.low[channel]) > Int(after.high[channel]) + 24 { return true }
        }
        return false
    }

    /// The smallest rectangle that holds all pixels that changed, with a margin, in pixels of the clip.
    func movingRegion(noise: Int, in size: (width: Int, height: Int)) -> PixelRect? {
        guard var whole = takes.first else { return nil }
        for take in takes.dropFirst() { whole.unite(take) }
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        for pixel in 0..<width * height {
            let moves = (4 * pixel..<4 * pixel + 3).contains { Int(whole.high[$0]) - Int(whole.low[$0]) > 2 * noise }
            guard moves else { continue }
            (left, right) = (min(left, pixel % width), max(right, pixel % width))
            (top, bottom) = (min(top, pixel / width), max(bottom, pixel / width))
        }
        guard right >= left else { return nil }
        let scale = (x: Double(size.width) / Double(width), y: Double(size.height) / Double(height))
        let margin = 4.0 * max(1, 1 / min(scale.x, scale.y))
        let x = max(0, Int((Double(left) - margin) * scale.x)), y = max(0, Int((Double(top) - margin) * scale.y))
        let maxX = min(size.width, Int((Double(right) + 1 + margin) * scale.x))
        let maxY = min(size.height, Int((Double(bottom) + 1 + margin) * scale.y))
        return PixelRect(x: x, y: y, width: maxX - x, height: maxY - y)
    }
}
