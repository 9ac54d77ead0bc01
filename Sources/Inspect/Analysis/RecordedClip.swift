import Animations
import Core
import Media
import Render

/// A recording of a loader that acts as that loader: it shows the recorded frame for each instant
/// of the loader's time, in the same position.
package struct RecordedClip: Loader {
    package let id: String
    package let title: LocalizedText
    package let canvas: Size
    package let background: Color
    package let period: Rational
    private let phaseList: [(name: LocalizedText, duration: Rational)]
    package var phaseDurations: [(name: LocalizedText, duration: Rational)] { phaseList }
    /// The frames of at most one period with their times in the recording, in seconds.
    private let frames: [(time: Double, bitmap: Bitmap)]
    /// The bounds of the frames in points of the canvas.
    private let bounds: Rect
    /// Seconds of model time per second of the recording.
    private let speed: Double
    /// The model time of the recording's first frame in seconds.
    private let start: Double

    /// The position of a recording in a loader's time.
    package struct Alignment: Sendable {
        /// The model time of the first frame in seconds.
        package var start: Rational = 0
        /// Seconds of model time per second of the recording.
        package var speed: Rational = 1

        /// Creates an alignment at normal speed from the start of the period, with the whole frame
        /// on the canvas.
        package init() {}
    }

    /// The maximum width of a stored frame in pixels.
    private static let maxWidth = 720
    /// The maximum size of all stored frames in bytes.
    private static let maxBytes = 192 << 20

    /// Reads a recording. Without an alignment, tracking determines it, which works for loaders of
    /// balls only.
    ///
    /// Throws `LoadervidError` if the file cannot be read, does not show the loader, or needs too
    /// much memory.
    package init(path: String, of loader: any Loader, alignment: Alignment? = nil, limits: ClipLimits = ClipLimits())
        throws
    {
        id = loader.id
        title = loader.title
        canvas = loader.canvas
        background = loader.background
        period = loader.period
        phaseList = loader.phaseDurations
        let match =
            try alignment == nil
            ? LoaderAlignment(ClipAnalysis(path: path, limits: limits), id: loader.id, loader: loader).match : nil
        speed = match?.speed ?? alignment?.speed.double ?? 1
        start = match?.start ?? alignment?.start.double ?? 0
        let reader = try ClipReader(path: path, limits: limits)
        (frames, bounds) = try RecordedClip.frames(
            of: reader, seconds: loader.period.double / speed, match: match, canvas: loader.canvas)
    }

    private static func frames(
        of reader: ClipReader, seconds: Double, match: LoaderMatch?, canvas: Size
    ) throws -> ([(time: Double, bitmap: Bitmap)], Rect) {
        var frames: [(time: Double, bitmap: Bitmap)] = []
        var bounds = Rect(size: canvas)
        var byteCount = 0
        var scaler: FrameScaler?
        try reader.forEachFrame { frame, _, time in
            if scaler == nil {
                let width = min(maxWidth, frame.width)
                let height = max(1, frame.height * width / max(1, frame.width))
                scaler = try FrameScaler(width: width, height: height)
                bounds = self.bounds(of: Size(Double(frame.width), Double(frame.height)), match, on: canvas)
            }
            guard time < seconds, let scaler else { return false }
            byteCount += 4 * scaler.width * scaler.height
            guard byteCount <= maxBytes else {
                throw LoadervidError(
                    .badData,
                    "\(reader.path): the frames of one period take more than \(maxBytes >> 20) MB; reduce their "
                        + "dimensions or rate")
            }
            if let bitmap = try scaler.bitmap(frame) {
                frames.append((time, bitmap))
            }
            return true
        }
        guard !frames.isEmpty else {
            throw LoadervidError(.badData, "\(reader.path) has no frames; use a complete file")
        }
        return (frames, bounds)
    }

    private static func bounds(of size: Size, _ match: LoaderMatch?, on canvas: Size) -> Rect {
        guard let match else {
            let scale = min(canvas.width / size.width, canvas.height / size.height)
            let shown = Size(size.width * scale, size.height * scale)
            return Rect(
                x: (canvas.width - shown.width) / 2, y: (canvas.height - shown.height) / 2, width: shown.width,
                height: shown.height)
        }
        return Rect(
            x: -match.origin.x / match.scale, y: -match.origin.y / match.scale, width: size.width / match.scale,
            height: size.height / match.scale)
    }

    package func nodes(at time: Rational) -> [Node] {
        let turns = (time.double - start) / period.double
        let elapsed = (turns - turns.rounded(.down)) * period.double / speed
        let index = max(0, (frames.firstIndex { $0.time > elapsed + 1e-9 } ?? frames.count) - 1)
        return [.image(Image(frames[index].bitmap, frame: bounds))]
    }
}

extension FrameScaler {
    /// Scales a frame to an opaque bitmap. Returns nil for a size that a bitmap cannot have.
    func bitmap(_ frame: VideoFrame) throws -> Bitmap? {
        let rgba = try rgba(frame)
        let pixels = [UInt8](unsafeUninitializedCapacity: rgba.count) { target, count in
            for pixel in stride(from: 0, to: rgba.count, by: 4) {
                target[pixel] = rgba[pixel + 2]
                target[pixel + 1] = rgba[pixel + 1]
                target[pixel + 2] = rgba[pixel]
                target[pixel + 3] = 255
            }
            count = rgba.count
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }
}
