import Animations
import Core
import TestSupport
import Testing

@testable import Render

/// The lines from names beside the drawing to their objects.
@Suite struct LeaderTests {
    /// Objects that turn in place, whose middle is empty or covered.
    private struct Hollow: Loader {
        var isCovered = false
        var canvas: Size { Size(300, 200) }
        var period: Rational { 1 }

        private func ring(_ time: Rational) -> [Node] {
            let (start, stroke) = (2 * Double.pi * time.double, Stroke(Color(200, 30, 30), width: 6))
            var path = Path()
            path.move(to: Point(150, 100).moved(by: 60, towards: start))
            path.addArc(center: Point(150, 100), radius: 60, startAngle: start, endAngle: start + 4)
            return [.shape(Shape(path, stroke: stroke))]
        }

        private var board: Node {
            .shape(Shape(.rectangle(Rect(x: 60, y: 20, width: 180, height: 160)), fill: Color(30, 60, 200)))
        }

        func nodes(at time: Rational) -> [Node] { isCovered ? ring(time) + [board] : [board] + ring(time) }

        func drawing(ofObject name: String, at time: Rational) -> [Node]? { ring(time) }

        func objects(at time: Rational) -> [MovingObject] {
            var object = MovingObject("ring", Color(200, 30, 30), at: Point(150, 100), labelSide: .margin)
            object.pose = MovingObject.Pose(scale: Point(1, 1), rotation: 360 * time.double, opacity: 1)
            return [object]
        }
    }

    private static let instants = (0..<8).map { Rational(Int128($0), 8) }

    @Test(arguments: [nil, FrameShape.wide, .vertical], instants) func leadersEndAtInk(
        _ shape: FrameShape?, _ time: Rational
    ) throws {
        var page = AnnotationPage()
        page.shape = shape
        let annotator = Annotator(loader: Hollow(), kinds: AnnotationKind.all, page: page)
        let end = try #require(annotator.moment(at: time).leaderEnds[0])
        let bare = Scene(
            size: annotator.size, background: .white,
            nodes: [.group(Group(transform: annotator.canvasTransform, nodes: Hollow().nodes(at: time)))])
        let grid = try PixelGrid(of: bare, width: Int(annotator.size.width), height: Int(annotator.size.height))
        #expect(grid[Int(end.x), Int(end.y)].distance(to: PixelGrid.Pixel(200, 30, 30)) < 60, "\(end)")
        // The dot of an object that stays where it is lies there, not in the empty middle.
        let dots = annotator.marks(at: annotator.moment(at: time)).compactMap(\.bounds).map(\.center)
        #expect(dots.count == 1 && dots.allSatisfy { $0.distance(to: end) < 0.01 }, "\(dots)")
    }

    @Test func coveredObjectsHaveNoLeader() {
        let annotator = Annotator(loader: Hollow(isCovered: true), kinds: [.labels])
        let moment = annotator.moment(at: Rational(1, 4))
        #expect(moment.leaderEnds.isEmpty && annotator.marks(at: moment).isEmpty)
        #expect(annotator.labels(at: moment).isEmpty)
    }
}
