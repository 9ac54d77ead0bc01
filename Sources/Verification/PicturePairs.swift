import Analysis
import Media
import Pipeline

/// One of two clips while it is read.
final class ClipSide {
    /// A picture with its place in the clip.
    struct Shown {
        var pixels: Pixels
        var frame: Int
        /// When it is shown, in seconds from the first.
        var time: Double
    }

    let stream: any PictureStream
    private(set) var side: ClipDifference.Side
    /// The distance of pictures in seconds; 0 if there is none.
    let step: Double
    /// What times are rounded to, in seconds.
    let precision: Double
    /// Whether some pictures are shown for longer than others.
    let hasLongPictures: Bool
    private(set) var hasAlpha = false
    private let reader: PixelReader
    private var times: TimeCheck
    private let path: String

    init(_ path: String, _ limits: ClipLimits) throws {
        self.path = path
        let file = try InputFile.clip(path: path)
        do {
            let structure = try FileStructure(file)
            if let cut = structure.cut { throw RenderError(.badData, "\(path) is cut off: \(cut); give a whole file") }
            stream = try PictureStreams.open(file, structure, limits)
            let description = stream.description
            let survey = try PacketSurvey(file, structure, description, limits)
            let clock = description.clock
            precision = structure.precision(clock: clock)
            step = survey.grid.step * clock
            hasLongPictures = survey.grid.hasLongPictures
            times = TimeCheck(survey.grid, clock: clock, structure)
            reader = try PixelReader(width: description.width, height: description.height)
            let rate = survey.grid.count > 1 && !survey.grid.isVariable && step > 0 ? 1 / step : nil
            side = ClipDifference.Side(
                file: path, width: description.width, height: description.height,
                rate: rate?.millionths)
        } catch let error as FFmpegError { throw RenderError(noVideo: error, path: path) }
    }

    func next() throws -> Shown? {
        let picture: StreamPicture?
        do { picture = try stream.next() } catch let error as FFmpegError {
            if error.isMemoryShort || error.isSystemFailure { throw RenderError(error) }
            throw RenderError(
                .badData,
                "\(path) is damaged or cut off after \(side.frames) pictures: \(error.reason); give a whole file")
        }
        guard let picture else {
            side.duration = times.duration(stream.saidDuration).millionths
            return nil
        }
        guard (picture.frame.width, picture.frame.height) == (side.width, side.height) else {
            throw RenderError(
                .badData,
                "\(path): picture \(side.frames) has another size than the first: give clips of one size")
        }
        times.add(picture.time, duration: picture.duration)
        hasAlpha = hasAlpha || picture.hasAlpha
        defer { side.frames += 1 }
        do { return Shown(pixels: try reader.pixels(picture), frame: side.frames, time: times.seconds) } catch {
            throw RenderError(error)
        }
    }

    func readToEnd(_ cancellation: CancellationToken) throws {
        while try next() != nil { try cancellation.check() }
    }
}

/// Pairs the pictures of two clips by the time at which they are shown, so that one long picture is as good as several equal
/// ones. Holds two of each.
final class PicturePairs {
    /// Two pictures that are shown at once.
    struct Pair {
        let expected: ClipSide.Shown
        let actual: ClipSide.Shown
        let time: Double
    }

    private let (a, b): (ClipSide, ClipSide)
    private var (shownA, shownB): (ClipSide.Shown?, ClipSide.Shown?)
    private var (nextA, nextB): (ClipSide.Shown?, ClipSide.Shown?)
    private var isStarted = false
    /// Times that lie nearer together are one.
    private let tolerance: Double
    private let cancellation: CancellationToken

    init(_ a: ClipSide, _ b: ClipSide, _ cancellation: CancellationToken) {
        (self.a, self.b, self.cancellation) = (a, b, cancellation)
        let steps = [a.step, b.step].filter { $0 > 0 }
        let precision = 1.01 * max(a.precision, b.precision)
        // Never so much that two pictures of one clip become one.
        tolerance = steps.min().map { max(0.3 * $0, min(precision, 0.6 * $0)) } ?? precision
    }

    /// The next pair; nil when one of the clips has no more pictures, and both have been read to their ends.
    func next() throws -> Pair? {
        if !isStarted {
            (nextA, nextB, isStarted) = (try a.next(), try b.next(), true)
        }
        guard nextA != nil || nextB != nil else { return nil }
        let (timeA, timeB) = (nextA?.time ?? .infinity, nextB?.time ?? .infinity)
        let time = min(timeA, timeB)
        if timeA <= time + tolerance, nextA != nil { (shownA, nextA) = (nextA, try a.next()) }
        if timeB <= time + tolerance, nextB != nil { (shownB, nextB) = (nextB, try b.next()) }
        guard let shownA, let shownB else { return nil }
        // Behind the end of the shorter one there is nothing to compare with.
        for (side, next, shown, other) in [(a, nextA, shownA, b), (b, nextB, shownB, a)]
        where next == nil && side.side.duration > 0 && time >= side.side.duration - tolerance
            && shown.time < time - tolerance
        {
            try other.readToEnd(cancellation)
            return nil
        }
        return Pair(expected: shownA, actual: shownB, time: time)
    }
}
