import Core

/// The separation of the moving foreground from the background.
struct Segmentation {
    let width: Int
    let height: Int
    /// The background in RGBA.
    let background: [UInt8]
    /// The difference of a channel, in codes, above which a pixel belongs to the foreground.
    let threshold: Int

    /// The threshold in multiples of the noise, which hardly ever reaches it.
    private static let noiseMargin = 6.0
    /// The limits of the threshold. Compression changes the surroundings of moving objects more
    /// than still pixels, from which the noise comes, and pale objects must stand out from noisy
    /// backgrounds, too.
    private static let thresholds = 26...60
    /// The minimum number of pixels of a region that is examined. A smaller one cannot have
    /// `minCorePixels` whose neighbours belong to it, too.
    private static let minPixels = 9
    /// The maximum width in pixels of the edge that blur mixes with the background.
    private static let maxEdge = 5
    /// The width of the outermost edge in pixels, which may have any tint, and its width in thin
    /// regions.
    private static let tintedEdge = (usual: 2, thin: 1)
    /// The minimum number of pixels inside a region, whose median is its colour, and the maximum
    /// number of pixels of the region for each of them: a smaller part may have another colour.
    private static let minCorePixels = 3
    private static let maxPixelsPerCorePixel = 12
    /// The minimum coverage of the pixels inside.
    private static let minCoreCoverage = 0.6
    /// The minimum percentage of pixels, of the whole region and inside it, that are mixtures of
    /// its colour and the background. A region of several colours has fewer.
    private static let minShadePercent = (whole: 78, core: 90)
    /// The maximum difference of a channel, in codes, between a pixel and the mixture. It exceeds
    /// the noise, because blurred chroma tints the edges.
    private static let maxShadeDifference = 45
    /// The minimum area of a region in pixels, weighted by coverage. Smaller ones are noise.
    private static let minArea = 4.0
    /// The coverage below which a pixel counts as background. The noise around an object would move
    /// its centre.
    private static let minCoverage = 0.06

    init(_ samples: ClipSamples) {
        width = samples.view.width
        height = samples.view.height
        background = Background(samples).pixels
        let limit = Int(Self.noiseMargin * samples.noise)
        threshold = min(Self.thresholds.upperBound, max(Self.thresholds.lowerBound, limit))
    }

    /// Returns true for each pixel of a frame that differs from the background.
    func mask(_ pixels: UnsafeBufferPointer<UInt8>) -> [Bool] {
        var mask = [Bool](repeating: false, count: width * height)
        background.withUnsafeBufferPointer { ground in
            mask.withUnsafeMutableBufferPointer { mask in
                var index = 0
                var pixel = 0
                while pixel < mask.count {
                    let r = Int(pixels[index]) - Int(ground[index])
                    let g = Int(pixels[index + 1]) - Int(ground[index + 1])
                    let b = Int(pixels[index + 2]) - Int(ground[index + 2])
                    mask[pixel] =
                        r > threshold || -r > threshold || g > threshold || -g > threshold || b > threshold
                        || -b > threshold
                    index += 4
                    pixel += 1
                }
            }
        }
        return mask
    }
}

extension Segmentation {
    /// Returns the regions of a frame that have a single colour.
    func blobs(_ pixels: UnsafeBufferPointer<UInt8>, frame: Int) -> [Blob] {
        let mask = mask(pixels)
        let grid = CellGrid(width: width, height: height)
        var isLeft = mask
        var blobs: [Blob] = []
        for first in mask.indices where isLeft[first] {
            let members = grid.connected(to: first) { pixel in
                guard isLeft[pixel] else { return false }
                isLeft[pixel] = false
                return true
            }
            if members.count >= Self.minPixels, let blob = blob(of: members, mask, pixels, frame) { blobs.append(blob) }
        }
        return blobs
    }

    private func blob(
        of members: [Int], _ mask: [Bool], _ pixels: UnsafeBufferPointer<UInt8>, _ frame: Int
    ) -> Blob? {
        let bounds = CellGrid(width: width, height: height).box(of: members)
        let isCut = bounds.x == 0 || bounds.y == 0 || bounds.maxX == width || bounds.maxY == height
        // Edges are blurred over a few pixels, so the colour comes from the inside. Thin regions
        // have less of it.
        let margin = max(1, min(Self.maxEdge, (min(bounds.width, bounds.height) - 1) / 4))
        guard
            let core = stride(from: margin, through: 1, by: -1).lazy.map({ depth in
                members.filter { self.isInside($0, depth, mask) }
            }).first(where: {
                $0.count >= Self.minCorePixels && $0.count * Self.maxPixelsPerCorePixel >= members.count
            })
        else { return nil }
        let colors = core.map { RGB(pixels, $0) }
        let middle = colors.count / 2
        let color = RGB(
            colors.map(\.red).sorted()[middle], colors.map(\.green).sorted()[middle],
            colors.map(\.blue).sorted()[middle])
        // Chroma is subsampled, so the outermost pixels may have any tint.
        let edge = margin > Self.tintedEdge.usual ? Self.tintedEdge.usual : Self.tintedEdge.thin
        let body = members.filter { isInside($0, edge, mask) }
        let shades = body.filter { isShade(of: color, at: $0, pixels) }
        let coreShades = core.filter { isShade(of: color, at: $0, pixels, atLeast: Self.minCoreCoverage) }
        guard shades.count * 100 >= Self.minShadePercent.whole * body.count,
            coreShades.count * 100 >= Self.minShadePercent.core * core.count
        else { return nil }
        let moments = coverageMoments(of: color, in: bounds.expanded(by: 2), pixels)
        guard moments.area > Self.minArea else { return nil }
        return Blob(
            color: color, center: moments.center, area: moments.area, size: (bounds.width, bounds.height),
            frame: frame, isCut: isCut)
    }

    /// Returns true if a pixel is a mixture of the background and a colour with at least the given
    /// share of that colour.
    private func isShade(
        of color: RGB, at pixel: Int, _ pixels: UnsafeBufferPointer<UInt8>, atLeast minShare: Double = 0
    ) -> Bool {
        let ground = background.withUnsafeBufferPointer { RGB($0, pixel) }
        let line = color - ground
        let difference = RGB(pixels, pixel) - ground
        let length = line.dot(line)
        guard length > 0 else { return false }
        let share = min(1, Double(difference.dot(line)) / Double(length))
        let mixed = RGB(
            Int(share * Double(line.red)), Int(share * Double(line.green)), Int(share * Double(line.blue)))
        return share >= minShare && difference.distance(to: mixed) <= Self.maxShadeDifference
    }

    private func isInside(_ pixel: Int, _ depth: Int, _ mask: [Bool]) -> Bool {
        let (x, y) = (pixel % width, pixel / width)
        guard x >= depth, y >= depth, x < width - depth, y < height - depth else { return false }
        return mask[pixel - depth] && mask[pixel + depth] && mask[pixel - depth * width]
            && mask[pixel + depth * width]
    }

    /// Returns the area that a colour covers in a box, and the centre of that coverage.
    func coverageMoments(of color: RGB, in box: PixelRect, _ pixels: UnsafeBufferPointer<UInt8>) -> (
        area: Double, center: Point
    ) {
        var sum = 0.0
        var sumX = 0.0
        var sumY = 0.0
        for y in max(0, box.y)..<min(height, box.y + box.height) {
            for x in max(0, box.x)..<min(width, box.x + box.width) {
                let share = coverage(of: color, at: y * width + x, pixels)
                guard share > Self.minCoverage else { continue }
                sum += share
                sumX += share * (Double(x) + 0.5)
                sumY += share * (Double(y) + 0.5)
            }
        }
        return (sum, sum > 0 ? Point(sumX / sum, sumY / sum) : .zero)
    }

    /// Returns the fraction of a pixel that a colour covers, 0...1: the projection onto the line
    /// from the background to the colour.
    func coverage(of color: RGB, at pixel: Int, _ pixels: UnsafeBufferPointer<UInt8>) -> Double {
        let ground = background.withUnsafeBufferPointer { RGB($0, pixel) }
        let line = color - ground
        let difference = RGB(pixels, pixel) - ground
        let length = line.dot(line)
        guard length > 0 else { return 0 }
        return min(1, max(0, Double(difference.dot(line)) / Double(length)))
    }
}
