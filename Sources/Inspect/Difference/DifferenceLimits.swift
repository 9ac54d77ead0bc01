/// The limits of the rules for clips of which at least one is lossy.
///
/// Calibrated with the eight built-in loaders and FFmpeg's `testsrc2` and `mandelbrot` at crf 18,
/// encoded again as H.264, HEVC, VP9 and AV1 at crf 18, 23 and 28. `scripts/test-diff` repeats the
/// loaders in H.264, HEVC and VP9.
enum DifferenceLimits {
    /// The maximum difference between the means of a block of 8x8 pixels, in codes, if a square of
    /// 16x16 pixels around it differs by more than `aroundBlock`. Re-encoding mostly causes less
    /// than 20; a few frames at crf 28 reach 32.
    static let block = 24.0
    /// The difference of such a square in codes. Coding errors have both signs, so re-encoding
    /// causes up to 11. An object that moves by a pixel causes half of the block's difference.
    static let aroundBlock = 12.0
    /// The difference above which a block certainly violates the limit, although the mapping from
    /// YUV ignores clipping and the interpolation of chroma.
    static let certainBlock = 2 * block
    /// The PSNR, as a fraction of its minimum, below which a frame certainly violates the limit.
    static let certainPSNRRatio = 0.9
    /// The smallest difference of a flat block that can raise the limit of an area.
    static let minFlatBlock: Float = 3
    /// The maximum difference of 8x8 pixels in a flat area, in codes, at any multiple of 4 pixels.
    /// Re-encoding causes up to 16.4. A spot of 4x4 pixels lies in one of them, so one of more than
    /// 72 codes is found.
    static let flatSpot = 18.0
    /// The maximum difference of 8x8 pixels where no frame is flat, in codes. Re-encoding causes up
    /// to 43; a spot of more than 192 codes is found.
    static let spot = 48.0
    /// The limits for the means of flat areas.
    static let areas: [AreaLimit] = [
        // Re-encoding causes up to 1.4 without noise, and 0.74 of the largest difference of a flat
        // block of 8x8 pixels with noise.
        AreaLimit(side: 16, codes: 1.7, noise: 1),
        // Re-encoding causes up to 0.40 of that difference.
        AreaLimit(side: 32, codes: 1.4, noise: 0.45),
        // Re-encoding causes up to 0.14 of that difference.
        AreaLimit(side: 64, codes: 0.75, noise: 0.16),
    ]

    /// The limit for the smallest squares that more than half of the frames exceed. Re-encoding
    /// causes up to 2.9 in half of the frames, and with noise up to 0.52 of it (H.264 at crf 30,
    /// VP9 at 42 and AV1 at 45); another colour differs by as much in all frames.
    static let persistentArea = AreaLimit(side: 16, codes: 3.5, noise: 0.75)

    /// The limit for the mean of a flat square.
    struct AreaLimit {
        /// The side of the square in pixels.
        let side: Int
        /// The maximum difference in codes.
        let codes: Double
        /// The maximum difference as a fraction of the largest difference of a flat block of 8x8
        /// pixels in any frame. Applies if it is above `codes`: such blocks show how coarse the
        /// encoder is, and a change of a whole area is as large in a block as in the area.
        let noise: Double
    }
}
