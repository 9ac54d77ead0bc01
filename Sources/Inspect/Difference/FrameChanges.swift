import Core

/// A pair of frames whose changed regions are described as changes of objects or areas.
struct FrameChanges {
    private let expected: FrameObjects
    private let actual: FrameObjects
    private let pixels: (expected: Pixels, actual: Pixels)

    /// The distance in pixels within which an object belongs to a changed region: three cells,
    /// because regions consist of cells and edges are blurred.
    private static let reach = 12
    /// The difference in codes below which a change of the background is not an object in front of
    /// it. It is a little more than `FrameObjects.minContrast`, above which objects are found.
    private static let maxTint: Float = 40
    /// The maximum difference between the channels of a grey change, in codes: the coding noise of
    /// chroma.
    private static let maxTintOfGrey: Float = 0.75
    /// The maximum width and height of a spot in pixels. Anything larger is called an object.
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
        var (old, new) = Self.withoutEqual(expected.objects.filter(isNear), actual.objects.filter(isNear))
        var changes: [FrameChange] = []
        while let pair = Self.bestPair(old, new) {
            let object = old.remove(at: pair.old)
            let change = ObjectChange(object, new.remove(at: pair.new)).frameChange(on: expected.background)
            if ![.color, .opacity].contains(change.kind) || isCovered(object) { changes.append(change) }
        }
        return changes + old.filter(isCovered).map(missing) + new.filter(isCovered).map(added)
    }

    /// Returns the objects of both frames that differ. Those that did not change cannot be the
    /// counterparts of others.
    private static func withoutEqual(
        _ old: [FrameObject], _ new: [FrameObject]
    ) -> (old: [FrameObject], new: [FrameObject]) {
        var new = new
        let changed = old.filter { object in
            guard let index = new.firstIndex(where: { ObjectChange(object, $0).isNone }) else { return true }
            new.remove(at: index)
            return false
        }
        return (changed, new)
    }

    private func missing(_ object: FrameObject) -> FrameChange {
        FrameChange(kind: .missing, text: "\(object.name) is missing", box: object.box, weight: weight(object))
    }

    private func added(_ object: FrameObject) -> FrameChange {
        let size = object.outerSize
        let isSpot = size.width <= Self.maxSpotSide && size.height <= Self.maxSpotSide
        let text =
            "\(isSpot ? "a spot" : "an object") of \(size.width)x\(size.height) px in \(hex(object.color)) "
            + "at (\(object.outerBox.x), \(object.outerBox.y)) is new"
        return FrameChange(kind: isSpot ? .spot : .extra, text: text, box: object.box, weight: weight(object))
    }

    /// Returns the weight of an object that only one frame has.
    private func weight(_ object: FrameObject) -> Double {
        object.area * Double(FrameObjects.distance(object.color, expected.background)) / 255
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
