import Core
import Testing

@testable import Render

/// Lines beside other lines, rectangles and ellipses.
@Suite struct LineSegmentTests {
    private let diagonal = LineSegment(Point(0, 0), Point(10, 10))

    @Test(arguments: [
        (LineSegment(Point(0, 10), Point(10, 0)), true), (LineSegment(Point(1, 2), Point(9, 8)), true),
        // Parallel, beyond the end, and touching at an end.
        (LineSegment(Point(0, 1), Point(10, 11)), false), (LineSegment(Point(0, 30), Point(30, 0)), false),
        (LineSegment(Point(0, 0), Point(10, 0)), false), (LineSegment(Point(5, 5), Point(10, 0)), false),
    ])
    func linesCrossAtInnerPoints(other: LineSegment, crosses: Bool) {
        #expect(diagonal.crosses(other) == crosses)
        #expect(other.crosses(diagonal) == crosses)
    }

    @Test(arguments: [
        (Rect(x: 4, y: 4, width: 2, height: 2), true), (Rect(x: -5, y: -5, width: 30, height: 30), true),
        (Rect(x: 9, y: 9, width: 5, height: 5), true), (Rect(x: 6, y: 0, width: 3, height: 5), false),
        (Rect(x: 11, y: 11, width: 5, height: 5), false),
    ])
    func linesMeetRectangles(rect: Rect, meets: Bool) {
        #expect(diagonal.meets(rect) == meets)
    }

    @Test(arguments: [
        (Point(5, 5), Size(1, 1), true), (Point(9, 1), Size(4, 4), false), (Point(9, 1), Size(6, 6), true),
        (Point(15, 10), Size(4, 9), false), (Point(15, 10), Size(6, 1), true),
    ])
    func linesMeetEllipses(center: Point, reach: Size, meets: Bool) {
        #expect(ObjectTrace.Outline(center: center, reach: reach).meets(diagonal) == meets)
    }
}
