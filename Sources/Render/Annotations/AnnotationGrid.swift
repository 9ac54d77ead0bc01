import Animations
import Core

/// The grid for reading positions.
extension Annotator {
    /// The minimum distance of grid lines in points of the frame, with room for the numbers.
    private static let minPitch = 40.0

    /// Thin lines over the canvas at round coordinates, with numbers at the top and left edges. The
    /// origin is the upper left corner of the canvas.
    var grid: [Node] {
        guard let frame = canvasFrame.intersection(panelFrame) else { return [] }
        let spacing = RoundStep(atLeast: Annotator.minPitch * layout.metrics.grid / 9 / layout.scale)
        let color = theme.readable(theme.ink).opacity(0.3)
        let height = TextExtent.height(fontSize: layout.metrics.grid)
        func extent(_ text: String) -> Double { TextExtent.width(text, fontSize: layout.metrics.grid) }
        // Numbers go beside their lines, on the side that has room.
        let columns = stride(from: 0, through: loader.canvas.width, by: spacing.step).flatMap { value -> [Node] in
            let text = NumberText.decimal(value, places: spacing.places)
            let x = layout.place(Point(value, 0)).x
            let side = x + 2 + extent(text) > frame.maxX ? x - extent(text) - 1 : x + 2
            let line = Draw.line(Point(x, frame.y), Point(x, frame.maxY), color)
            return [line] + number(text, Rect(x: side, y: frame.y + 1, width: extent(text), height: height))
        }
        let rows = stride(from: 0, through: loader.canvas.height, by: spacing.step).flatMap { value -> [Node] in
            let text = NumberText.decimal(value, places: spacing.places)
            let y = layout.place(Point(0, value)).y
            guard y >= frame.y, y <= frame.maxY else { return [] }
            let line = Draw.line(Point(frame.x, y), Point(frame.maxX, y), color)
            // The numbers of the columns occupy the top edge.
            guard y > frame.y + height else { return [line] }
            let side = y + 1 + height > frame.maxY ? y - height - 1 : y + 1
            return [line] + number(text, Rect(x: frame.x + 2, y: side, width: extent(text), height: height))
        }
        return columns + rows
    }

    /// Returns a number on a background that keeps it readable over any drawing.
    private func number(_ text: String, _ frame: Rect) -> [Node] {
        let color = theme.readable(theme.faint)
        return [
            Draw.box(frame, radius: 2, fill: theme.backdrop),
            Draw.text(text, at: Point(frame.x, frame.y), width: frame.width, size: layout.metrics.grid, color: color),
        ]
    }
}
