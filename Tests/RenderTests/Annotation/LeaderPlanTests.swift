import Animations
import Core
import Testing

@testable import Render

/// The positions of names whose leaders would be in each other's way in columns.
@Suite struct LeaderPlanTests {
    /// Balls in a grid that hop one after another.
    struct Balls: Loader, CustomTestStringConvertible {
        var columns: Int
        var rows = 1
        var height = 60.0
        var canvas: Size { Size(300, 200) }
        var period: Rational { 2 }
        var testDescription: String { "\(columns) x \(rows)" }

        private static let palette = [
            Color(200, 30, 30), Color(30, 120, 60), Color(30, 60, 200), Color(150, 90, 0), Color(130, 40, 160),
            Color(0, 110, 120), Color(80, 80, 80), Color(160, 20, 100),
        ]

        private func center(_ index: Int, _ time: Rational) -> Point {
            let (column, row) = (index % columns, index / columns)
            let share = min(1, max(0, 1.5 * time.double - 0.2 * Double(index % columns)))
            return Point(
                300 * (Double(column) + 0.5) / Double(columns),
                170 - 70 * Double(row) - height * 4 * share * (1 - share))
        }

        func nodes(at time: Rational) -> [Node] { objects(at: time).map(Self.node) }

        private static func node(_ object: MovingObject) -> Node {
            Draw.dot(object.position, radius: object.radius, fill: object.color)
        }

        func drawing(ofObject name: String, at time: Rational) -> [Node]? {
            objects(at: time).filter { $0.name == name }.map(Self.node)
        }

        func objects(at time: Rational) -> [MovingObject] {
            (0..<columns * rows).map {
                MovingObject(
                    "ball \($0 + 1)", Self.palette[$0], at: center($0, time), radius: 12, depth: $0,
                    labelSide: .margin)
            }
        }
    }

    /// The leaders at a time, by object.
    private func leaders(_ annotator: Annotator, at time: Rational) -> [Int: LineSegment] {
        let colors = annotator.colors.map { annotator.theme.readable($0).opacity(0.75) }
        let lines = annotator.labels(at: annotator.moment(at: time)).compactMap { node -> (Int, LineSegment)? in
            guard case .shape(let shape) = node, let stroke = shape.stroke, stroke.width == 1,
                case .color(let color) = stroke.paint, let index = colors.firstIndex(of: color),
                case .move(let start) = shape.path.elements.first, case .line(let end) = shape.path.elements.last
            else { return nil }
            return (index, LineSegment(start, end))
        }
        return Dictionary(uniqueKeysWithValues: lines)
    }

    private static let loaders = [
        Balls(columns: 3), Balls(columns: 4), Balls(columns: 6), Balls(columns: 3, rows: 2, height: 20),
        Balls(columns: 4, rows: 2, height: 20),
    ]

    @Test(arguments: loaders, [nil, FrameShape.wide, .square, .vertical]) func leadersAreNotInTheWay(
        _ loader: Balls, _ shape: FrameShape?
    ) {
        var page = AnnotationPage()
        page.shape = shape
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, page: page)
        var count = 0
        for instant in 0..<30 {
            let time = loader.period * Rational(Int128(instant), 30)
            let leaders = leaders(annotator, at: time)
            count += leaders.count
            for (index, line) in leaders {
                #expect(!leaders.contains { $0 < index && $1.crosses(line) }, "\(index) at \(time)")
                for (other, object) in loader.objects(at: time).enumerated() where other != index {
                    let distance = line.distance(to: annotator.place(object.position))
                    #expect(distance > object.radius * annotator.scale, "\(index) over \(other) at \(time)")
                }
                #expect(!annotator.marginNames.contains { $0 != index && line.meets($1) }, "\(index) at \(time)")
            }
        }
        #expect(count > 30)
    }

    /// Names stay in their columns if no leader is in the way.
    @Test func namesWithoutConflictsAreInColumns() {
        let loader = Balls(columns: 1, rows: 3, height: 10)
        let annotator = Annotator(loader: loader, kinds: [.labels])
        let left = annotator.place(Point(138, 0)).x
        let right = annotator.place(Point(162, 0)).x
        #expect(annotator.marginNames.count == 3)
        #expect(annotator.marginNames.values.allSatisfy { $0.maxX <= left || $0.x >= right })
    }

    /// Positions do not depend on the order in which dictionaries are read.
    @Test func positionsAreDeterministic() {
        let boxes = (0..<4).map { _ in Annotator(loader: Self.loaders[4], kinds: [.labels]).marginNames }
        #expect(boxes.allSatisfy { $0 == boxes[0] })
    }

    /// A leader over dark art has a light halo on a light page.
    @Test func leadersHaveAHalo() {
        let annotator = Annotator(loader: Balls(columns: 1), kinds: [.labels])
        let labels = annotator.labels(at: annotator.moment(at: Rational(1, 2)))
        let widths = labels.compactMap { node -> Double? in
            if case .shape(let shape) = node, shape.fill == nil { shape.stroke?.width } else { nil }
        }
        #expect(widths.count == 2 && widths[0] > widths[1], "\(widths)")
    }
}
