import Core
import Media
import Render

/// A part of a recording, at the resolution at which it is judged.
struct JudgedView: Sendable {
    /// The part in pixels of the recording.
    let region: PixelRect
    /// The width of the view in pixels.
    let width: Int
    /// The height of the view in pixels.
    let height: Int
    /// The frames.
    private(set) var frames: [JudgedFrame] = []

    /// The number of frames from one judged frame to the next; 1 if all are judged.
    let step: Int
    /// The median interval of the judged frames in seconds.
    private(set) var frameStep = 0.0

    /// The maximum number of pixels of a view. Balls of six points still have ten pixels.
    private static let maxPixels = 30_000.0
    /// The maximum number of pixels of a view's frames in memory, with four bytes each: 1200 frames
    /// of full size, which are 20 s at 60 frames per second.
    private static let maxTotal = 36_000_000.0
    /// The minimum number of pixels of a view. Instead of a lower resolution, frames are left out.
    private static let minPixels = 8000.0

    /// Returns the pixels of a view and the step from one judged frame to the next: longer
    /// recordings are judged at a lower resolution, and very long ones in part.
    static func resolution(area: Int, frames: Int) -> (pixels: Double, step: Int) {
        let wanted = min(maxPixels, Double(max(1, area)))
        let pixels = min(wanted, max(minPixels, maxTotal / Double(max(1, frames))))
        return (pixels, max(1, Int((pixels * Double(frames) / maxTotal).rounded(.up))))
    }

    /// A view of a part of a recording, without frames.
    init(_ region: PixelRect, _ survey: RecordingSurvey) {
        self.region = region
        let area = region.width * region.height
        let (pixels, step) = Self.resolution(area: area, frames: survey.times.count)
        self.step = step
        let factor = min(1, (pixels / Double(max(1, area))).squareRoot())
        width = max(1, Int((Double(region.width) * factor).rounded()))
        height = max(1, Int((Double(region.height) * factor).rounded()))
    }

    /// Returns views with their frames. The recording is decoded once.
    static func read(_ views: [JudgedView], _ reader: ClipReader, _ survey: RecordingSurvey) throws -> [JudgedView] {
        var views = views
        let scalers = try views.map { try FrameScaler(width: $0.width, height: $0.height, region: $0.region) }
        try reader.forEachFrame { frame, number, _ in
            let index = number - survey.firstFrame
            guard index < survey.times.count else { return false }
            guard index >= 0 else { return true }
            for position in views.indices where index % views[position].step == 0 {
                let planar = PlanarSamples(frame, part: views[position].region, views[position].layout)
                let content: JudgedFrame.Content =
                    try planar.map { .yuv($0) } ?? .rgba(Array(try scalers[position].rgba(frame)))
                views[position].frames.append(JudgedFrame(index: number, time: survey.times[index], content: content))
            }
            return true
        }
        for position in views.indices {
            views[position].frameStep = ClipSurvey.medianStep(views[position].frames.map(\.time))
        }
        return views
    }

    /// The colours of the frames that have only one.
    var blankColors: [Color] { frames.indices.compactMap(blankColor) }

    private func blankColor(_ index: Int) -> Color? {
        frames[index].content.isOfOneColor(layout) ? planes(index).color(ofPixel: layout.pixels / 2) : nil
    }

    /// Removes the frames of one colour for which a function returns true, unless nothing else is
    /// left. Returns their times, each up to the next frame, and their colours.
    mutating func removeBlankFrames(where isBlank: (Color) -> Bool) -> [(time: ClosedRange<Double>, color: Color)] {
        var removed: [(time: ClosedRange<Double>, color: Color)] = []
        let kept = frames.indices.filter { index in
            guard let color = blankColor(index), isBlank(color) else { return true }
            let time = frames[index].time
            removed.append((time...(index + 1 < frames.count ? frames[index + 1].time : time + frameStep), color))
            return false
        }
        guard !kept.isEmpty else { return [] }
        frames = kept.map { frames[$0] }
        return removed
    }

    private var layout: PlaneLayout { PlaneLayout(width: width, height: height) }

    /// Pixels of the view per pixel of the recording, horizontally.
    var factor: Double { Double(width) / Double(region.width) }

    /// Returns the planes of a frame.
    func planes(_ frame: Int) -> DifferencePlanes {
        switch frames[frame].content {
        case .yuv(let samples): DifferencePlanes(samples, layout)
        case .rgba(let bytes): DifferencePlanes(bytes, isBlueFirst: false, width: width, height: height)
        }
    }
}

/// A frame of a view.
struct JudgedFrame: Sendable {
    /// The index of the frame in the recording.
    let index: Int
    /// Seconds from the recording's first frame.
    let time: Double
    let content: Content

    /// The pixels of the view.
    enum Content: Sendable {
        case yuv(PlanarSamples)
        /// Four bytes per pixel.
        case rgba([UInt8])

        /// Returns true if all pixels have nearly the same colour.
        func isOfOneColor(_ layout: PlaneLayout) -> Bool {
            switch self {
            case .yuv(let samples):
                layout.planes.allSatisfy { plane in
                    let end = plane.start + plane.width * plane.height
                    return BlankFrames.isEven(samples.codes, from: plane.start, to: end, by: 1)
                }
            case .rgba(let bytes): (0..<3).allSatisfy { BlankFrames.isEven(bytes, from: $0, to: bytes.count, by: 4) }
            }
        }
    }
}
