/// A position in points, with x to the right and y down, as in UIKit.
public struct Point: Sendable, Hashable {
    /// Horizontal position in points.
    public var x: Double
    /// Vertical position in points, growing downwards.
    public var y: Double

    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin: the canvas's upper left corner.
    public static let zero = Point(0, 0)

    /// Returns the point at `distance` in the direction `angle` (radians, clockwise from the x
    /// axis).
    public func moved(by distance: Double, towards angle: Double) -> Point {
        Point(x + distance * cos(angle), y + distance * sin(angle))
    }

    /// Returns the distance to another point.
    public func distance(to other: Point) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Returns the componentwise sum.
    public static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    /// Returns the componentwise difference.
    public static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    /// Returns both coordinates multiplied by a factor.
    public static func * (a: Point, factor: Double) -> Point { Point(a.x * factor, a.y * factor) }
}

/// A width and a height in points.
public struct Size: Sendable, Hashable {
    /// Width in points.
    public var width: Double
    /// Height in points.
    public var height: Double

    public init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }
}

/// An axis-aligned rectangle in points.
public struct Rect: Sendable, Hashable {
    /// Left edge.
    public var x: Double
    /// Upper edge.
    public var y: Double
    /// Width; never negative.
    public var width: Double
    /// Height; never negative.
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A rectangle with its upper left corner at the origin.
    public init(size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// The bounding box of points; nil if there are none.
    public init?(enclosing points: [Point]) {
        guard let first = points.first else { return nil }
        var boundingBox = BoundingBox(first)
        for point in points.dropFirst() { boundingBox.add(point) }
        self = boundingBox.rect
    }

    /// Right edge.
    public var maxX: Double { x + width }
    /// Lower edge.
    public var maxY: Double { y + height }
    /// The middle.
    public var center: Point { Point(x + width / 2, y + height / 2) }
    /// The corners: upper left, upper right, lower right, lower left.
    public var corners: [Point] { [Point(x, y), Point(maxX, y), Point(maxX, maxY), Point(x, maxY)] }

    /// Returns the bounding box of both rectangles.
    public func union(_ other: Rect) -> Rect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Returns the bounding box of rectangles; nil if there are none.
    package static func union(of rects: some Sequence<Rect>) -> Rect? { rects.reduce(nil) { $0?.union($1) ?? $1 } }

    /// Returns the common part; nil if the rectangles do not touch.
    public func intersection(_ other: Rect) -> Rect? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(maxX, other.maxX)
        let bottom = min(maxY, other.maxY)
        guard right >= left, bottom >= top else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Returns the rectangle's point nearest to another point.
    package func nearest(to point: Point) -> Point {
        Point(min(max(point.x, x), maxX), min(max(point.y, y), maxY))
    }

    /// Returns the rectangle expanded by `margin` points on every side.
    public func expanded(by margin: Double) -> Rect {
        Rect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }

    /// Returns the part within another rectangle, or its nearest edge or corner.
    func clamped(to other: Rect) -> Rect {
        let left = min(max(x, other.x), other.maxX)
        let top = min(max(y, other.y), other.maxY)
        return Rect(
            x: left, y: top, width: max(min(maxX, other.maxX) - left, 0), height: max(min(maxY, other.maxY) - top, 0))
    }

    /// Returns the rectangle, widened to contain the columns of another one.
    package func widened(to other: Rect) -> Rect {
        let left = min(x, other.x)
        return Rect(x: left, y: y, width: max(maxX, other.maxX) - left, height: height)
    }

    /// Returns true if the rectangle contains the other, within `tolerance` points.
    public func contains(_ other: Rect, tolerance: Double = 0) -> Bool {
        other.x >= x - tolerance && other.y >= y - tolerance && other.maxX <= maxX + tolerance
            && other.maxY <= maxY + tolerance
    }
}

/// A bounding box to which points are added one at a time.
package struct BoundingBox: Sendable {
    /// The smallest coordinates.
    package private(set) var low: Point
    /// The largest coordinates.
    package private(set) var high: Point

    /// A box around one point.
    package init(_ point: Point) {
        low = point
        high = point
    }

    /// The bounding box.
    package var rect: Rect { Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y) }

    /// Extends the box to a point.
    package mutating func add(_ point: Point) {
        low = Point(min(low.x, point.x), min(low.y, point.y))
        high = Point(max(high.x, point.x), max(high.y, point.y))
    }
}
