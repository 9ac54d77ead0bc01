import Animations
import Core

/// The positions of names in two columns beside everything that is drawn. They stay the same for
/// the whole period, so that names neither jump nor hide the drawing.
enum MarginNames {
    /// The distance between a column and the drawing, in points of the frame.
    private static let gap = 8.0
    /// The maximum width of a name in points. Longer names end in an ellipsis.
    private static let maxWidth = 104.0
    /// The distance between the upper edges of two names in a column.
    private static let pitch = TextExtent.height(fontSize: Annotator.fontSize) + 1

    /// Returns the width of a column with its gaps; 0 if no object has its name there.
    static func columnWidth(_ objects: [MovingObject], _ language: Language) -> Double {
        let widths = objects.filter { $0.labelSide == .margin }.map { width(of: $0, language) }
        return widths.max().map { $0 + 2 * gap } ?? 0
    }

    private static func width(of object: MovingObject, _ language: Language) -> Double {
        min(maxWidth, TextExtent.width(object.title.text(in: language), fontSize: Annotator.fontSize))
    }

    /// Returns the box of each name by its object. The left half of the objects has its names in
    /// the left column. In a column, names are in the order of the objects' heights.
    static func boxes(_ survey: LoaderSurvey, layout: AnnotationLayout, language: Language) -> [Int: Rect] {
        let objects = survey.loader.objects(at: .zero)
        let indices = objects.indices.filter { objects[$0].labelSide == .margin }
        let centers = survey.curves.pieces.map { pieces in
            let points = pieces.joined().map(\.position)
            return points.reduce(.zero, +) * (1 / Double(max(1, points.count)))
        }
        let drawn = survey.used
        let left = layout.place(Point(drawn.x, 0)).x - gap
        let right = layout.place(Point(drawn.maxX, 0)).x + gap
        let room = layout.panel.expanded(by: -2)
        let order = indices.sorted { (centers[$0].x, $0) < (centers[$1].x, $1) }
        // A single name is on the right, where reading ends.
        let leftIndices = order.prefix(order.count / 2)
        var boxes: [Int: Rect] = [:]
        for (column, isLeft) in [(leftIndices, true), (order.dropFirst(order.count / 2), false)] {
            let sorted = column.sorted { (centers[$0].y, $0) < (centers[$1].y, $1) }
            let heights = sorted.map { layout.place(centers[$0]).y - pitch / 2 }
            for (index, y) in zip(sorted, spread(heights, from: room.y, to: room.maxY)) {
                let width = width(of: objects[index], language)
                let x = isLeft ? max(room.x, left - width) : min(room.maxX - width, right)
                boxes[index] = Rect(x: x, y: y, width: width, height: pitch - 1)
            }
        }
        return boxes
    }

    /// Returns the upper edges of names, given those that they would have alone, in ascending order
    /// and at least `pitch` apart.
    private static func spread(_ heights: [Double], from top: Double, to bottom: Double) -> [Double] {
        var result: [Double] = []
        for y in heights { result.append(max(y, result.last.map { $0 + pitch } ?? top)) }
        var limit = bottom - pitch
        for index in result.indices.reversed() {
            result[index] = max(top, min(result[index], limit))
            limit = result[index] - pitch
        }
        return result
    }
}
