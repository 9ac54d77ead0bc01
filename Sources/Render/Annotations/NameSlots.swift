import Core

/// The positions beside a drawing that a name can take: in a column at either side, and in rows
/// above and below.
struct NameSlots {
    /// A position for a name of any width.
    struct Slot: Equatable {
        let side: Side
        /// The centre of the name on its column or row, in points of the frame.
        let position: Double
    }

    /// A side of the drawing. Row 0 is next to the drawing.
    enum Side: Hashable {
        case left, right, above(row: Int), below(row: Int)
    }

    /// The rectangle in which names can lie.
    let room: Rect
    /// The part of the frame beside which names lie.
    let drawing: Rect
    /// The distance between a column or row and the drawing.
    let gap: Double

    /// The distance between the upper edges of two names in a column.
    static let pitch = TextExtent.height(fontSize: Annotator.fontSize) + 1
    /// Returns the height that rows of names need between a drawing and the edge of its panel.
    static func height(ofRows count: Int) -> Double { Double(count) * pitch + 1.5 * MarginNames.gap }

    /// The number of rows above and below the drawing.
    private static let rows = 2
    /// The distances between the positions that are tried in a column and in a row.
    private static let steps = (column: 6.0, row: 12.0)

    /// Returns positions at regular distances, and those next to the given points.
    func slots(beside points: [Point]) -> [Slot] {
        let heights = Array(stride(from: room.y, through: room.maxY, by: Self.steps.column)) + points.map(\.y)
        let widths = Array(stride(from: room.x, through: room.maxX, by: Self.steps.row)) + points.map(\.x)
        let rows = (0..<Self.rows).flatMap { [Side.above(row: $0), .below(row: $0)] }
        return [Side.left, .right].flatMap { side in heights.map { Slot(side: side, position: $0) } }
            + rows.flatMap { side in widths.map { Slot(side: side, position: $0) } }
    }

    /// Returns the box of a name with the given width; nil if there is no room for it.
    func box(at slot: Slot, width: Double) -> Rect? {
        let box = unlimitedBox(at: slot, width: width)
        let isBeside =
            switch slot.side {
            case .left: box.maxX <= drawing.x
            case .right: box.x >= drawing.maxX
            case .above, .below: true
            }
        return isBeside && room.contains(box) ? box : nil
    }

    /// Returns the box of a name with the given width, even if there is no room for it. A name in
    /// a column then covers the edge of the drawing.
    func unlimitedBox(at slot: Slot, width: Double) -> Rect {
        let height = Self.pitch - 1
        let origin =
            switch slot.side {
            case .left: Point(max(room.x, drawing.x - gap - width), slot.position - Self.pitch / 2)
            case .right: Point(min(room.maxX - width, drawing.maxX + gap), slot.position - Self.pitch / 2)
            case .above(let row):
                Point(x(around: slot.position, width), drawing.y - gap - height - Double(row) * Self.pitch)
            case .below(let row):
                Point(x(around: slot.position, width), drawing.maxY + gap + Double(row) * Self.pitch)
            }
        return Rect(x: origin.x, y: origin.y, width: width, height: height)
    }

    /// Returns the left edge of a name in a row, centred on a position where there is room.
    private func x(around position: Double, _ width: Double) -> Double {
        max(room.x, min(position - width / 2, room.maxX - width))
    }
}
