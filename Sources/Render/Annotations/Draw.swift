import Core

/// Functions that make the nodes of annotations.
package enum Draw {
    /// Returns text in a frame with the given origin and width. The frame has the height of the
    /// text's lines. Characters that no font has are left out.
    ///
    /// - Parameter isNumber: true for times and coordinates, whose digits have the same width.
    package static func text(
        _ string: String, at origin: Point, width: Double, size: Double, color: Color,
        alignment: Text.Alignment = .left, bold: Bool = false, isNumber: Bool = false
    ) -> Node {
        let string = DrawnText.text(string)
        let lines = string.count { $0 == "\n" } + 1
        let height = TextExtent.height(fontSize: size) * Double(lines)
        let frame = Rect(x: origin.x, y: origin.y, width: width, height: height)
        var text = Text(string, frame: frame, fontSize: size, color: color, alignment: alignment, bold: bold)
        text.hasTabularFigures = isNumber
        return .text(text)
    }

    /// Returns a straight line.
    package static func line(_ from: Point, _ to: Point, _ color: Color, width: Double = 1, cap: Stroke.Cap = .butt)
        -> Node
    {
        // A single segment has no joins. With miter joins, Cairo draws horizontal and vertical
        // lines as rectangles, which is faster.
        .shape(Shape(.polyline([from, to]), stroke: Stroke(color, width: width, cap: cap)))
    }

    /// Returns straight lines through the points.
    package static func polyline(
        _ points: [Point], _ color: Color, width: Double = 1, cap: Stroke.Cap = .butt, dash: Stroke.Dash? = nil
    ) -> Node {
        var stroke = Stroke(color, width: width, cap: cap, join: .round)
        stroke.dash = dash
        return .shape(Shape(.polyline(points), stroke: stroke))
    }

    /// Returns a dashed line.
    package static func dashes(_ from: Point, _ to: Point, _ color: Color, width: Double = 1, dash: Double = 3) -> Node
    {
        let length = from.distance(to: to)
        var path = Path()
        for start in stride(from: 0, to: length, by: 2 * dash) {
            path.move(to: from + (to - from) * (start / length))
            path.addLine(to: from + (to - from) * (min(start + dash, length) / length))
        }
        return .shape(Shape(path, stroke: Stroke(color, width: width)))
    }

    /// Returns a filled disc with an optional outline.
    package static func dot(_ center: Point, radius: Double, fill: Color, outline: Color? = nil) -> Node {
        .shape(
            Shape(
                .circle(center: center, radius: radius), fill: fill,
                stroke: outline.map { Stroke($0, width: 1, join: .round) }))
    }

    /// Returns a dashed circle whose dashes are as long as the gaps.
    static func dashedCircle(center: Point, radius: Double, _ color: Color, dash: Double = 3) -> Node {
        let count = max(6, (.pi * radius / dash).rounded())
        var path = Path()
        for index in 0..<Int(count) {
            let start = 2 * .pi * Double(index) / count
            path.move(to: center.moved(by: radius, towards: start))
            path.addArc(center: center, radius: radius, startAngle: start, endAngle: start + .pi / count)
        }
        return .shape(Shape(path, stroke: Stroke(color, width: 1)))
    }

    /// Returns an arrow with a filled head. A short arrow consists of the head only.
    package static func arrow(from start: Point, along vector: Point, _ color: Color, width: Double = 2) -> [Node] {
        let length = Point.zero.distance(to: vector)
        guard length > 0 else { return [] }
        let direction = vector * (1 / length)
        let side = Point(-direction.y, direction.x)
        let head = min(length, 4.5 * width)
        let tip = start + vector
        let neck = start + direction * (length - head)
        let corners = [tip, neck + side * (head * 0.48), neck - side * (head * 0.48)]
        let shaft = length > head ? [line(start, neck + direction * 0.5, color, width: width)] : []
        return shaft + [.shape(Shape(.polygon(corners), fill: color))]
    }

    /// Returns a rectangle with rounded corners.
    package static func box(_ rect: Rect, radius: Double, fill: Color?, stroke: Stroke? = nil) -> Node {
        .shape(Shape(roundedRectangle(rect, radius: radius), fill: fill, stroke: stroke))
    }

    /// Returns the outline of a rectangle with rounded corners.
    static func roundedRectangle(_ rect: Rect, radius: Double) -> Path {
        var path = Path()
        for (index, center) in rect.expanded(by: -radius).corners.enumerated() {
            let start = .pi + Double(index) * .pi / 2
            path.addArc(center: center, radius: radius, startAngle: start, endAngle: start + .pi / 2)
        }
        path.close()
        return path
    }

    /// Returns the size of a badge.
    package static func badgeSize(_ text: String, fontSize: Double) -> Size {
        Size(TextExtent.width(text, fontSize: fontSize, bold: true) + 1.1 * fontSize, fontSize * 1.6)
    }

    /// Returns a badge: a short text in a box with round ends, centred at a point.
    package static func badge(
        _ text: String, at center: Point, fontSize: Double, theme: AnnotationTheme
    ) -> [Node] {
        let size = badgeSize(text, fontSize: fontSize)
        let box = Rect(
            x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
        let height = fontSize * 1.5
        let frame = Rect(x: box.x, y: center.y - 0.6 * fontSize, width: box.width, height: height)
        let label = Text(text, frame: frame, fontSize: fontSize, color: theme.ink, alignment: .center, bold: true)
        return [Draw.box(box, radius: size.height / 2, fill: theme.band), .text(label)]
    }
}
