import Platform

/// A position in points, x to the right and y down, as in UIKit.
public struct Point: Sendable, Hashable {
    /// Horizontal position in points.
    public var x: Double
    /// Vertical position in points, growing downwards.
    public var y: Double

    /// A point at the given coordinates.
    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin of the canvas, its upper left corner.
    public static let zero = Point(0, 0)

    /// The point `distance` points away in the direction `angle` (radians, clockwise from the x axis).
    public func moved(by distance: Double, towards angle: Double) -> Point {
        Point(x + distance * cos(angle), y + distance * sin(angle))
    }

    /// The straight-line distance to another point, in points.
    public func distance(to other: Point) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Componentwise sum.
    public static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    /// Componentwise difference.
    public static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    /// Both coordinates multiplied by a factor.
    public static func * (a: Point, factor: Double) -> Point { Point(a.x * factor, a.y * factor) }
}

/// A width and a height in points.
public struct Size: Sendable, Hashable {
    /// Width in points.
    public var width: Double
    /// Height in points.
    public var height: Double

    /// A size of the given width and height.
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

    /// A rectangle from its upper left corner and its extent.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle from (0, 0) to the given size.
    public init(size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// The smallest rectangle that holds all the points, or nil if there are none.
    public init?(enclosing points: [Point]) {
        guard let first = points.first else { return nil }
        var hull = Hull(first)
        for point in points.dropFirst() { hull.add(point) }
        self = hull.rect
    }

    /// Right edge.
    public var maxX: Double { x + width }
    /// Lower edge.
    public var maxY: Double { y + height }
    /// The middle.
    public var center: Point { Point(x + width / 2, y + height / 2) }
    /// Upper left, upper right, lower right and lower left corner.
    public var corners: [Point] { [Point(x, y), Point(maxX, y), Point(maxX, maxY), Point(x, maxY)] }

    /// The smallest rectangle that holds both.
    public func union(_ other: Rect) -> Rect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// The part that both share, or nil if they do not meet.
    public func intersection(_ other: Rect) -> Rect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
        guard right >= left, bottom >= top else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The point of the rectangle that is nearest to another.
    package func nearest(to point: Point) -> Point {
        Point(min(max(point.x, x), maxX), min(max(point.y, y), maxY))
    }

    /// The rectangle grown by `margin` points on every side.
    public func expanded(by margin: Double) -> Rect {
        Rect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }

    /// Whether the rectangle holds all of the other, give or take `tolerance` points.
    public func contains(_ other: Rect, tolerance: Double = 0) -> Bool {
        other.x >= x - tolerance && other.y >= y - tolerance && other.maxX <= maxX + tolerance
            && other.maxY <= maxY + tolerance
    }
}

/// The smallest rectangle that holds points that come one by one.
struct Hull {
    private var low: Point
    private var high: Point

    /// Holds one point.
    init(_ point: Point) { (low, high) = (point, point) }

    /// What holds all the points.
    var rect: Rect { Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y) }

    mutating func add(_ point: Point) {
        low = Point(min(low.x, point.x), min(low.y, point.y))
        high = Point(max(high.x, point.x), max(high.y, point.y))
    }
}
