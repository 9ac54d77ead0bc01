import Core

extension FrameObject {
    /// The bounds with the edge that does not belong to the inside, in pixels. The edge has one
    /// width on all sides, and the area with it fills as much of its bounds as the inside does.
    var outerBox: PixelRect {
        let inside = Double(max(1, insideCount))
        let sides = Double(box.width + box.height)
        let bounds = Double(box.width * box.height)
        // The width m of the edge: (width + 2m)(height + 2m) = bounds * area / inside.
        let growth = max(0, bounds * (area / inside - 1))
        let edge = ((sides * sides + 4 * growth).squareRoot() - sides) / 4
        let width = Int((Double(box.width) + 2 * edge).rounded())
        let height = Int((Double(box.height) + 2 * edge).rounded())
        return PixelRect(
            x: max(0, Int((center.x - Double(width) / 2).rounded())),
            y: max(0, Int((center.y - Double(height) / 2).rounded())), width: width, height: height)
    }
    /// The size with the edge in pixels.
    var outerSize: (width: Int, height: Int) { (outerBox.width, outerBox.height) }
    /// The words for the object.
    var name: String { "the object near (\(Int(center.x.rounded())), \(Int(center.y.rounded())))" }
}

/// The change of an object between two frames.
struct ObjectChange {
    private let old: FrameObject
    private let new: FrameObject

    /// The displacement in pixels that coding noise causes at most.
    private static let minShift = 0.5
    /// The change of a colour in codes that coding noise causes at most.
    private static let minColorChange: Float = 8
    /// The change of the area, as a fraction, that coding noise causes at most.
    private static let minGrowth = 0.04

    init(_ old: FrameObject, _ new: FrameObject) {
        self.old = old
        self.new = new
    }

    private var shift: Point { new.center - old.center }
    private var distance: Double { (shift.x * shift.x + shift.y * shift.y).squareRoot() }
    private var colorDistance: Float { FrameObjects.distance(old.color, new.color) }
    private var areaRatio: Double { new.area / old.area }
    private var hasMoved: Bool { distance > Self.minShift }
    private var hasOtherColor: Bool { colorDistance > Self.minColorChange }
    private var hasOtherSize: Bool { abs(areaRatio - 1) > Self.minGrowth && abs(new.area - old.area) > 4 }

    /// True if the object is the same.
    var isNone: Bool { !hasMoved && !hasOtherColor && !hasOtherSize }

    /// True if both can be the same object: two of colour, size and position are alike, or objects
    /// of one colour overlap.
    var isPlausible: Bool {
        let isAlike = colorDistance < 24
        let isSameSize = abs(areaRatio - 1) < 0.1
        let isNear = distance < 2
        let overlaps = old.box.overlaps(new.box)
        return isAlike && (isSameSize || overlaps) || isNear && (isSameSize || overlaps)
    }

    /// A measure of the change, by which counterparts are chosen.
    var score: Double {
        let size = Double(max(old.box.width, old.box.height)) + 20
        return Double(colorDistance) / 64 + abs(log10(areaRatio)) * 4 + distance / size
    }

    /// Returns the change in words.
    func frameChange(on background: SIMD3<Float>) -> FrameChange {
        var words: [(kind: ClipChange.Kind, text: String)] = []
        if hasOtherColor { words.append(colorWords(on: background)) }
        if hasOtherSize { words.append(sizeWords) }
        // The centre of an object that grows or is cut moves, too.
        if hasMoved, !hasOtherSize || distance > 2 { words.append((.position, shiftWords)) }
        let contrast = Double(max(colorDistance, FrameObjects.distance(old.color, background))) / 255
        let uncovered = min(old.area, distance * old.area.squareRoot()) * 2 + abs(new.area - old.area)
        let weight = contrast * uncovered + Double(colorDistance) / 255 * min(old.area, new.area)
        let kind = words.first?.kind ?? .area
        let text = words.isEmpty ? "differs slightly" : words.map(\.text).joined(separator: " and ")
        return FrameChange(kind: kind, text: "\(old.name) \(text)", box: old.box.union(new.box), weight: weight)
    }

    /// Returns the words for a colour: an opacity if the new colour lies between the background and
    /// the old one.
    private func colorWords(on background: SIMD3<Float>) -> (ClipChange.Kind, String) {
        let colors = "\(hex(new.color)) instead of \(hex(old.color))"
        let line = old.color - background
        let change = new.color - background
        let share = (change * line).sum() / (line * line).sum()
        let isMixture = FrameObjects.distance(change, share * line) < 12
        guard isMixture, share > 0, share < 0.98 else { return (.color, "is \(colors)") }
        let percent = Int((share * 100).rounded())
        return (.opacity, "has \(percent)% of its opacity: it is \(colors)")
    }

    private var sizeWords: (ClipChange.Kind, String) {
        let percent = abs((areaRatio.squareRoot() - 1) * 100)
        let size = new.outerSize
        let before = old.outerSize
        let text = "is \(Int(percent.rounded()))% \(areaRatio > 1 ? "larger" : "smaller")"
        // The box of an object that turns may grow while the object shrinks.
        let growth = size.width * size.height - before.width * before.height
        guard areaRatio > 1 ? growth > 0 : growth < 0 else { return (.size, text) }
        return (.size, text + ": \(size.width)x\(size.height) px instead of \(before.width)x\(before.height) px")
    }

    private var shiftWords: String {
        func pixels(_ value: Double) -> String { "\(decimal((abs(value) * 10).rounded() / 10)) px" }
        var parts: [String] = []
        if abs(shift.x) >= max(Self.minShift / 2, abs(shift.y) / 10) {
            parts.append("\(pixels(shift.x)) to the \(shift.x > 0 ? "right" : "left")")
        }
        if abs(shift.y) >= max(Self.minShift / 2, abs(shift.x) / 10) {
            parts.append("\(pixels(shift.y)) \(shift.y > 0 ? "lower" : "higher")")
        }
        return "is " + parts.joined(separator: " and ")
    }
}
