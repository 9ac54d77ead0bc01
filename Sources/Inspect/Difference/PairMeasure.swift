/// The measured difference between two frames.
struct PairMeasure: Sendable {
    /// A flat area whose mean differs.
    struct Area: Sendable {
        /// The index of the limit in `DifferenceLimits.areas`.
        let limit: Int
        /// The largest difference of a mean in codes.
        let codes: Double
        /// The bounds of the areas that differ at least half as much.
        let regions: [ChangedRegion]
    }

    /// The PSNR in dB over red, green, blue and alpha.
    var psnr = Double.infinity
    /// The largest difference between the means of a block of 8x8 pixels, in codes.
    var block = 0.0
    /// The largest difference between the means of a flat block of 8x8 pixels, in codes; 0 if it is
    /// too small to matter.
    var flatBlock = 0.0
    /// The flat areas that violate a limit unless the clips are noisy.
    var areas: [Area] = []
    /// The violated rule except `area`; nil if there is none.
    var rule: ClipDifference.Rule?
    /// The areas that violate the rule, in descending order of weight.
    var regions: [ChangedRegion] = []

    /// True if the frames violate a rule by so little that rounding may be the reason.
    var isBorderline: Bool {
        switch rule {
        case .psnr: psnr > DifferenceLimits.certainPSNRRatio * (minPSNR ?? 0)
        case .block, .spot: block < DifferenceLimits.certainBlock
        case .equal, .area, nil: false
        }
    }
    /// The minimum PSNR in dB; nil if frames must be equal.
    var minPSNR: Double?
}
