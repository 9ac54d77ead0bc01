import Animations
import Core

/// The positions of names beside everything that is drawn. They stay the same for the whole period,
/// so that names neither jump nor hide the drawing.
enum MarginNames {
    /// The distance between a column and the drawing, in points of the frame.
    static let gap = 8.0
    /// The maximum width of a name in points. Longer names are shortened.
    private static let maxWidth = 104.0

    /// Returns the width of a column with its gaps; 0 if no object has its name there.
    static func columnWidth(_ objects: [MovingObject], _ language: Language) -> Double {
        let widths = zip(objects, texts(of: objects, language)).filter { $0.0.labelSide == .margin }.map {
            width(of: $1)
        }
        return widths.max().map { $0 + 2 * gap } ?? 0
    }

    private static func width(of text: String) -> Double { TextExtent.width(text, fontSize: Annotator.fontSize) }

    /// Returns the names of objects as they are written beside the drawing.
    static func texts(of objects: [MovingObject], _ language: Language) -> [String] {
        let all = ObjectTitles.texts(of: objects.map(\.title), in: language)
        let titles = zip(objects, all).map { $0.labelSide == .margin ? $1 : "" }
        return ShortName.fitting(titles, width: maxWidth, fontSize: Annotator.fontSize)
    }

    /// Returns the box of each name by its object: in columns, or where leaders would then be in
    /// the way, in columns and rows around the drawing.
    ///
    /// - Parameters:
    ///   - plan: the plan of the layout.
    ///   - shown: the part of the canvas beside which the names are.
    static func boxes(
        _ survey: LoaderSurvey, _ plan: LeaderPlan?, beside shown: Rect, layout: AnnotationLayout, language: Language
    ) -> [Int: Rect] {
        let corner = layout.place(Point(shown.x, shown.y))
        let end = layout.place(Point(shown.maxX, shown.maxY))
        let slots = NameSlots(
            room: layout.panel.expanded(by: -2),
            drawing: Rect(x: corner.x, y: corner.y, width: end.x - corner.x, height: end.y - corner.y), gap: gap)
        let columns = columns(survey, slots, layout: layout, language: language)
        return plan?.improved(columns, in: slots) ?? columns
    }

    /// Returns the box of each name in two columns. The left half of the objects has its names in
    /// the left one. In a column, names are in the order of the objects' heights, and move up or
    /// down where they would hide the drawing.
    private static func columns(
        _ survey: LoaderSurvey, _ slots: NameSlots, layout: AnnotationLayout, language: Language
    ) -> [Int: Rect] {
        let objects = survey.loader.objects(at: .zero)
        let texts = texts(of: objects, language)
        // Objects without a curve are never visible.
        let indices = objects.indices.filter {
            objects[$0].labelSide == .margin && survey.curves.pieces[$0].contains { !$0.isEmpty }
        }
        let centers = zip(objects, survey.curves.pieces).map { object, pieces in
            let points = pieces.joined().map(\.position)
            guard !points.isEmpty else { return object.position }
            return points.reduce(.zero, +) * (1 / Double(points.count))
        }
        let order = indices.sorted { (centers[$0].x, $0) < (centers[$1].x, $1) }
        // A single name is on the right, where reading ends.
        let leftIndices = order.prefix(order.count / 2)
        var boxes: [Int: Rect] = [:]
        for (column, side) in [(leftIndices, NameSlots.Side.left), (order.dropFirst(order.count / 2), .right)] {
            let sorted = column.sorted { (centers[$0].y, $0) < (centers[$1].y, $1) }
            let wanted = sorted.map { index in
                slots.unlimitedBox(
                    at: NameSlots.Slot(side: side, position: layout.place(centers[index]).y),
                    width: width(of: texts[index]))
            }
            let placed = spread(wanted, in: slots.room) { survey.coverage?.share(of: layout.onCanvas($0)) ?? 0 }
            for (index, box) in zip(sorted, placed) { boxes[index] = box }
        }
        return boxes
    }

    /// The distance in points that a name moves at most to avoid hiding a drawing of its own size.
    private static let maxDetour = 160.0
    /// The vertical distance in points between the positions that are tried.
    private static let step = 3.0

    /// Returns boxes from top to bottom in the same order, at least `NameSlots.pitch` apart, moved
    /// as little as possible while they hide little of the drawing.
    ///
    /// - Parameter cover: returns the share of a box that covers the drawing.
    private static func spread(_ wanted: [Rect], in room: Rect, cover: (Rect) -> Double) -> [Rect] {
        var placed: [Rect] = []
        for (index, box) in wanted.enumerated() {
            let top = placed.last.map { $0.y + NameSlots.pitch } ?? room.y
            // The names below need room, too.
            let bottom = max(top, room.maxY - NameSlots.pitch * Double(wanted.count - index))
            let start = min(max(box.y, top), bottom)
            let candidates = [start] + stride(from: top, through: bottom, by: step)
            func cost(_ y: Double) -> Double {
                abs(y - box.y) + maxDetour * cover(Rect(x: box.x, y: y, width: box.width, height: box.height))
            }
            let best = candidates.map { (y: $0, cost: cost($0)) }.min { $0.cost < $1.cost }
            // More names than are shown by default may not fit below each other.
            let y = max(room.y, min(best?.y ?? start, room.maxY - box.height))
            placed.append(Rect(x: box.x, y: y, width: box.width, height: box.height))
        }
        return placed
    }
}
