import Core
import Media

/// The check for frames of full range that are declared as limited range, so that players clip
/// highlights and shadows.
///
/// Limited range leaves the luma codes below 16 and above 235 of 8 bits unused (ITU-R BT.709).
/// Encoders exceed it by a few codes at edges, and cameras in highlights, but a flat background
/// outside it comes from samples of full range.
struct LumaRangeCheck {
    /// The number of samples outside the limited range, and of all.
    private var outside = 0
    private var count = 0

    /// The codes of 8 bits, 8 from the limited range, beyond which coding noise of flat areas does
    /// not reach.
    private static let margin = (low: 8, high: 243)
    /// The minimum share of the samples outside the range. Highlights of cameras stay below it.
    private static let minShare = 0.1
    /// Every fourth row is examined, which suffices for shares.
    private static let rowStep = 4

    /// Adds a frame. Ignores formats without luma samples of 8 to 16 bits in a plane of their own.
    mutating func add(_ frame: VideoFrame) {
        let format = frame.format
        guard !format.isRGB, !format.isPaletted, !format.isFullRange, frame.colorTags.range == "tv",
            let layout = format.lumaLayout, let plane = frame.plane(0)
        else { return }
        let shift = layout.depth - 8
        let limits = (low: Self.margin.low << shift, high: Self.margin.high << shift)
        for y in stride(from: 0, to: frame.height, by: Self.rowStep) {
            let row = plane.data + y * plane.stride
            if layout.bytes == 1 {
                for x in 0..<frame.width where !(limits.low...limits.high).contains(Int(row[x])) { outside += 1 }
            } else {
                row.withMemoryRebound(to: UInt16.self, capacity: frame.width) { row in
                    for x in 0..<frame.width where !(limits.low...limits.high).contains(Int(row[x])) { outside += 1 }
                }
            }
            count += frame.width
        }
    }

    /// The finding on the range; nil if the samples keep to it.
    var finding: Finding? {
        guard count > 0, Double(outside) > Self.minShare * Double(count) else { return nil }
        let percent = Int((100 * Double(outside) / Double(count)).rounded())
        return Finding(
            .colorConflict, .error,
            "the range is declared as limited, but \(percent)% of the luma samples are far outside it, so players "
                + "change the contrast; convert the frames to limited range (ffmpeg -vf scale=out_range=tv)")
    }
}
