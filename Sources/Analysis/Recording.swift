import Loaders
import Media
import Motion
import Pipeline
import Scene

/// A recording of a loader, as if it were that loader: what it shows at each instant of the loader's time, in its place.
public struct Recording: Loader {
    public let id: String
    public let title: LocalizedText
    public let canvas: Size
    public let background: Color
    public let period: Rational
    private let phaseList: [(name: LocalizedText, duration: Rational)]
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] { phaseList }
    /// The pictures of at most one period, and when the recording shows them, in seconds.
    private let pictures: [(time: Double, bitmap: Bitmap)]
    /// Where the pictures lie, in points of the canvas.
    private let frame: Rect
    /// Seconds of the loader's time per second of the recording, and its time at the first picture.
    private let (speed, start): (Double, Double)

    /// How a recording lies over a loader.
    public struct Alignment: Sendable {
        /// Model time at the first picture, in seconds.
        public var start: Rational = 0
        /// Seconds of model time per second of the recording.
        public var speed: Rational = 1

        /// At normal speed from the period's beginning on, the whole picture on the canvas.
        public init() {}
    }

    /// The widest picture that is kept, and how many bytes all may take.
    private static let (mostWidth, mostBytes) = (720, 192 << 20)

    /// Reads a recording. Without an alignment it is found by tracking, for loaders that can be judged.
    ///
    /// Throws `RenderError` if it cannot be read, does not show the loader, or takes too much memory.
    public init(path: String, of loader: any Loader, alignment: Alignment? = nil, limits: ClipLimits = ClipLimits())
        throws
    {
        (id, title, canvas) = (loader.id, loader.title, loader.canvas)
        (background, period, phaseList) = (loader.background, loader.period, loader.phaseDurations)
        let match =
            try alignment == nil
            ? ClipComparison(ClipAnalysis(path: path, limits: limits), id: loader.id, loader: loader).match : nil
        speed = match?.speed ?? alignment?.speed.double ?? 1
        start = match?.start ?? alignment?.start.double ?? 0
        let reader = try ClipReader(path: path, limits: limits)
        (pictures, frame) = try Recording.pictures(
            of: reader, seconds: loader.period.double / speed, match: match, canvas: loader.canvas)
    }

    private static func pictures(
        of reader: ClipReader, seconds: Double, match: LoaderMatch?, canvas: Size
    ) throws -> ([(time: Double, bitmap: Bitmap)], Rect) {
        var (pictures, frame, byteCount) = ([(time: Double, bitmap: Bitmap)](), Rect(size: canvas), 0)
        var scaler: FrameScaler?
        try reader.forEachFrame { picture, _, time in
            if scaler == nil {
                let width = min(mostWidth, picture.width)
                let height = max(1, picture.height * width / max(1, picture.width))
                scaler = try FrameScaler(width: width, height: height)
                frame = place(of: Size(Double(picture.width), Double(picture.height)), match, on: canvas)
            }
            guard time < seconds, let scaler else { return false }
            byteCount += 4 * scaler.width * scaler.height
            guard byteCount <= mostBytes else {
                throw RenderError(
                    .badData,
                    "\(reader.path): a period of it takes more than \(mostBytes >> 20) MB as pictures: make it smaller, or "
                        + "give fewer pictures a second")
            }
            if let bitmap = Bitmap(width: scaler.width, height: scaler.height, pixels: opaque(try scaler.rgba(picture)))
            {
                pictures.append((time, bitmap))
            }
            return true
        }
        guard !pictures.isEmpty else { throw RenderError(.badData, "\(reader.path) has no pictures") }
        return (pictures, frame)
    }

    /// Pixels as bitmaps have them; recordings have nothing behind them.
    private static func opaque(_ rgba: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: rgba.count) { target, count in
            for pixel in stride(from: 0, to: rgba.count, by: 4) {
                target[pixel] = rgba[pixel + 2]
                target[pixel + 1] = rgba[pixel + 1]
                target[pixel + 2] = rgba[pixel]
                target[pixel + 3] = 255
            }
            count = rgba.count
        }
    }

    private static func place(of size: Size, _ match: LoaderMatch?, on canvas: Size) -> Rect {
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

    public func nodes(at time: Rational) -> [Node] {
        let turns = (time.double - start) / period.double
        let elapsed = (turns - turns.rounded(.down)) * period.double / speed
        let index = max(0, (pictures.firstIndex { $0.time > elapsed + 1e-9 } ?? pictures.count) - 1)
        return [.image(Image(pictures[index].bitmap, frame: frame))]
    }
}
