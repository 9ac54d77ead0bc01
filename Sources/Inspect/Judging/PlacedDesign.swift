import Animations
import Core
import Media
import Raster
import Render

/// The designed loader, at the position and the times at which a recording shows it.
struct PlacedDesign: Sendable {
    /// The loader with its designed parameters.
    let loader: any Loader
    /// The parts of the loader that are judged on their own.
    let elements: LoaderElements
    /// The background colour of the recording.
    let background: Color
    /// Pixels of the recording per point.
    let scale: Double
    /// The upper left corner of the canvas in pixels of the recording.
    let origin: Point
    /// Seconds of model time per second of the recording, by design.
    let speed: Double
    /// The differences of model time from speed × time, each from a time of the recording on, all
    /// in seconds. There is at least one.
    private let offsets: [(from: Double, offset: Double)]

    /// The margin around the canvas, relative to its longer side, in which displaced parts show.
    private static let margin = 0.06

    init(_ verdict: Verdict, _ fit: RecordingFit, _ loader: any Loader, _ elements: LoaderElements) {
        self.loader = loader
        self.elements = elements
        background = fit.background
        // A loader of another size is shown at the designed one, about the same centre.
        let size = verdict.deviations.first { $0.kind == .size && !$0.isAlternative }
        scale = size?.expected.flatMap(Double.init) ?? fit.scale
        origin = fit.origin + Point(loader.canvas.width, loader.canvas.height) * ((fit.scale - scale) / 2)
        speed = fit.expectedSpeed
        offsets = Self.offsets(verdict, fit)
    }

    // MARK: Time

    /// The number of frames whose median gives an offset: enough to outvote a misjudged one.
    private static let offsetFrames = 9

    /// Returns the offset at the start, and a new one after each finding that shifts what follows.
    /// After a standstill, the design would otherwise never fit again.
    private static func offsets(_ verdict: Verdict, _ fit: RecordingFit) -> [(from: Double, offset: Double)] {
        let shifts = verdict.deviations.filter { [.frozen, .missingFrames, .swappedFrames].contains($0.kind) }
            .compactMap(\.time).sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        let starts = [-Double.infinity] + shifts.map(\.upperBound)
        let ends = shifts.map(\.lowerBound) + [.infinity]
        let found = zip(starts, ends).compactMap { start, end -> (from: Double, offset: Double)? in
            let points = verdict.curve.lazy.filter { $0.isCertain && $0.time > start && $0.time <= end }
            let values = points.prefix(offsetFrames).map { $0.modelTime - fit.expectedSpeed * $0.time }
            return values.median.map { (start, $0) }
        }
        let first = verdict.curve.first
        let designed = (first?.expectedTime ?? fit.start) - fit.expectedSpeed * (first?.time ?? 0)
        return found.isEmpty ? [(-.infinity, designed)] : found
    }

    /// Returns the designed model time at a time of the recording, both in seconds. It has a new
    /// offset after each finding that shifts the frames that follow.
    func modelTime(at time: Double) -> Double {
        let offset = offsets.last { $0.from < time } ?? offsets[0]
        return offset.offset + speed * time
    }

    /// Returns the model time at a time of the recording with the offset of its start, as if no
    /// finding had shifted the later frames.
    func modelTimeFromStart(at time: Double) -> Double { offsets[0].offset + speed * time }

    /// Returns a designed model time within the period.
    func cycleTime(at time: Double) -> Double {
        LoaderModel.rational(modelTime(at: time), in: loader).double
    }

    /// Returns the time of the recording at which a phase begins, if it is near a time, in seconds.
    func phaseStart(near time: Double, within distance: Double) -> Double? {
        let modelTime = modelTime(at: time)
        let period = loader.period.double
        let starts = loader.phases.map { phase in
            let turns = ((modelTime - phase.start.double) / period).rounded()
            return time + (phase.start.double + turns * period - modelTime) / speed
        }
        let nearest = starts.min { abs($0 - time) < abs($1 - time) }
        return nearest.flatMap { abs($0 - time) <= distance ? $0 : nil }
    }

    /// Returns the nodes at a time of the recording, back to front.
    func nodes(at time: Double) -> [Node] { keyedNodes(at: time).map(\.node) }

    /// Returns the nodes at a time of the recording with their elements, back to front.
    func keyedNodes(at time: Double) -> [KeyedNode] {
        elements.keyed(loader, at: LoaderModel.rational(modelTime(at: time), in: loader))
    }

    /// Returns the name of the phase at a time of the recording.
    func phase(at time: Double) -> String {
        let index = loader.phase(atSeconds: modelTime(at: time))
        return loader.phases.first { $0.index == index }?.name.english ?? ""
    }

    /// Returns the part of a frame that shows the canvas; nil if none of it is in the frame.
    func region(width: Int, height: Int) -> PixelRect? {
        let margin = Self.margin * max(loader.canvas.width, loader.canvas.height) * scale
        let left = max(0, (origin.x - margin).rounded(.down))
        let top = max(0, (origin.y - margin).rounded(.down))
        let right = min(Double(width), (origin.x + loader.canvas.width * scale + margin).rounded(.up))
        let bottom = min(Double(height), (origin.y + loader.canvas.height * scale + margin).rounded(.up))
        guard right - left >= 1, bottom - top >= 1 else { return nil }
        return PixelRect(x: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top))
    }
}

/// An opaque image of a report.
struct ReportImage: Sendable {
    /// Width in pixels.
    let width: Int
    /// Height in pixels.
    let height: Int
    /// Blue, green, red and 255 for each pixel.
    var bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// A frame of a recording, whose transparent pixels get the background colour.
    init(_ frame: VideoFrame, _ scaler: FrameScaler, over background: Color) throws {
        width = scaler.width
        height = scaler.height
        let pixels = try scaler.rgba(frame)
        let ground = [background.blue, background.green, background.red].map { Int(($0 * 255).rounded()) }
        bytes = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            for pixel in stride(from: 0, to: pixels.count, by: 4) {
                let alpha = Int(pixels[pixel + 3])
                for channel in 0..<3 {
                    let value = Int(pixels[pixel + 2 - channel]) * alpha + ground[channel] * (255 - alpha)
                    target[pixel + channel] = UInt8((value + 127) / 255)
                }
                target[pixel + 3] = 255
            }
            count = pixels.count
        }
    }

    /// The planes by which frames are compared.
    var planes: DifferencePlanes { DifferencePlanes(bytes, isBlueFirst: true, width: width, height: height) }

    /// Returns the distance of each pixel from another image of the same size, in codes.
    func distances(to other: ReportImage) -> [Float] { planes.distances(to: other.planes) }

    /// Returns a part of the image, which must lie within it.
    func cropped(to part: PixelRect) -> ReportImage {
        var rows: [UInt8] = []
        rows.reserveCapacity(4 * part.area)
        for y in part.y..<part.maxY {
            let start = 4 * (y * width + part.x)
            rows += bytes[start..<start + 4 * part.width]
        }
        return ReportImage(width: part.width, height: part.height, bytes: rows)
    }

    /// The image for a scene.
    var bitmap: Bitmap? { Bitmap(width: width, height: height, pixels: bytes) }
}
