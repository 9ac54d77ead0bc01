import Animations
import Core
import Raster

/// The choice of the frame that represents a lesson when it does not play.
struct LessonPoster {
    let shots: [PlacedShot]
    let frameRate: FrameRate

    /// The number of instants that are compared.
    private static let samples = 16
    /// The longer side of the compared images in pixels.
    private static let side = 96.0

    /// The frame of the first shot with a visible loader, which is the title card if there is one,
    /// in which most of it is visible; nil without shots.
    var frame: Int? {
        let best = shots.lazy.compactMap { bestFrame(of: $0) }.first { $0.covered > 0 }
        return best?.frame ?? shots.first.map { $0.start + $0.count / 2 }
    }

    /// Returns the frame of a shot in which most of its loader is visible, and the number of
    /// covered pixels; nil for a shot without a loader.
    private func bestFrame(of shot: PlacedShot) -> (frame: Int, covered: Int)? {
        guard let view = shot.shot.views.first else { return nil }
        let loader = view.loader
        let frames = frames(of: shot)
        var best = (frame: shot.count / 2, covered: 0)
        let scale = Self.side / max(loader.canvas.width, loader.canvas.height)
        let width = max(1, Int(loader.canvas.width * scale))
        let height = max(1, Int(loader.canvas.height * scale))
        guard let rasterizer = try? Rasterizer(width: width, height: height) else {
            return (shot.start + best.frame, best.covered)
        }
        for frame in frames {
            let time = shot.shot.modelTime(after: frameRate.frameDuration * Rational(frame))
            let covered = Self.covered(by: view, at: time.modulo(loader.period), in: rasterizer)
            if covered > best.covered { best = (frame, covered) }
        }
        return (shot.start + best.frame, best.covered)
    }

    /// Returns the frames of a shot to compare, relative to its start: of a still, one in the
    /// middle or later that has all callouts.
    private func frames(of shot: PlacedShot) -> [Int] {
        guard !shot.isStill else {
            let settled = (shot.settledTime * frameRate.framesPerSecond).ceiling
            return [min(max(shot.count / 2, settled), shot.count - 1)]
        }
        return Set((0..<Self.samples).map { shot.count * (2 * $0 + 1) / (2 * Self.samples) }).sorted()
    }

    /// Returns the number of pixels in a small image that differ from the background.
    private static func covered(by view: LoaderView, at time: Rational, in rasterizer: Rasterizer) -> Int {
        let background = view.background
        let scene = Scene(size: view.loader.canvas, background: background, nodes: view.loader.nodes(at: time))
        guard (try? rasterizer.draw(scene)) != nil else { return 0 }
        let pixmap = rasterizer.pixmap
        let alpha = background.alpha
        let empty = [background.blue, background.green, background.red].map { Int(($0 * alpha * 255).rounded()) }
        return (0..<pixmap.height).reduce(0) { count, y in
            let row = pixmap.data + y * pixmap.stride
            return count
                + (0..<pixmap.width).count { x in
                    // A difference of a few codes is rounding.
                    (0..<3).contains { abs(Int(row[4 * x + $0]) - empty[$0]) > 8 }
                }
        }
    }
}
