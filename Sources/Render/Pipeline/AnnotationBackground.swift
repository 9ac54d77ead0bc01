import Animations
import Core
import Raster

/// The background of annotated clips, sheets, plots, lessons and pages for art that is hardly
/// visible on its own background, such as white art on the default white.
package enum AnnotationBackground {
    /// The longer side of the bitmaps that are examined, in pixels.
    private static let side = 64.0
    /// The number of instants that are examined.
    private static let instants = 8
    /// The minimum alpha of the art's pixels, out of 255.
    private static let minAlpha = 128
    /// The CIEDE2000 distance below which a pixel is hardly visible. Light grey text on white has
    /// more.
    private static let minDistance = 7.0
    /// The share of the art that must be hardly visible.
    private static let minHiddenShare = 0.4
    /// The maximum share of the motion that may be visible. A white disc on which a needle turns is
    /// the needle's background.
    private static let maxVisibleMotion = 0.5
    /// The minimum difference of a component of a changed pixel, out of 255.
    private static let minChange = 12
    /// The share of the canvas above which the art brings its own background.
    private static let maxCoverage = 0.9

    /// Returns a background on which a loader's art is visible, if much of the art is hardly
    /// visible on the loader's own background; nil otherwise.
    package static func color(for loader: any Loader) -> Color? {
        guard let art = Art(loader, check: {}), art.coverage <= maxCoverage else { return nil }
        let own = art.hiddenShare(on: loader.background)
        guard own >= minHiddenShare else { return nil }
        let other = loader.background.isBright ? ThemeTone.dark.background : ThemeTone.light.background
        guard art.hiddenShare(on: other) < own / 2 else { return nil }
        return Double(art.motion(on: loader.background)) <= maxVisibleMotion * Double(art.motion(on: other))
            ? other : nil
    }

    /// The minimum invisible share of the art for a clip of it to look blank.
    private static let minBlankShare = 0.9
    /// The CIEDE2000 distance below which a viewer sees no difference. The light grey of
    /// placeholders on white, #f2f2f2, has more.
    private static let minSeenDistance = 2.0

    /// Returns true if a clip of the loader on a background looks blank, although its pixels differ
    /// from the background.
    ///
    /// - Parameter check: called before each of eight small bitmaps is drawn; throws to stop.
    static func looksBlank(_ loader: any Loader, on background: Color, check: () throws -> Void) throws -> Bool {
        guard background.alpha == 1, let art = try Art(loader, check: check), art.coverage <= maxCoverage else {
            return false
        }
        return art.hiddenShare(on: background, below: minSeenDistance) >= minBlankShare
    }

    /// Returns the message about a chosen background, on one line.
    ///
    /// - Parameter hasOption: true if an option chooses another colour.
    package static func note(_ color: Color, for loader: any Loader, hasOption: Bool = false) -> String {
        "the drawing's colours are close to the background \(loader.background.hexString), so the background is now "
            + color.hexString + (hasOption ? "; to choose another, set \(option: "background")" : "")
    }

    /// The colours of a loader's pixels at a few instants.
    private struct Art {
        /// The number of pixels of each colour.
        private var counts: [Color: Int] = [:]
        /// The largest share of the canvas that the art covers.
        private(set) var coverage = 0.0
        /// The premultiplied pixels at each instant: blue, green, red and alpha.
        private var frames: [[UInt8]] = []

        init?(_ loader: any Loader, check: () throws -> Void) rethrows {
            guard let rasterizer = try? Rasterizer(loader.canvas, longerSide: AnnotationBackground.side) else {
                return nil
            }
            let pixelCount = rasterizer.pixmap.width * rasterizer.pixmap.height
            for step in 0..<AnnotationBackground.instants {
                try check()
                let time = loader.period * Rational(Int128(2 * step + 1), Int128(2 * AnnotationBackground.instants))
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
            frames.append([])
            for y in 0..<pixmap.height {
                let row = pixmap.data + y * pixmap.stride
                frames[frames.count - 1] += UnsafeBufferPointer(start: row, count: 4 * pixmap.width)
                for x in 0..<pixmap.width {
                    let pixel = row + 4 * x
                    let alpha = Int(pixel[3])
                    guard alpha >= AnnotationBackground.minAlpha else { continue }
                    count += 1
                    // A coarse palette, because only distances matter.
                    func component(_ index: Int) -> Int { min(255, Int(pixel[index]) * 255 / alpha) & ~3 }
                    counts[Color(component(2), component(1), component(0)), default: 0] += 1
                }
            }
            return count
        }

        /// Returns the number of pixels that change from instant to instant on a background.
        func motion(on background: Color) -> Int {
            let components = [background.blue, background.green, background.red].map { Int(($0 * 255).rounded()) }
            func value(_ frame: [UInt8], _ index: Int) -> Int {
                let alpha = Int(frame[index | 3])
                return Int(frame[index]) + components[index & 3] * (255 - alpha) / 255
            }
            return zip(frames, frames.dropFirst()).reduce(0) { sum, pair in
                sum
                    + stride(from: 0, to: pair.0.count, by: 4).count { start in
                        (start..<start + 3).contains {
                            abs(value(pair.0, $0) - value(pair.1, $0)) >= AnnotationBackground.minChange
                        }
                    }
            }
        }

        /// Returns the share of the art that is hardly visible on a background.
        func hiddenShare(on background: Color, below minDistance: Double = AnnotationBackground.minDistance) -> Double {
            let all = counts.values.reduce(0, +)
            let hidden = counts.filter { $0.key.distance(to: background) < minDistance }
            return all == 0 ? 0 : Double(hidden.values.reduce(0, +)) / Double(all)
        }
    }
}
