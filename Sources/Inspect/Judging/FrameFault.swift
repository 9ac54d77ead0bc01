/// A visible difference between a clip and the expected one.
struct FrameFault {
    /// The difference in words, without its position.
    let message: String
    /// The frame and the box in which it is largest.
    let position: FrameJudge.Position
}

extension FrameJudge {
    // `scripts/test-verify` checks these limits: it encodes three loaders as H.264 at crf 18 to 38,
    // HEVC at crf 28 and 38, VP9 at crf 31 and 45, AV1 at crf 45, and GIF with 8, 16 and 256
    // colours. All must pass against the correct parameters. H.264 at crf 18 and GIF with 256
    // colours must fail against slightly different ones. In other clips, a frame that HEVC skips at
    // crf 38 may exceed a limit.

    /// The CIEDE2000 distance of a flat area above which its colour is wrong. Low quality, chroma
    /// of 4:2:0 and palettes of 8 colours cause up to 3.2.
    private static let maxColorDistance = 4.0
    /// The part of a colour's differences that its mean must explain. Encoding errors reach 0.5
    /// below the colour limit, wrong colours 0.85.
    private static let minColorShare = 0.5
    /// The distance above which a colour is wrong if its mean explains more of the differences, as
    /// in clips of good quality: people can distinguish such colours side by side. At crf 32 to 34,
    /// encoding causes up to 0.6, and the mean explains up to 0.4. These limits do not apply to
    /// palettes, which change all pixels of a colour equally.
    private static let maxClearColorDistance = 2.2
    private static let minClearColorShare = 0.75
    /// The minimum number of flat pixels in a tile. In thinner shapes 4:2:0 mixes the chroma of
    /// both sides, up to a distance of 8.
    private static let minFlatPixels: Float = 20
    /// The number of frames of which one must show a colour. Encoders spend few bits on colours
    /// that appear for a moment, such as those of overlaps, and are wrong by up to 8.
    private static let minFramePart = 5
    /// The minimum number of flat pixels of a colour in the clip.
    private static let minFlatCount = 100.0

    /// The distance of a colour above which thin lines are wrong: their mean over the pixels near
    /// edges, as if their shape were right. Coarse encoders fade thin lines by up to 6.1.
    private static let maxEdgeColorDistance = 6.4
    /// The maximum distance of the expected mean from the colour itself at edges that belong to it.
    /// Edges between two other colours have another mean.
    private static let maxEdgeMixture = 2.0

    /// The outward growth of outlines in pixels that counts as wrong, if it explains enough of the
    /// differences: a person sees a line that is a fifth of a pixel wider.
    private static let maxGrowth = 0.08
    /// The part of the differences that growth must explain. Encoding errors reach 0.25 at the
    /// lowest quality.
    private static let minGrowthShare = 0.3
    /// The part of the differences that growth must explain in clips of good quality, where the
    /// other differences are at most `maxResidual` pixels.
    private static let minGoodGrowthShare = 0.12
    private static let maxResidual = 0.37
    /// The minimum share of all edges for these limits.
    private static let minEdgePart = 0.1
    /// The limits for colours with fewer edges, of which noise is a larger part: HEVC at crf 28
    /// and lossy WebP make small shapes grow by 0.35 pixels.
    private static let minSmallEdgePart = 0.03
    private static let minSmallGrowthShare = 0.4
    private static let maxSmallGrowth = 0.5
    /// The same limits where growth explains more, as it does at good quality: HEVC at crf 32
    /// reaches 0.35 pixels with a share of 0.48.
    private static let minClearGrowthShare = 0.65
    private static let maxClearGrowth = 0.3
    /// The same for shapes of any size, such as a small thin circle: HEVC at crf 32 reaches 0.74
    /// pixels.
    private static let minTinyGrowthShare = 0.6
    private static let maxTinyGrowth = 1.1
    /// The minimum length of a colour's edges in the clip, in pixels.
    private static let minEdgeLength = 100.0

    /// The root mean square displacement of edges in pixels, if it explains a quarter of the
    /// differences. Encoding errors explain a tenth.
    private static let maxMeanDisplacement = 0.15
    private static let minDisplacementShare = 0.25
    /// The maximum root mean square displacement of the edges of one colour, in pixels, if it has
    /// at least `minEdgePart`. Objects of different colours can be displaced in different
    /// directions. Encoding errors explain less than a fifth.
    private static let maxColorDisplacement = 0.25
    /// The outward growth and the displacement in pixels, over the clip, of edges in a square of
    /// 64x64 pixels, and the parts of the differences that they must explain. Encoding errors and
    /// palettes of 8 colours cause up to 0.15 px with such a part.
    private static let maxBlockGrowth = 0.4
    private static let minBlockGrowthShare = 0.4
    private static let maxBlockDisplacement = 0.5
    private static let minBlockDisplacementShare = 0.3
    /// The displacement of a region in one frame. Encoders at the lowest quality leave small
    /// objects behind by 1.4 pixels.
    private static let maxDisplacement = 2.0
    /// The maximum mean difference of a square of 16x16 pixels in one frame, in codes. It reaches
    /// 17 at the lowest quality, on the grid of macroblocks or between them, and 26 where HEVC
    /// skips a frame at crf 38.
    private static let maxSquareDifference = 20.0
    /// The maximum mean difference of such a square in a frame of a clip with a palette, in codes.
    /// It reaches 48 with 8 colours.
    private static let maxPaletteSquareDifference = 50.0

    /// Returns the visible differences, the most important first.
    ///
    /// - Parameters:
    ///   - hasPalette: true if the frames have a palette, which changes colours.
    ///   - hasMixedLines: true if the colours of lines are mixed with those beside them.
    func faults(_ samples: SampleColors, hasPalette: Bool, hasMixedLines: Bool = false) -> [FrameFault] {
        let lineFaults = hasPalette || hasMixedLines ? [] : edgeColorFaults(samples)
        return colorFaults(samples, hasPalette: hasPalette) + lineFaults + growthFaults(samples) + blockFaults
            + displacementFaults + squareFaults(hasPalette ? Self.maxPaletteSquareDifference : Self.maxSquareDifference)
    }

    private func colorFaults(_ samples: SampleColors, hasPalette: Bool) -> [FrameFault] {
        let faults: [(distance: Double, fault: FrameFault)] = colors.sorted { $0.key < $1.key }.compactMap {
            _, totals in
            guard totals.frames * Self.minFramePart >= frameCount, totals.count >= Self.minFlatCount,
                totals.largest >= Self.minFlatPixels
            else { return nil }
            let mean = (totals.actual - totals.expected) / totals.count
            let share = (mean * mean).sum() * totals.count / max(totals.energy, .leastNormalMagnitude)
            guard share >= Self.minColorShare else { return nil }
            let actual = Self.array(totals.actual / totals.count)
            let expected = Self.array(totals.expected / totals.count)
            let distance = samples.distance(actual, expected)
            let isClear = !hasPalette && share >= Self.minClearColorShare
            guard distance > (isClear ? Self.maxClearColorDistance : Self.maxColorDistance) else { return nil }
            let message =
                "the colour is \(samples.hex(actual)) instead of \(samples.hex(expected)), a distance of "
                + "\(decimal(distance)) (CIEDE2000)"
            return (distance, FrameFault(message: message, position: totals.position))
        }
        return faults.sorted { $0.distance > $1.distance }.map(\.fault)
    }

    /// Returns the faults of colours that have no flat area, such as thin lines. Palettes may have
    /// no entry for them.
    private func edgeColorFaults(_ samples: SampleColors) -> [FrameFault] {
        let ground = SIMD4<Double>(FrameSamples.vector(background ?? [0, 0, 0]))
        let length = edges.values.reduce(0) { $0 + $1.length }
        let faults: [(distance: Double, fault: FrameFault)] = edges.sorted { $0.key < $1.key }.compactMap {
            key, totals in
            guard totals.length >= max(Self.minEdgeLength, Self.minEdgePart * length),
                totals.frames * Self.minFramePart >= frameCount, colors[key]?.largest ?? 0 < Float(Self.minFlatPixels)
            else { return nil }
            let line = totals.color - ground
            let cover = (totals.expected * line).sum() / (line * line).sum()
            guard cover > 0 else { return nil }
            let actual = Self.array(ground + totals.actual / cover)
            let expected = Self.array(ground + totals.expected / cover)
            let distance = samples.distance(actual, expected)
            guard distance > Self.maxEdgeColorDistance,
                samples.distance(expected, Self.array(totals.color)) <= Self.maxEdgeMixture
            else { return nil }
            let message =
                "the colour of lines is \(samples.hex(actual)) instead of \(samples.hex(expected)) on average, a "
                + "distance of \(decimal(distance)) (CIEDE2000)"
            return (distance, FrameFault(message: message, position: totals.position))
        }
        return faults.max { $0.distance < $1.distance }.map { [$0.fault] } ?? []
    }

    /// The worst fault of the edges in one block, such as those of a part of an object.
    private var blockFaults: [FrameFault] {
        let length = edges.values.reduce(0) { $0 + $1.length }
        var worst: (pixels: Double, fault: FrameFault)?
        for (_, totals) in blocks.sorted(by: { $0.key < $1.key }) {
            let fit = totals.fit
            guard totals.length >= max(Self.minEdgeLength, Self.minSmallEdgePart * length), fit.energy > 0 else {
                continue
            }
            let growth = Double(fit.growth)
            let displacement = Double(fit.displacement)
            let grows =
                abs(growth) > Self.maxBlockGrowth
                && Double(fit.growthEnergy / fit.energy) >= Self.minBlockGrowthShare
            let moves =
                displacement > Self.maxBlockDisplacement
                && Double(fit.displacementEnergy / fit.energy) >= Self.minBlockDisplacementShare
            let pixels = max(grows ? abs(growth) : 0, moves ? displacement : 0)
            guard pixels > worst?.pixels ?? 0 else { continue }
            let message =
                grows && abs(growth) >= displacement
                ? "outlines lie \(decimal(abs(growth))) px too far \(growth > 0 ? "outside" : "inside") on average"
                : "edges are displaced by \(decimal(displacement)) px on average"
            worst = (pixels, FrameFault(message: message, position: totals.position))
        }
        return worst.map { [$0.fault] } ?? []
    }

    private static func array(_ vector: SIMD4<Double>) -> [Double] { (0..<4).map { vector[$0] } }

    private func growthFaults(_ samples: SampleColors) -> [FrameFault] {
        let length = edges.values.reduce(0) { $0 + $1.length }
        let faults: [(pixels: Double, fault: FrameFault)] = edges.sorted { $0.key < $1.key }.compactMap { _, totals in
            let (pixels, share) = totals.growth
            guard totals.length >= Self.minEdgeLength, abs(pixels) > Self.maxGrowth else { return nil }
            let part = totals.length / length
            let residual = abs(pixels) * ((1 - share) / max(1e-9, share)).squareRoot()
            let isLarge = part >= Self.minEdgePart && share >= Self.minGrowthShare
            let isClear =
                part >= Self.minEdgePart && share >= Self.minGoodGrowthShare && residual <= Self.maxResidual
            let isSmall =
                part >= Self.minSmallEdgePart
                && (share >= Self.minSmallGrowthShare && abs(pixels) > Self.maxSmallGrowth
                    || share >= Self.minClearGrowthShare && abs(pixels) > Self.maxClearGrowth)
            let isTiny = share >= Self.minTinyGrowthShare && abs(pixels) > Self.maxTinyGrowth
            guard isLarge || isClear || isSmall || isTiny else { return nil }
            let message =
                "outlines lie \(decimal(abs(pixels))) px too far \(pixels > 0 ? "outside" : "inside") on average"
            return (abs(pixels), FrameFault(message: message, position: totals.position))
        }
        return faults.max { $0.pixels < $1.pixels }.map { [$0.fault] } ?? []
    }

    private var displacementFaults: [FrameFault] {
        let totals = edges.sorted { $0.key < $1.key }.map(\.value)
        let length = totals.reduce(0) { $0 + $1.length }
        let gradients = totals.reduce(0) { $0 + $1.displacedGradients }
        let energy = totals.reduce(0) { $0 + $1.displacedEnergy }
        let displaced = totals.reduce(0) { $0 + $1.displaced }
        if let worst = worstRegion, worst.displacement > Self.maxDisplacement {
            return [
                FrameFault(
                    message: "edges are displaced by at least \(decimal(worst.displacement)) px", position: worst.at)
            ]
        }
        func fault(_ displaced: Double, _ energy: Double, _ gradients: Double, _ limit: Double, _ at: Position)
            -> FrameFault?
        {
            guard gradients > 0, energy > 0, displaced / energy > Self.minDisplacementShare else { return nil }
            let pixels = (displaced / gradients).squareRoot()
            guard pixels > limit else { return nil }
            return FrameFault(message: "edges are displaced by \(decimal(pixels)) px on average", position: at)
        }
        guard let worst = worstRegion else { return [] }
        if let fault = fault(displaced, energy, gradients, Self.maxMeanDisplacement, worst.at) { return [fault] }
        let faults = totals.filter { $0.length >= Self.minEdgePart * length }.compactMap {
            fault(
                $0.displaced, $0.displacedEnergy, $0.displacedGradients, Self.maxColorDisplacement, $0.position)
        }
        return Array(faults.prefix(1))
    }

    private func squareFaults(_ limit: Double) -> [FrameFault] {
        guard let worst = worstSquare, worst.difference > limit else { return [] }
        return [
            FrameFault(
                message: "the mean of a block differs by \(decimal(worst.difference)) codes", position: worst.at)
        ]
    }
}
