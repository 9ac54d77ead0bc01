import Core

/// The colours of the flat areas of a component.
extension ForegroundComponent {
    /// The maximum difference between a pixel and its neighbours inside a flat area, in codes.
    private static let flatness: Float = 10
    /// The share of an object's flat pixels that a colour needs to be an area of its own. Blurred
    /// chroma makes smaller flat spots.
    private static let minShare = 0.06
    /// The luma contrast, as a share of the largest, below which a colour is blurred chroma beside
    /// an object: its luma is the background's.
    private static let minLuma: Float = 0.08
    /// The largest contrast of blurred chroma beside a line, as a share of the line's.
    private static let maxFringe: Float = 0.5
    /// The maximum differences of luma and chroma between colours that only an encoder's errors
    /// distinguish. At a CRF of 28, chroma is up to 13 off, and blue thus 24.
    private static let maxChromaNoise: (luma: Float, plane: Float) = (6, 13)
    /// The maximum number of colours of an object of flat areas, and the maximum if each colour is
    /// flat: enough for three translucent objects and the areas in which they overlap.
    private static let maxColors = 5
    private static let maxFlatColors = 12
    /// The sum of the variances of a colour's channels, in square codes, above which it belongs to
    /// a gradient or an image. Noise has a third of it; a linear ramp across `sameColor` has twice
    /// it.
    private static let maxVariance: Float = 60
    /// The minimum number of flat pixels of a gradient, the share of their variance that it must
    /// explain, and its variance in square codes: that of a range of 9 codes.
    private static let minSlope = (pixels: 200, share: 0.5, variance: 6.0)
    /// The number of pixels of a component above which only some of them are examined. The shares
    /// of its colours need no more.
    private static let maxSamples = 20_000
    /// The maximum number of colours that are collected. A component with more is an image, of
    /// which at most sixteen colours can have `minShare`.
    private static let maxCollected = 64
    /// The minimum number of flat pixels of a colour: those of a disc six pixels across, whose
    /// other pixels are beside its edge.
    private static let minFlatPixels = 12
    /// The maximum distance in codes of a shade of a colour from the line between the background
    /// and the colour. It is below `sameColor`, because a shade may lie anywhere on that line.
    private static let maxShadeDistance = 0.75 * sameColor

    /// A colour of flat areas, its number of pixels, and the sum of its channels' variances.
    struct Cluster {
        var color: Channels
        var count: Int
        var variance: Float
    }

    /// A colour that is being collected. The sums are of differences from its first pixel.
    private struct Collected {
        let first: Channels
        var sum = Channels()
        var squares: Float = 0
        var count = 1

        var color: Channels { first + sum / Float(count) }

        var cluster: Cluster {
            let mean = sum / Float(count)
            return Cluster(color: first + mean, count: count, variance: squares / Float(count) - mean.dot(mean))
        }

        mutating func add(_ color: Channels) {
            let difference = color - first
            sum += difference
            squares += difference.dot(difference)
            count += 1
        }
    }

    func mean(_ clusters: [Cluster]) -> Channels {
        let count = clusters.reduce(0) { $0 + $1.count }
        return clusters.reduce(Channels()) { $0 + $1.color * Float($1.count) } / Float(max(1, count))
    }

    /// Returns the colours of flat areas, the largest first, or the most contrasting colour if
    /// nothing is flat. A gradient or an image has its mean colour and is not plain. The last
    /// colour may be that of a line without flat pixels.
    func flatColors() -> (colors: [Channels], isPlain: Bool, hasLine: Bool) {
        let clusters = clusters()
        guard let first = clusters.first else { return ([lineColor()], true, false) }
        let isFlat = clusters.allSatisfy { $0.variance <= Self.maxVariance }
        if clusters.count > (isFlat ? Self.maxFlatColors : Self.maxColors) {
            return ([mean(clusters)], false, false)
        }
        let contrasts = clusters.map { abs(($0.color - background).luma) }
        let minLuma = Self.minLuma * (contrasts.max() ?? 0)
        let colors = zip(clusters, contrasts).filter { cluster, contrast in
            (cluster.color - background).largest > Self.sameColor / 2 && contrast >= minLuma
        }.map(\.0.color)
        if colors.count < 2 {
            let own = colors.first ?? first.color
            let color = strongest(own)
            if !colors.isEmpty, color == own, let line = lineBeside(own) { return ([own, line], true, true) }
            return ([color], isFlat || !isSlope(), false)
        }
        return (withoutBlends(colors), true, false)
    }

    /// Returns true if the flat pixels become lighter in one direction. Errors of the encoder, and
    /// the blurred colours of thin and small shapes, do not.
    private func isSlope() -> Bool {
        let flat = members.filter(isFlat)
        guard flat.count >= Self.minSlope.pixels else { return false }
        let count = Double(flat.count)
        let points = flat.map { pixel -> (x: Double, y: Double, luma: Double) in
            (Double(pixel % view.width), Double(pixel / view.width), Double(color(pixel).luma))
        }
        let mean = points.reduce((0.0, 0.0, 0.0)) { ($0.0 + $1.x / count, $0.1 + $1.y / count, $0.2 + $1.luma / count) }
        var matrix = [[1e-9, 0.0], [0.0, 1e-9]]
        var right = [0.0, 0.0]
        var total = 0.0
        for point in points {
            let (x, y, luma) = (point.x - mean.0, point.y - mean.1, point.luma - mean.2)
            matrix[0][0] += x * x
            matrix[0][1] += x * y
            matrix[1][1] += y * y
            right[0] += x * luma
            right[1] += y * luma
            total += luma * luma
        }
        matrix[1][0] = matrix[0][1]
        guard let slope = LeastSquares.solve(matrix, right) else { return false }
        let explained = slope[0] * right[0] + slope[1] * right[1]
        return explained >= Self.minSlope.share * total && explained >= Self.minSlope.variance * count
    }

    /// Returns the colour of the only flat area, or that of a thin line whose blurred chroma the
    /// area is.
    private func strongest(_ color: Channels) -> Channels {
        // No contrast exceeds 255.
        guard (color - background).largest < Self.maxFringe * 255 else { return color }
        let extreme = lineColor()
        let isFaint = (color - background).largest < Self.maxFringe * (extreme - background).largest
        return isFaint && isShade(color, of: extreme) ? extreme : color
    }

    /// Returns the colours of flat areas, the largest first.
    func clusters() -> [Cluster] {
        var clusters: [Collected] = []
        var count = 0
        let step = max(1, members.count / Self.maxSamples)
        for index in stride(from: 0, to: members.count, by: step) where isFlat(members[index]) {
            let color = color(members[index])
            count += 1
            if let known = clusters.firstIndex(where: { Self.isOneArea($0.color, color) }) {
                clusters[known].add(color)
            } else if clusters.count < Self.maxCollected {
                clusters.append(Collected(first: color))
            }
        }
        let minCount = max(Double(Self.minFlatPixels / step), Self.minShare * Double(count))
        let main = clusters.max { $0.count < $1.count }?.color ?? background
        // Returns true for the colour of a small part of an object that other frames show alone.
        func isKnown(_ color: Channels) -> Bool {
            palette.contains { ($0 - color).largest < Self.sameColor / 2 } && !isShade(color, of: main)
        }
        let kept = clusters.filter {
            Double($0.count) >= minCount || $0.count * step >= Self.minFlatPixels && isKnown($0.color)
        }
        return kept.sorted { $0.count > $1.count }.map(\.cluster)
    }

    /// Replaces the colours that are seen only where a known object lies over another by the known
    /// object's, since objects may be translucent. Shades of a known colour are fading objects.
    private func withoutBlends(_ colors: [Channels]) -> [Channels] {
        var result: [Channels] = []
        for color in colors {
            let nearest = palette.min { ($0 - color).largest < ($1 - color).largest }
            let isBlend = nearest.map { known in
                let distance = (known - color).largest
                return distance > Self.sameColor / 2 && distance <= Self.maxBlend
                    && !isShade(color, of: known)
            }
            let own = isBlend == true ? nearest ?? color : color
            if !result.contains(where: { ($0 - own).largest <= Self.sameColor / 2 }) {
                result.append(own)
            }
        }
        return result
    }

    /// Returns true for colours of one area: nearly equal ones, or ones that differ only by
    /// errors of the encoder's chroma.
    private static func isOneArea(_ a: Channels, _ b: Channels) -> Bool {
        let difference = a - b
        return difference.largest <= sameColor
            || abs(difference.luma) <= maxChromaNoise.luma && difference.planeContrast <= maxChromaNoise.plane
    }

    private func isShade(_ color: Channels, of known: Channels) -> Bool {
        let line = known - background
        let difference = color - background
        let share = difference.dot(line) / max(1, line.dot(line))
        return (difference - line * share).largest <= Self.maxShadeDistance
    }

    func isFlat(_ pixel: Int) -> Bool {
        let (x, y) = (pixel % view.width, pixel / view.width)
        guard x > 0, y > 0, x < view.width - 1, y < view.height - 1 else { return false }
        let own = color(pixel)
        return [pixel - 1, pixel + 1, pixel - view.width, pixel + view.width].allSatisfy {
            (color($0) - own).largest <= Self.flatness
        }
    }
}
