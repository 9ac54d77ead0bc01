import Core
import Media
import Render

/// The shapes in all frames of a clip, linked to tracks.
struct ClipScan {
    let view: RegionView
    let background: Channels
    private(set) var tracker: ShapeTracker
    let signatures: FrameSignatures
    /// The time of the first frame with a gradient or image; nil if there is none.
    let firstImageTime: Double?
    /// The colour of a resting area beside objects that is too faint for an object; nil if there is
    /// none.
    let faintColor: Channels?
    /// The limit that the clip exceeds, so that its end is missing; nil if it is complete.
    let exceededLimit: String?

    /// True if the end of the clip is missing.
    var isPartial: Bool { exceededLimit != nil }

    /// The maximum number of pixels to analyse per frame; larger frames are scaled down. Outlines
    /// are traced between pixels, so more pixels add little precision.
    private static let pixelBudget = 360_000
    /// The maximum number of outline points in memory: 24 bytes each.
    private static let maxPoints = 8_000_000
    /// The maximum number of frames. Their signatures take 7 kB each, and the time to find the
    /// period grows with their number: five minutes at 60 fps are enough for loaders.
    static let maxFrames = 20_000
    /// The difference in codes above which a pixel is not background, chosen to exclude compression
    /// noise on plain areas.
    private static let threshold: Float = 12

    /// The minimum number of frames with a gradient or image: errors of the encoder are shorter.
    private static let minImages = 3

    /// Reads a clip. Throws `LoadervidError` if the file cannot be read.
    init(_ reader: ClipReader, _ survey: ClipSurvey) throws {
        let ground = try GroundColor(reader, survey)
        background = ground.color
        view = RegionView(ground.region, budget: ClipScan.pixelBudget)
        tracker = ShapeTracker(background: background)
        let view = view
        var scanner = ForegroundScanner(view: view, background: background, threshold: ClipScan.threshold)
        let scaler = try view.sharpScaler()
        var points = 0
        var links = tracker
        var history = FrameSignatures()
        var imageTimes: [Double] = []
        var limit: String?
        try reader.forEachFrame(in: scaler) { pixels, number, time in
            guard history.count < ClipScan.maxFrames else {
                limit = "the clip exceeds the limit of \(ClipScan.maxFrames) frames"
                return false
            }
            history.add(pixels, width: view.width, height: view.height)
            let shapes = scanner.shapes(pixels, frame: number)
            if shapes.contains(where: { !$0.isPlain }) { imageTimes.append(time) }
            links.add(shapes, frame: number)
            points += shapes.reduce(0) { $0 + $1.contours.reduce(0) { $0 + $1.points.count } }
            if points > ClipScan.maxPoints {
                limit = "the outlines exceed the limit of \(ClipScan.maxPoints / 1_000_000) million points"
            }
            guard !links.isCrowded else {
                throw LoadervidError(
                    .badData,
                    "\(reader.path): not understood: more than \(ShapeTracker.maxTracks) objects until "
                        + "\(seconds(time)), as in a photo or text; use a clip of plain shapes")
            }
            return limit == nil
        }
        tracker = links
        signatures = history
        exceededLimit = limit
        firstImageTime = imageTimes.count >= min(ClipScan.minImages, history.count) ? imageTimes.first : nil
        faintColor = scanner.faintColor
    }
}

/// The background colour of a clip and the region of its loader.
struct GroundColor {
    let color: Channels
    /// The moving region, and resting objects that touch it, in pixels of the clip.
    let region: PixelRect

    /// The distance in codes between a background pixel and the background colour.
    private static let tolerance: Float = 24
    /// The pixels around an object that an encoder's errors may reach. An object that touches the
    /// edge of the region counts as cut.
    private static let margin = 6
    /// The share of the clip above which a resting object is a part of the background.
    private static let maxShare = 0.9

    init(_ reader: ClipReader, _ survey: ClipSurvey) throws {
        let whole = PixelRect(x: 0, y: 0, width: survey.width, height: survey.height)
        let view = RegionView(whole, budget: 200_000)
        let scaler = try view.sharpScaler()
        var frame: [UInt8] = []
        try reader.forEachFrame { first, _, _ in
            frame = Array(try scaler.rgba(first))
            return false
        }
        let scale = view.scale
        let box = survey.region
        let inner = PixelRect(
            x: Int(Double(box.x) * scale), y: Int(Double(box.y) * scale),
            width: min(view.width, max(2, Int(Double(box.width) * scale))),
            height: min(view.height, max(2, Int(Double(box.height) * scale))))
        let ground = frame.withUnsafeBufferPointer { GroundColor.rimColor($0, inner, view.width, view.height) }
        color = ground
        region = frame.withUnsafeBufferPointer { pixels in
            GroundColor.grown(inner, pixels, view, ground).map { part in
                let clip = view.clipBox(part)
                return clip.union(box)
            } ?? box
        }
    }

    /// Returns the most frequent colour along the sides of a box: the moving region has a margin.
    private static func rimColor(
        _ pixels: UnsafeBufferPointer<UInt8>, _ box: PixelRect, _ width: Int, _ height: Int
    ) -> Channels {
        var cells: [RGB: (sum: Channels, count: Int)] = [:]
        func add(_ x: Int, _ y: Int) {
            let pixel = min(height - 1, max(0, y)) * width + min(width - 1, max(0, x))
            let color = RGB(pixels, pixel)
            let cell = RGB(color.red / 8, color.green / 8, color.blue / 8)
            let known = cells[cell] ?? (Channels(), 0)
            cells[cell] = (
                known.sum + Channels(Float(color.red), Float(color.green), Float(color.blue)), known.count + 1
            )
        }
        for x in box.x..<box.x + box.width {
            add(x, box.y)
            add(x, box.y + box.height - 1)
        }
        for y in box.y..<box.y + box.height {
            add(box.x, y)
            add(box.x + box.width - 1, y)
        }
        let best = cells.max { a, b in
            (a.value.count, b.key.red, b.key.green, b.key.blue) < (b.value.count, a.key.red, a.key.green, a.key.blue)
        }
        return best.map { $0.value.sum / Float($0.value.count) } ?? Channels(255, 255, 255)
    }

    /// Returns the box with all objects of a frame that touch it; nil if one is as large as the
    /// clip.
    private static func grown(
        _ box: PixelRect, _ pixels: UnsafeBufferPointer<UInt8>, _ view: RegionView, _ ground: Channels
    ) -> PixelRect? {
        let width = view.width
        let height = view.height
        var isOpen = (0..<width * height).map { pixel in
            let color = RGB(pixels, pixel)
            let difference = Channels(Float(color.red), Float(color.green), Float(color.blue)) - ground
            return difference.largest > tolerance
        }
        var result = box
        for y in max(0, box.y)..<min(height, box.y + box.height) {
            for x in max(0, box.x)..<min(width, box.x + box.width) where isOpen[y * width + x] {
                var stack = [y * width + x]
                isOpen[y * width + x] = false
                while let pixel = stack.popLast() {
                    let (px, py) = (pixel % width, pixel / width)
                    result = result.union(
                        PixelRect(
                            x: max(0, px - margin), y: max(0, py - margin), width: 2 * margin + 1,
                            height: 2 * margin + 1))
                    for next in [(px - 1, py), (px + 1, py), (px, py - 1), (px, py + 1)]
                    where next.0 >= 0 && next.0 < width && next.1 >= 0 && next.1 < height
                        && isOpen[next.1 * width + next.0]
                    {
                        isOpen[next.1 * width + next.0] = false
                        stack.append(next.1 * width + next.0)
                    }
                }
            }
        }
        let share = Double(result.width * result.height) / Double(width * height)
        let shareBefore = Double(box.width * box.height) / Double(width * height)
        return share > maxShare && shareBefore < 0.5 ? nil : result
    }
}

extension RegionView {
    /// Returns a scaler from frames of the clip to the view, without a blur.
    func sharpScaler() throws -> FrameScaler {
        try FrameScaler(width: width, height: height, region: region)
    }

    /// Returns a box of the view in pixels of the clip, within the region, with an even corner.
    func clipBox(_ box: PixelRect) -> PixelRect {
        let left = max(region.x, region.x + Int((Double(box.x) / scale).rounded(.down))) / 2 * 2
        let top = max(region.y, region.y + Int((Double(box.y) / scale).rounded(.down))) / 2 * 2
        let right = min(region.x + region.width, region.x + Int((Double(box.x + box.width) / scale).rounded(.up)))
        let bottom = min(region.y + region.height, region.y + Int((Double(box.y + box.height) / scale).rounded(.up)))
        return PixelRect(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
    }
}
