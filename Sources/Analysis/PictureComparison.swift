import Loaders
import Media
import Motion
import Pipeline
import Platform
import Raster
import Scene

/// How far a clip's pictures are from those of a loader that it is meant to show, whatever it draws.
///
/// The loader is laid over the clip by the boxes around what both draw; speed and start are those at which small pictures of
/// both agree best; then place, scale and start are made finer, and every picture is compared.
public struct PictureComparison: Sendable {
    /// How near the pictures of one of the loader's phases are.
    public struct PhaseFigure: Encodable, Sendable {
        /// The phase, counted from 0.
        public let phase: Int
        /// Its name.
        public let name: String
        /// PSNR of its pictures in dB, at most 99.
        public let psnr: Double
    }

    /// The picture that is farthest away.
    public struct WorstFrame: Encodable, Sendable {
        /// Its number, counted from 0.
        public let frame: Int
        /// When it is shown, in seconds.
        public let time: Double
        /// Its PSNR in dB, at most 99.
        public let psnr: Double
    }

    /// Pixels of the clip per point of the canvas.
    public let scale: Double
    /// Seconds of model time per second of the clip.
    public let speed: Double
    /// Model time in seconds at the clip's first picture, in 0..<period.
    public let start: Double
    /// Where the canvas's upper left corner lies, in pixels of the clip.
    public let origin: Point
    /// PSNR of all pictures in dB, within the box of what is drawn; at most 99.
    public let psnr: Double
    /// The figures of the phases that the clip shows.
    public let phases: [PhaseFigure]
    /// The worst picture.
    public let worst: WorstFrame

    /// Pictures that are nearer than this show what was designed, small differences in edges aside.
    public static let goodPSNR = 30.0
    /// Where not even this is reached, the clip shows something else.
    private static let leastPSNR = 15.0

    /// Lays a loader over a clip. Throws `RenderError` of kind `badData` if the clip shows something else.
    public init(path: String, limits: ClipLimits, id: String, loader: any Loader) throws {
        let clip = try ClipPictures(path: path, limits: limits)
        guard let box = clip.box else {
            throw RenderError(.badData, "\(path) shows nothing but one colour: give a recording of \(id)")
        }
        let model = try ModelPictures(loader, background: clip.background)
        guard let modelBox = model.box else {
            throw RenderError(.badData, "\(id) draws nothing over \(clip.background.hexString), the clip's background")
        }
        let fit = PictureFit(clip, box, model, modelBox, period: loader.period.double)
        let finer = try fit.refined(clip, loader)
        let errors = try finer.errors(of: clip.kept, of: clip, loader)
        (scale, speed, start, origin) = (
            finer.scale / clip.shrink, finer.speed, finer.start, finer.origin * (1 / clip.shrink)
        )
        psnr = Self.decibels(errors.reduce(0) { $0 + $1.error } / Double(max(1, errors.count)))
        guard psnr >= Self.leastPSNR else {
            throw RenderError(
                .badData,
                "\(path) does not show \(id): at no speed, scale and place are its pictures nearer than "
                    + "\(psnr.thousandths) dB: compare another")
        }
        let last = errors.max { $0.error < $1.error }
        worst = WorstFrame(frame: last?.frame ?? 0, time: last?.time ?? 0, psnr: Self.decibels(last?.error ?? 0))
        let own = Dictionary(grouping: errors) { error in
            loader.phase(atSeconds: finer.start + finer.speed * error.time)
        }
        phases = loader.phases.compactMap { phase in
            guard let errors = own[phase.index] else { return nil }
            let mean = errors.reduce(0) { $0 + $1.error } / Double(errors.count)
            return PhaseFigure(phase: phase.index, name: phase.name.english, psnr: Self.decibels(mean))
        }
    }

    /// PSNR in dB of a mean squared error of components 0...255.
    private static func decibels(_ error: Double) -> Double { error > 0 ? min(99, 10 * log10(255 * 255 / error)) : 99 }
}

/// What is kept of a clip: all times, small pictures, and some pictures that are larger.
struct ClipPictures {
    /// A picture that is kept.
    struct Kept {
        var frame: Int
        var time: Double
        var picture: SmallPicture
    }

    private(set) var kept: [Kept] = []
    /// The colour behind everything.
    private(set) var background = Color.white
    /// The box of what is drawn in any picture.
    private(set) var box: PixelRect?
    /// Pixels that are kept for one of the clip.
    private(set) var shrink = 1.0

    /// Longer sides are shrunk to this.
    private static let longestSide = 480
    /// So many pictures are kept at most; of longer clips every second, fourth and so on.
    private static let most = 120

    init(path: String, limits: ClipLimits) throws {
        let reader = try ClipReader(path: path, limits: limits)
        var (scaler, size, step): (FrameScaler?, (Int, Int), Int) = (nil, (0, 0), 1)
        var (kept, shrink): ([Kept], Double) = ([], 1)
        try reader.forEachFrame { frame, number, time in
            if scaler == nil {
                shrink = min(1, Double(Self.longestSide) / Double(max(frame.width, frame.height)))
                size = (max(1, Int(Double(frame.width) * shrink)), max(1, Int(Double(frame.height) * shrink)))
                scaler = try FrameScaler(width: size.0, height: size.1)
            }
            guard number % step == 0, let scaler else { return true }
            let rgba = try scaler.rgba(frame)
            guard let base = rgba.baseAddress else { return true }
            let picture = SmallPicture(
                width: size.0, height: size.1, rgba: base, stride: 4 * size.0, isBlueFirst: false)
            kept.append(Kept(frame: number, time: time, picture: picture))
            if kept.count > Self.most {
                step *= 2
                kept.removeAll { $0.frame % step != 0 }
            }
            return true
        }
        (self.kept, self.shrink) = (kept, shrink)
        guard let first = kept.first else { return }
        background = first.picture.rimColor
        box = kept.map(\.picture).content(on: background)
    }
}

/// A loader's pictures over its period, small.
struct ModelPictures {
    private(set) var pictures: [SmallPicture] = []
    private(set) var box: PixelRect?
    /// Pixels per point.
    let scale: Double

    /// Instants of the period.
    static let count = 120
    private static let longestSide = 240.0

    init(_ loader: any Loader, background: Color) throws {
        scale = Self.longestSide / max(loader.canvas.width, loader.canvas.height)
        let (width, height) = (loader.canvas.width * scale, loader.canvas.height * scale)
        let rasterizer = try Rasterizer(
            width: max(1, Int(width.rounded(.up))), height: max(1, Int(height.rounded(.up))))
        for instant in 0..<Self.count {
            let time = loader.period * Rational(Int128(instant), Int128(Self.count))
            pictures.append(try SmallPicture.drawn(loader, at: time, on: background, with: rasterizer))
        }
        box = pictures.content(on: background)
    }
}
