import Animations
import Core
import Media
import Render

/// The first pass over a recording: frame times, small frames and where anything moves.
struct RecordingSurvey {
    /// The width of the recording in pixels.
    let width: Int
    /// The height of the recording in pixels.
    let height: Int
    /// The size of the recording in pixels.
    var frame: Size { Size(Double(width), Double(height)) }
    /// The time of each frame within the judged part, in seconds from the recording's first frame.
    let times: [Double]
    /// The index of the first frame of the judged part.
    let firstFrame: Int
    /// Small frames from the beginning of the judged part.
    private(set) var samples: [(time: Double, thumbnail: Thumbnail)]
    /// For each pixel of a small frame, the standard deviation of its strongest channel over time.
    private(set) var activity: [Float] = []
    /// Pixels of a small frame per pixel of the recording, horizontally and vertically.
    let reduction: (x: Double, y: Double)
    /// The background colour: the most frequent one at the border of the judged part, or that of
    /// the card around the loader.
    private(set) var background: Color
    /// The width and height of a small frame.
    let size: (width: Int, height: Int)

    /// The maximum number of pixels of a small frame, which leaves 30 pixels for a loader of 240
    /// pixels in a recording at 1080p.
    private static let maxPixels = 40_000.0
    /// The maximum number of small frames in memory. Of longer recordings every second frame is
    /// kept, or every fourth and so on.
    private static let maxSamples = 240
    /// The maximum noise of a pixel's activity in codes, and the multiple of the noise below which
    /// a pixel does not move.
    private static let maxNoise: Float = 4
    private static let noiseMargin: Float = 2

    /// Reads a recording.
    ///
    /// - Parameter sampledDuration: the duration from the first frame, in seconds, whose small
    ///   frames are kept.
    init(_ reader: ClipReader, _ options: JudgeOptions, sampledDuration: Double) throws {
        var state = Accumulator(sampledDuration: sampledDuration)
        var scaler: FrameScaler?
        let declared = try reader.forEachFrame { frame, number, time in
            if scaler == nil { scaler = try state.begin(frame) }
            guard (frame.width, frame.height) == (state.width, state.height) else {
                throw LoadervidError(
                    .badData, "\(reader.path): the frame size changes at \(seconds(time)); use a clip of one size")
            }
            state.allTimes.append(time)
            if time < (options.from ?? 0) - 1e-6 { return true }
            if let end = options.to, time > end + 1e-6 { return true }
            if let scaler { state.add(try scaler.rgba(frame), number, time) }
            return true
        }
        try Self.check(state.times.count, of: state.allTimes, reader.path, options)
        try ClipSurvey.checkLength(reader, declared, state.allTimes, ClipSurvey.medianStep(state.allTimes))
        width = state.width
        height = state.height
        times = ClipSurvey.regularized(state.times, clock: declared.clock)
        firstFrame = state.firstFrame
        samples = state.samples.map { ($0.time, $0.thumbnail) }
        size = state.size
        reduction = (Double(size.width) / Double(width), Double(size.height) / Double(height))
        background = .white
        let whole = options.crop.map {
            Rect(x: Double($0.x), y: Double($0.y), width: Double($0.width), height: Double($0.height))
        }
        let judged = reduced(whole ?? Rect(x: 0, y: 0, width: Double(width), height: Double(height)))
        background = middle.rimColor(of: judged)
        // Most frames of a loader that fills the frame with colours may have only one.
        let isDrawn = 2 * state.blankColors.count < times.count
        let shown = state.samples.filter { !isDrawn || !isBlank(state.blankColors[$0.number]) }
        if !shown.isEmpty { samples = shown.map { ($0.time, $0.thumbnail) } }
        let blank = state.blankColors.sorted { $0.key < $1.key }.map(\.value).filter { !isDrawn || !isBlank($0) }
        activity = state.activity(inside: options.crop, reduction: reduction, blank: blank)
    }

    /// The distance from the background, in CIEDE2000, above which a frame of one colour, such as a
    /// black one, shows neither the loader nor its background.
    private static let minBlankDistance = 10.0

    /// Returns true if a frame of this colour shows neither the loader nor its background.
    func isBlank(_ color: Color?) -> Bool {
        color.map { $0.distance(to: background) > Self.minBlankDistance } ?? false
    }

    /// The minimum number of frames in the judged part of a recording: with fewer, motion and noise
    /// look alike.
    private static let minFrames = 4

    /// Throws an error if the judged part has too few frames.
    private static func check(_ count: Int, of all: [Double], _ path: String, _ options: JudgeOptions) throws {
        guard options.from != nil || options.to != nil else {
            guard count < 2 else { return }
            let found = count == 0 ? "no frames" : "only one frame"
            throw LoadervidError(.badData, "\(path) has \(found) to judge; use a longer recording")
        }
        let last = all.last ?? 0
        let end = last + ClipSurvey.medianStep(all)
        if let from = options.from, from > last + 1e-6 {
            throw LoadervidError(
                .badData,
                "\(option: "from"): \(seconds(from)) is after the end of \(path) at \(seconds(end)); use an earlier time",
                subjects: .options("from"))
        }
        guard count < minFrames else { return }
        let part = "\(seconds(options.from ?? 0)) to \(seconds(options.to ?? end))"
        throw LoadervidError(
            .badData,
            "\(path) has \(count) \(count == 1 ? "frame" : "frames") from \(part), below the minimum of "
                + "\(minFrames); use a longer part",
            subjects: .options("from", "to"))
    }

    /// The share of a loader's canvas with the recording's background below which the loader has a
    /// background of its own, such as a card. Not 0, because the first position may be off by a
    /// tenth.
    private static let maxForeignShare = 0.3

    /// Returns the most frequent colour of a loader's canvas if the background hardly shows there;
    /// nil otherwise.
    func ownBackground(of canvas: Rect) -> Color? {
        let box = reduced(canvas)
        guard middle.share(of: background, in: box) < Self.maxForeignShare else { return nil }
        return middle.commonColor(of: box)
    }

    /// Returns the survey with another background.
    func with(background: Color) -> RecordingSurvey {
        var survey = self
        survey.background = background
        return survey
    }

    /// A small frame in the middle of the recording, of those with several colours.
    private var middle: Thumbnail {
        let shown = samples.filter { $0.thumbnail.blankColor == nil }
        let frames = shown.isEmpty ? samples : shown
        return frames[frames.count / 2].thumbnail
    }

    /// Returns the pixels of small frames that lie in a part of the recording.
    private func reduced(_ box: Rect) -> PixelRect {
        let left = min(size.width - 1, max(0, Int((box.x * reduction.x).rounded(.up))))
        let top = min(size.height - 1, max(0, Int((box.y * reduction.y).rounded(.up))))
        let right = min(size.width, Int((box.x + box.width) * reduction.x))
        let bottom = min(size.height, Int((box.y + box.height) * reduction.y))
        return PixelRect(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
    }

    /// Sums over the frames that have been read.
    private struct Accumulator {
        var width = 0
        var height = 0
        var size = (width: 0, height: 0)
        var allTimes: [Double] = []
        var times: [Double] = []
        var firstFrame = 0
        var samples: [(time: Double, number: Int, thumbnail: Thumbnail)] = []
        private var sums: [Double] = []
        private var squares: [Double] = []
        /// The colours of the frames of one colour. The sums leave them out.
        private(set) var blankColors: [Int: Color] = [:]
        private var step = 1
        private let sampledDuration: Double

        init(sampledDuration: Double) { self.sampledDuration = sampledDuration }

        mutating func begin(_ frame: VideoFrame) throws -> FrameScaler {
            width = frame.width
            height = frame.height
            let factor = min(1, (maxPixels / Double(max(1, width * height))).squareRoot())
            size = (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
            sums = [Double](repeating: 0, count: 3 * size.width * size.height)
            squares = sums
            return try FrameScaler(width: size.width, height: size.height)
        }

        mutating func add(_ rgba: UnsafeBufferPointer<UInt8>, _ number: Int, _ time: Double) {
            guard let base = rgba.baseAddress else { return }
            if times.isEmpty { firstFrame = number }
            let thumbnail = Thumbnail(
                width: size.width, height: size.height, rgba: base, stride: 4 * size.width, isBlueFirst: false)
            if let color = thumbnail.blankColor { blankColors[times.count] = color } else { addToSums(thumbnail) }
            if times.isEmpty || time - (samples.first?.time ?? 0) <= sampledDuration, times.count % step == 0 {
                samples.append((time, times.count, thumbnail))
                if samples.count > maxSamples {
                    step *= 2
                    samples.removeAll { $0.number % step != 0 }
                }
            }
            times.append(time)
        }

        private mutating func addToSums(_ thumbnail: Thumbnail) {
            sums.withUnsafeMutableBufferPointer { sums in
                squares.withUnsafeMutableBufferPointer { squares in
                    for (index, code) in thumbnail.pixels.enumerated() {
                        let value = Double(code) - 128
                        sums[index] += value
                        squares[index] += value * value
                    }
                }
            }
        }

        /// Returns the activity of the frames with several colours, and of some of one colour.
        func activity(inside crop: PixelRect?, reduction: (x: Double, y: Double), blank: [Color]) -> [Float] {
            let count = Double(max(1, times.count - blankColors.count + blank.count))
            let values = blank.map { [$0.red, $0.green, $0.blue].map { 255 * $0 - 128 } }
            let blankSums = (0..<3).map { channel in values.reduce(0) { $0 + $1[channel] } }
            let blankSquares = (0..<3).map { channel in values.reduce(0) { $0 + $1[channel] * $1[channel] } }
            var result = [Float](repeating: 0, count: size.width * size.height)
            for index in sums.indices {
                let mean = (sums[index] + blankSums[index % 3]) / count
                let square = (squares[index] + blankSquares[index % 3]) / count
                let variance = max(0, square - mean * mean)
                result[index / 3] = max(result[index / 3], Float(variance.squareRoot()))
            }
            // In most recordings less than half of the pixels move, so the median is the noise. In
            // others, it is motion.
            let noise = min(result.median ?? 0, maxNoise)
            for index in result.indices {
                result[index] = max(0, result[index] - noiseMargin * noise)
                guard let crop else { continue }
                let x = (Double(index % size.width) + 0.5) / reduction.x
                let y = (Double(index / size.width) + 0.5) / reduction.y
                let isInside =
                    x >= Double(crop.x) && x < Double(crop.maxX) && y >= Double(crop.y) && y < Double(crop.maxY)
                if !isInside { result[index] = 0 }
            }
            return result
        }
    }
}
