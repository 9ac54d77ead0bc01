import Animations
import Core
import Media
import Raster
import Render

/// A loader by design, at the position and the times at which a recording shows it.
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
    /// A time of the recording and its model time, both in seconds.
    private let start: (time: Double, modelTime: Double)

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
        start = verdict.curve.first.map { ($0.time, $0.expectedTime) } ?? (0, fit.start)
    }

    /// Returns the designed model time at a time of the recording, both in seconds.
    func modelTime(at time: Double) -> Double { start.modelTime + speed * (time - start.time) }

    /// Returns a designed model time within the period.
    func cycleTime(at time: Double) -> Double {
        LoaderModel.rational(modelTime(at: time), in: loader).double
    }

    /// Returns the nodes at a time of the recording, back to front.
    func nodes(at time: Double) -> [Node] {
        loader.nodes(at: LoaderModel.rational(modelTime(at: time), in: loader))
    }

    /// Returns the name of the phase at a time of the recording.
    func phase(at time: Double) -> String {
        let modelTime = cycleTime(at: time)
        return loader.phases.last { $0.start.double <= modelTime }?.name.english ?? ""
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

/// Draws a placed design into a part of the recording. Not thread-safe: each thread has its own.
final class DesignRenderer {
    private let design: PlacedDesign
    private let view: RegionView
    private let rasterizer: Rasterizer

    init(_ design: PlacedDesign, _ view: RegionView) throws {
        self.design = design
        self.view = view
        do { rasterizer = try Rasterizer(width: view.width, height: view.height) } catch { throw LoadervidError(error) }
    }

    /// Returns nodes over the background of the recording.
    func image(_ nodes: [Node]) throws -> ReportImage {
        let corner = Point(Double(view.region.x), Double(view.region.y))
        let transform = AffineTransform.scale(design.scale * view.scale)
            .then(.translation((design.origin - corner) * view.scale))
        let scene = Scene(
            size: Size(Double(view.width), Double(view.height)), background: design.background,
            nodes: [.group(Group(transform: transform, nodes: nodes))])
        do { try rasterizer.draw(scene) } catch { throw LoadervidError(error) }
        let pixmap = rasterizer.pixmap
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * view.width * view.height)
        for y in 0..<view.height {
            bytes += UnsafeBufferPointer(start: pixmap.data + y * pixmap.stride, count: 4 * view.width)
        }
        return ReportImage(width: view.width, height: view.height, bytes: bytes)
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

    /// A frame of a recording, of which transparent pixels get the background colour.
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
    var planes: DifferencePlanes {
        bytes.withUnsafeBufferPointer { pixels in
            // An image has at least one pixel, so the buffer has a base address.
            DifferencePlanes(pixels.baseAddress!, stride: 4 * width, isBlueFirst: true, width: width, height: height)
        }
    }

    /// Returns the distance of each pixel from another image of the same size, in codes.
    func distances(to other: ReportImage) -> [Float] { planes.distances(to: other.planes) }

    /// The image for a scene.
    var bitmap: Bitmap? { Bitmap(width: width, height: height, pixels: bytes) }
}

extension DifferencePlanes {
    /// Returns the distance of each pixel from other planes of the same size, in codes.
    func distances(to other: DifferencePlanes) -> [Float] {
        let count = values.count / 3
        return (0..<count).map { pixel in
            let luma = values[pixel] - other.values[pixel]
            let blue = values[count + pixel] - other.values[count + pixel]
            let red = values[2 * count + pixel] - other.values[2 * count + pixel]
            return (luma * luma + blue * blue + red * red).squareRoot()
        }
    }
}
