import Platform
import Scene
import Timing

/// The grid by which positions are read off a picture.
extension Annotator {
    /// How far apart lines are at least, in points of the picture, so that numbers have room.
    private static let leastPitch = 40.0

    /// Thin lines over the canvas at round numbers of its points, counted from its upper left corner, which stand at its upper
    /// and left edges.
    var grid: [Node] {
        guard let frame = stageFrame.intersection(panelFrame) else { return [] }
        let (step, places) = Annotator.roundStep(atLeast: Annotator.leastPitch * layout.metrics.grid / 9 / layout.scale)
        let color = theme.readable(theme.ink).opacity(0.3)
        let height = TextExtent.height(fontSize: layout.metrics.grid)
        func extent(_ text: String) -> Double { TextExtent.width(text, fontSize: layout.metrics.grid) }
        // Numbers stand beside their lines, on the side where there is room.
        let columns = stride(from: 0, through: loader.canvas.width, by: step).flatMap { value -> [Node] in
            let (text, x) = (NumberText.decimal(value, places: places), layout.place(Point(value, 0)).x)
            let side = x + 2 + extent(text) > frame.maxX ? x - extent(text) - 1 : x + 2
            let line = Draw.line(Point(x, frame.y), Point(x, frame.maxY), color)
            return [line] + number(text, Rect(x: side, y: frame.y + 1, width: extent(text), height: height))
        }
        let rows = stride(from: 0, through: loader.canvas.height, by: step).flatMap { value -> [Node] in
            let (text, y) = (NumberText.decimal(value, places: places), layout.place(Point(0, value)).y)
            guard y >= frame.y, y <= frame.maxY else { return [] }
            let line = Draw.line(Point(frame.x, y), Point(frame.maxX, y), color)
            // The uppermost numbers are the columns'.
            guard y > frame.y + height else { return [line] }
            let side = y + 1 + height > frame.maxY ? y - height - 1 : y + 1
            return [line] + number(text, Rect(x: frame.x + 2, y: side, width: extent(text), height: height))
        }
        return columns + rows
    }

    /// A number on the colour that it can be read on, whatever the loader draws there.
    private func number(_ text: String, _ frame: Rect) -> [Node] {
        let color = theme.readable(theme.faint)
        return [
            Draw.box(frame, radius: 2, fill: theme.backdrop),
            Draw.text(text, at: Point(frame.x, frame.y), width: frame.width, size: layout.metrics.grid, color: color),
        ]
    }

    /// The least of the numbers 1, 2 and 5 times a power of ten that is not below another, and how many decimals it has.
    static func roundStep(atLeast least: Double) -> (step: Double, places: Int) {
        let exponent = Int(log10(least).rounded(.down))
        let power = pow(10, Double(exponent))
        let step = [1, 2, 5].map { $0 * power }.first { $0 >= least } ?? 10 * power
        return (step, max(0, -exponent))
    }
}
