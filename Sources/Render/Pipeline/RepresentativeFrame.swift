import Core
import Raster

extension ClipSource {
    /// Returns the frame that represents the clip when it does not play: its poster frame, or one
    /// of the fullest. None of up to 24 frames, spread evenly, has over a tenth more drawn.
    ///
    /// Throws `LoadervidError` if drawing fails.
    func representativeFrame() throws -> Int {
        if let posterFrame { return posterFrame }
        let shown = min(frameCount, repetition.cycleFrames ?? frameCount)
        let count = min(shown, RepresentativeFrame.maxCandidates)
        do {
            let gauge = try RepresentativeFrame(size)
            var best = (frame: 0, ink: -1)
            for index in 0..<count {
                let frame = (2 * index + 1) * shown / (2 * count)
                let scene = scenes(ofFrame: frame)[0]
                let ink = try gauge.ink(of: scene)
                // A tenth more, so that noise does not decide between similar frames.
                if ink > best.ink + best.ink / 10 { best = (frame, ink) }
            }
            return best.frame
        } catch { throw LoadervidError(error) }
    }
}

/// A gauge that measures, in a small bitmap, how much of a frame differs from its background.
private final class RepresentativeFrame {
    /// The number of frames to choose from.
    static let maxCandidates = 24
    /// The longer side of the bitmap in pixels, enough to tell shapes of a fiftieth of the canvas.
    private static let side = 96.0

    private let rasterizer: Rasterizer

    init(_ size: Size) throws(RasterError) {
        rasterizer = try Rasterizer(size, longerSide: Self.side)
    }

    /// Returns the sum of the differences from the background in all channels.
    func ink(of scene: Scene) throws(RasterError) -> Int {
        try rasterizer.draw(Scene(size: scene.size, background: scene.background, nodes: []))
        let pixmap = rasterizer.pixmap
        let plain = (0..<4).map { Int(pixmap.data[$0]) }
        try rasterizer.draw(scene)
        var sum = 0
        for y in 0..<pixmap.height {
            let row = pixmap.data + y * pixmap.stride
            for index in 0..<(4 * pixmap.width) { sum += abs(Int(row[index]) - plain[index & 3]) }
        }
        return sum
    }
}
