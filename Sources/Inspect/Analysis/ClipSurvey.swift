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

    /// The number of pixels of a thumbnail: 119x67 of a clip of 16:9, in which a ball of 5% of the
    /// width is six pixels wide.
    private static let maxThumbnailPixels = 8000.0
    /// The maximum difference between thumbnails, in codes, that counts as noise. A pixel moves if
    /// its range over time exceeds twice this, which is about the threshold of `Segmentation`.
    private static let noise = 14

    /// The maximum difference that counts as noise if nothing changes more: an object may change
    /// its colour slightly. Noise reaches it in single pixels, or in most of the frame.
    private static let slightNoise = 5
    private static let slightShares = 0.0015...0.5

    /// The share of the declared duration that must have been read, less some frames and seconds.
    /// Containers round durations, and their streams end at different times.
    private static let minRead = (share: 0.97, frames: 8.0, seconds: 0.1)

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
                let size = ClipSurvey.thumbnailSize(width: width, height: height)
                scaler = try FrameScaler(width: size.width, height: size.height)
                thumbnails = ThumbnailHistory(width: size.width, height: size.height)
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
        guard let region = ClipSurvey.movingRegion(thumbnails, in: (width, height)) else {
            throw LoadervidError(
                .badData, "\(reader.path): nothing moves in its \(times.count) frames; use a clip with motion")
        }
        self.width = width
        self.height = height
        self.region = region
        self.times = ClipSurvey.regularized(times, clock: declared.clock)
        duration = max((times.last ?? 0) + step, min(declared.duration ?? 0, (times.last ?? 0) + 3 * step))
    }

    /// Returns the size of the thumbnails of a clip, at least one pixel on each side.
    private static func thumbnailSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let factor = min(1, (maxThumbnailPixels / Double(max(1, width * height))).squareRoot())
        return (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
    }

    /// Returns the region in which anything moves, in pixels of the clip; nil if nothing does.
    private static func movingRegion(
        _ thumbnails: ThumbnailHistory, in size: (width: Int, height: Int)
    ) -> PixelRect? {
        thumbnails.movingRegion(noise: noise, in: size)
            ?? thumbnails.movingRegion(noise: slightNoise, in: size, shares: slightShares)
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
        let read = declared.duration == nil ? declared.whole?.read ?? end : max(end, declared.readDuration ?? 0)
        let length = declared.duration ?? declared.whole?.declared
        let isShort = length.map { read < $0 * minRead.share - minRead.frames * step - minRead.seconds } ?? false
        guard try isShort || reader.isTruncatedGIF() else { return }
        let lengthText = length.flatMap { $0 > read + step ? $0 : nil }.map { " of \(seconds($0))" } ?? ""
        throw LoadervidError(
            .badData, "\(reader.path) is truncated: it ends after \(seconds(end))\(lengthText); use a complete file")
    }
}

/// Returns a time as text, rounded to a millisecond.
func seconds(_ value: Double) -> String { "\(value.roundedToThousandths) s" }
