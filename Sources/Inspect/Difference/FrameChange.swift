import Core

/// A change between two frames in words, without its time.
struct FrameChange {
    let kind: ClipChange.Kind
    /// The words, for example "the object near (120, 80) is 6 px to the right".
    let text: String
    /// The bounds in both frames, in pixels.
    let box: PixelRect
    /// Changed pixels times the fraction of the full range by which they differ.
    let weight: Double
}

/// Describes the changed regions of a pair of frames.
struct FrameChanges {
    private let expected: FrameObjects
    private let actual: FrameObjects
    private let pixels: (expected: Pixels, actual: Pixels)

    /// The distance in pixels within which an object belongs to a changed region.
    private static let reach = 12
    /// The difference in codes below which a change of the background is not an object in front of
    /// it.
    private static let maxTint: Float = 40
    /// The maximum difference between the channels of a grey change, in codes: the coding noise of
    /// chroma.
    private static let maxTintOfGrey: Float = 0.75
    /// The maximum width and height of a spot in pixels.
    private static let maxSpotSide = 12

    init(_ pixels: (expected: Pixels, actual: Pixels)) {
        self.pixels = pixels
        expected = FrameObjects(pixels.expected)
        actual = FrameObjects(pixels.actual)
    }

    /// Returns the changes in regions, one or more for each region.
    ///
    /// - Parameter isFaint: true if only the mean of the regions differs from coding noise.
    func changes(in regions: [PixelRect], isFaint: Bool) -> [FrameChange] {
        if isFaint { return regions.compactMap { areaChange($0, isFaint: true) } }
        let objects = objectChanges(in: regions)
        let others = regions.filter { region in !objects.contains { $0.box.expanded(by: Self.reach).overlaps(region) } }
        return objects + others.compactMap { areaChange($0, isFaint: false) }
    }

    // MARK: Objects

    private func objectChanges(in regions: [PixelRect]) -> [FrameChange] {
        func isNear(_ object: FrameObject) -> Bool {
            regions.contains { $0.overlaps(object.box.expanded(by: Self.reach)) }
        }
        // A line across an object changes its parts, but not its middle.
        func isCovered(_ object: FrameObject) -> Bool {
            regions.contains {
                let region = $0.expanded(by: Self.reach)
                return region.overlaps(PixelRect(x: Int(object.center.x), y: Int(object.center.y), width: 1, height: 1))
            }
        }
        var old = expected.objects.filter(isNear)
        var new = actual.objects.filter(isNear)
        // Objects that did not change cannot be the counterparts of others.
        old.removeAll { object in
            guard let index = new.firstIndex(where: { ObjectChange(object, $0).isNone }) else { return false }
            new.remove(at: index)
            return true
        }
        var changes: [FrameChange] = []
        while let pair = Self.bestPair(old, new) {
            let object = old.remove(at: pair.old)
            let change = ObjectChange(object, new.remove(at: pair.new)).frameChange(on: expected.background)
            if ![.color, .opacity].contains(change.kind) || isCovered(object) { changes.append(change) }
        }
        old.removeAll { !isCovered($0) }
        new.removeAll { !isCovered($0) }
        func weight(_ object: FrameObject) -> Double {
            object.area * Double(FrameObjects.distance(object.color, expected.background)) / 255
        }
        changes += old.map {
            FrameChange(kind: .missing, text: "\($0.name) is missing", box: $0.box, weight: weight($0))
        }
        changes += new.map {
            let size = $0.outerSize
            let words = size.width <= Self.maxSpotSide && size.height <= Self.maxSpotSide ? "a spot" : "an object"
            let text =
                "\(words) of \(size.width)x\(size.height) px in \(hex($0.color)) at (\($0.outerBox.x), \($0.outerBox.y)) is new"
            return FrameChange(kind: words == "a spot" ? .spot : .extra, text: text, box: $0.box, weight: weight($0))
        }
        return changes
    }

    /// Returns the most similar objects that can be the same; nil if there are none.
    private static func bestPair(_ old: [FrameObject], _ new: [FrameObject]) -> (old: Int, new: Int)? {
        var best: (score: Double, old: Int, new: Int)?
        for (index, object) in old.enumerated() {
            for (other, candidate) in new.enumerated() {
                let change = ObjectChange(object, candidate)
                guard change.isPlausible, change.score < best?.score ?? .infinity else { continue }
                best = (change.score, index, other)
            }
        }
        return best.map { ($0.old, $0.new) }
    }

    // MARK: Areas

    /// Returns the change of a region that is not an object; nil if hardly a pixel differs.
    private func areaChange(_ region: PixelRect, isFaint: Bool) -> FrameChange? {
        guard let area = ChangedArea(pixels, region, background: expected.background, isFaint: isFaint) else {
            return nil
        }
        let box = area.box
        let size = "\(box.width)x\(box.height) px"
        let position = "at (\(box.x), \(box.y))"
        let change = area.actual - area.expected
        let weight = Double(box.area) * Double(FrameObjects.distance(area.actual, area.expected)) / 255
        func result(_ kind: ClipChange.Kind, _ text: String) -> FrameChange {
            FrameChange(kind: kind, text: text, box: box, weight: weight)
        }
        let isOnBackground =
            expected.backgroundShare >= FrameObjects.minBackgroundShare
            && FrameObjects.distance(area.expected, expected.background) < FrameObjects.maxBackgroundDistance
        if box.width <= Self.maxSpotSide, box.height <= Self.maxSpotSide {
            let isGone =
                !isOnBackground
                && FrameObjects.distance(area.actual, actual.background) < FrameObjects.maxBackgroundDistance
            let colors = isOnBackground || isGone ? "" : ": \(hex(area.actual)) instead of \(hex(area.expected))"
            let words = isOnBackground ? "new" : isGone ? "missing" : "different"
            return result(.spot, "a spot of \(size) \(position) is \(words)\(colors)")
        }
        let isGrey = change.max() - change.min() <= max(Self.maxTintOfGrey, abs(change.sum() / 3))
        let codes = Double(abs(change.sum() / 3))
        let amount =
            isGrey
            ? Self.shade(codes, isDarker: change.sum() < 0) : "\(hex(area.actual)) instead of \(hex(area.expected))"
        if isOnBackground, FrameObjects.distance(area.actual, area.expected) < Self.maxTint {
            let isWhole = box.area * 10 >= 8 * expected.width * expected.height
            return result(.background, "the background is \(amount)\(isWhole ? "" : " in \(size) \(position)")")
        }
        return result(.area, "an area of \(size) \(position) is \(amount)")
    }

    private static func shade(_ codes: Double, isDarker: Bool) -> String {
        let value = codes >= 0.75 ? codes.rounded() : max(0.1, (codes * 10).rounded() / 10)
        return "\(decimal(value)) \(value == 1 ? "code" : "codes") \(isDarker ? "darker" : "brighter")"
    }
}

/// The part of a region whose pixels differ, and its mean colours.
private struct ChangedArea {
    let box: PixelRect
    let expected: SIMD3<Float>
    let actual: SIMD3<Float>

    /// The distance in pixels by which a region may exceed what measurements found.
    private static let margin = 32

    /// Finds the part of a region, if a pixel differs.
    ///
    /// - Parameters:
    ///   - background: the most frequent colour. If half of the part has it, the mean colours are
    ///     those of its pixels.
    ///   - isFaint: true to add the differences with their signs, so that coding noise cancels out.
    init?(
        _ pixels: (expected: Pixels, actual: Pixels), _ region: PixelRect, background: SIMD3<Float>, isFaint: Bool
    ) {
        guard let box = Self.outline(pixels, region, isFaint: isFaint) else { return nil }
        self.box = box
        (expected, actual) = Self.means(pixels, box, background: background)
    }

    /// Returns the part of a region whose pixels differ; nil if none does.
    private static func outline(
        _ pixels: (expected: Pixels, actual: Pixels), _ region: PixelRect, isFaint: Bool
    ) -> PixelRect? {
        let left = max(0, region.x - margin)
        let top = max(0, region.y - margin)
        let search = PixelRect(
            x: left, y: top, width: min(pixels.expected.width, region.maxX + margin) - left,
            height: min(pixels.expected.height, region.maxY + margin) - top)
        func difference(_ x: Int, _ y: Int) -> Float {
            let a = color(pixels.expected, x, y)
            let b = color(pixels.actual, x, y)
            return isFaint ? (b - a).sum() : FrameObjects.distance(a, b)
        }
        // The sums of lines outline the area: half of the strongest one tells it from noise.
        var columns = [Float](repeating: 0, count: search.width)
        var rows = [Float](repeating: 0, count: search.height)
        for y in search.y..<search.maxY {
            for x in search.x..<search.maxX {
                let amount = difference(x, y)
                columns[x - search.x] += amount
                rows[y - search.y] += amount
            }
        }
        if columns.reduce(0, +) < 0 {
            columns = columns.map { -$0 }
            rows = rows.map { -$0 }
        }
        guard let widest = columns.max(), let tallest = rows.max(), widest > 0,
            let first = columns.firstIndex(where: { $0 >= widest / 2 }),
            let last = columns.lastIndex(where: { $0 >= widest / 2 }),
            let highest = rows.firstIndex(where: { $0 >= tallest / 2 }),
            let lowest = rows.lastIndex(where: { $0 >= tallest / 2 })
        else { return nil }
        return PixelRect(
            x: search.x + first, y: search.y + highest, width: last - first + 1, height: lowest - highest + 1)
    }

    private static func color(_ pixels: Pixels, _ x: Int, _ y: Int) -> SIMD3<Float> {
        let color = pixels.colorOverWhite(y * pixels.width + x)
        return SIMD3(Float(color.x), Float(color.y), Float(color.z))
    }

    /// Returns the mean colours of a box, or of its pixels in the background's colour if these are
    /// at least half of it.
    private static func means(
        _ pixels: (expected: Pixels, actual: Pixels), _ box: PixelRect, background: SIMD3<Float>
    ) -> (expected: SIMD3<Float>, actual: SIMD3<Float>) {
        var sums = (all: SIMD3<Double>.zero, ground: SIMD3<Double>.zero)
        var otherSums = sums
        var groundCount = 0
        for y in box.y..<box.maxY {
            for x in box.x..<box.maxX {
                let a = color(pixels.expected, x, y)
                let b = color(pixels.actual, x, y)
                sums.all += SIMD3<Double>(a)
                otherSums.all += SIMD3<Double>(b)
                guard FrameObjects.distance(a, background) < FrameObjects.maxBackgroundDistance else { continue }
                sums.ground += SIMD3<Double>(a)
                otherSums.ground += SIMD3<Double>(b)
                groundCount += 1
            }
        }
        let isGround = 2 * groundCount >= box.area
        let count = Double(isGround ? groundCount : box.area)
        return (
            SIMD3<Float>((isGround ? sums.ground : sums.all) / count),
            SIMD3<Float>((isGround ? otherSums.ground : otherSums.all) / count)
        )
    }
}

extension PixelRect {
    /// Returns the rectangle with a margin on all sides.
    func expanded(by margin: Int) -> PixelRect {
        PixelRect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }
}

/// Returns a colour as CSS writes it.
func hex(_ color: SIMD3<Float>) -> String { hex((0..<3).map { Double(color[$0]) }) }

/// Returns the codes of red, green, blue and, if given, alpha as CSS writes them.
func hex(_ codes: [Double]) -> String {
    "#"
        + codes.map { code in
            let text = String(Int(min(255, max(0, code)).rounded()), radix: 16)
            return text.count < 2 ? "0" + text : text
        }.joined()
}
