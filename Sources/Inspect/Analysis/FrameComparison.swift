import Animations
import Media
import Core
import Render
import Raster

/// A comparison of a clip's frames with those of the loader that it should show, for loaders of any
/// kind.
///
/// The bounding boxes of both drawings determine the scale and position. Thumbnails of both
/// determine the speed and start. Then position, scale and start are refined, and the frames are
/// compared.
package struct FrameComparison: Sendable {
    /// The PSNR of the frames in one of the loader's phases.
    package struct PhasePSNR: Encodable, Sendable {
        /// The index of the phase, counted from 0.
        package let phase: Int
        /// Its name.
        package let name: String
        /// The PSNR of its frames in dB, at most 99.
        package let psnr: Double
    }

    /// The frame with the lowest PSNR.
    package struct WorstFrame: Encodable, Sendable {
        /// Its index, counted from 0.
        package let frame: Int
        /// Its time in seconds.
        package let time: Double
        /// Its PSNR in dB, at most 99.
        package let psnr: Double
    }

    /// Pixels of the clip per point of the canvas.
    package let scale: Double
    /// Seconds of model time per second of the clip.
    package let speed: Double
    /// The model time of the clip's first frame in seconds, in 0..<period.
    package let start: Double
    /// The upper left corner of the canvas in pixels of the clip.
    package let origin: Point
    /// The PSNR of all frames in dB, within the bounding box of the drawing, at most 99.
    package let psnr: Double
    /// The PSNR of each phase that the clip shows.
    package let phases: [PhasePSNR]
    /// The worst frame.
    package let worst: WorstFrame

    /// The PSNR in dB from which a clip shows the loader apart from small differences at edges.
    package static let goodPSNR = 30.0
    /// The PSNR in dB below which a clip shows something else.
    private static let minPSNR = 15.0

    /// Fits a loader to a clip. Throws `LoadervidError` of kind `badData` if the clip shows
    /// something else.
    package init(path: String, limits: ClipLimits, id: String, loader: any Loader) throws {
        let clip = try ClipThumbnails(path: path, limits: limits)
        guard let box = clip.box else {
            throw LoadervidError(.badData, "\(path) shows only one colour; use a recording of \(id)")
        }
        let model = try LoaderThumbnails(loader, background: clip.background)
        guard let modelBox = model.box else {
            throw LoadervidError(
                .badData, "\(id) draws nothing visible on the clip's background, \(clip.background.hexString)")
        }
        let fit = LoaderAlignment(clip, box, model, modelBox, period: loader.period.double)
        let refined = try fit.refined(clip, loader)
        let errors = try refined.errors(of: clip.samples, of: clip, loader)
        scale = refined.scale / clip.reduction
        speed = refined.speed
        start = refined.start
        origin = refined.origin * (1 / clip.reduction)
        psnr = Self.decibels(errors.reduce(0) { $0 + $1.error } / Double(max(1, errors.count)))
        guard psnr >= Self.minPSNR else {
            throw LoadervidError(
                .badData,
                "\(path) does not show \(id): the best fit has a PSNR of \(decimal(psnr)) dB, below the minimum of "
                    + "\(decimal(Self.minPSNR)) dB; compare another loader")
        }
        let last = errors.max { $0.error < $1.error }
        worst = WorstFrame(frame: last?.frame ?? 0, time: last?.time ?? 0, psnr: Self.decibels(last?.error ?? 0))
        let own = Dictionary(grouping: errors) { error in
            loader.phase(atSeconds: refined.start + refined.speed * error.time)
        }
        phases = loader.phases.compactMap { phase in
            guard let errors = own[phase.index] else { return nil }
            let mean = errors.reduce(0) { $0 + $1.error } / Double(errors.count)
            return PhasePSNR(phase: phase.index, name: phase.name.english, psnr: Self.decibels(mean))
        }
    }

    /// Returns the PSNR in dB for a mean squared error of components 0...255, at most 99.
    private static func decibels(_ error: Double) -> Double { error > 0 ? min(99, 10 * log10(255 * 255 / error)) : 99 }
}

/// Thumbnails of up to 120 frames of a clip.
struct ClipThumbnails {
    /// A thumbnail of a frame.
    struct Sample {
        var frame: Int
        var time: Double
        var thumbnail: Thumbnail
    }

    private(set) var samples: [Sample] = []
    /// The background colour.
    private(set) var background = Color.white
    /// The bounding box of the drawing in all thumbnails.
    private(set) var box: PixelRect?
    /// Pixels of a thumbnail per pixel of the clip.
    private(set) var reduction = 1.0

    /// The maximum side of a thumbnail in pixels.
    private static let maxSide = 480
    /// The maximum number of thumbnails. Longer clips keep every second, fourth and so on.
    private static let maxCount = 120

    init(path: String, limits: ClipLimits) throws {
        let reader = try ClipReader(path: path, limits: limits)
        var scaler: FrameScaler?
        var size = (0, 0)
        var step = 1
        var samples: [Sample] = []
        var reduction = 1.0
        try reader.forEachFrame { frame, number, time in
            if scaler == nil {
                reduction = min(1, Double(Self.maxSide) / Double(max(frame.width, frame.height)))
                size = (max(1, Int(Double(frame.width) * reduction)), max(1, Int(Double(frame.height) * reduction)))
                scaler = try FrameScaler(width: size.0, height: size.1)
            }
            guard number % step == 0, let scaler else { return true }
            let rgba = try scaler.rgba(frame)
            guard let base = rgba.baseAddress else { return true }
            let thumbnail = Thumbnail(
                width: size.0, height: size.1, rgba: base, stride: 4 * size.0, isBlueFirst: false)
            samples.append(Sample(frame: number, time: time, thumbnail: thumbnail))
            if samples.count > Self.maxCount {
                step *= 2
                samples.removeAll { $0.frame % step != 0 }
            }
            return true
        }
        self.samples = samples
        self.reduction = reduction
        guard let first = samples.first else { return }
        background = first.thumbnail.rimColor
        box = samples.map(\.thumbnail).content(on: background)
    }
}

/// Thumbnails of a loader over its period.
struct LoaderThumbnails {
    private(set) var thumbnails: [Thumbnail] = []
    private(set) var box: PixelRect?
    /// Pixels of a thumbnail per point.
    let scale: Double

    /// The number of thumbnails, at equal intervals of the period.
    static let count = 120
    private static let maxSide = 240.0

    init(_ loader: any Loader, background: Color) throws {
        scale = Self.maxSide / max(loader.canvas.width, loader.canvas.height)
        let (width, height) = (loader.canvas.width * scale, loader.canvas.height * scale)
        let rasterizer = try Rasterizer(
            width: max(1, Int(width.rounded(.up))), height: max(1, Int(height.rounded(.up))))
        for instant in 0..<Self.count {
            let time = loader.period * Rational(Int128(instant), Int128(Self.count))
            thumbnails.append(try Thumbnail.drawn(loader, at: time, on: background, with: rasterizer))
        }
        box = thumbnails.content(on: background)
    }
}
