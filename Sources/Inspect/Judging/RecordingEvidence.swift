import Core
import Media
import Render

/// The frames and figures that show how a judged recording differs from its loader.
package struct RecordingEvidence: Sendable {
    let verdict: Verdict
    let fit: RecordingFit
    let design: PlacedDesign
    let reader: ClipReader
    /// The part of the recording that shows the canvas, with a margin.
    let region: PixelRect
    /// The part of the measured frames in which anything is drawn, in their pixels.
    let focus: PixelRect
    /// The measured frames in order, at a low resolution.
    let samples: [MeasuredFrame]
    /// The differences of each element.
    let objects: [ObjectEvidence]

    /// The maximum number of measured frames of a recording; a small frame needs 120 KB.
    private static let maxSamples = 240
    /// The maximum number of measured frames within the time of a finding.
    private static let maxSamplesOfFinding = 12
    /// The number of findings, the heaviest first, with measured frames of their own.
    private static let maxSampledFindings = 12
    /// The number of pixels of a measured frame, as for judging.
    static let samplePixels = 30_000

    /// Measures the judged frames of a recording. Returns nil if its loader was not found.
    init?(_ verdict: Verdict, _ reader: ClipReader, _ loader: PlacedDesign) throws {
        guard let fit = verdict.fit, !verdict.curve.isEmpty else { return nil }
        self.verdict = verdict
        self.fit = fit
        self.reader = reader
        design = loader
        var part: PixelRect?
        try reader.forEachFrame { frame, _, _ in
            part = loader.region(width: frame.width, height: frame.height)
            return false
        }
        guard let part else { return nil }
        region = part
        let view = RegionView(part, budget: Self.samplePixels)
        let frames = try Self.frames(Self.wanted(verdict, loader), of: reader, view, over: fit.background)
        samples = try inParallel(frames.count) { range in
            let renderer = try DesignRenderer(loader, view)
            return try range.map { try MeasuredFrame(frames[$0], renderer) }
        }
        objects = try ObjectEvidence.objects(samples, loader, view)
        focus = Self.focus(samples, view)
    }

    /// The margin around everything that is drawn, relative to the longer side.
    private static let margin = 0.06
    /// The minimum of the shorter side of the focus relative to the longer one.
    private static let minAspect = 0.4

    /// Returns the part of the measured frames in which anything is drawn, with a margin.
    private static func focus(_ samples: [MeasuredFrame], _ view: RegionView) -> PixelRect {
        let whole = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
        let boxes = samples.compactMap(\.box)
        guard let first = boxes.first else { return whole }
        let box = boxes.dropFirst().reduce(first) { $0.union($1) }
        let longer = Double(max(box.width, box.height))
        let extent = (1 + 2 * margin) * longer
        func span(_ start: Int, _ length: Int, _ limit: Int) -> (start: Int, length: Int) {
            let wanted = max(Double(length) + 2 * margin * longer, minAspect * extent)
            let middle = Double(start) + Double(length) / 2
            let low = max(0, Int((middle - wanted / 2).rounded(.down)))
            let high = min(limit, Int((middle + wanted / 2).rounded(.up)))
            return (low, max(1, high - low))
        }
        let (x, width) = span(box.x, box.width, view.width)
        let (y, height) = span(box.y, box.height, view.height)
        return PixelRect(x: x, y: y, width: width, height: height)
    }

    /// Returns the indices of the frames to measure: a sample of all, a sample within the time of
    /// each finding, and those in the strip of the phases.
    private static func wanted(_ verdict: Verdict, _ design: PlacedDesign) -> Set<Int> {
        let curve = verdict.curve
        var wanted = Judge.sampled(curve.count, maxSamples).map { curve[$0].frame }
        for time in verdict.deviations.prefix(maxSampledFindings).compactMap(\.time) {
            let inside = curve.filter { time.contains($0.time) }
            wanted += Judge.sampled(inside.count, maxSamplesOfFinding).map { inside[$0].frame }
        }
        wanted += PhaseStrip.instants(design).compactMap { PhaseStrip.nearest($0.modelTime, verdict, design)?.frame }
        return Set(wanted)
    }

    /// Reads some frames of a recording in order.
    private static func frames(
        _ wanted: Set<Int>, of reader: ClipReader, _ view: RegionView, over background: Color
    ) throws -> [EvidenceFrame] {
        let scaler = try FrameScaler(width: view.width, height: view.height, region: view.region)
        let last = wanted.max() ?? -1
        var frames: [EvidenceFrame] = []
        try reader.forEachFrame { frame, number, time in
            if wanted.contains(number) {
                let image = try ReportImage(frame, scaler, over: background)
                frames.append(EvidenceFrame(index: number, time: time, image: image))
            }
            return number < last
        }
        return frames
    }

    // MARK: Frames to show

    /// The maximum number of frames that a report shows at full size.
    private static let maxShown = 6
    /// The minimum number of shown frames. If the findings have fewer, the worst other frames are
    /// added.
    private static let minShown = 3
    /// The minimum distance between shown frames without a finding, as a fraction of the duration.
    private static let minSeparation = 0.125

    /// The measured frame that differs most.
    var worst: MeasuredFrame? { samples.max { $0.energy < $1.energy } }

    /// Returns the sample that shows a finding best: the worst within its time, or that in which
    /// its object differs most.
    func sample(showing finding: Deviation) -> MeasuredFrame? {
        if let time = finding.time {
            let inside = samples.filter { time.contains($0.frame.time) }
            if let worst = inside.max(by: { $0.energy < $1.energy }) { return worst }
        }
        if let object = objects.first(where: { $0.name == finding.object }), let frame = object.worstFrame {
            return samples.first { $0.frame.index == frame }
        }
        return worst
    }

    /// The samples that a report shows: those of the findings, the heaviest first, then the worst
    /// of other parts of the recording.
    var shown: [MeasuredFrame] {
        var shown: [MeasuredFrame] = []
        func add(_ sample: MeasuredFrame) {
            guard shown.count < Self.maxShown, !shown.contains(where: { $0.frame.index == sample.frame.index }) else {
                return
            }
            shown.append(sample)
        }
        verdict.deviations.compactMap(sample).forEach(add)
        let duration = (samples.last?.frame.time ?? 0) - (samples.first?.frame.time ?? 0)
        for sample in samples.sorted(by: { $0.energy > $1.energy }) where shown.count < Self.minShown {
            let isFar = shown.allSatisfy { abs($0.frame.time - sample.frame.time) > duration * Self.minSeparation }
            if isFar { add(sample) }
        }
        return shown
    }

    /// The focus in pixels of the recording.
    private var focusedRegion: PixelRect {
        let scale = RegionView(region, budget: Self.samplePixels).scale
        let x = region.x + Int(Double(focus.x) / scale)
        let y = region.y + Int(Double(focus.y) / scale)
        let right = min(region.maxX, region.x + Int((Double(focus.maxX) / scale).rounded(.up)))
        let bottom = min(region.maxY, region.y + Int((Double(focus.maxY) / scale).rounded(.up)))
        return PixelRect(x: x, y: y, width: max(1, right - x), height: max(1, bottom - y))
    }

    /// Returns the recording and the design at some frames, in order of time.
    ///
    /// - Parameter budget: the maximum number of pixels of each image.
    func panels(_ frames: Set<Int>, budget: Int) throws -> [EvidencePanels] {
        let view = RegionView(focusedRegion, budget: budget)
        let renderer = try DesignRenderer(design, view)
        return try Self.frames(frames, of: reader, view, over: fit.background).map { frame in
            EvidencePanels(frame: frame, designed: try renderer.image(for: frame).image)
        }
    }
}

extension Judge {
    /// Measures the frames that show how a recording differs, for reports. Returns nil if the
    /// loader was not found in it. Throws `LoadervidError` if the recording cannot be read.
    package func evidence(of verdict: Verdict) throws -> RecordingEvidence? {
        guard let fit = verdict.fit else { return nil }
        let reader = try ClipReader(path: verdict.file, limits: options.limits)
        return try RecordingEvidence(verdict, reader, PlacedDesign(verdict, fit, loader, builder.elements))
    }
}

/// A frame of a recording, cut to the loader.
struct EvidenceFrame: Sendable {
    /// The index of the frame, from 0.
    let index: Int
    /// Seconds from the first frame.
    let time: Double
    let image: ReportImage
}

/// A frame of a recording with its differences from the design.
struct MeasuredFrame: Sendable {
    let frame: EvidenceFrame
    /// The design at the same time.
    let designed: ReportImage
    /// The time of the recording for which `designed` is drawn: the frame's own, or up to 2 ms away
    /// if the design fits better there.
    let designTime: Double
    /// The sum of squared distances from the design, in squared codes.
    let energy: Double
    /// The bounding box of the pixels that differ from the background in the design, or from the
    /// design in the recording; nil if there are none.
    let box: PixelRect?

    /// The distance in codes above which a pixel counts as drawn. It excludes noise.
    private static let drawn: Float = 24

    init(_ frame: EvidenceFrame, _ renderer: DesignRenderer) throws {
        self.frame = frame
        (designed, designTime) = try renderer.image(for: frame)
        let ground = try renderer.image([])
        let distances = designed.distances(to: frame.image)
        let drawing = designed.distances(to: ground)
        energy = distances.reduce(0) { $0 + Double($1 * $1) }
        let width = designed.width
        let pixels = distances.indices.filter { max(distances[$0], drawing[$0]) > Self.drawn }
        let columns = pixels.map { $0 % width }
        guard let first = pixels.first, let last = pixels.last, let left = columns.min(), let right = columns.max()
        else {
            box = nil
            return
        }
        let top = first / width
        box = PixelRect(x: left, y: top, width: right - left + 1, height: last / width - top + 1)
    }
}

/// A frame of a recording beside its design.
struct EvidencePanels: Sendable {
    let frame: EvidenceFrame
    let designed: ReportImage
    /// The design in pale grey, with red where the recording differs.
    let difference: ReportImage

    init(frame: EvidenceFrame, designed: ReportImage) {
        self.frame = frame
        self.designed = designed
        var image = designed
        let distances = designed.distances(to: frame.image)
        for (pixel, distance) in distances.enumerated() {
            let bytes = designed.bytes[4 * pixel..<4 * pixel + 3].map { Double($0) }
            let light = BT709.luma(red: bytes[2], green: bytes[1], blue: bytes[0])
            let pale = 255 - Self.contrast * (255 - light)
            let share = DifferenceTint.opacity(of: distance)
            for (channel, tint) in DifferenceTint.color.enumerated() {
                image.bytes[4 * pixel + channel] = UInt8((pale + share * (tint - pale)).rounded())
            }
        }
        difference = image
    }

    /// The contrast of the design under the differences.
    private static let contrast = 0.25
}

/// The colour that marks differences.
enum DifferenceTint {
    /// Blue, green and red in codes: a red that no usual design has.
    static let color = [72.0, 20, 214]
    /// The distance in codes up to which nothing is shown. Encoders change edges by about as much
    /// at crf 23.
    private static let invisible: Float = 14
    /// The minimum distance, in codes, at which the colour has its maximum opacity.
    private static let strong: Float = 70
    private static let maxOpacity = 0.9

    /// Returns the opacity for a distance in codes, 0...0.9.
    static func opacity(of distance: Float) -> Double {
        maxOpacity * Double(min(1, max(0, (distance - invisible) / (strong - invisible))))
    }
}
