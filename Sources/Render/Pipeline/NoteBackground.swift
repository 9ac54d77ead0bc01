import Animations
import Core
import Raster

/// The background of annotated clips, sheets and plots for art that is hardly visible on its own
/// background, such as white art on the default white.
public enum NoteBackground {
    /// The longer side of the bitmaps that are examined, in pixels.
    private static let side = 64.0
    /// The number of instants that are examined.
    private static let instants = 8
    /// The alpha, of 255, from which a pixel belongs to the art.
    private static let minAlpha = 128
    /// The CIEDE2000 distance below which a pixel is hardly visible. Light grey text on white has
    /// more.
    private static let minDistance = 7.0
    /// The share of the art that must be hardly visible.
    private static let minHiddenShare = 0.4
    /// The share of the canvas above which the art brings its own background.
    private static let maxCoverage = 0.9

    /// Returns the background on which a loader's art is visible, if much of it is not on the
    /// loader's own; nil otherwise.
    public static func color(for loader: any Loader) -> Color? {
        guard let art = Art(loader), art.coverage <= maxCoverage else { return nil }
        let own = art.hiddenShare(on: loader.background)
        guard own >= minHiddenShare else { return nil }
        let other = loader.background.isBright ? ThemeTone.dark.background : ThemeTone.light.background
        return art.hiddenShare(on: other) < own / 2 ? other : nil
    }

    /// Returns the message about a chosen background, on one line.
    public static func note(_ color: Color, for loader: any Loader) -> String {
        "the art has nearly the background's colour \(loader.background.hexString), so it is drawn on "
            + "\(color.hexString); set background to choose another colour"
    }

    /// The colours of a loader's pixels at a few instants.
    private struct Art {
        /// The number of pixels of each colour.
        private var counts: [Color: Int] = [:]
        /// The largest share of the canvas that the art covers.
        private(set) var coverage = 0.0

        init?(_ loader: any Loader) {
            guard let rasterizer = try? Rasterizer(loader.canvas, longerSide: NoteBackground.side) else { return nil }
            let pixelCount = rasterizer.pixmap.width * rasterizer.pixmap.height
            for step in 0..<NoteBackground.instants {
                let time = loader.period * Rational(Int128(2 * step + 1), Int128(2 * NoteBackground.instants))
                var scene = loader.scene(at: time)
                scene.background = Color.black.opacity(0)
                guard (try? rasterizer.draw(scene)) != nil else { return nil }
                let count = add(rasterizer.pixmap)
                coverage = max(coverage, Double(count) / Double(pixelCount))
            }
        }

        /// Adds the pixels of the art in a bitmap and returns their number.
        private mutating func add(_ pixmap: Pixmap) -> Int {
            var count = 0
            for y in 0..<pixmap.height {
                let row = pixmap.data + y * pixmap.stride
                for x in 0..<pixmap.width {
                    let pixel = row + 4 * x
                    let alpha = Int(pixel[3])
                    guard alpha >= NoteBackground.minAlpha else { continue }
                    count += 1
                    // A coarse palette, because only distances matter.
                    func component(_ index: Int) -> Int { min(255, Int(pixel[index]) * 255 / alpha) & ~3 }
                    counts[Color(component(2), component(1), component(0)), default: 0] += 1
                }
            }
            return count
        }

        /// Returns the share of the art that is hardly visible on a background.
        func hiddenShare(on background: Color) -> Double {
            let all = counts.values.reduce(0, +)
            let hidden = counts.filter { $0.key.distance(to: background) < NoteBackground.minDistance }
            return all == 0 ? 0 : Double(hidden.values.reduce(0, +)) / Double(all)
        }
    }
}
